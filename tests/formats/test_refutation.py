"""Refutations for other programs: what the files say, and that a checker of others accepts them."""

from __future__ import annotations

import shutil
import subprocess

import dratify
import networkx as nx
import pytest

from kt_cp import Board, Problem, check, parse_square, prove
from kt_cp.formats.refutation import formula_text, proof_text
from kt_cp.model.limits import Limits
from kt_cp.model.request import Request
from kt_cp.proofs.certificate import build_certificate
from kt_cp.proofs.refutation import find_refutation
from kt_cp.trust.check.refutation import digest

BOARDS = [
    ("3x8", ["--closed"]),
    ("4x4", []),
    ("3x6", []),
    ("4x7", ["--start", "b2", "--end", "g4"]),
    ("4x5", ["--start", "b2", "--end", "c2"]),
    ("4x4", ["--missing", "b2,c2"]),
    ("1x2", []),  # two squares without a move: clauses without literals
]


def commented(text):
    return [line[2:] for line in text.splitlines() if line.startswith("c ")]


def number_of(text, move):
    return next(line.split()[0] for line in commented(text) if line.split()[1:] == [move])


def bare(text):
    return "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("c "))


@pytest.mark.parametrize(("board", "options"), BOARDS, ids=lambda value: "".join(value))
def test_another_checker_accepts_the_files(kt_cp, tmp_path, board, options):
    cnf, drat, certificate = (tmp_path / name for name in ("f.cnf", "f.drat", "no.json"))
    result = kt_cp("prove", board, *options, "--cnf", cnf, "--drat", drat, "-o", certificate)
    assert result.code == 0
    assert result.out.startswith("No tour (")
    assert "proved by refutation in " in result.err
    formula, proof = cnf.read_text("ascii"), drat.read_text("ascii")
    assert dratify.check_proof(dratify.parse_dimacs(formula), proof).ok
    # The formula of the certificate: the one that its digest is made from, cuts and all.
    assert check(certificate.read_bytes()).kind == "refutation"
    assert digest(bare(formula)) in certificate.read_text()
    lines = proof.splitlines()
    assert lines[-1] == "0"
    assert all(line.split()[-1] == "0" and line.split().count("0") == 1 for line in lines)


def test_either_file_alone(kt_cp, tmp_path):
    result = kt_cp("prove", "3x4", "--closed", "--cnf", tmp_path / "f")
    assert (result.code, "No tour (3x4, closed)" in result.out) == (0, True)
    assert (tmp_path / "f").read_text().startswith("c 3x4, closed: ")
    assert kt_cp("prove", "3x4", "--closed", "--drat", tmp_path / "g").code == 0
    assert (tmp_path / "g").read_text().splitlines()[-1] == "0"


def test_of_a_directed_graph_it_is_the_formula_of_the_checker(kt_cp, tmp_path):
    graph = nx.complete_bipartite_graph(2, 3).to_directed()
    problem = Problem(graph=graph, closed=True, require=[(0, 2)], forbid=[(3, 0)])
    made = prove(problem, "refutation").certificate
    formula = formula_text(made)
    assert dratify.check_proof(dratify.parse_dimacs(formula), proof_text(made)).ok
    assert digest(bare(formula)) in made.to_json()
    assert {'1 "in 0"-"at 0"', "Forbidden moves have none."} < {*commented(formula)}
    (tmp_path / "no.json").write_text(made.to_json())
    assert kt_cp("check", tmp_path / "no.json", "--cnf", tmp_path / "f.cnf").code == 0
    assert bare((tmp_path / "f.cnf").read_text()) == bare(formula)


@pytest.fixture(scope="module")
def closed():
    return prove(Problem(Board(3, 8), closed=True), "refutation").certificate


def test_the_other_checker_refuses_what_was_tampered_with(closed):
    formula, proof = formula_text(closed), proof_text(closed)
    clauses = bare(formula).splitlines()
    without_cuts = "\n".join(["p cnf 38 128", *clauses[1:129]])
    assert dratify.check_proof(dratify.parse_dimacs(formula), proof).ok
    assert not dratify.check_proof(dratify.parse_dimacs(without_cuts), proof).ok
    if len(proof.splitlines()) > 1:
        no_end = "\n".join(proof.splitlines()[:-1])
        alone = dratify.check_proof(dratify.parse_dimacs(formula), "0\n").ok
        assert alone or not dratify.check_proof(dratify.parse_dimacs(formula), no_end).ok


@pytest.mark.skipif(shutil.which("drat-trim") is None, reason="drat-trim is not on the PATH")
def test_drat_trim_accepts_the_files(closed, tmp_path):
    (tmp_path / "f.cnf").write_text(formula_text(closed))
    (tmp_path / "f.drat").write_text(proof_text(closed))
    done = subprocess.run(
        ["drat-trim", "f.cnf", "f.drat"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "s VERIFIED" in done.stdout


def test_comments_name_every_variable_and_every_cut(closed):
    text = formula_text(closed)
    variables, clauses = map(int, bare(text).splitlines()[0].split()[2:])
    words = commented(text)
    moves = [line.split() for line in words if line.split()[0].isdecimal() and "-" in line]
    assert [int(number) for number, _ in moves] == list(range(1, variables + 1))
    squares = [tuple(map(parse_square, move.split("-"))) for _, move in moves]
    assert all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in squares)
    assert len(set(squares)) == 2 * (3 - 1) * (8 - 2) + 2 * (3 - 2) * (8 - 1)
    cuts = [line for line in words if ": a move leaves " in line]
    cuts_named = [line.partition(": a move leaves ")[2].split() for line in cuts]
    assert cuts_named == closed.document["evidence"]["cuts"] != []
    numbers = [int(line.split(":")[0]) for line in cuts]
    assert numbers == list(range(clauses - len(cuts) + 1, clauses + 1))
    assert f"1 to {clauses - len(cuts)}: every square has two moves, square by square" in words
    # A cut is what the words say: the moves between the named squares and all others.
    inside = {parse_square(name) for name in cuts_named[0]}
    leaving = [n for n, (u, v) in enumerate(squares, start=1) if (u in inside) != (v in inside)]
    assert bare(text).splitlines()[numbers[0]] == " ".join(map(str, [*leaving, 0]))


def test_comments_name_ends_and_tight_sets():
    between = prove(Problem(Board(4, 5), start=(1, 1), end=(1, 2)), "refutation").certificate
    words = commented(formula_text(between))
    assert any(line.endswith(" b2-end") for line in words)
    assert any(line.endswith(": moves that every tour must use, for its ends") for line in words)
    problem = Problem(Board(4, 4))
    found = find_refutation(Request.begin(problem, Limits(20)), sets=[["b2", "c3"]]).evidence
    text = formula_text(build_certificate(problem, found))
    certificate = prove(Problem(Board(3, 6)), "refutation").certificate  # ten moves to either end
    assert " count the moves where they are more than 9:" in formula_text(certificate)
    comment = next(line for line in commented(text) if line.endswith(": tight sets"))
    first, last = map(int, comment.split(":")[0].split(" to "))
    units = bare(text).splitlines()[first : last + 1]
    assert all(len(line.split()) == 2 for line in units)
    # No tour begins at b2: an end and b2 are taken away together, and have to join pieces.
    assert f"-{number_of(text, 'b2-end')} 0" in units
    assert dratify.check_proof(
        dratify.parse_dimacs(text), proof_text(build_certificate(problem, found))
    ).ok


def test_only_refutations_have_such_files():
    certificate = prove(Problem(Board(3, 3))).certificate
    for write in (formula_text, proof_text):
        with pytest.raises(ValueError, match=r"expected a refutation, got .* 'degrees'"):
            write(certificate)


def test_comments_name_required_moves_and_leave_forbidden_ones_out():
    problem = Problem(
        Board(2, 4),
        piece="king",
        start=(0, 1),
        end=(1, 1),
        require=[((0, 1), (1, 1))],
        forbid=[((0, 0), (1, 0))],
    )
    made = prove(problem, "refutation").certificate
    text = formula_text(made)
    (line,) = (line for line in commented(text) if line.endswith(": required moves"))
    clause = bare(text).splitlines()[int(line.split(":")[0])]
    assert clause == f"{number_of(text, 'b1-b2')} 0"
    assert "c Forbidden moves have none.\n" in text
    assert [line for line in commented(text)[1:] if "a1-a2" in line] == []  # but in the question
    assert dratify.check_proof(dratify.parse_dimacs(text), proof_text(made)).ok
