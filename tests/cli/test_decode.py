"""``kt-cp decode``: answers of any solver to exported formulas, true, false and damaged."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kt_cp import Verdict, defects
from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, get_encoding
from kt_cp.formats.decode import read_answer
from kt_cp.formats.formula import encode_problem, formula_pieces, read_formula
from kt_cp.model.board import parse_squares
from tests.cli.test_export import problem_of
from tests.examples.formulas import CASES, IMPOSSIBLE, competition, fields, looped, solved
from tests.support.command_line import PATIENCE, ROOT, environment, refused, run_cli
from tests.support.exhaustive import crossed

EVERY = (*ENCODING_NAMES, FOR_PROOFS)

# --- round trips ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed(CASES, EVERY))
def test_there_and_back(kt_cp, export, name, line):
    cnf, answer = export(line, name)
    ran, rounds = looped(kt_cp, cnf, answer)
    problem = problem_of(line)
    assert ran.code == 0
    assert not defects(problem, parse_squares(ran.out))
    assert ran.err.startswith(f"{problem.label}: FOUND by decode:{name}; verified, replayed")
    if rounds > 1:  # the loop has left a formula that any solver takes
        assert " are cuts: every tour satisfies them.\n" in cnf.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed(IMPOSSIBLE, EVERY))
def test_there_is_no_tour(kt_cp, export, name, line):
    cnf, answer = export(line, name)
    ran, rounds = looped(kt_cp, cnf, answer)
    label = problem_of(line).label
    cuts = r" with [0-9]+ cuts?" if rounds > 1 else ""
    said = f"claimed by the solver on the {name} encoding{cuts}"
    assert ran.code == 1
    assert re.fullmatch(rf"No tour \({label}\): {said}\.\n", ran.out), ran.out
    assert "; backed by: claimed; the reference agrees\n" in ran.err


@pytest.mark.parametrize("solver", ["glucose4", "minisat22", "lingeling"])
def test_other_solvers(kt_cp, export, solver):
    cnf, answer = export("5x6 --closed")
    answer.write_text(competition(solved(cnf, solver)))
    assert kt_cp("decode", cnf, answer).code == 0


def test_a_lazy_model_with_several_cycles(kt_cp, export, tmp_path):
    cnf, answer = export("16x16 --closed", "lazy")
    answer.write_text(competition(solved(cnf)))
    ran = kt_cp("decode", cnf, answer)
    assert (ran.code, ran.out) == (3, "")
    said = re.search(
        r": the model has (\d+) cycles instead of one, which (\d+) cuts? keeps? ", ran.err
    )
    assert int(said[1]) == int(said[2]) + 1
    assert "; --cuts FILE writes the formula with them, to be solved again" in ran.err
    more = tmp_path / "more.cnf"
    assert kt_cp("decode", cnf, answer, "--cuts", more).code == 3
    before, after = (read_formula(path.read_bytes())[0] for path in (cnf, more))
    assert after.cnf.clauses == before.cnf.clauses
    assert (len(before.cuts), len(after.cuts)) == (0, int(said[2]))
    # The same model again: it breaks the first cut.
    ran = kt_cp("decode", more, answer)
    assert ran.code == 70
    first = len(before.cnf.clauses) + 1
    assert f"the model does not satisfy clause {first} of the formula" in ran.err
    document = json.loads(kt_cp("decode", cnf, answer, "--json").out)
    assert (document["verdict"], document["tour"]) == ("UNKNOWN", None)


@pytest.mark.slow
def test_formats_and_files(kt_cp, export, tmp_path):
    cnf, answer = export("5x6 --closed")
    answer.write_text(competition(solved(cnf)))
    grid = kt_cp("decode", cnf, answer).out
    assert grid.startswith("5 │")
    document = json.loads(kt_cp("decode", cnf, answer, "--json").out)
    assert (document["verdict"], document["engine"]) == ("FOUND", "decode:position")
    assert document["verified"] is document["replayed"] is True
    assert len(document["tour"]) == 30
    for name, begins in (
        ("t.svg", "<svg"),
        ("t.csv", "step,square"),
        ("t.json", "{"),
        ("t", "5 │"),
    ):
        assert kt_cp("decode", cnf, answer, "-o", tmp_path / name).out == ""
        assert (tmp_path / name).read_text("utf-8").startswith(begins)
        if name != "t.svg":
            assert kt_cp("check", tmp_path / name, "--closed").code == 0
    assert kt_cp("decode", cnf, answer, "-o", tmp_path / "t.npy").code == 0
    assert kt_cp("check", tmp_path / "t.npy", "--closed").code == 0
    ran = kt_cp("decode", cnf, answer, "--cuts", tmp_path / "none.cnf")
    assert (ran.code, ran.out) == (0, grid)
    assert "nothing was written to " in ran.err and not (tmp_path / "none.cnf").exists()
    for read in ((cnf, "-"), ("-", answer)):
        data = (answer if read[1] == "-" else cnf).read_bytes()
        assert run_cli("decode", *read, stdin=data).out == grid


# --- the ways of writing an answer ----------------------------------------------------------------


def shapes(model):
    literals = " ".join(map(str, model))
    return {
        "competition": competition(model),
        "windows": competition(model).replace("\n", "\r\n"),
        "no status": f"v {literals} 0\n",
        "status last": f"v {literals}\nv 0\ns SATISFIABLE\n",
        "minisat": f"SAT\n{literals} 0\n",
        "bare": literals,
        "bare, closed": f"{literals} 0",
        "one a line": literals.replace(" ", "\n"),
        "python": str(model),
        "only what is true": f"SAT\n{' '.join(str(v) for v in model if v > 0)} 0",
        "backwards": " ".join(map(str, reversed(model))),
        "twice": f"v {literals} {literals} 0",
    }  # fmt: skip


@pytest.mark.parametrize("shape", list(shapes([])))
def test_every_way_of_writing_a_model(kt_cp, export, shape):
    cnf, answer = export("3x4")
    answer.write_text(shapes(solved(cnf))[shape], newline="")
    assert kt_cp("decode", cnf, answer).code == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("s UNSATISFIABLE\n", 1), ("UNSAT\n", 1), ("UNSATISFIABLE", 1),
        ("c hm\n\ns UNSATISFIABLE", 1),
        ("s UNKNOWN\n", 3), ("INDET\n", 3), ("c UNKNOWN\n", 3), ("c 1 s\ns UNKNOWN", 3),
    ],
)  # fmt: skip
def test_every_way_of_writing_that_there_is_none(kt_cp, export, text, code):
    cnf, answer = export("4x4")
    answer.write_text(text)
    ran = kt_cp("decode", cnf, answer)
    assert ran.code == code
    said = "kt-cp: unknown whether there is a tour: the solver did not decide it\n"
    assert ran.err == said if code == 3 else ran.out.startswith("No tour (4x4, open): claimed by")
    verdict = Verdict.IMPOSSIBLE if code == 1 else Verdict.UNKNOWN
    assert json.loads(kt_cp("decode", cnf, answer, "--json").out)["verdict"] == verdict.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["got neither a status nor literals"]),
        ("c only words\n", ["got neither a status nor literals"]),
        ("s SATISFIABLE\n", ["there are no literals: let the solver print its model"]),
        ("s SATISFIABLE\nv 1 -2\n", ["line 2: expected 0 at the end of the model"]),
        ("SAT\n1 -2 3\n", ["line 2: expected 0 at the end"]),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", ["line 2: unsatisfiable, and satisfiable in line 1"]),
        ("s UNSATISFIABLE\nv 1 0\n", ["unsatisfiable, yet there are literals"]),
        ("s UNKNOWN\nv 1 0\n", ["unknown, yet there are literals"]),
        ("s OPTIMUM FOUND\n", ["line 1: expected a status, got 's OPTIMUM FOUND'"]),
        ("v 1 -2 0\nv 3 0\n", ["line 2: expected one model, and it ended before with 0"]),
        ("v 1 -1 0\n", ["line 1: -1, and 1 before"]),
        ("1 2\n-2", ["line 2: -2, and 2 before"]),
        ("1 2\n3 99999", ["line 2: expected literals up to ", "got 99999"]),
        ("v 1 99999999999999999999 0", ["line 1: expected a solver's literals", "'9999"]),
        ("v 1 x 0", ["line 1: expected a solver's literals, got 'x'"]),
        ("v 1 -- 0", ["got '--'"]),
        ("v 1_2 0", ["got '1_2'"]),
        ("v 1.0 0", ["got '1.0'"]),
        ("hello there", ["line 1: expected a solver's literals, got 'hello'"]),
        ("1 2 3", ["the model leaves ", "variables open, and with them false clause "]),
        ("v 0", ["variables open"]),
        ("\0\xff", ["line 1: expected a solver's literals"]),
    ],
)
def test_answers_that_are_none(kt_cp, export, text, said):
    cnf, answer = export("3x4")
    answer.write_bytes(text.encode("latin-1"))
    refused(kt_cp("decode", cnf, answer), f"{answer}: ", *said)


def test_a_model_that_does_not_satisfy_is_no_tour(kt_cp, export):
    cnf, answer = export("3x4")
    model = solved(cnf)
    for variable in range(0, len(model), 7):
        wrong = [-each if place == variable else each for place, each in enumerate(model)]
        answer.write_text(competition(wrong))
        ran = kt_cp("decode", cnf, answer)
        assert ran.code in (0, 70)  # an auxiliary variable may be free
        assert ran.code == 0 or "the model does not satisfy clause " in ran.err
    answer.write_text(competition([-abs(each) for each in model]))
    ran = kt_cp("decode", cnf, answer)
    assert (ran.code, ran.out) == (70, "")


def test_a_complete_encoding_whose_model_is_no_tour(kt_cp, export, monkeypatch):
    from kt_cp.encodings import position

    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    true = position.as_tour
    monkeypatch.setattr(
        position, "as_tour", lambda problem, walk: true(problem, walk[::-2] + walk[::2])
    )
    ran = kt_cp("decode", cnf, answer)
    assert ran.code == 70 and "but the judge refuses its tour: " in ran.err


def test_a_solver_that_lies(kt_cp, export):
    cnf, answer = export("5x6 --closed")
    answer.write_text("s UNSATISFIABLE\n")
    ran = kt_cp("decode", cnf, answer)
    assert ran.code == 70
    assert "but the reference backtracker decides FOUND" in ran.err


# --- whatever else --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_graphs_come_back(name):
    import networkx as nx

    from kt_cp import Problem
    from kt_cp.formats.decode import decode_answer

    graph = nx.circulant_graph(7, [1, 2])
    text = "".join(formula_pieces(encode_problem(Problem(graph=graph, closed=True), name)))
    formula, literals = read_formula(text.encode())
    from pysat.solvers import Solver

    with Solver(name="glucose4", bootstrap_with=formula.cnf.clauses) as solver:
        while True:
            assert solver.solve()
            model = " ".join(map(str, solver.get_model()))
            result = decode_answer(
                formula, literals, read_answer(model.encode(), literals.variables)
            )
            if result.outcome.verdict is Verdict.FOUND:
                break
            solver.append_formula(result.cuts)
    assert len(result.outcome.tour.squares) == 7


def test_the_words_of_a_formula_are_those_of_its_encoding(export):
    for name in ENCODING_NAMES:
        path, _ = export("6x6 --closed", name)
        assert f"c {get_encoding(name).summary}.\n" in path.read_text("utf-8")
        assert fields(path)["encoding"] == name


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_the_loop_of_the_readme(tmp_path):
    """With a solver named cadical, as docs/howto/external-solvers.md says, and kt-cp itself."""
    page = (ROOT / "docs" / "howto" / "external-solvers.md").read_text("utf-8")
    loop, _ = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
    scripts = {
        "kt-cp": "from kt_cp.cli import main; main()",
        "cadical": "import sys; from tests.examples.formulas import *\n"
        "print(competition(solved(sys.argv[-1])), end='')",
    }
    places = tmp_path / "bin"
    places.mkdir()
    for name, code in scripts.items():
        (places / name).write_text(f"#!{sys.executable}\n{code}\n")
        (places / name).chmod(stat.S_IRWXU)
    there = environment(PATH=f"{places}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(
        ["bash", "-c", loop], cwd=tmp_path, env=there, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert "FOUND by decode:lazy; verified, replayed" in done.stderr, done
    assert "8 │" in done.stdout
    assert Path(tmp_path / "f.cnf").exists()
