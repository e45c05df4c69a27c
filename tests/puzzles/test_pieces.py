"""Puzzles in pieces: an executor makes the same ones, and a store keeps what comes of a seed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from kt_cp import Problem, make_puzzle
from kt_cp.model.errors import StoreError
from kt_cp.processes.executors import WorkerEndedError
from kt_cp.processes.task_queue import Done
from kt_cp.puzzles import NoPuzzleError
from kt_cp.puzzles.generator import make_puzzles, open_store
from tests.support.fakes import Failing


@pytest.mark.parametrize("asked", [{}, {"clues": 9}, {"grade": "hard"}], ids=str)
def test_in_pieces_the_same_puzzles_are_made(asked):
    problem, seed, made = Problem("5x5"), 3, []
    for _ in range(3):
        made.append(make_puzzle(problem, seed=seed, **asked))
        seed = made[-1].seed + 1
    deaths = [WorkerEndedError("killed"), None, None]
    executor = Failing(lambda *_: deaths.pop() if deaths else None)
    there = make_puzzles(executor, problem, seed=3, **asked)
    assert [next(there) for _ in range(3)] == made


def test_what_comes_of_a_seed_is_kept(tmp_path):
    """Puzzles, with what is unsure of them, and seeds that gave none."""
    problem, first = Problem("3x4", start="a1"), Failing()
    asked = {"seed": 3, "grade": "easy"}
    for executor in (first, again := Failing()):
        with open_store(tmp_path, problem, **asked) as store:
            made = [*islice(make_puzzles(executor, problem, store=store, **asked), 2)]
            if executor is first:
                wanted = made
                unsure = replace(made[0], needless=(made[0].tour[1],))
                for done in (Done((unsure, 3)), Done((None, 7))):
                    store.save("x", done)
                    assert store.load("x", (problem, unsure.seed)) == done
    assert made == wanted and first.sent >= 2 > again.sent
    with (
        pytest.raises(StoreError, match=r"grade easy, and not puzzles from seed 3;"),
        open_store(tmp_path, problem, seed=3, grade=None),
    ):
        pass


@pytest.mark.parametrize(
    ("board", "asked", "told"),
    [
        ("3x3", {}, "b2"),
        ("5x5", {"time_limit": 1e-9}, "time limit"),
        ("5x5", {"clues": 1}, "of 100 seeds none needs so few clues as 1; the fewest: [23]"),
    ],
    ids=str,
)
def test_in_pieces_none_is_told_as_well(board, asked, told):
    with pytest.raises(NoPuzzleError, match=told):
        next(make_puzzles(Failing(), Problem(board), seed=0, **asked))
