"""Theorems on whole rectangles: which have a tour, and which ends low boards do not allow.

Schwenk's theorem (closed tours) and the open-tour theorem decide every rectangle without given
ends.  On boards of three, four and five rows some pairs of ends fail although the colours allow
them.  The reasons lie within six columns of one side, whatever the length:

* On three and on five rows two corners with two moves each share a neighbour.  If that neighbour is
  an end, it serves only one of the corners.  The other has one move left and must be the other end.
* On three rows the middle of the first column has two neighbours, c1 and c3.  If both are ends, the
  tour is over once it has been there.
* On three rows, between c3 (or c1) and d2, everything is forced: c3 a2 c1 b3 a1 c2 a3 b1 d2.
* On four rows squares of the two outer rows have neighbours in inner rows only, and there are as
  many inner squares.  A tour would alternate between the two, and so have all outer squares on one
  colour, except for exactly one move between inner squares.  So both its ends are outer squares.

Boards of more than 13 columns have no other such pairs: :mod:`kt_cp.construction.thin_boards`
constructs all others.

Sources: A. J. Schwenk, "Which rectangular chessboards have a knight's tour?", Mathematics Magazine
64 (1991); P. Cull and J. De Curtins, "Knight's tour revisited", Fibonacci Quarterly 16 (1978), for
sides of 5 and more; G. L. Chia and S.-H. Ong, "Generalized knight's tours on rectangular
chessboards", Discrete Applied Mathematics 150 (2005), section 2, for 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kt_cp.model.board import Square, square_name
from kt_cp.model.outcome import Evidence, EvidenceKind
from kt_cp.model.problem import Problem


def theorem(problem: Problem) -> Evidence | None:
    """Return a theorem about a whole rectangle that rules out a tour, if there is one.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> theorem(Problem(Board(4, 10**9), start=(1, 0))).text
    'no tour of four rows begins or ends on an inner one, as a2 is'
    """
    board = problem.whole_rectangle
    if board is None:
        return None
    short, long = sorted((board.rows, board.columns))
    if problem.closed:
        impossible = has_no_closed_tour(short, long)
        text = (
            f"by Schwenk's theorem (1991) no {board} board has a closed tour: none exists where "
            "both sides are odd, the short side is 1, 2 or 4, or the board is 3x4, 3x6 or 3x8"
        )
    else:
        impossible = has_no_open_tour(short, long)
        text = (
            f"by the open-tour theorem (Cull and De Curtins 1978, Chia and Ong 2005) no {board} "
            "board has one: none exists where the short side is 1 or 2, or the board is 3x3, "
            "3x5, 3x6 or 4x4"
        )
    if impossible:
        return Evidence(EvidenceKind.THEOREM, text)
    if problem.closed or min(problem.size, short) < 3:
        return None
    turned = board.rows > board.columns
    start, end = (_swap(square, turned) for square in (problem.start, problem.end))
    why = refute_ends(short, long, start, end, lambda square: square_name(_swap(square, turned)))
    return Evidence(EvidenceKind.THEOREM, why) if why else None


def has_no_closed_tour(short: int, long: int) -> bool:
    """Return whether Schwenk's theorem rules out a closed tour, for ``short <= long``."""
    return (
        (short % 2 == 1 and long % 2 == 1)
        or short in (1, 2, 4)
        or (short == 3 and long in (4, 6, 8))
    )


def has_no_open_tour(short: int, long: int) -> bool:
    """Return whether the open-tour theorem rules out a tour, for ``short <= long``."""
    if short == long == 1:
        return False
    return short < 3 or (short == 3 and long in (3, 5, 6)) or short == long == 4


def refute_ends(
    rows: int,
    columns: int,
    start: Square | None,
    end: Square | None,
    name: Callable[[Square], str] = square_name,
) -> str:
    """Return why no open tour of a low board has these ends; empty if no reason is known.

    The board has at least 3 rows and at least as many columns; reasons are known for 3, 4 and 5
    rows.  An end that is not prescribed is None; ``name`` turns a square into text.

    Examples
    --------
    >>> refute_ends(4, 1000, (1, 7), None)
    'no tour of four rows begins or ends on an inner one, as h2 is'
    >>> refute_ends(5, 1000, (2, 1), (0, 0))
    ''
    """
    ends = [square for square in (start, end) if square is not None]
    if rows == 4:
        inner = [square for square in ends if square[0] in (1, 2)]
        if inner:
            return f"no tour of four rows begins or ends on an inner one, as {name(inner[0])} is"
    if len(ends) < 2 or rows not in SHARED:
        return ""
    down, along = SHARED[rows]
    between = f"between {name(ends[0])} and {name(ends[1])}"
    for side, inwards in ((0, 1), (columns - 1, -1)):
        corners = (0, side), (rows - 1, side)
        shared = down, side + along * inwards
        third = {(0, side + 2 * inwards), (2, side + 2 * inwards)}
        if shared in ends and not set(ends) & set(corners):
            return (
                f"{name(shared)} is the neighbour that two corners share, each of which has "
                "two moves: if it is an end, the other end is one of these corners"
            )
        if rows == 3 and set(ends) == third:
            return f"{between} lies a square with no other neighbours: it would be the tour"
        if rows == 3 and (1, side + 3 * inwards) in ends and set(ends) & third:
            return f"{between} all moves are forced, and the tour ends after nine squares"
    return ""


SHARED = {3: (1, 2), 5: (2, 1)}
"""The common neighbour of the two corners on the left, by rows."""


def _swap(square: Any, turned: bool) -> Any:
    """Return a square after swapping rows and columns if needed; None stays None."""
    return (square[1], square[0]) if turned and square is not None else square
