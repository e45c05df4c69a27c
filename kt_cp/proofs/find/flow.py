"""Tight sets from a flow: which squares to remove, read off a minimum cut.

A tour gives every square two moves, and on a bipartite graph each move leads from one colour, A,
to the other, B.  So a tour is a flow: two units from every square of A, two into every square of
B, one at most along a move.  Choose X within A and Y within B, let Z be the rest of B, and remove
the set R of all squares in Y and in A but not in X.  What is left are the squares of X and Z, and
each of the e moves between them joins two pieces at most; so at least |X| + |Z| - e pieces are
left.  R can join half of what its squares offer, which is two moves each, less two for each forced
move within R.  Written out, and with ``need`` for two less the forced moves at a square,

    pieces - joins  >=  need(X) - need(Y) - e + |B| - |A| - slack,

where e counts only moves that are not forced, and the slack is 0 for a closed tour and 1 for an
open one, less its given ends in A.  The first three terms are the capacity of a cut, up to a
constant: a maximum flow makes them as large as they can be.  If the bound is above 0 then R proves
that there is no tour; if it is 0 then R is tight and the checker's counting rule excludes every
open move within R.  So the rule of :mod:`kt_cp.proofs.check.state` can do all that two-factors can
do, and this file finds the sets for it.

All minimum cuts are the closed sets of the residual graph.  Its strongly connected components, in
the order in which R. Tarjan's algorithm finishes them, give a chain of closed sets; each move that
is in no two-factor lies within the R of some set of the chain.  Returned is the one that excludes
most moves, and the caller asks again when it has drawn the consequences.

Source: Fulkerson and Ford's augmenting paths; the components after J.-C. Regin, AAAI 1994, as in
:mod:`kt_cp.search.two_factor`, which decides moves in the same way but names no sets.  Cost: the
flow starts from a greedy one, and each further unit costs one search; linear in practice.  When it
loses: where removed squares leave large pieces with many moves inside, since the bound counts such
a piece as less than nothing; :mod:`kt_cp.proofs.find.removal` looks for those.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from kt_cp.proofs.find.components import components
from kt_cp.proofs.find.stop import ShouldStop, poll
from kt_cp.search.two_factor import shift


@dataclass(frozen=True)
class Cut:
    """A set of squares from a minimum cut.

    Attributes
    ----------
    excess : int
        Lower bound for the pieces that are left, less those that can be joined.
    squares : set of int
        To be removed.
    banned : int
        Open moves within the set.
    """

    excess: int
    squares: set[int]
    banned: int


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
        See the essay.
    should_stop : callable
        Asked now and then.

    Attributes
    ----------
    excess : int
        Lower bound for the pieces that are left, less those that can be joined, at best.

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
        self._got: list[set[int]] = [set() for _ in colour]
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

    def cut(self) -> Cut | None:
        """The telling minimum cut: fewest squares if it proves all, else most excluded moves.

        None if the flow leaves room, or if no move is excluded.
        """
        if self.excess < 0:
            return None
        side = self._reached(self._short, forwards=True)
        full = [
            v
            for v, shade in enumerate(self._colour)
            if shade == 1 and len(self._got[v]) < self._need[v]
        ]
        beyond = self._reached(full, forwards=False)
        # A sender within the closed set is kept, a receiver is removed.
        banned = sum(1 for v in side if self._colour[v] for u in self._links[v] if u not in side)
        size = len(self._senders) + sum(1 if self._colour[v] else -1 for v in side)
        best, taken = self._merit(banned, size), 0
        chain = components(
            range(len(self._colour)), side | beyond, lambda vertex: self._arcs(vertex, True)
        )
        best_banned, inside = banned, set(side)
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
                best, taken, best_banned = self._merit(banned, size), place + 1, banned
        side.update(vertex for component in chain[:taken] for vertex in component)
        squares = {v for v, shade in enumerate(self._colour) if (v in side) == (shade == 1)}
        if self.excess == 0 and best_banned == 0:
            return None
        return Cut(self.excess, squares, best_banned)

    def _merit(self, banned: int, size: int) -> tuple[int, int]:
        return (0, -size) if self.excess > 0 else (banned, -size)

    def _greedy(self) -> list[int]:
        """Send what fits at once; the senders left wanting."""
        short = []
        for sender in self._senders:
            for receiver in sorted(self._links[sender]):
                if len(self._sent[sender]) >= self._need[sender]:
                    break
                if len(self._got[receiver]) < self._need[receiver]:
                    self._sent[sender].add(receiver)
                    self._got[receiver].add(sender)
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
                if len(self._got[receiver]) < self._need[receiver]:
                    shift(self._sent, self._got, source, receiver, sender_of, gives_up)
                    return True
                for other in self._got[receiver]:
                    if other not in gives_up:
                        gives_up[other] = receiver
                        stack.append(other)
        return False

    def _arcs(self, vertex: int, forwards: bool) -> list[int]:
        """Residual arcs out of a vertex, or into it."""
        flow = self._got[vertex] if self._colour[vertex] else self._sent[vertex]
        if (self._colour[vertex] == 1) == forwards:
            return sorted(flow)
        return sorted(self._links[vertex] - flow)

    def _reached(self, roots: Sequence[int], forwards: bool) -> set[int]:
        seen = set(roots)
        stack = [*roots]
        while stack:
            for other in self._arcs(stack.pop(), forwards):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen
