"""``kt-cp sample``: tours drawn at random, each as likely as any other."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.listed import written
from kt_cp.cli.numbered import Kept, Method, line_of, no_tour, numbered, remark_on
from kt_cp.cli.options import (
    Executor,
    Force,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    format_of,
    format_option,
)
from kt_cp.cli.output import FOUND, NO, destination
from kt_cp.cli.question import Question, asks
from kt_cp.formats.table import Format, Subject, check_size, usual
from kt_cp.model.terms import counted


@asks()
def command(
    question: Question,
    *,
    number: Annotated[int, typer.Option(metavar="K", min=1, help="How many tours to draw")] = 1,
    seed: Seed = 0,
    method: Method = "auto",
    store: Kept = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    executor: Executor = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid; names on a graph")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="JSON lines: one a tour, and a last one with totals")
    ] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    """Draw tours at random: each is as likely as any other, and may be drawn again.

    All tours are counted first, so that a number drawn is a tour drawn; a tour and its reverse are
    one, and so is a closed tour wherever it begins. The same seed draws the same tours.

    Exits with 0 if there is any tour, 1 if there is none, 3 if a time limit came first.
    """
    problem = question.problem()
    shape = format_of(format, json, output, Subject.TOURS, usual(problem))
    check_size(problem, shape)
    from kt_cp.processes.executors import opened

    with (
        Deadline(time_limit),
        destination(output, force=force) as place,
        opened(executor) as pool,
    ):
        tours = numbered(problem, time_limit, memory_limit, method, store)
        if not tours.size:
            no_tour(tours, json=shape is Format.JSON)
            return NO
        from kt_cp.counting.numbering import draw_numbers, unrank_all
        from kt_cp.sources.registry import find_source

        program, read = find_source("all"), True
        ranks = draw_numbers(tours, number, seed)
        with closing(unrank_all(tours, ranks, pool)) as found:
            for at, (rank, tour) in enumerate(zip(ranks, found, strict=True), start=1):
                said = {"rank": rank} if shape is Format.JSON else {}
                text = written(problem, tour, at, shape, program, **said)
                if not (read := place.add(text)):
                    break
        if read and shape is Format.JSON:
            place.add(line_of(tours, drawn=number, seed=seed))
        place.finish()
    if read:
        remark_on(
            tours, f"{counted(number, 'tour')} drawn with seed {seed}, each as likely as any,"
        )
    return FOUND
