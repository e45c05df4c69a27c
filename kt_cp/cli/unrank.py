"""``kt-cp unrank``: the tour of a number, which ``kt-cp rank`` tells."""

from __future__ import annotations

from typing import Annotated

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.listed import written
from kt_cp.cli.numbered import Kept, Method, line_of, no_tour, numbered, remark_on
from kt_cp.cli.options import Force, MemoryLimit, Output, TimeLimit, format_of, format_option
from kt_cp.cli.output import FOUND, NO, destination
from kt_cp.cli.question import Question, asks
from kt_cp.formats.table import Format, Subject, check_size, usual
from kt_cp.formats.write import tour_grid
from kt_cp.model.board import shorten
from kt_cp.model.document import node_name
from kt_cp.model.errors import InputError

DIGITS = 4_000
"""Of a number: fewer than Python turns into an integer, more than any count that ends."""


@asks()
def command(
    question: Question,
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="From 0 to one below the count")],
    *,
    method: Method = "auto",
    store: Kept = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid; names on a graph")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One line, which check and rank read")
    ] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    """Show the tour of a number, from 0 on, among all tours of a problem.

    Exits with 0 for a tour, 1 if there is none at all, 2 if there is none of that number, 3 if a
    time limit came first.
    """
    digits = number.replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS):
        raise InputError(f"expected the number of a tour, from 0, got {shorten(number)!r}")
    problem, wanted = question.problem(), int(digits)
    shape = format_of(format, json, output, Subject.TOURS, usual(problem))
    check_size(problem, shape)
    with destination(output, force=force) as place:
        with Deadline(time_limit):
            tours = numbered(problem, time_limit, memory_limit, method, store)
        if not tours.size:
            no_tour(tours, json=shape is Format.JSON)
            return NO
        tour = tours[wanted]
        if shape is Format.JSON:
            names = [node_name(problem, square) for square in tour.squares]
            place.write(line_of(tours, number=wanted, tour=names))
        elif shape is Format.GRID and problem.board is not None:  # alone, as solve shows it
            place.write(tour_grid(problem.board, tour.squares) + "\n")
        else:
            from kt_cp.sources.registry import find_source

            place.write(written(problem, tour, wanted, shape, find_source("all")))
    remark_on(tours, f"number {wanted:,}, from 0,")
    return FOUND
