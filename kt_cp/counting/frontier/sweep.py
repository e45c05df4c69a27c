"""From the first step to the last: numbers that get longer, memory that ends.

A state is followed by another in one way at most, since different edges give different degrees.
So no number after a step is greater than the sum of all before it, times the ways of its edges.
Where that, taken exactly, does not fit in the words of a number, there is one word more: nothing
can overflow.  What edges have turns and ways for is told in :mod:`.folded`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.frontier.sweep import CHUNK, HALF, LOW, after
from kt_cp.counting.frontier.transitions import Plan
from kt_cp.model.errors import EndedError
from kt_cp.model.progress import Progress

if TYPE_CHECKING:
    from kt_cp.counting.frontier.transitions import Table
    from kt_cp.counting.method import Store

HELD = 2
"""Times the states that follow are held while parts become one."""

SHARE = 10
"""A step is saved when that many times as long has gone by as saving took the last time."""


def number_of(limbs: Any) -> int:
    """A number of some words, the lowest first.

    Examples
    --------
    >>> number_of(np.array([1, 2], dtype=np.uint64)) == 2 * 2**64 + 1
    True
    """
    return sum(int(limb) << 64 * place for place, limb in enumerate(limbs))


def total(numbers: Table) -> int:
    """The sum of numbers, of which each is a column.

    Examples
    --------
    >>> total(np.array([[2**64 - 1, 1], [0, 3]], dtype=np.uint64)) == 2**64 * 4
    True
    """
    halves = ((int((limbs >> HALF).sum()), int((limbs & LOW).sum())) for limbs in numbers)
    return sum((upper << 32) + lower << 64 * at for at, (upper, lower) in enumerate(halves))


class Sweep:
    """All states after one step, and how many cycles closed so far.

    Parameters
    ----------
    plan : Plan
    memory_limit : float, optional
        Megabytes, for states and their numbers.

    Attributes
    ----------
    at : int
        Steps that are done.
    table : uint64 array of shape (words + limbs, states)
        The words of each state, and then those of its number.
    tours : int

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> sweep = Sweep(Plan(index_board(Board(5, 6)), [], range(30)))
    >>> while sweep.at < 30:
    ...     sweep.advance()
    >>> sweep.tours
    8
    """

    def __init__(self, plan: Plan, memory_limit: float | None = None) -> None:
        self.plan = plan
        self._limit = memory_limit
        self.at, self.tours = 0, 0
        self.table = np.zeros((plan.words + 1, 1), dtype=np.uint64)
        self.table[plan.words] = 1

    @property
    def held(self) -> int:
        """How many states there are."""
        return int(self.table.shape[1])

    @property
    def limbs(self) -> int:
        """Words of a number."""
        return len(self.table) - self.plan.words

    def advance(self) -> None:
        """Take the next step.

        Raises
        ------
        EndedError
            If there is not enough memory.
        """
        try:
            self._advance()
        except MemoryError:
            raise EndedError(f"memory ran out {self._where}") from None

    def _advance(self) -> None:
        words, step = self.plan.words, self.plan.steps[self.at]
        if total(self.table[words:]) * self.plan.most_ways(step) >> 64 * self.limbs:
            self.table = np.vstack([self.table, np.zeros((1, self.held), dtype=np.uint64)])
        source, numbers = self.table, self.table[words:]
        self.table, closed = after(
            source[:words],
            step,
            self.plan,
            lambda way, at: numbers[:, at : at + CHUNK].take(way.rows, axis=1),
            look=lambda parts: self._look(source.nbytes + HELD * sum(it.nbytes for it in parts)),
        )
        self.tours += sum(map(total, closed))
        self.at += 1

    def _look(self, needed: int) -> None:
        if self._limit is not None and needed > self._limit * 1e6:
            raise EndedError(
                f"the memory limit of {self._limit:g} MB was reached: {needed / 1e6:,.1f} MB"
                f" needed {self._where}"
            )

    @property
    def _where(self) -> str:
        return f"after {self.at} of {len(self.plan.steps)} steps with {self.held:,} states"

    def content(self) -> dict[str, Any]:
        """What :meth:`resume` needs."""
        return {"states": np.ascontiguousarray(self.table.T), "tours": self.tours}

    def resume(self, at: int, content: dict[str, Any]) -> None:
        """Go on after a step, with what was saved then."""
        self.table, self.tours = np.ascontiguousarray(content["states"].T), int(content["tours"])
        self.at = at


def cycles(
    plan: Plan,
    *,
    progress: Progress | None = None,
    store: Store | None = None,
    memory_limit: float | None = None,
) -> int:
    """Number of Hamiltonian cycles of a plan's graph that use all its forced edges.

    The parameters are those of :meth:`kt_cp.counting.method.Method.count`.
    """
    sweep = Sweep(plan, memory_limit)
    if store is not None and store.done():
        saved = store.load(store.done())
        if saved is not None:
            sweep.resume(store.done(), saved)
    due, steps = time.monotonic(), len(plan.steps)
    while sweep.at < steps and sweep.held:
        sweep.advance()
        if progress is not None:
            progress({"step": sweep.at, "steps": steps, "states": sweep.held})
        if store is not None and time.monotonic() >= due:
            began = time.monotonic()
            store.save(sweep.at, sweep.content())
            due = time.monotonic() + SHARE * (time.monotonic() - began)
    return sweep.tours
