"""Exact cover as a Hamiltonian cycle: how puzzles become graphs here.

Given sets of items, are there some that hold every item exactly once?  Most puzzles are this
question, so one reduction does for all.  It is that of C. H. Papadimitriou and K. Steiglitz,
Combinatorial Optimization (1982), section 15.6: a ring of links, one for each set and one for each
item.  A set's link is passed along one of two lines, *taken* or *left*; an item's along one line
for each set that holds it.  Between the line on which a set is left and its line in an item's link
stands an *exclusive or*: twelve nodes, of which the four in the middle have degree two.  A cycle
visits all twelve from one side or from the other, so it uses exactly one of the two lines.

Which reductions the Challenge Set used is said of few of its puzzles; theirs are other graphs than
these, of the same kind: nearly all nodes of degree two and three.  A cover of N incidences makes
12 · N nodes and one for each link.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from benchmarks.graphs.planted import Edge, Planted, planted

WIDTH = 4
"""Nodes on either side of an exclusive or: with fewer, a cycle could cross to the other side."""


def exact_cover(sets: Sequence[Collection[Hashable]], chosen: Collection[int]) -> Planted:
    """The graph of these sets, and the cycle of some of them that hold every item once.

    Raises
    ------
    ValueError
        If the chosen sets are no exact cover.

    Examples
    --------
    >>> from benchmarks.graphs.planted import is_cycle
    >>> made = exact_cover([{1, 2}, {3}, {2, 3}], {0, 1})
    >>> len(made.graph), is_cycle(*made)
    (66, True)
    """
    by: dict[Hashable, list[int]] = {}
    for number, items in enumerate(sets):
        for item in sorted(items, key=repr):
            by.setdefault(item, []).append(number)
    covered = [item for number in chosen for item in sets[number]]
    if sorted(map(repr, covered)) != sorted(map(repr, by)):
        raise ValueError("expected every item exactly once in the chosen sets")
    edges: list[Edge] = []
    for item, holding in by.items():
        for number in holding:
            edges += _exclusive_or((number, item))
    cycle: list[Hashable] = []
    links = [*range(len(sets)), *by]
    keys = [("link", place) for place in range(len(links))]
    taken = set(chosen)
    for place, link in enumerate(links):
        ends = keys[place], keys[(place + 1) % len(keys)]
        cycle.append(ends[0])
        if place < len(sets):
            edges.append(ends)
            corners = [(link, item) for item in sorted(sets[place], key=repr)]
            edges += _line(ends, corners, "left")
            if place not in taken:
                cycle += _passed(corners, "left", "used")
            continue
        for number in by[link]:
            edges += _line(ends, [(number, link)], "used")
            if number in taken:
                cycle += _passed([(number, link)], "used", "left")
    return planted(edges, cycle)


def _exclusive_or(corner: Hashable) -> list[Edge]:
    edges: list[Edge] = []
    for place in range(WIDTH):
        middle = (corner, "middle", place)
        for side in ("left", "used"):
            edges.append(((corner, side, place), middle))
            if place:
                edges.append(((corner, side, place - 1), (corner, side, place)))
    return edges


def _line(ends: Edge, corners: Sequence[Hashable], side: str) -> list[Edge]:
    """A line from one link to the next, past one side of each corner."""
    starts = [(corner, side, 0) for corner in corners]
    stops = [(corner, side, WIDTH - 1) for corner in corners]
    return list(zip([ends[0], *stops], [*starts, ends[1]], strict=True))


def _passed(corners: Sequence[Hashable], side: str, other: str) -> list[Hashable]:
    """All nodes of the corners, in the order in which a cycle along that side visits them."""
    nodes: list[Hashable] = []
    for corner in corners:
        for place in range(WIDTH):
            across = [(corner, side, place), (corner, "middle", place), (corner, other, place)]
            nodes += across if place % 2 == 0 else across[::-1]
    return nodes
