"""The models for MiniZinc and clingo in models/, solved and counted; what their README says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest

from kt_cp import Board, Enumeration, Problem, defects
from kt_cp.model.board import parse_square
from tests.examples.known_counts import known, label
from tests.support.artefacts import MODELS, README, rows
from tests.support.command_line import PATIENCE, ROOT, environment
from tests.support.exhaustive import more
from tests.support.foreign_solvers import by_clingo, by_minizinc, output, program, published


def question(line):
    """A problem, such as ``4x5 --start a1 --end d3``, and how many directed tours it has."""
    size, *words = line.split()
    said = dict(zip(words[::2], words[1::2], strict=True))
    gone = said.pop("--missing", "")
    ends = {key[2:]: parse_square(name) for key, name in said.items() if key != "--closed"}
    problem = Problem(Board.parse(size, gone), closed="--closed" in said, **ends)
    return problem, Enumeration(problem, directed=True).count()


PUBLISHED = [
    row
    for row in known(more(400, 2000))
    if row["unit"] != "classes" and int(row["rows"]) * int(row["columns"]) <= 36
]
CONDITIONS = [
    "5x5 --start a1",
    "4x5 --start a1 --end d3",
    "4x5 --end e4",
    "5x5 --start c3 --end b4",
    "5x6 --closed yes --start c2",
    "4x6 --closed yes",
    "3x4 --missing a1 --start c1",
    "4x5 --missing a1,c3",
    "5x6 --closed yes --missing a1,b1",
    "1x1",
    "2x3 --closed yes --missing b1,b2,c2,c1",
]
LONG = ("5x5 --start a1", "5x6 --closed yes --missing a1,b1")


def hold(problem, tours, count):
    """All of them are tours, none is there twice, and none is missing."""
    assert [defects(problem, tour) for tour in tours if defects(problem, tour)] == []
    assert len(set(map(tuple, tours))) == len(tours) == count


@pytest.mark.slow
@pytest.mark.parametrize("row", PUBLISHED, ids=label)
def test_published_counts_by_clingo(row):
    problem, count = published(row)
    hold(problem, by_clingo(problem), count)


@pytest.mark.parametrize("line", CONDITIONS)
def test_conditions_by_clingo(line):
    problem, count = question(line)
    hold(problem, by_clingo(problem), count)


# Positions are slow to exhaust.
@pytest.mark.slow
@pytest.mark.parametrize("row", PUBLISHED, ids=label)
def test_published_counts_by_minizinc(row):
    problem, count = published(row)
    hold(problem, by_minizinc("successors.mzn", problem), count)
    if problem.size <= (30 if problem.closed else 18):
        hold(problem, by_minizinc("positions.mzn", problem), count)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", more([line for line in CONDITIONS if line not in LONG], CONDITIONS)
)
@pytest.mark.parametrize("model", ["successors.mzn", "positions.mzn"])
def test_conditions_by_minizinc(model, line):
    problem, count = question(line)
    hold(problem, by_minizinc(model, problem), count)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("rows=3;columns=4;start=13", "start: expected a square of the board, got 13"),
        ("rows=3;columns=4;missing={5};end=5", "end: expected a square of the board, got 5"),
        ("rows=5;columns=6;closed=true;end=5", "end: expected none of a closed tour, got 5"),
    ],
)
@pytest.mark.parametrize("model", ["successors.mzn", "positions.mzn"])
def test_minizinc_refuses(model, parameters, said):
    command = [program("minizinc"), MODELS / model, "-D", parameters]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode != 0 and said in ran.stderr


# --- what the README says of them -----------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [*rows("rs.mzn"), *rows("ns.mzn"), *rows(".lp")], ids=lambda row: row.name
)
def test_the_rows_run(row):
    runs = {"minizinc": lambda: [program("minizinc")], "python": lambda: [sys.executable]}
    said = output(*runs[row.command.split()[0]](), *row.arguments)
    count = said.count("-" * 10) or int(re.search("^Models +: ([0-9]+)$", said, re.M)[1])
    assert row.outcome == f"{count} tours"


LINES = re.findall(r"```sh\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
COMMANDS = re.findall(
    r"^(?:minizinc|python|cadical) .*?\| kt-cp .*?\n", "".join(LINES), re.M | re.S
)


def test_every_command_is_seen():
    assert "".join(COMMANDS) == "".join(LINES)
    assert len(COMMANDS) == 4


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: shlex.split(command)[1])
def test_the_commands_run(command):
    if not command.startswith("python"):
        program(command.split()[0])
    python = shlex.quote(sys.executable)
    names = f'python() {{ {python} "$@"; }}\nkt-cp() {{ {python} -m kt_cp "$@"; }}\n'
    ran = subprocess.run(
        ["bash", "-c", names + command], cwd=ROOT, env=environment(), capture_output=True,
        text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "A tour" in ran.stdout or "FOUND" in ran.stderr


def test_a_missing_solver_fails_where_ci_is_set(monkeypatch):
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"\.ci/run installs it"):
        program("minizinc")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="minizinc is not installed"):
        program("minizinc")
