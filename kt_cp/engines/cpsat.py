"""OR-Tools CP-SAT with ``AddCircuit``.

A Boolean per arc (both directions of every edge), and one circuit constraint: the chosen arcs form
a single cycle through all nodes.  An open tour passes an additional node, the depot, with an arc
to every square at which it may start and from every square at which it may end.  This is the
plain textbook model, and by default it is slow.  What makes it fast was found by measuring
some ninety variations on closed boards of side 20 to 250, and is three things that only work
together:

- *Arcs in front order.*  A single worker decides arcs in the order in which they stand, so they
  stand in the order of a round front that sweeps the graph (:mod:`kt_cp.search.front`).
- *A bare search.*  One worker, no presolve, no probing, no linear relaxation, no inprocessing, no
  symmetry.  Each of these costs time here: inprocessing a factor of 4 on side 60, the others as
  in the table below.
- *No restarts.*  They come after some fifty conflicts by default, and throw the whole sweep away
  for a handful.  Up to side 170 they never come; side 190 is not solved in 25 s with them and takes
  3.0 s without.

Seeds other than 0 shuffle the arcs out of each vertex, and CP-SAT's own seed changes nothing.  Over
ten seeds (five from side 150) there is no tail: median (least, most) CPU seconds, closed unless
said otherwise, without the 0.2 s for importing OR-Tools,

    side 20   0.01 (0.01, 0.02)        side 100   0.59 (0.50, 0.76)
    side 40   0.06 (0.06, 0.10)        open 100   0.67 (0.62, 0.71)
    side 60   0.14 (0.14, 0.15)        ends given, 100   0.57 (0.53, 0.69)
    side 80   0.32 (0.28, 0.33)
    side 150  1.9 (1.8, 2.0)           side 200   4.8 (4.1, 5.1)
    side 316  20, one seed; 1.05 GB

against 66 s of the plain script on side 100 (``make bench``).  On 407 boards, seed 1, once each
(even sides to 120 closed, sides 5 to 120 open, given starts and ends, strips of 5 to 29 rows, up to
40 squares missing) it took at most 7 conflicts.  From side 100 on the time goes into the propagator
of the circuit, which looks at every vertex at every decision: N^2 in all.

What did not help, on side 60 (100), medians of five seeds, where this takes 0.06 s (0.27 s) to
solve; "none": two seeds of two without an answer in 8 s (10 s) of wall time, on a busy machine.

    fixed orientation at the corner               0.06  (0.33)
    no two-cycles, as clauses                     0.09  (0.37)
    exactly one arc in and out, stated again      0.10  (0.34)
    no four-cycles, as clauses                    0.10  (0.40; and 1.0 s to build)
    degree 2 over undirected edges                none
    hint: a random 2-factor, all its arcs         0.36, 2 of 5 none  (1.12)
    hint: the arcs in it alone                    0.20  (0.53, 1 of 5 none)
    hint and repair_hint                          0.47  (1.52), no conflicts at all
    fixed search over the arcs, true first        0.32, 1 of 5 none  (9.8, 3 of 5 none)
    fixed search, false first                     2.69, 3 of 5 none
    portfolio search, the same with restarts      0.34, 1 of 5 none; 0.18  (0.71)
    arcs decided in reverse, in random order      0.11, 0.35  (1.11, none)
    first polarity true, random                   0.07, 0.08
    symmetry level 1, 2                           0.08, 0.09
    presolve, probing, linear relaxation          0.42, 0.36, 2.01
    all-different for the circuit                 1.57
    two workers, eight workers                    none, 0.39  (none, 2.09)

It loses where a refutation needs counting: ends of the same colour on an even board keep it busy
for ever, although colours settle the matter at once (``auto`` looks at them first).

Two traps.  ``AddCircuit`` takes no notice of a node without arcs, so one is made infeasible here.
And CP-SAT's own handling of Ctrl-C swallows it: here the solver runs in a thread, and whoever
waits for it is interrupted as usual.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from kt_cp.cycle import allowed_ends, as_tour
from kt_cp.engines.engine import Engine, Progress, found, impossible, out_of_time, square_limit
from kt_cp.errors import EngineFailedError
from kt_cp.limits import Limits
from kt_cp.outcome import EvidenceKind, Outcome
from kt_cp.problem import Problem
from kt_cp.search.front import front_order
from kt_cp.stoppable import solve_stoppable

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

NAME = "cpsat"

WORKERS = 1
"""Two workers on two cores: 10 s where one takes 0.3 s (side 60)."""

RESTART_PERIOD = 1000
"""Conflicts before a restart is thought of: sides up to 250 take at most 200.  Refutations (closed
4 x 10 to 4 x 16, flower snarks) take as long with 50, 1000 and 100,000."""

MOST_SQUARES = 100_000
"""Eight arcs a square and 1.3 kilobytes an arc: closed 316 x 316 takes 1.05 GB and 20 s."""


def solve(
    problem: Problem,
    *,
    limits: Limits,
    seed: int,
    progress: Progress | None,  # noqa: ARG001  CP-SAT reports solutions, and there is but one
) -> Outcome:
    """State the circuit model and solve it."""
    from ortools.sat.python import cp_model

    clock = limits.clock()
    model, arcs, literals = circuit_model(problem, seed)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = limits.workers or WORKERS
    parameters.random_seed = seed
    parameters.restart_period = RESTART_PERIOD
    parameters.linearization_level = 0
    parameters.cp_model_presolve = False
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
    parameters.use_sat_inprocessing = False
    parameters.catch_sigint_signal = False
    build_seconds = clock.elapsed
    if clock.left is not None:
        parameters.max_time_in_seconds = clock.left
    status = solve_stoppable(solver, model, _never)
    statistics = {
        "build_seconds": build_seconds,
        "solve_seconds": clock.elapsed - build_seconds,
        "variables": len(literals),
        "arcs": len(arcs),
        "conflicts": solver.num_conflicts,
        "decisions": solver.num_branches,
    }
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        chosen = dict(
            arc
            for arc, literal in zip(arcs, literals, strict=True)
            if solver.boolean_value(literal)
        )
        return found(NAME, problem, as_tour(problem, _walk(problem, chosen)), statistics, seed)
    if status == cp_model.INFEASIBLE:
        text = "claimed by CP-SAT on the circuit model"
        return impossible(NAME, problem, EvidenceKind.CLAIMED, text, statistics, seed)
    # Its own clock may run ahead of ours by a hair: with a limit, giving up means the limit.
    if status == cp_model.UNKNOWN and limits.seconds is not None:
        return out_of_time(NAME, problem, limits, statistics, seed)
    raise EngineFailedError(
        f"engine {NAME}: CP-SAT stopped with {solver.status_name(status)} on {problem.label}, "
        f"seed {seed}"
    )


def circuit_model(
    problem: Problem, seed: int = 0
) -> tuple[cp_model.CpModel, list[tuple[int, int]], list[Any]]:
    """The model, its arcs between vertices, and their literals.

    The depot of an open tour is the vertex after the last.  A seed other than 0 shuffles the arcs
    out of each vertex.
    """
    from ortools.sat.python import cp_model

    graph = problem.indexed
    order = front_order(graph)
    place = [0] * len(graph)
    for step, vertex in enumerate(order):
        place[vertex] = step
    depot = len(graph)
    rng = random.Random(seed)
    arcs = []
    for vertex in order:
        others = sorted(graph.neighbours[vertex], key=place.__getitem__)
        if seed:
            rng.shuffle(others)
        arcs += [(vertex, other) for other in others]
    if not problem.closed:
        # Last: in front of the others they would be decided first, and cost a factor of two.
        may_end = set(allowed_ends(problem))
        ends = [vertex for vertex in order if vertex in may_end]
        starts = ends if problem.start is None else [graph.index[problem.start]]
        if problem.end is not None:
            ends = [graph.index[problem.end]]
        arcs += [(depot, vertex) for vertex in starts] + [(vertex, depot) for vertex in ends]
        place.append(depot)
    model = cp_model.CpModel()
    literals = [model.new_bool_var("") for _ in arcs]
    if arcs:  # OR-Tools refuses an empty circuit
        model.add_circuit(
            [(place[u], place[v], literal) for (u, v), literal in zip(arcs, literals, strict=True)]
        )
    if len({u for u, _ in arcs}) < len(place):
        model.add_bool_or([])  # a node without arcs, which the circuit would skip
    return model, arcs, literals


def _never() -> bool:
    """CP-SAT keeps its time by itself."""
    return False


def _walk(problem: Problem, following: dict[int, int]) -> list[int]:
    """Vertices in order, from the depot or from the start of a closed tour."""
    depot = len(problem.indexed)
    if problem.closed:
        vertex = 0 if problem.start is None else problem.indexed.index[problem.start]
        walk = [vertex]
    else:
        vertex = depot
        walk = []
    for _ in range(len(following) - 1):
        vertex = following[vertex]
        walk.append(vertex)
    return walk


def engine() -> Engine:
    """The registry's factory."""
    return Engine(
        NAME,
        "OR-Tools CP-SAT: AddCircuit, a depot for open tours, arcs in front order",
        complete=True,
        solve=solve,
        refuse=square_limit(NAME, MOST_SQUARES),
        capacity=f"{MOST_SQUARES:,} squares",
        packages=("ortools",),
    )
