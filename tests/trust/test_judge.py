"""The judge: one corruption per rule, each refused with exactly its own defect."""

from __future__ import annotations

import random
from collections import Counter

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.model.board import parse_squares
from kt_cp.testing import oracle
from kt_cp.trust.judge import Rule, defects, squares
from kt_cp.trust.judge.rules import FEW


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
    """How often each rule of single steps is broken, counted by the plainest arithmetic."""
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
def test_the_first_defects_of_each_rule_are_told_and_all_are_counted(monkeypatch, sparse):
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
        told = Counter(each.rule for each in found)
        assert max(told.values()) <= FEW + 1
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
    for asked, rule in (
        ({"require": [((0, 0), (2, 1))]}, Rule.REQUIRED_MISSING),
        ({"forbid": [((0, 0), (2, 1))]}, Rule.FORBIDDEN_USED),
        ({"given": {(2, 1): 7}}, Rule.WRONG_STEP),
        ({"symmetry": "half-turn"}, Rule.NOT_SYMMETRIC),
    ):
        found = {each.rule for each in defects(Problem(board, **asked), walk)}
        assert (rule in found) == (rule is not Rule.REQUIRED_MISSING), asked
