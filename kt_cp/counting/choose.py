"""Which method counts a problem: the one that is likely to be done first, in the memory there is.

Every method tells beforehand what it does not take, and how much work the rest will be.  A count
that needs more memory than there is, or months, is refused before it starts; with a time limit too,
unless its method is named.  The probes of ``enumerate`` often tell too little, so it must promise
to be done ten times as soon.  And they are compiled: to load Numba takes longer than a small count
by ``frontier``, which is asked first.

Counting by going through all tours: the compiled recursion of ``enumerate``, nothing kept.

It takes every condition, in memory of no account, and small problems are counted before other
methods have their tables.  Cost: some ten million squares placed a second, for which a probe down
the tree tells the number beforehand (:mod:`kt_cp.enumeration.walks`).  When it loses: 6×8 takes
ten times as long as a dense array, 8×8 years.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kt_cp.counting import frontier
from kt_cp.counting.dense import dense
from kt_cp.counting.method import Estimate, Method
from kt_cp.counting.store import Pieces
from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.model.plugins import unknown_name_error
from kt_cp.processes.executors import open_executor

if TYPE_CHECKING:
    from collections.abc import Iterator
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
        work = self._all(problem).work()
        return Estimate(problem.size, BYTES, (work or 0.0) / RATE, timed=work is not None)

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
        with nullcontext(executor) if executor else open_executor("threads") as workers:
            found = self._all(problem).count(progress=progress, executor=workers, store=kept)
        store.save(1, {"tours": found})
        return found


ENUMERATE = Enumerated()


AUTO = "auto"

HOPELESS = 1e7
"""Seconds, about four months: refused.  An estimate is hardly ever a thousand times the truth, so
that even then it is hours."""

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
        doubted = self.method.name == ENUMERATE.name
        return self.estimate.seconds * (DOUBT if doubted else 1)


def methods() -> dict[str, Method]:
    """All methods, by name.

    Examples
    --------
    >>> "enumerate" in methods()
    True
    """
    known: list[Method] = [frontier.METHOD, dense.METHOD, ENUMERATE]
    return {each.name: each for each in known}


def method_named(name: str) -> Method:
    """The method of a name."""
    known = methods()
    if name not in known:
        raise unknown_name_error("a method of counting", [AUTO, *known], name)
    return known[name]


def choices(problem: Problem, memory_limit: float | None = None) -> list[Choice]:
    """Methods that take a problem and have room, the one that is likely to be done first ahead."""
    return sorted(_asked(problem, memory_limit, stored=False), key=lambda it: it.seconds)


def _asked(problem: Problem, memory_limit: float | None, *, stored: bool) -> Iterator[Choice]:
    """The same in the order in which they are asked."""
    room = _room(memory_limit)
    for each in _all(problem, stored):
        if each.estimate.bytes <= room:
            yield each


def _best(problem: Problem, memory_limit: float | None, stored: bool) -> Choice | None:
    """The one that is likely to be done first, or in a moment."""
    best = None
    for each in _asked(problem, memory_limit, stored=stored):
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
    stored: bool = False,
) -> Choice:
    """A method for a problem, by its name or the best one.

    ``time_limit``: seconds; with one, a method that is named may begin a count that will not end;
    ``stored``: whether there is a store, without which some methods have no place for their array;
    to save it there takes memory.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> choose(Problem("5x5", given={"c3": 1})).method.name
    'enumerate'
    """
    room = _room(memory_limit)
    if name != AUTO:
        method = method_named(name)
        why = method.refuses(problem)
        if why is not None:
            raise NotTakenError(f"the method {name} does not take {problem.label}: {why}")
        chosen = _estimated(method, problem, stored)
        _check_store(problem, chosen, room, stored)
        size = chosen.estimate.bytes
        if size > room:
            raise TooLargeError(
                f"{problem.label}: {name} would take {_megabytes(size)}, and {_megabytes(room)}"
                " are to be had (--memory-limit)"
            )
        check_end(problem, chosen, name, time_limit)
        return chosen
    best = _best(problem, memory_limit, stored)
    if best is None or best.seconds > HOPELESS:
        for each in _all(problem, stored):
            _check_store(problem, each, room, stored)
        needs = _needs(problem, room, stored)
        raise TooLargeError(f"{problem.label}: no method can count this: {needs}")
    _check_store(problem, best, room, stored)
    return best


def check_end(problem: Problem, chosen: Choice, name: str, time_limit: float | None) -> None:
    """Raise :class:`TooLargeError` where a method would not end, and is not named for a while."""
    if chosen.seconds > HOPELESS and (name == AUTO or time_limit is None):
        told = f"{problem.label}: {chosen.method.name} needs about {chosen.estimate.duration}"
        raise TooLargeError(
            f"{told}; --method {chosen.method.name} --time-limit SECONDS counts for so long"
        )


def _check_store(problem: Problem, chosen: Choice, room: float, stored: bool) -> None:
    if chosen.estimate.disk and not stored:
        raise NotTakenError(
            f"{problem.label}: expected --store FOLDER, where {_need(chosen, room)}; got none"
        )


def _estimated(method: Method, problem: Problem, stored: bool) -> Choice:
    """A method, and what it is likely to take, with a store or without."""
    told = method.estimate(problem)
    return Choice(method, told._replace(bytes=told.bytes + told.saving) if stored else told)


def _all(problem: Problem, stored: bool) -> Iterator[Choice]:
    """The methods that take a problem, whatever they need."""
    for method in methods().values():
        if method.refuses(problem) is None:
            yield _estimated(method, problem, stored)


def _needs(problem: Problem, room: float, stored: bool) -> str:
    """What each method needs to count a problem, or why it does not take it."""
    needs = {each.method.name: _need(each, room) for each in _all(problem, stored)}
    for name, method in methods().items():
        if name not in needs:
            needs[name] = f"{name} does not take it ({shorten(method.refuses(problem) or '', 100)})"
    return ", ".join(needs[name] for name in methods())


def _need(chosen: Choice, room: float) -> str:
    """What a method needs: disk and memory, where they matter, and time."""
    estimate = chosen.estimate
    needs = [f"{estimate.disk / 1e9:,.0f} GB of disk"] * bool(estimate.disk)
    if estimate.disk or estimate.bytes > room:
        short = f" ({_megabytes(room)} are available)" if estimate.bytes > room else ""
        needs.append(f"{_megabytes(estimate.bytes)} of memory{short}")
    needs.append(f"about {estimate.duration}")
    *others, last = needs
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{chosen.method.name} needs {listed}"


def _room(memory_limit: float | None) -> float:
    """Bytes that may be taken."""
    if memory_limit is not None:
        return memory_limit * 1e6
    import psutil

    return float(psutil.virtual_memory().available)


def _megabytes(size: float) -> str:
    if size >= 1e16:
        return f"10^{math.log10(size) - 6:.0f} MB"
    return f"{size / 1e6:,.{1 if size < 1e7 else 0}f} MB"
