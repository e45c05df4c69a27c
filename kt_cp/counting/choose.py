"""Which method counts a problem: the one that is likely to be done first, in the memory there is.

Every method tells beforehand what it does not take, and how much work the rest will be.  What would
take more memory than there is, or longer than a lifetime, is refused before it starts.  The probes
of ``enumerate`` often tell too little, so it must promise to be done ten times as soon.  And they
are compiled: to load Numba takes longer than a small count by ``frontier``, which is asked first.
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
    from collections.abc import Iterator

    from kt_cp.model.problem import Problem

AUTO = "auto"

HOPELESS = 1e9
"""Seconds, some thirty years: refused.  An estimate is hardly ever a thousand times the truth."""

DOUBT = 10
"""How often the estimate of ``enumerate`` is taken."""


MOMENT = 1.4
"""Seconds within which a method is taken before others are asked: most estimates are too high."""


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
    known: list[Method] = [frontier.METHOD, dense.METHOD, enumerated.METHOD]
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
    return sorted(_asked(problem, memory_limit), key=lambda it: it.seconds)


def _asked(problem: Problem, memory_limit: float | None) -> Iterator[Choice]:
    """The same in the order in which they are asked."""
    room = _room(memory_limit)
    for method in methods().values():
        if method.refuses(problem) is None:
            told = Choice(method, method.estimate(problem))
            if told.estimate.bytes <= room:
                yield told


def _best(problem: Problem, memory_limit: float | None) -> Choice | None:
    """The one that is likely to be done first, or in a moment."""
    best = None
    for each in _asked(problem, memory_limit):
        if best is None or each.seconds < best.seconds:
            best = each
        if best.seconds <= MOMENT:
            break
    return best


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
        chosen = _best(problem, memory_limit)
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
        raise NotTakenError(_none(problem, _room(memory_limit)))
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
        return f"it would take {_megabytes(size)}"
    return why


def _none(problem: Problem, room: float) -> str:
    whys = "; ".join(f"{it.name}: {_why_not(it, problem, room)}" for it in methods().values())
    short = f"; {_megabytes(room)} are to be had (--memory-limit)" if "would take" in whys else ""
    return f"{problem.label}: expected a problem that some method counts ({whys}){short}"


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.{1 if size < 1e7 else 0}f} MB"
