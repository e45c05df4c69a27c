"""Formats: what others write is read, and what is malformed refused in one line."""

from __future__ import annotations

import sys

import pytest

from kt_cp import Board
from kt_cp.formats import read
from kt_cp.formats.read import Claim, SquareList, read_tour
from kt_cp.model.board import parse_squares
from kt_cp.model.errors import TooLargeError, TourFileError

WALK = parse_squares("a1 b3 c1 a2")


@pytest.mark.parametrize(
    "text",
    [
        "a1 b3 c1 a2",
        "a1,b3,c1,a2",
        "a1, b3;c1\ta2\n",
        "a1-b3-c1-a2",
        "a1 - b3 – c1 — a2",
        "a1->b3=>c1→a2",
        "a1\nb3\nc1\na2\n",
        "a1\r\nb3\r\n\r\nc1\r\na2",
        "\ufeffa1 b3 c1 a2",
        "A1 B3 C1 A2",
        "1,1 3,2 1,3 2,1",
        "1,1\n3,2\n1,3\n2,1\n",
        "1,1; 3, 2; c1 a2",
        "step,square\n1,a1\n2,b3\n3,c1\n4,a2\n",
        "\n\nStep,Square,note\n1,a1,x\n\n2,b3,y\n3,c1,z\n4,a2,\n",
        '["a1", "b3", "c1", "a2"]',
        "[[0, 0], [2, 1], [0, 2], [1, 0]]",
    ],
)
def test_lists(text):
    assert read_tour(text) == Claim(WALK)
    assert read_tour(text.encode()) == Claim(WALK)


@pytest.mark.parametrize(
    "text",
    [
        ". 2 .\n4 . .\n1 . 3",
        "- 2 -\n4 - -\n1 - 3\n",
        "x 2 X\n4 # *\n1 · 3",
        "\n  .   2   .\n\n  4   .   .\n\n  1   .   3\n",
        "3 | . 2 .\n2 | 4 . .\n1 | 1 . 3\n  +------\n    a b c",
        "  a b c\n3 │ · 2 · │ 3\n2 │ 4 · · │ 2\n1 │ 1 · 3 │ 1\n  a b c",
        "| . 2 . |\n| 4 . . |\n| 1 . 3 |",
        "========\n. 1 .\n3 . .\n0 . 2\n========",
    ],
)
def test_grids(text):
    claim = read_tour(text)
    assert claim.squares == WALK
    missing = parse_squares("a3 c3 b2 c2 b1")
    assert claim.board == Board(3, 3, frozenset(missing))


def test_a_rank_of_holes_is_a_rank():
    assert read_tour("1 2\n- -\n").board == Board(2, 2, frozenset({(0, 0), (0, 1)}))


BOARD = '{"problem": {"rows": 3, "columns": 4, %s}, "tour": []}'
MALFORMED = [
    ("", "got an empty file"),
    (" \n\t\n", "got an empty file"),
    ("a1 hello", "line 1: expected squares such as c3,d4; got 'hello'"),
    ("a1\nb3\n\nc0\n", "line 4: expected a square such as c5"),
    ("a1\0b3", "line 1"),
    ("<svg></svg>", "line 1"),
    ("1 2 3\n4 5", "line 2: expected 3 squares as in the first row, got 2"),
    ("1 2\n3 3", "line 2: step 3 stands twice in the grid"),
    ("0 1\n2 0", "line 2: step 0 stands twice in the grid"),
    ("1 2\n3 5", "step 4 is not in the grid, and step 5 is"),
    ("2 3\n4 5", "step 1 is not in the grid, and step 5 is"),
    ("1 2\n3 four", "line 2: expected a step number, got 'four'"),
    ("1 " + "9" * 5000, "line 1: expected a step number, got '999"),
    ("1 │ 1 2 │\n2 │ 3 4 │", "line 1: expected rank 2 beside the bars"),
    ("| 1 | 2 |\n| 3 | 4 |", "line 2: expected rank 1 beside the bars"),
    ("1 | 4 | 7\n", "line 1: expected rank 1 beside the bars"),
    ("│\n│", "expected a grid of step numbers, got none"),
    (". .\n. .", "expected a grid of step numbers, got none"),
    ("step,square\n1,a1\n3,b3", "line 3: expected step 2 and its square, got '3,b3'"),
    ("\nstep,square\n1\n", "line 3: expected step 1 and its square, got '1'"),
    ("step,square\n1,hello", "line 2: expected squares"),
    ("{", "line 1: not complete JSON"),
    ('{"problem": {\n"rows": 3,', "line 2: not complete JSON"),
    ("{}", "expected an outcome with a 'problem' object"),
    ('{"problem": []}', "expected an outcome with a 'problem' object"),
    ('{"problem": {}, "verdict": "IMPOSSIBLE"}', "holds no tour: its verdict is \"IMPOSSIBLE\""),
    ('{"problem": {"nodes": []}, "tour": []}', "the problem makes no sense"),
    ('{"problem": {"rows": 3}, "tour": []}', "expected the key 'columns'"),
    ('{"problem": {"rows": 3, "columns": "4"}, "tour": []}', "expected columns to be a whole"),
    ('{"problem": {"rows": true, "columns": 4}, "tour": []}', "of at least 1, got True"),
    ('{"problem": {"rows": 0, "columns": 4}, "tour": []}', "expected rows to be a whole number"),
    ('{"problem": {"rows": 1%s, "columns": 4}, "tour": []}' % ("0" * 99), "rows from 1 to 1,000"),
    (BOARD % '"closed": 1', "expected closed as true or false, got 1"),
    (BOARD % '"start": 5', "expected start with printable texts, got 5"),
    (BOARD % '"missing": ["z9"]', "missing squares on the 3x4 board, got z9"),
    (BOARD % '"missing": "a1"', "expected missing as a list"),
    ('{"problem": {"rows": 3, "columns": 4}, "tour": "a1"}', 'of squares, got "a1"'),
    ('{"problem": {"rows": 3, "columns": 4}, "tour": {"a": 1}}', "got an object of 1"),
    (BOARD % '"piece": [[0, 0]]', "got 0,0, which leads"),
    (BOARD % '"surface": "ball"', "torus, moebius, klein"),
    (BOARD % '"require": ["a1-b3"]', "expected square and square in require, got 'a1-b3'"),
    (BOARD % '"forbid": [["a1", "b1"]]', "got a1-b1"),
    (BOARD % '"colour": "red"', "'colour' plays no part"),
    ('["a1", 7]', "step 2: expected a square, got 7"),
    ('["a1", [0, 0, 0]]', "step 2: expected a square, got a list of 3"),
    ('["a1", "b99x"]', "step 2: expected a square such as c5"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MALFORMED, ids=lambda value: repr(value[:30]))
def test_malformed(text, message):
    with pytest.raises(TourFileError) as caught:
        read_tour(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


def test_not_utf8():
    with pytest.raises(TourFileError, match="line 3: expected UTF-8 text, got byte 0xff"):
        read_tour(b"a1\nb3\n\xff\n")


@pytest.mark.parametrize("shape", ["{}", '{{"problem": {{"rows": 3, "columns": 3}}, "tour": {}}}',
                                   '{{"problem": {{"closed": {}}}, "tour": []}}'])  # fmt: skip
def test_nesting_of_any_depth(shape):
    # Near the recursion limit reading may succeed, and then showing must not fail.
    limit = sys.getrecursionlimit()
    for depth in (1, 50, *range(limit - 250, limit + 20, 7), 200_000):
        for closing in ("]" * depth, ""):
            with pytest.raises(TourFileError):
                read_tour(shape.format("[" * depth + closing) if depth > 1 else "[[]]")


@pytest.mark.parametrize(
    "text",
    [
        "a1 b3 c1 a2",
        "a1\nb3\nc1\na2",
        "step,square\n1,a1\n2,b3\n3,c1\n4,a2\n",
        '["a1", "b3", "c1", "a2"]',
        "1 2\n3 4",
        "1 2 3 4",
    ],
)
def test_more_squares_than_are_read(monkeypatch, text):
    monkeypatch.setattr(read, "MOST_SQUARES", 4)
    assert len(read_tour(text).squares) == 4
    monkeypatch.setattr(read, "MOST_SQUARES", 3)
    with pytest.raises(TooLargeError, match=r"at most 3 squares as text, got more: .* from .npy"):
        read_tour(text)


@pytest.mark.parametrize(
    ("name", "most", "text", "words"),
    [
        ("MOST_BYTES", 1 << 20, "a1 " * 400_000, "at most 1 MB of text, got 1"),
        ("MOST_LINES", 3, "a1\n\n\nb3\n", "line 4: expected lines of at most"),
        ("LONGEST_LINE", 8, "a1 b3 \na2      b4", "line 2: expected lines of at most"),
        ("MOST_JSON", 10, '["a1","b3"]', "expected a tour of at most"),
        ("MOST_MISSING", 1, "1 .\n. 2", "at most 1 squares of a grid without a number, got 2"),
    ],
)
def test_texts_that_would_take_too_much(monkeypatch, name, most, text, words):
    monkeypatch.setattr(read, name, most)
    with pytest.raises(TooLargeError, match=words):
        read_tour(text)


@pytest.mark.parametrize(
    ("value", "many"), [("[]", 13_000_000), ("{}", 1_500_000), ('"♞"', 3_100_000)]
)
def test_json_of_more_values_than_memory_should_hold_is_not_read(value, many, monkeypatch):
    monkeypatch.setattr(read.json, "loads", lambda _: pytest.fail("it was read"))
    with pytest.raises(TooLargeError):
        read_tour("[" + f"{value}," * many + "1]")


@pytest.mark.parametrize("text", ["[[9223372036854775808, 0]]", "z" * 18 + "1"])
def test_squares_beyond_all_boards(text):
    with pytest.raises(TooLargeError, match=r"expected ranks and files below 2.63, got more"):
        read_tour(text)


def test_a_list_of_squares_is_a_sequence():
    squares = SquareList(WALK)
    assert [squares[place] for place in range(-4, 4)] == WALK + WALK
    assert (squares[1:3], squares[::-1], list(reversed(squares))) == (
        WALK[1:3], WALK[::-1], WALK[::-1],
    )  # fmt: skip
    assert squares == SquareList(WALK)
    assert (squares != WALK[:3], squares != 7, bool(SquareList())) == (True, True, False)
    assert repr(squares).startswith("SquareList([(0, 0), (2, 1)")
    for place in (4, -5):
        with pytest.raises(IndexError):
            squares[place]


@pytest.mark.parametrize("head", ["", "step,square\n"])
def test_too_many_lines_are_refused_before_one_is_read(monkeypatch, head):
    monkeypatch.setattr(read, "MOST_SQUARES", 3)
    monkeypatch.setattr(read, "EDGES", 1)
    with pytest.raises(TooLargeError, match="got more"):
        read.read_tour(head + "nonsense\n" * 5)
    with pytest.raises(TourFileError):  # lines without anything do not count
        read.read_tour(head + "nonsense\n\n \n\n\n")
