"""Other programs for tours, as engines and tasks: a plain CP-SAT model, clingo and Graphillion.

``plain`` is the plainest CP-SAT model: a Boolean for each arc, one ``AddCircuit``, and default
parameters, so that it uses all cores.  A known trap: ``AddCircuit`` skips a node without arcs.  On
3x3 the centre has no moves, and the model returns a cycle through the other eight squares.

``clingo`` runs the program below, with reachability as in every introduction.  Its configuration
is ``handy``, the fastest on 100x100: 64 s, 111 s and, with one seed, more than 200 s, while the
default and ``crafty`` do not end in 200 s.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from kt_cp import Outcome, Problem
from kt_cp.encodings.position import allowed_steps
from kt_cp.engines.engine import Engine, found, impossible, unknown
from kt_cp.model.outcome import EvidenceKind

CYCLE = """
{ go(U, V) : arc(U, V) } = 1 :- node(U).
{ go(U, V) : arc(U, V) } = 1 :- node(V).
reached(V) :- go(0, V).
reached(V) :- reached(U), go(U, V).
:- node(V), not reached(V).
#show go/2.
"""
"""The answer set program for a Hamiltonian cycle of a graph."""

CLUES = Path(__file__).with_name("clues.lp")
CONFIGURATION = "handy"


def installed(package: str) -> bool:
    """Return whether a package can be imported."""
    return find_spec(package) is not None


def solve_plain(problem: Problem, *, seed: int, **_: object) -> Outcome:
    """Find a closed tour by the plain CP-SAT model."""
    from ortools.sat.python import cp_model

    began = time.perf_counter()
    model = cp_model.CpModel()
    chosen = [(u, v, model.new_bool_var("")) for u, v in _arcs(problem)]
    model.add_circuit(chosen)
    built = time.perf_counter()
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    status = solver.status_name(solver.solve(model))
    following = {}
    if status in ("OPTIMAL", "FEASIBLE"):
        following = {u: v for u, v, arc in chosen if solver.boolean_value(arc)}
    outcome = _outcome("plain", problem, status, following, built - began, seed)
    return replace(outcome, statistics={**outcome.statistics, **_since(built)})


def solve_by_clingo(problem: Problem, *, seed: int, **_: object) -> Outcome:
    """Find a closed tour by reachability in an answer set program."""
    import clingo

    began = time.perf_counter()
    control = clingo.Control([f"--configuration={CONFIGURATION}", f"--seed={seed}"])
    control.add("base", [], CYCLE + cycle_facts(problem))
    control.ground([("base", [])])
    built = time.perf_counter()
    following: dict[int, int] = {}
    with control.solve(yield_=True) as models:
        for model in models:
            for atom in model.symbols(shown=True):
                here, there = (argument.number for argument in atom.arguments)
                following[here] = there
            break
        status = "INFEASIBLE" if models.get().unsatisfiable else "UNKNOWN"
    outcome = _outcome("clingo", problem, status, following, built - began, seed)
    return replace(outcome, statistics={**outcome.statistics, **_since(built)})


def _arcs(problem: Problem) -> list[tuple[int, int]]:
    if problem.directed:
        index = {node: vertex for vertex, node in enumerate(problem.graph)}
        return [(index[u], index[v]) for u, v in problem.graph.edges]
    return [arc for u, v in problem.indexed.pairs() for arc in ((u, v), (v, u))]


def _since(began: float) -> dict[str, float]:
    return {"solve_seconds": time.perf_counter() - began}


def _outcome(
    name: str, problem: Problem, status: str, following: dict[int, int], seconds: float, seed: int
) -> Outcome:
    statistics = {"build_seconds": seconds}
    if following:
        walk = [min(following)]
        while len(walk) <= problem.size and following[walk[-1]] != walk[0]:
            walk.append(following[walk[-1]])
        tour = problem.tour([problem.indexed.nodes[vertex] for vertex in walk])
        return found(name, problem, tour, statistics, seed)
    if status == "INFEASIBLE":
        claim = f"claimed by {name}"
        return impossible(name, problem, EvidenceKind.CLAIMED, claim, statistics, seed)
    return unknown(name, problem, f"{name} stopped with {status}", statistics, seed)


PLAIN = Engine("plain", "the plainest CP-SAT model", True, solve_plain, interruptible=False)
CLINGO = Engine("clingo", "reachability by clingo", True, solve_by_clingo, interruptible=False)

YARDSTICKS = {"plain": PLAIN} | ({"clingo": CLINGO} if installed("clingo") else {})
"""The installed programs, for closed tours and cycles of graphs."""


def count_clues_by_clingo(problem: Problem) -> int:
    """Return how many tours a puzzle has, up to two."""
    import clingo

    control = clingo.Control(["2"])
    control.load(str(CLUES))
    control.add("base", [], clue_facts(problem))
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


def cycle_facts(problem: Problem) -> str:
    """Return the facts for the program of a cycle."""
    arcs = [f"arc({u},{v})." for u, v in _arcs(problem)]
    return "\n".join([f"node(0..{problem.size - 1}).", *arcs])


def clue_facts(problem: Problem) -> str:
    """Return the facts for the program of a puzzle."""
    size = problem.size
    facts = [f"may({v},{step})." for v, step in zip(*allowed_steps(problem).nonzero(), strict=True)]
    facts += [f"edge({u},{v})." for u, v in _arcs(problem)]
    steps = range(size if problem.closed else size - 1)
    facts += [f"next({step},{(step + 1) % size})." for step in steps]
    facts.append(f"vertex(0..{size - 1}). step(0..{size - 1}).")  # a window may be empty
    return "\n".join(facts)


def count_by_graphillion(problem: Problem, _seed: int) -> Mapping[str, float]:
    """Count closed tours by a decision diagram of all cycles of the graph."""
    from graphillion import GraphSet

    began = time.perf_counter()
    GraphSet.set_universe([(u + 1, v + 1) for u, v in problem.indexed.pairs()])
    tours = int(GraphSet.cycles(is_hamilton=True).len())
    return {"tours": tours, "solve_seconds": time.perf_counter() - began}
