"""The part ``puzzles``: its jobs, and its report."""

from __future__ import annotations

from benchmarks.case import Run
from benchmarks.jobs import puzzles as job
from benchmarks.measure import measure
from benchmarks.parts.puzzles import KINDS
from benchmarks.plan import QUICK, Plan
from benchmarks.report import report


def test_a_job_makes_and_times() -> None:
    came = job.puzzles("4x4", "king", "open", "3", "5")
    assert came["status"] == "FOUND" and len(came["times"]) == len(came["clues"]) == 3
    assert came["seconds"] == sum(came["times"]) > 0


def test_a_second_solution_is_wrong(monkeypatch) -> None:
    monkeypatch.setattr(job, "Enumeration", lambda problem: iter(()))
    assert job.puzzles("4x4", "king", "open", "1", "5")["status"] == "WRONG"


def test_the_report() -> None:
    def ran(case, _seed, _stop=None):
        if case.row == "Hidato 8x8":
            return Run("TIMEOUT")
        slow = case.row == "knight 8x8 open"
        times = [0.001] * 9 + [2.5 if slow else 0.002]
        return Run("FOUND", {"seconds": sum(times), "times": times, "clues": [9, 12] * 5,
                             "making": [0.1] * 10})  # fmt: skip

    plan = Plan(parts=("puzzles",), puzzles=10)
    told = report(plan, measure(plan, ran))
    assert "| Numbrix 9x9 | 1.0 | " in told and "| 9 to 12 | 100 |" in told
    assert "| Hidato 8x8 | TIMEOUT |" in told
    assert "knight 8x8 open: 1.0 ms in the median, 2500 ms at worst" in told
    assert all(name in told for name in KINDS) and QUICK.puzzles == 2
