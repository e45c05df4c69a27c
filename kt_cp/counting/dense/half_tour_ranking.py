"""Half tours by their numbers: the moves that lead to a state of a half board.

**Numbers.**  A state counts the half tours that lead to it.  Each step adds to a state the counts
of its *sources*, the states that lead to it; so its half tours are those of its sources, one source
after the other.  To find the half tour of a number, go back: each source has as many numbers as it
counts, and the number belongs to one of them.  To find the number of a half tour, add at each step
the counts of the sources before its own.  The first source of a state is the one without the edge;
those with the edge follow:

    degrees now    before
    (1, 1)         the two slots were no ends; now they are the ends of one path
    (1, 2)         the path that ends in one slot ended in the other
    (2, 2)         one of the paths was two, which ended in the slots: two ways for each

**Layers.**  The counts of all steps would fill a disk, so only every few steps have a layer.
Between two layers, all ways back from one state are searched depth first, to the states of the
layer below.  There are a few thousand ways, because a state has two or three sources on average.
Their order does not depend on the distance between layers.

A dense array is mostly empty: where two halves of 8×8 meet, 118 of the 328 million entries of live
blocks are not 0, and fewer before.  A layer has a bit for each entry of live blocks, and a count
for each bit that is set, in as many bytes as the largest count needs, two on 8×8.  The bits before
each word are counted beforehand.  So the count of a state is found by a binary search among the
patterns, and by counting the bits of one word.  Layers need less memory than two arrays.  They may
be in files, and only small parts of these are read.

Source: undoing the steps of a dynamic program to rank, unrank and sample is H. S. Wilf's and
A. Nijenhuis's (Combinatorial Algorithms, 1978); a bit vector with counts is G. Jacobson's
(Space-efficient static trees and graphs, FOCS 1989).  Cost: twice as many steps between layers take
the square of the time; an entry takes a fifth of a byte if it is 0.  When it loses: for thousands
of tours at once, the steps of the array could be undone by subtraction, and only dropped blocks
would have to be saved.

Here a matching is stored as the mate of each slot, because points appear and disappear.
Importing this loads Numba; its compiled code is cached.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.counting.dense.halves import Edge, End, Half, Step, Turn, first_digits, sweep_steps
from kt_cp.counting.dense.matchings import MATCHINGS, MOST_SLOTS, POINTS, rank, unrank
from kt_cp.counting.dense.state_array import block
from kt_cp.model.errors import StoreError
from kt_cp.search.bits import bit_count, lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.half_sweep import HalfSweep
    from kt_cp.counting.dense.halves import Square
    from kt_cp.counting.dense.state_array import StateArray


EDGE, END, TURN = range(3)
KIND, FIRST, SECOND, OPTIONAL, STAY, BEFORE, AFTER = range(7)
"""Columns of a step: its kind; its slots, or one slot and whether an end is light or a turn changes
the digit; whether states without it stay; and the digits of a turn."""

ENDS, DIGITS, MATES = 0, 2, 2 + MOST_SLOTS
DEPOT = MOST_SLOTS
"""Columns of a state: dark and light ends of the tour, the digit of each slot, and its mate or -1;
the depot's mate is the last."""

ROW = MATES + MOST_SLOTS + 1


def as_numbers(steps: Iterable[Step]) -> NDArray[np.int64]:
    """Return steps as rows of numbers for kernels.

    Examples
    --------
    >>> as_numbers([Edge(3, 1, True, ((0, 0), (1, 2)))]).tolist()
    [[0, 3, 1, 1, 0, 0, 0]]
    """
    rows = []
    for step in steps:
        if isinstance(step, Edge):
            rows.append([EDGE, step.u, step.v, step.optional, 0, 0, 0])
        elif isinstance(step, End):
            rows.append([END, step.slot, step.light, not step.must, 0, 0, 0])
        else:
            stay = sum(1 << digit for digit in step.stay)
            before, after = step.change or (0, 0)
            rows.append([TURN, step.slot, step.change is not None, 0, stay, before, after])
    return np.array(rows, dtype=np.int64).reshape(-1, 7)


@njit(cache=True, nogil=True, forceinline=True)
def tie(row: Any, one: Any, other: Any) -> None:
    """Make two points the ends of one path."""
    row[MATES + one] = other
    row[MATES + other] = one


@njit(cache=True, nogil=True)
def forward(step: Any, row: Any, out: Any) -> None:
    """Write the state after a step: an edge, an end, or a turn with its digit."""
    out[:] = row
    slot = step[FIRST]
    if step[KIND] == TURN:
        if step[SECOND]:
            out[DIGITS + slot] = step[AFTER]
        return
    if step[KIND] == EDGE:
        other: Any = step[SECOND]
        out[DIGITS + slot] += 1
        out[DIGITS + other] -= 1
    else:
        other = np.int64(DEPOT)
        out[DIGITS + slot] += -1 if step[SECOND] else 1
        out[ENDS + step[SECOND]] += 1
    mine, its = row[MATES + slot], row[MATES + other]
    out[MATES + slot] = out[MATES + other] = -1
    tie(out, slot if mine < 0 else mine, other if its < 0 else its)


@njit(cache=True, nogil=True)
def array_of(dark: Any, light: Any) -> Any:
    """Return the number of the array for a number of ends, at most two of each colour."""
    return 3 * dark + light


@njit(cache=True, nogil=True)
def place_of(row: Any, slots: Any, mate: Any) -> Any:
    """Return the number of the pattern of a state, and the rank of its matching."""
    pattern = np.int64(array_of(row[ENDS], row[ENDS + 1]))
    for slot in range(slots - 1, -1, -1):
        pattern = pattern * 3 + row[DIGITS + slot]
    names = np.zeros(POINTS, np.int64)
    points: Any = np.int64(0)
    for point in range(MOST_SLOTS + 1):
        if row[MATES + point] >= 0:
            names[point] = points
            points += 1
    for point in range(MOST_SLOTS + 1):
        if row[MATES + point] >= 0:
            mate[names[point]] = names[row[MATES + point]]
    return pattern, rank(mate, points // 2)


WORD = 64


class Layer(NamedTuple):
    """States and their counts."""

    patterns: NDArray[np.int64]  # live ones, ascending, array after array
    begins: NDArray[np.int64]  # the first bit of the block of each, and the end of the last
    words: NDArray[np.uint64]  # the bits
    before: NDArray[np.int64]  # the number of bits set before each word
    numbers: NDArray[np.uint8]  # shape (states, bytes): the counts, lowest bytes first


@njit(cache=True, nogil=True)
def survey(values: Any, live: Any, at: Any, sizes: Any) -> Any:
    """Write the length of each nonzero block; return the number of states and the largest count."""
    lows = at.low.sums.shape[0]
    states, largest = np.int64(0), np.uint64(0)
    for pattern in range(live.shape[0]):
        sizes[pattern] = 0
        if not live[pattern]:
            continue
        h = pattern // lows
        ends = at.high.counts[h] + at.low.counts[pattern - h * lows] + at.depot
        start, some = block(at, pattern), np.int64(0)
        for r in range(MATCHINGS[ends // 2]):
            value = np.uint64(values[start + r])
            if value:
                some += 1
                largest = max(largest, value)
        if some:
            states += some
            sizes[pattern] = MATCHINGS[ends // 2]
    return states, largest


@njit(cache=True, nogil=True)
def put(
    values: Any, at: Any, patterns: Any, begins: Any, words: Any, numbers: Any, states: Any
) -> Any:
    """Set the bits and write the numbers of some blocks; return the new number of states."""
    wide = numbers.shape[1]
    for x in range(patterns.shape[0]):
        start = block(at, patterns[x])
        for r in range(begins[x + 1] - begins[x]):
            value = np.uint64(values[start + r])
            if value:
                bit = begins[x] + r
                words[bit // WORD] |= np.uint64(1) << np.uint64(bit % WORD)
                for byte in range(wide):
                    numbers[states, byte] = value & np.uint64(255)
                    value >>= np.uint64(8)
                states += 1
    return states


@njit(cache=True, nogil=True)
def count_before(words: Any, before: Any) -> None:
    """Count the bits before each word."""
    total = np.int64(0)
    for x in range(words.shape[0]):
        before[x] = total
        total += np.int64(bit_count(words[x]))


def pack_layer(arrays: Sequence[StateArray | None]) -> Layer:
    """Return the layer of some arrays of states with equal numbers of slots."""
    surveyed = []
    states, largest = 0, 1
    for number, array in enumerate(arrays):
        if array is None:
            continue
        sizes = np.zeros(len(array.live), dtype=np.int32)
        some, most = survey(array.values, array.live, array.at, sizes)
        states, largest = states + int(some), max(largest, int(most))
        found = np.flatnonzero(sizes)
        surveyed.append((array, found + number * len(sizes), found, sizes[found]))
    begins = np.zeros(1 + sum(len(found) for _, _, found, _ in surveyed), dtype=np.int64)
    np.cumsum(np.concatenate([sizes for *_, sizes in surveyed]), out=begins[1:])
    words = np.zeros(int(begins[-1]) // WORD + 1, dtype=np.uint64)
    numbers = np.empty((states, (largest.bit_length() + 7) // 8), dtype=np.uint8)
    done = first = 0
    for array, _, found, _ in surveyed:
        bounds = begins[first : first + len(found) + 1]
        done = put(array.values, array.at, found, bounds, words, numbers, done)
        first += len(found)
    before = np.zeros(len(words), dtype=np.int64)
    count_before(words, before)
    return Layer(
        np.concatenate([each for _, each, _, _ in surveyed]), begins, words, before, numbers
    )


@njit(cache=True, nogil=True)
def find_pattern(layer: Any, pattern: Any) -> Any:
    """Return the index of a pattern in a layer, or -1."""
    patterns = layer.patterns
    low, high = np.int64(0), np.int64(patterns.shape[0])
    while low < high:
        middle = (low + high) // 2
        if patterns[middle] < pattern:
            low = middle + 1
        else:
            high = middle
    return low if low < patterns.shape[0] and patterns[low] == pattern else np.int64(-1)


@njit(cache=True, nogil=True, forceinline=True)
def number_at(layer: Any, at: Any) -> Any:
    """Return the count of a state by its index among all states."""
    value = np.uint64(0)
    for byte in range(layer.numbers.shape[1] - 1, -1, -1):
        value = (value << np.uint64(8)) | np.uint64(layer.numbers[at, byte])
    return value


@njit(cache=True, nogil=True)
def value_of(layer: Any, place: Any, rank: Any) -> Any:
    """Return the count of a state by the index of its pattern and the rank of its matching."""
    bit = layer.begins[place] + rank
    word = layer.words[bit // WORD]
    mask = np.uint64(1) << np.uint64(bit % WORD)
    if not word & mask:
        return np.uint64(0)
    earlier = bit_count(word & (mask - np.uint64(1)))
    return number_at(layer, layer.before[bit // WORD] + np.int64(earlier))


@njit(cache=True, nogil=True)
def spread(layer: Any, place: Any, out: Any) -> None:
    """Write the block of a pattern."""
    begin, end = layer.begins[place], layer.begins[place + 1]
    out[: end - begin] = np.uint64(0)
    first, last = begin // WORD, (end - 1) // WORD
    for x in range(first, last + 1):
        word, at = layer.words[x], layer.before[x]
        while word:
            bit = x * WORD + np.int64(lowest_bit(word))
            word &= word - np.uint64(1)
            if begin <= bit < end:
                out[bit - begin] = number_at(layer, at)
            at += 1


DEAD, ALIVE, NO_MORE = range(3)


@njit(cache=True, nogil=True)
def split(row: Any, out: Any, one: Any, other: Any, way: Any) -> Any:
    """Split a path into two that end in two more points; ways are numbered from 0."""
    for point in range(MOST_SLOTS + 1):
        mate = row[MATES + point]
        if mate > point:
            if way < 2:
                tie(out, point, one if way == 0 else other)
                tie(out, mate, other if way == 0 else one)
                return ALIVE
            way -= 2
    return NO_MORE


@njit(cache=True, nogil=True)
def hand_over(row: Any, out: Any, now: Any, then: Any) -> None:
    """Move the end of a path from one point to another."""
    mate = row[MATES + now]
    out[MATES + now] = -1
    tie(out, then, mate)


@njit(cache=True, nogil=True)
def source(step: Any, row: Any, way: Any, out: Any) -> Any:
    """Write one source of a state before a step, by its number; return whether there is one."""
    out[:] = row
    slot = step[FIRST]
    if step[KIND] == TURN:
        if way:
            return NO_MORE
        digit = row[DIGITS + slot]
        if step[SECOND]:
            if digit != step[AFTER]:
                return DEAD
            digit = step[BEFORE]
            out[DIGITS + slot] = digit
        return ALIVE if (step[STAY] >> digit) & 1 else DEAD
    if way == 0:
        return ALIVE if step[OPTIONAL] else DEAD
    way -= 1
    if step[KIND] == EDGE:
        other = step[SECOND]
        mine, its = row[DIGITS + slot], 2 - row[DIGITS + other]
        out[DIGITS + slot] -= 1
        out[DIGITS + other] += 1
    else:
        other = np.int64(DEPOT)
        light = step[SECOND]
        mine = 2 - row[DIGITS + slot] if light else row[DIGITS + slot]
        its = 1 if row[MATES + DEPOT] >= 0 else 2
        out[DIGITS + slot] += 1 if light else -1
        if row[ENDS + light] == 0:
            return NO_MORE
        out[ENDS + light] -= 1
    if mine == 0 or its == 0:
        return NO_MORE
    if mine == 2 and its == 2:
        return split(row, out, slot, other, way)
    if way:
        return NO_MORE
    if mine == 1 and its == 1:
        if row[MATES + slot] != other:
            return NO_MORE
        out[MATES + slot] = out[MATES + other] = -1
    elif mine == 1:
        hand_over(row, out, slot, other)
    else:
        hand_over(row, out, other, slot)
    return ALIVE


@njit(cache=True, nogil=True)
def value_in(layer: Any, row: Any, slots: Any) -> Any:
    """Return the count of a state."""
    mate = np.zeros(POINTS, np.int64)
    pattern, number = place_of(row, slots, mate)
    place = find_pattern(layer, pattern)
    return value_of(layer, place, number) if place >= 0 else np.uint64(0)


@njit(cache=True, nogil=True)
def back(steps: Any, layer: Any, slots: Any, rows: Any, target: Any, known: Any) -> Any:
    """Go back from a state to a layer, by the number of a half tour or by its known states.

    ``steps`` are those between the layer and the state, from :func:`as_numbers`.  ``rows`` has the
    state after each step, with the state before the first step in row 0.  The last row is given.
    The others are given too if the states are ``known``; otherwise they are written for the half
    tour of number ``target``.  Return the number of half tours before those through the source
    that was found, and whether one was found.
    """
    many = steps.shape[0]
    here = np.zeros_like(rows)
    here[many] = rows[many]
    ways = np.zeros(many + 1, np.int64)
    level, passed = many, np.uint64(0)
    while True:
        if level == 0:
            arrived = not known
            if known:
                arrived = True
                for x in range(many):
                    for y in range(ROW):
                        if here[x, y] != rows[x, y]:
                            arrived = False
            value = np.uint64(0)
            if not known or not arrived:
                value = value_in(layer, here[0], slots)
            if arrived and (known or target - passed < value):
                rows[:] = here
                return passed, True
            passed += value
            level = 1
        result = source(steps[level - 1], here[level], ways[level], here[level - 1])
        if result == NO_MORE:
            if level == many:
                return passed, False
            level += 1
            continue
        ways[level] += 1
        if result == ALIVE:
            level -= 1
            ways[level] = 0


INTERVAL = 6
"""Edge steps between two layers; going back through twice as many takes a hundred times as long."""


class State(NamedTuple):
    """A state of a half, and the number of a half tour that leads to it."""

    pattern: int
    matching: int
    way: int


class Stretch(NamedTuple):
    """The steps between two layers, and the first of the two layers."""

    layer: Layer
    steps: tuple[Step, ...]
    numbers: NDArray[np.int64]


def stretches(half: Half) -> list[tuple[Step, ...]]:
    """Return the steps of a half, divided at the layers.

    Turns belong to the edges before them, so a layer does not contain the states that they drop.
    """
    cut: list[list[Step]] = [[]]
    edges = 0
    for step in (step for row in sweep_steps(half) for step in row):
        if edges >= INTERVAL and isinstance(step, Edge):
            cut.append([])
            edges = 0
        cut[-1].append(step)
        edges += isinstance(step, Edge | End)
    return [tuple(each) for each in cut]


def sweep_layers(
    sweep: HalfSweep,
    half: Half,
    save: Callable[[int, Layer], Layer],
    report: Callable[[int, int], None],
) -> list[Layer]:
    """Return the layers of a half: the layer before each stretch, and the last one.

    ``sweep`` is the sweep of this half before its first step.  ``save`` saves a layer with its
    number, and returns the saved one.  ``report`` is called after each stretch with its number and
    the number of stretches.
    """
    layers = []
    cut = stretches(half)
    for number, some in enumerate(cut):
        layers.append(save(number, _layer(sweep)))
        sweep.take(*some)
        report(number + 1, len(cut))
    return [*layers, save(len(cut), _layer(sweep))]


def _layer(sweep: HalfSweep) -> Layer:
    arrays: list[Any] = [None] * 9
    for (dark, bright), states in sweep.states.items():
        arrays[array_of(dark, bright)] = states
    return pack_layer(arrays)


CHANGED = "the tables contradict each other: they were changed; make them anew in another folder"


class HalfTourRanking:
    """The half tours of the states of a half, from the layers of :func:`sweep_layers`."""

    def __init__(self, half: Half, layers: Sequence[Layer]) -> None:
        self.slots = 2 * half.width
        self._stretches = [
            Stretch(layer, some, as_numbers(some))
            for layer, some in zip(layers, stretches(half), strict=False)
        ]
        self.last = layers[-1]
        self._first = np.zeros(ROW, dtype=np.int8)
        self._first[MATES:] = -1
        self._first[DIGITS : DIGITS + self.slots] = first_digits(half)

    def way(self, state: State) -> tuple[list[tuple[Square, Square]], list[Square]]:
        """Return the moves, and the tour's ends, of the half tour of a number."""
        row, number = self._row(state), np.uint64(state.way)
        moves: list[tuple[Square, Square]] = []
        ends: list[Square] = []
        for stretch in reversed(self._stretches):
            rows = np.zeros((len(stretch.steps) + 1, ROW), dtype=np.int8)
            rows[-1] = row
            passed, found = back(stretch.numbers, stretch.layer, self.slots, rows, number, False)
            if not found:
                raise StoreError(CHANGED)
            number, row = number - passed, rows[0]
            for step, before, after in zip(stretch.steps, rows, rows[1:], strict=False):
                if isinstance(step, Turn):
                    if (move := _move(step, before)) is not None:
                        moves.append(move)
                elif not np.array_equal(before, after):
                    if isinstance(step, Edge):
                        moves.append(step.move)
                    else:
                        ends.append(step.square)
        return moves, ends

    def state(self, moves: Collection[frozenset[Square]], ends: Iterable[Square]) -> State:
        """Return the state that a tour's moves and ends lead to, with the half tour's number."""
        row, number, ends = self._first, 0, set(ends)
        for stretch in self._stretches:
            rows = np.zeros((len(stretch.steps) + 1, ROW), dtype=np.int8)
            rows[0] = row
            for at, step in enumerate(stretch.steps):
                there = not isinstance(step, Turn)
                if isinstance(step, Edge):
                    there = frozenset(step.move) in moves
                elif isinstance(step, End):
                    there = step.square in ends
                rows[at + 1] = rows[at]
                if there or isinstance(step, Turn):
                    forward(stretch.numbers[at], rows[at], rows[at + 1])
            # A turn with a move: the end of the path moves too, and the digit is the same.
            passed, found = back(
                stretch.numbers, stretch.layer, self.slots, rows, np.uint64(0), True
            )
            if not found:
                raise StoreError(CHANGED)
            number, row = number + int(passed), rows[-1]
        pattern, matching = place_of(row, self.slots, np.zeros(POINTS, dtype=np.int64))
        return State(int(pattern), int(matching), number)

    def _row(self, state: State) -> NDArray[np.int8]:
        """Return a state as numbers for kernels."""
        row = self._first.copy()
        row[ENDS], row[ENDS + 1] = divmod(state.pattern // 3**self.slots, 3)
        left = state.pattern
        for slot in range(self.slots):
            left, row[DIGITS + slot] = divmod(left, 3)
        points = [slot for slot in range(self.slots) if row[DIGITS + slot] == 1]
        if len(points) % 2:
            points.append(DEPOT)
        mate, workspace = np.zeros((2, POINTS), dtype=np.int64)
        unrank(state.matching, len(points) // 2, mate, workspace)
        for at, point in enumerate(points):
            row[MATES + point] = points[mate[at]]
        return row


def _move(step: Turn, row: NDArray[np.int8]) -> tuple[Square, Square] | None:
    """Return the move of a state at a turn, if the finished square still lacks an edge."""
    if step.before is None or step.after is None:
        return None
    digit = int(row[DIGITS + step.slot])
    return (step.before, step.after) if digit == 1 else None
