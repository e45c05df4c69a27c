"""A problem as the frontier has it: Hamiltonian cycles of a graph that use certain edges.

What remains small is kept from one call to the next: an estimate and the count after it have the
same plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from kt_cp.counting.frontier.frontier import improved
from kt_cp.counting.frontier.transitions import Plan
from kt_cp.model.cycle import CycleForm, cycle_form
from kt_cp.model.directed import directed_tour, undirected, undirected_tour
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import nameable
from kt_cp.search.frontier_order import EITHER, best_order, frontier_widths, state_bounds

STATES_A_TRY, MOST_TRIES = 10_000, 20_000
"""A try to find a better order takes as long as some eight hundred states."""


@dataclass(frozen=True)
class Lowered:
    """A problem of three vertices at least, and what is made of it.

    Attributes
    ----------
    problem : Problem
        The question.
    named : Problem
        The same, with names by which an undirected form of a digraph tells its nodes.
    form : CycleForm
        Of the problem, or of the undirected form.
    """

    problem: Problem
    named: Problem
    form: CycleForm

    @cached_property
    def order(self) -> list[int]:
        """In which vertices of the form are dealt with, as far as that is told at once."""
        return best_order(self.form.graph, self.form.problem.board, self._colours)

    @cached_property
    def _colours(self) -> list[int] | None:
        colours = self.form.problem.indexed.colours
        if colours is None or self.form.depot is None:
            return self.form.graph.colours
        return [*colours, *[EITHER] * (len(self.form) - len(colours))]

    @cached_property
    def width(self) -> int:
        """Most vertices on the frontier."""
        return max(frontier_widths(self.form.graph, self.order))

    @cached_property
    def states(self) -> list[int]:
        """At most so many after each step."""
        return state_bounds(self.form.graph, self.order, self._colours)

    @cached_property
    def plan(self) -> Plan:
        """The steps, in a better order where that is worth its while.

        Raises
        ------
        TooLargeError
            If the frontier is too wide.
        """
        order = better(self.form.graph, self.order, self._colours, self.states)
        return Plan(self.form.graph, self.form.forced, order)

    @cached_property
    def nodes(self) -> list[Any]:
        """The squares or nodes of the problem, in the order of their numbers."""
        directed = self.problem.directed
        return list(self.problem.graph if directed else self.problem.indexed.nodes)

    def walk(self, cycle: Sequence[int]) -> list[int]:
        """The tour that a cycle stands for, by the numbers of its squares or nodes."""
        tour = self.form.tour(cycle)
        if self.problem.directed:
            tour = directed_tour(self.problem, tour, self.named.graph)
        number = {node: at for at, node in enumerate(self.nodes)}
        return [number[node] for node in tour.squares]

    def links(self, tour: Sequence[int]) -> list[set[int]]:
        """The neighbours of each vertex on the cycle that a tour stands for."""
        cycle = list(tour)
        if self.problem.directed:
            names = list(self.named.graph)
            index = self.form.problem.indexed.index
            cycle = [index[it] for it in undirected_tour(self.named, [names[v] for v in tour])]
        cycle += [] if self.form.depot is None else [self.form.depot]
        links: list[set[int]] = [set() for _ in range(len(self.form))]
        for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            links[one].add(other)
            links[other].add(one)
        return links


def better(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None, states: Sequence[int]
) -> list[int]:
    """An order that is improved for as long as its states are worth."""
    return improved(graph, order, colours, min(MOST_TRIES, sum(states) // STATES_A_TRY))


@lru_cache(maxsize=4)
def lowered(problem: Problem) -> Lowered:
    """A problem of three vertices at least.

    Examples
    --------
    >>> made = lowered(Problem("6x6", closed=True))
    >>> made.plan.slots, max(made.states)
    (11, 22365)
    """
    if not problem.directed:
        return Lowered(problem, problem, cycle_form(problem))
    named = nameable(problem)
    return Lowered(problem, named, cycle_form(undirected(named)))
