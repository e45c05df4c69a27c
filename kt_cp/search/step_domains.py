"""Depth-first search on which squares each step may have: for tours with given steps.

Every step has the set of vertices that may be visited then, its *window*.  A given step has one;
the others begin with all that are not given.  Rules narrow the windows until none says more:

1. What is visited at a step has a neighbour in the windows of the step before and the step after.
   From one given step to the next this is a reach in layers, forward and backward, so distances
   between the given squares are in it, and on a two-coloured graph the colours of the steps.
2. A vertex that is alone in its window is in no other.
3. A vertex that is in one window only is alone there.
4. Of the moves of a vertex those are left that some step allows.  If there are two, the tour makes
   both, as it makes a required one; a vertex that makes two has no other.  At an end of an open
   tour one will do.
5. Moves that the tour makes, one after the other, are a *piece*; a vertex without any is one as
   well.  It is visited in a row, one way or the other: each of its vertices at its step, and
   beside its two ends two *different* vertices.  A row that closes before it has all is none, nor
   is one that closes at all where the tour is open.

Where a window becomes empty, or a vertex is in none, there is no tour.  Otherwise one thing is
decided, each way in turn: which vertex a step has, or which step a vertex has, whichever has the
fewest ways for the number of times that it has come to nothing.

Source: the rules are those of all-different constraints and of layered reach, as in any constraint
solver; J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994, has
the stronger form of the second and third, which does not pay here.  Deciding in both directions is
the dual viewpoint of B. M. Smith, "Dual models of permutation problems", CP 2001; the preference is
that of F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, "Boosting systematic search by weighting
constraints", ECAI 2004.  The fourth rule is what every search for Hamiltonian cycles does; the
fifth joins it to the steps and is ours: without two different vertices, closed puzzles of a knight
take a hundred times as many decisions.

Cost: three tables of N sets with N bits each, and as much again for every decision under way; a
decision takes some ten microseconds on 8×8, for the rules look again only at what has lost
something.  A puzzle of 8×8 with a single tour takes a few hundred decisions.  What was tried
besides is in ``benchmarks/MEASURED.md``.

When it loses: it looks at single steps, never at the board.  With few given steps on a large board
(20×20 with a fourth of its squares) it loses itself in one region while another has no way through.
SAT learns from that; it does not.  Without any given step, search on the moves is better by far.

A closed tour goes round: the last step is beside the first.  Where no step is given, and no start,
it is written from a vertex with fewest neighbours.
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
"""Of a decision: so many for each vertex and step there are, in the mean, at most."""

LITERAL = 2
"""Words of a set, up to which the kernel is compiled for their number."""


@cache
def load(words: int) -> None:
    """Compile, or load from where it is kept, what searches with sets of so many words take.

    Examples
    --------
    >>> load(1)
    """
    board = ("3x4", "5x13", "5x26")[min(words, LITERAL + 1) - 1]
    StepDomains(Problem(board, given={"a1": 1})).next(room=0, steps=0)


def given_vertices(problem: Problem) -> list[tuple[int, int]]:
    """Steps, from 0, and the vertices of ``problem.indexed`` that are visited then.

    Where conditions contradict each other, a step or a vertex comes twice.

    Examples
    --------
    >>> given_vertices(Problem("3x4", start="a1", given={"c1": 12}))
    [(0, 0), (11, 2)]
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
    """The search under way.

    Parameters
    ----------
    problem : Problem
        Of two squares and more, a closed one of three.  Conditions on edges and given steps are
        taken; whoever calls sees to it that there are no others.
    seed : int
        Other than 0, it shuffles the order in which the vertices of a window are tried.
    given : sequence of (int, int), optional
        Steps, from 0, and vertices, in place of those of the problem: who asks the same question
        again and again with other ones need not state it anew.
    struck : sequence of (int, int), optional
        Steps, from 0, and vertices that are not visited then.

    Attributes
    ----------
    placed, found : int
        Decisions made, each of which places a vertex, and tours handed out so far.
    exhausted : bool
        Whether all has been tried.
    blamed : int
        What the last narrowing left without a place: a step, or a vertex counted on from the
        steps; below 0 if nothing.

    Examples
    --------
    >>> search = StepDomains(Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27}))
    >>> len(search.next(room=10, steps=10**6)), search.exhausted
    (1, True)
    """

    def __init__(
        self,
        problem: Problem,
        seed: int = 0,
        given: Sequence[tuple[int, int]] | None = None,
        struck: Sequence[tuple[int, int]] = (),
    ) -> None:
        from kt_cp.search import step_domains_kernel as kernel

        self._kernel = kernel
        graph = problem.indexed
        total = len(graph)
        width = (total + 63) // 64
        order = list(range(total))
        if seed:
            random.Random(seed).shuffle(order)
        self._order = np.array(order, dtype=np.int32)  # what stands for each bit
        bit = np.empty(total, dtype=np.int64)
        bit[self._order] = np.arange(total)
        self._closed = problem.closed
        tails, heads = bit[graph.tails], bit[graph.heads]
        beside = _words(
            np.concatenate((tails, heads)), np.concatenate((heads, tails)), total, width
        )
        forced = bit[np.array(problem.forced, dtype=np.int64).reshape(-1, 2)]
        given = given_vertices(problem) if given is None else given
        if problem.closed and not given:
            given = [(0, int(graph.degrees.argmin()))]
        depths = total - len(given) + 2
        # Pages of it are taken as the search goes deeper.
        self._sets = np.empty((depths, kernel.TABLES, total, width), dtype=np.uint64)
        self._left = np.empty((depths, width), dtype=np.uint64)
        self._chosen = np.empty(depths, dtype=np.int64)
        self._queue = np.arange(total)
        self._queued = np.ones(total, dtype=np.bool_)
        self._rest = (  # of what the rules are given
            np.empty((kernel.ROOM, max(total, 4), width), dtype=np.uint64),
            np.empty(total, dtype=np.int64),
        )
        self._literal = (0,) * width if width <= LITERAL else ()
        self._partners = _words(forced.ravel(), forced[:, ::-1].ravel(), total, width)
        self._blame = np.ones(2 * total)
        self._state = np.array([0, 1, 0, 0], dtype=np.int64)
        self.placed = self.found = 0
        self.blamed = -1
        self._sets[0, kernel.MOVES] = beside
        self._sets[0, kernel.WHEN] = 0
        self.exhausted = not self._begin(
            [(step, int(bit[vertex])) for step, vertex in given],
            [(step, int(bit[vertex])) for step, vertex in struck],
        )

    def _begin(self, given: Sequence[tuple[int, int]], struck: Sequence[tuple[int, int]]) -> bool:
        """Fill the first windows and narrow them; whether there may be a tour."""
        if len(dict(given)) < len(given) or len({vertex for _, vertex in given}) < len(given):
            return False
        may = self._sets[0, self._kernel.MAY]
        total, width = may.shape
        free = np.zeros(64 * width, dtype=np.bool_)
        free[:total] = True
        free[[vertex for _, vertex in given]] = False
        may[:] = np.packbits(free, bitorder="little").view(np.uint64)
        for step, vertex in given:
            may[step] = 0
            may[step, vertex // 64] = np.uint64(1 << vertex % 64)
        for step, vertex in struck:
            may[step, vertex // 64] &= ~np.uint64(1 << vertex % 64)
        return self.narrow(self._sets[0], total)

    def narrow(self, tables: NDArray[np.uint64], waiting: int) -> bool:
        """Narrow windows and moves; whether there may be a tour.

        So many steps wait in the queue.
        """
        bad = self._kernel.propagate(
            tables, self._partners, self._closed, self._queue, self._queued, waiting,
            *self._rest, self._literal,
        )  # fmt: skip
        self.blamed = int(bad)
        return self.blamed < 0

    @property
    def first(self) -> NDArray[np.bool_]:
        """The windows before any decision, narrowed: of shape (steps, vertices).

        Where the rules find that there is no tour, some window or some vertex has none left, or
        the narrowing stopped midway.
        """
        bits = np.unpackbits(
            self._sets[0, self._kernel.MAY].view(np.uint8), axis=1, bitorder="little"
        )
        may = np.empty((len(self._order),) * 2, dtype=np.bool_)
        may[:, self._order] = bits[:, : len(self._order)]
        return may

    def next(self, *, room: int, steps: int) -> NDArray[np.int32]:
        """Tours found next, one a row, at most as many as there is room: without any, only counted.

        After so many steps, each a few vertices of a window looked at, it returns with what it has.
        """
        kernel, size = self._kernel, len(self._order)
        walks = np.empty((room, size), dtype=np.int32)
        if self.exhausted:
            return walks[:0]
        found = self.found
        decisions = max(1, STEPS_A_PAIR * steps // size**2)
        came = kernel.advance(
            self._sets, self._left, self._chosen, self._partners, self._closed, self._queue,
            self._queued, *self._rest, self._blame, self._state, decisions, walks, self._literal,
        )  # fmt: skip
        self.exhausted = came == kernel.EXHAUSTED
        self.placed, self.found = self._state[[kernel.DECIDED, kernel.FOUND]].tolist()
        return self._order[walks[: min(self.found - found, room)]]


def _words(
    rows: NDArray[np.int64], bits: NDArray[np.int64], height: int, width: int
) -> NDArray[np.uint64]:
    """Sets as rows of words, from the row and the bit of each member."""
    words = np.zeros((height, width), dtype=np.uint64)
    np.bitwise_or.at(words, (rows, bits // 64), np.uint64(1) << (bits % 64).astype(np.uint64))
    return words
