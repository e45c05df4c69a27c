"""Parts of a graph, and why one has no cycle, in the words of the checker.

Whatever is done to a part (:mod:`kt_cp.proofs.split`) is told as a step of evidence of the kind
``split`` (:mod:`kt_cp.trust.check.split`).  Vertices keep their numbers from the frame of the whole
problem.  Edges stand in arrays, and a cycle is told by which of them it uses: a graph of 10^5
vertices may have as many parts, and sets of pairs took longer than all searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import nameable
from kt_cp.search.triconnected import VIRTUAL
from kt_cp.trust.check.frame import END
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.split import framed
from kt_cp.trust.check.state import Contradiction

if TYPE_CHECKING:
    from numpy.typing import NDArray

Edge = tuple[int, int]

CONTRADICTION = {"kind": "forced", "tree": {}}
"""Evidence where the plain rules contradict each other."""

PATH = -2
"""In place of the number of an edge: a path of edges that are used anyway."""


@dataclass
class Part:
    """A graph that is to have a Hamiltonian cycle through some of its edges.

    Attributes
    ----------
    vertices : int64 array
        Ascending.
    tails, heads : int64 arrays
        Ends of the edges by their places among the vertices, smaller one first, in lexicographic
        order.
    must : bool array
        Which edges the cycle has to use.
    edge : int64 array
        What each edge was where this is a part of another: its number there, ``VIRTUAL`` or
        ``PATH``.
    """

    vertices: NDArray[np.int64]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    must: NDArray[np.bool_]
    edge: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        vertices: NDArray[np.int64],
        tails: NDArray[np.int64],
        heads: NDArray[np.int64],
        must: NDArray[np.bool_],
        edge: NDArray[np.int64],
    ) -> Part:
        """A part of edges in any order, whose ends are told as the vertices are.

        Of two edges with the same ends one that must be used is kept.
        """
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
        order = np.lexsort((~must, heads, tails))
        tails, heads = (np.searchsorted(vertices, each[order]) for each in (tails, heads))
        new = np.ones(len(order), dtype=bool)
        new[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
        order = order[new]
        return cls(vertices, tails[new], heads[new], must[order], edge[order])

    def __len__(self) -> int:
        return len(self.vertices)

    def rows(self) -> list[list[int]]:
        """Neighbours of each vertex, all told by their places, ascending."""
        rows: list[list[int]] = [[] for _ in range(len(self))]
        for u, v in zip(self.tails.tolist(), self.heads.tolist(), strict=True):
            rows[u].append(v)
            rows[v].append(u)
        return [sorted(row) for row in rows]

    def pairs(self, which: NDArray[np.bool_]) -> list[Edge]:
        """Both ends of some of the edges, by their places."""
        return list(zip(self.tails[which].tolist(), self.heads[which].tolist(), strict=True))

    def overfull(self) -> bool:
        """Whether more than two edges that must be used meet at a vertex."""
        ends = np.concatenate([self.tails[self.must], self.heads[self.must]])
        return len(ends) > 0 and int(np.bincount(ends).max()) > 2

    def around(self, cycle: Sequence[int]) -> NDArray[np.bool_]:
        """Which edges are those of a cycle, told by its vertices' places."""
        there = np.array(cycle, dtype=np.int64)
        ahead = np.roll(there, -1)
        key = np.minimum(there, ahead) * len(self) + np.maximum(there, ahead)
        chosen = np.zeros(len(self.tails), dtype=bool)
        chosen[np.searchsorted(self.tails * len(self) + self.heads, key)] = True
        return chosen

    def problem(self, names: Sequence[str]) -> Problem:
        """As a problem, just as the checker lays it out."""
        import networkx as nx

        called = [names[v] for v in self.vertices.tolist()]
        graph = nx.Graph()
        graph.add_nodes_from(called)
        every = np.ones(len(self.tails), dtype=bool)
        edges, require = (
            [(called[u], called[v]) for u, v in self.pairs(which)] for which in (every, self.must)
        )
        graph.add_edges_from(edges)
        return Problem(graph=graph, closed=True, require=require)


@dataclass
class Refuted:
    """That a part has no cycle: steps of a ``split``, and what has none after them.

    The end is a part, or evidence about what is left.  In place of the evidence for an edge that
    must be used the step has another one of these.
    """

    steps: list[Any]
    end: Part | dict[str, Any]


class Whole:
    """A problem as a part; the names of its vertices, and steps told in them.

    Raises
    ------
    Refusal
        If it is too large, or a node has a name that the checker keeps for itself.
    Contradiction
        If more than two edges at a vertex must be used.
    """

    def __init__(self, problem: Problem) -> None:
        named = nameable(problem)
        if problem.board is None:
            self.names, size, tails, heads, must = _laid_out(named)
        else:
            frame = framed(named)
            self.names, size = frame.names, len(frame)
            tails, heads = np.array(frame.edges(), dtype=np.int64).reshape(-1, 2).T
            must = [u * size + v for u, v in frame.must]
        needed = np.isin(tails * size + heads, must)
        self.part = Part(np.arange(size), tails, heads, needed, np.arange(len(tails)))
        if self.part.overfull():
            raise Contradiction("three edges that must be used meet at a vertex")
        self.size = problem.size

    @cached_property
    def number(self) -> dict[str, int]:
        """Vertex of each name."""
        return {name: v for v, name in enumerate(self.names)}

    def keep(self, vertices: Iterable[int]) -> dict[str, Any]:
        """The step that keeps these vertices."""
        return {"keep": [self.names[v] for v in vertices]}

    def between(self, pair: Edge) -> dict[str, Any]:
        """Evidence where three pieces, or two and an edge that must be used, lie between a pair."""
        return {"kind": "tight", "sets": [[self.names[v] for v in pair]]}

    def use(self, edge: Edge, unless: Refuted) -> dict[str, Any]:
        """The step by which an edge must be used."""
        return {"use": [self.names[v] for v in edge], "unless": unless}


def _laid_out(
    problem: Problem,
) -> tuple[list[str], int, NDArray[np.int64], NDArray[np.int64], list[int]]:
    """A graph as the checker lays it out, row by row, from what is laid out already.

    Names, how many, both ends of the edges, and those that must be used as ``u * size + v``.
    """
    graph, names, forced = problem.indexed, [str(node) for node in problem.graph], problem.forced
    tails, heads = graph.tails, graph.heads
    if not problem.closed:
        end = len(names)
        names.append(f"{END} 1")
        if len(set(names)) <= end:
            raise Refusal(Reason.WRONG_QUESTION, f"a node is called {names[-1]!r}")
        told = [graph.index[node] for node in (problem.start, problem.end) if node is not None]
        forced = [*forced, *((v, end) for v in told)]
        joined = np.array(sorted(told)) if len(told) == 2 else np.arange(end)
        tails = np.concatenate([tails, joined])
        heads = np.concatenate([heads, np.full(len(joined), end)])
        order = np.lexsort((heads, tails))
        tails, heads = tails[order], heads[order]
    return names, len(names), tails, heads, [u * len(names) + v for u, v in forced]


__all__ = ["CONTRADICTION", "PATH", "VIRTUAL", "Edge", "Part", "Refuted", "Whole"]
