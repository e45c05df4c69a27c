"""``kt-cp enumerate``: list all tours as they are found, or count them one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Executor,
    Force,
    Output,
    TimeLimit,
    check_output_files,
    format_of,
    format_option,
)
from kt_cp.cli.output import (
    FOUND,
    NO,
    UNKNOWN,
    OutputFile,
    destination,
    print_text,
    remark,
    search_progress,
)
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import (
    Answer,
    certify_tours,
    count_answer,
    enumeration_summary,
    expect_single_graph,
    list_tours,
    wants_json_lines,
    write_answers,
    write_certificate,
)
from kt_cp.formats.table import Format, Subject, check_size, default_format
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.sources.registry import SOURCE_NAMES

if TYPE_CHECKING:
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.tour import Tour


SMALL_BOARD = 36
"""Squares of a board whose tours are counted within seconds, whatever its shape."""

LONG_WORK, HOPELESS_WORK = 1e10, 1e16
"""Squares to place: a count of more than a quarter of an hour is announced, one of decades is
refused.  Estimates are often a hundredth of the truth, but hardly ever a thousand times it."""


@with_problem_options(but="directed")
def enumerate_command(
    question: ProblemOptions,
    *,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"Use a source program's order of moves and output: {SOURCE_NAMES}"
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="K", min=1, help="Stop after K tours")
    ] = None,
    directed: Annotated[
        bool | None,
        typer.Option(
            "--directed/--undirected",
            help="Whether a tour and its reverse are two tours. Default: yes for open tours without"
            " --unique, and always on a digraph. --directed also reads the edges of a file that"
            " does not state it, such as an edge list, as arcs",
            show_default=False,
        ),
    ] = None,
    unique: Annotated[
        bool,
        typer.Option(
            "--unique", help="One tour of each symmetry class, with the size of the class"
        ),
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Only count them, on all processors")
    ] = False,
    time_limit: TimeLimit = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1024,
            help="Threads of --count, or tasks of --executor at a time; default: one per processor",
        ),
    ] = None,
    executor: Executor = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid, or source with --source")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="JSON lines: one for each tour, then one with totals")
    ] = False,
    output: Output = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the tours and a proof that there are no others"),
    ] = None,
    tours: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the tours of the certificate to a file of their own"
        ),
    ] = None,
    force: Force = False,
) -> int:
    """List all tours as they are found, or count them.

    Exits with 0 if there is a tour, 1 if there is none, 3 if the time limit was reached or no
    certificate was found for --certificate.
    """
    if count and (limit is not None or format not in (None, Format.JSON)):
        raise InputError("--count lists no tours: expected neither --limit nor --format beside it")
    if certificate is not None and (count or unique or limit is not None):
        raise InputError("--certificate is about all tours: expected no --count, --unique, --limit")
    if tours is not None and certificate is None:
        raise InputError("--tours: expected --certificate beside it")
    check_output_files(output, certificate=certificate, tours=tours)
    question = replace(question, arcs=directed is True)
    from kt_cp.enumeration import Enumeration
    from kt_cp.processes import executors
    from kt_cp.sources.registry import find_source

    program = find_source("all" if source is None else source)
    if (problems := question.problems()) is not None:
        if not count:
            raise InputError("expected --count with one graph per line, got none")
        wants_json_lines(format, Format.NAMES)
        expect_single_graph(executor=executor)

        def summarize(enumeration: Enumeration, number: int, complete: bool) -> Answer:
            line = f"{number}"
            if json:
                line = enumeration_summary(enumeration, Format.JSON, program, number)
            return count_answer(line, number, complete=complete)

        def answer(problem: Problem, deadline: Deadline) -> Answer:
            enumeration = Enumeration(problem, directed=directed, unique=unique)
            number = enumeration.count(deadline.limits().clock().expired, workers)
            return summarize(enumeration, number, enumeration.complete)

        def timed_out(problem: Problem) -> Answer:
            return summarize(Enumeration(problem, directed=directed, unique=unique), 0, False)

        return write_answers(problems, answer, timed_out, output, time_limit, force=force)
    with Deadline(time_limit) as deadline, ExitStack() as opened:
        problem = question.problem()
        default = Format.SOURCE if source is not None else default_format(problem)
        shape = format_of(format, json, output, Subject.TOURS, default)
        if problem.board is None:
            if source is not None:
                raise InputError(f"--source: expected a board, got {problem.label}")
            check_size(problem, shape)
        enumeration = Enumeration(
            problem, program.candidates(problem), directed=directed, unique=unique
        )
        work = _estimate_work(enumeration) if count and time_limit is None else None
        is_expired = deadline.limits().clock().expired
        progress: dict[str, float] = {"tours": 0}
        all_tours: list[Tour] | None = None if certificate is None else []
        file = destination(output, force=force)
        opened.push(file)
        proof_file, tours_file = (
            None if path is None else opened.enter_context(OutputFile(path, force=force))
            for path in (certificate, tours)
        )
        opened.enter_context(_report_stop(problem.label, progress))
        pool = opened.enter_context(executors.open_executor(executor, workers))
        if count:
            with search_progress(problem.label, time_limit, work, last=False) as show:

                def record(done: Mapping[str, float | None]) -> None:
                    progress.update({name: value or 0 for name, value in done.items()})
                    if show is not None:
                        show(done)

                number = enumeration.count(is_expired, workers, record, executor=pool)
        elif list_tours(
            file, enumeration, shape, program, limit, is_expired, progress, all_tours, pool
        ):
            number = int(progress["tours"])
        else:
            file.finish()
            return FOUND  # the reader has closed the pipe
        summary = enumeration_summary(enumeration, shape, program, number)
        if output is None and shape is not Format.JSON:
            print_text(summary)
        else:
            file.add(summary)
        file.finish()
        proof = None
        if proof_file is not None and all_tours is not None and enumeration.complete:
            proof = certify_tours(enumeration, all_tours, deadline.limits().clock())
            if proof is not None:
                write_certificate(proof, proof_file, tours_file)
    if enumeration.placed:
        remark(f"{enumeration.placed:,} squares placed")
    if number == limit and not enumeration.complete:
        remark(f"stopped at --limit {limit}; there may be more")
    elif not enumeration.complete:
        remark(
            f"kt-cp: stopped after {time_limit:g} s: {number:,} so far, and there may be more",
            always=True,
        )
        return UNKNOWN
    if certificate is not None and proof is None:
        remark("kt-cp: no certificate was found")
        return UNKNOWN
    return FOUND if number else NO


def _estimate_work(enumeration: Enumeration) -> float | None:
    """Estimate the squares that a count places; print a large number, refuse a hopeless one."""
    problem = enumeration.problem
    if problem.size <= SMALL_BOARD:
        return None
    placed = enumeration.work()
    if placed is None:
        return None
    if placed > LONG_WORK:
        more = " or more" if placed >= HOPELESS_WORK else ""
        remark(
            f"{problem.label}: about 10^{math.log10(placed):.0f}{more} squares to place, "
            "at about ten million a second"
        )
    if placed > HOPELESS_WORK:
        raise TooLargeError(
            f"{problem.label}: this count would take longer than a lifetime; use --time-limit "
            "SECONDS to stop it, or --limit K to list some tours"
        )
    return placed


@contextmanager
def _report_stop(label: str, progress: Mapping[str, float]) -> Iterator[None]:
    """Print the number of tours so far on Ctrl-C and at the end of the time limit."""
    try:
        yield
    except (KeyboardInterrupt, TimeLimitReachedError):
        remark(
            f"{label}: {counted(int(progress['tours']), 'tour')} so far, and there may be more",
            always=True,
        )
        raise
