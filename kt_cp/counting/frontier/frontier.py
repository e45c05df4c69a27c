"""The method ``frontier``: Hamiltonian cycles and paths of any graph, a vertex at a time.

Vertices are processed one by one, in a fixed order.  The *frontier* is the set of vertices that are
not yet processed but have processed neighbours.  Two things matter about the edges chosen so
far: how many each vertex of the frontier has, and which vertices are the two ends of one path.
All choices that agree in this are one *state*, and are counted together (:mod:`.frontier_sweep`).
The number of states grows with the width of the frontier, and not with the number of tours.

An open tour is a cycle through an additional vertex, and a required move is an edge that must be
chosen.  A digraph is converted to an undirected graph with three times as many vertices.  The
modules :mod:`kt_cp.model.cycle` and :mod:`kt_cp.model.directed` do these conversions.

**Symmetric tours** of a board are walks through the orbits of its squares.  A walk stands for as
many tours as there are choices of its moves' turns (:mod:`kt_cp.enumeration.quotient`).  Here the
walks are not enumerated, but counted as cycles of the quotient:

* A closed tour that the symmetry shifts is a cycle of the quotient with an odd sum of turns.  So a
  state has an additional bit, the sum of its turns so far.
* A closed tour that the symmetry reverses is a path between two turning places: a cycle through an
  additional vertex, which is adjacent to these places only.
* An open tour is a path from its turning place to its last square: a cycle through two additional
  adjacent vertices, one adjacent to turning places, the other to squares that may be last.

If moves of several turns join two orbits, the edge counts once for each turn.  The quotient is as
wide as the board, so the cost is about that of all tours of half the squares, with twice the
states.

**The order** of the vertices is improved by simulated annealing before a long count.  Each trial
moves one vertex by a few places.  The energy is the bound on the number of states of all steps.
Only steps between the two places change, so a trial is cheap.  On 7×8 it finds an order with a
fourth of the states in a second or two.  On long boards the order rank by rank is as good, except
near both ends.

Source: the frontier method, or broken-profile dynamic programming; states as mates after D. E.
Knuth's Simpath, "The Art of Computer Programming" 4A, 2011, section 7.1.4; S. Kirkpatrick, C. D.
Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science 220 (1983).  Cost: a fourth
of a microsecond a state and step, and some hundred bytes a state.  A decision diagram of all tours
(as in Graphillion) stores every state of every step; here there are two steps at a time.  When it
loses: on whole boards of knights the dense method needs neither keys nor sorting, and where tours
are few, enumeration ends sooner.  Wide frontiers are hopeless: 20 vertices may have 10¹⁰ states.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.frontier.frontier_sweep import Edge, SweepPlan, Turns, count_cycles
from kt_cp.counting.method import Estimate
from kt_cp.model.board import Board
from kt_cp.model.conditions import EDGES, Symmetry
from kt_cp.model.cycle import CycleForm, cycle_form, tiny
from kt_cp.model.directed import directed_tour, undirected, undirected_tour
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress
from kt_cp.search.frontier_order import (
    EITHER,
    WIDEST,
    FrontierCut,
    best_order,
    frontier_widths,
    least_bounds,
    state_bounds,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.enumeration.quotient import Quotient
    from kt_cp.processes.store import Store


HOT, COLD = 0.08, 0.002
"""Relative losses that are accepted with probability 1/e, at the start and at the end."""

STATE_WIDTHS = (15, 24)
"""Widths up to which a state is one word, or two; a new order never needs more words."""

FAR = 4
"""The average number of places by which a vertex moves."""

STATES_A_TRY, MOST_TRIES = 10_000, 20_000
"""States for each trial of the annealing, which takes as long as about 800 states; most trials."""


def improve_order(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None, tries: int
) -> list[int]:
    """Return the best order after a number of trials; the result is deterministic.

    Examples
    --------
    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(5, 6))
    >>> better = improve_order(graph, range(30), graph.colours, 100)
    >>> sum(state_bounds(graph, better, None)) < sum(state_bounds(graph, range(30), None))
    True
    """
    chance = random.Random(1)
    now, bounds = list(order), state_bounds(graph, order, colours)
    total = len(now)
    cost = least = sum(bounds)
    best = now[:]
    cuts = [FrontierCut.of(graph, colours)]  # before each step, and after the last
    for vertex in now:
        cuts.append(cuts[-1].add_vertex(vertex))
    widest = max(cut.width for cut in cuts)
    most = next((limit for limit in STATE_WIDTHS if widest <= limit), widest)
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
        new_cuts, new_bounds, new_cost = [], [], cost - sum(bounds[low:high])
        cut = cuts[low]
        for vertex in part[:-1]:
            cut = cut.add_vertex(vertex)
            new_cuts.append(cut)
            new_bounds.append(cut.states())
            new_cost += new_bounds[-1]
            if new_cost > 2 * cost or cut.width > most:
                break
        else:
            loss = math.log(new_cost / cost) if new_cost else -1.0
            if loss <= 0 or chance.random() < math.exp(-loss / heat):
                now[low : high + 1] = part
                cuts[low + 1 : high + 1], bounds[low:high] = new_cuts, new_bounds
                cost = new_cost
                if cost < least:
                    least, best = cost, now[:]
    return best


@dataclass(frozen=True)
class CycleCount:
    """The Hamiltonian cycles of a graph with conditions."""

    graph: IndexedGraph
    forced: Sequence[Edge]  # edges that every cycle uses, smaller vertex first
    colours: Sequence[int] | None
    board: Board | None = None  # the order goes along it
    # in how many ways each edge has an even turn, and an odd one; one even turn by default
    turns: Turns = field(default_factory=dict)
    odd: bool = False  # whether the sum of the turns has to be odd

    @cached_property
    def order(self) -> list[int]:
        """A good order of the vertices, found quickly."""
        return best_order(self.graph, self.board, self.colours)

    @cached_property
    def width(self) -> int:
        """The most vertices on the frontier."""
        return max(frontier_widths(self.graph, self.order))

    @cached_property
    def states(self) -> list[int]:
        """A bound on the states after each step."""
        return [each << self.odd for each in least_bounds(self.graph, self.order, self.colours)]

    @cached_property
    def plan(self) -> SweepPlan:
        """The steps, in an order that is improved if there are enough states to save."""
        total = sum(self.states)
        tries = min(MOST_TRIES, total // STATES_A_TRY)
        if 2 * total < sum(state_bounds(self.graph, self.order, self.colours)):
            tries = 0  # improve_order minimizes state_bounds, and here the planar bound is lower
        order = improve_order(self.graph, self.order, self.colours, tries)
        return SweepPlan(self.graph, self.forced, order, self.turns, self.odd)


@dataclass(frozen=True)
class GraphForm:
    """A problem of three vertices at least, as cycles of a graph."""

    problem: Problem
    named: Problem  # the same, with the node names that an undirected form of a digraph uses
    form: CycleForm  # of the problem, or of the undirected form
    cycles: CycleCount

    @cached_property
    def nodes(self) -> list[Any]:
        """The squares or nodes of the problem, in the order of their numbers."""
        directed = self.problem.directed
        return list(self.problem.graph if directed else self.problem.indexed.nodes)

    def walk(self, cycle: Sequence[int]) -> list[int]:
        """Return the tour of a cycle, as numbers of its squares or nodes."""
        tour = self.form.tour(cycle)
        if self.problem.directed:
            tour = directed_tour(self.problem, tour, self.named.graph)
        number = {node: at for at, node in enumerate(self.nodes)}
        return [number[node] for node in tour.squares]

    def links(self, tour: Sequence[int]) -> list[set[int]]:
        """Return the neighbours of each vertex on the cycle of a tour."""
        cycle = list(tour)
        if self.problem.directed:
            names = list(self.named.graph)
            index = self.form.problem.indexed.index
            cycle = [index[node] for node in undirected_tour(self.named, [names[v] for v in tour])]
        cycle += [] if self.form.depot is None else [self.form.depot]
        links: list[set[int]] = [set() for _ in range(len(self.form))]
        for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            links[one].add(other)
            links[other].add(one)
        return links


@lru_cache(maxsize=4)  # an estimate and the count after it use the same plan
def graph_form(problem: Problem) -> GraphForm:
    """Return a problem of three vertices at least as cycles of a graph.

    Examples
    --------
    >>> cycles = graph_form(Problem("6x6", closed=True)).cycles
    >>> cycles.plan.slots, max(cycles.states)
    (11, 22365)
    """
    named = problem
    if problem.directed:
        from kt_cp.proofs.certificate import rename_nodes

        named = rename_nodes(problem)
    form = cycle_form(undirected(named) if problem.directed else problem)
    colours = form.problem.indexed.colours
    if colours is None or form.depot is None:
        shades = form.graph.colours
    else:
        shades = [*colours, *[EITHER] * (len(form) - len(colours))]
    cycles = CycleCount(form.graph, form.forced, shades, form.problem.board)
    return GraphForm(problem, named, form, cycles)


@lru_cache(maxsize=4)
def quotient_cycles(problem: Problem) -> tuple[CycleCount, ...] | None:
    """Return the cycles that stand for the tours with a symmetry; None without a quotient.

    Examples
    --------
    >>> parts = quotient_cycles(Problem("6x6", closed=True, symmetry="half-turn"))
    >>> [(len(each.graph), each.odd) for each in parts]
    [(18, True)]
    """
    from kt_cp.enumeration.quotient import quotient_of
    from kt_cp.model.move_order import move_table

    quotient = quotient_of(problem, move_table(problem), directed=False)
    return None if quotient is None else tuple(_parts(quotient, problem.closed))


def _parts(quotient: Quotient, closed: bool) -> Iterator[CycleCount]:
    jobs, total = [*quotient.jobs()], len(quotient)
    edges = list(zip(*(each.tolist() for each in np.nonzero(quotient.turns.joined)), strict=True))
    edges = [edge for edge in edges if edge[0] < edge[1]]
    if any(job.closed for job in jobs):
        yield _extended(quotient, edges, [], odd=True)
    ends = [
        (job.prefix[0], set(np.flatnonzero(job.may_end).tolist())) for job in jobs if not job.closed
    ]
    if not ends:
        return
    firsts, lasts = {first for first, _ in ends}, set().union(*(others for _, others in ends))
    if not closed:
        joined = [*((first, total) for first in firsts), *((last, total + 1) for last in lasts)]
        yield _extended(quotient, edges + joined, [(total, total + 1)], odd=False)
        return
    # A square that stays in its place is an end of every path.
    both = [{first, last} for first, others in ends for last in others]
    must = set.intersection(*both)
    joined = [(place, total) for place in firsts | lasts]
    yield _extended(quotient, edges + joined, [(place, total) for place in must], odd=False)


def _extended(
    quotient: Quotient, edges: Sequence[Edge], forced: Sequence[Edge], *, odd: bool
) -> CycleCount:
    """Return the cycles of the quotient with further edges and vertices."""
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
    return CycleCount(graph, sorted({*needed, *forced}), graph.colours, None, turns, odd)


RATE = 1e7
"""States of one word, with numbers of one word, per second; at most a third of the states that the
bound allows occur."""

HELD = 6
"""Copies of the states and numbers of the largest step that are in memory during sorting."""

NARROW = 15
"""The widest frontier whose states are one word."""

MOST_SQUARES = 2_000
"""Most squares of a problem; ordering more takes too long."""


class Frontier:
    """The method that counts the tours of any problem with conditions on edges.

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
        """Return why it does not support a problem, or None."""
        for condition in problem.conditions:
            if type(condition) not in EDGES | {Symmetry}:
                return condition.words
        if problem.size > MOST_SQUARES:
            return f"more than {MOST_SQUARES:,} squares"
        if motion_of(problem) is not None and quotient_cycles(problem) is None:
            return "symmetry where squares have fewer than three orbits"
        if (width := max((part.width for part in cycle_counts(problem)), default=0)) > WIDEST:
            return f"a frontier of {width} vertices, which is more than {WIDEST}"
        return None

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate an upper bound of the work; the order is improved before a long count."""
        self.check(problem)
        most, size, seconds = 1, 0, 0.0
        for part in cycle_counts(problem):
            limbs = 2 if part.width <= NARROW else 3
            most = max(most, *part.states)
            size = max(size, max(part.states) * 8 * limbs * HELD)
            seconds += sum(part.states) / RATE * limbs / 2
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
        """Count the tours of a problem, as :class:`kt_cp.counting.method.Method` defines."""
        self.check(problem)
        known = trivial_count(problem)
        if known is not None:
            return known
        parts = cycle_counts(problem)
        longest = max(parts, key=lambda part: sum(part.states), default=None)
        # The store has the steps of one sweep, but a quotient may have two.
        return sum(
            count_cycles(
                part.plan,
                progress=progress,
                store=store if part is longest else None,
                memory_limit=memory_limit,
            )
            for part in parts
        )

    def check(self, problem: Problem) -> None:
        """Raise an error if it does not support a problem."""
        refused = self.refuses(problem)
        if refused is not None:
            error = NotTakenError if problem.size <= MOST_SQUARES else TooLargeError
            raise error(f"the method {self.name} does not take {refused}")


METHOD = Frontier()


def cycle_counts(problem: Problem) -> Sequence[CycleCount]:
    """Return the cycle counts that add up to the tours of a problem; none if it is trivial."""
    if trivial_count(problem) is not None:
        return ()
    if motion_of(problem) is None:
        return (graph_form(problem).cycles,)
    return quotient_cycles(problem) or ()


def trivial_count(problem: Problem) -> int | None:
    """Return the number of tours of a tiny problem; None for all others."""
    if problem.directed or motion_of(problem) is not None:
        return None
    answer = tiny(problem)
    return None if answer is None else int(answer[0] is not None)
