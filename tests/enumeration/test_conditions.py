"""Enumeration with any piece, surface and conditions, compared with naive oracles."""

from __future__ import annotations

import random
from itertools import product
from math import gcd

import pytest

from kt_cp import Board, Problem, defects
from kt_cp.enumeration import Enumeration, given_steps, searches, walks
from kt_cp.model.conditions import EDGES
from kt_cp.model.errors import NotTakenError
from kt_cp.model.piece import NAMED, Piece
from kt_cp.trust.reference import decide
from tests.examples import random_problems
from tests.examples.known_counts import COMPUTED, label
from tests.oracles import naive

SEEDS = range(90)
MOST = 40_000


def undirected(problem, tours):
    """A tour and its reverse as one."""
    if problem.closed:
        return {min(tour, (tour[0], *tour[:0:-1])) for tour in tours}
    return {min(tour, tour[::-1]) for tour in tours}


@pytest.mark.parametrize("seed", SEEDS)
def test_all_tours_and_classes_are_those_of_the_oracle(seed, monkeypatch):
    rng = random.Random(seed)
    problem = random_problems.random_problem(rng, largest=rng.choice([9, 12, 16]))
    tours = naive.tours(problem, most=MOST)
    if tours is None:
        return
    note = f"seed {seed}, {problem.label}"
    listed = [tour.squares for tour in Enumeration(problem, directed=True)]
    assert sorted(listed) == tours or sorted(listed) == sorted(tours), note
    assert not any(defects(problem, tour) for tour in listed[:50]), note
    if rng.random() < 0.5:
        monkeypatch.setattr(walks, "ALONE", 0)  # in threads from the beginning
    assert Enumeration(problem, directed=True).count() == len(tours), note
    once = undirected(problem, tours)
    assert Enumeration(problem, directed=False).count() == len(once), note
    halves = [tour.squares for tour in Enumeration(problem, directed=False)]
    assert len(halves) == len(once), note
    assert undirected(problem, halves) == once, note
    for directed in (True, False):
        expected = naive.with_conditions(problem).classes(directed=directed)
        unique = Enumeration(problem, directed=directed, unique=True)
        assert sorted(tour.class_size for tour in unique) == expected, (note, directed)
        assert unique.count() == len(expected), (note, directed)


def test_enough_of_the_seeds_are_questions_worth_asking():
    constrained, solvable, unknown = 0, 0, 0
    for seed in SEEDS:
        rng = random.Random(seed)
        problem = random_problems.random_problem(rng, largest=rng.choice([9, 12, 16]))
        tours = naive.tours(problem, most=MOST)
        unknown += tours is None
        solvable += bool(tours)
        constrained += bool(tours) and bool(problem.require or problem.forbid)
    assert unknown < len(SEEDS) // 3, (constrained, solvable, unknown)
    assert min(solvable, 2 * constrained) > len(SEEDS) // 5, (constrained, solvable, unknown)


@pytest.mark.parametrize("conditions", [{"given": {(0, 0): 3}}, {"symmetry": "half-turn"}])
def test_what_it_does_not_take(conditions, monkeypatch):
    monkeypatch.setattr(searches, "TAKES", EDGES)
    with pytest.raises(NotTakenError, match="the enumeration does not take"):
        Enumeration(Problem(Board(4, 4), **conditions))


# Known answers


def question_of(row):
    board = Board(int(row["rows"]), int(row["columns"]), surface=row["surface"])
    return Problem(board, piece=row["piece"], closed=True)


@pytest.mark.parametrize("row", COMPUTED, ids=label)
def test_counts_computed_here(row):
    problem = question_of(row)
    assert Enumeration(problem).count() == int(row["count"])
    if problem.size <= 12:
        assert naive.cycles(naive.beside(problem)) == int(row["count"])


def test_every_piece_and_surface_has_a_count():
    assert {row["piece"] for row in COMPUTED} == set(NAMED)
    assert {row["surface"] for row in COMPUTED} == set(naive.JOINED)


def test_every_rectangle_has_a_closed_tour_on_the_torus():
    """J. J. Watkins and R. L. Hoenigman, Mathematics Magazine 70 (1997).

    Left out are 1x1 and 1x2, which have too few squares for a cycle: a move back to its own square
    is none, and two squares are joined by one move however many steps lead along it.
    """
    for rows, columns in product(range(1, 7), range(1, 11)):
        problem = Problem(Board(rows, columns, surface="torus"), closed=True)
        walk = decide(problem, budget=200_000)
        if rows * columns > 2:
            assert walk.squares is not None and not defects(problem, walk.squares), problem.label
        else:
            assert walk.exhausted, problem.label


def test_leaper_graphs_are_connected_where_knuth_says():
    """D. E. Knuth, "Leaper graphs", Mathematical Gazette 78 (1994), theorem 1."""
    for s in range(1, 6):
        for r, n in product(range(1, s + 1), range(2, 2 * s + 3)):
            for m in range(2, n + 1):
                problem = Problem(Board(m, n), piece=Piece.leaper(r, s))
                connected = gcd(r + s, s - r) == 1 and n >= 2 * s and m >= r + s
                assert (len(problem.indexed.components) == 1) == connected, problem.label


@pytest.mark.parametrize("r", [1, 2])
def test_the_shortest_board_of_width_2r_plus_1_that_a_leaper_tours(r):
    """6r + 4 files for the {r, r + 1}-leaper (Knuth, the same): 3x10 and, for the zebra, 5x16."""
    leaper = Piece.leaper(r, r + 1)
    for files in range(2 * r + 1, 6 * r + 5):
        problem = Problem(Board(2 * r + 1, files), piece=leaper, closed=True)
        toured = next(Enumeration(problem).tours(), None) is not None
        assert toured == (files == 6 * r + 4), problem.label


CASES = [("5x5", False), ("4x5", False), ("5x6", True), ("3x10", True)]


def has_them(tour, given, closed):
    """Return whether a tour can be written so that the given squares stand at their steps."""
    total = len(tour)
    for walk in (list(tour), list(tour)[::-1]) if closed else (list(tour),):
        for turn in range(total if closed else 1):
            turned = walk[turn:] + walk[:turn]
            if all(turned[step - 1] == square for square, step in given.items()):
                return True
    return False


def moves(tour):
    squares = list(tour)
    pairs = zip(squares, squares[1:] + squares[:1] * tour.closed, strict=False)
    return frozenset(map(frozenset, pairs))


@pytest.fixture
def soon(request, monkeypatch):
    """Return whether SAT takes over after a single decision without a tour."""
    if request.param:
        monkeypatch.setattr(given_steps, "PATIENCE", 1)
        monkeypatch.setattr("kt_cp.enumeration.searches.CHUNK", 1)
    return request.param


SYMMETRIC = {"closed": True, "symmetry": "half-turn", "given": {"a1": 1}}


@pytest.mark.parametrize(
    ("board", "conditions"), [("3x10", {"closed": True, "given": {"a1": 1}}), ("6x6", SYMMETRIC)]
)
def test_sat_takes_over(board, conditions, monkeypatch) -> None:
    expected = sorted(map(list, Enumeration(board, **conditions)))
    monkeypatch.setattr(given_steps, "PATIENCE", 1)
    monkeypatch.setattr("kt_cp.enumeration.searches.CHUNK", 1)
    answers = []
    solve = given_steps.Formula.solve

    def record(self):
        answers.append(solve(self))
        return answers[-1]

    monkeypatch.setattr(given_steps.Formula, "solve", record)
    assert sorted(map(list, Enumeration(board, **conditions))) == expected
    assert answers[-1] == (False, [])


def test_where_the_formula_is_too_large_the_windows_go_on(monkeypatch) -> None:
    conditions = {"closed": True, "given": {"a1": 1, "c3": 9}}
    expected = sorted(map(list, Enumeration("5x6", **conditions)))
    monkeypatch.setattr(given_steps, "PATIENCE", 1)
    monkeypatch.setattr("kt_cp.enumeration.searches.CHUNK", 1)
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 1)
    monkeypatch.setattr(given_steps, "MOST_DRAWS", 100_000)
    assert sorted(map(list, Enumeration("5x6", **conditions))) == expected


@pytest.mark.parametrize(
    ("board", "closed", "soon"),
    [*((*each, False) for each in CASES), ("4x5", False, True), ("3x10", True, True)],
    indirect=["soon"],
)
def test_they_are_those_of_all_tours(board, closed, soon) -> None:
    every = list(Enumeration(board, closed=closed))
    rng = random.Random(board)
    for number in range(2 if soon else 8):
        tour = list(rng.choice(every))
        steps = rng.sample(range(len(tour)), rng.choice((1, 1, 2, 3)))
        if number == 0:
            steps = [0, len(tour) // 2]  # half a tour apart
        given = {tour[step]: step + 1 for step in steps}
        expected = [each for each in every if has_them(each, given, closed)]
        found = Enumeration(board, closed=closed, given=given)
        listed = list(found)
        label = f"{Problem(board, closed=closed, given=given).label}"
        assert found.complete and len(listed) == len(expected), label
        assert set(map(moves, listed)) == set(map(moves, expected)), label
        assert all(each[step] == tour[step] for each in listed for step in steps), label
        assert Enumeration(board, closed=closed, given=given).count() == len(expected), label
        both = Enumeration(board, closed=closed, given=given, directed=True).count()
        assert both in (len(expected), 2 * len(expected)), label
        classes = list(Enumeration(board, closed=closed, given=given, unique=True))
        assert sum(each.class_size for each in classes) in (
            len(expected), len(expected) // 2
        ), label  # fmt: skip


def test_a_middle_step_alone_lets_an_open_tour_be_read_backwards() -> None:
    given = {"c3": 13}
    assert Enumeration("5x5", given=given).count() == 2 * Enumeration(
        "5x5", given=given, directed=False
    ).count()  # fmt: skip


def test_a_single_square_has_its_one_step() -> None:
    conditions = {"given": {"a1": 1}, "start": "a1"}
    assert [list(each) for each in Enumeration("1x1", **conditions)] == [[(0, 0)]]
    assert Enumeration("1x1", **conditions).count() == 1
    assert Enumeration("1x1", closed=True, given={"a1": 1}).count() == 0


def test_it_stops_on_request() -> None:
    everything = Enumeration("6x6", closed=True, given={"a1": 1})
    assert everything.count(should_stop=lambda: True) < 9_862 and not everything.complete
