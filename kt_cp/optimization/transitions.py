"""The models of CP-SAT: a circuit of arcs, and its cost at each square.

Turns and angles have a variable for each *transition*, a pair of moves at a square.  Each square
has exactly one.  A move is used at both of its ends or at neither: at each end, the variables of
the transitions with the move add up to the variable of the move.  Costs belong to transitions, so
the linear relaxation is tight: on closed 8x8 its bound is 44 turns, and the optimum is 45.  A model
with costs on pairs of moves has a bound below 0.

For the longest path, a square that is skipped has an arc to itself.  A cover by paths is a set of
circuits that share one more vertex.  Weights are costs of arcs.

Source: this package; the transitions are those of M. Grötschel and others for the quadratic
travelling salesman problem (A. Fischer and C. Helmberg, "The symmetric quadratic traveling salesman
problem", Mathematical Programming 142, 2013).  Cost: about 30 transitions a square.  When it loses:
measures that are not sums over squares, such as crossings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.request import show_edges
from kt_cp.optimization.measure_models import add_steps, measure_cost
from kt_cp.processes.interruptible_cpsat import solve_interruptible
from kt_cp.trust.check.bound import LEAST_WEIGHT, LONGEST, PATH_COVER, Case, choices_of, value_of
from kt_cp.trust.check.moves import moved_square
from kt_cp.trust.check.steps import clues_of

if TYPE_CHECKING:
    from kt_cp.model.limits import Clock
    from kt_cp.model.request import Progress
    from kt_cp.trust.check.bound import Choice, Cost
    from kt_cp.trust.check.frame import Frame

Edge = tuple[int, int]
Known = tuple[float, float]


def round_up(cost: float) -> int:
    """Return the least whole cost that is not below a bound with rounding errors."""
    return math.ceil(cost - 1e-6)


@dataclass(frozen=True)
class Best:
    """The best cycle that was found, or the best cover, and a bound for all.

    A cycle is a list of vertices of the frame; a path of a cover is a list of its squares.
    """

    paths: list[list[int]] | None
    bound: int | None
    interrupted: bool = False


def choice_costs(frame: Frame, objective: str, cost: Cost) -> list[dict[Choice, int]]:
    """Return for each square the choices of a cycle, with their costs."""
    inner = frame.neighbours[: frame.squares]  # an end of a large board has millions of pairs
    frame = replace(frame, neighbours=[*inner, *([] for _ in frame.ends)])
    choices = choices_of(frame, objective, Case.root(frame))
    return [
        {choice: cost(vertex, *choice) for choice in choices[vertex]}
        for vertex in range(frame.squares)
    ]


def cheapest_cycle(
    frame: Frame,
    objective: str,
    cost: Cost | None,
    hint: Sequence[Sequence[int]],
    clock: Clock,
    *,
    workers: int,
    seed: int,
    progress: Progress | None,
    known: Known = (math.inf, math.inf),
) -> Best:
    """Return the cheapest cycle in a frame, or cover, or the best within the time.

    ``cost`` is None for a measure that is not a sum over squares.  ``hint`` contains a cycle, or
    nothing.  ``known`` has the least cost of a cycle by other sums, and their bound; both are only
    for progress events.  After Ctrl-C the best solution so far is returned.
    """
    from ortools.sat.python import cp_model

    class Watcher(cp_model.CpSolverSolutionCallback):
        """A callback that stores the best solution, which Ctrl-C would lose."""

        arcs: list[Edge] | None = None
        shown: list[Edge] | None = None
        cost: float | None = None
        bound: float | None = None

        def on_solution_callback(self) -> None:
            self.arcs = [arc for arc, each in arcs.items() if self.boolean_value(each)]
            self.cost = self.objective_value

        def report(self) -> bool:
            """Show the value, the bound and a better tour; never stop."""
            if progress is not None and self.cost is not None:
                bound = None
                if self.bound is not None:
                    bound = value_of(frame, objective, round_up(min(self.bound, known[1])))
                value = value_of(frame, objective, round(min(self.cost, known[0])))
                progress({"value": value, "bound": bound})
            if self.shown is not self.arcs and self.cost is not None and self.cost <= known[0]:
                self.shown = self.arcs
                show_edges(progress, partial(_moves_of, frame, self.arcs or []))
            return False

    model = cp_model.CpModel()
    arcs = {arc: model.new_bool_var("") for u, v in frame.edges() for arc in ((u, v), (v, u))}
    used = {(u, v): arcs[u, v] + arcs[v, u] for u, v in frame.edges()}
    for edge in frame.must:
        model.add(used[edge] == 1)
    steps = _add_conditions(model, frame, arcs, used)
    if cost is None:
        model.minimize(measure_cost(model, frame, objective, arcs, used, steps))
        model.add_circuit([(u, v, literal) for (u, v), literal in arcs.items()])
    else:
        _add_objective(model, frame, objective, cost, arcs, used)
    around = {move for cycle in hint for move in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    for arc, literal in arcs.items():
        model.add_hint(literal, arc in around)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = workers
    parameters.random_seed = seed
    parameters.linearization_level = 2
    parameters.catch_sigint_signal = False
    if clock.left is not None:
        parameters.max_time_in_seconds = max(clock.left, 0.01)
    watcher = Watcher()
    solver.best_bound_callback = partial(setattr, watcher, "bound")
    try:
        status = solve_interruptible(solver, model, watcher.report, watcher)
    except KeyboardInterrupt:
        return Best(_paths_of(frame, objective, watcher.arcs), None, interrupted=True)
    except TimeLimitReachedError:  # CP-SAT has its own limit, and overruns it where it presolves
        status = cp_model.UNKNOWN
    paths = _paths_of(frame, objective, watcher.arcs)
    if status == cp_model.INFEASIBLE:
        return Best(None, None)
    if status == cp_model.OPTIMAL:
        return Best(paths, round(solver.objective_value))
    return Best(paths, None if watcher.bound is None else round_up(watcher.bound))


def _moves_of(frame: Frame, arcs: list[Edge]) -> list[tuple[Any, Any]]:
    """Return the arcs between squares."""
    nodes = frame.problem.nodes
    return [(nodes[u], nodes[v]) for u, v in arcs if u != v and max(u, v) < frame.squares]


def _add_conditions(
    model: Any, frame: Frame, arcs: dict[Edge, Any], used: dict[Edge, Any]
) -> list[Any] | None:
    """Require a symmetry, and given steps; a frame has all other conditions.

    Return the variables of steps, if there are any.
    """
    problem = frame.problem
    for condition in problem.conditions:
        if isinstance(condition, Symmetry) and problem.board is not None:
            board, motion = problem.board, condition.motion
            image = [frame.number[moved_square(board, motion, node)] for node in problem.nodes]
            for (u, v), literal in used.items():
                if v < frame.squares:
                    model.add(literal == used[order(image[u], image[v])])
    if not any(isinstance(each, Given) for each in problem.conditions):
        return None
    steps = add_steps(model, frame, arcs)
    for square, step in clues_of(problem):
        model.add(steps[frame.number[square]] == step)
    return steps


def order(u: int, v: int) -> Edge:
    """Return an edge with the smaller vertex first."""
    return (u, v) if u < v else (v, u)


def _add_objective(
    model: Any,
    frame: Frame,
    objective: str,
    cost: Cost,
    arcs: dict[Edge, Any],
    used: dict[Edge, Any],
) -> None:
    """Require a circuit of arcs, and minimize its cost."""
    if objective == PATH_COVER:  # the circuits share the vertex 0
        number = [(vertex + 1) % len(frame) for vertex in range(len(frame))]
        model.add_multiple_circuit([(number[u], number[v], each) for (u, v), each in arcs.items()])
        model.minimize(2 * sum(arcs[end, v] for end in frame.ends for v in frame.neighbours[end]))
        return
    circuit = [(u, v, literal) for (u, v), literal in arcs.items()]
    if objective == LEAST_WEIGHT:
        model.minimize(sum(cost(*edge) * literal for edge, literal in used.items()))
    elif objective == LONGEST:
        choices = choices_of(frame, objective, Case.root(frame))
        skipped = {v: model.new_bool_var("") for v, found in enumerate(choices) if () in found}
        if not all(choices):  # a circuit does not require a square that has no arcs
            model.add_bool_or([])
        circuit += [(v, v, literal) for v, literal in skipped.items()]
        for (_, v), literal in used.items():
            if v < frame.squares:  # a move and its reverse are a circuit, but not a cycle
                model.add(literal <= 1)
        model.minimize(sum(skipped.values()))
    else:
        terms = []
        for vertex, pairs in enumerate(choice_costs(frame, objective, cost)):
            literals = {pair: model.new_bool_var("") for pair in pairs}
            model.add_exactly_one(literals.values())
            for other in frame.neighbours[vertex]:
                having = [literal for pair, literal in literals.items() if other in pair]
                model.add(sum(having) == used[min(vertex, other), max(vertex, other)])
            terms += [each * literals[pair] for pair, each in pairs.items() if each]
        model.minimize(sum(terms))
    model.add_circuit(circuit)


def _paths_of(frame: Frame, objective: str, arcs: list[Edge] | None) -> list[list[int]] | None:
    """Return the cycle of arcs; or for a cover, the paths between arcs from the end and back."""
    if not arcs:
        return None
    if objective == PATH_COVER:
        starts = [v for u, v in arcs if u >= frame.squares]
        following = {u: v for u, v in arcs if u < frame.squares}
    else:
        starts, following = [arcs[0][0]], dict(arcs)
    paths = []
    for start in starts:
        path = [start]
        while (after := following[path[-1]]) not in (start, *frame.ends[: objective == PATH_COVER]):
            path.append(after)
        paths.append(path)
    return paths
