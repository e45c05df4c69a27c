"""Fewest and most crossings, and the longest uncrossed path, by sweeps from both ends."""

import json
import random
from itertools import pairwise

import pytest

from kt_cp import Board, Problem, optimize
from kt_cp.model.errors import NotTakenError
from kt_cp.model.measures import crosses
from kt_cp.model.outcome import Verdict
from kt_cp.optimization.crossing_sweep import Sweep, as_sweep, order_path, sweep_crossings
from kt_cp.optimization.uncrossed_sweep import UncrossedSweep
from tests.support.exhaustive import more
from tests.support.measure_histograms import crossings_of_all_tours

PROBLEMS = [
    Problem("5x5", start="a1", end="c3"),
    Problem("5x5", start="c3"),
    Problem("4x5", end="a1"),
    Problem("3x7", require=["a1-b3"]),
    Problem("4x5", forbid=["b2-d3"]),
    Problem(Board(4, 5, missing=["a1", "b1"])),
    Problem("4x4", piece="wazir", closed=True, start="b2"),
    Problem("3x4", piece="king", closed=True),
    Problem("3x4", piece="king", start="b2"),
    Problem("3x3", piece="0,1+0,2", start="a1"),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_crossings_of_all_tours(problem):
    values = crossings_of_all_tours(problem)
    for objective, wanted in (("fewest-crossings", min), ("most-crossings", max)):
        best = optimize(problem, objective)
        assert (best.value, best.bound, best.bound_by) == (wanted(values), wanted(values), "sweeps")
        assert best.tour.measures()["crossings"] == best.value
        assert not best.proved and best.certificate is None


@pytest.mark.parametrize(
    "problem",
    [
        Problem("4x5"),
        Problem("5x6", closed=True),
        Problem("5x5", start="a1", end="a5"),
        Problem("4x5", require=["a1-b3", "d1-c3"]),
        Problem(Board(4, 5, missing=["a1", "a4"])),
        Problem("4x4", piece="king", closed=True),
    ],
    ids=lambda problem: problem.label,
)
@pytest.mark.parametrize("outer_first", [False, True])
@pytest.mark.parametrize("objective", ["fewest-crossings", "most-crossings"])
def test_mirrored_states_do_not_change_the_answer(problem, objective, outer_first, monkeypatch):
    forward, squares = as_sweep(problem, objective)

    def sweep_both_ways():
        for sweep in (forward, forward.reversed()):
            yield sweep_crossings(sweep, lambda *_: None, outer_first=outer_first)

    found, again = sweep_both_ways()
    monkeypatch.setattr(Sweep, "mirror", lambda _: None)
    assert {result[0] for result in (found, again, *sweep_both_ways())} == {found[0]}
    tour = problem.tour([squares[vertex] for vertex in order_path(found[1])])
    assert tour.measures()["crossings"] == found[0]


def test_a_condition_on_one_side_has_no_mirrored_states():
    symmetric, _ = as_sweep(Problem("5x6"), "fewest-crossings")
    assert symmetric.mirror() is not None
    for conditions in ({"start": "a1"}, {"forbid": ["a1-b3"]}, {"require": ["a1-b3"]}):
        sweep, _ = as_sweep(Problem("5x6", **conditions), "fewest-crossings")
        assert sweep.mirror() is None
    sweep, _ = as_sweep(Problem(Board(5, 6, missing=["a1"])), "fewest-crossings")
    assert sweep.mirror() is None


@pytest.mark.slow
@pytest.mark.skipif(more(True, False), reason="it takes minutes: FULL=1")
def test_crossings_of_open_5x8():
    for objective, value in (("fewest-crossings", 46), ("most-crossings", 71)):
        best = optimize("5x8", objective)
        assert (best.value, best.bound, best.bound_by) == (value, value, "sweeps")


def longest_uncrossed(problem):
    """The most moves of a path or cycle, by trying all."""
    graph = problem.graph
    barred = {frozenset(move) for move in problem.forbid}
    must = {frozenset(move) for move in problem.require}
    best = 0

    def extend(path):
        nonlocal best
        moves = list(pairwise(path))
        if fits(path, moves):
            best = max(best, len(moves) + problem.closed)
        for square in graph[path[-1]]:
            move = (path[-1], square)
            is_crossed = any(crosses(move, other) for other in moves)
            if square not in path and frozenset(move) not in barred and not is_crossed:
                extend([*path, square])

    def fits(path, moves):
        made = {frozenset(move) for move in moves}
        if problem.closed:
            last = (path[-1], path[0])
            if len(path) < 3 or path[0] not in graph[path[-1]] or frozenset(last) in barred:
                return False
            if any(crosses(last, other) for other in moves[1:-1]):
                return False
            made.add(frozenset(last))
        ends = problem.closed or problem.end in (None, path[-1])
        return len(moves) > 0 and made >= must and ends

    for square in graph:
        if problem.closed or problem.start in (None, square):
            extend([square])
    return best


@pytest.mark.parametrize(
    "problem",
    [
        Problem("3x4"),
        Problem("4x4"),
        Problem("4x4", closed=True),
        Problem("3x5", start="a1"),
        Problem("4x4", start="a1", end="b1"),
        Problem("4x4", end="b2"),
        Problem("3x3", piece="king"),
        Problem("4x4", require=["a1-b3"], forbid=["b3-d4"]),
        Problem("4x4", require=["c4-d2"]),
        Problem(Board(4, 4, missing=["b2", "c4"])),
        Problem(Board(4, 4, missing=["b2", "b3", "c3"]), start="c2", end="a1", forbid=["a3-c2"]),
        Problem("3x3", piece="king", closed=True),
        Problem("4x4", piece="wazir", end="b2"),
        Problem("3x3", piece="king", closed=True, forbid=["b2-c3"], require=["a1-b2"]),
        Problem("3x4", piece="0,1+0,2", start="a1"),
        Problem("4x5", piece="zebra"),
    ],
    ids=lambda problem: problem.label,
)
def test_the_longest_uncrossed_of_all_paths(problem):
    best = optimize(problem, "longest-uncrossed")
    assert (best.value, best.bound_by) == (longest_uncrossed(problem), "sweeps")


@pytest.mark.parametrize(
    ("side", "closed", "moves"),
    [
        (3, False, 2),
        (4, False, 5),
        (5, False, 10),
        (6, False, 17),
        (4, True, 4),
        (5, True, 8),
        (6, True, 12),
    ],
)
def test_published_uncrossed_paths(side, closed, moves):
    """OEIS A003192 and A157416."""
    best = optimize((side, side), "longest-uncrossed", closed=closed)
    assert (best.value, best.bound_by) == (moves, "sweeps")
    assert best.summary.startswith(f"{moves} moves; no path without crossings has more, by sweeps")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "closed", "moves"),
    [(7, True, 24), *more([], [(7, False, 24), (8, True, 32), (8, False, 35)])],
)
def test_published_longer_uncrossed_paths(side, closed, moves):
    assert optimize((side, side), "longest-uncrossed", closed=closed).value == moves


def board_with_holes(rng, rows, columns, most):
    """A board without one or several random squares."""
    squares = [*Board(rows, columns)]
    return Board(rows, columns, missing=rng.sample(squares, rng.randint(1, most)))


def test_the_longest_uncrossed_path_with_random_conditions():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(10):
        board = board_with_holes(rng, 4, 4, most=3)
        for closed in (False, True):
            problem = Problem(board, closed=closed)
            moves = rng.sample([*problem.graph.edges()], 3)
            ends = [None, *problem.graph]
            start, end = (None if closed else rng.choice(ends) for _ in range(2))
            conditions = {"forbid": moves[:2], "require": moves[2:][: rng.randint(0, 1)]}
            end = None if end == start else end
            problem = Problem(board, closed=closed, start=start, end=end, **conditions)
            best = optimize(problem, "longest-uncrossed")
            assert (best.value or 0) == longest_uncrossed(problem), problem.label


def test_bounds_keep_the_longest_path():
    """A sweep that drops no state finds the same value."""

    def look(done, states):
        pass

    for label, closed in (("5x5", False), ("4x7", False), ("6x6", False), ("6x6", True)):
        sweep, _ = as_sweep(Problem(label, closed=closed), "longest-uncrossed")
        halves = UncrossedSweep(sweep, look), UncrossedSweep(sweep.reversed(), look)
        found = halves[0].longest(halves[1])
        uncrossed = UncrossedSweep(sweep, look)
        level = uncrossed.levels[-1]
        for number in range(len(uncrossed.levels) - 1, len(sweep.points)):
            level = uncrossed._advance(level, number)
        assert found[0] == len(found[1]) == uncrossed.best[0]


def test_random_holes():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(6):
        board = board_with_holes(rng, 4, 5, most=5)
        for closed in (False, True):
            problem = Problem(board, closed=closed)
            values = crossings_of_all_tours(problem)
            best = optimize(problem, "fewest-crossings")
            if values:
                assert (best.value, best.bound_by) == (min(values), "sweeps"), board
            else:
                assert best.verdict is Verdict.IMPOSSIBLE


def test_no_path():
    best = optimize("3x3", "longest-uncrossed", closed=True)
    assert not best and best.verdict is Verdict.IMPOSSIBLE
    best = optimize("4x4", "fewest-crossings")
    assert not best and best.certificate.claim == "no tour"


def test_bad_input():
    with pytest.raises(NotTakenError, match="on the plane"):
        optimize("6x6", "fewest-crossings", surface="torus")
    with pytest.raises(NotTakenError, match="no start of a cycle"):
        optimize("6x6", "longest-uncrossed", closed=True, start="a1")
    with pytest.raises(NotTakenError, match="got a graph"):
        optimize([(1, 2), (2, 3)], "most-crossings")


@pytest.mark.clock
def test_a_limit_keeps_the_best_tour(kt_cp):
    words = ["8x8", "--closed", "--objective", "fewest-crossings", "--time-limit", "3"]
    result = kt_cp("optimize", *words, "--json")
    found = json.loads(result.out)
    assert result.code == 3 and len(found["tour"]) == 64
    assert found["measures"]["crossings"] == found["value"]
    bound = found["bound"]  # there may be no time for one
    assert found["bound_by"] == (None if bound is None else "windows")
    assert bound is None or bound < found["value"]


def test_the_command(kt_cp, tmp_path):
    result = kt_cp("optimize", "5x6", "--closed", "--objective", "fewest-crossings")
    assert result.code == 0 and "49 crossings; no tour has fewer, by sweeps" in result.err
    picture = tmp_path / "path.svg"
    result = kt_cp("optimize", "5x5", "--objective", "longest-uncrossed", "-o", picture)
    assert result.code == 0 and "10 moves; no path without crossings has more" in result.err
    assert picture.read_text().startswith("<svg")
