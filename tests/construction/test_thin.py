"""Tours of boards 3, 4 and 5 squares high: every pair of ends, every length."""

from __future__ import annotations

import random
import time
from itertools import combinations, product

import numpy as np
import pytest

from kt_cp import Board, Problem, Verdict, get_engine
from kt_cp.construction import thin_boards
from kt_cp.construction.parts import is_move
from kt_cp.construction.thin_boards import LEAST, PERIOD, construct_thin_board, why_impossible
from kt_cp.construction.tiles import NoTileError
from kt_cp.model.limits import Limits
from kt_cp.proofs.certify import certify
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.theorems import closed_impossible, open_impossible
from kt_cp.trust.judge import defects
from tests.support.exhaustive import exhaustive

HEIGHTS = (3, 4, 5)
GIGA = 10**9


def squares(rows, columns):
    return list(product(range(rows), range(columns)))


def built(rows, columns, **asked):
    """The tour's squares, judged, and compared with the part's other two faces; None if none."""
    asked = {"closed": False, "start": None, "end": None, **asked}
    try:
        part = construct_thin_board(rows, columns, **asked)
    except NoTileError:
        return None
    assert (part.rows, part.columns, part.size) == (rows, columns, rows * columns)
    order = [part.square(step) for step in range(part.size)]
    problem = Problem(Board(rows, columns), **asked)
    assert defects(problem, order) == [], (rows, columns, asked)
    out = np.empty((rows, columns), dtype=np.int64)
    part.fill(out, 0, 0)
    for step, square in enumerate(order):
        assert part.step(square) == out[square] == step
    return order


def proven_none(rows, columns, start, end):
    """Whether evidence that can be checked says that there is no open tour."""
    problem = Problem(Board(rows, columns), start=start, end=end)
    if obstruction(problem) is not None:
        return True
    return certify(problem, limits=Limits(60.0)).certificate is not None


def judge(rows, columns, start, end, *, proof=True):
    """A tour is built, or there is none, which is shown by a proof or by search to the end."""
    if built(rows, columns, start=start, end=end):
        return
    problem = Problem(Board(rows, columns), start=start, end=end)
    known = bool(why_impossible(rows, columns, False, start, end))
    assert known or columns <= (13 if rows == 3 else 6), problem.label
    if proof:
        assert proven_none(rows, columns, start, end), problem.label
    else:
        # The engine alone: the reference's cross-check would take a second for each.
        outcome = get_engine("backtrack").solve(problem, limits=Limits(), seed=0, progress=None)
        assert outcome.verdict is Verdict.IMPOSSIBLE, problem.label


def fitting(rows, columns):
    """Pairs of ends that colours allow, either of them first."""
    for one, two in combinations(squares(rows, columns), 2):
        same = (sum(one) + sum(two)) % 2 == 0
        if same if rows * columns % 2 and sum(one) % 2 == 0 else not (same or rows * columns % 2):
            yield one, two


def test_the_same_question_gives_the_same_tour():
    def tour():
        thin_boards._search.cache_clear()
        part = construct_thin_board(5, 48, closed=False, start=(2, 3), end=(0, 30))
        return [part.square(step) for step in range(part.size)]

    assert tour() == tour()


@pytest.mark.parametrize("rows", HEIGHTS)
def test_boards_with_tours_are_those_of_the_theorems(rows):
    for columns in range(rows, 61):
        assert bool(built(rows, columns)) is not open_impossible(rows, columns), columns
        closed = built(rows, columns, closed=True)
        assert bool(closed) is not closed_impossible(rows, columns), columns


STARTS = [
    (rows, length, square)
    for rows in HEIGHTS
    for length in range(rows, 25)
    for square in squares(rows, length)
]


@exhaustive("starts and ends of low boards", STARTS, sample=50)
def test_every_start_and_every_end_that_has_a_tour(cases):
    for rows, length, square in cases:
        begun, ended = built(rows, length, start=square), built(rows, length, end=square)
        assert bool(begun) is bool(ended)
        if not begun and length * rows % 2 == 0 and not (rows == 4 and square[0] in (1, 2)):
            assert proven_none(rows, length, square, None), (rows, length, square)
        if not closed_impossible(rows, length):
            assert built(rows, length, closed=True, start=square)[0] == square


PAIRS = [
    (rows, columns, *pair)
    for rows in HEIGHTS
    for columns in range(rows, 17)
    for pair in fitting(rows, columns)
]


@exhaustive("pairs of ends of low boards", PAIRS, sample=200)
def test_every_pair_has_a_tour_or_search_finds_none(cases):
    for case in cases:
        judge(*case, proof=False)


EXCEPTIONS = [
    (rows, columns, start, end)
    for rows, columns, start, end in PAIRS
    if columns < (14 if rows == 3 else 7)
    # One of each four that are mirror images.
    if start[0] <= rows // 2 and sum(one[1] for one in (start, end)) < columns
]


@exhaustive("exceptions of low boards", EXCEPTIONS, sample=20)
def test_the_exceptions_of_small_boards_are_proven(cases):
    for rows, columns, start, end in cases:
        if not why_impossible(rows, columns, False, start, end):
            judge(rows, columns, start, end)


def kinds():
    """Short boards and pairs of ends, one of each kind."""
    # Widths of the three gaps, of which the widest four stand for all that are wider.  A gap of -1
    # between the ends: they lie in one column.  Reflected boards are searched as one.
    for rows in HEIGHTS:
        widths = range(LEAST[rows] + PERIOD)
        for left, between, right in product(widths, [-1, *widths], widths):
            columns = left + between + right + 2
            if left <= right and columns >= (14 if rows == 3 else 7):
                for one, two in product(range((rows + 1) // 2), range(rows)):
                    yield rows, columns, (one, left), (two, left + between + 1)


@exhaustive("kinds of short boards", kinds(), sample=200)
def test_every_kind_of_short_board(cases):
    slowest = 0.0
    for rows, columns, start, end in cases:
        if not why_impossible(rows, columns, False, start, end):
            began = time.process_time()
            part = construct_thin_board(rows, columns, closed=False, start=start, end=end)
            slowest = max(slowest, time.process_time() - began)
            assert (part.square(0), part.square(part.size - 1)) == (start, end)
    assert slowest < 5


@pytest.mark.parametrize("rows", [3, 5])
def test_every_kind_of_short_board_for_closed_tours(rows):
    widths = range(LEAST[rows] + PERIOD)
    for left, right, row in product(widths, widths, range(rows)):
        columns = left + 1 + right
        if not closed_impossible(*sorted((rows, columns))):
            part = construct_thin_board(rows, columns, closed=True, start=(row, left))
            assert part.square(0) == (row, left)
            assert is_move(part.square(part.size - 1), (row, left))


def drawn(rng):
    """A board and a pair of ends that colours allow."""
    rows = rng.choice(HEIGHTS)
    while True:
        columns = rng.randrange(rows, 61)
        start, end = rng.sample(squares(rows, columns), 2)
        refused = why_impossible(rows, columns, False, start, end)
        # Where there is none for another reason, a proof takes longer than a tour: one in ten.
        if "fit" not in refused and (not refused or rng.random() < 0.1):
            return rows, columns, start, end


@exhaustive("pairs of ends of longer boards", range(4500), sample=60)
def test_many_pairs_of_longer_boards(cases):
    for seed in cases:
        judge(*drawn(random.Random(seed)))


REFUSED = [(rows, columns) for rows in HEIGHTS for columns in range(rows, 61)]


@exhaustive("refusals of low boards", REFUSED, sample=5, batches=4)
def test_what_is_refused_is_refuted(cases):
    for rows, columns in cases:
        rng = random.Random(100 * rows + columns)
        if rows == 4:
            inner = [rng.choice([1, 2]), rng.randrange(columns)]
            pairs = [(tuple(inner), end) for end in rng.choices(squares(4, columns), k=3)]
        elif rows == 5:
            pairs = [((2, 1), end) for end in rng.choices(squares(5, columns), k=3)]
        else:
            ends = rng.choices(squares(3, columns), k=3) if columns > 3 else []
            pairs = [((1, columns - 3), end) for end in ends]
            if columns > 4:
                pairs += [((0, 2), (2, 2)), ((0, columns - 3), (1, columns - 4)), ((2, 2), (1, 3))]
        for start, end in pairs:
            if start != end and why_impossible(rows, columns, False, start, end):
                assert proven_none(rows, columns, start, end), (columns, start, end)


@pytest.mark.parametrize("rows, columns", [(3, 1000), (5, 1001), (4, 999), (3, 1001), (5, 1000)])
def test_boards_of_a_thousand_columns(rows, columns):
    rng = random.Random(columns)
    places = squares(rows, columns)
    for _ in range(3):
        pair = None
        while pair is None or why_impossible(rows, columns, False, *pair):
            pair = rng.sample(places, 2)
        order = built(rows, columns, start=pair[0], end=pair[1])
        assert order and [order[0], order[-1]] == pair


@pytest.mark.parametrize("rows", HEIGHTS)
@pytest.mark.parametrize("columns", [GIGA, GIGA + 1])
def test_enormous_boards(rows, columns):
    rng = random.Random(columns)
    near = [*range(20), *range(GIGA // 2, GIGA // 2 + 20), *range(columns - 20, columns)]
    places = list(product(range(rows), near))
    for _ in range(25):
        start, end = rng.sample(places, 2)
        if why_impossible(rows, columns, False, start, end):
            continue
        began = time.process_time()
        part = construct_thin_board(rows, columns, closed=False, start=start, end=end)
        assert time.process_time() - began < 5
        check_anywhere(part, rng)
        assert (part.square(0), part.square(part.size - 1)) == (start, end)
        if not closed_impossible(rows, columns):
            ring = construct_thin_board(rows, columns, closed=True, start=start)
            check_anywhere(ring, rng)
            assert ring.square(0) == start
            assert is_move(ring.square(ring.size - 1), start)


def check_anywhere(part, rng):
    """Steps and squares agree, and following squares are a move apart, at some places."""
    for step in [0, part.size - 2, *(rng.randrange(part.size - 1) for _ in range(20))]:
        here, there = part.square(step), part.square(step + 1)
        assert is_move(here, there)
        assert (part.step(here), part.step(there)) == (step, step + 1)
        assert 0 <= here[0] < part.rows and 0 <= here[1] < part.columns


def test_a_long_closed_tour_is_written_at_once():
    part = construct_thin_board(3, 100_000, closed=True)
    out = np.empty((3, 100_000), dtype=np.int32)
    began = time.process_time()
    part.fill(out, 0, 0)
    assert time.process_time() - began < 2
    order = np.empty((300_000, 2), dtype=np.int64)
    order[out.ravel()] = np.argwhere(out >= 0)
    steps = np.abs(order - np.roll(order, 1, axis=0))
    assert sorted(np.unique(out)[[0, -1]]) == [0, 299_999] and len(np.unique(out)) == 300_000
    assert (np.sort(steps, axis=1) == [1, 2]).all()


@pytest.mark.parametrize(
    "rows, columns, asked, reason",
    [
        (4, 10**9, {"closed": True}, "no tour is closed"),
        (3, 10**9 + 1, {"closed": True}, "even number"),
        (4, 10**9, {"closed": False, "start": (2, 5)}, "an inner one, as f3 is"),
        (
            5,
            10**9,
            {"closed": False, "start": (2, 1), "end": (0, 2)},
            "b3 is the neighbour that two corners share",
        ),
        (3, 10**9, {"closed": False, "start": (1, 2), "end": (2, 5)}, "fit"),
        (
            3,
            10**9,
            {"closed": False, "start": (0, 1), "end": (1, 10**9 - 3)},
            "is the neighbour that two corners share",
        ),
        (
            3,
            10**9 + 1,
            {"closed": False, "start": (0, 2), "end": (2, 2)},
            "between c1 and c3 lies a square",
        ),
        (3, 11, {"closed": False, "start": (0, 0), "end": (0, 0)}, "same square"),
        (3, 8, {"closed": True}, "searches"),
        (3, 6, {"closed": False}, "searches"),
    ],
)
def test_the_reason_is_told(rows, columns, asked, reason):
    with pytest.raises(NoTileError, match=reason):
        construct_thin_board(rows, columns, **asked)
