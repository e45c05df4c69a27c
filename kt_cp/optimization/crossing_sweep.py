"""Crossings by a frontier sweep: dynamic programming over the squares, row by row.

The sweep decides at each square which of its moves to earlier squares are used.  The rest of the
board depends only on a small part of the decisions so far, the state.  For each square with later
neighbours, the state contains its number of moves and, if this is one, the other end of its path.
For each move from such a square to a later one, it contains the number of moves so far that cross
it.  Decisions with the same state are merged, and the one with the fewest crossings stays.

If the two moves that a square still needs are its last ones, their crossings are certain, and are
added at once; this merges more states.  Each row is swept from both sides towards the middle.  If
the left and right halves of the board mirror each other, each state after a pair of squares has a
mirror image, and only one of the two is stored.

Source: this package; frontier sweeps are those of D. E. Knuth's Simpath (The Art of Computer
Programming, 7.1.4).  Cost: the number of states grows about thirtyfold with each further column.
When it loses: boards with both sides above 7.  A second sweep begins with the last row and takes
the squares of a row in another order, so its states differ.  Equal values confirm each other; they
are not a proof that a checker could verify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.model.errors import TooLargeError
from kt_cp.model.measures import crosses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.model.problem import Problem

Edge = tuple[int, int]
Point = tuple[int, int]

FREE, DONE, ENDED = 255, 254, 253
"""A square without a move; with all its moves; with one, if the other end of its path is final."""

MOST_BYTES = 3 << 30
"""Memory of a sweep; two sweeps run at once."""

MOST_SLOTS = 240
MOST_BACK = 7
"""Moves of a square to earlier ones.  The choice among them is in a byte with ``MIRRORED``."""

MIRRORED = 128
"""The flag that is added to a choice if its state is stored as the mirror image."""

CHUNK = 100_000
"""States between two polls of the clock."""

ANY, MUST_END, MUST_NOT_END = 0, 1, 2


@dataclass(frozen=True)
class Sweep:
    """A question about paths on points of the plane."""

    points: list[Point]  # the squares, in ascending order
    edges: list[Edge]  # moves as indices of squares, the smaller one first
    closed: bool
    sign: int = 1  # -1 for the most crossings
    ends: frozenset[int] = frozenset()  # squares where an open path begins or ends
    required: frozenset[Edge] = frozenset()  # edges that it uses

    def reversed(self) -> Sweep:
        """Return the same question, with the last square first."""
        sweep = self.ordered(range(len(self.points))[::-1])
        top, right = (max(values) for values in zip(*self.points, strict=True))
        return replace(sweep, points=[(top - row, right - column) for row, column in sweep.points])

    def ordered(self, order: Sequence[int]) -> Sweep:
        """Return the same question, with the squares in another order."""
        place = np.argsort(order).tolist()
        return replace(
            self,
            points=[self.points[square] for square in order],
            edges=sorted(edge_image(edge, place) for edge in self.edges),
            ends=frozenset(place[end] for end in self.ends),
            required=frozenset(edge_image(edge, place) for edge in self.required),
        )

    def moves(self) -> tuple[list[list[int]], list[list[int]], list[list[int]], list[int]]:
        """Return the moves that cross each move, those of each square, and its last neighbour.

        Moves of a square are those to earlier squares, and those to later ones, by their numbers.
        """
        lines = [(self.points[u], self.points[v]) for u, v in self.edges]
        crossing: list[list[int]] = [[] for _ in lines]
        for one, other in combinations(range(len(lines)), 2):
            if crosses(lines[one], lines[other]):
                crossing[one].append(other)
                crossing[other].append(one)
        back: list[list[int]] = [[] for _ in self.points]
        forth: list[list[int]] = [[] for _ in self.points]
        last = [*range(len(self.points))]
        for number, (u, v) in enumerate(self.edges):
            back[v].append(number)
            forth[u].append(number)
            last[u] = max(last[u], v)
        return crossing, back, forth, last

    def mirror(self) -> list[int] | None:
        """Return the square opposite each one in its row, or None if that changes the question."""
        right = max(column for _, column in self.points)
        number = {point: index for index, point in enumerate(self.points)}
        opposite = [number.get((row, right - column), -1) for row, column in self.points]
        return opposite if -1 not in opposite and self.is_kept_by(opposite) else None

    def is_kept_by(self, image: list[int]) -> bool:
        """Return whether the question is the same for the images of all squares."""
        return {image[end] for end in self.ends} == self.ends and all(
            {edge_image(edge, image) for edge in edges} == {*edges}
            for edges in (self.edges, self.required)
        )


def edge_image(edge: Edge, image: Sequence[int]) -> Edge:
    """Return the edge between the images of two squares."""
    u, v = image[edge[0]], image[edge[1]]
    return (u, v) if u < v else (v, u)


def order_from_sides(sweep: Sweep, *, outer_first: bool) -> list[int]:
    """Return the squares row by row, each row from both sides to its middle.

    Without ``outer_first``, the second square of each side comes before the first.  If the piece
    moves within a row, the order is from left to right, because such moves may cross later ones.

    >>> order_from_sides(Sweep([(0, 0), (0, 1), (0, 2), (0, 3)], [], False), outer_first=True)
    [0, 3, 1, 2]
    """
    points = sweep.points
    if any(points[u][0] == points[v][0] for u, v in sweep.edges):
        return list(range(len(points)))
    right = max(column for _, column in points)

    def key(square: int) -> tuple[int, int, int]:
        row, column = points[square]
        side = min(column, right - column)
        if not outer_first and side < 2 and right > 2:
            side = 1 - side
        return row, side, column

    return sorted(range(len(points)), key=key)


def as_sweep(problem: Problem, objective: str) -> tuple[Sweep, list[Any]]:
    """Return the sweep of a problem on a board, and its squares in the order of the sweep.

    The order is along the longer side, so that there are fewer states.
    """
    board = problem.board
    assert board is not None
    wide = board.columns > board.rows
    squares = sorted(board, key=lambda square: square[::-1] if wide else square)
    number = {square: index for index, square in enumerate(squares)}

    def edge(move: Iterable[Any]) -> Edge:
        u, v = sorted(number[square] for square in move)
        return u, v

    barred = {edge(move) for move in problem.forbid}
    ends = [] if problem.closed else [problem.start, problem.end]
    sweep = Sweep(
        [square[::-1] if wide else square for square in squares],
        sorted({edge(move) for move in problem.graph.edges()} - barred),
        problem.closed,
        -1 if objective == "most-crossings" else 1,
        frozenset(number[end] for end in ends if end is not None),
        frozenset(edge(move) for move in problem.require),
    )
    return sweep, squares


def order_path(edges: Iterable[Edge]) -> list[int]:
    """Return the vertices of a path or cycle in order.

    >>> order_path([(0, 3), (1, 3), (1, 2)])
    [0, 3, 1, 2]
    """
    import networkx as nx

    graph = nx.Graph(edges)
    first = min((vertex for vertex in graph if graph.degree(vertex) == 1), default=min(graph))
    return list(nx.dfs_preorder_nodes(graph, first))


@dataclass
class _Step:
    """A square, as the kernel reads it."""

    slot: int
    back: list[tuple[int, int]] = field(default_factory=list)
    """For each move to an earlier square: the slot of that square, and of the move."""
    pairs: list[list[int]] = field(default_factory=list)
    """For each of two such moves, whether they cross."""
    raised: list[list[int]] = field(default_factory=list)
    """For each such move, the slots of open moves that it crosses."""
    required: int = 0
    leaving: list[tuple[int, int]] = field(default_factory=list)
    """Squares without later neighbours: their slots, and whether they are ends."""
    waiting: list[tuple[int, list[int]]] = field(default_factory=list)
    """Other squares so far: their slots, and those of their open moves."""
    opposite: list[tuple[int, int]] = field(default_factory=list)
    opposite_moves: list[tuple[int, int]] = field(default_factory=list)
    """Slots of these squares, and of moves, with those of the mirrored ones; empty if the squares
    so far are not those of their mirror image."""


def _plan(sweep: Sweep, opposite: list[int] | None) -> tuple[list[_Step], int, int]:
    """Return the steps, the number of slots of squares, and that of slots of moves."""
    size = len(sweep.points)
    crossing, back, forth, last = sweep.moves()
    square_slots, edge_slots = Slots(), Slots()
    square_slot: dict[int, int] = {}
    edge_slot: dict[int, int] = {}
    number_of = {edge: number for number, edge in enumerate(sweep.edges)}
    steps = []
    for v in range(size):
        square_slot[v] = square_slots.take()
        step = _Step(square_slot[v])
        for number in back[v]:
            u = sweep.edges[number][0]
            step.back.append((square_slot[u], edge_slot[number]))
            step.pairs.append([int(other in crossing[number]) for other in back[v]])
            step.raised.append(
                [edge_slot[each] for each in crossing[number] if sweep.edges[each][1] > v]
            )
            if sweep.edges[number] in sweep.required:
                step.required |= 1 << (len(step.back) - 1)
        for number in back[v]:
            edge_slots.free(edge_slot[number])
        for number in forth[v]:
            edge_slot[number] = edge_slots.take()
        for u in range(v + 1):
            if last[u] == v:
                flag = MUST_END if u in sweep.ends else MUST_NOT_END
                flag = flag if sweep.closed or u in sweep.ends or len(sweep.ends) == 2 else ANY
                step.leaving.append((square_slot[u], flag))
                square_slots.free(square_slot[u])
            elif last[u] > v:
                rest = [edge_slot[each] for each in forth[u] if sweep.edges[each][1] > v]
                step.waiting.append((square_slot[u], rest))
        if opposite is not None and max(opposite[: v + 1]) == v:
            for u in range(v + 1):
                if last[u] <= v:
                    continue
                step.opposite.append((square_slot[u], square_slot[opposite[u]]))
                for number in forth[u]:
                    if sweep.edges[number][1] > v:
                        other = number_of[edge_image(sweep.edges[number], opposite)]
                        step.opposite_moves.append((edge_slot[number], edge_slot[other]))
        steps.append(step)
    return steps, square_slots.number, edge_slots.number


class Slots:
    """Reusable places in a state."""

    def __init__(self) -> None:
        self.number = 0
        self._free: list[int] = []

    def take(self) -> int:
        if self._free:
            self._free.sort(reverse=True)
            return self._free.pop()
        self.number += 1
        return self.number - 1

    def free(self, slot: int) -> None:
        self._free.append(slot)


def sweep_crossings(
    question: Sweep,
    look: Callable[[int, int], None],
    most_bytes: float = MOST_BYTES,
    *,
    outer_first: bool = False,
) -> tuple[int, list[Edge]] | None:
    """Return the best value and the edges of a path or cycle that has it, or None.

    ``look`` is called repeatedly with the numbers of finished squares and of states; it may raise.
    ``outer_first`` is that of :func:`order_from_sides`.  Raise TooLargeError if the states do not
    fit into memory.
    """
    order = order_from_sides(question, outer_first=outer_first)
    sweep = question.ordered(order)
    opposite = sweep.mirror()
    steps, squares, edges = _plan(sweep, opposite)
    if squares > MOST_SLOTS or any(len(step.back) > MOST_BACK for step in steps):
        raise TooLargeError("the board is too wide for a sweep, or its piece has too many moves")
    width = -(-(squares + edges) // 8) * 8
    rows, costs = np.zeros((1, width // 8), np.uint64), np.zeros(1, np.int32)
    history: list[tuple[NDArray[np.int32], NDArray[np.uint8]]] = []
    best: list[tuple[int, int, int, int]] = []
    stored = 0
    for number, step in enumerate(steps):
        table = StateTable(width // 8)
        arrays = _arrays(step)
        finish = np.array([1 << 30, -1, 0], np.int64)
        options = np.array([sweep.sign, sweep.closed, number == len(steps) - 1, squares], np.int64)
        for begin in range(0, len(rows), CHUNK):
            look(number, table.count)
            end = min(begin + CHUNK, len(rows))
            table.arrays = _expand(
                rows, costs, begin, end, table.arrays, table.head, finish, options, *arrays
            )
            table.check_memory(stored, most_bytes)
        if finish[1] >= 0:
            best.append((int(finish[0]), number, int(finish[1]), int(finish[2])))
        rows, costs, parents, masks = table.columns
        history.append((parents, masks))
        stored += table.count * 5
    if not best:
        return None
    cost, number, parent, mask = min(best)
    found = trace_edges(sweep, history, number, parent, mask, opposite)
    return sweep.sign * cost, [edge_image(edge, order) for edge in found]


class StateTable:
    """The states after a square in a hash table, each with its least cost and a way to reach it."""

    def __init__(self, words: int) -> None:
        room = 1024
        self.head = np.zeros(1, np.int64)
        self.arrays: Any = (
            np.zeros((room, words), np.uint64),
            np.zeros(room, np.int32),
            np.zeros(room, np.int32),
            np.zeros(room, np.uint8),
            np.full(4 * room, -1, np.int32),
        )

    @property
    def count(self) -> int:
        """The number of states."""
        return int(self.head[0])

    @property
    def columns(self) -> tuple[Any, ...]:
        """The states, their costs, the numbers of the states before, and the decisions."""
        return tuple(each[: self.count].copy() for each in self.arrays[:-1])

    def check_memory(self, stored: int, most_bytes: float) -> None:
        """Raise an error unless a copy of the states fits into memory beside the stored data."""
        if stored + 2 * self.count * (8 * self.arrays[0].shape[1] + 21) > most_bytes:
            gigabytes = most_bytes / (1 << 30)
            raise TooLargeError(f"a sweep of this board needs more than {gigabytes:.2g} GB")


def trace_edges(
    sweep: Sweep,
    history: list[Any],
    number: int,
    parent: int,
    mask: int,
    opposite: list[int] | None = None,
) -> list[Edge]:
    """Return the edges of the decisions that lead to a state, which may be stored mirrored."""
    back: list[list[Edge]] = [[] for _ in sweep.points]
    for u, v in sweep.edges:
        back[v].append((u, v))
    found = []
    is_mirrored = False
    while True:
        is_mirrored ^= opposite is not None and bool(mask & MIRRORED)
        edges = [edge for bit, edge in enumerate(back[number]) if mask >> bit & 1]
        if is_mirrored and opposite is not None:
            edges = [edge_image(edge, opposite) for edge in edges]
        found += edges
        number -= 1
        if number < 0:
            return found
        parents, masks = history[number]
        parent, mask = int(parents[parent]), int(masks[parent])


def _arrays(step: _Step) -> tuple[Any, ...]:
    """Return a step as arrays of the kernel."""

    def ragged(lists: list[list[int]]) -> tuple[Any, Any]:
        starts = np.cumsum([0, *map(len, lists)]).astype(np.int64)
        return starts, np.array([each for row in lists for each in row], np.int64)

    raised_starts, raised = ragged(step.raised)
    waiting_starts, open_ = ragged([rest for _, rest in step.waiting])
    return (
        step.slot,
        np.array(step.back, np.int64).reshape(-1, 2),
        np.array(step.pairs, np.int64).reshape(len(step.back), len(step.back)),
        raised_starts,
        raised,
        step.required,
        np.array(step.leaving, np.int64).reshape(-1, 2),
        np.array([slot for slot, _ in step.waiting], np.int64),
        waiting_starts,
        open_,
        np.array(step.opposite, np.int64).reshape(-1, 2),
        np.array(step.opposite_moves, np.int64).reshape(-1, 2),
    )


@njit(cache=True, nogil=True)
def _find_entry(table, rows, row):  # type: ignore[no-untyped-def]
    """Return the place of a row in a hash table, or the free one where it belongs."""
    hashed = np.uint64(1469598103934665603)
    for place in range(len(row)):
        hashed = (hashed ^ row[place]) * np.uint64(0x9E3779B97F4A7C15)
        hashed ^= hashed >> np.uint64(29)
    last = np.uint64(len(table) - 1)
    at = hashed & last
    while table[at] >= 0:
        entry = table[at]
        same = True
        for place in range(len(row)):
            if rows[entry, place] != row[place]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return at


@njit(cache=True, nogil=True, forceinline=True)
def store_state(arrays, head, row, cost, parent, choice):  # type: ignore[no-untyped-def]
    """Store a state unless it is there at no higher cost; return the arrays, which may grow."""
    rows, costs, parents, choices, table = arrays
    at = _find_entry(table, rows, row)
    entry = table[at]
    if entry >= 0 and costs[entry] <= cost:
        return arrays
    if entry < 0:
        entry = head[0]
        if entry == len(costs):
            rows = np.concatenate((rows, np.zeros_like(rows)))
            costs = np.concatenate((costs, np.zeros_like(costs)))
            parents = np.concatenate((parents, np.zeros_like(parents)))
            choices = np.concatenate((choices, np.zeros_like(choices)))
            table = np.full(2 * len(table), -1, np.int32)
            for each in range(entry):
                table[_find_entry(table, rows, rows[each])] = each
            at = _find_entry(table, rows, row)
        table[at] = entry
        rows[entry] = row
        head[0] = entry + 1
    costs[entry] = cost
    parents[entry] = parent
    choices[entry] = choice
    return rows, costs, parents, choices, table


@njit(cache=True, nogil=True)
def _expand(  # type: ignore[no-untyped-def]
    rows, costs, begin, end, arrays, head, finish, options,
    slot, back, pairs, raised_starts, raised, required, leaving, waiting, waiting_starts, open_,
    opposite, opposite_moves,
):  # fmt: skip
    """Apply all decisions at a square to some states; return the grown arrays of the next ones."""
    sign, closed, is_last, squares = options
    words = np.zeros(rows.shape[1], np.uint64)
    work = words.view(np.uint8)
    mirrored_words = np.zeros(rows.shape[1], np.uint64)
    mirrored = mirrored_words.view(np.uint8)
    image = np.arange(256).astype(np.uint8)
    for place in range(len(opposite)):
        image[opposite[place, 0]] = opposite[place, 1]
    for index in range(begin, end):
        for mask in range(1 << len(back)):
            if mask & required != required:
                continue
            used = 0
            for bit in range(len(back)):
                used += mask >> bit & 1
            if used > 2:
                continue
            words[:] = rows[index]
            work[slot] = FREE
            cost = costs[index]
            valid = True
            joined = False  # a cycle was closed, or a path between two final ends
            first = -1
            for bit in range(len(back)):
                if not mask >> bit & 1:
                    continue
                other, edge = back[bit]
                if joined or work[other] == DONE:
                    valid = False
                    break
                cost += sign * work[squares + edge]
                if first >= 0 and pairs[first, bit]:
                    cost += sign
                first = bit
                mate, own = work[other], work[slot]
                if mate == slot and own == other:
                    if not closed:
                        valid = False
                        break
                    joined = True
                    work[other] = DONE
                    work[slot] = DONE
                    continue
                far = other if mate == FREE else mate
                near = slot if own == FREE else own
                if mate != FREE:
                    work[other] = DONE
                if own != FREE:
                    work[slot] = DONE
                if far == ENDED and near == ENDED:
                    joined = True
                    continue
                if far != ENDED:
                    work[far] = near
                if near != ENDED:
                    work[near] = far
            if not valid:
                continue
            for bit in range(len(back)):
                work[squares + back[bit, 1]] = 0
            for bit in range(len(back)):
                if mask >> bit & 1:
                    for place in range(raised_starts[bit], raised_starts[bit + 1]):
                        edge = squares + raised[place]
                        if work[edge] < 255:
                            work[edge] += 1
            for place in range(len(leaving)):
                gone, flag = leaving[place]
                mate = work[gone]
                if mate == FREE:
                    valid = False
                    break
                if mate == DONE:
                    if flag == MUST_END:
                        valid = False
                        break
                else:
                    if closed or flag == MUST_NOT_END:
                        valid = False
                        break
                    if mate == ENDED:
                        if joined:
                            valid = False
                            break
                        joined = True
                    else:
                        work[mate] = ENDED
                work[gone] = 0
            if not valid:
                continue
            ends = 0
            for place in range(len(waiting)):
                mate = work[waiting[place]]
                if mate == ENDED:
                    ends += 1
            if ends > 2:
                continue
            if joined:
                if is_last and cost < finish[0]:
                    finish[0], finish[1], finish[2] = cost, index, mask
                continue
            spare = 0 if closed else 2 - ends  # squares that may end the path
            for place in range(len(waiting)):
                mate = work[waiting[place]]
                need = 0 if mate == DONE else 2 if mate == FREE else 1
                have = waiting_starts[place + 1] - waiting_starts[place]
                if need > have:
                    spare -= need - have
            if spare < 0:
                continue
            for place in range(len(waiting)):
                here = waiting[place]
                mate = work[here]
                lo, hi = waiting_starts[place], waiting_starts[place + 1]
                if mate == DONE:
                    for at in range(lo, hi):
                        work[squares + open_[at]] = 0
                    continue
                if spare == 0:
                    need = 2 if mate == FREE else 1
                    if hi - lo <= need:  # all are used, so that their crossings are certain
                        for at in range(lo, hi):
                            cost += sign * work[squares + open_[at]]
                            work[squares + open_[at]] = 0
            is_smaller = False
            if len(opposite):
                for place in range(len(opposite)):
                    mirrored[opposite[place, 1]] = image[work[opposite[place, 0]]]
                for place in range(len(opposite_moves)):
                    here, there = opposite_moves[place]
                    mirrored[squares + there] = work[squares + here]
                for place in range(len(words)):
                    if words[place] != mirrored_words[place]:
                        is_smaller = mirrored_words[place] < words[place]
                        break
            if is_smaller:
                arrays = store_state(arrays, head, mirrored_words, cost, index, mask | MIRRORED)
            else:
                arrays = store_state(arrays, head, words, cost, index, mask)
    return arrays
