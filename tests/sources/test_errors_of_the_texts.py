"""Statements about the errors in the five texts, computed.

Each program stands here as its text has it, in its own coordinates, with one error left in or one
mended, so that a figure of the list of errors is the figure of one error.
"""

from __future__ import annotations

import pytest

from kt_cp.sources.run import Recursion
from kt_cp.sources.structured import structured_as_printed
from tests.sources.test_programs import MOVES, run_program

FULL_OR, MARKING = "a chain of OR that does not stop", "squares marked at the last move alone"


class Boolean:
    """Text 000: calls, and the lines that it prints, the first of which says that there is one."""

    def __init__(self, side, *errors):
        self.side, self.errors = side, errors
        self.visited = set()
        self.calls, self.lines, self.found_at = 0, [], None

    def move(self, x, y, m):
        self.calls += 1
        if not (0 <= x < self.side and 0 <= y < self.side) or (x, y) in self.visited:
            return False
        if m == self.side**2 - 1:
            self.found_at = self.found_at or self.calls
            self.lines += ["A solution has been found", (x, y)]
            self.visited.add((x, y))
            return True
        if MARKING not in self.errors:
            self.visited.add((x, y))
        result = False
        for right, up in MOVES["000"]:
            if FULL_OR in self.errors or not result:
                # The result of the call comes first: Python's own "or" would stop.
                result = self.move(x + right, y + up, m + 1) or result
        if result:
            self.lines.append((x, y))
        else:
            self.visited.discard((x, y))
        return result


def test_000_with_a_full_or_prints_the_same_path_87_calls_later():
    programs = Boolean(5), Boolean(5, FULL_OR)
    assert [program.move(3, 3, 0) for program in programs] == [True, True]
    assert [program.calls for program in programs] == [176_530, 176_617]
    assert [program.found_at for program in programs] == [176_530, 176_530]
    assert programs[0].lines == programs[1].lines
    assert len(set(programs[0].lines[1:])) == 25


def test_000_marks_too_late_and_comes_back_to_its_squares():
    program = Boolean(3, MARKING)
    assert program.move(0, 0, 0)
    path = program.lines[1:]
    assert len(path) == 9
    assert len(set(path)) < 9
    assert (1, 1) not in path  # which no knight reaches: there is no tour of 3x3
    assert not Boolean(3).move(0, 0, 0)


def modula(size, board, number, x, y):
    """Text 001: whether a path is found, from a second move on."""
    for right, up in MOVES["001"]:
        m, n = x + right, y + up
        if 1 <= m <= size and 1 <= n <= size and not board.get((m, n)):
            board[m, n] = number
            if number == size * size or modula(size, board, number + 1, m, n):
                return True
            board[m, n] = 0
    return False


def test_001_finds_no_path_on_a_single_square():
    assert modula(1, {(1, 1): 1}, 2, 1, 1) is False
    assert modula(5, {(3, 3): 1}, 2, 3, 3) is True


WRONG_SQUARE, NO_CLEARING = "tests the square that the knight is on", "clears no square"


def decision(side, visited, *errors):
    """Text 002: TRUE or FALSE from the lower left square."""
    occupied = set()

    def tour(visited, row, column):
        if visited == side * side:
            return True
        occupied.add((row, column))
        for up, right in MOVES["002"]:
            new = row + up, column + right
            free = ((row, column) if WRONG_SQUARE in errors else new) not in occupied
            if 1 <= new[0] <= side and 1 <= new[1] <= side and free and tour(visited + 1, *new):
                return True
        if NO_CLEARING not in errors:
            occupied.discard((row, column))
        return False

    return tour(visited, 1, 1)


@pytest.mark.parametrize("side", range(1, 7))
def test_002_says_false_as_printed(side):
    printed = WRONG_SQUARE, NO_CLEARING
    assert decision(side, 1, *printed) is (side == 1)
    assert decision(side, 0, *printed) is False  # of a single square too
    # With one of the two mended, it is still wrong wherever a step back is needed.
    assert decision(side, 1, NO_CLEARING) is (side == 1)
    if side < 6:
        assert decision(side, 1) is (side in (1, 5))
    if side < 5:  # from 0 no walk is ever long enough
        assert decision(side, 0) is False


def knights(one, other):
    (file, rank), (to_file, to_rank) = one, other
    return {abs(ord(file) - ord(to_file)), abs(int(rank) - int(to_rank))} == {1, 2}


def test_the_drawing_of_002_can_be_read_in_two_ways():
    # Move 9 draws the knight on b2, move 10 again, with d1 crossed out, and move 11 on c4.
    assert knights("b2", "d1")
    assert not knights("d1", "c4")  # if knight and cross are swapped at move 10
    assert knights("b2", "c4")  # if the knight never was on d1
    _, tours, _ = run_program("002", 5, 5, (1, 1))
    assert tours[0][1] == (2, 1)  # the program goes to b3 first, the drawing to c2


def moves_of_003(ranks, files, rank, file):
    """Algorithm 1 with the two bounds that read > for ≥."""
    found = []
    for up, right in MOVES["003"]:
        strict_rank, strict_file = up == -2, (up, right) == (-2, -1)
        low_rank, low_file = 1 + strict_rank, 1 + strict_file
        if low_rank <= rank + up <= ranks and low_file <= file + right <= files:
            found.append((rank + up, file + right))
    return found


def test_algorithm_1_of_003_loses_moves_onto_the_first_rank_and_file():
    printed = moves_of_003(6, 6, 3, 3)
    right = {(3 + up, 3 + across) for up, across in MOVES["003"]}
    assert right - set(printed) == {(1, 4), (1, 2)}
    assert (2, 1) not in moves_of_003(6, 6, 4, 2)
    lost = sum(8 - len(moves_of_003(99, 99, rank, 50)) for rank in range(3, 97))
    assert lost == 2  # both from rank 3, onto rank 1


def test_algorithm_4_of_003_as_far_as_it_must_be_corrected():
    answer = structured_as_printed(6, 6)
    assert (answer.placed, answer.taken_back) == (3_065, 3_065 - 36)
    assert answer.tour.structured


@pytest.mark.parametrize(
    "held",
    [
        (((1, 2), (2, 1)), 36),  # the squares that it holds back, which are none of the corner's
        (((2, 3), (3, 2)), 35),  # until Size - 1, of the corner's own colour
    ],
)
def test_algorithm_4_of_003_holds_back_the_wrong_squares_until_the_wrong_step(held):
    squares, last = held
    answer = structured_as_printed(6, 6, held=squares, last=last, budget=20_000)
    assert answer.tour is None


@pytest.mark.slow
def test_004_prints_the_tours_of_one_corner():
    # A start of the other colour has none; the others are these, turned and reflected.
    alike = {(0, 0): 4, (0, 2): 4, (1, 1): 4, (2, 2): 1}
    tours = {
        start: run_program("004", 5, 5, start, Recursion.COMPILED, most=None)[2].tours
        for start in alike
    }
    assert tours[0, 0] == 304
    assert sum(alike[start] * count for start, count in tours.items()) == 1_728


@pytest.mark.parametrize(
    ("document", "side", "at", "placed"),
    [
        ("004", 6, (0, 0), 248_169),
        ("004", 6, (4, 1), 2_254),
        ("004", 7, (0, 0), 7_151_179),
        ("000", 7, (0, 0), 154_900),
    ],
)
def test_004_neither_corners_nor_its_order_are_best(document, side, at, placed):
    assert run_program(document, side, side, at, Recursion.COMPILED)[2].placed == placed
