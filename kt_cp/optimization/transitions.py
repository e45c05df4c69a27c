"""The model of CP-SAT: a variable for each transition, a pair of moves at a square.

Each square has exactly one transition.  A move is used at both of its ends or at neither: at each
end, the variables of the transitions with the move add up to the variable of the move.  The moves
form a circuit.  Costs belong to transitions, so the linear relaxation is tight: on closed 8x8 its
bound is 44 turns, and the optimum is 45.  A model with costs on pairs of moves has a bound below 0.

Source: ours; the transitions are those of M. Grötschel and others for the quadratic travelling
salesman problem (A. Fischer and C. Helmberg, "The symmetric quadratic traveling salesman problem",
Mathematical Programming 142, 2013).  Cost: about 30 transitions a square.  When it loses: measures
that are not sums over squares, such as crossings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.processes.interruptible_cpsat import solve_interruptible

if TYPE_CHECKING:
    from kt_cp.model.limits import Clock
    from kt_cp.model.request import Progress
    from kt_cp.trust.check.bound import Cost
    from kt_cp.trust.check.frame import Frame

Edge = tuple[int, int]


def round_up(cost: float) -> int:
    """The least whole cost that is not below a bound with rounding errors."""
    return math.ceil(cost - 1e-6)


@dataclass(frozen=True)
class Best:
    """The best cycle that was found, as vertices of the frame, and a bound for all cycles."""

    cycle: list[int] | None
    bound: int | None
    interrupted: bool = False


def pair_costs(frame: Frame, cost: Cost, sign: int) -> list[dict[Edge, int]]:
    """For each square its pairs of neighbours, with their costs times the sign."""
    return [
        {pair: sign * cost(vertex, *pair) for pair in combinations(frame.neighbours[vertex], 2)}
        for vertex in range(frame.squares)
    ]


def cheapest_cycle(
    frame: Frame,
    costs: Sequence[dict[Edge, int]],
    hint: Sequence[int],
    clock: Clock,
    *,
    workers: int,
    seed: int,
    progress: Progress | None,
    sign: int,
) -> Best:
    """Return the cheapest cycle through all vertices of a frame, or the best within the time.

    Progress shows costs times the sign.  After Ctrl-C the best cycle so far is returned.
    """
    from ortools.sat.python import cp_model

    class Watcher(cp_model.CpSolverSolutionCallback):
        """Remembers the best cycle, which Ctrl-C would lose."""

        following: dict[int, int] | None = None
        cost: float | None = None
        bound: float | None = None

        def on_solution_callback(self) -> None:
            self.following = {u: v for (u, v), each in arcs.items() if self.boolean_value(each)}
            self.cost = self.objective_value

        def report(self) -> bool:
            """Show the value and the bound; never stop."""
            if progress is not None and self.cost is not None:
                bound = None if self.bound is None else sign * round_up(self.bound)
                progress({"value": sign * self.cost, "bound": bound})
            return False

    model = cp_model.CpModel()
    edges = frame.edges()
    arcs = {arc: model.new_bool_var("") for u, v in edges for arc in ((u, v), (v, u))}
    used = {(u, v): arcs[u, v] + arcs[v, u] for u, v in edges}
    model.add_circuit([(u, v, literal) for (u, v), literal in arcs.items()])
    for edge in frame.must:
        model.add(used[edge] == 1)
    terms = []
    around = dict(zip(hint, [*hint[1:], *hint[:1]], strict=True))
    for vertex, pairs in enumerate(costs):
        literals = {pair: model.new_bool_var("") for pair in pairs}
        model.add_exactly_one(literals.values())
        for other in frame.neighbours[vertex]:
            having = [literal for pair, literal in literals.items() if other in pair]
            model.add(sum(having) == used[min(vertex, other), max(vertex, other)])
        terms += [cost * literals[pair] for pair, cost in pairs.items() if cost]
    model.minimize(sum(terms))
    for (u, v), literal in arcs.items():
        model.add_hint(literal, around.get(u) == v)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = workers
    parameters.random_seed = seed
    parameters.linearization_level = 2
    parameters.catch_sigint_signal = False
    if clock.left is not None:
        parameters.max_time_in_seconds = max(clock.left, 0.01)
    watcher = Watcher()

    def remember(bound: float) -> None:
        watcher.bound = bound

    solver.best_bound_callback = remember
    try:
        status = solve_interruptible(solver, model, watcher.report, watcher)
    except KeyboardInterrupt:
        return Best(_cycle_of(watcher.following, len(frame)), None, interrupted=True)
    except TimeLimitReachedError:  # CP-SAT has its own limit, and overruns it where it presolves
        status = cp_model.UNKNOWN
    cycle = _cycle_of(watcher.following, len(frame))
    if status == cp_model.OPTIMAL:
        return Best(cycle, round(solver.objective_value))
    return Best(cycle, None if watcher.bound is None else round_up(watcher.bound))


def _cycle_of(following: dict[int, int] | None, size: int) -> list[int] | None:
    if following is None:
        return None
    cycle = [0]
    while len(cycle) < size:
        cycle.append(following[cycle[-1]])
    return cycle
