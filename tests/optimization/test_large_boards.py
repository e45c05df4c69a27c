"""Local search, its starts and its bounds, on boards that are too large for CP-SAT."""

from __future__ import annotations

from itertools import product

import pytest

from kt_cp import Board, Problem, check, optimize, solve
from kt_cp.optimization import large_boards
from kt_cp.optimization.bounds import BoundProver
from kt_cp.optimization.large_boards import improve_tour, tours_of_lines
from kt_cp.optimization.local_search import LocalSearch, layout_of
from kt_cp.optimization.repeated_potentials import repeated_potentials
from kt_cp.optimization.search import cycle_of, tour_of
from kt_cp.optimization.transitions import choice_costs
from kt_cp.trust.check.bound import costs_of
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.judge import defects
from kt_cp.verify import verify
from tests.support.exhaustive import crossed

PROBLEMS = [
    Problem("6x6", closed=True),
    Problem("5x6"),
    Problem("5x5", start="c3"),
    Problem("5x6", start="a1", end="b1"),
    Problem("6x7", closed=True, require=["c3-d5", "c4-d6"], forbid=["d4-f5"]),
    Problem("6x6", end="a1", require=["c3-d5"]),
    Problem("5x6", piece="king", closed=True),
    Problem("4x5", piece="king", start="a1"),
    Problem("10x10", piece="zebra", closed=True),
]
OBJECTIVES = ("fewest-turns", "most-acute-angles", "fewest-steep", "fewest-crossings",
              "most-crossings")  # fmt: skip


def setting(problem, objective):
    """The frame, the arrays of costs, and a first cycle."""
    frame = frame_of(problem)
    cycle = cycle_of(frame, [frame.number[square] for square in solve(problem).tour])
    if objective.endswith("crossings"):
        return frame, layout_of(frame, None, 1 if objective.startswith("fewest") else -1), cycle
    (cost,) = costs_of(frame, objective)
    return frame, layout_of(frame, choice_costs(frame, objective, cost)), cycle


def measured(frame, cycle, objective):
    """The cost of a cycle by the measures of its tour, which the judge accepts."""
    problem = frame.problem.problem
    tour = tour_of(frame, [int(vertex) for vertex in cycle])
    assert not defects(problem, tour)
    sense, _, name = objective.partition("-")
    return tour.measures()[name] * (-1 if sense == "most" else 1)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_costs_after_many_exchanges(problem, objective):
    frame, layout, cycle = setting(problem, objective)
    search = LocalSearch(layout, cycle, seed=3)
    first = measured(frame, cycle, objective)
    assert search.best_cost == first
    search.anneal(400_000, lambda: 0.0)
    assert search.best_cost == measured(frame, search.best, objective) <= first
    assert search._cost == measured(frame, search._tour, objective)


def test_exchanges_change_the_tour():
    _, layout, cycle = setting(PROBLEMS[0], "fewest-turns")
    search = LocalSearch(layout, cycle, seed=3)
    search.anneal(1000, lambda: 0.0)
    assert (search._tour != cycle).any()


@pytest.mark.parametrize(
    ("objective", "value"),
    [("fewest-turns", 32), ("fewest-crossings", 52)],
)
def test_local_search_finds_the_best_of_6x6(objective, value):
    """The values are those of all 1,245 classes of tours."""
    problem = Problem("6x6", closed=True)
    frame, layout, cycle = setting(problem, objective)
    found = []
    improve_tour(frame, layout, cycle, 0, lambda _: 0.0, found.append)
    assert measured(frame, found[-1], objective) == value


def test_the_same_seed_gives_the_same_tour():
    _, layout, cycle = setting(Problem("12x12"), "fewest-turns")
    tours = []
    for seed in (0, 0, 1):
        search = LocalSearch(layout, cycle, seed)
        search.anneal(500_000, lambda: 0.0)
        tours.append(search.best.tolist())
    assert tours[0] == tours[1] != tours[2]


@pytest.mark.parametrize("calls", [1, 2, 12, 20])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, None])
def test_a_stopped_search_keeps_its_best(calls, stop):
    frame, layout, cycle = setting(Problem("14x14", closed=True), "fewest-turns")
    done = []

    def spent(cost):
        done.append(cost)
        if stop is not None and len(done) >= calls:
            raise stop
        return 0.0 if stop else len(done) / calls

    found = []
    try:
        improve_tour(frame, layout, cycle, 0, spent, found.append)
        assert stop is None
    except KeyboardInterrupt:
        assert stop is KeyboardInterrupt
    assert measured(frame, found[-1], "fewest-turns") <= done[-1] <= done[0]


@pytest.mark.parametrize(
    "problem",
    [
        Problem("20x20", closed=True),
        Problem("12x31", closed=True),
        Problem("13x17"),
        Problem("14x14", start="c3"),
        Problem(Board(16, 16, missing=["e5", "f5"]), closed=True, require=["h8-j9", "c3-d5"]),
        Problem("16x16", piece="zebra", closed=True),
        Problem("12x12", piece="wazir", closed=True),
    ],
    ids=lambda problem: problem.label,
)
def test_tours_of_parallel_lines(problem):
    frame, layout, cycle = setting(problem, "fewest-turns")
    tours = [*tours_of_lines(frame, layout, seed=0)]
    assert tours
    value = measured(frame, cycle, "fewest-turns")
    assert min(measured(frame, tour, "fewest-turns") for tour in tours) < value


def test_a_king_has_no_tours_of_lines():
    frame, layout, _ = setting(Problem("12x12", piece="king", closed=True), "fewest-turns")
    assert not [*tours_of_lines(frame, layout, seed=0)]


KINDS_AND_OBJECTIVES = [(True, False), ("fewest-turns", "most-right-angles", "fewest-steep")]


@pytest.mark.parametrize(
    ("board", "closed", "objective"),
    [
        *product(("8x8", "9x10"), *KINDS_AND_OBJECTIVES),
        *(
            pytest.param("20x20", *each, marks=pytest.mark.slow)
            for each in crossed(*KINDS_AND_OBJECTIVES)
        ),
    ],
)
def test_repeated_potentials_against_the_whole_program(board, closed, objective):
    """Fewer potentials cannot give a higher bound, and here they give the same, without cuts."""
    frame = frame_of(Problem(board, closed=closed))
    (cost,) = costs_of(frame, objective)
    bound, leaf = repeated_potentials(frame, choice_costs(frame, objective, cost))
    prover = BoundProver(frame, objective, cost)
    optimum = prover.solve()
    assert optimum - 4 <= bound <= optimum + 1 - 1e-6
    assert leaf["scale"] > 0


def test_no_time_for_a_bound():
    frame = frame_of(Problem("20x20", closed=True))
    (cost,) = costs_of(frame, "fewest-turns")
    choices = choice_costs(frame, "fewest-turns", cost)
    assert repeated_potentials(frame, choices, seconds=0.001) is None


LARGE = [
    Problem("22x22", closed=True),
    Problem("21x23"),
    Problem("14x30", start="a1"),
    Problem(Board(21, 21, missing=["k11"]), closed=True, require=["c3-d5"], forbid=["h8-j9"]),
    Problem("21x20", piece="zebra", closed=True),
    Problem("20x21", piece="king", closed=True),
]


@pytest.mark.parametrize(
    ("problem", "objective"),
    [
        *((problem, "fewest-turns") for problem in LARGE),
        (LARGE[0], "most-right-angles"),
        pytest.param(LARGE[1], "most-direction", marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_large_boards(monkeypatch, problem, objective):
    monkeypatch.setattr(large_boards, "TRIAL", 100)
    monkeypatch.setattr(large_boards, "MAIN", 500)
    best = optimize(problem, objective)
    baseline = solve(problem).tour.measures()[objective.partition("-")[2]]
    assert not defects(problem, best.tour)
    assert best.tour.measures()[objective.partition("-")[2]] == best.value
    if objective.startswith("fewest"):
        assert 0 < best.bound <= best.value < baseline
    else:
        assert best.bound >= best.value > baseline
    text = best.certificate.to_json()
    assert check(text).claim == best.certificate.claim and verify(text)


def test_the_same_seed_gives_the_same_optimum(monkeypatch):
    monkeypatch.setattr(large_boards, "TRIAL", 100)
    monkeypatch.setattr(large_boards, "MAIN", 500)
    one, other = (optimize(LARGE[2], "fewest-turns") for _ in range(2))
    assert one.tour == other.tour and one.bound == other.bound


@pytest.mark.parametrize("objective", ["fewest-crossings", "most-crossings"])
def test_crossings_of_large_boards(monkeypatch, objective):
    monkeypatch.setattr(large_boards, "MAIN", 1000)
    best = optimize("20x12", objective, closed=True)
    baseline = solve("20x12", closed=True).tour.measures()["crossings"]
    assert best.value < baseline if objective.startswith("fewest") else best.value > baseline
    assert (best.bound, best.bound_by, best.limit) == (None, None, None)
    assert best.summary.endswith("no bound is known")


@pytest.mark.slow
@pytest.mark.parametrize(("objective", "most"), [("fewest-turns", 830), ("fewest-crossings", 1080)])
def test_fewer_than_published_on_100x100(objective, most):
    """Besa and others (2019) have 9.25 n turns and 12 n crossings."""
    best = optimize("100x100", objective, closed=True)
    assert best.value < most
    if objective == "fewest-turns":
        assert best.bound == 776 and verify(best.certificate.to_json())
