"""One contract over every registered engine: to register is to be tested.

What is promised is what :mod:`kt_cp.testing` holds the engines of others to.  Of ours more is
asked: none of the problems is refused, and every tour is found.
"""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, engine_names, solve
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.testing import engine as contract
from tests.support.exhaustive import exhaustive

VARIANTS = [
    *(f"sat:{name}" for name in ENCODING_NAMES[1:]),
    "sat:lazy:glucose4",
    "sat:lazy::patch",
    "sat:position:glucose4",
]
ENGINES = [*engine_names(), *VARIANTS]
# Of any graph and board; construct is for whole rectangles.
SEARCHING = [name for name in ENGINES if name != "construct"]

every_engine = pytest.mark.parametrize("engine", ENGINES)
every_search = pytest.mark.parametrize("engine", SEARCHING)

ELSEWHERE = {"random graphs", "random boards", "progress", "questions", "same seed", "time limits"}


@pytest.mark.parametrize(
    "engine",
    [pytest.param(it, marks=pytest.mark.slow if it in VARIANTS else ()) for it in ENGINES],
)
@pytest.mark.parametrize("promise", sorted({*contract.PROMISES} - ELSEWHERE))
def test_contract(engine, promise):
    outcomes = contract.PROMISES[promise](engine)
    if promise == "boards with a tour":
        # The last has a square missing.
        settled = outcomes[:-1] if engine == "construct" else outcomes
        assert all(outcome and outcome.tour for outcome in settled)
    elif promise in ("tiny boards", "tiny graphs"):
        assert None not in outcomes


@exhaustive(
    "engines answer truly on random graphs", product(ENGINES, range(40)), sample=30, batches=4
)
def test_random_graphs_against_the_oracle(cases):
    for engine, seed in cases:
        assert None not in contract.random_graphs(engine, [seed])


@exhaustive(
    "engines answer truly on random boards", product(ENGINES, range(12)), sample=13, batches=2
)
def test_random_boards_against_the_oracle(cases):
    for engine, seed in cases:
        assert None not in contract.random_boards(engine, [seed])


def test_construct_says_what_it_is_for():
    for problem, word in [
        (Problem(Board.parse("50x60", "c3")), "without missing squares"),
        (Problem(graph=nx.cycle_graph(50), closed=True), "not for other graphs"),
        (Problem(Board(2, 9)), "boards of one and two rows"),
        (Problem(Board(9, 1), closed=True), "boards of one and two rows"),
        (Problem(Board(7, 7), closed=True), "odd number"),
        (Problem(Board(8, 8), start=(0, 0), end=(7, 7)), "different colours"),
    ]:
        outcome = solve(problem, "construct")
        assert outcome.verdict is Verdict.UNKNOWN and word in outcome.reason


@pytest.mark.parametrize("engine", ["warnsdorff", "backtrack", "sat", "cpsat", "construct"])
def test_an_own_process_gives_the_same_tour(engine):
    problem = Problem(Board(6, 6), closed=True)
    here, there = (solve(problem, engine, seed=3, own_process=own) for own in (False, True))
    assert here.tour == there.tour
    assert there.statistics["peak_mb"] > 1
    assert there.problem is problem


@every_engine
def test_same_seed_and_one_worker_give_the_same_tour(engine):
    problems = [Problem(Board(5, 6), closed=closed) for closed in (False, True)]
    assert None not in contract.same_seed(engine, problems)


@every_engine
def test_progress_is_harmless(engine):
    far = "position" not in engine
    assert None not in contract.progress(engine, Problem(Board(6, 6), closed=True) if far else None)


def test_progress_crosses_from_an_own_process():
    reports = []
    problem = Problem(Board(20, 20), closed=True)
    assert solve(problem, "sat", progress=reports.append).verdict is Verdict.FOUND
    assert reports[0] == {"building the formula lazy": None}
    assert set(reports[-1]) == {"rounds", "cuts"}
