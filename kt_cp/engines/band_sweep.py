"""Two-factors of large boards, found by a SAT solver in one band of the board after the other.

A formula of the whole board takes a kilobyte a square inside the solver.  Most of it concerns
squares that the solver has passed: it decides the edges in order, sweeps the board and has almost
no conflicts.  So the formula is stated in *bands*, runs of consecutive vertices.  The
formula of a band has the edges that earlier bands did not decide.  Each vertex of the band, and of
the next rows, gets exactly as many edges as it still needs; later vertices get at most as many.
The next rows ensure that the band can be continued.  Then the edges whose smaller end lies in the
band are final, and the solver is deleted.

The last variable is the first edge.  A solver of the MiniSat family, whose variables all have the
same activity, decides the last one first.  So it begins where earlier bands ended, with the least
freedom.  In the other order it sweeps towards that border and needs thousands of conflicts.

The bands together are a two-factor of the whole: the cycles are joined by patching
(:func:`kt_cp.engines.sat.patch`).

Source: A rolling horizon, as in planning (S. Sethi and G. Sorger, "A theory of rolling horizon
decision making", Annals of Operations Research 29, 1991).

Cost: Linear in the edges; the memory of the solver is that of a band.  ``benchmarks/MEASURED.md``
compares it with the whole formula.

When it loses: It is discovered too late that a band cannot be continued.  This happens if the ends
of an open tour have fixed colours.  So the conflicts of a band are limited, and the caller falls
back on the whole formula.  If edges join distant vertices, as on a torus, there is one band.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.cycle import CycleForm

Numbers = NDArray[np.int64]

BAND = 1 << 15
"""Fewest vertices in a band."""

REACHES = 8
"""Least size of a band, as a multiple of the reach, the largest difference of an edge's ends."""

AHEAD = 2
"""Vertices stated beyond a band so that it can be continued, as a multiple of the reach."""

CONFLICTS = 2_000
"""Conflicts after which a band is given up: a knight's board takes none or a few hundred."""

LEFT_OUT = 1 << 12
"""With a seed, one in this many edges is first tried false."""


@dataclass
class Work:
    """Counts of all bands: solver calls, constraints, conflicts and decisions."""

    calls: int = 0
    constraints: int = 0
    conflicts: int = 0
    decisions: int = 0


def find_two_factor(
    form: CycleForm,
    forced: Numbers,
    solver: str,
    *,
    seed: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Numbers | None, Work]:
    """Return the ascending edges of a two-factor, or None, and the work done.

    None means that a band has no solution or needs more than ``CONFLICTS`` conflicts, or that
    ``should_stop`` returned true.  ``forced`` are the numbers of the required edges.  ``solver`` is
    a PySAT solver that supports cardinality constraints.

    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> form = cycle_form(Problem("6x6", closed=True))
    >>> edges, work = find_two_factor(form, np.array([], dtype=np.int64), "gluecard4")
    >>> len(edges), work.calls
    (36, 1)
    """
    from pysat.solvers import Solver

    tails, heads, size = form.graph.tails, form.graph.heads, len(form)
    reach = int((heads - tails)[heads != size - 1 if form.depot is not None else slice(None)].max())
    band = max(BAND, REACHES * reach)
    needed = np.full(size, 2)
    present, required = np.zeros((2, len(tails)), dtype=bool)
    required[forced] = True
    rng, work = np.random.default_rng(seed), Work()
    for first in range(0, size, band):
        last = min(size, first + band)
        horizon = min(size, last + AHEAD * reach)
        low, high = np.searchsorted(tails, [first, horizon])
        undecided = (needed[tails[low:high]] > 0) & (needed[heads[low:high]] > 0)
        edges = (np.flatnonzero(undecided) + low)[::-1]
        ends = np.concatenate([tails[edges], heads[edges]])
        order = np.argsort(ends, kind="stable")
        literals = (np.tile(np.arange(len(edges)), 2)[order] + 1).tolist()
        vertices, begins = np.unique(ends[order], return_index=True)
        constrained = int(np.searchsorted(vertices, horizon))
        if constrained < np.count_nonzero(needed[first:horizon]) or should_stop():
            return None, work
        bounds = [*begins.tolist(), len(literals)]
        with Solver(name=solver) as native:
            for place, most in enumerate(needed[vertices].tolist()):
                row = literals[bounds[place] : bounds[place + 1]]
                if len(row) > most:
                    native.add_atmost(row, most)
                if place < constrained:
                    if len(row) < most:
                        return None, work
                    native.add_atmost([-literal for literal in row], len(row) - most)
            for literal in (np.flatnonzero(required[edges]) + 1).tolist():
                native.add_clause([literal])
            phases = np.arange(1, len(edges) + 1)
            if seed:
                phases[rng.integers(LEFT_OUT, size=len(edges)) == 0] *= -1
            native.set_phases(phases.tolist())
            native.conf_budget(CONFLICTS)
            satisfiable = native.solve_limited()
            counters = native.accum_stats()
            work.calls += 1
            work.constraints += len(vertices) + constrained
            work.conflicts += counters["conflicts"]
            work.decisions += counters["decisions"]
            if not satisfiable:
                return None, work
            model = np.array(native.get_model(), dtype=np.int64)
        chosen = edges[model[(model > 0) & (model <= len(edges))] - 1]
        chosen = chosen[tails[chosen] < last]
        present[chosen] = True
        np.subtract.at(needed, np.concatenate([tails[chosen], heads[chosen]]), 1)
    return np.flatnonzero(present), work
