"""The part ``puzzles``: its jobs, and its report."""

from __future__ import annotations

import pytest

from benchmarks.case import Run
from benchmarks.jobs import puzzles as job
from benchmarks.measure import measure
from benchmarks.parts.puzzles import KINDS
from benchmarks.plan import QUICK, Plan
from benchmarks.report import report
from benchmarks.yardsticks import installed
from kt_cp import make_puzzle


@pytest.fixture(autouse=True)
def directory(monkeypatch, tmp_path):
    monkeypatch.setattr(job, "DIRECTORY", tmp_path / "puzzles")
    monkeypatch.setattr(job, "AT_ONCE", 2)


def test_a_job_makes_and_times() -> None:
    came = job.puzzles("4x4", "king", "open", "3")
    assert came["status"] == "FOUND" and len(came["times"]) == len(came["clues"]) == 3
    assert came["seconds"] == sum(came["times"]) > 0
    assert len(came["clingo"]) == (3 if installed("clingo") else 0)


def test_puzzles_are_kept(monkeypatch) -> None:
    first = job.made("4x4", "king", "open", 3)
    more = job.made("4x4", "king", "open", 5)
    monkeypatch.setattr(job, "make_puzzle", None)
    assert more[:3] == first and job.made("4x4", "king", "open", 4) == more[:4]
    given = [each.step for each in make_puzzle("4x4", piece="king", seed=5).problem.conditions]
    assert [step for _, step in more[4]["given"]] == given


def test_a_second_solution_is_wrong(monkeypatch) -> None:
    monkeypatch.setattr(job, "_refuted", lambda problem: False)
    assert job.puzzles("4x4", "king", "open", "1")["status"] == "WRONG"


def test_another_answer_of_clingo_is_wrong(monkeypatch) -> None:
    pytest.importorskip("clingo")
    monkeypatch.setattr("benchmarks.jobs.clues.counter", lambda who: lambda problem: 2)
    assert job.puzzles("4x4", "king", "open", "1")["status"] == "WRONG"


def test_the_report() -> None:
    def ran(case, _seed, _stop=None):
        if case.row == "Hidato 8x8":
            return Run("TIMEOUT")
        slow = case.row == "knight 8x8 open"
        times = [0.001] * 9 + [2.5 if slow else 0.002]
        return Run("FOUND", {"seconds": sum(times), "times": times, "clues": [9, 12] * 5,
                             "making": [0.1] * 10,
                             "clingo": [] if slow else [0.0095] * 10})  # fmt: skip

    plan = Plan(parts=("puzzles",), puzzles=10)
    told = report(plan, measure(plan, ran))
    assert "| Numbrix 9x9 | 1.0 | 1.9 | 2.0 | 10 | 10 | 9 to 12 | 100 |" in told
    assert "Numbrix 9x9: 9.5 times as fast as clingo (at least 10): **missed**" in told
    assert "| Hidato 8x8 | TIMEOUT |" in told
    assert "knight 8x8 open: 1.0 ms in the median, 2500 ms at worst" in told
    assert all(name in told for name in KINDS) and QUICK.puzzles == 2
