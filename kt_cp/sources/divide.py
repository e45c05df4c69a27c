"""Structured tours of large boards by merging four: text 003's fifth and sixth algorithms.

Algorithm 5 merges four tours of boards that meet in a point, each with one corner.  Each tour makes
a move past that corner and loses it.  The eight loose ends lie so that four moves across the
borders join them::

    first  | second         first   (R-1, F) ... leaves for   second  (R-2, 2)
    -------+-------         second  (R, 1)   ... leaves for   third   (1, 3)
    fourth | third          third   (2, 1)   ... leaves for   fourth  (3, F-1)
                            fourth  (1, F)   ... returns to   first   (R, F-2)

with R and F the ranks and files of the board in question, rank 1 on top.  Every tour is opened at
the move that it loses, read from one end to the other, and shifted to its place; the four are laid
end to end.  The moves past the four outer corners stay, so the result is structured too and can be
merged again.  Corrections:

* a tour is read in the direction that leads from one end to the other; the text only rotates it,
  which serves one of its two directions (and does not look at that of the first tour);
* the third tour is rotated by its own numbers and not by the second's;
* the third board, being right of the fourth and below the second, is shifted by files and ranks;
* the merged board is numbered at each square's rank and file, not rank and rank.

Algorithm 6 divides and conquers: it cuts the board into four, tours the quadrants in the same way,
until one is small enough for the search of :mod:`~kt_cp.sources.structured`, and merges the tours.
Corrections:

* a board which is not divided gets a structured tour, since merging needs one, and not just any;
  and that procedure and the merging are called by their names;
* sides are halved into *even* parts, 14 into 6 and 8.  Equal halves, as in the text, would be
  7×7 on the way down from 14×14, and no board with two odd sides has a closed tour;
* a side below 12 is not divided.  The text divides from 10 on, and 5×5 has no closed tour either.

Parberry shows the construction for n×n and n×(n+2), n even from 6.  The transposed (n+2)×n occur as
quadrants.  The sides need not be so close: here they may be any even numbers from 6, neither more
than twice the other.  That bound limits the boards of the search to 10×24.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithms 5 and 6, after I. Parberry,
"An efficient algorithm for the Knight's tour problem" (1997).

Cost: linear; a tour is cut once, where the text removes squares from the front one by one.  Each
level writes every square of its board once more, but quadrants of the same sides are toured once.
There are at most four kinds at a level, so all levels take little more than the last
(``benchmarks/MEASURED.md``).
"""

from __future__ import annotations

from functools import cache

from kt_cp.model.errors import BoardError, ProblemError
from kt_cp.sources.numbered_board import RankFile, Tour, missing_corner_edges
from kt_cp.sources.structured import structured_tour


def merge(first: Tour, second: Tour, third: Tour, fourth: Tour) -> Tour:
    """Join structured tours of the boards top left, top right, bottom right and bottom left.

    The structured tour of the four boards together begins where the first begins.  Raises
    ``ProblemError`` if a tour is not structured, or sides that meet differ.

    Examples
    --------
    >>> small, large = structured_tour(6, 6).tour, structured_tour(6, 8).tour
    >>> merge(small, large, large, small)
    <Tour of 12x14, 168 of 168 squares visited>
    """
    _check_structured(first, second, third, fourth)
    _check_sides(first, second, third, fourth)
    down, right = first.ranks, first.files
    opened = _opened(first, (down, right - 2), (down - 1, right))
    joined = [
        *_shifted(_opened(second, (down - 2, 2), (down, 1)), 0, right),
        *_shifted(_opened(third, (1, 3), (2, 1)), down, right),
        *_shifted(_opened(fourth, (3, right - 1), (1, right)), down, 0),
    ]
    # The other three belong between the two ends of the first, which keeps its beginning.
    home = opened.index(first.path[0])
    path = opened[home:] + joined + opened[:home]
    return Tour.along(down + third.ranks, right + second.files, path)


def _opened(tour: Tour, begin: RankFile, end: RankFile) -> list[RankFile]:
    """Return the tour from one square the long way round to another, its neighbour on it."""
    path, at = tour.path, tour[begin] - 1
    if path[at - 1] == end:
        return path[at:] + path[:at]
    return path[at::-1] + path[:at:-1]


def _shifted(path: list[RankFile], ranks: int, files: int) -> list[RankFile]:
    return [(rank + ranks, file + files) for rank, file in path]


def _check_structured(*tours: Tour) -> None:
    for name, tour in zip(("first", "second", "third", "fourth"), tours, strict=True):
        expected = f"expected the {name} tour to be"
        if not tour.solved:
            raise ProblemError(
                f"{expected} complete, got {tour.steps} of {tour.size} squares visited"
            )
        if not tour.closed:
            raise ProblemError(f"{expected} closed, got one from {tour.path[0]} to {tour.path[-1]}")
        for here, there in missing_corner_edges(tour):
            raise ProblemError(f"{expected} structured, got one without the move {here}-{there}")


def _check_sides(first: Tour, second: Tour, third: Tour, fourth: Tour) -> None:
    for here, there, side in (
        (("first", first.ranks), ("second", second.ranks), "ranks"),
        (("third", third.ranks), ("fourth", fourth.ranks), "ranks"),
        (("first", first.files), ("fourth", fourth.files), "files"),
        (("second", second.files), ("third", third.files), "files"),
    ):
        if here[1] != there[1]:
            raise ProblemError(
                f"expected the {here[0]} and the {there[0]} tour to have as many {side}, "
                f"got {here[1]} and {there[1]}"
            )


LEAST_SIDE = 6
"""Smaller sides have no closed tour at all, or only on oblongs."""

LEAST_DIVIDED = 2 * LEAST_SIDE


def divide_and_conquer(ranks: int, files: int, *, seed: int = 0) -> Tour:
    """Return a structured closed tour of a board with even sides, or raise ``BoardError``.

    The seed decides ties where a small board needs the complete search.
    """
    sides = (ranks, files)
    whole = all(isinstance(side, int) and not isinstance(side, bool) for side in sides)
    even = whole and all(side >= LEAST_SIDE and side % 2 == 0 for side in sides)
    if not even or max(sides) > 2 * min(sides):
        raise BoardError(
            f"expected even sides of at least {LEAST_SIDE}, neither more than twice the other, "
            f"got {ranks!r} by {files!r}"
        )

    @cache
    def tour_of(ranks: int, files: int) -> Tour:
        if min(ranks, files) < LEAST_DIVIDED:
            small = structured_tour(ranks, files, seed=seed).tour
            assert small is not None  # each board that is not divided has one: see the tests
            return small
        (top, bottom), (left, right) = even_halves(ranks), even_halves(files)
        return merge(
            tour_of(top, left), tour_of(top, right), tour_of(bottom, right), tour_of(bottom, left)
        )

    return tour_of(ranks, files)


def even_halves(side: int) -> tuple[int, int]:
    """Return an even side as the sum of two even ones, equal or two apart."""
    half = side // 2
    return half - half % 2, half + half % 2
