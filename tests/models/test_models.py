"""models/: every file is reproduced, solved by other programs and counted."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from ortools.sat.python import cp_model

from kt_cp import Board, Enumeration, Problem, defects
from kt_cp.model.board import parse_square, square_name
from kt_cp.model.problem import changed
from kt_cp.puzzles.generator import clue_orbits
from kt_cp.trust.check import check
from tests.examples.known_counts import known, label
from tests.support.artefacts import (
    MODELS,
    README,
    digest_of,
    formulas,
    made,
    problem_of,
    rows,
    wanted,
)
from tests.support.command_line import PATIENCE, ROOT, environment
from tests.support.exhaustive import more
from tests.support.foreign_solvers import (
    SAT_SOLVERS,
    as_answer_sets,
    by_clingo,
    by_minizinc,
    clasp,
    edges,
    output,
    program,
    published,
    tours_of,
)

FORMULAS, PROTOS, STORED = formulas(), rows(".pbtxt"), rows(".cnf")


def name_of(row):
    return row.name


# --- the files ------------------------------------------------------------------------------------


def test_every_artefact_has_a_row():
    listed = [row.name for row in rows()]
    files = [path.relative_to(MODELS).as_posix() for path in MODELS.rglob("*") if path.is_file()]
    others = [name for name in files if not name.startswith("puzzles/")]  # see test_puzzles
    assert sorted(others) == sorted([*listed, "README.md"])


def test_every_encoding_has_its_formulas():
    assert [row.command for row in FORMULAS] == wanted(), "`make models` writes what is lacking"


def options_of(row):
    return row.command.removeprefix("kt-cp export ")


@pytest.mark.parametrize("row", FORMULAS, ids=options_of)
def test_formulas_are_made_again(row):
    assert digest_of(row.text) == row.digest, f"`{row.command}` has other clauses: `make models`"


def test_the_formulas_in_the_folder_are_of_the_list():
    numbers = {row.command: [row.models, row.tours] for row in FORMULAS}
    assert [numbers[row.command] for row in STORED] == [row.numbers for row in STORED]


@pytest.mark.parametrize("row", made(), ids=name_of)
def test_artefacts_are_regenerated(kt_cp, row):
    result = kt_cp(*row.arguments)
    assert result.code == 0, result.err
    same = (MODELS / row.name).read_bytes() == result.out.encode()
    assert same, f"{row.name} is not what `{row.command}` writes now: `make models`"


# --- formulas and protos --------------------------------------------------------------------------


@cache
def tours_by_clingo(problem):
    """The tours of the model in ASP, without their direction."""
    return {edges(walk, problem.closed) for walk in by_clingo(problem)}


def test_boards_are_of_known_counts():
    counts = {}
    for known_row in known(2000):
        if known_row["unit"] != "classes":
            problem, count = published(known_row)
            counts[problem.board, problem.closed] = count // 2
    for row in FORMULAS:
        problem = problem_of(row.command)
        assert row.tours == counts[problem.board, problem.closed], row.command
    assert {row.tours > 0 for row in FORMULAS} == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("row", FORMULAS, ids=options_of)
def test_formulas_have_as_many_models(row):
    problem = problem_of(row.command)
    models = clasp(row.text)
    tours = tours_of(models, problem.closed, problem.size)
    assert set(tours) == tours_by_clingo(problem)
    assert (len(models), len(set(tours))) == (row.models, row.tours)


@pytest.mark.slow
@pytest.mark.parametrize("solver", SAT_SOLVERS)
@pytest.mark.parametrize("row", FORMULAS, ids=options_of)
def test_formulas_are_decided(kt_cp, tmp_path, solver, row):
    path, answer = tmp_path / "formula.cnf", tmp_path / "answer.txt"
    path.write_text(row.text)
    for _ in range(row.models + 1):
        answer.write_text(output(program(solver), "-q", path))
        cuts = tmp_path / "cuts.cnf"
        result = kt_cp("decode", path, answer, "--cuts", cuts, "--force", "--format", "names")
        if result.code != 3:
            break
        assert row.models > row.tours, "every model of this formula is a tour"
        path = cuts
    assert result.code == (0 if row.tours else 1), result.err
    if not row.tours:
        assert "s UNSATISFIABLE" in answer.read_text()


@pytest.mark.parametrize("row", PROTOS, ids=name_of)
def test_protos_are_solved_from_the_file_alone(row):
    from google.protobuf import text_format

    text = (MODELS / row.name).read_text("utf-8")
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    if hasattr(model.proto, "parse_text_format"):
        assert model.proto.parse_text_format(text)
    else:
        text_format.Parse(text, model.proto)
    status = solver.solve(model)
    if row.numbers == [0]:
        assert status == cp_model.INFEASIBLE
        return
    assert status == cp_model.OPTIMAL
    values = solver.response_proto.solution
    chosen = {v.name for v, value in zip(model.proto.variables, values, strict=True) if value}
    problem = problem_of(row.command)
    assert set(tours_of([chosen], problem.closed, problem.size)) < tours_by_clingo(problem)


@pytest.mark.skipif(
    not hasattr(cp_model.CpModel().proto, "parse_text_format"), reason="it needs OR-Tools 9.15"
)
def test_the_python_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    status, _, arcs = output(sys.executable, "-c", code).partition("\n")
    assert status == "OPTIMAL"
    chosen = set(re.findall("[a-f][1-5]->[a-f][1-5]", arcs))
    assert set(tours_of([chosen], True, 30)) < tours_by_clingo(Problem(Board(5, 6), closed=True))


@pytest.mark.parametrize("row", PROTOS, ids=name_of)
def test_protos_have_as_many_circuits(row):
    problem = problem_of(row.command)
    models = as_answer_sets((MODELS / row.name).read_text("utf-8"))
    tours = tours_of(models, problem.closed, problem.size)
    assert set(tours) == tours_by_clingo(problem)
    assert [len(models)] == row.numbers


def question(line):
    """A problem, such as ``4x5 --start a1 --end d3``, and how many directed tours it has."""
    size, *words = line.split()
    options = dict(zip(words[::2], words[1::2], strict=True))
    gone = options.pop("--missing", "")
    ends = {key[2:]: parse_square(name) for key, name in options.items() if key != "--closed"}
    problem = Problem(Board.parse(size, gone), closed="--closed" in options, **ends)
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
    ("parameters", "message"),
    [
        ("rows=3;columns=4;start=13", "start: expected a square of the board, got 13"),
        ("rows=3;columns=4;missing={5};end=5", "end: expected a square of the board, got 5"),
        ("rows=5;columns=6;closed=true;end=5", "end: expected none of a closed tour, got 5"),
    ],
)
@pytest.mark.parametrize("model", ["successors.mzn", "positions.mzn"])
def test_minizinc_refuses(model, parameters, message):
    command = [program("minizinc"), MODELS / model, "-D", parameters]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode != 0 and message in result.stderr


# --- what the README says of them -----------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [*rows("rs.mzn"), *rows("ns.mzn"), *rows(".lp")], ids=lambda row: row.name
)
def test_the_rows_run(row):
    runs = {"minizinc": lambda: [program("minizinc")], "python": lambda: [sys.executable]}
    printed = output(*runs[row.command.split()[0]](), *row.arguments)
    count = printed.count("-" * 10) or int(re.search("^Models +: ([0-9]+)$", printed, re.M)[1])
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
    result = subprocess.run(
        ["bash", "-c", names + command], cwd=ROOT, env=environment(), capture_output=True,
        text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "A valid tour" in result.stdout or "FOUND" in result.stderr


def test_a_missing_solver_fails_where_ci_is_set(monkeypatch):
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"\.ci/run installs it"):
        program("minizinc")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="minizinc is not installed"):
        program("minizinc")


ROWS = re.findall(
    r"^\| `(puzzles/\S+)` \| ((?:\w+=\d+ ?)+) \| (\d+) \| (\S+) \|$",
    README.read_text("utf-8"),
    re.MULTILINE,
)


def test_every_file_has_a_row() -> None:
    files = sorted(name for name, *_ in ROWS)
    assert files == sorted(f"puzzles/{file.name}" for file in (MODELS / "puzzles").iterdir())


@pytest.mark.parametrize(
    ("name", "clues", "number", "motion"), ROWS, ids=[name for name, *_ in ROWS]
)
def test_it_has_one_tour(name, clues, number, motion) -> None:
    checked = check((MODELS / name).read_bytes())
    problem = checked.problem
    assert problem.closed and problem.whole_rectangle is not None
    steps = [f"{square}={step}" for square, step in problem_given(problem)]
    assert sorted(steps) == sorted(clues.split()) and len(steps) == int(number)
    assert checked.kind == "list" and len(checked.tours) == 1
    if motion != "–":
        index, places = problem.indexed.index, {each.square for each in problem.conditions}
        orbits = [set(each) for each in clue_orbits(changed(problem, given=()), motion)]
        vertices = {index[square] for square in places}
        assert all(each <= vertices or not each & vertices for each in orbits)


@pytest.mark.slow
def test_on_6x6_two_clues_are_too_few() -> None:
    index = Problem("6x6").indexed.index
    steps = np.array([np.argsort([index[s] for s in t]) for t in Enumeration("6x6", closed=True)])
    assert len(steps) == 9_862
    for one, other in combinations(range(36), 2):
        apart = (steps[:, one] - steps[:, other]) % 36
        tours = np.bincount(np.minimum(apart, 36 - apart))  # in one direction or the other
        assert tours[tours > 0].min() >= 4


def problem_given(problem):
    assert {each.key for each in problem.conditions} == {"given"}
    return [(square_name(each.square), each.step) for each in problem.conditions]
