"""Words for the parts of a problem in sentences.

A board has squares and moves, a graph has nodes and edges, and a directed graph has nodes and arcs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

FILE = "file"
"""Attribute of a networkx graph: the name of its file, for messages."""


class ProblemLike(Protocol):
    """The attributes of a problem for sentences and conditions."""

    @property
    def board(self) -> Any: ...
    @property
    def piece(self) -> Any: ...
    @property
    def closed(self) -> bool: ...
    @property
    def directed(self) -> bool: ...
    @property
    def size(self) -> int: ...
    def has_square(self, square: Any) -> bool: ...
    def is_move(self, here: Any, there: Any) -> bool: ...


class FullProblemLike(ProblemLike, Protocol):
    """The attributes of a problem for files and labels."""

    @property
    def kind(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def graph(self) -> Any: ...
    @property
    def conditions(self) -> Any: ...
    def place(self, square: Any) -> Any: ...


class Terms(NamedTuple):
    """The words in the singular; all have a regular plural."""

    whole: str
    square: str
    move: str
    piece: str


BOARD = Terms("board", "square", "move", "piece")
GRAPH = Terms("graph", "node", "edge", "component")
DIGRAPH = Terms("digraph", "node", "arc", "component")


def terms(problem: ProblemLike) -> Terms:
    """Return the words for a problem."""
    if problem.board is not None:
        return BOARD
    return DIGRAPH if problem.directed else GRAPH


def counted(number: int, what: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def describe_claim(tours: int) -> str:
    """Return the claim of a certificate that a problem has this many tours and no others.

    >>> [describe_claim(number) for number in (0, 1, 9862)]
    ['no tour', 'the only tour', 'all 9,862 tours']
    """
    return ("no tour", "the only tour")[tours] if tours < 2 else f"all {tours:,} tours"


_COUNTED = {
    "turns": ("turn", ""),
    "straight": ("square", " without a turn"),
    "right-angles": ("right angle", ""),
    "acute-angles": ("acute angle", ""),
    "obtuse-angles": ("obtuse angle", ""),
    "direction": ("move", " in one direction"),
    "steep": ("steep move", ""),
    "run": ("move", " in a run"),
    "crossings": ("crossing", ""),
    "uncrossed-moves": ("uncrossed move", ""),
    "magic-ranks": ("magic rank", ""),
    "magic-files": ("magic file", ""),
    "longest-uncrossed": ("move", ""),
    "longest": ("square", ""),
    "path-cover": ("path", ""),
}
"""Nouns for the counts of measures and objectives."""

_EXAMPLES = {
    "longest": ("path", "has"),
    "longest-uncrossed": ("path without crossings", "has"),
    "path-cover": ("cover", "has"),
    "least-weight": ("tour", "weighs"),
}
"""Noun and verb for something that attains a value; the default is that a tour has it."""


def describe_value(objective: str, value: float, *, unit: int = 1) -> str:
    """Return a number of turns, angles, moves or paths, or a weight in parts of a unit, as text.

    >>> describe_value("most-direction", 37), describe_value("least-weight", 35, unit=10)
    ('37 moves in one direction', 'weight 3.5')
    """
    if objective == "least-weight":
        return f"weight {_weight(value, unit)}"
    noun, more = _COUNTED[objective if objective in _COUNTED else objective.partition("-")[2]]
    return counted(int(value), noun) + more


def _weight(value: float, unit: int) -> str:
    return f"{value / unit:,.15g}" if unit > 1 else f"{value:,}"


def describe_example(objective: str, value: float, *, unit: int = 1) -> str:
    """Return the statement that something attains a value.

    >>> describe_example("path-cover", 2)
    'a cover has 2'
    """
    what, has = _EXAMPLES.get(objective, ("tour", "has"))
    return f"a {what} {has} {_weight(value, unit)}"


def is_minimized(objective: str) -> bool:
    """Return whether the least value of an objective is the best.

    >>> is_minimized("path-cover"), is_minimized("longest")
    (True, False)
    """
    return objective.startswith("fewest") or objective in ("path-cover", "least-weight")


def describe_comparison(objective: str) -> str:
    """Return the claim that no other value is better.

    >>> describe_comparison("longest"), describe_comparison("least-weight")
    ('no path has more', 'no tour weighs less')
    """
    what, has = _EXAMPLES.get(objective, ("tour", "has"))
    if objective == "least-weight":
        return f"no {what} {has} less"
    return f"no {what} {has} {'fewer' if is_minimized(objective) else 'more'}"


def describe_bound(objective: str, value: float, *, attained: bool, unit: int = 1) -> str:
    """Return the claim of a certificate of a bound.

    >>> describe_bound("fewest-turns", 45, attained=True)
    '45 turns, and no tour has fewer'
    >>> describe_bound("most-direction", 38, attained=False)
    'no tour has more than 38 moves in one direction'
    >>> describe_bound("least-weight", 12, attained=False)
    'no tour weighs less than 12'
    """
    counts, comparison = describe_value(objective, value, unit=unit), describe_comparison(objective)
    if attained:
        return f"{counts}, and {comparison}"
    return f"{comparison} than {counts.removeprefix('weight ')}"


def claim_of(evidence: Mapping[str, Any]) -> str:
    """Return the claim of a certificate with this evidence, which has been checked.

    >>> claim_of({"kind": "colours"})
    'no tour'
    """
    if evidence["kind"] == "bound":
        return describe_bound(
            evidence["objective"],
            evidence["bound"],
            attained="tour" in evidence or "paths" in evidence,
            unit=evidence.get("weights", {}).get("denominator", 1),
        )
    return describe_claim(len(evidence.get("tours", ())))


def is_reverse_distinct(problem: ProblemLike, directed: bool | None, *, unique: bool) -> bool:
    """Return whether a tour and its reverse count as two, for the option ``directed``.

    On a digraph they always do, regardless of the option: the reverse follows other arcs, and is a
    separate tour if these exist.

    >>> import networkx as nx
    >>> from kt_cp.model.problem import Problem
    >>> is_reverse_distinct(Problem("3x4"), None, unique=False)
    True
    >>> is_reverse_distinct(Problem(graph=nx.DiGraph([(1, 2)])), False, unique=False)
    True
    """
    if problem.directed:
        return True
    return not (problem.closed or unique) if directed is None else directed


def direction(problem: ProblemLike, *, directed: bool) -> str:
    """Return a text on whether a tour and its reverse count as one or two."""
    if problem.directed:
        return "directed: a tour follows the arcs"
    many = "directed: {} two" if directed else "undirected: {} one"
    return many.format("a tour and its reverse are")


def units(problem: ProblemLike, *, directed: bool, unique: bool = False) -> str:
    """Return a text on which tours count as one; with ``unique``, also rotations and reflections.

    >>> from kt_cp.model.problem import Problem
    >>> units(Problem("3x4"), directed=True)  # doctest: +ELLIPSIS
    'directed: a tour and its reverse are two; rotations and reflections of the board are counted...
    """
    how = "one" if unique else "counted one by one"
    shift = ["a closed tour is one wherever it begins"] * problem.closed
    turns = [f"rotations and reflections of the board are {how}"]
    turns *= problem.board is not None
    return "; ".join([direction(problem, directed=directed), *shift, *turns])
