"""A directed graph as the checker lays it out: each node as a path, each arc as an edge.

A node v becomes the nodes ``in v``, ``at v`` and ``out v`` in a row; an arc from u to v becomes the
edge between ``out u`` and ``in v``.  Two more nodes, ``source`` and ``target``, are the ends of an
open tour.  Every tour of the directed graph is one of this graph, written three times as long, so
where this graph has none, the directed one has none; and every tour of this graph is one of the
directed graph, so a list of all of the one is a list of all
of the other.

The checker does not use :mod:`kt_cp.model.directed`, so that an error there cannot carry a false
proof through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kt_cp.model.problem import Problem

SAID = "with each node drawn as a path from in to out, "
"""What the argument of a directed graph begins with."""


def laid_out(problem: Problem) -> Problem:
    """The undirected problem that the evidence about a directed one speaks of.

    Examples
    --------
    >>> import networkx as nx
    >>> made = laid_out(Problem(graph=nx.DiGraph([("a", "b"), ("b", "a")]), closed=True))
    >>> [*made.graph], made.graph.number_of_edges()
    (['in a', 'at a', 'out a', 'in b', 'at b', 'out b'], 6)
    """
    import networkx as nx

    graph: Any = nx.Graph()
    nodes = [*problem.graph]
    graph.add_nodes_from(f"{part} {node}" for node in nodes for part in ("in", "at", "out"))
    if not problem.closed:
        graph.add_nodes_from(("source", "target"))
    for node in nodes:
        graph.add_edge(f"in {node}", f"at {node}")
        graph.add_edge(f"at {node}", f"out {node}")
        graph.add_edges_from((f"out {node}", f"in {head}") for head in problem.graph.succ[node])
        if not problem.closed and problem.start in (None, node):
            graph.add_edge("source", f"in {node}")
        if not problem.closed and problem.end in (None, node):
            graph.add_edge(f"out {node}", "target")
    asked: dict[str, Any] = {
        "require": [(f"out {tail}", f"in {head}") for tail, head in problem.require],
        "forbid": [(f"out {tail}", f"in {head}") for tail, head in problem.forbid],
        "given": {},
    }
    if problem.closed and problem.start is not None:
        asked["start"] = f"in {problem.start}"
    if not problem.closed:
        asked |= {"start": "source", "end": "target"}
    for condition in problem.conditions:
        if condition.key == "given":
            node, step = condition.values()
            first = 3 * (step - 1) + (1 if problem.closed else 2)
            asked["given"] |= {f"in {node}": first, f"at {node}": first + 1}
    return Problem(graph=graph, closed=problem.closed, **asked)


def along(problem: Problem, tour: Sequence[Any]) -> list[Any]:
    """The nodes of a directed graph in the order of a tour of what it was laid out as."""
    nodes = {f"{part} {node}": node for node in problem.graph for part in ("in", "at", "out")}
    steps = [step for step in tour if step in nodes]
    turned = [*steps[1:], steps[0]]
    # From at to in is backwards; the two of one node stand side by side in a tour.
    back = any(u[:3] == "at " and nodes[u] == nodes[v] and v[:3] == "in "
               for u, v in zip(steps, turned, strict=True))  # fmt: skip
    return [nodes[step] for step in (steps[::-1] if back else steps) if step[:3] == "at "]
