"""Count the tours of a problem: make a plan, run its counts, compare second counts, add up.

The counts of a plan, for each symmetry and for confirmation, are independent.  So an executor runs
them in parallel, each in a worker's memory.  If a worker dies, its count is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.counting.method import Count, Method
from kt_cp.counting.plan import AUTO, plan_count
from kt_cp.model.errors import EndedError, UnsoundEngineError
from kt_cp.model.limits import Limits, StoppedError
from kt_cp.model.problem import as_problem, check_flag
from kt_cp.model.request import Request

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.plan import CountPlan, PlannedCount
    from kt_cp.model.problem import Problem, ProblemInput
    from kt_cp.model.request import Progress
    from kt_cp.processes.task_queue import Done


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
    **options: Any,
) -> Count:
    """Count the tours of a problem.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    method : str
        ``"dense"``, ``"frontier"``, ``"subsets"``, ``"enumerate"`` or the best of them, ``"auto"``.
    directed : bool, optional
        Whether a tour and its reverse count as two.  By default they do if all open tours are
        counted, as in :class:`kt_cp.Enumeration`.  On a digraph they always do.
    unique : bool
        Whether to count classes up to rotation and reflection; a tour and its reverse are one.
    confirm : bool
        Whether to count a second time by another method.
    store : path, optional
        A folder for unfinished work; another run with the same folder continues it.
    executor : concurrent.futures.Executor, optional
        Runs independent parts.
    time_limit, memory_limit : float, optional
        Seconds, and megabytes.
    progress : callable, optional
        Called repeatedly with the number of the current step and the number of steps.

    Raises
    ------
    InputError
        If no method supports the problem or the count would take months; or if the store
        belongs to another count or is damaged.
    EndedError
        If a limit was reached.
    UnsoundEngineError
        If two counts differ.

    Examples
    --------
    >>> found = count("6x6", closed=True)
    >>> found.tours, found.directed
    (9862, False)
    >>> count("5x5", unique=True).tours
    112
    """
    limits = Limits(time_limit, memory_limit)
    request = Request.begin(as_problem(problem, options), limits, progress=progress)
    flags = {"unique": unique, "confirm": confirm}
    kind: dict[str, Any] = {name: check_flag(value, name) for name, value in flags.items()}
    kind["directed"] = None if directed is None else check_flag(directed, "directed")
    return run_plan(plan_count(request, method, store=store, **kind), request, executor=executor)


def run_plan(plan: CountPlan, request: Request, *, executor: Executor | None = None) -> Count:
    """Run the counts of a plan; raise the same errors as :func:`kt_cp.count`."""
    run = _Run(plan, request, executor)
    if executor is not None:
        run.count_in_workers(executor)
    total = sum(part.weight * run.count_and_confirm(part) for part in plan.parts)
    if total % plan.group:
        raise UnsoundEngineError(
            f"{plan.problem.label}: the symmetric tours do not make whole classes: "
            f"{total}/{plan.group}"
        )
    confirmed = dict.fromkeys(part.second.name for part in plan.parts if part.second is not None)
    return Count(
        plan.problem,
        total // plan.group,
        plan.directed,
        plan.unique,
        plan.method,
        tuple(confirmed),
        plan.reason,
    )


def describe_progress(work: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return a progress event with its step and the number of steps as one entry.

    Examples
    --------
    >>> describe_progress({"step": 3, "steps": 96, "states": 4000})
    {'step 3 of 96': None, 'states': 4000}
    >>> describe_progress({"tours": 16})
    {'tours': 16}
    """
    rest = {what: value for what, value in work.items() if what not in {"step", "steps"}}
    step, steps = work.get("step"), work.get("steps")
    if step is None:
        return rest
    return {f"step {step:,.0f}" + (f" of {steps:,.0f}" if steps else ""): None, **rest}


@dataclass(frozen=True)
class _Run:
    """A run of a plan, with the results of the workers."""

    plan: CountPlan
    request: Request
    executor: Executor | None
    known: dict[tuple[str, Problem], int] = field(default_factory=dict)

    def count_in_workers(self, executor: Executor) -> None:
        """Run the counts of a plan in workers, except a count that has a store."""
        from kt_cp.processes.task_queue import run_tasks

        parts, clock = self.plan.parts, self.request.clock
        counts = [*parts[self.plan.store is not None :]]
        counts += [part.second for part in parts if part.second is not None]
        # A method that divides its work submits its own tasks.
        tasks = {
            (each.method.name, each.problem): (
                each.method, each.problem, self.request.limits.megabytes
            )
            for each in counts
            if not getattr(each.method, "run_tasks", lambda _: False)(each.problem)
        }  # fmt: skip
        try:
            found = run_tasks(executor, count_in_worker, tasks.values(), should_stop=clock.expired)
            self.known.update(zip(tasks, found, strict=True))
        except StoppedError:
            raise EndedError(f"stopped after {clock.seconds:g} s") from None

    def count_and_confirm(self, part: PlannedCount) -> int:
        """Run one count of a plan, and compare it with its second count if there is one."""
        folder = self.plan.store if part is self.plan.parts[0] else None
        found = self._count(part, folder)
        if (second := part.second) is not None:
            from kt_cp.processes.store import SECOND

            again = self._count(
                second, folder / SECOND if folder and second.estimate.disk else None
            )
            modulus = getattr(second.method, "modulus", 0)
            if again != (found % modulus if modulus else found):
                raise UnsoundEngineError(
                    f"{part.problem.label}: {part.method.name} counts {found} tours, and "
                    f"{second.name} {again}"
                )
        return found

    def _count(self, part: PlannedCount, folder: Path | None) -> int:
        method, problem = part.method, part.problem
        if folder is None and (method.name, problem) in self.known:
            return self.known[method.name, problem]
        with ExitStack() as opened:
            store = None
            if folder is not None:
                from kt_cp.processes.store import Store, stored_count

                store = opened.enter_context(Store(folder, problem, method))
                if (known := stored_count(folder)) is not None:
                    return known

            def report(work: Mapping[str, float | None]) -> None:
                if store is not None:
                    store.note(work)
                self.request.report(work)
                self._check_time(work)

            found: int = method.count(
                problem,
                progress=report,
                store=store,
                executor=self.executor,
                memory_limit=self.request.limits.megabytes,
            )
            if store is not None:
                store.finish(found)
            return found

    def _check_time(self, work: Mapping[str, float | None]) -> None:
        if self.request.expired():
            events, store = describe_progress(work).items(), self.plan.store
            at = ", ".join(what if v is None else f"{what} {v:,.0f}" for what, v in events)
            stored = f"; the finished steps are in {store}" if store is not None else ""
            raise EndedError(f"stopped after {self.request.clock.seconds:g} s, at {at}{stored}")


def count_in_worker(method: Method, problem: Problem, memory_limit: float | None) -> Done:
    """Count the tours of a problem as a task of an executor."""
    from kt_cp.processes.task_queue import Done

    return Done(method.count(problem, memory_limit=memory_limit))
