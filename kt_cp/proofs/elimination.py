"""An order in which vertices are taken out of the cycle, for refutations of narrow graphs.

Cuts say of one set of vertices after the other that a cycle leaves it.  Where few vertices separate
the parts of a large graph, as in a flower snark, there are exponentially many ways to choose edges
and each fails for a reason of its own; but what one part does to the rest can be said in the edges
between the few.  The clauses of :mod:`kt_cp.trust.check.formula` have variables for that.  They
are few where the vertices that are taken out have few neighbours by then, so the vertex with fewest
goes next.

Source: N.-F. Zhou, CP 2024, as :mod:`kt_cp.encodings.elimination`; the order by least degree is of
:mod:`kt_cp.encodings.chordal_completion`.

Cost: Σ d (d - 1) variables and at most twice as many clauses, for d neighbours.

When it loses: On boards, where d soon is twice the shorter side and more; there cuts do better.
"""

from __future__ import annotations

from kt_cp.encodings.chordal_completion import minimum_degree
from kt_cp.model.problem import Problem
from kt_cp.trust.check.formula import LEFT
from kt_cp.trust.check.frame import frame_of

WIDEST = 12
"""Most neighbours of a vertex that is taken out, where this is worth trying."""


def narrow_order(problem: Problem) -> list[int]:
    """Squares by number, in an order in which they are taken out; none where it is too wide.

    Examples
    --------
    >>> import networkx as nx
    >>> narrow_order(Problem(graph=nx.cycle_graph(6), closed=True))
    [0, 1, 2]
    >>> narrow_order(Problem("8x8", closed=True))
    []
    """
    frame = frame_of(problem)
    adjacent = {vertex: set(row) for vertex, row in enumerate(frame.neighbours)}
    order: list[int] = []
    for vertex, others in minimum_degree(adjacent):
        if len(adjacent) <= LEFT or vertex >= frame.squares:
            break
        if len(others) > WIDEST:
            return []
        order.append(vertex)
    return order
