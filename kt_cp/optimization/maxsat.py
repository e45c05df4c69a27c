"""The best cycle by MaxSAT: RC2 of PySAT, with cuts as they are needed.

Each square has a literal for each choice, such as a pair of its moves, and exactly one is true.  A
move is true if and only if the choices at both of its ends have it.  A soft clause for each choice
that costs more than the cheapest one at its square is weighted with the difference.  RC2 finds a
model with the least weight of violated clauses.  If that consists of several cycles, a clause for
each requires a move that leaves its squares, and RC2 continues.

Source: A. Ignatiev, A. Morgado and J. Marques-Silva, "RC2: an efficient MaxSAT solver", Journal on
Satisfiability, Boolean Modeling and Computation 11 (2019); cuts after Dantzig, Fulkerson and
Johnson.  Cost: 12 s for the fewest turns of closed 8x8, where CP-SAT takes half a second.  When it
loses: it has no linear relaxation, so bounds rise one by one, and it has no tour before the last
step.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from kt_cp.model.conditions import Symmetry
from kt_cp.model.errors import EndedError, EngineFailedError
from kt_cp.optimization.transitions import Best, choice_costs
from kt_cp.processes import isolate
from kt_cp.trust.check.bound import LONGEST, PARTIAL, PATH_COVER, costs_of
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.moves import moved_square

if TYPE_CHECKING:
    from kt_cp.model.limits import Limits
    from kt_cp.model.problem import Problem
    from kt_cp.trust.check.frame import Frame

Edge = tuple[int, int]


def cheapest_by_maxsat(
    problem: Problem, objective: str, weights: tuple[int, ...], number: int, limits: Limits
) -> Best:
    """Return the cheapest cycle for one sum of an objective, from a process of its own.

    Its bound is None if a limit ends the process.
    """
    target = f"{__name__}:solve_maxsat"
    ended = isolate.call(target, problem, objective, weights, number, limits=limits, warm=True)
    if ended.how == "done":
        paths, cost = ended.value
        return Best(paths, cost)
    if ended.how in ("timeout", "memory"):
        return Best(None, None)
    if ended.how == "killed":
        raise EndedError(f"the process of maxsat was {ended.detail} from outside")
    raise EngineFailedError(f"maxsat crashed: {ended.detail}")


def solve_maxsat(
    problem: Problem, objective: str, weights: tuple[int, ...], number: int, **_progress: object
) -> tuple[list[list[int]] | None, int | None]:
    """Return the cheapest cycle, or paths of a cover, and its cost; None and None without one.

    >>> from kt_cp.model.problem import Problem
    >>> solve_maxsat(Problem("3x4"), "fewest-steep", (), 0)[1]
    3
    """
    from pysat.card import CardEnc
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF, IDPool

    frame = frame_of(problem, partial=objective in PARTIAL)
    rows = choice_costs(frame, objective, costs_of(frame, objective, weights)[number])
    names, formula, least = IDPool(), WCNF(), 0

    def used(u: int, v: int) -> int:
        return int(names.id(("move", min(u, v), max(u, v))))

    for edge in frame.edges():
        used(*edge)
    for vertex, row in enumerate(rows):
        literals = {choice: int(names.id((vertex, choice))) for choice in row}
        formula.append([*literals.values()])
        formula.extend([-one, -other] for one, other in combinations(literals.values(), 2))
        for other in frame.neighbours[vertex]:
            move = used(vertex, other)
            formula.append([-move, *(each for pair, each in literals.items() if other in pair)])
            formula.extend([-each, move] for pair, each in literals.items() if other in pair)
        lowest = min(row.values(), default=0)
        least += lowest
        for choice, cost in row.items():
            if cost > lowest:
                formula.append([-literals[choice]], weight=cost - lowest)
    for end in () if objective == PATH_COVER else frame.ends:
        moves = [used(end, v) for v in frame.neighbours[end]]
        formula.extend(CardEnc.equals(moves, bound=2, vpool=names).clauses)
    formula.extend([used(*edge)] for edge in frame.must)
    for condition in frame.problem.conditions:
        if isinstance(condition, Symmetry) and frame.problem.board is not None:
            board, motion = frame.problem.board, condition.motion
            nodes = frame.problem.nodes
            image = [frame.number[moved_square(board, motion, node)] for node in nodes]
            inner = [edge for edge in frame.edges() if edge[1] < frame.squares]
            formula.extend([-used(u, v), used(image[u], image[v])] for u, v in inner)
    with RC2(formula, solver="cadical153", adapt=True, exhaust=True, minz=True) as solver:
        while True:
            model = solver.compute()
            if model is None:
                return None, None
            true = {literal for literal in model if literal > 0}
            edges = [edge for edge in frame.edges() if used(*edge) in true]
            parts, closed = _parts(frame, objective, edges)
            if not parts:  # all squares are skipped
                return None, None
            if not closed:
                return parts, least + int(solver.cost)
            for part in closed:
                inside = {*part}
                clause = [used(u, v) for u in part for v in frame.neighbours[u] if v not in inside]
                if objective == LONGEST:  # or a square on either side is skipped
                    outside = next(v for each in parts for v in each if v not in inside)
                    skipped = [part[0], *([] if frame.ends else [outside])]
                    clause += [names.id((v, ())) for v in skipped if () in rows[v]]
                solver.add_clause(clause)


def _parts(
    frame: Frame, objective: str, edges: list[Edge]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the paths or the cycle of edges in order, and the forbidden cycles."""
    import networkx as nx

    graph = nx.Graph(edges)
    if objective == PATH_COVER:
        graph.remove_nodes_from(frame.ends)
        graph.add_nodes_from(range(frame.squares))
    parts, cycles = [], []
    for component in nx.connected_components(graph):
        inner = graph.subgraph(component)
        tips = [vertex for vertex in inner if inner.degree(vertex) < 2]
        parts.append(list(nx.dfs_preorder_nodes(inner, min(tips or inner))))
        if not tips:
            cycles.append(parts[-1])
    if objective == PATH_COVER:
        return parts, cycles
    if len(cycles) < 2:
        return parts, []
    end = next(iter(frame.ends), None)
    return parts, [cycle for cycle in cycles if end not in cycle]
