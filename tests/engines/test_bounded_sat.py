"""SAT with given steps in this process, compared with an enumeration of all tours."""

import random
import subprocess
import sys
from itertools import islice

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Problem, Verdict, check, count, make_puzzle, solve
from kt_cp.engines import bounded_sat
from kt_cp.engines.bounded_sat import find_two_tours, has_small_formula
from kt_cp.model.errors import ProblemError
from kt_cp.proofs.certify import certify_clues
from kt_cp.search.step_domains import StepDomains
from kt_cp.trust.judge import defects

CONTRADICTION = {"a1": 17, "b1": 22, "a2": 19, "b6": 3}
"""Steps of a king on 7x7: each pair fits, and no tour has all of them."""


def random_puzzle(rng, board, piece, closed):
    """Return a puzzle with a few steps of a tour, in a closed one sometimes half a tour apart."""
    base = Problem(board, piece=piece, closed=closed)
    tour = list(rng.choice([*islice(Enumeration(base).tours(), 200)]).squares)
    size = len(tour)
    steps = rng.sample(range(size), rng.randint(2, size // 3))
    if closed and rng.random() < 0.4:
        steps = [3, 3 + size // 2]
    return Problem(board, piece=piece, closed=closed, given={tour[at]: at + 1 for at in steps})


@pytest.mark.parametrize(
    ("board", "piece", "closed"),
    [("5x6", "knight", True), ("4x4", "wazir", False), ("5x5", "knight", False)],
)
def test_it_finds_as_many_tours_as_there_are(board, piece, closed):
    rng, numbers = random.Random(board), set()
    for seed in range(16):
        problem = random_puzzle(rng, board, piece, closed)
        found = find_two_tours(problem, seed)
        number = sum(1 for _ in islice(Enumeration(problem).tours(), 2))
        assert len(found.tours) == number and found.exhausted == (number < 2)
        assert len({tour.squares for tour in found.tours}) == number
        numbers.add(number)
    assert numbers == {1, 2}


def tours_of(problem):
    """Return up to two tours by the search on step domains."""
    return {tuple(walk) for walk in StepDomains(problem).next(limit=2, steps=10**9).tolist()}


def random_problem(rng):
    """Return a problem on a small board with given steps, mostly of a tour."""
    rows, columns = rng.choice([(3, 4), (4, 4), (4, 5), (5, 5), (2, 6)])
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    board = Board(rows, columns, rng.sample(squares, rng.choice((0, 0, 1))))
    piece, closed = rng.choice(("knight", "king", "wazir")), rng.random() < 0.4
    tour = solve(Problem(board, piece=piece, closed=closed), time_limit=5).tour
    order = list(tour or rng.sample(list(board), len(board)))
    steps = rng.sample(range(len(order)), rng.randrange(1, 7))
    given = {order[step]: step + 1 for step in steps}
    if rng.random() < 0.4:
        given[rng.choice(order)] = rng.randrange(len(order)) + 1
    forbid = [(order[0], order[1])] if rng.random() < 0.2 and tour else []
    return Problem(board, piece=piece, closed=closed, given=given, forbid=forbid)


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_step_domains(seed):
    rng = random.Random(seed)
    verdicts = set()
    for _ in range(30):
        try:
            problem = random_problem(rng)
        except ProblemError:
            continue  # two steps for one square, or one step for two
        if not has_small_formula(problem):
            continue
        found = find_two_tours(problem, seed)
        wanted = tours_of(problem)
        if found.exhausted:
            index = problem.indexed.index
            tours = {tuple(index[square] for square in each.squares) for each in found.tours}
            # A closed tour that fits in both directions counts once.
            assert tours == wanted or (problem.closed and tours and tours < wanted)
            assert solve(problem).verdict is (Verdict.FOUND if wanted else Verdict.IMPOSSIBLE)
        else:
            assert len(found.tours) <= len(wanted)
        verdicts.add((found.exhausted, len(found.tours)))
    assert {(True, 0), (True, 1), (False, 2)} <= verdicts


def test_a_budget_of_conflicts_ends_it(monkeypatch):
    problem = make_puzzle("8x8", seed=101).problem
    unlimited = find_two_tours(problem)
    assert unlimited.exhausted and len(unlimited.tours) == 1
    monkeypatch.setattr(bounded_sat, "CONFLICTS", 10)
    found = find_two_tours.__wrapped__(problem)
    assert not found.exhausted and 10 <= found.conflicts < unlimited.conflicts / 2


def test_what_it_does_not_take():
    assert has_small_formula(
        Problem("9x9", piece="king", given={"a1": 1, "c3": 40, "i9": 70, "d2": 9})
    )
    assert not has_small_formula(Problem("6x6", start="a1"))
    assert not has_small_formula(Problem("12x12", piece="king", given={"a1": 1}))
    assert not has_small_formula(Problem("15x15", given={"a1": 1}))
    assert not has_small_formula(Problem("6x6", given={"a1": 1}, require=["a1-b3"]))
    assert not has_small_formula(Problem("6x6", closed=True, given={"a1": 1}, symmetry="half-turn"))


def test_a_puzzle_loads_no_compiled_code(tmp_path):
    puzzle = make_puzzle("8x8", seed=101)
    file = tmp_path / "puzzle.txt"
    lines = [["."] * 8 for _ in range(8)]
    for (row, column), step in puzzle.problem.given.items():
        lines[7 - row][column] = str(step)
    file.write_text("\n".join(map(" ".join, lines)))
    program = (
        "import atexit, sys; from kt_cp.__main__ import main; "
        "atexit.register(lambda: print(*{'numba', 'ortools', 'pysat'} & {*sys.modules})); main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, "solve", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout.splitlines()[-1]) == (0, "pysat"), result.stderr
    assert "It is the only tour with these steps." in result.stderr


def test_steps_in_contradiction_are_refuted_in_this_process(monkeypatch):
    def start_no_process(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr("kt_cp.processes.isolate.call", start_no_process)
    problem = Problem("7x7", piece="king", given=CONTRADICTION)
    outcome = solve(problem)
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate.kind == "refutation"
    assert check(outcome.certificate.to_json()).problem == problem
    assert [step.name for step in outcome.steps][-1] == "certificate"
    # A budget of one conflict leaves the answer without a certificate.
    hard = Problem("7x7", piece="wazir", given={"b1": 16, "b3": 34, "b4": 33, "f5": 24})
    monkeypatch.setattr("kt_cp.proofs.certify.CLUE_CONFLICTS", 1)
    outcome = solve(hard)
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.certificate is None
    assert outcome.reason.startswith("claimed by a SAT solver")
    assert certify_clues(hard) is None


def test_a_cycle_of_a_graph_is_found_exactly_where_there_is_one():
    rng, answers = random.Random(5), set()
    for seed in range(24):
        graph = nx.gnm_random_graph(9, rng.randint(13, 18), seed=seed)
        problem = Problem(graph=graph, closed=True)
        if min(dict(graph.degree).values()) < 2:
            continue
        found = bounded_sat.find_cycle(problem, seed)
        assert bool(found.tours) != found.exhausted == (count(problem).tours == 0)
        assert all(defects(problem, tour.squares) == [] for tour in found.tours)
        answers.add(found.exhausted)
    assert answers == {True, False}


def test_a_budget_of_conflicts_ends_the_search_for_a_cycle(monkeypatch):
    monkeypatch.setattr(bounded_sat, "CYCLE_CONFLICTS", 3)
    found = bounded_sat.find_cycle(Problem(graph=nx.petersen_graph(), closed=True))
    assert not found.tours and not found.exhausted and found.conflicts >= 3
