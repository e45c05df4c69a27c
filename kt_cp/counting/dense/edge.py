"""An edge as a step in place: every state with the edge is added to those without.

The edge joins the slots u (dark) and v (light).  Whatever the digits of the other slots, six of the
nine choices for these two matter, in three groups by the sum of their digits, and in each group the
entries move along a chain:

    sum 1    degrees (0, 1) -> (1, 2)              a path's end moves from v to u
    sum 2    degrees (0, 0) -> (1, 1) -> (2, 2)    a new path; two paths become one
    sum 3    degrees (1, 0) -> (2, 1)              a path's end moves from u to v

The sum of all digits is fixed, so the other slots say which group it is.  The step goes along each
chain from its last entry to its first, so it needs no second array; from the first to the last,
subtraction undoes it.  Blocks with different digits in the other slots never meet, so threads take
them apart without locks.

A moved end, or a pair, is a permutation of ranks; two paths that become one gather 2(k - 1) entries
each (see ``matchings``).  A byte a pattern says whether its block was ever written: blocks where
nothing lives are neither cleared nor read.

With ``keep`` false the edge is required, and states without it are dropped.  With a modulus every
sum is reduced; without one no sum may be too large, which the caller knows beforehand from the
largest entry for each number of pairs (see ``sweep``).

Cost: every entry of blocks that live is read and written about once a step.  Importing this loads
Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from kt_cp.counting.dense.matchings import JOIN, MATCHINGS, PAIR, RENAME, Layout
from kt_cp.search.bits import bit_count

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Others(NamedTuple):
    """Numbers whose digits are 0 in some slots, low parts and high parts apart."""

    low: NDArray[np.int64]
    """Those of the low digits, by the sums of their digits."""
    bounds: NDArray[np.int64]
    """Where each sum begins."""
    high: NDArray[np.int64]


def others(at: Layout, *slots: int) -> Others:
    """The choices of the digits of all other slots."""
    lows = len(at.low.sums)
    low, high = np.arange(lows), np.arange(len(at.high.sums))
    for weight in at.weights[[*slots]].tolist():
        if weight < lows:
            low = low[low // weight % 3 == 0]
        else:
            high = high[high // (weight // lows) % 3 == 0]
    sums = at.low.sums[low]
    low = low[np.argsort(sums, kind="stable")]
    bounds = np.searchsorted(np.sort(sums), np.arange(int(at.low.sums[-1]) + 2))
    return Others(low.astype(np.int64), bounds.astype(np.int64), high.astype(np.int64))


@njit(cache=True, nogil=True, forceinline=True)
def block(at: Any, pattern: Any) -> Any:
    """Where the block of a pattern begins."""
    lows = at.low.sums.shape[0]
    h = pattern // lows
    row = at.within[at.total - at.high.sums[h], at.high.counts[h]]
    return np.int64(at.starts[h] + row[pattern - h * lows])


@njit(cache=True, nogil=True, forceinline=True)
def below(ones: Any, slot: Any) -> Any:
    """How many of the slots with a bit come before one."""
    return np.int64(bit_count(np.uint64(ones & ((np.int64(1) << slot) - 1))))


@njit(cache=True, nogil=True)
def rename(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Move a block, or add it to another, with point i now j; returns the largest entry."""
    largest = np.uint64(0)
    begin = ranks.at[RENAME, pairs, i, j]
    for r in range(MATCHINGS[pairs]):
        value = np.uint64(old[source + (r if i == j else np.int64(ranks.numbers[begin + r]))])
        if add:
            value += np.uint64(new[target + r])
            if modulus:
                value %= modulus
        new[target + r] = value
        largest = max(largest, value)
    return largest


@njit(cache=True, nogil=True)
def pair(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Add a block where i and j are a new pair, of ``pairs`` with it; returns the largest entry."""
    if not add:
        for r in range(MATCHINGS[pairs]):
            new[target + r] = 0
    largest = np.uint64(0)
    begin = ranks.at[PAIR, pairs, i, j]
    for r in range(MATCHINGS[pairs - 1]):
        place = target + np.int64(ranks.numbers[begin + r])
        value = np.uint64(old[source + r]) + np.uint64(new[place])
        if modulus:
            value %= modulus
        new[place] = value
        largest = max(largest, value)
    return largest


@njit(cache=True, nogil=True)
def join(
    old: Any, source: Any, new: Any, target: Any,
    pairs: Any, i: Any, j: Any, ranks: Any, add: Any, modulus: Any,
) -> Any:  # fmt: skip
    """Add a block of so many pairs where i and j become inner points; returns the largest entry."""
    largest = np.uint64(0)
    wide = 2 * (pairs - 1)
    begin = ranks.at[JOIN, pairs, i, j]
    for r in range(MATCHINGS[pairs - 1]):
        value = np.uint64(new[target + r]) if add else np.uint64(0)
        for x in range(wide):
            value += np.uint64(old[source + np.int64(ranks.numbers[begin + x])])
        begin += wide
        if modulus:
            value %= modulus
        new[target + r] = value
        largest = max(largest, value)
    return largest


@njit(cache=True, nogil=True)
def add_edge(
    values: Any, live: Any, at: Any, u: int, v: int, keep: bool, modulus: Any,
    low: Any, bounds: Any, high: Any, ranks: Any, largest: Any,
) -> None:  # fmt: skip
    """Add an edge between the slots u (dark) and v (light), for some choices of the high digits.

    Parameters
    ----------
    values, live, at : arrays and their layout
        The states, which are changed.
    keep : bool
        Whether states without the edge stay.
    modulus : uint64
        Or 0.
    low, bounds, high : arrays
        As :class:`Others` has them, for u and v; of ``high``, a part.
    ranks : Ranks
        With the tables of :func:`kt_cp.counting.dense.matchings.edge_keys`.
    largest : uint64 array
        Raised to the largest entry written, by its number of pairs.
    """
    lows = at.low.sums.shape[0]
    pu, pv = at.weights[u], at.weights[v]
    bits = (np.int64(1) << u) | (np.int64(1) << v)
    first, second = min(u, v), max(u, v)
    for h in high:
        left = at.total - at.high.sums[h]
        above = np.int64(at.high.ones[h])
        for group in range(1, 4) if keep else range(5):
            if not 0 <= left - group < bounds.shape[0] - 1:
                continue
            for x in range(bounds[left - group], bounds[left - group + 1]):
                q = low[x]
                pattern = h * lows + q
                ones = np.int64(at.low.ones[q]) | above
                if group == 2:
                    two = pattern + 2 * pu
                    one = pattern + pu + pv
                    none = pattern + 2 * pv
                    pairs = (np.int64(bit_count(np.uint64(ones))) + 2 + at.depot) // 2
                    i, j = below(ones | bits, first), below(ones | bits, second)
                    if not keep:
                        live[two] = 0
                    if live[one]:
                        start = block(at, one)
                        if pairs > 1:
                            most = join(
                                values, start, values, block(at, two),
                                pairs, i, j, ranks, live[two] != 0, modulus,
                            )  # fmt: skip
                            if most:
                                live[two] = 1
                                largest[pairs - 1] = max(largest[pairs - 1], most)
                    if not keep:
                        live[one] = 0
                    if live[none]:
                        most = pair(
                            values, block(at, none), values, block(at, one),
                            pairs, i, j, ranks, live[one] != 0, modulus,
                        )  # fmt: skip
                        live[one] = 1
                        largest[pairs] = max(largest[pairs], most)
                        if not keep:
                            live[none] = 0
                elif group == 1 or group == 3:
                    if group == 1:
                        source, target, gone, come = pattern + pv, pattern + pu, v, u
                    else:
                        source, target = pattern + pu + 2 * pv, pattern + 2 * pu + pv
                        gone, come = u, v
                    if not keep:
                        live[target] = 0
                    if live[source]:
                        pairs = (np.int64(bit_count(np.uint64(ones))) + 1 + at.depot) // 2
                        most = rename(
                            values, block(at, source), values, block(at, target),
                            pairs, below(ones, gone), below(ones, come),
                            ranks, live[target] != 0, modulus,
                        )  # fmt: skip
                        live[target] = 1
                        largest[pairs] = max(largest[pairs], most)
                        if not keep:
                            live[source] = 0
                elif not keep:
                    # Neither without edges to spare, nor where both slots have two of them.
                    live[pattern + (0 if group == 0 else 2 * pu + 2 * pv)] = 0
