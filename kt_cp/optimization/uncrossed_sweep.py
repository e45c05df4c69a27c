"""The longest uncrossed path: two frontier sweeps, each of which bounds the other.

A sweep decides at each square which of its moves to earlier squares are used.  A state has, for
each square with later neighbours, where its path ends, and which moves to later squares are
blocked, because a move of the path crosses them.  Of two decisions with the same state, the one
with more moves stays.  States are merged further by consequences that are drawn at once.  A square
with one move whose other moves are all blocked is an end of the path.  If no end is left, a square
needs two moves or none: a square with one possible move is left out, and a last move that is needed
blocks all moves that cross it.

One sweep begins at the first square, the other at the last.  When they meet in the middle, each has
a bound for the rest of the other.  A path consists of moves of the first part, moves of the second
part, and moves across.  The moves across use p squares of the first part once and q squares twice.
In a state of the first sweep, p is the number of squares with one move, except for at most two ends
of the path, and q is at most the number of free squares.  For each p, q and number of ends, the
states of the second sweep are tried, the longest first, until one admits such moves.  They need not
form a single path, so that the sum is a bound.  A state whose bound is below the target is dropped.
The target begins at the largest sum, and is lowered by one until a path has it.

Source: this package; frontier sweeps are those of D. E. Knuth's Simpath (The Art of Computer
Programming, 7.1.4), and a meeting in the middle is due to E. Horowitz and S. Sahni (1974).  Cost:
up to the middle, the number of states grows about twentyfold with each further row and column; the
rest is smaller.  When it loses: paths on boards with both sides above 8, and cycles above 9.  Equal
values of both sweeps confirm each other; they are not a proof that a checker could verify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.model.errors import TooLargeError
from kt_cp.optimization.crossing_sweep import (
    CHUNK,
    MOST_BYTES,
    Edge,
    Slots,
    StateTable,
    Sweep,
    store_state,
    trace_edges,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Words = NDArray[np.uint64]

NONE, ENDED, WANTED = 255, 254, 253
"""Values of a square that is not the end of a path with two open ends: no path, a path with a final
other end, or no path although one must end there."""

MOST_LABELS = 15
"""A square has 4 bits: 0 without a path, 1 for ENDED, 2 for WANTED, or the label of its path."""

MOST_TRIES = 1_000_000
"""Moves that are tried for a state of the other sweep before everything counts as possible."""


@dataclass
class _Step:
    """The arrays of a square, as the kernels read them."""

    slot: int
    back: Integers
    """For each move to an earlier square: the slot of that square, and the bit of the move."""
    pairs: Integers
    """For each of two such moves, whether they cross."""
    raised: Words
    """For each such move, the open moves that it crosses."""
    keep: Words
    """The bits of moves that stay open."""
    required: int
    """The moves back that must be used."""
    present: Integers
    """The slots of squares that may have later neighbours."""
    own_word: Integers
    own_bits: Words
    """For each slot, the word and the bits of its open moves."""
    crossing: Words
    """For each open move, the open moves that it crosses."""
    ends_later: int
    is_end: int
    may_finish: int
    open: list[tuple[int, int, int, int]]
    """The open moves: their squares, the slot of the first, and the bit of the move."""

    def arrays(self) -> tuple[Any, ...]:
        """Return the arguments of the kernel for a square."""
        return tuple(vars(self).values())[:-1]


@dataclass
class _Level:
    """The states after a square."""

    rows: Words
    moves: NDArray[np.int16]
    parents: NDArray[np.int32]
    choices: NDArray[np.uint8]

    def where(self, mask: Any) -> _Level:
        return _Level(*(each[mask].copy() for each in vars(self).values()))


class UncrossedSweep:
    """A sweep up to the middle of the board.

    ``look`` is called repeatedly with the numbers of finished squares and of states; it may raise.
    Raise TooLargeError if the states do not fit into memory.
    """

    def __init__(
        self, sweep: Sweep, look: Callable[[int, int], None], most_bytes: float = MOST_BYTES
    ) -> None:
        self.sweep, self.most_bytes = sweep, most_bytes
        self._plan()
        self.look = look
        none = np.zeros(1, np.int16)
        rows = np.zeros((1, self.width), np.uint64)
        self.levels = [_Level(rows, none, none.astype(np.int32), none.astype(np.uint8))]
        self.best = (0, 0, 0, 0)
        """The moves of the best path that is whole, and how it was found."""
        self.floor = 0
        """Only paths with more moves count."""
        self.stored = 0
        for number in range((len(sweep.points) + 1) // 2):
            level = self._advance(self.levels[-1], number)
            self.levels.append(level)
            self.stored += len(level.rows) * (8 * self.width + 7)
        self.most_whole = self.best[0]

    def _plan(self) -> None:
        sweep = self.sweep
        size = len(sweep.points)
        crossing, back, forth, last = sweep.moves()
        if max(map(len, back)) > 8:
            raise TooLargeError("the piece has too many moves for a sweep")
        squares, bits = Slots(), _Bits()
        slot: dict[int, int] = {}
        bit: dict[int, int] = {}
        before: list[list[tuple[int, int]]] = []
        now: list[tuple[dict[int, int], dict[int, int]]] = []
        for v in range(size):
            slot[v] = squares.take()
            before.append([(slot[sweep.edges[each][0]], bit[each]) for each in back[v]])
            bits.used.difference_update(bit.pop(each) for each in back[v])
            bit.update(zip(forth[v], bits.take(len(forth[v])), strict=True))
            now.append((dict(slot), dict(bit)))
            for u in [u for u in slot if last[u] == v]:
                squares.free(slot.pop(u))
        if squares.number >= WANTED:
            raise TooLargeError("the board is too wide for a sweep")
        self.words = -(-bits.number // 64)
        places = -(-bits.number // 4) * 4 + 4 * np.arange(squares.number)
        self.label_word, self.label_shift = places // 64, (places % 64).astype(np.uint64)
        self.width = max(self.words, -(-(int(places[-1]) + 4) // 64))

        def mask(chosen: Iterable[int]) -> Words:
            found = np.zeros(self.words, np.uint64)
            for each in chosen:
                found[each // 64] |= np.uint64(1 << each % 64)
            return found

        self.steps = []
        for v, (slots, open_) in enumerate(now):
            own_word = np.zeros(squares.number, np.int64)
            own_bits = np.zeros(squares.number, np.uint64)
            for each, place in open_.items():
                own_word[slots[sweep.edges[each][0]]] = place // 64
                own_bits[slots[sweep.edges[each][0]]] |= np.uint64(1 << place % 64)
            crossed = np.zeros((64 * self.words, self.words), np.uint64)
            for each, place in open_.items():
                crossed[place] = mask(open_[other] for other in crossing[each] if other in open_)
            raised = [[open_[e] for e in crossing[each] if e in open_] for each in back[v]]
            ends_later = sum(end > v for end in sweep.ends)
            is_last = not ends_later and all(w <= v for _, w in sweep.required)
            is_required = [sweep.edges[each] in sweep.required for each in back[v]]
            self.steps.append(
                _Step(
                    slots[v],
                    np.array(before[v], np.int64).reshape(-1, 2),
                    np.array([[o in crossing[e] for o in back[v]] for e in back[v]], np.int64)
                    .reshape(len(back[v]), len(back[v])),
                    np.array([mask(row) for row in raised], np.uint64).reshape(-1, self.words),
                    mask(set(open_.values()) - {open_[each] for each in forth[v]}),
                    sum(1 << place for place, each in enumerate(is_required) if each),
                    np.array([*slots.values()], np.int64),
                    own_word,
                    own_bits,
                    crossed,
                    ends_later,
                    int(v in sweep.ends),
                    int(is_last),
                    [(*sweep.edges[e], slots[sweep.edges[e][0]], at) for e, at in open_.items()],
                )
            )  # fmt: skip

    def _advance(self, level: _Level, number: int) -> _Level:
        """Return the states after one more square."""
        table, wide = StateTable(self.width), np.zeros(1, np.bool_)
        finish = np.array([max(self.floor, self.best[0]), -1, 0], np.int64)
        fixed = self.words, self.sweep.closed, self.label_word, self.label_shift
        fixed = (table.head, wide, finish, *fixed, *self.steps[number].arrays())
        for begin in range(0, len(level.rows), CHUNK):
            self.look(number, table.count)
            part = level.rows[begin : begin + CHUNK], level.moves[begin : begin + CHUNK], begin
            arguments: Any = (*part, table.arrays, *fixed)
            table.arrays = _expand(*arguments)
            if wide[0]:
                raise TooLargeError("the board is too wide for a sweep")
            table.check_memory(self.stored, self.most_bytes)
        if finish[1] >= 0:
            self.best = int(finish[0]), number, int(finish[1]), int(finish[2])
        rows, costs, parents, choices = table.columns
        return _Level(rows, (-costs).astype(np.int16), parents, choices)

    def longest(self, other: UncrossedSweep) -> tuple[int, list[Edge]] | None:
        """Return the most moves of an uncrossed path and its edges, or None if there is no path.

        The other sweep is that from the other end.
        """
        half, size = self.levels, len(self.sweep.points)
        borders = [_Border(other, size - done) for done in range(len(half) - 1, size)]
        middle = half[-1], other.levels[borders[0].done]
        target = sum(int(level.moves.max(initial=0)) for level in middle) + int(borders[0].most[0])
        target = max(target, other.most_whole)
        levels = half
        while target > self.best[0]:
            self.floor = target - 1
            levels = [*half]
            dropped = 0
            for border in borders:
                is_good = self._can_reach(target, levels[-1], border)
                dropped += len(is_good) - int(is_good.sum())
                levels[-1] = levels[-1].where(is_good)
                levels.append(self._advance(levels[-1], size - border.done))
            target = target - 1 if dropped else min(target - 1, 1)
        if not self.best[0]:
            return None
        history = [(level.parents, level.choices) for level in levels[1:]]
        return self.best[0], trace_edges(self.sweep, history, *self.best[1:])

    def _can_reach(self, target: int, level: _Level, border: _Border) -> Any:
        """Return for each state whether its bound is at least the target."""
        step = self.steps[len(self.sweep.points) - border.done - 1]
        counts = np.zeros((3, len(level.rows)), np.int64)
        places = self.label_word, self.label_shift
        _count_squares(level.rows, *places, step.present, step.own_word, step.own_bits, counts)
        once, free, ends = counts
        size = len(self.label_word) + 1
        most = np.full((size, size, 3), -size * size)
        """The most moves of a state, by its squares with one move, free squares and ends."""
        np.maximum.at(most, (once, free, ends), level.moves)
        most = np.maximum.accumulate(most[:, ::-1], axis=1)[:, ::-1]  # fewer may be used
        p, q = np.indices((size, size))
        needed = np.full_like(most, size * size)
        matches = [*self._matches(size)]
        for here, there, rows, shifted in matches:
            least = target - most[rows, :, here] - (p + 2 * q)[shifted]
            needed[shifted, :, there] = np.minimum(needed[shifted, :, there], least)
        table = border.tabulate(needed, self.look)
        sums = np.where(table < 0, -size * size, table + (p + 2 * q)[:, :, None])
        sums = np.maximum.accumulate(sums, axis=1)
        bounds = np.full_like(sums, -size * size)
        for here, there, rows, shifted in matches:
            bounds[rows, :, here] = np.maximum(bounds[rows, :, here], sums[shifted, :, there])
        is_beyond = (once == 0) & (border.whole >= target)  # all of the path is still to come
        return (level.moves + bounds[once, free, ends] >= target) | is_beyond

    def _matches(self, size: int) -> Iterator[tuple[int, int, slice, slice]]:
        """Yield numbers of ends here and there, and how many squares with one move may differ."""
        most = 0 if self.sweep.closed else 2
        for here in range(most + 1):
            for there in range(most + 1 - here):
                left = most - here - there
                for shift in range(-left, left + 1):
                    low, high = max(0, -shift), size - max(0, shift)
                    yield here, there, slice(low, high), slice(low + shift, high + shift)


class _Border:
    """The moves between the first ``done`` squares of a sweep and the rest.

    ``whole``: the most moves of a path inside these squares that can have no more; ``most``: for
    each of these moves, the most of it and the following ones that do not cross.
    """

    def __init__(self, sweep: UncrossedSweep, done: int) -> None:
        self.done, self._size = done, len(sweep.sweep.points)
        level, step, points = sweep.levels[done], sweep.steps[done - 1], sweep.sweep.points
        # Moves of a square are neighbours, as are most moves that cross.
        across = sorted(step.open, key=lambda move: (points[move[0]][::-1], points[move[1]][::-1]))
        outer = {square: number for number, square in enumerate({move[1] for move in across})}
        self.whole = sweep.most_whole
        self.most = np.zeros(len(across) + 1, np.int64)
        self._level, self._closed = level, sweep.sweep.closed
        self._order = np.argsort(-level.moves, kind="stable")
        self._fixed = (
            sweep.words,
            self._closed,
            sweep.label_word,
            sweep.label_shift,
            np.array([slot for _, _, slot, _ in across], np.int64),
            np.array([outer[square] for _, square, _, _ in across], np.int64),
            np.array([bit for _, _, _, bit in across], np.int64),
            step.present,
            step.crossing,
        )
        self._run(np.zeros((1, 1, 3), np.int64), 0, len(across))

    def tabulate(self, needed: Integers, look: Callable[[int, int], None]) -> Integers:
        """Return the most moves of a state that admits p, q and a number of ends, or -1.

        ``needed`` has the least number of moves of interest for each of these.
        """
        table = np.full_like(needed, -1)
        first = len(self.most) - 1
        for begin in range(0, len(self._order), CHUNK):
            look(self._size - self.done, len(self._order))
            end = min(begin + CHUNK, len(self._order))
            self._run(needed, first + begin, first + end, table)
        return table

    def _run(self, needed: Integers, begin: int, end: int, table: Integers | None = None) -> None:
        table = needed if table is None else table
        states = self._level.rows, self._level.moves, self._order
        _tabulate(*states, begin, end, needed, table, self.most, *self._fixed)


class _Bits:
    """The bits of words, which are reused."""

    def __init__(self) -> None:
        self.number = 1
        self.used: set[int] = set()

    def take(self, count: int) -> list[int]:
        """Return free bits of one word."""
        first = 0
        while len(free := sorted({*range(first, first + 64)} - self.used)) < count:
            first += 64
        found = free[:count]
        self.used.update(found)
        self.number = max(self.number, *(bit + 1 for bit in found), 1)
        return found


@njit(cache=True, nogil=True)
def _expand(  # type: ignore[no-untyped-def]
    rows, moves, begin, states, head, wide, finish,
    words, closed, label_word, label_shift,
    slot, back, pairs, raised, keep, required, present, own_word, own_bits, crossing,
    ends_later, is_end, may_finish,
):  # fmt: skip
    """Apply all decisions at a square to some states; return the grown arrays of the next ones."""
    width, slots, one, zero = rows.shape[1], len(label_word), np.uint64(1), np.uint64(0)
    out = np.zeros(width, np.uint64)
    mate, work = np.zeros(slots, np.uint8), np.zeros(slots, np.uint8)
    seen = np.zeros(max(slots, MOST_LABELS + 1), np.int64)
    is_open = np.zeros(len(back), np.bool_)
    for index in range(len(rows)):
        row = rows[index]
        seen[:] = -1
        for place in range(slots):
            label = np.int64(row[label_word[place]] >> label_shift[place] & np.uint64(15))
            if label == 0:
                mate[place] = NONE
            elif label == 1:
                mate[place] = ENDED
            elif label == 2:
                mate[place] = WANTED
            elif seen[label] < 0:
                seen[label] = place
            else:
                mate[place] = seen[label]
                mate[seen[label]] = place
        for bit in range(len(back)):
            at = back[bit, 1]
            is_open[bit] = not row[at >> 6] >> np.uint64(at & 63) & one
        for choice in range(1 << len(back)):
            if choice & required != required:
                continue
            used = 0
            first, second = -1, -1
            valid = True
            for bit in range(len(back)):
                if choice >> bit & 1:
                    valid = valid and is_open[bit]
                    used += 1
                    first, second = second, bit
            if not valid or used > 2 - is_end or (used == 2 and pairs[first, second]):
                continue
            total = moves[index] + used
            for word in range(words):
                out[word] = row[word] & keep[word]
            work[:] = mate
            work[slot] = WANTED if is_end else NONE
            joined = False  # a cycle was closed, or a path between two final ends
            for bit in (first, second):
                if bit < 0:
                    continue
                if joined:
                    valid = False
                    break
                for word in range(words):
                    out[word] |= raised[bit, word]
                other = back[bit, 0]
                far, near = work[other], work[slot]
                if far == slot and near == other:
                    if not closed:
                        valid = False
                        break
                    joined = True
                if far != NONE:  # it has all its moves
                    work[other] = NONE
                    out[own_word[other]] |= own_bits[other]
                if near != NONE:
                    work[slot] = NONE
                    out[own_word[slot]] |= own_bits[slot]
                if joined:
                    continue
                far = other if far == NONE else ENDED if far == WANTED else far
                near = slot if near == NONE else ENDED if near == WANTED else near
                if far == ENDED and near == ENDED:
                    joined = True
                if far != ENDED:
                    work[far] = near
                if near != ENDED:
                    work[near] = far
            changed = valid
            while changed:
                changed = False
                ends = 2 if closed else ends_later
                for place in present:
                    other = work[place]
                    if other == NONE:
                        continue
                    if own_bits[place] & ~out[own_word[place]] == zero:  # its path ends here
                        if closed or other == WANTED or (other == ENDED and joined):
                            valid = False
                            break
                        work[place] = NONE
                        if other == ENDED:
                            joined = True
                        else:
                            work[other] = ENDED
                            changed = True
                    elif other >= WANTED:
                        ends += 1
                if not valid or joined:
                    break
                if ends > 2:
                    valid = False
                    break
                if changed or ends < 2:
                    continue
                for place in present:
                    left = own_bits[place] & ~out[own_word[place]]
                    if left == zero or left & (left - one):
                        continue
                    if work[place] == NONE:
                        out[own_word[place]] |= own_bits[place]
                        continue
                    at = own_word[place] << 6  # its only move is needed
                    while left != one:
                        left >>= one
                        at += 1
                    for word in range(words):
                        if crossing[at, word] & ~out[word]:
                            out[word] |= crossing[at, word]
                            changed = True
            if not valid:
                continue
            if joined:
                for place in present:
                    valid = valid and work[place] == NONE
                if valid and may_finish and total > finish[0]:
                    finish[0], finish[1], finish[2] = total, begin + index, choice
                continue
            for word in range(words, width):
                out[word] = zero
            labels = 2
            seen[:] = 0
            for place in present:
                other = work[place]
                if other == NONE:
                    continue
                if other >= WANTED:
                    own = np.int64(1 if other == ENDED else 2)
                elif seen[place]:
                    own = seen[place]
                else:
                    labels += 1
                    own = seen[other] = np.int64(labels)
                out[label_word[place]] |= np.uint64(own) << label_shift[place]
            if labels > MOST_LABELS:
                wide[0] = True
                continue
            states = store_state(states, head, out, -total, begin + index, choice)
    return states


@njit(cache=True, nogil=True)
def _count_squares(  # type: ignore[no-untyped-def]
    rows, label_word, label_shift, present, own_word, own_bits, counts
):
    """Count in each state the squares that need one more move, the free ones, and the ends."""
    for index in range(len(rows)):
        for place in present:
            label = rows[index, label_word[place]] >> label_shift[place] & np.uint64(15)
            if label:
                counts[0, index] += 1
                counts[2, index] += label < 3
            else:
                left = own_bits[place] & ~rows[index, own_word[place]]
                counts[1, index] += (left & (left - np.uint64(1))) != 0


@njit(cache=True, nogil=True)
def _tabulate(  # type: ignore[no-untyped-def]
    rows, moves, order, begin, end, needed, table, most,
    words, closed, label_word, label_shift, inner, outer, bits, present, crossing,
):  # fmt: skip
    """Find for some states which numbers of moves across the border they admit.

    The first tries are for a state without moves: with the last move only, with the last two, and
    so on.  They give bounds for the others (Russian doll search).
    """
    count, size, one = len(bits), table.shape[0], np.uint64(1)
    most_ends = 0 if closed else 2
    bound, tried = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    blocked = np.zeros((count + 1, words), np.uint64)
    choice = np.zeros(count + 1, np.int64)  # 2 before a choice, 1 if the move is used, 0 if not
    degree, label = np.zeros(len(label_word), np.int64), np.zeros(len(label_word), np.int64)
    uses = np.zeros(count + 1, np.int64)
    ends = np.zeros(count + 1, np.int64)
    nearest = np.full((3, 3 * size + count + 2), 1 << 30, np.int64)
    """For numbers of ends and of moves, the next number of moves that is wanted."""
    before, is_stale = -1, False
    for number in range(begin, end):
        is_doll = number < count
        number_tried, ends[0], goal = 0, 0, 0
        if is_doll:
            first = count - 1 - number
            goal = most[first + 1]
            degree[:], label[:], blocked[0] = 0, 2, 0
            for each in range(first, count):
                tried[number_tried] = each
                number_tried += 1
        else:
            index = order[number - count]
            if is_stale or moves[index] != before:
                before, is_stale = moves[index], False
                nearest[:] = 1 << 30
                for p in range(size):
                    for q in range(size):
                        for e in range(most_ends + 1):
                            if table[p, q, e] < 0 and needed[p, q, e] <= before:
                                for least in range(e + 1):
                                    nearest[least, p + 2 * q] = p + 2 * q
                for e in range(3):
                    for each in range(3 * size - 1, -1, -1):
                        nearest[e, each] = min(nearest[e, each], nearest[e, each + 1])
            if nearest[0, 0] > most[0]:
                continue
            for place in present:
                own = np.int64(rows[index, label_word[place]] >> label_shift[place] & np.uint64(15))
                label[place] = own
                degree[place] = own > 0
                ends[0] += own == 1 or own == 2
            blocked[0] = rows[index, :words]
            for each in range(count):
                if not blocked[0, bits[each] >> 6] >> np.uint64(bits[each] & 63) & one:
                    tried[number_tried] = each
                    number_tried += 1
        bound[number_tried] = 0
        here, left = -1, 0
        for at in range(number_tried - 1, -1, -1):
            each = tried[at]
            if inner[each] != here:
                here = inner[each]
                left = 2 - degree[here]
            bound[at] = bound[at + 1] + (left > 0)
            left -= 1
            if not is_doll or at:
                bound[at] = min(bound[at], most[each])
        at, used, p, q, tries = 0, 0, 0, 0, 0
        uses[:] = 0
        choice[0] = 2
        while at >= 0:
            if choice[at] == 2:
                tries += 1
                is_hopeless = used + bound[at] <= goal
                if not is_doll:
                    is_hopeless = nearest[ends[at], used] > used + bound[at]
                if is_hopeless:
                    at -= 1
                    continue
                if tries > MOST_TRIES:  # too hard: take all to be possible
                    if is_doll:
                        goal = most[first + 1] + 1
                    else:
                        for p in range(size):
                            for q in range(size):
                                for e in range(ends[0], most_ends + 1):
                                    if table[p, q, e] < 0:
                                        table[p, q, e] = before
                        is_stale = True
                    break
                if at == number_tried:
                    if is_doll:
                        goal = used
                    else:
                        for e in range(ends[at], most_ends + 1):
                            if table[p, q, e] < 0:
                                table[p, q, e] = before
                        is_stale = True
                    at -= 1
                    continue
                each = tried[at]
                here, there = inner[each], outer[each]
                is_free = not blocked[at, bits[each] >> 6] >> np.uint64(bits[each] & 63) & one
                blocked[at + 1] = blocked[at]
                choice[at] = 0
                if is_free and degree[here] < 2 and uses[there] < 2:
                    choice[at] = 1
                    used += 1
                    degree[here] += 1
                    uses[there] += 1
                    p, q = (p + 1, q) if uses[there] == 1 else (p - 1, q + 1)
                    blocked[at + 1] |= crossing[bits[each]]
            elif choice[at] == 1:
                each = tried[at]
                here, there = inner[each], outer[each]
                choice[at] = 0
                used -= 1
                degree[here] -= 1
                uses[there] -= 1
                p, q = (p - 1, q) if uses[there] == 0 else (p + 1, q - 1)
                blocked[at + 1] = blocked[at]
            else:
                at -= 1
                continue
            ends[at + 1] = ends[at]
            is_left = at + 1 == number_tried or inner[tried[at + 1]] != here
            if is_left and degree[here] == 1 and label[here] != 2:  # its path ends here
                ends[at + 1] += 1
                if ends[at + 1] > most_ends:
                    continue
            at += 1
            choice[at] = 2
        if is_doll:
            most[first] = goal
