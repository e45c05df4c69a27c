"""Hamiltonian cycles of graphs, by families: how many are found or refuted, and the time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

import networkx as nx

from benchmarks.graphs import Graph, acyclic, catalogue
from benchmarks.regular import random_cubic
from benchmarks.runner import Measurement, Row, Table, certified, seconds
from benchmarks.yardsticks import YARDSTICKS
from kt_cp import Problem


def out_digraph(n: int, out: int, seed: int) -> nx.DiGraph:
    """Return a digraph with ``out`` arcs out of each node, one of them along a planted cycle.

    Without the cycle one node in twenty would have no arc to it.

    Examples
    --------
    >>> digraph = out_digraph(10, 3, 1)
    >>> {*dict(digraph.out_degree).values()}, min(dict(digraph.in_degree).values()) > 0
    ({3}, True)
    """
    rng = random.Random(seed)
    order = rng.sample(range(n), n)
    digraph = nx.DiGraph(zip(order, order[1:] + order[:1], strict=True))
    for node in range(n):
        while digraph.out_degree(node) < out:
            other = rng.randrange(n)
            if other != node:
                digraph.add_edge(node, other)
    return digraph


LARGE: dict[str, Callable[[], nx.Graph]] = {
    "random cubic 100,000": lambda: random_cubic(100_000, random.Random(1)).graph,
    "complete 1,500": partial(nx.complete_graph, 1_500),
    "hypercube 2^16": partial(nx.hypercube_graph, 16),
    "3-out digraph 10,000": partial(out_digraph, 10_000, 3, 1),
}
"""Large, easy graphs: most of the time is for reading and checking them."""


def rows() -> Iterator[Row]:
    """Yield every graph with a cycle, every one without, and the large ones."""
    for it in catalogue().values():
        yield Row(it.name, partial(_problem, it), it.family, tour=True)
    for it in acyclic().values():
        yield Row(it.name, partial(_problem, it), f"{it.family}: none", tour=False)
    for name, make in LARGE.items():
        yield Row(name, partial(_large, make), tour=True)


def _problem(it: Graph) -> Problem:
    return Problem(graph=it.make().graph, closed=True)


def _large(make: Callable[[], nx.Graph]) -> Problem:
    return Problem(graph=make(), closed=True)


GRAPHS = Measurement(
    rows,
    {"auto": "auto", **YARDSTICKS},
    (
        Table("Hamiltonian cycles: seconds to find one, or to refute", {"seconds": seconds}),
        Table("Hamiltonian cycles: refutations with a certificate", {"certified": certified}),
    ),
    seconds=60.0,
    last=dict.fromkeys(YARDSTICKS, list(acyclic())[-1]),
    quick=("petersen-1", "coxeter"),
    most={
        ("complete 1,500", "auto"): 1.0,
        **{(name, "auto"): 10.0 for name in LARGE if name != "complete 1,500"},
    },
    note="All of them have all cores. `none`: the graphs of the family have no cycle.",
)
