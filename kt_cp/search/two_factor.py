"""Two-factors: colour balance, and every argument that counts like it, as one flow.

A Hamiltonian cycle is a two-factor: a set of edges with two at every vertex. Whether a two-factor
still exists is a flow problem. On a bipartite graph each vertex of one colour sends two units to
neighbours of the other colour, each of which takes two, and an edge carries at most one. Chosen
edges are served already; only open edges and remaining needs take part. If there is no such flow,
there is no cycle either; unequal colours are the simplest case. If there is one, an edge with the
same flow in every solution is decided. Such an edge has its ends in different strongly connected
components of the residual graph. On a board of four rows this finds that the outer rows use up the
inner ones, that no edge joins inner squares, and that the graph falls apart: no closed tour,
without search.

A graph that is not bipartite (the depot of an open tour sees both colours) is doubled: every
vertex appears once as sender and once as receiver. Any two-factor gives a flow of that network
too, so its answers remain sound, but half-integral flows make it weaker.

Source: L. Ford and D. Fulkerson's augmenting paths, in phases over all deficient vertices as J.
Hopcroft and R. Karp do; deciding edges by components after J.-C. Regin, "A filtering algorithm for
constraints of difference in CSPs", AAAI 1994. Cost: linear per check while the flow of the last
check needs little repair. The flow is kept across checks and never undone, because any flow is a
good start. When it loses: on sparse graphs that are not bipartite (snarks) it nearly doubles the
time and prunes hardly anything.
"""

from __future__ import annotations

from kt_cp.search.breadth_first import two_colouring
from kt_cp.search.depth_first import strong_components
from kt_cp.search.fragments import Fragments


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
        self._sent: list[set[int]] = [set() for _ in everyone]
        self._got: list[set[int]] = [set() for _ in everyone]

    def exists(self) -> bool:
        """Repair the flow; false if no two-factor contains all chosen and no discarded edges."""
        deficient = self._repair()
        while deficient:
            # Receivers found useless stay useless until some flow changes, so one phase shares
            # them; a phase that changed nothing has therefore proved the deficit.
            tried: set[int] = set()
            changed = False
            still = []
            for u in deficient:
                need = 2 - len(self._state.links[u])
                while len(self._sent[u]) < need and self._augment(u, tried):
                    changed = True
                if len(self._sent[u]) < need:
                    still.append(u)
            if still and not changed:
                return False
            deficient = still
        needs = [2 - len(links) for links in self._state.links]
        # All senders are served; a receiver left wanting shows in the sums.
        return sum(needs[u] for u in self._senders) == sum(needs[v] for v in self._receivers)

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
                    (always if v in self._sent[u] else never).append((u, v))
        return never, always

    def _repair(self) -> list[int]:
        """Drop flow on edges no longer open, add what fits at once; return senders in deficit."""
        open_, links, sent, got = self._state.open, self._state.links, self._sent, self._got
        for u in self._senders:
            need = 2 - len(links[u])
            for v in tuple(sent[u]):
                if v not in open_[u] or len(sent[u]) > need:
                    sent[u].remove(v)
                    got[v].remove(u)
        for v in self._receivers:
            while len(got[v]) > 2 - len(links[v]):
                sent[got[v].pop()].remove(v)
        deficient = []
        for u in self._senders:
            self._state.meter.spend(1)
            missing = 2 - len(links[u]) - len(sent[u])
            if missing <= 0:
                continue
            for v in open_[u]:
                if v not in sent[u] and len(got[v]) < 2 - len(links[v]):
                    sent[u].add(v)
                    got[v].add(u)
                    missing -= 1
                    if not missing:
                        break
            else:
                deficient.append(u)
        return deficient

    def _augment(self, source: int, tried: set[int]) -> bool:
        """Send one more unit from `source` along an augmenting path; false if none."""
        open_, links, sent, got = self._state.open, self._state.links, self._sent, self._got
        sender_of: dict[int, int] = {}  # receiver -> sender it was reached from
        gives_up: dict[int, int] = {source: source}  # sender -> receiver whose unit it would lose
        # Depth first: breadth first marks so many receivers as tried that phases multiply
        # (benchmarks/MEASURED.md).
        stack = [source]
        while stack:
            u = stack.pop()
            self._state.meter.spend(1)
            for v in open_[u]:
                if v in tried or v in sent[u]:
                    continue
                tried.add(v)
                sender_of[v] = u
                if len(got[v]) < 2 - len(links[v]):
                    shift(sent, got, source, v, sender_of, gives_up)
                    return True
                for w in got[v]:
                    if w not in gives_up:
                        gives_up[w] = v
                        stack.append(w)
        return False

    def _components(self) -> list[int]:
        """Number of the strong component of each residual node: senders, then receivers n + v."""
        open_, sent, got, n = self._state.open, self._sent, self._got, self._state.n
        spend = self._state.meter.spend

        def arcs(node: int) -> list[int]:  # where a unit could be added, or taken away
            spend(1)
            if node < n:
                return [n + v for v in open_[node] if v not in sent[node]]
            return list(got[node - n])

        number = [0] * (2 * n)
        for which, component in enumerate(strong_components(2 * n, self._senders, arcs), start=1):
            for node in component:
                number[node] = which
        return number


def shift(
    sent: list[set[int]],
    got: list[set[int]],
    source: int,
    receiver: int,
    sender_of: dict[int, int],
    gives_up: dict[int, int],
) -> None:
    """Send one more unit along an augmenting path, read backwards from the receiver in want.

    ``sender_of`` names the sender that reaches a receiver, ``gives_up`` the receiver which a sender
    leaves in exchange.
    """
    while True:
        sender = sender_of[receiver]
        sent[sender].add(receiver)
        got[receiver].add(sender)
        if sender == source:
            return
        receiver = gives_up[sender]
        sent[sender].remove(receiver)
        got[receiver].remove(sender)
