"""Local search for boards that are too large for CP-SAT: exchanges of two and three moves.

An exchange of two moves removes a-b and c-d, reverses the part between them, and adds a-c and b-d.
An exchange of three removes a-b, c-d and e-f, swaps the parts b..c and d..e, and adds a-d, c-f and
b-e.  Both keep a single cycle.  The first new move is drawn among the moves of the graph.  So are
the others, as far as there is a choice, and an exchange is dropped if its last move does not exist.

Simulated annealing accepts an exchange that costs more with probability exp(-cost / temperature),
and the temperature falls.  Draws begin at squares that do not have their least cost, or have a
crossing, and at their neighbours.  The rest of the tour, long straight lines, stays as it is.

The cost is a sum over squares, by the two moves of each, or the number of crossings.  An exchange
changes few squares and moves, so a draw takes a fraction of a microsecond.  An accepted exchange
reverses up to half of the tour; that takes microseconds, but only one draw in a thousand is
accepted.

Source: exchanges of two and three edges are those of G. A. Croes (1958) and S. Lin, "Computer
solutions of the traveling salesman problem", Bell System Technical Journal 44, 1965; annealing that
of S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Science 220 (1983).  When it loses: it proves
nothing; on boards of less than a hundred squares CP-SAT is as good.  From an arbitrary tour of a
large board it does not find long straight lines, so it needs a good start
(:mod:`kt_cp.optimization.large_boards`).

Importing this module loads Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from kt_cp.model.measures import crosses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.trust.check.bound import Choice
    from kt_cp.trust.check.frame import Frame

    Numbers = NDArray[np.int32]

CHUNK = 200_000
"""Draws between two polls of the clock; the active squares are computed again after each."""

HOT, COLD = 0.5, 0.15
"""The first and the last temperature for sums over squares.  On 100x100, 1.0 destroys the lines."""

HOT_CROSSINGS, COLD_CROSSINGS = 0.8, 0.2
"""The same for crossings: 1.2 destroys the lines, and 0.5 leaves more crossings."""

TRIPLES = 0.5
"""The share of exchanges of three moves."""


class Layout(NamedTuple):
    """A frame and its costs as arrays.

    A row of ``heads`` has the neighbours of a square, and last its end of an open tour; -1 stands
    for none.  ``edges`` has the numbers of the edges to them, and ``cost`` the cost of a square, by
    the places of its two neighbours in the row.  ``crossed`` has the edges that cross each edge.
    ``weight`` is the cost of a crossing.
    """

    heads: Numbers
    edges: Numbers
    cost: Numbers
    least: Numbers
    required: NDArray[np.bool_]
    crossed: Numbers
    weight: int


def layout_of(
    frame: Frame, costs: Sequence[dict[Choice, int]] | None, crossing_weight: int = 0
) -> Layout:
    """Return the arrays for costs of the choices at each square, or of crossings."""
    squares, edges = frame.squares, frame.edges()
    number = {edge: place for place, edge in enumerate(edges)}
    rows = [[v for v in row if v < squares] for row in frame.neighbours[:squares]]
    width = max(map(len, rows)) + 1
    heads = np.full((squares, width), -1, dtype=np.int32)
    numbers = np.full((squares, width), -1, dtype=np.int32)
    cost = np.zeros((squares, width, width), dtype=np.int32)
    least = np.zeros(squares, dtype=np.int32)
    for vertex, row in enumerate(rows):
        place = {other: i for i, other in enumerate(row)}
        place |= {v: width - 1 for v in frame.neighbours[vertex] if v >= squares}
        for other, i in place.items():
            heads[vertex, i] = other
            numbers[vertex, i] = number[min(vertex, other), max(vertex, other)]
        if costs is not None:
            for (u, v), each in costs[vertex].items():
                cost[vertex, place[u], place[v]] = cost[vertex, place[v], place[u]] = each
            least[vertex] = min(costs[vertex].values(), default=0)
    required = np.zeros(len(edges), dtype=np.bool_)
    required[[number[edge] for edge in frame.must]] = True
    crossed = _crossing_edges(frame, number) if crossing_weight else np.zeros((1, 0), np.int32)
    return Layout(heads, numbers, cost, least, required, crossed, crossing_weight)


def _crossing_edges(frame: Frame, number: dict[tuple[int, int], int]) -> Numbers:
    """Return the edges that cross each edge, found once for each step."""
    nodes = frame.problem.nodes
    inner = [(u, v) for u, v in number if v < frame.squares]
    steps = {
        (nodes[v][0] - nodes[u][0], nodes[v][1] - nodes[u][1]) for u, v in inner
    }  # the lower square first, as in the frame
    reach = max((max(map(abs, step)) for step in steps), default=0)
    near = range(-2 * reach, 2 * reach + 1)
    pattern = {
        (up, right): [
            (row, column, there)
            for row in near
            for column in near
            for there in sorted(steps)
            if ((row, column), there) != ((0, 0), (up, right))
            and crosses(((0, 0), (up, right)), ((row, column), (row + there[0], column + there[1])))
        ]
        for up, right in steps
    }
    crossed = np.full((len(number), max(map(len, pattern.values()), default=0)), -1, np.int32)
    for u, v in inner:
        (row, column), (top, side) = nodes[u], nodes[v]
        found = []
        for up, right, step in pattern[top - row, side - column]:
            one = frame.number.get((row + up, column + right))
            other = frame.number.get((row + up + step[0], column + right + step[1]))
            if one is not None and other is not None and (one, other) in number:
                found.append(number[one, other])
        crossed[number[u, v], : len(found)] = found
    return crossed


class LocalSearch:
    """Annealing from one tour; ``best`` has the vertices of the best cycle so far."""

    def __init__(self, layout: Layout, cycle: Sequence[int] | Numbers, seed: int) -> None:
        self.layout, self._seed, self._chunks = layout, seed, 0
        self._tour = np.array(cycle, dtype=np.int32)
        self._used = _used_edges(layout, self._tour)
        self._cost = _total_cost(layout, self._tour, self._used)
        self.best, self.best_cost = self._tour.copy(), self._cost

    def anneal(self, draws: int, spent: Callable[[], float]) -> None:
        """Draw exchanges while the temperature falls.

        ``spent`` returns the share of the time that is spent; it may raise an exception, and then
        ``best`` is still valid.  The search ends when the draws or the time are spent.
        """
        hot, cold = (HOT_CROSSINGS, COLD_CROSSINGS) if self.layout.weight else (HOT, COLD)
        done = 0
        while (share := max(done / draws, spent())) < 1.0:
            temperature = hot * (cold / hot) ** share
            self._chunks += 1
            seed = (self._seed * 1_000_003 + self._chunks) % 2**32
            chunk = min(CHUNK, draws - done)
            self._cost, self.best_cost = _draw(
                self.layout, self._tour, self._used, self.best,
                seed, chunk, temperature, self._cost, self.best_cost,
            )  # fmt: skip
            done += chunk


@njit(cache=True, nogil=True)
def _slot(layout: Layout, u: int, v: int) -> int:
    """Return the place of a neighbour in the row of a square, or -1."""
    for place in range(layout.heads.shape[1]):
        if layout.heads[u, place] == v:
            return place
    return -1


@njit(cache=True, nogil=True)
def edge_number(layout: Layout, u: int, v: int) -> int:
    """Return the number of an edge, or -1 if there is none or both vertices are ends."""
    squares = len(layout.heads)
    if u >= squares:
        u, v = v, u
    if u >= squares:
        return -1
    place = _slot(layout, u, v)
    return -1 if place < 0 else layout.edges[u, place]


@njit(cache=True, nogil=True)
def cost_at(layout: Layout, vertex: int, one: int, other: int) -> int:
    """Return the cost of a vertex with two neighbours."""
    if vertex >= len(layout.heads):
        return 0
    return int(layout.cost[vertex, _slot(layout, vertex, one), _slot(layout, vertex, other)])


@njit(cache=True, nogil=True)
def toggle(layout: Layout, used: NDArray[np.uint8], edge: int, use: bool) -> int:
    """Add or remove an edge; return the change of the cost of crossings."""
    count = 0
    for place in range(layout.crossed.shape[1]):
        other = layout.crossed[edge, place]
        if other < 0:
            break
        count += used[other]
    used[edge] = use
    return layout.weight * (count if use else -count)


@njit(cache=True, nogil=True)
def _used_edges(layout: Layout, tour: Numbers) -> NDArray[np.uint8]:
    used = np.zeros(len(layout.required), dtype=np.uint8)
    for place in range(len(tour)):
        edge = edge_number(layout, tour[place - 1], tour[place])
        if edge >= 0:
            used[edge] = 1
    return used


@njit(cache=True, nogil=True)
def _total_cost(layout: Layout, tour: Numbers, used: NDArray[np.uint8]) -> int:
    total, crossings = 0, 0
    for place in range(len(tour)):
        vertex, after = tour[place], tour[(place + 1) % len(tour)]
        total += cost_at(layout, vertex, tour[place - 1], after)
        if layout.weight:
            edge = edge_number(layout, vertex, after)
            for other in layout.crossed[edge]:
                if edge >= 0 and other >= 0:
                    crossings += used[other]
    return total + layout.weight * (crossings // 2)


@njit(cache=True, nogil=True)
def _active(layout: Layout, tour: Numbers, used: NDArray[np.uint8]) -> Numbers:
    """Return the squares that could cost less, and their neighbours; all squares if none could."""
    squares, size = len(layout.heads), len(tour)
    marked = np.zeros(size, dtype=np.uint8)
    for place in range(size):
        vertex, before, after = tour[place], tour[place - 1], tour[(place + 1) % size]
        if vertex >= squares:
            continue
        bad = layout.weight < 0 or cost_at(layout, vertex, before, after) > layout.least[vertex]
        if layout.weight > 0 and not bad:
            edge = edge_number(layout, vertex, after)
            for other in layout.crossed[edge]:
                if other >= 0 and used[other]:
                    bad = True
        if bad:
            marked[vertex] = marked[before] = marked[after] = 1
            for other in layout.heads[vertex]:
                if other >= 0:
                    marked[other] = 1
    found = np.nonzero(marked[:squares])[0].astype(np.int32)
    return found if len(found) else np.arange(squares).astype(np.int32)


@njit(cache=True, nogil=True)
def _reverse(tour: Numbers, position: Numbers, first: int, last: int) -> None:
    """Reverse the part from one position to another, or the rest, whichever is shorter."""
    size = len(tour)
    length = (last - first) % size + 1
    if 2 * length > size:
        first, last, length = (last + 1) % size, (first - 1) % size, size - length
    for _ in range(length // 2):
        one, other = tour[first], tour[last]
        tour[first], tour[last] = other, one
        position[other], position[one] = first, last
        first = first + 1 if first + 1 < size else 0
        last = last - 1 if last > 0 else size - 1


@njit(cache=True, nogil=True)
def _exchange(tour: Numbers, position: Numbers, a: int, b: int, c: int) -> None:
    """Replace a-b and c-d by a-c and b-d; the tour has a b .. c d, in one of the directions."""
    if tour[(position[a] + 1) % len(tour)] == b:
        _reverse(tour, position, position[b], position[c])
    else:
        _reverse(tour, position, position[c], position[b])


@njit(cache=True, nogil=True)
def exchange_cost(
    layout: Layout, ends: Numbers, near: Numbers, count: int, used: NDArray[np.uint8]
) -> int:
    """Return the change of the cost by an exchange, and mark its edges in ``used``.

    It removes the edges from each even place of ``ends`` to the next, and adds those from each
    place to the one that is half of them further on.  ``near`` has the neighbours of the ends.
    """
    half, change = count // 2, 0
    for i in range(count):
        vertex = ends[i]
        first = True
        for j in range(i):
            first = first and ends[j] != vertex
        if not first:
            continue
        one, other = near[i, 0], near[i, 1]
        change -= cost_at(layout, vertex, one, other)
        for j in range(i, count):
            if ends[j] == vertex:
                if one == ends[j ^ 1]:
                    one = ends[(j + half) % count]
                else:
                    other = ends[(j + half) % count]
        change += cost_at(layout, vertex, one, other)
    if layout.weight:
        for i in range(half):
            change += toggle(layout, used, edge_number(layout, ends[2 * i], ends[2 * i + 1]), False)
        for i in range(half):
            change += toggle(layout, used, edge_number(layout, ends[i], ends[i + half]), True)
    return change


@njit(cache=True, nogil=True)
def undo_crossings(layout: Layout, ends: Numbers, count: int, used: NDArray[np.uint8]) -> None:
    """Mark the edges as before an exchange."""
    half = count // 2
    for i in range(half):
        used[edge_number(layout, ends[i], ends[i + half])] = 0
    for i in range(half):
        used[edge_number(layout, ends[2 * i], ends[2 * i + 1])] = 1


@njit(cache=True, nogil=True)
def can_exchange(layout: Layout, ends: Numbers, count: int) -> bool:
    """Return whether the removed edges are not required, and the added ones exist."""
    half = count // 2
    for i in range(half):
        place = (i + 1) % half  # the first edge was drawn among those that exist
        if edge_number(layout, ends[place], ends[place + half]) < 0:
            return False
    for i in range(half):
        removed = edge_number(layout, ends[2 * i], ends[2 * i + 1])
        if removed < 0 or layout.required[removed]:
            return False
    return True


@njit(cache=True, nogil=True)
def _draw(
    layout: Layout,
    tour: Numbers,
    used: NDArray[np.uint8],
    best: Numbers,
    seed: int,
    draws: int,
    temperature: float,
    cost: int,
    best_cost: int,
) -> tuple[int, int]:
    """Draw exchanges; return the costs of the tour and of the best tour."""
    np.random.seed(seed)
    squares, size, width = len(layout.heads), len(tour), layout.heads.shape[1]
    position = np.empty(size, dtype=np.int32)
    for place in range(size):
        position[tour[place]] = place
    active = _active(layout, tour, used)
    ends = np.empty(6, dtype=np.int32)
    near = np.empty((6, 2), dtype=np.int32)
    for _ in range(draws):
        a = active[np.random.randint(len(active))]
        step = 1 if np.random.random() < 0.5 else -1
        first = (position[a] + step) % size
        b = tour[first]
        other = layout.heads[a, np.random.randint(width)]
        if other < 0 or other == b or other == tour[(position[a] - step) % size]:
            continue
        if np.random.random() < TRIPLES:
            count, d = 6, other
            place = (position[d] - step) % size
            c = tour[place]
            if c >= squares:
                continue
            f = layout.heads[c, np.random.randint(width)]
            if f < 0 or f in (b, d):
                continue
            last = (position[f] - step) % size
            e = tour[last]
            if (step * (last - first)) % size <= (step * (place - first)) % size:
                continue  # f lies between b and c, which would leave two cycles
            ends[4], ends[5] = e, f
        else:
            count, c = 4, other
            d = tour[(position[c] + step) % size]
        ends[0], ends[1], ends[2], ends[3] = a, b, c, d
        if not can_exchange(layout, ends, count):
            continue
        for i in range(count):
            near[i, 0] = tour[position[ends[i]] - 1]
            near[i, 1] = tour[(position[ends[i]] + 1) % size]
        change = exchange_cost(layout, ends, near, count, used)
        if change > 0 and np.random.random() >= np.exp(-change / temperature):
            if layout.weight:
                undo_crossings(layout, ends, count, used)
            continue
        cost += change
        _exchange(tour, position, a, b, c)
        if count == 6:  # a c .. b d .. e f, then a e .. d b .. c f, then a d .. e b .. c f
            _exchange(tour, position, a, c, ends[4])
            _exchange(tour, position, a, ends[4], d)
        if cost < best_cost:
            best_cost = cost
            best[:] = tour
    return cost, best_cost
