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
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.model.conditions import ENDS, Forbidden, Given
from kt_cp.model.cycle import allowed_ends
from kt_cp.model.problem import Problem
from kt_cp.search.windows import given_vertices

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def annealed(problem: Problem, seed: int = 0) -> Annealing | None:
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
        from kt_cp.search.annealing_kernel import LACKING
        from kt_cp.search.annealing_ways import redraw

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
        from kt_cp.search.annealing_kernel import MADE, anneal

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
