"""The benchmarks' enumerations: the C++ recursion is the twin's recursion, and can be missing."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import process
from benchmarks.case import Case, Run
from benchmarks.cplusplus import OPTIONS, SOURCE, build, compiler
from benchmarks.jobs.enumeration import enumeration
from benchmarks.measure import measure
from benchmarks.parts import enumeration as part
from benchmarks.parts.enumeration import (
    ALONE,
    COMPARED,
    COUNTING,
    FIRST,
    LISTING,
    RECURSION,
    TWIN,
    Every,
)
from benchmarks.plan import Plan
from benchmarks.process import Processes
from benchmarks.report import report

pytestmark = pytest.mark.slow

needs_compiler = pytest.mark.skipif(compiler() is None, reason="no C++ compiler on the PATH")


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes() as found:
        yield found


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch):
    """A plan that enumerates nothing but what it is given, and runs no commands."""

    def plan(*every: Every, repeats: int = 1) -> Plan:
        monkeypatch.setattr(part, "asked", lambda _: every)
        monkeypatch.setattr(part, "commands", lambda *_, **__: [])
        return Plan(("enumeration",), few_repeats=repeats, time_limit=60)

    return plan


def by(candidate: str, every: Every) -> tuple[int, int]:
    kind, unit = (
        "closed" if every.closed else "open",
        "directed" if every.directed else "undirected",
    )
    came = enumeration(candidate, every.board, every.start, kind, unit, every.order)
    assert came["status"] == "FOUND" and came["seconds"] > 0
    return came["tours"], came["placed"]


TINY = [
    Every("1x1", ()),
    Every("3x3", ()),
    Every("3x4", ()),
    Every("4x3", (), "b1"),
    Every("4x5", (), "c2"),
    Every("5x4", (), "a1"),
    Every("5x5", (), "a1"),
    Every("5x5", (), "b1"),
    Every("4x5", (), "a1", closed=True),
]


@needs_compiler
@pytest.mark.parametrize("every", TINY, ids=lambda every: every.label)
def test_the_recursion_in_cpp_takes_the_twins_steps(every: Every, processes: Processes) -> None:
    came = processes(every.case(RECURSION, 60, 0), 0)
    assert came.status == "FOUND" and came.seconds >= 0
    assert (came.values["tours"], came.values["placed"]) == by(TWIN, every)
    assert came.values["tours"] == by(LISTING, every)[0] == by(COUNTING, every)[0]


@needs_compiler
def test_the_recursion_in_cpp_counts_closed_tours(processes: Processes) -> None:
    # 3x10 has 16 closed tours and few open ones, so that plain recursion comes to an end.
    came = processes(Every("3x10", (), "a1", closed=True).case(RECURSION, 60, 0), 0)
    assert came.values["tours"] == 2 * 16


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("program"))


@needs_compiler
@pytest.mark.parametrize("words", ["", "5", "5 5", "5 5 0", "5 5 5 0", "0 5 all", "17 5 all",
                                   "5 5 all open", "5 5 0 0 0", "5 5 0 0 closed 1"])  # fmt: skip
def test_the_program_refuses_what_it_cannot_do(words: str, program: Path) -> None:
    ended = subprocess.run([program, *words.split()], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2 and ended.stderr.startswith("plain_recursion ROWS COLUMNS")


@needs_compiler
def test_the_recursion_in_cpp_is_ended_at_the_limit(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOADING", 0.0)
    assert processes(Every("8x8", ()).case(RECURSION, 0.2, 0), 0) == Run("TIMEOUT")


@needs_compiler
def test_the_source_compiles_without_warnings(tmp_path: Path) -> None:
    arguments = [str(compiler()), *OPTIONS, "-Wall", "-Wextra", "-Werror", str(SOURCE)]
    ended = subprocess.run([*arguments, "-o", tmp_path / "it"], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_without_a_compiler_the_rest_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    plan = asked(Every("3x4", (RECURSION, TWIN), tours=16))
    results = measure(plan)
    text = report(plan, results)
    assert results.broken == []
    assert "No C++ compiler was found, so the C++ recursion was not run." in text
    assert "| 3x4 open | C++ recursion |  |  |  | not run |  |" in text
    assert "| 3x4 open | compiled twin | 16 | 760 |" in text
    assert "as the C++ recursion" not in text


@pytest.mark.skipif(os.name != "posix", reason="the compiler is a shell script here")
def test_a_compiler_that_refuses_the_program_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked
) -> None:
    (tmp_path / "g++").write_text("#!/bin/sh\n[ $1 = --version ] && echo g++ 0.1\n")
    (tmp_path / "g++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    plan = asked(Every("3x4", (RECURSION,)))
    results = measure(plan)
    assert results.broken == ["3x4 open, C++ recursion, seed 0: CRASH"]
    text = report(plan, results)
    assert "C++ compiler: g++ 0.1, -std=c++11 -O2." in text
    assert "| 3x4 open | C++ recursion |  |  |  | CRASH |  |" in text


def came(tours: int, placed: int, seconds: float) -> Run:
    return Run("FOUND", {"tours": tours, "placed": placed, "seconds": seconds})


def test_a_report_shows_medians_timeouts_and_contradictions(
    monkeypatch: pytest.MonkeyPatch, asked
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("benchmarks.cplusplus.version", lambda: "c++ 1")
    small, large = Every("5x5", (RECURSION, TWIN, LISTING), "a1", tours=304), COMPARED[-1]
    runs = {
        (small, RECURSION): [came(304, 1000, 1), came(304, 1000, 2), came(304, 1000, 6)],
        (small, TWIN): [came(304, 1000, 4)] * 3,
        (small, LISTING): [came(304, 10, 0.5)] * 3,
        (large, RECURSION): [Run("TIMEOUT")] * 3,
        (large, LISTING): [came(2 * 9862, 800_000, 0.06)] * 3,
        (large, COUNTING): [Run("CRASH")] * 3,
        (ALONE[-1], FIRST): [came(1, 12_040_482, 3.0)] * 3,
    }
    answers = {(every.label, who): them for (every, who), them in runs.items()}

    def fake(case: Case, seed: int, _: object) -> Run:
        return answers.get((case.row, case.who), [Run("MEMORY")] * 3)[seed]

    plan = asked(small, large, *ALONE, repeats=3)
    text = report(plan, measure(plan, fake))
    for line in (
        "C++ compiler: c++ 1, -std=c++11 -O2.",
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
    assert set(measure(plan, fake).broken) == {
        f"6x6 closed from a1, counting, seed {seed}: CRASH" for seed in (0, 1)
    }
    answers[small.label, TWIN] = [came(304, 1000, 4), *[came(304, 1001, 4)] * 2]
    answers[small.label, LISTING] = [came(304, 10, 0.5), *[came(305, 10, 0.5)] * 2]
    results = measure(plan, fake)
    assert results.broken[2:] == [
        "5x5 open from a1: [304, 305] tours, expected 304",
        "5x5 open from a1: [1000, 1001] squares placed",
    ]
    assert "placed **not** as many squares" in report(plan, results)
