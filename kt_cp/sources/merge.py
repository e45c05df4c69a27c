"""Four structured tours made into one: text 003's fifth algorithm.

The four boards meet in a point, each with one corner.  Past that corner each tour makes a move
which it gives up; the eight loose ends lie so that four moves over the seams join them::

    first  | second         first   (R-1, F) ... leaves for   second  (R-2, 2)
    -------+-------         second  (R, 1)   ... leaves for   third   (1, 3)
    fourth | third          third   (2, 1)   ... leaves for   fourth  (3, F-1)
                            fourth  (1, F)   ... comes home   first   (R, F-2)

with R and F the ranks and files of the board in question, rank 1 on top.  Every tour is opened at
its given-up move, read from the one end to the other, shifted to its place, and the four are laid
end to end.  The moves past the four outer corners are untouched, so that the result is structured
too and can be merged again.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithm 5, after I. Parberry, "An
efficient algorithm for the Knight's tour problem" (1997).  What is set right here:

* a tour is read in the direction in which it gets from the one end to the other; the text rotates
  it only, which serves one of its two directions (and does not look at that of the first tour);
* the third tour is rotated by its own numbers and not by the second's;
* the third board, being right of the fourth and below the second, is shifted by files and ranks;
* the merged board is numbered at each square's rank and file, not rank and rank.

Cost: linear in the number of squares; a tour is cut once, where the text takes squares off the
front one by one.
"""

from __future__ import annotations

from kt_cp.errors import ProblemError
from kt_cp.sources.corners import RankFile, missing_corner_edges
from kt_cp.sources.tour import Tour


def merge(first: Tour, second: Tour, third: Tour, fourth: Tour) -> Tour:
    """Join four structured tours, clockwise from the one at rank 1 and file 1.

    Parameters
    ----------
    first, second, third, fourth : Tour
        Structured tours of the boards top left, top right, bottom right and bottom left.

    Returns
    -------
    Tour
        Structured tour of the four boards together; it begins where the first begins.

    Raises
    ------
    ProblemError
        If a tour is not complete, closed and structured, or the sides that meet differ.

    Examples
    --------
    >>> from kt_cp.sources.structured import structured_tour
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
    """The tour from one square the long way round to another, its neighbour on the tour."""
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
