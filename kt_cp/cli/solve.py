"""``kt-cp solve`` finds a tour; ``kt-cp locate`` finds one step of a constructed tour."""

from __future__ import annotations

import json as json_module
import math
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Force,
    GraphExecutor,
    Json,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    Workers,
    check_output_files,
    complete_from,
    expect_processes,
    format_of,
    format_option,
)
from kt_cp.cli.output import UNKNOWN, destination, print_result, print_text, remark, search_progress
from kt_cp.cli.problem_options import (
    BoardParser,
    ProblemOptions,
    parse_option,
    with_problem_options,
)
from kt_cp.cli.tour_output import (
    EXIT_CODES,
    Answer,
    check_fits,
    expect_graph_per_line,
    expect_single_graph,
    report_outcome,
    verdict_answer,
    wants_json_lines,
    write_answers,
    write_outcome,
)
from kt_cp.formats.table import Format, Subject, default_format
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import Square, square_name
from kt_cp.model.conditions import ENDS
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.model.limits import Limits, TimeLimitReachedError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request


@with_problem_options()
def solve_command(
    question: ProblemOptions,
    *,
    engine: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="See kt-cp engines",
            autocompletion=complete_from(lambda: import_module("kt_cp.engines").engine_names()),
        ),
    ] = "auto",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    workers: Workers = None,
    seed: Seed = 0,
    executor: GraphExecutor = None,
    format: Annotated[
        Format | None, format_option(Subject.TOUR, "Default: grid, or by the suffix of FILE")
    ] = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            help="Type of the numbers in a .npy file. Default: int32, or int64 if needed",
        ),
    ] = None,
    json: Json = False,
    output: Output = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="If there is no tour, write a certificate to FILE"),
    ] = None,
    force: Force = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Print the steps of --engine auto for the problem, and what each of them did",
        ),
    ] = False,
    measures: Annotated[
        bool,
        typer.Option(
            "--measures",
            help="Print turns, angles, crossings and more of the tour, or add them to its JSON",
        ),
    ] = False,
) -> int:
    """Find a tour of the knight or of another piece, or explain why there is none.

    Exits with 0 for a tour, 1 if there is none, 3 if that remains unknown.
    """
    from kt_cp import engines
    from kt_cp.engines.engine import out_of_time
    from kt_cp.proofs.obstructions import obstruction

    check_output_files(output, certificate=certificate)
    if explain and engine != "auto":
        raise InputError(f"--explain is for --engine auto, which has several steps: got {engine}")
    if (problems := question.problems()) is not None:
        expect_single_graph(
            certificate=certificate, dtype=dtype, explain=explain, measures=measures
        )
        lines = wants_json_lines(
            format_of(format, json, output, Subject.TOUR, Format.NAMES), Format.NAMES
        )

        expect_processes(executor)
        options: dict[str, Any] = {"engine": engine, "seed": seed, "json": lines}
        answer = partial(_answer_graph, memory=memory_limit, workers=workers, **options)
        timed_out = partial(_timed_out, seconds=time_limit, **options)
        return write_answers(
            problems, answer, timed_out, output, time_limit, force=force, executor=executor
        )
    expect_graph_per_line(executor)
    with Deadline(time_limit) as deadline:
        problem = question.problem()
        shape = format_of(format, json, output, Subject.TOUR, default_format(problem))
        engines.check(engine, problem)
        if measures:
            from kt_cp.model.measures import check_measurable

            check_measurable(problem.board)
        if dtype is not None and shape is not Format.NPY:
            raise InputError(f"--dtype is for .npy files: expected --format npy, got {shape.value}")
        try:
            check_fits(problem, shape, output, dtype)
        except TooLargeError:
            if obstruction(problem) is None:  # a "no" is short, on any board
                raise
        with (
            destination(output, force=force) as file,
            destination(certificate, force=force) as certificate_file,
        ):
            if explain:
                remark(_describe_plan(problem))
            try:
                with search_progress(problem.label, time_limit) as progress:
                    limits = deadline.limits(memory_limit, workers)
                    request = Request.begin(problem, limits, seed=seed, progress=progress)
                    outcome = engines.solve_request(request, engine)
                    if certificate is not None and not request.expired():
                        from kt_cp.proofs.certify import add_certificate

                        outcome = add_certificate(outcome, request)
            except TimeLimitReachedError:
                outcome = out_of_time(engine, problem, Limits(time_limit), {}, seed)
            if certificate is not None and outcome.certificate is not None:
                certificate_file.write(outcome.certificate.to_json())
            if measures and outcome.tour is not None:
                outcome = replace(outcome, measures=outcome.tour.measures())
            write_outcome(file, outcome, shape, dtype, deadline, output)
    is_printed = shape is Format.JSON and output is None
    if explain:
        remark(_describe_steps(outcome))
    if outcome.measures is not None and not is_printed:
        width = max(map(len, outcome.measures))
        rows = [f"  {name:<{width}} {value:,}" for name, value in outcome.measures.items()]
        remark("\n".join(rows), always=True)
    report_outcome(outcome, answered=is_printed)
    if outcome.tour is not None and len(problem.given) > 1:
        remark(_describe_solutions(problem, deadline, seed))
    if certificate is not None and outcome.certificate is None:
        reason = {
            Verdict.FOUND: "there is a tour",
            Verdict.IMPOSSIBLE: "no certificate was found",
            Verdict.UNKNOWN: "nothing is proved",
        }
        remark(f"kt-cp: nothing was written to {certificate}: {reason[outcome.verdict]}")
    return EXIT_CODES[outcome.verdict]


def _answer_graph(
    problem: Problem,
    deadline: Deadline,
    *,
    engine: str,
    seed: int,
    json: bool,
    memory: float | None,
    workers: int | None,
) -> Answer:
    from kt_cp import engines

    request = Request.begin(problem, deadline.limits(memory, workers), seed=seed)
    outcome = engines.solve_request(request, engine)
    return verdict_answer(outcome, EXIT_CODES[outcome.verdict], json=json)


def _timed_out(
    problem: Problem, *, engine: str, seed: int, json: bool, seconds: float | None
) -> Answer:
    from kt_cp.engines.engine import out_of_time

    outcome = out_of_time(engine, problem, Limits(seconds), {}, seed)
    return verdict_answer(outcome, UNKNOWN, json=json)


UNIQUE_SECONDS, UNIQUE_SQUARES = 5.0, 1_000
"""Most time for the question whether a solution is the only one, and the largest board."""


def _describe_solutions(problem: Problem, deadline: Deadline, seed: int) -> str:
    """Return a sentence on whether the tour of a number puzzle is the only one."""
    from kt_cp.engines import bounded_sat

    left = math.inf if deadline.seconds is None else deadline.seconds - deadline.spent
    left, number = min(UNIQUE_SECONDS, left), 0
    if left > 0 and bounded_sat.takes(problem):
        sat = bounded_sat.find_two_tours(problem, seed)
        if sat.exhausted:
            return "It is the only tour with these steps."
        number = len(sat.tours)
    with suppress(NotTakenError, TooLargeError):
        if left > 0 and number < 2 and problem.size <= UNIQUE_SQUARES:
            from kt_cp.enumeration import Enumeration  # which loads compiled code

            enumeration, clock = Enumeration(problem), Limits(left).clock()
            number = sum(1 for _ in islice(enumeration.tours(clock.expired), 2))
            if number == 1 and enumeration.complete:
                return "It is the only tour with these steps."
    if number > 1:
        return "Other tours have these steps as well."
    return "Whether other tours have these steps is unknown."


def _describe_plan(problem: Problem) -> str:
    """Return the steps that apply to a problem, a line for each."""
    from kt_cp.engines.auto import plan
    from kt_cp.engines.directed_adapter import to_undirected

    problem = to_undirected(problem) if problem.directed else problem
    lines = ["Steps, until one of them has the answer:"]
    for step in plan(problem):
        most = step.time_for(problem)
        lines.append(f"  {step.name:<18} {'' if most is None else f'at most {most:g} s'}".rstrip())
    return "\n".join(lines)


def _describe_steps(outcome: Outcome) -> str:
    """Return what each step did, a line for each."""
    if not outcome.steps:
        return "No step was finished." if outcome.limit else "No step was needed."
    lines = ["What they did:"]
    for report in outcome.steps:
        lines.append(f"  {report.name:<18} {report.seconds:8.3f} s  {report.result}")
    return "\n".join(lines)


JUDGED = "judged at this step and its neighbours"


@with_problem_options()
def locate_command(
    question: ProblemOptions,
    *,
    step: Annotated[
        int | None, typer.Option(metavar="N", help="Show the square of step N, counted from 1")
    ] = None,
    square: Annotated[
        str | None,
        typer.Option(metavar="SQUARE", help="Show the step of a square, such as c7 or 7,3"),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Show the square of one step of a constructed tour, or the step of a square.

    The tour is that of kt-cp solve --engine construct with the same seed. It is not built, so the
    board may be of any size. Exits with 0 for an answer, 1 if there is no tour, 3 if none is
    constructed.
    """
    from kt_cp.trust.crosscheck import judge_places

    if (step is None) == (square is None):
        given = "neither" if step is None else "both"
        raise InputError(f"expected either --step N or --square SQUARE, got {given}")
    problem = question.problem_on_board()
    expected = parse_option(BoardParser().square, square, "square")
    if expected is not None and not problem.has_square(expected):
        raise InputError(f"--square: expected a square of the {problem.board} board, got {square}")
    if step is not None and not 1 <= step <= problem.size:
        raise InputError(f"--step: expected a step from 1 to {problem.size}, got {step}")
    outcome = _construct(problem, seed)
    found = None
    if outcome.tour is not None:
        number = outcome.tour.step(expected) if step is None else step
        found = number, outcome.tour.square(number)
        judge_places(outcome, [number])
    if json:
        print_result(json_module.dumps(_location_document(outcome, found), indent=2) + "\n")
    elif found is not None:
        number, (row, column) = found
        named = f"{square_name((row, column))} (rank {row + 1}, file {column + 1})"
        print_result(f"step {number} of {problem.size}: {named}\n")
        remark(f"{problem.label}: FOUND by {outcome.engine}; {JUDGED}")
    elif outcome.verdict is Verdict.IMPOSSIBLE:
        print_text(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown: {outcome.reason}", always=True)
    return EXIT_CODES[outcome.verdict]


def _construct(problem: Problem, seed: int) -> Outcome:
    """Construct a tour; if that is not possible, answer with the other engines."""
    from kt_cp.engines import construct, solve
    from kt_cp.engines.engine import proved
    from kt_cp.engines.run import run
    from kt_cp.model.limits import MOST_SQUARES
    from kt_cp.proofs.obstructions import obstruction

    small = problem.size <= MOST_SQUARES
    others = sorted({each.words for each in problem.conditions if type(each) not in ENDS})
    if others and not small:
        raise NotTakenError(
            f"{problem.label}: expected no {' and no '.join(others)} on a board of more than "
            f"{MOST_SQUARES:,} squares"
        )
    if not others:
        outcome = run(construct.NAME, Request.begin(problem, seed=seed))
        if outcome.verdict is not Verdict.UNKNOWN:
            return outcome
        proof = obstruction(problem)
        if proof is not None:
            return proved("auto", problem, proof, {}, seed)
    return solve(problem, seed=seed) if small else outcome


def _location_document(outcome: Outcome, found: tuple[int, Square] | None) -> dict[str, Any]:
    step, square = found or (None, None)
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(outcome.problem),
        "verdict": outcome.verdict.value,
        "reason": outcome.reason,
        "step": step,
        "steps": outcome.problem.size,
        "square": None if square is None else square_name(square),
        "rank_file": None if square is None else [square[0] + 1, square[1] + 1],
        "engine": outcome.engine,
        "remarks": {} if found is None else {"verified": JUDGED},
    }
