"""models/: every file has a row and is made again; solvers of others decide and count them."""

from __future__ import annotations

import re
import sys
from functools import cache

import pytest

from kt_cp import Board, Problem
from tests.examples.known_counts import known
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
from tests.support.foreign_solvers import (
    SAT_SOLVERS,
    as_answer_sets,
    by_clingo,
    clasp,
    edges,
    output,
    program,
    published,
    tours_of,
)

FORMULAS, PROTOS, KEPT = formulas(), rows(".pbtxt"), rows(".cnf")


def named(row):
    return row.name


# --- the files ------------------------------------------------------------------------------------


def test_every_artefact_has_a_row():
    listed = [row.name for row in rows()]
    files = [path.relative_to(MODELS).as_posix() for path in MODELS.rglob("*") if path.is_file()]
    others = [name for name in files if not name.startswith("puzzles/")]  # see test_puzzles
    assert sorted(others) == sorted([*listed, "README.md"])


def test_every_encoding_has_its_formulas():
    assert [row.command for row in FORMULAS] == wanted(), "`make models` writes what is lacking"


def asked(row):
    return row.command.removeprefix("kt-cp export ")


@pytest.mark.parametrize("row", FORMULAS, ids=asked)
def test_formulas_are_made_again(row):
    assert digest_of(row.text) == row.digest, f"`{row.command}` has other clauses: `make models`"


def test_the_formulas_that_are_kept_are_of_the_list():
    said = {row.command: [row.models, row.tours] for row in FORMULAS}
    assert [said[row.command] for row in KEPT] == [row.numbers for row in KEPT]


@pytest.mark.parametrize("row", made(), ids=named)
def test_artefacts_are_regenerated(kt_cp, row):
    ran = kt_cp(*row.arguments)
    assert ran.code == 0, ran.err
    same = (MODELS / row.name).read_bytes() == ran.out.encode()
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
@pytest.mark.parametrize("row", FORMULAS, ids=asked)
def test_formulas_have_as_many_models(row):
    problem = problem_of(row.command)
    models = clasp(row.text)
    tours = tours_of(models, problem.closed, problem.size)
    assert set(tours) == tours_by_clingo(problem)
    assert (len(models), len(set(tours))) == (row.models, row.tours)


@pytest.mark.slow
@pytest.mark.parametrize("solver", SAT_SOLVERS)
@pytest.mark.parametrize("row", FORMULAS, ids=asked)
def test_formulas_are_decided(kt_cp, tmp_path, solver, row):
    path, answer = tmp_path / "formula.cnf", tmp_path / "answer.txt"
    path.write_text(row.text)
    for _ in range(row.models + 1):
        answer.write_text(output(program(solver), "-q", path))
        cuts = tmp_path / "cuts.cnf"
        ran = kt_cp("decode", path, answer, "--cuts", cuts, "--force", "--format", "names")
        if ran.code != 3:
            break
        assert row.models > row.tours, "every model of this formula is a tour"
        path = cuts
    assert ran.code == (0 if row.tours else 1), ran.err
    if not row.tours:
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
    problem = problem_of(row.command)
    assert set(tours_of([chosen], problem.closed, problem.size)) < tours_by_clingo(problem)


def test_the_python_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    status, _, arcs = output(sys.executable, "-c", code).partition("\n")
    assert status == "OPTIMAL"
    chosen = set(re.findall("[a-f][1-5]->[a-f][1-5]", arcs))
    assert set(tours_of([chosen], True, 30)) < tours_by_clingo(Problem(Board(5, 6), closed=True))


@pytest.mark.parametrize("row", PROTOS, ids=named)
def test_protos_have_as_many_circuits(row):
    problem = problem_of(row.command)
    models = as_answer_sets((MODELS / row.name).read_text("utf-8"))
    tours = tours_of(models, problem.closed, problem.size)
    assert set(tours) == tours_by_clingo(problem)
    assert [len(models)] == row.numbers
