"""Variable order: number the arcs so that a solver lays the tour from one end to the other.

CaDiCaL and Kissat decide the last open variable first, and try to make it true; only conflicts
change that order.  So the arcs are the last variables, and the arcs farthest from some vertex are
the very last.  The solver then works from the far end of the graph towards that vertex. What is not
an arc follows from the arcs by propagation, or is decided after them.  The order is breadth-first.
The edges of a depot are the very first to be decided: they say where the tour ends.

Source: The initial order of decisions in CaDiCaL (A. Biere) and the sweep are put together here;
static orders by breadth-first search are common in constraint programming.

Cost: One breadth-first search.

When it loses: With solvers that begin with other variables.  An order along the ranks fails on long
and on large boards.
"""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.model.cycle import CycleForm
from kt_cp.search.breadth_first import spread

Edge = tuple[int, int]


def breadth_first_edges(
    form: CycleForm, start: int, neighbours: Sequence[Sequence[int]]
) -> list[Edge]:
    """Edges from the start outwards, nearer end first; then those of the depot.

    Parameters
    ----------
    neighbours : sequence
        Those of each vertex in the graph in which distance counts; other edges come first.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> form = cycle_form(Problem(graph=nx.cycle_graph(5), closed=True))
    >>> breadth_first_edges(form, 0, form.graph.neighbours)
    [(0, 1), (0, 4), (1, 2), (4, 3), (2, 3)]
    """
    order: list[int] = []
    distance = [-1] * len(form)
    if form.depot is not None:
        distance[form.depot] = 0
    for root in (start, *range(len(form))):
        if distance[root] < 0:
            distance[root] = 0
            order += spread(distance, [root], neighbours.__getitem__)
    place = {vertex: step for step, vertex in enumerate(order)}
    if form.depot is not None:
        place[form.depot] = len(order)

    def key(edge: Edge) -> tuple[bool, int, int]:
        near, far = edge
        return far in inside[near], place[far], place[near]

    inside = [set(others) for others in neighbours]
    edges = [(u, v) if place[u] < place[v] else (v, u) for u, v in form.graph.pairs()]
    return sorted(edges, key=key)
