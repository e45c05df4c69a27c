"""``kt-cp reference --method``: document 003's closed tours."""

from __future__ import annotations

import json

import pytest

from kt_cp import Board, Problem, defects, parse_square
from tests.support.command_line import refused


def past_the_corners(rows, columns):
    """The two moves past each corner, in the judge's coordinates."""
    for flip in (False, True):
        for mirror in (False, True):
            for pair in (((0, 1), (2, 0)), ((0, 2), (1, 0))):
                yield {
                    (rows - 1 - r if flip else r, columns - 1 - c if mirror else c) for r, c in pair
                }


@pytest.mark.parametrize(
    ("board", "method", "start"),
    [
        ("6x6", "structured", "c4"),
        ("5x8", "structured", "a1"),
        ("3x10", "structured", "j3"),
        ("6x6", "structured-as-printed", "c4"),
        ("5x6", "structured-as-printed", "a1"),
        ("12x12", "divide", "f6"),
        ("14x16", "divide", "a1"),
        ("64x66", "divide", "bn64"),
    ],
)
def test_closed_tours_with_both_moves_past_every_corner(kt_cp, board, method, start):
    arguments = ["reference", board, "--source", "003", "--method", method, "--start", start]
    ran = kt_cp(*arguments, "--json")
    document = json.loads(ran.out)
    squares = [parse_square(name) for name in document["tour"]]
    problem = Problem(Board.parse(board), closed=True, start=parse_square(start))
    assert (ran.code, document["verdict"], document["structured"]) == (0, "FOUND", True)
    assert document["problem"]["closed"] is True
    assert defects(problem, squares) == []
    moves = [set(move) for move in zip(squares, [*squares[1:], squares[0]], strict=True)]
    sides = problem.board.rows, problem.board.columns
    assert all(move in moves for move in past_the_corners(*sides))
    text = kt_cp(*arguments).out
    assert text.endswith(f"Solved: True\nSteps: {len(squares)}\nClosed: True\nStructured: True\n")


def test_what_the_structured_methods_cost(kt_cp):
    asked = ("reference", "6x6", "--source", "003", "--method")
    assert kt_cp(*asked, "structured").err == (
        "6x6, closed, from a1 by 003 (ordered), structured: 38 squares placed, 2 taken back\n"
    )
    assert kt_cp(*asked, "structured-as-printed").err == (
        "6x6, closed, from a1 by 003 (ordered), structured-as-printed: "
        "3,065 squares placed, 3,029 taken back\n"
    )
    # The text's own has no other search to fall back on, and tries everything.
    ran = kt_cp("reference", "3x8", "--source", "003", "--method", "structured-as-printed")
    assert (ran.code, ran.out) == (1, "Solved: False\nSteps: 0\n")


@pytest.mark.parametrize("board", ["7x7", "4x10", "3x8", "2x6"])
def test_no_structured_tour_is_a_definite_no(kt_cp, board):
    ran = kt_cp("reference", board, "--source", "ordered", "--method", "structured")
    assert (ran.code, ran.out) == (1, "Solved: False\nSteps: 0\n")
    ran = kt_cp("reference", board, "--source", "ordered", "--method", "structured", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"], document["tour"]) == (1, "IMPOSSIBLE", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["13x14", "--source", "003", "--method", "divide"], ["expected even sides", "13 by 14"]),
        (["6x40", "--source", "003", "--method", "divide"], ["neither more than twice the other"]),
        (["8x8", "--source", "001", "--method", "structured"], ["003's, got source 001"]),
        (["8x8", "--source", "003", "--method", "merge"], ["--method", "merge"]),
        (["8x8", "--source", "003", "--method", "divide", "--missing", "c3"], ["whole rectangle"]),
        (["600x600", "--source", "003", "--method", "structured"], ["at most 250,000 squares"]),
        (["2000x2000", "--source", "003", "--method", "divide"], ["at most 1,000,000 squares"]),
        (
            ["8x8", "--source", "003", "--method", "structured", "--recursion", "compiled"],
            ["--recursion is for the plain method"],
        ),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_bad_input_for_closed_tours(kt_cp, arguments, words):
    refused(kt_cp("reference", *arguments), *words)


def test_a_wrong_closed_tour_is_an_unsound_one(kt_cp, monkeypatch):
    from kt_cp.sources import divide
    from kt_cp.sources.structured import structured_tour

    monkeypatch.setattr(divide, "divide_and_conquer", lambda *_: structured_tour(8, 8).tour)
    ran = kt_cp("reference", "12x12", "--source", "003", "--method", "divide")
    assert (ran.code, ran.out) == (70, "")
    assert "source 003, divide, on 12x12" in ran.err


@pytest.mark.parametrize(
    ("board", "method"), [("8x400", "structured"), ("10x10", "structured-as-printed")]
)
def test_a_time_limit_leaves_the_structured_tour_unknown(kt_cp, board, method):
    asked = ("reference", board, "--source", "003", "--method", method)
    ran = kt_cp(*asked, "--time-limit", "0.1")
    assert (ran.code, ran.out) == (3, "")
    assert "the time limit was reached" in ran.err
