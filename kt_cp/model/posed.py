"""A question in short: what stands where a problem is asked for, and the keywords beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from kt_cp.model.board import Board, parse_sides
from kt_cp.model.errors import ProblemError
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    import networkx as nx

    Posed: TypeAlias = Problem | Board | str | nx.Graph


def posed(question: Posed, asked: dict[str, Any]) -> Problem:
    """The problem itself, or that of a board, its sides or a graph with the keywords of one.

    Beside sides, ``missing`` and ``surface`` are those of :class:`Board`.

    Raises
    ------
    InputError
        If they make no question, or the problem is one already and something is asked besides.

    Examples
    --------
    >>> posed("8x8", {"closed": True, "missing": "c3,d4", "start": "a1"}).label
    '8x8 without c3, d4, closed, from a1'
    """
    if isinstance(question, Problem):
        if asked:
            told = ", ".join(asked)
            raise ProblemError(f"expected {told} where the problem is made: it does not change")
        return question
    if isinstance(question, str):
        of_board = {key: asked[key] for key in ("missing", "surface") if key in asked}
        rest = {key: value for key, value in asked.items() if key not in of_board}
        return Problem(Board(*parse_sides(question), **of_board), **rest)
    if isinstance(question, Board):
        return Problem(question, **asked)
    return Problem(graph=question, **asked)
