"""One function for graphs of all sizes: lists for Python, or arrays for the same function compiled.

A function of plain loops over numbers is quick enough in Python on small graphs, where Numba would
take half a second to load; and on large ones compiling makes it fifty times as fast.  So such a
function is written once, in what Numba understands, and is handed all the room that it needs: lists
of integers below ``COMPILED`` vertices, and NumPy's arrays from there on.

Cost: half a second to load Numba, seconds to compile a function for the first time; that is kept
beside the source.  When it loses: lists within lists, sets and dictionaries are not to be had.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Ints = MutableSequence[int]
"""A list or an array; Python's own integers, or those of 64 bits."""

COMPILED = 10_000
"""Vertices from which on a function is compiled: half a second longer in Python than loaded, and
compiling for the first time is left to graphs whose search is in a process that can be ended."""


class Workspace:
    """Room for a function, and the function itself, for graphs of a size.

    Examples
    --------
    >>> def doubled(numbers):
    ...     for place in range(len(numbers)):
    ...         numbers[place] *= 2
    >>> flat = Workspace(10)
    >>> numbers = flat.of(np.arange(3))
    >>> flat.run(doubled, numbers)
    >>> flat.back(numbers)
    array([0, 2, 4])
    """

    def __init__(self, size: int) -> None:
        self.compiled = size >= COMPILED

    def run(self, function: Callable[..., Any], *given: Any) -> Any:
        """What the function returns, compiled or not."""
        return (_compiled(function) if self.compiled else function)(*given)

    def full(self, many: int, value: int = 0) -> Any:
        """So many times a value."""
        if not self.compiled:
            return [value] * many
        return np.full(many, value, dtype=np.int64) if value else np.zeros(many, dtype=np.int64)

    def of(self, values: NDArray[Any]) -> Any:
        """A copy of an array."""
        return values.astype(np.int64) if self.compiled else values.tolist()

    def back(self, values: Any) -> NDArray[np.int64]:
        """What was made here, as an array."""
        return np.asarray(values, dtype=np.int64)


@cache
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    from numba import njit

    made: Callable[..., Any] = njit(cache=True, nogil=True)(function)
    return made


def sorted_unique(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each value once, ascending; NumPy's ``unique`` takes ten times as long on many.

    Examples
    --------
    >>> sorted_unique(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def csr_rows(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where each vertex's row begins, and in the rows the neighbours and the edges to them.

    Examples
    --------
    >>> start, near, edge = csr_rows(3, np.array([0, 1]), np.array([1, 2]))
    >>> start.tolist(), near.tolist(), edge.tolist()
    ([0, 1, 3, 4], [1, 2, 0, 1], [0, 1, 0, 1])
    """
    ends = np.concatenate([tails, heads])
    order = np.argsort(ends, kind="stable")
    start = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(ends, minlength=size), out=start[1:])
    return start, np.concatenate([heads, tails])[order], order % max(1, len(tails))
