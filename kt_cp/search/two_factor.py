"""Two-factors: colour balance, and every argument that counts like it, as one flow.

A Hamiltonian cycle is a two-factor, two edges at every vertex, and whether those still exist is a
flow problem. On a bipartite graph each vertex of one colour sends two units to neighbours of the
other colour, each of which takes two, at most one unit along an edge. Chosen edges are served
already; only open edges and remaining needs take part. If no such flow exists, nor does a cycle:
unequal colours are the simplest case. Where it exists, an edge with the same flow in every
solution is decided: the residual graph has both of its ends in one strongly connected component
unless that is so. This finds, say, that on a board of four rows the outer rows use up the inner
ones, no edge joins inner squares, and the graph falls apart: no closed tour, without search.

A graph that is not bipartite (the depot of an open tour sees both colours) is doubled: every
vertex once as sender and once as receiver. Any two-factor gives a flow of that network too, so its
answers remain sound, but half-integral flows make it weaker.

Source: D. Fulkerson and L. Ford's augmenting paths, in phases over all deficient vertices as J.
Hopcroft and R. Karp do; deciding edges by components after J.-C. Regin, "A filtering algorithm for
constraints of difference in CSPs", AAAI 1994. Cost: linear per check while the flow of the last
check needs little repair; it is kept across checks and never undone, because any flow is a good
start. When it loses: sparse graphs that are not bipartite (snarks), where it nearly doubles the
time and prunes hardly anything.
"""

from __future__ import annotations

from kt_cp.search.fragments import Fragments


class TwoFactor:
    """A flow of two units per vertex over the open edges, repaired on demand.

    Parameters
    ----------
    state : Fragments
        Propagated at the root: edges open later must be open now.
    """

    def __init__(self, state: Fragments) -> None:
        self._state = state
        colour = _two_colouring(state)
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
        # Depth first: breadth first marks so many receivers as tried that phases multiply, and
        # the first flow on 50x50 and 100x100 takes 4 to 7 times as long.
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
        """Number the strongly connected components of the residual graph (Tarjan, iterative).

        Node u is vertex u as sender, node n + v vertex v as receiver. An arc leads from sender to
        receiver where a unit could be added, back where one could be taken away.
        """
        open_, sent, got, n = self._state.open, self._sent, self._got, self._state.n
        number = [0] * (2 * n)
        lowest = [0] * (2 * n)
        component = [0] * (2 * n)  # 0 while the node is unfinished
        pending: list[int] = []
        found = closed = 0
        for start in self._senders:
            if number[start]:
                continue
            # Entering a node happens at the top of the loop, for roots and children alike.
            entering = start
            stack: list[tuple[int, list[int]]] = []
            while entering >= 0 or stack:
                if entering >= 0:
                    self._state.meter.spend(1)
                    found += 1
                    number[entering] = lowest[entering] = found
                    pending.append(entering)
                    if entering < n:
                        arcs = [n + v for v in open_[entering] if v not in sent[entering]]
                    else:
                        arcs = list(got[entering - n])
                    stack.append((entering, arcs))
                x, arcs = stack[-1]
                low = lowest[x]
                entering = -1
                while arcs:
                    y = arcs.pop()
                    if not number[y]:
                        entering = y
                        break
                    if number[y] < low and not component[y]:
                        low = number[y]
                lowest[x] = low
                if entering >= 0:
                    continue
                stack.pop()
                if stack and low < lowest[stack[-1][0]]:
                    lowest[stack[-1][0]] = low
                if low == number[x]:
                    closed += 1
                    y = -1
                    while y != x:
                        y = pending.pop()
                        component[y] = closed
        return component


def _two_colouring(state: Fragments) -> list[int] | None:
    """Colour the graph of open edges with 0 and 1 so that every edge joins both, or return None.

    Chosen edges carry no flow, so the virtual edge between two prescribed ends does no harm here.
    """
    colour = [-1] * state.n
    for start in range(state.n):
        if colour[start] >= 0:
            continue
        colour[start] = 0
        stack = [start]
        while stack:
            v = stack.pop()
            state.meter.spend(1)
            for u in state.open[v]:
                if colour[u] < 0:
                    colour[u] = 1 - colour[v]
                    stack.append(u)
                elif colour[u] == colour[v]:
                    return None
    return colour


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
