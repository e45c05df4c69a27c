"""The part ``refutations``: boards without a tour, by every encoding.

A table of times and of proof sizes, each encoding beside the others on one solver; the other kinds
of evidence are in the part ``proofs``.  A tour on one of these boards would be a fault.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.ladder import Ladder, climb
from benchmarks.limits import Question, Refuting
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.process import LIMITS, Run, job

JOB = "benchmarks.refutations_job"
FEW_SECONDS = 0.1
"""Medians below this are told without their spread, which is that of the machine."""


@dataclass
class Refuted:
    """What came of them, by question and encoding."""

    ladders: dict[tuple[Question, str], Ladder] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        """What crashed, and every tour where there is none."""
        return [
            f"{question.label}, {name}: {run.status}"
            for (question, name), ladder in self.ladders.items()
            for run in ladder.runs.values()
            if run.status not in ("FOUND", *LIMITS)
        ]


def refutations(plan: Refuting, seeds: Sequence[int], jobs: int = 1) -> Refuted:
    """Run them all; a line to stderr for every run."""
    results = Refuted()
    for place, question in enumerate(plan.questions()):
        for name in plan.encodings:

            def run(
                _: int, seed: int, stop: threading.Event, asked: Question = question, it: str = name
            ) -> Run:
                words = (it, asked.kind, ",".join(asked.boards), seed)
                return job(*words, time_limit=plan.seconds, module=JOB, stop=stop)

            results.ladders[question, name] = Ladder(name, (place,), seeds, run)
    climb(list(results.ladders.values()), jobs)
    return results


def report(plan: Refuting, results: Refuted) -> Iterator[str]:
    """The two tables, and whether all agree."""
    questions = list(dict.fromkeys(question for question, _ in results.ladders))
    for heading, cell in (
        ("Refutations by encoding: seconds to build and solve", _seconds),
        ("Refutations by encoding: bytes of the proof as it is logged", _bytes),
    ):
        yield from title(heading)
        rows = [
            [each.label, *(cell(plan, _runs(results, each, name)) for name in plan.encodings)]
            for each in questions
        ]
        yield from table(["no tour", *plan.encodings], rows)
    runs = [run for ladder in results.ladders.values() for run in ladder.runs.values()]
    said = sum(run.status == "FOUND" for run in runs)
    tours = sum(run.status == "TOUR" for run in runs)
    yield ""
    yield "Medians of the processor's seconds, from 0.1 s on with the fastest and the slowest, and"
    yield f"medians of bytes. At most {plan.seconds:g} s for both."
    yield ""
    text = f"{said} of {len(runs)} runs say none, {tours} found a tour (no tour)"
    yield target(text, not tours)


def _runs(results: Refuted, question: Question, name: str) -> list[Run]:
    return list(results.ladders[question, name].runs.values())


def _seconds(plan: Refuting, runs: list[Run]) -> str:
    middle = median(run.seconds for run in runs)
    if math.isinf(middle):
        failed = sorted({run.status for run in runs if run.status != "FOUND"})
        return f"> {plan.seconds:g}" if failed == ["TIMEOUT"] else ", ".join(failed)
    if middle < FEW_SECONDS:
        return in_seconds(middle)
    slowest = max(run.seconds for run in runs)
    last = f"> {plan.seconds:g}" if math.isinf(slowest) else in_seconds(slowest)
    return f"{in_seconds(middle)} ({in_seconds(min(run.seconds for run in runs))}–{last})"


def _bytes(_: Refuting, runs: list[Run]) -> str:
    sizes = [run.values["proof"] if run.status == "FOUND" else math.inf for run in runs]
    return "" if math.isinf(median(sizes)) else f"{median(sizes):,.0f}"
