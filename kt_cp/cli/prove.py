"""``kt-cp prove``: prove that there is no tour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Cnf,
    Drat,
    Force,
    GraphExecutor,
    Json,
    Lrat,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    expect_processes,
    format_of,
    format_option,
    proof_files,
    proof_writers,
    require_distinct_files,
)
from kt_cp.cli.output import (
    FOUND,
    NO,
    UNKNOWN,
    Destination,
    destination,
    print_result,
    print_text,
    remark,
    search_progress,
)
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import (
    PROOF_EXIT_CODES,
    Answer,
    expect_graph_per_line,
    expect_single_graph,
    verdict_answer,
    wants_json_lines,
    write_answers,
)
from kt_cp.formats.table import CONVERTED, MOST_SQUARES, Format, Subject, check_size, default_format
from kt_cp.formats.write import describe_checks, outcome_text
from kt_cp.model.errors import InputError
from kt_cp.model.limits import Limits, TimeLimitReachedError
from kt_cp.model.outcome import Certificate, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request

EXHAUSTED, REFUTATION = "exhausted", "refutation"
"""Kinds of evidence with a treatment of their own; named here to keep start-up fast."""


@with_problem_options()
def prove_command(
    question: ProblemOptions,
    *,
    evidence: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Kind of evidence, such as colours, removal, tight or refutation",
            show_default="the first that is found",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    seed: Seed = 0,
    executor: GraphExecutor = None,
    format: Annotated[
        Format | None,
        format_option(
            Subject.PROOF,
            "json: the certificate; svg: the argument as a picture. "
            "Default: text, or by the suffix of FILE",
        ),
    ] = None,
    json: Json = False,
    output: Output = None,
    cnf: Cnf = None,
    drat: Drat = None,
    lrat: Lrat = None,
    force: Force = False,
) -> int:
    """Prove that there is no tour, with a certificate that kt-cp check accepts.

    Exits with 0 for a proof, 1 if it finds a tour, which it prints, 3 if it finds neither.
    """
    from kt_cp.engines.engine import out_of_time
    from kt_cp.engines.prove import prove_request
    from kt_cp.formats.write import proof_line
    from kt_cp.proofs.obstructions import obstruction

    shape = format_of(format, json, output, Subject.PROOF, Format.TEXT)
    files = {**proof_files(cnf, drat, lrat), "--output": output}
    require_distinct_files(files)
    if (problems := question.problems()) is not None:
        expect_single_graph(
            **{name.removeprefix("--"): files[name] for name in ("--cnf", "--drat", "--lrat")}
        )
        lines = wants_json_lines(shape, Format.TEXT)

        expect_processes(executor)
        answer_graph = partial(
            _answer_graph, evidence=evidence, seed=seed, json=lines, memory=memory_limit
        )
        timed_out = partial(_timed_out, seed=seed, json=lines, seconds=time_limit)
        return write_answers(
            problems, answer_graph, timed_out, output, time_limit, force=force, executor=executor
        )
    expect_graph_per_line(executor)
    with Deadline(time_limit) as deadline:
        problem = question.problem()
        if cnf or drat or lrat:
            if evidence not in (None, REFUTATION):
                raise InputError(
                    "--cnf, --drat and --lrat write a refutation: expected --evidence "
                    f"{REFUTATION} or none, got {evidence!r}"
                )
            evidence = REFUTATION
        if (json or format is Format.JSON) and obstruction(problem) is None:
            check_size(problem, Format.JSON)  # there may be a tour
        writers = _writers(shape, problem, files)
        with ExitStack() as opened:
            outputs: dict[str, Destination] = {}
            for name in writers:
                outputs[name] = destination(files[name], force=force)
                opened.push(outputs[name])
            try:
                with search_progress(problem.label, time_limit) as progress:
                    limits = deadline.limits(memory_limit)
                    request = Request.begin(problem, limits, seed=seed, progress=progress)
                    outcome = prove_request(request, evidence)
            except TimeLimitReachedError:
                outcome = out_of_time("prove", problem, Limits(time_limit), {}, seed)
            seconds = outcome.seconds
            if outcome.certificate is not None:
                texts = {name: write(outcome.certificate) for name, write in writers.items()}
                deadline.lift()
                for name, text in texts.items():
                    if name == "--output" and output is None and shape is Format.TEXT:
                        print_text(str(text))
                    else:
                        outputs[name].write(text)
        # The files are for proofs, but a program gets its JSON in any case.
        answer = ""
        if outcome.certificate is None and (json or format is Format.JSON):
            answer = outcome_text(outcome, Format.JSON)
        elif outcome.verdict is Verdict.FOUND and problem.size <= MOST_SQUARES:
            drawn = format is Format.SVG and output is None
            answer = outcome_text(outcome, Format.SVG if drawn else default_format(problem))
    if outcome.certificate is not None:
        if output is not None:
            print_text(proof_line(outcome.certificate))
        remark(f"{problem.label}: {_describe_proof(outcome, seconds)}")
        return FOUND
    if answer:
        print_result(answer)
    elif outcome.verdict is Verdict.FOUND:
        print_text(f"There is a tour ({problem.label}); kt-cp locate shows single squares of it.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: not proved: {outcome.reason}", always=True)
        return UNKNOWN
    unwritten = " and ".join(str(path) for path in files.values() if path is not None)
    files_text = f"; nothing was written to {unwritten}" if unwritten else ""
    remark(
        f"{problem.label}: there is a tour, by {outcome.engine} in {seconds:.3g} s; "
        f"{describe_checks(outcome)}{files_text}"
    )
    return NO


def _answer_graph(
    problem: Problem,
    deadline: Deadline,
    *,
    evidence: str | None,
    seed: int,
    json: bool,
    memory: float | None,
) -> Answer:
    from kt_cp.engines.prove import prove_request

    request = Request.begin(problem, deadline.limits(memory), seed=seed)
    outcome = prove_request(request, evidence)
    return verdict_answer(outcome, PROOF_EXIT_CODES[outcome.verdict], json=json)


def _timed_out(problem: Problem, *, seed: int, json: bool, seconds: float | None) -> Answer:
    from kt_cp.engines.engine import out_of_time

    outcome = out_of_time("prove", problem, Limits(seconds), {}, seed)
    return verdict_answer(outcome, UNKNOWN, json=json)


def _writers(
    shape: Format, problem: Problem, files: Mapping[str, Path | None]
) -> dict[str, Callable[[Certificate], str | bytes]]:
    """Return the function that writes a proof to each file."""
    from kt_cp.formats.write import proof_content

    if shape is Format.SVG or shape in CONVERTED:
        from kt_cp.render.highlights import check_picture

        check_picture(problem)
    writers: dict[str, Callable[[Certificate], str | bytes]] = {
        "--output": partial(proof_content, format=shape)
    }
    if given := [name for name, path in files.items() if path is not None and name not in writers]:
        refutation_writers = proof_writers()
        writers = {**{name: refutation_writers[name] for name in given}, **writers}
    return writers


def _describe_proof(outcome: Outcome, seconds: float) -> str:
    """Describe how a problem was proved, and what was checked."""
    assert outcome.certificate is not None
    kind = outcome.certificate.kind
    if kind == EXHAUSTED:
        return (
            f"searched to the end in {seconds:.3g} s: a second opinion, "
            "which can be repeated but not checked"
        )
    agrees = "; the reference agrees" if outcome.checks.agrees else ""
    note = (outcome.reason or "").removeprefix(outcome.certificate.argument)
    return f"proved by {kind} in {seconds:.3g} s; the certificate was checked{agrees}{note}"
