"""What is known of whole rectangles: which have a tour, and which ends low ones do not allow.

Schwenk's theorem (closed tours) and the open-tour theorem decide every rectangle without prescribed
ends.  On boards of three, four and five rows some pairs of ends fail though the colours allow them,
for reasons that lie within six columns of one side, whatever the length:

* Two corners of three and of five rows, with two moves each, share a neighbour.  As an end it
  serves only one of them, so that the other has one move left, and must be the other end.
* On three rows the middle of the first column has two neighbours, c1 and c3.  If these are both
  ends, the tour is over once it has been there.
* On three rows, between c3 (or c1) and d2, everything is forced: c3 a2 c1 b3 a1 c2 a3 b1 d2.
* On four rows squares of the two outer rows have neighbours in inner rows only, and as many of
  these.  A tour would alternate between them, and so put all outer squares on one colour, but for
  exactly one move between inner squares; both its ends are therefore outer squares.

On boards of more than 13 columns there are no other such pairs: all others are constructed
(:mod:`kt_cp.construction.thin`).

Sources: A. J. Schwenk, "Which rectangular chessboards have a knight's tour?", Mathematics Magazine
64 (1991); P. Cull and J. De Curtins, "Knight's tour revisited", Fibonacci Quarterly 16 (1978), for
sides of 5 and more; G. L. Chia and S.-H. Ong, "Generalized knight's tours on rectangular
chessboards", Discrete Applied Mathematics 150 (2005), section 2, for 3 and 4.
"""

from __future__ import annotations

from kt_cp.board import Square, describe
from kt_cp.outcome import Evidence, EvidenceKind
from kt_cp.problem import Problem


def theorem(problem: Problem) -> Evidence | None:
    """What is known of a whole rectangle, where it says that there is no tour.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> theorem(Problem(Board(4, 10**9), start=(1, 0))).text
    'no tour of four rows begins or ends on an inner one, as a2 is'
    """
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
    if says_no:
        return Evidence(EvidenceKind.THEOREM, text)
    ends = [end for end in (problem.start, problem.end) if end is not None]
    why = None if problem.closed or problem.size < LEAST_SQUARES else _ends(problem, ends)
    return None if why is None else Evidence(EvidenceKind.THEOREM, why)


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


LEAST_SQUARES = 12
"""Of the boards about whose ends something is known: the smallest with a tour is 3x4."""


def _ends(problem: Problem, ends: list[Square]) -> str | None:
    """Why a low board has no tour with these ends, if it is one of the known reasons."""
    board = problem.board
    assert board is not None
    turned = board.rows > board.columns
    rows, columns = (board.columns, board.rows) if turned else (board.rows, board.columns)
    # Counted as if the board lay on its long side, from its left end and then from its right.
    laid = [(column, row) if turned else (row, column) for row, column in ends]
    mirrored = [(row, columns - 1 - column) for row, column in laid]
    if rows == 4:
        inner = [end for end, (row, _) in zip(ends, laid, strict=True) if row in (1, 2)]
        if inner:
            return (
                f"no tour of four rows begins or ends on an inner one, as {describe(inner[0])} is"
            )
        return None
    if len(ends) < 2 or rows not in (3, 5):
        return None
    between = " and ".join(describe(end) for end in ends)
    for one, two in (laid, mirrored):
        for here, there, name in ((one, two, ends[0]), (two, one, ends[1])):
            if here == SHARED[rows] and there not in ((0, 0), (rows - 1, 0)):
                return (
                    f"{describe(name)} is the neighbour that two corners share, each of which has "
                    "two moves: if it is an end, the other end is one of these corners"
                )
        if rows == 3 and {one, two} == {(0, 2), (2, 2)}:
            return f"between {between} lies a square with no other neighbours: it would be the tour"
        if rows == 3 and (1, 3) in (one, two) and {one, two} & {(0, 2), (2, 2)}:
            return f"between {between} all moves are forced, and the tour ends after nine squares"
    return None


SHARED = {3: (1, 2), 5: (2, 1)}
"""The common neighbour of the two corners on the left, by rows."""
