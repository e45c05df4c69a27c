"""A graph in parts, each of which must have a cycle of its own where the whole has one.

The plain rules of the checker say first which edges every Hamiltonian cycle uses, and which none
does.  Paths of used edges are shrunk to one edge each.  Then pairs of vertices part the graph
(:mod:`kt_cp.search.triconnected`): where it falls into two at a pair, a cycle passes each of the
two once, so each has a cycle with an edge between the pair that must be used.  Where there are
three such pieces, or two beside an edge that must be used, there is no cycle.  So the parts are
questions of their own, and cycles of all of them make one of the whole: their edges together,
without those that stood for something.

Whatever is done here is told as a step of evidence of the kind ``split``
(:mod:`kt_cp.trust.check.split`), in the same words.  Vertices keep their numbers from the frame of
the whole problem.

Cost: linear in the edges.  When it loses: most graphs that are made at random, and most boards,
cannot be parted, and then it was for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import nameable
from kt_cp.search.triconnected import split_components
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.split import PLAIN, whole
from kt_cp.trust.check.state import Contradiction, State

Edge = tuple[int, int]

CONTRADICTION = {"kind": "forced", "tree": {}}
"""Evidence where the plain rules contradict each other."""


@dataclass
class Part:
    """A graph that is to have a Hamiltonian cycle through some of its edges.

    Attributes
    ----------
    vertices : list of int
        Ascending.
    edges, must : set of (int, int)
        Smaller vertex first; the latter are among the former.
    """

    vertices: list[int]
    edges: set[Edge]
    must: set[Edge]

    def __len__(self) -> int:
        return len(self.vertices)

    def rows(self) -> list[list[int]]:
        """Neighbours of each vertex, all told by their places in the list."""
        at = self.places()
        rows: list[list[int]] = [[] for _ in self.vertices]
        for u, v in self.edges:
            rows[at[u]].append(at[v])
            rows[at[v]].append(at[u])
        for row in rows:
            row.sort()
        return rows

    def places(self) -> dict[int, int]:
        """Place of each vertex in the list."""
        return {v: place for place, v in enumerate(self.vertices)}

    def problem(self, names: Sequence[str]) -> Problem:
        """As a problem, just as the checker lays it out."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(names[v] for v in self.vertices)
        graph.add_edges_from((names[u], names[v]) for u, v in sorted(self.edges))
        require = [(names[u], names[v]) for u, v in sorted(self.must)]
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
    """

    def __init__(self, problem: Problem) -> None:
        named = nameable(problem)
        self.frame = frame_of(named)
        graph = whole(named)
        self.names = [str(node) for node in graph.graph]
        self.number = {name: v for v, name in enumerate(self.names)}
        edges, must = (
            {edge_of(self.number[u], self.number[v]) for u, v in each}
            for each in (graph.graph.edges, graph.require)
        )
        self.part = Part([*range(len(self.names))], edges, must)

    def keep(self, vertices: Iterable[int]) -> dict[str, Any]:
        """The step that keeps these vertices."""
        return {"keep": [self.names[v] for v in vertices]}

    def between(self, pair: Edge) -> dict[str, Any]:
        """Evidence where three pieces, or two and an edge that must be used, lie between a pair."""
        return {"kind": "tight", "sets": [[self.names[v] for v in pair]]}

    def use(self, edge: Edge, unless: Refuted) -> dict[str, Any]:
        """The step by which an edge must be used."""
        return {"use": [self.names[v] for v in edge], "unless": unless}


@dataclass
class Division:
    """What a part comes to by the plain rules and pairs of vertices.

    Attributes
    ----------
    parts : list of Part
        Each is to have a cycle; the smallest first.
    firm : bool
        Whether no vertex cuts it; if one does, it is not divided.
    """

    parts: list[Part] = field(default_factory=list)
    used: set[Edge] = field(default_factory=set)
    virtual: set[Edge] = field(default_factory=set)
    paths: dict[Edge, list[Edge]] = field(default_factory=dict)
    firm: bool = True

    def joined(self, cycles: Iterable[set[Edge]]) -> set[Edge]:
        """A cycle of the whole from one of each part, as edges."""
        edges = self.used.union(*cycles) - self.virtual
        for edge, path in self.paths.items():
            if edge in edges:
                edges.discard(edge)
                edges.update(path)
        return edges


def division(part: Part, whole: Whole) -> Division | Refuted:
    """Divide a part once; what comes may be divided again, since more is then known."""
    names = whole.names
    nodes, at = part.vertices, part.places()
    must = sorted((at[u], at[v]) for u, v in part.must)
    called = [names[v] for v in nodes]
    try:
        state = State(Frame(whole.frame.problem, called, len(nodes), part.rows(), must))
    except Contradiction:
        return Refuted([PLAIN], CONTRADICTION)
    if state.chosen == len(nodes):
        edges = {(nodes[u], nodes[v]) for u, row in enumerate(state.kept) for v in row if u < v}
        return Division(used=edges)
    edges = {(u, v) for u, row in enumerate(state.open_) for v in row if u < v}
    kept, paths = _shrunk(state)
    inner = [len(row) == 2 for row in state.kept]
    edges = {(u, v) for u, v in edges if not inner[u] and not inner[v]} | kept
    left = [v for v, is_inner in enumerate(inner) if not is_inner]
    divided = Division(
        paths={
            edge_of(nodes[u], nodes[v]): [edge_of(nodes[s], nodes[t]) for s, t in path]
            for (u, v), path in paths.items()
        }
    )
    graph = Part(left, edges, kept)
    components = split_components(graph.rows()) if len(left) > 2 else None
    if components is None:  # too small, or a vertex cuts it: a question for others
        return Division([_named(nodes, Part([*range(len(nodes))], *_known(state)))], firm=False)
    sides: Counter[Edge] = Counter()
    for component in components:
        sides.update((u, v) for u, v, virtual in component if virtual)
    at_left = graph.vertices
    for (u, v), count in sides.items():
        pair = (at_left[u], at_left[v])
        named = (nodes[pair[0]], nodes[pair[1]])
        if count > 2 or pair in kept:
            return Refuted([PLAIN], whole.between(named))
        divided.virtual.add(named)
    for component in components:
        pairs = {(at_left[u], at_left[v]) for u, v, _ in component}
        stands = {(at_left[u], at_left[v]) for u, v, virtual in component if virtual}
        vertices = sorted({w for pair in pairs for w in pair})
        if len(vertices) == len(pairs):  # a cycle already
            divided.used |= {(nodes[u], nodes[v]) for u, v in pairs}
        else:
            divided.parts.append(_named(nodes, Part(vertices, pairs, stands | (pairs & kept))))
    divided.parts.sort(key=len)
    return divided


def _known(state: State) -> tuple[set[Edge], set[Edge]]:
    """Edges that are open, and those that are forced."""
    rows = state.open_, state.kept
    open_, kept = ({(u, v) for u, row in enumerate(each) for v in row if u < v} for each in rows)
    return open_, kept


def _shrunk(state: State) -> tuple[set[Edge], dict[Edge, list[Edge]]]:
    """Forced edges where each path of them is one edge, and the paths of two and more."""
    kept: set[Edge] = set()
    paths = {}
    for first, row in enumerate(state.kept):
        if len(row) != 1:
            continue
        before, here = first, next(iter(row))
        path = [edge_of(before, here)]
        while len(state.kept[here]) == 2:
            one, other = state.kept[here]
            before, here = here, other if one == before else one
            path.append(edge_of(before, here))
        if first < here:
            kept.add((first, here))
            if len(path) > 1:
                paths[first, here] = path
    return kept, paths


def _named(nodes: list[int], part: Part) -> Part:
    """A part of places as one of vertices."""
    edges, must = ({(nodes[u], nodes[v]) for u, v in each} for each in (part.edges, part.must))
    return Part([nodes[v] for v in part.vertices], edges, must)


def overfull(must: Iterable[Edge]) -> bool:
    """Whether more than two edges that must be used meet at a vertex."""
    return any(count > 2 for count in Counter(v for edge in must for v in edge).values())


def edge_of(u: int, v: int) -> Edge:
    """The smaller vertex first."""
    return (u, v) if u < v else (v, u)
