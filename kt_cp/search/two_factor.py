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

Tight sets from a flow: which squares to remove, read off a minimum cut.

Idea.  A tour uses two moves at every square.  On a bipartite graph each move leads from one colour,
A, to the other, B.  So a tour is a flow: every square of A sends two units, every square of B takes
two, and a move carries at most one.

Choose X within A and Y within B, and let Z be the rest of B.  Remove the set R that consists of Y
and of the squares of A outside X.  The squares of X and Z are left.  Each of the e moves between
them joins two components at most, so at least |X| + |Z| - e components are left.  R offers two
moves a square, less two for each forced move within R, and it can join half as many components.
Let ``need`` be two less the forced moves at a square.  Then

    components - joins  >=  need(X) - need(Y) - e + |B| - |A| - slack,

where e counts only moves that are not forced, and the slack is 0 for a closed tour and 1 for an
open one, less its given ends in A.  The first three terms are the capacity of a cut, up to a
constant, and a maximum flow makes them as large as they can be.  If the bound is above 0, R proves
that there is no tour.  If it is 0, R is tight: the checker's counting rule excludes every open move
within R.  So the rule of :mod:`kt_cp.trust.check.state` can do all that two-factors can do, and
this file finds the sets for it.

All minimum cuts are the closed sets of the residual graph.  Its strongly connected components, in
the order in which Tarjan's algorithm finishes them, give a chain of closed sets.  Each move that is
in no two-factor lies within the R of some set of the chain.  The set that excludes most moves is
returned; the caller draws the consequences and asks again.

Source: L. Ford and D. Fulkerson's augmenting paths; the components after J.-C. Regin, AAAI 1994, as
in :mod:`kt_cp.search.two_factor`, which decides moves in the same way but names no sets.  Cost: the
flow starts from a greedy one, and each further unit costs one search; linear in practice.  When it
loses: where the removed squares leave large components with many moves inside, since the bound
counts such a component as less than nothing; :mod:`kt_cp.proofs.removal` looks for those.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from kt_cp.search.breadth_first import reachable, two_colouring
from kt_cp.search.depth_first import strong_components
from kt_cp.search.fragments import Fragments
from kt_cp.search.meter import ShouldStop, poll


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


class TightSetFlow:
    """A maximum flow from the squares of colour 0 to those of colour 1.

    Parameters
    ----------
    links : list of set of int
        Of each square, its neighbours over moves that are neither forced nor excluded.
    need : list of int
        How many of them a tour uses at each square.
    colour : list of int
        0 or 1 for each square; neighbours differ.
    slack : int
        See the top of this file.

    Attributes
    ----------
    excess : int
        Lower bound for the components that are left, less those that can be joined, at best.
    got : list of set of int
        Of each square of colour 1, those that send it a unit.

    Raises
    ------
    GaveUpError
        If it is to stop.
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
        self._sent: list[set[int]] = [set() for _ in colour]
        self.got: list[set[int]] = [set() for _ in colour]
        short = self._greedy()
        while short:
            # A receiver from which no way leads on stays useless until some flow changes.
            tried: set[int] = set()
            changed, still = False, []
            for step, sender in enumerate(short):
                if step % 64 == 0:
                    poll(should_stop)
                while len(self._sent[sender]) < need[sender] and self._augment(sender, tried):
                    changed = True
                if len(self._sent[sender]) < need[sender]:
                    still.append(sender)
            short = still
            if not changed:
                break
        self._short = short
        missing = sum(need[sender] - len(self._sent[sender]) for sender in short)
        self.excess = missing + len(colour) - 2 * len(self._senders) - slack

    def cut(self) -> set[int] | None:
        """Squares to remove, fewest if they prove all or for most excluded moves; None if none."""
        if self.excess < 0:
            return None
        side = reachable(self._short, lambda vertex: self._arcs(vertex, True))
        got, need = self.got, self._need
        full = [v for v, shade in enumerate(self._colour) if shade and len(got[v]) < need[v]]
        beyond = reachable(full, lambda vertex: self._arcs(vertex, False))
        # A sender within the closed set is kept, a receiver is removed.
        banned = sum(1 for v in side if self._colour[v] for u in self._links[v] if u not in side)
        size = len(self._senders) + sum(1 if self._colour[v] else -1 for v in side)
        best, taken = self._merit(banned, size), 0
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
                    # Counted are links between a removed receiver and a removed sender.
                    if self._colour[vertex]:
                        banned += other not in inside
                    else:
                        banned -= other in inside
            if self._merit(banned, size) > best:
                best, taken = self._merit(banned, size), place + 1
        side.update(vertex for component in chain[:taken] for vertex in component)
        if self.excess == 0 and best[0] == 0:
            return None
        return {v for v, shade in enumerate(self._colour) if (v in side) == (shade == 1)}

    def _merit(self, banned: int, size: int) -> tuple[int, int]:
        return (0, -size) if self.excess > 0 else (banned, -size)

    def _greedy(self) -> list[int]:
        """Send what fits at once; the senders left wanting."""
        short = []
        for sender in self._senders:
            for receiver in sorted(self._links[sender]):
                if len(self._sent[sender]) >= self._need[sender]:
                    break
                if len(self.got[receiver]) < self._need[receiver]:
                    self._sent[sender].add(receiver)
                    self.got[receiver].add(sender)
            if len(self._sent[sender]) < self._need[sender]:
                short.append(sender)
        return short

    def _augment(self, source: int, tried: set[int]) -> bool:
        """One more unit from a sender along an augmenting path, depth first; false if none."""
        sender_of: dict[int, int] = {}
        gives_up = {source: source}
        stack = [source]
        while stack:
            sender = stack.pop()
            for receiver in self._links[sender]:
                if receiver in tried or receiver in self._sent[sender]:
                    continue
                tried.add(receiver)
                sender_of[receiver] = sender
                if len(self.got[receiver]) < self._need[receiver]:
                    shift(self._sent, self.got, source, receiver, sender_of, gives_up)
                    return True
                for other in self.got[receiver]:
                    if other not in gives_up:
                        gives_up[other] = receiver
                        stack.append(other)
        return False

    def _arcs(self, vertex: int, forwards: bool) -> list[int]:
        """Residual arcs out of a vertex, or into it."""
        flow = self.got[vertex] if self._colour[vertex] else self._sent[vertex]
        if (self._colour[vertex] == 1) == forwards:
            return sorted(flow)
        return sorted(self._links[vertex] - flow)
