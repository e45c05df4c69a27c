"""Searches for few clues: boards with one solution, and every puzzle of a small board."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from benchmarks.fewest import Clues, search
from benchmarks.too_few import Cases
from kt_cp import Enumeration, Problem
from kt_cp.formats.drawing import read_board
from kt_cp.puzzles.generator import clue_orbits


@pytest.mark.parametrize("motion", [None, "half-turn"])
def test_records_have_one_solution(motion, capsys) -> None:
    polls = iter(range(10**6))
    problem = Problem("6x6", closed=True)
    most = search(problem, motion, 1, lambda: next(polls) > 400, 36)
    *_, last = capsys.readouterr().out.split("clues, ")
    board, given = read_board(last.partition(":\n")[2].rstrip("\n"))
    assert len(given) == most < 10 and board == problem.board
    everything = Enumeration(problem.board, closed=True, given=given)
    assert everything.count() == 1
    if motion:
        assert {(5 - row, 5 - column) for row, column in given} == set(given)


def test_clues_are_exchanged_until_a_single_tour_is_left() -> None:
    problem = Problem("6x6", closed=True)
    clues = Clues(problem, clue_orbits(problem, None), 3, seed=3)
    steps = {vertex: clues._tour[vertex] for (vertex,) in clues._chosen}
    nodes = problem.indexed.nodes

    def tours(steps):
        given = {nodes[vertex]: step + 1 for vertex, step in steps.items()}
        return Enumeration(problem.board, closed=True, given=given).count()

    exchanged = clues._exchanged(steps, lambda: False)
    assert tours(steps) > 1 and len(exchanged) == 3 and tours(exchanged) == 1
    assert clues._exchanged(steps, lambda: True) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "clues", "motion"), [("5x6", 3, "top-bottom"), ("6x6", 4, "quarter-turn")]
)
def test_these_are_the_puzzles_with_a_single_tour(board, clues, motion) -> None:
    problem = Problem(board, closed=True)
    cases = Cases(problem, clues, motion, seed=1)
    found = {_alike(cases, steps) for steps in cases.single()}
    index, size = problem.indexed.index, problem.size
    tours = [[index[square] for square in tour] for tour in Enumeration(problem)]
    walks = np.array(tours + [tour[::-1] for tour in tours])
    steps = np.argsort(walks, axis=1)
    expected = set()
    orbits = clue_orbits(problem, motion)
    for many in range(1, clues + 1):
        for chosen in combinations(orbits, many):
            vertices = sorted(vertex for orbit in chosen for vertex in orbit)
            if len(vertices) != clues:
                continue
            apart = (steps[:, vertices] - steps[:, vertices[:1]]) % size
            for each, tours_with_it in Counter(map(tuple, apart.tolist())).items():
                if tours_with_it == 1:
                    expected.add(_alike(cases, dict(zip(vertices, each, strict=True))))
    assert found == expected and cases.searched > 0


def _alike(cases, steps):
    """One for all that motions and the reverse make of clues."""
    size = cases._problem.size
    found = []
    for motion in cases._motions.tolist():
        moved = sorted((motion[vertex], step) for vertex, step in steps.items())
        for way in (1, -1):
            found.append(tuple((v, way * (step - moved[0][1]) % size) for v, step in moved))
    return min(found)
