"""A structured closed tour of a rectangle: text 003's fourth algorithm, as printed and improved.

The recursion walks from corner (1, 1), squares with few moves first.  It holds back the two squares
a knight's move from the corner, for steps 2 and last, so that the tour is closed.  Where two
squares that must be neighbours on the tour (:func:`~kt_cp.sources.numbered_board.corner_edges`) are
visited and are not, it abandons the walk.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), algorithm 4.  It must be corrected in
four places, because without any of them it finds nothing:

* the squares held back are (2, 3) and (3, 2), where the text has (1, 2) and (2, 1);
* until the last step, ``size``, where the text has ``size - 1``: a square of that step has the
  colour of the corner, so it is not next to it;
* the recursion goes on with itself, not with the unstructured search of algorithm 3;
* steps count from 1, and the tour is complete when its last square is placed.

:func:`structured_as_printed` corrects no more than this.  It looks at the pairs on the way into the
next square, which costs calls but no square placed, and counts moves on on the empty board; nothing
forces a pair, so the walk learns too late that it has left one square of a pair to the wrong side.
Cost: exponential; 3,065 squares placed on 6×6, 1,138 on 6×8, 219,306 on 6×5, and 10×10 is not done
within seconds.

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
It would do for every board here, and better than the recursion.  By it, a board with sides up to 24
has a structured tour exactly if it has a closed one (Schwenk 1991).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kt_cp.model.board import Board, Square
from kt_cp.model.move_order import ORDERS, counting_sort, fewest_ways_first
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.sources.numbered_board import RankFile, Tour, corner_edges
from kt_cp.trust.reference import Walk, search

BUDGET = 10_000
"""Squares that the recursion may place: ten times what it needs with sides up to 24."""

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
    """Find a closed tour with the eight moves past the corners, or that there is none.

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
            # Either neighbour may come second: the tour the other way round has the other.
            return free[:1]
        left = path.squares[-2]
        if (step > 2 and square in beside_start) or strands(left, square):
            return []  # it had to come last, or another square is lost
        due = partners.get(square, set()) - {left}
        if due:
            return [move for move in free if {move} == due]
        return counting_sort(free, ways) if len(free) > 1 else free

    return search(
        problem,
        START,
        moves,
        budget=budget,
        should_stop=stop,
        on_tour=lambda squares: squares[-1] in beside_start,
        watch=path.watch,
    )
