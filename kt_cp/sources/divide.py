"""Divide and conquer: text 003's sixth algorithm, structured tours of large boards.

The idea: cut the board into four, tour the quadrants, :mod:`~kt_cp.sources.merge` the tours.  A
quadrant is toured in the same way, until it is small enough for the search of
:mod:`~kt_cp.sources.structured`.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithm 6, after I. Parberry, "An
efficient algorithm for the Knight's tour problem" (1997).  What is set right here:

* a board which is not divided is given a structured tour, since merging needs one, and not just
  any; and it is that procedure and the merging that are called, by their names;
* sides are halved into *even* parts, 14 into 6 and 8.  Equal halves, as in the text, would be
  7×7 on the way down from 14×14, and no board with two odd sides has a closed tour;
* a side below 12 is not divided.  The text divides from 10 on, and 5×5 has no closed tour either.

Parberry shows the construction for n×n and n×(n+2), n even from 6.  The transposed (n+2)×n turn up
as quadrants.  Nothing in it needs the sides to be so close: here they may be any even numbers from
6, neither more than twice the other.  That bound keeps the boards left to the search within 10×24.

Cost: linear.  Each level writes every square of its board once more, but quadrants of the same
sides are toured once; there are at most four kinds at a level, so that all levels take little more
than the last.  512×512 takes under a second.
"""

from __future__ import annotations

from functools import cache

from kt_cp.errors import BoardError
from kt_cp.sources.merge import merge
from kt_cp.sources.structured import structured_tour
from kt_cp.sources.tour import Tour

LEAST_SIDE = 6
"""Smaller sides have no closed tour at all, or only on oblongs."""

LEAST_DIVIDED = 2 * LEAST_SIDE


def divide_and_conquer(ranks: int, files: int, *, seed: int = 0) -> Tour:
    """Structured closed tour of a board with even sides.

    Parameters
    ----------
    ranks, files : int
        Even sides from 6, neither more than twice the other.
    seed : int
        Decides ties where a small board needs the complete search.

    Raises
    ------
    BoardError
        If the algorithm does not cover the board.

    Examples
    --------
    >>> tour = divide_and_conquer(14, 16)
    >>> tour, tour.structured
    (<Tour of 14x16, 224 of 224 squares visited>, True)
    """
    if not _covered(ranks, files):
        raise BoardError(
            f"expected even sides of at least {LEAST_SIDE}, neither more than twice the other, "
            f"got {ranks!r} by {files!r}"
        )

    @cache
    def toured(ranks: int, files: int) -> Tour:
        if min(ranks, files) < LEAST_DIVIDED:
            small = structured_tour(ranks, files, seed=seed).tour
            assert small is not None  # boards left whole have one, each of them: see the tests
            return small
        (top, bottom), (left, right) = even_halves(ranks), even_halves(files)
        return merge(
            toured(top, left), toured(top, right), toured(bottom, right), toured(bottom, left)
        )

    return toured(ranks, files)


def even_halves(side: int) -> tuple[int, int]:
    """An even side as the sum of two even ones, equal or two apart.

    Examples
    --------
    >>> even_halves(12), even_halves(14)
    ((6, 6), (6, 8))
    """
    half = side // 2
    return half - half % 2, half + half % 2


def _covered(ranks: object, files: object) -> bool:
    for side in (ranks, files):
        if not isinstance(side, int) or isinstance(side, bool) or side < LEAST_SIDE or side % 2:
            return False
    assert isinstance(ranks, int) and isinstance(files, int)
    return max(ranks, files) <= 2 * min(ranks, files)
