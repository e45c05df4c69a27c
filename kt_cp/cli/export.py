"""``kt-cp export``: a problem as a file for programs of others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kt_cp.cli.files import shown
from kt_cp.cli.options import Force, Output, format_of, format_option
from kt_cp.cli.output import destination, read_bytes
from kt_cp.cli.question import Question, asks
from kt_cp.cli.words import completed
from kt_cp.formats.table import Format, Subject, writer_of
from kt_cp.model.errors import InputError, TourFileError


def _encodings() -> list[str]:
    from kt_cp.encodings import encoding_names

    return encoding_names()


@asks()
def command(
    question: Question,
    *,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of dimacs: see kt-cp encodings",
            show_default="the first of them that takes the conditions",
            autocompletion=completed(_encodings),
        ),
    ] = None,
    format: Annotated[
        Format | None,
        format_option(Subject.PROBLEM, "Default: dimacs, or what FILE's name ends with"),
    ] = None,
    tours: Annotated[
        Path | None,
        typer.Option(
            metavar="TOURS",
            help="Tours to exclude, as enumerate writes them: a proof then says that there are no"
            " others. With --encoding certificate",
        ),
    ] = None,
    output: Output = None,
    force: Force = False,
) -> int:
    """Write a problem as a formula, a model or a graph, for programs of others.

    dimacs: a formula for any SAT solver, whose answer kt-cp decode reads. cpsat: the model of
    engine cpsat, as a text proto. graph6: the graph of moves, squares in reading order from a1.
    tsplib: a Hamiltonian cycle problem (HCP), its vertices in the same order, from 1. Of a directed
    graph graph6 is digraph6, tsplib its undirected form, and there is no dimacs.
    """
    shape = format_of(format, False, output, Subject.PROBLEM, Format.DIMACS)
    if encoding is not None and shape is not Format.DIMACS:
        raise InputError(f"--encoding is for dimacs: expected none with {shape.value}")
    if tours is not None:
        from kt_cp.encodings import FOR_PROOFS

        if encoding != FOR_PROOFS:
            raise InputError(f"--tours: expected --encoding {FOR_PROOFS} beside it")
    problem = question.problem()
    options: dict[str, Any] = {}
    if shape is Format.DIMACS:
        from kt_cp.encodings import encoding_for

        options["encoding"] = encoding or encoding_for(problem)
    if tours is not None:
        from kt_cp.formats.read import read_tours

        try:
            options["tours"] = read_tours(read_bytes(tours, "tours"))
        except TourFileError as error:
            raise TourFileError(f"{shown(tours)}: {error}") from None
    with destination(output, force=force) as place:
        for piece in writer_of(shape)(problem, **options):
            if not place.add(piece):
                break
        place.finish()
    return 0
