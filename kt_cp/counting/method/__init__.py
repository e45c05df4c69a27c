"""What a method of counting is, what it tells beforehand, and where it keeps its work.

What belongs here are the contracts alone: whoever counts imports them, and they import no method.

The contract of a method of counting, and of the store that it keeps its steps in.

A method goes through a problem in steps, numbered from 1.  With a store it keeps what it has after
a step, and goes on from there in another run; a step that takes long is kept in blocks.  Whatever
was not kept is made again, so that an end at any moment, and be it a power cut, neither loses what
was kept nor counts anything twice.

The answer of a count: how many there are, and what makes two tours one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from kt_cp.model.progress import Progress
from kt_cp.model.terms import units

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.model.problem import Problem
    from kt_cp.processes.store import Store


__all__ = [
    "Count",
    "Estimate",
    "Method",
    "Tables",
]


_UNITS = ((365 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute"))


class Estimate(NamedTuple):
    """What a method is likely to take.

    Attributes
    ----------
    states : int
        Most states, or entries of an array, that it holds at a time.
    bytes : int
        Most memory that it takes for them.
    seconds : float
        Time on this machine, kernels compiled: trust its order of magnitude.
    disk : int
        Most bytes that it keeps in its store, where it cannot do without one; else 0.
    saving : int
        Bytes of memory that it takes besides where it has a store, to save what it holds.
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
        """The time in words, in a unit that suits it.

        Examples
        --------
        >>> Estimate(36, 1000, 31.0).duration, Estimate(36, 1000, 3e12).duration
        ('31 seconds', '10^5 years')
        """
        unit = next((each for each in _UNITS if self.seconds >= 2 * each[0]), (1, "second"))
        number = self.seconds / unit[0]
        size = f"10^{math.log10(number):.0f}" if number >= 10_000 else f"{number:,.0f}"
        return f"{size} {unit[1]}s"


@runtime_checkable
class Method(Protocol):
    """A way to count the tours of a problem: any object that has these, with plain attributes.

    One that has other ways to the same number gives them as methods too, by ``others()``; one of
    these with a ``modulus`` other than 0 counts modulo it.
    """

    @property
    def name(self) -> str:
        """What it is asked for by."""

    @property
    def version(self) -> int:
        """One more whenever what it saves in a store changes its meaning."""

    def refuses(self, problem: Problem) -> str | None:
        """Why it does not take a problem, such as ``"given steps"``; None where it does."""

    def estimate(self, problem: Problem) -> Estimate:
        """What it is likely to take, told within a tenth of a second."""

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,
        memory_limit: float | None = None,
    ) -> int:
        """Number of tours, as ``Enumeration(directed=False)`` has it: one with its reverse.

        A closed tour is one wherever it begins.  On a digraph a tour follows the arcs, and its
        reverse, where there is one, is another tour.

        Parameters
        ----------
        progress : callable, optional
            Told after every step, or block: ``{"step": 12, "steps": 96, "states": 4_000_000}``.
            It may raise, as Ctrl-C may anywhere: so a limit of time is kept.
        store : Store, optional
            Where it keeps its steps; without one everything stays in memory.
        executor : concurrent.futures.Executor, optional
            Where independent parts may run; without one they run here.
        memory_limit : float, optional
            Megabytes.

        Raises
        ------
        EndedError
            If it cannot go on within the memory that it may use.
        """


class Tables(Protocol):
    """What a method can tell of tours by their numbers, where it can: ``tables(problem)``.

    Attributes
    ----------
    size : int
        How many tours there are, each counted as ``Method.count`` does.
    """

    size: int

    def tour(self, number: int) -> Sequence[int]:
        """Vertices of ``problem.indexed``, in order, of the tour of a number from 0 on."""

    def number(self, tour: Sequence[int]) -> int:
        """The number of a tour, in whichever direction and wherever a closed one begins."""


@dataclass(frozen=True)
class Count:
    """How many tours, or classes of tours, a problem has.

    Attributes
    ----------
    problem : Problem
        The question.
    tours : int
        How many, of any size.
    directed : bool
        Whether a tour and its reverse are two; on a digraph always.
    unique : bool
        Whether tours that a rotation or reflection of the board carries to each other are one.
    method : str
        Name of what counted them.
    confirmed : tuple of str
        In which other ways the same number came out.
    reason : str or None
        Why there is none, where that was told without a count.
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
        """What makes two tours one."""
        return units(self.problem, directed=self.directed, unique=self.unique)
