"""``kt-cp check``: judge a tour made by anyone, or a certificate that there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kt_cp.board import Board, Square, describe, parse_squares
from kt_cp.cli.array import in_memory, opened
from kt_cp.cli.array import judged as judged_array
from kt_cp.cli.certificate import Asked, is_certificate, judged
from kt_cp.cli.exits import FOUND, NO
from kt_cp.cli.judgement import Judgement
from kt_cp.cli.options import End, Missing, Start, square_of
from kt_cp.cli.output import read_bytes, show
from kt_cp.errors import BoardError
from kt_cp.formats.read import Claim, read_tour
from kt_cp.problem import Problem
from kt_cp.verify import defects


def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, .npy or a certificate; - for stdin",
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
    array = opened(file)
    data = b"" if array else read_bytes(file)
    if array := array or in_memory(data):
        with array:
            told = judged_array(
                array,
                lambda sides: _problem(Claim([], sides), board, closed, start, end, missing),
            )
    elif is_certificate(data):
        asked = Asked(board, closed, square_of(start, "start"), square_of(end, "end"), missing)
        judgement = judged(data, asked)
        show(judgement.to_json() if json else judgement.words())
        return FOUND if judgement.valid else NO
    else:
        claim = read_tour(data)
        told = _judged(_problem(claim, board, closed, start, end, missing), claim.squares)
    show(told.to_json() if json else told.words())
    return NO if told.found else FOUND


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


def _judged(problem: Problem, squares: list[Square]) -> Judgement:
    found = defects(problem, squares)
    closes = not found and problem.closed
    if not found and not problem.closed and problem.end is None:
        closes = not defects(Problem(problem.board, closed=True, start=problem.start), squares)
    return Judgement(
        problem,
        found,
        squares=len(squares),
        start=describe(squares[0]) if squares else None,
        end=describe(squares[-1]) if squares else None,
        closes=closes,
    )
