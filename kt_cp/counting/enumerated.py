"""Counting by going through all tours: the compiled recursion of ``enumerate``, nothing kept.

It takes every condition, in memory of no account, and small problems are counted before other
methods have their tables.  Cost: some ten million squares placed a second, for which a probe down
the tree tells the number beforehand (:mod:`kt_cp.enumeration.walks`).  When it loses: 6×8 takes
ten times as long as a dense array, 8×8 years.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.counting.method import Estimate
from kt_cp.counting.store import Pieces
from kt_cp.model.errors import InputError
from kt_cp.processes.executors import opened

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Store
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.problem import Problem
    from kt_cp.model.progress import Progress

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

    def in_pieces(self, problem: Problem) -> bool:  # noqa: ARG002
        """Whether an executor gets parts of a count."""
        return True

    def refuses(self, problem: Problem) -> str | None:
        """Why it does not take a problem, or None."""
        try:
            self._all(problem)
        except InputError as error:
            return str(error)
        return None

    def _all(self, problem: Problem) -> Enumeration:
        from kt_cp.enumeration import Enumeration

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
        if (known := store.load(1)) is not None:
            return int(known["tours"])
        from kt_cp.enumeration.parallel import packed, unpacked

        kept = Pieces(store, packed, unpacked)
        with nullcontext(executor) if executor else opened("threads") as workers:
            found = self._all(problem).count(progress=progress, executor=workers, store=kept)
        store.save(1, {"tours": found})
        return found


ENUMERATE = Enumerated()
