"""Tours whose squares are computed: one by one, in slices and as arrays, always the same tour."""

from __future__ import annotations

import pickle
import random
from itertools import islice, pairwise

import numpy as np
import pytest

from kt_cp import Board, Problem, Tour, defects
from kt_cp.model.errors import InputError, SquareError, TooLargeError
from tests.examples.computed_tours import LARGE, PROBLEMS, built
from tests.support.exhaustive import exhaustive

LABELS = [problem.label for problem in PROBLEMS]
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=LABELS)
every_large_one = pytest.mark.parametrize("problem", LARGE, ids=lambda problem: problem.label)


@pytest.fixture(params=PROBLEMS, ids=LABELS)
def tour(request):
    return built(request.param)


def is_move(here, there):
    return {abs(here[0] - there[0]), abs(here[1] - there[1])} == {1, 2}


# As a sequence


@every_problem
def test_it_is_a_tour(problem):
    made = built(problem)
    squares = list(made)
    assert defects(problem, squares) == []
    assert made.computed and made.size == len(made) == len(squares) == problem.size
    assert [made[place] for place in range(len(made))] == squares
    assert [made[place - len(made)] for place in range(len(made))] == squares
    assert [made.square(step) for step in range(1, len(made) + 1)] == squares
    assert [made.step(square) for square in squares] == list(range(1, len(made) + 1))
    assert list(reversed(made)) == squares[::-1]
    assert made.names == Tour(squares, made.closed, made.board).names


@pytest.mark.parametrize("seed", range(5))
def test_slices_are_those_of_a_tuple(tour, seed):
    rng = random.Random(seed)
    squares, size = tuple(tour), len(tour)
    bounds = [None, 0, 1, -1, size, -size, size - 1, 10**20, -(10**20)]
    bounds += [rng.randint(-size - 3, size + 3) for _ in range(6)]
    steps = [None, 1, 2, 7, size, -1, -2, -5, -(10**20), rng.randint(1, size)]
    for _ in range(120):
        part = slice(rng.choice(bounds), rng.choice(bounds), rng.choice(steps))
        assert tour[part] == squares[part], f"{part}, seed {seed}"
    with pytest.raises(ValueError, match="zero"):
        tour[::0]


def test_what_a_sequence_tells_of_its_items(tour):
    rng = random.Random(1)
    computed, squares = tour.squares, tuple(tour)
    for square in rng.sample(squares, 20):
        place = squares.index(square)
        assert computed.index(square) == computed.index(square, place) == place
        assert computed.index(square, place, place + 1) == computed.index(square, -len(tour))
        for bounds in [(place + 1,), (0, place), (place, place)]:
            with pytest.raises(ValueError, match="not among"):
                computed.index(square, *bounds)
        assert computed.count(square) == 1 and square in computed and square in tour
    strangers = [(-1, 0), (0, -1), (tour.board.rows, 0), (0, tour.board.columns)]
    for stranger in [*strangers, (0,), (0, 0, 0), "zz999", None, 0, (0.0, 1), ("a", 1), [0]]:
        assert stranger not in computed and stranger not in tour and computed.count(stranger) == 0
        with pytest.raises(ValueError, match="not among"):
            computed.index(stranger)
        with pytest.raises(SquareError, match="expected a square of the tour, got"):
            tour.step(stranger)


def test_places_that_are_not_there(tour):
    for place in (len(tour), -len(tour) - 1, 10**30):
        with pytest.raises(IndexError, match="expected a place from 0 to"):
            tour[place]
    for step in (0, -1, len(tour) + 1, 10**30):
        with pytest.raises(InputError, match=f"expected a step from 1 to {len(tour)}, got {step}"):
            tour.square(step)
    for place in (1.0, "1", None):
        with pytest.raises(TypeError):
            tour[place]


def test_integers_of_numpy_are_integers(tour):
    array = tour.to_array()
    last = tuple(np.argwhere(array == len(tour))[0])
    assert tour.step(last) == len(tour)
    square = tour.square(np.int64(5))
    assert square == tour[np.int8(4)] == tour[4]
    assert all(type(part) is int for part in square)


def test_held_tours_answer_alike(tour):
    held = Tour(list(tour), tour.closed, tour.board)
    assert not held.computed and held.size == tour.size
    assert held.step(tour[7]) == 8 and held.square(8) == tour[7]
    with pytest.raises(InputError, match="expected a step from 1 to"):
        held.square(0)
    for stranger in ((-1, 0), [0], "zz999"):
        with pytest.raises(SquareError, match="expected a square of the tour"):
            held.step(stranger)


# Boards that nobody can hold


@every_large_one
def test_enormous_ones_answer_at_once(problem):
    made, size = built(problem), problem.size
    assert made.size == size
    first = list(islice(made, 1000))
    assert first == list(made[:1000]) == [made[place] for place in range(1000)]
    assert problem.start in (None, first[0]) and problem.end in (None, made[-1])
    assert all(is_move(here, there) for here, there in pairwise(first))
    middle = made[size // 2 : size // 2 + 1000]
    assert all(is_move(here, there) for here, there in pairwise(middle))
    assert made[size // 2 + 999 : size // 2 - 1 : -1] == middle[::-1]
    assert len(made[:: size // 10]) in (10, 11) and made[5:5] == made[size:] == ()
    assert list(islice(reversed(made), 3)) == list(made[:-4:-1])
    rows, columns = problem.board.rows, problem.board.columns
    assert (rows - 1, columns - 1) in made
    assert (rows, 0) not in made and (0, columns) not in made
    assert made.step(made[-1]) == size and made.square(size) == made[-1]
    assert made._repr_svg_() is None


@exhaustive("a million random places of large boards", range(10**6), sample=7_500)
def test_a_million_random_places(cases):
    tours = [built(problem) for problem in LARGE]
    for seed in cases:
        made, problem = tours[seed % len(LARGE)], LARGE[seed % len(LARGE)]
        rng, size = random.Random(seed), problem.size
        step = rng.randint(1, size)
        square = made.square(step)
        assert made.step(square) == step, f"{problem.label}, seed {seed}, step {step}"
        if step < size or problem.closed:
            after = made.square(step % size + 1)
            assert is_move(square, after), f"{problem.label}, seed {seed}, step {step}"
        asked = rng.randrange(problem.board.rows), rng.randrange(problem.board.columns)
        place = made.step(asked)
        assert 1 <= place <= size and made.square(place) == asked, f"{asked}, seed {seed}"


def test_longer_than_len_can_say():
    problem = Problem(Board(10**18 - 1, 10**18 - 1))
    made = built(problem)
    assert made.size == (10**18 - 1) ** 2
    assert made.step(made.square(made.size)) == made.size
    assert made[:2] == tuple(islice(made, 2)) and len(made[-2:]) == 2
    with pytest.raises(OverflowError):
        len(made)
    for array in (made.to_array, made.bands):
        with pytest.raises(TooLargeError, match=r"arrays hold numbers to 9,223,.*kt-cp locate"):
            array("uint64")


@every_large_one
def test_it_travels_light(problem):
    made = built(problem)
    sent = pickle.dumps(made)
    assert len(sent) < 20_000 and len(repr(made)) < 500
    again = pickle.loads(sent)
    assert again == made == built(problem) and hash(again) == hash(made)
    assert again[10**17 : 10**17 + 50] == made[10**17 : 10**17 + 50]
    assert made != built(Problem(Board(10**9 + 2, 10**9), closed=True))
