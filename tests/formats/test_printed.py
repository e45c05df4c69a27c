"""What the five source programs print, read back."""

from __future__ import annotations

import pytest

from kt_cp import Board
from kt_cp.formats import printed as reading
from kt_cp.formats.printed import printed_tours
from kt_cp.formats.read import read_tour
from kt_cp.model.errors import TooLargeError, TourFileError
from kt_cp.sources.registry import answer_text, find_source

TOUR = [(0, 0), (2, 1), (0, 2), (1, 0), (2, 2), (0, 1), (2, 0), (1, 2)]  # of 3x3, but for b2
NUMBERS = ["000", "001", "003", "004"]


def printed(number, tour=TOUR, board=None):
    return answer_text(find_source(number), board or Board(3, 3, {(1, 1)}), tour[0], tour)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("tour", [TOUR, TOUR[::-1], TOUR[3:] + TOUR[:3]])
def test_what_is_printed_is_read_square_by_square(number, tour):
    (claim,) = printed_tours(printed(number, tour).encode())
    assert claim.squares == tour
    if number != "000":  # which prints no board
        assert claim.board == Board(3, 3, {(1, 1)})


@pytest.mark.parametrize("number", NUMBERS)
def test_the_smallest_board(number):
    (claim,) = printed_tours(printed(number, [(0, 0)], Board(1, 1)))
    assert claim.squares == [(0, 0)]


def test_many_tours_are_read_one_by_one():
    text = printed("004") + printed("004", TOUR[::-1])
    claims = printed_tours(text)
    assert next(claims).squares == TOUR
    assert next(claims).squares == TOUR[::-1]
    assert next(claims, None) is None


def test_a_grid_without_blanks_at_its_ends_has_rank_1_at_the_bottom():
    text = printed("004").replace(" \n", "\n")
    assert printed_tours(text) is None
    assert read_tour(text).squares == [(2 - row, column) for row, column in TOUR]
    assert printed_tours(printed("004").removesuffix("\n")) is None
    assert printed_tours("a1 b3") is None
    assert printed_tours("") is None


NO_TOUR = ["TRUE\n", "FALSE\n", "No solution was found\n", "Solved: False\nSteps: 0\n"]


@pytest.mark.parametrize("text", [*NO_TOUR, "Start at x = 1\n\nStart at y = 2\n\nno path found\n"])
def test_an_answer_that_holds_no_tour(text):
    with pytest.raises(TourFileError, match="holds no tour: it says '"):
        list(printed_tours(text))


DAMAGED = [
    ("000", "2, 1\n", "2 1\n", "line 2: expected a pair such as 3,3; got '2 1'"),
    ("001", "    2", "    7", "step 7 stands twice"),
    ("001", "    2", "    x", "step 2 is not in the grid"),
    ("003", "Path:", "Pfad:", "expected a line 'Path:'"),
    ("003", "3,2", "3,1", "differ at 2"),
    ("003", " 3,2", "", "differ at 2"),
    ("003", " 2,3\nSolved", "\nSolved", "8 squares on the board and 7 on the path"),
    ("003", "1,1 ", "1;1 ", "line 6: expected a pair such as 3,3; got '1;1'"),
    ("003", "1 6 3", "1 6 9", "line 2: expected steps from 1 to 8, got 9"),
    ("003", "1 6 3\n4 . 8\n7 2 5\n", "", "expected a board with steps, got none"),
    ("004", "1 6 3 ", "1 6 3 9 ", "line 2: expected 4 squares as in the first row, got 3"),
    ("004", "4 . 8 ", "4 . 4 ", "line 2: expected each step once, got '4'"),
    ("004", "4 . 8 ", "4 . -8 ", "line 2: expected a step number, got '-8'"),
    ("004", "4 . 8 ", "4 . 0 ", "line 2: expected a step number, got '0'"),
    ("004", "4 . 8 ", "4 . " + "9" * 30 + " ", "line 2: expected a step number, got '999"),
]


@pytest.mark.parametrize(("number", "old", "new", "words"), DAMAGED, ids=lambda part: part[:12])
def test_damage_is_named(number, old, new, words):
    text = printed(number)
    assert old in text
    with pytest.raises(TourFileError) as refused:
        list(printed_tours(text.replace(old, new, 1)))
    assert words in str(refused.value)


def test_text_that_is_not_utf_8_is_damage():
    with pytest.raises(TourFileError, match="line 3: expected a pair"):
        list(printed_tours(b"A solution has been found\n0, 0\n\xff\xfe\n"))


@pytest.mark.parametrize("number", NUMBERS)
def test_more_than_memory_should_hold_is_refused_at_once(monkeypatch, number):
    text = printed(number)
    monkeypatch.setattr(reading, "MOST_PRINTED", len(text.encode()))
    assert len(list(printed_tours(text))) == 1
    monkeypatch.setattr(reading, "MOST_PRINTED", len(text.encode()) - 1)
    with pytest.raises(TooLargeError, match="of what a source program prints"):
        printed_tours(text)
