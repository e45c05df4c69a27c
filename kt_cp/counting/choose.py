"""Choose the method that is likely to count a problem first, in the memory that is available.

Every method states beforehand what it does not take and how much work a count will be.  A count
that needs more memory than is available, or months, is refused before it starts; with a time limit
too, unless its method is named.  The probes of ``enumerate`` often promise too little work, so it
must promise to be ten times as fast.  They are compiled, and loading Numba takes longer than a
small count by ``frontier``; so ``frontier`` is tried first.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kt_cp.counting import frontier
from kt_cp.counting.dense import dense
from kt_cp.counting.method import Estimate, Method
from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.model.plugins import unknown_name_error
from kt_cp.processes.executors import open_executor
from kt_cp.processes.store import TaskResults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from kt_cp.counting.method import Store
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.problem import Problem
    from kt_cp.model.progress import Progress

RATE = 1e7
"""Squares that enumeration places in a second."""

WALK_BYTES = 1 << 20
"""Memory of enumeration: next to nothing."""


@dataclass(frozen=True)
class EnumerationMethod:
    """The method ``enumerate``: a count by going through all tours.

    It takes every condition, needs almost no memory, and counts small problems before other methods
    have their tables.  Cost: about ten million squares placed a second; a probe down the search
    tree estimates their number (:mod:`kt_cp.enumeration.walks`).  When it loses: 6×8 takes ten
    times as long as a dense array, 8×8 years.
    """

    directed: bool = False
    unique: bool = False
    name: str = "enumerate"
    version: int = 1

    def run_tasks(self, problem: Problem) -> bool:  # noqa: ARG002
        """Return True: an executor gets parts of a count."""
        return True

    def refuses(self, problem: Problem) -> str | None:
        """Return why it does not take a problem, or None."""
        try:
            self._enumeration(problem)
        except InputError as error:
            return str(error)
        return None

    def _enumeration(self, problem: Problem) -> Enumeration:
        from kt_cp.enumeration import Enumeration

        return Enumeration(problem, directed=self.directed, unique=self.unique)

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate the work; the true time may well be a hundred times as long."""
        work = self._enumeration(problem).work()
        return Estimate(problem.size, WALK_BYTES, (work or 0.0) / RATE, timed=work is not None)

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,
        memory_limit: float | None = None,  # noqa: ARG002
    ) -> int:
        """Count in one step, whose blocks are the tasks of an executor."""
        enumeration = self._enumeration(problem)
        if store is None:
            return enumeration.count(progress=progress, executor=executor)
        if (known := store.load(1)) is not None:
            return int(known["tours"])
        from kt_cp.enumeration.parallel import pack_count, unpack_count

        results = TaskResults(store, pack_count, unpack_count)
        with nullcontext(executor) if executor else open_executor("threads") as workers:
            found = enumeration.count(progress=progress, executor=workers, store=results)
        store.save(1, {"tours": found})
        return found


ENUMERATE = EnumerationMethod()

AUTO = "auto"

HOPELESS = 1e7
"""Seconds, about four months: refused.  An estimate is hardly ever a thousand times the truth, and
even then the count would take hours."""

DOUBT = 10
"""Factor for the estimated time of ``enumerate``."""

MOMENT = 1.4
"""Seconds within which a method is taken before others are tried: most estimates are too high."""


class Choice(NamedTuple):
    """A method, and what it is likely to need."""

    method: Method
    estimate: Estimate

    @property
    def seconds(self) -> float:
        """The time by which methods are compared."""
        return self.estimate.seconds * (DOUBT if self.method.name == ENUMERATE.name else 1)


def methods() -> dict[str, Method]:
    """Return all methods by name.

    Examples
    --------
    >>> "enumerate" in methods()
    True
    """
    known: list[Method] = [frontier.METHOD, dense.METHOD, ENUMERATE]
    return {each.name: each for each in known}


def get_method(name: str) -> Method:
    """Return the method of a name."""
    known = methods()
    if name not in known:
        raise unknown_name_error("a method of counting", [AUTO, *known], name)
    return known[name]


def rank_methods(problem: Problem, memory_limit: float | None = None) -> list[Choice]:
    """Return the methods that take a problem and fit in memory, fastest first."""
    available = _available_bytes(memory_limit)
    fitting = [it for it in _applicable(problem, False) if it.estimate.bytes <= available]
    return sorted(fitting, key=lambda it: it.seconds)


def choose(
    problem: Problem,
    name: str = AUTO,
    *,
    memory_limit: float | None = None,
    time_limit: float | None = None,
    stored: bool = False,
) -> Choice:
    """Choose a method for a problem, by its name or the best one.

    With a time limit, a method that is named may begin a count that will not end.  Without a store
    (``stored``) some methods have no place for their array; to save it there takes memory.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> choose(Problem("5x5", given={"c3": 1})).method.name
    'enumerate'
    """
    available = _available_bytes(memory_limit)
    if name != AUTO:
        return _choose_named(problem, name, available, time_limit, stored)
    best = None
    for each in _applicable(problem, stored):
        if each.estimate.bytes <= available and (best is None or each.seconds < best.seconds):
            best = each
            if best.seconds <= MOMENT:
                break
    if best is None or best.seconds > HOPELESS:
        for each in _applicable(problem, stored):
            _check_store(problem, each, available, stored)
        needs = {it.method.name: _needs(it, available) for it in _applicable(problem, stored)}
        texts = [
            needs.get(
                method, f"{method} does not take it ({shorten(it.refuses(problem) or '', 100)})"
            )
            for method, it in methods().items()
        ]
        raise TooLargeError(f"{problem.label}: no method can count this: {', '.join(texts)}")
    _check_store(problem, best, available, stored)
    return best


def _choose_named(
    problem: Problem, name: str, available: float, time_limit: float | None, stored: bool
) -> Choice:
    method = get_method(name)
    why = method.refuses(problem)
    if why is not None:
        raise NotTakenError(f"the method {name} does not take {problem.label}: {why}")
    choice = _estimate(method, problem, stored)
    _check_store(problem, choice, available, stored)
    if choice.estimate.bytes > available:
        raise TooLargeError(
            f"{problem.label}: {name} would take {_megabytes(choice.estimate.bytes)}, and"
            f" {_megabytes(available)} are available (--memory-limit)"
        )
    check_duration(problem, choice, name, time_limit)
    return choice


def check_duration(problem: Problem, choice: Choice, name: str, time_limit: float | None) -> None:
    """Raise :class:`TooLargeError` if a count would not end, unless it is named and limited."""
    if choice.seconds > HOPELESS and (name == AUTO or time_limit is None):
        method = choice.method.name
        raise TooLargeError(
            f"{problem.label}: {method} needs about {choice.estimate.duration};"
            f" --method {method} --time-limit SECONDS counts for so long"
        )


def _check_store(problem: Problem, choice: Choice, available: float, stored: bool) -> None:
    if choice.estimate.disk and not stored:
        raise NotTakenError(
            f"{problem.label}: expected --store FOLDER, where {_needs(choice, available)}; got none"
        )


def _applicable(problem: Problem, stored: bool) -> Iterator[Choice]:
    """Yield the methods that take a problem, whatever they need."""
    for method in methods().values():
        if method.refuses(problem) is None:
            yield _estimate(method, problem, stored)


def _estimate(method: Method, problem: Problem, stored: bool) -> Choice:
    estimate = method.estimate(problem)
    if stored:
        estimate = estimate._replace(bytes=estimate.bytes + estimate.saving)
    return Choice(method, estimate)


def _needs(choice: Choice, available: float) -> str:
    """Describe what a method needs: disk and memory, if they matter, and time."""
    estimate = choice.estimate
    needs = [f"{estimate.disk / 1e9:,.0f} GB of disk"] * bool(estimate.disk)
    if estimate.disk or estimate.bytes > available:
        short = f" ({_megabytes(available)} are available)" if estimate.bytes > available else ""
        needs.append(f"{_megabytes(estimate.bytes)} of memory{short}")
    needs.append(f"about {estimate.duration}")
    *others, last = needs
    return f"{choice.method.name} needs {', '.join(others)}{' and ' * bool(others)}{last}"


def _available_bytes(memory_limit: float | None) -> float:
    if memory_limit is not None:
        return memory_limit * 1e6
    import psutil

    return float(psutil.virtual_memory().available)


def _megabytes(size: float) -> str:
    if size >= 1e16:
        return f"10^{math.log10(size) - 6:.0f} MB"
    return f"{size / 1e6:,.{1 if size < 1e7 else 0}f} MB"
