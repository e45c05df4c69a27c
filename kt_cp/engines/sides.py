"""Sides of three edges: asked for each two of them, and shrunk to one vertex.

A cycle uses two of three edges that cut a graph, and passes the side once.  For each of the three
the side is asked for a path between the ends of the other two.  Where there is none, the edge must
be used.  So all that the rest needs to know of the side is said by required edges at a single
vertex in its place, and the path that fits a cycle of the rest is known already.

Cost: three questions for each side, of the size of the smaller one.  When it loses: a side that is
nearly half of a hard graph is asked three times; a question gets little time, and a side with one
that is not answered is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kt_cp.proofs.parts import CONTRADICTION, Edge, Part, Refuted, Whole, edge_of, overfull
from kt_cp.search.three_cuts import three_cuts

Ask = Callable[[Part], set[Edge] | Refuted | None]
"""A cycle of a part, as edges, or why there is none; None where that was not found out."""


@dataclass
class Side:
    """A side of three edges, shrunk to one vertex.

    ``out`` are the three edges, from the side to the rest; ``cycles`` are those of the side without
    each of them, with an edge between the ends of the other two.
    """

    vertex: int
    out: list[Edge]
    cycles: list[set[Edge] | None]

    def restored(self, edges: set[Edge]) -> set[Edge]:
        """The cycle that a cycle through the vertex stands for."""
        at = {edge for edge in edges if self.vertex in edge}
        gone = next(k for k, (_, v) in enumerate(self.out) if edge_of(v, self.vertex) not in at)
        used = [edge for k, edge in enumerate(self.out) if k != gone]
        inside = self.cycles[gone]
        assert inside is not None, "an edge that must be used is not"
        inside = inside - {edge_of(used[0][0], used[1][0])}
        return (edges - at) | inside | {edge_of(u, v) for u, v in used}


def shrunk_sides(
    part: Part, whole: Whole, steps: list[Any], seed: int, ask: Ask
) -> tuple[Part, list[Side]] | Refuted | None:
    """The part with sides of three edges shrunk, and these; None where there are none.

    The steps to it are added to those given.
    """
    rows = part.rows()
    sides = []
    must, within = set(part.must), set()
    for places in three_cuts(rows, seed + len(steps)):
        inside = {part.vertices[place] for place in places}
        out = [
            (part.vertices[place], part.vertices[other])
            for place in places
            for other in rows[place]
            if part.vertices[other] not in inside
        ]
        side = _asked(part, whole, must, inside, out, steps, ask)
        if isinstance(side, Refuted):
            return side
        if side is not None:
            sides.append(side)
            within |= inside
    if not sides:
        return None
    kept = [v for v in part.vertices if v not in within]
    steps.append(whole.keep(kept))
    edges = {edge for edge in part.edges if not within & {*edge}}
    needed = {edge for edge in must if not within & {*edge}}
    for side in sides:
        for u, v in side.out:
            new = edge_of(v, side.vertex)
            edges.add(new)
            if edge_of(u, v) in must:
                needed.add(new)
    return Part(sorted([*kept, *(side.vertex for side in sides)]), edges, needed), sides


def _asked(
    part: Part,
    whole: Whole,
    must: set[Edge],
    inside: set[int],
    out: list[Edge],
    steps: list[Any],
    ask: Ask,
) -> Side | Refuted | None:
    """A side with its three answers, or None where one was not found.

    Edges that must be used are added to ``must``, and the proofs of that to ``steps``.
    """
    edges = {edge for edge in part.edges if inside >= {*edge}}
    within = {edge for edge in part.must if inside >= {*edge}}
    keep = whole.keep(sorted(inside))
    cycles: list[set[Edge] | None] = []
    lemmas = []
    for gone in out:
        if edge_of(*gone) in must:
            cycles.append(None)
            continue
        pair = edge_of(*(u for u, v in out if (u, v) != gone))
        if pair in within:
            lemmas.append((edge_of(*gone), Refuted([], whole.between(pair))))
            cycles.append(None)
            continue
        found = ask(Part(sorted(inside), edges | {pair}, within | {pair}))
        if found is None:
            return None
        if isinstance(found, Refuted):
            lemmas.append((edge_of(*gone), Refuted([keep, *found.steps], found.end)))
            cycles.append(None)
        else:
            cycles.append(found)
    if not any(cycles):
        return Refuted([*steps, keep], _closed_off(part, must, inside, out))
    for edge, refuted in lemmas:
        steps.append(whole.use(edge, refuted))
        must.add(edge)
        if overfull(must):
            return Refuted([*steps], CONTRADICTION)
    return Side(min(inside), out, cycles)


def _closed_off(
    part: Part, must: set[Edge], inside: set[int], out: list[Edge]
) -> Part | dict[str, Any]:
    """A side with all else as a single vertex."""
    rest = min(v for v in part.vertices if v not in inside)
    edges, needed = ({edge for edge in each if inside >= {*edge}} for each in (part.edges, must))
    for u, v in out:
        edges.add(edge_of(u, rest))
        if edge_of(u, v) in must:
            needed.add(edge_of(u, rest))
    if overfull(needed):
        return CONTRADICTION
    return Part(sorted([*inside, rest]), edges, needed)
