"""The benchmarks run; what they measure is not tested."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.case import Case, Run
from benchmarks.cplusplus import compiler
from benchmarks.measure import measure
from benchmarks.plain_addcircuit import closed_tour
from benchmarks.plan import PARTS, Plan
from benchmarks.report import report
from benchmarks.yardsticks import GRAPHILLION, installed
from kt_cp import Board, Problem, defects
from tests.helpers import ROOT

pytestmark = pytest.mark.slow


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300
    )


def test_the_plain_script_finds_a_tour() -> None:
    status, seconds, squares = closed_tour(6, 1)
    assert status == "OPTIMAL" and seconds > 0
    assert defects(Problem(Board(6, 6), closed=True), squares) == []


def test_the_plain_script_stands_alone() -> None:
    side, status, seconds = run("benchmarks/plain_addcircuit.py", "6", "1").stdout.split()
    assert (side, status) == ("6", "OPTIMAL") and float(seconds) > 0


def test_the_plain_script_falls_into_the_known_trap() -> None:
    status, _, squares = closed_tour(3, 1)
    assert status == "OPTIMAL"
    assert [str(it) for it in defects(Problem(Board(3, 3), closed=True), squares)] == [
        "1 square unvisited: b2"
    ]


def test_a_quick_run_goes_through(quick, tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    # These have tests of their own.
    others = {"oneshot", "refutations", "construction", "graphs"}
    parts = ",".join(part for part in PARTS if part not in others)
    ended = quick(parts, "-o", file)
    assert ended.code == 0, ended.err
    assert file.read_text(encoding="utf-8") == ended.out
    for row in ("| 6x6 |", "| 8x8 |", "| `kt-cp --help` |", "| seed |"):
        assert row in ended.out
    assert "| 4x4 open | " in ended.out and "position, as logged" in ended.out
    for line in ("| 3x4 open | compiled twin | 16 | 760 |", "| 5x5 open from c3 | listing | 64 |"):
        assert line in ended.out
    if compiler() is None:
        assert "No C++ compiler was found" in ended.out
    else:
        assert "| 3x4 open | C++ recursion | 16 | 760 |" in ended.out
        assert "- 3x4 open: the compiled twin placed as many squares" in ended.out
    assert "| knight 8x8 open |" in ended.out and "| Hidato 8x8 |" in ended.out
    assert "0 of them with a wrong number of tours (none): met" in ended.out
    assert "| 5x6 | 8 |" in ended.out
    assert ("| Graphillion |" in ended.out) == installed(GRAPHILLION)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--sides", "7"),
        ("--sides", "8,x"),
        ("--only", "walks,x"),
        ("--candidates", "cpsat,x"),
        ("--plots", "no/such/place"),
        ("--seeds", "-1"),
        ("--stream", "7"),
        ("--stream", "8,x"),
        ("--stream", "46342"),
        ("-o", "no/such/place.md"),
    ],
)
def test_bad_options_are_refused_before_anything_runs(arguments: tuple[str, str]) -> None:
    ended = CliRunner().invoke(app, arguments)
    assert ended.exit_code == 2 and "Traceback" not in ended.output


def test_a_part_runs_alone_and_its_report_is_overwritten_only_by_force(tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    file.write_text("before")
    asked = ("--quick", "--only", "walks", "-o", str(file))
    ended = CliRunner().invoke(app, asked)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr == f"benchmarks: {file} exists already: expected --force to overwrite it\n"
    assert file.read_text() == "before"
    came = run("-m", "benchmarks", *asked, "--force")  # whole, and its job a process as ever
    assert (came.returncode, came.stdout) == (0, file.read_text(encoding="utf-8")), came.stderr
    assert [line for line in came.stdout.splitlines() if line.startswith("###")] == [
        "### Warnsdorff's rule, open, from a corner, 5x5 to 12x12"
    ]
    assert list(tmp_path.iterdir()) == [file]


def test_a_report_shows_timeouts_and_missed_targets() -> None:
    def fake(case: Case, seed: int, _: object) -> Run:
        if case.who == "command":
            return Run("FOUND", {"seconds": 0.1 if seed == 1 else 0.5})
        return Run("TIMEOUT" if case.who == "warnsdorff" else "CRASH")

    plan = Plan(("commands", "walks", "door"), seeds=(1,), door_sides=(60,), repeats=3)
    results = measure(plan, fake)
    text = report(plan, results)
    assert "- `kt-cp --help` takes 0.50 s (less than 0.3): **missed**." in text
    assert "Runs of each, interleaved: 3." in text and "| 1 |  |  | 96 | TIMEOUT |" in text
    assert "| 60x60 | CRASH |" in text
    assert results.broken == ["60x60, sat, seed 1: CRASH"]
