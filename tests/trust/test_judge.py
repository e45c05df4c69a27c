"""The judge of walks and places: each corruption is rejected with exactly its own defect."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, Tour
from kt_cp.model.board import parse_squares
from kt_cp.model.conditions import KINDS, MOTIONS
from kt_cp.model.errors import TooLargeError
from kt_cp.model.piece import Piece
from kt_cp.testing import oracle
from kt_cp.trust.judge import Rule, array, conditions, defects, place_defects, squares
from kt_cp.trust.judge.array import ArrayJudge, array_defects
from kt_cp.trust.judge.rules import FEW, is_move
from tests.examples import random_problems
from tests.examples.arrays import array_of, streamed, tour_squares
from tests.examples.computed_tours import LARGE, PROBLEMS, Lying, built, exchanged
from tests.oracles import naive


def rules(problem, squares):
    return [defect.rule for defect in defects(problem, squares)]


@pytest.fixture(scope="module")
def open_tour():
    graph = oracle.knight_graph(3, 4)
    order = next(iter(_paths(graph)))
    return list(order)


@pytest.fixture(scope="module")
def closed_tour():
    # One of the 9862 of 6x6, written down; test_tours_pass holds it against measured moves.
    names = (
        "c3 b1 a3 b5 d6 f5 e3 f1 d2 f3 e1 c2 a1 b3 a5 c6 e5 c4 b6 a4 "
        "b2 d1 f2 e4 f6 d5 f4 e6 d4 e2 c1 d3 c5 a6 b4 a2"
    )
    return parse_squares(names)


def _paths(graph):
    """Hamiltonian paths by the plainest recursion, independent of the package."""

    def extend(path):
        if len(path) == len(graph):
            yield list(path)
        for other in sorted(graph[path[-1]]):
            if other not in path:
                yield from extend([*path, other])

    for first in graph:
        yield from extend([first])


def test_tours_pass(open_tour, closed_tour):
    assert defects(Problem(Board(3, 4)), open_tour) == []
    ends = {"start": open_tour[0], "end": open_tour[-1]}
    assert defects(Problem(Board(3, 4), **ends), open_tour) == []
    assert defects(Problem(Board(6, 6), closed=True), closed_tour) == []
    assert defects(Problem(Board(6, 6)), closed_tour) == []
    assert defects(Problem(Board(1, 1)), [(0, 0)]) == []


def test_off_the_board():
    # The walk leaves the board by a knight's move: nothing else is wrong with it.
    board = Board(1, 1)
    found = defects(Problem(board), [(0, 0), (2, 1)])
    assert [defect.rule for defect in found] == [Rule.OFF_BOARD]
    assert str(found[0]) == "b3 at step 2 is off the 1x1 board"


def test_missing_square_used(open_tour):
    board = Board(3, 4, missing={open_tour[-1]})
    found = defects(Problem(board), open_tour)
    assert [defect.rule for defect in found] == [Rule.MISSING]
    assert "at step 12" in str(found[0])
    assert defects(Problem(board), open_tour[:-1]) == []


def test_repeated(open_tour):
    found = defects(Problem(Board(3, 4)), [*open_tour, open_tour[-2]])
    assert [defect.rule for defect in found] == [Rule.REPEATED]
    assert "at step 13, first at 11" in str(found[0])


def test_closed_tour_must_not_repeat_its_first_square(closed_tour):
    problem = Problem(Board(6, 6), closed=True)
    assert Rule.REPEATED in rules(problem, [*closed_tour, closed_tour[0]])


def test_unvisited(open_tour):
    found = defects(Problem(Board(3, 4)), open_tour[:-1])
    assert [defect.rule for defect in found] == [Rule.UNVISITED]
    assert str(found[0]).startswith("1 square unvisited: ")


def test_illegal_move(closed_tour):
    walk = [*closed_tour[:-2], closed_tour[-1], closed_tour[-2]]
    found = defects(Problem(Board(6, 6)), walk)
    assert {defect.rule for defect in found} == {Rule.ILLEGAL_MOVE}
    assert found[0].step == 35
    assert "illegal move from" in str(found[0])
    assert "at step 35" in str(found[0])


@pytest.mark.parametrize("move", [(0, 0), (1, 1), (2, 2), (0, 1), (1, 0), (3, 1), (1, 3), (0, 2)])
def test_what_is_not_a_knights_move(move):
    walk = [(0, 0), move]
    assert Rule.ILLEGAL_MOVE in rules(Problem(Board(5, 5)), walk)


@pytest.mark.parametrize("move", [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2)
                                  if abs(a) != abs(b)])  # fmt: skip
def test_all_eight_moves(move):
    walk = [(2, 2), (2 + move[0], 2 + move[1])]
    assert Rule.ILLEGAL_MOVE not in rules(Problem(Board(5, 5)), walk)


def test_wrong_start(open_tour):
    other = open_tour[1]
    assert rules(Problem(Board(3, 4), start=other), open_tour) == [Rule.WRONG_START]


def test_wrong_end(open_tour):
    other = open_tour[1]
    found = defects(Problem(Board(3, 4), end=other), open_tour)
    assert [defect.rule for defect in found] == [Rule.WRONG_END]
    assert found[0].step == 12


def test_not_closed(open_tour):
    # Schwenk: 3x4 has no closed tour, so no open one closes.
    assert rules(Problem(Board(3, 4), closed=True), open_tour) == [Rule.NOT_CLOSED]


def test_one_or_two_squares_are_no_cycle():
    assert rules(Problem(Board(1, 1), closed=True), [(0, 0)]) == [Rule.NOT_CLOSED]
    graph = nx.path_graph(2)
    assert rules(Problem(graph=graph, closed=True), [0, 1]) == [Rule.NOT_CLOSED]


def test_the_empty_walk():
    assert rules(Problem(Board(3, 4)), []) == [Rule.UNVISITED]
    assert rules(Problem(Board(3, 4), closed=True), []) == [Rule.UNVISITED, Rule.NOT_CLOSED]


@pytest.mark.parametrize(
    "stranger", [None, "a0", 7, (1,), (1, 2, 3), ("a", "b"), (0.5, 1), [0, 0], {}]
)
def test_strangers_are_named_and_nothing_breaks(stranger):
    found = rules(Problem(Board(3, 4)), [(0, 0), stranger, (1, 2)])
    assert Rule.OFF_BOARD in found
    found = rules(Problem(graph=nx.path_graph(3)), [0, stranger, 2])
    assert Rule.OFF_BOARD in found


def test_general_graphs():
    problem = Problem(graph=nx.cycle_graph(5), closed=True)
    assert defects(problem, [0, 1, 2, 3, 4]) == []
    assert Rule.ILLEGAL_MOVE in rules(problem, [0, 2, 1, 3, 4])
    assert rules(Problem(graph=nx.path_graph(5), closed=True), range(5)) == [Rule.NOT_CLOSED]
    found = defects(problem, [0, 1, 2, 3])
    assert str(found[0]) == "1 node unvisited: 4"


def test_every_defect_is_reported_at_once():
    problem = Problem(Board(3, 4), start=(0, 0), end=(2, 3))
    found = set(rules(problem, [(1, 1), (1, 1), (9, 9)]))
    assert found == {
        Rule.REPEATED,
        Rule.ILLEGAL_MOVE,
        Rule.OFF_BOARD,
        Rule.UNVISITED,
        Rule.WRONG_START,
        Rule.WRONG_END,
    }


def test_an_illustrated_walk_with_an_illegal_step():
    # Document 002 of the sources illustrates this walk; its step from d1 to c4 is no knight's move.
    walk = parse_squares("a1 c2 d4 b3 c1 a2 b4 d3 b2 d1 c4 d2 b1 c3 a4")
    found = defects(Problem(Board(4, 4), start=(0, 0)), walk)
    moves = [defect for defect in found if defect.rule is Rule.ILLEGAL_MOVE]
    assert [str(defect) for defect in moves] == ["illegal move from d1 to c4 at step 11"]


def _counted(rows, columns, missing, walk):
    """Return how often each rule of single steps is broken, by the plainest arithmetic."""
    counts = Counter()
    seen = set()
    for here, there in zip([None, *walk], walk, strict=False):
        if not (0 <= there[0] < rows and 0 <= there[1] < columns):
            counts[Rule.OFF_BOARD] += 1
        elif there in missing:
            counts[Rule.MISSING] += 1
        elif there in seen:
            counts[Rule.REPEATED] += 1
        seen.add(there)
        if here is not None:
            off = sorted((abs(here[0] - there[0]), abs(here[1] - there[1])))
            counts[Rule.ILLEGAL_MOVE] += off != [1, 2]
    return +counts


@pytest.mark.parametrize("sparse", [0, squares.SPARSE])
def test_the_first_defects_of_each_rule_are_listed_and_all_are_counted(monkeypatch, sparse):
    monkeypatch.setattr(squares, "SPARSE", sparse)  # a dictionary of the visits, or a table
    rng = random.Random(14)
    for length in (0, 1, 5, 30, 200):
        missing = {(0, 0), (1, 3)}
        walk = [(rng.randint(-1, 4), rng.randint(0, 6)) for _ in range(length)]
        found = defects(Problem(Board(4, 6, missing)), walk)
        expected = _counted(4, 6, missing, walk)
        lacking = {(row, column) for row in range(4) for column in range(6)} - missing - set(walk)
        expected[Rule.UNVISITED] = bool(lacking)
        counted = Counter()
        for each in found:
            counted[each.rule] += each.many
        assert counted == +expected, walk
        defects_ated = Counter(each.rule for each in found)
        assert max(defects_ated.values()) <= FEW + 1
        if length == 200:
            assert f"{counted[Rule.REPEATED] - FEW} more of this kind: square repeated" in map(
                str, found
            )
            firsts = [each.step for each in found if each.rule is Rule.ILLEGAL_MOVE][:FEW]
            assert firsts == sorted(firsts)


def test_conditions_are_judged_on_squares_that_come_again_and_again():
    # A move that is made between late visits is made; and it takes no time for each pair of them.
    walk = [(0, 0)] * 20_000 + [(2, 1)] * 20_000
    board = Board(3, 4)
    for keywords, rule in (
        ({"require": [((0, 0), (2, 1))]}, Rule.REQUIRED_MISSING),
        ({"forbid": [((0, 0), (2, 1))]}, Rule.FORBIDDEN_USED),
        ({"given": {(2, 1): 7}}, Rule.WRONG_STEP),
        ({"symmetry": "half-turn"}, Rule.NOT_SYMMETRIC),
    ):
        found = {each.rule for each in defects(Problem(board, **keywords), walk)}
        assert (rule in found) == (rule is not Rule.REQUIRED_MISSING), keywords


OPEN_PROBLEM = Problem(Board(8, 9))
CLOSED_PROBLEM = Problem(Board(8, 9), closed=True)
TRUE = {problem: built(problem).squares for problem in (OPEN_PROBLEM, CLOSED_PROBLEM)}


def defects_at(problem, squares, steps):
    tour = Tour(squares, problem.closed, problem.board)
    return [
        (defect.rule, defect.step, str(defect)) for defect in place_defects(problem, tour, steps)
    ]


@pytest.mark.parametrize("problem", [*PROBLEMS, *LARGE], ids=lambda problem: problem.label)
def test_tours_pass_everywhere(problem):
    tour, rng = built(problem), random.Random(1)
    steps = [1, 2, tour.size - 1, tour.size, *(rng.randint(1, tour.size) for _ in range(50))]
    assert place_defects(problem, tour, steps) == []
    assert place_defects(problem, tour, []) == []


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_held_tours_are_judged_as_well(problem):
    tour = Tour(list(built(problem)), problem.closed, problem.board)
    assert place_defects(problem, tour, range(1, problem.size + 1)) == []


def test_places_off_the_board():
    lie = Lying(TRUE[OPEN_PROBLEM], {4: (8, 0)})
    assert defects_at(OPEN_PROBLEM, lie, [5]) == [
        (Rule.OFF_BOARD, 5, "a9 at step 5 is off the 8x9 board")
    ]
    for square in ((-1, 3), "a1", None, (1, 2, 3), [0, 0]):
        assert [
            rule
            for rule, *_ in defects_at(OPEN_PROBLEM, Lying(TRUE[OPEN_PROBLEM], {4: square}), [5])
        ] == [Rule.OFF_BOARD]


def test_a_missing_square():
    holed = Problem(Board(8, 9, missing={TRUE[OPEN_PROBLEM][4]}))
    shorter = Lying(TRUE[OPEN_PROBLEM], lengthened=-1)
    ((rule, step, text),) = defects_at(holed, shorter, [5])
    assert (rule, step) == (Rule.MISSING, 5) and text.startswith("missing square ")


def test_repeated_places():
    square = TRUE[OPEN_PROBLEM][4]
    lie = Lying(TRUE[OPEN_PROBLEM], places={square: 60})
    ((rule, step, text),) = defects_at(OPEN_PROBLEM, lie, [5])
    assert (rule, step) == (Rule.REPEATED, 5)
    assert text.endswith("at step 5 and, when it is asked for, at 61")
    # Nobody has asked for that one.
    assert defects_at(OPEN_PROBLEM, lie, [4, 6]) == []


def test_unvisited_places():
    lie = Lying(TRUE[OPEN_PROBLEM], places={TRUE[OPEN_PROBLEM][4]: None})
    ((rule, step, text),) = defects_at(OPEN_PROBLEM, lie, [5])
    assert (rule, step) == (Rule.UNVISITED, 5)
    assert text.endswith("at step 5 is unvisited when it is asked for")
    for more in (-1, 1):
        lie = Lying(TRUE[OPEN_PROBLEM], lengthened=more)
        assert defects_at(OPEN_PROBLEM, lie, [1, 2]) == [
            (Rule.UNVISITED, None, f"{72 + more} steps, expected 72")
        ]


def test_illegal_moves():
    lie = exchanged(TRUE[OPEN_PROBLEM], 30, 51)  # of two colours; every method agrees
    for steps, at in [([31], [31, 32]), ([30], [31]), ([32], [32]), ([51, 53], [52, 53])]:
        found = defects_at(OPEN_PROBLEM, lie, steps)
        assert [(rule, step) for rule, step, _ in found] == [(Rule.ILLEGAL_MOVE, n) for n in at]
    # Requested twice, reported once.
    assert len(defects_at(OPEN_PROBLEM, lie, [30, 31, 32, 31])) == 2
    assert defects_at(OPEN_PROBLEM, lie, [10, 29, 33, 50, 54, 72]) == []


@pytest.mark.parametrize("end", [{"start": (1, 1)}, {"end": (1, 1)}])
def test_wrong_ends(end):
    (which,) = end
    rule, at = (Rule.WRONG_START, 1) if which == "start" else (Rule.WRONG_END, 72)
    problem = Problem(Board(8, 9), **end)
    # Refused whatever places are asked about.
    for steps in ([], [20], [at]):
        ((found, step, text),) = defects_at(problem, TRUE[OPEN_PROBLEM], steps)
        assert (found, step) == (rule, at)
        assert text.startswith(f"wrong {which}: ") and text.endswith("expected b2")


@pytest.mark.parametrize("step", [1, 72])
def test_places_not_closed(step):
    assert [rule for rule, *_ in defects_at(CLOSED_PROBLEM, TRUE[OPEN_PROBLEM], [step])] == [
        Rule.NOT_CLOSED
    ]
    assert defects_at(CLOSED_PROBLEM, TRUE[OPEN_PROBLEM], [40]) == []
    two = Problem(Board(3, 2, missing={(0, 1), (1, 0), (1, 1), (2, 0)}), closed=True)
    assert [rule for rule, *_ in defects_at(two, [(0, 0), (2, 1)], [1])] == [Rule.NOT_CLOSED]


@pytest.mark.parametrize("seed", range(60))
def test_at_all_places_it_says_what_the_judge_of_squares_says(seed):
    rng = random.Random(seed)
    problem = rng.choice(PROBLEMS[:5])
    squares = list(built(problem))
    for _ in range(rng.randint(0, 2)):
        one, two = rng.sample(range(len(squares)), 2)
        if rng.random() < 0.5:
            squares[one], squares[two] = squares[two], squares[one]
        else:
            squares[one] = squares[two]
    if rng.random() < 0.3:
        squares.reverse()
    found = place_defects(
        problem, Tour(squares, problem.closed, problem.board), range(1, len(squares) + 1)
    )
    wanted = {defect.rule for defect in defects(problem, squares)} - {Rule.UNVISITED}
    assert {defect.rule for defect in found} == wanted, f"{problem.label}, seed {seed}"


CLOSED = tour_squares(6, 6, closed=True)
BOARD = Board(6, 6)


def after(square):
    return CLOSED[(CLOSED.index(square) + 1) % 36]


# --- moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("surface", naive.JOINED)
def test_moves_are_those_of_the_oracle(surface):
    rng = random.Random(surface)
    for rows, columns in product(range(1, 6), repeat=2):
        piece = random_problems.random_piece(rng, most=7)
        problem = Problem(Board(rows, columns, surface=surface), piece=piece)
        expected = naive.beside(problem)
        for here, there in product(problem.board, repeat=2):
            made = is_move(problem, here, there)
            assert made == (there in expected[here]), (problem.label, here, there)
            assert made == is_move(problem, there, here)


def test_moves_of_enormous_leaps_and_off_the_board():
    far = Piece.leaper(1, 10**18)
    torus = Problem(Board(3, 7, surface="torus"), piece=far)
    assert is_move(torus, (0, 0), (1, 10**18 % 7))
    assert not is_move(torus, (0, 0), (1, (10**18 + 1) % 7))
    assert is_move(Problem(Board(3, 3)), (0, 0), (-1, 2))  # which is off the board, no more
    stranger = [(0, 0), (0, 7)]
    assert defects(Problem(Board(1, 1)), stranger)[0].rule is Rule.OFF_BOARD


def test_a_move_back_to_its_own_square_is_none():
    board = Board(1, 2, surface="torus")
    assert not is_move(Problem(board, piece="dabbaba"), (0, 0), (0, 0))
    assert is_move(Problem(board, piece="knight"), (0, 0), (0, 1))


# --- conditions: one corruption per rule ----------------------------------------------------------

TWO, OTHER = CLOSED[4], CLOSED[20]
NOT_MADE = next(
    (one, other)
    for one, others in sorted(naive.beside(Problem(BOARD)).items())
    for other in sorted(others)
    if other != after(one) and one != after(other)
)
MADE = (CLOSED[10], CLOSED[11])
OBEYED = {
    Rule.WRONG_START: {"start": CLOSED[0]},
    Rule.WRONG_END: {"end": CLOSED[-1]},
    Rule.REQUIRED_MISSING: {"require": [MADE, (CLOSED[30], CLOSED[31])]},
    Rule.FORBIDDEN_USED: {"forbid": [NOT_MADE]},
    Rule.WRONG_STEP: {"given": {TWO: 5, OTHER: 21}},
}
BROKEN = {
    Rule.WRONG_START: ({"start": CLOSED[1]}, "wrong start: "),
    Rule.WRONG_END: ({"end": CLOSED[0]}, "wrong end: "),
    Rule.REQUIRED_MISSING: ({"require": [MADE, NOT_MADE]}, "required move "),
    Rule.FORBIDDEN_USED: ({"forbid": [NOT_MADE, MADE]}, "made between steps 11 and 12"),
    Rule.WRONG_STEP: ({"given": {TWO: 5, OTHER: 22}}, "at step 21, expected at step 22"),
    Rule.NOT_SYMMETRIC: ({"symmetry": "diagonal"}, "not symmetric under the diagonal: "),
}


def judgements(problem, squares):
    """Yield the defects of the same walk by each judge."""
    board = problem.board
    numbers = array_of(board.rows, board.columns, squares)
    yield defects(problem, squares)
    yield place_defects(problem, Tour(squares, problem.closed, board), range(1, len(squares) + 1))
    for by_columns in (False, True):
        yield streamed(problem, numbers, [1, 4], by_columns=by_columns).defects()
    yield array_defects(problem, numbers)


def test_every_kind_of_condition_has_a_rule():
    assert set(conditions.RULES) == set(KINDS)
    assert set(conditions.MOTIONS) == set(MOTIONS)
    assert set(BROKEN) | set(OBEYED) == {
        Rule.WRONG_START, Rule.WRONG_END, Rule.REQUIRED_MISSING, Rule.FORBIDDEN_USED,
        Rule.WRONG_STEP, Rule.NOT_SYMMETRIC,
    }  # fmt: skip


@pytest.mark.parametrize("rule", OBEYED, ids=lambda rule: rule.name)
def test_conditions_that_hold(rule):
    for found in judgements(Problem(BOARD, **OBEYED[rule]), CLOSED):
        assert found == []


@pytest.mark.parametrize("rule", BROKEN, ids=lambda rule: rule.name)
def test_one_corruption_per_rule(rule):
    keywords, words = BROKEN[rule]
    for found in judgements(Problem(BOARD, **keywords), CLOSED):
        assert [defect.rule for defect in found] == [rule]
        assert words in str(found[0])


def test_the_way_back_is_a_move_of_a_closed_tour_alone():
    back = (CLOSED[-1], CLOSED[0])
    for closed, keywords, expected in (
        (True, {"require": [back]}, []),
        (False, {"require": [back]}, [Rule.REQUIRED_MISSING]),
        (True, {"forbid": [back]}, [Rule.FORBIDDEN_USED]),
        (False, {"forbid": [back]}, []),
    ):
        for found in judgements(Problem(BOARD, closed=closed, **keywords), CLOSED):
            assert [defect.rule for defect in found] == expected


def test_conditions_of_squares_that_are_not_visited():
    keywords = {"require": [MADE], "given": {CLOSED[10]: 11}}
    found = defects(Problem(BOARD, **keywords), CLOSED[:10])
    assert [defect.rule for defect in found] == [
        Rule.UNVISITED, Rule.REQUIRED_MISSING, Rule.WRONG_STEP,
    ]  # fmt: skip
    assert "at no step, expected at step 11" in str(found[-1])


SYMMETRIC = {
    # Once around the board.
    "half-turn": (Board(2, 2), "king", [(0, 0), (0, 1), (1, 1), (1, 0)]),
    "quarter-turn": (Board(2, 2), "king", [(0, 0), (0, 1), (1, 1), (1, 0)]),
    "left-right": (Board(2, 3), "wazir", [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]),
    "top-bottom": (Board(2, 3), "wazir", [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]),
    "diagonal": (Board(2, 2), "king", [(0, 0), (0, 1), (1, 1), (1, 0)]),
}


@pytest.mark.parametrize("motion", MOTIONS)
def test_symmetric_tours(motion):
    board, piece, squares = SYMMETRIC[motion]
    problem = Problem(board, piece=piece, closed=True, symmetry=motion)
    for found in judgements(problem, squares):
        assert found == []
    # Along both diagonals and two sides: the motions that exchange the other two sides are out.
    crossing = [(0, 0), (1, 1), (0, 1), (1, 0)]
    problem = Problem(Board(2, 2), piece="king", closed=True, symmetry=motion)
    assert bool(defects(problem, crossing)) == (motion in {"quarter-turn", "diagonal"})


def test_no_quarter_turn_carries_a_long_board_to_itself():
    problem = Problem(Board(2, 3), piece="wazir", closed=True, symmetry="quarter-turn")
    assert [each.rule for each in defects(problem, SYMMETRIC["left-right"][2])] == [
        Rule.NOT_SYMMETRIC
    ]


# --- arrays of other pieces and surfaces ----------------------------------------------------------


@pytest.mark.parametrize("surface", naive.JOINED)
def test_arrays_say_what_lists_say(surface):
    rng = random.Random(surface)
    board = Board(3, 3, missing={(2, 2)} if surface == "plane" else (), surface=surface)
    problem = Problem(board, piece="king", require=[((0, 0), (0, 1))])
    ways = rng.sample(naive.tours(Problem(board, piece="king", start=(0, 0))), 5)
    ways += [rng.sample(sorted(board), board.size) for _ in range(20)]
    for walk in ways:
        numbers = array_of(3, 3, walk)
        expected = defects(problem, walk)
        assert array_defects(problem, numbers) == expected
        judge = streamed(problem, numbers, [3], by_columns=rng.random() < 0.5)
        assert judge.defects() == expected
        assert (judge.first, judge.last) == (walk[0], walk[-1])
        assert judge.closes == is_move(problem, walk[-1], walk[0])


def test_arrays_that_are_no_walk():
    problem = Problem(Board(3, 3, missing={(1, 1)}), piece="king")
    good = np.array([[1, 2, 3], [8, 0, 4], [7, 6, 5]])
    assert array_defects(problem, good) == []
    for change, rule in (
        ({(1, 1): 9}, Rule.MISSING),
        ({(0, 0): 0}, Rule.UNVISITED),
        ({(0, 0): 9}, Rule.UNVISITED),
        ({(0, 0): -1}, Rule.UNVISITED),
        ({(0, 0): 8}, Rule.REPEATED),
    ):
        numbers = good.copy()
        for square, number in change.items():
            numbers[square] = number
        assert rule in {each.rule for each in array_defects(problem, numbers)}
        assert rule in {each.rule for each in streamed(problem, numbers, [2]).defects()}
    with pytest.raises(ValueError, match="expected dtype int64 as before, got int8"):
        judge = ArrayJudge(problem)
        judge.add(good[:1])
        judge.add(good[1:].astype("i1"))


def test_arrays_too_large_to_be_gathered(monkeypatch):
    monkeypatch.setattr(array, "GATHERED_SQUARES", 35)
    with pytest.raises(TooLargeError, match="at most 35 squares to judge square by square"):
        ArrayJudge(Problem(BOARD, piece="camel"))
    assert array_defects(Problem(BOARD, require=[MADE]), array_of(6, 6, CLOSED)) == []
