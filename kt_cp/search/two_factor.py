"""Two-factors as a flow: which edges are decided, and tight sets read off a minimum cut.

A Hamiltonian cycle is a two-factor: a set of edges with two at every vertex. Whether a two-factor
exists is a flow problem. On a bipartite graph each vertex of one colour sends two units to
neighbours of the other colour, each of which takes two, and an edge carries at most one. Chosen
edges are already served; only open edges and the remaining needs take part. If there is no such
flow, there is no cycle either; unequal colours are the simplest case. If there is one, an edge with
the same flow in every solution is decided. Such an edge has its ends in different strongly
connected components of the residual graph. On a board of four rows this proves without search that
there is no closed tour: the outer rows use up the inner ones, no edge joins inner squares, and the
graph falls apart. :class:`TwoFactor` decides edges in this way during a search.

A graph that is not bipartite (the depot of an open tour is adjacent to both colours) is doubled:
every vertex appears once as sender and once as receiver. Any two-factor gives a flow of that
network too, so its answers remain sound, but half-integral flows make it weaker.

:class:`TightSetFlow` finds sets instead, for proofs by removed squares. Let A and B be the two
colours of a bipartite graph. Choose X within A and Y within B, and let Z be the rest of B. Remove
the set R that consists of Y and of the squares of A outside X; the squares of X and Z are left.
Each of the e moves between them joins two components at most, so at least |X| + |Z| - e components
are left. R offers two moves a square, less two for each forced move within R, and it can join half
as many components. Let ``need`` be two less the forced moves at a square. Then

    components - joins  >=  need(X) - need(Y) - e + |B| - |A| - slack,

where e counts only moves that are not forced, and the slack is 0 for a closed tour and 1 for an
open one, less its given ends in A. The first three terms are the capacity of a cut, up to a
constant, and a maximum flow makes them as large as they can be. If the bound is above 0, R proves
that there is no tour. If it is 0, R is tight: the checker's counting rule excludes every open move
within R. So the rule of :mod:`kt_cp.trust.check.state` can deduce everything that two-factors can.

All minimum cuts are the closed sets of the residual graph. Its strongly connected components, in
the order in which Tarjan's algorithm finishes them, give a chain of closed sets. Each move that is
in no two-factor lies within the R of some set of the chain. The set that excludes most moves is
returned; the caller draws the consequences and calls again.

Source: L. Ford and D. Fulkerson's augmenting paths, in phases over all deficient vertices as J.
Hopcroft and R. Karp do; deciding edges by components after J.-C. Regin, "A filtering algorithm for
constraints of difference in CSPs", AAAI 1994.

Cost: linear per check while the flow of the last check needs little repair. A search reuses the
flow across checks and never undoes it, because any flow is a good start.

When it loses: on sparse graphs that are not bipartite (snarks) it nearly doubles the time and
prunes hardly anything. Tight sets are weak where the removed squares leave large components with
many moves inside, because the bound counts such a component as negative;
:mod:`kt_cp.proofs.removal` searches for those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from kt_cp.search.breadth_first import reachable, two_colouring
from kt_cp.search.depth_first import strong_components
from kt_cp.search.fragments import Fragments
from kt_cp.search.meter import Meter, ShouldStop, Work


class _Flow:
    """Units from senders to receivers, one over an edge at most, and ``need`` at each vertex."""

    def __init__(
        self, links: Sequence[AbstractSet[int]], size: int, spend: Callable[[int], None]
    ) -> None:
        self._links, self._spend = links, spend
        self.need: Sequence[int] = ()
        self.sent: list[set[int]] = [set() for _ in range(size)]
        self.received: list[set[int]] = [set() for _ in range(size)]

    def augment_all(self, deficient: list[int]) -> list[int]:
        """Send more units from senders in deficit; return those that are still in deficit."""
        changed = True
        while deficient and changed:
            # A receiver from which no path leads on stays useless until some flow changes, so all
            # senders of a phase share them; a phase without a change proves the deficit.
            tried: set[int] = set()
            changed, still = False, []
            for sender in deficient:
                need = self.need[sender]
                while len(self.sent[sender]) < need and self._augment(sender, tried):
                    changed = True
                if len(self.sent[sender]) < need:
                    still.append(sender)
            deficient = still
        return deficient

    def _augment(self, source: int, tried: set[int]) -> bool:
        """Send one more unit along an augmenting path; return whether there is one."""
        links, need, sent, received = self._links, self.need, self.sent, self.received
        sender_of: dict[int, int] = {}  # receiver -> sender from which it is reached
        loses: dict[int, int] = {source: source}  # sender -> receiver that would lose its unit
        # Depth first: breadth first marks so many receivers as tried that phases multiply
        # (benchmarks/MEASURED.md).
        stack = [source]
        while stack:
            u = stack.pop()
            self._spend(1)
            for v in links[u]:
                if v in tried or v in sent[u]:
                    continue
                tried.add(v)
                sender_of[v] = u
                if len(received[v]) < need[v]:
                    while True:
                        sender = sender_of[v]
                        sent[sender].add(v)
                        received[v].add(sender)
                        if sender == source:
                            return True
                        v = loses[sender]
                        sent[sender].remove(v)
                        received[v].remove(sender)
                for w in received[v]:
                    if w not in loses:
                        loses[w] = v
                        stack.append(w)
        return False


class TwoFactor:
    """A flow of two units per vertex over the open edges, repaired on demand.

    The state is propagated at the root: edges open later must be open now.
    """

    def __init__(self, state: Fragments) -> None:
        self._state = state

        def neighbours(vertex: int) -> set[int]:
            state.meter.spend(1)
            return state.open[vertex]

        # By open edges: chosen ones carry no flow, so a virtual edge between two ends does no harm.
        colour = two_colouring(state.n, neighbours)
        everyone = range(state.n)
        self.bipartite = colour is not None
        self._senders = [v for v in everyone if colour is None or colour[v] == 0]
        self._receivers = [v for v in everyone if colour is None or colour[v] == 1]
        self._flow = _Flow(state.open, state.n, state.meter.spend)

    def exists(self) -> bool:
        """Repair the flow; return whether a two-factor has all chosen and no discarded edges."""
        need = self._flow.need = [2 - len(links) for links in self._state.links]
        if self._flow.augment_all(self._repair()):
            return False
        # All senders are served; a receiver in deficit shows in the sums.
        return sum(need[u] for u in self._senders) == sum(need[v] for v in self._receivers)

    def decided(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the open edges that no two-factor contains, and those that all contain.

        Only after `exists` returned true, with nothing changed since.
        """
        component = self._components()
        n = self._state.n
        never: list[tuple[int, int]] = []
        always: list[tuple[int, int]] = []
        for u in self._senders:
            self._state.meter.spend(1)
            for v in self._state.open[u]:
                # Doubled graphs are symmetric in their two halves: one of them is enough.
                if component[u] != component[n + v] and (self.bipartite or u < v):
                    (always if v in self._flow.sent[u] else never).append((u, v))
        return never, always

    def _repair(self) -> list[int]:
        """Drop flow on edges no longer open, add what fits at once; return senders in deficit."""
        open_, need = self._state.open, self._flow.need
        sent, received = self._flow.sent, self._flow.received
        for u in self._senders:
            for v in tuple(sent[u]):
                if v not in open_[u] or len(sent[u]) > need[u]:
                    sent[u].remove(v)
                    received[v].remove(u)
        for v in self._receivers:
            while len(received[v]) > need[v]:
                sent[received[v].pop()].remove(v)
        deficient = []
        for u in self._senders:
            self._state.meter.spend(1)
            missing = need[u] - len(sent[u])
            if missing <= 0:
                continue
            for v in open_[u]:
                if v not in sent[u] and len(received[v]) < need[v]:
                    sent[u].add(v)
                    received[v].add(u)
                    missing -= 1
                    if not missing:
                        break
            else:
                deficient.append(u)
        return deficient

    def _components(self) -> list[int]:
        """Return the strong component of each residual node: senders, then receivers n + v."""
        open_, n, spend = self._state.open, self._state.n, self._state.meter.spend
        sent, received = self._flow.sent, self._flow.received

        def arcs(node: int) -> list[int]:  # where a unit could be added or removed
            spend(1)
            if node < n:
                return [n + v for v in open_[node] if v not in sent[node]]
            return list(received[node - n])

        number = [0] * (2 * n)
        for which, component in enumerate(strong_components(2 * n, self._senders, arcs), start=1):
            for node in component:
                number[node] = which
        return number


class TightSetFlow:
    """A maximum flow from the squares of colour 0 to those of colour 1.

    ``links`` has each square's neighbours over moves that are neither forced nor excluded,
    ``need`` how many of them a tour uses.  ``excess`` is a lower bound for the components that are
    left, less those that can be joined, at best; ``received`` has the senders of each square of
    colour 1.  Raises :class:`~kt_cp.search.meter.StoppedError` if stopped.
    """

    def __init__(
        self,
        links: Sequence[AbstractSet[int]],
        need: Sequence[int],
        colour: Sequence[int],
        slack: int,
        should_stop: ShouldStop,
    ) -> None:
        self._links, self._need, self._colour = links, need, colour
        self._senders = [v for v, shade in enumerate(colour) if shade == 0]
        flow = _Flow(links, len(colour), Meter(Work(), should_stop, None).spend)
        flow.need = need
        self._sent, self.received = flow.sent, flow.received
        deficient = []
        for sender in self._senders:
            for receiver in sorted(links[sender]):
                if len(flow.sent[sender]) >= need[sender]:
                    break
                if len(flow.received[receiver]) < need[receiver]:
                    flow.sent[sender].add(receiver)
                    flow.received[receiver].add(sender)
            if len(flow.sent[sender]) < need[sender]:
                deficient.append(sender)
        self._deficient = flow.augment_all(deficient)
        missing = sum(need[sender] - len(flow.sent[sender]) for sender in self._deficient)
        self.excess = missing + len(colour) - 2 * len(self._senders) - slack

    def cut(self) -> set[int] | None:
        """Return the squares to remove, or None if no cut proves anything.

        They are fewest if they prove that there is no tour; otherwise they exclude most moves.
        """
        if self.excess < 0:
            return None
        side = reachable(self._deficient, lambda vertex: self._arcs(vertex, True))
        received, need = self.received, self._need
        wanting = [
            v for v, shade in enumerate(self._colour) if shade and len(received[v]) < need[v]
        ]
        beyond = reachable(wanting, lambda vertex: self._arcs(vertex, False))
        # Senders of the closed set stay on the board, its receivers are removed.
        banned = sum(1 for v in side if self._colour[v] for u in self._links[v] if u not in side)
        size = len(self._senders) + sum(1 if self._colour[v] else -1 for v in side)
        best, prefix = self._merit(banned, size), 0
        chain = strong_components(
            len(self._colour),
            range(len(self._colour)),
            lambda vertex: self._arcs(vertex, True),
            without=side | beyond,
        )
        inside = set(side)
        for place, component in enumerate(chain):
            for vertex in component:
                inside.add(vertex)
                size += 1 if self._colour[vertex] else -1
                for other in self._links[vertex]:
                    # Count links between a removed receiver and a removed sender.
                    if self._colour[vertex]:
                        banned += other not in inside
                    else:
                        banned -= other in inside
            if self._merit(banned, size) > best:
                best, prefix = self._merit(banned, size), place + 1
        side.update(vertex for component in chain[:prefix] for vertex in component)
        if self.excess == 0 and best[0] == 0:
            return None
        return {v for v, shade in enumerate(self._colour) if (v in side) == (shade == 1)}

    def _merit(self, banned: int, size: int) -> tuple[int, int]:
        return (0, -size) if self.excess > 0 else (banned, -size)

    def _arcs(self, vertex: int, forwards: bool) -> list[int]:
        """Return the residual arcs out of a vertex, or into it."""
        flow = self.received[vertex] if self._colour[vertex] else self._sent[vertex]
        if (self._colour[vertex] == 1) == forwards:
            return sorted(flow)
        return sorted(self._links[vertex] - flow)
