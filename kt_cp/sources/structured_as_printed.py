"""A structured closed tour by text 003's fourth algorithm, corrected as little as it needs.

The recursion of the text, from corner (1, 1): moves that lead to squares with few moves first; the
two squares a knight's move from the corner are held back, but for steps 2 and last; and where two
squares that belong side by side (see :mod:`~kt_cp.sources.numbered_board`) are visited and are not,
the walk is given up.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithm 4.  It must be corrected in
four places, as without any of them it finds nothing:

* the squares held back are (2, 3) and (3, 2), where the text has (1, 2) and (2, 1);
* until the last step, ``size``, where the text has ``size - 1``: a square of that step has the
  colour of the corner, so it is not next to it;
* the recursion goes on with itself, not with the unstructured search of algorithm 3;
* steps count from 1, and the tour is complete when its last square is placed.

What stays: the pairs are looked at on the way into the next square, which costs calls and no square
placed; moves on are counted on the empty board; and nothing forces a pair, so that the walk learns
too late that it has left one square of a pair to the wrong side.

Cost: exponential; 3,065 squares placed on 6×6, 1,138 on 6×8, 219,306 on 6×5, and 10×10 is not done
within seconds.  When it loses: nearly everywhere, against :mod:`~kt_cp.sources.structured`, which
adds forced moves, a count of free squares and a look ahead, and places 38 squares on 6×6.
"""

from __future__ import annotations

from collections.abc import Callable

from kt_cp.model.board import Board, Square
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.sources.numbered_board import RankFile, Tour, corner_edges
from kt_cp.sources.structured import Structured
from kt_cp.trust.reference import ORDERS, fewest_ways_first, search

HELD_BACK = ((2, 3), (3, 2))
"""The squares that come second and last: those next to corner (1, 1)."""


def structured_as_printed(
    ranks: int,
    files: int,
    *,
    budget: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    held: tuple[RankFile, ...] = HELD_BACK,
    last: int | None = None,
) -> Structured:
    """Find a closed tour with the eight moves past the corners by the text's own recursion.

    Parameters
    ----------
    budget : int, optional
        Most squares to place; beyond it the answer is ``UNKNOWN``.
    should_stop : callable, optional
        Polled at every thousandth square.
    held, last : tuple of (rank, file), int
        Squares that are held back, and the step that they may wait for; to try what the text says.

    Raises
    ------
    BoardError
        If a side is not a positive whole number.

    Examples
    --------
    >>> answer = structured_as_printed(6, 6)
    >>> answer.placed, answer.tour.structured
    (3065, True)
    """
    tour = Tour(ranks, files)
    if min(ranks, files) < 3:  # one of the moves past the corners would end off the board
        return Structured(Verdict.IMPOSSIBLE, None, "recursion", 0, 0)
    problem = Problem(Board(ranks, files))
    order = fewest_ways_first(problem, ORDERS["003"])
    step_of: dict[Square, int] = {}
    pairs = [
        ((here[0] - 1, here[1] - 1), (there[0] - 1, there[1] - 1))
        for here, there in corner_edges(ranks, files)
    ]
    waiting = {(rank - 1, file - 1) for rank, file in held}
    let_in = (2, tour.size if last is None else last)

    def candidates(square: Square) -> list[Square]:
        for here, there in pairs:
            if here in step_of and there in step_of and abs(step_of[here] - step_of[there]) != 1:
                return []
        onward = len(step_of) + 1
        return [move for move in order(square) if move not in waiting or onward in let_in]

    def watch(placed: bool, square: Square) -> None:
        if placed:
            step_of[square] = len(step_of) + 1
        else:
            del step_of[square]

    walk = search(problem, (0, 0), candidates, budget=budget, should_stop=should_stop, watch=watch)
    if walk.squares is not None:
        tour = Tour.along(ranks, files, [(row + 1, column + 1) for row, column in walk.squares])
    found = tour if walk.squares is not None else None
    decided_by = "" if walk.verdict is Verdict.UNKNOWN else "recursion"
    return Structured(walk.verdict, found, decided_by, walk.placed, walk.taken_back)
