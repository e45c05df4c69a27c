"""The state of the edges in an argument: each is banned, forced, or open.

Whenever an edge is decided, three plain rules about a cycle through all vertices are applied until
nothing changes:

1. Every vertex has exactly two edges of the cycle.  If two edges are left, both are forced.  If two
   are forced, the others are banned.  Fewer left, or more forced, is a contradiction.
2. Forced edges form paths.  An edge that would close a path into a cycle is banned, unless that
   cycle has all vertices.  A shorter cycle of forced edges is a contradiction.
3. An edge both forced and banned is a contradiction.

The argument can also name a set of vertices, and :func:`remove` applies the counting rule: remove
the set and count the remaining pieces.  At least two edges of the cycle join every piece to the
set.  A vertex of the set has two edges of the cycle.  Forced edges within the set do not count, and
the vertex cannot use more edges to the outside than it has.  If the set offers fewer than two edges
for each piece, there is no such cycle.  If it offers exactly two for each piece, the set is
*tight*: every edge that it offers must lead outside, so edges within the set are banned.  This is
the toughness condition (V. Chvatal, "Tough graphs and Hamiltonian circuits", Discrete Mathematics
5, 1973) with forced edges.  With single squares as pieces it counts colours and independent sets,
and with an empty set it tests connectivity.

All rules only add to the state, so the result does not depend on the order in which they are
applied.  Memory and time are proportional to the number of edges; each edge is decided once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kt_cp.trust.check import sentences
from kt_cp.trust.check.frame import Frame, pieces_without


class Contradiction(Exception):  # noqa: N818  not an error: it is the aim of an argument
    """No cycle through all vertices agrees with the state; the text explains it."""


class State:
    """The state of the edges of a frame.

    For each vertex, ``open_`` has the neighbours over edges that are not banned, and ``forced``
    those over edges that are forced.

    Raises
    ------
    Contradiction
        By every method if the rules give one, and by the constructor.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.open_ = [set(row) for row in frame.neighbours]
        self.forced: list[set[int]] = [set() for _ in frame.neighbours]
        self.chosen = 0
        # For a vertex with fewer than two forced edges: the other end of its path of forced edges.
        self._other = list(range(len(frame)))
        self._pending = list(range(len(frame)))
        for u, v in frame.must:
            self._force(u, v)
        self._settle()

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State.__new__(State)
        twin.frame, twin.chosen = self.frame, self.chosen
        twin.open_ = [set(row) for row in self.open_]
        twin.forced = [set(row) for row in self.forced]
        twin._other = [*self._other]
        twin._pending = []
        return twin

    def ban(self, edges: Iterable[tuple[int, int]]) -> None:
        """Ban edges, and apply the rules."""
        for u, v in edges:
            self._ban(u, v)
        self._settle()

    def force(self, edges: Iterable[tuple[int, int]]) -> None:
        """Force edges, and apply the rules."""
        for u, v in edges:
            self._force(u, v)
        self._settle()

    def _ban(self, u: int, v: int) -> None:
        if v not in self.open_[u]:
            return
        if v in self.forced[u]:
            raise Contradiction(sentences.needed_and_excluded(self.frame, u, v))
        self.open_[u].discard(v)
        self.open_[v].discard(u)
        self._pending += (u, v)

    def _force(self, u: int, v: int) -> None:
        if v in self.forced[u]:
            return
        if v not in self.open_[u]:
            raise Contradiction(sentences.cannot_be_forced(self.frame, self.forced, u, v))
        self.forced[u].add(v)
        self.forced[v].add(u)
        for vertex in (u, v):
            if len(self.forced[vertex]) > 2:
                raise Contradiction(sentences.too_many_needed(self.frame, self.forced, vertex))
        self.chosen += 1
        a, b = self._other[u], self._other[v]
        if a == v:
            if self.chosen < len(self.frame):
                raise Contradiction("forced moves close a circle and leave squares out")
        else:
            self._other[a], self._other[b] = b, a
            # Closing a path that lacks vertices would leave these out.
            if b in self.open_[a] and b not in self.forced[a] and self.chosen < len(self.frame) - 1:
                self._ban(a, b)
        self._pending += (u, v)

    def _settle(self) -> None:
        """Apply the first rule at every vertex that has changed."""
        while self._pending:
            vertex = self._pending.pop()
            left, needed = self.open_[vertex], self.forced[vertex]
            if len(left) < 2:
                raise Contradiction(sentences.too_few_left(self.frame, self.open_, vertex))
            if len(needed) == 2 and len(left) > 2:
                for other in sorted(left - needed):
                    self._ban(vertex, other)
            elif len(left) == 2 and len(needed) < 2:
                for other in sorted(left - needed):
                    self._force(vertex, other)


def with_ends(state: State, squares: set[int]) -> set[int]:
    """Return a set of squares, with the ends of an open tour unless both are known.

    If any square may be an end, the end vertices connect all pieces.  If they are removed as well,
    they allow one piece more.
    """
    ends = state.frame.ends
    known = sum(other < state.frame.squares for end in ends for other in state.forced[end])
    return squares if known == 2 else squares | set(ends)


@dataclass(frozen=True)
class Count:
    """The result of the counting rule for a set of squares."""

    pieces: int  # remaining pieces
    joins: int  # pieces that the set can join
    tight: bool  # whether the set offers no more than the pieces need
    forced: list[tuple[int, int]]  # edges that every cycle uses, if the set is tight
    banned: list[tuple[int, int]]  # edges that no cycle uses, if the set is tight


def count(state: State, squares: set[int]) -> Count:
    """Count without a set of squares, perhaps empty; the state does not change."""
    removed = with_ends(state, squares)
    pieces = len(pieces_without(state.open_, removed))
    if not removed:
        return Count(pieces, 1, False, [], [])
    offered = 0
    forced, banned = [], []
    for vertex in sorted(removed):
        outside = state.open_[vertex] - removed
        within = (state.open_[vertex] & removed) - state.forced[vertex]
        free = 2 - len(state.forced[vertex] & removed)
        offered += min(free, len(outside))
        if len(outside) <= free:
            forced += [(vertex, other) for other in sorted(outside)]
        if free <= len(outside):
            banned += [(vertex, other) for other in sorted(within)]
    tight = offered == 2 * pieces
    if not tight:
        forced, banned = [], []
    return Count(pieces, offered // 2, tight, forced, banned)


def remove(state: State, squares: set[int]) -> Count:
    """Apply the counting rule, and force and ban edges if the set is tight."""
    counts = count(state, squares)
    if counts.pieces > counts.joins:
        raise Contradiction(
            sentences.too_many_pieces(state.frame, squares, counts.pieces, counts.joins)
        )
    state.force(counts.forced)
    state.ban(counts.banned)
    return counts
