"""``kt-cp check``: judge a tour made by anyone, or a certificate that there is none."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from kt_cp.board import Board, describe, parse_squares
from kt_cp.cli.certificate import Asked, is_certificate, judged
from kt_cp.cli.exits import FOUND, NO
from kt_cp.cli.options import End, Missing, Start, square_of
from kt_cp.cli.output import read_bytes, show
from kt_cp.errors import BoardError
from kt_cp.formats.read import Claim, read_tour
from kt_cp.problem import Problem
from kt_cp.verify import Defect, defects


def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid or a certificate; - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    board: Annotated[
        str | None,
        typer.Option(metavar="BOARD", help="Where the file does not say", show_default=False),
    ] = None,
    closed: Annotated[
        bool | None, typer.Option("--closed/--open", help="Where the file does not say: open")
    ] = None,
    start: Start = None,
    end: End = None,
    missing: Missing = "",
    json: Annotated[bool, typer.Option("--json", help="For programs")] = False,
) -> int:
    """Judge a tour, or a certificate that there is none: exits with 0 if it is one, 1 if not.

    Options override what the file says.  Without a board, the smallest that holds all squares of a
    tour is meant; a certificate has to be about the board that is asked for.
    """
    data = read_bytes(file)
    if is_certificate(data):
        asked = Asked(board, closed, square_of(start, "start"), square_of(end, "end"), missing)
        judgement = judged(data, asked)
        show(judgement.to_json() if json else judgement.words())
        return FOUND if judgement.valid else NO
    claim = read_tour(data)
    problem = _problem(claim, board, closed, start, end, missing)
    found = defects(problem, claim.squares)
    if json:
        text = json_module.dumps(_document(problem, claim, found), indent=2, ensure_ascii=False)
    elif found:
        many = f"{len(found)} defect{'s' * (len(found) > 1)}"
        text = "\n  ".join([f"Not a tour ({problem.label}): {many}", *map(str, found)])
    else:
        many = f"{len(claim.squares)} square{'s' * (len(claim.squares) > 1)}"
        text = f"A tour ({problem.label}): {many}{_also(problem, claim)}"
    show(text + "\n")
    return NO if found else FOUND


def _problem(
    claim: Claim,
    board: str | None,
    closed: bool | None,
    start: str | None,
    end: str | None,
    missing: str,
) -> Problem:
    if board is not None:
        the_board = Board.parse(board, missing)
    elif claim.board is not None:
        the_board = claim.board if not missing else Board.parse(str(claim.board), missing)
    else:
        the_board = _smallest(claim, missing)
    first, last = square_of(start, "start"), square_of(end, "end")
    if last is None and not closed:  # asked for as a closed tour, a file's own end plays no part
        last = claim.end
    return Problem(
        the_board,
        closed=bool(claim.closed) if closed is None else closed,
        start=claim.start if first is None else first,
        end=last,
    )


def _smallest(claim: Claim, missing: str) -> Board:
    if not claim.squares:
        raise BoardError("expected --board for a tour without squares")
    rows = max(row for row, _ in claim.squares) + 1
    columns = max(column for _, column in claim.squares) + 1
    if rows < 1 or columns < 1:
        raise BoardError(f"expected --board for squares off every board, got {claim.squares[0]}")
    return Board(rows, columns, frozenset(parse_squares(missing)))


def _also(problem: Problem, claim: Claim) -> str:
    """Whether an open tour is a closed one as well."""
    if problem.closed or problem.end is not None:
        return ""
    as_closed = Problem(problem.board, closed=True, start=problem.start)
    return "" if defects(as_closed, claim.squares) else ", closed as well"


def _document(problem: Problem, claim: Claim, found: list[Defect]) -> dict[str, object]:
    from kt_cp.formats.json import SCHEMA_VERSION, problem_document

    return {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(problem),
        "squares": len(claim.squares),
        "start": describe(claim.squares[0]) if claim.squares else None,
        "end": describe(claim.squares[-1]) if claim.squares else None,
        "valid": not found,
        "defects": [
            {"rule": defect.rule.value, "step": defect.step, "text": defect.text}
            for defect in found
        ],
    }
