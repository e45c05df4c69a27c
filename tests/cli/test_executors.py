"""``--executor`` of the commands whose work can be cut: the same answers, and what is refused."""

from __future__ import annotations

import json

import pytest

from tests.support.command_line import refused

COMMANDS = {
    "compare": ("compare", "3x3", "--engines", "backtrack"),
    "sample": ("sample", "5x6", "--closed", "--number", "120", "--seed", "3", "--json"),
    "puzzle": ("puzzle", "3x4", "--number", "2", "--seed", "3"),
}


@pytest.mark.parametrize("asked", COMMANDS.values(), ids=COMMANDS)
def test_a_name_that_is_none(kt_cp, asked):
    refused(kt_cp(*asked, "--executor", "dusk"), "expected threads, processes, dask or")


@pytest.mark.parametrize(
    ("command", "executor"),
    [("sample", "threads"), pytest.param("puzzle", "processes", marks=pytest.mark.slow)],
)
def test_it_makes_the_same(kt_cp, command, executor):
    asked = COMMANDS[command]
    here, there = (kt_cp(*asked, *more) for more in ([], ["--executor", executor]))
    assert there == here and here.code == 0


def test_threads_make_no_puzzles(kt_cp):
    """They would hold Python's lock in turn, and end late."""
    ran = kt_cp(*COMMANDS["puzzle"], "--executor", "threads")
    refused(ran, "expected processes, dask or dask:ADDRESS, got threads")


def test_kept_seeds_are_counted_from_one_that_is_told(kt_cp, tmp_path):
    ran = kt_cp("puzzle", "3x4", "--store", str(tmp_path))
    refused(ran, "--store: expected a --seed as well")


@pytest.mark.slow
def test_puzzles_are_kept(kt_cp, tmp_path):
    asked = (*COMMANDS["puzzle"], "--store", str(tmp_path))
    first, second = kt_cp(*asked), kt_cp(*asked)
    assert first == second == kt_cp(*COMMANDS["puzzle"])
    refused(kt_cp(*asked, "--grade", "hard"), "grade hard", "and not")


@pytest.mark.slow
def test_rows_are_the_same(kt_cp):
    """Each run has a process of its own, below that of the executor."""
    asked = (*COMMANDS["compare"], "--json", "--jobs", "2")
    here, there = (kt_cp(*asked, *more) for more in ([], ["--executor", "processes"]))
    rows = [json.loads(ran.out)["runs"] for ran in (here, there)]
    for row in (*rows[0], *rows[1]):
        assert row.pop("build_seconds") >= 0 and row.pop("solve_seconds") >= 0
        assert row.pop("peak_mb") > 0
    assert here.code == there.code == 0 and rows[0] == rows[1]
