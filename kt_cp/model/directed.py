"""Directed graphs as undirected ones, so that engines and proofs handle only undirected graphs.

Each node becomes a path of three nodes: *in*, *at* and *out*.  An arc from u to v becomes an edge
from out u to in v.  The middle node has two neighbours, so a cycle passes each path from one end to
the other.  If it leaves a path at its out node, it enters the next path at its in node.  So the
Hamiltonian cycles of both graphs correspond one to one: the reverse of a directed cycle uses other
edges.  For an open tour two more nodes are added, as its start and its end.

A given step applies to *in* and *at*, so a reversed tour does not satisfy it.

Source: R. M. Karp, "Reducibility among combinatorial problems", 1972 (directed to undirected
Hamiltonian circuit).  Cost: three vertices for each node, but little work for solvers, which
deduce the forced edges at the middle nodes at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kt_cp.model.conditions import Condition, End, Given, Required, Start
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.model.tour import Tour

SOURCE, TARGET = "source", "target"
"""Ends of every open tour.  All other names have at least two words."""


def undirected(problem: Problem) -> Problem:
    """Return the undirected form of a directed problem, whose nodes must have different texts.

    >>> import networkx as nx
    >>> made = undirected(Problem(graph=nx.DiGraph([("a", "b")]), start="a"))
    >>> made.label
    "graph with 8 nodes and 8 edges, open, from 'source' to 'target'"
    >>> list(made.graph["out a"]), list(made.graph["source"])
    (['at a', 'in b', 'target'], ['in a'])
    """
    import networkx as nx

    graph = nx.Graph()
    graph.add_edges_from(edge for node in problem.graph for edge in pairwise(_path(node)))
    graph.add_edges_from((f"out {u}", f"in {v}") for u, v in problem.graph.edges())
    ends: list[Condition] = []
    if not problem.closed:
        nodes = problem.graph
        first = nodes if problem.start is None else [problem.start]
        last = nodes if problem.end is None else [problem.end]
        graph.add_edges_from((SOURCE, f"in {node}") for node in first)
        graph.add_edges_from((f"out {node}", TARGET) for node in last)
        ends = [Start(SOURCE), End(TARGET)]
    elif problem.start is not None:
        ends = [Start(f"in {problem.start}")]
    conditions = [
        made for each in problem.conditions for made in _undirected_conditions(each, problem.closed)
    ]
    made = Problem(graph=graph, closed=problem.closed, conditions=[*ends, *conditions])
    made._set(_of=problem)
    return made


def _path(node: Any) -> list[str]:
    return [f"in {node}", f"at {node}", f"out {node}"]


def _undirected_conditions(condition: Condition, closed: bool) -> Iterable[Condition]:
    match condition:
        case Required((tail, head)):
            yield type(condition).of(f"out {tail}", f"in {head}")
        case Given(node, step):
            first = 3 * step - (2 if closed else 1)
            yield Given(f"in {node}", first)
            yield Given(f"at {node}", first + 1)
        case _:
            assert isinstance(condition, Start), condition


def undirected_tour(problem: Problem, nodes: Iterable[Any]) -> list[str]:
    """Return the tour of the undirected form for a tour of a directed problem.

    >>> import networkx as nx
    >>> undirected_tour(Problem(graph=nx.DiGraph([("a", "b")])), ["a", "b"])
    ['source', 'in a', 'at a', 'out a', 'in b', 'at b', 'out b', 'target']
    """
    walk = [place for node in nodes for place in _path(node)]
    return walk if problem.closed else [SOURCE, *walk, TARGET]


def directed_tour(problem: Problem, tour: Tour, names: Iterable[Any] | None = None) -> Tour:
    """Return the tour of a directed problem for a tour of its undirected form."""
    own = dict(zip(map(str, names or problem.graph), problem.graph, strict=True))
    walk = [place for place in tour.squares if place not in (SOURCE, TARGET)]
    # In the forward direction, the out node of the same path follows each at node.
    at = next(k for k, place in enumerate(walk) if place.startswith("at "))
    if walk[(at + 1) % len(walk)].startswith("in "):
        walk.reverse()
    nodes = [own[place.removeprefix("at ")] for place in walk if place.startswith("at ")]
    if problem.closed and problem.start is not None:
        turn = nodes.index(problem.start)
        nodes = nodes[turn:] + nodes[:turn]
    return replace(tour, squares=nodes)
