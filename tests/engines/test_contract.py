"""One contract for every registered engine: to register is to be tested."""

from __future__ import annotations

import random
import time
from collections import Counter
from functools import cache
from itertools import combinations, pairwise, product

import networkx as nx
import pytest

from kt_cp import Board, Piece, Problem, Verdict, engine_names, get_engine, prove, solve
from kt_cp.encodings import ENCODING_NAMES, get_encoding
from kt_cp.engines.run import check, run
from kt_cp.model.conditions import EDGES, KINDS, Given, Symmetry
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.request import Request
from kt_cp.testing import engine as contract
from kt_cp.testing.engine import time_limits
from kt_cp.testing.problems import flower_snark
from kt_cp.trust.crosscheck import cross_check
from kt_cp.trust.judge import defects
from tests.examples.random_problems import combined, with_clues
from tests.support.exhaustive import exhaustive, more
from tests.support.steps import change_step

VARIANTS = [
    *(f"sat:{name}" for name in ENCODING_NAMES[1:]),
    "sat:lazy:glucose4",
    "sat:lazy::patch",
    "sat:position:glucose4",
]
ENGINES = [*engine_names(), *VARIANTS]
# These engines take any graph and board; construct takes whole rectangles only.
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
        # The last board has a missing square.
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
        (Problem(graph=nx.cycle_graph(50), closed=True), "of a whole rectangle"),
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


def hard(engine):
    """Return a problem that no engine decides within a second: each takes over three."""
    # A thousand restarts take a while, and so does a sweep from end to end of a long graph.
    petals = {"warnsdorff": 1001, "auto": 3001}.get(engine, 25)
    return Problem(graph=flower_snark(petals), closed=True)


@pytest.mark.parametrize("petals", [3, 5])
def test_a_flower_snark_has_no_cycle(petals):
    problem = Problem(graph=flower_snark(petals), closed=True)
    assert set(dict(problem.graph.degree).values()) == {3}
    for engine in ("backtrack", "cpsat", "sat"):
        assert solve(problem, engine, own_process=False).verdict is Verdict.IMPOSSIBLE


QUICK = ("auto", "backtrack", "cpsat", "propagator", "reference", "sat", "warnsdorff", "construct")


def the_rest_slowly(engines):
    marked = [e if e in QUICK else pytest.param(e, marks=pytest.mark.slow) for e in engines]
    return pytest.mark.parametrize("engine", marked)


@pytest.mark.clock
@the_rest_slowly(SEARCHING)
def test_time_limits_end_it(engine):
    began = time.perf_counter()
    (outcome,) = time_limits(engine, hard(engine), [0.2])
    elapsed = time.perf_counter() - began
    # The sum of the limit, the start of a child process, and a reserve for a busy machine.  Engines
    # that end by themselves are timed within the child.
    assert get_engine(engine).interruptible or elapsed < 0.2 + 2.5
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "time"), outcome.reason
    assert "time limit of 0.2 s" in outcome.reason


def test_what_is_ended_from_outside_says_that_nothing_was_checked():
    outcome = solve(hard("sat"), "sat", time_limit=0.2)
    assert outcome.checks.remarks["verified"] == "there is no answer to check"


@every_engine
@pytest.mark.parametrize("limit", [1e-6, 0.01])
def test_a_very_short_limit_is_a_limit_and_no_crash(engine, limit):
    outcome = solve(Problem(Board(8, 8), closed=True), engine, time_limit=limit, own_process=False)
    if outcome.verdict is Verdict.UNKNOWN:
        assert outcome.limit == "time", outcome.reason


@pytest.mark.parametrize("milliseconds", range(1, 40, 4))
def test_cpsat_stops_at_its_own_time_a_hair_early(milliseconds):
    outcome = solve(Problem(Board(7, 7), closed=True), "cpsat", time_limit=milliseconds / 1000)
    assert outcome.verdict is Verdict.IMPOSSIBLE or outcome.limit == "time"


def test_the_recursion_asks_for_the_time_between_starts():
    # From each leaf of a star it gives up at once, before the count at which it checks the time.
    problem = Problem(graph=nx.star_graph(3000))
    began = time.process_time()
    outcome = solve(problem, "reference", time_limit=0.2)
    assert outcome.limit == "time" or outcome.verdict is Verdict.IMPOSSIBLE
    assert time.process_time() - began < 2


@the_rest_slowly(ENGINES)
def test_memory_limits_end_it(engine):
    problem = Problem(Board(20, 20), closed=True)
    outcome = solve(problem, engine, memory_limit=10)  # the interpreter alone needs more
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "memory"), outcome.reason
    assert "10 MB" in outcome.reason
    assert outcome.statistics["peak_mb"] >= 10


@every_search
def test_what_is_too_large_is_refused_at_once(engine):
    problems = [Problem(Board(3000, 3000, missing={(0, 0), (0, 1)}))]
    if engine != "auto":  # auto passes whole rectangles to construct
        problems.append(Problem(Board(3000, 3000)))
    for problem in problems:
        began = time.process_time()
        with pytest.raises(TooLargeError, match=r"(limit|limited).*use engine construct"):
            solve(problem, engine)
        assert time.process_time() - began < 0.5


@pytest.mark.parametrize(("engine", "closed"), [("auto", False), ("construct", True)])
def test_no_whole_rectangle_is_too_large(engine, closed):
    board = Board(10**9, 10**9 + 1)
    began = time.process_time()
    outcome = solve(Problem(board, closed=closed), engine)
    assert (outcome.verdict, outcome.engine) == (Verdict.FOUND, "construct")
    assert time.process_time() - began < 5
    assert (outcome.verified, outcome.replayed) == (None, None)
    assert "judged at 10,000 random places" in outcome.checks.remarks["verified"]


@pytest.mark.clock
@pytest.mark.slow
@pytest.mark.parametrize("side", [140, 300])
def test_building_a_large_model_is_ended_as_well(side):
    # The construction takes two seconds and does not check the clock.
    began = time.perf_counter()
    outcome = solve(Problem(Board(side, side), closed=True), "cpsat", time_limit=0.3)
    elapsed = time.perf_counter() - began
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "time"), outcome.reason
    # The sum of the limit, the start of a child process, and a reserve for a busy machine.
    assert elapsed < 0.3 + 2.0


ENGINES_AND_SAMPLES = [
    *(name for name in engine_names() if name != "sat"),
    *(f"sat:{name}" for name in ENCODING_NAMES),
    "sat:lazy:cadical195",
    "sat:lazy:gluecard4:patch",
]


ONE_OF_A_KIND = [
    pytest.param(each, marks=pytest.mark.slow if each.count(":") and "lazy" not in each else ())
    for each in ENGINES_AND_SAMPLES
]


@pytest.mark.parametrize("engine", ONE_OF_A_KIND)
def test_random_questions(engine):
    outcomes = contract.questions(engine, range(40))
    verdicts = [outcome.verdict for outcome in outcomes if outcome is not None]
    if engine in ("construct", "sat:corridor"):  # these take only knights on planes
        return
    assert len(verdicts) == len(outcomes) and verdicts.count(Verdict.FOUND) >= 10, engine
    if get_engine(engine).complete:
        assert verdicts.count(Verdict.IMPOSSIBLE) >= 10


def test_every_condition_is_taken_by_auto():
    kinds_taken = {name: get_engine(name).takes for name in engine_names()}
    assert kinds_taken["auto"] == set(KINDS)
    assert all(takes <= set(KINDS) for takes in kinds_taken.values())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"require": [((0, 0), (1, 2))]}, "required moves: use engine auto"),
        ({"forbid": [((0, 0), (1, 2))]}, "forbidden moves: use engine auto"),
        ({"given": {(0, 0): 3}}, "given steps: use engine auto"),
        ({"symmetry": "half-turn"}, "symmetry: use engine auto"),
    ],
)
def test_what_an_engine_does_not_take_is_refused(more, words):
    with pytest.raises(NotTakenError, match=f"engine construct does not take {words}"):
        solve(Problem(Board(6, 6), closed=True, **more), "construct")


def test_a_move_between_the_ends_leaves_no_room_for_the_others():
    ends = {"start": (0, 0), "end": (1, 2)}
    problem = Problem(Board(5, 6), **ends, require=[((0, 0), (1, 2))])
    for engine in ("auto", "backtrack", "cpsat", "sat", "sat:position", "propagator"):
        outcome = solve(problem, engine, own_process=False)
        assert outcome.verdict is Verdict.IMPOSSIBLE, engine
    assert solve(problem).certificate is not None


@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat", "warnsdorff"])
def test_graphs_take_them_as_well(engine):
    graph = nx.relabel_nodes(nx.dodecahedral_graph(), str)
    edge = next(iter(graph.edges()))
    with_it = solve(Problem(graph=graph, closed=True, require=[edge]), engine).tour
    assert frozenset(edge) in map(frozenset, zip(with_it, [*with_it[1:], with_it[0]], strict=True))
    without = solve(Problem(graph=graph, closed=True, forbid=[edge]), engine).tour
    moves = zip(without, [*without[1:], without[0]], strict=True)
    assert frozenset(edge) not in map(frozenset, moves)


NAMES = [*engine_names(), *(f"sat:{name}" for name in ENCODING_NAMES), "sat:lazy:cadical195"]
TAKERS = [name for name in NAMES if not get_engine(name).takes <= EDGES]


@cache  # every engine gets the same problem
def plain_search(seed):
    query = combined(seed) if seed % 2 else with_clues(seed)
    return query.problem(), next(query.tours(), None) is not None


def answered(engine, seed):
    """Compare an engine with plain search; return None if it does not take the question."""
    problem, possible = plain_search(seed)
    if not {*map(type, problem.conditions)} <= get_engine(engine).takes:
        with pytest.raises(NotTakenError):
            check(engine, problem)
        return None
    outcome = cross_check(
        run(engine, Request.begin(problem, Limits(60), seed=seed), own_process=False)
    )
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
    """Return the problem with some of a tour's steps given, and that tour."""
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
@pytest.mark.parametrize(("base", "share"), PLANTED, ids=lambda each: getattr(each, "label", ""))
def test_planted_puzzles_are_never_impossible(base, share, engine):
    for seed in range(3):
        problem, squares = planted(base, share, seed)
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
    # 2011: some moves of a tour are given, with a direction.  Here others are also forbidden.
    squares = list(solve(Problem(Board(8, 8), closed=True), seed=3, own_process=False).tour)
    moves = list(pairwise(squares))
    made = {frozenset(move) for move in [*moves, (squares[-1], squares[0])]}
    others = [pair for pair in Problem(Board(8, 8)).graph.edges if frozenset(pair) not in made]
    rng = random.Random(2011)
    conditions = {"require": rng.sample(moves, 20), "forbid": rng.sample(others, 40)}
    for left in ({}, {"forbid": ()}, {"require": ()}):
        problem = Problem(Board(8, 8), closed=True, **(conditions | left))
        assert solve(problem, engine, own_process=False).verdict is Verdict.FOUND
    lost = others[0][0]  # a square with a single move
    cut = [move for move in Problem(Board(8, 8)).graph.edges if lost in move][1:]
    problem = Problem(Board(8, 8), closed=True, forbid=cut)
    assert solve(problem, engine, own_process=False).verdict is Verdict.IMPOSSIBLE


def test_the_examples_of_the_asp_competitions():
    """Rows and columns count from 1, as rank and file; rows go down, but the board is the same."""
    facts = [((7, 5), (8, 7)), ((1, 7), (3, 6))]  # givenmove(7,5,8,7). givenmove(1,7,3,6).
    moves = [tuple((row - 1, column - 1) for row, column in move) for move in facts]
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


# Conditions of each engine, and the choice of an engine


def test_who_takes_what():
    takes = {name: get_engine(name).takes for name in engine_names()}
    steps = {name for name in takes if Given in takes[name]}
    assert steps == {"auto", "windows", "cpsat", "sat", "reference"}
    assert {"auto", "cpsat", "sat"} <= {name for name in takes if Symmetry in takes[name]}
    assert get_engine("sat").takes == set(KINDS) == get_encoding("channel").takes
    assert Symmetry not in get_engine("sat:lazy::patch").takes


def test_sat_alone_is_the_first_encoding_that_takes_the_conditions():
    for conditions, name in (
        ({}, "sat:lazy:gluecard4"),
        ({"symmetry": "half-turn"}, "sat:lazy:gluecard4"),
        ({"given": {"a1": 5}}, "sat:channel:minisat22"),
        ({"given": {"a1": 5}, "symmetry": "half-turn"}, "sat:channel:minisat22"),
    ):
        problem = Problem(Board(6, 6), closed=True, **conditions)
        assert solve(problem, "sat", own_process=False).engine == name


def test_auto_takes_the_search_on_windows_first_and_sat_where_it_is_too_slow(monkeypatch):
    monkeypatch.setattr("kt_cp.engines.bounded_sat.MOST_SQUARES", 0)
    problem, _ = planted(Problem(Board(8, 8), closed=True), 0.5, 1)
    change_step(monkeypatch, "step domains", seconds=60.0)
    assert solve(problem).engine == "windows"
    change_step(monkeypatch, "step domains", seconds=1e-9)
    assert solve(problem, own_process=False).engine == "sat:channel:minisat22"


def test_too_many_squares_for_clues_are_refused_without_building_anything():
    for engine, size, message in (
        ("sat", 100, "use engine auto"),
        ("windows", 100, "use engine cpsat"),
        ("cpsat", 102, "no engine takes more of these"),
        ("auto", 102, "no engine takes more of these"),
    ):
        with pytest.raises(TooLargeError, match=rf"{size}x{size}, closed.*{message}"):
            solve(Problem(Board(size, size), closed=True, given={"a1": 1}), engine)


def test_auto_leaves_to_cpsat_what_is_too_large_for_sat_and_for_the_windows(monkeypatch):
    monkeypatch.setattr("kt_cp.engines.bounded_sat.MOST_SQUARES", 0)
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 100)
    monkeypatch.setattr("kt_cp.engines.step_domains.MOST_SQUARES", 20)
    problem, _ = planted(Problem(Board(6, 6), closed=True), 0.5, 1)
    assert solve(problem).engine == "cpsat"


def test_auto_leaves_to_the_windows_what_is_too_large_for_sat(monkeypatch):
    monkeypatch.setattr("kt_cp.engines.bounded_sat.MOST_SQUARES", 0)
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 100)
    problem, _ = planted(Problem(Board(6, 6), closed=True), 0.5, 1)
    assert solve(problem).engine == "windows"
    problem = Problem(Board(20, 20), closed=True, given={"a1": 1, "d4": 201})
    outcome = solve(problem, time_limit=0.2)
    assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "time")


def test_clues_that_clash():
    for conditions in ({"start": "a1", "given": {"a1": 3}}, {"start": "a1", "given": {"c2": 1}}):
        problem = Problem(Board(5, 6), closed=True, **conditions)
        for engine in ("sat", "sat:lfsr", "sat:position", "cpsat", "reference"):
            assert solve(problem, engine, own_process=False).verdict is Verdict.IMPOSSIBLE


def test_progress_has_the_start_and_the_squares_placed():
    events = []
    outcome = solve(Problem("4x4"), "reference", progress=events.append)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    starts = [next(iter(work)) for work in events]
    assert list(dict.fromkeys(starts)) == [f"start {number} of 16" for number in range(1, 17)]
    placed = [work["squares placed"] for work in events]
    assert placed == sorted(placed)
    assert outcome.statistics["placed"] - 1000 <= placed[-1] <= outcome.statistics["placed"]


def test_a_single_start_is_not_counted():
    events = []
    prove(Problem("3x6", closed=True), "exhausted", progress=events.append)
    assert {"squares placed": 0} in events
    assert not any("start" in name for work in events for name in work)
