"""The cost of counting a board's closed tours in the dense array, on one machine or on a cluster.

The formulas for sizes are exact for any width.  A pattern of two rows of w squares has 2k ends of
paths among its 2w slots.  By the balance of colours, half of the other slots have all their edges,
and half have none.  The ends are matched in (2k - 1)!! ways.  So there are
C(2w, 2k) C(2w - 2k, w - k) patterns with k pairs, and as many blocks.

The time is computed from the measured time of one addition; trust the order of magnitude.  A
cluster holds the array twice, as it is sent and as it is received, and moves it twice a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod

from kt_cp.counting.dense.halves import ON_DISK

BYTES = 4
"""Bytes of an entry: up to width 10 entries are below 2**32; beyond, they are residues."""

NANOSECONDS, WIDE_NANOSECONDS = 1.0, 4.0
"""Nanoseconds of a core for an addition, up to width 9 and beyond.  Closed 9x10 took 1,136 seconds
of processor time.  A group of keys of 10x10 took 3.5 for its steps, and 6 seconds for its tables.
Large groups share the tables, so the second figure is an upper bound."""


@dataclass(frozen=True)
class ClusterBill:
    """The cost of one pass over the array on a cluster.

    Attributes
    ----------
    entries : int
        The number of entries of the whole array.
    bytes : int
        Memory or disk for the array.
    worker_bytes : int
        Memory of each worker: two copies of its part, or of the largest key.
    core_hours : float
    hours : float
        The time with one core for each worker, without that of network and disk.
    shuffled_bytes : int
        The data that workers send to each other.

    Examples
    --------
    >>> bill = cluster_bill(10, 10, 64)
    >>> round(bill.bytes / 1e9), round(bill.worker_bytes / 1e9), round(bill.shuffled_bytes / 1e12)
    (1310, 55, 13)
    """

    entries: int
    bytes: int
    worker_bytes: int
    core_hours: float
    hours: float
    shuffled_bytes: int


def cluster_bill(rows: int, width: int, workers: int) -> ClusterBill:
    """Return the cost of a pass over the array of a board on a number of workers."""
    size = entries(width) * BYTES
    additions_done = edges(width, rows) * additions(width) + meeting(width)
    each = NANOSECONDS if width <= ON_DISK else WIDE_NANOSECONDS
    hours = additions_done * each / 3.6e12
    memory = 2 * max(size // workers, largest_key(width) * BYTES)
    return ClusterBill(entries(width), size, memory, hours, hours / workers, shuffles(rows) * size)


def shuffles(rows: int) -> int:
    """Return how often the array moves: twice for each row, until two halves meet."""
    return 2 * (rows // 2)


def matchings(pairs: int) -> int:
    """Return (2k - 1)!!."""
    return prod(range(1, 2 * pairs, 2))


def patterns(width: int) -> Iterator[tuple[int, int]]:
    """Yield each number of pairs with the number of patterns that have it."""
    for pairs in range(width + 1):
        yield pairs, comb(2 * width, 2 * pairs) * comb(2 * width - 2 * pairs, width - pairs)


def entries(width: int) -> int:
    """Return the entries of the whole array: patterns times matchings."""
    return sum(many * matchings(pairs) for pairs, many in patterns(width))


def additions(width: int) -> int:
    """Return the additions of one edge in the whole array."""
    return additions_of_key(2 * width, 2 * width, 0)


def additions_of_key(slots: int, total: int, ends: int) -> int:
    """Return the additions of one edge in the patterns that share the digits of some slots.

    The digits of the free slots have the sum ``total``, and the shared ones have ``ends`` ends of
    paths.  The two slots of the edge have the rest of the sum: 2 if both become ends of paths or
    cease to be ends, 1 or 3 if an end moves.
    """
    others, found = slots - 2, 0
    for taken in (1, 2, 3):
        for free in range(others + 1):
            twos, odd = divmod(total - taken - free, 2)
            if odd or not 0 <= twos <= others - free:
                continue
            many, ones = comb(others, free) * comb(others - free, twos), free + ends
            # Joining gathers 2k entries for each matching of k pairs; a new path is one more.
            each = (ones + 1) * matchings(ones // 2) if taken == 2 else matchings((ones + 1) // 2)
            found += many * each
    return found


def edges(width: int, rows: int) -> int:
    """Return the number of steps with an edge until two halves of ``rows`` rows meet."""
    return (3 * (width - 2) + width % 2) * (rows // 2 - 1) + width - 2


def meeting(width: int) -> int:
    """Return the operations where two halves meet: k * k for each entry of k pairs."""
    return sum(many * matchings(pairs) * pairs**2 for pairs, many in patterns(width))


def largest_key(width: int) -> int:
    """Return the most entries that have the same digits in one of the two rows."""
    most = 0
    for ones in range(width + 1):
        for twos in range(width - ones + 1):
            left = 2 * width - ones - 2 * twos
            size = 0
            for others in range(ones % 2, width + 1, 2):
                rest, odd = divmod(left - others, 2)
                if not odd and 0 <= rest <= width - others:
                    many = comb(width, others) * comb(width - others, rest)
                    size += many * matchings((ones + others) // 2)
            most = max(most, size)
    return most
