"""Outcomes and certificates as files, in the format that the name of the file stands for."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from os import PathLike
from pathlib import Path

from kt_cp.formats.room import check_size
from kt_cp.formats.table import (
    PAINTED,
    Format,
    Subject,
    format_named,
    suffixes_of,
)
from kt_cp.formats.write import written
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Certificate, Outcome, Verdict
from kt_cp.model.tour import Tour


def content(outcome: Outcome, format: Format) -> str | bytes:
    r"""What a file of an outcome holds: text, or bytes where the format is none of text.

    Raises
    ------
    ValueError
        As for :func:`written`.

    Examples
    --------
    >>> from kt_cp import solve
    >>> content(solve("3x4"), Format.PNG)[:8], content(solve("1x1"), Format.NAMES)
    (b'\x89PNG\r\n\x1a\n', 'a1\n')
    """
    return drawn(written(outcome, Format.SVG if format in PAINTED else format), format)


def proof_content(certificate: Certificate, format: Format) -> str | bytes:
    """What a file of a certificate holds: it, its argument in a sentence, or as a picture.

    Raises
    ------
    ValueError
        If the format is none of proofs.
    TooLargeError
        If the board is too large to be drawn.

    Examples
    --------
    >>> from kt_cp import prove
    >>> print(proof_content(prove("3x3").certificate, Format.TEXT), end="")
    No tour (3x3, open): b2 has no moves at all.
    """
    from kt_cp.render.certificate import argument_picture

    if format is Format.JSON:
        return certificate.to_json()
    if format is Format.TEXT:
        return proof_line(certificate)
    if format is not Format.SVG and format not in PAINTED:
        raise ValueError(f"expected a format of proofs, got {format.value}")
    return drawn(argument_picture(certificate), format)


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
        pieces: Iterable[str | bytes | memoryview] = [content(outcome, shape)]
    elif outcome.verdict is Verdict.UNKNOWN:
        raise InputError(f"expected .json for what is unknown, got {path.name!r}")
    elif shape is Format.SVG or shape in PAINTED:
        check_size(outcome.problem, shape)
        pieces = [drawn(outcome_picture(outcome), shape)]
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
    return [content(outcome, shape or usual)]


def drawn(picture: str, format: Format) -> str | bytes:
    """Text as it is, or what is painted of a picture."""
    if format not in PAINTED:
        return picture
    from kt_cp.render.painted import painted

    return painted(picture, format.value)


def _named(path: Path, subject: Subject) -> Format | None:
    found = format_named(path, subject)
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
