"""Boards drawn as text: what people write, what kt-cp prints, and what is no board."""

from __future__ import annotations

import random

import pytest

from kt_cp import Board, solve
from kt_cp.formats.drawing import MOST_BYTES, read_board
from kt_cp.formats.write import tour_grid
from kt_cp.model.errors import BoardError, TooLargeError

HOLY = """\
 000
 0 00
 0000000
000  0 0
0 0  000
1000000
  00 0
   000
"""
HOLY_SPACED = """\
  0 0 0
  0   0 0
  0 0 0 0 0 0 0
0 0 0     0   0
0   0     0 0 0
1 0 0 0 0 0 0
    0 0   0
      0 0 0
"""
HOLY_WITH_DOTS = """\
.....1.0.....
.....0.0.....
....00000....
.....000.....
..0..0.0..0..
00000...00000
..00.....00..
00000...00000
..0..0.0..0..
.....000.....
....00000....
.....0.0.....
.....0.0.....
"""


def drawn(board: Board, given, free=".", hole="#", blank=" ") -> str:
    """A board in text, by another way than the package's."""
    wide = len(str(board.rows * board.columns))
    cells = [
        [hole if (row, column) not in board else str(given.get((row, column), free))
         for column in range(board.columns)]
        for row in reversed(range(board.rows))
    ]  # fmt: skip
    return "\n".join(blank.join(cell.rjust(wide) for cell in row) for row in cells)


@pytest.mark.parametrize(
    ("text", "sides", "squares", "first"),
    [
        (HOLY, (8, 8), 36, (2, 0)),
        (HOLY_SPACED, (8, 8), 36, (2, 0)),
        (HOLY_WITH_DOTS, (13, 13), 56, (12, 5)),
    ],
)
def test_boards_of_rosetta_code_are_read_as_they_stand(text, sides, squares, first) -> None:
    board, given = read_board(text)
    assert (board.rows, board.columns) == sides
    assert (board.size, given) == (squares, {first: 1})
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    assert read_board(f"\n{indented}\n\n") == (board, given)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_drawn_is_read(seed) -> None:
    rng = random.Random(seed)
    rows, columns = rng.randrange(1, 14), rng.randrange(2, 14)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    missing = rng.sample(squares, rng.randrange(len(squares) // 2))
    board = Board(rows, columns, missing)
    free = sorted(board)
    steps = rng.sample(range(1, board.size + 1), rng.randrange(board.size // 2 + 1))
    given = dict(zip(rng.sample(free, len(steps)), steps, strict=True))
    for dot, hole in ((".", "#"), ("_", "x"), ("0", "·"), ("0", "."), ("_", ".")):
        if not missing or not given or dot in drawn(board, given, dot, hole):
            assert read_board(drawn(board, given, dot, hole)) == (board, given), seed
    if all(any((row, column) in board for row in range(rows)) for column in (0, columns - 1)) and (
        all(any((row, column) in board for column in range(columns)) for row in (0, rows - 1))
    ):
        assert read_board(drawn(board, given, hole=" ")) == (board, given), f"seed {seed}"


@pytest.mark.parametrize("sides", ["5x5", "3x10", "12x7", "30x31"])
def test_a_printed_grid_is_read(sides) -> None:
    tour = solve(sides).tour
    board, given = read_board(tour_grid(tour.board, list(tour)))
    assert board == tour.board
    assert given == {square: step for step, square in enumerate(tour, start=1)}


def test_frames_of_any_kind_are_read() -> None:
    text = "+---+---+\n| 1 | . |\n+---+---+\n| # |   |\n+---+---+\n"
    assert read_board(text) == (Board(2, 2, ["a1", "b1"]), {(1, 0): 1})


def test_squares_side_by_side() -> None:
    assert read_board("12\n3.") == (Board(2, 2), {(1, 0): 1, (1, 1): 2, (0, 0): 3})
    assert read_board("1 10\n3 4\n. .\n. .\n. .")[1][4, 1] == 10  # two digits, set apart


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "an empty file"),
        ("\n \n", "an empty file"),
        ("10 11 12 1\n2 3 4\n. . . .", "line 2: expected 4 squares as in the first row, got 3"),
        ("1 . ?\n. . .\n", "line 1: expected a step, a free square"),
        ("1 . é\n. . .\n", "line 1: expected a step"),
        ("# #\n# #\n", "at least one square"),
        ("0 1 2\n3 4 5\n", "a tour that counts from 0?"),
        (b"\xff\xfe1 2", "UTF-8"),
        ("." * (MOST_BYTES + 1), "at most 4 MB"),
    ],
)
def test_what_is_no_drawing_is_told(text, told) -> None:
    with pytest.raises((BoardError, TooLargeError), match=told.replace("?", r"\?")):
        read_board(text)
