"""Colours, ends and moves of pieces and surfaces: arguments that do not hold are refused."""

from __future__ import annotations

import random
from itertools import product

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.surface import Surface
from kt_cp.trust.check import Reason
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.moves import alternates
from kt_cp.trust.check.shape import problem_of
from tests.examples import random_problems
from tests.examples.certificates import (
    CAMEL,
    DABBABA,
    FERZ,
    KING,
    WAZIR,
    accepts,
    certificate,
    on_board,
    on_graph,
    reason,
)
from tests.oracles import held_karp, naive
from tests.support.exhaustive import more

COLOURS = {"kind": "colours"}


def refused(problem, evidence):
    """Why it is refused, by both checkers."""
    assert not accepts(certificate(problem, evidence))
    return reason(problem, evidence)


# Boards on which the colours would prove it, if every move changed them: 5 dark squares, 4 light
# and so on.
LIES = [
    on_board(3, 3, piece=CAMEL, surface="torus", closed=True),
    on_board(3, 5, piece=CAMEL, closed=True),
    on_board(3, 3, piece=KING, closed=True),
    on_board(3, 3, piece=DABBABA, surface="torus", closed=True),
    on_board(3, 3, piece=FERZ, closed=True),
    on_board(3, 3, piece=[[0, 1], [0, 2]], closed=True),
    on_board(5, 5, surface="torus", closed=True),
    on_board(3, 4, "a1", surface="torus", closed=True),  # an odd number of ranks
    on_board(4, 3, "a1", surface="torus", closed=True),  # of files
    on_board(4, 3, "a1", surface="cylinder", closed=True),
    on_board(3, 3, surface="cylinder", closed=True),
    on_board(3, 3, surface="moebius", closed=True),
    on_board(4, 4, "a1", surface="moebius", closed=True),
    on_board(4, 4, "a1", surface="klein", closed=True),
    on_board(3, 4, "a1", surface="klein", closed=True),  # C + R - 1 is even, but R is odd
    on_board(5, 5, surface="klein", closed=True),
    on_board(2, 2, piece=KING, start="a1", end="b2"),
    on_board(3, 3, piece=KING, start="b1"),
]


@pytest.mark.parametrize("problem", LIES, ids=str)
def test_colours_that_moves_keep_prove_nothing(problem):
    """Some of these have tours, so that a checker that accepted them would accept a lie."""
    assert refused(problem, COLOURS) is Reason.NOT_PROVED


def test_some_of_these_lies_are_about_boards_with_a_tour():
    small = [problem_of(problem) for problem in LIES if problem["rows"] * problem["columns"] < 13]
    assert sum(map(held_karp.of_problem, small)) > 5


def test_colours_of_a_graph_and_of_boards_on_which_they_do_hold():
    assert refused(on_graph(["ab", "bc"], closed=True), COLOURS) is Reason.WRONG_QUESTION
    for surface, rows, columns in (
        ("plane", 3, 3), ("cylinder", 3, 4), ("torus", 4, 4), ("moebius", 3, 4), ("moebius", 4, 3),
        ("klein", 4, 3),
    ):  # fmt: skip
        missing = ["a1"] if rows * columns % 2 == 0 else []
        for piece in ([[1, 2]], WAZIR, [[0, 1], [2, 3]]):
            problem = on_board(rows, columns, *missing, piece=piece, surface=surface, closed=True)
            assert reason(problem, COLOURS) is None
            assert accepts(certificate(problem, COLOURS))


@pytest.mark.parametrize("surface", Surface)
def test_where_a_board_alternates_every_move_changes_the_colour(surface):
    rng = random.Random(surface)
    claimed = 0
    for rows, columns in product(range(1, 7), repeat=2):
        for piece in (*map(Piece, NAMED.values()), random_problems.random_piece(rng, most=9)):
            board = Board(rows, columns, surface=surface)
            if alternates(board, piece):
                claimed += 1
                for here, there in naive.beside(Problem(board, piece=piece)).items():
                    assert all((sum(here) + sum(each)) % 2 for each in there)
    assert claimed > 30


@pytest.mark.parametrize("surface", Surface)
def test_a_frame_has_the_moves_of_an_oracle(surface):
    rng = random.Random(surface)
    for rows, columns in product(range(1, 6), repeat=2):
        squares = [(row, column) for row in range(rows) for column in range(columns)]
        missing = frozenset(rng.sample(squares, len(squares) // 5))
        piece = random_problems.random_piece(rng, most=7)
        problem = Problem(Board(rows, columns, missing, surface), piece=piece)
        if problem.size < 2:
            continue
        frame, moves = frame_of(problem), naive.beside(problem)
        for square, vertex in frame.number.items():
            row = {other for other in frame.neighbours[vertex] if other < frame.squares}
            assert row == {frame.number[other] for other in moves[square]}, (problem.label, square)


# --- ends -----------------------------------------------------------------------------------------


def cycles(frame):
    """Whether the frame has a cycle through all vertices that uses what must be used."""
    graph = nx.Graph(frame.edges())
    must = {frozenset(edge) for edge in frame.must}

    def longer(walk):
        if len(walk) == len(frame):
            made = {frozenset(pair) for pair in zip(walk, [*walk[1:], 0], strict=True)}
            return 0 in graph[walk[-1]] and must <= made
        return any(longer([*walk, other]) for other in graph[walk[-1]] if other not in walk)

    return len(graph) == len(frame) and longer([0])


@pytest.mark.slow
@pytest.mark.parametrize("surface", Surface)
def test_no_end_of_an_open_tour_is_left_out(surface):
    """A wazir, king or ferz has open tours between such ends; so the frame must have a cycle."""
    kept = 0
    for rows, columns in ((1, 5), (2, 3), *more([], [(3, 2), (2, 4)]), (5, 1)):
        for name in ("wazir", "king", "ferz", "knight"):
            board = Board(rows, columns, surface=surface)
            tours = naive.tours(Problem(board, piece=name), 200_000) or []
            for start, end in sorted({(tour[0], tour[-1]) for tour in tours}):
                kept += 1
                for ends in ({}, {"start": start}, {"end": end}, {"start": start, "end": end}):
                    assert cycles(frame_of(Problem(board, piece=name, **ends)))
    assert kept > 20


def test_ends_are_split_by_colour_only_where_moves_change_it():
    # A king on 2x2 goes a1, a2, b1, b2: both ends have one colour, and a split would refute it.
    king = Problem(Board(2, 2), piece="king", start=(0, 0), end=(1, 1))
    frame = frame_of(king)
    assert len(frame.ends) == 1 and cycles(frame)
    assert refused(
        on_board(2, 2, piece=KING, start="a1", end="b2"), {"kind": "forced", "tree": {}}
    ) in (Reason.NOT_PROVED, Reason.WRONG_SHAPE)
    for board, piece, ends in (
        (Board(2, 4), "knight", 2),
        (Board(3, 3), "knight", 1),
        (Board(2, 4, surface="torus"), "wazir", 2),
        (Board(2, 3, surface="torus"), "wazir", 1),
        (Board(2, 4), "camel", 1),
        (Board(2, 3, surface="moebius"), "knight", 2),
        (Board(2, 4, surface="moebius"), "knight", 1),
    ):
        assert len(frame_of(Problem(board, piece=piece)).ends) == ends, (board, piece)
