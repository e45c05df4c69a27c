"""A bound: every tour has at least, or at most, so many turns, angles or moves of a kind.

A measure is a sum over squares, and what a square adds depends on its two moves alone.  Each edge
of the frame has two *potentials*, one at each of its ends, whose sum is 0.  A tour that uses the
edge adds both, so potentials do not change the sum of any tour, but they change the least that a
square can add.  A *cut* is a set of squares with a weight w.  Every tour crosses its boundary at
least twice.  So w is subtracted from the potentials of each edge across it, and 2w is added to the
sum.  The sum of the least that each vertex can add, over its pairs of edges, is then a bound.  It
holds for any numbers; those of a good bound come from the dual of a linear program.

If one such sum is too weak, a tree splits the tours into those that use an edge and those that do
not.  Costs are multiplied by a *scale*, so that all numbers are whole; scale 0 shows that a case
has no tour.

``most-direction`` has one tree for each line of movement: its measure is the largest of sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import Any

from kt_cp.model.surface import Surface
from kt_cp.model.terms import counted, describe_bound
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.parsing import (
    edge_of,
    keys_of,
    list_of,
    number_of,
    shown,
    squares_of,
    vertices_of,
)
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.refutation import fault

Cost = Callable[[int, int, int], int]
"""What a vertex adds to a measure, by the vertex and its two neighbours in the cycle."""

MOST_NUMBER = 10**15
"""Of a potential, a weight or a scale."""

PAIRS = "pairs of edges"
"""What a leaf takes from the budget."""

ANGLES: dict[str, Callable[[int, int], bool]] = {
    "turns": lambda cross, dot: cross != 0 or dot > 0,
    "straight": lambda cross, dot: cross == 0 and dot < 0,
    "right-angles": lambda _, dot: dot == 0,
    "acute-angles": lambda _, dot: dot > 0,
    "obtuse-angles": lambda cross, dot: dot < 0 and cross != 0,
}
"""Measures of squares, by the cross and the dot product of the steps to the two neighbours."""

OBJECTIVES = (
    *(f"{sense}-{name}" for name in (*ANGLES, "steep") for sense in ("fewest", "most")),
    "most-direction",
)  # fmt: skip


def bound(problem: Instance, evidence: object) -> str:
    """Potentials and cuts that show a bound, and perhaps a tour that attains it."""
    found = keys_of(evidence, "kind", "objective", "bound", "trees", optional=("tour",))
    objective = found["objective"]
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise Refusal(Reason.WRONG_SHAPE, f"expected an objective, got {shown(objective)}")
    if problem.board is None or problem.board.surface is not Surface.PLANE:
        raise Refusal(Reason.WRONG_PROBLEM, "turns and angles are those of boards on the plane")
    frame = frame_of(problem)
    value = number_of(found["bound"], 0, len(frame), "a bound")
    sense, _, name = objective.partition("-")
    sign = 1 if sense == "fewest" else -1
    costs = costs_of(frame, name)
    trees = list_of(found["trees"], "trees")
    if len(trees) != len(costs):
        raise Refusal(Reason.WRONG_SHAPE, f"expected {counted(len(costs), 'tree')}")
    cases = sum(
        _check_tree(frame, tree, cost, sign, value) for cost, tree in zip(costs, trees, strict=True)
    )
    claim = describe_bound(objective, value, attained=False)
    text = f"potentials of moves show in {counted(cases, 'case')} that {claim}"
    if "tour" not in found:
        return text
    attained = _measure(frame, costs, found["tour"])
    if attained != value:
        raise Refusal(Reason.NOT_PROVED, f"the tour has {attained}, and the bound is {value}")
    return f"{text}, and a tour has {value}"


def costs_of(frame: Frame, name: str) -> list[Cost]:
    """The sums of a measure: one for most, and one for each line of movement for ``direction``."""
    nodes, squares = frame.problem.nodes, frame.squares

    def step(here: int, there: int) -> tuple[int, int]:
        (row, column), (other_row, other_column) = nodes[here], nodes[there]
        return other_row - row, other_column - column

    def angle(vertex: int, one: int, other: int) -> int:
        if max(vertex, one, other) >= squares:
            return 0
        (a, b), (c, d) = step(vertex, one), step(vertex, other)
        return int(ANGLES[name](a * d - b * c, a * c + b * d))

    def along(line: tuple[int, int]) -> Callable[[int, int], bool]:
        return lambda up, right: up * line[1] == right * line[0]

    def moves(test: Callable[[int, int], bool]) -> Cost:
        """Counts the moves that pass a test, each at its first square."""
        return lambda vertex, *others: sum(
            test(*step(vertex, other)) for other in others if vertex < other < squares
        )

    if name in ANGLES:
        return [angle]
    if name == "steep":
        return [moves(lambda up, right: abs(up) > abs(right))]
    lines = set()
    for a, b in frame.problem.piece.leaps:
        one, other = a // gcd(a, b), b // gcd(a, b)
        lines |= {(one, other), (other, one), (one, -other), (other, -one)}
    lines = {line if line > (0, 0) else (-line[0], -line[1]) for line in lines}
    return [moves(along(line)) for line in sorted(lines)]


@dataclass(frozen=True)
class _Case:
    """A subtree, and the edges that its tours use, and do not use."""

    tree: object
    used: frozenset[tuple[int, int]]
    unused: frozenset[tuple[int, int]]


def _check_tree(frame: Frame, tree: object, cost: Cost, sign: int, value: int) -> int:
    """Show that for every tour sign * measure >= sign * value; how many leaves do it."""
    waiting = [_Case(tree, frozenset(frame.must), frozenset())]
    leaves = 0
    while waiting:
        case = waiting.pop()
        if isinstance(case.tree, Mapping) and "move" in case.tree:
            node = keys_of(case.tree, "move", "used", "unused")
            edge = edge_of(frame, node["move"], frame.neighbours)
            if edge is None:
                raise Refusal(Reason.NOT_PROVED, "a case is about a move that does not exist")
            chosen = frozenset({(min(edge), max(edge))})
            waiting.append(_Case(node["used"], case.used | chosen, case.unused))
            waiting.append(_Case(node["unused"], case.used, case.unused | chosen))
        else:
            leaves += 1
            _check_leaf(frame, case, cost, sign, value)
    return leaves


def _check_leaf(frame: Frame, case: _Case, cost: Cost, sign: int, value: int) -> None:
    """Show the same for every tour of a case, or that it has none."""
    frame.problem.budget.spend(PAIRS, sum(len(row) ** 2 for row in frame.neighbours))
    pairs = [_pairs(frame, case, vertex) for vertex in range(len(frame))]
    if case.tree == {}:
        if all(pairs):
            raise Refusal(Reason.NOT_PROVED, "a case ends without numbers, and is not empty")
        return
    leaf = keys_of(case.tree, "scale", "potentials", "cuts")
    scale = number_of(leaf["scale"], 0, MOST_NUMBER, "a scale")
    edges = frame.edges()
    numbers = list_of(leaf["potentials"], "potentials")
    if len(numbers) != len(edges):
        raise Refusal(Reason.WRONG_SHAPE, f"expected {len(edges):,} potentials")
    potential: dict[tuple[int, int], int] = {}
    for (u, v), number in zip(edges, numbers, strict=True):
        potential[u, v] = number_of(number, -MOST_NUMBER, MOST_NUMBER, "a potential")
        potential[v, u] = -potential[u, v]
    total = 0
    for entry in list_of(leaf["cuts"], "cuts"):
        cut = keys_of(entry, "weight", "squares")
        weight = number_of(cut["weight"], 1, MOST_NUMBER, "a weight")
        inside = vertices_of(frame, cut["squares"])
        if not 0 < len(inside) < len(frame):
            raise Refusal(Reason.WHOLE_SET, "a cut has no squares, or all")
        frame.problem.budget.spend("loads of the frame", frame.load)
        total += 2 * weight
        for u in inside:
            for v in frame.neighbours[u]:
                if v not in inside:
                    potential[max(u, v), min(u, v)] -= weight
    for vertex, choices in enumerate(pairs):
        if not choices:
            return  # no tour at all
        total += min(
            scale * sign * cost(vertex, u, v) + potential[vertex, u] + potential[vertex, v]
            for u, v in choices
        )
    if total <= scale * (sign * value - 1):
        raise Refusal(Reason.NOT_PROVED, "the numbers of a case show less than the bound")


def _pairs(frame: Frame, case: _Case, vertex: int) -> list[tuple[int, int]]:
    """The pairs of neighbours that a tour of the case can have at a vertex."""

    def is_in(edges: frozenset[tuple[int, int]], other: int) -> bool:
        return (min(vertex, other), max(vertex, other)) in edges

    open_ = [v for v in frame.neighbours[vertex] if not is_in(case.unused, v)]
    must = {v for v in open_ if is_in(case.used, v)}
    return [pair for pair in combinations(open_, 2) if must.issubset(pair)]


def _measure(frame: Frame, costs: list[Cost], names: Any) -> int:
    """The measure of a tour, after it was checked."""
    tour = [frame.number[square] for square in squares_of(frame.problem, names)]
    if wrong := fault(frame, tour):
        raise Refusal(Reason.NOT_A_TOUR, f"the tour of the bound: {wrong}")
    cycle = tour if frame.problem.closed else [*tour, frame.squares]
    around = list(zip(cycle, [*cycle[-1:], *cycle[:-1]], [*cycle[1:], *cycle[:1]], strict=True))
    return max(sum(cost(*each) for each in around if each[0] < frame.squares) for cost in costs)
