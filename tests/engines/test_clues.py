"""Given steps and symmetries: engines against plain search, planted tours, known puzzles."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations, pairwise, product

import pytest

from kt_cp import Board, Piece, Problem, Verdict, engine_names, get_engine, solve
from kt_cp.encodings import ENCODING_NAMES, get_encoding
from kt_cp.engines.run import check, run
from kt_cp.model.conditions import EDGES, KINDS, Given, Symmetry
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.testing.problems import combined, with_clues
from kt_cp.trust.crosscheck import cross_check
from kt_cp.trust.judge import defects
from tests.support.exhaustive import exhaustive, more

NAMES = [*engine_names(), *(f"sat:{name}" for name in ENCODING_NAMES), "sat:lazy:cadical195"]
TAKERS = [name for name in NAMES if not get_engine(name).takes <= EDGES]


@cache  # every engine is asked the same
def plain_search(seed):
    asked = combined(seed) if seed % 2 else with_clues(seed)
    return asked.problem(), next(asked.tours(), None) is not None


def answered(engine, seed):
    """Hold an engine to plain search; None where it does not take the question."""
    problem, possible = plain_search(seed)
    if not {*map(type, problem.conditions)} <= get_engine(engine).takes:
        with pytest.raises(NotTakenError):
            check(engine, problem)
        return None
    outcome = cross_check(run(engine, problem, limits=Limits(60), seed=seed, own_process=False))
    assert (outcome.verdict is Verdict.FOUND) == possible, (seed, engine, outcome)
    return outcome.verdict


@pytest.mark.slow
def test_every_condition_is_asked_with_every_other():
    counted = Counter()
    for seed in range(1, 200, 2):
        problem, possible = plain_search(seed)
        keys = {condition.key for condition in problem.conditions}
        board, piece = problem.board, problem.piece
        more = {"missing": board.missing, "surface": board.surface != "plane"}
        keys |= {
            key for key, there in (more | {"piece": piece != Piece.leaper(1, 2)}).items() if there
        }
        counted.update((pair, possible) for pair in combinations(sorted(keys), 2))
    keys = [*(kind.key for kind in KINDS), "missing", "surface", "piece"]
    pairs = {*combinations(sorted(keys), 2)}
    few = [pair for pair in pairs if counted[pair, True] < 2]
    assert not few, (few, counted)
    assert len({pair for pair, possible in counted if not possible}) > len(pairs) // 2


@pytest.mark.parametrize("engine", TAKERS)
def test_random_clues(engine):
    tried = [each for each in NAMES if each != "sat:corridor"]  # which may give up
    few = 6 if engine == "auto" else 18  # it loads a solver for each
    seeds = range(more(few, 400) if engine in tried else 0)
    verdicts = [answered(engine, seed) for seed in seeds]
    assert not seeds or {Verdict.FOUND, Verdict.IMPOSSIBLE} <= set(verdicts)


@pytest.mark.slow
@exhaustive("engines answer truly with clues", product(TAKERS, range(100, 300)), sample=30)
def test_many_random_clues(cases):
    for engine, seed in cases:
        if engine != "sat:corridor":
            answered(engine, seed)


def planted(problem, share, seed):
    """The same problem with some of a tour's steps given, and that tour."""
    rng = random.Random(seed)
    squares = list(solve(problem, seed=seed, own_process=False).tour)
    if problem.closed:
        turn = rng.randrange(len(squares))
        squares = squares[turn:] + squares[:turn]
    steps = rng.sample(range(len(squares)), round(len(squares) * share))
    given = {squares[at]: at + 1 for at in steps}
    return Problem(problem.board, piece=problem.piece, closed=problem.closed, given=given), squares


PLANTED = [
    (Problem(Board(6, 6), closed=True), 0.2), (Problem(Board(6, 6)), 0.15),
    (Problem("6x6", piece="king"), 0.5), (Problem("7x7", piece="wazir"), 0.15),
    (Problem(Board(4, 5, surface="torus"), closed=True), 0.3),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["auto", "windows", "sat", "sat:position", "cpsat"])
@pytest.mark.parametrize(("plain", "share"), PLANTED, ids=lambda each: getattr(each, "label", ""))
def test_planted_puzzles_are_never_impossible(plain, share, engine):
    for seed in range(3):
        problem, squares = planted(plain, share, seed)
        assert defects(problem, squares) == []
        outcome = solve(problem, engine, seed=seed, own_process=False)
        assert outcome.verdict is Verdict.FOUND, (seed, problem.label)


def test_a_puzzle_with_every_other_step_given_is_solved_as_it_was_planted():
    problem, squares = planted(Problem(Board(8, 8), closed=True), 0.6, 5)
    for engine in ("auto", "sat", "sat:lfsr", "sat:adder", "sat:remainder", "cpsat", "reference"):
        assert list(solve(problem, engine, own_process=False).tour) == squares, engine


ROSETTA = """
-xxx----
-x-xx---
-xxxxxxx
xxx--x-x
x-x--xxx
sxxxxxx-
--xx-x--
---xxx--
"""
"""The first board of "Solve a Holy Knight's tour" on Rosetta Code; the tour begins at s."""


@pytest.mark.parametrize("engine", ["auto", "sat", "sat:channel", "cpsat", "windows"])
def test_the_holy_board_of_rosetta_code(engine):
    rows = ROSETTA.split()[::-1]
    drawn = {(r, c): rows[r][c] for r in range(8) for c in range(8)}
    missing = {square for square, cell in drawn.items() if cell == "-"}
    (start,) = (square for square, cell in drawn.items() if cell == "s")
    outcome = solve(Problem(Board(8, 8, missing), given={start: 1}), engine, own_process=False)
    assert outcome.tour[0] == start and len(outcome.tour) == 36


SLOW = [pytest.param(each, marks=pytest.mark.slow) for each in ("sat", "cpsat", "backtrack")]


@pytest.mark.parametrize("engine", ["auto", "sat:channel", *SLOW])
def test_moves_given_and_forbidden_as_in_the_asp_competitions(engine):
    # 2011: some moves of a tour are given, in a direction.  Here others are forbidden besides.
    squares = list(solve(Problem(Board(8, 8), closed=True), seed=3, own_process=False).tour)
    moves = list(pairwise(squares))
    made = {frozenset(move) for move in [*moves, (squares[-1], squares[0])]}
    others = [pair for pair in Problem(Board(8, 8)).graph.edges if frozenset(pair) not in made]
    rng = random.Random(2011)
    asked = {"require": rng.sample(moves, 20), "forbid": rng.sample(others, 40)}
    for left in ({}, {"forbid": ()}, {"require": ()}):
        problem = Problem(Board(8, 8), closed=True, **(asked | left))
        assert solve(problem, engine, own_process=False).verdict is Verdict.FOUND
    lost = others[0][0]  # a square left with a single move
    cut = [move for move in Problem(Board(8, 8)).graph.edges if lost in move][1:]
    problem = Problem(Board(8, 8), closed=True, forbid=cut)
    assert solve(problem, engine, own_process=False).verdict is Verdict.IMPOSSIBLE


def test_the_examples_of_the_asp_competitions():
    """Rows and columns from 1, as rank and file; rows go down there, and the board is the same."""
    given = [((7, 5), (8, 7)), ((1, 7), (3, 6))]  # givenmove(7,5,8,7). givenmove(1,7,3,6).
    moves = [tuple((row - 1, column - 1) for row, column in move) for move in given]
    tour = solve("8x8", closed=True, require=moves, own_process=False).tour
    assert {frozenset(move) for move in moves} <= {*map(frozenset, pairwise([*tour, tour[0]]))}
    # 2013, size(9): squares are forbidden, those of the last row and column.
    forbidden = {(8, at) for at in range(9)} | {(at, 8) for at in range(9)}
    outcome = solve(Problem(Board(9, 9, forbidden), closed=True), own_process=False)
    assert outcome.verified and len(outcome.tour) == 64


SYMMETRIC = [
    ("6x6", "quarter-turn", True), ("6x6", "half-turn", True), ("5x5", "half-turn", False),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["auto", "sat:channel", "sat:lfsr", "cpsat"])
@pytest.mark.parametrize(("board", "motion", "closed"), SYMMETRIC)
def test_symmetric_tours(board, motion, closed, engine):
    outcome = solve(Problem(board, closed=closed, symmetry=motion), engine, own_process=False)
    assert outcome.verdict is Verdict.FOUND and outcome.verified


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "motion"), [("30x30", "half-turn"), ("30x30", "quarter-turn"), ("50x50", "half-turn")]
)
def test_large_symmetric_tours(board, motion):
    problem = Problem(board, closed=True, symmetry=motion)
    for seed in range(3):
        assert solve(problem, seed=seed).verdict is Verdict.FOUND


# Who takes what, and what is chosen


def test_who_takes_what():
    takes = {name: get_engine(name).takes for name in engine_names()}
    steps = {name for name in takes if Given in takes[name]}
    assert steps == {"auto", "windows", "cpsat", "sat", "reference"}
    assert {"auto", "cpsat", "sat"} <= {name for name in takes if Symmetry in takes[name]}
    assert get_engine("sat").takes == set(KINDS) == get_encoding("channel").takes
    assert Symmetry not in get_engine("sat:lazy::patch").takes


def test_sat_alone_is_the_first_encoding_that_takes_the_conditions():
    for asked, name in (
        ({}, "sat:lazy:gluecard4"),
        ({"symmetry": "half-turn"}, "sat:lazy:gluecard4"),
        ({"given": {"a1": 5}}, "sat:channel:minisat22"),
        ({"given": {"a1": 5}, "symmetry": "half-turn"}, "sat:channel:minisat22"),
    ):
        problem = Problem(Board(6, 6), closed=True, **asked)
        assert solve(problem, "sat", own_process=False).engine == name


def test_auto_takes_the_search_on_windows_first_and_sat_where_it_is_too_slow(monkeypatch):
    problem, _ = planted(Problem(Board(8, 8), closed=True), 0.5, 1)
    monkeypatch.setattr("kt_cp.engines.auto.WINDOWS_SECONDS", 60.0)  # it may have to compile
    assert solve(problem).engine == "windows"
    monkeypatch.setattr("kt_cp.engines.auto.WINDOWS_SECONDS", 1e-9)
    assert solve(problem, own_process=False).engine == "sat:channel:minisat22"


def test_too_many_squares_for_clues_are_told_without_building_anything():
    for engine, size, said in (
        ("sat", 100, "use --engine auto"),
        ("windows", 100, "use --engine cpsat"),
        ("cpsat", 102, "no engine takes more of these"),
        ("auto", 102, "no engine takes more of these"),
    ):
        with pytest.raises(TooLargeError, match=rf"{size}x{size}, closed.*{said}"):
            solve(Problem(Board(size, size), closed=True, given={"a1": 1}), engine)


def test_auto_leaves_to_cpsat_what_is_too_large_for_sat_and_for_the_windows(monkeypatch):
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 100)
    monkeypatch.setattr("kt_cp.engines.step_domains.MOST_SQUARES", 20)
    problem, _ = planted(Problem(Board(6, 6), closed=True), 0.5, 1)
    assert solve(problem).engine == "cpsat"


def test_auto_leaves_to_the_windows_what_is_too_large_for_sat(monkeypatch):
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 100)
    monkeypatch.setattr("kt_cp.engines.auto.WINDOWS_SECONDS", 1e-9)
    problem, _ = planted(Problem(Board(6, 6), closed=True), 0.5, 1)
    assert solve(problem).engine == "windows"
    plain = Problem(Board(20, 20), closed=True, given={"a1": 1, "d4": 201})
    outcome = solve(plain, time_limit=0.2)
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "time")


def test_clues_that_clash():
    for asked in ({"start": "a1", "given": {"a1": 3}}, {"start": "a1", "given": {"c2": 1}}):
        problem = Problem(Board(5, 6), closed=True, **asked)
        for engine in ("sat", "sat:lfsr", "sat:position", "cpsat", "reference"):
            assert solve(problem, engine, own_process=False).verdict is Verdict.IMPOSSIBLE
