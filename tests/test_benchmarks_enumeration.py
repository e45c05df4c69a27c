"""The benchmarks' enumerations: the C++ recursion is the twin's recursion, and can be missing."""

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks import Plan
from benchmarks.cases import ALONE, COMPARED, COUNTING, FIRST, LISTING, RECURSION, TWIN, Case
from benchmarks.cplusplus import OPTIONS, SOURCE, build, compiler, recursion
from benchmarks.enumeration import Enumerated, enumerations
from benchmarks.enumeration_job import enumeration
from benchmarks.enumeration_report import enumeration as tables
from benchmarks.measure import Results
from benchmarks.process import Run
from benchmarks.report import report

NOTHING = Plan(compared=(), alone=(), enumeration_repeats=0)

needs_compiler = pytest.mark.skipif(compiler() is None, reason="no C++ compiler on the PATH")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = compiler()
    assert path is not None
    return build(path, tmp_path_factory.mktemp("program"))


def by(candidate: str, case: Case) -> tuple[int, int]:
    kind, unit = "closed" if case.closed else "open", "directed" if case.directed else "undirected"
    came = enumeration(candidate, case.board, case.start, kind, unit, case.order)
    assert came["status"] == "FOUND" and came["seconds"] > 0
    return came["tours"], came["placed"]


TINY = [
    Case("1x1", ()),
    Case("3x3", ()),
    Case("3x4", ()),
    Case("4x3", (), "b1"),
    Case("4x5", (), "c2"),
    Case("5x4", (), "a1"),
    Case("5x5", (), "a1"),
    Case("5x5", (), "b1"),
    Case("4x5", (), "a1", closed=True),
]


@needs_compiler
@pytest.mark.parametrize("case", TINY, ids=lambda case: case.label)
def test_the_recursion_in_cpp_takes_the_twins_steps(case: Case, program: Path) -> None:
    came = recursion(program, case, 60)
    assert came.status == "FOUND" and came.seconds >= 0
    assert (came.values["tours"], came.values["placed"]) == by(TWIN, case)
    assert came.values["tours"] == by(LISTING, case)[0] == by(COUNTING, case)[0]


@needs_compiler
def test_the_recursion_in_cpp_counts_closed_tours(program: Path) -> None:
    # 3x10 has 16 closed tours and few open ones, so that plain recursion comes to an end.
    came = recursion(program, Case("3x10", (), "a1", closed=True), 60)
    assert came.values["tours"] == 2 * 16


@needs_compiler
@pytest.mark.parametrize("words", ["", "5", "5 5", "5 5 0", "5 5 5 0", "0 5 all", "17 5 all",
                                   "5 5 all open", "5 5 0 0 0", "5 5 0 0 closed 1"])  # fmt: skip
def test_the_program_refuses_what_it_cannot_do(words: str, program: Path) -> None:
    ended = subprocess.run([program, *words.split()], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2 and ended.stderr.startswith("plain_recursion ROWS COLUMNS")


@needs_compiler
def test_the_recursion_in_cpp_is_ended_at_the_limit(program: Path) -> None:
    assert recursion(program, Case("8x8", ()), 0.2) == Run("TIMEOUT")


@needs_compiler
def test_the_source_compiles_without_warnings(tmp_path: Path) -> None:
    arguments = [str(compiler()), *OPTIONS, "-Wall", "-Wextra", "-Werror", str(SOURCE)]
    ended = subprocess.run([*arguments, "-o", tmp_path / "it"], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_without_a_compiler_the_rest_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    case = Case("3x4", (RECURSION, TWIN), tours=16)
    plan = Plan(parts=("enumeration",), compared=(case,), alone=(), enumeration_repeats=1)
    results = Results(enumeration=enumerations(plan))
    text = report(plan, results)
    assert results.broken == []
    assert "No C++ compiler was found, so the C++ recursion was not run." in text
    assert "| 3x4 open | C++ recursion |  |  |  | not run |  |" in text
    assert "| 3x4 open | compiled twin | 16 | 760 |" in text
    assert "as the C++ recursion" not in text
    assert "| `kt-cp enumerate 5x5 --count` |" in text


@pytest.mark.skipif(os.name != "posix", reason="the compiler is a shell script here")
def test_a_compiler_that_refuses_the_program_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "g++").write_text("#!/bin/sh\n[ $1 = --version ] && echo g++ 0.1\n")
    (tmp_path / "g++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    results = enumerations(NOTHING)
    assert results.broken == ["the C++ recursion: not compiled"]
    assert "The C++ recursion was not compiled, by g++ 0.1, -std=c++11 -O2." in list(
        tables(NOTHING, results)
    )


def came(tours: int, placed: int, seconds: float) -> Run:
    return Run("FOUND", {"tours": tours, "placed": placed, "seconds": seconds})


def test_a_report_shows_medians_timeouts_and_contradictions() -> None:
    small, large = Case("5x5", (RECURSION, TWIN, LISTING), "a1", tours=304), COMPARED[-1]
    plan = Plan(compared=(small, large), alone=ALONE, time_limit=60)
    runs = {
        (small, RECURSION): [came(304, 1000, 1), came(304, 1000, 2), came(304, 1000, 6)],
        (small, TWIN): [came(304, 1000, 4)],
        (small, LISTING): [came(304, 10, 0.5)],
        (large, RECURSION): [Run("TIMEOUT")],
        (large, LISTING): [came(2 * 9862, 800_000, 0.06)],
        (large, COUNTING): [Run("CRASH")],
        (ALONE[-1], FIRST): [came(1, 12_040_482, 3.0)],
    }
    results = Enumerated(runs, compiler="c++ 1, -O2")
    text = "\n".join(tables(plan, results))
    for line in (
        "C++ compiler: c++ 1, -O2.",
        "| 5x5 open from a1 | C++ recursion | 304 | 1,000 | 0.0 | 2.00 |  |",
        "| 5x5 open from a1 | compiled twin | 304 | 1,000 | 0.0 | 4.00 | 0.5 |",
        "- 5x5 open from a1: the compiled twin placed as many squares as the C++ recursion.",
        "- 5x5 open from a1: listing is 4 times as fast as the C++ recursion (more than 1): met.",
        "| 6x6 closed from a1 | C++ recursion |  |  |  | > 60 (TIMEOUT) |  |",
        "| 6x6 closed from a1 | listing | 19,724 | 800,000 | 13.3 | 0.060 | ≥ 1,000 |",
        "| 6x6 closed from a1 | counting |  |  |  | CRASH |  |",
        "- 7x7 open from d4, compiled twin, to its first tour: 3.00 s (less than 2 s): **missed**.",
        "- 6x6 open, counting: no figure (less than 60 s): **missed**.",
    ):
        assert line in text
    assert results.broken == ["6x6 closed from a1, counting: CRASH"]
    runs[small, TWIN].append(came(304, 1001, 4))
    runs[small, LISTING].append(came(305, 10, 0.5))
    assert results.broken[1:] == [
        "5x5 open from a1: [304, 305] tours, expected 304",
        "5x5 open from a1: [1000, 1001] squares placed",
    ]
    assert "placed **not** as many squares" in "\n".join(tables(plan, results))
