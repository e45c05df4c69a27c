"""models/: every file has a row and is made again; solvers of others decide and count them."""

from __future__ import annotations

import re
import sys
from functools import cache

import pytest

from kt_cp import Board, Problem
from tests.artefacts import BOARDS, MODELS, README, lacking, made, rows
from tests.foreign import (
    SAT_SOLVERS,
    as_answer_sets,
    clasp,
    edges,
    output,
    program,
    tours_of,
)
from tests.known import known
from tests.modelled import by_clingo, published

FORMULAS, PROTOS = rows(".cnf"), rows(".pbtxt")


def named(row):
    return row.name


# --- the files ------------------------------------------------------------------------------------


def test_every_artefact_has_a_row():
    listed = [row.name for row in rows()]
    files = [path.relative_to(MODELS).as_posix() for path in MODELS.rglob("*") if path.is_file()]
    assert sorted(files) == sorted([*listed, "README.md"])


def test_every_encoding_has_its_formulas():
    assert not lacking(), f"`make models` writes what is lacking: {', '.join(lacking())}"


@pytest.mark.parametrize("row", made(), ids=named)
def test_artefacts_are_regenerated(kt_cp, row):
    ran = kt_cp(*row.arguments)
    assert ran.code == 0, ran.err
    same = (MODELS / row.name).read_bytes() == ran.out.encode()
    assert same, f"{row.name} is not what `{row.command}` writes now: `make models`"


# --- formulas and protos --------------------------------------------------------------------------


def problem_of(row):
    return Problem(Board.parse(row.arguments[1]), closed="--closed" in row.arguments)


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
        problem = problem_of(row)
        assert row.numbers[1] == counts[problem.board, problem.closed], row.name
    assert {row.numbers[1] > 0 for row in FORMULAS} == {True, False}
    assert len(FORMULAS) >= 9 * len(BOARDS)


@pytest.mark.parametrize("row", FORMULAS, ids=named)
def test_formulas_have_as_many_models(row):
    problem = problem_of(row)
    models = clasp((MODELS / row.name).read_text("utf-8"))
    tours = tours_of(models, problem.closed, problem.size)
    assert set(tours) == tours_by_clingo(problem)
    assert [len(models), len(set(tours))] == row.numbers


@pytest.mark.parametrize("solver", SAT_SOLVERS)
@pytest.mark.parametrize("row", FORMULAS, ids=named)
def test_formulas_are_decided(kt_cp, tmp_path, solver, row):
    path, answer = MODELS / row.name, tmp_path / "answer.txt"
    models, tours = row.numbers
    for _ in range(models + 1):
        answer.write_text(output(program(solver), "-q", path))
        cuts = tmp_path / "cuts.cnf"
        ran = kt_cp("decode", path, answer, "--cuts", cuts, "--force", "--format", "names")
        if ran.code != 3:
            break
        assert models > tours, "every model of this formula is a tour"
        path = cuts
    assert ran.code == (0 if tours else 1), ran.err
    if not tours:
        assert "s UNSATISFIABLE" in answer.read_text()


@pytest.mark.parametrize("row", PROTOS, ids=named)
def test_protos_are_solved_from_the_file_alone(row):
    from google.protobuf import text_format
    from ortools.sat.python import cp_model

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
    problem = problem_of(row)
    assert set(tours_of([chosen], problem.closed, problem.size)) < tours_by_clingo(problem)


def test_the_python_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    status, _, arcs = output(sys.executable, "-c", code).partition("\n")
    assert status == "OPTIMAL"
    chosen = set(re.findall("[a-f][1-5]->[a-f][1-5]", arcs))
    assert set(tours_of([chosen], True, 30)) < tours_by_clingo(Problem(Board(5, 6), closed=True))


@pytest.mark.parametrize("row", PROTOS, ids=named)
def test_protos_have_as_many_circuits(row):
    problem = problem_of(row)
    models = as_answer_sets((MODELS / row.name).read_text("utf-8"))
    tours = tours_of(models, problem.closed, problem.size)
    assert set(tours) == tours_by_clingo(problem)
    assert [len(models)] == row.numbers
