"""Which method counts a problem: the one that is likely to be done first, in the memory there is.

Every method tells beforehand what it does not take, and how much work the rest will be.  What would
take more memory than there is, or longer than a lifetime, is refused before it starts.  The probes
of ``enumerate`` often tell too little, so it must promise to be done ten times as soon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kt_cp.counting import enumerated, frontier
from kt_cp.counting.dense import dense
from kt_cp.counting.method import Estimate, Method
from kt_cp.model.board import shorten
from kt_cp.model.brought import no_such
from kt_cp.model.errors import NotTakenError, TooLargeError

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

AUTO = "auto"

HOPELESS = 1e9
"""Seconds, some thirty years: refused.  An estimate is hardly ever a thousand times the truth."""

DOUBT = 10
"""How often the estimate of ``enumerate`` is taken."""


class Choice(NamedTuple):
    """A method, and what it is likely to take."""

    method: Method
    estimate: Estimate

    @property
    def seconds(self) -> float:
        """By which methods are compared."""
        doubted = self.method.name == enumerated.METHOD.name
        return self.estimate.seconds * (DOUBT if doubted else 1)


def methods() -> dict[str, Method]:
    """All methods, by name.

    Examples
    --------
    >>> "enumerate" in methods()
    True
    """
    known: list[Method] = [enumerated.METHOD, frontier.METHOD, dense.METHOD]
    return {each.name: each for each in known}


def method_named(name: str) -> Method:
    """The method of a name.

    Raises
    ------
    EngineNameError
        If there is none.
    """
    known = methods()
    if name not in known:
        raise no_such("a method of counting", [AUTO, *known], name)
    return known[name]


def choices(problem: Problem, memory_limit: float | None = None) -> list[Choice]:
    """Methods that take a problem and have room, the one that is likely to be done first ahead."""
    room = _room(memory_limit)
    taken = [each for each in methods().values() if each.refuses(problem) is None]
    told = [Choice(each, each.estimate(problem)) for each in taken]
    return sorted((it for it in told if it.estimate.bytes <= room), key=lambda it: it.seconds)


def choose(
    problem: Problem,
    name: str = AUTO,
    *,
    memory_limit: float | None = None,
    time_limit: float | None = None,
) -> Choice:
    """A method for a problem, by its name or the best one.

    Parameters
    ----------
    memory_limit : float, optional
        Megabytes; by default what is free.
    time_limit : float, optional
        Seconds; with one, a count may be begun that will not end.

    Raises
    ------
    EngineNameError
        If there is no method of this name.
    NotTakenError
        If it does not take the problem.
    TooLargeError
        If it would take too much memory, or would not end in a lifetime.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> choose(Problem("5x5", given={"c3": 1})).method.name
    'enumerate'
    """
    if name == AUTO:
        found = choices(problem, memory_limit)
        chosen = next(iter(found), None)
    else:
        method = method_named(name)
        why = method.refuses(problem)
        if why is not None:
            raise NotTakenError(f"the method {name} does not take {problem.label}: {why}")
        chosen = Choice(method, method.estimate(problem))
        room, size = _room(memory_limit), chosen.estimate.bytes
        if size > room:
            raise TooLargeError(
                f"{problem.label}: {name} would take {_megabytes(size)}, and {_megabytes(room)}"
                " are to be had (--memory-limit)"
            )
    if chosen is None:
        raise NotTakenError(_none(problem))
    if chosen.estimate.seconds > HOPELESS and time_limit is None:
        raise TooLargeError(
            f"{problem.label}: this count would not end in a lifetime by "
            f"{_tried(problem, name, _room(memory_limit))}"
        )
    return chosen


def _room(memory_limit: float | None) -> float:
    """Bytes that may be taken."""
    if memory_limit is not None:
        return memory_limit * 1e6
    import psutil

    return float(psutil.virtual_memory().available)


def _tried(problem: Problem, name: str, room: float) -> str:
    """The methods that were asked, and why others were not."""
    if name != AUTO:
        return name
    each = [
        f"{it.name} ({shorten(why, 100)})" if (why := _why_not(it, problem, room)) else it.name
        for it in methods().values()
    ]
    return ", nor by ".join(each)


def _why_not(method: Method, problem: Problem, room: float) -> str | None:
    """Why a method is not to be had, or None."""
    why = method.refuses(problem)
    if why is None and (size := method.estimate(problem).bytes) > room:
        return f"which would take {_megabytes(size)}"
    return why


def _none(problem: Problem) -> str:
    whys = [f"{it.name}: {it.refuses(problem) or 'too large'}" for it in methods().values()]
    return f"{problem.label}: expected a problem that some method counts ({'; '.join(whys)})"


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB"
