"""Boards drawn as text: free squares, holes, and given steps.

A line is a rank; the last rank comes first, as boards are printed.  A number is the step of its
square; ``.``, ``_`` and ``0`` are free squares; ``#``, ``x``, ``-``, ``·`` and a blank at the place
of a square are holes.  In drawings with free squares ``0`` or ``_``, a ``.`` is a hole too.

Squares are separated by blanks, or stand side by side, one character each.  They stand side by side
if something longer than a square occurs, such as ``00`` or a number beyond the number of squares.
But such a number is an error if all lines have the same number of marks and numbers, two or more.
Separated squares stand in columns, in which blanks are holes.  If all columns are as wide as the
longest number, a mark may fill its column: ``__`` is one square beside ``33``.  The output of
kt-cp, with labels and frame, is read too.

The first line may state options (:mod:`kt_cp.formats.option_line`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import gcd
from typing import Any, NamedTuple

from kt_cp.formats.option_line import is_option_line, option_line, parse_option_line
from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.errors import BoardError, InputError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted

MOST_BYTES = 1 << 22
"""Bytes of a drawing: a million squares with their steps."""

FREE = frozenset("._0")
HOLES = frozenset("#xX-·* ")
_BARS = "│|┃"
_CELL = re.compile(r"\S+")
_NUMBER = re.compile("-?[1-9][0-9]*")


class Drawing(NamedTuple):
    """A board, the given steps of its squares, and further arguments of ``Problem``.

    ``remarks`` are for the user.
    """

    board: Board
    given: dict[Square, int]
    options: dict[str, Any]
    remarks: tuple[str, ...] = ()

    @property
    def closed(self) -> bool | None:
        """Return whether a tour is closed; None if the drawing does not state it."""
        return self.options.get("closed")


def read_board(data: bytes | str) -> tuple[Board, dict[Square, int]]:
    r"""Return the board of a drawing, and the given steps of its squares.

    >>> board, given = read_board("1 .\n. #")
    >>> board.label, given
    ('2x2 without b1', {(1, 0): 1})
    >>> read_board(" 00\n010\n")[0].label
    '2x3 without a2'
    """
    return read_drawing(data)[:2]


def read_drawing(data: bytes | str) -> Drawing:
    r"""Return the board of a drawing, its given steps, and its options.

    >>> read_drawing("Options: --closed --surface torus\n1 .\n. #\n").options
    {'closed': True}
    """
    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(data) > MOST_BYTES:
        raise BoardError(f"expected a drawing of at most {MOST_BYTES >> 20} MB, got more")
    try:
        from kt_cp.formats.read import Lines

        read = [line.rstrip("\n") for _, line in Lines(data)]
    except UnicodeDecodeError:
        raise BoardError("expected a board drawn as UTF-8 text") from None
    lines = [line.rstrip() for line in read]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise BoardError("expected a board drawn as text, got an empty file")
    first = next(number for number, line in enumerate(lines) if line)
    options: dict[str, Any] = {}
    if is_option_line(lines[first]):
        try:
            options = parse_option_line(lines[first])
        except InputError as error:
            raise BoardError(f"line {first + 1}: {error}") from None
        lines[: first + 1] = [""] * (first + 1)
        first = next((number for number, line in enumerate(lines) if line), -1)
        if first < 0:
            raise BoardError("expected a board drawn below its options, got none")
    for number, line in enumerate(read[first : len(lines)], start=first + 1):
        if not line or is_option_line(line):  # a rank of holes has blanks
            raise BoardError(f"line {number}: expected one drawing, got another one below it")
    framed = any(bar in line for line in lines for bar in _BARS)
    rows = _read_framed(lines) if framed else _read_plain(lines, first)
    board, given = _build_board(rows)
    surface = options.pop("surface", board.surface)
    remarks = () if framed else _remarks_on_short_rows(rows)
    return Drawing(replace(board, surface=surface), given, options, remarks)


def _remarks_on_short_rows(rows: Rows) -> tuple[str, ...]:
    """Return a remark if a row ends early: its last squares may have been forgotten."""
    short = [
        (number, len(row) - len("".join(each[0] for each in row).rstrip()))
        for number, row in rows
        if row[-1] == " "
    ]
    if not short:
        return ()
    (number, lacking), *others = short
    more = f", and {counted(len(others), 'other line')} as well" if others else ""
    return (
        f"line {number} ends {counted(lacking, 'square')} early{more}: these are missing squares; "
        "'#' marks one",
    )


def draw_problem(problem: Problem, given: Mapping[Square, int]) -> str:
    r"""Return a drawing of a problem on a board with some steps, below its options.

    >>> draw_problem(Problem("1x3", piece="king", closed=True), {(0, 0): 1})
    'Options: --closed --piece king\n1 . .\n'
    """
    assert problem.board is not None
    return option_line(problem) + draw_board(problem.board, given)


def draw_board(board: Board, given: Mapping[Square, int]) -> str:
    """Return a drawing that :func:`read_board` reads.

    >>> board = Board(2, 3, {(0, 1)})
    >>> print(draw_board(board, {(0, 0): 1}), end="")
    . . .
    1 # .
    >>> read_board(draw_board(board, {(0, 0): 1})) == (board, {(0, 0): 1})
    True
    """
    wide = max(map(len, map(str, given.values())), default=1)

    def cell(square: Square) -> str:
        return "#" if square in board.missing else str(given.get(square, "."))

    ranks = (
        " ".join(cell((row, column)).rjust(wide) for column in range(board.columns))
        for row in reversed(range(board.rows))
    )
    return "".join(f"{rank}\n" for rank in ranks)


Rows = list[tuple[int, list[str]]]
"""The number of each line, and the text of its squares."""


def _read_framed(lines: list[str]) -> Rows:
    """Read squares between bars."""
    rows = []
    for number, line in enumerate(lines, start=1):
        parts = re.split(f"[{_BARS}]", line)
        if len(parts) > 1:
            # "8 │ 1 2", "│ 1 2 │ 8" or "| 1 | 2 |"
            cells = parts[1].split() if len(parts) <= 3 else [part.strip() for part in parts[1:-1]]
            rows.append((number, [cell or " " for cell in cells]))
    return rows


def _read_plain(lines: list[str], first: int) -> Rows:
    drawn = textwrap.dedent("\n".join(lines[first:]).expandtabs()).split("\n")
    numbered = list(enumerate(drawn, start=first + 1))
    cells = [_CELL.findall(line) for line in drawn]
    ends = [[found.end() for found in _CELL.finditer(line)] for line in drawn]
    most = sum(map(len, drawn))
    cells = _unrepeat_marks(cells, ends, most)
    aligned = len(cells[0]) > 1 and len({*map(len, cells)}) == 1
    if any(
        not _is_cell(cell, most) and not (aligned and _NUMBER.fullmatch(cell))
        for row in cells
        for cell in row
    ):
        wide = max(map(len, drawn))
        return [(number, list(line.ljust(wide))) for number, line in numbered]
    if all(row == ends[0] for row in ends):
        return [(number, row) for (number, _), row in zip(numbered, cells, strict=True)]
    known = sorted({end for row in ends for end in row})
    pitch = reduce(gcd, (end - known[0] for end in known))
    if pitch > 1:
        columns = range(known[0], known[-1] + 1, pitch)
        found = (dict(zip(at, row, strict=True)) for row, at in zip(cells, ends, strict=True))
        rows = ([cell.get(end, " ") for end in columns] for cell in found)
        return [(number, row) for (number, _), row in zip(numbered, rows, strict=True)]
    return [(number, row) for (number, _), row in zip(numbered, cells, strict=True) if row]


def _unrepeat_marks(
    cells: list[list[str]], ends: Sequence[Sequence[int]], most: int
) -> list[list[str]]:
    """Replace marks that are repeated to be as wide as the numbers by single marks."""
    wide = max((len(cell) for row in cells for cell in row if _is_cell(cell, most)), default=1)
    if wide == 1 or len({end % (wide + 1) for row in ends for end in row}) > 1:
        return cells
    marks = {mark * wide: mark for mark in (FREE | HOLES) - {"0", " "}}
    return [[marks.get(cell, cell) for cell in row] for row in cells]


def _is_cell(cell: str, most: int) -> bool:
    """Return whether a text can be a single square of a drawing with so many characters."""
    if len(cell) == 1:
        return True
    return cell.isascii() and cell.isdecimal() and cell[0] != "0" and int(cell[:9]) <= most


def _build_board(rows: Rows) -> tuple[Board, dict[Square, int]]:
    columns = len(rows[0][1])
    written = {cell for _, row in rows for cell in row}
    holes = HOLES | ({"."} if written & {"0", "_"} else set())
    missing, given = set(), {}
    for place, (number, row) in enumerate(rows):
        if len(row) != columns:
            raise BoardError(
                f"line {number}: expected {columns} squares as in the first row, got {len(row)}"
            )
        for column, cell in enumerate(row):
            square = (len(rows) - 1 - place, column)
            if cell in holes:
                missing.add(square)
            elif cell.isascii() and cell.isdecimal() and int(cell[:9]):
                given[square] = int(cell[:9])
            elif cell not in FREE:
                raise BoardError(
                    f"line {number}: expected a step, a free square ('.', '_' or 0) or a hole "
                    f"('#' or x), got {shorten(cell)!r}"
                )
    board = Board(len(rows), columns, frozenset(missing))
    steps = set(given.values())
    whole = len(given) == len(steps) == max(steps, default=0)
    if "0" in written and whole and len(given) == board.size - 1 > 1:
        raise BoardError(
            f"expected steps from 1 with '.' for a free square, got 0 to {board.size - 1}: "
            "a tour that counts from 0?"
        )
    return board, given
