"""Tours as arrays of step numbers, and tours whose squares are computed."""

from __future__ import annotations

import pickle
import random
import tracemalloc
from dataclasses import replace
from itertools import islice, pairwise

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, Tour, defects, solve
from kt_cp.construction.construct import construct
from kt_cp.model import arrays as arrays_module
from kt_cp.model.arrays import BAND_BYTES, squares_in, step_bands, step_pieces, step_type
from kt_cp.model.errors import InputError, SquareError, TooLargeError
from tests.examples.arrays import array_of
from tests.examples.computed_tours import LARGE, PROBLEMS, built
from tests.support.exhaustive import exhaustive, more

LABELS = [problem.label for problem in PROBLEMS]


@pytest.fixture(params=PROBLEMS, ids=LABELS)
def tour(request):
    return built(request.param)


def expected(tour):
    return array_of(tour.board.rows, tour.board.columns, tour, np.int64)


def test_arrays_hold_the_steps(tour):
    wanted, array = expected(tour), tour.to_array()
    assert (array == wanted).all() and array.dtype == np.int32
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.owndata
    listed = Tour(list(tour), tour.closed, tour.board)
    assert (listed.to_array() == wanted).all()
    assert squares_in(array) == list(tour)


@pytest.mark.parametrize("height", [1, 2, 5, 7, 10**6, None])
def test_bands_of_any_height(tour, height):
    wanted = expected(tour)
    for each in (tour, Tour(list(tour), tour.closed, tour.board)):
        bands = list(each.bands(rows=height))
        assert (np.concatenate(bands) == wanted).all()
        assert all(len(band) == (height or len(band)) for band in bands[:-1])
        columns = list(step_bands(each, rows=height, by_columns=True))
        assert (np.concatenate(columns) == wanted.T).all()
        assert (
            np.concatenate([piece.reshape(-1) for piece in step_pieces(each)]) == wanted.reshape(-1)
        ).all()


@pytest.mark.slow
def test_small_windows_and_pieces_of_rows(tour, monkeypatch):
    wanted = expected(tour)
    for window, most in ((1, 20), *more([], [(4, 64)]), (7, 8)):
        monkeypatch.setattr(arrays_module, "WINDOW", window)
        monkeypatch.setattr(arrays_module, "BAND_BYTES", most)
        for dtype in ("int64", *more([], ["int32"]), "uint16"):
            assert (tour.to_array(dtype) == wanted).all()
            assert (np.concatenate(list(tour.bands(dtype))) == wanted).all()
            pieces = list(step_pieces(tour, dtype))
            assert all(piece.flags.c_contiguous for piece in pieces)
            flat = np.concatenate([piece.reshape(-1) for piece in pieces])
            assert (flat == wanted.reshape(-1)).all()


@pytest.mark.parametrize(
    "dtype",
    ["int16", "uint16", "int32", "uint64", ">i2", ">u4", int, np.dtype("u8")],
    ids=str,
)  # fmt: skip
def test_every_type_of_integers(tour, dtype):
    wanted = expected(tour)
    array = tour.to_array(dtype)
    assert array.dtype == np.dtype(dtype) and (array == wanted).all()
    assert all(band.dtype == array.dtype for band in tour.bands(dtype, rows=3))
    assert (np.concatenate(list(tour.bands(dtype, rows=3))) == wanted).all()


def test_the_smallest_type_that_holds_the_steps():
    made = built(Problem(Board(6, 6), closed=True))
    for dtype in ("int8", "uint8"):
        assert (made.to_array(dtype) == expected(made)).all()
    assert step_type(2**31 - 1) == np.int32 and step_type(2**31) == np.int64
    assert step_type(127, "int8") == np.int8
    for size, dtype in [(128, "int8"), (256, "uint8"), (2**15, "i2"), (2**31, "i4"), (2**32, "u4")]:
        with pytest.raises(TooLargeError, match=f"holds numbers to .* {size:,} steps: expected in"):
            step_type(size, dtype)
    with pytest.raises(TooLargeError, match="uint8 holds numbers to 255, and the tour has 420"):
        built(Problem(Board(20, 21))).to_array("uint8")


@pytest.mark.parametrize(
    "dtype", ["float64", float, "?", bool, "O", "U3", complex, "M8[s]", "i4,i4"]
)
def test_what_is_no_type_of_integers(tour, dtype):
    for array in (tour.to_array, tour.bands):
        with pytest.raises(InputError, match="expected a type of integers such as int32, got"):
            array(dtype)


@pytest.mark.parametrize("dtype", ["nonsense", 7, object()])
def test_what_is_no_type_at_all(tour, dtype):
    with pytest.raises(InputError, match="expected a type of integers such as int32, got"):
        tour.to_array(dtype)


def test_walks_and_boards_with_holes():
    board = Board(5, 6, missing={(2, 2)})
    made = solve(Problem(board)).tour
    assert (made.to_array() == array_of(5, 6, made)).all() and made.to_array()[2, 2] == 0
    walk = Tour([(0, 0), (1, 2)], board=Board(2, 3))
    assert walk.to_array().tolist() == [[1, 0, 0], [0, 0, 2]]
    for stranger in [(2, 0), (0, -1), "a1", (0,)]:
        with pytest.raises(InputError, match="expected squares of the 2x3 board, got"):
            Tour([(0, 0), stranger], board=Board(2, 3)).to_array()


def test_graphs_have_no_array():
    made = solve(Problem(graph=nx.cycle_graph(5))).tour
    for array in (made.to_array, made.bands, lambda: next(step_pieces(made))):
        with pytest.raises(InputError, match="expected a tour on a board, got one on a graph"):
            array()
    assert made.step(made[2]) == 3


@pytest.mark.parametrize("problem", PROBLEMS[:6], ids=LABELS[:6])
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("exchange", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
def test_laid_in_every_way(problem, rows, columns, exchange, backwards):
    base = replace(construct(problem), mirror_rows=False, mirror_columns=False, backwards=False)
    sides = base.rows, base.columns
    height, width = sides[::-1] if exchange else sides
    laid = replace(
        base, rows=height, columns=width, mirror_rows=rows, mirror_columns=columns,
        exchange=exchange, backwards=backwards,
    )  # fmt: skip
    wanted = []
    for square in list(base)[:: -1 if backwards else 1]:
        row, column = square[:: -1 if exchange else 1]
        wanted.append(
            (height - 1 - row if rows else row, width - 1 - column if columns else column)
        )
    assert list(laid) == wanted
    assert [laid.index(square) for square in wanted] == list(range(len(wanted)))
    assert [laid[place] for place in range(len(wanted))] == wanted
    made = Tour(laid, problem.closed, Board(height, width))
    assert (made.to_array() == array_of(height, width, wanted)).all()
    assert (np.concatenate(list(made.bands(rows=4))) == array_of(height, width, wanted)).all()
    window = np.empty((3, 5), dtype=np.int64)
    laid.fill(window, 2, 1)
    assert (window == array_of(height, width, wanted)[2:5, 1:6]).all()


# Memory


def test_larger_than_memory_is_refused_at_once():
    made = built(Problem(Board(10**6, 10**6), closed=True))
    with pytest.raises(TooLargeError) as caught:
        made.to_array()
    for word in ("1000000x1000000", "8,000.0 GB", "bands", "-o FILE.npy", "kt-cp locate"):
        assert word in str(caught.value)
    with pytest.raises(TooLargeError, match=r"1000000 rows .* do not fit into memory"):
        made.bands(rows=10**6)
    for rows in (0, -1):
        with pytest.raises(InputError, match=f"at least 1 row, got {rows}"):
            made.bands(rows=rows)
    band = next(made.bands())
    assert band.shape == (2, 10**6) and int(band[1, 7]) == made.step((1, 7))


@pytest.fixture
def peak():
    """Most bytes that were held during a call."""

    def measure(work):
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return measure


def test_an_array_takes_little_beyond_itself(peak):
    made = built(Problem(Board(2000, 2000), closed=True))
    made.to_array()
    assert peak(made.to_array) <= 1.3 * 4 * 2000**2
    # What is computed in a larger type first, is so band by band.
    assert peak(lambda: made.to_array("uint32")) <= 4 * 2000**2 + 3 * BAND_BYTES


def test_bands_are_held_one_by_one(peak):
    made = built(Problem(Board(3000, 3001)))
    next(made.bands())

    def run(**options):
        for band in made.bands(**options):
            assert band.shape[1] == 3001

    assert peak(lambda: run(rows=12)) <= 3 * 12 * 3001 * 4 + (1 << 20)
    assert peak(run) <= 3 * BAND_BYTES


@pytest.mark.slow
def test_iteration_holds_nothing(peak):
    made = built(Problem(Board(1000, 1001), closed=True))
    assert peak(lambda: sum(1 for _ in islice(made, 100_000))) < 1 << 20
    enormous = built(LARGE[1])
    assert peak(lambda: sum(1 for _ in islice(enormous, 50_000))) < 1 << 20
    assert peak(lambda: built(LARGE[2])[10**17 : 10**17 + 1000]) < 2 << 20


every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=LABELS)
every_large_one = pytest.mark.parametrize("problem", LARGE, ids=lambda problem: problem.label)


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


def test_a_tour_has_the_methods_of_a_sequence(tour):
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
    listed = Tour(list(tour), tour.closed, tour.board)
    assert not listed.computed and listed.size == tour.size
    assert listed.step(tour[7]) == 8 and listed.square(8) == tour[7]
    with pytest.raises(InputError, match="expected a step from 1 to"):
        listed.square(0)
    for stranger in ((-1, 0), [0], "zz999"):
        with pytest.raises(SquareError, match="expected a square of the tour"):
            listed.step(stranger)


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
        square = rng.randrange(problem.board.rows), rng.randrange(problem.board.columns)
        place = made.step(square)
        assert 1 <= place <= size and made.square(place) == square, f"{square}, seed {seed}"


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
