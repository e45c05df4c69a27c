"""A graph divided into parts, each of which must have a cycle of its own where the whole has one.

The plain rules of the checker say first which edges every Hamiltonian cycle uses, and which none
does.  Paths of used edges are shrunk to one edge each.  Then pairs of vertices part the graph
(:mod:`kt_cp.search.triconnected`): where it falls into two at a pair, a cycle passes each of the
two once, so each has a cycle with an edge between the pair that must be used.  Where there are
three such pieces, or two beside an edge that must be used, there is no cycle.  So the parts are
questions of their own, and cycles of all of them make one of the whole: their edges together,
without those that stood for something.

Cost: linear in the edges but for sorting them.  All parts stay in a few arrays, where the small
ones are searched together; whoever asks for a part gets it as an object of its own.  When it loses:
most graphs that are made at random, and most boards, cannot be parted, and then it was for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.proofs.split import CONTRADICTION, PATH, VIRTUAL, Part, Refuted, Whole
from kt_cp.search.flat import distinct
from kt_cp.search.settled import CYCLE, NONE, OPEN, UNUSED, USED, each_settled, settled
from kt_cp.search.triconnected import split_components
from kt_cp.trust.check.split import PLAIN

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL, FAILURES = 1_000, 100
"""Vertices of a part that is searched together with others, and when that is given up."""


@dataclass
class Division:
    """What a part comes to by the plain rules and pairs of vertices.

    Attributes
    ----------
    part : Part
        What is divided.
    used : bool array
        Which of its edges are used, as far as that is known.
    firm : bool
        Whether no vertex cuts it; if one does, it is not divided.
    group, tails, heads, edge : int64 arrays
        Edges of the smaller parts: which part it is, both ends by their places in the divided one,
        and the number there, ``VIRTUAL`` or ``PATH``.
    must : bool array
        Which of them must be used.
    """

    part: Part
    used: NDArray[np.bool_]
    group: NDArray[np.int64]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    edge: NDArray[np.int64]
    must: NDArray[np.bool_]
    firm: bool = True

    def __post_init__(self) -> None:
        width = len(self.part)
        ends = np.concatenate([self.group * width + self.tails, self.group * width + self.heads])
        self._sizes = np.bincount(distinct(ends) // width)  # vertices of each group

    def same(self) -> bool:
        """Whether there is one part alone, with all the vertices."""
        one = len(self.group) > 0 and self.group[0] == self.group[-1]
        return bool(one and self._sizes[self.group[0]] == len(self.part))

    def parts(self) -> list[Part]:
        """The smaller parts, the smallest first."""
        if not len(self.group):
            return []
        bounds = [0, *(np.flatnonzero(np.diff(self.group)) + 1).tolist(), len(self.group)]
        made = []
        for begin, end in pairwise(bounds):
            places = self.tails[begin:end], self.heads[begin:end]
            tails, heads = (self.part.vertices[each] for each in places)
            vertices = distinct(np.concatenate([tails, heads]))
            made.append(Part.of(vertices, tails, heads, self.must[begin:end], self.edge[begin:end]))
        return sorted(made, key=len)

    def searched(self, most: float) -> int:
        """Leave out small parts that have a cycle; how many.

        Parameters
        ----------
        most : float
            A part of more vertices is left as it is.
        """
        if not len(self.group):
            return 0
        of = np.flatnonzero((self._sizes <= min(most, SMALL))[self.group])
        chosen, found = each_settled(
            self.group[of], self.tails[of], self.heads[of], self.must[of], FAILURES
        )
        self._leave(of[np.isin(self.group[of], self.group[of[chosen]])], of[chosen])
        return found

    def _leave(self, entries: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
        """Leave entries out, of which some are those of cycles."""
        numbers = self.edge[chosen]
        self.used[numbers[numbers >= 0]] = True
        for name in ("group", "tails", "heads", "edge", "must"):
            setattr(self, name, np.delete(getattr(self, name), entries))

    def joined(self, cycles: Iterable[tuple[Part, NDArray[np.bool_]]]) -> NDArray[np.bool_]:
        """A cycle of the divided part from one of each part that is left."""
        used = self.used.copy()
        for part, cycle in cycles:
            numbers = part.edge[cycle]
            used[numbers[numbers >= 0]] = True
        return used


def division(part: Part, whole: Whole) -> Division | Refuted:
    """Divide a part once; what comes may be divided again, since more is then known."""
    size = len(part)
    known, told, other = settled(np.array([0, size]), part.tails, part.heads, part.must)
    if told[0] == NONE:
        return Refuted([PLAIN], CONTRADICTION)
    used, open_ = known == USED, np.flatnonzero(known == OPEN)
    nothing = open_[:0]
    if told[0] == CYCLE:
        return Division(part, used, nothing, nothing, nothing, nothing, nothing > 0)
    many = np.bincount(np.concatenate([part.tails[used], part.heads[used]]), minlength=size)
    ends = np.flatnonzero((many == 1) & (np.arange(size) < other))
    left, place = np.flatnonzero(many < 2), np.cumsum(many < 2) - 1
    edge = np.concatenate([open_, np.full(len(ends), PATH)])
    tails = place[np.concatenate([part.tails[open_], ends])]
    heads = place[np.concatenate([part.heads[open_], other[ends]])]
    found = split_components(len(left), tails, heads) if len(left) > 2 else None
    if found is None:  # too small, or a vertex cuts it: a question for others
        kept = np.flatnonzero(known != UNUSED)
        ends_of = part.tails[kept], part.heads[kept]
        return Division(part, used, np.zeros_like(kept), *ends_of, kept, used[kept], firm=False)
    stands = found.edge < 0
    keys = found.tails * size + found.heads
    pairs, sides = np.unique(keys[stands], return_counts=True)
    full = pairs[(sides > 2) | np.isin(pairs, (tails * size + heads)[edge == PATH])]
    if len(full):
        u, v = (int(part.vertices[left[place]]) for place in divmod(int(full[0]), size))
        return Refuted([PLAIN], whole.between((u, v)))
    number = np.where(stands, VIRTUAL, edge[found.edge])
    group = np.repeat(np.arange(len(found.bounds) - 1), np.diff(found.bounds))
    places = left[found.tails], left[found.heads]
    divided = Division(part, used, group, *places, number, number < 0)
    cycles = np.flatnonzero((divided._sizes == np.diff(found.bounds))[group])
    divided._leave(cycles, cycles)
    return divided
