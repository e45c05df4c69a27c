"""The front door: a plan is carried out step by step, watched, and held against a second way.

Whole counts as pieces of an executor: symmetric tours, and the second way beside the first.

A method whose steps each need the whole of the one before is one piece.  A plan has several: the
counts of each symmetry's tours, and those that confirm.  They share nothing, so they go on at a
time, each in a worker's memory; one whose worker has died is counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.counting.choose import AUTO
from kt_cp.counting.method import Count, Method
from kt_cp.counting.plan import Plan, plan
from kt_cp.counting.store import SECOND, Folder, answer
from kt_cp.model.errors import EndedError, UnsoundEngineError
from kt_cp.model.limits import Clock, Limits
from kt_cp.processes.interruptible_cpsat import StoppedError
from kt_cp.processes.task_queue import Done, run_tasks

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.plan import Plan
    from kt_cp.model.problem import Problem, ProblemInput
    from kt_cp.model.progress import Progress


def counted_apart(
    made: Plan,
    executor: Executor,
    should_stop: Callable[[], bool],
    *,
    memory_limit: float | None,
    stored: bool,
) -> dict[tuple[str, Problem], int]:
    """The counts of a plan that are pieces, by name of the method and problem.

    ``stored``: whether the first count of the plan keeps its steps in a store, and so is made here.
    """
    asked = [(part.method, part.problem) for part in made.parts[stored:]]
    asked += [(each.second.method, each.second.problem) for each in made.parts if each.second]
    # A method that cuts its work has pieces of its own.
    pieces = {
        (method.name, problem): (method, problem, memory_limit)
        for method, problem in asked
        if not getattr(method, "in_pieces", lambda _: False)(problem)
    }
    found = run_tasks(executor, count_piece, pieces.values(), should_stop=should_stop)
    return dict(zip(pieces, found, strict=True))


def count_piece(method: Any, problem: Problem, memory_limit: float | None) -> Done:
    """The number of tours, wherever this is called."""
    return Done(method.count(problem, memory_limit=memory_limit))


def carry_out(
    made: Plan,
    *,
    progress: Progress | None = None,
    store: Path | str | None = None,
    executor: Executor | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
) -> Count:
    """Carry a plan out; parameters and errors are those of :func:`kt_cp.count`."""
    watch = _Watch(Limits(time_limit, memory_limit).clock(), time_limit, progress, store)
    if executor is not None:
        watch.ask(made, executor, memory_limit)
    total = Fraction(0)
    for part in made.parts:
        kept = store if part is made.parts[0] else None
        limits: dict[str, Any] = {"executor": executor, "memory_limit": memory_limit}
        found = watch.run(part.method, part.problem, kept, limits)
        if part.second is not None:
            second = part.second
            place = Path(kept) / SECOND if kept and second.estimate.disk else None
            again = watch.run(second.method, second.problem, place, limits)
            modulus = getattr(second.method, "modulus", 0)
            if again != (found % modulus if modulus else found):
                raise UnsoundEngineError(
                    f"{part.problem.label}: {part.method.name} counts {found} tours, and "
                    f"{second.name} {again}"
                )
        total += part.weight * found
    if total.denominator != 1:
        raise UnsoundEngineError(
            f"{made.problem.label}: the symmetric tours do not make whole classes: {total}"
        )
    confirmed = [part.second.name for part in made.parts if part.second is not None]
    return Count(
        made.problem,
        int(total),
        made.directed,
        made.unique,
        made.method,
        tuple(dict.fromkeys(confirmed)),
        made.reason,
    )


def worded(work: Mapping[str, float | None]) -> dict[str, float | None]:
    """What a method tells of itself, with its step as one thing.

    Examples
    --------
    >>> worded({"step": 3, "steps": 96, "states": 4000})
    {'step 3 of 96': None, 'states': 4000}
    >>> worded({"tours": 16})
    {'tours': 16}
    """
    rest = {what: value for what, value in work.items() if what not in {"step", "steps"}}
    step, steps = work.get("step"), work.get("steps")
    if step is None:
        return rest
    return {f"step {step:,.0f}" + (f" of {steps:,.0f}" if steps else ""): None, **rest}


class _Watch:
    """Tells the progress of several counts, keeps it in the store, and ends them in time."""

    def __init__(
        self, clock: Clock, limit: float | None, progress: Progress | None, store: Any
    ) -> None:
        self._clock, self._limit, self._progress, self._path = clock, limit, progress, store
        self._known: dict[tuple[str, Problem], int] = {}

    def ask(self, made: Plan, executor: Executor, memory_limit: float | None) -> None:
        """Have an executor make the counts that are pieces."""
        stored = self._path is not None
        try:
            self._known = counted_apart(
                made, executor, self._clock.expired, memory_limit=memory_limit, stored=stored
            )
        except StoppedError:
            raise EndedError(f"stopped after {self._limit:g} s") from None

    def run(
        self, method: Method, problem: Problem, path: Path | str | None, limits: dict[str, Any]
    ) -> int:
        if path is None and (method.name, problem) in self._known:
            return self._known[method.name, problem]
        with ExitStack() as opened:
            store = None
            if path is not None:
                store = opened.enter_context(Folder(path, problem, method))
                if (known := answer(store.path)) is not None:
                    return known

            def tell(work: Mapping[str, float | None]) -> None:
                if store is not None:
                    store.note(work)
                if self._progress is not None:
                    self._progress(work)
                self._look(work)

            found: int = method.count(problem, progress=tell, store=store, **limits)
            if store is not None:
                store.finish(found)
            return found

    def _look(self, work: Mapping[str, float | None]) -> None:
        if self._clock.expired():
            each = (what if v is None else f"{what} {v:,.0f}" for what, v in worded(work).items())
            at = ", ".join(each)
            kept = f"; what is done is kept in {self._path}" if self._path is not None else ""
            raise EndedError(f"stopped after {self._limit:g} s, at {at}{kept}")


def count(
    problem: ProblemInput,
    method: str = AUTO,
    *,
    directed: bool | None = None,
    unique: bool = False,
    confirm: bool = False,
    store: Path | str | None = None,
    executor: Executor | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> Count:
    """How many tours there are.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    method : str
        ``"dense"``, ``"frontier"``, ``"enumerate"`` or the best of them, ``"auto"``.
    directed : bool, optional
        Whether a tour and its reverse are two; by default for open tours that are all counted, as
        :class:`kt_cp.Enumeration` has it.  On a digraph they always are.
    unique : bool
        Whether to count classes up to rotation and reflection, a tour and its reverse as one.
    confirm : bool
        Whether to count once more in another way.
    store : path, optional
        Of a folder where the work is kept: another run with the same folder goes on there.
    executor : concurrent.futures.Executor, optional
        Where independent parts may run.
    time_limit, memory_limit : float, optional
        Seconds, and megabytes.
    progress : callable, optional
        Told now and then which step of how many is done.

    Raises
    ------
    InputError
        If there is no method that takes the problem, or it would not end; or the store is that of
        another count, or damaged.
    EndedError
        If a limit was reached.
    UnsoundEngineError
        If two ways do not come to the same number.

    Examples
    --------
    >>> found = count("6x6", closed=True)
    >>> found.tours, found.directed
    (9862, False)
    >>> count("5x5", unique=True).tours
    112
    """
    limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit}
    options: dict[str, Any] = {"directed": directed, "unique": unique, "confirm": confirm}
    made = plan(problem, method, store=store, **options, **limits, **asked)
    return carry_out(made, progress=progress, store=store, executor=executor, **limits)
