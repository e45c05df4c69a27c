"""Claimed tours in text of any format, and the limits of text.

A tour may be an outcome of this package (JSON), a list of squares (names or ``rank,file``,
separated by blanks, line breaks, commas, dashes or arrows), the CSV of a tour, or a grid of step
numbers.  A grid may have labels on its edges, rank 1 is at the bottom, and cells without a number
are missing squares; it may count from 1 or from 0.  Lists of tours are JSON lines, each with the
names of a ``tour`` or only names, certificates, or a tour a line; the last line may state their
number and problem.

The judge decides whether a claim is true.  Text that would take more than half a minute or a
gigabyte is refused as early as possible.  So text is read line by line, and squares are stored as
numbers.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from kt_cp.formats.option_line import is_option_line, parse_option_line
from kt_cp.formats.table import HOLE, MOST_SQUARES
from kt_cp.model.board import Board, Square, parse_square, shorten, squares_in_text
from kt_cp.model.document import parse_problem
from kt_cp.model.errors import InputError, TooLargeError, TourFileError
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem

MOST_BYTES = 1 << 27
"""Most bytes of text; the largest tour takes a hundred megabytes in the longest format."""

MOST_LINES = 3 * MOST_SQUARES
LONGEST_LINE = 1 << 26  # all squares in one line


def unpack(data: bytes, most: int) -> bytes:
    """Return the content of gzip, up to one byte more than ``most``; return other data unchanged.

    Raise InputError if the gzip data is damaged.
    """
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"damaged gzip: {str(error).lower()}") from None


class SquareList(Sequence[Square]):
    """Squares in order, stored as numbers: pairs would take ten times the memory.

    >>> squares = SquareList([(0, 0), (2, 1)])
    >>> len(squares), squares[-1], squares == [(0, 0), (2, 1)]
    (2, (2, 1), True)
    """

    def __init__(self, squares: Iterable[Square] = ()) -> None:
        self._numbers = array("q")
        self.extend(squares)

    def extend(self, squares: Iterable[Square]) -> None:
        """Add squares; raise ``TooLargeError`` if they or their numbers are too many or large."""
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
    """Return the error for a text with too many squares."""
    return TooLargeError(
        f"expected a tour of at most {MOST_SQUARES:,} squares as text, got more: a larger one is "
        "read from .npy"
    )


class Lines(Iterator[tuple[int, str]]):
    """Lines of a file with their numbers from 1; ``number`` is that of the last one."""

    def __init__(self, data: bytes) -> None:
        self._lines = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig")
        self.number = 0

    def __next__(self) -> tuple[int, str]:
        line = next(self._lines)
        self.number += 1
        if self.number > MOST_LINES or len(line) > LONGEST_LINE:
            what = f"lines of at most {LONGEST_LINE >> 20} MB, and at most {MOST_LINES:,}"
            raise TooLargeError(f"line {self.number}: expected {what}")
        return self.number, line


_NAME = re.compile(r'"(?:[^"\\]|\\.)*+"(?=[\s,]|$)|[^\s,]\S*')


def names_in(line: str) -> list[str]:
    r"""Return the names in a line, separated by blanks or commas; in double quotes, as in JSON.

    >>> names_in('x, y "New York" 5"')
    ['x', 'y', 'New York', '5"']
    """
    return [_unquote(name) for name in _NAME.findall(line)]


def _unquote(name: str) -> str:
    if name[0] == '"':
        try:
            value = json.loads(name)
        except ValueError:
            value = None
        if isinstance(value, str):
            return value
    return name.strip(",")


def line_of_names(names: Iterable[str]) -> str:
    """Return a line of names, in quotes if :func:`names_in` needs them.

    >>> line_of_names(["x", "New York", "{y}"])
    'x "New York" "{y}"'
    """
    return " ".join(
        name if names_in(name) == [name] and name[0] not in "{[" else
        json.dumps(name, ensure_ascii=False)
        for name in names
    )  # fmt: skip


def describe_utf8_error(data: bytes) -> str:
    """Return the place of the first byte that is not UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        return f"line {line}: expected UTF-8 text, got byte 0x{byte:02x}"
    return "expected UTF-8 text"


MOST_MISSING = 1_000_000
"""Most missing squares of a grid, which take about three hundred bytes each."""

_HOLES = {HOLE, ".", "-", "x", "X", "#", "*"}
_NO_CELL = re.compile(r"(?<!\S)(?!\d+(?!\S)|[-·.xX#*](?!\S))\S")
_BARS = "│|┃"
_RULE = re.compile(r"[─━┌┐└┘+=_-]{2,}")


def is_row(line: str) -> bool:
    """Return whether a line is a row of cells: numbers and holes, or framed."""
    if any(bar in line for bar in _BARS):
        return True
    return not _NO_CELL.search(line) and not line.isspace()


def read_grid(data: bytes) -> tuple[SquareList, Board]:
    """Return the squares of a grid in the order of their steps, and its board."""
    steps = array("q")  # row by row from the top, -1 for a hole
    lines = array("q")  # of the rows
    promises: dict[int, str] = {}  # by numbers of rows that labels promise: else an error
    columns = 0
    for number, line in Lines(data):
        labels: list[str] = []
        if any(bar in line for bar in _BARS):
            before, line, *after = re.split(f"[{_BARS}]", line, maxsplit=3)
            labels = [label for part in (before, *after) for label in part.split(None, 3)]
        cells = line.split(None, MOST_SQUARES)
        # A rule, or the line of file letters.
        is_edge = all(_RULE.fullmatch(c) or (c.isascii() and c.isalpha()) for c in cells)
        if is_edge and not (cells and all(cell in _HOLES for cell in cells)):
            continue
        for label in labels:
            rows = int(label) + len(lines) if label.isdecimal() and len(label) < 19 else -1
            if len(promises) < 2:
                promises.setdefault(rows, f"{number} {len(lines)} {' '.join(labels)}")
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
    for rows, promise in promises.items():
        if rows != len(lines):
            line, above, shown = promise.split(" ", 2)
            raise TourFileError(
                f"line {line}: expected rank {len(lines) - int(above)} beside the bars, and "
                f"squares separated by blanks; got {shorten(shown)!r}"
            )
    return _sort_squares(steps, lines, columns)


def _sort_squares(steps: array[int], lines: array[int], columns: int) -> tuple[SquareList, Board]:
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
        above, column = divmod(place, columns)
        return len(lines) - 1 - above, column

    missing = frozenset(square(place) for place, step in enumerate(steps) if step < 0)
    board = Board(len(lines), columns, missing)
    return SquareList(square(at[step]) for step in range(first, first + size)), board


MOST_JSON = 1 << 26
"""Most bytes of JSON; the largest tour takes forty megabytes."""

EDGES = 1_000
"""Most lines of a text without squares, such as headings and rules of a grid."""

_DASHES = re.compile(r"(?:->|=>|→|–|—|-)")
_PROBLEM = re.compile(rb'"problem"\s*:\s*\{')
_CSV_HEADERS = ("step,square", "step,node")


@dataclass(frozen=True)
class Claim:
    """The squares of a claimed tour, with the problem of an outcome or the board of a grid."""

    squares: Sequence[Any]
    board: Board | None = None
    problem: Problem | None = None


def read_tour(data: bytes | str) -> Claim:
    """Read a claimed tour on a board.

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
        head = next((line.lstrip() for _, line in Lines(data) if not line.isspace()), "")
        if not head:
            raise TourFileError("expected a tour, got an empty file")
        if head[0] in "{[":
            document = _read_small_json(data)
            return Claim(_squares(document)) if isinstance(document, list) else _outcome(document)
        # Almost every line has a square; counting lines takes seconds, reading them a minute.
        if sum(map(bool, map(bytes.strip, io.BytesIO(data)))) > MOST_SQUARES + EDGES:
            raise too_many_squares()
        if head.lower().startswith(_CSV_HEADERS):
            return Claim(_read_csv(data))
        if is_option_line(head):
            return _read_filled_drawing(data, head)
        if any(map(is_row, (line for _, line in Lines(data)))):
            return Claim(*read_grid(data))
        squares = SquareList()
        for number, line in Lines(data):
            _add_squares(squares, _DASHES.sub(" ", line), number)
        return Claim(squares)
    except UnicodeDecodeError:
        raise TourFileError(describe_utf8_error(data)) from None


def _read_filled_drawing(data: bytes, head: str) -> Claim:
    """Read a puzzle with all steps filled in; its options are part of its problem."""
    try:
        options = parse_option_line(head)
        squares, board = read_grid(data.replace(head.rstrip().encode(), b"", 1))
        board = replace(board, surface=options.pop("surface", board.surface))
        return Claim(squares, problem=Problem(board, **options))
    except (TourFileError, TooLargeError):
        raise
    except InputError as error:
        raise TourFileError(f"the options of the drawing make no sense: {error}") from None


def read_walk(data: bytes) -> Claim:
    """Read a claimed tour of a graph: an outcome, a list of names in JSON, CSV, or plain names.

    >>> read_walk(b"x y z").squares
    ['x', 'y', 'z']
    """
    try:
        head = data.lstrip(b"\xef\xbb\xbf \t\r\n")
        if head[:1] in (b"{", b"["):
            document = _read_json(data)
            return Claim(_nodes(document)) if isinstance(document, list) else _outcome(document)
        if head.decode("utf-8", "replace").lower().startswith(_CSV_HEADERS):
            rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
            return Claim([row[1] for row in rows if len(row) > 1][1:])
        return Claim([name for _, line in Lines(data) for name in names_in(line)])
    except UnicodeDecodeError:
        raise TourFileError(describe_utf8_error(data)) from None


def read_problem(data: bytes) -> Problem | None:
    """Return the problem of an outcome or a puzzle in JSON; None for any other file.

    >>> read_problem(b'{"problem": {"rows": 3, "columns": 4}}'), read_problem(b'{"nodes": []}')
    (<Problem: 3x4, open>, None)
    """
    if not _PROBLEM.search(data):
        return None
    try:
        document = _read_small_json(data)
    except UnicodeDecodeError:
        raise TourFileError(describe_utf8_error(data)) from None
    return None if isinstance(document, list) or "nodes" in document else _problem_of(document)


def _read_small_json(data: bytes) -> Any:
    # Memory of a value, at worst, by the marks around it; letters other than ASCII take up to
    # four bytes each.
    share = 1 if data.isascii() else 4
    marks = data.count(b",") + data.count(b"[") + 8 * data.count(b"{")
    if len(data) * share > MOST_JSON or marks * share > 3 * MOST_SQUARES + 10_000:
        raise too_many_squares()
    return _read_json(data)


def _read_json(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        message = f"not complete JSON: {error.msg}"
        if error.msg == "Extra data":
            message = "expected a file of one outcome, puzzle or list, got another after it"
        raise TourFileError(f"line {error.lineno}: {message}") from None
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
        verdict = _describe(document.get("verdict"))
        advice = "; kt-cp prove -o FILE.json or Certificate.save writes a proof that can be checked"
        raise TourFileError(
            f"the file holds no tour: its verdict is {verdict}"
            f"{advice if document.get('verdict') == Verdict.IMPOSSIBLE.value else ''}"
        )
    problem, tour = _problem_of(document), document["tour"]
    return Claim(_squares(tour) if problem.board is not None else _nodes(tour), problem=problem)


def _squares(names: object) -> SquareList:
    if not isinstance(names, list):
        raise TourFileError(f"expected a list of squares, got {_describe(names)}")
    return SquareList(_square(name, step) for step, name in enumerate(names, start=1))


def _nodes(names: object) -> list[str]:
    if not isinstance(names, list):
        raise TourFileError(f"expected a list of nodes, got {_describe(names)}")
    return [name if isinstance(name, str) else _describe(name) for name in names]


def _square(name: object, step: int) -> Square:
    if isinstance(name, list) and len(name) == 2 and all(type(part) is int for part in name):
        return name[0], name[1]
    if not isinstance(name, str):
        raise TourFileError(f"step {step}: expected a square, got {_describe(name)}")
    try:
        return parse_square(name)
    except InputError as error:
        raise TourFileError(f"step {step}: {error}") from None


def _describe(value: object) -> str:
    """Return a text for a value of the file, short enough for a message at any depth of nesting."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return shorten(json.dumps(value))


def _read_csv(data: bytes) -> SquareList:
    squares = SquareList()
    for number, line in Lines(data):
        fields = line.split(",", 2)
        if not line.strip() or line.strip().lower().startswith(_CSV_HEADERS):
            continue
        if len(fields) < 2 or fields[0].strip() != str(len(squares) + 1):
            raise TourFileError(
                f"line {number}: expected step {len(squares) + 1} and its square, "
                f"got {shorten(line.rstrip())!r}"
            )
        _add_squares(squares, fields[1], number)
    return squares


def _add_squares(squares: SquareList, line: str, number: int) -> None:
    try:
        squares.extend(squares_in_text(line))
    except TooLargeError:
        raise
    except InputError as error:
        raise TourFileError(f"line {number}: {error}") from None


MOST_IN_LINES = 1 << 23
"""Most bytes of JSON lines: 100,000 small boards, which the judge checks in ten seconds."""


def read_tours(data: bytes) -> list[list[str]]:
    r"""Return the tours of a list, each as the unchecked names of its squares.

    >>> read_tours(b'{"number": 1, "tour": ["a1", "c2"]}\n["a1", "b3"]\n{"tours": 2}\n')
    [['a1', 'c2'], ['a1', 'b3']]
    >>> read_tours(b"a1 c2\na1, b3\n2 tours (3x4, open).\n")
    [['a1', 'c2'], ['a1', 'b3']]
    """
    lines = _text_lines(data)
    if not lines:
        raise TourFileError("expected tours, got an empty file")
    if lines[0][1][0] in "{[":
        tours = [tour for number, line in lines for tour in _names_of_tours(line, number)]
    else:
        if lines[-1][1].endswith(")."):
            del lines[-1]
        tours = [names_in(line) for _, line in lines]
    if not tours:
        raise TourFileError("expected tours, got a list of none")
    return tours


def read_tour_lines(data: bytes, *, graph: bool = False) -> Iterator[Claim] | None:
    r"""Yield the tours of JSON lines, each with the problem of its line or of the last one.

    With ``graph``, or if the problem has no board, squares are names of nodes.  Return None for any
    other text, and for a single object or list that is one tour.

    >>> lines = b'{"number": 1, "tour": ["a1", "c2"]}\n{"problem": {"rows": 2, "columns": 3}}\n'
    >>> [(list(claim.squares), claim.problem) for claim in read_tour_lines(lines)]
    [([(0, 0), (1, 2)], <Problem: 2x3, open>)]
    >>> read_tour_lines(b'{"problem": {"rows": 1, "columns": 1}, "tour": ["a1"]}') is None
    True
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return None
    lines = _text_lines(data)
    try:
        first = json.loads(lines[0][1])
    except (ValueError, RecursionError):
        return None
    is_tour = isinstance(first, list) or ("problem" in first) is ("tour" in first)
    if is_tour and len(lines) == 1:
        return None
    if len(data) > MOST_IN_LINES:
        raise TooLargeError(
            f"expected at most {MOST_IN_LINES >> 20} MB of tours in lines, got {len(data) >> 20}"
        )
    return _claims(lines, graph)


def _claims(lines: list[tuple[int, str]], graph: bool) -> Iterator[Claim]:
    shared, is_empty = read_problem(lines[-1][1].encode()), True
    for number, line in lines:
        value = _list_or_object(line, number)
        if isinstance(value, list):
            value = {"tour": value}
        elif "tour" not in value and "problem" in value:  # the number of tours
            continue
        is_empty = False
        try:
            if value.get("tour") is None:
                raise TourFileError("expected a tour, got none")
            problem = shared
            if "problem" in value:
                problem = read_problem(json.dumps({"problem": value["problem"]}).encode())
            on_graph = graph or (problem is not None and problem.board is None)
            read = read_walk if on_graph else read_tour
            yield replace(read(json.dumps(value["tour"]).encode()), problem=problem)
        except InputError as error:
            raise TourFileError(f"line {number}: {error}") from None
    if is_empty:
        raise TourFileError("expected a tour, got none")


def _text_lines(data: bytes) -> list[tuple[int, str]]:
    """Return the lines that are not blank, with their numbers."""
    try:
        return [(number, line.strip()) for number, line in Lines(data) if line.strip()]
    except UnicodeDecodeError:
        raise TourFileError(describe_utf8_error(data)) from None


def _list_or_object(line: str, number: int) -> dict[str, Any] | list[Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TourFileError(f"line {number}: no JSON: {error}") from None
    if not isinstance(value, dict | list):
        raise TourFileError(f"line {number}: expected a tour, got {shorten(line)}")
    return value


def _names_of_tours(line: str, number: int) -> list[list[str]]:
    """Return the tours of a line of JSON."""
    value = _list_or_object(line, number)
    if isinstance(value, list):
        tours: Any = [value]
    elif type(value.get("tours")) is int and "tour" not in value:  # the number of tours
        return []
    else:
        tours = value.get("tours", [value.get("tour")])
    if not isinstance(tours, list) or not all(
        isinstance(tour, list) and all(isinstance(name, str) for name in tour) for tour in tours
    ):
        raise TourFileError(
            f"line {number}: expected a tour as a list of names, or an object with a 'tour' or "
            "'tours'"
        )
    return tours
