"""Enumeration of any piece on any surface with conditions of edges, against one that tries all."""

from __future__ import annotations

import random
from itertools import product
from math import gcd

import pytest

from kt_cp import Board, Problem, defects
from kt_cp.enumeration import Enumeration, searches, walks
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
        expected = naive.asked_of(problem).classes(directed=directed)
        unique = Enumeration(problem, directed=directed, unique=True)
        assert sorted(tour.class_size for tour in unique) == expected, (note, directed)
        assert unique.count() == len(expected), (note, directed)


def test_enough_of_the_seeds_are_questions_worth_asking():
    asked, some, unknown = 0, 0, 0
    for seed in SEEDS:
        rng = random.Random(seed)
        problem = random_problems.random_problem(rng, largest=rng.choice([9, 12, 16]))
        tours = naive.tours(problem, most=MOST)
        unknown += tours is None
        some += bool(tours)
        asked += bool(tours) and bool(problem.require or problem.forbid)
    assert unknown < len(SEEDS) // 3, (asked, some, unknown)
    assert min(some, 2 * asked) > len(SEEDS) // 5, (asked, some, unknown)


@pytest.mark.parametrize("asked", [{"given": {(0, 0): 3}}, {"symmetry": "half-turn"}])
def test_what_it_does_not_take(asked, monkeypatch):
    monkeypatch.setattr(searches, "TAKES", EDGES)
    with pytest.raises(NotTakenError, match="the enumeration does not take"):
        Enumeration(Problem(Board(4, 4), **asked))


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
