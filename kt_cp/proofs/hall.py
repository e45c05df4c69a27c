"""Squares of one colour with too few neighbours, from a matching; and what a flow adds.

Take a set X of squares of one colour and remove its neighbours.  Then each square of X is a
component by itself, and if anything else is left, there is one component more.  P. Hall's theorem
says when X is larger than its neighbourhood: when no matching covers X.  Alternating paths from a
square that the largest matching leaves out reach such an X.  If the matching covers all squares of
a colour, there may still be an X just as large as its neighbourhood.  Such an X is closed in the
residual graph of the matching.  The strongly connected components of that graph, in the order of
Tarjan's algorithm, build up all such sets, smallest first.  Both colours are looked at.

A flow of two units (:mod:`kt_cp.search.flow`) finds sets whose removal leaves trees.

Source: P. Hall 1935, D. König 1931; the decomposition by components goes back to A. Dulmage and
N. Mendelsohn, "Coverings of bipartite graphs", 1958.  Cost: the matching needs single augmenting
paths after a greedy start, and is linear for nearly all of them, so it is tried on boards of any
size.  When it loses: neither technique finds sets that leave several components with cycles in
them, as the inner four squares of a 4x4 board do; a solver does, on small boards
(:mod:`kt_cp.proofs.labels`).
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.search.breadth_first import reached
from kt_cp.search.depth_first import strong_components
from kt_cp.search.flow import Flow
from kt_cp.search.work import ShouldStop, poll
from kt_cp.trust.check.frame import Frame

MOST_SETS = 20
"""Closed sets of each colour that are looked at, and squares left out of the matching."""


def candidates(frame: Frame, colour: list[int], should_stop: ShouldStop) -> Iterator[set[int]]:
    """Sets of squares whose removal may leave too many pieces; the caller counts.

    Parameters
    ----------
    colour : list of int
        0 or 1 for each square; neighbours differ.

    Raises
    ------
    GaveUpError
        If it is to stop.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem(graph=nx.complete_bipartite_graph(2, 3), closed=True))
    >>> {0, 1} in candidates(frame, [0, 0, 1, 1, 1], lambda: False)
    True
    """
    size = frame.squares
    links = [{v for v in frame.neighbours[u] if v < size} for u in range(size)]
    for shade in (0, 1):
        side = [vertex for vertex in range(size) if colour[vertex] == shade]
        yield from _closed(links, side, _matching(links, side, should_stop), should_stop)
    problem = frame.problem
    given = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
    ends = [] if problem.closed else given
    need = [2] * size
    for end in ends:
        need[end] -= 1
    slack = 0 if problem.closed else 1 - sum(colour[end] == 0 for end in ends)
    cut = Flow(links, need, colour, slack, should_stop).cut()
    if cut is not None and cut.excess > 0:
        yield cut.squares


def _matching(links: list[set[int]], side: list[int], should_stop: ShouldStop) -> dict[int, int]:
    """Partners of the other colour's squares in a largest matching."""
    partner: dict[int, int] = {}
    short = []
    for u in side:
        free = min((v for v in links[u] if v not in partner), default=-1)
        if free < 0:
            short.append(u)
        else:
            partner[free] = u
    for step, source in enumerate(short):
        if step % 16 == 0:
            poll(should_stop)
        reached_from: dict[int, int] = {}
        gave_up = {source: -1}
        stack = [source]
        while stack:
            u = stack.pop()
            free = -1
            for v in links[u]:
                if v not in reached_from:
                    reached_from[v] = u
                    if v not in partner:
                        free = v
                        break
                    gave_up[partner[v]] = v
                    stack.append(partner[v])
            if free >= 0:
                while free >= 0:
                    u = reached_from[free]
                    partner[free] = u
                    free = gave_up[u]
                break
    return partner


def _closed(
    links: list[set[int]], side: list[int], partner: dict[int, int], should_stop: ShouldStop
) -> Iterator[set[int]]:
    """Neighbourhoods of sets that are as large or larger, small ones first."""

    def arcs(u: int) -> list[int]:
        return [partner[v] for v in sorted(links[u]) if v in partner and partner[v] != u]

    covered = set(partner.values())
    left_out = [u for u in side if u not in covered]
    together: set[int] = set()
    for u in left_out[:MOST_SETS]:
        poll(should_stop)
        found = reached([u], arcs)
        together |= found
        yield _around(links, found)
    if len(left_out) > 1:
        yield _around(links, together)
    # A component that leads nowhere is closed by itself; so are the first few together.
    chain = strong_components(len(links), side, arcs)
    inside: set[int] = set()
    place = {u: number for number, component in enumerate(chain) for u in component}
    alone = [
        component
        for number, component in enumerate(chain)
        if all(place[other] == number for u in component for other in arcs(u))
    ]
    for component in sorted(alone, key=len)[:MOST_SETS]:
        yield _around(links, set(component))
    for component in chain[:MOST_SETS]:
        inside |= set(component)
        yield _around(links, inside)


def _around(links: list[set[int]], squares: set[int]) -> set[int]:
    return {v for u in squares for v in links[u]}
