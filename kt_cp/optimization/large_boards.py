"""The search on large boards: tours of parallel lines, improved by local search.

A tour with few turns or few crossings consists of long lines of moves in one direction, side by
side, and turns only near the sides of the board.  The board is one region of such lines, or two
halves whose lines mirror each other.  A region gets the moves in its direction at no cost, and all
others at a cost of about 1.  The cheapest *two-factor*, a set of edges with two at each vertex,
then has hardly any other moves in the interior.  On a graph with two colours it is a flow: each
vertex of one colour sends two units, and each of the other takes two.

A two-factor has several cycles, on 100x100 about fifty.  While there is more than one, the smallest
is joined to another one: moves a-b and c-d of two cycles are replaced by a-c and b-d, where this
adds least to the cost.

The starts are the known tour, and tours of parallel lines.  Each is annealed for a while, because
the best start does not always give the best result: for crossings on 100x100, one
region of lines had 1,319 and two halves had 1,463, and after ten million draws they had 1,151 and
1,056.  Then the best is annealed for the rest of the time.

Source: this package.  J. J. Besa, T. Johnson, N. Mamano and M. C. Osegueda, "Taming the knight's
tour: minimizing turns and crossings" (arXiv 1904.02824, 2019), fill the board with quadruples of
parallel lines, which turn together at the sides; that takes 9.25 n turns and 12 n crossings.  Here
the flow finds the turns at the sides.  Cost: half a second for 100x100.  When it loses: graphs
without two colours, pieces that cannot fill the board with parallel lines, and measures whose best
tours have no long lines.  Local search proves nothing.

Measured for fewest turns, closed, within a minute each: CP-SAT found 65, 81, 107, 167 and 313
turns on 10x10, 12x12, 14x14, 16x16 and 20x20.  Local search found 65, 81, 96, 114 and 152 within
seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.model.cycle import cycles_of
from kt_cp.optimization.local_search import (
    Layout,
    LocalSearch,
    can_exchange,
    exchange_cost,
    undo_crossings,
)
from kt_cp.search.breadth_first import two_colouring

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.trust.check.frame import Frame

    Numbers = NDArray[np.int32]

TRIAL, MAIN = 600, 8_000
"""Draws for each square, from each start and then from the best of them.  Together they take about
30 s on 100x100."""

TRIAL_SHARE = 0.3
"""The share of the time for all trials."""

OTHER, NOISE, REQUIRED = 1000, 300, -1_000_000
"""Costs of a move that is not in the direction of its region, of random additions to all, so that
ties are broken by the seed, and of a required move."""

Line = tuple[int, int]


def improve_tour(
    frame: Frame,
    layout: Layout,
    cycle: list[int],
    seed: int,
    spent: Callable[[int], float],
    keep: Callable[[list[int]], None],
) -> None:
    """Improve a cycle of a frame.

    ``spent`` is called with the least cost so far, and returns the share of the time that is spent.
    It may raise an exception to stop.  ``keep`` receives the best cycle, even after an exception.

    >>> from kt_cp import Problem, solve
    >>> from kt_cp.optimization.local_search import layout_of
    >>> from kt_cp.trust.check.frame import frame_of
    >>> problem = Problem("20x20", closed=True)
    >>> frame = frame_of(problem)
    >>> layout = layout_of(frame, None, crossing_weight=1)
    >>> first = [frame.number[square] for square in solve(problem).tour]
    >>> found = []
    >>> improve_tour(frame, layout, first, 0, lambda _: 0.0, found.append)
    >>> problem.tour([frame.problem.nodes[v] for v in found[-1]]).measures()["crossings"] < 300
    True
    """
    searches = [LocalSearch(layout, cycle, seed)]

    def share_spent() -> float:
        return spent(min(each.best_cost for each in searches))

    try:
        for start in tours_of_lines(frame, layout, seed):
            searches.append(LocalSearch(layout, start, seed))
            if share_spent() > TRIAL_SHARE / 3:
                break
        for done, search in enumerate(tuple(searches)):
            share = (TRIAL_SHARE - share_spent()) / (len(searches) - done)
            search.anneal(TRIAL * len(frame), _part(share_spent, share))
        best = min(searches, key=lambda each: each.best_cost)
        searches.append(LocalSearch(layout, best.best, seed + 1))
        searches[-1].anneal(MAIN * len(frame), _part(share_spent, 1.0 - share_spent()))
    finally:
        keep(min(searches, key=lambda each: each.best_cost).best.tolist())


def _part(spent: Callable[[], float], share: float) -> Callable[[], float]:
    """Return a clock for a share of the time, which begins now."""
    begin = spent()
    return lambda: (spent() - begin) / max(share, 1e-6)


def tours_of_lines(frame: Frame, layout: Layout, seed: int) -> Iterator[list[int]]:
    """Yield cycles of a frame that consist of parallel lines, one for each way to lay them.

    >>> from kt_cp import Problem
    >>> from kt_cp.optimization.local_search import layout_of
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem("20x20", closed=True))
    >>> cycles = [*tours_of_lines(frame, layout_of(frame, None), seed=0)]
    >>> all(sorted(cycle) == [*range(400)] for cycle in cycles)
    True
    """
    colour = two_colouring(len(frame), lambda vertex: frame.neighbours[vertex])
    board = frame.problem.board
    if colour is None or board is None or 2 * sum(colour) != len(colour):
        return
    for line in sorted({_line(step) for step in frame.problem.piece.steps if step[1] >= 0}):
        mirrored = _line((line[0], -line[1]))
        halves = (None, *((0, 1) if line != mirrored else ()))
        for axis in halves:
            links = _two_factor(frame, colour, (line, mirrored), axis, seed)
            if links is not None and _join_cycles(layout, links):
                yield cycles_of(links.tolist())[0]


def _line(step: Line) -> Line:
    """Return the direction of a step, forwards or backwards."""
    up, right = step[0] // gcd(*step), step[1] // gcd(*step)
    return (up, right) if (up, right) > (0, 0) else (-up, -right)


def _two_factor(
    frame: Frame, colour: list[int], lines: tuple[Line, Line], axis: int | None, seed: int
) -> Numbers | None:
    """Return the two neighbours of each vertex in a cheapest two-factor, or None.

    The moves with a middle beyond that of the board, along an axis, should be in the second line.
    """
    from ortools.graph.python import min_cost_flow

    nodes, squares, board = frame.problem.nodes, frame.squares, frame.problem.board
    assert board is not None
    sides = board.rows, board.columns
    random = np.random.default_rng(seed)
    required = {*frame.must}
    edges = frame.edges()
    costs = random.integers(0, NOISE, len(edges))
    for place, (u, v) in enumerate(edges):
        if v < squares:
            (row, column), (top, side) = nodes[u], nodes[v]
            direction = _line((top - row, side - column))
            middle = row + top, column + side
            is_beyond = axis is not None and middle[axis] >= sides[axis]
            if direction != lines[is_beyond]:
                costs[place] += OTHER
        if (u, v) in required:
            costs[place] = REQUIRED
    tails, heads = np.array(edges, dtype=np.int32).T
    shade = np.array(colour)
    senders, receivers = np.where(shade[tails] == 0, (tails, heads), (heads, tails))
    flow = min_cost_flow.SimpleMinCostFlow()
    arcs = flow.add_arcs_with_capacity_and_unit_cost(
        senders, receivers, np.ones(len(edges), dtype=np.int64), costs
    )
    flow.set_nodes_supplies(np.arange(len(frame), dtype=np.int32), np.where(shade == 0, 2, -2))
    if flow.solve() != flow.OPTIMAL:
        return None
    chosen = [edges[place] for place in np.flatnonzero(flow.flows(arcs)).tolist()]
    if not required.issubset(chosen):
        return None
    links = np.full((len(frame), 2), -1, dtype=np.int32)
    for u, v in chosen:
        links[u, int(links[u, 0] >= 0)] = v
        links[v, int(links[v, 0] >= 0)] = u
    return links


@njit(cache=True, nogil=True)
def _label_cycles(links: Numbers) -> tuple[Numbers, int]:
    """Return the number of each vertex's cycle, and the number of cycles."""
    label = np.full(len(links), -1, dtype=np.int32)
    count = 0
    for first in range(len(links)):
        if label[first] >= 0:
            continue
        before, here = -1, int(first)
        while label[here] < 0:
            label[here] = count
            after = int(links[here, 0] if links[here, 0] != before else links[here, 1])
            before, here = int(here), after
        count += 1
    return label, count


@njit(cache=True, nogil=True)
def _replace(links: Numbers, ends: Numbers) -> None:
    """Exchange the neighbours of the ends of two edges."""
    for i in range(4):
        links[ends[i], 0 if links[ends[i], 0] == ends[i ^ 1] else 1] = ends[(i + 2) % 4]


@njit(cache=True, nogil=True)
def _join_cycles(layout: Layout, links: Numbers) -> bool:
    """Join the cycles of a two-factor into one, in place; return whether that was possible."""
    squares, width = layout.heads.shape
    used = np.zeros(len(layout.required), dtype=np.uint8)
    for vertex in range(squares):
        for place in range(width):
            other = layout.heads[vertex, place]
            if other >= 0 and (links[vertex, 0] == other or links[vertex, 1] == other):
                used[layout.edges[vertex, place]] = 1
    ends = np.empty(4, dtype=np.int32)
    near = np.empty((4, 2), dtype=np.int32)
    best = np.empty(4, dtype=np.int32)
    while True:
        label, count = _label_cycles(links)
        if count == 1:
            return True
        sizes = np.bincount(label)
        smallest = np.argmin(sizes)
        least = np.iinfo(np.int32).max
        for a in np.flatnonzero(label[:squares] == smallest):
            for c in layout.heads[a]:
                if c < 0 or label[c] == smallest:
                    continue
                for which in range(4):
                    b, d = links[a, which // 2], links[c, which % 2]
                    ends[0], ends[1], ends[2], ends[3] = a, b, c, d
                    if not can_exchange(layout, ends, 4):
                        continue
                    for i in range(4):
                        near[i] = links[ends[i]]
                    change = exchange_cost(layout, ends, near, 4, used)
                    if layout.weight:
                        undo_crossings(layout, ends, 4, used)
                    if change < least:
                        least = change
                        best[:] = ends
        if least == np.iinfo(np.int32).max:
            return False
        for i in range(4):
            near[i] = links[best[i]]
        exchange_cost(layout, best, near, 4, used)
        _replace(links, best)
