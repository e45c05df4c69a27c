"""The table of formats: what each is for, how its files are called, and what reads it back.

A format that is added is a row here and a file with its writer.  The command line asks this table
alone what ``--format`` may be, which format the name of a file stands for, and who writes it.

Which formats have room for a problem's tour, and which one is usual.
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
    """How something is written."""

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
    GRAPH6 = "graph6"
    TSPLIB = "tsplib"
    DRAWING = "txt"


class Subject(Enum):
    """What is written, and by which command."""

    TOUR = "solve, decode"
    TOURS = "enumerate"
    SEARCH = "trace"
    PROOF = "prove"
    PROBLEM = "export"
    COMPARISON = "compare"
    PLOT = "compare --plot"
    PUZZLE = "puzzle"


MOST_SQUARES = 4_000_000
"""Squares of a tour that is written as text: a grid of them takes 30 MB and a few seconds."""

HOLE = "·"
"""Stands for a square that is missing or not visited."""


@dataclass(frozen=True)
class Row:
    """What can be written in a format, what its files are called, and which command reads them.

    Attributes
    ----------
    writer : str
        Function that writes a tour or exports a problem, as ``module:name`` within the package: it
        takes an outcome and returns its text, or a problem and returns pieces of text.  It is
        imported when it is called.
    """

    subjects: frozenset[Subject]
    suffixes: tuple[str, ...] = ()
    read_by: str | None = None
    writer: str = ""


def _row(*subjects: Subject, called: str = "", read_by: str | None = None, writer: str = "") -> Row:
    return Row(frozenset(subjects), tuple(called.split()), read_by, writer)


_TOUR, _TOURS, _SEARCH, _PROOF, _PROBLEM, _COMPARISON, _PLOT, _PUZZLE = Subject
FORMATS: Mapping[Format, Row] = {
    Format.GRID: _row(_TOUR, _TOURS, read_by="check", writer="formats.write:grid"),
    Format.NAMES: _row(
        _TOUR, _TOURS, called=".names", read_by="check", writer="formats.write:names"
    ),
    Format.SOURCE: _row(_TOURS),
    Format.TEXT: _row(_SEARCH, _PROOF, _COMPARISON),
    Format.JSON: _row(
        _TOUR, _TOURS, _SEARCH, _PROOF, _COMPARISON, _PUZZLE,
        called=".json .jsonl", read_by="check", writer="formats.write:json_line",
    ),
    Format.CSV: _row(
        _TOUR, _COMPARISON, called=".csv", read_by="check", writer="formats.write:csv_rows"
    ),
    Format.SVG: _row(
        _TOUR, _SEARCH, _PROOF, _PLOT, _PUZZLE, called=".svg", writer="formats.write:picture"
    ),
    Format.PNG: _row(_TOUR, _SEARCH, _PROOF, _PLOT, _PUZZLE, called=".png"),
    Format.PDF: _row(_TOUR, _SEARCH, _PROOF, _PLOT, _PUZZLE, called=".pdf"),
    Format.ANIMATION: _row(_TOUR, _SEARCH, writer="formats.write:animation"),
    Format.NPY: _row(_TOUR, called=".npy", read_by="check"),
    Format.DIMACS: _row(
        _PROBLEM, called=".cnf .dimacs", read_by="decode", writer="formats.formula:problem_pieces"
    ),
    Format.CPSAT: _row(_PROBLEM, called=".pbtxt .textproto", writer="formats.export:model_pieces"),
    Format.GRAPH6: _row(_PROBLEM, called=".g6 .d6", writer="formats.export:graph6_pieces"),
    Format.DRAWING: _row(_PUZZLE, read_by="solve"),
    Format.TSPLIB: _row(_PROBLEM, called=".hcp .tsp", writer="formats.export:tsplib_pieces"),
}  # fmt: skip
"""Any other name, ``.txt`` as well, says nothing: then a command writes as it does to stdout."""


CONVERTED = frozenset({Format.PNG, Format.PDF})
"""What is painted from an SVG (:mod:`kt_cp.render.rasterize`)."""

BINARY = CONVERTED | {Format.NPY}
"""No text: what goes to files alone."""


def formats_of(subject: Subject) -> list[Format]:
    """Formats in which something can be written."""
    return [each for each, row in FORMATS.items() if subject in row.subjects]


def suffixes_of(subject: Subject) -> list[str]:
    """How files of something may end."""
    named = (end for each in formats_of(subject) for end in FORMATS[each].suffixes)
    return [*named, *([] if subject in (Subject.PROBLEM, Subject.PLOT) else [".txt"])]


def format_of_path(path: Path | None, subject: Subject) -> Format | None:
    """Format that the name of a file stands for, or None where it says nothing."""
    suffix = "" if path is None else path.suffix.lower()
    return next((each for each in formats_of(subject) if suffix in FORMATS[each].suffixes), None)


def writer_of(format: Format) -> Callable[..., Any]:
    """Function that writes a tour or exports a problem in a format."""
    module, _, name = FORMATS[format].writer.partition(":")
    if not name:
        raise ValueError(f"expected a format of text, got {format.value}")
    function: Callable[..., Any] = getattr(import_module(f"kt_cp.{module}"), name)
    return function


MOST_CONVERTED = 100_000
"""Of a tour that is painted as PNG or PDF: these take ten seconds and more."""

BOARD_FORMATS = frozenset({Format.GRID, Format.SOURCE, Format.ANIMATION, Format.NPY})
"""Formats that have no place for a graph's tour."""


def default_format(problem: Problem) -> Format:
    """How a tour is written where nothing is said: as a grid, or by the names of nodes."""
    return Format.NAMES if problem.board is None else Format.GRID


def check_size(problem: Problem, format: Format) -> None:
    """Refuse, before the search, a format that has no place for a problem's tour."""
    if problem.board is None and format in BOARD_FORMATS:
        raise InputError(
            f"expected a board for {format.value}, got {problem.label}: names, csv, json and "
            "pictures have a place for a graph's tour"
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
