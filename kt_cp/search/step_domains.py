"""Depth-first search on the vertices that each step may have: for tours with given steps.

Every step has a *domain*, the set of vertices that may be visited then.  A given step has one
vertex; the others begin with all that are not given.  Rules narrow the domains until nothing
changes:

1. A vertex at a step has a neighbour in the domains of the step before and the step after.  From
   one given step to the next this is reachability in layers, forward and backward, so it includes
   distances between the given squares, and on a two-coloured graph the colours of the steps.
2. A vertex that is alone in its domain is in no other.
3. A vertex that is in one domain only is alone there.
4. A vertex keeps the moves that some step allows.  If there are two, the tour makes both, as if
   they were required; a vertex that makes two has no other.  At an end of an open tour one is
   enough.
5. Moves that the tour makes, one after the other, are a *fragment*; a vertex without any is one as
   well.  It is visited without a break, in one direction or the other: each of its vertices has its
   step, and beside its two ends there are two *different* vertices.  A fragment must not close
   before it has all vertices, nor close at all if the tour is open.

If a domain becomes empty, or a vertex is in none, there is no tour.  Otherwise the search decides
the vertex of a step or the step of a vertex, whichever has the fewest values relative to its number
of failures, and tries each value in turn.

Source: the rules are those of all-different constraints and of reachability in layers, as in any
constraint solver; J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI
1994, has the stronger form of the second and third, which does not pay off here.  Deciding in both
directions is the dual viewpoint of B. M. Smith, "Dual models of permutation problems", CP 2001; the
preference is that of F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, "Boosting systematic search
by weighting constraints", ECAI 2004.  The fourth rule is common to all searches for Hamiltonian
cycles; the fifth joins it to the steps and is new here: without two different vertices, closed
puzzles of a knight take a hundred times as many decisions.

Cost: three tables of N sets with N bits each, and the same again for every decision in force; a
decision takes about ten microseconds on 8×8, because the rules look only at what has changed.  A
puzzle of 8×8 with a single tour takes a few hundred decisions.  ``benchmarks/MEASURED.md`` lists
the alternatives tried.

When it loses: it considers single steps, never the board.  With few given steps on a large board
(20×20 with a fourth of its squares) it searches one region while another one is impassable.  SAT
learns from that; this search does not.  Without any given step, search on the moves is far better.

On a closed tour the last step is beside the first.  If neither a step nor a start is given, it
begins at a vertex with fewest neighbours.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.model.conditions import Given
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray


STEPS_A_PAIR = 4
"""Most steps of work of a decision, on average, for each pair of vertex and step."""

LITERAL = 2
"""Most words of a set for which the kernel is compiled specially."""


@cache
def load(words: int) -> None:
    """Compile the search on sets of ``words`` words, or load it from the cache."""
    board = ("3x4", "5x13", "5x26")[min(words, LITERAL + 1) - 1]
    StepDomains(Problem(board, given={"a1": 1})).next(limit=0, steps=0)


def given_vertices(problem: Problem) -> list[tuple[int, int]]:
    """Return given steps, from 0, and their vertices of ``problem.indexed``, ascending.

    If conditions contradict each other, a step or a vertex appears twice.
    """
    index = problem.indexed.index
    found = {(each.step - 1, index[each.square]) for each in problem.conditions
             if isinstance(each, Given)}  # fmt: skip
    if problem.start is not None:
        found.add((0, index[problem.start]))
    if problem.end is not None:
        found.add((problem.size - 1, index[problem.end]))
    return sorted(found)


class StepDomains:
    """A search in progress; the caller checks that all conditions are on edges or given steps.

    ``given`` and ``excluded`` are pairs of a step, from 0, and a vertex: those of a tour, in place
    of the problem's given steps, and those that no tour has.  A seed other than 0 shuffles the
    order in which vertices are tried.  ``placed`` and ``found`` count decisions and tours;
    ``blamed`` is the last result of :func:`~kt_cp.search.step_domains_kernel.propagate`.

    >>> search = StepDomains(Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27}))
    >>> len(search.next(limit=10, steps=10**6)), search.exhausted
    (1, True)
    """

    def __init__(
        self,
        problem: Problem,
        seed: int = 0,
        given: Sequence[tuple[int, int]] | None = None,
        excluded: Sequence[tuple[int, int]] = (),
    ) -> None:
        from kt_cp.search import step_domains_kernel as kernel

        self._kernel = kernel
        graph = problem.indexed
        total = len(graph)
        width = (total + 63) // 64
        order = list(range(total))
        if seed:
            random.Random(seed).shuffle(order)
        self._order = np.array(order, dtype=np.int32)  # the vertex of each bit
        bit = np.empty(total, dtype=np.int64)
        bit[self._order] = np.arange(total)
        tails, heads = bit[graph.tails], bit[graph.heads]
        forced = bit[np.array(problem.forced, dtype=np.int64).reshape(-1, 2)]
        given = given_vertices(problem) if given is None else given
        if problem.closed and not given:
            given = [(0, int(graph.degrees.argmin()))]
        depths = total - len(given) + 2
        # The operating system provides the pages as the search goes deeper.
        self._sets = np.empty((depths, kernel.TABLES, total, width), dtype=np.uint64)
        self._left = np.empty((depths, width), dtype=np.uint64)
        self._chosen = np.empty(depths, dtype=np.int64)
        self._rules = kernel.Rules(
            partners=_rows(forced.ravel(), forced[:, ::-1].ravel(), total, width),
            closed=problem.closed,
            queue=np.arange(total),
            queued=np.ones(total, dtype=np.bool_),
            tables=np.empty((kernel.WORKSPACE, max(total, 4), width), dtype=np.uint64),
            path=np.empty(total, dtype=np.int64),
            words=(0,) * width if width <= LITERAL else (),
        )
        self._blame = np.ones(2 * total)
        self._state = np.array([0, 1, 0, 0], dtype=np.int64)
        self.placed = self.found = 0
        self.blamed = -1
        self._sets[0, kernel.MOVES] = _rows(
            np.concatenate((tails, heads)), np.concatenate((heads, tails)), total, width
        )
        self._sets[0, kernel.STEPS] = 0
        self.exhausted = not self._begin(
            [(step, int(bit[vertex])) for step, vertex in given],
            [(step, int(bit[vertex])) for step, vertex in excluded],
        )

    def _begin(self, given: Sequence[tuple[int, int]], excluded: Sequence[tuple[int, int]]) -> bool:
        """Fill the first domains and narrow them; return whether there may be a tour."""
        if len(dict(given)) < len(given) or len({vertex for _, vertex in given}) < len(given):
            return False
        may = self._sets[0, self._kernel.DOMAINS]
        total, width = may.shape
        free = np.zeros(64 * width, dtype=np.bool_)
        free[:total] = True
        free[[vertex for _, vertex in given]] = False
        may[:] = np.packbits(free, bitorder="little").view(np.uint64)
        for step, vertex in given:
            may[step] = 0
            may[step, vertex // 64] = np.uint64(1 << vertex % 64)
        for step, vertex in excluded:
            may[step, vertex // 64] &= ~np.uint64(1 << vertex % 64)
        return self.narrow(self._sets[0], total)

    def narrow(self, tables: NDArray[np.uint64], waiting: int) -> bool:
        """Narrow by the first ``waiting`` steps of the queue; return whether a tour may be left."""
        self.blamed = int(self._kernel.propagate(tables, self._rules, waiting))
        return self.blamed < 0

    @property
    def first(self) -> NDArray[np.bool_]:
        """Return the narrowed domains before any decision, of shape (steps, vertices).

        If the rules find that there is no tour, narrowing may have stopped midway.
        """
        may = self._sets[0, self._kernel.DOMAINS]
        bits = np.unpackbits(may.view(np.uint8), axis=1, bitorder="little")
        first = np.empty((len(self._order),) * 2, dtype=np.bool_)
        first[:, self._order] = bits[:, : len(self._order)]
        return first

    def next(self, *, limit: int, steps: int) -> NDArray[np.int32]:
        """Return the next tours, one a row, at most ``limit`` of them; 0 only counts them.

        After about ``steps`` steps of work, each on a few vertices of a domain, it returns.
        """
        kernel, size = self._kernel, len(self._order)
        walks = np.empty((limit, size), dtype=np.int32)
        if self.exhausted:
            return walks[:0]
        found = self.found
        decisions = max(1, STEPS_A_PAIR * steps // size**2)
        reason = kernel.advance(
            self._sets, self._left, self._chosen, self._rules, self._blame, self._state,
            decisions, walks,
        )  # fmt: skip
        self.exhausted = reason == kernel.EXHAUSTED
        self.placed, self.found = self._state[[kernel.DECIDED, kernel.FOUND]].tolist()
        return self._order[walks[: min(self.found - found, limit)]]


def _rows(
    rows: NDArray[np.int64], bits: NDArray[np.int64], height: int, width: int
) -> NDArray[np.uint64]:
    """Return sets as rows of words, from the row and the bit of each member."""
    words = np.zeros((height, width), dtype=np.uint64)
    np.bitwise_or.at(words, (rows, bits // 64), np.uint64(1) << (bits % 64).astype(np.uint64))
    return words
