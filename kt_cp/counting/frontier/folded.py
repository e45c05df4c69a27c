"""Tours with a symmetry by the frontier: cycles of the quotient, with the sum of their turns.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.counting.frontier.frontier import better
from kt_cp.counting.frontier.transitions import Plan
from kt_cp.enumeration.quotient import Quotient, quotient_of
from kt_cp.model.graph import IndexedGraph
from kt_cp.search.frontier_order import best_order, frontier_widths, state_bounds
from kt_cp.trust.reference import move_table

if TYPE_CHECKING:
    from kt_cp.counting.frontier.transitions import Edge, Turns
    from kt_cp.model.problem import Problem


@dataclass(frozen=True)
class Folded:
    """Cycles of a quotient that stand for symmetric tours of one kind.

    Attributes
    ----------
    graph : IndexedGraph
        The orbits, and the vertices that close a path.
    forced : list of (int, int)
        Edges that every cycle uses, smaller vertex first.
    turns : dict
        In how many ways each edge between orbits has an even turn, and an odd one; told where the
        sum of the turns has to be odd, or there are several ways.
    odd : bool
        Whether the sum of the turns has to be odd.
    """

    graph: IndexedGraph
    forced: list[Edge]
    turns: Turns
    odd: bool

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
    def plan(self) -> Plan:
        """The steps, in a better order where that is worth its while."""
        order = better(self.graph, self.order, self.graph.colours, self.states)
        return Plan(self.graph, self.forced, order, self.turns, self.odd)


@lru_cache(maxsize=4)
def folded(problem: Problem) -> tuple[Folded, ...] | None:
    """What is to be counted of a problem with a symmetry; None where there is no quotient.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> parts = folded(Problem("6x6", closed=True, symmetry="half-turn"))
    >>> [(len(each.graph), each.odd) for each in parts]
    [(18, True)]
    """
    quotient = quotient_of(problem, move_table(problem), directed=False)
    return None if quotient is None else tuple(_parts(quotient, problem.closed))


def _parts(quotient: Quotient, closed: bool) -> Iterator[Folded]:
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
) -> Folded:
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
    return Folded(graph, sorted({*needed, *forced}), turns, odd)
