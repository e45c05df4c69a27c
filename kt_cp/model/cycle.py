"""Every problem as a Hamiltonian cycle that must use certain edges.

An open tour becomes a cycle through one more vertex, the *depot*, joined to every square at which
the tour may begin or end.  If the start or end is prescribed, its edge to the depot is forced.  If
both are prescribed, there is no depot: the *virtual edge* between them is forced instead.  But if a
move between these two squares is required, the depot stays, because the virtual edge would replace
that move.

Forbidden moves are not in the graph, and required moves are forced.

On a bipartite graph of odd order both ends have the majority colour, so the depot is adjacent only
to squares of that colour.  The form is exact for problems with at least three squares;
:func:`tiny` answers smaller ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.model.conditions import Given
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.model.tour import Tour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class CycleForm:
    """A problem as a Hamiltonian cycle.

    Attributes
    ----------
    graph : IndexedGraph
        The problem's vertices with their own numbers, then the depot if there is one.
    forced : list of (int, int)
        Edges that the cycle must contain, smaller vertex first.
    depot : int or None
        Number of the additional vertex, or of the first one if several are consecutive in every
        cycle.
    """

    problem: Problem
    graph: IndexedGraph
    forced: list[tuple[int, int]]
    depot: int | None

    def __len__(self) -> int:
        return len(self.graph)

    def tour(self, cycle: Sequence[int]) -> Tour:
        """Return the tour of the problem for a Hamiltonian cycle of this form."""
        problem, index = self.problem, self.problem.indexed.index
        walk = list(cycle)
        if self.depot is not None:
            at = walk.index(self.depot)
            walk = [v for v in walk[at + 1 :] + walk[:at] if v < self.depot]
        if any(isinstance(each, Given) for each in problem.conditions):
            return as_tour(problem, self._as_given(walk))
        if self.depot is not None:
            if problem.start is not None:
                backwards = walk[0] != index[problem.start]
            else:
                backwards = problem.end is not None and walk[-1] != index[problem.end]
            walk = walk[::-1] if backwards else walk
        else:
            first = 0 if problem.start is None else index[problem.start]
            at = walk.index(first)
            walk = walk[at:] + walk[:at]
            if problem.end is not None and walk[-1] != index[problem.end]:
                walk = [walk[0], *reversed(walk[1:])]
        return as_tour(problem, walk)

    def _as_given(self, walk: list[int]) -> list[int]:
        """Return the walk, reversed and rotated to fit given steps; unchanged if nothing fits."""
        steps = prescribed_steps(self.problem) or {}
        for way in (walk, walk[::-1]):
            turn = 0
            if self.depot is None and steps:
                vertex, step = next(iter(steps.items()))
                turn = way.index(vertex) - step
            turned = way[turn:] + way[:turn]
            if all(turned[step] == vertex for vertex, step in steps.items()):
                return turned
        return walk


def as_tour(problem: Problem, vertices: Sequence[int]) -> Tour:
    """Return the tour with these vertex numbers of ``problem.indexed``."""
    nodes = problem.indexed.nodes
    return problem.tour([nodes[vertex] for vertex in vertices])


def cycle_form(problem: Problem) -> CycleForm:
    """Return a problem of at least three squares as a Hamiltonian cycle."""
    graph, required = problem.indexed, problem.forced
    ends = [graph.index[end] for end in (problem.start, problem.end) if end is not None]
    if problem.closed:
        return CycleForm(problem, graph, required, None)
    first, last = min(ends, default=0), max(ends, default=0)
    if len(ends) == 2 and (first, last) not in required:
        forced = [*required, (first, last)]
        if last in graph.neighbours[first]:
            return CycleForm(problem, graph, forced, None)
        return CycleForm(problem, _with_edges(graph, [(first, last)]), forced, None)
    depot = len(graph)
    joined = sorted({*allowed_ends(problem), *ends})
    forced = [*required, *((end, depot) for end in ends)]
    return CycleForm(problem, _with_edges(graph, [(v, depot) for v in joined]), forced, depot)


def form_orbits(form: CycleForm) -> NDArray[np.int64]:
    """Return the orbit of each edge under the required symmetry; -1 if no such tour uses the edge.

    A symmetry maps the ends of an open tour to each other or to themselves.  So it fixes the depot,
    and if it does not map a virtual edge to itself, every edge is -1.

    >>> form = cycle_form(Problem("4x4", symmetry="diagonal", start="a1", end="b4"))
    >>> set(form_orbits(form).tolist())
    {-1}
    """
    import numpy as np

    from kt_cp.model.orbits import move_orbits

    problem = form.problem
    orbit = move_orbits(problem, form.graph)
    if problem.closed or form.depot is not None:
        return orbit
    index = problem.indexed.index
    ends = sorted((index[problem.start], index[problem.end]))
    virtual = form.graph.pairs().index((ends[0], ends[1]))
    alone = int((orbit == orbit[virtual]).sum()) == 1
    return orbit if alone and orbit[virtual] >= 0 else np.full_like(orbit, -1)


def prescribed_steps(problem: Problem) -> dict[int, int] | None:
    """Return the step, from 0, of each vertex that is an end or given; None if two conflict."""
    clues = [(problem.start, 0), (problem.end, problem.size - 1)]
    given = [each for each in problem.conditions if isinstance(each, Given)]
    clues += [(each.square, each.step - 1) for each in given]
    known = {(square, step) for square, step in clues if square is not None}
    if any(len(set(each)) < len(known) for each in zip(*known, strict=True)):
        return None
    index = problem.indexed.index if known else {}
    return dict(sorted((index[square], step) for square, step in known))


def allowed_ends(problem: Problem) -> list[int]:
    """Return the vertices at which an open tour may begin or end according to their colours."""
    graph = problem.indexed
    if len(graph) % 2 and graph.colours is not None and len(graph.components) == 1:
        majority = int(2 * sum(graph.colours) > len(graph))
        return [vertex for vertex, colour in enumerate(graph.colours) if colour == majority]
    return list(range(len(graph)))


def _with_edges(graph: IndexedGraph, added: list[tuple[int, int]]) -> IndexedGraph:
    import numpy as np

    size = max(len(graph), max(head for _, head in added) + 1)
    nodes = [*graph.nodes, *range(len(graph), size)]
    more = np.array(added, dtype=np.int64).reshape(len(added), 2)
    tails = np.concatenate([graph.tails, more[:, 0]])
    heads = np.concatenate([graph.heads, more[:, 1]])
    order = np.lexsort((heads, tails))
    return IndexedGraph(nodes, tails[order], heads[order])


def cycles_of(links: list[list[int]]) -> list[list[int]]:
    """Return the cycles of a graph in which every vertex has two neighbours."""
    cycles = []
    seen = [False] * len(links)
    for first, (following, _) in enumerate(links):
        if seen[first]:
            continue
        cycle, previous, vertex = [first], first, following
        while vertex != first:
            seen[vertex] = True
            cycle.append(vertex)
            one, other = links[vertex]
            previous, vertex = vertex, other if one == previous else one
        cycles.append(cycle)
    return cycles


def tiny(problem: Problem) -> tuple[list[int] | None, str] | None:
    """Return the vertices or None, and a reason, for fewer than three squares; otherwise None."""
    size = problem.size
    if size > 2:
        return None
    if problem.closed:
        are = "is 1" if size == 1 else f"are {size}"
        return None, f"a closed tour needs at least 3 {terms(problem).square}s, and there {are}"
    if size == 1:
        return [0], ""
    if not len(problem.indexed.tails):
        why = "joined by a forbidden move alone" if problem.forbid else "not a move apart"
        return None, f"the two squares are {why}"
    from kt_cp.model.orbits import move_orbits

    if (move_orbits(problem) < 0).any():
        return None, "the symmetry carries the only move to none"
    steps = prescribed_steps(problem)
    for walk in ([0, 1], [1, 0]):
        if steps is not None and all(walk[step] == vertex for vertex, step in steps.items()):
            return walk, ""
    return None, "the given steps contradict each other"
