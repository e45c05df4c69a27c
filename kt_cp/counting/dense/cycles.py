"""Pairs of matchings that make one cycle: the sum of the products of what they count.

Asked for is the sum of F(M) G(N) over the pairs of matchings M and N of 2k points whose union is
one cycle.  There are (2k - 1)!!² pairs.  But the leading digit b of N says that b and the highest
point are partners.  This joins two paths of M, as an edge would, and it leaves matchings of k - 1
pairs on both sides:

    sum over F, G of k pairs  =  sum over b of (sum over F joined at b and the top, part b of G)

At two pairs the three products are written out.  This takes k² (2k - 1)!! additions.  Parts of G
where nothing lives are left out.

Products and their sums are of 128 bits, with a flag where even they overflow.  Source: the
recursion is of this package.  Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kt_cp.counting.dense.matchings import JOIN, MATCHINGS, POINTS, Key, rank, unrank
from kt_cp.search.bits import product

HIGH, LOWER, OVER = range(3)
"""What a sum is made of: two words, and whether they were too few."""


@njit(cache=True, nogil=True)
def reversal(pairs: int, depot: int, table: Any) -> None:
    """For each matching its number when the points come in opposite order; the depot stays."""
    mate = np.zeros(POINTS, np.int64)
    turned = np.zeros(POINTS, np.int64)
    left = np.zeros(POINTS, np.int64)
    last = 2 * pairs - 1
    for number in range(MATCHINGS[pairs]):
        unrank(number, pairs, mate, left)
        for point in range(2 * pairs):
            one, other = last - depot - point, last - depot - mate[point]
            turned[last if one < 0 else one] = last if other < 0 else other
        table[number] = rank(turned, pairs)


@njit(cache=True, nogil=True, forceinline=True)
def add(total: Any, one: Any, other: Any, modulus: Any) -> None:
    """Add a product to a sum."""
    if modulus:
        total[LOWER] = (total[LOWER] + one * (other % modulus) % modulus) % modulus
        return
    high, low = product(one, other)
    total[LOWER] += low
    if total[LOWER] < low:
        high += np.uint64(1)  # the high word of a product is never the largest one
    total[HIGH] += high
    if total[HIGH] < high:
        total[OVER] = 1


@njit(cache=True, nogil=True)
def cycles(
    pairs: Any, room: Any, begins: Any, second: Any, ranks: Any, modulus: Any, total: Any
) -> None:
    """Add the products of two blocks over the pairs of matchings that make one cycle.

    The first block of k pairs is in ``room`` from ``begins[k]`` on; before it is room for the
    joined ones.
    """
    if pairs == 1:
        add(total, room[1], second[0], modulus)
        return
    digit = np.zeros(POINTS, np.int64)
    level = pairs
    at = 0  # of the second block, which is gone through from its beginning
    while level <= pairs:
        if level == 2:
            a, b, c = second[at], second[at + 1], second[at + 2]
            add(total, room[2], b + c, modulus)
            add(total, room[3], a + c, modulus)
            add(total, room[4], a + b, modulus)
            at += 3
            level = 3
        elif digit[level] == 2 * level - 1:
            digit[level] = 0
            level += 1
        else:
            many = MATCHINGS[level - 1]
            begin = ranks.at[JOIN, level, digit[level], 2 * level - 1]
            digit[level] += 1
            lives = False
            for r in range(at, at + many):
                if second[r]:
                    lives = True
                    break
            if not lives:
                at += many
                continue
            source, target = room[begins[level] :], room[begins[level - 1] :]
            wide = 2 * (level - 1)
            for r in range(many):
                value = np.uint64(0)
                for x in range(wide):
                    value += source[ranks.numbers[begin + x]]
                begin += wide
                target[r] = value % modulus if modulus else value
            level -= 1


def join_keys(most: int) -> set[Key]:
    """Tables that the recursion needs."""
    return {
        (JOIN, pairs, point, 2 * pairs - 1)
        for pairs in range(3, most + 1)
        for point in range(2 * pairs - 1)
    }
