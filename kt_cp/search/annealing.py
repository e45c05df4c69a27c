"""A walk through all given steps, redrawn piece by piece until it visits every vertex.

A walk has the right vertex at every given step and a move from each step to the next, but it may
visit vertices twice and others not at all.  As it has as many steps as there are vertices, it is a
tour where no vertex is left out.  Vertices that are left out are the cost.

A piece of a few steps is taken out and drawn anew among all ways that join its ends, each with the
probability that it has at the temperature of the moment (a *heat bath*): the weights of all ways
are summed backwards from the end, layer by layer, and one is drawn forwards.  That a way may meet
itself is not in the sums, and is made good by accepting or refusing it.  The temperature is always
the same, low enough that a few vertices are left out at a time, and now and then none is.  One
piece in five is drawn by lot; the others lie beside a vertex that is left out, for soon nearly all
of the walk is as it should be.

Half of the time two short pieces near each other are taken out together, and drawn one after the
other: they can exchange vertices, which in turn would take a worse walk in between.  And a vertex
costs a little more each time that it is looked at because it is left out, half of which is soon
forgotten: so the walk does not stay among the same few, of which none is a tour.

A walk may have gone wrong at large, where no small piece makes it good: after a while another is
begun, in turns of Luby's lengths.  Where it is a tour and another one is asked for, it goes on: the
next one is near.

Source: N. Metropolis et al., "Equation of state calculations by fast computing machines", J. Chem.
Phys. 21 (1953), and S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated
annealing", Science 220 (1983), here without cooling; the heat bath over ways is the forward
filtering and backward sampling of C. K. Carter and R. Kohn, "On Gibbs sampling for state space
models", Biometrika 81 (1994); what is wrong is looked at first as in B. Selman, H. A. Kautz and
B. Cohen, "Noise strategies for improving local search", AAAI 1994.  What is wrong for long costs
more in P. Morris, "The breakout method for escaping from local minima", AAAI 1993, and F. Hutter,
D. A. D. Tompkins and H. H. Hoos, "Scaling and probabilistic smoothing", CP 2002, forgets it again.
The turns are those of M. Luby, A. Sinclair and D. Zuckerman, "Optimal speedup of Las Vegas
algorithms", IPL 47 (1993), by D. E. Knuth's "reluctant doubling" (TAOCP 7.2.2.2).

Cost: a draw takes some microseconds; ``benchmarks/MEASURED.md`` tells how many it takes.

When it loses: it never says that there is no tour, and one that is alone is hard to come upon.  It
knows nothing of required moves.

An open tour is closed by a vertex of its own, the depot, at a step of its own.

The moves of :mod:`kt_cp.search.annealing`, compiled.  Importing this loads Numba.

A closed walk x has a vertex at every step.  ``at`` tells one step of each vertex that it visits,
or has told one: it is looked at before it is believed.

A way of some moves drawn at random, compiled, for :mod:`kt_cp.search.annealing`.

Importing this loads Numba.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from kt_cp.model.conditions import ENDS, Forbidden, Given
from kt_cp.model.cycle import allowed_ends
from kt_cp.model.problem import Problem
from kt_cp.search.step_domains import given_vertices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]


COST, SQUARES, MILD = 7.0, 400, 3.0
"""What a vertex that is left out costs on a board of so many squares, in units of temperature.  On
others it is such that about as many are left out in the mean, and never less than the last."""

LENGTH = 6
"""Most steps of a piece, and moves up to which it is told how far apart two vertices are."""

PIECES = 20_000
"""Between two looks at the world outside: some hundredths of a second."""

TAKES = ENDS | {Forbidden, Given}
"""Conditions that a walk is held to."""

FOCUS = 0.8
"""Share of the pieces beside a vertex that is left out."""

TURN = 3_000
"""Draws for each step until a walk is begun anew, the first time."""


def start_annealing(problem: Problem, seed: int = 0) -> Annealing | None:
    """The search, where it takes the problem's conditions."""
    takes = set(map(type, problem.conditions)) <= TAKES
    return Annealing(problem, seed) if takes and problem.size > 2 else None


class Annealing:
    """The search under way.

    Parameters
    ----------
    problem : Problem
        With given steps and ends at most; forbidden moves are not in its graph.
    seed : int
        Of all that is drawn.

    Attributes
    ----------
    drawn : int
        Draws made so far, of one piece or two.
    hopeless : bool
        Whether no walk has the given squares at their steps, so that there is no tour.

    Examples
    --------
    >>> search = Annealing(Problem("6x6", closed=True, given={"a1": 1, "f2": 17}), seed=1)
    >>> walk = search.next(pieces=10**6)
    >>> len(set(walk)), walk[0], walk[16]
    (36, 0, 11)
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
        self._heads = np.concatenate([heads, tails])[order].astype(np.int32)
        self._rows = np.searchsorted(both[order], np.arange(total + 1)).astype(np.int32)
        self._near = _near(graph.neighbours, total)
        self._given = np.zeros(total, dtype=np.bool_)
        self._given[list(given.values())] = True
        self._state = np.array([2 * seed + 88172645463325252], dtype=np.uint64)
        self._before = np.arange(total, dtype=np.int32)
        self._after = self._before.copy()
        steps = sorted(given)
        self._gaps = list(zip(steps, [*steps[1:], steps[0] + total], strict=True))
        longest = max(after - before for before, after in self._gaps)
        for before, after in self._gaps:
            between = np.arange(before + 1, after) % total
            self._before[between], self._after[between] = before, after
        length = max(longest, LENGTH)
        self._weight = np.zeros((length, total))
        self._layers = np.empty((length, total), dtype=np.int32)
        self._sizes = np.empty(length, dtype=np.int32)
        self._walk = np.full(total, -1, dtype=np.int32)
        self._walk[steps] = [given[step] for step in steps]
        self._visits = np.zeros(total, dtype=np.int32)
        self._told = np.zeros(2, dtype=np.int64)
        self._blame = np.zeros(total)
        self._cost = max(MILD, COST + 2 * log(size / SQUARES))
        self._turn = (1, 1)
        self._until = TURN * total
        self.drawn = 0
        clash = len(set(given.values())) < len(given)
        self.hopeless = clash or len(given) < len(given_vertices(problem)) or not self._begin()

    def _begin(self) -> bool:
        """A first walk: from given step to given step, rather through vertices not yet visited."""
        walk, total = self._walk, len(self._walk)
        self._blame[:] = 0
        self._visits[:] = self._given
        fill = np.exp(self._cost + self._blame)
        for before, after in self._gaps:
            if after - before == 1:
                if walk[after % total] not in self._beside(walk[before]):
                    return False
                continue
            if not redraw(
                walk, before + 1, after - before - 1, self._visits, self._rows, self._heads,
                self._near, self._given, fill, self._weight, self._layers, self._sizes,
                self._state,
            ):  # fmt: skip
                return False
            np.add.at(self._visits, walk[np.arange(before + 1, after) % total], 1)
        self._at = np.zeros(total, dtype=np.int32)
        self._at[walk] = np.arange(total)
        self._told[LACKING] = (self._visits == 0).sum()
        return True

    def _beside(self, vertex: int) -> NDArray[np.int32]:
        return self._heads[self._rows[vertex] : self._rows[vertex + 1]]

    @property
    def lacking(self) -> int:
        """How many vertices are left out."""
        return int(self._told[1])

    def next(self, *, pieces: int) -> list[int]:
        """Vertices of the next tour, in order; none after so many pieces without one.

        It may be one that was found before.
        """
        if self.hopeless:
            return []
        last = self.drawn + pieces
        while self.drawn < last:
            if self.drawn >= self._until:
                self._anew()
            found = anneal(
                self._walk, self._before, self._after, self._visits, self._at, self._rows,
                self._heads, self._near, self._given, self._weight, self._layers, self._sizes,
                self._state, self._told, self._blame, self._cost,
                min(last, self._until) - self.drawn,
            )  # fmt: skip
            self.drawn = int(self._told[MADE])
            if found:
                self._until = self.drawn + TURN * len(self._walk)
                tour: list[int] = self._walk[: self._size].tolist()
                return tour
        return []

    def _anew(self) -> None:
        """Begin another walk, which has its turn: 1, 1, 2, 1, 1, 2, 4, ... times the first one."""
        number, times = self._turn
        self._turn = (number + 1, 1) if number & -number == times else (number, 2 * times)
        self._until = self.drawn + TURN * self._turn[1] * len(self._walk)
        self._begin()


def _near(neighbours: list[list[int]], total: int) -> NDArray[np.uint8]:
    """Moves from each vertex to each, the depot being nowhere; more than a piece is one number."""
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
def drawn(state: NDArray[np.uint64]) -> float:
    """A number at random, from 0 to below 1."""
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return float(np.int64(word >> np.uint64(11))) / 9007199254740992.0


@njit(cache=True, nogil=True)
def redraw(
    x: Numbers,
    first: int,
    many: int,
    visits: Numbers,
    rows: Numbers,
    heads: Numbers,
    near: NDArray[np.uint8],
    given: NDArray[np.bool_],
    fill: NDArray[np.float64],
    weight: NDArray[np.float64],
    layers: Numbers,
    sizes: Numbers,
    state: NDArray[np.uint64],
) -> bool:
    """Draw the vertices of so many steps anew, each way by its weight; whether there is any.

    The weight of a way is the product of ``fill`` over its vertices that are visited nowhere else:
    the sum over all ways is made backwards, layer by layer, and forwards one of them is drawn.
    ``weight`` is all zeros, before and after.
    """
    total = len(x)
    start, end = x[(first - 1) % total], x[(first + many) % total]
    for j in range(many - 1, -1, -1):
        size = 0
        behind = 1 if j == many - 1 else sizes[j + 1]
        most = 0.0
        for i in range(behind):
            source = end if j == many - 1 else layers[j + 1, i]
            share = 1.0 if j == many - 1 else weight[j + 1, source]
            for edge in range(rows[source], rows[source + 1]):
                vertex = heads[edge]
                if given[vertex] or (j < LENGTH and near[start, vertex] > j + 1):
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
        for i in range(size):  # of many layers the numbers would grow beyond all bounds
            weight[j, layers[j, i]] /= most
    here, found = start, True
    for j in range(many):
        left = 0.0
        for edge in range(rows[here], rows[here + 1]):
            left += weight[j, heads[edge]]
        left *= drawn(state)
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


PAIRS, SHORT = 0.5, 4
"""Share of the draws that are of two pieces at a time, and most steps of such a piece."""

BLAME, MEMORY = 0.01, 1024
"""What a vertex costs more each time that it is looked at because it is left out, in units of
temperature, and after how many draws half of that is forgotten."""

MADE, LACKING = range(2)
"""Entries of ``told``: draws made since the start, and vertices that are not visited."""


@njit(cache=True, nogil=True)
def _piece(
    step: int, most: int, before: Numbers, after: Numbers, state: NDArray[np.uint64]
) -> tuple[int, int]:
    """A piece of at most so many steps around a step, by lot: its first step, and how many."""
    low, high = before[step], after[step]
    if low == step:
        return 0, 0
    many = min(1 + int(drawn(state) * most), high - low - 1)
    if step < low:
        step += len(before)
    lowest, highest = max(low + 1, step - many + 1), min(high - many, step)
    return lowest + int(drawn(state) * (highest - lowest + 1)), many


@njit(cache=True, nogil=True)
def _beside(vertex: int, rows: Numbers, heads: Numbers, state: NDArray[np.uint64]) -> int:
    """A neighbour of a vertex, by lot."""
    return int(heads[rows[vertex] + int(drawn(state) * (rows[vertex + 1] - rows[vertex]))])


@njit(cache=True, nogil=True)
def _step_of(vertex: int, x: Numbers, at: Numbers) -> int:
    """A step of a vertex that is visited."""
    if x[at[vertex]] != vertex:
        for step in range(len(x)):
            if x[step] == vertex:
                at[vertex] = step
    return int(at[vertex])


@njit(cache=True, nogil=True)
def anneal(
    x: Numbers,
    before: Numbers,
    after: Numbers,
    visits: Numbers,
    at: Numbers,
    rows: Numbers,
    heads: Numbers,
    near: NDArray[np.uint8],
    given: NDArray[np.bool_],
    weight: NDArray[np.float64],
    layers: Numbers,
    sizes: Numbers,
    state: NDArray[np.uint64],
    told: NDArray[np.int64],
    blame: NDArray[np.float64],
    cost: float,
    most: int,
) -> bool:
    """Go on with the walk; whether it has become a tour other than it was.

    Parameters
    ----------
    before, after : int32 arrays of shape (steps,)
        The given steps around each step, the later ones counted on; a given step has itself.
    near : uint8 array of shape (vertices, vertices)
        Moves from each vertex to each, up to some number that stands for all greater ones.
    blame : float64 array of shape (vertices,)
        What a vertex that is left out costs more than ``cost``, in units of temperature.
    most : int
        Draws to make, each of a piece, or of two shorter ones.
    """
    total, vertices = len(x), len(rows) - 1
    old = np.empty(2 * LENGTH, np.int32)
    first, many = np.zeros(2, np.int64), np.zeros(2, np.int64)
    lacking = told[LACKING]
    fill = np.exp(cost + blame)
    for turn in range(most):
        if turn % MEMORY == 0:
            blame *= 0.5
            fill = np.exp(cost + blame)
        step = int(drawn(state) * total)
        if lacking > 0 and drawn(state) < FOCUS:
            hole = int(drawn(state) * vertices)
            while visits[hole] > 0:
                hole = (hole + 1) % vertices
            blame[hole] += BLAME
            fill[hole] = np.exp(cost + blame[hole])
            beside = _beside(hole, rows, heads, state)
            if visits[beside] == 0:
                continue
            step = (_step_of(beside, x, at) + (1 if drawn(state) < 0.5 else -1)) % total
        count = 1 + (drawn(state) < PAIRS)
        first[0], many[0] = _piece(step, LENGTH if count == 1 else SHORT, before, after, state)
        if many[0] == 0:
            continue
        if count == 2:
            vertex = x[(first[0] + int(drawn(state) * many[0])) % total]
            for _ in range(1 + int(drawn(state) * 2)):
                vertex = _beside(vertex, rows, heads, state)
            if visits[vertex] == 0:
                continue
            first[1], many[1] = _piece(_step_of(vertex, x, at), SHORT, before, after, state)
            apart = (first[1] - first[0]) % total > many[0] and (
                (first[0] - first[1]) % total > many[1]
            )
            if many[1] == 0 or not apart:
                continue
        was, taken, worse = lacking, 0, 0.0
        for i in range(count):
            for j in range(many[i]):
                vertex = old[taken] = x[(first[i] + j) % total]
                taken += 1
                visits[vertex] -= 1
                lacking += visits[vertex] == 0
                worse += (visits[vertex] == 0) * (cost + blame[vertex])
        # The weights of one way know all but a vertex that is on it twice.
        weighed = int(many[0] * (count == 1))
        for j in range(weighed):
            worse -= (visits[old[j]] == 0) * (cost + blame[old[j]])
        found, made = True, 0
        while found and made < count:
            found = redraw(
                x, first[made], many[made], visits, rows, heads, near, given, fill, weight, layers,
                sizes, state,
            )  # fmt: skip
            if found:
                for j in range(weighed):
                    vertex = x[(first[0] + j) % total]
                    worse += (visits[vertex] == 0) * (cost + blame[vertex])
                for j in range(many[made]):
                    vertex = x[(first[made] + j) % total]
                    lacking -= visits[vertex] == 0
                    worse -= (visits[vertex] == 0) * (cost + blame[vertex])
                    visits[vertex] += 1
                made += 1
        kept = found and (worse <= 1e-9 or drawn(state) < np.exp(-worse))
        changed, taken = False, 0
        for i in range(count):
            for j in range(many[i]):
                place = (first[i] + j) % total
                if kept:
                    changed |= x[place] != old[taken]
                else:
                    if i < made:
                        visits[x[place]] -= 1
                    x[place] = old[taken]
                    visits[old[taken]] += 1
                at[x[place]] = place
                taken += 1
        if not kept:
            lacking = was
        elif lacking == 0 and changed:
            told[MADE] += turn + 1
            told[LACKING] = 0
            return True
    told[MADE] += most
    told[LACKING] = lacking
    return False
