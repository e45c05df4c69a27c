"""``kt-cp decode``: the answer of any SAT solver to an exported formula, read and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.array import check_fits, write_outcome
from kt_cp.cli.options import (
    Force,
    Json,
    Output,
    file_only,
    format_of,
    format_option,
    separate,
)
from kt_cp.cli.output import OF_VERDICT, destination, read_bytes, remark, tell
from kt_cp.formats.table import Format, Subject
from kt_cp.model.errors import FormulaFileError, InputError

MOST_FORMULA = 1 << 29
"""Bytes of a formula that is read: the largest that is exported takes about half of it."""


def command(
    formula: Annotated[
        Path,
        typer.Argument(help="Written by kt-cp export; - for stdin", metavar="FORMULA"),
    ],
    answer: Annotated[
        Path,
        typer.Argument(
            help="A solver's output: s and v lines, MiniSat's file, or literals; - for stdin",
            metavar="ANSWER",
        ),
    ],
    *,
    format: Annotated[
        Format | None, format_option(Subject.TOUR, "Default: grid, or what FILE's name ends with")
    ] = None,
    json: Json = False,
    output: Output = None,
    cuts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where the model has several cycles, write the formula with their cuts there",
        ),
    ] = None,
    force: Force = False,
) -> int:
    """Turn a SAT solver's answer to an exported formula into a tour, and judge it.

    Exits with 0 for a tour, 1 if the solver claims that there is none, 3 if it does not know, or
    if its model has several cycles, which --cuts FILE rules out for the next run.
    """
    from kt_cp.formats.answer import decoded, read_answer
    from kt_cp.formats.formula import formula_pieces, read_formula

    separate({"--output": output, "--cuts": file_only(cuts, "cuts")})
    if str(formula) == str(answer) == "-":
        raise InputError("expected at least one of FORMULA and ANSWER in a file, got - for both")
    shape = format_of(format, json, output, Subject.TOUR, Format.GRID)
    with destination(output, force=force) as place, destination(cuts, force=force) as kept:
        data = read_bytes(formula, "a formula", MOST_FORMULA)
        try:
            stated, literals = read_formula(data)
        except FormulaFileError as error:
            raise FormulaFileError(f"{formula}: {error}") from None
        problem = stated.problem
        check_fits(problem, shape, output)
        try:
            said = read_answer(read_bytes(answer, "an answer"), literals.variables)
            found = decoded(stated, literals, said)
        except FormulaFileError as error:
            raise FormulaFileError(f"{answer}: {error}") from None
        outcome = found.outcome
        if found.cuts and cuts is not None:
            for piece in formula_pieces(stated.with_cuts(found.cuts)):
                kept.add(piece)
            kept.finish()
        write_outcome(place, outcome, shape)
    hint = ""
    if found.cuts:
        hint = "; --cuts FILE writes the formula with them, to be solved again"
        hint = hint if cuts is None else f"; {cuts} is the formula with them, to be solved again"
    tell(outcome, answered=shape is Format.JSON and output is None, hint=hint)
    if cuts is not None and not found.cuts:
        remark(f"kt-cp: nothing was written to {cuts}: no cuts are needed")
    return OF_VERDICT[outcome.verdict]
