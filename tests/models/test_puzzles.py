"""Puzzles with few clues in models/: their certificates hold, and the README tells their clues."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from kt_cp import Enumeration, Problem
from kt_cp.model.board import square_name
from kt_cp.model.problem import changed
from kt_cp.puzzles.generator import clue_orbits
from kt_cp.trust.check import check
from tests.support.artefacts import MODELS, README

ROWS = re.findall(
    r"^\| `(puzzles/\S+)` \| ((?:\w+=\d+ ?)+) \| (\d+) \| (\S+) \|$",
    README.read_text("utf-8"),
    re.MULTILINE,
)


def test_every_file_has_a_row() -> None:
    told = sorted(name for name, *_ in ROWS)
    assert told == sorted(f"puzzles/{file.name}" for file in (MODELS / "puzzles").iterdir())


@pytest.mark.parametrize(
    ("name", "clues", "number", "motion"), ROWS, ids=[name for name, *_ in ROWS]
)
def test_it_has_one_tour(name, clues, number, motion) -> None:
    checked = check((MODELS / name).read_bytes())
    problem = checked.problem
    assert problem.closed and problem.whole_rectangle is not None
    given = [f"{square}={step}" for square, step in problem_given(problem)]
    assert sorted(given) == sorted(clues.split()) and len(given) == int(number)
    assert checked.kind == "list" and len(checked.tours) == 1
    if motion != "–":
        index, places = problem.indexed.index, {each.square for each in problem.conditions}
        orbits = [set(each) for each in clue_orbits(changed(problem, given=()), motion)]
        vertices = {index[square] for square in places}
        assert all(each <= vertices or not each & vertices for each in orbits)


@pytest.mark.slow
def test_on_6x6_two_clues_are_too_few() -> None:
    index = Problem("6x6").indexed.index
    steps = np.array([np.argsort([index[s] for s in t]) for t in Enumeration("6x6", closed=True)])
    assert len(steps) == 9_862
    for one, other in combinations(range(36), 2):
        apart = (steps[:, one] - steps[:, other]) % 36
        tours = np.bincount(np.minimum(apart, 36 - apart))  # in one direction or the other
        assert tours[tours > 0].min() >= 4


def problem_given(problem):
    assert {each.key for each in problem.conditions} == {"given"}
    return [(square_name(each.square), each.step) for each in problem.conditions]
