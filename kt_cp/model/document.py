"""Writing and parsing of a problem's JSON, which outcomes, certificates and others contain.

The certificate checker has its own parser (``trust/check/parsing.py``), so an error here cannot
make it accept a false proof.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kt_cp.model.board import Board, describe, parse_square, shorten
from kt_cp.model.conditions import ALWAYS, KINDS, Condition
from kt_cp.model.errors import InputError, ProblemError
from kt_cp.model.piece import Piece
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface
from kt_cp.model.terms import FullProblemLike

T = TypeVar("T")

MOST_SIDE = 10**18
"""Longest side of a board, and largest step, as in the name of a square."""

LONGEST_NAME = 1_000
"""Most characters of the name of a node or a square."""


def check_names(problem: FullProblemLike) -> list[str]:
    """Return the texts of a graph's nodes, which are their names in files and must differ."""
    names: dict[str, Any] = {}
    for node in problem.graph:
        if names.setdefault(str(node), node) != node:
            same = f"{names[str(node)]!r} and {node!r}"
            raise ProblemError(f"expected nodes whose texts differ, to write them, got {same}")
    return list(names)


def problem_document(problem: FullProblemLike) -> dict[str, Any]:
    """Return a full problem as a JSON object.

    >>> from kt_cp import Board, Problem
    >>> document = problem_document(Problem(Board(3, 4), forbid=[((0, 0), (1, 2))]))
    >>> document["piece"], document["surface"], document["forbid"]
    ([[1, 2]], 'plane', [['a1', 'c2']])
    """
    board = problem.board
    if board is not None:
        place: dict[str, Any] = {
            "rows": board.rows,
            "columns": board.columns,
            "missing": [describe(square) for square in sorted(board.missing)],
            "piece": [list(leap) for leap in problem.piece.leaps],
            "surface": str(board.surface),
        }
    else:
        place = {
            "nodes": check_names(problem),
            "edges": [[str(u), str(v)] for u, v in problem.graph.edges()],
        }
        if problem.directed:
            place["directed"] = True
    conditions = {kind.key: _condition_values(problem, kind) for kind in KINDS}
    used = {key: value for key, value in conditions.items() if value or key in ALWAYS}
    return {**place, "closed": problem.closed, **used}


def _condition_values(problem: FullProblemLike, kind: type[Condition]) -> Any:
    """Return the conditions of one kind as JSON: a list, or one value or null."""
    found = []
    for each in problem.conditions:
        if type(each) is kind:
            values = zip(each.values(problem.place), each.parts, strict=True)
            parts = [node_name(problem, v) if part == "square" else v for v, part in values]
            found.append(parts if len(parts) > 1 else parts[0])
    return found if kind.many else next(iter(found), None)


def parse_problem(value: object, *, prefix: str = "") -> Problem:
    """Return the problem of a JSON object; a key that is missing or null has its default value.

    A piece or a surface may be a name.  Errors put ``prefix`` before the names of keys.

    >>> parse_problem({"rows": 5, "columns": 6, "missing": ["a1", "b1"], "piece": "camel"}).label
    '5x6 without a1, b1, camel, open'
    >>> parse_problem({"nodes": ["x", "y"], "edges": [["x", "y"]], "start": "y"}).label
    "graph with 2 nodes and 1 edge, open, from 'y'"
    """
    if not isinstance(value, Mapping):
        raise InputError(f"expected a problem as an object, got {_shown(value)}")
    on_board = "nodes" not in value
    place = ("rows", "columns") if on_board else ("nodes", "edges")
    optional = ("missing", "piece", "surface") if on_board else ("directed",)
    known = (*place, *optional, "closed", *(kind.key for kind in KINDS))
    for key in place:
        if key not in value:
            raise InputError(f"expected the key {key!r}")
    for key in value:
        if key not in known:
            raise InputError(f"the key {_shown(key)} plays no part: expected {', '.join(known)}")
    values = {key: each for key, each in value.items() if each is not None}
    closed = _boolean(values, "closed", prefix)
    if on_board:
        for side in place:
            if type(value[side]) is int and value[side] > MOST_SIDE:
                raise InputError(f"expected {side} from 1 to {MOST_SIDE:,}, got a longer number")
        surface = values.get("surface", "plane")
        if not isinstance(surface, str):
            raise InputError(f"expected {prefix}surface as a text, got {_shown(surface)}")
        missing = [
            parse_square(_text(each, f"{prefix}missing"))
            for each in _list(values, "missing", prefix)
        ]
        board = Board(
            value["rows"],
            value["columns"],
            frozenset(missing),
            _parse(f"{prefix}surface", Surface.of, surface),
        )
        piece = values.get("piece", "knight")
        parse: Callable[[Any], Piece] = Piece.parse if isinstance(piece, str) else Piece
        moves = _parse(f"{prefix}piece", parse, piece)
        conditions = _read_conditions(values, prefix, parse_square, directed=False)
        return Problem(board, piece=moves, closed=closed, conditions=conditions)
    directed = _boolean(values, "directed", prefix)
    graph = _read_graph(values, prefix, directed=directed)
    conditions = _read_conditions(values, prefix, str, directed=directed)
    return Problem(graph=graph, closed=closed, conditions=conditions)


def _read_graph(values: Mapping[str, Any], prefix: str, *, directed: bool) -> Any:
    """Return the networkx graph of nodes and edges, which must be different."""
    import networkx as nx

    names = [_text(node, f"{prefix}nodes") for node in _list(values, "nodes", prefix)]
    graph: Any = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(names)
    if len(graph) < len(names):
        raise InputError("expected different nodes, got one twice")
    for edge in _list(values, "edges", prefix):
        pair = edge if isinstance(edge, list) and len(edge) == 2 else [None, None]
        u, v = (_text(node, f"{prefix}edges") for node in pair)
        if u == v or u not in graph or v not in graph or graph.has_edge(u, v):
            raise InputError(f"expected an edge of two nodes, each once, got {_shown(edge)}")
        graph.add_edge(u, v)
    return graph


def _read_conditions(
    values: Mapping[str, Any], prefix: str, parse: Callable[[str], Any], *, directed: bool
) -> list[Condition]:
    """Return the conditions, with squares parsed from texts."""
    conditions = []
    for kind in KINDS:
        if kind.key not in values:
            continue
        key = f"{prefix}{kind.key}"
        make = kind.directed if directed else kind.of
        for each in _list(values, kind.key, prefix) if kind.many else [values[kind.key]]:
            parts = each if len(kind.parts) > 1 else [each]
            if not isinstance(parts, list) or len(parts) != len(kind.parts):
                raise InputError(
                    f"expected {' and '.join(kind.parts)} in {key}, got {_shown(each)}"
                )
            read = []
            for part, item in zip(kind.parts, parts, strict=True):
                if part == "step" and (type(item) is not int or abs(item) > MOST_SIDE):
                    raise InputError(f"expected {key} with a step, got {_shown(item)}")
                text = item if part == "step" else _text(item, key)
                read.append(_parse(key, parse, text) if part == "square" else text)
            conditions.append(make(*read))
    return conditions


def _parse(key: str, parse: Callable[[Any], T], value: Any) -> T:
    """Parse a value; an error names its key."""
    try:
        return parse(value)
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def _boolean(values: Mapping[str, Any], key: str, prefix: str) -> bool:
    value = values.get(key, False)
    if not isinstance(value, bool):
        raise InputError(f"expected {prefix}{key} as true or false, got {_shown(value)}")
    return value


def _list(values: Mapping[str, Any], key: str, prefix: str) -> list[Any]:
    value = values.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"expected {prefix}{key} as a list, got {_shown(value)}")
    return value


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not value.isprintable():
        raise InputError(f"expected {key} with printable texts, got {_shown(value)}")
    return value


def _shown(value: object) -> str:
    """Return a short text of a value for a message."""
    if isinstance(value, list | Mapping):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, int) and abs(value) > MOST_SIDE:
        return "a very long number"
    return shorten(repr(value))


def node_name(problem: FullProblemLike, node: Any) -> str:
    """Return the name of a square, or a graph's node as text."""
    return str(node) if problem.board is None else describe(node)


def format_json(value: Any, indent: int = 0) -> str:
    """Return JSON with a line for each key, and one line for a list of plain values."""
    inner = "  " * (indent + 1)
    if isinstance(value, Mapping) and value:
        rows = [
            f"{json.dumps(key)}: {format_json(each, indent + 1)}" for key, each in value.items()
        ]
        return "{\n" + ",\n".join(inner + row for row in rows) + "\n" + "  " * indent + "}"
    if isinstance(value, list) and any(isinstance(each, list | Mapping) for each in value):
        rows = [format_json(each, indent + 1) for each in value]
        return "[\n" + ",\n".join(inner + row for row in rows) + "\n" + "  " * indent + "]"
    return json.dumps(value)
