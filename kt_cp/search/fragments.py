"""Path fragments: a Hamiltonian cycle that grows edge by edge and can be undone.

Every edge of the graph is open, chosen or discarded. The chosen edges form disjoint paths, the
fragments; a vertex without a chosen edge is a fragment of one vertex. Every vertex has exactly two
edges of one cycle. Four rules follow, and are applied until nothing changes:

- a vertex with two chosen edges discards its open ones;
- a vertex with only two available (chosen or open) edges must use both;
- a vertex with fewer is a dead end: contradiction;
- an edge between the two ends of one fragment would close a cycle, and is discarded unless the
  fragment already spans all vertices.

The last rule needs the other end of a fragment in constant time: `mate`, valid at the ends only.
An interior vertex still has the mate that it had when it was last an end. Undoing needs exactly
that, so a merge writes two entries and the trail holds nothing but the edge.

Source: the deduction rules of F. Rubin, "A search procedure for Hamilton paths and circuits",
Journal of the ACM 21 (1974); mates as in the path-cover algorithms of Knuth's "The Art of
Computer Programming", volume 4A, section 7.1.4. Cost: amortised constant per decided edge; a
vertex of high degree (the depot of an open tour) is charged for its edges only when it has two
chosen ones. When it loses: the rules see one vertex or one fragment at a time. They never notice
that a region is cut off or that the colours do not balance; `backtrack` and `two_factor` do.
"""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.search.meter import STEPS_PER_POLL, Meter

# Trail entries undone between two polls; an entry costs about a tenth of a propagation step.
UNDO_SLICE = 2048


class Fragments:
    """The state of the search: open edges, chosen edges, fragments, and the trail to undo them.

    ``open`` and ``links`` have, per vertex, the other ends of its undecided and of its chosen
    edges; ``mate`` the other end of a fragment. ``head`` and ``tail`` are the ends of the fragment
    that is growing. They are not on the trail: the caller of `undo` must restore them.
    ``propagated`` counts the vertices examined, the measure for when to run costlier checks.
    """

    def __init__(self, neighbours: Sequence[Sequence[int]], meter: Meter) -> None:
        self.n = len(neighbours)
        self.meter = meter
        self.work = meter.work
        self.open: list[set[int]] = []
        for adjacent in neighbours:
            meter.spend(1)
            self.open.append(set(adjacent))
        self.links: list[list[int]] = [[] for _ in range(self.n)]
        self.mate = list(range(self.n))
        self.chosen = 0
        self.head = self.tail = 0
        self.propagated = 0
        self.trail: list[int] = []
        # Vertices that may have become saturated, forced or dead.
        self._queue = list(range(self.n))

    def is_open(self, u: int, v: int) -> bool:
        """Return whether edge u-v is undecided."""
        return v in self.open[u]

    def is_chosen(self, u: int, v: int) -> bool:
        """Return whether edge u-v is in the cycle."""
        return v in self.links[u]

    def discard(self, u: int, v: int) -> None:
        """Remove the open edge u-v from the graph."""
        self.open[u].remove(v)
        self.open[v].remove(u)
        self.trail.append(u * self.n + v)
        for x in (u, v):
            if len(self.open[x]) + len(self.links[x]) <= 2:
                self._queue.append(x)

    def choose(self, u: int, v: int) -> bool:
        """Put the open edge u-v into the cycle; false if u or v has two edges there already."""
        links_u, links_v, mate = self.links[u], self.links[v], self.mate
        if len(links_u) == 2 or len(links_v) == 2:
            return False
        self.open[u].remove(v)
        self.open[v].remove(u)
        links_u.append(v)
        links_v.append(u)
        # Complemented: the sign distinguishes chosen edges from discarded ones.
        self.trail.append(~(u * self.n + v))
        self.chosen += 1
        # A vertex with one chosen edge lost an open edge and a need: its slack is unchanged.
        if len(links_u) == 2:
            self._queue.append(u)
        if len(links_v) == 2:
            self._queue.append(v)
        far_u, far_v = mate[u], mate[v]
        if far_u == v:
            return True  # the last edge: others between mates are discarded as soon as they arise
        mate[far_u], mate[far_v] = far_v, far_u
        if u == self.head:
            self.head = far_v
        elif u == self.tail:
            self.tail = far_v
        elif v == self.head:
            self.head = far_u
        elif v == self.tail:
            self.tail = far_u
        if self.chosen < self.n - 1 and far_v in self.open[far_u]:
            self.work.closures += 1
            self.discard(far_u, far_v)
        return True

    def propagate(self) -> bool:
        """Apply the rules until nothing changes; false on a contradiction.

        Raises `StoppedError`.
        """
        open_, links, queue, trail, n = self.open, self.links, self._queue, self.trail, self.n
        steps = 0
        while queue:
            v = queue.pop()
            steps += 1
            edges = open_[v]
            need = 2 - len(links[v])
            if need == 0:
                # `discard` written out, because a search spends most of its time here.
                for u in edges:
                    other = open_[u]
                    other.remove(v)
                    trail.append(v * n + u)
                    if len(other) + len(links[u]) <= 2:
                        queue.append(u)
                edges.clear()
            elif len(edges) <= need and not self._use_all(v, need):
                self.work.dead_ends += 1
                queue.clear()
                self._charge(steps)
                return False
            if steps >= STEPS_PER_POLL:
                self._charge(steps)
                steps = 0
        self._charge(steps)
        return True

    def _use_all(self, v: int, need: int) -> bool:
        edges = self.open[v]
        if len(edges) < need:
            return False
        for u in tuple(edges):
            # Choosing one of two edges may discard the other, as the closing edge of a fragment.
            if u not in edges or not self.choose(v, u):
                return False
            self.work.forced += 1
        return True

    def _charge(self, steps: int) -> None:
        self.propagated += steps
        self.meter.spend(steps)

    def abandon(self) -> None:
        """Discard the pending consequences before the state is undone."""
        self._queue.clear()

    def undo(self, mark: int) -> None:
        """Return to the state in which the trail had length `mark`."""
        open_, links, mate, trail, n = self.open, self.links, self.mate, self.trail, self.n
        while len(trail) > mark:
            stop = max(mark, len(trail) - UNDO_SLICE)
            for code in reversed(trail[stop:]):
                if code >= 0:
                    u, v = divmod(code, n)
                else:
                    u, v = divmod(~code, n)
                    links[u].pop()
                    links[v].pop()
                    self.chosen -= 1
                    # Without an edge left it was a fragment by itself; else its mate is intact.
                    far_u = mate[u] if links[u] else u
                    far_v = mate[v] if links[v] else v
                    mate[u], mate[far_u] = far_u, u
                    mate[v], mate[far_v] = far_v, v
                open_[u].add(v)
                open_[v].add(u)
            if stop > mark:
                self.meter.spend(STEPS_PER_POLL)
            del trail[stop:]
