"""The search for few clues finds boards with one solution."""

from __future__ import annotations

import pytest

from benchmarks.fewest import Clues, search
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
