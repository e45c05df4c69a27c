"""A table of states, compiled: each with the number of ways in which it comes about.

It is an open hash table with linear probing.  A row is a state and its number, so that a look costs
one miss of the cache; a row of which the first word is all ones is empty.  Where a state belongs is
told by the upper half of a product, scaled to the size of the table, which may be any.  So a table
that is made larger is filled in the order in which it is read.

Numbers are added and nothing else, with a carry from word to word.  Whoever calls has seen that the
sum over all states has room in their words.

How many words a state has, and how many a number, is told by the lengths of two tuples, so that the
compiler knows them; where one is empty, any will do, which takes half as long again.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.search.windows_sets import inline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Table = NDArray[np.uint64]
    Words = NDArray[np.uint64]
    Numbers = NDArray[np.int64]

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE, NONE, HALF = np.uint64(1), np.uint64(0), np.uint64(32)
MIX = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: D. E. Knuth, "The Art of Computer Programming" 3, section 6.4."""


@inline
def home(row: Words, words: int, size: int) -> Any:
    """Where in a table of some size a state belongs."""
    mixed = NONE
    for word in range(words):
        mixed = (mixed ^ row[word]) * MIX
        mixed ^= mixed >> HALF
    return np.int64((((mixed * MIX) >> HALF) * np.uint64(size)) >> HALF)


@inline
def same(one: Words, other: Words, words: int) -> bool:
    """Whether two rows are of one state."""
    for word in range(words):  # noqa: SIM110 - compiled
        if one[word] != other[word]:
            return False
    return True


@inline
def find(table: Table, row: Words, words: int, at: Any) -> Any:
    """The row of a table that a state has, or the empty one that it would get, from home on."""
    size = table.shape[0]
    while table[at, 0] != EMPTY and not same(table[at], row, words):
        at += 1
        if at == size:
            at = 0
    return at


@inline
def add(target: Words, at: Any, source: Words, since: Any, limbs: int) -> None:
    """Add a number to another, each of so many words, the lowest first."""
    carry = NONE
    for limb in range(limbs):
        here = target[at + limb] + carry
        total = here + source[since + limb]
        carry = ONE if here < carry or total < here else NONE
        target[at + limb] = total


@njit(cache=True, nogil=True)
def moved(source: Table, target: Table, words: int) -> None:
    """Put the states of one table into another, which may have more words for their numbers."""
    for at in range(source.shape[0]):
        if source[at, 0] != EMPTY:
            row = find(target, source[at], words, home(source[at], words, target.shape[0]))
            for word in range(source.shape[1]):
                target[row, word] = source[at, word]
