"""Tours made by anyone, read from text in whichever format they come.

Understood are: an outcome as this package writes it (JSON), a list of squares (names or
``rank,file``, separated by blanks, line breaks, commas, dashes or arrows), the CSV of a tour, and
a grid of step numbers, with or without the labels at its edges, rank 1 at the bottom.  A grid may
count from 1 or from 0, as many programs do.

Reading says what the text claims.  Whether the claim is true is for the judge.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from kt_cp.formats.write import HOLE
from kt_cp.model.board import Board, Square, parse_square, parse_squares, shorten
from kt_cp.model.errors import InputError, TourFileError
from kt_cp.model.problem import Problem

_HOLES = {HOLE, ".", "-", "x", "X", "#", "*"}
_FRAME = "│|┃"
_RULE = re.compile(r"[─━┌┐└┘+=_-]{2,}")
_DASHES = re.compile(r"(?:->|=>|→|–|—|-)")
_CSV_HEADER = "step,square"
_UNSAID: dict[str, Any] = {"piece": [[1, 2]], "surface": "plane", "missing": [], "closed": False}
_UNSAID |= {"start": None, "end": None, "require": [], "forbid": [], "given": [], "symmetry": None}
"""What is meant where an outcome does not say it, as older ones do not."""


@dataclass(frozen=True)
class Claim:
    """What a text says: squares in order, the problem of an outcome, the board of a grid."""

    squares: list[Square]
    board: Board | None = None
    problem: Problem | None = None


def read_tour(data: bytes | str) -> Claim:
    """Read a claimed tour.

    Raises
    ------
    TourFileError
        If the data is not UTF-8 or in none of the formats; the message names the line where one
        is to blame.

    Examples
    --------
    >>> read_tour("a1-b3-c1").squares
    [(0, 0), (2, 1), (0, 2)]
    """
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TourFileError(
            f"line {line}: expected UTF-8 text, got byte 0x{error.object[error.start]:02x}"
        ) from None
    text = text.removeprefix("\ufeff")
    head = text.lstrip()
    if not head:
        raise TourFileError("expected a tour, got an empty file")
    if head[0] in "{[":
        return _read_json(text)
    if head.lower().startswith(_CSV_HEADER):
        return _read_csv(text)
    if _is_grid(text):
        return _read_grid(text)
    return _read_list(text)


def _read_json(text: str) -> Claim:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise TourFileError(f"line {error.lineno}: not complete JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise TourFileError("not an outcome: nested too deeply or a number too long") from None
    return Claim(_squares(document)) if isinstance(document, list) else _outcome(document)


def _outcome(document: dict[str, Any]) -> Claim:
    problem = document.get("problem")
    if not isinstance(problem, dict):
        raise TourFileError("expected an outcome with a 'problem' object")
    if document.get("tour") is None:
        verdict = _shown(document.get("verdict"))
        raise TourFileError(f"the file holds no tour: its verdict is {verdict}")
    if "nodes" in problem:
        raise TourFileError("the problem is a graph without a board, which a file cannot judge")
    from kt_cp.trust.check.refusal import Refusal
    from kt_cp.trust.check.shape import problem_of

    squares = _squares(document["tour"])
    try:
        return Claim(squares, problem=problem_of({**_UNSAID, **problem}))
    except Refusal as refusal:
        raise TourFileError(f"the problem makes no sense: {refusal.text}") from None


def _squares(names: object) -> list[Square]:
    if not isinstance(names, list):
        raise TourFileError(f"expected a list of squares, got {_shown(names)}")
    return [_square(name, f"step {number}") for number, name in enumerate(names, start=1)]


def _square(name: object, where: str) -> Square:
    if isinstance(name, list) and len(name) == 2 and all(type(part) is int for part in name):
        return name[0], name[1]
    if not isinstance(name, str):
        raise TourFileError(f"{where}: expected a square, got {_shown(name)}")
    try:
        return parse_square(name)
    except InputError as error:
        raise TourFileError(f"{where}: {error}") from None


def _shown(value: object) -> str:
    """A value of the file, short enough for a message however deep it is nested."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return shorten(json.dumps(value))


def _read_csv(text: str) -> Claim:
    squares: list[Square] = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split(",")
        if not line.strip() or line.strip().lower().startswith(_CSV_HEADER):
            continue
        if len(fields) < 2 or fields[0].strip() != str(len(squares) + 1):
            raise TourFileError(
                f"line {number}: expected step {len(squares) + 1} and its square, "
                f"got {shorten(line)!r}"
            )
        squares += _line_of_squares(fields[1], number)
    return Claim(squares)


def _read_list(text: str) -> Claim:
    squares: list[Square] = []
    for number, line in enumerate(text.splitlines(), start=1):
        squares += _line_of_squares(_DASHES.sub(" ", line), number)
    return Claim(squares)


def _line_of_squares(line: str, number: int) -> list[Square]:
    try:
        return parse_squares(line)
    except InputError as error:
        raise TourFileError(f"line {number}: {error}") from None


def _is_grid(text: str) -> bool:
    """Whether some line is a row of cells: numbers and holes, two or more, or framed."""
    for line in text.splitlines():
        if any(bar in line for bar in _FRAME):
            return True
        cells = line.split()
        if cells and all(cell.isdecimal() or cell in _HOLES for cell in cells):
            return True
    return False


def _read_grid(text: str) -> Claim:
    rows: list[tuple[int, list[str], list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        labels: list[str] = []
        if any(bar in line for bar in _FRAME):
            before, line, *after = re.split(f"[{_FRAME}]", line)
            labels = [label for part in (before, *after) for label in part.split()]
        cells = line.split()
        if all(_is_edge(cell) for cell in cells) and not all(cell in _HOLES for cell in cells):
            continue
        if cells:
            rows.append((number, labels, cells))
    return _place(rows)


def _is_edge(cell: str) -> bool:
    """Whether it belongs to a rule or is a file's letters."""
    return bool(_RULE.fullmatch(cell)) or (cell.isascii() and cell.isalpha())


def _place(rows: list[tuple[int, list[str], list[str]]]) -> Claim:
    """Squares in the order of their step numbers; holes are missing squares."""
    columns = len(rows[0][2]) if rows else 0
    at: dict[int, Square] = {}
    missing = set()
    for down, (number, labels, cells) in enumerate(rows):
        rank = str(len(rows) - down)
        if any(label != rank for label in labels):
            raise TourFileError(
                f"line {number}: expected rank {rank} beside the bars, and squares separated by "
                f"blanks; got {shorten(' '.join(labels))!r}"
            )
        if len(cells) != columns:
            raise TourFileError(
                f"line {number}: expected {columns} squares as in the first row, got {len(cells)}"
            )
        for column, cell in enumerate(cells):
            square = (len(rows) - 1 - down, column)
            if cell in _HOLES:
                missing.add(square)
                continue
            step = int(cell) if cell.isdecimal() and len(cell) < 19 else -1
            if step < 0:
                raise TourFileError(f"line {number}: expected a step number, got {shorten(cell)!r}")
            if step in at:
                raise TourFileError(f"line {number}: step {step} stands twice in the grid")
            at[step] = square
    if not at:
        raise TourFileError("expected a grid of step numbers, got none")
    first = 0 if 0 in at else 1
    for step in range(first, first + len(at)):
        if step not in at:
            raise TourFileError(f"step {step} is not in the grid, and step {max(at)} is")
    board = Board(len(rows), columns, frozenset(missing))
    return Claim([at[step] for step in sorted(at)], board)
