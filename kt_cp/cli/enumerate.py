"""``kt-cp enumerate``: every tour there is, one by one as found, or how many."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kt_cp.cli.options import (
    SOURCE_NAMES,
    Executor,
    Force,
    Output,
    TimeLimit,
    format_of,
    format_option,
    own_files,
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
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.tour import Tour


SMALL = 36
"""Squares of a board whose tours are counted in seconds, however they lie."""

RATE = "of which a second takes some ten million"
LONG, HOPELESS = 1e10, 1e16
"""Squares to place: from a quarter of an hour on that is told, and decades are refused.  An
estimate may well be a hundredth of the truth, but hardly ever a thousand times it."""


@with_problem_options(but="directed")
def enumerate_command(
    question: ProblemOptions,
    *,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"A source program's order of moves and way of writing a tour: {SOURCE_NAMES}",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="K", min=1, help="Stop after so many tours")
    ] = None,
    directed: Annotated[
        bool | None,
        typer.Option(
            "--directed/--undirected",
            help="Whether a tour and its reverse are two; by default for open tours without"
            " --unique; on a digraph they always are two. --directed also reads edges of a file"
            " that leaves it open, such as an edge list, as arcs",
            show_default=False,
        ),
    ] = None,
    unique: Annotated[
        bool, typer.Option("--unique", help="One tour of each symmetry class, with its class size")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Only say how many, counted on all processors")
    ] = False,
    time_limit: TimeLimit = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1024,
            help="Threads of --count, or pieces of --executor at a time; by default as processors",
        ),
    ] = None,
    executor: Executor = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid, or source with --source")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="JSON lines: one a tour, and a last one with totals")
    ] = False,
    output: Output = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The tours, and a proof that there are no others"),
    ] = None,
    tours: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The tours of the certificate, beside it in a file of their own"
        ),
    ] = None,
    force: Force = False,
) -> int:
    """List every tour, one by one as found, or count them.

    Exits with 0 if there is any, 1 if there is none, 3 if a time limit came first, or there is no
    certificate where one was asked for.
    """
    if count and (limit is not None or format not in (None, Format.JSON)):
        raise InputError("--count lists no tours: expected neither --limit nor --format beside it")
    if certificate is not None and (count or unique or limit is not None):
        raise InputError("--certificate is about all tours: expected no --count, --unique, --limit")
    if tours is not None and certificate is None:
        raise InputError("--tours: expected --certificate beside it")
    own_files(output, certificate=certificate, tours=tours)
    question = replace(question, arcs=directed is True)
    from kt_cp.enumeration import Enumeration
    from kt_cp.processes import executors
    from kt_cp.sources.registry import find_source

    program = find_source("all" if source is None else source)
    if (problems := question.each()) is not None:
        if not count:
            raise InputError("expected --count with a graph a line, got none")
        wants_json_lines(format, Format.NAMES)
        expect_single_graph(executor=executor)

        def answer(problem: Problem) -> Answer:
            everything = Enumeration(problem, directed=directed, unique=unique)
            clock = Limits(time_limit, None, workers).clock()
            found = everything.count(clock.expired, workers)
            told = (
                enumeration_summary(everything, Format.JSON, program, found) if json else f"{found}"
            )
            return count_answer(told, found, complete=everything.complete)

        return write_answers(problems, answer, output, force=force)
    problem = question.problem()
    commonly = Format.SOURCE if source is not None else default_format(problem)
    shape = format_of(format, json, output, Subject.TOURS, commonly)
    if problem.board is None:
        if source is not None:
            raise InputError(f"--source: expected a board, got {problem.label}")
        check_size(problem, shape)
    everything = Enumeration(problem, program.candidates(problem), directed=directed, unique=unique)
    likely = _estimate_work(everything) if count and time_limit is None else None
    clock = Limits(time_limit, None, workers).clock()
    so_far: dict[str, float] = {"tours": 0}
    kept: list[Tour] | None = None if certificate is None else []
    with ExitStack() as opened:
        place = destination(output, force=force)
        opened.push(place)
        proof, beside = (
            None if path is None else opened.enter_context(OutputFile(path, force=force))
            for path in (certificate, tours)
        )
        opened.enter_context(_report_interrupt(problem.label, so_far))
        pool = opened.enter_context(executors.open_executor(executor, workers))
        if count:
            with search_progress(problem.label, time_limit, likely, last=False) as progress:
                found, read = (
                    everything.count(
                        clock.expired, workers, _recording(so_far, progress), executor=pool
                    ),
                    True,
                )
        else:
            stop = clock.expired
            found, read = list_tours(
                place, everything, shape, program, limit, stop, so_far, kept, pool
            )
        if read:
            told = enumeration_summary(everything, shape, program, found)
            print_text(told) if output is None and shape is not Format.JSON else place.add(told)
        place.finish()
        if proof and kept is not None and everything.complete:
            proved = certify_tours(everything, kept, clock)
            if proved is not None:
                write_certificate(proved, proof, beside)
    if not read:
        return FOUND
    if everything.placed:
        remark(f"{everything.placed:,} squares placed")
    if found == limit and not everything.complete:
        remark(f"stopped at --limit {limit}; there may be more")
    elif not everything.complete:
        remark(f"kt-cp: stopped after {time_limit:g} s: {found:,} so far, and there may be more")
        return UNKNOWN
    if proof and proved is None:
        remark("kt-cp: no certificate was found")
        return UNKNOWN
    return FOUND if found else NO


def _estimate_work(everything: Enumeration) -> float | None:
    """How many squares a count will place: told where they are many, and refused where too many."""
    problem = everything.problem
    if problem.size <= SMALL:
        return None
    placed = everything.work()
    if placed is None:
        return None
    if placed > LONG:
        more = " or more" if placed >= HOPELESS else ""
        remark(f"{problem.label}: about 10^{math.log10(placed):.0f}{more} squares to place, {RATE}")
    if placed > HOPELESS:
        raise TooLargeError(
            f"{problem.label}: this count would not end in a lifetime; "
            "--time-limit SECONDS counts for so long, --limit K lists so many"
        )
    return placed


def _recording(so_far: dict[str, float], progress: Progress | None) -> Progress:
    """Keep what a count has found so far, and show it where somebody watches."""

    def note(work: Mapping[str, float | None]) -> None:
        so_far.update({name: value or 0 for name, value in work.items()})
        if progress is not None:
            progress(work)

    return note


@contextmanager
def _report_interrupt(label: str, so_far: Mapping[str, float]) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        remark(f"{label}: {counted(int(so_far['tours']), 'tour')} so far, and there may be more")
        raise
