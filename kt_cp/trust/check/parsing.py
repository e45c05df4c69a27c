"""Reading a certificate: its keys, numbers and squares, and the problem.

Every function raises :class:`~kt_cp.trust.check.refusal.Refusal` if a value is not allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Board, parse_square, shorten, square_name
from kt_cp.model.conditions import ALWAYS, KINDS, Condition
from kt_cp.model.conditions import check as check_consistency
from kt_cp.model.errors import InputError
from kt_cp.model.piece import KNIGHT, MOST_LEAPS, Piece
from kt_cp.model.surface import Surface
from kt_cp.trust.check.frame import END, MOST_SQUARES, Frame
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.refusal import Reason, Refusal

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

MOST_NAME = 1_000
"""Characters of the name of a node or a square."""

MOST_EDGES = 500_000
"""Edges of a graph; each takes a few hundred bytes."""

MOST_SIDE = 10**18
"""Longest side of a board: the limit of square names."""

MOST_CONDITIONS = 250_000
"""Conditions of one kind."""

VERSION_1 = ("closed", "start", "end")
CONDITIONS = ("closed", *ALWAYS)
LATER = tuple(kind.key for kind in KINDS if kind.key not in ALWAYS)


def keys_of(value: object, *keys: str, optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """Return the value, which must be an object with exactly these keys."""
    if not isinstance(value, Mapping):
        raise Refusal(Reason.WRONG_SHAPE, f"expected an object, got {quote(value)}")
    for key in keys:
        if key not in value:
            raise Refusal(Reason.WRONG_SHAPE, f"expected the key {key!r}")
    for key in value:
        if key not in keys and key not in optional:
            raise Refusal(Reason.WRONG_SHAPE, f"the key {quote(key)} plays no part")
    return value


def list_of(value: object, what: str) -> list[Any]:
    """Return the value, which must be a list."""
    if not isinstance(value, list):
        raise Refusal(Reason.WRONG_SHAPE, f"expected a list of {what}, got {quote(value)}")
    return value


def number_of(value: object, least: int, most: int, what: str) -> int:
    """Return the value, which must be a whole number within bounds."""
    if type(value) is not int:
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what} as a whole number, got {quote(value)}")
    if not least <= value <= most:
        got = str(value) if abs(value) < 10**18 else "a longer one"
        raise Refusal(Reason.OUT_OF_RANGE, f"expected {what} from {least} to {most:,}, got {got}")
    return value


def text_of(value: object, what: str, most: int) -> str:
    """Return the value, which must be a printable text of bounded length."""
    if not isinstance(value, str):
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what} as a text, got {quote(value)}")
    if len(value) > most:
        raise Refusal(Reason.TOO_LARGE, f"expected {what} of at most {most:,} characters")
    if not value.isprintable():  # no lone surrogates or control characters
        raise Refusal(Reason.WRONG_SHAPE, f"expected {what} in printable characters")
    return value


def square_of(problem: Instance, value: object) -> Any:
    """Return the square of the problem with a name, or the node of its graph."""
    name = text_of(value, "a square", MOST_NAME)
    if problem.board is None:
        if not problem.has_square(name):
            raise Refusal(Reason.BAD_SQUARE, f"{shorten(name)!r} is not a node of the graph")
        return name
    try:
        square = parse_square(name)
    except InputError as error:
        raise Refusal(Reason.BAD_SQUARE, str(error)) from None
    if square not in problem.board or square_name(square) != name:
        raise Refusal(Reason.BAD_SQUARE, f"{shorten(name)!r} is not on {problem.board.label}")
    return square


def squares_of(problem: Instance, value: object) -> list[Any]:
    """Return different squares of the problem, from a list of their names."""
    names = list_of(value, "squares")
    if len(names) > MOST_SQUARES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SQUARES:,} squares in one list")
    squares = [square_of(problem, each) for each in names]
    if len(set(squares)) < len(squares):
        raise Refusal(Reason.BAD_SQUARE, "a square stands twice in one list")
    return squares


def vertices_of(frame: Frame, value: object) -> set[int]:
    """Return different vertices of the frame, from a list of their names."""
    return {frame.number[square] for square in squares_of(frame.problem, value)}


def edge_of(
    frame: Frame, value: object, neighbours: Sequence[Collection[int]]
) -> tuple[int, int] | None:
    """Return the edge of a case, from the names of two squares, or of a square and ``"end"``.

    The smaller vertex need not be first.  Return None if ``neighbours``, for example those over
    open edges, has no such edge.
    """
    names = list_of(value, "two squares")
    if len(names) != 2:
        raise Refusal(Reason.WRONG_SHAPE, f"expected a move as two squares, got {quote(value)}")
    first = frame.number[square_of(frame.problem, names[0])]
    if names[1] == END:
        second = next((end for end in frame.ends if first in neighbours[end]), -1)
    else:
        second = frame.number[square_of(frame.problem, names[1])]
    return (first, second) if second in neighbours[first] else None


def quote(value: object) -> str:
    """Quote a value of any size, short enough for a message."""
    if isinstance(value, list | Mapping):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "a very long number"
    return shorten(repr(value))


def read_instance(value: object, version: int) -> Instance:
    """Read the problem of a certificate of some version.

    >>> read_instance({"nodes": ["a", "b"], "edges": [["a", "b"]], "closed": False,
    ...                "start": "a", "end": None}, 1).rows
    {'a': {'b': None}, 'b': {'a': None}}
    """
    if isinstance(value, Mapping) and "nodes" in value:
        keys = ("nodes", "edges", *(CONDITIONS if version > 1 else VERSION_1))
        given = keys_of(value, *keys, optional=("directed", *LATER) if version > 4 else LATER)
        directed = given.get("directed", False)
        if not isinstance(directed, bool):
            raise Refusal(Reason.WRONG_SHAPE, f"expected true or false, got {quote(directed)}")
        rows = _rows_of(given["nodes"], given["edges"], directed)
        free = Instance(None, KNIGHT, closed=False, rows=rows, directed=directed)
    elif version == 1:
        given = keys_of(value, "rows", "columns", "missing", *VERSION_1)
        free = Instance(_board_of(given, "plane"), KNIGHT, closed=False)
    else:
        keys = ("rows", "columns", "missing", "piece", "surface", *CONDITIONS)
        given = keys_of(value, *keys, optional=LATER)
        board = _board_of(given, text_of(given["surface"], "a surface", 20))
        free = Instance(board, _piece_of(given["piece"]), closed=False)
    if not isinstance(given["closed"], bool):
        raise Refusal(Reason.WRONG_SHAPE, f"expected true or false, got {quote(given['closed'])}")
    free = replace(free, closed=given["closed"])
    try:
        known = [kind for kind in KINDS if kind.key in given]
        conditions = [each for kind in known for each in _read(free, kind, given[kind.key])]
        check_consistency(free, conditions)
    except InputError as error:
        raise Refusal(Reason.WRONG_PROBLEM, str(error)) from None
    return replace(free, conditions=tuple(conditions))


def problem_of(value: object, version: int | None = None) -> Problem:
    """Read a problem's JSON as a ``Problem``; without a version, the keys decide."""
    if version is None:
        version = 1
        if isinstance(value, Mapping):
            version = 5 if "directed" in value else 2 if "require" in value else 1
    return read_instance(value, version).problem


def _read(free: Instance, kind: type[Condition], value: object) -> list[Condition]:
    """Read the conditions of one kind."""
    one = [] if value is None else [value]
    values = list_of(value, kind.words) if kind.many else one
    if len(values) > MOST_CONDITIONS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_CONDITIONS:,} in {kind.key!r}")
    found = []
    for each in values:
        items = each if len(kind.parts) > 1 else [each]
        if not isinstance(items, list) or len(items) != len(kind.parts):
            raise Refusal(Reason.WRONG_SHAPE, f"expected pairs in {kind.key!r}")
        parts = zip(items, kind.parts, strict=True)
        made = kind.directed if free.directed else kind.of
        found.append(made(*(_part(free, each, part) for each, part in parts)))
    if len(set(found)) < len(found):
        raise Refusal(Reason.WRONG_PROBLEM, f"the same stands twice in {kind.key!r}")
    return found


def _part(free: Instance, value: object, part: str) -> Any:
    if part == "square":
        return square_of(free, value)
    if part == "step":
        return number_of(value, 1, free.size, "a step")
    return text_of(value, "a text", 20)


def _piece_of(value: object) -> Piece:
    leaps = []
    if len(list_of(value, "leaps")) > MOST_LEAPS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_LEAPS} leaps")
    for leap in list_of(value, "leaps"):
        if len(list_of(leap, "two numbers")) != 2:
            raise Refusal(Reason.WRONG_SHAPE, f"expected a leap of two numbers, got {quote(leap)}")
        a, b = (number_of(part, 0, MOST_SIDE, "a step") for part in leap)
        leaps.append((a, b))
    if len(set(leaps)) < len(leaps) or any(a > b for a, b in leaps):
        raise Refusal(Reason.WRONG_PROBLEM, "expected different leaps, the shorter side first")
    try:
        return Piece(tuple(leaps))
    except InputError as error:
        raise Refusal(Reason.WRONG_PROBLEM, str(error)) from None


def _board_of(given: Mapping[str, Any], surface: str) -> Board:
    rows, columns = (number_of(given[side], 1, MOST_SIDE, side) for side in ("rows", "columns"))
    whole = Instance(Board(rows, columns), KNIGHT, closed=False)
    missing = squares_of(whole, given["missing"])
    if len(missing) == whole.size:
        raise Refusal(Reason.WRONG_PROBLEM, "no square of the board remains")
    if surface not in [*Surface]:  # Board also accepts "Plane"
        names = ", ".join(Surface)
        raise Refusal(Reason.WRONG_PROBLEM, f"expected one of {names}, got {quote(surface)}")
    try:
        return Board(rows, columns, frozenset(missing), surface)
    except InputError as error:
        raise Refusal(Reason.WRONG_PROBLEM, str(error)) from None


def _rows_of(nodes: object, edges: object, directed: bool) -> dict[str, dict[str, None]]:
    for what, items, most in (("nodes", nodes, MOST_SQUARES), ("edges", edges, MOST_EDGES)):
        if len(list_of(items, what)) > most:
            raise Refusal(Reason.TOO_LARGE, f"expected at most {most:,} {what}")
    names = [text_of(node, "a node", MOST_NAME) for node in list_of(nodes, "nodes")]
    rows: dict[str, dict[str, None]] = {name: {} for name in names}
    if not names:
        raise Refusal(Reason.WRONG_PROBLEM, "expected at least one node")
    if len(rows) < len(names) or END in rows:
        raise Refusal(Reason.WRONG_PROBLEM, f"a node stands twice, or is called {END!r}")
    for edge in list_of(edges, "edges"):
        pair = [text_of(node, "a node", MOST_NAME) for node in list_of(edge, "two nodes")]
        two = len(pair) == len(set(pair)) == 2
        if not two or not all(node in rows for node in pair) or pair[1] in rows[pair[0]]:
            raise Refusal(Reason.WRONG_PROBLEM, f"expected an edge of two nodes, got {quote(pair)}")
        rows[pair[0]][pair[1]] = None
        if not directed:
            rows[pair[1]][pair[0]] = None
    return rows
