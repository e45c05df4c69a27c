"""OR-Tools CP-SAT with ``AddCircuit``.

The model has a Boolean per arc (both directions of every edge) and one circuit constraint: the
chosen arcs form a single cycle through all nodes.  An open tour passes an additional node, the
depot.  It has an arc to every square at which the tour may start, and from every square at which
it may end.  This is the textbook model, and with default settings it is slow.  Three settings make
it fast, but only together; they were found by measuring about ninety variations:

- *Arcs in wavefront order.*  A single worker decides arcs in the order of the model.  That order
  follows a wave over the graph (:mod:`kt_cp.search.breadth_first`).
- *A bare search.*  One worker, no presolve, no probing, no linear relaxation, no inprocessing, no
  symmetry.  Each of these costs time here.
- *No restarts.*  By default the solver restarts after about fifty conflicts, and loses the whole
  sweep because of a few conflicts.

Seeds other than 0 shuffle the arcs out of each vertex; CP-SAT's own seed changes nothing.

Source: ``AddCircuit`` is the constraint of OR-Tools; J.-L. Laurière, "A language and a program for
stating and solving combinatorial problems", Artificial Intelligence 10 (1978), has the first
circuit constraint.  Cost: at most a few conflicts on boards with a tour.  From side 100 on, the
propagator of the circuit takes most of the time: it visits every vertex at every decision, which is
N² in all.  ``benchmarks/MEASURED.md`` lists the figures, and the variations that did not help.

When it loses: if a refutation needs counting.  With ends of the same colour on an even board it
does not end, although the colours decide the problem at once (``auto`` checks them first).

If steps are given, every square has a variable for its step, within its window
(:func:`kt_cp.encodings.position.allowed_steps`), and along every chosen arc the step grows by one;
that needs presolve.  A symmetry requires that if an arc is chosen, the arc between the images of
its ends is chosen too, in either direction.  The search on windows and SAT are far better for given
steps, and lazy cuts for symmetry.  A directed graph has one variable for each of its arcs.

Two pitfalls: ``AddCircuit`` ignores a node without arcs, so the model makes such a node infeasible.
CP-SAT also suppresses Ctrl-C, so the solver runs in a thread, and Ctrl-C interrupts the thread that
waits for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.encodings.position import allowed_steps
from kt_cp.engines.engine import Engine, found, impossible, out_of_time, square_limit
from kt_cp.model.conditions import KINDS, Forbidden, Given, Required
from kt_cp.model.cycle import allowed_ends, as_tour, prescribed_steps
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.limits import Limits, StoppedError
from kt_cp.model.orbits import images, motion_of
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, report_step
from kt_cp.processes.interruptible_cpsat import solve_interruptible
from kt_cp.search.breadth_first import wavefront_order

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Arc = tuple[int, int]

NAME = "cpsat"

WORKERS = 1
"""Two workers on two cores take far longer than one (``benchmarks/MEASURED.md``)."""

RESTART_PERIOD = 1000
"""Conflicts before a restart: more than any measured board with a tour needed."""

MOST_SQUARES, MOST_WITH_STEPS = 100_000, 10_000
"""Most squares without given steps: a gigabyte, at eight arcs a square and 1.3 kilobytes an arc.
Most squares with given steps: four gigabytes, for the steps that each square may have."""


def solve(problem: Problem, *, limits: Limits, seed: int, progress: Progress | None) -> Outcome:
    """State the circuit model and solve it."""
    from ortools.sat.python import cp_model

    clock = limits.clock()
    report_step(progress, "building the model")
    model, arcs, literals = circuit_model(problem, seed)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = limits.workers or WORKERS
    parameters.random_seed = seed
    parameters.restart_period = RESTART_PERIOD
    parameters.linearization_level = 0
    parameters.cp_model_presolve = any(isinstance(each, Given) for each in problem.conditions)
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
    parameters.use_sat_inprocessing = False
    parameters.catch_sigint_signal = False
    build_seconds = clock.elapsed
    if progress is not None:  # CP-SAT itself reports solutions only, and there is just one
        progress({"arcs": len(arcs)})
    if clock.left is not None:
        parameters.max_time_in_seconds = clock.left
    status = cp_model.UNKNOWN
    with suppress(StoppedError):  # CP-SAT observes the time limit, but not a budget
        status = solve_interruptible(solver, model, lambda: clock.processor_left == 0.0)
    statistics = {
        "build_seconds": build_seconds,
        "solve_seconds": clock.elapsed - build_seconds,
        "variables": len(literals),
        "arcs": len(arcs),
        "conflicts": solver.num_conflicts,
        "decisions": solver.num_branches,
    }
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        both_ways = _both_ways(problem)
        chosen = dict(compress(arcs, map(solver.boolean_value, literals)))
        tour = as_tour(both_ways, _walk(both_ways, chosen))
        return found(NAME, problem, tour, statistics, seed)
    if status == cp_model.INFEASIBLE:
        text = "claimed by CP-SAT on the circuit model"
        return impossible(NAME, problem, EvidenceKind.CLAIMED, text, statistics, seed)
    # CP-SAT's clock may be slightly ahead of ours: under a limit, UNKNOWN means that time is over.
    if status == cp_model.UNKNOWN and clock.work_left is not None:
        return out_of_time(NAME, problem, limits, statistics, seed)
    raise EngineFailedError(
        f"engine {NAME}: CP-SAT stopped with {solver.status_name(status)} on {problem.label}, "
        f"seed {seed}"
    )


def circuit_model(
    problem: Problem, seed: int = 0
) -> tuple[cp_model.CpModel, list[tuple[int, int]], list[Any]]:
    """Return the model, its arcs between vertices, and their literals.

    The depot of an open tour is the vertex after the last.  A seed other than 0 shuffles the arcs
    out of each vertex.
    """
    from ortools.sat.python import cp_model

    one_way = _arcs(problem, problem.graph.edges(), problem.forbid) if problem.directed else None
    forced = _arcs(problem, problem.require) if problem.directed else problem.forced
    problem = _both_ways(problem)
    graph = problem.indexed
    order = wavefront_order(graph)
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
        arcs += [
            (vertex, other) for other in others if one_way is None or (vertex, other) in one_way
        ]
    if not problem.closed:
        # Last: as the first arcs, they would be decided first and double the time.
        may_end = set(allowed_ends(problem))
        ends = [vertex for vertex in order if vertex in may_end]
        starts = ends if problem.start is None else [graph.index[problem.start]]
        if problem.end is not None:
            ends = [graph.index[problem.end]]
        arcs += [(depot, vertex) for vertex in starts] + [(vertex, depot) for vertex in ends]
        place.append(depot)
    model = cp_model.CpModel()
    literals = [model.new_bool_var("") for _ in arcs]
    literal_of = dict(zip(arcs, literals, strict=True)) if forced else {}
    for u, v in forced:
        ways = ((u, v), (v, u)) if one_way is None else ((u, v),)
        model.add_bool_or([literal_of[way] for way in ways])
    if any(isinstance(each, Given) for each in problem.conditions):
        _count(model, problem, dict(zip(arcs, literals, strict=True)))
    if motion_of(problem) is not None:
        _mirror(model, problem, dict(zip(arcs, literals, strict=True)))
    if arcs:  # OR-Tools refuses an empty circuit
        model.add_circuit(
            [(place[u], place[v], literal) for (u, v), literal in zip(arcs, literals, strict=True)]
        )
    if len({u for u, _ in arcs}) < len(place):
        model.add_bool_or([])  # a node without arcs, which the circuit would skip
    return model, arcs, literals


def _both_ways(problem: Problem) -> Problem:
    """Return a directed problem on its undirected graph, without conditions on arcs.

    Other problems are returned unchanged.  An end or a step that is impossible in the result is
    impossible in the given problem.
    """
    if not problem.directed:
        return problem
    import networkx as nx

    conditions = [each for each in problem.conditions if not isinstance(each, Required | Forbidden)]
    return Problem(graph=nx.Graph(problem.graph), closed=problem.closed, conditions=conditions)


def _arcs(problem: Problem, pairs: Iterable[Any], without: Iterable[Any] = ()) -> set[Arc]:
    """Return pairs of nodes as pairs of their numbers."""
    number = {node: vertex for vertex, node in enumerate(problem.graph)}
    return {(number[u], number[v]) for u, v in {*pairs} - {*without}}


def _count(model: cp_model.CpModel, problem: Problem, literal_of: Mapping[Arc, Any]) -> None:
    """Add steps that grow by one along each arc, in a closed tour from its first given vertex."""
    from ortools.sat.python import cp_model

    allowed = allowed_steps(problem)
    size, known = len(allowed), prescribed_steps(problem)
    if known is None or not allowed.any(axis=1).all():
        model.add_bool_or([])
        return
    root, turn = (-1, 0) if not problem.closed else next(iter(known.items()))
    windows = [np.flatnonzero(row).tolist() for row in np.roll(allowed, -turn, axis=1)]
    steps = [model.new_int_var_from_domain(cp_model.Domain.from_values(w), "") for w in windows]
    for (u, v), literal in literal_of.items():
        if u == size:
            model.add(steps[v] == 0).only_enforce_if(literal)
        elif v in (size, root):
            model.add(steps[u] == size - 1).only_enforce_if(literal)
        else:
            model.add(steps[v] == steps[u] + 1).only_enforce_if(literal)


def _mirror(model: cp_model.CpModel, problem: Problem, literal_of: Mapping[Arc, Any]) -> None:
    """Require with each arc an arc between the images of its ends; the depot is its own image."""
    motion = motion_of(problem)
    assert motion is not None and problem.board is not None
    image = [*images(problem.indexed, problem.board, motion).tolist(), problem.size]
    for (u, v), literal in literal_of.items():
        ways = ((image[u], image[v]), (image[v], image[u]))
        model.add_bool_or([~literal, *(literal_of[way] for way in ways if way in literal_of)])


def _walk(problem: Problem, following: dict[int, int]) -> list[int]:
    """Return the vertices in order, after the depot or from the start of a closed tour."""
    first, turn = len(problem.indexed), 0
    if problem.closed:
        first, turn = next(iter((prescribed_steps(problem) or {}).items()), (0, 0))
    walk = [first]
    for _ in range(len(following) - 1):
        walk.append(following[walk[-1]])
    return walk[-turn:] + walk[:-turn] if problem.closed else walk[1:]


def refuse(problem: Problem) -> None:
    """Raise TooLargeError if the problem takes too much memory."""
    if any(isinstance(each, Given) for each in problem.conditions):
        square_limit(NAME, MOST_WITH_STEPS, instead=None)(problem)
    square_limit(NAME, MOST_SQUARES)(problem)


ENGINE = Engine(
    NAME,
    "OR-Tools CP-SAT: AddCircuit, a depot for open tours, arcs ordered from a corner",
    complete=True,
    takes=frozenset(KINDS),
    solve=solve,
    refuse=refuse,
    capacity=f"{MOST_SQUARES:,} squares",
    packages=("ortools",),
    directed=True,
)
