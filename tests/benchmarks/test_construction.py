"""The benchmarks of constructed tours: they run, leave nothing behind, and tell what they miss."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.case import Case, Run
from benchmarks.jobs.construction import calls, cost, peak, question, whole
from benchmarks.measure import measure
from benchmarks.parts.construction import KINDS, OURS, ZEROS
from benchmarks.plain_zeros import write_zeros
from benchmarks.plan import Plan, Sizes
from benchmarks.report import report
from tests.helpers import ROOT

pytestmark = pytest.mark.slow


def test_a_quick_run_goes_through(quick, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("benchmarks.jobs.construction.SQUARES", 5_000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = quick("construction", "--stream", 36)
    assert ended.code == 0, ended.err
    for row in (
        "| 100x100 ends |", "| 7x1000 closed |", "| plan and to_array |", "| 300x300 | 0 |",
        "| 36x36 kt-cp solve | 0.00 |", "| `kt-cp locate 10^9 x (10^9+1) --closed --square` |",
        "| 1000000000x1000000001 |",
    ):  # fmt: skip
        assert row in ended.out
    assert "CRASH" not in ended.out and "Seeds" not in ended.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_leaves_no_file(tmp_path: Path) -> None:
    program = """
from dataclasses import replace
from benchmarks.parts.construction import ladders
from benchmarks.plan import QUICK, Sizes
from benchmarks.process import Processes
cases = [it for ladder in ladders(replace(QUICK, sizes=Sizes(pause=0.0))) for it in ladder.cases]
with Processes() as run:
    run(next(case for case in cases if case.who == "plain zeros"), 0)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT, env=os.environ | {"TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        while not any(file.stat().st_size for file in tmp_path.glob("*/*")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("board", ["100x100", "20000x20000", "7x1000000", "1000000x7", "3x1000"])
def test_questions_are_what_they_are_called(board: str) -> None:
    for kind in KINDS:
        problem = question(board, kind)
        given = (problem.closed, problem.start is not None, problem.end is not None)
        assert given == (kind == "closed", kind in ("start", "ends"), kind == "ends")


def test_jobs(monkeypatch) -> None:
    monkeypatch.setattr("benchmarks.jobs.construction.SQUARES", 5_000)
    came = cost("12x20", "ends")
    assert came["status"] == "FOUND"
    assert all(came[name] > 0 for name in ("plan", "fresh", "again", "judge"))
    assert cost("5x4", "closed") == {"status": "NONE"}
    came = whole("12x12", "2")
    assert all(len(came[name]) == 2 for name in ("numpy", "array", "judge"))
    came = peak("100x200")
    assert came["array"] == 80_000 and came["after"] > 0.9 * came["before"] > 10_000_000
    assert set(calls("1", "6x6", "7x8")["boards"]) == {"6x6", "7x8"}


@pytest.mark.parametrize("size", [0, 5, 1 << 24, (1 << 24) + 1])
def test_zeros_are_as_many_as_asked_for(size: int, tmp_path: Path) -> None:
    file = tmp_path / "zeros"
    write_zeros(str(file), size)
    assert file.stat().st_size == size


def found(**values: object) -> Run:
    return Run("FOUND", values)


def test_a_report_shows_medians_and_missed_targets() -> None:
    sizes = Sizes(
        sides=(100, 200), shapes=("3x1000", "7x1000"), whole="100x100", peaks=("100x100",),
        stream=(200,), pause=0,
    )  # fmt: skip
    fast = found(plan=0.001, fresh=2, again=1, judge=3)
    slow = found(plan=0.003, fresh=4, again=5, judge=3)
    answers = {(f"100x100 {kind}", "cost"): [fast] * 3 for kind in KINDS}
    answers |= {(f"200x200 {kind}", "cost"): [slow, slow, fast] for kind in KINDS}
    answers["3x1000 closed", "cost"] = [Run("NONE")] * 3
    answers["7x1000 closed", "cost"] = [fast, Run("TIMEOUT"), fast]
    answers["100x100", "whole"] = [found(numpy=[1, 2], array=[2, 4], judge=[11, 24])]
    answers["100x100", "peak"] = [found(array=100e6, before=50e6, after=190e6)]
    answers["15", "calls"] = [found(boards={"6x6": {"step": 2.04, "square": 3}})]
    answers["200x200", ZEROS] = [found(seconds=1, memory=1e6)] * 3
    answers["200x200", OURS] = [found(seconds=3, memory=301e6)] * 3

    def fake(case: Case, seed: int, _: object) -> Run:
        if case.who == "command":
            return found(seconds=(0.5, 1.5, 1.1)[seed])
        return answers.get((case.row, case.who), [Run("NONE")] * 3)[seed]

    plan = Plan(("construction",), sizes=sizes, few_repeats=3)
    results = measure(plan, fake)
    text = report(plan, results)
    for line in (
        "| 200x200 ends | 3.0 | 4.00 | 5.00 | 3.00 |",
        "| 3x1000 closed | – |  |  |  |",
        "| 7x1000 closed | TIMEOUT |  |  |  |",
        "- open: filling an array takes 5.00 ns a square at 200x200, 1.00 at 100x100 (no more): "
        "**missed**.",
        "- open: judging it takes 3.00 ns a square at 200x200, 3.00 at 100x100 (no more): met.",
        "| plan and to_array | 3.00 | 2.00 | 4.00 | 2.00 |",
        "- plan and to_array takes 2.00 times as long as NumPy (at most 5): met.",
        "- judging it takes 11.50 times as long as NumPy (at most 10): **missed**.",
        "| 100x100 | 100 | 50 | 190 | 1.40 |",
        "- 100x100: 1.40 times the array (at most 1.3): **missed**.",
        "| 200x200 kt-cp solve | 0.00 | 3.00 | 301 | 3.00 |",
        "- 200x200: 301 MB of memory (at most 300): **missed**.",
        "- `kt-cp locate 10^9 x 10^9 --closed --step` takes 1.10 s (less than 1): **missed**.",
        "| 6x6 | 2.0 | 3.0 |",
    ):
        assert line in text
    assert results.broken == []


def test_what_crashed_or_was_wrong_is_told() -> None:
    def fake(case: Case, seed: int, _: object) -> Run:
        return Run("WRONG" if case.who == "cost" else "CRASH")

    sizes = Sizes(sides=(100,), shapes=(), whole="100x100", peaks=("100x100",), stream=(200,))
    plan = Plan(("construction",), sizes=sizes, few_repeats=1)
    results = measure(plan, fake)
    text = report(plan, results)
    assert "| 100x100 open | WRONG |  |  |  |" in text and "met" not in text
    assert "| 200x200 kt-cp solve | failed |  |  |  |" in text
    commands = 1 + 4
    assert len(results.broken) == 4 + 1 + 1 + 1 + 2 + commands
