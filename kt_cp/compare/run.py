"""The runs of a comparison.

Every run has a process of its own, so that memory is its own, a crash is one row, and limits
really end it.  Whatever it answers is cross-checked here, in the parent, as the front door does,
and answers to one problem are held against each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial

from kt_cp.compare.row import Run, with_backing
from kt_cp.compare.task import Contestant, Task, name_of, run_task
from kt_cp.engines.engine import NO_MEMORY
from kt_cp.engines.registry import get_engine
from kt_cp.engines.run import run
from kt_cp.model.errors import (
    EndedError,
    EngineFailedError,
    NotTakenError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.processes.executors import is_cancelled
from kt_cp.processes.memory import is_out_of_memory
from kt_cp.processes.task_queue import Done, ResultStore, run_tasks
from kt_cp.trust.crosscheck import cross_check, reference_verdict


@dataclass(frozen=True)
class Comparison:
    """All rows, in the order of problems, engines and repeats, and what they contradict."""

    runs: list[Run]
    limits: Limits

    @property
    def contradictions(self) -> list[str]:
        """Unsound answers, and problems on which sound-looking answers differ."""
        found = [str(row.reason) for row in self.runs if row.verdict == "UNSOUND"]
        for problem in dict.fromkeys(row.problem for row in self.runs):
            says: dict[str, list[str]] = {"FOUND": [], "IMPOSSIBLE": []}
            for row in self.runs:
                if row.problem == problem and row.verdict in says:
                    says[row.verdict].append(f"{row.engine} (seed {row.seed})")
            if says["FOUND"] and says["IMPOSSIBLE"]:
                found.append(
                    f"{problem.label}: a tour was found by {', '.join(says['FOUND'])}, "
                    f"and {', '.join(says['IMPOSSIBLE'])} says there is none"
                )
        return found


def compare(
    problems: Iterable[Problem],
    engines: Sequence[Contestant],
    *,
    limits: Limits,
    seed: int = 0,
    repeat: int = 1,
    jobs: int = 1,
    progress: Callable[[Run, int, int], None] | None = None,
    starting: Callable[[Problem, str], None] | None = None,
    executor: Executor | None = None,
    store: ResultStore | None = None,
) -> Comparison:
    """Run every engine on every problem.

    Parameters
    ----------
    engines : sequence of str, Engine or Task
        Names, engines that no package has registered, or other work that is timed beside them.
    limits : Limits
        Of each run.
    seed, repeat : int
        Each pair runs ``repeat`` times, with seeds counted up from ``seed``.
    jobs : int
        Runs at the same time.  More than one makes the seconds less trustworthy.
    progress : callable, optional
        Called with each finished row, how many are finished, and how many there are.
    starting : callable, optional
        Called with a problem and an engine when its run begins, by the thread that waits for it.
    executor : concurrent.futures.Executor, optional
        Who does the runs, in place of ``jobs`` threads: each is a piece of its own, and takes the
        time of the machine that it is on.
    store : Kept, optional
        Where an executor's rows are kept, and found by another run (:mod:`kt_cp.compare.kept`).

    Raises
    ------
    EngineNameError
        If an engine is not known; before anything has run.

    Examples
    --------
    >>> from kt_cp import Board
    >>> rows = compare([Problem(Board(3, 3))], ["backtrack"], limits=Limits(seconds=5)).runs
    >>> rows[0].verdict, rows[0].checks.agrees
    ('IMPOSSIBLE', True)
    """
    for each in engines:
        if isinstance(each, str):
            get_engine(each)
    seeds = range(seed, seed + repeat)
    planned = [(asked, engine, each) for asked in problems for engine in engines for each in seeds]
    stop, lock = threading.Event(), threading.Lock()
    rows: list[Run] = []

    def add(row: Run) -> None:
        rows.append(row)
        if progress is not None:
            progress(row, len(rows), len(planned))

    if executor is not None:
        for row in run_tasks(executor, run_piece, _sent(planned, limits, starting), store=store):
            add(row)
        return Comparison(with_backing(rows, limits, seed), limits)
    verdicts = cache(partial(_reference_verdict, limits))

    def reference(problem: Problem, claimed: Verdict) -> tuple[Verdict | None, str]:
        with lock:  # asked once for each problem and claim: a tour replayed needs no search
            return verdicts(problem, claimed)

    def job(problem: Problem, engine: Contestant, seed: int) -> Run:
        if starting is not None:
            starting(problem, name_of(engine))
        return run_one(problem, engine, limits, seed, reference, stop.is_set)

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures: list[Future[Run]] = [pool.submit(job, *each) for each in planned]
        try:
            for future in futures:
                add(future.result())
        except BaseException:
            stop.set()  # ends the processes that are running
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    # Last, when nothing else runs that is measured.
    return Comparison(with_backing(rows, limits, seed), limits)


def _sent(
    planned: Iterable[tuple[Problem, Contestant, int]],
    limits: Limits,
    starting: Callable[[Problem, str], None] | None,
) -> Iterator[tuple[Problem, Contestant, Limits, int]]:
    """The runs as pieces, each told as it is sent."""
    for problem, engine, seed in planned:
        if starting is not None:
            starting(problem, name_of(engine))
        yield problem, engine, limits, seed


def run_piece(problem: Problem, engine: Contestant, limits: Limits, seed: int) -> Done:
    """One row, wherever this is called."""
    return Done(
        run_one(problem, engine, limits, seed, partial(_known_verdict, limits), is_cancelled)
    )


def _reference_verdict(
    limits: Limits, problem: Problem, claimed: Verdict
) -> tuple[Verdict | None, str]:
    """The reference's verdict, in no more time than an engine has."""
    return reference_verdict(problem, claimed, clock=limits.clock())


_known_verdict = lru_cache(64)(_reference_verdict)


def run_one(
    problem: Problem,
    engine: Contestant,
    limits: Limits,
    seed: int,
    reference: Callable[[Problem, Verdict], tuple[Verdict | None, str]],
    cancelled: Callable[[], bool],
) -> Run:
    """One row; nothing that the engine does makes this raise, only ``cancelled`` does."""
    if isinstance(engine, Task):
        return run_task(engine, problem, limits, seed, cancelled)
    row = Run(problem, name_of(engine), seed, "CRASH")
    try:
        outcome = run(
            engine, problem, limits=limits, seed=seed, own_process=True, cancelled=cancelled
        )
    except (NotTakenError, TooLargeError) as error:
        return replace(row, verdict="REFUSED", reason=str(error))
    except Exception as error:  # a bug in an engine is a row as well
        if is_out_of_memory(error):
            return replace(row, verdict="KILLED", reason=NO_MEMORY)
        if isinstance(error, EndedError):
            return replace(row, verdict="KILLED", reason=str(error))
        bug = "" if isinstance(error, EngineFailedError) else f"{type(error).__name__}: "
        return replace(row, reason=f"{bug}{error}")
    row = replace(
        row,
        verdict=_verdict(outcome),
        reason=outcome.reason,
        statistics=dict(outcome.statistics),
        versions=dict(outcome.versions),
        evidence=outcome.evidence,
    )
    try:
        return replace(row, checks=cross_check(outcome, reference).checks)
    except UnsoundEngineError as error:
        return replace(row, verdict="UNSOUND", reason=str(error))


def _verdict(outcome: Outcome) -> str:
    if outcome.reason == NO_MEMORY:
        return "KILLED"
    limit = {"time": "TIMEOUT", "memory": "MEMORY"}
    return limit.get(outcome.limit or "", outcome.verdict.value)
