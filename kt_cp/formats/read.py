"""Long texts and what they hold, in little memory: line by line, squares as numbers.

What would take more than half a minute or a gigabyte is refused as soon as it is seen to.

Tours made by anyone, read from text in whichever format they come.

Understood are: an outcome as this package writes it (JSON), a list of squares (names or
``rank,file``, separated by blanks, line breaks, commas, dashes or arrows), the CSV of a tour, and
a grid of step numbers, with or without the labels at its edges, rank 1 at the bottom.  A grid may
count from 1 or from 0, as many programs do.

Reading says what the text claims.  Whether the claim is true is for the judge.

Text may be long: what would take more than half a minute or a gigabyte is refused.

Grids of step numbers in text, with or without the labels at their edges, rank 1 at the bottom.

A grid may count from 1 or from 0, as many programs do.  Cells without a number are missing squares.

Lists of tours as text: what ``enumerate`` and ``sample`` write, or a tour a line.

Understood are the tours of a certificate in their own file, JSON lines, each with the names of a
``tour`` or just the names, and plain names, a tour a line.  What is said at the end, how many there
were and of which problem, is no tour; whoever judges the tours takes the problem from it.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from kt_cp.formats.table import HOLE, MOST_SQUARES
from kt_cp.model.board import Board, Square, parse_square, shorten
from kt_cp.model.document import parse_problem
from kt_cp.model.errors import InputError, TooLargeError, TourFileError
from kt_cp.model.problem import Problem
from kt_cp.model.square import squares_in_text

MOST_BYTES = 1 << 27
"""Of text: a tour of the most squares, in the longest format, takes a hundred megabytes."""

MOST_LINES = 3 * MOST_SQUARES
LONGEST_LINE = 1 << 26  # all squares in one line


class SquareList(Sequence[Square]):
    """Squares in order, held as numbers side by side: pairs of Python's would take ten times that.

    >>> squares = SquareList([(0, 0), (2, 1)])
    >>> len(squares), squares[-1], squares == [(0, 0), (2, 1)]
    (2, (2, 1), True)
    """

    def __init__(self, squares: Iterable[Square] = ()) -> None:
        self._numbers = array("q")
        self.extend(squares)

    def extend(self, squares: Iterable[Square]) -> None:
        """Add squares; a ``TooLargeError`` if they are too many or too far out."""
        try:
            for square in squares:
                self._numbers.extend(square)
                if len(self._numbers) > 2 * MOST_SQUARES:
                    raise too_many_squares()
        except OverflowError:
            raise TooLargeError("expected ranks and files below 2^63, got more") from None

    def __len__(self) -> int:
        return len(self._numbers) // 2

    @overload
    def __getitem__(self, place: int) -> Square: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Square]: ...
    def __getitem__(self, place: int | slice) -> Square | Sequence[Square]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        at = 2 * range(len(self))[place]
        return self._numbers[at], self._numbers[at + 1]

    def __iter__(self) -> Iterator[Square]:
        numbers = iter(self._numbers)
        return zip(numbers, numbers, strict=True)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"SquareList({shorten(repr(list(self[:9])))})"


def too_many_squares() -> TooLargeError:
    """What is said of a text of more squares than are read."""
    return TooLargeError(
        f"expected a tour of at most {MOST_SQUARES:,} squares as text, got more: a larger one is "
        "read from .npy"
    )


class Lines(Iterator[tuple[int, str]]):
    r"""Lines with their numbers, one at a time; or all those at once that are of a shape.

    Attributes
    ----------
    number : int
        Of the last line that was read, from 1.

    >>> lines = Lines(b"# two\n1 2\n2 3\n-1\n")
    >>> next(lines), lines.run(re.compile(rb"(?:\d \d\n)*+")), next(lines)
    ((1, '# two\n'), b'1 2\n2 3\n', (4, '-1\n'))
    """

    def __init__(self, data: bytes) -> None:
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._data = data.removeprefix(codecs.BOM_UTF8)
        self._at = self.number = 0

    def __next__(self) -> tuple[int, str]:
        begin = self._at
        self._at = self._data.find(b"\n", begin) + 1 or len(self._data)
        if begin == self._at:
            raise StopIteration
        self.number += 1
        if self.number > MOST_LINES or self._at - begin > LONGEST_LINE:
            what = f"lines of at most {LONGEST_LINE >> 20} MB, and at most {MOST_LINES:,}"
            raise TooLargeError(f"line {self.number}: expected {what}")
        return self.number, self._data[begin : self._at].decode()

    def run(self, shape: re.Pattern[bytes]) -> bytes:
        """The lines that come next and are matched by a shape, which ends where a line does."""
        found = shape.match(self._data, self._at)
        return self._moved(found[0], 1) if found else b""

    def back(self, run: bytes) -> None:
        """Leave these lines, the last ones that were read, to be read again."""
        self._moved(run, -1)

    def _moved(self, run: bytes, way: int) -> bytes:
        self._at += way * len(run)
        self.number += way * run.count(b"\n")
        return run


_NAME = re.compile(r'"(?:[^"\\]|\\.)*+"(?=[\s,]|$)|[^\s,]\S*')


def names_in(line: str) -> list[str]:
    r"""Names of a line, separated by blanks; commas at their ends are no part of them.

    One in double quotes stands as in JSON.

    >>> names_in('x, y "New York" 5"')
    ['x', 'y', 'New York', '5"']
    """
    return [_unquoted(name) for name in _NAME.findall(line)]


def _unquoted(name: str) -> str:
    try:
        told = json.loads(name) if name[0] == '"' else None
    except ValueError:
        told = None
    return told if isinstance(told, str) else name.strip(",")


def line_of_names(names: Iterable[str]) -> str:
    """Names of nodes in a line, in quotes where :func:`names_in` takes them for something else.

    >>> line_of_names(["x", "New York", "{y}"])
    'x "New York" "{y}"'
    """
    return " ".join(
        name if names_in(name) == [name] and name[0] not in "{[" else
        json.dumps(name, ensure_ascii=False)
        for name in names
    )  # fmt: skip


def describe_utf8_error(data: bytes) -> str:
    """Where the first byte is that cannot be read; what was read line by line knew no place."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        return f"line {line}: expected UTF-8 text, got byte 0x{byte:02x}"
    return "expected UTF-8 text"


MOST_MISSING = 1_000_000
"""Holes of a grid: each is a square of the board's own, of some three hundred bytes."""

_HOLES = {HOLE, ".", "-", "x", "X", "#", "*"}
_NO_CELL = re.compile(r"(?<!\S)(?!\d+(?!\S)|[-·.xX#*](?!\S))\S")
_FRAME = "│|┃"
_RULE = re.compile(r"[─━┌┐└┘+=_-]{2,}")


def is_row(line: str) -> bool:
    """Whether it is a row of cells: numbers and holes, or framed."""
    if any(bar in line for bar in _FRAME):
        return True
    return not _NO_CELL.search(line) and not line.isspace()


def read_grid(data: bytes) -> tuple[SquareList, Board]:
    """Squares in the order of their step numbers; holes are missing squares."""
    steps = array("q")  # row by row from the top, -1 for a hole
    lines = array("q")  # of the rows
    promised: dict[int, str] = {}  # by how many rows a label promises, what is wrong if it lies
    columns = 0
    for number, line in Lines(data):
        labels: list[str] = []
        if any(bar in line for bar in _FRAME):
            before, line, *after = re.split(f"[{_FRAME}]", line, maxsplit=3)
            labels = [label for part in (before, *after) for label in part.split(None, 3)]
        cells = line.split(None, MOST_SQUARES)
        if all(map(_is_edge, cells)) and not all(cell in _HOLES for cell in cells):
            continue
        if not cells:
            continue
        for label in labels:
            rows = int(label) + len(lines) if label.isdecimal() and len(label) < 19 else -1
            if len(promised) < 2:
                promised.setdefault(rows, f"{number} {len(lines)} {' '.join(labels)}")
        columns = columns or len(cells)
        if len(cells) != columns:
            raise TourFileError(
                f"line {number}: expected {columns} squares as in the first row, got {len(cells)}"
            )
        lines.append(number)
        for cell in cells:
            step = int(cell) if cell.isdecimal() and len(cell) < 19 else -1
            if step < 0 and cell not in _HOLES:
                raise TourFileError(f"line {number}: expected a step number, got {shorten(cell)!r}")
            steps.append(step)
        if len(steps) > MOST_SQUARES:
            raise too_many_squares()
    for rows, told in promised.items():
        if rows != len(lines):
            line, down, shown = told.split(" ", 2)
            raise TourFileError(
                f"line {line}: expected rank {len(lines) - int(down)} beside the bars, and "
                f"squares separated by blanks; got {shorten(shown)!r}"
            )
    return _placed(steps, lines, columns)


def _is_edge(cell: str) -> bool:
    """Whether it belongs to a rule or is a file's letters."""
    return bool(_RULE.fullmatch(cell)) or (cell.isascii() and cell.isalpha())


def _placed(steps: array[int], lines: array[int], columns: int) -> tuple[SquareList, Board]:
    holes = steps.count(-1)
    size = len(steps) - holes
    if not size:
        raise TourFileError("expected a grid of step numbers, got none")
    if holes > MOST_MISSING:
        raise TooLargeError(
            f"expected at most {MOST_MISSING:,} squares of a grid without a number, got {holes:,}"
        )
    at = array("q", [-1]) * (size + 1)
    for place, step in enumerate(steps):
        if 0 <= step <= size:
            if at[step] >= 0:
                line = lines[place // columns]
                raise TourFileError(f"line {line}: step {step} stands twice in the grid")
            at[step] = place
    first = 0 if at[0] >= 0 else 1
    for step in range(first, first + size):
        if at[step] < 0:
            raise TourFileError(f"step {step} is not in the grid, and step {max(steps)} is")

    def square(place: int) -> Square:
        down, column = divmod(place, columns)
        return len(lines) - 1 - down, column

    missing = frozenset(square(place) for place, step in enumerate(steps) if step < 0)
    board = Board(len(lines), columns, missing)
    return SquareList(square(at[step]) for step in range(first, first + size)), board


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
        raise TourFileError(describe_utf8_error(data)) from None


def read_walk(data: bytes) -> Claim:
    """Read a claimed tour of a graph: an outcome, a list of names in JSON, a CSV, or plain names.

    Names that are not in JSON are separated as :func:`~kt_cp.formats.read.names_in` has it.

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
        raise TourFileError(describe_utf8_error(data)) from None


def _read(data: bytes) -> Claim:
    head = next((line.lstrip() for _, line in Lines(data) if not line.isspace()), "")
    if not head:
        raise TourFileError("expected a tour, got an empty file")
    if head[0] in "{[":
        document = _document(data)
        return Claim(_squares(document)) if isinstance(document, list) else _outcome(document)
    # Every line has a square, but a few at the edges: to know it here takes seconds, not a minute.
    if sum(map(bool, map(bytes.strip, io.BytesIO(data)))) > MOST_SQUARES + EDGES:
        raise too_many_squares()
    if head.lower().startswith(_CSV_HEADER):
        return _read_csv(data)
    if any(map(is_row, (line for _, line in Lines(data)))):
        return Claim(*read_grid(data))
    return _read_list(data)


def read_problem(data: bytes) -> Problem | None:
    """The problem that an outcome or a puzzle in JSON is about; None for any other file.

    Its verdict, its tour and what else it says play no part.

    >>> read_problem(b'{"problem": {"rows": 3, "columns": 4}}'), read_problem(b'{"nodes": []}')
    (<Problem: 3x4, open>, None)
    """
    if not _PROBLEM.search(data):
        return None
    try:
        document = _document(data)
    except UnicodeDecodeError:
        raise TourFileError(describe_utf8_error(data)) from None
    return None if isinstance(document, list) or "nodes" in document else _problem_of(document)


def _document(data: bytes) -> Any:
    # What a value takes in memory, at worst, by the marks around it; other letters than ASCII
    # take up to four bytes each.
    share = 1 if data.isascii() else 4
    marks = data.count(b",") + data.count(b"[") + 8 * data.count(b"{")
    if len(data) * share > MOST_JSON or marks * share > 3 * MOST_SQUARES + 10_000:
        raise too_many_squares()
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


def _problem_of(document: dict[str, Any]) -> Problem:
    """Return the problem of an outcome, a puzzle or a line with a tour."""
    if not isinstance(document.get("problem"), dict):
        raise TourFileError("expected an outcome with a 'problem' object")
    try:
        return parse_problem(document["problem"])
    except InputError as error:
        raise TourFileError(f"the problem makes no sense: {error}") from None


def _outcome(document: dict[str, Any]) -> Claim:
    if isinstance(document.get("problem"), dict) and document.get("tour") is None:
        verdict = _shown(document.get("verdict"))
        raise TourFileError(f"the file holds no tour: its verdict is {verdict}")
    asked, tour = _problem_of(document), document["tour"]
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


MOST_IN_LINES = 1 << 23
"""Bytes of JSON lines: a hundred thousand small boards, which take about ten seconds to judge."""


def read_tours(data: bytes) -> list[list[str]]:
    r"""The tours of a file, each as the names of its squares, which are not looked at.

    >>> read_tours(b'{"number": 1, "tour": ["a1", "c2"]}\n["a1", "b3"]\n{"tours": 2}\n')
    [['a1', 'c2'], ['a1', 'b3']]
    >>> read_tours(b"a1 c2\na1, b3\n2 tours (3x4, open).\n")
    [['a1', 'c2'], ['a1', 'b3']]
    """
    lines = _lines(data)
    if not lines:
        raise TourFileError("expected tours, got an empty file")
    if lines[0][1][0] in "{[":
        found = [tour for number, line in lines for tour in _in_json(line, number)]
    else:
        if lines[-1][1].endswith(")."):
            del lines[-1]
        found = [names_in(line) for _, line in lines]
    if not found:
        raise TourFileError("expected tours, got a list of none")
    return found


def read_tour_lines(data: bytes, *, graph: bool = False) -> Iterator[Claim] | None:
    r"""The tours of JSON lines, each claimed of the problem that its line or the last one tells.

    >>> told = b'{"number": 1, "tour": ["a1", "c2"]}\n{"problem": {"rows": 2, "columns": 3}}\n'
    >>> [(list(claim.squares), claim.problem) for claim in read_tour_lines(told)]
    [([(0, 0), (1, 2)], <Problem: 2x3, open>)]
    >>> read_tour_lines(b'{"problem": {"rows": 1, "columns": 1}, "tour": ["a1"]}') is None
    True
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return None
    lines = _lines(data)
    try:
        first = json.loads(lines[0][1])
    except (ValueError, RecursionError):
        return None
    alone = isinstance(first, list) or ("problem" in first) is ("tour" in first)
    if alone and len(lines) == 1:
        return None
    if len(data) > MOST_IN_LINES:
        raise TooLargeError(
            f"expected at most {MOST_IN_LINES >> 20} MB of tours in lines, got {len(data) >> 20}"
        )
    return _claims(lines, graph)


def _claims(lines: list[tuple[int, str]], graph: bool) -> Iterator[Claim]:
    """Line after line; the problem of all stands in the last one."""
    shared, found = read_problem(lines[-1][1].encode()), False
    for number, line in lines:
        value = _value(line, number)
        if isinstance(value, list):
            value = {"tour": value}
        elif "tour" not in value and "problem" in value:  # how many there were
            continue
        found = True
        try:
            yield _claim(value, shared, graph)
        except InputError as error:
            raise TourFileError(f"line {number}: {error}") from None
    if not found:
        raise TourFileError("expected a tour, got none")


def _claim(value: dict[str, Any], shared: Problem | None, graph: bool) -> Claim:
    if value.get("tour") is None:
        raise TourFileError("expected a tour, got none")
    if "problem" in value:
        shared = read_problem(json.dumps({"problem": value["problem"]}).encode())
    on_graph = graph or (shared is not None and shared.board is None)
    read = read_walk if on_graph else read_tour
    return replace(read(json.dumps(value["tour"]).encode()), problem=shared)


def _lines(data: bytes) -> list[tuple[int, str]]:
    """Those that are not blank, with their numbers."""
    try:
        return [(number, line.strip()) for number, line in Lines(data) if line.strip()]
    except UnicodeDecodeError:
        raise TourFileError(describe_utf8_error(data)) from None


def _value(line: str, number: int) -> dict[str, Any] | list[Any]:
    """An object or a list in JSON."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TourFileError(f"line {number}: no JSON: {error}") from None
    if not isinstance(value, dict | list):
        raise TourFileError(f"line {number}: expected a tour, got {shorten(line)}")
    return value


def _in_json(line: str, number: int) -> list[list[str]]:
    """The tours that a line tells."""
    value: Any = _value(line, number)
    if isinstance(value, dict):
        if type(value.get("tours")) is int and "tour" not in value:  # how many there were
            return []
        value = value.get("tours", [value.get("tour")])
    else:
        value = [value]
    if not isinstance(value, list) or not all(map(_is_tour, value)):
        raise TourFileError(
            f"line {number}: expected a tour as a list of names, or an object with a 'tour' or "
            "'tours'"
        )
    return value


def _is_tour(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
