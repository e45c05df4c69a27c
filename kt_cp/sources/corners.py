"""What text 003 asks of a tour at the corners, so that four tours can be joined.

A *structured* tour is closed and makes two certain moves past each corner of its board.  Past
corner (1, 1), for instance, with squares as (rank, file)::

    .  a  b  .          a: (1, 2)-(3, 1)
    b  .  .  .          b: (1, 3)-(2, 1)
    a  .  .  .

Where four boards meet, each gives up one such move, and four new moves across the borders take
their place.  The moves past the outer corners stay, so the whole is structured again.

Source: I. Parberry, "An efficient algorithm for the Knight's tour problem" (1997).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kt_cp.sources.numbered_board import Tour

RankFile = tuple[int, int]
"""A square as text 003 writes it, rank and file counted from 1."""

Edge = tuple[RankFile, RankFile]


def corner_edges(ranks: int, files: int) -> list[Edge]:
    """The two moves that a structured tour makes past each corner of a board.

    Corners come in reading order.  With a side below 3 some moves end off the board.

    Examples
    --------
    >>> corner_edges(6, 8)[:2], corner_edges(6, 8)[-2:]
    ([((1, 2), (3, 1)), ((1, 3), (2, 1))], [((6, 7), (4, 8)), ((6, 6), (5, 8))])
    """

    def mirrored(square: RankFile, down: bool, right: bool) -> RankFile:
        rank, file = square
        return ranks + 1 - rank if down else rank, files + 1 - file if right else file

    return [
        (mirrored(here, down, right), mirrored(there, down, right))
        for down in (False, True)
        for right in (False, True)
        for here, there in (((1, 2), (3, 1)), ((1, 3), (2, 1)))
    ]


def missing_corner_edges(tour: Tour) -> list[Edge]:
    """Those of the moves past the corners that a tour, taken as closed, does not make.

    Examples
    --------
    >>> from kt_cp.sources.numbered_board import Tour
    >>> len(missing_corner_edges(Tour.along(6, 6, [(1, 2), (3, 1)])))
    7
    """
    step_of = {square: step for step, square in enumerate(tour.path)}
    beside = (1, tour.size - 1)  # of a closed tour the last and the first are neighbours too
    return [
        (one, other)
        for one, other in corner_edges(tour.ranks, tour.files)
        if not {one, other} <= step_of.keys() or abs(step_of[one] - step_of[other]) not in beside
    ]
