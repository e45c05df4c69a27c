"""Given steps on the command line, and boards drawn in files and on stdin."""

from __future__ import annotations

import io
import json

import pytest

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


@pytest.mark.parametrize("text", ["1 2\n1 .", "1 2 9\n. . .", "1 ?\n. ."])
def test_a_drawing_that_makes_no_sense_is_one_line(kt_cp, tmp_path, text) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    ended = kt_cp("solve", file, "--engine", "windows")
    assert ended.code == 2 and len(ended.err.splitlines()) == 1
