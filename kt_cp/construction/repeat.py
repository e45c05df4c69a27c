"""Write equal parts of a tour into an array, each the former plus a constant for every square.

Parts are written from the first on, each from the one before it: what is read is still in the
cache, and the work is what memory takes.  The constant depends on the lane of a square.  Of large
parts nearly all columns lie in one lane each, so that a run of them takes one number; the others,
and small parts, have an array of constants.  Small parts are doubled until they are worth a call.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kt_cp.construction.part import Array

AT_ONCE = 1 << 14
"""Squares written in one call, and the size from which parts are looked at column by column.

Nanoseconds a square:

=========  ====  ====  ====  ====  ====  ====  ====  ====  ====
2 to the   10    11    12    13    14    15    16    17    18
=========  ====  ====  ====  ====  ====  ====  ====  ====  ====
10000**2   0.19  0.18  0.18  0.18  0.19  0.25  0.37  0.35  0.42
7x10**6    1.95  1.32  1.05  0.83  0.73  0.69  0.69  0.82  3.62
10**6x7    0.91  0.58  0.42  0.31  0.25  0.22  0.23  0.24  0.28
=========  ====  ====  ====  ====  ====  ====  ====  ====  ====
"""


class Change(NamedTuple):
    """What becomes of the places in a lane: ``sign * place + summand``.

    In each further part it is ``stride`` more.
    """

    sign: int
    summand: int
    stride: int


def repeat(
    target: Array, count: int, axis: int, cuts: Sequence[int], changes: Sequence[Change]
) -> None:
    """Change the first part in an array, which holds its places, and write the others after it.

    Parameters
    ----------
    target : array of shape (rows, columns)
    count : int
        Number of parts.
    axis : int
        0 to go on upwards, 1 to the right.
    cuts : sequence of int
        Places before which a new lane begins, ascending.
    changes : sequence of Change
        For each lane.

    Examples
    --------
    >>> target = np.array([[0, 1, 2, 0, 0, 0, 0, 0, 0]])
    >>> repeat(target, 3, 1, [1], [Change(1, 10, 1), Change(-1, 90, -2)])
    >>> target.tolist()
    [[10, 89, 88, 11, 87, 86, 12, 85, 84]]
    """
    depth = target.shape[axis] // count
    first = target[:depth] if axis == 0 else target[:, :depth]
    table = np.array([[_wrapped(it, target.dtype) for it in one] for one in changes], target.dtype)
    if axis == 0 and first.size >= AT_ONCE:
        for low, high, lane in _runs(first, cuts):
            _write(target[:, low:high], depth, _constants(first[:, low:high], cuts, table, lane))
        return
    constants = _constants(first, cuts, table, None if cuts else 0)
    if axis == 0:
        _write(target, depth, constants)
    else:
        _write(target.T, depth, [it.T for it in constants])


def _write(target: Array, depth: int, constants: Sequence[Array]) -> None:
    """Change the lowest part and write the others above it."""
    sign, summand, stride = constants
    target[:depth] *= sign
    target[:depth] += summand
    done = depth
    while done < len(target):
        more = min(depth, len(target) - done)
        before = target[done - depth : done - depth + more]
        np.add(before, stride[:more], out=target[done : done + more])
        done += more
        if done == 2 * depth and target[:depth].size < AT_ONCE:
            # From here on two parts count as one.
            stride = 2 * (stride if len(stride) == 1 else np.concatenate([stride, stride]))
            depth = done


def _constants(first: Array, cuts: Sequence[int], table: Array, lane: int | None) -> list[Array]:
    """Sign, summand and stride in a lane, or for each square of the first part."""
    if lane is not None:
        return [it.reshape(1, 1) for it in table[lane]]
    lanes = np.searchsorted(np.array(cuts, dtype=first.dtype), first, side="right")
    return list(table.T[:, lanes])


def _runs(first: Array, cuts: Sequence[int]) -> Iterator[tuple[int, int, int | None]]:
    """Runs of columns that lie in one lane, and of those that do not."""
    least, most = first.min(axis=0), first.max(axis=0)
    lane = bisect_right(cuts, least.min())
    if lane == bisect_right(cuts, most.max()):
        yield 0, len(least), lane
        return
    lanes = np.searchsorted(np.array(cuts, dtype=first.dtype), [least, most], side="right")
    lane_of = np.where(lanes[0] == lanes[1], lanes[0], -1)
    bounds = [0, *(np.flatnonzero(np.diff(lane_of)) + 1).tolist(), len(least)]
    for low, high in pairwise(bounds):
        yield low, high, None if lane_of[low] < 0 else int(lane_of[low])


def _wrapped(number: int, dtype: np.dtype[Any]) -> int:
    """A number as arithmetic in a type leaves it, where sums on the way may be too large."""
    half = 1 << (8 * dtype.itemsize - 1)
    return (number + half) % (2 * half) - half
