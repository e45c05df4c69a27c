"""Ends of open tours: one more point, the depot, which is joined to both ends.

An open tour is a closed one through a depot that is adjacent to its first square and its last.  The
depot is no slot.  While it has none or both of its edges it is no point of a matching.  While it
has one, it is the end of a path, and the highest point of all.  So open tours are counted in up to
four arrays: no end placed, the dark one, the light one, both; or none, one and two of the same
colour on boards where one colour has a square more.  An edge of the board is a step in each of
them.

An edge to the depot adds each state of one array to a state of another:

    degree     no end before         one end before
    0 -> 1     a pair with depot     the end of the depot's path is here now
    1 -> 2     the depot is the end  two paths become one, or one goes on
               of the path here

Where a tour must begin or end at a square, states without its edge are dropped.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.array import below, block, join, pair, rename
from kt_cp.search.bits import bit_count


@njit(cache=True, nogil=True)
def add_end(
    old: Any, old_live: Any, old_at: Any, new: Any, new_live: Any, new_at: Any,
    slot: int, light: bool, modulus: Any, low: Any, bounds: Any, high: Any,
    ranks: Any, largest: Any,
) -> None:  # fmt: skip
    """Add the states of one array, with an edge from a slot to the depot, to another array.

    The other parameters are those of :func:`kt_cp.counting.dense.array.add_edge`.
    """
    lows = old_at.low.sums.shape[0]
    power = old_at.weights[slot]
    for h in high:
        left = old_at.total - old_at.high.sums[h]
        above = np.int64(old_at.high.ones[h])
        for digit in range(3):
            degree = 2 - digit if light else digit
            if degree == 2 or not 0 <= left - digit < bounds.shape[0] - 1:
                continue
            for x in range(bounds[left - digit], bounds[left - digit + 1]):
                q = low[x]
                source = h * lows + q + digit * power
                if not old_live[source]:
                    continue
                target = source + (-power if light else power)
                ones = np.int64(old_at.low.ones[q]) | above
                ends = np.int64(bit_count(np.uint64(ones)))
                i = below(ones, slot)
                add = new_live[target] != 0
                start, end = block(old_at, source), block(new_at, target)
                if ends % 2 == 1:
                    pairs = (ends + 1) // 2
                    top = 2 * pairs - 1
                    if degree == 0:  # the depot's path ends here
                        most = rename(old, start, new, end, pairs, top, i, ranks, add, modulus)
                    else:
                        most = rename(old, start, new, end, pairs, i, top, ranks, add, modulus)
                else:
                    pairs = ends // 2 + 1
                    top = 2 * pairs - 1
                    if degree == 0:
                        most = pair(old, start, new, end, pairs, i, top, ranks, add, modulus)
                    elif pairs > 1:
                        most = join(old, start, new, end, pairs, i, top, ranks, add, modulus)
                        pairs -= 1
                    else:
                        continue  # the depot and the slot are the ends of the same path
                if most:
                    new_live[target] = 1
                    largest[pairs] = max(largest[pairs], most)
