"""The method ``frontier``: Hamiltonian cycles and paths of any graph, a vertex at a time.

Vertices are dealt with one by one, in a fixed order.  Of the edges chosen so far two things matter
for what is still to come: how many edges each vertex of the *frontier* has (vertices that have
neighbours among those dealt with, and are still to come themselves), and which of them are the two
ends of one path.  All choices that agree in this are one *state*, and are counted together.  A step
takes every state to those that follow it, which are sorted.  The number of states grows with the
width of the frontier, and not with the number of tours.

A symmetric tour of a board is a cycle of its quotient, as :class:`QuotientForm` states.
An open tour is a cycle by way of one more vertex, a required move an edge that must be chosen, a
digraph an undirected graph of three times as many vertices: :mod:`kt_cp.model.cycle` and
:mod:`kt_cp.model.directed` have made one question of all.

Source: the frontier method, or broken-profile dynamic programming; states as mates after D. E.
Knuth's Simpath, "The Art of Computer Programming" 4A, 2011, section 7.1.4.  Cost: a fourth of a
microsecond a state and step, and some hundred bytes a state.  A decision diagram of all tours (as
Graphillion has it) keeps every state of every step; here two steps are kept at a time.  When it
loses: on whole boards of knights the dense method needs neither keys nor sorting, and where tours
are few, enumeration ends sooner.  Wide frontiers are hopeless: 20 vertices may have 10¹⁰ states.

A problem as the frontier has it: Hamiltonian cycles of a graph that use certain edges.

What remains small is kept from one call to the next: an estimate and the count after it have the
same plan.

A better order by small moves: annealing, in which a bound on the states is the energy.

One vertex at a time is moved a few places to and fro, and the bound on the number of states of all
steps (:mod:`.bound`) says whether that helps.  Only steps between the two places change, so a move
is cheap.  A worse order is taken now and then, less and less often as time goes by.

Source: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing",
Science 220 (1983).  On 7×8 it finds an order with a fourth of the states.  Cost: a second or two,
so it is for counts that take longer.  When it loses: on long boards the order rank by rank is as
good, except near both ends.

Tours with a symmetry by the frontier: cycles of the quotient, with the sum of their turns.

A symmetric tour of a board is a walk through the orbits of its squares, and a walk stands for as
many tours as its moves' turns can be chosen (:mod:`kt_cp.enumeration.quotient`, where this comes
from).  Here the walks are not gone through, but counted as cycles of the quotient:

* A closed tour that is moved along is a cycle of the quotient whose turns have an odd sum.  So a
  state has one bit more, the sum of its turns so far: the bit of a word in which no slot lies.
* A closed tour that is turned round is a path between two turning places: a cycle by way of one
  more vertex, which is beside these places alone.
* An open tour is a path from its turning place to its last square: a cycle by way of two more
  vertices side by side, one beside turning places, the other beside squares that may be last.

Where moves of several turns join two orbits, the edge counts as often.  Cost: the quotient is as
wide as the board, so on half of the squares and with twice the states about that of all tours.
Enumeration goes through the square root of all tours: years of long boards.  When it loses: on
boards of a few squares, and where conditions leave few tours.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.frontier.transitions import SweepPlan
from kt_cp.counting.method import Estimate
from kt_cp.enumeration.quotient import Quotient, quotient_of
from kt_cp.model.conditions import EDGES, Symmetry
from kt_cp.model.cycle import CycleForm, cycle_form, tiny
from kt_cp.model.directed import directed_tour, undirected, undirected_tour
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.move_order import move_table
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.proofs.certificate import nameable
from kt_cp.search.frontier_order import (
    EITHER,
    WIDEST,
    FrontierCut,
    best_order,
    frontier_widths,
    state_bounds,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.frontier.transitions import Edge, Turns
    from kt_cp.model.problem import Problem
    from kt_cp.processes.store import Store


HOT, COLD = 0.08, 0.002
"""Relative losses that are taken with a probability of 1/e, at first and in the end."""

ROOM = (15, 24)
"""Widths up to which a state is one word, or two: an order does not get longer ones."""

FAR = 4
"""Places that a vertex is moved by, on average."""


def improve_order(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None, tries: int
) -> list[int]:
    """The best order that was found in so many tries; the same every time.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(5, 6))
    >>> better = improve_order(graph, range(30), graph.colours, 100)
    >>> sum(state_bounds(graph, better, None)) < sum(state_bounds(graph, range(30), None))
    True
    """
    chance = random.Random(1)
    now, found = list(order), state_bounds(graph, order, colours)
    total = len(now)
    cost = least = sum(found)
    best = now[:]
    cuts = _cuts(graph, now, colours)
    widest = max(cut.width for cut in cuts)
    most = next((limit for limit in ROOM if widest <= limit), widest)
    for tried in range(tries):
        heat = HOT * (1 - tried / tries) + COLD
        here = chance.randrange(total)
        shift = 1 + int(chance.expovariate(1 / FAR))
        there = min(total - 1, max(0, here + (shift if chance.random() < 0.5 else -shift)))
        if here == there:
            continue
        low, high = min(here, there), max(here, there)
        part = now[low : high + 1]
        part.insert(there - low, part.pop(here - low))
        made, told, left = [], [], cost - sum(found[low:high])
        cut = cuts[low]
        for vertex in part[:-1]:
            cut = cut.after(vertex)
            made.append(cut)
            told.append(cut.states())
            left += told[-1]
            if left > 2 * cost or cut.width > most:
                break
        else:
            loss = math.log(left / cost) if left else -1.0
            if loss <= 0 or chance.random() < math.exp(-loss / heat):
                now[low : high + 1] = part
                cuts[low + 1 : high + 1], found[low:high] = made, told
                cost = left
                if cost < least:
                    least, best = cost, now[:]
    return best


def _cuts(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None
) -> list[FrontierCut]:
    """What is dealt with before each step, and after the last."""
    cuts = [FrontierCut.of(graph, colours)]
    for vertex in order:
        cuts.append(cuts[-1].after(vertex))
    return cuts


STATES_A_TRY, MOST_TRIES = 10_000, 20_000
"""A try to find a better order takes as long as some eight hundred states."""


@dataclass(frozen=True)
class GraphForm:
    """A problem of three vertices at least, and what is made of it."""

    problem: Problem  # the question
    named: Problem  # the same, with names by which an undirected form of a digraph tells its nodes
    form: CycleForm  # of the problem, or of the undirected form

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
    def plan(self) -> SweepPlan:
        """The steps, in a better order where that is worth its while."""
        order = improved_order(self.form.graph, self.order, self._colours, self.states)
        return SweepPlan(self.form.graph, self.form.forced, order)

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


def improved_order(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None, states: Sequence[int]
) -> list[int]:
    """An order that is improved for as long as its states are worth."""
    return improve_order(graph, order, colours, min(MOST_TRIES, sum(states) // STATES_A_TRY))


@lru_cache(maxsize=4)
def graph_form(problem: Problem) -> GraphForm:
    """A problem of three vertices at least.

    Examples
    --------
    >>> made = graph_form(Problem("6x6", closed=True))
    >>> made.plan.slots, max(made.states)
    (11, 22365)
    """
    if not problem.directed:
        return GraphForm(problem, problem, cycle_form(problem))
    named = nameable(problem)
    return GraphForm(problem, named, cycle_form(undirected(named)))


@dataclass(frozen=True)
class QuotientForm:
    """Cycles of a quotient that stand for symmetric tours of one kind."""

    graph: IndexedGraph  # the orbits, and the vertices that close a path
    forced: list[Edge]  # edges that every cycle uses, smaller vertex first
    # in how many ways each edge between orbits has an even turn, and an odd one; told where the sum
    # of the turns has to be odd, or there are several ways
    turns: Turns
    odd: bool  # whether the sum of the turns has to be odd

    @cached_property
    def order(self) -> list[int]:
        """In which the orbits are dealt with, as far as that is told at once."""
        return best_order(self.graph, None, self.graph.colours)

    @cached_property
    def width(self) -> int:
        """Most vertices on the frontier."""
        return max(frontier_widths(self.graph, self.order))

    @cached_property
    def states(self) -> list[int]:
        """At most so many after each step."""
        found = state_bounds(self.graph, self.order, self.graph.colours)
        return [each << self.odd for each in found]

    @cached_property
    def plan(self) -> SweepPlan:
        """The steps, in a better order where that is worth its while."""
        order = improved_order(self.graph, self.order, self.graph.colours, self.states)
        return SweepPlan(self.graph, self.forced, order, self.turns, self.odd)


@lru_cache(maxsize=4)
def quotient_forms(problem: Problem) -> tuple[QuotientForm, ...] | None:
    """What is to be counted of a problem with a symmetry; None where there is no quotient.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> parts = quotient_forms(Problem("6x6", closed=True, symmetry="half-turn"))
    >>> [(len(each.graph), each.odd) for each in parts]
    [(18, True)]
    """
    quotient = quotient_of(problem, move_table(problem), directed=False)
    return None if quotient is None else tuple(_parts(quotient, problem.closed))


def _parts(quotient: Quotient, closed: bool) -> Iterator[QuotientForm]:
    jobs, total = [*quotient.jobs()], len(quotient)
    edges = list(zip(*(each.tolist() for each in np.nonzero(quotient.turns.joined)), strict=True))
    edges = [edge for edge in edges if edge[0] < edge[1]]
    if any(job.closed for job in jobs):
        yield _folded(quotient, edges, [], odd=True)
    ends = [
        (job.prefix[0], set(np.flatnonzero(job.may_end).tolist())) for job in jobs if not job.closed
    ]
    if not ends:
        return
    firsts, lasts = {first for first, _ in ends}, set().union(*(others for _, others in ends))
    if not closed:
        joined = [*((first, total) for first in firsts), *((last, total + 1) for last in lasts)]
        yield _folded(quotient, edges + joined, [(total, total + 1)], odd=False)
        return
    # Where a square stays where it is, every path has it for an end.
    both = [{first, last} for first, others in ends for last in others]
    must = set.intersection(*both)
    joined = [(place, total) for place in firsts | lasts]
    yield _folded(quotient, edges + joined, [(place, total) for place in must], odd=False)


def _folded(
    quotient: Quotient, edges: Sequence[Edge], forced: Sequence[Edge], *, odd: bool
) -> QuotientForm:
    """The quotient with further edges and vertices."""
    every = sorted({*edges, *forced})
    size = max(len(quotient), 1 + max((head for _, head in every), default=0))
    tails, heads = np.array(every, dtype=np.int64).reshape(len(every), 2).T
    turns = {}
    for one, other in every:
        even, uneven = quotient.turns.ways(one, other) if other < len(quotient) else (1, 0)
        ways = (even, uneven) if odd else (even + uneven, 0)
        if ways != (1, 0):
            turns[one, other] = ways
    needed = {(min(pair), max(pair)) for pair in quotient.needed if pair[0] != pair[1]}
    graph = IndexedGraph(list(range(size)), tails, heads)
    return QuotientForm(graph, sorted({*needed, *forced}), turns, odd)


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
        if motion_of(problem) is not None and quotient_forms(problem) is None:
            return "symmetry where squares have fewer than three orbits"
        if (width := max((made.width for made in forms(problem)), default=0)) > WIDEST:
            return f"a frontier of {width} vertices, which is more than {WIDEST}"
        return None

    def estimate(self, problem: Problem) -> Estimate:
        """What it is likely to take, or less: the order is made better before a long count."""
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
        known = trivial_count(problem)
        if known is not None:
            return known
        from kt_cp.counting.frontier.sweep import count_cycles

        parts = forms(problem)
        longest = max(parts, key=lambda made: sum(made.states), default=None)
        # Steps of one sweep are kept; others of a quotient, which has two at most, are made again.
        return sum(
            count_cycles(
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


def forms(problem: Problem) -> Sequence[GraphForm | QuotientForm]:
    """As what a problem is counted, part by part; nothing where its number is known."""
    if trivial_count(problem) is not None:
        return ()
    return (graph_form(problem),) if motion_of(problem) is None else quotient_forms(problem) or ()


def trivial_count(problem: Problem) -> int | None:
    """The number of tours of a problem that is not worth a form; None of all others."""
    if problem.directed or motion_of(problem) is not None:
        return None
    answer = tiny(problem)
    return None if answer is None else int(answer[0] is not None)
