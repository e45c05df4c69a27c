"""Quick reasons why no tour can exist, each named in words.

Arguments from the graph alone (degrees, connectivity, colours) hold for any problem.  The two
theorems hold for whole rectangles without prescribed ends and cost nothing, however large the
board.  Finding no obstruction says nothing: most problems without a tour pass all of these.

Sources: A. J. Schwenk, "Which rectangular chessboards have a knight's tour?", Mathematics Magazine
64 (1991); P. Cull and J. De Curtins, "Knight's tour revisited", Fibonacci Quarterly 16 (1978), for
sides of 5 and more; G. L. Chia and S.-H. Ong, "Generalized knight's tours on rectangular
chessboards", Discrete Applied Mathematics 150 (2005), section 2, for 3 and 4.
"""

from __future__ import annotations

from kt_cp.board import describe
from kt_cp.outcome import Evidence, EvidenceKind
from kt_cp.problem import Problem


def obstruction(problem: Problem) -> Evidence | None:
    """First reason found why a problem has no tour, simplest first; None if there is none.

    Problems of fewer than three squares are not looked at.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> obstruction(Problem(Board(3, 3))).text
    'b2 has no moves at all'
    >>> obstruction(Problem(Board(4, 1000000), closed=True)).kind
    <EvidenceKind.THEOREM: 'theorem'>
    """
    if problem.size < 3:
        return None
    if problem.size > GRAPH_SQUARES:
        return theorem(problem)
    for argument in (degrees, connectivity, colours):
        text = argument(problem)
        if text is not None:
            return Evidence(EvidenceKind.ARGUMENT, text)
    return theorem(problem)


GRAPH_SQUARES = 250_000
"""Beyond this many squares only the theorems are asked: the graph alone would take seconds."""


def degrees(problem: Problem) -> str | None:
    """Too few moves at some square, or too many squares that can only be ends."""
    graph = problem.indexed
    low = [vertex for vertex, degree in enumerate(graph.degrees.tolist()) if degree < 2]
    for vertex in low:
        if graph.degrees[vertex] == 0:
            return f"{_name(problem, vertex)} has no moves at all"
    if not low:
        return None
    names = ", ".join(_name(problem, vertex) for vertex in low[:3])
    if problem.closed:
        return (
            f"a closed tour needs two moves at every square, and {names} has only one"
            if (len(low) == 1)
            else f"a closed tour needs two moves at every square, and {names} have only one each"
        )
    if len(low) > 2:
        more = "" if len(low) == 3 else f" and {len(low) - 3} more"
        return f"squares with a single move can only be ends, and {names}{more} are more than two"
    prescribed = {problem.start, problem.end} - {None}
    free = 2 - len(prescribed)
    needed = [vertex for vertex in low if graph.nodes[vertex] not in prescribed]
    if len(needed) > free:
        return f"{_name(problem, needed[0])} has a single move, so a tour would have to end there"
    return None


def connectivity(problem: Problem) -> str | None:
    """Squares which the knight cannot reach from others."""
    parts = problem.indexed.components
    if len(parts) == 1:
        return None
    first, second = _name(problem, parts[0][0]), _name(problem, parts[1][0])
    what = "graph" if problem.board is None else "board"
    return f"the {what} falls into {len(parts)} parts: no way leads from {first} to {second}"


def colours(problem: Problem) -> str | None:
    """Every move changes colour, so a tour alternates: the counts and the ends must fit that."""
    graph = problem.indexed
    colour = graph.colours
    if colour is None:
        return None
    first, second = colour.count(0), colour.count(1)
    if problem.board is None:
        counts = f"{first} nodes of one colour and {second} of the other"
    else:
        # a1 is dark; the colouring starts from the least square that is there.
        row, column = next(iter(problem.board))
        dark = (first, second) if (row + column) % 2 == 0 else (second, first)
        counts = f"{dark[0]} dark squares and {dark[1]} light ones"
    alternates = "a knight's moves" if problem.board is not None else "moves"
    if problem.closed:
        if first != second:
            return f"{alternates} alternate between two colours, and there are {counts}"
        return None
    if abs(first - second) > 1:
        return f"{alternates} alternate between two colours, and there are {counts}"
    ends = [end for end in (problem.start, problem.end) if end is not None]
    shades = [colour[graph.index[end]] for end in ends]
    if first != second:
        majority = int(second > first)
        for end, shade in zip(ends, shades, strict=True):
            if shade != majority:
                return (
                    f"{describe(end)} has the wrong colour: there are {counts}, "
                    "so both ends are of the commoner colour"
                )
    elif len(ends) == 2 and shades[0] == shades[1]:
        return (
            f"{describe(ends[0])} and {describe(ends[1])} have the same colour, and a tour of an "
            f"even number of squares begins and ends on different ones"
        )
    return None


def theorem(problem: Problem) -> Evidence | None:
    """Schwenk's theorem (closed) or the open-tour theorem, where they apply and say no."""
    board = problem.board
    if board is None or board.missing:
        return None
    short, long = sorted((board.rows, board.columns))
    if problem.closed:
        says_no = closed_impossible(short, long)
        text = (
            f"by Schwenk's theorem (1991) no {board} board has a closed tour: none exists where "
            "both sides are odd, the short side is 1, 2 or 4, or the board is 3x4, 3x6 or 3x8"
        )
    else:
        says_no = open_impossible(short, long)
        text = (
            f"by the open-tour theorem (Cull and De Curtins 1978, Chia and Ong 2005) no {board} "
            "board has one: none exists where the short side is 1 or 2, or the board is 3x3, "
            "3x5, 3x6 or 4x4"
        )
    return Evidence(EvidenceKind.THEOREM, text) if says_no else None


def closed_impossible(short: int, long: int) -> bool:
    """Schwenk's condition for ``short <= long``."""
    return (
        (short % 2 == 1 and long % 2 == 1)
        or short in (1, 2, 4)
        or (short == 3 and long in (4, 6, 8))
    )


def open_impossible(short: int, long: int) -> bool:
    """The open-tour theorem's condition for ``short <= long``."""
    if short == long == 1:
        return False
    return short < 3 or (short == 3 and long in (3, 5, 6)) or short == long == 4


def _name(problem: Problem, vertex: int) -> str:
    return describe(problem.indexed.nodes[vertex])
