"""Boards drawn as text: what people write, what kt-cp prints, and what is no board."""

from __future__ import annotations

import random

import pytest

from kt_cp import Board, Enumeration, solve
from kt_cp.formats.drawing import MOST_BYTES, read_board, read_drawing
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
.....0.0.....
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
HOLY_IN_COLUMNS = """\
    . 0 0 0
    . 0 . 0 0
    . 0 0 0 0 0 0 0
    0 0 0 . . 0 . 0
    0 . 0 . . 0 0 0
    1 0 0 0 0 0 0
    . . 0 0 . 0
    . . . 0 0 0
"""
HIDATO = """\
        __ 33 35 __ __ .. .. ..
        __ __ 24 22 __ .. .. ..
        __ __ __ 21 __ __ .. ..
        __ 26 __ 13 40 11 .. ..
        27 __ __ __  9 __  1 ..
        .. .. __ __ 18 __ __ ..
        .. .. .. .. __  7 __ __
        .. .. .. .. .. ..  5 __
"""
HIDATO_SINGLE = """\
_ 33 35 _ _ . . .
_ _ 24 22 _ . . .
_ _ _ 21 _ _ . .
_ 26 _ 13 40 11 . .
27 _ _ _ 9 _ 1 .
. . _ _ 18 _ _ .
. . . . _ 7 _ _
. . . . . . 5 _
"""
HIDATO_SOLVED = """\
32 33 35 36 37
31 34 24 22 38
30 25 23 21 12 39
29 26 20 13 40 11
27 28 14 19  9 10  1
      15 16 18  8  2
            17  7  6  3
                   5  4
"""
NUMBRIX = (
    """\
  0  0  0  0  0  0  0  0  0
  0  0 46 45  0 55 74  0  0
  0 38  0  0 43  0  0 78  0
  0 35  0  0  0  0  0 71  0
  0  0 33  0  0  0 59  0  0
  0 17  0  0  0  0  0 67  0
  0 18  0  0 11  0  0 64  0
  0  0 24 21  0  1  2  0  0
  0  0  0  0  0  0  0  0  0
""",
    """\
  0  0  0  0  0  0  0  0  0
  0 11 12 15 18 21 62 61  0
  0  6  0  0  0  0  0 60  0
  0 33  0  0  0  0  0 57  0
  0 32  0  0  0  0  0 56  0
  0 37  0  1  0  0  0 73  0
  0 38  0  0  0  0  0 72  0
  0 43 44 47 48 51 76 77  0
  0  0  0  0  0  0  0  0  0
""",
)
NUMBRIX_SOLVED = (
    """\
  49 50 51 52 53 54 75 76 81
  48 47 46 45 44 55 74 77 80
  37 38 39 40 43 56 73 78 79
  36 35 34 41 42 57 72 71 70
  31 32 33 14 13 58 59 68 69
  30 17 16 15 12 61 60 67 66
  29 18 19 20 11 62 63 64 65
  28 25 24 21 10  1  2  3  4
  27 26 23 22  9  8  7  6  5
""",
    """\
   9 10 13 14 19 20 63 64 65
   8 11 12 15 18 21 62 61 66
   7  6  5 16 17 22 59 60 67
  34 33  4  3 24 23 58 57 68
  35 32 31  2 25 54 55 56 69
  36 37 30  1 26 53 74 73 70
  39 38 29 28 27 52 75 72 71
  40 43 44 47 48 51 76 77 78
  41 42 45 46 49 50 81 80 79
""",
)
"""As they stand on Rosetta Code: the board of the task "Solve a Holy Knight's tour", and those of
its entries in Haskell, C# and Raku; "Solve a Hidato puzzle" in the entries in Raku and Go, with the
solution; the task "Solve a Numbrix puzzle"."""


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
        (HOLY, (8, 8), 36, {(2, 0): 1}),
        (HOLY_SPACED, (8, 8), 36, {(2, 0): 1}),
        (HOLY_IN_COLUMNS, (8, 8), 36, {(2, 0): 1}),
        (HOLY_WITH_DOTS, (13, 13), 56, {}),
        (HOLY_WITH_DOTS.replace(".", "-").replace("0", "1", 1), (13, 13), 56, {(12, 5): 1}),
    ],
)
def test_boards_of_rosetta_code_are_read_as_they_stand(text, sides, squares, first) -> None:
    board, given = read_board(text)
    assert (board.rows, board.columns) == sides
    assert (board.size, given) == (squares, first)
    lines = text.splitlines()
    padded = "".join(f"{line.ljust(max(map(len, lines)))}\n" for line in lines)
    assert read_board(padded) == (board, given)
    indented = "".join(f"    {line}\n" for line in lines)
    assert read_board(f"\n{indented}\n\n") == (board, given)


@pytest.mark.parametrize(
    ("text", "solved", "piece"),
    [
        (HIDATO, HIDATO_SOLVED, "king"),
        (HIDATO_SINGLE, HIDATO_SOLVED, "king"),
        (NUMBRIX[0], NUMBRIX_SOLVED[0], "wazir"),
        (NUMBRIX[1], NUMBRIX_SOLVED[1], "wazir"),
    ],
)
def test_puzzles_of_rosetta_code_have_their_solution_alone(text, solved, piece) -> None:
    board, given = read_board(text)
    solved_board, steps = read_board(solved)
    assert board == solved_board and given.items() <= steps.items()
    tours = list(Enumeration(board, piece=piece, given=given))
    assert [list(tour) for tour in tours] == [sorted(steps, key=lambda square: steps[square])]


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


def test_marks_as_wide_as_their_column() -> None:
    assert read_board("10 ## __\n__  2 __\n") == read_board("10 # _\n _ 2 _\n")
    assert read_board("... 100\n100 ...\n" * 30)[0] == Board(60, 2)
    # Out of column, or without such a number, each character is a square.
    assert read_board("1 ..\n....")[0] == Board(2, 4, [(1, 1)])
    assert read_board("..\n..")[0] == Board(2, 2)


def test_squares_side_by_side() -> None:
    assert read_board("12\n3.") == (Board(2, 2), {(1, 0): 1, (1, 1): 2, (0, 0): 3})
    assert read_board("1 10\n3 4\n. .\n. .\n. .")[1][4, 1] == 10  # two digits, set apart


@pytest.mark.parametrize(
    ("text", "message"),
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
def test_messages_for_what_is_no_drawing(text, message) -> None:
    with pytest.raises((BoardError, TooLargeError), match=message.replace("?", r"\?")):
        read_board(text)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (". . .\n. .\n. . .\n", "line 2 ends 1 square early: these are missing squares"),
        ("....\n..\n...\n", "line 2 ends 2 squares early, and 1 other line as well: these"),
        ("Options: --closed\n1 .\n.\n", "line 3 ends 1 square early: these"),
        (". . #\n. . .\n", ""),
        ("2 │ . .\n1 │ . .\n", ""),
    ],
)
def test_a_short_row_is_pointed_out(text, remark):
    remarks = read_drawing(text).remarks
    assert bool(remarks) == bool(remark) and all(each.startswith(remark) for each in remarks)
