"""The table of formats: what each is for, how its files are called, and what reads it back.

A format that is added is a row here and a file with its writer.  The command line asks this table
alone what ``--format`` may be, which format the name of a file stands for, and who writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any


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
    Format.CPSAT: _row(_PROBLEM, called=".pbtxt .textproto", writer="formats.edges:model_pieces"),
    Format.GRAPH6: _row(_PROBLEM, called=".g6 .d6", writer="formats.edges:graph6_pieces"),
    Format.DRAWING: _row(_PUZZLE, read_by="solve"),
    Format.TSPLIB: _row(_PROBLEM, called=".hcp .tsp", writer="formats.edges:tsplib_pieces"),
}  # fmt: skip
"""Any other name, ``.txt`` as well, says nothing: then a command writes as it does to stdout."""


PAINTED = frozenset({Format.PNG, Format.PDF})
"""What is painted from an SVG (:mod:`kt_cp.render.painted`)."""

BINARY = PAINTED | {Format.NPY}
"""No text: what goes to files alone."""


def formats_of(subject: Subject) -> list[Format]:
    """Formats in which something can be written."""
    return [each for each, row in FORMATS.items() if subject in row.subjects]


def suffixes_of(subject: Subject) -> list[str]:
    """How files of something may end."""
    named = (end for each in formats_of(subject) for end in FORMATS[each].suffixes)
    return [*named, *([] if subject in (Subject.PROBLEM, Subject.PLOT) else [".txt"])]


def format_named(path: Path | None, subject: Subject) -> Format | None:
    """Format that the name of a file stands for, or None where it says nothing."""
    suffix = "" if path is None else path.suffix.lower()
    return next((each for each in formats_of(subject) if suffix in FORMATS[each].suffixes), None)


def writer_of(format: Format) -> Callable[..., Any]:
    """Function that writes a tour or exports a problem in a format.

    Raises
    ------
    ValueError
        If there is none: an array is no text, and what else is written has its own files.
    """
    module, _, name = FORMATS[format].writer.partition(":")
    if not name:
        raise ValueError(f"expected a format of text, got {format.value}")
    function: Callable[..., Any] = getattr(import_module(f"kt_cp.{module}"), name)
    return function
