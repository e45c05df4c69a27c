"""What is known of the edges while an argument runs: banned, forced, or open.

Three plain rules about a cycle through all vertices are drawn to their end whenever an edge is
decided:

1. every vertex has exactly two edges of the cycle: where two are left, both are forced; where two
   are forced, the others are banned; fewer left, or more forced, is a contradiction;
2. forced edges form paths: an edge that would close a path into a cycle is banned, unless that
   cycle has all vertices; a closed one is a contradiction;
3. an edge both forced and banned is a contradiction.

And one rule is applied when the argument names a set of vertices, by :func:`remove`: take the set
away and count the pieces that are left.  The cycle crosses into and out of every piece over edges
between it and the set, two at least.  A vertex of the set has two edges of the cycle; those that
are forced to stay within the set do not count, nor can it have more than lead out of the set.  If
all that the set can offer is less than two for each piece, there is no such cycle.  If it is just
as much (the set is *tight*), every edge that the set offers must be used for it, so edges within
the set are banned.  This is the toughness condition (V. Chvatal, "Tough graphs and Hamiltonian
circuits", Discrete Mathematics 5, 1973) with forced edges; with single squares as pieces it counts
colours and independent sets, and with an empty set it asks for connection.

All rules only ever add knowledge, so their outcome does not depend on the order in which they are
applied.  A state costs memory and time in proportion to its edges; each edge is decided once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kt_cp.trust.check import sentences
from kt_cp.trust.check.frame import Frame, pieces_without


class Contradiction(Exception):  # noqa: N818  not an error: it is what an argument is after
    """No cycle through all vertices agrees with what is known; the text says where."""


class State:
    """Knowledge about the edges of a frame; a contradiction is raised where one arises.

    Of each vertex ``open_`` are the neighbours over edges that are not banned, ``kept`` those over
    edges that are forced.

    Raises
    ------
    Contradiction
        By every method, and at once if the three rules alone give one.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.open_ = [set(row) for row in frame.neighbours]
        self.kept: list[set[int]] = [set() for _ in frame.neighbours]
        self.chosen = 0
        # Of a vertex with fewer than two forced edges: the other end of its path of such edges.
        self._other = list(range(len(frame)))
        self._pending = list(range(len(frame)))
        for u, v in frame.must:
            self._force(u, v)
        self._settle()

    def copy(self) -> State:
        """The same knowledge, to be added to apart."""
        twin = State.__new__(State)
        twin.frame, twin.chosen = self.frame, self.chosen
        twin.open_ = [set(row) for row in self.open_]
        twin.kept = [set(row) for row in self.kept]
        twin._other = [*self._other]
        twin._pending = []
        return twin

    def ban(self, edges: Iterable[tuple[int, int]]) -> None:
        """Exclude edges, and draw the consequences."""
        for u, v in edges:
            self._ban(u, v)
        self._settle()

    def force(self, edges: Iterable[tuple[int, int]]) -> None:
        """Demand edges, and draw the consequences."""
        for u, v in edges:
            self._force(u, v)
        self._settle()

    def _ban(self, u: int, v: int) -> None:
        if v not in self.open_[u]:
            return
        if v in self.kept[u]:
            raise Contradiction(sentences.needed_and_excluded(self.frame, u, v))
        self.open_[u].discard(v)
        self.open_[v].discard(u)
        self._pending += (u, v)

    def _force(self, u: int, v: int) -> None:
        if v in self.kept[u]:
            return
        if v not in self.open_[u]:
            raise Contradiction(sentences.cannot_be_forced(self.frame, self.kept, u, v))
        self.kept[u].add(v)
        self.kept[v].add(u)
        for vertex in (u, v):
            if len(self.kept[vertex]) > 2:
                raise Contradiction(sentences.too_many_needed(self.frame, self.kept, vertex))
        self.chosen += 1
        a, b = self._other[u], self._other[v]
        if a == v:
            if self.chosen < len(self.frame):
                raise Contradiction("forced moves close a circle and leave squares out")
        else:
            self._other[a], self._other[b] = b, a
            # Unless the path has all vertices, closing it would leave some out.
            if b in self.open_[a] and b not in self.kept[a] and self.chosen < len(self.frame) - 1:
                self._ban(a, b)
        self._pending += (u, v)

    def _settle(self) -> None:
        """The first rule, at every vertex where something has changed."""
        while self._pending:
            vertex = self._pending.pop()
            left, needed = self.open_[vertex], self.kept[vertex]
            if len(left) < 2:
                raise Contradiction(sentences.too_few_left(self.frame, self.open_, vertex))
            if len(needed) == 2 and len(left) > 2:
                for other in sorted(left - needed):
                    self._ban(vertex, other)
            elif len(left) == 2 and len(needed) < 2:
                for other in sorted(left - needed):
                    self._force(vertex, other)


def with_ends(state: State, squares: set[int]) -> set[int]:
    """A set of squares, and the ends of an open tour with them unless both are known.

    Where any square may be an end, the ends hold everything together; taken away as well, they
    allow one piece more.
    """
    ends = state.frame.ends
    known = sum(other < state.frame.squares for end in ends for other in state.kept[end])
    return squares if known == 2 else squares | set(ends)


@dataclass(frozen=True)
class Count:
    """What the counting rule says of a set of squares."""

    pieces: int  # that are left
    joins: int  # how many the set can join
    tight: bool  # whether the set offers no more than the pieces need
    forced: list[tuple[int, int]]  # if it is tight: edges that every cycle uses
    banned: list[tuple[int, int]]  # and that none does


def count(state: State, squares: set[int]) -> Count:
    """Take a set of squares away, which may be empty, and count; nothing is changed."""
    removed = with_ends(state, squares)
    pieces = len(pieces_without(state.open_, removed))
    if not removed:
        return Count(pieces, 1, False, [], [])
    offered = 0
    forced, banned = [], []
    for vertex in sorted(removed):
        outside = state.open_[vertex] - removed
        within = (state.open_[vertex] & removed) - state.kept[vertex]
        free = 2 - len(state.kept[vertex] & removed)
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
    """Apply the counting rule: where the set is tight, its consequences are drawn.

    Raises
    ------
    Contradiction
        If there are more pieces than the set can join, or from the consequences.
    """
    counts = count(state, squares)
    if counts.pieces > counts.joins:
        raise Contradiction(
            sentences.too_many_pieces(state.frame, squares, counts.pieces, counts.joins)
        )
    state.force(counts.forced)
    state.ban(counts.banned)
    return counts
