"""``kt-cp solve``: ask for a tour, get a checked answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kt_cp.cli import many
from kt_cp.cli.array import check_fits, write_outcome
from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Force,
    Json,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    Workers,
    format_of,
    format_option,
    own_files,
)
from kt_cp.cli.output import OF_VERDICT, destination, remark, search_progress, tell
from kt_cp.cli.question import Question, asks
from kt_cp.cli.words import completed
from kt_cp.formats.table import Format, Subject, usual
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.limits import Clock, Limits, TimeLimitReachedError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.engines import Progress


def _engines() -> list[str]:
    from kt_cp.engines.registry import engine_names

    return engine_names()


@asks()
def command(
    question: Question,
    *,
    engine: Annotated[
        str,
        typer.Option(metavar="NAME", help="See kt-cp engines", autocompletion=completed(_engines)),
    ] = "auto",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    workers: Workers = None,
    seed: Seed = 0,
    format: Annotated[
        Format | None, format_option(Subject.TOUR, "Default: grid, or what FILE's name ends with")
    ] = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE", help="Of the numbers of a .npy file; default int32, int64 if need be"
        ),
    ] = None,
    json: Json = False,
    output: Output = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where there is no tour, keep a certificate there"),
    ] = None,
    force: Force = False,
) -> int:
    """Find a tour of the knight, or of another piece, or say why there is none.

    Exits with 0 for a tour, 1 if none exists, 3 if that stays unknown.
    """
    from kt_cp import engines
    from kt_cp.engines.engine import out_of_time
    from kt_cp.proofs.obstructions import obstruction

    own_files(output, certificate=certificate)
    if (problems := question.each()) is not None:
        many.refuse(certificate=certificate, dtype=dtype)
        lines = many.as_json(
            format_of(format, json, output, Subject.TOUR, Format.NAMES), Format.NAMES
        )

        def answer(problem: Problem) -> many.Answered:
            outcome = engines.solve(
                problem, engine, time_limit=time_limit, memory_limit=memory_limit,
                workers=workers, seed=seed,
            )  # fmt: skip
            return many.of_verdict(outcome, OF_VERDICT[outcome.verdict], json=lines)

        return many.answers(problems, answer, output, force=force)
    with Deadline(time_limit) as deadline:
        problem = question.problem()
        shape = format_of(format, json, output, Subject.TOUR, usual(problem))
        engines.check(engine, problem)
        if dtype is not None and shape is not Format.NPY:
            raise InputError(f"--dtype is for .npy files: expected --format npy, got {shape.value}")
        try:
            check_fits(problem, shape, output, dtype)
        except TooLargeError:
            if obstruction(problem) is None:  # a "no" is short, on any board
                raise
        with (
            destination(output, force=force) as place,
            destination(certificate, force=force) as kept,
        ):
            try:
                with search_progress(problem.label, time_limit) as progress:
                    outcome = engines.solve_within(
                        problem,
                        engine,
                        deadline.limits(memory_limit, workers),
                        seed=seed,
                        progress=progress,
                    )
                    if certificate is not None:
                        clock = deadline.limits().clock()
                        outcome = _certified(outcome, clock, memory_limit, progress)
            except TimeLimitReachedError:
                outcome = out_of_time(engine, problem, Limits(time_limit), {}, seed)
            if certificate is not None and outcome.certificate is not None:
                kept.write(outcome.certificate.to_json())
            write_outcome(place, outcome, shape, dtype, deadline, output)
    tell(outcome, answered=shape is Format.JSON and output is None)
    if certificate is not None and outcome.certificate is None:
        why = {
            Verdict.FOUND: "there is a tour",
            Verdict.IMPOSSIBLE: "no certificate was found",
            Verdict.UNKNOWN: "nothing is proved",
        }
        remark(f"kt-cp: nothing was written to {certificate}: {why[outcome.verdict]}")
    return OF_VERDICT[outcome.verdict]


def _certified(
    outcome: Outcome, clock: Clock, memory_limit: float | None, progress: Progress | None
) -> Outcome:
    """The outcome, and a "no" of any engine with a certificate, if one is found in time."""
    from kt_cp.proofs.certify import backed

    if clock.expired():
        return outcome
    return backed(outcome, clock.limits(memory_limit), progress)
