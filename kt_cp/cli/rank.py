"""``kt-cp rank``: the number of a tour, or of each of several, among all tours of its problem."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.claimed import claims_of, judged_tour, problem_of
from kt_cp.cli.deadline import Deadline
from kt_cp.cli.judgement import ToursJudgement
from kt_cp.cli.numbered import Kept, Method, line_of, numbered, remark_on
from kt_cp.cli.options import MemoryLimit, TimeLimit
from kt_cp.cli.output import FOUND, NO, read_bytes, say, show
from kt_cp.cli.question import Question, asks


@asks(
    board=typer.Option(metavar="BOARD", help="Where the file does not say", show_default=False),
    closed=typer.Option("--closed/--open", help="Where the file does not say: open"),
)
def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, or tours in JSON lines, of each of which"
            " the number is told; - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    question: Question,
    method: Method = "auto",
    store: Kept = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    json: Annotated[bool, typer.Option("--json", help="For programs")] = False,
) -> int:
    """Tell the number of a tour, from 0 on, among all tours of its problem; kt-cp unrank has it.

    A tour and its reverse have one number, and so has a closed tour wherever it begins. Options
    override what the file says.

    Exits with 0 for a number, 1 if it is no tour, 3 if a time limit came first.
    """
    found = None
    for at, claim in enumerate(claims_of(read_bytes(file), question), start=1):
        problem = problem_of(claim, question)
        judged = judged_tour(problem, claim.squares, alone=False)
        if not judged.valid:
            told = judged if at == 1 else ToursJudgement(at, judged)
            show(told.to_json()) if json else say(told.words())
            return NO
        if found is None or found.problem != problem:
            with Deadline(time_limit):
                found = numbered(problem, time_limit, memory_limit, method, store)
        number = found.index(claim.squares)
        show(line_of(found, number=number) if json else f"{number}\n")
    if found is not None and not json:
        remark_on(found, f"number {number:,}, from 0," if at == 1 else "numbers, from 0,")
    return FOUND
