"""``export --tours`` and ``decode --proof``: lists of tours that other solvers prove complete."""

from __future__ import annotations

import json
import random
import subprocess

import networkx as nx
import pytest

from kt_cp.encodings import FOR_PROOFS
from kt_cp.enumeration import Enumeration
from kt_cp.formats.decode import build_certificate
from kt_cp.formats.formula import encode_problem, formula_pieces, read_formula
from kt_cp.model.errors import FormulaFileError, InputError
from kt_cp.model.problem import Problem
from kt_cp.trust.check import check
from tests.cli.test_decode import logged, rewritten
from tests.examples.certificates import accepts
from tests.examples.formulas import looped
from tests.support.command_line import PATIENCE, refused
from tests.support.foreign_solvers import KISSAT

CLUES = Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27})


@pytest.fixture
def listed(kt_cp, tmp_path):
    """All tours of a question, the formula without them, the answer, and a proof."""

    def make(*question, shape="names", but=0):
        tours, cnf, answer = (tmp_path / name for name in ("tours", "list.cnf", "answer"))
        assert kt_cp("enumerate", *question, "--undirected", "--format", shape, "-o", tours,
                     "--force").code == 0  # fmt: skip
        lines = tours.read_text().splitlines(keepends=True)
        tours.write_text("".join(lines[but:]))
        asked = (*question, "--encoding", FOR_PROOFS, "--tours", tours, "-o", cnf, "--force")
        assert kt_cp("export", *asked).code == 0
        ran, _ = looped(kt_cp, cnf, answer)
        proof = tmp_path / "proof"
        if not but:
            proof.write_text(logged(cnf))
        return ran, cnf, answer, proof

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
    ran, cnf, answer, proof = listed(*question, shape=shape)
    assert ran.code == 1 and "of the list are all, claims the solver" in ran.err + ran.out
    kept = tmp_path / "all.json"
    ran = kt_cp("decode", cnf, answer, "--proof", proof, "-o", kept)
    assert (ran.code, ran.out) == (0, "") and f": {claim}" in ran.err
    document = json.loads(kept.read_text())
    assert accepts(document) and f"): {claim}" in kt_cp("check", kept).out
    told = kt_cp("decode", cnf, answer, "--proof", proof).out
    assert told.lower().startswith(claim) and "the empty clause follows in " in told


def test_a_tour_that_is_not_listed_is_found(listed):
    ran, *_ = listed("3x4", "--start", "a1", but=1)
    assert ran.code == 0 and "the 1 tour of the list are not all" in ran.err.replace("\n", " ")


@pytest.mark.slow
def test_the_proof_of_another_program(kt_cp, listed, tmp_path):
    _, cnf, answer, proof = listed("5x6", "--closed", "--given", "a1=1,f2=9,c1=27")
    command = [KISSAT, "-q", "--plain", "--force", str(cnf), str(proof)]
    ran = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 20, ran
    answer.write_bytes(ran.stdout)
    kept = tmp_path / "all.json"
    assert kt_cp("decode", cnf, answer, "--proof", proof, "-o", kept).code == 0
    assert "the only tour" in kt_cp("check", kept).out


def formula_of(problem, tours=None):
    """The formula without all tours, as text, and a proof that it has no model."""
    tours = [*Enumeration(problem)] if tours is None else tours
    return "".join(formula_pieces(encode_problem(problem, FOR_PROOFS, tours)))


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A formula with one tour excluded, in a file, and its proof."""
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
    """Lists that are not that of the formula, and what is said of them."""
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
    for tours, said in other_lists(formula.tours):
        copy = tmp_path / "copy.cnf"
        copy.write_bytes(path.read_bytes())
        rewritten(copy, tours=json.dumps({"tours": tours}))
        with pytest.raises(FormulaFileError, match=said):
            read_formula(copy.read_bytes())
    for told in ("{}", "[", "3"):
        rewritten(copy, tours=told)
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
    ("text", "said"),
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
def test_files_without_tours(kt_cp, tmp_path, text, said):
    file = tmp_path / "tours"
    file.write_text(text)
    asked = ("export", "3x4", "--start", "a1", "--tours", file)
    refused(kt_cp(*asked, "--encoding", FOR_PROOFS), said)
    refused(kt_cp(*asked), "--tours: expected --encoding certificate beside it")
