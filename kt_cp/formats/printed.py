"""What the five source programs print, read back: each by the words and the layout of its text.

Told apart are: the sentence of 000, the question of 001, the answer of 002, the heading of 003, and
the matrices of 004, each of whose lines ends with a blank and each of which an empty line follows.
A grid without those blanks is read by :mod:`kt_cp.formats.read`, with rank 1 at the bottom; 003 and
004 have it on top.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kt_cp.formats.read import Claim, read_tour
from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.errors import TooLargeError, TourFileError
from kt_cp.model.problem import Problem
from kt_cp.sources.registry import COORDINATES, FOUND_000, HOLE, NONE_000

MOST_PRINTED = 1 << 23
"""Bytes: a hundred thousand small boards, which take some ten seconds to judge."""

_PAIR = re.compile(r"([0-9]{1,18}) *, *([0-9]{1,18})")
_ROW_OF_004 = re.compile(r"(?:(?:[0-9]+|\.) )+")
_NUMBER = re.compile(r"[0-9]{1,18}")
_HEAD = 1 << 16  # bytes of the first line, which is that of a matrix at most


def printed_tours(data: bytes | str) -> Iterator[Claim] | None:
    r"""The tours that a source program printed, one after the other; None of any other text.

    Raises
    ------
    TourFileError
        If the program says that there is no tour, or what it printed is damaged; the message names
        the line.  It may come with any tour.
    TooLargeError
        If a program has printed more than ``MOST_PRINTED`` bytes.

    Examples
    --------
    >>> [claim.squares for claim in printed_tours("A solution has been found\n1, 2\n0, 0\n")]
    [[(0, 0), (2, 1)]]
    >>> [len(claim.squares) for claim in printed_tours("1 . \n. 2 \n\n2 . \n. 1 \n\n")]
    [2, 2]
    >>> printed_tours("a1 b3") is None
    True
    """
    data = data.encode() if isinstance(data, str) else data
    first = data[:_HEAD].decode(errors="replace").removeprefix("\ufeff").partition("\n")[0]
    head = first.rstrip()
    if head in ("TRUE", "FALSE", NONE_000):
        raise TourFileError(f"the file holds no tour: it says {head!r}")
    every = _ROW_OF_004.fullmatch(first) and data.endswith(b" \n\n")
    readers = {FOUND_000: _read_000, "Board:": _read_003, "Solved: False": _read_003}
    reader = _read_001 if head.startswith("Start at x =") else readers.get(head)
    if not every and reader is None:
        return None
    if len(data) > MOST_PRINTED:
        raise TooLargeError(
            f"expected at most {MOST_PRINTED >> 20} MB of what a source program prints, "
            f"got {len(data) >> 20}"
        )
    lines = data.decode(errors="replace").removeprefix("\ufeff").splitlines()
    return iter([reader(lines)]) if reader else _read_004(lines)


def _read_000(lines: list[str]) -> Claim:
    """The path, last square first."""
    return Claim([_pair(line.strip(), number, "000") for number, line in _beyond(lines, 1)][::-1])


def _read_001(lines: list[str]) -> Claim:
    """The matrix, y upwards: a grid once what is said around it is gone."""
    said = [line.strip() for line in lines]
    if "no path found" in said:
        raise TourFileError("the file holds no tour: it says 'no path found'")
    spoken = ("Start at", "path found!")
    return read_tour("\n".join("" if line.startswith(spoken) else line for line in said))


def _read_003(lines: list[str]) -> Claim:
    """The path, and the board, which must number the same squares."""
    said = [line.strip() for line in lines]
    if "Solved: False" in said:
        raise TourFileError("the file holds no tour: it says 'Solved: False'")
    if "Path:" not in said:
        raise TourFileError("expected a line 'Path:' after the board, got none")
    below = said.index("Path:")
    numbered = _matrix(list(_beyond(lines[:below], 1)))
    squares = []
    for number, line in _beyond(lines, below + 1):
        if ":" in line:  # Solved, Steps, Closed, Structured
            break
        squares += [_pair(pair, number, "003") for pair in line.split()]
    for step, (one, other) in enumerate(zip(numbered.squares, squares, strict=False), start=1):
        if one != other:
            raise TourFileError(f"expected one tour, got a board and a path that differ at {step}")
    if len(numbered.squares) != len(squares):
        raise TourFileError(
            f"expected one tour, got {len(numbered.squares)} squares on the board and "
            f"{len(squares)} on the path"
        )
    closed = "Closed: True" in said
    assert numbered.board is not None
    return Claim(squares, numbered.board, Problem(numbered.board, closed=True) if closed else None)


def _read_004(lines: list[str]) -> Iterator[Claim]:
    """Matrix after matrix, none of them held."""
    rows: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            rows.append((number, line))
        elif rows:
            yield _matrix(rows)
            rows = []


def _matrix(rows: list[tuple[int, str]]) -> Claim:
    """Step numbers with the first rank on top."""
    columns = len(rows[0][1].split()) if rows else 0
    at: dict[int, Square] = {}
    missing = set()
    for row, (number, line) in enumerate(rows):
        cells = line.split()
        if len(cells) != columns:
            raise TourFileError(
                f"line {number}: expected {columns} squares as in the first row, got {len(cells)}"
            )
        for column, cell in enumerate(cells):
            if cell == HOLE:
                missing.add((row, column))
                continue
            step = int(cell) if _NUMBER.fullmatch(cell) else 0
            if step < 1 or step in at:
                wrong = "a step number" if step == 0 else "each step once"
                raise TourFileError(f"line {number}: expected {wrong}, got {shorten(cell)!r}")
            at[step] = (row, column)
    if sorted(at) != list(range(1, len(at) + 1)):
        line = f"line {rows[0][0]}: " if rows else ""
        raise TourFileError(f"{line}expected steps from 1 to {len(at)}, got {max(at)}")
    if not at:
        raise TourFileError("expected a board with steps, got none")
    return Claim([at[step] for step in sorted(at)], Board(len(rows), columns, frozenset(missing)))


def _pair(text: str, number: int, document: str) -> Square:
    match = _PAIR.fullmatch(text)
    if match is None:
        raise TourFileError(f"line {number}: expected a pair such as 3,3; got {shorten(text)!r}")
    return COORDINATES[document].square((int(match[1]), int(match[2])))


def _beyond(lines: list[str], heading: int) -> Iterator[tuple[int, str]]:
    """The lines below a heading that say something, with their numbers from 1."""
    return (
        (number, line)
        for number, line in enumerate(lines[heading:], start=heading + 1)
        if line.strip()
    )
