"""Problems in words and as JSON: what messages, certificates, outcomes and files say of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kt_cp.model.board import describe
from kt_cp.model.conditions import ALWAYS, KINDS, Condition, Start
from kt_cp.model.errors import ProblemError
from kt_cp.model.piece import KNIGHT
from kt_cp.model.places import FILE
from kt_cp.model.terms import FullProblemLike, terms

MOST_TOLD = 4
"""Required, and forbidden, moves that a label names."""


def label_of(problem: FullProblemLike) -> str:
    """The question in a few words, for messages."""
    if problem.board is not None:
        what = problem.board.label + (f", {problem.piece}" if problem.piece != KNIGHT else "")
    else:
        edges, said = problem.graph.number_of_edges(), terms(problem)
        named = problem.graph.graph.get(FILE, said.whole)
        what = f"{named} with {problem.size} nodes and {edges} {said.move}s"
    ends = [each.label(describe) for each in problem.conditions if isinstance(each, Start)]
    parts = [what, problem.kind, *([" ".join(ends)] if ends else [])]
    for kind in KINDS[2:]:
        told = [each.label(describe) for each in problem.conditions if type(each) is kind]
        more = [f"{len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
        parts += [*told[:MOST_TOLD], *more]
    return ", ".join(parts)


def check_names(problem: FullProblemLike) -> list[str]:
    """Return the texts of a graph's nodes, by which files name them.

    Raises
    ------
    ProblemError
        If two nodes have the same text, such as 1 and "1": a file would mix them up.
    """
    names: dict[str, Any] = {}
    for node in problem.graph:
        if names.setdefault(str(node), node) != node:
            told = f"{names[str(node)]!r} and {node!r}"
            raise ProblemError(f"expected nodes whose texts differ, to write them, got {told}")
    return list(names)


def problem_document(problem: FullProblemLike) -> dict[str, Any]:
    """A problem in full, as JSON objects hold it.

    Raises
    ------
    ProblemError
        If two nodes of its graph have the same text.

    Examples
    --------
    >>> from kt_cp import Board, Problem
    >>> document = problem_document(Problem(Board(3, 4), forbid=[((0, 0), (1, 2))]))
    >>> document["piece"], document["surface"], document["forbid"]
    ([[1, 2]], 'plane', [['a1', 'c2']])
    """
    board = problem.board
    if board is not None:
        asked: dict[str, Any] = {
            "rows": board.rows,
            "columns": board.columns,
            "missing": [describe(square) for square in sorted(board.missing)],
            "piece": [list(leap) for leap in problem.piece.leaps],
            "surface": str(board.surface),
        }
    else:
        asked = {
            "nodes": check_names(problem),
            "edges": [[str(u), str(v)] for u, v in problem.graph.edges()],
        }
        if problem.directed:
            asked["directed"] = True
    told = ((kind.key, _told(problem, kind)) for kind in KINDS)
    said = {key: value for key, value in told if value or key in ALWAYS}
    return {**asked, "closed": problem.closed, **said}


def _told(problem: FullProblemLike, kind: type[Condition]) -> Any:
    """The conditions of one kind as JSON: a list, or one or null where there is but one."""
    found = []
    for each in problem.conditions:
        if type(each) is kind:
            told = zip(each.values(problem.place), each.parts, strict=True)
            parts = [node_name(problem, v) if part == "square" else v for v, part in told]
            found.append(parts if len(parts) > 1 else parts[0])
    return found if kind.many else next(iter(found), None)


def node_name(problem: FullProblemLike, node: Any) -> str:
    """Name of a square, or a graph's node as text."""
    return str(node) if problem.board is None else describe(node)


def written(value: Any, indent: int = 0) -> str:
    """JSON with an object's keys on lines of their own, and lists of plain values on one."""
    inner = "  " * (indent + 1)
    if isinstance(value, Mapping) and value:
        rows = [f"{json.dumps(key)}: {written(each, indent + 1)}" for key, each in value.items()]
        return "{\n" + ",\n".join(inner + row for row in rows) + "\n" + "  " * indent + "}"
    if isinstance(value, list) and any(isinstance(each, list | Mapping) for each in value):
        rows = [written(each, indent + 1) for each in value]
        return "[\n" + ",\n".join(inner + row for row in rows) + "\n" + "  " * indent + "]"
    return json.dumps(value)
