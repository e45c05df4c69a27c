"""``kt-cp prove``: ask for a proof that there is no tour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.check import Cnf, Drat, Lrat, proof_files, proof_writers
from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Force,
    Json,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    format_of,
    format_option,
    separate,
)
from kt_cp.cli.output import (
    FOUND,
    NO,
    UNKNOWN,
    OutputFile,
    StandardOutput,
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

EXHAUSTED, REFUTATION = "exhausted", "refutation"
"""Kinds of evidence that are treated apart, named here because commands load nothing early."""


@with_problem_options()
def prove_command(
    question: ProblemOptions,
    *,
    evidence: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Such as colours, removal, tight or refutation",
            show_default="the first that works",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    seed: Seed = 0,
    format: Annotated[
        Format | None,
        format_option(
            Subject.PROOF,
            "json: the certificate; svg: the argument as a picture. "
            "Default: text, or what FILE's name ends with",
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

    Exits with 0 for a proof, 1 if there is a tour, which is then shown, 3 if neither was found.
    """
    from kt_cp.engines.engine import out_of_time
    from kt_cp.engines.prove import prove, prove_within
    from kt_cp.formats.write import proof_line
    from kt_cp.proofs.obstructions import obstruction

    shape = format_of(format, json, output, Subject.PROOF, Format.TEXT)
    files = {**proof_files(cnf, drat, lrat), "--output": output}
    separate(files)
    if (problems := question.each()) is not None:
        expect_single_graph(
            **{name.removeprefix("--"): files[name] for name in ("--cnf", "--drat", "--lrat")}
        )
        lines = wants_json_lines(shape, Format.TEXT)

        def answer_line(problem: Problem) -> Answer:
            outcome = prove(
                problem, evidence, time_limit=time_limit, memory_limit=memory_limit, seed=seed
            )
            return verdict_answer(outcome, PROOF_EXIT_CODES[outcome.verdict], json=lines)

        return write_answers(problems, answer_line, output, force=force)
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
            check_size(problem, Format.JSON)  # of the tour that there may be
        told = _writers(shape, problem, files)
        with ExitStack() as opened:
            places: dict[str, OutputFile | StandardOutput] = {}
            for name in told:
                places[name] = destination(files[name], force=force)
                opened.push(places[name])
            try:
                with search_progress(problem.label, time_limit) as progress:
                    limits = deadline.limits(memory_limit)
                    outcome = prove_within(problem, evidence, limits, seed=seed, progress=progress)
            except TimeLimitReachedError:
                outcome = out_of_time("prove", problem, Limits(time_limit), {}, seed)
            seconds = outcome.seconds
            if outcome.certificate is not None:
                texts = {name: write(outcome.certificate) for name, write in told.items()}
                deadline.lift()
                for name, text in texts.items():
                    if name == "--output" and output is None and shape is Format.TEXT:
                        print_text(str(text))
                    else:
                        places[name].write(text)
        # The files are for proofs. What a program has asked for, it gets all the same.
        answer = ""
        if outcome.certificate is None and (json or format is Format.JSON):
            answer = outcome_text(outcome, Format.JSON)
        elif outcome.verdict is Verdict.FOUND and problem.size <= MOST_SQUARES:
            drawn = format is Format.SVG and output is None
            answer = outcome_text(outcome, Format.SVG if drawn else default_format(problem))
    if outcome.certificate is not None:
        if output is not None:  # the file is for later, the line for now
            print_text(proof_line(outcome.certificate))
        remark(f"{problem.label}: {_describe_proof(outcome, seconds)}")
        return FOUND
    if answer:
        print_result(answer)
    elif outcome.verdict is Verdict.FOUND:
        print_text(
            f"There is a tour ({problem.label}): kt-cp locate shows its squares one by one.\n"
        )
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: not proved: {outcome.reason}")
        return UNKNOWN
    unwritten = " and ".join(str(path) for path in files.values() if path is not None)
    but = f"; nothing was written to {unwritten}" if unwritten else ""
    remark(
        f"{problem.label}: there is a tour, by {outcome.engine} in {seconds:.3g} s; "
        f"{describe_checks(outcome)}{but}"
    )
    return NO


def _writers(
    shape: Format, problem: Problem, files: Mapping[str, Path | None]
) -> dict[str, Callable[[Certificate], str | bytes]]:
    """What goes where, if there is a proof."""
    from kt_cp.formats.write import proof_content
    from kt_cp.render.highlights import check_picture

    if shape is Format.SVG or shape in CONVERTED:
        check_picture(problem)
    told = partial(proof_content, format=shape)
    known: dict[str, Callable[[Certificate], str | bytes]] = {**proof_writers(), "--output": told}
    asked = [name for name, path in files.items() if path is not None or name == "--output"]
    return {name: known[name] for name in asked}


def _describe_proof(outcome: Outcome, seconds: float) -> str:
    """How it was proved, and what was checked."""
    assert outcome.certificate is not None
    kind = outcome.certificate.kind
    if kind == EXHAUSTED:
        return (
            f"searched to the end in {seconds:.3g} s: a second opinion, "
            "which can be run again but not checked"
        )
    agrees = "; the reference agrees" if outcome.checks.agrees else ""
    note = (outcome.reason or "").removeprefix(outcome.certificate.argument)
    return f"proved by {kind} in {seconds:.3g} s; the certificate was checked{agrees}{note}"
