"""The method ``frontier``: Hamiltonian cycles and paths of any graph, a vertex at a time.

Vertices are dealt with one by one, in a fixed order.  Of the edges chosen so far two things matter
for what is still to come: how many edges each vertex of the *frontier* has (vertices that have
neighbours among those dealt with, and are still to come themselves), and which of them are the two
ends of one path.  All choices that agree in this are one *state*, and are counted together.  A step
takes every state to those that follow it, which are sorted.  The number of states grows with the
width of the frontier, and not with the number of tours.

A symmetric tour of a board is a cycle of its quotient (:mod:`.folded`).
An open tour is a cycle by way of one more vertex, a required move an edge that must be chosen, a
digraph an undirected graph of three times as many vertices: :mod:`kt_cp.model.cycle` and
:mod:`kt_cp.model.directed` have made one question of all.

Source: the frontier method, or broken-profile dynamic programming; states as mates after D. E.
Knuth's Simpath, "The Art of Computer Programming" 4A, 2011, section 7.1.4.  Cost: a fourth of a
microsecond a state and step, and some hundred bytes a state.  A decision diagram of all tours (as
Graphillion has it) keeps every state of every step; here two steps are kept at a time.  When it
loses: on whole boards of knights the dense method needs neither keys nor sorting, and where tours
are few, enumeration ends sooner.  Wide frontiers are hopeless: 20 vertices may have 10¹⁰ states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kt_cp.counting.frontier.frontier import Folded, Lowered, folded, lowered
from kt_cp.counting.method import Estimate
from kt_cp.model.conditions import EDGES, Symmetry
from kt_cp.model.cycle import tiny
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.search.frontier_order import WIDEST

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Store

RATE = 1e7
"""States of one word, with numbers of one word, in a second; of those that the bound promises at
most a third are met."""

HELD = 6
"""Times the states of the largest step, with their numbers, are held while they are sorted."""

ONE_WORD = 15
"""Vertices of a frontier of which a state is one word."""

MOST_SQUARES = 2_000
"""Of a problem: an order of more takes a while."""


class Frontier:
    """Counts the tours of any problem with conditions of edges.

    Examples
    --------
    >>> method = Frontier()
    >>> method.count(Problem("5x6", closed=True))
    8
    >>> method.refuses(Problem("3x4", given={"a1": 1}))
    'given steps'
    >>> method.estimate(Problem("6x6", closed=True)).states
    22365
    """

    name = "frontier"
    version = 2

    def refuses(self, problem: Problem) -> str | None:
        """Why it does not take a problem; None where it does."""
        for condition in problem.conditions:
            if type(condition) not in EDGES | {Symmetry}:
                return condition.words
        if problem.size > MOST_SQUARES:
            return f"more than {MOST_SQUARES:,} squares"
        if motion_of(problem) is not None and folded(problem) is None:
            return "symmetry where squares have fewer than three orbits"
        if (width := max((made.width for made in forms(problem)), default=0)) > WIDEST:
            return f"a frontier of {width} vertices, which is more than {WIDEST}"
        return None

    def estimate(self, problem: Problem) -> Estimate:
        """What it is likely to take, or less: the order is made better before a long count.

        Raises
        ------
        NotTakenError
            If it does not take the problem.
        """
        self.check(problem)
        most, size, seconds = 1, 0, 0.0
        for made in forms(problem):
            words = 2 if made.width <= ONE_WORD else 3
            most = max(most, *made.states)
            size = max(size, max(made.states) * 8 * words * HELD)
            seconds += sum(made.states) / RATE * words / 2
        return Estimate(most, size, seconds)

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,  # noqa: ARG002 - a step needs the whole of the one before
        memory_limit: float | None = None,
    ) -> int:
        """Number of tours; the parameters are those of :class:`kt_cp.counting.method.Method`.

        Raises
        ------
        NotTakenError
            If it does not take the problem.
        EndedError
            If there is not enough memory.
        """
        self.check(problem)
        known = small(problem)
        if known is not None:
            return known
        from kt_cp.counting.frontier.sweep import cycles

        parts = forms(problem)
        longest = max(parts, key=lambda made: sum(made.states), default=None)
        # Steps of one sweep are kept; others of a quotient, which has two at most, are made again.
        return sum(
            cycles(
                made.plan,
                progress=progress,
                store=store if made is longest else None,
                memory_limit=memory_limit,
            )
            for made in parts
        )

    def check(self, problem: Problem) -> None:
        """Raise where it does not take a problem."""
        refused = self.refuses(problem)
        if refused is not None:
            error = NotTakenError if problem.size <= MOST_SQUARES else TooLargeError
            raise error(f"the method {self.name} does not take {refused}")


METHOD = Frontier()


def forms(problem: Problem) -> Sequence[Lowered | Folded]:
    """As what a problem is counted, part by part; nothing where its number is known."""
    if small(problem) is not None:
        return ()
    return (lowered(problem),) if motion_of(problem) is None else folded(problem) or ()


def small(problem: Problem) -> int | None:
    """The number of tours of a problem that is not worth a form; None of all others."""
    if problem.directed or motion_of(problem) is not None:
        return None
    answer = tiny(problem)
    return None if answer is None else int(answer[0] is not None)
