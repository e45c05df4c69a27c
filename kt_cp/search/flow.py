"""Tight sets from a flow: which squares to remove, read off a minimum cut.

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

from kt_cp.search.breadth_first import reached
from kt_cp.search.depth_first import strong_components
from kt_cp.search.two_factor import shift
from kt_cp.search.work import ShouldStop, poll


class Flow:
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
        side = reached(self._short, lambda vertex: self._arcs(vertex, True))
        got, need = self.got, self._need
        full = [v for v, shade in enumerate(self._colour) if shade and len(got[v]) < need[v]]
        beyond = reached(full, lambda vertex: self._arcs(vertex, False))
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
