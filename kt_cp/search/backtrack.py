"""Backtracking for a Hamiltonian cycle: Warnsdorff's order, deduction, restarts. Complete.

One path grows from both ends. A step takes the end with fewer open edges and tries its neighbours
by Warnsdorff's rule: the one with fewest available edges first, ties in random order. After each
decision `fragments` draws the consequences; now and then a connectivity check and `two_factor`
examine the whole graph. A contradiction undoes the last decision and discards its edge for good on
the level below, where that may have consequences too. Edges refuted at the root stay refuted across
restarts.

The connectivity check contracts every fragment to one vertex. Without any fragment, the rest of a
Hamiltonian cycle is one path. So the contracted graph of the open edges must be connected and have
no articulation point. This includes the plain tests (is the graph connected, does it have a cut
vertex?), and a long path costs no more than a single vertex.

After a wrong step near the root a run may take forever, although another order succeeds at once. So
a run is cut off after a number of backtracks, and another one breaks ties differently. That number
grows by half each time and without bound, so some run exhausts the search: a negative answer needs
no luck. The runs that were cut off cost about twice as much as the last one.

Source: H. C. von Warnsdorff, "Des Roesselsprungs einfachste und allgemeinste Loesung" (1823), for
the order; F. Rubin (1974) for the deductions; R. Tarjan, "Depth-first search and linear graph
algorithms", SIAM Journal on Computing 1 (1972), for articulation points; C. Gomes, B. Selman and
H. Kautz, "Boosting combinatorial search through randomization", AAAI 1998, for the restarts.

Cost: knight's tours up to 100x100 are mostly found without a backtrack, in time nearly linear in
the number of squares. The connectivity check is linear in the open edges, far more than the
propagation that it follows, so it runs only after a number of propagation steps
(`benchmarks/MEASURED.md`).

When it loses: it learns from a contradiction only at the root. A graph without a cycle that needs
long reasoning (snarks of 60 vertices and more) takes exponential time; a SAT solver's learnt
clauses do better there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence

from kt_cp.model.cycle import cycles_of
from kt_cp.model.limits import StoppedError
from kt_cp.search.fragments import Fragments
from kt_cp.search.meter import Meter, Work
from kt_cp.search.two_factor import TwoFactor


def two_connected(state: Fragments) -> bool:
    """Return whether the graph with fragments contracted is connected, without articulation points.

    The state is propagated and not yet a whole cycle; it does not change. False means that no
    Hamiltonian cycle contains all chosen and no discarded edges. Raises `StoppedError`.
    """
    open_, mate, spend = state.open, state.mate, state.meter.spend
    count = state.n - state.chosen
    if count < 3:
        return True

    def edges(end: int) -> Iterator[int]:
        other = mate[end]
        return iter(open_[end]) if other == end else iter((*open_[end], *open_[other]))

    # Both ends of a fragment carry its number in order of discovery; 0 is undiscovered. `lowest`
    # is stored at the end through which the search entered the fragment. An edge back to the parent
    # yields the parent's own number, which the articulation test allows.
    number = [0] * state.n
    lowest = [0] * state.n
    root = state.head
    number[root] = number[mate[root]] = lowest[root] = found = 1
    root_children = 0
    stack = [(root, edges(root))]
    while stack:
        v, remaining = stack[-1]
        low = lowest[v]
        for u in remaining:
            if number[u]:
                if number[u] < low:
                    low = number[u]
            else:
                lowest[v] = low
                found += 1
                number[u] = number[mate[u]] = lowest[u] = found
                stack.append((u, edges(u)))
                spend(1)
                break
        else:
            lowest[v] = low
            stack.pop()
            if len(stack) == 1:
                root_children += 1
                if root_children > 1:
                    return False
            elif stack:
                parent = stack[-1][0]
                if low >= number[parent]:
                    return False
                lowest[parent] = min(lowest[parent], low)
    return found == count


# Backtracks before the first restart, and growth of that limit: a compromise between narrow boards
# and refutations; see search/backtrack.py in benchmarks/MEASURED.md.
FIRST_LIMIT = 20
LIMIT_GROWTH = 1.5
# Vertices propagated per remaining fragment between two checks of the whole graph: connectivity
# pays when checked often, two-factors when checked seldom (benchmarks/MEASURED.md).
CONNECTIVITY_PERIOD = 1
TWO_FACTOR_PERIOD = 8


def hamiltonian_cycle(
    neighbours: Sequence[Sequence[int]],
    forced: Sequence[tuple[int, int]],
    *,
    seed: int,
    should_stop: Callable[[], bool],
    progress: Callable[[Work, Sequence[Collection[int]]], None] | None = None,
) -> tuple[list[int] | None, bool, Work]:
    """Search for a Hamiltonian cycle through given edges until one is found or none can exist.

    The neighbours are symmetric, without loops or repeats.  The seed decides ties.  ``should_stop``
    is polled about every millisecond.  ``progress`` is called now and then with the counters so
    far, and the neighbours of each vertex over the edges chosen at that time.  Returns the vertices
    in order, whether the search is complete, and its counters.

    >>> square = [[1, 3], [0, 2], [1, 3], [2, 0]]
    >>> cycle, exhausted, work = hamiltonian_cycle(square, [], seed=1, should_stop=lambda: False)
    >>> cycle
    [0, 3, 2, 1]
    >>> hamiltonian_cycle([[1], [0, 2], [1]], [], seed=1, should_stop=lambda: False)[:2]
    (None, True)
    """
    for u, v in forced:
        if v not in neighbours[u]:
            raise ValueError(f"expected forced edges of the graph, got {(u, v)!r}")
    work = Work()
    if len(neighbours) < 3:
        return None, True, work

    chosen: Sequence[Collection[int]] = [()] * len(neighbours)

    def report(work: Work) -> None:
        if progress is not None:
            progress(work, chosen)

    try:
        state = Fragments(neighbours, Meter(work, should_stop, report))
        chosen = state.links
        found = _Search(state, random.Random(seed)).run(forced)
    except StoppedError:
        return None, False, work
    return (cycles_of(state.links)[0] if found else None), True, work


class _Search:
    def __init__(self, state: Fragments, rng: random.Random) -> None:
        self._state = state
        self._work = state.work
        self._rng = rng
        self._rank = list(range(state.n))
        # Per decision: length of the trail, the edge, and the ends of the growing path before it.
        self._levels: list[tuple[int, int, int, int, int]] = []
        self._next_connectivity = self._next_two_factor = 0

    def run(self, forced: Sequence[tuple[int, int]]) -> bool:
        """Search to the end; return whether the state holds a whole cycle."""
        state = self._state
        limit, failures = FIRST_LIMIT, 0
        # An edge that is no longer open would close a cycle of forced edges.
        possible = all(
            state.is_chosen(u, v) or (state.is_open(u, v) and state.choose(u, v)) for u, v in forced
        )
        if not (possible and state.propagate() and self._filter_root()):
            self._work.backtracks += 1
            return False
        self._start_over()
        while state.chosen < state.n:
            if state.propagate() and self._whole_graph_allows():
                if state.chosen < state.n:
                    self._decide()
                continue
            self._work.backtracks += 1
            failures += 1
            if not self._levels:
                return False
            state.abandon()
            if failures > limit:
                limit, failures = int(limit * LIMIT_GROWTH) + 1, 0
                self._work.restarts += 1
                state.undo(self._levels[0][0])
                self._levels.clear()
                self._start_over()
            else:
                mark, u, v, state.head, state.tail = self._levels.pop()
                state.undo(mark)
                state.discard(u, v)
        return True

    def _filter_root(self) -> bool:
        """Decide edges by two-factors until nothing changes, and store the flow for later."""
        while self._state.chosen < self._state.n:
            # A new flow each time: deciding edges at the depot may make the graph bipartite.
            self._two_factor = TwoFactor(self._state)
            before = len(self._state.trail)
            if not self._apply_two_factor():
                return False
            if len(self._state.trail) == before:
                break
        return True

    def _start_over(self) -> None:
        """Shuffle the ties and choose the path to grow: a fragment if there is one, in a corner."""
        links, open_, rank = self._state.links, self._state.open, self._rank
        self._rng.shuffle(rank)
        ends = [v for v in range(self._state.n) if len(links[v]) < 2]
        if ends:
            head = min(ends, key=lambda v: (-len(links[v]), len(open_[v]), rank[v]))
            self._state.head, self._state.tail = head, self._state.mate[head]

    def _decide(self) -> None:
        """Extend the growing path by one edge, by Warnsdorff's rule."""
        state, rank = self._state, self._rank
        open_, links = state.open, state.links
        # The end with fewer choices: narrow boards then need far fewer backtracks.
        u = min(state.head, state.tail, key=lambda end: len(open_[end]))
        v = min(open_[u], key=lambda x: (len(open_[x]) + len(links[x]), rank[x]))
        self._work.nodes += 1
        self._levels.append((len(state.trail), u, v, state.head, state.tail))
        state.choose(u, v)

    def _whole_graph_allows(self) -> bool:
        """Run the checks of the whole graph that are due."""
        state = self._state
        left = state.n - state.chosen
        if left and state.propagated >= self._next_connectivity:
            self._next_connectivity = state.propagated + CONNECTIVITY_PERIOD * left
            if not two_connected(state):
                self._work.disconnected += 1
                return False
        if left and state.propagated >= self._next_two_factor:
            self._next_two_factor = state.propagated + TWO_FACTOR_PERIOD * left
            return self._apply_two_factor()
        return True

    def _apply_two_factor(self) -> bool:
        state = self._state
        if not self._two_factor.exists():
            self._work.unbalanced += 1
            return False
        never, always = self._two_factor.decided()
        self._work.filtered += len(never) + len(always)
        for u, v in never:
            state.discard(u, v)
        for u, v in always:
            # Choosing one edge may discard another, as the closing edge of a fragment.
            if not state.is_chosen(u, v) and not (state.is_open(u, v) and state.choose(u, v)):
                return False
        return state.propagate()
