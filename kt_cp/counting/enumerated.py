"""Counting by going through all tours: the compiled recursion of ``enumerate``, nothing kept.

It takes every condition, in memory of no account, and small problems are counted before other
methods have their tables.  Cost: some ten million squares placed a second, for which a probe down
the tree tells the number beforehand (:mod:`kt_cp.enumeration.estimate`).  When it loses: 6×8 takes
ten times as long as a dense array, 8×8 years.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.counting.method import Estimate
from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.spread import packed, unpacked
from kt_cp.model.errors import InputError
from kt_cp.processes.executors import opened

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Store
    from kt_cp.model.problem import Problem
    from kt_cp.model.progress import Progress
    from kt_cp.processes.pieces import Done

RATE = 1e7
"""Squares placed in a second."""

BYTES = 1 << 20
"""Of the walks: next to nothing."""


@dataclass(frozen=True)
class Enumerated:
    """The method; what makes two tours one is as in :class:`kt_cp.Enumeration`."""

    directed: bool = False
    unique: bool = False
    name: str = "enumerate"
    version: int = 1
    in_pieces: bool = True

    def refuses(self, problem: Problem) -> str | None:
        """Why it does not take a problem, or None."""
        try:
            self._all(problem)
        except InputError as error:
            return str(error)
        return None

    def _all(self, problem: Problem) -> Enumeration:
        return Enumeration(problem, directed=self.directed, unique=self.unique)

    def estimate(self, problem: Problem) -> Estimate:
        """What it is likely to take; the true time may well be a hundred times as long."""
        return Estimate(problem.size, BYTES, self._all(problem).work() / RATE)

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,
        memory_limit: float | None = None,  # noqa: ARG002
    ) -> int:
        """Number of tours: one step, whose blocks are the pieces of an executor."""
        if store is None:
            return self._all(problem).count(progress=progress, executor=executor)
        if (kept := store.load(1)) is not None:
            return int(kept["tours"])
        with nullcontext(executor) if executor else opened("threads") as workers:
            found = self._all(problem).count(
                progress=progress, executor=workers, store=_Blocks(store)
            )
        store.save(1, {"tours": found})
        return found


class _Blocks(NamedTuple):
    """A store, as pieces see it."""

    store: Store

    def load(self, key: str, piece: tuple[Any, ...]) -> Done | None:
        content = self.store.block(1, key).load()
        return None if content is None else unpacked(content, piece)

    def save(self, key: str, done: Done) -> None:
        self.store.block(1, key).save(packed(done))


METHOD = Enumerated()
