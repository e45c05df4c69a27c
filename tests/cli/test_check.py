"""``kt-cp check``: what is right and what is wrong with a tour."""

from __future__ import annotations

import json

import pytest

from kt_cp import Board, Problem, solve
from kt_cp.model.board import parse_squares, square_name
from kt_cp.model.document import problem_document
from tests.support.command_line import DATA, refused


def test_the_smallest_board_is_meant_where_nothing_is_said(check):
    ran = check("b1 a3 c2")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("Not a tour (3x3, open): 1 defect\n  6 squares unvisited")
    assert check("a1").out == "A tour (1x1, open): 1 square\n"


@pytest.fixture(scope="module")
def names():
    return solve(Problem(Board(6, 6), closed=True)).tour.names


@pytest.mark.parametrize("separator", [" ", ",", "\n", "-", " – ", "->", ";\t", "\r\n"])
def test_separators(check, names, separator):
    ran = check(separator.join(names))
    assert (ran.code, ran.out) == (0, "A tour (6x6, open): 36 squares, closed as well\n")


def test_rank_and_file(check, names):
    pairs = [f"{row + 1},{column + 1}" for row, column in parse_squares(" ".join(names))]
    assert check("\n".join(pairs), "--closed").code == 0
    assert check(" ".join(pairs), "--closed").code == 0


def test_an_open_tour_is_not_closed(check):
    tour = solve(Problem(Board(3, 4))).tour  # which has no closed one
    text = " ".join(tour.names)
    assert check(text).out == "A tour (3x4, open): 12 squares\n"
    ran = check(text, "--closed")
    assert ran.code == 1
    assert ran.out.startswith("Not a tour (3x4, closed): 1 defect\n  not closed: ")


def test_every_defect_is_told(check, names):
    wrong = [*names[:10], "h8", names[3], *names[12:-1]]
    ran = check(" ".join(wrong), "--board", "6x6", "--start", "b1", "--end", "b2")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    count = len(lines) - 1
    assert lines[0].endswith(f"from b1 to b2): {count} defects")
    assert all(line.startswith("  ") for line in lines[1:])
    for words in (
        "h8 at step 11 is off the 6x6 board",
        f"{names[3]} ",
        "illegal move from ",
        "3 squares unvisited",
        "b1",
        "b2",
    ):
        assert words in ran.out


def test_options_override_the_file(check, names):
    tour = solve(Problem(Board(5, 6), start=(0, 0), end=(0, 5)))
    text = json.dumps(
        {
            "problem": {"rows": 5, "columns": 6, "missing": [], "start": "a1", "end": "f1"},
            "tour": tour.tour.names,
        }
    )
    assert check(text).out == "A tour (5x6, open, from a1 to f1): 30 squares\n"
    assert check(text, "--end", "f3").code == 1
    assert check(text, "--start", "b1").code == 1
    assert check(text, "--board", "6x6").code == 1
    # asked whether it is closed, its own end plays no part
    assert check(text, "--closed").out.startswith("Not a tour (5x6, closed, from a1): 1 defect")
    refused(check(text, "--closed", "--end", "f1"), "expected no end")
    refused(check(text, "--board", "3x3", "--end", "a2", "--start", "f1"), "3x3")
    assert check(text, "--missing", "c3").code == 1
    closed = json.dumps({"problem": {"rows": 6, "columns": 6, "closed": True}, "tour": names})
    assert check(closed).out == "A tour (6x6, closed): 36 squares\n"
    assert check(closed, "--open").out == "A tour (6x6, open): 36 squares, closed as well\n"


def test_a_board_states_the_whole_question(check):
    torus = Problem(Board(5, 6, surface="torus"), closed=True, start="a1")
    tour = solve(torus).tour.names
    text = json.dumps({"problem": problem_document(torus), "tour": tour})
    assert check(text).out == "A tour (5x6 torus, closed, from a1): 30 squares\n"
    assert check(text, "--board", "5x6").out.startswith("Not a tour (5x6, open): ")
    same = check(text, "--board", "5x6", "--surface", "torus")
    assert same.out == "A tour (5x6 torus, open): 30 squares, closed as well\n"


def test_missing_squares(check):
    grid = "  5  .\n  .  2\n  3  .\n  .  6\n  1  .\n  .  4"
    ran = check(grid)
    assert "6x2 without" in ran.out
    assert ran.code == 1
    tour = solve(Problem(Board(6, 6, missing=parse_squares("c3,c4")))).tour
    assert check(" ".join(tour.names), "--missing", "c3,c4").code == 0
    ran = check(" ".join(tour.names))
    assert (ran.code, "2 squares unvisited: c3, c4" in ran.out) == (1, True)


def test_a_grid_that_counts_from_0_is_not_short_of_a_square(check):
    tour = solve(Problem(Board(5, 5))).tour
    grid = [
        " ".join(str(tour.step((row, column)) - 1) for column in range(5))
        for row in reversed(range(5))
    ]
    assert check("\n".join(grid)).out == "A tour (5x5, open): 25 squares\n"


def test_the_illustrated_walk_of_document_002(check):
    # Its step from d1 to c4 is no knight's move, and one square stays unvisited.
    walk = "a1 c2 d4 b3 c1 a2 b4 d3 b2 d1 c4 d2 b1 c3 a4"
    ran = check(walk, "--board", "4x4")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "Not a tour (4x4, open): 2 defects",
        "  illegal move from d1 to c4 at step 11",
        "  1 square unvisited: a3",
    ]


def test_the_same_walk_up_to_its_step_back(kt_cp):
    # The first fourteen boards that document 002 draws, typed in as names.
    walk = DATA / "walk_of_document_002.txt"
    ran = kt_cp("check", walk)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "Not a tour (4x4, open): 2 defects",
        "  illegal move from d1 to c4 at step 11",
        "  2 squares unvisited: c3, a4",
    ]


def test_json(check, names):
    document = json.loads(check(" ".join(names), "--json").out)
    assert document == {
        "schema_version": 1,
        "problem": {
            "rows": 6, "columns": 6, "missing": [], "piece": [[1, 2]], "surface": "plane",
            "closed": False, "start": None, "end": None,
            "require": [], "forbid": [], "given": [], "symmetry": None,
        },
        "squares": 36,
        "start": names[0],
        "end": names[-1],
        "valid": True,
        "defects": [],
    }  # fmt: skip
    ran = check(" ".join(names[:-1]), "--board", "6x6", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["valid"]) == (1, False)
    assert document["defects"] == [
        {
            "rule": "square unvisited",
            "step": None,
            "text": f"1 square unvisited: {names[-1]}",
            "many": 1,
        }
    ]
    empty = json.loads(check("[]", "--board", "3x3", "--json").out)
    assert (empty["squares"], empty["start"], empty["end"]) == (0, None, None)


def test_squares_off_every_board(check):
    refused(check("[[-1, 5]]"), "expected --board", "(-1, 5)")
    assert "is off the 3x3 board" in check("[[-1, 5]]", "--board", "3x3").out


def test_a_claim_about_a_huge_board(check):
    ran = check("a1 b3", "--board", "1000000000x1000000000")
    assert (ran.code, "999999999999999998 squares unvisited" in ran.out) == (1, True)
    far = square_name((10**6, 10**6))
    assert check(f"a1 {far}").code == 1


def test_what_is_wrong_all_over_is_counted(check):
    """A text of garbage takes no more memory than a tour, and a few lines to tell."""
    text = "a1 b3 " * 2_000
    ran = check(text, "--board", "3x4")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Not a tour (3x4, open): 3,999 defects"
    assert lines[6:] == [
        "  3993 more of this kind: square repeated",
        "  10 squares unvisited: b1, c1, d1, a2, b2, …",
    ]
    document = json.loads(check(text, "--board", "3x4", "--json").out)
    assert sum(defect["many"] for defect in document["defects"]) == 3_999


@pytest.mark.parametrize(
    "options",
    [
        ["--board", "0x0"],
        ["--board", "8"],
        ["--start", "zz"],
        ["--start", "i9", "--board", "8x8"],
        ["--missing", "hello"],
        ["--missing", "h8"],
        ["--closed", "--end", "a1"],
        ["--nope"],
    ],
    ids=" ".join,
)
def test_bad_options(check, options):
    refused(check("a1 b3", *options))


def test_a_board_that_is_to_be_solved_is_no_tour(check):
    for drawn in ("1 . .\n. # .\n8 . .\n", " 00\n0100\n  00\n"):
        refused(check(drawn), "expected a tour, got a board with", "kt-cp solve")
    refused(check("1 2\n. 4\n"), "step 3")  # it lacks but one
