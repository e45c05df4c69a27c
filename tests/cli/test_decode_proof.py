"""``kt-cp decode --proof``: proofs of solvers that are not ours become certificates, or nothing."""

from __future__ import annotations

import json
import random
import subprocess

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from kt_cp.encodings import FOR_PROOFS
from kt_cp.formats.decode import build_certificate, read_proof
from kt_cp.formats.formula import read_formula
from kt_cp.model.errors import FormulaFileError
from kt_cp.processes.isolate import Ended
from kt_cp.proofs.trimming import parse_drup
from kt_cp.trust.check import check
from kt_cp.trust.check.instance import BUDGET
from tests.cli.test_decode import rewritten
from tests.cli.test_export import problem_of
from tests.examples.formulas import IMPOSSIBLE, competition, looped, solved
from tests.support.command_line import PATIENCE, refused
from tests.support.foreign_solvers import KISSAT, program


def logged(cnf, solver="glucose4"):
    """Proof of a file in DIMACS without a model, as text."""
    with Solver(name=solver, bootstrap_with=CNF(from_file=str(cnf)), with_proof=True) as native:
        assert native.solve() is False
        return "".join(f"{line}\n" for line in native.get_proof())


def binary(steps):
    """Steps as binary DRAT, one byte after the other."""
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
    """Steps as lines of LRAT, with hints and a deletion that say nothing true."""
    lines = [
        f"{number} {' '.join(map(str, [*literals, 0]))} 1 2 0"
        for number, (deletes, literals) in enumerate(steps, start=1000)
        if not deletes
    ]
    return "\n".join(["1000 d 1 2 0", *lines, ""]).encode()


@pytest.fixture
def refuted(kt_cp, export, tmp_path):
    """A formula with its cuts, the answer that it has no model, and a proof of that."""

    def make(line="3x8 --closed"):
        cnf, answer = export(line, FOR_PROOFS)
        ran, _ = looped(kt_cp, cnf, answer)
        assert ran.code == 1
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
    ran = kt_cp("decode", cnf, answer, "--proof", proof, "-o", no)
    label = problem_of(line).label
    assert ran.code == 1
    assert ran.out.startswith(f"No tour ({label}): ") and "the formula of " in ran.out
    assert "IMPOSSIBLE by decode:certificate; backed by: refutation, a checked cert" in ran.err
    document = json.loads(no.read_text("utf-8"))
    assert document["evidence"]["kind"] == "refutation"
    assert check(document).problem == problem_of(line)
    ran = kt_cp("check", no)
    assert ran.code == 0 and ran.out.startswith(f"A proof ({label}): no tour, by refutation")


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
        text.removesuffix(b"0\n"),  # the empty clause follows from what is there
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
    asked = ("decode", cnf, answer, "--proof", proof)
    told = kt_cp(*asked, "--json")
    assert told.code == 1 and check(json.loads(told.out)).kind == "refutation"
    drawn = kt_cp(*asked, "--format", "svg")
    assert drawn.code == 1 and drawn.out.startswith("<svg") and drawn.out.endswith("</svg>\n")
    assert kt_cp(*asked, "-o", tmp_path / "no.svg").code == 1
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
    ran, _ = looped(kt_cp, *export(line, FOR_PROOFS))
    assert ran.code == 0 and "FOUND by decode:certificate; verified, replayed" in ran.err


def test_where_there_is_a_model_no_proof_is_read(kt_cp, export, tmp_path):
    cnf, answer = export("3x4", FOR_PROOFS)
    answer.write_text(competition(solved(cnf)))
    ran = kt_cp("decode", cnf, answer, "--proof", tmp_path / "none")
    assert ran.code == 0 and "FOUND by decode:certificate; verified, replayed" in ran.err


# --- in a process of its own ----------------------------------------------------------------------


def test_under_a_limit(kt_cp, refuted):
    cnf, answer, proof = refuted()
    ran = kt_cp("decode", cnf, answer, "--proof", proof, "--time-limit", PATIENCE)
    assert ran.code == 1 and "backed by: refutation, a checked certificate" in ran.err
    ran = kt_cp("decode", cnf, answer, "--proof", proof, "--time-limit", "0")
    refused(ran, "expected a time limit above 0")


@pytest.mark.parametrize(("how", "what"), [("timeout", "time"), ("memory", "memory")])
def test_a_limit_that_is_reached(kt_cp, refuted, monkeypatch, tmp_path, how, what):
    ended = Ended(how, None, 1.0, 1.0)
    monkeypatch.setattr("kt_cp.formats.decode.isolate.call", lambda *_, **__: ended)
    monkeypatch.setattr("kt_cp.formats.decode.SMALL", 0)
    cnf, answer, proof = refuted()
    ran = kt_cp("decode", cnf, answer, "--proof", proof, "-o", tmp_path / "no.json")
    assert ran.code == 3
    assert f"the {what} limit was reached in the check of the proof" in ran.err
    assert json.loads((tmp_path / "no.json").read_text("utf-8"))["verdict"] == "UNKNOWN"


# --- what is no proof -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "after all 0 steps of the proof nothing is refuted: it is a proof of another"),
        (b"c nothing\n", "after all 0 steps"),
        (b"1 2 3 0\n", "after all 1 steps of the proof nothing is refuted"),
        (b"0\n", "step 1 of the proof does not follow by unit propagation: []"),
        (b"1 0\n-1 0\n0\n", "of the proof does not follow by unit propagation: ["),
        (b"1 0\n-1 0\n0\n", "or has steps by RAT, of which a certificate has none"),
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
        (b"a\x02\x00a\x02", "byte 5: expected 0 after the last step, got the end"),
        (b"a\x02\x80\x80\x80\x80\x80\x01\x00", "byte 3: expected a number of at most 5 bytes"),
        (b"a\x02\x83\x00", "byte 3: expected a number that ends with a byte above 0"),
        (b"a\x02\x01\x00", "byte 3: expected a literal, got 0 and its opposite"),
        (b"a\x02\xfe\xff\x07\x00", "byte 3: expected variables up to 38, got 65,535"),
    ],
)
def test_damaged_proofs(kt_cp, refuted, tmp_path, data, said):
    cnf, answer, proof = refuted("3x8 --closed")
    assert read_formula(cnf.read_bytes())[1].variables == 38
    proof.write_bytes(data)
    ran = kt_cp("decode", cnf, answer, "--proof", proof, "-o", tmp_path / "no.json")
    refused(ran, f"{proof}: ", said)
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
    ran = kt_cp("decode", cnf, answer, "--proof", tmp_path / "p", "-o", tmp_path / "no.json")
    refused(ran, f"a proof over the {name} encoding is none of a certificate", "--encoding certif")
    assert not (tmp_path / "no.json").exists()


def test_clauses_that_are_no_cuts(kt_cp, refuted):
    cnf, answer, proof = refuted()
    formula, _ = read_formula(cnf.read_bytes())
    number = len(formula.cnf.clauses) + 1
    for clause in ([1, 2, 3], [-1], [-2, 3], [38]):
        rewritten(cnf, clauses=[*formula.cnf.clauses, clause, *formula.cuts])
        ran = kt_cp("decode", cnf, answer, "--proof", proof)
        refused(ran, f"{cnf}: clause {number} of the formula is no cut of a certificate")


def test_what_is_too_large(kt_cp, refuted, monkeypatch):
    cnf, answer, proof = refuted()
    asked = ("decode", cnf, answer, "--proof", proof)
    with monkeypatch.context() as patched:
        patched.setattr("kt_cp.formats.decode.MOST_BYTES", 10)
        refused(kt_cp(*asked), "expected a proof in at most 0 MB, got more in")
    monkeypatch.setitem(BUDGET, "literals looked at", 10)
    refused(kt_cp(*asked), "the proof is right, and longer than a certificate may be")


# --- solvers of others ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", [[], ["--no-binary"]], ids=["binary", "text"])
@pytest.mark.parametrize("solver", ["cadical", "kissat"])
def test_the_proofs_of_other_programs(kt_cp, refuted, tmp_path, solver, form):
    path = KISSAT if solver == "kissat" else program(solver)
    cnf, answer, proof = refuted("3x8 --closed")
    command = [path, "-q", "--plain", *form, "--force", cnf, proof]
    ran = subprocess.run([*map(str, command)], capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 20, ran
    answer.write_bytes(ran.stdout)
    no = tmp_path / "no.json"
    assert kt_cp("decode", cnf, answer, "--proof", proof, "-o", no).code == 1
    assert kt_cp("check", no).code == 0
