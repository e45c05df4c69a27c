"""Values of a request: each is of its kind and within bounds, or it is refused in one line.

What makes no sense as a problem is refused in the model's words, and so in the command line's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kt_cp.model.board import Board, Square, describe, parse_square, shorten
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.piece import Piece
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface

T = TypeVar("T")

KEYS = ("rows", "columns", "missing", "piece", "surface", "closed", "start", "end", "require",
        "forbid", "given", "symmetry")  # fmt: skip
"""Of a problem on a board."""

MOST_SQUARES = 40_000
"""Of a board: what a browser can still draw."""

MOST_SECONDS = 3600.0
"""Time limit of a search at most."""

MOST_NAMES = 200
"""Of a list, but for tours."""

Body = Mapping[str, Any]


def problem_of(value: object) -> Problem:
    """The problem of a JSON object, as outcomes have it; what is usual need not be said.

    Raises
    ------
    InputError
        If it is none, or larger than is taken; in the words of the command line.

    Examples
    --------
    >>> problem_of({"rows": 5, "columns": 6, "missing": ["a1", "b1"], "piece": "camel"}).label
    '5x6 without a1, b1, camel, open'
    """
    if not isinstance(value, Mapping) or "rows" not in value:
        raise expected("a problem with rows and columns", value)
    if strange := [key for key in value if key not in KEYS]:
        raise expected(f"of a problem {', '.join(KEYS)}", strange[0])
    rows, columns, closed = value["rows"], value.get("columns"), value.get("closed", False)
    if type(rows) is int and type(columns) is int and min(rows, columns) > 0:
        check_size(rows, columns)
    if not isinstance(closed, bool):
        raise expected("closed as true or false", closed)
    piece = value.get("piece") or "knight"
    surface = _read("surface", Surface.of, text(value, "surface", "plane") or "")
    board = Board(rows, columns, _list(value, "missing", str), surface)  # type: ignore[arg-type]
    return Problem(
        board,
        piece=_read("piece", Piece.parse if isinstance(piece, str) else Piece, piece),
        closed=closed,
        start=_square(value, "start"),
        end=_square(value, "end"),
        require=_list(value, "require", str, str),
        forbid=_list(value, "forbid", str, str),
        given=_list(value, "given", str, int),
        symmetry=text(value, "symmetry", None),
    )


def _square(value: Body, key: str) -> Square | None:
    name = text(value, key, None)
    return None if name is None else _read(key, parse_square, name)


def _read(key: str, parse: Callable[[Any], T], value: Any) -> T:
    """What a value says, with its name in front of what is wrong, as the command line has it."""
    try:
        return parse(value)
    except InputError as error:
        raise InputError(f"--{key}: {error}") from None


def _list(value: Body, key: str, *parts: type) -> list[Any]:
    """A list of names, or of pairs whose parts are of some types."""
    found = value.get(key) or []
    if not isinstance(found, list) or len(found) > 8 * MOST_SQUARES:
        raise expected(f"{key} as a list", found)
    for each in found:
        told = each if len(parts) > 1 else [each]
        if not isinstance(told, list) or [*map(type, told)] != [*parts]:
            raise expected(
                f"{key} as a list of {' and '.join(_WORDS[part] for part in parts)}", each
            )
    return found


_WORDS = {str: "a square", int: "a step"}


def text_document(text: object) -> dict[str, Any]:
    r"""What a pasted text holds: a drawn board, a tour and its board, a board in JSON.

    Raises
    ------
    InputError
        If it is neither.

    Examples
    --------
    >>> told = text_document("1 . .\n. # .\n. . .")
    >>> told["problem"]["missing"], told["problem"]["given"], told["tour"]
    (['b2'], [['a3', 1]], None)
    """
    from kt_cp.formats.drawing import read_board
    from kt_cp.formats.read import Claim, read_problem, read_tour

    if not isinstance(text, str):
        raise expected("a text", text)
    try:
        board, given = read_board(text)
        check_size(*sides_of(board))
        return {"problem": problem_document(Problem(board, given=given)), "tour": None}
    except InputError as wrong:
        try:
            claim = read_tour(text)
        except InputError:
            asked = read_problem(text.encode("utf-8", "surrogatepass"))
            if asked is None:
                raise wrong from None
            claim = Claim((), problem=asked)
    squares = list(claim.squares)
    asked = claim.problem
    if asked is None:
        rows, columns = (1 + max(square[side] for square in squares) for side in (0, 1))
        asked = Problem(claim.board or Board(rows, columns))
    check_size(*sides_of(asked.board))
    named = [describe(each) for each in squares] or None
    return {"problem": problem_document(asked), "tour": named}


def tour_of(problem: Problem, value: object) -> list[str]:
    """A claimed tour: names, as many as the problem has squares at most."""
    if not isinstance(value, list) or len(value) > problem.size:
        raise expected(f"a tour of at most {problem.size:,} squares", value)
    return [text({"tour": name}, "tour", "") or "" for name in value]


def sides_of(board: Board | None) -> tuple[int, int]:
    """Rows and columns of a board; a graph has none."""
    if board is None:
        raise InputError("expected a board, got a graph")
    return board.rows, board.columns


def check_size(rows: int, columns: int) -> None:
    """Refuse a board that is larger than is taken."""
    if rows * columns > MOST_SQUARES:
        raise TooLargeError(
            f"expected a board of at most {MOST_SQUARES:,} squares, got {rows}x{columns}"
        )


def texts(body: Body, key: str, most: int = MOST_NAMES) -> list[str]:
    """A list of names."""
    values = body.get(key)
    if not isinstance(values, list) or not 1 <= len(values) <= most:
        raise expected(f"{key}: a list of names", values)
    return [str(text({key: value}, key, "")) for value in values]


def text(body: Body, key: str, usual: str | None) -> str | None:
    """A short text; what is usual where there is none."""
    value = body.get(key)
    if value is None:
        return usual
    if not isinstance(value, str) or len(value) > 100 or not value.isprintable():
        raise expected(f"{key} as a text", value)
    return value


def whole(body: Body, key: str, usual: int | None, least: int, most: int) -> int | None:
    """A whole number within bounds; what is usual where there is none."""
    value = body.get(key)
    if value is None:
        return usual
    if type(value) is not int or not least <= value <= most:
        raise expected(f"{key} from {least} to {most:,}", value)
    return value


def seconds_of(body: Body, key: str, usual: float | None) -> float | None:
    """A time limit, cut to the most that is taken."""
    value = body.get(key)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise expected("a time limit above 0", value)
    return min(float(value), MOST_SECONDS)


def expected(what: str, came: object) -> InputError:
    """The error of a value that is not what it should be."""
    return InputError(f"expected {what}, got {shorten(repr(came)[:200])}")
