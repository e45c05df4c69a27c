"""Run one engine on one problem, within limits, in its own process if necessary."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kt_cp.engines.directed_adapter import (
    from_two_way_form,
    refute_by_strong_components,
    to_directed,
    to_undirected,
    two_way_form,
)
from kt_cp.engines.engine import (
    Engine,
    call,
    found,
    impossible,
    out_of_memory,
    out_of_time,
    unknown,
)
from kt_cp.engines.registry import engine_names, get_engine
from kt_cp.model.cycle import as_tour, tiny
from kt_cp.model.errors import EndedError, EngineFailedError, NotTakenError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind, Outcome, Verdict
from kt_cp.model.plugins import load_all
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.model.versions import versions_of
from kt_cp.processes.memory import is_address_space_bounded
from kt_cp.trust.crosscheck import contradiction

OWN_PROCESS_SQUARES = 10_000
"""Squares above which an engine with a time limit runs in its own process, which can be terminated.
On such problems, building a model or a graph takes half a second or more without a time check."""

_HERE: dict[str, Any] = {"refuse": None, "at_once": None}
"""Attributes of an engine that are read before its process starts, and are not sent to it."""

GRACE_SECONDS = 0.25
"""Seconds that an interruptible engine gets to stop by itself before its process is terminated.
An engine that is still building its model would check the clock too late."""


def run(
    engine: str | Engine,
    request: Request,
    *,
    own_process: bool | None = None,
    cancelled: Callable[[], bool] | None = None,
    warm: bool = False,
    refuse_there: bool = False,
) -> Outcome:
    """Return the answer of one engine, not yet cross-checked.

    ``own_process`` is that of :func:`kt_cp.solve`; such a process starts no other one.
    ``cancelled`` is polled while a process runs; if it returns true, the process is terminated and
    ``KeyboardInterrupt`` is raised.  A ``warm`` process is reused for later calls; measurements
    need a fresh one.  With ``refuse_there`` the process checks whether the problem is too large,
    because that takes some engines seconds.

    EngineFailedError is raised if the engine crashed, EndedError if its process was terminated from
    outside, UnsoundEngineError if an incomplete engine claims that there is no tour, and
    NotTakenError or TooLargeError if the engine does not take the problem.
    """
    chosen = get_engine(engine)
    question = request.problem
    _check_conditions(chosen, question)
    if question.directed and chosen.name == "auto":
        answer = refute_by_strong_components(request)
        if answer is not None:
            return _complete_answer(question, chosen, answer)
        form = two_way_form(question)
        if form is not None:
            answer = run(engine, request.about(form), own_process=own_process, warm=warm)
            return from_two_way_form(request, answer)
    problem = _form_for(chosen, question)
    request = request.about(problem)
    answer = None if problem.directed else _tiny_outcome(problem, chosen, request.seed)
    if answer is None:
        if not refuse_there:
            check(chosen, problem)
        if own_process is None:
            limits = request.limits
            large = limits.seconds is not None and problem.size > OWN_PROCESS_SQUARES
            large = large and not (chosen.at_once is not None and chosen.at_once(problem))
            own_process = large or limits.megabytes is not None or not chosen.interruptible
        # A call that can be cancelled needs a process even inside another one.
        if own_process and cancelled is None:
            from kt_cp.processes.isolate import in_child

            own_process = not in_child()
        if own_process:
            # Send a name unchanged; of an engine omit the checks, unless the process runs them.
            sent = engine if isinstance(engine, str) or refuse_there else replace(chosen, **_HERE)
            answer = _run_in_child(sent, chosen, request, cancelled, warm, refuse_there)
        else:
            answer = call(chosen.solve, request)
    answer = _complete_answer(problem, chosen, answer)
    return answer if problem is question else to_directed(question, answer)


def check(engine: str | Engine, problem: Problem) -> None:
    """Raise NotTakenError or TooLargeError for a problem that the engine would refuse."""
    chosen = get_engine(engine)
    _check_conditions(chosen, problem)
    if chosen.refuse is not None:
        chosen.refuse(_form_for(chosen, problem))


def _form_for(chosen: Engine, problem: Problem) -> Problem:
    """Return the undirected form of a problem, unless the engine takes arcs."""
    return to_undirected(problem) if problem.directed and not chosen.directed else problem


def _check_conditions(chosen: Engine, problem: Problem) -> None:
    requested = {type(condition) for condition in problem.conditions}
    unsupported = sorted(kind.words for kind in requested - chosen.takes)
    if unsupported:
        engines = load_all(engine_names(), get_engine)[0]
        other = next((each for each in engines if requested <= each.takes), None)
        instead = f"use engine {other.name.split(':')[0]}" if other else "no engine does yet"
        words = " and ".join(unsupported)
        raise NotTakenError(f"engine {chosen.name} does not take {words}: {instead}")


def _complete_answer(problem: Problem, chosen: Engine, answer: Outcome) -> Outcome:
    """Return the answer with this problem and the versions of the engine's packages."""
    tour = answer.tour
    answer = replace(
        answer,
        problem=problem,
        tour=None if tour is None else problem.tour(tour.squares),
        versions=answer.versions or versions_of(chosen.packages),
    )
    if answer.verdict is Verdict.IMPOSSIBLE and not chosen.complete:
        raise contradiction(answer, "only a complete engine may say so")
    return answer


def _run_in_child(
    sent: str | Engine,
    chosen: Engine,
    request: Request,
    cancelled: Callable[[], bool] | None,
    warm: bool,
    refuse_there: bool,
) -> Outcome:
    from kt_cp.processes import isolate

    problem, seed = request.problem, request.seed
    limits = request.clock.limits(request.limits.megabytes)
    ended = isolate.call(
        "kt_cp.engines.run:answer_in_child",
        sent,
        problem,
        request.remaining,
        seed,
        time.time() if warm else None,
        refuse_there,
        limits=limits,
        grace=GRACE_SECONDS if chosen.interruptible else 0.0,
        progress=request.progress,
        cancelled=cancelled,
        warm=warm and limits.megabytes is None,  # only a fresh process starts with its own memory
        # For a waiting user, the time limit includes the start of the process.
        since=time.perf_counter() if warm else None,
    )
    request.clock.add_processor(ended.processor_seconds)
    # Not rounded here: a peak just above its limit must not be reported as the limit.
    peak = {"peak_mb": ended.peak_megabytes}
    if ended.how == "done":
        outcome: Outcome = ended.value
        return replace(outcome, statistics={**outcome.statistics, **peak})
    statistics = {"solve_seconds": round(ended.seconds, 4), **peak}
    if ended.how == "timeout":
        return out_of_time(chosen.name, problem, request.limits, statistics, seed)
    if ended.how == "memory":
        if is_address_space_bounded() and peak["peak_mb"] <= (limits.megabytes or 0):
            limits = replace(limits, megabytes=None)  # another bound was reached first
        return out_of_memory(chosen.name, problem, limits, statistics, seed)
    if ended.how == "killed":
        what = f"the process of engine {chosen.name} on {problem.label}"
        raise EndedError(f"{what} was {ended.detail} from outside")
    raise EngineFailedError(
        f"engine {chosen.name} crashed on {problem.label}, seed {seed}: {ended.detail}"
    )


def answer_in_child(
    engine: str | Engine,
    problem: Problem,
    limits: Limits,
    seed: int,
    began: float | None = None,
    refuse: bool = False,
    *,
    emit: Callable[[Any], None],
) -> Outcome:
    """Run an engine in the child process.

    The limits count from the time ``began``, but the engine gets at least half of the time that
    remained then.
    """
    chosen = get_engine(engine)
    if began is not None and limits.seconds is not None:
        left = limits.seconds - limits.spent
        spent = min(max(0.0, time.time() - began), left / 2)
        limits = replace(limits, spent=limits.spent + spent)
    if refuse:
        check(chosen, problem)
    return chosen.solve(problem, limits=limits, seed=seed, progress=emit)


def _tiny_outcome(problem: Problem, chosen: Engine, seed: int) -> Outcome | None:
    answer = tiny(problem)
    if answer is None:
        return None
    vertices, reason = answer
    if vertices is not None:
        return found(chosen.name, problem, as_tour(problem, vertices), {}, seed)
    if not chosen.complete:
        return unknown(
            chosen.name,
            problem,
            f"{chosen.name} only finds tours, but there is an obstruction: {reason}",
            {},
            seed,
        )
    return impossible(chosen.name, problem, EvidenceKind.ARGUMENT, reason, {}, seed)
