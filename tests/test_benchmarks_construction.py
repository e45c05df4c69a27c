"""The benchmarks of constructed tours: they run, leave nothing behind, and tell what they miss."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import Plan
from benchmarks.construction import OURS, PLAIN, Constructed
from benchmarks.construction_cases import KINDS, Sizes, question
from benchmarks.construction_job import calls, cost, peak, whole
from benchmarks.construction_report import construction as tables
from benchmarks.measure import Results
from benchmarks.plain_zeros import write_zeros
from benchmarks.process import Run
from benchmarks.report import report
from kt_cp.formats.npy import npy_size

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_a_quick_run_goes_through(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--only", "construction", "--stream", "36"],
        cwd=ROOT, env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    for row in (
        "| 100x100 ends |", "| 7x1000 closed |", "| plan and to_array |", "| 300x300 | 0 |",
        "| 36x36 kt-cp solve | 0.00 |", "| `kt-cp locate 10^9 x (10^9+1) --closed --square` |",
        "| 1000000000x1000000001 |",
    ):  # fmt: skip
        assert row in ended.stdout
    assert "CRASH" not in ended.stdout and "Seeds" not in ended.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_leaves_no_file(tmp_path: Path) -> None:
    program = "from benchmarks.construction import PLAIN, _file; _file(20_000, PLAIN)"
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


@pytest.mark.parametrize("stream", ["7", "8,x", "46342"])
def test_bad_sides_of_files_are_refused(stream: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--stream", stream],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.returncode == 2 and "Traceback" not in ended.stderr


@pytest.mark.parametrize("board", ["100x100", "20000x20000", "7x1000000", "1000000x7", "3x1000"])
def test_questions_are_what_they_are_called(board: str) -> None:
    for kind in KINDS:
        problem = question(board, kind)
        given = (problem.closed, problem.start is not None, problem.end is not None)
        assert given == (kind == "closed", kind in ("start", "ends"), kind == "ends")


def test_jobs() -> None:
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


def found(**values: float) -> Run:
    return Run("FOUND", values)


def test_a_report_shows_medians_and_missed_targets() -> None:
    sizes = Sizes(sides=(100, 200), whole="100x100")
    fast = found(plan=0.001, fresh=2, again=1, judge=3)
    slow = found(plan=0.003, fresh=4, again=5, judge=3)
    cost = {("100x100", kind): [fast] for kind in KINDS}
    cost |= {("200x200", kind): [slow, slow, fast] for kind in KINDS}
    cost["3x1000", "closed"] = [Run("NONE")]
    cost["7x1000", "closed"] = [fast, Run("TIMEOUT")]
    file = npy_size(200, 200, np.dtype(np.int32))
    results = Constructed(
        cost=cost,
        whole=Run("FOUND", {"numpy": [1, 2], "array": [2, 4], "judge": [11, 24]}),
        peaks={"100x100": found(array=100e6, before=50e6, after=190e6)},
        calls=Run("FOUND", {"boards": {"6x6": {"step": 2.04, "square": 3}}}),
        commands={"kt-cp locate x": [0.5, 1.5, 1.1]},
        files={
            (200, PLAIN): [found(seconds=1, memory=1e6, size=file)],
            (200, OURS): [found(seconds=3, memory=301e6, size=file)],
        },
    )
    text = "\n".join(tables(sizes, results))
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
        "- `kt-cp locate x` takes 1.10 s (less than 1): **missed**.",
        "| 6x6 | 2.0 | 3.0 |",
    ):
        assert line in text
    assert results.broken == []


def test_what_crashed_or_was_wrong_is_told() -> None:
    sizes = Sizes(sides=(100,), whole="100x100")
    wrong = Run("WRONG")
    results = Constructed(
        cost={("100x100", kind): [wrong] for kind in KINDS},
        whole=Run("CRASH"),
        peaks={"100x100": Run("CRASH")},
        calls=Run("CRASH"),
        commands={"kt-cp locate x": [float("inf")]},
        files={(200, who): [Run("CRASH")] for who in (PLAIN, OURS)},
    )
    text = report(Plan(parts=("construction",), sizes=sizes), Results(construction=results))
    assert "| 100x100 open | WRONG |  |  |  |" in text and "met" not in text
    assert "| 200x200 kt-cp solve | failed |  |  |  |" in text
    assert len(results.broken) == 4 + 1 + 1 + 1 + 2 + 1
