"""Structured closed tours of rectangles: text 003's algorithms 4 (a search), 5 and 6 (merging).

A structured tour makes both moves past every corner.  Algorithm 4 finds one on a small board.

The recursion walks from corner (1, 1), squares with few moves first.  It holds back the two squares
a knight's move from the corner, for steps 2 and last, so that the tour is closed.  If two squares
that must be neighbours on the tour (:func:`~kt_cp.sources.numbered_board.corner_edges`) are visited
and are not, it abandons the walk.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithms 4 to 6; merging is after I.
Parberry, "An efficient algorithm for the Knight's tour problem" (1997).  Algorithm 4 must be
corrected in four places, because without any one of them it finds nothing:

* the squares held back are (2, 3) and (3, 2), where the text has (1, 2) and (2, 1);
* until the last step, ``size``, where the text has ``size - 1``: a square of that step has the
  colour of the corner, so it is not next to it;
* the recursion calls itself, not the unstructured search of algorithm 3;
* steps count from 1, and the tour is complete when its last square is placed.

:func:`structured_as_printed` corrects no more than this.  It checks the pairs on the way into the
next square, which costs calls but places no square, and counts onward moves on the empty board.
Nothing forces a pair, so the walk detects too late that it has left one square of a pair to the
wrong side.  Cost: exponential; 3,065 squares placed on 6×6, 1,138 on 6×8, 219,306 on 6×5, and 10×10
is not done within seconds.

:func:`structured_tour` compares the squares of a pair when the second is placed, and adds three
things.  A step is *forced* on one square of a pair whose other square is free and was not just
left: the only move tried leads to that other square.  Moves are ordered by the free squares they
lead to, not by all.  And a move that strands a neighbour of the square just left, so that it can no
longer be both entered and left, is not pursued.  None of the three loses a tour, and by reversal
the two squares next to the corner need not both be tried second.  ``benchmarks/MEASURED.md`` has
the gain of each.

Cost: a millisecond or two for sides from 5 to 24, the longer at most twice the shorter.  When it
loses: on long boards (8×20, 5×18) and where there is no such tour (7×7, 4×10) it spends its budget.
Then :func:`kt_cp.search.backtrack.hamiltonian_cycle` decides, with the eight moves as forced edges.
It would suffice for every board here, and is better than the recursion.  It shows that a board with
sides up to 24 has a structured tour exactly if it has a closed one (Schwenk 1991).

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
  which serves one of its two directions (and ignores that of the first tour);
* the third tour is rotated by its own numbers and not by the second's;
* the third board, being right of the fourth and below the second, is shifted by files and ranks;
* the merged board is numbered at each square's rank and file, not rank and rank.

Algorithm 6 divides and conquers: it cuts the board into four, tours the quadrants in the same way,
until one is small enough for the search, and merges the tours.
Corrections:

* a board that is not divided gets a structured tour, since merging needs one, and not just any; and
  that procedure and the merging are called by their names;
* sides are halved into *even* parts, 14 into 6 and 8.  Equal halves, as in the text, would be
  7×7 on the way down from 14×14, and no board with two odd sides has a closed tour;
* a side below 12 is not divided.  The text divides from 10 on, and 5×5 has no closed tour either.

Parberry shows the construction for n×n and n×(n+2), n even from 6.  The transposed (n+2)×n occur as
quadrants.  The sides need not be so close: here they may be any even numbers from 6, neither more
than twice the other.  That bound limits the boards of the search to 10×24.

Cost of merging: linear; a tour is cut once, where the text removes squares from the front one by
one.  Each level writes every square of its board once more, but quadrants of the same sides are
toured once.  There are at most four kinds at a level, so all levels take little more than the last
(``benchmarks/MEASURED.md``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from kt_cp.model.board import Board, Square
from kt_cp.model.errors import BoardError, ProblemError
from kt_cp.model.move_order import ORDERS, fewest_ways_first
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.sources.numbered_board import RankFile, Tour, corner_edges, missing_corner_edges
from kt_cp.trust.reference import Walk, search

BUDGET = 10_000
"""Squares that the recursion may place: ten times as many as it needs with sides up to 24."""

START = (0, 0)

HELD_BACK = ((2, 3), (3, 2))
"""The squares that come second and last, as (rank, file): those next to corner (1, 1)."""


@dataclass(frozen=True)
class Structured:
    """The answer for one board; a tour starts at (1, 1).

    ``decided_by`` is ``"recursion"``, or ``"search"`` for the complete search after it; empty if
    undecided.  ``placed`` and ``taken_back`` count the squares of the recursion.
    """

    verdict: Verdict
    tour: Tour | None
    decided_by: str
    placed: int
    taken_back: int


class _Path:
    """The squares that the recursion has placed, in order and with their steps."""

    def __init__(self) -> None:
        self.squares: list[Square] = []
        self.step_of: dict[Square, int] = {}

    def watch(self, placed: bool, square: Square) -> None:
        """Follow a step of the recursion."""
        if placed:
            self.squares.append(square)
            self.step_of[square] = len(self.squares)
        else:
            del self.step_of[self.squares.pop()]


def structured_tour(
    ranks: int,
    files: int,
    *,
    budget: int = BUDGET,
    seed: int = 0,
    should_stop: Callable[[], bool] | None = None,
) -> Structured:
    """Find a closed tour with the eight moves past the corners, or show that there is none.

    The recursion may place ``budget`` squares before the complete search starts, whose ties the
    seed decides.  ``should_stop`` is polled now and then.

    Examples
    --------
    >>> answer = structured_tour(6, 6)
    >>> answer.decided_by, answer.placed, answer.tour.structured
    ('recursion', 38, True)
    """
    tour, edges = Tour(ranks, files), _edges(ranks, files)
    stop = should_stop or (lambda: False)
    if min(ranks, files) < 3:  # one of the moves past the corners would end off the board
        return Structured(Verdict.IMPOSSIBLE, None, "recursion", 0, 0)
    if stop():
        return Structured(Verdict.UNKNOWN, None, "", 0, 0)
    walk = _forced_walk(tour, edges, budget, stop)
    if walk.verdict is not Verdict.UNKNOWN or stop():
        return _answer(tour, walk)
    problem = Problem(Board(ranks, files), closed=True)
    index = problem.indexed.index
    cycle, exhausted, _ = hamiltonian_cycle(
        problem.indexed.neighbours,
        [(index[here], index[there]) for here, there in edges],
        seed=seed,
        should_stop=stop,
    )
    # Vertices are numbered in reading order, so the cycle begins at the corner.
    squares = None if cycle is None else [divmod(vertex, files) for vertex in cycle]
    done = Walk(squares, exhausted and squares is None, walk.placed, walk.taken_back)
    return _answer(tour, done, "search")


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

    The answer is ``UNKNOWN`` if it places more than ``budget`` squares, or ``should_stop`` returns
    true.  The squares ``held`` are held back until the step ``last``; the text has other ones.
    """
    tour, edges, path = Tour(ranks, files), _edges(ranks, files), _Path()
    if min(ranks, files) < 3:
        return Structured(Verdict.IMPOSSIBLE, None, "recursion", 0, 0)
    problem, step_of = Problem(Board(ranks, files)), path.step_of
    order = fewest_ways_first(problem, ORDERS["003"])
    waiting = {(rank - 1, file - 1) for rank, file in held}
    let_in = (2, tour.size if last is None else last)

    def moves(square: Square) -> list[Square]:
        for here, there in edges:
            if here in step_of and there in step_of and abs(step_of[here] - step_of[there]) != 1:
                return []
        step = len(step_of) + 1
        return [move for move in order(square) if move not in waiting or step in let_in]

    walk = search(problem, START, moves, budget=budget, should_stop=should_stop, watch=path.watch)
    return _answer(tour, walk)


def _edges(ranks: int, files: int) -> list[tuple[Square, Square]]:
    """Return the moves past the corners, counted from 0."""
    return [
        ((here[0] - 1, here[1] - 1), (there[0] - 1, there[1] - 1))
        for here, there in corner_edges(ranks, files)
    ]


def _answer(tour: Tour, walk: Walk, decided_by: str = "recursion") -> Structured:
    """Return the answer for a walk."""
    if walk.squares is None:
        decided_by = decided_by if walk.exhausted else ""
        return Structured(walk.verdict, None, decided_by, walk.placed, walk.taken_back)
    path = [(row + 1, column + 1) for row, column in walk.squares]
    found = Tour.along(tour.ranks, tour.files, path)
    return Structured(walk.verdict, found, decided_by, walk.placed, walk.taken_back)


def _forced_walk(
    tour: Tour, edges: list[tuple[Square, Square]], budget: int, stop: Callable[[], bool]
) -> Walk:
    """Run the recursion with forced steps, and without moves that strand a square."""
    problem, path = Problem(Board(tour.ranks, tour.files)), _Path()
    order, step_of = fewest_ways_first(problem, ORDERS["003"]), path.step_of
    beside_start = set(order(START))
    partners: dict[Square, set[Square]] = {}
    for here, there in edges:
        # On narrow boards moves past two corners may coincide, or three share a square.
        partners.setdefault(here, set()).add(there)
        partners.setdefault(there, set()).add(here)

    def ways(square: Square) -> int:
        return sum(move not in step_of for move in order(square))

    def strands(left: Square, now: Square) -> bool:
        """Return whether a free neighbour of the square just left lacks a way in or out.

        No other square has lost a way by this step.
        """
        return any(
            sum(way not in step_of or way in (now, START) for way in order(square)) < 2
            for square in order(left)
            if square not in step_of
        )

    def moves(square: Square) -> list[Square]:
        step = len(path.squares)
        free = [move for move in order(square) if move not in step_of]
        if step == 1:
            # Either neighbour may come second: the reversed tour has the other.
            return free[:1]
        left = path.squares[-2]
        if (step > 2 and square in beside_start) or strands(left, square):
            return []  # it had to come last, or another square is lost
        due = partners.get(square, set()) - {left}
        if due:
            return [move for move in free if {move} == due]
        return sorted(free, key=ways)

    return search(
        problem,
        START,
        moves,
        budget=budget,
        should_stop=stop,
        on_tour=lambda squares: squares[-1] in beside_start,
        watch=path.watch,
    )


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
