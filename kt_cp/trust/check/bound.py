"""A bound: the least or most turns, angles or moves of a kind in every tour.

A measure is a sum over vertices of the frame, and what a vertex adds depends on its two edges
alone.  Each edge has two *potentials*, one at each of its ends; their sum is 0.  A tour that uses
the edge adds both.  So potentials do not change the sum of any tour, but they change the least that
a vertex can add.  A *cut* is a set of squares with a weight w.  Every tour crosses its boundary at
least twice.  So w is subtracted from the potentials of each edge across it, and 2w is added to the
sum.  The sum of the least that each vertex can add, over its pairs of edges, is then a bound.  It
holds for any numbers; those of a good bound come from the dual of a linear program.

If one such sum is too weak, a tree splits the tours into those that use an edge and those that do
not.  Costs are multiplied by a *scale*, so that all numbers are whole; scale 0 shows that a case
has no tour.  Evidence of the kind ``potentials`` shows this for all cases: no vertex adds anything,
so the sum of a tour is 0, and a higher bound excludes every tour.

``most-direction`` has one tree for each line of movement: its measure is the largest of sums.

``longest`` concerns paths, or cycles, that may skip squares.  A skipped square has no edges and
adds 1.  A cut then names a square inside and, for cycles, one outside.  A cycle that visits both
crosses the cut twice, so 2w is subtracted for each of them that is skipped.  ``path-cover``
concerns several paths that visit each square once.  The edges to the end of the frame are the two
ends of each path.  A path of a single square has two such edges at its square, and nothing is
required at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import gcd
from typing import Any

from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.surface import Surface
from kt_cp.model.terms import counted, describe_bound, describe_example, terms
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import Instance, undirected_instance, undirected_tour
from kt_cp.trust.check.parsing import (
    edge_of,
    keys_of,
    list_of,
    number_of,
    quote,
    square_of,
    squares_of,
    vertices_of,
)
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.refutation import fault, fault_of_moves, moves_of

Choice = tuple[int, ...]
"""The two neighbours of a vertex in a cycle; none if the cycle skips it."""

Cost = Callable[..., int]
"""The cost of a choice, by the vertex and the neighbours of the choice."""

MOST_NUMBER = 10**15
"""Largest absolute value of a potential, a weight or a scale."""

PAIRS = "pairs of edges"
"""The part of the budget that leaves use."""

ANGLES: dict[str, Callable[[int, int], bool]] = {
    "turns": lambda cross, dot: cross != 0 or dot > 0,
    "straight": lambda cross, dot: cross == 0 and dot < 0,
    "right-angles": lambda _, dot: dot == 0,
    "acute-angles": lambda _, dot: dot > 0,
    "obtuse-angles": lambda cross, dot: dot < 0 and cross != 0,
}
"""Measures of squares, by the cross and the dot product of the steps to the two neighbours."""

NOTHING = ""
"""Replaces an objective if no vertex adds anything."""

LONGEST, PATH_COVER, LEAST_WEIGHT = "longest", "path-cover", "least-weight"

PARTIAL = (LONGEST, PATH_COVER)
"""Objectives of paths that are not tours."""

MEASURED = (
    *(f"{sense}-{name}" for name in (*ANGLES, "steep") for sense in ("fewest", "most")),
    "most-direction",
)
"""Objectives that measure a tour on the plane."""

OBJECTIVES = (*MEASURED, LONGEST, PATH_COVER, LEAST_WEIGHT)


@dataclass(frozen=True)
class Weights:
    """Weights of the edges between squares, in the order of the frame, as parts of a unit."""

    denominator: int = 1
    values: tuple[int, ...] = ()


def bound(problem: Instance, evidence: object) -> str:
    """Check that potentials and cuts show a bound, and that a tour, if given, attains it."""
    objective = evidence.get("objective") if isinstance(evidence, Mapping) else None
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise Refusal(Reason.WRONG_SHAPE, f"expected an objective, got {quote(objective)}")
    is_weighted = objective == LEAST_WEIGHT
    keys = ("kind", "objective", "bound", "trees", *(["weights"] if is_weighted else []))
    example = "paths" if objective == PATH_COVER else "tour"
    found = keys_of(evidence, *keys, optional=(example,))
    plane = problem.board is not None and problem.board.surface is Surface.PLANE
    if objective in MEASURED and not plane:
        raise Refusal(Reason.WRONG_PROBLEM, "turns and angles are those of boards on the plane")
    if objective == PATH_COVER and (problem.closed or (problem.start, problem.end) != (None, None)):
        raise Refusal(Reason.WRONG_QUESTION, "a path cover is of open paths with any ends")
    frame = frame_of(problem, partial=objective in PARTIAL)
    weights = _weights(frame, found["weights"]) if is_weighted else Weights()
    least, most = (-MOST_NUMBER, MOST_NUMBER) if is_weighted else (0, len(frame))
    if objective == LONGEST and not problem.closed:
        least = 1  # a path of a single square is no cycle of the frame
    value = number_of(found["bound"], least, most, "a bound")
    costs = costs_of(frame, objective, weights.values)
    trees = list_of(found["trees"], "trees")
    if len(trees) != len(costs):
        raise Refusal(Reason.WRONG_SHAPE, f"expected {counted(len(costs), 'tree')}")
    target = target_of(frame, objective, value)
    cases = sum(
        _check_tree(frame, objective, tree, cost, target)
        for cost, tree in zip(costs, trees, strict=True)
    )
    unit = weights.denominator
    claim = describe_bound(objective, value, attained=False, unit=unit)
    text = f"potentials of {terms(problem).move}s show in {counted(cases, 'case')} that {claim}"
    if example not in found:
        return text
    attained = _attained_value(frame, objective, costs, found[example])
    if attained != value:
        raise Refusal(Reason.NOT_PROVED, f"the {example} has {attained}, and the bound is {value}")
    return f"{text}, and {describe_example(objective, value, unit=unit)}"


def potentials(problem: Instance, evidence: object) -> str:
    """Check that potentials and cuts leave no tour: their bound is above 0, and every sum is 0."""
    tree = keys_of(evidence, "kind", "tree")["tree"]
    leaves = _check_tree(frame_of(problem), NOTHING, tree, lambda *_: 0, 1)
    move, cases = terms(problem).move, counted(leaves, "case")
    return f"potentials of {move}s show in {cases} that there is no tour"


def _check_tree(frame: Frame, objective: str, tree: object, cost: Cost, target: int) -> int:
    """Check every leaf of a tree, and return how many there are."""
    leaves = 0
    for case in leaf_cases(frame, objective, tree):
        check_leaf(frame, objective, case, cost, target)
        leaves += 1
    return leaves


def _weights(frame: Frame, value: object) -> Weights:
    found = keys_of(value, "denominator", "values")
    denominator = number_of(found["denominator"], 1, MOST_NUMBER, "a denominator")
    numbers = list_of(found["values"], "weights")
    if len(numbers) != (edges := sum(v < frame.squares for _, v in frame.edges())):
        raise Refusal(Reason.WRONG_SHAPE, f"expected {edges:,} weights")
    values = [number_of(each, -MOST_NUMBER, MOST_NUMBER, "a weight") for each in numbers]
    return Weights(denominator, tuple(values))


def in_units(value: int, denominator: int) -> float:
    """Return a sum of weights in their unit: a whole number, or the closest float.

    >>> in_units(35, 10), in_units(40, 10)
    (3.5, 4)
    """
    return value / denominator if value % denominator else value // denominator


def bound_of(evidence: Mapping[str, Any]) -> float:
    """Return the bound of checked evidence, in units of weight if it is a weight."""
    return in_units(evidence["bound"], evidence.get("weights", {}).get("denominator", 1))


def value_of_example(problem: Instance, evidence: Mapping[str, Any], names: object) -> float:
    """Return the value of a tour, or of paths, for the objective of checked evidence."""
    objective = evidence["objective"]
    if problem.directed:
        names = undirected_tour(problem, list_of(names, "squares"))
        problem = undirected_instance(problem)
    frame = frame_of(problem, partial=objective in PARTIAL)
    weights = _weights(frame, evidence["weights"]) if objective == LEAST_WEIGHT else Weights()
    value = _attained_value(frame, objective, costs_of(frame, objective, weights.values), names)
    return in_units(value, weights.denominator)


def costs_of(frame: Frame, objective: str, weights: Sequence[int] = ()) -> list[Cost]:
    """Return the costs of choices; less is better.  Of several sums, the least counts.

    ``weights`` are those of the edges between squares, in the order of the frame.
    """
    nodes, squares = frame.problem.nodes, frame.squares
    sense, _, name = objective.partition("-")
    sign = -1 if sense == "most" else 1

    def step(here: int, there: int) -> tuple[int, int]:
        (row, column), (other_row, other_column) = nodes[here], nodes[there]
        return other_row - row, other_column - column

    def angle(vertex: int, one: int, other: int) -> int:
        if max(vertex, one, other) >= squares:
            return 0
        (a, b), (c, d) = step(vertex, one), step(vertex, other)
        return sign * ANGLES[name](a * d - b * c, a * c + b * d)

    def is_parallel_to(line: tuple[int, int]) -> Callable[[int, int], bool]:
        return lambda up, right: up * line[1] == right * line[0]

    def moves(test: Callable[[int, int], bool]) -> Cost:
        """Return the cost that counts the moves that pass a test, each at its first square."""
        return lambda vertex, *others: (
            sign * sum(test(*step(vertex, other)) for other in others if vertex < other < squares)
        )

    if objective == LONGEST:
        return [lambda _, *others: int(not others)]
    if objective == PATH_COVER:
        return [lambda _, *others: sum(other >= squares for other in others)]
    if objective == LEAST_WEIGHT:
        edges = (edge for edge in frame.edges() if edge[1] < squares)
        weight = dict(zip(edges, weights, strict=True))
        return [lambda vertex, *others: sum(weight.get((vertex, other), 0) for other in others)]
    if name in ANGLES:
        return [angle]
    if name == "steep":
        return [moves(lambda up, right: abs(up) > abs(right))]
    lines = set()
    for a, b in frame.problem.piece.leaps:
        one, other = a // gcd(a, b), b // gcd(a, b)
        lines |= {(one, other), (other, one), (one, -other), (other, -one)}
    lines = {line if line > (0, 0) else (-line[0], -line[1]) for line in lines}
    return [moves(is_parallel_to(line)) for line in sorted(lines)]


def target_of(frame: Frame, objective: str, value: int) -> int:
    """Return the least possible sum if no tour is better than a value."""
    if objective == LONGEST:
        return frame.squares - value
    if objective == PATH_COVER:
        return 2 * value - 1  # sums are even
    return -value if objective.startswith("most") else value


def value_of(frame: Frame, objective: str, cost: int) -> int:
    """Return the value of a tour with this sum, or of a bound with it."""
    if objective == LONGEST:
        return frame.squares - cost
    if objective == PATH_COVER:
        return -(-cost // 2)
    return -cost if objective.startswith("most") else cost


@dataclass(frozen=True)
class Case:
    """A subtree, the edges that its tours use or avoid, and the squares that they visit or skip."""

    tree: object
    used: frozenset[tuple[int, int]]
    unused: frozenset[tuple[int, int]] = frozenset()
    visited: frozenset[int] = frozenset()
    skipped: frozenset[int] = frozenset()

    @staticmethod
    def root(frame: Frame, tree: object = None) -> Case:
        """Return the case of all tours of a frame; they visit the given start and end."""
        given = [node for node in (frame.problem.start, frame.problem.end) if node is not None]
        visited = frozenset(frame.number[node] for node in given)
        return Case(tree, frozenset(frame.must), visited=visited)


@dataclass(frozen=True)
class Cut:
    """A set of vertices.  A cycle that visits ``visited`` crosses its boundary at least twice."""

    weight: int
    inside: frozenset[int]
    visited: tuple[int, ...] = ()


def leaf_cases(frame: Frame, objective: str, tree: object) -> Iterator[Case]:
    """Yield the leaves of a tree, each with the decisions of its branch."""
    waiting = [Case.root(frame, tree)]
    while waiting:
        case = waiting.pop()
        if isinstance(case.tree, Mapping) and "move" in case.tree:
            node = keys_of(case.tree, "move", "used", "unused")
            edge = edge_of(frame, node["move"], frame.neighbours)
            if edge is None:
                raise Refusal(Reason.NOT_PROVED, "a case is about a move that does not exist")
            chosen = frozenset({(min(edge), max(edge))})
            waiting.append(replace(case, tree=node["used"], used=case.used | chosen))
            waiting.append(replace(case, tree=node["unused"], unused=case.unused | chosen))
        elif isinstance(case.tree, Mapping) and "square" in case.tree and objective == LONGEST:
            node = keys_of(case.tree, "square", "visited", "skipped")
            square = frozenset({frame.number[square_of(frame.problem, node["square"])]})
            waiting.append(replace(case, tree=node["visited"], visited=case.visited | square))
            waiting.append(replace(case, tree=node["skipped"], skipped=case.skipped | square))
        else:
            yield case


def check_leaf(frame: Frame, objective: str, case: Case, cost: Cost, target: int) -> None:
    """Check that every tour of a case has a sum of at least the target, or that it has none."""
    frame.problem.budget.spend(PAIRS, sum(len(row) ** 2 for row in frame.neighbours))
    choices = choices_of(frame, objective, case)
    if case.tree == {}:
        if all(choices):
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
    cuts = [_read_cut(frame, objective, entry) for entry in list_of(leaf["cuts"], "cuts")]
    total = sum_of_minima(frame, objective, cost, choices, scale, potential, cuts)
    if total is not None and total <= scale * (target - 1):
        raise Refusal(Reason.NOT_PROVED, "the numbers of a case show less than the bound")


def _read_cut(frame: Frame, objective: str, value: object) -> Cut:
    names: tuple[str, ...] = ()
    if objective == LONGEST:
        names = ("inside", "outside") if frame.problem.closed else ("inside",)
    cut = keys_of(value, "weight", "squares", *names)
    weight = number_of(cut["weight"], 1, MOST_NUMBER, "a weight")
    inside = frozenset(vertices_of(frame, cut["squares"]))
    if not 0 < len(inside) < len(frame):
        raise Refusal(Reason.WHOLE_SET, "a cut has no squares, or all")
    frame.problem.budget.spend("loads of the frame", frame.load)
    visited = [frame.number[square_of(frame.problem, cut[name])] for name in names]
    if any((v in inside) != (name == "inside") for v, name in zip(visited, names, strict=True)):
        raise Refusal(Reason.NOT_PROVED, "a square is on the wrong side of its cut")
    return Cut(weight, inside, tuple(visited))


def sum_of_minima(
    frame: Frame,
    objective: str,
    cost: Cost,
    choices: Sequence[Sequence[Choice]],
    scale: int,
    potential: dict[tuple[int, int], int],
    cuts: Iterable[Cut],
) -> int | None:
    """Return a lower bound for scale times the sum of every tour, or None if there is no tour.

    ``potential`` has the potential of each edge at each of its ends; the function changes it.
    """
    if not all(choices):
        return None
    total, refund = 0, [0] * len(frame)
    for cut in cuts:
        total += 2 * cut.weight
        for vertex in cut.visited:
            refund[vertex] += 2 * cut.weight
        for u in cut.inside:
            for v in frame.neighbours[u]:
                if v not in cut.inside:
                    potential[max(u, v), min(u, v)] -= cut.weight
    if objective == PATH_COVER:  # nothing is required at the end, so its potentials count here
        for end in frame.ends:
            for v in frame.neighbours[end]:
                potential[v, end] += potential[end, v]
    for vertex, possible in enumerate(choices):
        total += min(
            scale * cost(vertex, *near)
            + (sum(potential[vertex, v] for v in near) if near else -refund[vertex])
            for near in possible
        )
    return total


def choices_of(frame: Frame, objective: str, case: Case) -> list[list[Choice]]:
    """Return the choices that a tour of the case has at each vertex."""
    vertices = range(frame.squares if objective == PATH_COVER else len(frame))
    return [_choices(frame, objective, case, vertex) for vertex in vertices]


def _choices(frame: Frame, objective: str, case: Case, vertex: int) -> list[Choice]:
    """Return the choices at a vertex."""

    def is_in(edges: frozenset[tuple[int, int]], other: int) -> bool:
        return (min(vertex, other), max(vertex, other)) in edges

    open_ = [
        v
        for v in frame.neighbours[vertex]
        if not is_in(case.unused, v) and case.skipped.isdisjoint((vertex, v))
    ]
    must = {v for v in frame.neighbours[vertex] if is_in(case.used, v)}
    near = [*open_, *(v for v in open_ if objective == PATH_COVER and v >= frame.squares)]
    found: list[Choice] = [pair for pair in combinations(near, 2) if must.issubset(pair)]
    can_skip = objective == LONGEST and vertex < frame.squares and vertex not in case.visited
    return [*found, ()] if can_skip and not must else found


def _attained_value(frame: Frame, objective: str, costs: list[Cost], names: Any) -> int:
    """Check a tour, or paths, and return its value."""
    lists = list_of(names, "paths") if objective == PATH_COVER else [names]
    paths = [[frame.number[square] for square in squares_of(frame.problem, each)] for each in lists]
    if objective not in PARTIAL:
        wrong = fault(frame, paths[0])
    else:
        wrong = fault_of_paths(frame, paths, cover=objective == PATH_COVER)
    if wrong is not None:
        raise Refusal(Reason.NOT_A_TOUR, wrong)
    if objective == PATH_COVER:
        return len(paths)
    if objective == LONGEST:
        return len(paths[0])
    cycle = paths[0] if frame.problem.closed else [*paths[0], frame.squares]
    around = list(zip(cycle, [*cycle[-1:], *cycle[:-1]], [*cycle[1:], *cycle[:1]], strict=True))
    least = min(sum(cost(*each) for each in around if each[0] < frame.squares) for cost in costs)
    return value_of(frame, objective, least)


def fault_of_paths(frame: Frame, paths: list[list[int]], *, cover: bool) -> str | None:
    """Return a defect of paths that need not be tours, or None."""
    problem, names = frame.problem, frame.names
    if any(isinstance(each, Given | Symmetry) for each in problem.conditions):
        return "steps and symmetries are conditions of tours"
    visited = [vertex for path in paths for vertex in path]
    if not all(paths) or len(visited) < 3 * problem.closed or len({*visited}) < len(visited):
        return "expected paths of different squares"
    if cover and len(visited) < frame.squares:
        return f"they have {len(visited):,} of {frame.squares:,} squares"
    moves = frozenset(move for path in paths for move in moves_of(path, problem.closed))
    if wrong := fault_of_moves(frame, moves):
        return wrong
    for node, place in ((problem.start, 0), (problem.end, -1)):
        if node is not None and paths[0][place] != frame.number[node]:
            return f"{names[frame.number[node]]} is not at its end"
    return None
