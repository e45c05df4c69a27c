"""``kt-cp check``: judge a tour made by anyone, or a certificate that there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.array import in_memory, opened
from kt_cp.cli.array import judged as judged_array
from kt_cp.cli.claimed import claims_of, judged_tour, problem_of
from kt_cp.cli.files import shown
from kt_cp.cli.judgement import (
    ProofJudgement,
    TourJudgement,
    ToursJudgement,
    certificate_of,
    is_certificate,
    judged,
)
from kt_cp.cli.options import Force, separate
from kt_cp.cli.output import BUG, FOUND, NO, UNKNOWN, read_bytes, say, show
from kt_cp.cli.question import Question, asks
from kt_cp.cli.refuted import Cnf, Drat, Files, Lrat, files_of
from kt_cp.model.errors import InputError
from kt_cp.processes.checker import program_of


@asks(
    board=typer.Option(metavar="BOARD", help="Default: the file's", show_default=False),
    closed=typer.Option("--closed/--open", help="Default: as the file says, else open"),
)
def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, .npy, a certificate, tours in JSON lines,"
            " or what kt-cp reference prints; - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    question: Question,
    json: Annotated[bool, typer.Option("--json", help="For programs")] = False,
    checker: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="CHECKER",
            help="Hand a refutation to cake_lpr, lrat-check or drat-trim as well, if on the PATH",
        ),
    ] = None,
    tours: Annotated[
        Path | None,
        typer.Option(metavar="TOURS", help="The tours of a certificate that has them beside it"),
    ] = None,
    cnf: Cnf = None,
    drat: Drat = None,
    lrat: Lrat = None,
    force: Force = False,
) -> int:
    """Judge a tour, or a certificate that there is none: exits with 0 if it is one, 1 if not.

    With --board the options state the whole question, and an option that is not given means its
    default. Without it they change what the file says of a tour; a list of squares alone is on the
    smallest board that holds them. A certificate is accepted for exactly the question that any
    options state, on its own board where they name none, and for its own question without options.
    Where another checker is asked as well, 70 says that it refuses what is accepted here, 3 that
    it comes to no end.
    """
    if checker is not None:
        program_of(checker)
    files = files_of(cnf, drat, lrat)
    separate({**files, "--tours": tours})
    if file == tours:
        raise InputError(f"FILE and --tours name one file: {file}")
    with Files(files, force=force) as places:
        return _checked(file, question, json, checker, tours, places)


def _checked(
    file: Path,
    question: Question,
    json: bool,
    checker: str | None,
    tours: Path | None,
    places: Files,
) -> int:
    """What it says, and the files that were asked for; the exit code."""
    told: TourJudgement | ToursJudgement | ProofJudgement
    array = opened(file)
    data = b"" if array else read_bytes(file)
    if array := array or in_memory(data):
        with array:
            told = judged_array(array, question.problem_on_board)
    elif is_certificate(data):
        beside = None if tours is None else read_bytes(tours, "tours")
        told = judged(data, question, checker, beside, file=shown(file))
        if places and (certificate := certificate_of(data, told, str(places), beside)) is not None:
            places.write(certificate)
    else:
        judgements = (
            # Of many, nobody asks whether each would be closed as well.
            judged_tour(problem_of(claim, question), claim.squares, alone=number == 0)
            for number, claim in enumerate(claims_of(data, question))
        )
        told = ToursJudgement.of(judgements)
    if not isinstance(told, ProofJudgement) and (checker is not None or places or tours):
        option = f"--with {checker}" if checker else str(places) if places else "--tours"
        raise InputError(f"{option}: expected a certificate, got a tour")
    show(told.to_json()) if json else say(told.words())
    word = told.word if isinstance(told, ProofJudgement) else None
    if word is not None and not word.accepted:
        return UNKNOWN if word.accepted is None else BUG
    return FOUND if told.valid else NO
