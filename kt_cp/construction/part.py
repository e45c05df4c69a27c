"""Parts of a constructed tour: rectangles whose squares come in an order that can be computed.

A *part* covers a rectangle of rows × columns squares and gives each its place in an order of its
own, 0 to ``size`` - 1.  A :class:`Tile` keeps that order as a table.  A
:class:`~kt_cp.construction.strip.Strip` puts parts in a line and computes its order.  Boards are
strips of strips of tiles, so arithmetic at a handful of levels finds a place.

Equal parts are written into an array each as the one before plus a constant a square.  They are
written from the first on, each from the one before it.  What is read is still in the cache, so the
work is what memory takes.  The constant depends on the lane of a square.  In large parts nearly
every column lies in one lane, so a run of columns takes one number.  The other columns, and small
parts, have an array of constants.  Small parts are doubled until they are worth a call.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import Square

Array = NDArray[Any]


class Part(Protocol):
    """A rectangle and an order of its squares."""

    rows: int
    columns: int
    size: int

    def step(self, square: Square) -> int:
        """Place of a square of the rectangle in the order, from 0."""

    def square(self, step: int) -> Square:
        """Square at a place."""

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        """Squares at the places from ``low`` to before ``high``, some at a time.

        In order, or where not ``ahead``, backwards.
        """

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        """Write ``sign * place + summand`` for a window, its least square at row and column."""


class Value:
    """Equal to everything of its kind that was made of the same."""

    made_of: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(other)["made_of"] == self.made_of

    def __hash__(self) -> int:
        return hash(self.made_of)


class Tile(Value):
    """A part small enough to be found by search and kept as a table.

    The order has every square of the rectangle once.  Consecutive squares need not be a move apart
    where a strip cuts it.

    Examples
    --------
    >>> tile = Tile(1, 3, [(0, 2), (0, 0), (0, 1)])
    >>> tile.step((0, 1)), tile.square(0)
    (2, (0, 2))
    """

    def __init__(self, rows: int, columns: int, order: Sequence[Square]) -> None:
        self.rows, self.columns, self.size = rows, columns, rows * columns
        self.order = tuple(order)
        self.made_of = (rows, columns, self.order)
        self._step_of = {square: step for step, square in enumerate(self.order)}
        self._grid = np.empty((rows, columns), dtype=np.int64)
        for square, step in self._step_of.items():
            self._grid[square] = step

    def step(self, square: Square) -> int:
        return self._step_of[square]

    def square(self, step: int) -> Square:
        return self.order[step]

    def walk(self, low: int, high: int, *, ahead: bool = True) -> Iterator[list[Square]]:
        squares = list(self.order[low:high])
        yield squares if ahead else squares[::-1]

    def fill(self, out: Array, row: int, column: int, *, sign: int = 1, summand: int = 0) -> None:
        height, width = out.shape
        out[...] = self._grid[row : row + height, column : column + width] * sign + summand


def is_move(here: Square, there: Square) -> bool:
    """Whether two squares are a knight's move apart."""
    return {abs(here[0] - there[0]), abs(here[1] - there[1])} == {1, 2}


AT_ONCE = 1 << 14
"""Squares written in one call, and the size from which parts are looked at column by column: a
compromise between the cache and the number of calls (``benchmarks/MEASURED.md``)."""


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
        For so many parts as ``count``, upwards (``axis`` 0) or to the right (1).
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
