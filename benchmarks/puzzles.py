"""Puzzles with given steps: find one tour, then find or refute a second one.

Minimal puzzles come from :func:`kt_cp.make_puzzle`.  Puzzles on large boards give a share of the
squares of a random tour, so that there are many tours.  Each engine has its own method: the search
on windows requests two tours, a SAT solver gets a clause against the first one, CP-SAT a model
without it.  The time includes the construction of the formula, but not the loading of modules.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from benchmarks.runner import Measurement, Row, Table, seconds
from benchmarks.yardsticks import count_clues_by_clingo, installed
from kt_cp import Problem, make_puzzle, solve
from kt_cp.compare import Task
from kt_cp.encodings import get_encoding
from kt_cp.encodings.successor import Successors
from kt_cp.engines import bounded_sat, step_domains
from kt_cp.engines.bounded_sat import find_two_tours
from kt_cp.proofs.obstructions import obstruction
from kt_cp.puzzles.generator import shuffle_tour
from kt_cp.search.step_domains import StepDomains

MINIMAL = {
    "Hidato 8x8": ("8x8", "king", False, 40),
    "Numbrix 9x9": ("9x9", "wazir", False, 40),
    "closed knight 8x8": ("8x8", "knight", True, 40),
    "open knight 8x8": ("8x8", "knight", False, 40),
    "closed knight 20x20": ("20x20", "knight", True, 3),
}
"""Board, piece, whether tours are closed, and number of puzzles."""

WRONG = {
    "knight": (("6x6", True), ("7x7", False), ("8x8", True), ("9x9", False)),
    "wazir": (("6x6", False), ("8x8", True), ("9x9", False)),
    "king": (("6x6", True), ("7x7", False), ("8x8", False)),
}
"""Boards of puzzles without a tour, and whether tours are closed; two puzzles of each."""

SHARES = {"20x20": (0.1, 5), "40x40": (0.2, 1)}
"""Shares of given squares, and numbers of puzzles."""


def puzzles() -> Iterator[Row]:
    """Yield all puzzles."""
    for kind, (board, piece, closed, many) in MINIMAL.items():
        for seed in range(1, many + 1):
            made = partial(make_minimal, board, piece, closed, seed)
            yield Row(f"{kind}, seed {seed}", made, kind, tours=1)
    for piece, boards in WRONG.items():
        for board, closed in boards:
            for seed in (1, 2):
                made = partial(make_wrong, board, piece, closed, seed)
                kind = f"{piece}, one step is wrong"
                yield Row(f"{kind}, {board}, seed {seed}", made, kind, tours=0)
    for board, (share, many) in SHARES.items():
        for seed in range(1, many + 1):
            kind = f"closed knight {board}, {share:.0%} given"
            planted = partial(plant_puzzle, board, share, seed)
            yield Row(f"{kind}, seed {seed}", planted, kind, tours=2)


def make_minimal(board: str, piece: str, closed: bool, seed: int) -> Problem:
    """Return a puzzle with one tour that needs all its clues."""
    return make_puzzle(board, piece=piece, closed=closed, seed=seed).problem


def make_wrong(board: str, piece: str, closed: bool, seed: int) -> Problem:
    """Return a puzzle without a tour: eight given squares of a tour, one of them moved."""
    rng, plain = random.Random(seed), Problem(board, piece=piece, closed=closed)
    tour = solve(plain).tour
    assert tour is not None
    while True:
        squares = shuffle_tour(plain, tour, rng).squares
        given = rng.sample(range(len(squares)), 8)
        moved = squares[(given[0] + rng.choice((-4, -2, 2, 4))) % len(squares)]
        steps = {squares[at]: at + 1 for at in given[1:]}
        problem = Problem(board, piece=piece, closed=closed, given={moved: given[0] + 1} | steps)
        if moved in steps or obstruction(problem) is not None:
            continue
        sat = find_two_tours(problem)
        if sat.exhausted and not sat.tours:
            return problem


def plant_puzzle(board: str, share: float, seed: int) -> Problem:
    """Return a puzzle that gives random squares of a random closed tour."""
    rng, problem = random.Random(seed), Problem(board, closed=True)
    tour = solve(problem).tour
    assert tour is not None
    squares = shuffle_tour(problem, tour, rng).squares
    given = rng.sample(range(len(squares)), round(share * len(squares)))
    return Problem(board, closed=True, given={squares[at]: at + 1 for at in given})


def count_two(engine: str, problem: Problem, _seed: int) -> Mapping[str, float]:
    """Count tours, up to two, by an engine."""
    count = COUNTERS.get(engine) or partial(_count_by_sat, engine)
    count(Problem("5x6", closed=True, given={"a1": 1, "b3": 2}))
    step_domains.load(problem)
    began = time.process_time()
    tours = count(problem)
    return {"tours": tours, "solve_seconds": time.process_time() - began}


def _count_by_domains(problem: Problem) -> int:
    search, found = StepDomains(problem), 0
    while found < 2 and not search.exhausted:
        found += len(search.next(limit=2 - found, steps=10**7))
    return found


def _count_by_sat(engine: str, problem: Problem) -> int:
    from pysat.solvers import Solver

    _, name, *rest = engine.split(":")
    encoding = get_encoding(name)
    cnf = encoding.encode(problem)
    if isinstance(cnf.key, Successors):
        own = set(range(cnf.key.first, cnf.key.first + len(cnf.key.arcs)))
    else:
        own = set(cnf.key[cnf.key > 0].tolist())
    with Solver(name=rest[0] if rest else encoding.solver, bootstrap_with=cnf.clauses) as solver:
        if not solver.solve():
            return 0
        solver.add_clause([-literal for literal in solver.get_model() if literal in own])
        return 1 + bool(solver.solve())


def _count_by_cpsat(problem: Problem) -> int:
    from ortools.sat.python import cp_model

    from kt_cp.engines.cpsat import circuit_model

    model, _, literals = circuit_model(problem)
    for found in range(2):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(model) == cp_model.INFEASIBLE:
            return found
        model.add_bool_or([~each for each in literals if solver.boolean_value(each)])
    return 2


def _count_by_auto(problem: Problem) -> int:
    """Solve with a certificate if there is no tour, and otherwise search for a second tour."""
    find_two_tours.cache_clear()  # making the puzzle may have filled it
    if solve(problem).tour is None:
        return 0
    sat = find_two_tours(problem) if bounded_sat.has_small_formula(problem) else None
    return len(sat.tours) if sat and sat.exhausted else _count_by_domains(problem)


COUNTERS: dict[str, Callable[[Problem], int]] = {
    "auto": _count_by_auto,
    "windows": _count_by_domains,
    "cpsat": _count_by_cpsat,
    "clingo": count_clues_by_clingo,
}
CANDIDATES = (
    "auto", "windows", "sat:channel", "sat:channel:glucose4", "sat:channel:cadical195",
    "sat:position", "sat:lfsr", "cpsat", *(["clingo"] if installed("clingo") else []),
)  # fmt: skip

LAST_SMALL = "open knight 8x8, seed 40"
PUZZLES = Measurement(
    puzzles,
    {name: Task(name, partial(count_two, name)) for name in CANDIDATES},
    (
        Table(
            "Puzzles: seconds of the processor to find a tour and the second or none",
            {"s": seconds},
        ),
    ),
    last=dict.fromkeys(("sat:channel:glucose4", "sat:position", "sat:lfsr", "cpsat"), LAST_SMALL),
)
