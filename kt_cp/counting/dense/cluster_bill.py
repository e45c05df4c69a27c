"""What a count of a board's closed tours takes in the dense array, on one machine or on a cluster.

The sizes are formulas, exact for any width.  A pattern of two rows of w squares has 2k ends of
paths among its 2w slots; of the other slots half have all their edges and half none, by the balance
of colours.  Its ends are matched in (2k - 1)!! ways.  So there are C(2w, 2k) C(2w - 2k, w - k)
patterns with k pairs, and as many blocks.

Time is that of an addition of the array, measured; trust the order of magnitude.  A cluster holds
the array twice, as what is sent and what is received, and moves it twice a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod

from kt_cp.counting.dense.halves import ON_DISK

BYTES = 4
"""Of an entry: of widths to 10 the largest are below 2**32, or else they are residues."""

NANOSECONDS, WIDE_NANOSECONDS = 1.0, 4.0
"""Of a core for an addition.  To width 9: closed 9x10 took 1,136 seconds of processors.  Beyond:
a group of keys of 10x10 took 3.2 in its steps, and 18 seconds for its tables.  Large groups share
the tables, so the second figure is an upper bound."""


@dataclass(frozen=True)
class ClusterBill:
    """What one pass over the array takes on a cluster.

    Attributes
    ----------
    entries : int
        The numbers in the whole array.
    bytes : int
        Memory or disk for the array.
    worker_bytes : int
        Memory of each worker: two copies of its part, or of the largest key.
    core_hours : float
    hours : float
        With a core for each worker, network and disk aside.
    shuffled_bytes : int
        What the workers send to each other.

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
    """Return what a pass over the array of a board takes on so many workers."""
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
    """(2k - 1)!!"""
    return prod(range(1, 2 * pairs, 2))


def patterns(width: int) -> Iterator[tuple[int, int]]:
    """Numbers of pairs, and how many patterns have so many."""
    for pairs in range(width + 1):
        yield pairs, comb(2 * width, 2 * pairs) * comb(2 * width - 2 * pairs, width - pairs)


def entries(width: int) -> int:
    """Of the whole array: patterns times matchings."""
    return sum(many * matchings(pairs) for pairs, many in patterns(width))


def additions(width: int) -> int:
    """Of one edge, in the whole array."""
    return additions_of_key(2 * width, 2 * width, 0)


def additions_of_key(slots: int, total: int, ends: int) -> int:
    """Of one edge, in the patterns that share the digits of all but some slots.

    The sum of these slots' digits is ``total``, and the others have so many ``ends`` of paths.  The
    slots beside the edge have the digits that are left: both ends of the edge become ends of paths
    or stop being ones (2), or an end moves on (1 and 3, the sum of their two digits).
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
    """Steps with an edge until two halves of so many rows meet."""
    return (3 * (width - 2) + width % 2) * (rows // 2 - 1) + width - 2


def meeting(width: int) -> int:
    """Multiplications and additions where two halves meet: k * k for each entry of k pairs."""
    return sum(many * matchings(pairs) * pairs**2 for pairs, many in patterns(width))


def largest_key(width: int) -> int:
    """Most entries with the same digits in one of the two rows."""
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
