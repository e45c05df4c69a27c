"""A walk through all given steps, redrawn segment by segment until it visits every vertex.

A walk has the right vertex at every given step and a move from each step to the next, but it may
visit some vertices twice and leave others out.  It has as many steps as there are vertices, so it
is a tour if no vertex is left out.  The vertices that are left out are the cost.

A segment of a few steps is removed and drawn anew among all paths that join its ends, each with its
probability at the current temperature (a *heat bath*): the weights of all paths are summed
backwards from the end, layer by layer, and one path is drawn forwards.  The sums ignore that a path
may meet itself; accepting or rejecting the path corrects for that.  The temperature is constant,
and so low that only a few vertices are left out at a time, and sometimes none.  One segment in five
is drawn at random; the others lie beside a vertex that is left out, because soon nearly all of the
walk is right.

Half of the draws remove two short segments near each other, then draw one after the other.  So the
two can exchange vertices without a worse walk in between.  Each draw that is aimed at a vertex that
is left out raises its cost a little, and the increase soon decays.  So the search does not stay
among the same few walks.

A walk may have a large error, which no small segment repairs.  So another walk starts after a
while; the runs have Luby's lengths.  After a tour is found, the search continues from it, because
the next tour is near.

Source: N. Metropolis et al., "Equation of state calculations by fast computing machines", J. Chem.
Phys. 21 (1953), and S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated
annealing", Science 220 (1983), here without cooling; the heat bath over paths is the forward
filtering and backward sampling of C. K. Carter and R. Kohn, "On Gibbs sampling for state space
models", Biometrika 81 (1994); the focus on errors is that of B. Selman, H. A. Kautz and B. Cohen,
"Noise strategies for improving local search", AAAI 1994.  Growing costs come from P. Morris, "The
breakout method for escaping from local minima", AAAI 1993, and their decay from F. Hutter, D. A. D.
Tompkins and H. H. Hoos, "Scaling and probabilistic smoothing", CP 2002.  The runs are those of M.
Luby, A. Sinclair and D. Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47 (1993), by D.
E. Knuth's "reluctant doubling" (TAOCP 7.2.2.2).

Cost: a draw takes a few microseconds; the number of draws is in ``benchmarks/MEASURED.md``.

When it loses: it never proves that there is no tour, and a single tour is hard to find.  It does
not take required moves.

An additional vertex, the depot, at an additional step closes an open tour.

Importing this module loads Numba.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from kt_cp.model.conditions import ENDS, Forbidden, Given
from kt_cp.model.cycle import allowed_ends
from kt_cp.model.problem import Problem
from kt_cp.search.step_domains import given_vertices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]

COST, SQUARES, LEAST_COST = 7.0, 400, 3.0
"""Cost of a vertex that is left out, in units of temperature, on a board of this many squares.  On
other boards it is chosen so that about as many vertices are left out on average."""

LENGTH = 6
"""Most steps of a segment, and the greatest distance between vertices that is stored."""

DRAWS_PER_POLL = 20_000
"""Draws between two polls: a few hundredths of a second."""

TAKES = ENDS | {Forbidden, Given}
"""Conditions that a walk obeys."""

FOCUS = 0.8
"""Share of the segments beside a vertex that is left out."""

FIRST_RUN = 3_000
"""Draws for each step in the first run."""

PAIRS, SHORT = 0.5, 4
"""Share of the draws of two segments at a time, and most steps of such a segment."""

BLAME, MEMORY = 0.01, 1024
"""Additional cost of a vertex each time that a draw is aimed at it because it is left out, in units
of temperature, and the number of draws after which half of that is forgotten."""

DRAWN, LACKING = range(2)
"""Entries of the counters: draws since the start, and vertices that are not visited."""


class _Graph(NamedTuple):
    """The graph and the given steps.

    ``distance`` counts moves up to a number that stands for all greater ones; ``before`` and
    ``after`` are the given steps around each step; the count continues past the last step.
    """

    rows: Numbers
    heads: Numbers
    distance: NDArray[np.uint8]
    given: NDArray[np.bool_]
    before: Numbers
    after: Numbers


class _Layers(NamedTuple):
    """Workspace of a draw: weights, all 0 between two draws, and the vertices of each layer."""

    weight: NDArray[np.float64]
    vertices: Numbers
    sizes: Numbers


def start_annealing(problem: Problem, seed: int = 0) -> Annealing | None:
    """Start the search, if it takes the problem's conditions."""
    takes = set(map(type, problem.conditions)) <= TAKES
    return Annealing(problem, seed) if takes and problem.size > 2 else None


class Annealing:
    """A search in progress; forbidden moves are not in the problem's graph.

    ``drawn`` counts the draws.  ``hopeless`` means that no walk has the given squares at their
    steps, so there is no tour.
    """

    def __init__(self, problem: Problem, seed: int = 0) -> None:
        graph, size = problem.indexed, problem.size
        given = dict(given_vertices(problem))
        tails, heads = graph.tails, graph.heads
        self._size, total = size, size + (not problem.closed)
        if not problem.closed:
            ends = np.array(allowed_ends(problem))
            tails, heads = np.append(tails, ends), np.append(heads, np.full(len(ends), size))
            given[size] = size
        elif not given:
            given = {0: int(graph.degrees.argmin())}
        both = np.concatenate([tails, heads])
        order = np.argsort(both, kind="stable")
        is_given = np.zeros(total, dtype=np.bool_)
        is_given[list(given.values())] = True
        before = np.arange(total, dtype=np.int32)
        after = before.copy()
        steps = sorted(given)
        self._gaps = list(zip(steps, [*steps[1:], steps[0] + total], strict=True))
        for first, last in self._gaps:
            between = np.arange(first + 1, last) % total
            before[between], after[between] = first, last
        self._graph = _Graph(
            rows=np.searchsorted(both[order], np.arange(total + 1)).astype(np.int32),
            heads=np.concatenate([heads, tails])[order].astype(np.int32),
            distance=_distances(graph.neighbours, total),
            given=is_given,
            before=before,
            after=after,
        )
        length = max(LENGTH, *(last - first for first, last in self._gaps))
        self._layers = _Layers(
            np.zeros((length, total)),
            np.empty((length, total), dtype=np.int32),
            np.empty(length, dtype=np.int32),
        )
        self._random = np.array([2 * seed + 88172645463325252], dtype=np.uint64)
        self._walk = np.full(total, -1, dtype=np.int32)
        self._walk[steps] = [given[step] for step in steps]
        self._visits = np.zeros(total, dtype=np.int32)
        self._counters = np.zeros(2, dtype=np.int64)
        self._blame = np.zeros(total)
        self._cost = max(LEAST_COST, COST + 2 * log(size / SQUARES))
        self._run = (1, 1)
        self._run_end = FIRST_RUN * total
        self.drawn = 0
        clash = len(set(given.values())) < len(given)
        self.hopeless = clash or len(given) < len(given_vertices(problem)) or not self._begin()

    def _begin(self) -> bool:
        """Draw a first walk that prefers vertices not yet visited; False if there is none."""
        walk, total, graph = self._walk, len(self._walk), self._graph
        self._blame[:] = 0
        self._visits[:] = graph.given
        fill = np.exp(self._cost + self._blame)
        for before, after in self._gaps:
            if after - before == 1:
                row = graph.rows[walk[before]], graph.rows[walk[before] + 1]
                if walk[after % total] not in graph.heads[slice(*row)]:
                    return False
                continue
            length = after - before - 1
            if not _draw_path(
                walk, before + 1, length, self._visits, graph, fill, self._layers, self._random
            ):
                return False
            np.add.at(self._visits, walk[np.arange(before + 1, after) % total], 1)
        # A step of each vertex that is, or was, visited: `_step_of` checks it.
        self._at = np.zeros(total, dtype=np.int32)
        self._at[walk] = np.arange(total)
        self._counters[LACKING] = (self._visits == 0).sum()
        return True

    @property
    def lacking(self) -> int:
        """Number of vertices that are left out."""
        return int(self._counters[LACKING])

    def next(self, *, draws: int) -> list[int]:
        """Return the vertices of the next tour in order, or [] if ``draws`` draws find none.

        The search may return a tour again.
        """
        if self.hopeless:
            return []
        last = self.drawn + draws
        while self.drawn < last:
            if self.drawn >= self._run_end:
                self._restart()
            found = _anneal(
                self._walk, self._visits, self._at, self._graph, self._layers, self._random,
                self._counters, self._blame, self._cost, min(last, self._run_end) - self.drawn,
            )  # fmt: skip
            self.drawn = int(self._counters[DRAWN])
            if found:
                self._run_end = self.drawn + FIRST_RUN * len(self._walk)
                tour: list[int] = self._walk[: self._size].tolist()
                return tour
        return []

    def _restart(self) -> None:
        """Begin another walk; runs are 1, 1, 2, 1, 1, 2, 4, ... times as long as the first."""
        number, times = self._run
        self._run = (number + 1, 1) if number & -number == times else (number, 2 * times)
        self._run_end = self.drawn + FIRST_RUN * self._run[1] * len(self._walk)
        self._begin()


def _distances(neighbours: list[list[int]], total: int) -> NDArray[np.uint8]:
    """Return all distances, ``LENGTH + 1`` for greater ones; those from the depot are 0."""
    size = len(neighbours)
    found = np.full((total, total), LENGTH + 1, dtype=np.uint8)
    reached = np.eye(size, dtype=np.bool_)
    most = max(map(len, neighbours))
    padded = np.full((size, most), size)
    for vertex, others in enumerate(neighbours):
        padded[vertex, : len(others)] = others
    for moves in range(LENGTH + 1):
        inner = found[:size, :size]
        inner[reached & (inner > LENGTH)] = moves
        wide = np.hstack([reached, np.zeros((size, 1), dtype=np.bool_)])
        reached = reached.copy()
        for column in range(most):
            reached |= wide[:, padded[:, column]]
    found[size:] = 0
    return found


@njit(cache=True, nogil=True)
def _uniform(random: NDArray[np.uint64]) -> float:
    """Return a random number from 0 to below 1."""
    word = random[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    random[0] = word
    return float(np.int64(word >> np.uint64(11))) / 9007199254740992.0


@njit(cache=True, nogil=True)
def _draw_path(
    x: Numbers,
    first: int,
    many: int,
    visits: Numbers,
    graph: _Graph,
    fill: NDArray[np.float64],
    space: _Layers,
    random: NDArray[np.uint64],
) -> bool:
    """Draw the vertices of ``many`` steps anew, each path by its weight; False if there is no path.

    The weight of a path is the product of ``fill`` over its vertices that are visited nowhere else.
    """
    rows, heads, distance, given = graph.rows, graph.heads, graph.distance, graph.given
    weight, layers, sizes = space
    total = len(x)
    start, end = x[(first - 1) % total], x[(first + many) % total]
    for j in range(many - 1, -1, -1):
        size = 0
        next_size = 1 if j == many - 1 else sizes[j + 1]
        most = 0.0
        for i in range(next_size):
            source = end if j == many - 1 else layers[j + 1, i]
            share = 1.0 if j == many - 1 else weight[j + 1, source]
            for edge in range(rows[source], rows[source + 1]):
                vertex = heads[edge]
                if given[vertex] or (j < LENGTH and distance[start, vertex] > j + 1):
                    continue
                if weight[j, vertex] == 0.0:
                    layers[j, size] = vertex
                    size += 1
                weight[j, vertex] += share
        sizes[j] = size
        for i in range(size):
            vertex = layers[j, i]
            if visits[vertex] == 0:
                weight[j, vertex] *= fill[vertex]
            most = max(most, weight[j, vertex])
        for i in range(size):  # the sums over many layers would overflow
            weight[j, layers[j, i]] /= most
    here, found = start, True
    for j in range(many):
        left = 0.0
        for edge in range(rows[here], rows[here + 1]):
            left += weight[j, heads[edge]]
        left *= _uniform(random)
        there = -1
        for edge in range(rows[here], rows[here + 1]):
            if weight[j, heads[edge]] > 0.0:
                there = heads[edge]
                left -= weight[j, there]
                if left < 0.0:
                    break
        if there < 0:
            found = False
            break
        x[(first + j) % total] = there
        here = there
    for j in range(many):
        for i in range(sizes[j]):
            weight[j, layers[j, i]] = 0.0
    return found


@njit(cache=True, nogil=True)
def _draw_segment(
    step: int, most: int, graph: _Graph, random: NDArray[np.uint64]
) -> tuple[int, int]:
    """Draw a segment of at most ``most`` steps around a step: its first step and its length."""
    before, after = graph.before, graph.after
    low, high = before[step], after[step]
    if low == step:
        return 0, 0
    many = min(1 + int(_uniform(random) * most), high - low - 1)
    if step < low:
        step += len(before)
    lowest, highest = max(low + 1, step - many + 1), min(high - many, step)
    return lowest + int(_uniform(random) * (highest - lowest + 1)), many


@njit(cache=True, nogil=True)
def _random_neighbour(vertex: int, graph: _Graph, random: NDArray[np.uint64]) -> int:
    """Draw a neighbour of a vertex."""
    rows = graph.rows
    return int(
        graph.heads[rows[vertex] + int(_uniform(random) * (rows[vertex + 1] - rows[vertex]))]
    )


@njit(cache=True, nogil=True)
def _step_of(vertex: int, x: Numbers, at: Numbers) -> int:
    """Return a step of a vertex that is visited."""
    if x[at[vertex]] != vertex:
        for step in range(len(x)):
            if x[step] == vertex:
                at[vertex] = step
    return int(at[vertex])


@njit(cache=True, nogil=True)
def _anneal(
    x: Numbers,
    visits: Numbers,
    at: Numbers,
    graph: _Graph,
    space: _Layers,
    random: NDArray[np.uint64],
    counters: NDArray[np.int64],
    blame: NDArray[np.float64],
    cost: float,
    most: int,
) -> bool:
    """Make ``most`` draws; return True once the walk becomes a new tour."""
    total, vertices = len(x), len(graph.rows) - 1
    old = np.empty(2 * LENGTH, np.int32)
    first, many = np.zeros(2, np.int64), np.zeros(2, np.int64)
    lacking = counters[LACKING]
    fill = np.exp(cost + blame)
    for turn in range(most):
        if turn % MEMORY == 0:
            blame *= 0.5
            fill = np.exp(cost + blame)
        step = int(_uniform(random) * total)
        if lacking > 0 and _uniform(random) < FOCUS:
            hole = int(_uniform(random) * vertices)
            while visits[hole] > 0:
                hole = (hole + 1) % vertices
            blame[hole] += BLAME
            fill[hole] = np.exp(cost + blame[hole])
            beside = _random_neighbour(hole, graph, random)
            if visits[beside] == 0:
                continue
            step = (_step_of(beside, x, at) + (1 if _uniform(random) < 0.5 else -1)) % total
        count = 1 + (_uniform(random) < PAIRS)
        first[0], many[0] = _draw_segment(step, LENGTH if count == 1 else SHORT, graph, random)
        if many[0] == 0:
            continue
        if count == 2:
            vertex = x[(first[0] + int(_uniform(random) * many[0])) % total]
            for _ in range(1 + int(_uniform(random) * 2)):
                vertex = _random_neighbour(vertex, graph, random)
            if visits[vertex] == 0:
                continue
            first[1], many[1] = _draw_segment(_step_of(vertex, x, at), SHORT, graph, random)
            separated = (first[1] - first[0]) % total > many[0] and (
                (first[0] - first[1]) % total > many[1]
            )
            if many[1] == 0 or not separated:
                continue
        lacking_before, saved, increase = lacking, 0, 0.0
        for i in range(count):
            for j in range(many[i]):
                vertex = old[saved] = x[(first[i] + j) % total]
                saved += 1
                visits[vertex] -= 1
                lacking += visits[vertex] == 0
                increase += (visits[vertex] == 0) * (cost + blame[vertex])
        # The weights of a single segment are exact, except for a vertex that is on it twice.
        weighed = int(many[0] * (count == 1))
        for j in range(weighed):
            increase -= (visits[old[j]] == 0) * (cost + blame[old[j]])
        found, made = True, 0
        while found and made < count:
            found = _draw_path(x, first[made], many[made], visits, graph, fill, space, random)
            if found:
                for j in range(weighed):
                    vertex = x[(first[0] + j) % total]
                    increase += (visits[vertex] == 0) * (cost + blame[vertex])
                for j in range(many[made]):
                    vertex = x[(first[made] + j) % total]
                    lacking -= visits[vertex] == 0
                    increase -= (visits[vertex] == 0) * (cost + blame[vertex])
                    visits[vertex] += 1
                made += 1
        accepted = found and (increase <= 1e-9 or _uniform(random) < np.exp(-increase))
        changed, saved = False, 0
        for i in range(count):
            for j in range(many[i]):
                place = (first[i] + j) % total
                if accepted:
                    changed |= x[place] != old[saved]
                else:
                    if i < made:
                        visits[x[place]] -= 1
                    x[place] = old[saved]
                    visits[old[saved]] += 1
                at[x[place]] = place
                saved += 1
        if not accepted:
            lacking = lacking_before
        elif lacking == 0 and changed:
            counters[DRAWN] += turn + 1
            counters[LACKING] = 0
            return True
    counters[DRAWN] += most
    counters[LACKING] = lacking
    return False
