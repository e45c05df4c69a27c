"""Sides of cuts of three edges: each is asked for every two of the edges, then shrunk to a vertex.

A cycle uses two of the three edges of a cut, and passes the side once.  For each of the three edges
the side is asked for a path between the ends of the other two.  If there is none, the edge must be
used.  So required edges at a single vertex in its place tell the rest all that it needs to know of
the side, and for every cycle of the rest the path in the side is known already.

Cost: three questions for each side, of the size of the smaller one.  When it loses: a side that is
nearly half of a hard graph is asked three times.  A question gets little time, and a side with an
unanswered question is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.proofs.split import CONTRADICTION, FAILURES, SMALL, VIRTUAL, Part, Refuted, Whole
from kt_cp.search.edge_deduction import find_cycles
from kt_cp.search.numba_arrays import csr_rows, sorted_unique
from kt_cp.search.three_cuts import three_cuts

if TYPE_CHECKING:
    from numpy.typing import NDArray

Ask = Callable[[Part], "NDArray[np.bool_] | Refuted | None"]
"""A cycle of a part, as edges, or why there is none; None where that was not found out."""


@dataclass
class Side:
    """A side of three edges, which is to be one vertex.

    Attributes
    ----------
    inside : int64 array
        Its vertices, ascending.
    out : list of (int, int, int)
        The number of each of the three edges, its end in the side and the other one.
    within : int64 array
        Numbers of the edges between its vertices.
    cycles : list of int64 array or None
        Edges of the side that go with any two of the three: without the first, the second, the
        third.
    """

    inside: NDArray[np.int64]
    out: list[tuple[int, int, int]]
    within: NDArray[np.int64]
    cycles: list[NDArray[np.int64] | None] = field(default_factory=lambda: [None] * 3)

    def pair(self, gone: int) -> tuple[int, int]:
        """The ends in the side of two of the three edges."""
        u, v = sorted(end for k, (_, end, _) in enumerate(self.out) if k != gone)
        return u, v

    def barred(self, part: Part, gone: int) -> bool:
        """Whether an edge that must be used stands between these two already."""
        needed = self.within[part.must[self.within]]
        u, v = self.pair(gone)
        return bool(((part.tails[needed] == u) & (part.heads[needed] == v)).any())

    def question(self, part: Part, gone: int) -> Part:
        """The side with an edge between the two, which must be used."""
        u, v = part.vertices[[*self.pair(gone)]]
        tails, heads = (part.vertices[each[self.within]] for each in (part.tails, part.heads))
        return Part.of(
            part.vertices[self.inside], np.append(tails, u), np.append(heads, v),
            np.append(part.must[self.within], True), np.append(self.within, VIRTUAL),
        )  # fmt: skip


@dataclass
class Shrunk:
    """A part with sides as single vertices."""

    part: Part
    before: Part
    sides: list[Side]

    def restored(self, cycle: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The cycle that a cycle of the shrunk part stands for."""
        used = np.zeros(len(self.before.tails), dtype=bool)
        used[self.part.edge[cycle]] = True
        for side in self.sides:
            (gone,) = (k for k, (edge, _, _) in enumerate(side.out) if not used[edge])
            inside = side.cycles[gone]
            assert inside is not None, "an edge that must be used is not"
            used[inside] = True
        return used


def shrunk_sides(
    part: Part, whole: Whole, steps: list[Any], seed: int, ask: Ask
) -> Shrunk | Refuted | None:
    """The part with sides of three edges shrunk, and these; None where there are none.

    The steps to it are added to those given.
    """
    sides = _sides(part, seed + len(steps))
    must = part.must.copy()
    known = _quick(part, sides)
    shrunk = []
    for place, side in enumerate(sides):
        side.cycles = known[3 * place : 3 * place + 3]
        refuted = _asked(part, whole, must, side, steps, ask)
        if refuted is not None:
            return refuted
        if any(cycle is not None for cycle in side.cycles):
            shrunk.append(side)
    if not shrunk:
        return None
    # A vertex of the side stands for it, the least one.
    stands = np.arange(len(part))
    for side in shrunk:
        stands[side.inside] = side.inside[0]
    inside = np.concatenate([side.inside for side in shrunk])
    steps.append(whole.keep(np.delete(part.vertices, inside)))
    tails, heads = stands[part.tails], stands[part.heads]
    left = np.flatnonzero(tails != heads)
    tails, heads = (part.vertices[each[left]] for each in (tails, heads))
    vertices = part.vertices[sorted_unique(stands)]
    return Shrunk(Part.of(vertices, tails, heads, must[left], left), part, shrunk)


def _sides(part: Part, seed: int) -> list[Side]:
    """Sides of three edges."""
    found = three_cuts(len(part), part.tails, part.heads, seed)
    if not found:
        return []
    start, near, edge = csr_rows(len(part), part.tails, part.heads)
    sides = []
    for inside in found:
        at = np.sort(inside)
        places = np.concatenate([np.arange(start[v], start[v + 1]) for v in at.tolist()])
        ends = np.repeat(at, start[at + 1] - start[at])
        leads_out = ~np.isin(near[places], at)
        out = [each[leads_out].tolist() for each in (edge[places], ends, near[places])]
        within = sorted_unique(edge[places[~leads_out]])
        sides.append(Side(at, list(zip(*out, strict=True)), within))
    return sides


def _quick(part: Part, sides: list[Side]) -> list[NDArray[np.int64] | None]:
    """Answers to the three questions of each side, as far as a short search of all finds any."""
    known: list[NDArray[np.int64] | None] = [None] * (3 * len(sides))
    asked = [
        (3 * place + gone, side.question(part, gone))
        for place, side in enumerate(sides)
        for gone in range(3)
        if len(side.inside) <= SMALL and not side.barred(part, gone)
    ]
    if not asked:
        return known
    group = np.repeat([number for number, _ in asked], [len(each.tails) for _, each in asked])
    tails, heads, must, edge = (
        np.concatenate([getattr(each, name) for _, each in asked])
        for name in ("tails", "heads", "must", "edge")
    )
    used, _ = find_cycles(group, tails, heads, must, FAILURES)
    used &= edge >= 0
    bounds = np.searchsorted(group[used], np.arange(len(known) + 1)).tolist()
    for number, (begin, end) in enumerate(pairwise(bounds)):
        if begin < end:
            known[number] = edge[used][begin:end]
    return known


def _asked(
    part: Part,
    whole: Whole,
    must: NDArray[np.bool_],
    side: Side,
    steps: list[Any],
    ask: Ask,
) -> Refuted | None:
    """Find what cycles the side has; none at all where that of one question was not found out.

    Edges that must be used are added to ``must``, and the proofs of that to ``steps``.
    """
    keep = whole.keep(part.vertices[side.inside])
    lemmas = []
    for gone, (edge, *_) in enumerate(side.out):
        if must[edge]:
            side.cycles[gone] = None
        elif side.barred(part, gone):
            u, v = part.vertices[[*side.pair(gone)]].tolist()
            lemmas.append((edge, Refuted([], whole.between((u, v)))))
        elif side.cycles[gone] is None:
            asked = side.question(part, gone)
            found = ask(asked)
            if found is None:
                side.cycles = [None] * 3
                return None
            if isinstance(found, Refuted):
                lemmas.append((edge, Refuted([keep, *found.steps], found.end)))
            else:
                side.cycles[gone] = asked.edge[found & (asked.edge >= 0)]
    if all(cycle is None for cycle in side.cycles):
        return Refuted([*steps, keep], _closed_off(part, must, side))
    for edge, refuted in lemmas:
        u, v = part.vertices[[part.tails[edge], part.heads[edge]]].tolist()
        steps.append(whole.use((u, v), refuted))
        must[edge] = True
        if replace(part, must=must).overfull():
            return Refuted([*steps], CONTRADICTION)
    return None


def _closed_off(part: Part, must: NDArray[np.bool_], side: Side) -> Part | dict[str, Any]:
    """A side with all else as a single vertex."""
    rest = int(np.setdiff1d(np.arange(len(part)), side.inside)[0])
    edges = np.append(side.within, [edge for edge, _, _ in side.out])
    tails, heads = part.tails[edges], part.heads[edges]
    for ends in (tails, heads):
        ends[~np.isin(ends, side.inside)] = rest
    vertices = np.sort(np.append(side.inside, rest))
    tails, heads = part.vertices[tails], part.vertices[heads]
    closed = Part.of(part.vertices[vertices], tails, heads, must[edges], edges)
    return CONTRADICTION if closed.overfull() else closed
