"""Sets as rows of words, and a queue: what the rules of :mod:`kt_cp.search.windows` work with.

A row has a bit for each member.  ``words`` is a tuple as long as a row, so that the compiler knows
the length; where it is empty, any will do.

Importing this loads Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import njit

from kt_cp.search.bits import bit_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Sets = NDArray[np.uint64]

NONE, ONE = np.uint64(0), np.uint64(1)

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {
    "cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip


def inside(function: Function) -> Function:
    """Compile what compiled functions alone call: without an entry from Python it takes less."""
    compiled: Function = njit(**_OPTIONS)(function)
    return compiled


def inline(function: Function) -> Function:
    """The same, put into each function that calls it."""
    compiled: Function = njit(**_OPTIONS, forceinline=True)(function)
    return compiled


@inline
def width_of(sets: Sets, words: tuple[int, ...]) -> Any:
    """How many words a row has."""
    return len(words) or sets.shape[-1]


@inline
def size_of(sets: Sets, row: Any, width: int) -> Any:
    """How many members a row has."""
    size = np.int64(0)
    for j in range(width):
        size += np.int64(bit_count(sets[row, j]))
    return size


@inline
def has(sets: Sets, row: Any, member: Any) -> Any:
    """Whether a row has a member."""
    return (sets[row, member >> 6] >> np.uint64(member & 63)) & ONE != NONE


@inline
def strike(sets: Sets, row: Any, member: Any) -> None:
    """Take a member from a row."""
    sets[row, member >> 6] &= ~(ONE << np.uint64(member & 63))


@inline
def put(sets: Sets, row: Any, member: Any) -> None:
    """Add a member to a row."""
    sets[row, member >> 6] |= ONE << np.uint64(member & 63)


@inline
def enqueue(step: Any, queue: NDArray[np.int64], queued: NDArray[np.bool_], waiting: int) -> int:
    """Note that the window of a step has changed; returns how many are waiting."""
    if not queued[step]:
        queued[step] = True
        queue[waiting] = step
        waiting += 1
    return waiting


@inline
def copy(sets: Sets, into: Sets, width: int) -> None:
    """Copy all rows."""
    for row in range(len(sets)):
        for j in range(width):
            into[row, j] = sets[row, j]


@inline
def round_(step: Any, total: int, closed: bool) -> Any:
    """The number of a step at most one tour too early or too late."""
    if closed:
        step += total * ((step < 0) - (step >= total))
    return step
