"""Evidence of the kind ``split``: divisions that lead to a part without a cycle, and its evidence.

One part is enough, so the parts are tried in turn, the smallest first, each with evidence of
another kind.  A caller that has already found such a part (:mod:`kt_cp.engines.decomposition`)
passes the divisions.  Then only evidence for the part itself, and for the required edges on the
way, is searched for.

Cost: that of the certificates of the parts.  When it loses: a graph that cannot be divided has no
evidence of this kind, and nothing is gained if a part is as hard as the whole.

A graph is divided into parts, each of which has a Hamiltonian cycle if the whole graph has one.
First the plain rules of the checker find edges that every Hamiltonian cycle uses, and edges that
none uses.  Paths of used edges are shrunk to one edge each.  Then the graph is divided at pairs of
vertices (:mod:`kt_cp.search.triconnected`).  If a pair leaves two pieces, a cycle passes each piece
once, so each piece has a cycle with a required edge between the pair.  If it leaves three pieces,
or two and there is a required edge between the pair, there is no cycle.  So the parts can be solved
separately.  The edges of their cycles, without the virtual ones, form a cycle of the whole.

Cost: linear in the edges, except for sorting them.  All parts are stored in a few arrays, where the
small ones are searched together; each part becomes an object only when it is requested.  When it
loses: most random graphs and most boards cannot be divided.

Each change of a part is a step of evidence of the kind ``split`` (:mod:`kt_cp.trust.check.split`).
Vertices have their numbers from the frame of the whole problem.  Edges are stored in arrays, and a
cycle is a mask over them, because a graph of 10^5 vertices may have as many parts, and sets of
pairs would take longer than all searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.proofs.certificate import rename_nodes
from kt_cp.search.edge_deduction import CYCLE, NONE, OPEN, UNUSED, USED, deduce_edges, find_cycles
from kt_cp.search.numba_arrays import sorted_unique
from kt_cp.search.triconnected import VIRTUAL, split_components
from kt_cp.trust.check.frame import END, MOST_SQUARES
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.split import PLAIN, frame_with_named_ends
from kt_cp.trust.check.state import Contradiction

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = [
    "CONTRADICTION",
    "PATH",
    "VIRTUAL",
    "Certify",
    "Edge",
    "NoCycle",
    "Part",
    "Whole",
    "as_evidence",
    "split",
]


Edge = tuple[int, int]

CONTRADICTION = {"kind": "forced", "tree": {}}
"""Evidence that the plain rules lead to a contradiction."""

PATH = -2
"""The value instead of the number of an edge that replaces a path of used edges."""


@dataclass
class Part:
    """A graph with required edges, in which a Hamiltonian cycle is sought.

    Attributes
    ----------
    vertices : int64 array
        Ascending.
    tails, heads : int64 arrays
        Ends of the edges by their places among the vertices, smaller one first, in lexicographic
        order.
    must : bool array
        A mask of the edges that the cycle has to use.
    edge : int64 array
        The number of each edge in the whole graph, or ``VIRTUAL`` or ``PATH``.
    """

    vertices: NDArray[np.int64]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    must: NDArray[np.bool_]
    edge: NDArray[np.int64]

    @classmethod
    def from_edges(
        cls,
        vertices: NDArray[np.int64],
        tails: NDArray[np.int64],
        heads: NDArray[np.int64],
        must: NDArray[np.bool_],
        edge: NDArray[np.int64],
    ) -> Part:
        """Return a part from edges in any order; their ends are numbers as in ``vertices``.

        Of two parallel edges, a required one is preferred.
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
        """Return the neighbours of each vertex, all by index, ascending."""
        rows: list[list[int]] = [[] for _ in range(len(self))]
        for u, v in zip(self.tails.tolist(), self.heads.tolist(), strict=True):
            rows[u].append(v)
            rows[v].append(u)
        return [sorted(row) for row in rows]

    def pairs(self, which: NDArray[np.bool_]) -> list[Edge]:
        """Return the ends of some edges, by their indices."""
        return list(zip(self.tails[which].tolist(), self.heads[which].tolist(), strict=True))

    def is_overfull(self) -> bool:
        """Return whether more than two required edges meet at a vertex."""
        ends = np.concatenate([self.tails[self.must], self.heads[self.must]])
        return len(ends) > 0 and int(np.bincount(ends).max()) > 2

    def cycle_mask(self, cycle: Sequence[int]) -> NDArray[np.bool_]:
        """Return the mask of the edges of a cycle, given by the indices of its vertices."""
        vertices = np.array(cycle, dtype=np.int64)
        ahead = np.roll(vertices, -1)
        key = np.minimum(vertices, ahead) * len(self) + np.maximum(vertices, ahead)
        chosen = np.zeros(len(self.tails), dtype=bool)
        chosen[np.searchsorted(self.tails * len(self) + self.heads, key)] = True
        return chosen

    def problem(self, names: Sequence[str]) -> Problem:
        """Return the part as a problem, in the layout of the checker."""
        import networkx as nx

        labels = [names[v] for v in self.vertices.tolist()]
        graph = nx.Graph()
        graph.add_nodes_from(labels)
        whole = np.ones(len(self.tails), dtype=bool)
        edges, require = (
            [(labels[u], labels[v]) for u, v in self.pairs(which)] for which in (whole, self.must)
        )
        graph.add_edges_from(edges)
        return Problem(graph=graph, closed=True, require=require)


@dataclass
class NoCycle:
    """A refutation of a part: the steps of a ``split``, and an end without a cycle.

    The end is a part, or evidence about the rest.  In a step for a required edge, another
    ``NoCycle`` takes the place of the evidence.
    """

    steps: list[Any]
    end: Part | dict[str, Any]


class Whole:
    """A problem as a part, with the names of its vertices, which steps refer to.

    Raises
    ------
    Refusal
        If it is too large, or a node has a name that is reserved for the checker.
    Contradiction
        If more than two edges at a vertex are required.
    """

    def __init__(self, problem: Problem) -> None:
        named = rename_nodes(problem)
        if problem.board is None:
            self.names, size, tails, heads, must = _lay_out_graph(named)
        else:
            frame = frame_with_named_ends(named)
            self.names, size = frame.names, len(frame)
            tails, heads = np.array(frame.edges(), dtype=np.int64).reshape(-1, 2).T
            must = [u * size + v for u, v in frame.must]
        needed = np.isin(tails * size + heads, must)
        self.part = Part(np.arange(size), tails, heads, needed, np.arange(len(tails)))
        if self.part.is_overfull():
            raise Contradiction("three edges that must be used meet at a vertex")
        self.size = problem.size

    @cached_property
    def number(self) -> dict[str, int]:
        """Return the vertex of each name."""
        return {name: v for v, name in enumerate(self.names)}

    def keep(self, vertices: Iterable[int]) -> dict[str, Any]:
        """Return the step that restricts the graph to these vertices."""
        return {"keep": [self.names[v] for v in vertices]}

    def pair_evidence(self, pair: Edge) -> dict[str, Any]:
        """Return evidence that a pair has three pieces, or two pieces and a required edge."""
        return {"kind": "tight", "sets": [[self.names[v] for v in pair]]}

    def use(self, edge: Edge, unless: NoCycle) -> dict[str, Any]:
        """Return the step that makes an edge required."""
        return {"use": [self.names[v] for v in edge], "unless": unless}


def _lay_out_graph(
    problem: Problem,
) -> tuple[list[str], int, NDArray[np.int64], NDArray[np.int64], list[int]]:
    """Return a graph in the layout of the checker, row by row, from existing arrays.

    The result has the names, their number, both ends of the edges, and the required edges as
    ``u * size + v``.
    """
    graph, names, forced = problem.indexed, [str(node) for node in problem.graph], problem.forced
    tails, heads = graph.tails, graph.heads
    if not problem.closed:
        end = len(names)
        names.append(f"{END} 1")
        if len(set(names)) <= end:
            raise Refusal(Reason.WRONG_QUESTION, f"a node is called {names[-1]!r}")
        ends = [graph.index[node] for node in (problem.start, problem.end) if node is not None]
        forced = [*forced, *((v, end) for v in ends)]
        joined = np.array(sorted(ends)) if len(ends) == 2 else np.arange(end)
        tails = np.concatenate([tails, joined])
        heads = np.concatenate([heads, np.full(len(joined), end)])
        order = np.lexsort((heads, tails))
        tails, heads = tails[order], heads[order]
    return names, len(names), tails, heads, [u * len(names) + v for u, v in forced]


SMALL, FAILURES = 1_000, 100
"""Most vertices of a part that is searched together with others, and most failures."""


@dataclass
class Division:
    """The division of a part by the plain rules and pairs of vertices.

    Attributes
    ----------
    part : Part
        The divided part.
    used : bool array
        A mask of its edges that are known to be used.
    firm : bool
        Whether it has no cut vertex; if it has one, it is not divided.
    group, tails, heads, edge : int64 arrays
        Edges of the smaller parts: the number of the part, both ends by their indices in the
        divided one, and the number there, ``VIRTUAL`` or ``PATH``.
    must : bool array
        A mask of those edges that are required.
    """

    part: Part
    used: NDArray[np.bool_]
    group: NDArray[np.int64]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    edge: NDArray[np.int64]
    must: NDArray[np.bool_]
    is_biconnected: bool = True

    def __post_init__(self) -> None:
        width = len(self.part)
        ends = np.concatenate([self.group * width + self.tails, self.group * width + self.heads])
        self._sizes = np.bincount(sorted_unique(ends) // width)  # vertices of each group

    def is_whole(self) -> bool:
        """Return whether there is a single part with all vertices."""
        is_single = len(self.group) > 0 and self.group[0] == self.group[-1]
        return bool(is_single and self._sizes[self.group[0]] == len(self.part))

    def parts(self) -> list[Part]:
        """Return the smaller parts, the smallest first."""
        if not len(self.group):
            return []
        bounds = [0, *(np.flatnonzero(np.diff(self.group)) + 1).tolist(), len(self.group)]
        parts = []
        for begin, end in pairwise(bounds):
            places = self.tails[begin:end], self.heads[begin:end]
            tails, heads = (self.part.vertices[each] for each in places)
            must, edge = self.must[begin:end], self.edge[begin:end]
            vertices = sorted_unique(np.concatenate([tails, heads]))
            parts.append(Part.from_edges(vertices, tails, heads, must, edge))
        return sorted(parts, key=len)

    def search_small_parts(self, most: float) -> int:
        """Search small parts, leave out those with a cycle, and return their number.

        Parameters
        ----------
        most : float
            A part of more vertices is not searched.
        """
        if not len(self.group):
            return 0
        rows = np.flatnonzero((self._sizes <= min(most, SMALL))[self.group])
        chosen, found = find_cycles(
            self.group[rows], self.tails[rows], self.heads[rows], self.must[rows], FAILURES
        )
        self._drop_edges(rows[np.isin(self.group[rows], self.group[rows[chosen]])], rows[chosen])
        return found

    def _drop_edges(self, entries: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
        """Leave out entries; some of them belong to cycles."""
        numbers = self.edge[chosen]
        self.used[numbers[numbers >= 0]] = True
        for name in ("group", "tails", "heads", "edge", "must"):
            setattr(self, name, np.delete(getattr(self, name), entries))

    def join_cycles(self, cycles: Iterable[tuple[Part, NDArray[np.bool_]]]) -> NDArray[np.bool_]:
        """Return a cycle of the divided part from one of each remaining part."""
        used = self.used.copy()
        for part, cycle in cycles:
            numbers = part.edge[cycle]
            used[numbers[numbers >= 0]] = True
        return used


def divide(part: Part, whole: Whole) -> Division | NoCycle:
    """Divide a part once; the result can be divided again, because more edges are then known."""
    size = len(part)
    known, verdicts, other = deduce_edges(np.array([0, size]), part.tails, part.heads, part.must)
    if verdicts[0] == NONE:
        return NoCycle([PLAIN], CONTRADICTION)
    used, open_ = known == USED, np.flatnonzero(known == OPEN)
    no_edges = open_[:0]
    if verdicts[0] == CYCLE:
        return Division(part, used, no_edges, no_edges, no_edges, no_edges, no_edges > 0)
    counts = np.bincount(np.concatenate([part.tails[used], part.heads[used]]), minlength=size)
    ends = np.flatnonzero((counts == 1) & (np.arange(size) < other))
    left, place = np.flatnonzero(counts < 2), np.cumsum(counts < 2) - 1
    edge = np.concatenate([open_, np.full(len(ends), PATH)])
    tails = place[np.concatenate([part.tails[open_], ends])]
    heads = place[np.concatenate([part.heads[open_], other[ends]])]
    found = split_components(len(left), tails, heads) if len(left) > 2 else None
    if found is None:  # too small, or it has a cut vertex
        rest = np.flatnonzero(known != UNUSED)
        ends_of = part.tails[rest], part.heads[rest]
        return Division(
            part, used, np.zeros_like(rest), *ends_of, rest, used[rest], is_biconnected=False
        )
    is_virtual = found.edge < 0
    keys = found.tails * size + found.heads
    pairs, sides = np.unique(keys[is_virtual], return_counts=True)
    full = pairs[(sides > 2) | np.isin(pairs, (tails * size + heads)[edge == PATH])]
    if len(full):
        u, v = (int(part.vertices[left[place]]) for place in divmod(int(full[0]), size))
        return NoCycle([PLAIN], whole.pair_evidence((u, v)))
    number = np.where(is_virtual, VIRTUAL, edge[found.edge])
    group = np.repeat(np.arange(len(found.bounds) - 1), np.diff(found.bounds))
    places = left[found.tails], left[found.heads]
    result = Division(part, used, group, *places, number, number < 0)
    cycles = np.flatnonzero((result._sizes == np.diff(found.bounds))[group])
    result._drop_edges(cycles, cycles)
    return result


Certify = Callable[[Request], dict[str, Any] | None]
"""Evidence of another kind for a problem."""


def split(request: Request, certify: Certify) -> dict[str, Any] | None:
    """Return evidence that a part has no cycle, or None; parts at three edges are left out.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.proofs.certify import certify
    >>> petersen = nx.petersen_graph()
    >>> petersen.remove_edge(0, 1)
    >>> petersen.add_edges_from([(0, 10), (10, 11), (10, 12), (11, 12), (11, 1), (12, 1)])
    >>> made = certify(Request.begin(Problem(graph=petersen, closed=True)), ("split",)).certificate
    >>> made.kind, made.document["evidence"]["steps"][0]
    ('split', 'plain')
    """
    if request.problem.size > MOST_SQUARES:
        return None
    try:
        whole = Whole(request.problem)
    except (Refusal, Contradiction):
        return None
    stack: list[tuple[list[Any], Part]] = [([], whole.part)]
    while stack and not request.expired():
        steps, part = stack.pop()
        if part.is_overfull():
            return as_evidence(whole, NoCycle(steps, CONTRADICTION), request, certify)
        divided = divide(part, whole)
        if isinstance(divided, NoCycle):
            refuted = NoCycle([*steps, *divided.steps], divided.end)
            return as_evidence(whole, refuted, request, certify)
        if not divided.is_whole():
            for each in reversed(divided.parts()):
                stack.append(([*steps, PLAIN, whole.keep(each.vertices)], each))
        elif steps:
            found = as_evidence(whole, NoCycle(steps, part), request, certify)
            if found is not None:
                return found
    return None


def as_evidence(
    whole: Whole, refuted: NoCycle, request: Request, certify: Certify
) -> dict[str, Any] | None:
    """Return the evidence including that of its ends, or None if an end has none."""
    end = refuted.end
    then = certify(request.about(end.problem(whole.names))) if isinstance(end, Part) else end
    if then is None or not refuted.steps:
        return then
    steps = []
    for step in refuted.steps:
        if isinstance(step, dict) and "unless" in step:
            unless = as_evidence(whole, step["unless"], request, certify)
            if unless is None:
                return None
            step = {**step, "unless": unless}
        steps.append(step)
    return {"kind": "split", "steps": steps, "then": then}
