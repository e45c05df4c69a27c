"""The runs of a comparison.

Each run has its own process.  So its memory is measured separately, a crash affects only one row,
and limits can end it.  The parent cross-checks every answer, as ``solve`` does, and compares the
answers to each problem.

There are four kinds of evidence for a "no" in a row:

``certified``
    A certificate was checked: the engine's own, or one found by this module.
``exhausted``
    The engine completed its search, or the reference did and agrees.
``theorem``
    The engine cites a theorem.
``claimed``
    Only the engine claims it.

A certificate belongs to a problem and not to an engine, so each problem is certified once, after
all runs.  If that finds a tour, every "no" is wrong.

A task is other work to time along with the engines: a count, a proof, another program.

A checkpoint stores finished rows, so that an interrupted comparison continues with the others.  A
row contains the verdict, figures, checks and certificate of a run.  The certificate is checked
again when the row is loaded.  A run that another program killed is repeated.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.engines.engine import NO_MEMORY, Engine
from kt_cp.engines.registry import get_engine
from kt_cp.engines.run import run
from kt_cp.model.document import problem_document
from kt_cp.model.errors import (
    EndedError,
    EngineFailedError,
    NotTakenError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate, Checks, Evidence, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.processes import isolate
from kt_cp.processes.executors import is_cancelled, wait_for
from kt_cp.processes.memory import is_out_of_memory
from kt_cp.processes.store import TaskResults, open_task_results
from kt_cp.processes.task_queue import Done, ResultStore, run_tasks
from kt_cp.proofs.certify import Finding, certify
from kt_cp.trust.check import Refusal, check
from kt_cp.trust.crosscheck import cross_check, reference_verdict

if TYPE_CHECKING:
    from kt_cp.processes.store import Content


CERTIFY_SECONDS = 10.0
"""Longest time for the certificate of a problem; the time limit of a run applies too."""


@dataclass(frozen=True)
class Run:
    """One row: a problem, an engine, one seed.

    ``verdict`` is that of the outcome, or ``TIMEOUT``, ``MEMORY``, ``CRASH``, ``KILLED`` (by
    another program, or because the machine had less memory than the limit), ``REFUSED`` (too large
    for the engine, by estimate, or with conditions that it does not take), ``UNSOUND`` (the answer
    is wrong) or ``DONE`` (a task was measured).  ``evidence`` is the evidence for a "no", and
    ``backed`` is its kind in one word.
    """

    problem: Problem
    engine: str
    seed: int
    verdict: str
    reason: str | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    checks: Checks = field(default_factory=Checks)
    versions: dict[str, str] = field(default_factory=dict)
    evidence: Evidence | None = None
    backed: str | None = None


DEFAULT_ENGINES = ("backtrack", "warnsdorff", "cpsat", "sat:lazy", "sat:position")

# "o" open, "c" closed.  Boards without a tour of either kind come first.  Closed tours are omitted
# if the number of squares is odd, as the answer is then trivial.
_SMALL = ("3x3", "4x4", "3x4", "3x10", "4x5", "5x5", "5x6", "6x6", "7x7")
_LARGE = ("8x8", "12x12", "20x20", "30x30")
_ODD = ("5x5", "7x7")
DEFAULT_BOARDS = tuple((name, "o" if name in _ODD else "oc") for name in (*_SMALL, *_LARGE))


def questions(
    make_problem: Callable[..., Problem] = Problem,
    boards: Iterable[tuple[str, str]] = DEFAULT_BOARDS,
    kinds: str = "oc",
) -> list[Problem]:
    """Return a problem for each board and kind, open (``"o"``) or closed (``"c"``).

    ``make_problem`` makes a problem from a board's name and the keyword ``closed``.  ``boards`` has
    pairs of a board and its kinds; only those in ``kinds`` are included.

    >>> [problem.label for problem in questions(boards=[("3x4", "oc")])]
    ['3x4, open', '3x4, closed']
    """
    return [
        make_problem(name, closed=kind == "c")
        for name, both in boards
        for kind in both
        if kind in kinds
    ]


def add_backing(rows: list[Run], limits: Limits, seed: int) -> list[Run]:
    """Return the rows, with the kind of evidence for each "no"."""
    seconds = min(CERTIFY_SECONDS, limits.seconds or CERTIFY_SECONDS)

    @cache
    def certified(problem: Problem) -> Finding:
        try:
            finding = certify(Request.begin(problem, Limits(seconds, limits.megabytes), seed=seed))
        except Exception as error:
            if is_out_of_memory(error):
                return Finding()
            raise
        if finding.tour is not None:
            cross_check(Outcome(Verdict.FOUND, problem, "certify", tour=finding.tour, seed=seed))
        return finding

    found = {row.problem for row in rows if row.verdict == Verdict.FOUND.value}
    none = Verdict.IMPOSSIBLE.value
    return [
        # If another engine has found a tour, the contradiction is reported instead.
        _certify(row, None if row.problem in found else certified) if row.verdict == none else row
        for row in rows
    ]


def _certify(row: Run, certified: Callable[[Problem], Finding] | None) -> Run:
    assert row.evidence is not None
    if _is_accepted(row.evidence.certificate, row.problem):
        return replace(row, backed="certified")
    found = Finding() if certified is None else certified(row.problem)
    if found.tour is not None:
        what = (
            f"engine {row.engine} says IMPOSSIBLE on {row.problem.label}, seed {row.seed}, "
            f"but looking for a certificate found a tour: {' '.join(found.tour.names)}"
        )
        return replace(row, verdict="UNSOUND", reason=what)
    if found.certificate is not None:
        return replace(row, backed="certified")
    if row.evidence.kind is EvidenceKind.EXHAUSTED or row.checks.agrees:
        return replace(row, backed="exhausted")
    cited = row.evidence.kind is EvidenceKind.THEOREM
    return replace(row, backed="theorem" if cited else "claimed")


def _is_accepted(own: Certificate | None, problem: Problem) -> bool:
    """Return whether an engine's certificate, which comes from another process, is valid."""
    if own is None:
        return False
    try:
        checked = check(own.document)
        return checked.problem == problem and checked.refutes
    except Refusal:
        return False


@dataclass(frozen=True)
class Task:
    """A function that measures something on a problem and runs like an engine.

    Attributes
    ----------
    name : str
        Name of the row.
    measure : callable
        Called with the problem and a seed in its own process, which imports it from its module.
        It returns figures by name, or None if it gives up.  ``build_seconds`` and
        ``solve_seconds`` are treated like those of an engine.
    """

    name: str
    measure: Callable[[Problem, int], Mapping[str, float] | None]


Contestant = str | Engine | Task
"""An entry of a comparison: the name of an engine, an unregistered engine, or a task."""


def name_of(contestant: Contestant) -> str:
    """Return the name of a row."""
    return contestant if isinstance(contestant, str) else contestant.name


def run_task(
    task: Task, problem: Problem, limits: Limits, seed: int, cancelled: Callable[[], bool]
) -> Run:
    """Measure a task within limits; raise only if ``cancelled`` returns true."""
    row = Run(problem, task.name, seed, "CRASH")
    try:
        ended = isolate.call(
            "kt_cp.compare.run:measure_in_child",
            task.measure,
            problem,
            seed,
            limits=limits,
            cancelled=cancelled,
        )
    except TooLargeError as error:
        return replace(row, verdict="REFUSED", reason=str(error))
    except Exception as error:  # a bug in a task is a row as well
        return replace(row, reason=f"{type(error).__name__}: {error}")
    if ended.how != "done":
        verdict = {"timeout": "TIMEOUT", "memory": "MEMORY", "killed": "KILLED"}
        statistics = {"solve_seconds": ended.seconds, "peak_mb": ended.peak_megabytes}
        return replace(
            row,
            verdict=verdict.get(ended.how, "CRASH"),
            reason=ended.detail or None,
            statistics=statistics,
        )
    if ended.value is None:
        return replace(row, verdict="UNKNOWN", reason="gave up")
    return replace(row, verdict="DONE", statistics={"peak_mb": ended.peak_megabytes, **ended.value})


def measure_in_child(
    measure: Callable[[Problem, int], Mapping[str, float] | None],
    problem: Problem,
    seed: int,
    **_: object,
) -> dict[str, float] | None:
    """Call the function of a task in the child process."""
    figures = measure(problem, seed)
    return None if figures is None else dict(figures)


@dataclass(frozen=True)
class Comparison:
    """All rows, in the order of problems, engines and repeats, and their contradictions."""

    runs: list[Run]
    limits: Limits

    @property
    def contradictions(self) -> list[str]:
        """Messages on unsound answers, and on problems with different answers."""
        found = [str(row.reason) for row in self.runs if row.verdict == "UNSOUND"]
        for problem in dict.fromkeys(row.problem for row in self.runs):
            engines_of: dict[str, list[str]] = {"FOUND": [], "IMPOSSIBLE": []}
            for row in self.runs:
                if row.problem == problem and row.verdict in engines_of:
                    engines_of[row.verdict].append(f"{row.engine} (seed {row.seed})")
            if engines_of["FOUND"] and engines_of["IMPOSSIBLE"]:
                found.append(
                    f"{problem.label}: a tour was found by {', '.join(engines_of['FOUND'])}, "
                    f"and {', '.join(engines_of['IMPOSSIBLE'])} report that there is none"
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
        Names, unregistered engines, or tasks.
    limits : Limits
        Limits of each run.
    seed, repeat : int
        Each pair runs ``repeat`` times, with consecutive seeds from ``seed`` on.
    jobs : int
        Number of concurrent runs.  With more than one, times are less reliable.
    progress : callable, optional
        Called with each finished row, the number of finished rows, and the number of all rows.
    starting : callable, optional
        Called with a problem and an engine when its run begins, by the thread that waits for it.
    executor : concurrent.futures.Executor, optional
        Executes the runs instead of ``jobs`` threads.  Each run is a separate task, timed on the
        machine where it runs.
    store : ResultStore, optional
        Store for the rows of an executor, from which they are reused (:func:`open_checkpoint`).

    Raises
    ------
    EngineNameError
        If an engine is not known; raised before the first run.

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
    planned = [
        (problem, engine, each) for problem in problems for engine in engines for each in seeds
    ]
    stop, lock = threading.Event(), threading.Lock()
    rows: list[Run] = []

    def add(row: Run) -> None:
        rows.append(row)
        if progress is not None:
            progress(row, len(rows), len(planned))

    if executor is not None:
        for row in run_tasks(
            executor, run_for_executor, _tasks(planned, limits, starting), store=store
        ):
            add(row)
        return Comparison(add_backing(rows, limits, seed), limits)
    verdicts = cache(partial(_reference_verdict, limits))

    def reference(problem: Problem, claimed: Verdict) -> tuple[Verdict | None, str]:
        with lock:  # once for each problem and claim: replaying a tour needs no search
            return verdicts(problem, claimed)

    def job(problem: Problem, engine: Contestant, seed: int) -> Run:
        if starting is not None:
            starting(problem, name_of(engine))
        return run_one(problem, engine, limits, seed, reference, stop.is_set)

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:  # Ctrl-C may arrive from the first submission on
            futures: list[Future[Run]] = [pool.submit(job, *each) for each in planned]
            for future in futures:
                add(wait_for(future))
        except BaseException:
            stop.set()  # ends the processes that are running
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    # This comes last, when no timed run is active.
    return Comparison(add_backing(rows, limits, seed), limits)


def _tasks(
    planned: Iterable[tuple[Problem, Contestant, int]],
    limits: Limits,
    starting: Callable[[Problem, str], None] | None,
) -> Iterator[tuple[Problem, Contestant, Limits, int]]:
    """Yield the runs as tasks, and report each one when it is submitted."""
    for problem, engine, seed in planned:
        if starting is not None:
            starting(problem, name_of(engine))
        yield problem, engine, limits, seed


def run_for_executor(problem: Problem, engine: Contestant, limits: Limits, seed: int) -> Done:
    """Return one row, as a task of an executor."""
    return Done(
        run_one(problem, engine, limits, seed, partial(_known_verdict, limits), is_cancelled)
    )


def _reference_verdict(
    limits: Limits, problem: Problem, claimed: Verdict
) -> tuple[Verdict | None, str]:
    """Return the reference's verdict, within the time limit of an engine."""
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
    """Return one row; raise only if ``cancelled`` returns true, whatever the engine does."""
    if isinstance(engine, Task):
        return run_task(engine, problem, limits, seed, cancelled)
    row = Run(problem, name_of(engine), seed, "CRASH")
    try:
        request = Request.begin(problem, limits, seed=seed)
        outcome = run(engine, request, own_process=True, cancelled=cancelled)
    except (NotTakenError, TooLargeError) as error:
        return replace(row, verdict="REFUSED", reason=str(error))
    except Exception as error:  # a bug in an engine is a row as well
        if is_out_of_memory(error):
            return replace(row, verdict="KILLED", reason=NO_MEMORY)
        if isinstance(error, EndedError):
            return replace(row, verdict="KILLED", reason=str(error))
        bug = "" if isinstance(error, EngineFailedError) else f"{type(error).__name__}: "
        return replace(row, reason=f"{bug}{error}")
    limit = {"time": "TIMEOUT", "memory": "MEMORY"}.get(outcome.limit or "")
    row = replace(
        row,
        verdict="KILLED" if outcome.reason == NO_MEMORY else limit or outcome.verdict.value,
        reason=outcome.reason,
        statistics=dict(outcome.statistics),
        versions=dict(outcome.versions),
        evidence=outcome.evidence,
    )
    try:
        return replace(row, checks=cross_check(outcome, reference).checks)
    except UnsoundEngineError as error:
        return replace(row, verdict="UNSOUND", reason=str(error))


def _pack(done: Done) -> Content | None:
    """Return a row to store, or None if the run should be repeated."""
    row: Run = done.value
    if row.verdict == "KILLED":
        return None
    own = row.evidence and row.evidence.certificate
    document = {
        "verdict": row.verdict,
        "reason": row.reason,
        "statistics": row.statistics,
        "checks": asdict(row.checks),
        "versions": row.versions,
        "evidence": row.evidence and {"kind": row.evidence.kind.name, "text": row.evidence.text},
        "certificate": own
        and {"kind": own.kind, "argument": own.argument, "document": own.document},
    }
    return {"row": np.frombuffer(json.dumps(document).encode(), dtype=np.uint8)}


def _unpack(content: dict[str, Any], piece: tuple[Any, ...]) -> Done:
    problem, engine, _, seed = piece
    document = json.loads(content["row"].tobytes())
    own, evidence = document.pop("certificate"), document.pop("evidence")
    if own is not None:
        own = Certificate(problem, **own)
    if evidence is not None:
        evidence = Evidence(EvidenceKind[evidence["kind"]], evidence["text"], own)
    checks = Checks(**document.pop("checks"))
    return Done(Run(problem, name_of(engine), seed, **document, checks=checks, evidence=evidence))


def open_checkpoint(
    path: Path | None,
    problems: Sequence[Problem],
    engines: Sequence[Contestant],
    limits: Limits,
    seeds: range,
) -> AbstractContextManager[TaskResults | None]:
    """Return the store of the rows of a comparison, or an empty context without a path."""
    if path is None or not problems:
        return nullcontext()
    documents = json.dumps([problem_document(each) for each in problems]).encode()
    each = ", ".join(f"{name} {value}" for name, value in asdict(limits).items() if value)
    name = (
        f"comparison of {len(problems)} problems ({sha256(documents).hexdigest()[:8]}) by "
        f"{', '.join(map(name_of, engines))}, seeds {seeds[0]} to {seeds[-1]}, "
        f"{each or 'no limits'}"
    )
    return open_task_results(path, problems[0], name, _pack, _unpack)
