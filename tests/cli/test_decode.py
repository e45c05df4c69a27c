"""``kt-cp decode``: answers and proofs of any solver, true, false and damaged; lists of tours."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import stat
import subprocess
import sys
from itertools import product
from pathlib import Path

import networkx as nx
import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from kt_cp import Verdict, defects
from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, get_encoding
from kt_cp.enumeration import Enumeration
from kt_cp.formats.decode import build_certificate, read_answer, read_proof
from kt_cp.formats.formula import (
    dimacs_pieces,
    encode_problem,
    formula_pieces,
    read_dimacs,
    read_formula,
)
from kt_cp.model.board import parse_squares
from kt_cp.model.errors import FormulaFileError, InputError
from kt_cp.model.problem import Problem
from kt_cp.processes.isolate import Ended
from kt_cp.proofs.trimming import parse_drup
from kt_cp.trust.check import check
from kt_cp.trust.check.instance import BUDGET
from tests.cli.test_export import problem_of
from tests.examples.certificates import accepts
from tests.examples.formulas import CASES, IMPOSSIBLE, competition, fields, looped, solved
from tests.support.command_line import PATIENCE, ROOT, environment, refused, run_cli
from tests.support.exhaustive import crossed, exhaustive
from tests.support.foreign_solvers import KISSAT, program

EVERY = (*ENCODING_NAMES, FOR_PROOFS)

# --- round trips ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed(CASES, EVERY))
def test_there_and_back(kt_cp, export, name, line):
    cnf, answer = export(line, name)
    result, rounds = looped(kt_cp, cnf, answer)
    problem = problem_of(line)
    assert result.code == 0
    assert not defects(problem, parse_squares(result.out))
    assert result.err.startswith(f"{problem.label}: FOUND by decode:{name}; verified, replayed")
    if rounds > 1:  # a formula that any solver accepts remains
        assert " are cuts: every tour satisfies them.\n" in cnf.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed(IMPOSSIBLE, EVERY))
def test_there_is_no_tour(kt_cp, export, name, line):
    cnf, answer = export(line, name)
    result, rounds = looped(kt_cp, cnf, answer)
    label = problem_of(line).label
    cuts = r" with [0-9]+ cuts?" if rounds > 1 else ""
    reason = f"claimed by the solver on the {name} encoding{cuts}"
    assert result.code == 1
    assert re.fullmatch(rf"No tour \({label}\): {reason}\.\n", result.out), result.out
    assert "; backed by: claimed; the reference agrees\n" in result.err


@pytest.mark.parametrize("solver", ["glucose4", "minisat22", "lingeling"])
def test_other_solvers(kt_cp, export, solver):
    cnf, answer = export("5x6 --closed")
    answer.write_text(competition(solved(cnf, solver)))
    assert kt_cp("decode", cnf, answer).code == 0


def test_a_lazy_model_with_several_cycles(kt_cp, export, tmp_path):
    cnf, answer = export("16x16 --closed", "lazy")
    answer.write_text(competition(solved(cnf)))
    result = kt_cp("decode", cnf, answer)
    assert (result.code, result.out) == (3, "")
    match = re.search(
        r": the model has (\d+) cycles instead of one, which (\d+) cuts? keeps? ", result.err
    )
    assert int(match[1]) == int(match[2]) + 1
    assert "; --cuts FILE writes the formula with them, to be solved again" in result.err
    more = tmp_path / "more.cnf"
    assert kt_cp("decode", cnf, answer, "--cuts", more).code == 3
    before, after = (read_formula(path.read_bytes())[0] for path in (cnf, more))
    assert after.cnf.clauses == before.cnf.clauses
    assert (len(before.cuts), len(after.cuts)) == (0, int(match[2]))
    # The same model again: it violates the first cut.
    result = kt_cp("decode", more, answer)
    assert result.code == 70
    first = len(before.cnf.clauses) + 1
    assert f"the model does not satisfy clause {first} of the formula" in result.err
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
    result = kt_cp("decode", cnf, answer, "--cuts", tmp_path / "none.cnf")
    assert (result.code, result.out) == (0, grid)
    assert "nothing was written to " in result.err and not (tmp_path / "none.cnf").exists()
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
    result = kt_cp("decode", cnf, answer)
    assert result.code == code
    message = "kt-cp: unknown whether there is a tour: the solver did not decide it\n"
    assert (
        result.err == message
        if code == 3
        else result.out.startswith("No tour (4x4, open): claimed by")
    )
    verdict = Verdict.IMPOSSIBLE if code == 1 else Verdict.UNKNOWN
    assert json.loads(kt_cp("decode", cnf, answer, "--json").out)["verdict"] == verdict.value


@pytest.mark.parametrize(
    ("text", "messages"),
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
def test_answers_that_are_none(kt_cp, export, text, messages):
    cnf, answer = export("3x4")
    answer.write_bytes(text.encode("latin-1"))
    refused(kt_cp("decode", cnf, answer), f"{answer}: ", *messages)


def test_a_model_that_does_not_satisfy_is_no_tour(kt_cp, export):
    cnf, answer = export("3x4")
    model = solved(cnf)
    for variable in range(0, len(model), 7):
        literals = [-each if place == variable else each for place, each in enumerate(model)]
        answer.write_text(competition(literals))
        result = kt_cp("decode", cnf, answer)
        assert result.code in (0, 70)  # an auxiliary variable may be free
        assert result.code == 0 or "the model does not satisfy clause " in result.err
    answer.write_text(competition([-abs(each) for each in model]))
    result = kt_cp("decode", cnf, answer)
    assert (result.code, result.out) == (70, "")


def test_a_complete_encoding_whose_model_is_no_tour(kt_cp, export, monkeypatch):
    from kt_cp.encodings import position

    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    true = position.as_tour
    monkeypatch.setattr(
        position, "as_tour", lambda problem, walk: true(problem, walk[::-2] + walk[::2])
    )
    result = kt_cp("decode", cnf, answer)
    assert result.code == 70 and "but the judge refuses its tour: " in result.err


def test_a_solver_that_lies(kt_cp, export):
    cnf, answer = export("5x6 --closed")
    answer.write_text("s UNSATISFIABLE\n")
    result = kt_cp("decode", cnf, answer)
    assert result.code == 70
    assert "but the reference backtracker decides FOUND" in result.err


# --- other input ----------------------------------------------------------------------------------


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
    """A solver named cadical, as in docs/howto/external-solvers.md, and kt-cp itself."""
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


def rewritten(path, **changes):
    """Return the formula with other fields, and the correct digest."""
    formula = read_dimacs(path.read_bytes())
    clauses, clause = [], []
    for literal in formula.literals.tolist():
        clause = [*clause, literal] if literal else clauses.append(clause) or []
    clauses = changes.pop("clauses", clauses)
    variables = changes.pop("variables", formula.variables)
    fields = {key: text for key, (text, _) in formula.fields.items() if key != "sha256"}
    fields = {key: text for key, text in {**fields, **changes}.items() if text is not None}
    path.write_text("".join(dimacs_pieces(variables, clauses, fields, [])))


BOARD = '{"rows": 3, "columns": 4, "missing": [], "closed": false, "start": null, "end": null}'


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        ({"problem": None}, ["expected a line 'c kt_cp problem …', got none"]),
        ({"encoding": None}, ["expected a line 'c kt_cp encoding …', got none"]),
        ({"encoding": "nonsense"}, ["line 2: expected an encoding, one of", "'nonsense'"]),
        ({"encoding": "../lazy"}, ["expected an encoding"]),
        ({"encoding": "lazy"}, ["differs from that of the lazy encoding for 3x4, open"]),
        ({"version": "0.0.7"}, None),
        ({"version": "0.0.7", "variables": 5000}, ["from kt_cp 0.0.7, and this is"]),
        ({"problem": "{"}, ["line 1: ", "line 1: "]),
        ({"problem": "[]"}, ["line 1: expected an object"]),
        ({"problem": "[" * 100_000}, ["line 1: nested beyond all reason"]),
        ({"problem": BOARD.replace("3", "4", 1)}, ["that of the position encoding for 4x4"]),
        ({"problem": BOARD.replace("false", "true")}, ["encoding for 3x4, closed"]),
        ({"problem": BOARD.replace("false", "1")}, ["expected true or false"]),
        ({"problem": BOARD.replace("3", "0", 1)}, ["line 1: expected rows from 1"]),
        ({"problem": BOARD.replace("3", "9" * 5000, 1)}, ["thousands of digits"]),
        ({"problem": BOARD.replace("3", "9" * 17, 1)}, ["clauses cannot state"]),
        ({"problem": BOARD.replace("3", "60", 1).replace("4", "60")}, ["cannot state 60x60"]),
        ({"problem": BOARD.replace("3", "1", 1).replace("4", "2")}, ["at least 3 squares"]),
        ({"problem": BOARD.replace("[]", '["z9"]')}, ["'z9' is not on 3x4"]),
        ({"problem": BOARD.replace("null", '"a1"', 1)}, ["encoding for 3x4, open, from a1"]),
        ({"problem": BOARD.replace("}", ', "more": 1}')}, ["'more' plays no part"]),
        ({"clauses": [[1], [-1]]}, ["differs from that of the position encoding"]),
        ({"clauses": [[1], [-1], [2]]}, ["3 clauses cannot state 3x4"]),
        ({"clauses": [[1]] * 500}, ["differs from that of the position encoding"]),
    ],
)  # fmt: skip
def test_formulas_with_a_fitting_digest(kt_cp, export, changes, messages):
    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    rewritten(cnf, **changes)
    result = kt_cp("decode", cnf, answer)
    if messages is None:
        assert result.code == 0
    else:
        refused(result, *messages)


def lines_changed(text, change):
    return "\n".join(change(text.split("\n")))


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (lambda t: "", ["got no line 'p cnf …'"]),
        (lambda t: "1 2 0\n", ["got no line 'p cnf …'"]),
        (lambda t: "p cnf 2 1\n1 2 0\n", ["that kt-cp export has written"]),
        (lambda t: "p sat 2\n", ["line 1: expected 'p cnf VARIABLES CLAUSES', got 'p sat 2'"]),
        (lambda t: "p cnf 2 1", ["line 1: expected 'p cnf"]),
        (lambda t: t.replace("p cnf ", "p cnf 1", 1), ["line 4: the digest does not fit"]),
        (lambda t: t.replace("p cnf ", "p cnf 999999999999", 1), ["expected 'p cnf VARIABLES"]),
        (lambda t: t.replace("\np cnf", "\nq cnf"), ["got no line 'p cnf …'"]),
        (lambda t: "x\n" + t, ["line 1: expected a comment"]),
        (lambda t: t + "1 2 0\n", ["the digest does not fit"]),
        (lambda t: t + "1 2", ["expected a whole line, reached the end of the file"]),
        (lambda t: t[:-20], ["line "]),
        (lambda t: t + "1 x 0\n", ["expected a clause, its literals and 0, got '1 x 0'"]),
        (lambda t: t + "c hm\n", ["got 'c hm'"]),
        (lambda t: t + "1 2\n", ["got '1 2'"]),
        (lambda t: t + "\n", ["got ''"]),
        (lambda t: t + "1 0 2 0\n", ["got '1 0 2 0'"]),
        (lambda t: t.replace("c kt_cp", "c"), ["there is no line 'c kt_cp …'"]),
        (lambda t: "c kt_cp encoding lazy\n" + t, ["line 3: 'encoding' occurs twice"]),
        (lambda t: "c kt_cp more \udcff\n" + t, ["line 1: expected UTF-8 text"]),
    ],
)  # fmt: skip
def test_formulas_that_are_none(kt_cp, export, change, messages):
    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    cnf.write_bytes(change(cnf.read_text("utf-8")).encode("utf-8", "surrogateescape"))
    refused(kt_cp("decode", cnf, answer), f"{cnf}: ", *messages)


@pytest.mark.parametrize(
    ("head", "clause", "message"),
    [
        ("2 2", "1 0", "line 2: expected 2 clauses, got 1"),
        ("2 1", "3 0", "line 3: expected literals up to 2, got 3"),
    ],
)
def test_literals_and_counts_are_compared_with_the_head(head, clause, message):
    body = f"p cnf {head}\n{clause}\n"
    digest = hashlib.sha256(body.encode()).hexdigest()
    with pytest.raises(ValueError, match=message):
        read_dimacs(f"c kt_cp sha256 {digest}\n{body}".encode())


def test_carriage_returns_change_nothing(kt_cp, export):
    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    cnf.write_bytes(cnf.read_bytes().replace(b"\n", b"\r\n"))
    assert kt_cp("decode", cnf, answer).code == 0


def test_bad_usage(kt_cp, export, tmp_path):
    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    refused(kt_cp("decode", "-", "-"), "from stdin, got several -")
    refused(kt_cp("decode", cnf), "ANSWER")
    refused(kt_cp("decode", tmp_path / "none", answer), "cannot read", "no such file")
    refused(kt_cp("decode", cnf, tmp_path), "cannot read", "is a directory")
    refused(kt_cp("decode", answer, cnf), f"{answer}: expected a formula in DIMACS")
    refused(kt_cp("decode", cnf, answer, "--cuts", "-"), "--cuts: expected the name of a file")
    both = tmp_path / "both"
    refused(kt_cp("decode", cnf, answer, "--cuts", both, "-o", both), "name the same file")
    refused(kt_cp("decode", cnf, answer, "--format", "npy"), "expected -o FILE")
    refused(kt_cp("decode", cnf, answer, "--cuts", cnf), "exists already")


# --- damage ---------------------------------------------------------------------------------------


def damaged(data, rng):
    """Return the bytes with some changed, inserted, removed or moved."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        place = rng.randrange(len(data))
        what = rng.randrange(5)
        if what == 0:
            data[place] = rng.randrange(256)
        elif what == 1:
            data[place] = rng.choice(b"0123456789- \nscvp")
        elif what == 2:
            data.insert(place, rng.choice(b"0123456789- \n\0"))
        elif what == 3:
            del data[place : place + rng.choice([1, 1, 10, 1000])]
        else:
            other = rng.randrange(len(data))
            data[place], data[other] = data[other], data[place]
        if not data:
            return b""
    return bytes(data)


DAMAGE = product(ENCODING_NAMES, ["formula", "answer", "head"], range(50))


@exhaustive("damage to formulas is refused or harmless", DAMAGE, sample=50, batches=4)
def test_damage_is_refused_or_harmless(kt_cp, export, cases):
    line = "3x4 --start a1"
    problem, codes, files = problem_of(line), set(), {}
    for case in cases:
        name, which, seed = case
        if name not in files:
            cnf, answer = export(line, name)
            looped(kt_cp, cnf, answer)
            files[name] = cnf.read_bytes(), answer.read_bytes()
        formula, answered = files[name]
        head = formula.index(b"\nc 1 ") if b"\nc 1 " in formula else 500
        rng = random.Random(f"{name} {which} {seed}")
        if which == "answer":
            answered = damaged(answered, rng)
        elif which == "head":
            formula = damaged(formula[:head], rng) + formula[head:]
        else:
            formula = damaged(formula, rng)
        cnf.write_bytes(formula)
        answer.write_bytes(answered)
        result = kt_cp("decode", cnf, answer, "--format", "names")
        assert result.code in (0, 2, 3, 70), (case, result)
        assert "Traceback" not in result.err and "a bug" not in result.err, (case, result)
        if result.code == 0:
            assert not defects(problem, parse_squares(result.out)), case
        else:
            assert result.out == "", (case, result)
            assert result.err.startswith("kt-cp: ") and result.err.count("\n") == 1, (case, result)
            assert len(result.err) < 1000, (case, result)
        codes.add(result.code)
    assert 2 in codes


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes_at_all(kt_cp, export, seed):
    rng = random.Random(seed)
    cnf, answer = export("3x4")
    noise = bytes(rng.choice([rng.randrange(256), *b"svcp 0123456789-\n"]) for _ in range(300))
    answer.write_bytes(noise)
    refused(kt_cp("decode", cnf, answer))
    cnf.write_bytes(noise)
    refused(kt_cp("decode", cnf, answer))


def logged(cnf, solver="glucose4"):
    """Return the proof of an unsatisfiable DIMACS file, as text."""
    with Solver(name=solver, bootstrap_with=CNF(from_file=str(cnf)), with_proof=True) as native:
        assert native.solve() is False
        return "".join(f"{line}\n" for line in native.get_proof())


def binary(steps):
    """Return steps as binary DRAT, one byte after the other."""
    data = bytearray()
    for deletes, literals in steps:
        data += b"d" if deletes else b"a"
        for literal in literals:
            value = 2 * abs(literal) + (literal < 0)
            while value > 127:
                data.append(value & 127 | 128)
                value >>= 7
            data.append(value)
        data.append(0)
    return bytes(data)


def hinted(steps):
    """Return steps as lines of LRAT, with false hints and a false deletion."""
    lines = [
        f"{number} {' '.join(map(str, [*literals, 0]))} 1 2 0"
        for number, (deletes, literals) in enumerate(steps, start=1000)
        if not deletes
    ]
    return "\n".join(["1000 d 1 2 0", *lines, ""]).encode()


@pytest.fixture
def refuted(kt_cp, export, tmp_path):
    """Return a formula with its cuts, the answer that it has no model, and a proof."""

    def make(line="3x8 --closed"):
        cnf, answer = export(line, FOR_PROOFS)
        result, _ = looped(kt_cp, cnf, answer)
        assert result.code == 1
        proof = tmp_path / "proof"
        proof.write_text(logged(cnf))
        return cnf, answer, proof

    return make


# --- there and back -------------------------------------------------------------------------------


CONDITIONS = [
    "3x4 --given a1=1,c2=2,d3=10,b2=9",
    "3x4 --given a1=1,b1=3",
    "5x6 --closed --start a1 --given e3=2",
    "3x4 --symmetry quarter-turn",
    "3x4 --symmetry left-right --given a1=1",
    "3x4 --symmetry half-turn --given a1=1,b2=12 --forbid a1-b3",
]


@pytest.mark.parametrize("line", [*IMPOSSIBLE, "6x6 --closed --piece 2,2", *CONDITIONS])
def test_a_proof_becomes_a_certificate(kt_cp, refuted, tmp_path, line):
    cnf, answer, proof = refuted(line)
    no = tmp_path / "no.json"
    result = kt_cp("decode", cnf, answer, "--proof", proof, "-o", no)
    label = problem_of(line).label
    assert result.code == 1
    assert result.out.startswith(f"No tour ({label}): ") and "the formula of " in result.out
    assert "IMPOSSIBLE by decode:certificate; backed by: refutation, a checked cert" in result.err
    document = json.loads(no.read_text("utf-8"))
    assert document["evidence"]["kind"] == "refutation"
    assert check(document).problem == problem_of(line)
    result = kt_cp("check", no)
    assert result.code == 0 and result.out.startswith(
        f"A valid proof ({label}): no tour, by refutation"
    )


def test_the_cuts_are_those_that_the_proof_needs(refuted):
    cnf, _, proof = refuted()
    formula, _ = read_formula(cnf.read_bytes())
    evidence = build_certificate(formula, proof.read_bytes()).document["evidence"]
    assert 0 < len(evidence["cuts"]) <= len(formula.cuts)


def test_every_way_of_writing_a_proof(refuted):
    cnf, _, proof = refuted()
    formula, literals = read_formula(cnf.read_bytes())
    text = proof.read_bytes()
    steps = read_proof(text, literals.variables)
    assert steps == parse_drup(text.decode().splitlines()) and len(steps) > 3
    assert read_proof(binary(steps), literals.variables) == steps
    wanted = build_certificate(formula, text)
    for form in (
        b"c by a test\n\n" + text.replace(b"\n", b"\r\n"),
        text.rstrip(b"\n"),
        text.removesuffix(b"0\n"),  # the clauses imply the empty clause
        binary(steps),
    ):
        assert build_certificate(formula, form) == wanted
    for form in (hinted(steps), binary([step for step in steps if not step[0]])):
        assert build_certificate(formula, form).kind == "refutation"


def test_binary_numbers_of_any_length():
    rng = random.Random(5)
    for most in (1, 63, 64, 8191, 8192, 2**31 - 1):
        steps = [
            (rng.random() < 0.3, [rng.choice([-1, 1]) * rng.randint(1, most) for _ in range(size)])
            for size in (0, 1, 2, 9, 0)
        ]
        steps.append((False, [most, -most]))
        assert read_proof(binary(steps), most) == steps


def test_formats(kt_cp, refuted, tmp_path):
    cnf, answer, proof = refuted()
    arguments = ("decode", cnf, answer, "--proof", proof)
    as_json = kt_cp(*arguments, "--json")
    assert as_json.code == 1 and check(json.loads(as_json.out)).kind == "refutation"
    drawn = kt_cp(*arguments, "--format", "svg")
    assert drawn.code == 1 and drawn.out.startswith("<svg") and drawn.out.endswith("</svg>\n")
    assert kt_cp(*arguments, "-o", tmp_path / "no.svg").code == 1
    assert (tmp_path / "no.svg").read_text("utf-8") == drawn.out


@pytest.mark.parametrize(
    "line",
    [
        "5x6 --closed --given a1=5,c2=4",
        "3x4 --given d3=12,a1=1",
        "6x6 --closed --symmetry quarter-turn",
        "3x4 --symmetry half-turn --given a1=12",
    ],
)
def test_models_with_conditions_are_tours(kt_cp, export, line):
    result, _ = looped(kt_cp, *export(line, FOR_PROOFS))
    assert result.code == 0 and "FOUND by decode:certificate; verified, replayed" in result.err


def test_where_there_is_a_model_no_proof_is_read(kt_cp, export, tmp_path):
    cnf, answer = export("3x4", FOR_PROOFS)
    answer.write_text(competition(solved(cnf)))
    result = kt_cp("decode", cnf, answer, "--proof", tmp_path / "none")
    assert result.code == 0 and "FOUND by decode:certificate; verified, replayed" in result.err


# --- in a process of its own ----------------------------------------------------------------------


def test_under_a_limit(kt_cp, refuted):
    cnf, answer, proof = refuted()
    result = kt_cp("decode", cnf, answer, "--proof", proof, "--time-limit", PATIENCE)
    assert result.code == 1 and "backed by: refutation, a checked certificate" in result.err
    result = kt_cp("decode", cnf, answer, "--proof", proof, "--time-limit", "0")
    refused(result, "expected a time limit above 0")


@pytest.mark.parametrize(("how", "what"), [("timeout", "time"), ("memory", "memory")])
def test_a_limit_that_is_reached(kt_cp, refuted, monkeypatch, tmp_path, how, what):
    ended = Ended(how, None, 1.0, 1.0)
    monkeypatch.setattr("kt_cp.formats.decode.isolate.call", lambda *_, **__: ended)
    monkeypatch.setattr("kt_cp.formats.decode.SMALL", 0)
    cnf, answer, proof = refuted()
    result = kt_cp("decode", cnf, answer, "--proof", proof, "-o", tmp_path / "no.json")
    assert result.code == 3
    assert f"the {what} limit was reached in the check of the proof" in result.err
    assert json.loads((tmp_path / "no.json").read_text("utf-8"))["verdict"] == "UNKNOWN"


# --- what is no proof -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "after all 0 steps of the proof nothing is refuted: it is a proof of another"),
        (b"c nothing\n", "after all 0 steps"),
        (b"1 2 3 0\n", "after all 1 steps of the proof nothing is refuted"),
        (b"0\n", "step 1 of the proof does not follow by unit propagation: []"),
        (b"1 0\n-1 0\n0\n", "of the proof does not follow by unit propagation: ["),
        (b"1 0\n-1 0\n0\n", "or has steps by RAT, which a certificate cannot have"),
        (b"1 2 0\n3 4\n", "line 2: expected literals and 0, got '3 4'"),
        (b"1 2 0\n3 0 4\n", "line 2: expected literals and 0, got '3 0 4'"),
        (b"d\n", "line 1: expected literals and 0, got 'd'"),
        (b"d 1 0 2 0\n", "line 1: expected literals and 0"),
        (b"1 x 0\n", "line 1: expected literals and 0, got '1 x 0'"),
        (b"1_0 0\n", "line 1: expected literals and 0"),
        (b"s UNSATISFIABLE\n", "line 1: expected literals and 0, got 's UNSATISFIABLE'"),
        ("١ 0\n".encode(), "line 1: expected literals and 0"),
        (b"9" * 5000 + b" 0\n", "line 1: expected literals and 0, got '9999"),
        (b"garbage\n" * 100_000, "line 1: expected literals and 0, got 'garbage'"),
        (b"1 999999 0\n", "line 1: expected variables up to 38, got 999,999: it is a proof of ano"),
        (b"1 -999999 0\n", "line 1: expected variables up to 38, got 999,999"),
        (b"a\x02\x00x\x00", "byte 4: expected a step of binary DRAT, a or d, got b'x'"),
        (b"1 2 0\n\x00", "byte 1: expected a step of binary DRAT"),
        (b"a\x02\x00a\x02", "byte 5: expected 0 after the last step, reached the end"),
        (b"a\x02\x80\x80\x80\x80\x80\x01\x00", "byte 3: expected a number of at most 5 bytes"),
        (b"a\x02\x83\x00", "byte 3: expected a number that ends with a byte above 0"),
        (b"a\x02\x01\x00", "byte 3: expected a literal, got 0 and its opposite"),
        (b"a\x02\xfe\xff\x07\x00", "byte 3: expected variables up to 38, got 65,535"),
    ],
)
def test_damaged_proofs(kt_cp, refuted, tmp_path, data, message):
    cnf, answer, proof = refuted("3x8 --closed")
    assert read_formula(cnf.read_bytes())[1].variables == 38
    proof.write_bytes(data)
    result = kt_cp("decode", cnf, answer, "--proof", proof, "-o", tmp_path / "no.json")
    refused(result, f"{proof}: ", message)
    assert not (tmp_path / "no.json").exists()


def test_a_proof_of_another_formula(kt_cp, refuted, tmp_path):
    other, *_ = refuted("4x4")
    theirs = logged(other)
    cnf, answer, proof = refuted("3x8 --closed")
    proof.write_text(theirs)
    refused(kt_cp("decode", cnf, answer, "--proof", proof), "it is a proof of another formula")


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_altered_nothing_false_comes_of_it(refuted, seed):
    cnf, _, proof = refuted()
    formula, literals = read_formula(cnf.read_bytes())
    rng, data = random.Random(seed), bytearray(proof.read_bytes())
    if seed % 2:
        data = bytearray(binary(read_proof(bytes(data), literals.variables)))
    for _ in range(rng.randint(1, 3)):
        data[rng.randrange(len(data))] = rng.choice([*range(256), *b"0123456789- \nd" * 10])
    del data[rng.randint(len(data) // 2, 2 * len(data)) :]
    try:
        made = build_certificate(formula, bytes(data))
    except FormulaFileError:
        return
    assert check(made.document).problem == formula.problem


@pytest.mark.parametrize("name", ["lazy", "position", "adder"])
def test_other_encodings_have_no_certificates(kt_cp, export, tmp_path, name):
    cnf, answer = export("4x4", name)
    answer.write_text("s UNSATISFIABLE\n")
    result = kt_cp("decode", cnf, answer, "--proof", tmp_path / "p", "-o", tmp_path / "no.json")
    refused(
        result, f"a proof over the {name} encoding is none of a certificate", "--encoding certif"
    )
    assert not (tmp_path / "no.json").exists()


def test_clauses_that_are_no_cuts(kt_cp, refuted):
    cnf, answer, proof = refuted()
    formula, _ = read_formula(cnf.read_bytes())
    number = len(formula.cnf.clauses) + 1
    for clause in ([1, 2, 3], [-1], [-2, 3], [38]):
        rewritten(cnf, clauses=[*formula.cnf.clauses, clause, *formula.cuts])
        result = kt_cp("decode", cnf, answer, "--proof", proof)
        refused(result, f"{cnf}: clause {number} of the formula is no cut of a certificate")


def test_what_is_too_large(kt_cp, refuted, monkeypatch):
    cnf, answer, proof = refuted()
    arguments = ("decode", cnf, answer, "--proof", proof)
    with monkeypatch.context() as patched:
        patched.setattr("kt_cp.formats.decode.MOST_BYTES", 10)
        refused(kt_cp(*arguments), "expected a proof in at most 0 MB, got more in")
    monkeypatch.setitem(BUDGET, "literals examined", 10)
    refused(kt_cp(*arguments), "the proof is right, and longer than a certificate may be")


# --- solvers of others ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", [[], ["--no-binary"]], ids=["binary", "text"])
@pytest.mark.parametrize("solver", ["cadical", "kissat"])
def test_the_proofs_of_other_programs(kt_cp, refuted, tmp_path, solver, form):
    path = KISSAT if solver == "kissat" else program(solver)
    cnf, answer, proof = refuted("3x8 --closed")
    command = [path, "-q", "--plain", *form, "--force", cnf, proof]
    result = subprocess.run(
        [*map(str, command)], capture_output=True, timeout=PATIENCE, check=False
    )
    assert result.returncode == 20, result
    answer.write_bytes(result.stdout)
    no = tmp_path / "no.json"
    assert kt_cp("decode", cnf, answer, "--proof", proof, "-o", no).code == 1
    assert kt_cp("check", no).code == 0


CLUES = Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27})


@pytest.fixture
def listed(kt_cp, tmp_path):
    """Return all tours of a question, the formula without them, the answer, and a proof."""

    def make(*question, shape="names", but=0):
        tours, cnf, answer = (tmp_path / name for name in ("tours", "list.cnf", "answer"))
        assert kt_cp("enumerate", *question, "--undirected", "--format", shape, "-o", tours,
                     "--force").code == 0  # fmt: skip
        lines = tours.read_text().splitlines(keepends=True)
        tours.write_text("".join(lines[but:]))
        arguments = (*question, "--encoding", FOR_PROOFS, "--tours", tours, "-o", cnf, "--force")
        assert kt_cp("export", *arguments).code == 0
        result, _ = looped(kt_cp, cnf, answer)
        proof = tmp_path / "proof"
        if not but:
            proof.write_text(logged(cnf))
        return result, cnf, answer, proof

    return make


@pytest.mark.parametrize(
    ("question", "claim", "shape"),
    [
        (("3x4", "--start", "a1"), "all 2 tours", "json"),
        (("3x4", "--start", "a1", "--end", "d3"), "the only tour", "names"),
        (("5x6", "--closed", "--given", "a1=1,f2=9,c1=27"), "the only tour", "names"),
        (("4x4", "--piece", "0,1", "--closed", "--symmetry", "half-turn"), "all 2 tours", "names"),
        pytest.param(("5x6", "--closed"), "all 8 tours", "names", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_proof_of_others_says_that_these_are_all(kt_cp, listed, tmp_path, question, claim, shape):
    result, cnf, answer, proof = listed(*question, shape=shape)
    assert result.code == 1 and "of the list are all, claims the solver" in result.err + result.out
    certificate = tmp_path / "all.json"
    result = kt_cp("decode", cnf, answer, "--proof", proof, "-o", certificate)
    assert (result.code, result.out) == (0, "") and f": {claim}" in result.err
    document = json.loads(certificate.read_text())
    assert accepts(document) and f"): {claim}" in kt_cp("check", certificate).out
    output = kt_cp("decode", cnf, answer, "--proof", proof).out
    assert output.lower().startswith(claim) and "the empty clause follows in " in output


def test_a_tour_that_is_not_listed_is_found(listed):
    result, *_ = listed("3x4", "--start", "a1", but=1)
    assert result.code == 0 and "the 1 tour of the list are not all" in result.err.replace(
        "\n", " "
    )


@pytest.mark.slow
def test_the_proof_of_another_program(kt_cp, listed, tmp_path):
    _, cnf, answer, proof = listed("5x6", "--closed", "--given", "a1=1,f2=9,c1=27")
    command = [KISSAT, "-q", "--plain", "--force", str(cnf), str(proof)]
    result = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert result.returncode == 20, result
    answer.write_bytes(result.stdout)
    certificate = tmp_path / "all.json"
    assert kt_cp("decode", cnf, answer, "--proof", proof, "-o", certificate).code == 0
    assert "the only tour" in kt_cp("check", certificate).out


def formula_of(problem, tours=None):
    """Return the formula without all tours, as text, and a proof that it has no model."""
    tours = [*Enumeration(problem)] if tours is None else tours
    return "".join(formula_pieces(encode_problem(problem, FOR_PROOFS, tours)))


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """Return a formula without one tour, in a file, and its proof."""
    path = tmp_path_factory.mktemp("proved") / "list.cnf"
    path.write_text(formula_of(CLUES))
    return path, logged(path)


@pytest.mark.parametrize("seed", range(12))
def test_no_altered_proof_says_more(proved, seed):
    path, proof = proved
    formula, _ = read_formula(path.read_bytes())
    rng, data = random.Random(seed), bytearray(proof.encode())
    for _ in range(rng.randint(1, 3)):
        data[rng.randrange(len(data))] = rng.choice(b"0123456789- \nd")
    del data[rng.randint(len(data) // 2, 2 * len(data)) :]
    try:
        made = build_certificate(formula, bytes(data))
    except FormulaFileError:
        return
    assert made.claim == "the only tour" and len(check(made.document).tours) == 1, seed


def test_a_shorter_proof_is_none(proved):
    path, proof = proved
    formula, _ = read_formula(path.read_bytes())
    for text in ("", "0\n", *(proof[: len(proof) * part // 8] for part in (1, 4))):
        with pytest.raises(FormulaFileError, match=r"nothing is refuted|does not follow|literals"):
            build_certificate(formula, text.encode())


def other_lists(tours):
    """Return lists that do not belong to the formula, and the messages for them."""
    (tour,) = tours
    yield [tour, tour], "tours 1 and 2 make the same moves"
    yield [tour, [tour[0], *tour[:0:-1]]], "tour 2: "
    yield [[tour[1], tour[0], *tour[2:]]], "tour 1: "
    yield [tour[:-1]], "tour 1: it has 29 of 30 squares"
    yield [[*tour[:-1], "z9"]], "z9"
    yield [], "at least one tour"
    yield "a1", "tours"


def test_another_list_is_not_that_of_the_clauses(proved, tmp_path):
    path, _ = proved
    formula, _ = read_formula(path.read_bytes())
    for tours, message in other_lists(formula.tours):
        copy = tmp_path / "copy.cnf"
        copy.write_bytes(path.read_bytes())
        rewritten(copy, tours=json.dumps({"tours": tours}))
        with pytest.raises(FormulaFileError, match=message):
            read_formula(copy.read_bytes())
    for text in ("{}", "[", "3"):
        rewritten(copy, tours=text)
        with pytest.raises(FormulaFileError):
            read_formula(copy.read_bytes())


def test_without_its_list_the_clauses_are_none_of_a_certificate(proved, tmp_path):
    path, proof = proved
    copy = tmp_path / "copy.cnf"
    copy.write_bytes(path.read_bytes())
    rewritten(copy, tours=None)
    with pytest.raises(FormulaFileError, match="is no cut of a certificate"):
        build_certificate(read_formula(copy.read_bytes())[0], proof.encode())


def test_lists_of_graphs():
    problem = Problem(graph=nx.cycle_graph(4), closed=True)
    formula, _ = read_formula(formula_of(problem).encode())
    assert formula.tours == [["0", "1", "2", "3"]]
    with pytest.raises(InputError, match="or an undirected graph for a formula"):
        ring = Problem(graph=nx.DiGraph([(0, 1), (1, 2), (2, 0)]), closed=True)
        encode_problem(ring, FOR_PROOFS, [[0, 1, 2]])
    with pytest.raises(InputError, match="certificate has them"):
        encode_problem(problem, "lazy", [[0, 1, 2, 3]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected tours, got an empty file"),
        ("a1 c2 zz\n", "zz"),
        ("a1 c2\n", "expected tours of 3x4"),
        ('{"tour": 3}', "line 1: expected a tour as a list of names"),
        ('["a1"]\n{"tours": [["a1"], 3]}', "line 2: expected a tour as a list of names"),
        ('["a1"', "line 1: no JSON"),
        ('{"tours": 0}', "expected tours, got a list of none"),
    ],
)
def test_files_without_tours(kt_cp, tmp_path, text, message):
    file = tmp_path / "tours"
    file.write_text(text)
    arguments = ("export", "3x4", "--start", "a1", "--tours", file)
    refused(kt_cp(*arguments, "--encoding", FOR_PROOFS), message)
    refused(kt_cp(*arguments), "--tours: expected --encoding certificate beside it")
