"""``kt-cp export``: a problem as a file for other programs.

``kt-cp decode``: the answer of any SAT solver to an exported formula, read and judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from kt_cp.cli.options import (
    Force,
    Json,
    Output,
    check_output_files,
    complete_from,
    format_of,
    format_option,
)
from kt_cp.cli.output import FOUND, NO, destination, read_bytes, remark, shorten_path
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import EXIT_CODES, check_fits, report_outcome, write_outcome
from kt_cp.formats.table import Format, Subject, default_format, formats_of, writer_of
from kt_cp.model.errors import FormulaFileError, InputError, TourFileError
from kt_cp.model.limits import Limits

FORMULAS = (Format.DIMACS, Format.OPB)


@with_problem_options()
def export_command(
    question: ProblemOptions,
    *,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Encoding of dimacs and opb: see kt-cp encodings",
            show_default="lazy, or the first that supports the conditions",
            autocompletion=complete_from(lambda: import_module("kt_cp.encodings").encoding_names()),
        ),
    ] = None,
    format: Annotated[
        Format | None, format_option(Subject.PROBLEM, "Default: dimacs, or by the suffix of FILE")
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
    """Export a problem as a formula, model or graph for other programs.

    dimacs: a formula for any SAT solver; kt-cp decode reads the solver's answer. opb: the same
    formula for pseudo-Boolean solvers. cpsat: the model of engine cpsat, as a text proto. graph6:
    the graph of moves, squares in reading order from a1. tsplib: a Hamiltonian cycle problem (HCP)
    with its vertices in the same order, from 1. A directed graph is written as digraph6, or in its
    undirected form as tsplib, but not as a formula. A file whose name ends with .gz, such as
    f8.cnf.gz, is compressed.
    """
    shape = format_of(format, False, output, Subject.PROBLEM, Format.DIMACS)
    if encoding is not None and shape not in FORMULAS:
        raise InputError(f"--encoding is for dimacs and opb: expected none with {shape.value}")
    if tours is not None:
        from kt_cp.encodings import FOR_PROOFS

        if encoding != FOR_PROOFS:
            raise InputError(f"--tours: expected --encoding {FOR_PROOFS} beside it")
        if shape is not Format.DIMACS:
            raise InputError(f"--tours: expected dimacs, got {shape.value}")
    problem = question.problem()
    options: dict[str, Any] = {}
    if shape in FORMULAS:
        from kt_cp.encodings import encoding_for

        options["encoding"] = encoding or encoding_for(problem)
    if tours is not None:
        from kt_cp.formats.read import read_tours

        try:
            options["tours"] = read_tours(read_bytes(tours, "tours"))
        except TourFileError as error:
            raise TourFileError(f"{shorten_path(tours)}: {error}") from None
    with destination(output, force=force) as place:
        for piece in writer_of(shape)(problem, **options):
            if not place.add(piece):
                break
        place.finish()
    if output is not None and "encoding" in options:
        from kt_cp.encodings import get_encoding

        made = get_encoding(options["encoding"])
        several = "; a model may have several cycles, which kt-cp decode --cuts rules out"
        remark(f"{problem.label}: encoding {made.name}{several * made.two_factors}")
    return 0


MOST_FORMULA = 1 << 29
"""Most bytes of a formula that is read; the largest that is exported takes about half."""

_CERTIFICATE_FORMATS = frozenset(formats_of(Subject.TOUR)) & frozenset(formats_of(Subject.PROOF))
"""Formats in which a certificate replaces a tour, as ``prove`` writes it."""


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    """Add the name of the file to an error."""
    try:
        yield
    except FormulaFileError as error:
        raise FormulaFileError(f"{path}: {error}") from None


def decode_command(
    formula: Annotated[
        Path, typer.Argument(help="Written by kt-cp export; - for stdin", metavar="FORMULA")
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
        Format | None, format_option(Subject.TOUR, "Default: grid, or by the suffix of FILE")
    ] = None,
    json: Json = False,
    output: Output = None,
    cuts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="If the model has several cycles, write the formula with their cuts to FILE",
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
        float | None, typer.Option(metavar="SECONDS", help="Time limit of the check of the proof")
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(metavar="MB", help="Memory limit of the check of the proof")
    ] = None,
    force: Force = False,
) -> int:
    """Turn a SAT solver's answer to an exported formula into a tour, and judge it.

    Exits with 0 for a tour, 1 if the solver claims that there is none, 3 if it does not know, or
    if its model has several cycles. --cuts FILE writes a formula that excludes these cycles. With
    --proof a "no" is a checked certificate, which -o no.json saves. If the formula excludes tours,
    a "no" with a proof is a certificate that there are no others, and the exit code is 0. Without
    a proof it is 1.
    """
    from kt_cp.formats.decode import (
        MOST_BYTES,
        certify_proof,
        check_provable,
        decode_answer,
        read_answer,
    )
    from kt_cp.formats.formula import formula_pieces, read_formula
    from kt_cp.formats.write import proof_content

    limits = Limits(time_limit, memory_limit)
    check_output_files(output, cuts=cuts)
    if [formula, answer, proof].count(Path("-")) > 1:
        raise InputError(
            "expected at most one of FORMULA, ANSWER and --proof from stdin, got several -"
        )
    shape = format_of(format, json, output, Subject.TOUR, Format.GRID)
    with destination(output, force=force) as place, destination(cuts, force=force) as cut_file:
        with _naming_file(formula):
            stated, literals = read_formula(read_bytes(formula, "a formula", MOST_FORMULA))
            if proof is not None:
                check_provable(stated)
        if shape is Format.GRID and format is None:
            shape = default_format(stated.problem)
        check_fits(stated.problem, shape, output)
        proved = None
        with _naming_file(answer):
            solver_answer = read_answer(read_bytes(answer, "an answer"), literals.variables)
        if proof is not None and solver_answer.satisfiable is False:
            with _naming_file(proof):
                proved = certify_proof(stated, read_bytes(proof, "a proof", MOST_BYTES), limits)
        if stated.tours and proved is not None and proved.certificate is not None:
            proof_format = shape if shape in _CERTIFICATE_FORMATS else Format.TEXT
            place.write(proof_content(proved.certificate, proof_format))
            remark(f"{stated.problem.label}: {proved.certificate.claim}; a checked certificate")
            return FOUND
        with _naming_file(answer):
            found = decode_answer(stated, literals, solver_answer, proved)
        outcome = found.outcome
        if found.cuts and cuts is not None:
            for piece in formula_pieces(stated.with_cuts(found.cuts)):
                cut_file.add(piece)
            cut_file.finish()
        as_certificate = outcome.certificate is not None and shape in _CERTIFICATE_FORMATS
        if outcome.certificate is not None and as_certificate:
            place.write(proof_content(outcome.certificate, shape))
        else:
            write_outcome(place, outcome, shape)
    hint = ""
    if found.cuts:
        hint = "; --cuts FILE writes the formula with them, to be solved again"
        hint = hint if cuts is None else f"; {cuts} is the formula with them, to be solved again"
    if stated.tours and outcome.tour is not None:
        remark(f"kt-cp: {stated.excluding} are not all: this is another")
    report_outcome(
        outcome, answered=(shape is Format.JSON or as_certificate) and output is None, hint=hint
    )
    if cuts is not None and not found.cuts:
        remark(f"kt-cp: nothing was written to {cuts}: no cuts are needed")
    claimed = bool(stated.tours) and solver_answer.satisfiable is False and proved is None
    return NO if claimed else EXIT_CODES[outcome.verdict]
