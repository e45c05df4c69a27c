"""The contract of a method of counting, and the answer of a count.

Only contracts belong here: whatever counts imports them, and they import no method.

A method goes through a problem in steps, numbered from 1.  With a store
(:mod:`kt_cp.processes.store`) it saves what it has after a step, and another run continues there; a
step that takes long is saved in blocks.  Whatever was not saved is made again, so that an end at
any moment, even a power cut, neither loses what was saved nor counts anything twice.
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
    """What a count is likely to need.

    Attributes
    ----------
    states : int
        The most states, or entries of an array, at a time.
    bytes : int
        The most memory for them.
    seconds : float
        Time on this machine, with compiled kernels; trust the order of magnitude.
    disk : int
        The most bytes in its store, if it requires one; else 0.
    saving : int
        More bytes of memory with a store, to save the states.
    timed : bool
        Whether ``seconds`` is an estimate; else it is unknown, and 0.
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

    A method that can reach the same number in other ways returns them as methods from ``others()``;
    one of these with a ``modulus`` other than 0 counts modulo it.
    """

    @property
    def name(self) -> str:
        """The name by which users select it."""

    @property
    def version(self) -> int:
        """A number that grows whenever what it saves in a store changes its meaning."""

    def refuses(self, problem: Problem) -> str | None:
        """Return why it does not take a problem, such as ``"given steps"``, or None."""

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate what it needs, within a tenth of a second."""

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

        A closed tour is one wherever it begins.  On a digraph a tour follows the arcs, and its
        reverse, if it exists, is another tour.

        Parameters
        ----------
        progress : callable, optional
            Called after every step or block: ``{"step": 12, "steps": 96, "states": 4_000_000}``.
            It may raise, as Ctrl-C may anywhere; that is how a time limit works.
        store : Store, optional
            Where it saves its steps; without one everything stays in memory.
        executor : concurrent.futures.Executor, optional
            Runs independent parts; without one they run here.
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
        """Return the number of a tour, in either direction and wherever a closed one begins."""


@dataclass(frozen=True)
class Count:
    """The number of tours, or of classes of tours, of a problem.

    Attributes
    ----------
    problem : Problem
        The question.
    tours : int
        The number, of any size.
    directed : bool
        Whether a tour and its reverse are two; on a digraph always.
    unique : bool
        Whether tours that a rotation or reflection of the board carries to each other are one.
    method : str
        The name of the method.
    confirmed : tuple of str
        The other ways that gave the same number.
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
        """Return which tours count as one, in words."""
        return units(self.problem, directed=self.directed, unique=self.unique)
