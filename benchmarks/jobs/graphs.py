"""A Hamiltonian cycle of one graph, or that it has none; solvers are loaded beforehand."""

from __future__ import annotations

import time
from typing import Any

import networkx as nx
import ortools.sat.python.cp_model  # noqa: F401  loaded here, like pysat, and used by the engines
import pysat.solvers  # noqa: F401

from benchmarks.graphs.catalogue import acyclic, catalogue
from benchmarks.graphs.large import LARGE
from benchmarks.plan import LKH, YARDSTICKS
from benchmarks.yardsticks import yardstick
from kt_cp import Problem, Tour, Verdict, defects, solve

MOST_NODES = {LKH: 3_000}
"""LKH is handed all distances, which are 9 million numbers then."""


def graphs(who: str, name: str, limit: str, seed: str) -> dict[str, Any]:
    """``FOUND`` if the answer is the right one: a cycle that the judge passes, or none."""
    graph, cyclic = made(name)
    if len(graph) > MOST_NODES.get(who, len(graph)):
        return {"status": "REFUSED"}
    if who in YARDSTICKS:
        run = yardstick(who, "cycle")
        pairs = list(graph.edges if graph.is_directed() else graph.to_directed().edges)
        said, seconds, nodes = run(len(graph), pairs, int(seed))
        problem = Problem(graph=graph, closed=True)
        tour = Tour(nodes, closed=True) if nodes else None
        none, certified = said in ("INFEASIBLE", "UNSAT"), False
    else:
        began = time.perf_counter()
        problem = Problem(graph=graph, closed=True)
        outcome = solve(problem, engine=who, time_limit=float(limit), seed=int(seed))
        seconds = time.perf_counter() - began
        tour, none = outcome.tour, outcome.verdict is Verdict.IMPOSSIBLE
        certified = outcome.certificate is not None
    if tour is None and not none:
        return {"status": "NONE" if who == LKH else "TIMEOUT"}
    right = none is not cyclic and (tour is None or not defects(problem, tour))
    return {"status": "FOUND" if right else "WRONG", "seconds": seconds, "certified": certified}


def made(name: str) -> tuple[nx.Graph, bool]:
    """The graph of a name, nodes numbered from 0, and whether it has a Hamiltonian cycle."""
    if name in LARGE:
        return LARGE[name].made(), True
    it = catalogue().get(name) or acyclic()[name]
    return it.make().graph, it.cyclic
