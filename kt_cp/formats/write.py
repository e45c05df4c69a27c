"""Outcomes and certificates as text and as files: grids, names of squares, CSV, JSON, pictures.

The keys of JSON, one object an outcome, are fixed by ``SCHEMA_VERSION``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, repeat
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, cast

from kt_cp.formats.table import (
    BINARY,
    CONVERTED,
    GZIP,
    HOLE,
    Format,
    Subject,
    check_size,
    default_format,
    ending_of,
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
from kt_cp.model.tour import Tour

SCHEMA_VERSION = 1

_LABELS_ON_BOTH_SIDES = 24


def outcome_text(outcome: Outcome, format: Format) -> str:
    r"""Return the text of an outcome; raise ``ValueError`` if the format cannot represent it.

    >>> from kt_cp import Board, Problem, solve
    >>> outcome_text(solve(Problem(Board(1, 1))), Format.NAMES)
    'a1\n'
    """
    if format not in formats_of(Subject.TOUR):
        raise ValueError(f"expected a format of tours, got {format.value}")
    tour = outcome.tour
    if tour is not None and tour.computed:  # the judge has read this array
        from kt_cp.model.arrays import squares_in

        tour = replace(tour, squares=squares_in(tour.to_array()))
        outcome = replace(outcome, tour=tour)
    text: str = writer_of(format)(outcome)
    return text


def json_line(outcome: Outcome) -> str:
    """Return an outcome as JSON."""
    return outcome_json(outcome) + "\n"


def csv_rows(outcome: Outcome) -> str:
    """Return the tour of an outcome as CSV."""
    return tour_csv(_tour(outcome, Format.CSV))


def names(outcome: Outcome) -> str:
    """Return the names of an outcome's tour."""
    return tour_names(_tour(outcome, Format.NAMES)) + "\n"


def grid(outcome: Outcome) -> str:
    """Return the tour of an outcome as a grid."""
    board, tour = _tour_on_board(outcome, Format.GRID)
    return tour_grid(board, tour.squares) + "\n"


def picture(outcome: Outcome) -> str:
    """Return SVG of an outcome's tour."""
    from kt_cp.render.outcome import tour_picture

    return str(tour_picture(_tour(outcome, Format.SVG), outcome))


def animation(outcome: Outcome) -> str:
    """Return an animation of an outcome's tour."""
    from kt_cp.render.outcome import tour_animation

    _, tour = _tour_on_board(outcome, Format.ANIMATION)
    return str(tour_animation(tour, outcome=outcome))


def _tour(outcome: Outcome, format: Format) -> Tour:
    if outcome.tour is None:
        raise ValueError(f"expected a tour to write as {format.value}")
    if outcome.problem.board is None and format in (Format.CSV, Format.NAMES):
        check_names(outcome.problem)
    return outcome.tour


def _tour_on_board(outcome: Outcome, format: Format) -> tuple[Board, Tour]:
    tour = _tour(outcome, format)
    if tour.board is None:
        raise ValueError(f"expected a tour on a board to write as {format.value}")
    return tour.board, tour


def tour_grid(board: Board, squares: Sequence[Square]) -> str:
    """Return a grid of step numbers, rank 1 at the bottom; large ones have labels on all edges.

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
    """Return a board of cells of a minimum width, with labels on two or four edges.

    Rank 1 is at the bottom, or on top with ``downwards``.
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
    """Return the names of a tour, ten a line; those of nodes in quotes if necessary."""
    from kt_cp.formats.read import line_of_names

    names, joined = tour.names, " ".join if tour.board is not None else line_of_names
    return "\n".join(joined(names[i : i + 10]) for i in range(0, len(names), 10))


def tour_csv(tour: Tour) -> str:
    """Return rows of step (from 1) and node, or of step, square, row and column (from 0).

    >>> print(tour_csv(Tour([(0, 0), (1, 2)], board=Board(3, 4))), end="")
    step,square,row,column
    1,a1,0,0
    2,c2,1,2
    """
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    on_board = tour.board is not None
    writer.writerow(["step", "square", "row", "column"] if on_board else ["step", "node"])
    places = tour if on_board else repeat((), tour.size)
    named = enumerate(zip(tour.names, places, strict=True), start=1)
    writer.writerows((step, name, *place) for step, (name, place) in named)
    return text.getvalue()


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """Return the JSON object of an outcome, without its tour."""
    checks, evidence, backing = outcome.checks, outcome.evidence, None
    if evidence is not None:
        # A certificate that was checked may be of another kind than the evidence.
        kind = None if evidence.certificate is None else evidence.certificate.kind
        backing = {"kind": evidence.kind.value, "text": evidence.text, "certificate": kind}
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(outcome.problem),
        "verdict": outcome.verdict.value,
        "tour": None,
        **({} if outcome.measures is None else {"measures": dict(outcome.measures)}),
        "reason": outcome.reason,
        "evidence": backing,
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
    """Return the JSON of an outcome, with the tour on one line.

    >>> from kt_cp import solve
    >>> json.loads(outcome_json(solve("3x3")))["verdict"]
    'IMPOSSIBLE'
    """
    text = json.dumps(outcome_document(outcome), indent=2, ensure_ascii=False)
    if outcome.tour is None:
        return text
    tour = json.dumps(outcome.tour.names, ensure_ascii=False)
    return text.replace('"tour": null', f'"tour": {tour}', 1)


def outcome_content(outcome: Outcome, format: Format) -> str | bytes:
    r"""Return the content of an outcome's file: text, or bytes of PNG and PDF.

    >>> from kt_cp import solve
    >>> outcome_content(solve("3x4"), Format.PNG)[:8], outcome_content(solve("1x1"), Format.NAMES)
    (b'\x89PNG\r\n\x1a\n', 'a1\n')
    """
    text = outcome_text(outcome, Format.SVG if format in CONVERTED else format)
    return convert_picture(text, format)


def proof_content(certificate: Certificate, format: Format) -> str | bytes:
    """Return the content of a certificate's file: JSON, a sentence, or a picture.

    >>> from kt_cp import prove
    >>> print(proof_content(prove("3x3").certificate, Format.TEXT), end="")
    No tour (3x3, open): b2 has no moves at all.
    """
    if format is Format.JSON:
        return certificate.to_json()
    if format is Format.TEXT:
        return proof_line(certificate)
    if format is not Format.SVG and format not in CONVERTED:
        raise ValueError(f"expected a format of proofs, got {format.value}")
    from kt_cp.render.highlights import argument_picture

    return convert_picture(argument_picture(certificate), format)


def proof_line(certificate: Certificate) -> str:
    """Return the claim and the argument of a certificate, in one line."""
    claim = certificate.claim.capitalize()
    return f"{claim} ({certificate.problem.label}): {certificate.argument}.\n"


def save_certificate(certificate: Certificate, path: str | PathLike[str]) -> None:
    """Write a certificate; see :meth:`kt_cp.Certificate.save`."""
    path = Path(path)
    file_format = _format_of(path, Subject.PROOF) or Format.TEXT
    if certificate.problem.board is None and file_format not in (Format.JSON, Format.TEXT):
        raise InputError(f"expected .json or .txt for a graph without a tour, got {path.name!r}")
    _write(path, [proof_content(certificate, file_format)])


def save_outcome(outcome: Outcome, path: str | PathLike[str]) -> None:
    """Write an outcome; see :meth:`kt_cp.Outcome.save`."""
    path, tour = Path(path), outcome.tour
    file_format = _format_of(path, Subject.TOUR)
    pieces: Iterable[str | bytes | memoryview]
    if file_format is Format.JSON:
        pieces = [outcome_content(outcome, file_format)]
    elif outcome.verdict is Verdict.UNKNOWN:
        raise InputError(f"expected .json for what is unknown, got {path.name!r}")
    elif file_format is Format.SVG or file_format in CONVERTED:
        from kt_cp.render.outcome import outcome_picture

        check_size(outcome.problem, file_format)
        pieces = [convert_picture(outcome_picture(outcome), file_format)]
    elif tour is not None and file_format is Format.NPY:
        from kt_cp.formats.array import npy_pieces

        pieces = npy_pieces(tour)
    elif tour is not None:
        pieces = [outcome_content(outcome, file_format or default_format(outcome.problem))]
    elif file_format is None:
        pieces = [f"No tour ({outcome.problem.label}): {outcome.reason}.\n"]
    else:
        raise InputError(
            f"expected .txt, .json or a picture where there is no tour, got {path.name!r}"
        )
    _write(path, pieces)


def convert_picture(picture: str, format: Format) -> str | bytes:
    """Convert an SVG to PNG or PDF; return other text as it is."""
    if format not in CONVERTED:
        return picture
    from kt_cp.render.rasterize import convert_svg

    return convert_svg(picture, format.value)


def _format_of(path: Path, subject: Subject) -> Format | None:
    file_format = format_of_path(path, subject)
    if file_format in BINARY and path.suffix.lower() == GZIP:
        raise InputError(
            f"{file_format} is not compressed: expected a name without {GZIP}, got {path.name!r}"
        )
    if file_format is None and ending_of(path) not in ("", ".txt"):
        *others, last = suffixes_of(subject)
        raise InputError(
            f"expected a name that ends with {', '.join(others)} or {last}, got {path.name!r}"
        )
    return file_format


def _write(path: Path, pieces: Iterable[str | bytes | memoryview]) -> None:
    """Write pieces; an error in the first one leaves no file."""
    rest = iter(pieces)
    first = next(rest)
    with path.open("wb") as file, compressed(file, path) as packed:
        for piece in chain([first], rest):
            packed.write(piece.encode() if isinstance(piece, str) else piece)


def compressed(file: BinaryIO, path: Path) -> BinaryIO:
    """Return a file to write to; it compresses if the name of ``path`` ends with that of gzip.

    Equal contents become equal files, because neither a name nor a time is stored.
    """
    if path.suffix.lower() != GZIP:
        return file
    import gzip

    return cast("BinaryIO", gzip.GzipFile("", "wb", fileobj=file, mtime=0))


def describe_checks(outcome: Outcome) -> str:
    """Return the checks that an answer has passed."""
    checks = outcome.checks
    agrees = "the reference agrees"
    if outcome.evidence is not None:
        backing = outcome.evidence.kind.value
        if outcome.certificate is not None:
            backing = f"{outcome.certificate.kind}, a checked certificate"
        return f"backed by: {backing}; {agrees}" if checks.agrees else f"backed by: {backing}"
    named = (("verified", checks.verified), ("replayed", checks.replayed), (agrees, checks.agrees))
    passed = ", ".join(name for name, has_passed in named if has_passed)
    if checks.replayed:
        return passed
    # A tour that is too large for a check has a remark on the check that replaced it.
    remark = checks.remarks["replayed" if checks.verified else "verified"]
    return f"{passed}; {remark}".removeprefix("; ")


def describe_proof(problem: Problem, kind: str, argument: str, claim: str) -> str:
    """Return a line that states what a certificate proves."""
    return f"A valid proof ({problem.label}): {claim}, by {kind}: {argument}."
