"""From the first step to the last: tables that grow, numbers that get longer, memory that ends.

A state is followed by another in one way at most, since different edges give different degrees.
So no number after a step is greater than the sum of all before it.  That sum is taken exactly;
where it does not fit in the words of a number, there is one word more.  Nothing can overflow.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.frontier.plan import EMPTY, Plan, Step
from kt_cp.model.errors import EndedError
from kt_cp.model.progress import Progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.method import Store

    Table = NDArray[np.uint64]

BATCH = 256
"""States that are followed before any is put into the table: 64 to 512 are the same."""

CHUNK = 1 << 20
"""Rows between two looks at the world outside: some tenths of a second."""

FILLED = 0.65
"""Of a table, before it grows; and by how much it does."""
GROWTH = 1.5

WORDS = 2
"""Words that the compiler is told of, for states and for numbers."""

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


def empty(size: int, width: int) -> Table:
    """A table of some size without any state."""
    table = np.zeros((size, width), dtype=np.uint64)
    table[:, 0] = EMPTY
    return table


def states_of(table: Table) -> Table:
    """The rows of a table that are not empty."""
    rows: Table = table[table[:, 0] != np.uint64(EMPTY)]
    return rows


class Sweep:
    """All states after one step, and how many cycles closed so far.

    Parameters
    ----------
    plan : Plan
    memory_limit : float, optional
        Megabytes, for tables.

    Attributes
    ----------
    at : int
        Steps that are done.
    held : int
        How many states there are.
    table : uint64 array of shape (size, words + limbs)
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
        self.at, self.held, self.tours = 0, 1, 0
        self.table = np.zeros((1, plan.words + 1), dtype=np.uint64)
        self.table[0, plan.words] = 1

    @property
    def limbs(self) -> int:
        """Words of a number."""
        return int(self.table.shape[1]) - self.plan.words

    def ways(self) -> int:
        """The sum of the numbers of all states."""
        total, low = 0, np.uint64(0xFFFFFFFF)
        for place in range(self.limbs):  # empty rows have zeros
            limbs = self.table[:, self.plan.words + place]
            upper, lower = int((limbs >> np.uint64(32)).sum()), int((limbs & low).sum())
            total += ((upper << 32) + lower) << 64 * place
        return total

    def _new(self, size: int, limbs: int, beside: int) -> Table:
        """An empty table, where there is room for it beside so many bytes."""
        width = self.plan.words + limbs
        needed = (size * width * 8 + beside) / 1e6
        if self._limit is not None and needed > self._limit:
            raise EndedError(
                f"the memory limit of {self._limit:g} MB was reached: {needed:,.1f} MB needed "
                f"after {self.at} of {len(self.plan.steps)} steps with {self.held:,} states"
            )
        try:
            return empty(size, width)
        except MemoryError:
            raise EndedError(f"memory ran out: {needed:,.0f} MB needed for states") from None

    def advance(self) -> None:
        """Take the next step.

        Raises
        ------
        EndedError
            If there is not enough memory.
        """
        from kt_cp.counting.frontier.passes import forward
        from kt_cp.counting.frontier.table import moved

        step, words = self.plan.steps[self.at], self.plan.words
        limbs = self.limbs
        if self.ways() >> 64 * limbs:
            limbs += 1
            longer = self._new(len(self.table), limbs, self.table.nbytes)
            moved(self.table, longer, words)
            self.table = longer
        sizes = told(words), told(limbs)
        rows = BATCH + step.most
        source, closed = self.table, np.zeros(limbs, dtype=np.uint64)
        target = self._new(int(self.held * 1.2 / FILLED) + 2 * rows, limbs, source.nbytes)
        at = held = 0
        room = work(step, words, rows)
        while at < len(source):
            end, most = min(at + CHUNK, len(source)), int(len(target) * FILLED) - rows
            at, held = forward(
                sizes, source, at, end, target, held, most, closed, step.slot, step.near,
                step.marks, self.plan.places, self.plan.full, *room,
            )  # fmt: skip
            if held >= most:
                size = int(len(target) * GROWTH) + 2 * rows
                larger = self._new(size, limbs, source.nbytes + target.nbytes)
                moved(target, larger, words)
                target = larger
        self.tours += number_of(closed)
        self.table, self.held, self.at = target, held, self.at + 1

    def content(self) -> dict[str, Any]:
        """What :meth:`resume` needs."""
        return {"states": states_of(self.table), "tours": self.tours}

    def resume(self, at: int, content: dict[str, Any]) -> None:
        """Go on after a step, with what was saved then."""
        self.table, self.tours = content["states"], int(content["tours"])
        self.at, self.held = at, len(self.table)


def told(words: int) -> tuple[int, ...]:
    """How many words the compiler is told of: as many, or nothing."""
    return (0,) * words if words <= WORDS else ()


def work(step: Step, words: int, rows: int) -> tuple[Table, NDArray[np.int64], NDArray[np.int64]]:
    """Room for the states that follow, the neighbours that may be chosen, and those that were."""
    return (
        np.zeros((rows + 1, words), dtype=np.uint64),
        np.zeros(len(step.others), dtype=np.int64),
        np.zeros((step.most, 2), dtype=np.int64),
    )


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
