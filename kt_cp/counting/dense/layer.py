"""A layer: all states after some step with what they count, packed so that each is found at once.

A dense array is mostly empty: of the 328 million entries of the blocks that live where two halves
of 8×8 meet, 118 million are not 0, and before that fewer still.  A layer has a bit for each entry
of those blocks, and a number for each bit that is set.  The bits before each word are counted
beforehand.  So the number of a state is found by binary search among the patterns, and by counting
the bits of one word.  Numbers take as many bytes as the largest of them, two on 8×8.

So the layers that a walk back needs fit in memory where no two arrays would, and they can lie in
files of which only what is asked for is read.

Source: a bit vector with counts is G. Jacobson's (Space-efficient static trees and graphs, FOCS
1989).  Cost: an entry takes a fifth of a byte where it is 0.  Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.counting.dense.array import block
from kt_cp.counting.dense.matchings import MATCHINGS
from kt_cp.search.bits import bit_count, lowest_bit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kt_cp.counting.dense.array import States

WORD = 64


class Layer(NamedTuple):
    """States and their counts.

    Attributes
    ----------
    patterns : int64 array
        Those that live, ascending; those of the second array come after all of the first.
    begins : int64 array
        The bit with which the block of each begins, and the end of the last.
    words : uint64 array
        The bits.
    before : int64 array
        How many bits are set before each word.
    numbers : uint8 array of shape (states, bytes)
        The counts, their lowest bytes first.
    """

    patterns: NDArray[np.int64]
    begins: NDArray[np.int64]
    words: NDArray[np.uint64]
    before: NDArray[np.int64]
    numbers: NDArray[np.uint8]


@njit(cache=True, nogil=True)
def survey(values: Any, live: Any, at: Any, sizes: Any) -> Any:
    """Write the length of each block that holds anything; returns their states and the largest."""
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
    """Set the bits and write the numbers of some blocks; returns how many states there are now."""
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


def packed(arrays: Sequence[States | None]) -> Layer:
    """The layer of some arrays of states, all with as many slots."""
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
def find(layer: Any, pattern: Any) -> Any:
    """The place of a pattern in a layer, or -1."""
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
    """The number of a state by its place among all states."""
    value = np.uint64(0)
    for byte in range(layer.numbers.shape[1] - 1, -1, -1):
        value = (value << np.uint64(8)) | np.uint64(layer.numbers[at, byte])
    return value


@njit(cache=True, nogil=True)
def value_of(layer: Any, place: Any, rank: Any) -> Any:
    """What the state of a pattern's place and a matching's rank counts."""
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
