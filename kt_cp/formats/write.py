"""Tours and outcomes as text: a grid of step numbers, names of squares, CSV, JSON, pictures.

The keys of JSON, one object an outcome, are fixed by ``SCHEMA_VERSION``.

Outcomes and certificates as files, in the format that the name of the file stands for.

What was done to check an answer, and what a certificate that was accepted says, in words.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, repeat
from os import PathLike
from pathlib import Path
from typing import Any

from kt_cp.formats.table import (
    CONVERTED,
    HOLE,
    Format,
    Subject,
    check_size,
    format_of_path,
    formats_of,
    suffixes_of,
    writer_of,
)
from kt_cp.model.board import Board, Square, file_name
from kt_cp.model.document import check_names, problem_document
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Certificate, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.terms import claim_of
from kt_cp.model.tour import Tour

SCHEMA_VERSION = 1

_LABELS_ON_BOTH_SIDES = 24


def outcome_text(outcome: Outcome, format: Format) -> str:
    r"""Text of an outcome, ending with a newline.

    >>> from kt_cp import Board, Problem, solve
    >>> outcome_text(solve(Problem(Board(1, 1))), Format.NAMES)
    'a1\n'
    """
    if format not in formats_of(Subject.TOUR):
        raise ValueError(f"expected a format of tours, got {format.value}")
    tour = outcome.tour
    if tour is not None and tour.computed:  # its squares are taken from the array that was judged
        from kt_cp.model.arrays import squares_in

        tour = replace(tour, squares=squares_in(tour.to_array()))
        outcome = replace(outcome, tour=tour)
    text: str = writer_of(format)(outcome)
    return text


def json_line(outcome: Outcome) -> str:
    """Its JSON."""
    return outcome_json(outcome) + "\n"


def csv_rows(outcome: Outcome) -> str:
    """Its tour as :func:`tour_csv` has it."""
    return tour_csv(_tour(outcome, Format.CSV))


def names(outcome: Outcome) -> str:
    """Its tour as :func:`tour_names` has it."""
    return tour_names(_tour(outcome, Format.NAMES)) + "\n"


def grid(outcome: Outcome) -> str:
    """Its tour as :func:`tour_grid` has it."""
    board, tour = _on_board(outcome, Format.GRID)
    return tour_grid(board, tour.squares) + "\n"


def picture(outcome: Outcome) -> str:
    """Its tour drawn on its board, or over its graph."""
    from kt_cp.render.tour import tour_svg

    tour = _tour(outcome, Format.SVG)
    if tour.board is None:
        from kt_cp.render.outcome import tour_picture

        return str(tour_picture(tour, outcome))
    board, tour = _on_board(outcome, Format.SVG)
    return tour_svg(board, tour.squares, **_shown(outcome, tour))


def animation(outcome: Outcome) -> str:
    """Its tour drawn move by move."""
    from kt_cp.render.animation import animation_svg, tour_steps
    from kt_cp.render.board import picture_title

    board, tour = _on_board(outcome, Format.ANIMATION)
    title = f"{picture_title('tour', board, tour.piece)}, {outcome.problem.kind}, step by step"
    return animation_svg(
        board, list(tour_steps(tour.squares)), title=title, **_shown(outcome, tour)
    )


def _tour(outcome: Outcome, format: Format) -> Tour:
    if outcome.tour is None:
        raise ValueError(f"expected a tour to write as {format.value}")
    if outcome.problem.board is None and format in (Format.CSV, Format.NAMES):
        check_names(outcome.problem)
    return outcome.tour


def _on_board(outcome: Outcome, format: Format) -> tuple[Board, Tour]:
    tour = _tour(outcome, format)
    if tour.board is None:
        raise ValueError(f"expected a tour on a board to write as {format.value}")
    return tour.board, tour


def _shown(outcome: Outcome, tour: Tour) -> dict[str, Any]:
    moves = {"require": outcome.problem.require, "forbid": outcome.problem.forbid}
    return {"piece": tour.piece, "closed": tour.closed, **moves}


def tour_grid(board: Board, squares: Sequence[Square]) -> str:
    """Numbered grid, rank 1 at the bottom; ranks and files stand on all four edges if it is large.

    >>> print(tour_grid(Board(3, 4), [(0, 0), (1, 2), (2, 0)]))
    3 │  3  ·  ·  ·
    2 │  ·  ·  2  ·
    1 │  1  ·  ·  ·
      └────────────
         a  b  c  d
    """
    cells = [[HOLE] * board.columns for _ in range(board.rows)]
    for step, (row, column) in enumerate(squares, start=1):
        cells[row][column] = str(step)
    both = max(board.rows, board.columns) > _LABELS_ON_BOTH_SIDES
    return frame_cells(cells, max(2, len(str(len(squares)))), both=both)


def frame_cells(
    cells: Sequence[Sequence[str]], width: int, *, both: bool = False, downwards: bool = False
) -> str:
    """A board of cells, at least so wide, with ranks and files at two edges or at both sides.

    Rank 1 is at the bottom or, ``downwards``, on top.
    """
    files = [file_name(column) for column in range(len(cells[0]))]
    width = 1 + max(width, len(files[-1]))
    edge = len(str(len(cells)))
    margin = " " * edge
    named = f"{margin}  " + "".join(name.rjust(width) for name in files)
    rule = "─" * (width * len(files))
    lines = [named, f"{margin} ┌{rule}" + "┐" * both] if both else []
    every = range(len(cells))
    for row in every if downwards else reversed(every):
        rank = str(row + 1)
        line = f"{rank.rjust(edge)} │" + "".join(cell.rjust(width) for cell in cells[row])
        lines.append(line + (f" │ {rank}" if both else ""))
    lines += [f"{margin} └{rule}" + "┘" * both, named]
    return "\n".join(line.rstrip() for line in lines)


def tour_names(tour: Tour) -> str:
    """Names in order, separated by blanks, ten a line; those of nodes as they are read again."""
    from kt_cp.formats.read import line_of_names

    names, joined = tour.names, " ".join if tour.board is not None else line_of_names
    return "\n".join(joined(names[i : i + 10]) for i in range(0, len(names), 10))


def tour_csv(tour: Tour) -> str:
    """Rows of step (from 1), name, row and column (from 0).

    >>> print(tour_csv(Tour([(0, 0), (1, 2)], board=Board(3, 4))), end="")
    step,square,row,column
    1,a1,0,0
    2,c2,1,2
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["step", "square", "row", "column"])
    places = tour if tour.board is not None else repeat(("", ""), tour.size)
    named = enumerate(zip(tour.names, places, strict=True), start=1)
    writer.writerows((step, name, *place) for step, (name, place) in named)
    return text.getvalue()


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON objects hold it, but for its tour."""
    checks, evidence, said = outcome.checks, outcome.evidence, None
    if evidence is not None:
        # A certificate that was checked may be of another kind than the evidence.
        kept = None if evidence.certificate is None else evidence.certificate.kind
        said = {"kind": evidence.kind.value, "text": evidence.text, "certificate": kept}
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(outcome.problem),
        "verdict": outcome.verdict.value,
        "tour": None,
        "reason": outcome.reason,
        "evidence": said,
        "engine": outcome.engine,
        "statistics": {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in outcome.statistics.items()
        },
        "verified": checks.verified,
        "replayed": checks.replayed,
        "agrees": checks.agrees,
        "remarks": dict(checks.remarks),
        "seed": outcome.seed,
        "versions": dict(outcome.versions),
    }


def outcome_json(outcome: Outcome) -> str:
    """JSON text of an outcome, the tour on one line.

    >>> from kt_cp import solve
    >>> json.loads(outcome_json(solve("3x3")))["verdict"]
    'IMPOSSIBLE'
    """
    text = json.dumps(outcome_document(outcome), indent=2, ensure_ascii=False)
    if outcome.tour is None:
        return text
    # A list of a thousand names, one a line, is of no use to anyone.
    tour = json.dumps(outcome.tour.names, ensure_ascii=False)
    return text.replace('"tour": null', f'"tour": {tour}', 1)


def outcome_content(outcome: Outcome, format: Format) -> str | bytes:
    r"""What a file of an outcome holds: text, or bytes where the format is none of text.

    >>> from kt_cp import solve
    >>> outcome_content(solve("3x4"), Format.PNG)[:8], outcome_content(solve("1x1"), Format.NAMES)
    (b'\x89PNG\r\n\x1a\n', 'a1\n')
    """
    return convert_picture(
        outcome_text(outcome, Format.SVG if format in CONVERTED else format), format
    )


def proof_content(certificate: Certificate, format: Format) -> str | bytes:
    """What a file of a certificate holds: it, its argument in a sentence, or as a picture.

    >>> from kt_cp import prove
    >>> print(proof_content(prove("3x3").certificate, Format.TEXT), end="")
    No tour (3x3, open): b2 has no moves at all.
    """
    from kt_cp.render.highlights import argument_picture

    if format is Format.JSON:
        return certificate.to_json()
    if format is Format.TEXT:
        return proof_line(certificate)
    if format is not Format.SVG and format not in CONVERTED:
        raise ValueError(f"expected a format of proofs, got {format.value}")
    return convert_picture(argument_picture(certificate), format)


def proof_line(certificate: Certificate) -> str:
    """What a certificate says, in a line."""
    claim = certificate.claim.capitalize()
    return f"{claim} ({certificate.problem.label}): {certificate.argument}.\n"


def save_certificate(certificate: Certificate, path: str | PathLike[str]) -> None:
    """Write a certificate; see :meth:`kt_cp.Certificate.save`."""
    shape = _named(Path(path), Subject.PROOF) or Format.TEXT
    if certificate.problem.board is None and shape not in (Format.JSON, Format.TEXT):
        raise InputError(
            f"expected .json or .txt for a graph without a tour, got {Path(path).name!r}"
        )
    _write(Path(path), [proof_content(certificate, shape)])


def save_outcome(outcome: Outcome, path: str | PathLike[str]) -> None:
    """Write an outcome; see :meth:`kt_cp.Outcome.save`."""
    from kt_cp.render.outcome import outcome_picture

    path, tour = Path(path), outcome.tour
    shape = _named(path, Subject.TOUR)
    if shape is Format.JSON:
        pieces: Iterable[str | bytes | memoryview] = [outcome_content(outcome, shape)]
    elif outcome.verdict is Verdict.UNKNOWN:
        raise InputError(f"expected .json for what is unknown, got {path.name!r}")
    elif shape is Format.SVG or shape in CONVERTED:
        check_size(outcome.problem, shape)
        pieces = [convert_picture(outcome_picture(outcome), shape)]
    elif tour is not None:
        pieces = _told(outcome, tour, shape)
    elif shape is None:
        pieces = [f"No tour ({outcome.problem.label}): {outcome.reason}.\n"]
    else:
        raise InputError(
            f"expected .txt, .json or a picture where there is no tour, got {path.name!r}"
        )
    _write(path, pieces)


def _told(outcome: Outcome, tour: Tour, shape: Format | None) -> Iterable[str | bytes | memoryview]:
    if shape is Format.NPY:
        from kt_cp.formats.array import npy_pieces

        return npy_pieces(tour)
    usual = Format.NAMES if tour.board is None else Format.GRID
    return [outcome_content(outcome, shape or usual)]


def convert_picture(picture: str, format: Format) -> str | bytes:
    """Text as it is, or what is painted of a picture."""
    if format not in CONVERTED:
        return picture
    from kt_cp.render.rasterize import convert_svg

    return convert_svg(picture, format.value)


def _named(path: Path, subject: Subject) -> Format | None:
    found = format_of_path(path, subject)
    if found is None and path.suffix.lower() not in ("", ".txt"):
        *others, last = suffixes_of(subject)
        raise InputError(
            f"expected a name that ends with {', '.join(others)} or {last}, got {path.name!r}"
        )
    return found


def _write(path: Path, pieces: Iterable[str | bytes | memoryview]) -> None:
    """All pieces, the first made before the file is opened: what cannot be made leaves no file."""
    rest = iter(pieces)
    first = next(rest)
    with path.open("wb") as file:
        for piece in chain([first], rest):
            file.write(piece.encode() if isinstance(piece, str) else piece)


def describe_checks(outcome: Outcome) -> str:
    """The checks of an answer that were made and passed."""
    checks = outcome.checks
    agrees = "the reference agrees"
    if outcome.evidence is not None:
        backing = outcome.evidence.kind.value
        if outcome.certificate is not None:
            backing = f"{outcome.certificate.kind}, a checked certificate"
        return f"backed by: {backing}; {agrees}" if checks.agrees else f"backed by: {backing}"
    named = (("verified", checks.verified), ("replayed", checks.replayed), (agrees, checks.agrees))
    made = ", ".join(name for name, made in named if made)
    # Of a tour too large for a check, what was done instead is worth a word.
    which = "replayed" if checks.verified else "verified"
    return made if checks.replayed else f"{made}; {checks.remarks[which]}".removeprefix("; ")


def describe_proof(problem: Problem, kind: str, argument: str, tours: int = 0) -> str:
    """What a certificate proves, in a line."""
    return f"A proof ({problem.label}): {claim_of(tours)}, by {kind}: {argument}."
