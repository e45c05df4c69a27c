"""Given steps on the command line, and boards drawn in files and on stdin."""

from __future__ import annotations

import io
import json

import networkx as nx
import pytest

from kt_cp import Board, Problem, make_puzzle
from kt_cp.cli.problem_options import ProblemOptions
from kt_cp.model.document import problem_document
from kt_cp.model.problem import changed
from tests.formats.test_drawing import HOLY

PUZZLE = ". . 8\n. . .\n. . .\n1 . .\n"
"""4x3, with one tour."""


@pytest.fixture
def puzzle(tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text(PUZZLE)
    return str(file)


def test_given_steps_are_kept(kt_cp) -> None:
    ended = kt_cp(
        "solve", "5x6", "--closed", "--given", "e4=17,c3=2", "--given", "1,1=1;", "--engine",
        "windows", "--json",
    )  # fmt: skip
    told = json.loads(ended.out)
    assert ended.code in (0, 1) and told["problem"]["given"] == [["a1", 1], ["c3", 2], ["e4", 17]]


def test_a_drawing_is_a_board(kt_cp, puzzle, monkeypatch) -> None:
    ended = kt_cp("solve", puzzle, "--engine", "windows")
    assert ended.code == 0
    assert ended.out.splitlines()[0].split() == ["4", "│", "10", "5", "8"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PUZZLE.encode())))
    assert kt_cp("solve", "-", "--engine", "windows").out == ended.out


def test_options_add_to_a_drawing(kt_cp, tmp_path) -> None:
    file = tmp_path / "holy.txt"
    file.write_text(HOLY)
    ended = kt_cp("solve", file, "--missing", "d8", "--engine", "windows", "--json")
    told = json.loads(ended.out)["problem"]
    assert ended.code in (0, 1) and "d8" in told["missing"] and told["given"] == [["a3", 1]]


def test_every_tour_of_a_drawing(kt_cp, puzzle) -> None:
    ended = kt_cp("enumerate", puzzle, "--count", "--json")
    assert (ended.code, json.loads(ended.out)["tours"]) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("8x8", "--given", "e4=17,c3"), "--given: expected steps such as e4=17,c3=2"),
        (("8x8", "--given", "e4=0"), "expected steps from 1 to 64, got 0 at e4"),
        (("8x8", "--given", "e4=65"), "expected steps from 1 to 64, got 65 at e4"),
        (("8x8", "--given", "e4=" + "9" * 30), "expected steps from 1 to 64"),
        (("8x8", "--given", "z9=1"), "given steps to be on the 8x8 board, got z9"),
        (("8x8", "--given", "e4=1,e4=2"), "expected one step of e4 to be given, got 1 and 2"),
        (("8x8", "--given", "e4=1,a1=1"), "expected one square at step 1, got e4 and a1"),
        (("8x8", "--given", "e4=one"), "expected steps such as"),
        (("8x8", "--symmetry", "spin"), "expected a symmetry, one of half-turn"),
        (
            ("nowhere.txt",),
            "or a file with a drawn one; got 'nowhere.txt', and there is no such file",
        ),
        ((".",), "cannot read"),
    ],
)
def test_what_makes_no_sense_is_one_line(kt_cp, arguments, told) -> None:
    ended = kt_cp("solve", *arguments, "--engine", "windows")
    assert ended.code == 2 and told in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize(("text", "told"), [
    ("1 2\n1 .", "step 1"),
    ("1 2 9\n. . .", "got 9 at c2"),
    ("1 70 .\n. . .\n. . .", "expected steps from 1 to 9, got 70 at b3"),  # no squares 7 and 0
    ("1 -5 .\n. . .\n. . .", "got '-5'"),
    ("1 ?\n. .", "got '?'"),
])  # fmt: skip
def test_a_drawing_that_makes_no_sense_is_one_line(kt_cp, tmp_path, text, told) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    ended = kt_cp("solve", file, "--engine", "windows")
    assert ended.code == 2 and len(ended.err.splitlines()) == 1
    assert told in ended.err


@pytest.fixture
def as_json(tmp_path):
    file = tmp_path / "puzzle.json"
    file.write_text(make_puzzle("5x5", seed=1).to_json())
    return file


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("solve {} --engine windows --json", 0, "FOUND"),
        ("enumerate {} --count", 0, "1 tour (5x5, open, "),
        ("prove {}", 1, "there is a tour"),
        ("check {}", 0, "A tour (5x5, open, "),
        ("check {} --board {}", 0, "A tour (5x5, open, "),
        ("export {} --encoding position", 0, "p cnf "),
        ("count {}", 0, "1 tour (5x5, open, "),
        pytest.param("compare {} --engines windows --json", 0, "FOUND", marks=pytest.mark.slow),
        ("puzzle {} --seed 2 --clues 25 --json", 0, '"given"'),
    ],
)
def test_the_problem_of_a_puzzle_is_read(kt_cp, as_json, command, code, told) -> None:
    ended = kt_cp(*(each.format(as_json) for each in command.split()))
    assert ended.code == code and told in ended.out + ended.err
    given = json.loads(as_json.read_text())["problem"]["given"]
    if "--json" in command and "compare" not in command:
        asked = json.loads(ended.out)["problem"]["given"]
        assert {tuple(each) for each in given} <= {tuple(each) for each in asked}


def test_what_is_said_of_a_puzzle_comes_first(tmp_path) -> None:
    file = tmp_path / "puzzle.json"
    problem = Problem(Board(5, 6, surface="cylinder"), start="a1", end="f1", require=["a1-b3"])
    file.write_text(json.dumps({"problem": problem_document(problem), "tour": None}))

    def asked(**said):
        return ProblemOptions(str(file), **said).problem()

    assert asked() == problem
    more = changed(problem, end="e1", require=["a1-b3", "e1-d3"])
    assert asked(require=["e1-d3"], end="e1") == more
    closed = changed(problem, closed=True, end=None, given={"c3": 9})
    assert asked(given=["c3=9"], closed=True) == closed
    assert asked(surface="plane", missing=["c5"]).board == Board(5, 6, {(4, 2)})
    assert (
        ProblemOptions(str(file)).problem(start="b1", closed=True) == problem
    )  # nothing is as usual
    assert (
        ProblemOptions(str(file)).beside(closed)
        == problem
        == ProblemOptions(str(file)).over(closed)
    )


def test_the_problem_of_a_graph_is_read(kt_cp, tmp_path) -> None:
    file = tmp_path / "petersen.json"
    file.write_text(make_puzzle(nx.relabel_nodes(nx.petersen_graph(), str), seed=3).to_json())
    ended = kt_cp("enumerate", file, "--count", "--json")
    assert (ended.code, json.loads(ended.out)["tours"]) == (0, 1)
    assert kt_cp("solve", file, "--start", "11", "--engine", "windows").code == 2
    tour = tmp_path / "tour.txt"
    tour.write_text(" ".join(json.loads(file.read_text())["tour"]))
    assert kt_cp("check", tour, "--board", file).code == 0
    refused = kt_cp("puzzle", file)
    assert refused.code == 2 and "expected a board, got a graph in" in refused.err


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (('"rows": 5', '"rows": "five"'), "the problem makes no sense: expected"),
        (('"rows": 5, ', ""), "the problem makes no sense: expected the key 'rows'"),
        (('"rows": 5', '"rows": 0'), "the problem makes no sense"),
        (('"rows": 5', '"rows": 2'), "the problem makes no sense"),
        (('"given": [[', '"given": [["a1", 26], ['), "expected steps from 1 to 25, got 26 at a1"),
        (('"given": [[', '"given": [["z9", 1], ['), "the problem makes no sense"),
        (('"given"', '"numbers"'), "the key 'numbers' plays no part"),
        (('"surface"', '"surface'), "not complete JSON"),
        (('"problem": {', '"problem": [{'), "not complete JSON"),
        (("}\n", "}\n{}"), "one outcome, puzzle or list, got another"),
    ],
)
def test_a_puzzle_that_makes_no_sense_is_one_line(kt_cp, as_json, spoilt, told) -> None:
    text = as_json.read_text() + "\n"
    as_json.write_text(text.replace(*spoilt, 1))
    ended = kt_cp("solve", as_json, "--engine", "windows")
    assert ended.code == 2 and told in ended.err and "puzzle.json: " in ended.err
    assert len(ended.err.splitlines()) == 1
