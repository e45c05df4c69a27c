"""Fast tests for reasons why no tour can exist, each with evidence that the checker has accepted.

The tests of colours, degrees and connectivity apply to any problem.  Theorems on whole rectangles
come last (:mod:`kt_cp.proofs.theorems`): they take no time on boards of any size, but they are
cited and not proved, and have no certificate.

The checker is imported when there is something to check: most problems have a tour, and loading
the checker takes longer than finding a small one.

When it loses: on boards with missing squares and on other graphs, most problems without a tour pass
all of these tests.

The evidence that no tour has a symmetry is a list of squares for
:mod:`kt_cp.trust.check.symmetric`: those that the motion moves off the board, or that it fixes.
There are a few such lists, and the checker's own rule selects one that works.  Cost: linear in the
squares.  When it loses: in most problems without a symmetric tour, the squares and colours fit, and
only search refutes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from kt_cp.model.board import Board, Square, square_name
from kt_cp.model.conditions import Symmetry
from kt_cp.model.document import node_name
from kt_cp.model.outcome import Evidence
from kt_cp.model.problem import Problem
from kt_cp.proofs.theorems import theorem


def symmetry(problem: Problem) -> dict[str, Any] | None:
    """Return evidence that no tour has the required symmetry, or None if no squares show that.

    Examples
    --------
    >>> symmetry(Problem("8x8", closed=True, symmetry="quarter-turn"))
    {'kind': 'symmetry', 'squares': []}
    >>> symmetry(Problem("6x6", closed=True, symmetry="quarter-turn")) is None
    True
    """
    motion = next((each.motion for each in problem.conditions if type(each) is Symmetry), None)
    board = problem.board
    least = 3 if problem.closed else 2
    if motion is None or board is None:
        return None
    from kt_cp.trust.check.frame import MOST_SQUARES
    from kt_cp.trust.check.instance import as_instance
    from kt_cp.trust.check.refusal import Refusal
    from kt_cp.trust.check.symmetric import symmetry as rule

    if not least <= problem.size <= MOST_SQUARES:
        return None
    for squares in _candidates(problem, board, motion):
        evidence = {"kind": "symmetry", "squares": [square_name(square) for square in squares]}
        try:
            rule(as_instance(problem), evidence)
        except Refusal:
            continue
        return evidence
    return None


def _candidates(problem: Problem, board: Board, motion: str) -> Iterator[list[Square]]:
    """Yield lists of squares that may decide, the simplest first."""
    from kt_cp.trust.check.moves import moved_square

    image = {square: moved_square(board, motion, square) for square in board}
    off = next((here for here, there in image.items() if there not in image), None)
    if off is not None:
        yield [off]
        return
    stay = [here for here, there in image.items() if here == there]
    if problem.closed:
        yield stay[:3]
        return
    ends = [end for end in (problem.start, problem.end) if end is not None]
    yield from ([end] for end in ends if end in stay)
    yield ends
    yield stay[:2]
    yield from ([here] for here, there in image.items() if image[there] != here)
    yield []


GRAPH_SQUARES = 250_000
"""Most squares for which a graph is built; above, that alone takes seconds."""

FRAME_SQUARES = 10_000
"""Most squares that the checker lays out; more take too long (``benchmarks/MEASURED.md``)."""


def obstruction(problem: Problem) -> Evidence | None:
    """Return the first reason found why a problem has no tour, simplest first, or None.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> obstruction(Problem(Board(3, 3))).text
    'b2 has no moves at all'
    >>> obstruction(Problem(Board(4, 1000000), closed=True)).kind
    <EvidenceKind.THEOREM: 'theorem'>
    """
    if problem.board is None:
        from kt_cp.proofs.certificate import rename_nodes

        problem = rename_nodes(problem)
    for finder in QUICK:
        evidence = finder(problem)
        if evidence is None:
            continue
        from kt_cp.proofs.certificate import as_certificate

        if (certificate := as_certificate(problem, evidence)) is not None:
            return certificate.evidence
    return theorem(problem)


def tiny_cycle(problem: Problem) -> dict[str, Any] | None:
    """Refute a closed tour of one or two squares."""
    return {"kind": "size"} if problem.closed and problem.size < 3 else None


def colours(problem: Problem) -> dict[str, Any] | None:
    """Refute by colours: every move changes colour, so the counts and the ends must alternate."""
    board = problem.board
    if board is None or not _has_alternating_colours(problem):
        return None
    # Computed without visiting every square: a1 is dark.
    dark = (board.rows * board.columns + 1) // 2
    dark -= sum((row + column) % 2 == 0 for row, column in board.missing)
    shades = [sum(end) % 2 for end in (problem.start, problem.end) if end is not None]
    is_possible = _colours_fit(problem.closed, dark, board.size - dark, shades)
    return None if is_possible else {"kind": "colours"}


def bipartition(problem: Problem) -> dict[str, Any] | None:
    """Refute by the graph's own two colours: removing one of them leaves single nodes.

    This is for graphs, and for boards on which some moves do not change the colour of the square.
    """
    if problem.size > GRAPH_SQUARES or _has_alternating_colours(problem):
        return None
    graph = problem.indexed
    if graph.colours is None:
        return None
    first, second = graph.colours.count(0), graph.colours.count(1)
    ends = [end for end in (problem.start, problem.end) if end is not None]
    shades = [graph.colours[graph.index[end]] for end in ends]
    if min(first, second) == 0 or _colours_fit(problem.closed, first, second, shades):
        return None
    rarer = int(second < first) if first != second else shades[0]
    shaded = zip(graph.nodes, graph.colours, strict=True)
    return _squares_evidence("removal", problem, [node for node, shade in shaded if shade == rarer])


def _has_alternating_colours(problem: Problem) -> bool:
    """Return whether every move on a board changes the colour of the square."""
    if problem.board is None or problem.whole_rectangle is not None:
        return problem.board is not None  # on a plane, every move of a knight does
    from kt_cp.trust.check.moves import alternates

    return alternates(problem.board, problem.piece)


def _colours_fit(closed: bool, first: int, second: int, ends: list[int]) -> bool:
    """Return whether a tour may have these counts and ends of colours 0 and 1."""
    if closed or abs(first - second) > 1:
        return first == second
    if first == second:
        return len(ends) < 2 or ends[0] != ends[1]
    return all(end == int(second > first) for end in ends)


def clash(problem: Problem) -> dict[str, Any] | None:
    """Refute by two consecutive clues without a walk of the right length between them, or by one.

    If all consecutive clues have such a walk, any two clues have one.  If steps and squares have
    two parities, one clue then determines all of them.
    """
    if not problem.given:
        return None
    least = 3 if problem.closed else 2
    if not least <= problem.size <= GRAPH_SQUARES:
        return None
    from kt_cp.trust.check.clash import clash_of, misplaced
    from kt_cp.trust.check.frame import frame_of
    from kt_cp.trust.check.steps import clues_of

    clues = sorted(set(clues_of(problem)), key=lambda clue: (clue[1], problem.place(clue[0])))
    of_square: dict[Any, tuple[Any, int]] = {}
    pairs: list[Sequence[tuple[Any, int]]] = [*pairwise(clues)]
    pairs += [(of_square[c[0]], c) for c in clues if of_square.setdefault(c[0], c) != c]
    if problem.closed and len(clues) > 1:
        pairs.append((clues[0], clues[-1]))
    frame = frame_of(problem)
    for pair in pairs:
        if clash_of(frame, *pair) is not None:
            break
    else:
        pair = clues[:1]
        if len(problem.indexed.components) > 1 or misplaced(frame, *pair) is None:
            return None
    named = [[node_name(problem, square), step] for square, step in pair]
    return {"kind": "clash", "clues": named}


def degrees(problem: Problem) -> dict[str, Any] | None:
    """Refute by too few moves at some square, or too many squares that can only be ends."""
    if problem.size < 2:
        return None
    low = list(_find_low_degrees(problem))
    if not low:
        return None
    from kt_cp.trust.check.instance import as_instance

    for square, moves in zip(low, as_instance(problem).count_moves(low), strict=True):
        if moves == 0:
            return _squares_evidence("degrees", problem, [square])
    if problem.closed:
        return _squares_evidence("degrees", problem, low[:1])
    given = {problem.start, problem.end} - {None}
    needed = [square for square in low if square not in given]
    free = 2 - len(given)
    return _squares_evidence("degrees", problem, needed[: free + 1]) if len(needed) > free else None


def _find_low_degrees(problem: Problem) -> Iterable[Any]:
    """Return squares with fewer than two moves; on huge boards, test corners and conditions."""
    if problem.size <= GRAPH_SQUARES:
        graph = problem.indexed
        return [graph.nodes[vertex] for vertex in graph.vertices_below(2)]
    board = problem.board
    if board is None:
        return []
    from kt_cp.trust.check.instance import as_instance

    relevant = {(row, column) for row in (0, board.rows - 1) for column in (0, board.columns - 1)}
    relevant |= {square for move in problem.forbid for square in move}
    squares = [square for square in sorted(relevant) if square in board]
    return [
        s
        for s, moves in zip(squares, as_instance(problem).count_moves(squares), strict=True)
        if moves < 2
    ]


def connectivity(problem: Problem) -> dict[str, Any] | None:
    """Refute by squares that cannot be reached from others."""
    least = 3 if problem.closed else 2
    if not least <= problem.size <= GRAPH_SQUARES or len(problem.indexed.components) == 1:
        return None
    nodes = problem.indexed.nodes
    first, second = (nodes[part[0]] for part in problem.indexed.components[:2])
    return _squares_evidence("connectivity", problem, [first, second])


def _squares_evidence(kind: str, problem: Problem, squares: list[Any]) -> dict[str, Any]:
    return {"kind": kind, "squares": [node_name(problem, square) for square in squares]}


def required_moves(problem: Problem) -> dict[str, Any] | None:
    """Refute by required moves that contradict each other or the ends, by the plain rules."""
    least = 3 if problem.closed else 2
    if not problem.require or not least <= problem.size <= FRAME_SQUARES:
        return None
    from kt_cp.trust.check.frame import frame_of
    from kt_cp.trust.check.state import Contradiction, State

    try:
        State(frame_of(problem))
    except Contradiction:
        return {"kind": "forced", "tree": {}}
    return None


QUICK = (tiny_cycle, colours, clash, degrees, connectivity, bipartition, symmetry, required_moves)
"""Finders of evidence that need no search, cheapest first."""
