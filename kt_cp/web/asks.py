"""What each kind of question runs, in the child process that a job has for itself.

A kind is a function of the problem, of what else was asked, and of a callable that is told events.
It ends with one event of the name ``outcome``, or with an exception in the front door's words.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kt_cp.formats.write import checks_made, outcome_document, proof_words
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.web.said import command, python
from kt_cp.web.watch import Emit, Event, Watch

if TYPE_CHECKING:
    from kt_cp.processes.isolate import Ended

Asked = Mapping[str, Any]

DRAWN = 2_500
"""Squares of a board whose argument is drawn step by step."""

KINDS = {
    "solve": "asks:solve",
    "prove": "asks:prove",
    "check": "asks:check",
    "source": "traced:source",
    "puzzle": "puzzles:puzzle",
    "hint": "puzzles:hint",
    "compare": "compared:compare",
    "count": "explored:count",
    "rank": "explored:rank",
    "unrank": "explored:unrank",
    "sample": "explored:sample",
    "classes": "explored:classes",
    "picture": "saved:picture",
}
"""Where the function of each is, in this folder: it is loaded by the child alone."""


def ready(emit: object) -> None:  # noqa: ARG001
    """Load what most questions need."""
    import kt_cp.proofs.certify
    import kt_cp.render.highlights  # noqa: F401
    from kt_cp.engines import solve

    solve(Problem("4x4", closed=True))


def all_ready(emit: object) -> None:  # noqa: ARG001
    """Load compiled code as well, which takes as long again."""
    from kt_cp.trust.reference import Run

    Run(Problem("3x3"), (0, 0)).advance(1)


def answer(kind: str, asked: Asked, *, emit: Emit) -> None:
    """Answer a question, and tell what is to be told on the way."""
    module, _, name = KINDS[kind].partition(":")
    getattr(import_module(f"kt_cp.web.{module}"), name)(asked["problem"], asked, emit)


def solve(problem: Problem, asked: Asked, emit: Emit) -> None:
    """A tour, or why there is none, by an engine."""
    from kt_cp.engines import solve

    _answered(solve, problem, {"engine": asked["engine"]}, asked, emit)


def prove(problem: Problem, asked: Asked, emit: Emit) -> None:
    """A certificate that there is no tour, or a tour."""
    from kt_cp.engines.prove import prove

    _answered(prove, problem, {"evidence": asked["evidence"]}, asked, emit)


def _answered(
    function: Callable[..., Outcome], problem: Problem, how: Asked, asked: Asked, emit: Emit
) -> None:
    began = time.perf_counter()
    how = {**how, "seed": asked["seed"]}
    outcome = function(problem, **how, time_limit=asked["seconds"], progress=Watch(problem, emit))
    told = {name: value for name, value in how.items() if value != "auto"}
    told["time_limit"] = asked["time_limit"]
    name = function.__name__
    said = {"command": command(name, problem, **told), "python": python(name, problem, **told)}
    emit(outcome_event(outcome, time.perf_counter() - began, **said))


def check(problem: None, asked: Asked, emit: Emit) -> None:  # noqa: ARG001
    """Whether a certificate is one."""
    from kt_cp.trust.check import Refusal, check

    try:
        checked = check(json.dumps(asked["certificate"]))
    except Refusal as refusal:
        told = {"accepted": False, "text": f"Not a proof: {refusal.text}"}
    else:
        said = proof_words(checked.problem, checked.kind, checked.argument, len(checked.tours))
        told = {"accepted": True, "text": said}
    emit({"event": "checked", **told, "command": "kt-cp check certificate.json"})


def outcome_event(outcome: Outcome, seconds: float, **said: Any) -> Event:
    """An answer as the page is told it."""
    certificate = outcome.certificate
    document = outcome_document(outcome)
    if outcome.tour is not None:
        document["tour"] = outcome.tour.names
    drawn = certificate is not None and outcome.problem.size <= DRAWN
    return {
        "event": "outcome",
        "outcome": document,
        "backed": None if outcome.verdict is Verdict.UNKNOWN else checks_made(outcome),
        "seconds": round(seconds, 4),
        "command": said.pop("command", None),
        "python": said.pop("python", None),
        "certificate": None if certificate is None else dict(certificate.document),
        "argument": _argument(certificate) if certificate is not None and drawn else None,
        "svg": _picture(certificate) if certificate is not None and drawn else None,
        **said,
    }


def _argument(certificate: Certificate) -> list[Event] | None:
    from kt_cp.web.argued import steps

    return steps(certificate)


def _picture(certificate: Certificate) -> str:
    from kt_cp.render.highlights import argument_picture

    return argument_picture(certificate)


def exhausted(problem: Problem, engine: str, tour: Any, text: str, work: Asked) -> Outcome:
    """The checked answer of a search that is no engine: a tour, or that everything was tried."""
    from kt_cp.engines.engine import found, impossible
    from kt_cp.trust.crosscheck import cross_check

    if tour is not None:
        return cross_check(found(engine, problem, problem.tour(tour), work, 0))
    return cross_check(impossible(engine, problem, EvidenceKind.EXHAUSTED, text, work, 0))


def cut_off(kind: str, asked: Asked, ended: Ended) -> Event:
    """What is told where the child was ended, by its limits or by somebody."""
    from kt_cp.engines.engine import out_of_memory, out_of_time

    if kind in ("solve", "prove") and ended.how in ("timeout", "memory"):
        limits = Limits(asked["seconds"], asked["megabytes"])
        over = out_of_time if ended.how == "timeout" else out_of_memory
        name = asked["engine"] if kind == "solve" else kind
        outcome = over(name, asked["problem"], limits, {}, asked["seed"])
        return outcome_event(outcome, ended.seconds)
    why = {
        "timeout": f"the time limit of {asked['seconds']:g} s was reached",
        "memory": f"the memory limit of {asked['megabytes']:g} MB was reached",
    }.get(ended.how, f"the process of the search was {ended.detail or ended.how}")
    return {"event": "error", "text": f"unknown: {why}", "code": 3}
