"""Puzzles with few clues in models/: their certificates hold, and the README tells their clues."""

from __future__ import annotations

import re

import pytest

from kt_cp.model.board import square_name
from kt_cp.trust.check import check
from tests.artefacts import MODELS, README

ROWS = re.findall(
    r"^\| `(puzzles/\S+)` \| ((?:\w+=\d+ ?)+) \| (\d+) \|$", README.read_text("utf-8"), re.M
)


def test_every_file_has_a_row() -> None:
    told = sorted(name for name, *_ in ROWS)
    assert told == sorted(f"puzzles/{file.name}" for file in (MODELS / "puzzles").iterdir())


@pytest.mark.parametrize(("name", "clues", "number"), ROWS, ids=[name for name, *_ in ROWS])
def test_it_has_one_tour(name, clues, number) -> None:
    checked = check((MODELS / name).read_bytes())
    problem = checked.problem
    assert problem.closed and problem.whole_rectangle is not None
    given = [f"{square}={step}" for square, step in problem_given(problem)]
    assert sorted(given) == sorted(clues.split()) and len(given) == int(number)
    assert checked.kind == "list" and len(checked.tours) == 1


def problem_given(problem):
    assert {each.key for each in problem.conditions} == {"given"}
    return [(square_name(each.square), each.step) for each in problem.conditions]
