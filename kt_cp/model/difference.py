"""Descriptions of the differences between two problems, field by field.

Problems are compared as values: the order of missing squares, the direction in which a move is
written and the name of a piece make no difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from kt_cp.model.board import Board, describe, shorten
from kt_cp.model.conditions import KINDS, Condition, Name, Required
from kt_cp.model.document import node_name
from kt_cp.model.problem import MOST_NAMED, Problem
from kt_cp.model.terms import terms


def describe_difference(expected: Problem, found: Problem) -> str:
    """Return the difference from the expected problem in one line; ``""`` if they are equal.

    >>> forbidding = Problem("5x6", closed=True, forbid=["a1-c2", "b1-d2"])
    >>> describe_difference(Problem("5x6", closed=True), forbidding)
    'expected no forbidden moves, found 2 (a1-c2, b1-d2)'
    >>> describe_difference(Problem("8x8"), Problem("8x8", piece="camel", start="a1"))
    'expected knight, found camel; expected no start, found a1'
    """
    if expected == found:
        return ""
    parts = _graph_parts(expected, found)
    if expected.closed is not found.closed:
        tours = {True: "closed tours", False: "open tours"}
        parts.append((tours[expected.closed], tours[found.closed]))
    for kind in KINDS:
        words = kind.words.replace("move", terms(expected).move)
        one, other = (
            [_text(each, partial(node_name, problem)) for each in problem.conditions
             if type(each) is kind]
            for problem in (expected, found)
        )  # fmt: skip
        parts += _list_parts(words, one, other, many=kind.many)
    parts = parts or [(expected.label, found.label)]  # the nodes differ, but not their names
    return "; ".join(f"expected {one}, found {other}" for one, other in parts)


Parts = list[tuple[str, str]]


def _graph_parts(expected: Problem, found: Problem) -> Parts:
    """Return the differences of boards and pieces, or of graphs."""
    one, other = expected.board, found.board
    if one is not None and other is not None:
        parts = _board_parts(one, other)
        if expected.piece != found.piece:
            parts.append((str(expected.piece), str(found.piece)))
        return parts
    if one is not None or other is not None or expected.directed is not found.directed:
        return [(_whole(expected), _whole(found))]
    nodes, found_nodes = ([node_name(each, v) for v in each.graph] for each in (expected, found))
    edges, found_edges = (
        [_edge(each, *v) for v in each.graph.edges()] for each in (expected, found)
    )
    move = f"{terms(expected).move}s"
    return [*_list_parts("nodes", nodes, found_nodes), *_list_parts(move, edges, found_edges)]


def _whole(problem: Problem) -> str:
    return f"a {terms(problem).whole}" if problem.board is None else str(problem.board)


def _board_parts(expected: Board, found: Board) -> Parts:
    parts = []
    if str(expected) != str(found):
        parts.append((str(expected), str(found)))
    one, other = ([*map(describe, sorted(each.missing))] for each in (expected, found))
    parts += _list_parts("missing squares", one, other)
    if expected.surface is not found.surface:
        parts.append((f"a {expected.surface.words}", f"a {found.surface.words}"))
    return parts


def _edge(problem: Problem, *ends: Any) -> str:
    names = (node_name(problem, node) for node in ends)
    return "->".join(names) if problem.directed else "-".join(sorted(names))


def _text(condition: Condition, name: Name) -> str:
    if isinstance(condition, Required):
        return condition.move_text(name)
    if len(condition.parts) > 1:
        return condition.label(name)
    (value,) = condition.values()
    return name(value) if condition.parts == ("square",) else str(value)


def _list_parts(words: str, expected: list[str], found: list[str], *, many: bool = True) -> Parts:
    """Return the difference of two lists of ``words``, a plural noun, or of two single values."""
    if set(expected) == set(found):
        return []
    if not many:
        one, other = (next(iter(each), None) for each in (expected, found))
        return [(f"no {words}" if one is None else f"{words} {one}", other or "none")]
    one = f"no {words}"
    if expected:
        one = f"{len(expected):,} {words[:-1] if len(expected) == 1 else words}"
        one += f" ({_some(expected, found)})"
    return [(one, f"{len(found):,} ({_some(found, expected)})" if found else "none")]


def _some(texts: list[str], others: Iterable[str]) -> str:
    """Return a few of the texts, first those that the other list does not contain."""
    common = set(others)
    first = sorted(texts, key=lambda text: text in common)
    more = [f"{len(texts) - MOST_NAMED:,} more"] if len(texts) > MOST_NAMED else []
    return ", ".join([*map(shorten, first[:MOST_NAMED]), *more])
