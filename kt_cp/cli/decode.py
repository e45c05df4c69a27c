"""``kt-cp decode``: the answer of any SAT solver to an exported formula, read and judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.array import check_fits, write_outcome
from kt_cp.cli.options import (
    Force,
    Json,
    Output,
    format_of,
    format_option,
    own_files,
)
from kt_cp.cli.output import FOUND, NO, OF_VERDICT, destination, read_bytes, remark, tell
from kt_cp.formats.table import Format, Subject, formats_of, usual
from kt_cp.model.errors import FormulaFileError, InputError
from kt_cp.model.limits import Limits

MOST_FORMULA = 1 << 29
"""Bytes of a formula that is read: the largest that is exported takes about half of it."""

_OF_PROOFS = frozenset(formats_of(Subject.TOUR)) & frozenset(formats_of(Subject.PROOF))
"""In which a certificate takes the place of a tour: as prove writes it."""


@contextmanager
def _in(path: Path) -> Iterator[None]:
    """Say in which file it is that something is wrong."""
    try:
        yield
    except FormulaFileError as error:
        raise FormulaFileError(f"{path}: {error}") from None


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
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="PROOF",
            help="The solver's proof that there is no model, DRAT or LRAT: it becomes a"
            " certificate. For formulas of --encoding certificate",
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Most time to check the proof")
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(metavar="MB", help="Most memory to check the proof")
    ] = None,
    force: Force = False,
) -> int:
    """Turn a SAT solver's answer to an exported formula into a tour, and judge it.

    Exits with 0 for a tour, 1 if the solver claims that there is none, 3 if it does not know, or
    if its model has several cycles, which --cuts FILE rules out for the next run. With --proof a
    "no" is a checked certificate, which -o no.json keeps. Where the formula excludes tours, a "no"
    with a proof is a certificate that they are all, for which it exits with 0; without one, with 1.
    """
    from kt_cp.formats.decode import MOST_BYTES, check_provable, decoded, proved_by, read_answer
    from kt_cp.formats.formula import formula_pieces, read_formula
    from kt_cp.formats.write import proof_content

    limits = Limits(time_limit, memory_limit)
    own_files(output, cuts=cuts)
    if [formula, answer, proof].count(Path("-")) > 1:
        raise InputError(
            "expected at most one of FORMULA, ANSWER and --proof from stdin, got several -"
        )
    shape = format_of(format, json, output, Subject.TOUR, Format.GRID)
    with destination(output, force=force) as place, destination(cuts, force=force) as kept:
        with _in(formula):
            stated, literals = read_formula(read_bytes(formula, "a formula", MOST_FORMULA))
            if proof is not None:
                check_provable(stated)
        if shape is Format.GRID and format is None:
            shape = usual(stated.problem)
        check_fits(stated.problem, shape, output)
        proved = None
        with _in(answer):
            said = read_answer(read_bytes(answer, "an answer"), literals.variables)
        if proof is not None and said.satisfiable is False:
            with _in(proof):
                proved = proved_by(stated, read_bytes(proof, "a proof", MOST_BYTES), limits)
        if stated.tours and proved is not None and proved.certificate is not None:
            told = shape if shape in _OF_PROOFS else Format.TEXT
            place.write(proof_content(proved.certificate, told))
            remark(f"{stated.problem.label}: {proved.certificate.claim}; a checked certificate")
            return FOUND
        with _in(answer):
            found = decoded(stated, literals, said, proved)
        outcome = found.outcome
        if found.cuts and cuts is not None:
            for piece in formula_pieces(stated.with_cuts(found.cuts)):
                kept.add(piece)
            kept.finish()
        kept_so = outcome.certificate is not None and shape in _OF_PROOFS
        if outcome.certificate is not None and kept_so:
            place.write(proof_content(outcome.certificate, shape))
        else:
            write_outcome(place, outcome, shape)
    hint = ""
    if found.cuts:
        hint = "; --cuts FILE writes the formula with them, to be solved again"
        hint = hint if cuts is None else f"; {cuts} is the formula with them, to be solved again"
    if stated.tours and outcome.tour is not None:
        remark(f"kt-cp: {stated.excluding} are not all: this is another")
    tell(outcome, answered=(shape is Format.JSON or kept_so) and output is None, hint=hint)
    if cuts is not None and not found.cuts:
        remark(f"kt-cp: nothing was written to {cuts}: no cuts are needed")
    claimed = bool(stated.tours) and said.satisfiable is False and proved is None
    return NO if claimed else OF_VERDICT[outcome.verdict]
