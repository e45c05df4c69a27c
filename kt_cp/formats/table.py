"""The table of formats: their subjects, file endings, writers, and the commands that read them.

To add a format, add a row here and a file with its writer.  The command line takes the values of
``--format``, the meaning of a file's ending, and the writer from this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.problem import Problem


class Format(StrEnum):
    """A format of output."""

    GRID = "grid"
    NAMES = "names"
    SOURCE = "source"
    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    SVG = "svg"
    ANIMATION = "animation"
    PNG = "png"
    PDF = "pdf"
    NPY = "npy"
    DIMACS = "dimacs"
    CPSAT = "cpsat"
    OPB = "opb"
    GRAPH6 = "graph6"
    TSPLIB = "tsplib"
    DRAWING = "txt"


class Subject(Enum):
    """The subject of an output; the values are the names of commands."""

    TOUR = "solve, decode"
    TOURS = "enumerate"
    SEARCH = "trace"
    PROOF = "prove"
    PROBLEM = "export"
    COMPARISON = "compare"
    PLOT = "compare --plot"
    PUZZLE = "puzzle"


MOST_SQUARES = 4_000_000
"""Most squares of a tour in text; their grid takes 30 MB and a few seconds."""

HOLE = "·"
"""The mark of a square that is missing or not visited."""


@dataclass(frozen=True)
class Row:
    """The subjects of a format, endings of its files, the command that reads them, and a writer.

    The writer is a ``module:function`` of the package, which is imported when it is called.  It
    returns the text of an outcome, or yields pieces of text for a problem.
    """

    subjects: frozenset[Subject]
    suffixes: tuple[str, ...] = ()
    read_by: str | None = None
    writer: str = ""


def _row(
    *subjects: Subject, endings: str = "", read_by: str | None = None, writer: str = ""
) -> Row:
    return Row(frozenset(subjects), tuple(endings.split()), read_by, writer)


_TOUR, _TOURS, _SEARCH, _PROOF, _PROBLEM, _COMPARISON, _PLOT, _PUZZLE = Subject
FORMATS: Mapping[Format, Row] = {
    Format.GRID: _row(_TOUR, _TOURS, read_by="check", writer="formats.write:grid"),
    Format.NAMES: _row(
        _TOUR, _TOURS, endings=".names", read_by="check", writer="formats.write:names"
    ),
    Format.SOURCE: _row(_TOURS),
    Format.TEXT: _row(_SEARCH, _PROOF, _COMPARISON),
    Format.JSON: _row(
        _TOUR, _TOURS, _SEARCH, _PROOF, _COMPARISON, _PUZZLE,
        endings=".json .jsonl", read_by="check", writer="formats.write:json_line",
    ),
    Format.CSV: _row(
        _TOUR, _COMPARISON, endings=".csv", read_by="check", writer="formats.write:csv_rows"
    ),
    Format.SVG: _row(
        _TOUR, _SEARCH, _PROOF, _PLOT, _PUZZLE, endings=".svg", writer="formats.write:picture"
    ),
    Format.PNG: _row(_TOUR, _SEARCH, _PROOF, _PLOT, _PUZZLE, endings=".png"),
    Format.PDF: _row(_TOUR, _SEARCH, _PROOF, _PLOT, _PUZZLE, endings=".pdf"),
    Format.ANIMATION: _row(_TOUR, _SEARCH, writer="formats.write:animation"),
    Format.NPY: _row(_TOUR, endings=".npy", read_by="check"),
    Format.DIMACS: _row(
        _PROBLEM, endings=".cnf .dimacs", read_by="decode", writer="formats.formula:problem_pieces"
    ),
    Format.OPB: _row(_PROBLEM, endings=".opb", writer="formats.formula:opb_pieces"),
    Format.CPSAT: _row(_PROBLEM, endings=".pbtxt .textproto", writer="formats.export:model_pieces"),
    Format.GRAPH6: _row(_PROBLEM, endings=".g6 .d6", writer="formats.export:graph6_pieces"),
    Format.DRAWING: _row(_PUZZLE, read_by="solve"),
    Format.TSPLIB: _row(_PROBLEM, endings=".hcp .tsp", writer="formats.export:tsplib_pieces"),
}  # fmt: skip
"""Files with other endings, ``.txt`` too, are written like standard output."""


GZIP = ".gz"
"""The ending of compressed files, after that of their format."""

CONVERTED = frozenset({Format.PNG, Format.PDF})
"""Formats that are converted from SVG (:mod:`kt_cp.render.rasterize`)."""

BINARY = CONVERTED | {Format.NPY}
"""Formats that are not text."""


def formats_of(subject: Subject) -> list[Format]:
    """Return the formats of a subject."""
    return [each for each, row in FORMATS.items() if subject in row.subjects]


def suffixes_of(subject: Subject) -> list[str]:
    """Return the endings of a subject's files."""
    named = (end for each in formats_of(subject) for end in FORMATS[each].suffixes)
    return [*named, *([] if subject in (Subject.PROBLEM, Subject.PLOT) else [".txt"])]


def ending_of(path: Path) -> str:
    """Return the ending of a file's name in small letters, without the one of gzip.

    >>> ending_of(Path("F8.CNF")), ending_of(Path("f8.cnf.gz"))
    ('.cnf', '.cnf')
    """
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix == GZIP else suffix


def format_of_path(path: Path | None, subject: Subject) -> Format | None:
    """Return the format that the ending of a file means, or None."""
    suffix = "" if path is None else ending_of(path)
    return next((each for each in formats_of(subject) if suffix in FORMATS[each].suffixes), None)


def writer_of(format: Format) -> Callable[..., Any]:
    """Return the function that writes a tour or a problem; raise ``ValueError`` without one."""
    module, _, name = FORMATS[format].writer.partition(":")
    if not name:
        raise ValueError(f"expected a format of text, got {format.value}")
    function: Callable[..., Any] = getattr(import_module(f"kt_cp.{module}"), name)
    return function


MOST_CONVERTED = 100_000
"""Most squares of a tour as PNG or PDF, which takes more than ten seconds."""

BOARD_FORMATS = frozenset({Format.GRID, Format.SOURCE, Format.ANIMATION, Format.NPY})
"""Formats that cannot hold a graph's tour."""


def default_format(problem: Problem) -> Format:
    """Return the default format of a tour: a grid, or the names of nodes."""
    return Format.NAMES if problem.board is None else Format.GRID


def check_size(problem: Problem, format: Format) -> None:
    """Raise ``InputError``, before the search, if a format cannot hold a problem's tour."""
    if problem.board is None and format in BOARD_FORMATS:
        raise InputError(
            f"expected a board for {format.value}, got {problem.label}: a graph's "
            "tour can be names, csv, json or a picture"
        )
    if problem.board is None and (format is Format.SVG or format in CONVERTED):
        from kt_cp.render.outcome import check_nodes

        check_nodes(problem.size)
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label} has {problem.size:,} squares: expected at most {MOST_SQUARES:,} to "
            f"write as {format.value}; use -o FILE.npy, or kt-cp locate for single squares"
        )
    if format in CONVERTED and problem.size > MOST_CONVERTED:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_CONVERTED:,} squares for {format.value}, "
            f"got {problem.size:,}; use --format svg"
        )
    if format is not Format.ANIMATION:
        return
    from kt_cp.render.animation import MOST_STEPS

    if problem.size > MOST_STEPS:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_STEPS} squares for an animation, "
            f"got {problem.size}; use --format svg"
        )
