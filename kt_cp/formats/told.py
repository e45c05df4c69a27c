"""The problem that a file of JSON tells: of an outcome, a puzzle, or a tour in a line."""

from __future__ import annotations

from itertools import count
from typing import Any

from kt_cp.model.errors import TourFileError
from kt_cp.model.problem import Problem

_UNSAID: dict[str, Any] = {"piece": [[1, 2]], "surface": "plane", "missing": [], "closed": False}
_UNSAID |= {"start": None, "end": None, "require": [], "forbid": [], "given": [], "symmetry": None}
"""What is meant where an outcome does not say it, as older ones do not."""

_OF_BOARDS = ("piece", "surface", "missing")


def problem_told(document: dict[str, Any]) -> Problem:
    """The problem of an outcome.

    Raises
    ------
    TourFileError
        If there is none, or it makes no sense.

    Examples
    --------
    >>> problem_told({"problem": {"nodes": ["start", "end"], "edges": [["start", "end"]]}})
    <Problem: graph with 2 nodes and 1 edges, open>
    """
    problem = document.get("problem")
    if not isinstance(problem, dict):
        raise TourFileError("expected an outcome with a 'problem' object")
    from kt_cp.trust.check.frame import END
    from kt_cp.trust.check.refusal import Refusal
    from kt_cp.trust.check.shape import problem_of

    unsaid = _UNSAID
    if "nodes" in problem:
        unsaid = {key: value for key, value in _UNSAID.items() if key not in _OF_BOARDS}
    try:
        told = {**unsaid, **problem}
        nodes = told.get("nodes")
        if not isinstance(nodes, list) or END not in nodes:
            return problem_of(told)
        # So certificates call what is joined to the ends, and their reader takes no such node.
        other = next(name for at in count() if (name := f"{END} {at}") not in nodes)
        made = problem_of({key: _replaced(value, END, other) for key, value in told.items()})
        return _renamed(made, other, END)
    except Refusal as refusal:
        raise TourFileError(f"the problem makes no sense: {refusal.text}") from None


def _replaced(value: object, old: str, new: str) -> Any:
    """A name, or a list of names or of lists of them, with another name in place of one."""
    if not isinstance(value, list):
        return new if value == old else value
    return [
        [new if name == old else name for name in each] if isinstance(each, list)
        else new if each == old else each
        for each in value
    ]  # fmt: skip


def _renamed(problem: Problem, old: str, new: str) -> Problem:
    import networkx as nx

    names = {node: new if node == old else node for node in problem.graph}
    asked = [each.mapped(names.__getitem__) for each in problem.conditions]
    graph = nx.relabel_nodes(problem.graph, names)
    return Problem(graph=graph, closed=problem.closed, conditions=asked)
