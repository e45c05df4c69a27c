"""Tours made by anyone, read from text in whichever format they come.

Understood are: an outcome as this package writes it (JSON), a list of squares (names or
``rank,file``, separated by blanks, line breaks, commas, dashes or arrows), the CSV of a tour, and
a grid of step numbers, with or without the labels at its edges, rank 1 at the bottom.  A grid may
count from 1 or from 0, as many programs do.

Reading says what the text claims.  Whether the claim is true is for the judge.

Text may be long: what would take more than half a minute or a gigabyte is refused.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kt_cp.formats.grid import is_row, read_grid
from kt_cp.formats.text import MOST_BYTES, Lines, SquareList, names_in, no_utf8, too_many
from kt_cp.formats.told import problem_told
from kt_cp.formats.write import MOST_SQUARES
from kt_cp.model.board import Board, Square, parse_square, shorten
from kt_cp.model.errors import InputError, TooLargeError, TourFileError
from kt_cp.model.problem import Problem
from kt_cp.model.square import squares_in_text

MOST_JSON = 1 << 26
"""Bytes: a tour of the most squares takes forty megabytes."""

EDGES = 1_000
"""Lines of a text that may hold no square: headings, and rules of a grid."""

_DASHES = re.compile(r"(?:->|=>|→|–|—|-)")
_PROBLEM = re.compile(rb'"problem"\s*:\s*\{')
_CSV_HEADER = "step,square"


@dataclass(frozen=True)
class Claim:
    """What a text says: squares in order, the problem of an outcome, the board of a grid."""

    squares: Sequence[Any]
    board: Board | None = None
    problem: Problem | None = None


def read_tour(data: bytes | str) -> Claim:
    """Read a claimed tour.

    Raises
    ------
    TourFileError
        If the data is not UTF-8 or in none of the formats; the message names the line where one
        is to blame.
    TooLargeError
        If it is longer than a text of ``MOST_SQUARES`` squares, or holds more of them.

    Examples
    --------
    >>> list(read_tour("a1-b3-c1").squares)
    [(0, 0), (2, 1), (0, 2)]
    """
    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(data) > MOST_BYTES:
        raise TooLargeError(
            f"expected a tour in at most {MOST_BYTES >> 20} MB of text, got {len(data) >> 20}: a "
            "larger one is read from .npy"
        )
    try:
        return _read(data)
    except UnicodeDecodeError:
        raise TourFileError(no_utf8(data)) from None


def read_walk(data: bytes) -> Claim:
    """Read a claimed tour of a graph: an outcome, a list of names in JSON, a CSV, or plain names.

    Names that are not in JSON are separated as :func:`~kt_cp.formats.text.names_in` has it.

    Raises
    ------
    TourFileError
        If the data is not UTF-8 or holds no tour.

    Examples
    --------
    >>> read_walk(b"x y z").squares
    ['x', 'y', 'z']
    """
    try:
        head = data.lstrip(b"\xef\xbb\xbf \t\r\n")
        if head[:1] in (b"{", b"["):
            document = _parsed(data)
            return Claim(_nodes(document)) if isinstance(document, list) else _outcome(document)
        if head.lower().startswith(_CSV_HEADER.encode()):
            rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
            return Claim([row[1] for row in rows if len(row) > 1][1:])
        return Claim([name for _, line in Lines(data) for name in names_in(line)])
    except UnicodeDecodeError:
        raise TourFileError(no_utf8(data)) from None


def _read(data: bytes) -> Claim:
    head = next((line.lstrip() for _, line in Lines(data) if not line.isspace()), "")
    if not head:
        raise TourFileError("expected a tour, got an empty file")
    if head[0] in "{[":
        document = _document(data)
        return Claim(_squares(document)) if isinstance(document, list) else _outcome(document)
    # Every line has a square, but a few at the edges: to know it here takes seconds, not a minute.
    if sum(map(bool, map(bytes.strip, io.BytesIO(data)))) > MOST_SQUARES + EDGES:
        raise too_many()
    if head.lower().startswith(_CSV_HEADER):
        return _read_csv(data)
    if any(map(is_row, (line for _, line in Lines(data)))):
        return Claim(*read_grid(data))
    return _read_list(data)


def read_problem(data: bytes) -> Problem | None:
    """The problem that an outcome or a puzzle in JSON is about; None for any other file.

    Its verdict, its tour and what else it says play no part.

    Raises
    ------
    TourFileError
        If it makes no sense.

    Examples
    --------
    >>> read_problem(b'{"problem": {"rows": 3, "columns": 4}}'), read_problem(b'{"nodes": []}')
    (<Problem: 3x4, open>, None)
    """
    if not _PROBLEM.search(data):
        return None
    try:
        document = _document(data)
    except UnicodeDecodeError:
        raise TourFileError(no_utf8(data)) from None
    return None if isinstance(document, list) or "nodes" in document else problem_told(document)


def _document(data: bytes) -> Any:
    # What a value takes in memory, at worst, by the marks around it; other letters than ASCII
    # take up to four bytes each.
    share = 1 if data.isascii() else 4
    marks = data.count(b",") + data.count(b"[") + 8 * data.count(b"{")
    if len(data) * share > MOST_JSON or marks * share > 3 * MOST_SQUARES + 10_000:
        raise too_many()
    return _parsed(data)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        told = f"not complete JSON: {error.msg}"
        if error.msg == "Extra data":
            told = "expected a file of one outcome, puzzle or list, got another after it"
        raise TourFileError(f"line {error.lineno}: {told}") from None
    except UnicodeDecodeError:
        raise
    except (RecursionError, ValueError):
        raise TourFileError("not an outcome: nested too deeply or a number too long") from None


def _outcome(document: dict[str, Any]) -> Claim:
    if isinstance(document.get("problem"), dict) and document.get("tour") is None:
        verdict = _shown(document.get("verdict"))
        raise TourFileError(f"the file holds no tour: its verdict is {verdict}")
    asked, tour = problem_told(document), document["tour"]
    return Claim(_squares(tour) if asked.board is not None else _nodes(tour), problem=asked)


def _squares(names: object) -> SquareList:
    if not isinstance(names, list):
        raise TourFileError(f"expected a list of squares, got {_shown(names)}")
    return SquareList(_square(name, step) for step, name in enumerate(names, start=1))


def _nodes(names: object) -> list[str]:
    if not isinstance(names, list):
        raise TourFileError(f"expected a list of nodes, got {_shown(names)}")
    return [name if isinstance(name, str) else _shown(name) for name in names]


def _square(name: object, step: int) -> Square:
    if isinstance(name, list) and len(name) == 2 and all(type(part) is int for part in name):
        return name[0], name[1]
    if not isinstance(name, str):
        raise TourFileError(f"step {step}: expected a square, got {_shown(name)}")
    try:
        return parse_square(name)
    except InputError as error:
        raise TourFileError(f"step {step}: {error}") from None


def _shown(value: object) -> str:
    """A value of the file, short enough for a message however deep it is nested."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return shorten(json.dumps(value))


def _read_csv(data: bytes) -> Claim:
    squares = SquareList()
    for number, line in Lines(data):
        fields = line.split(",", 2)
        if not line.strip() or line.strip().lower().startswith(_CSV_HEADER):
            continue
        if len(fields) < 2 or fields[0].strip() != str(len(squares) + 1):
            raise TourFileError(
                f"line {number}: expected step {len(squares) + 1} and its square, "
                f"got {shorten(line.rstrip())!r}"
            )
        _add(squares, fields[1], number)
    return Claim(squares)


def _read_list(data: bytes) -> Claim:
    squares = SquareList()
    for number, line in Lines(data):
        _add(squares, _DASHES.sub(" ", line), number)
    return Claim(squares)


def _add(squares: SquareList, line: str, number: int) -> None:
    try:
        squares.extend(squares_in_text(line))
    except TooLargeError:
        raise
    except InputError as error:
        raise TourFileError(f"line {number}: {error}") from None
