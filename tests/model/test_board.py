"""Boards, squares, their names, and orbits of moves."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Problem
from kt_cp.model.board import (
    Board,
    describe,
    file_name,
    parse_sides,
    parse_square,
    parse_squares,
    square_name,
)
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.cycle import cycle_form, prescribed_steps, tiny
from kt_cp.model.errors import BoardError, SquareError
from kt_cp.model.orbits import MOVED, images, move_orbits
from kt_cp.trust.judge.conditions import MOTIONS as JUDGED
from tests.examples.random_problems import random_problem


@pytest.mark.parametrize(
    ("square", "name"),
    [((0, 0), "a1"), ((7, 7), "h8"), ((0, 25), "z1"), ((0, 26), "aa1"), ((11, 27), "ab12"),
     ((0, 701), "zz1"), ((0, 702), "aaa1")],
)  # fmt: skip
def test_names_of_squares(square, name):
    assert square_name(square) == name
    assert parse_square(name) == square
    assert parse_square(name.upper()) == square


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_every_name_reads_back(row, column):
    assert parse_square(square_name((row, column))) == (row, column)
    assert parse_square(f"{row + 1},{column + 1}") == (row, column)


NOT_SQUARES = ["a", "1", "a0", "0,1", "1,0", "a-1", "1a", "a1b", "ä1", "1,2,3", "a٣", "-1,2", ""]


@pytest.mark.parametrize("text", [*NOT_SQUARES, "a" * 30 + "1", "a" + "9" * 30])
def test_not_a_square(text):
    with pytest.raises(SquareError, match="expected a square"):
        parse_square(text)


def test_lists_of_squares():
    assert parse_squares("") == []
    assert parse_squares("c3,d4") == [(2, 2), (3, 3)]
    assert parse_squares(" c3 ; d4\n5,6 ") == [(2, 2), (3, 3), (4, 5)]
    with pytest.raises(SquareError, match="hello"):
        parse_squares("c3, hello")


@pytest.mark.parametrize("text", ["8x10", "8X10", " 8 x 10 ", "8×10", "8*10"])
def test_sides(text):
    assert parse_sides(text) == (8, 10)


NOT_BOARDS = ["", "8", "8x", "x8", "0x8", "8x0", "-3x4", "3.5x4", "8x8x8", "axb", "٣x٣"]


@pytest.mark.parametrize("text", [*NOT_BOARDS, "8x" + "9" * 5000])
def test_not_a_board(text):
    with pytest.raises(BoardError, match="expected a board") as caught:
        parse_sides(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("sides", [(0, 3), (3, 0), (-1, 3), (2.0, 3), (True, 3), ("3", 3)])
def test_sides_are_positive_whole_numbers(sides):
    with pytest.raises(BoardError, match="whole number of at least 1"):
        Board(*sides)


def test_missing_squares():
    board = Board(5, 6, missing={(2, 2), (0, 0)})
    assert len(board) == 28
    assert (2, 2) not in board
    assert (2, 2) not in list(board)
    assert (2, 3) in board
    assert board.label == "5x6 without a1, c3"
    assert Board(5, 6, missing=[(2, 2), [0, 0]]) == board
    with pytest.raises(SquareError, match="g1"):
        Board(5, 6, missing={(0, 6)})
    with pytest.raises(SquareError, match="pair"):
        Board(5, 6, missing={7})
    with pytest.raises(BoardError, match="at least one square"):
        Board(1, 2, missing={(0, 0), (0, 1)})


def test_what_is_on_a_board():
    board = Board(3, 4)
    for stranger in [(3, 0), (0, 4), (-1, 0), (0,), (0, 0, 0), "a1", None, (0.5, 1), ("a", 1)]:
        assert stranger not in board
    assert list(board)[:5] == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]


def test_a_huge_board_is_a_value_like_any_other():
    board = Board(10**9, 10**9)
    assert len(board) == 10**18
    assert (10**9 - 1, 0) in board


def test_describe_never_fails():
    for value in [(0, 0), (-1, 2), "x", None, (1, 2, 3), object()]:
        assert describe(value)
    assert file_name(0) == "a"


def test_a_motion_here_is_a_condition_and_the_judges():
    assert set(MOVED) == set(MOTIONS) == set(JUDGED)


def naive_orbits(graph, image):
    """Moves that are carried to each other, as sets of sets; none with an image that is no move."""
    edges = {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in graph.pairs()}
    carried = nx.Graph()
    for edge in edges:
        carried.add_edge(edge, frozenset(map(image, edge)))
    orbits = (frozenset(part) for part in nx.connected_components(carried))
    return {part for part in orbits if part <= edges}


@pytest.mark.parametrize("motion", MOTIONS)
def test_orbits_are_what_the_motion_joins(motion):
    rng = random.Random(motion)
    kinds = set()
    for _ in range(60):
        base = random_problem(rng)
        board = base.board
        problem = Problem(board, piece=base.piece, forbid=base.forbid, symmetry=motion)

        def image(square, board=board):
            return JUDGED[motion](board.rows, board.columns, square)

        graph = problem.indexed
        there = images(graph, board, motion)
        for square, vertex in zip(graph.nodes, there.tolist(), strict=True):
            assert vertex == graph.index.get(image(square), -1)
        orbit = move_orbits(problem)
        made = {}
        for (u, v), number in zip(graph.pairs(), orbit.tolist(), strict=True):
            made.setdefault(number, set()).add(frozenset((graph.nodes[u], graph.nodes[v])))
        made.pop(-1, None)
        assert {*map(frozenset, made.values())} == naive_orbits(graph, image), problem.label
        assert sorted(made) == list(range(len(made)))
        kinds.add((bool((orbit < 0).any()), len(made) > 0))
    assert len(kinds) >= 3


def test_the_depot_stays_where_it_is():
    form = cycle_form(Problem(Board(4, 4), symmetry="half-turn"))
    orbit = move_orbits(form.problem, form.graph).tolist()
    at = {pair: orbit[i] for i, pair in enumerate(form.graph.pairs())}
    assert all(at[v, 16] == at[15 - v, 16] >= 0 for v in range(16))


def test_without_a_symmetry_every_move_is_alone():
    assert move_orbits(Problem(Board(3, 4))).tolist() == list(range(14))


TINY = [
    ({"given": {"a1": 2}}, ["b1", "a1"]),
    ({"given": {"b1": 2}, "start": "a1"}, ["a1", "b1"]),
    ({"given": {"a1": 1, "b1": 2}, "symmetry": "left-right"}, ["a1", "b1"]),
    ({"given": {"a1": 1}, "start": "b1"}, None),
    ({"given": {"a1": 2}, "end": "b1"}, None),
    ({"given": {"a1": 1}, "symmetry": "diagonal"}, None),
]  # fmt: skip


@pytest.mark.parametrize(("conditions", "tour"), TINY, ids=lambda each: str(each))
def test_two_squares(conditions, tour):
    problem = Problem(Board(1, 2), piece="wazir", **conditions)
    walk, why = tiny(problem)
    names = None if walk is None else [("a1", "b1")[vertex] for vertex in walk]
    assert names == tour and bool(why) == (tour is None)


def test_prescribed_steps_that_clash():
    for conditions in (
        {"start": "a1", "given": {"a1": 2}},
        {"end": "a1", "given": {"b3": 12}},
        {"start": "a1", "end": "b3", "given": {"c2": 1}},
    ):
        assert prescribed_steps(Problem(Board(3, 4), **conditions)) is None
    assert prescribed_steps(Problem(Board(3, 4))) == {}
    conditions = {"start": "a1", "given": {"a1": 1, "c2": 5}, "closed": True}
    assert prescribed_steps(Problem(Board(3, 4), **conditions)) == {0: 0, 6: 4}
