"""One function for graphs of all sizes: plain Python on lists, or compiled on arrays.

On small graphs, plain loops in Python are fast enough, and loading Numba alone takes half a second;
on large ones compiled code is fifty times as fast.  Such a function is written once, in the subset
of Python that Numba compiles.  It receives all its memory: lists of integers below ``COMPILED``
vertices, NumPy arrays otherwise.

Cost: half a second to load Numba, and seconds to compile a function for the first time; compiled
code is cached beside the source.  When it loses: it lacks nested lists, sets and dictionaries.
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
"""Least number of vertices for which functions are compiled.  There Python takes half a second
longer than loading Numba, and the search runs in a process that can be ended while it compiles."""


class Workspace:
    """Memory for functions on graphs of one size; it calls them compiled or not.

    >>> def double(numbers):
    ...     for place in range(len(numbers)):
    ...         numbers[place] *= 2
    >>> workspace = Workspace(10)
    >>> numbers = workspace.copy(np.arange(3))
    >>> workspace.run(double, numbers)
    >>> workspace.array(numbers)
    array([0, 2, 4])
    """

    def __init__(self, size: int) -> None:
        self.compiled = size >= COMPILED

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function, compiled or not."""
        return (_compile(function) if self.compiled else function)(*arguments)

    def full(self, length: int, value: int = 0) -> Any:
        """Return ``length`` copies of a value."""
        if not self.compiled:
            return [value] * length
        return np.full(length, value, dtype=np.int64) if value else np.zeros(length, dtype=np.int64)

    def copy(self, values: NDArray[Any]) -> Any:
        """Return a copy of an array, in the form that functions take."""
        return values.astype(np.int64) if self.compiled else values.tolist()

    def array(self, values: Any) -> NDArray[np.int64]:
        """Return memory of a function as an array."""
        return np.asarray(values, dtype=np.int64)


@cache
def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    from numba import njit

    compiled: Callable[..., Any] = njit(cache=True, nogil=True)(function)
    return compiled


def sorted_unique(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each value once, ascending; ``numpy.unique`` takes ten times as long on many."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def csr_rows(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where each vertex's row begins, and the neighbours and edge numbers in the rows.

    >>> [part.tolist() for part in csr_rows(3, np.array([0, 1]), np.array([1, 2]))]
    [[0, 1, 3, 4], [1, 2, 0, 1], [0, 1, 0, 1]]
    """
    ends = np.concatenate([tails, heads])
    order = np.argsort(ends, kind="stable")
    start = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(ends, minlength=size), out=start[1:])
    return start, np.concatenate([heads, tails])[order], order % max(1, len(tails))
