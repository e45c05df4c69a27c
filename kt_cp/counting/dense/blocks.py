"""Blocks taken out of an array, in as few bytes as they need, and put back.

Most entries of an array are small numbers or none, and each has four bytes or eight.  So whatever
is not at work is kept otherwise: the patterns that live, and their entries, in pieces, each in as
many bytes as its largest entry takes.  Blocks of zeros alone are left out.  That is what a store
has of an array (``sweep``), what groups of keys give to each other (``keyed``), and an array that
rests while another one is at work.

Cost: an entry is copied twice, out of its place and to fewer bytes; on open 8×8 they come to
a fifth of the arrays.  Importing this loads Numba; compiled code is kept beside the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numba import njit

from kt_cp.counting.dense.array import Threads, block
from kt_cp.counting.dense.matchings import MATCHINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kt_cp.counting.dense.array import States

Blocks: TypeAlias = "Mapping[str, NDArray[Any]]"
"""In pieces from 0 on: ``patterns-0``, which have as many pairs, and ``values-0``, with a row of
entries for each."""

PIECE = 8_000_000
"""Entries of a piece, but for a pattern that has more."""


@njit(cache=True, nogil=True)
def copy(values: Any, at: Any, patterns: Any, rows: Any, largest: Any, out: bool) -> None:
    """Copy the blocks of some patterns out of an array, or into it, and tell their largest."""
    for x in range(patterns.shape[0]):
        start, most = block(at, patterns[x]), np.uint64(0)
        for r in range(rows.shape[1]):
            if out:
                rows[x, r] = values[start + r]
            else:
                values[start + r] = rows[x, r]
            most = max(most, np.uint64(rows[x, r]))
        largest[x] = most


def pairs_of(states: States, patterns: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pairs of ends some patterns have."""
    high, low = np.divmod(patterns, len(states.at.low.sums))
    ends: NDArray[np.int64] = states.at.high.counts[high] + states.at.low.counts[low]
    return (ends + states.at.depot) // 2


def taken(
    states: States,
    patterns: NDArray[np.int64],
    numbers: NDArray[np.int64],
    threads: Threads | None = None,
) -> dict[str, NDArray[Any]]:
    """The blocks of some patterns, which are given these numbers."""
    pairs = pairs_of(states, patterns)
    pieces: list[Any] = [*_pieces(pairs)]

    def take(at: int) -> None:
        chosen = pieces[at]
        many = len(chosen), int(MATCHINGS[pairs[chosen[0]]])
        rows = np.empty(many, dtype=states.values.dtype)
        tops = np.empty(len(chosen), dtype=np.uint64)
        copy(states.values, states.at, patterns[chosen], rows, tops, True)
        rows = rows if tops.all() else rows[tops > 0]
        small = rows.astype(np.min_scalar_type(tops.max()))
        pieces[at] = numbers[chosen[tops > 0]].astype(np.uint32), small

    (threads or Threads(1))(take, [(at,) for at in range(len(pieces))])
    found: dict[str, NDArray[Any]] = {}
    for at, (some, small) in enumerate(each for each in pieces if len(each[0])):
        found |= {f"patterns-{at}": some, f"values-{at}": small}
    return found


def _pieces(pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Places of as many pairs, a piece of them at a time."""
    for many in np.unique(pairs).tolist():
        places = np.flatnonzero(pairs == many)
        step = max(1, PIECE // int(MATCHINGS[many]))
        yield from (places[first : first + step] for first in range(0, len(places), step))


def put(states: States, pieces: Iterable[tuple[NDArray[np.int64], NDArray[Any]]]) -> None:
    """Have some blocks: patterns of an array, and a row of entries for each."""
    for patterns, rows in pieces:
        if rows.dtype == np.uint64 and states.values.dtype == np.uint32:
            states.values = states.values.astype(np.uint64)
        most = np.empty(len(patterns), dtype=np.uint64)
        copy(states.values, states.at, patterns, rows.astype(states.values.dtype), most, False)
        states.live[patterns] = 1
        pairs = int(pairs_of(states, patterns[:1])[0])
        states.largest[pairs] = max(states.largest[pairs], most.max())


def pieces_of(
    blocks: Blocks, *, drop: bool = False
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """The pieces of some blocks: numbers of patterns, and rows of entries; taken out with drop."""
    found = blocks if drop and isinstance(blocks, dict) else {**blocks}
    for at in range(len(found) // 2):
        yield found.pop(f"patterns-{at}").astype(np.int64), found.pop(f"values-{at}")
