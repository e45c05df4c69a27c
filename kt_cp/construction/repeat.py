"""Write equal parts of a tour into an array, each the former plus a constant for every square.

Small parts are written many at once, as one broadcast over a further axis.  Of large ones each is
one addition for every run of columns that share their constant: the squares of a row of tiles do,
but for those of the tiles where the row was entered.  Either way the work is what memory takes.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kt_cp.construction.part import Array

AT_ONCE = 1 << 15
"""Squares written in one broadcast, and the size from which parts are written one by one."""


def repeat(target: Array, base: Array, stride: Array, axis: int) -> None:
    """Fill ``target`` along an axis with ``base``, ``base + stride``, ``base + 2 * stride`` …

    Parameters
    ----------
    target : array of shape (rows, columns)
        Its length along the axis is a multiple of that of ``base``.
    base, stride : arrays of equal shape
    axis : int
        0 to go on upwards, 1 to the right.

    Examples
    --------
    >>> target = np.empty((1, 6), dtype=np.int32)
    >>> repeat(target, np.array([[1, 9]]), np.array([[1, -1]]), 1)
    >>> target.tolist()
    [[1, 9, 2, 8, 3, 7]]
    """
    depth = base.shape[axis]
    count = target.shape[axis] // depth
    if count == 1:
        target[...] = base
    elif base.size < AT_ONCE:
        _many(target, base, stride, axis)
    elif axis == 0:
        _upwards(target, base, stride, _runs(stride))
    else:
        for number in range(count):
            window = target[:, number * depth : (number + 1) * depth]
            np.add(base, stride * target.dtype.type(number), out=window, casting="unsafe")


def _many(target: Array, base: Array, stride: Array, axis: int) -> None:
    """Small parts, so many at a time that they stay in the cache."""
    depth = base.shape[axis]
    count = target.shape[axis] // depth
    at_once = max(1, AT_ONCE // base.size)
    for first in range(0, count, at_once):
        most = min(at_once, count - first)
        begin, end = first * depth, (first + most) * depth
        numbers = np.arange(first, first + most, dtype=target.dtype)
        if axis == 0:
            parts = np.reshape(target[begin:end], (most, depth, -1), copy=False)
            parts[...] = base + stride * numbers[:, None, None]
        else:
            parts = np.reshape(target[:, begin:end], (-1, most, depth), copy=False)
            parts[...] = base[:, None] + stride[:, None] * numbers[:, None]


def _upwards(target: Array, base: Array, stride: Array, runs: list[tuple[int, int, bool]]) -> None:
    """Large parts, one addition for each and each run of columns."""
    depth = base.shape[0]
    scalar = target.dtype.type
    for number in range(target.shape[0] // depth):
        part = target[number * depth : (number + 1) * depth]
        for low, high, constant in runs:
            if constant:
                more = scalar(int(stride[0, low]) * number)
                np.add(base[:, low:high], more, out=part[:, low:high])
            else:
                part[:, low:high] = base[:, low:high] + stride[:, low:high] * scalar(number)


def _runs(stride: Array) -> list[tuple[int, int, bool]]:
    """Runs of columns which share one stride, and of those which do not."""
    constant = (stride == stride[0]).all(axis=0)
    same = constant[1:] & constant[:-1] & (stride[0, 1:] == stride[0, :-1])
    mixed = ~constant[1:] & ~constant[:-1]
    bounds = [0, *(np.flatnonzero(~(same | mixed)) + 1).tolist(), stride.shape[1]]
    return [(low, high, bool(constant[low])) for low, high in pairwise(bounds)]
