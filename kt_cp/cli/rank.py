"""``kt-cp rank``: the number of a tour among all tours of its problem."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.claimed import judged_tour, problem_of
from kt_cp.cli.numbered import Kept, Method, line_of, numbered, remark_on
from kt_cp.cli.options import MemoryLimit, TimeLimit
from kt_cp.cli.output import FOUND, NO, read_bytes, say, show
from kt_cp.cli.question import Question, asks
from kt_cp.formats.read import read_tour, read_walk


@asks(
    board=typer.Option(metavar="BOARD", help="Where the file does not say", show_default=False),
    closed=typer.Option("--closed/--open", help="Where the file does not say: open"),
)
def command(
    file: Annotated[
        Path,
        typer.Argument(help="An outcome (JSON), names, CSV or a grid; - for stdin", metavar="FILE"),
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
    data = read_bytes(file)
    claim = read_tour(data) if question.graph is None else read_walk(data)
    problem = problem_of(claim, question)
    judged = judged_tour(problem, claim.squares, alone=False)
    if not judged.valid:
        show(judged.to_json()) if json else say(judged.words())
        return NO
    tours = numbered(problem, time_limit, memory_limit, method, store)
    number = tours.index(claim.squares)
    if json:
        show(line_of(tours, number=number))
    else:
        show(f"{number}\n")
        remark_on(tours, f"number {number:,}, from 0,")
    return FOUND
