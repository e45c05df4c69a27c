"""The search for few clues finds boards with one solution."""

from __future__ import annotations

import pytest

from benchmarks.fewest import search
from kt_cp import Enumeration, Problem
from kt_cp.formats.drawing import read_board


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
