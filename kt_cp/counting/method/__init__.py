"""The contract of a method of counting, and the answer of a count.

Only contracts belong here.  The methods import them, and they import no method.

A method counts in steps, numbered from 1.  With a store (:mod:`kt_cp.processes.store`) it saves its
state after a step, and another run continues there.  A long step is saved in blocks.  Work that was
not saved is repeated.  So an interruption, even a power cut, neither loses saved work nor counts
anything twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from kt_cp.model.request import Progress
from kt_cp.model.terms import units

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.model.problem import Problem
    from kt_cp.processes.store import Store

_UNITS = ((365 * 86400, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"))


class Estimate(NamedTuple):
    """The estimated time and memory of a count.

    Attributes
    ----------
    states : int
        The most states, or entries of an array, at a time.
    bytes : int
        The most memory for them.
    seconds : float
        Time on this machine, with compiled kernels; trust the order of magnitude.
    disk : int
        The most bytes in its store, if it requires one; otherwise 0.
    saving : int
        Additional bytes of memory with a store, to save the states.
    timed : bool
        Whether ``seconds`` is an estimate; otherwise the time is unknown, and ``seconds`` is 0.
    """

    states: int
    bytes: int
    seconds: float
    disk: int = 0
    saving: int = 0
    timed: bool = True

    @property
    def duration(self) -> str:
        """The time in words, in a suitable unit.

        Examples
        --------
        >>> Estimate(36, 1000, 31.0).duration, Estimate(36, 1000, 3e12).duration
        ('31 s', '10^5 years')
        """
        unit = next((each for each in _UNITS if self.seconds >= 2 * each[0]), (1, "s"))
        number = self.seconds / unit[0]
        size = f"10^{math.log10(number):.0f}" if number >= 10_000 else f"{number:,.0f}"
        return f"{size} {unit[1]}"


@runtime_checkable
class Method(Protocol):
    """A way to count the tours of a problem: any object with these members and plain attributes.

    A method with variants that compute the same number returns them from ``others()``.  A variant
    with a ``modulus`` other than 0 counts modulo it.
    """

    @property
    def name(self) -> str:
        """The name by which users select it."""

    @property
    def version(self) -> int:
        """The version of the data that it saves; increase it when their meaning changes."""

    def refuses(self, problem: Problem) -> str | None:
        """Return why it does not support a problem, such as ``"given steps"``, or None."""

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate the cost of a count; takes at most a tenth of a second."""

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,
        memory_limit: float | None = None,
    ) -> int:
        """Count the tours as ``Enumeration(directed=False)`` does: a tour and its reverse are one.

        A closed tour counts once, whatever its first square.  On a digraph a tour follows the
        arcs, and its reverse, if it exists, is another tour.

        Parameters
        ----------
        progress : callable, optional
            Called after every step or block: ``{"step": 12, "steps": 96, "states": 4_000_000}``.
            It may raise an exception to stop the count, as a time limit does.
        store : Store, optional
            Stores the steps; without a store everything stays in memory.
        executor : concurrent.futures.Executor, optional
            Runs independent parts; without an executor they run in this process.
        memory_limit : float, optional
            Megabytes.

        Raises
        ------
        EndedError
            If it cannot continue within the memory limit.
        """


class Tables(Protocol):
    """All tours of a problem by their numbers; ``size`` is what ``Method.count`` returns."""

    size: int

    def tour(self, number: int) -> Sequence[int]:
        """Return the vertices of ``problem.indexed``, in order, of the tour of a number from 0."""

    def number(self, tour: Sequence[int]) -> int:
        """Return the number of a tour, for any direction and any first square of a closed one."""


@dataclass(frozen=True)
class Count:
    """The number of tours, or of classes of tours, of a problem.

    Attributes
    ----------
    problem : Problem
        The problem.
    tours : int
        The number, of any size.
    directed : bool
        Whether a tour and its reverse count as two; always true on a digraph.
    unique : bool
        Whether tours that a rotation or reflection maps to each other count as one.
    method : str
        The name of the method.
    confirmed : tuple of str
        The other methods or variants that gave the same number.
    reason : str or None
        Why there is no tour, if that needed no count.
    """

    problem: Problem
    tours: int
    directed: bool
    unique: bool = False
    method: str = "enumerate"
    confirmed: tuple[str, ...] = ()
    reason: str | None = None

    def __int__(self) -> int:
        return self.tours

    @property
    def counted(self) -> str:
        """Return a description of which tours count as one."""
        return units(self.problem, directed=self.directed, unique=self.unique)
