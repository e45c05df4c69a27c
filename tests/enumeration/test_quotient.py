"""Symmetric tours by the orbits of squares, compared with a filter of all tours."""

from __future__ import annotations

import random
from itertools import islice, product

import numpy as np
import pytest

from kt_cp import Board, Problem, defects
from kt_cp.enumeration import Enumeration, walks
from kt_cp.enumeration.quotient import quotient_of
from kt_cp.enumeration.walks import Walker
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.move_order import move_table
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.problem import changed
from tests.enumeration.test_conditions import undirected
from tests.examples import random_problems
from tests.examples.known_counts import SYMMETRIC, label
from tests.oracles import naive
from tests.support.exhaustive import exhaustive, more

MOST = 60_000


def oracle_tours(problem):
    """Return the tours without the symmetry condition that the judge accepts with it."""
    every = naive.tours(changed(problem, symmetry=None), most=MOST)
    return None if every is None else [tour for tour in every if not defects(problem, tour)]


def compare(problem, tours, note):
    """The enumeration in all its ways beside the oracle's tours."""
    listed = [tour.squares for tour in Enumeration(problem, directed=True)]
    assert len(listed) == len(tours), note
    assert sorted(map(tuple, listed)) == sorted(tours), note
    assert Enumeration(problem, directed=True).count() == len(tours), note
    once = undirected(problem, tours)
    halves = [tour.squares for tour in Enumeration(problem, directed=False)]
    assert len(halves) == len(once) and undirected(problem, halves) == once, note
    assert Enumeration(problem, directed=False).count() == len(once), note
    for directed in (True, False):
        expected = naive.with_conditions(problem).classes(directed=directed)
        unique = Enumeration(problem, directed=directed, unique=True)
        assert sorted(tour.class_size for tour in unique) == expected, (note, directed)
        assert unique.count() == len(expected), (note, directed)


def random_question(seed):
    """A small question with a symmetry; as a rule on squares that are carried to squares."""
    rng = random.Random(seed)
    motion = rng.choice(MOTIONS)
    square = motion in {"quarter-turn", "diagonal"} and rng.random() < 0.8
    while True:
        problem = random_problems.random_problem(rng, largest=rng.choice([9, 12, 16]), most_moves=2)
        board = problem.board
        if square and board.rows != board.columns:
            continue
        problem = changed(problem, symmetry=motion)
        if rng.random() < 0.5:
            problem = changed(problem, start=None, end=None, require=(), forbid=())
        image, squares, before = naive.with_conditions(problem).image, set(board), None
        while squares != before:
            before, squares = squares, {square for square in squares if image[square] in squares}
        mentioned = {square for each in problem.conditions for square in each.squares()}
        if rng.random() < 0.8 and squares >= mentioned and len(squares) > 2:
            missing = board.missing | (set(board) - squares)
            board = Board(board.rows, board.columns, missing, board.surface)
            problem = changed(problem, board=board)
        return problem


def hold(seeds, monkeypatch):
    """Return the numbers of compared questions, and of those with tours."""
    compared = solvable = 0
    for seed in seeds:
        monkeypatch.setattr(walks, "ALONE", 0 if seed % 5 == 0 else 200_000)  # in threads
        problem = random_question(seed)
        tours = oracle_tours(problem)
        if tours is not None:
            compare(problem, tours, f"seed {seed}, {problem.label}")
            compared, solvable = compared + 1, solvable + bool(tours)
    return compared, solvable


def test_tours_and_classes_are_those_of_the_oracle(monkeypatch):
    compared, solvable = hold(range(40), monkeypatch)
    assert compared > 26 and solvable > 4


@pytest.mark.slow
@exhaustive("symmetric tours are those of the oracle", range(40, 3040), sample=20)
def test_more_tours_and_classes(cases, monkeypatch):
    hold(cases, monkeypatch)


SMALL = [(r, c) for r in range(1, 7) for c in range(1, 7) if r * c <= 8]


EVERY = [*product(naive.JOINED, SMALL, NAMED, (False, True))]


@pytest.mark.slow
@exhaustive("symmetric tours of small boards", EVERY, sample=20)
def test_every_small_board_piece_and_motion(cases):
    found = 0
    for surface, (rows, columns), piece, closed in cases:
        base = Problem(Board(rows, columns, surface=surface), piece=piece, closed=closed)
        tours = naive.tours(base, most=MOST)
        for motion in MOTIONS if tours is not None else ():
            problem = changed(base, symmetry=motion)
            expected = {tour for tour in tours if not defects(problem, tour)}
            listed = [tour.squares for tour in Enumeration(problem, directed=True)]
            assert set(listed) == expected and len(listed) == len(expected), problem.label
            assert Enumeration(problem, directed=True).count() == len(expected), problem.label
            found += bool(expected)
    assert found > 20 or len(cases) < 100


def on_a_square(rng):
    """A piece on 4x4, on any surface, with some holes and conditions that are often carried."""
    surface = rng.choice(sorted(naive.JOINED))
    motion = rng.choice([*MOTIONS, "quarter-turn", "diagonal"])
    squares = [(r, c) for r in range(4) for c in range(4)]
    # Corners, or the four in the middle, are carried to each other by every motion.
    holes = rng.choice([(), (), ((0, 0), (0, 3), (3, 0), (3, 3)), ((1, 1), (1, 2), (2, 1), (2, 2))])
    holes = holes or rng.sample(squares, rng.choice([0, 0, 1, 2]))
    board = Board(4, 4, frozenset(holes), surface)
    piece = rng.choice(
        [random_problems.random_piece(rng, most=3), Piece.parse("king"), Piece.leaper(1, 2)]
    )
    problem = Problem(board, piece=piece, closed=rng.random() < 0.7)
    moves = sorted(tuple(sorted(edge)) for edge in problem.graph.edges())
    rng.shuffle(moves)
    conditions = {"require": moves[:1], "forbid": moves[1 : rng.randint(1, 3)]} if moves else {}
    return changed(problem, symmetry=motion, **(conditions if rng.random() < 0.6 else {}))


@pytest.mark.slow
@exhaustive("symmetric tours of four by four", range(312), sample=6)
def test_squares_with_more_tours_than_the_oracle_has_patience_for(cases):
    for seed in cases:
        problem = on_a_square(random.Random(seed))
        every = Enumeration(changed(problem, symmetry=None), directed=False)
        tours = [tour.squares for tour in islice(every, 20_001)]
        if len(tours) > 20_000:
            continue
        expected = {tour for tour in tours if not defects(problem, tour)}
        note = f"seed {seed}, {problem.label}"
        listed = [tour.squares for tour in Enumeration(problem, directed=False)]
        assert len(listed) == len(expected), note
        assert undirected(problem, listed) == undirected(problem, expected), note
        assert Enumeration(problem, directed=False).count() == len(expected), note


@pytest.fixture(scope="module")
def closed_6x6():
    """The moves of each."""
    tours = [tour.squares for tour in Enumeration("6x6", closed=True)]
    return [{*map(frozenset, zip(it, [*it[1:], it[0]], strict=True))} for it in tours]


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 2, 3, 4, 5))]
)
def test_closed_6x6_with_required_and_forbidden_moves(closed_6x6, motion, seed):
    rng = random.Random(seed)
    base = Problem("6x6", closed=True, symmetry=motion)
    moves = sorted(tuple(sorted(edge)) for edge in base.graph.edges())
    require, forbid = rng.sample(moves, seed % 3), rng.sample(moves, 1 + seed % 2)
    if set(require) & set(forbid):
        forbid = []
    problem = changed(base, require=require, forbid=forbid, start=rng.choice(sorted(base.board)))
    moved = naive.with_conditions(problem).image

    required, forbidden = set(map(frozenset, require)), set(map(frozenset, forbid))
    expected = [made for made in closed_6x6 if required <= made and not made & forbidden]
    expected = [
        made
        for made in expected
        if {frozenset(moved[square] for square in move) for move in made} == made
    ]
    listed = list(Enumeration(problem))
    assert all(tour.squares[0] == problem.start for tour in listed)
    assert not any(defects(problem, tour.squares) for tour in listed)
    assert len(undirected(problem, [tour.squares for tour in listed])) == len(listed)
    assert len(listed) == len(expected) == Enumeration(problem).count()


def question_of(row):
    board = Board(int(row["rows"]), int(row["columns"]), surface=row["surface"])
    closed = row["kind"] == "closed"
    return Problem(board, piece=row["piece"], closed=closed, symmetry=row["symmetry"])


@pytest.mark.parametrize(
    "row",
    [row if int(row["count"]) < 10**6 else pytest.param(row, marks=pytest.mark.slow)
     for row in SYMMETRIC],
    ids=label,
)  # fmt: skip
def test_known_numbers(row):
    unique = row["unit"] == "classes"
    assert Enumeration(question_of(row), unique=unique).count() == int(row["count"])


def test_closed_6x6_fall_into_classes_by_their_symmetry(closed_6x6):
    """1,245 classes: 5 with a quarter turn, 17 with a half turn alone, 1,223 without any."""
    turned = [
        [tour.class_size for tour in Enumeration("6x6", closed=True, symmetry=motion, unique=True)]
        for motion in ("quarter-turn", "half-turn")
    ]
    assert [sorted(sizes) for sizes in turned] == [[2] * 5, [2] * 5 + [4] * 17]
    assert len(closed_6x6) == 5 * 2 + 17 * 4 + 1223 * 8


def test_a_search_that_is_stopped_has_found_no_more_than_there_are():
    everything = Enumeration("10x10", closed=True, symmetry="quarter-turn")
    polls = []
    found = everything.count(lambda: polls.append(1) or len(polls) > 1)
    assert not everything.complete and 0 <= found < 831_804
    listing = everything.tours(lambda: len(polls) > 1)
    assert next(listing).squares and not everything.complete


@pytest.mark.parametrize(
    ("board", "conditions"),
    [
        ("3x4", {"symmetry": "quarter-turn"}),  # a1 is carried to no square
        ("5x5", {"symmetry": "quarter-turn"}),  # an open tour cannot be turned by a quarter
        ("5x6", {"symmetry": "half-turn", "closed": True, "require": ["a1-b3", "f5-e3", "a1-c2"]}),
        ("5x5", {"symmetry": "half-turn", "require": ["a1-b3"], "forbid": ["e5-d3"]}),
        ("5x5", {"symmetry": "half-turn", "start": "a1", "end": "a5"}),
        ("5x5", {"symmetry": "half-turn", "start": "c3"}),
    ],
)  # fmt: skip
def test_questions_without_an_answer(board, conditions):
    everything = Enumeration(board, **conditions)
    assert list(everything) == [] and everything.complete and everything.count() == 0


@pytest.mark.parametrize(("board", "conditions", "tours"), [
    ("1x1", {"symmetry": "quarter-turn"}, 1),
    ("1x1", {"symmetry": "diagonal", "closed": True}, 0),
    ("1x2", {"symmetry": "half-turn", "piece": "wazir"}, 2),
    ("1x5", {"symmetry": "top-bottom", "piece": "wazir"}, 2),  # every square stays where it is
    ("2x2", {"symmetry": "quarter-turn", "piece": "wazir", "closed": True}, 1),
    ("2x2", {"symmetry": "diagonal", "piece": "king", "closed": True}, 1),
    ("5x5", {"symmetry": "half-turn", "start": "a1", "end": "e5"}, 16),
])  # fmt: skip
def test_small_questions(board, conditions, tours):
    assert (
        Enumeration(board, **conditions).count()
        == tours
        == len(list(Enumeration(board, **conditions)))
    )


SEEDS = [1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(more(4, 9)) if k != 1)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("board", "conditions"),
    [
        ("6x6", {"closed": True, "symmetry": "half-turn"}),
        ("6x6", {"closed": True, "symmetry": "quarter-turn"}),
        ("4x5", {"symmetry": "half-turn"}),
        ("2x5", {"piece": "king", "closed": True, "symmetry": "top-bottom"}),
    ],
)
def test_with_given_steps(board, conditions, seed):
    rng = random.Random(seed)
    problem = Problem(board, **conditions)
    every = [tour.squares for tour in Enumeration(problem, directed=True)]
    tour = rng.choice(every)
    given = {tour[step]: step + 1 for step in rng.sample(range(len(tour)), rng.choice([1, 2, 3]))}
    turns = range(len(tour)) if problem.closed else [0]
    written = [each[turn:] + each[:turn] for each in every for turn in turns]
    fits = {each for each in written if all(each[s - 1] == at for at, s in given.items())}
    clued = changed(problem, given=given)
    listed = [tour.squares for tour in Enumeration(clued, directed=True)]
    assert set(listed) == fits and len(listed) == len(fits)
    once = [tour.squares for tour in Enumeration(clued, directed=False)]
    moves = {frozenset(map(frozenset, zip(t, t[1:] + t[:1], strict=True))) for t in fits}
    assert Enumeration(clued, directed=False).count() == len(once)
    if problem.closed:
        assert len(once) == len(moves)
    kinds = Enumeration(clued, directed=True, unique=True)
    assert sum(tour.class_size for tour in kinds) == len(fits)


@pytest.mark.parametrize("length", [4, 9, 70])
def test_one_walk_may_stand_for_any_number_of_tours(length):
    """A king's closed tours of two ranks, mirrored: at each of the files but one, two ways on."""
    problem = Problem(Board(2, length), piece="king", closed=True, symmetry="top-bottom")
    everything = Enumeration(problem)
    assert everything.count() == 2 ** (length - 1)
    first = list(islice(Enumeration(problem), 200))
    assert len({tour.squares for tour in first}) == min(200, 2 ** (length - 1))
    assert not any(defects(problem, tour.squares) for tour in first)


@pytest.mark.parametrize("most", [1, 3])
def test_few_tours_are_made_at_a_time(most, monkeypatch):
    problem = Problem(Board(2, 7), piece="king", closed=True, symmetry="top-bottom")
    monkeypatch.setattr("kt_cp.enumeration.quotient.MOST_ROWS", most)
    quotient = quotient_of(problem, move_table(problem), directed=False)
    parts = []
    for job in quotient.jobs():
        walks = Walker(quotient.graph, job).next(capacity=99, steps=10**6)
        parts += quotient.tours(job, walks)
    assert max(map(len, parts)) <= 2 * most
    assert len({tuple(tour) for tour in np.concatenate(parts).tolist()}) == 2**6
