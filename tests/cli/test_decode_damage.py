"""``kt-cp decode``: formulas that were changed, by hand or by accident, and usage that is wrong."""

from __future__ import annotations

import hashlib
import random
from itertools import product

import pytest

from kt_cp import defects
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.formats.formula import dimacs_pieces, read_dimacs
from kt_cp.model.board import parse_squares
from tests.cli.test_export import problem_of
from tests.examples.formulas import competition, looped, solved
from tests.support.command_line import refused
from tests.support.exhaustive import exhaustive


def rewritten(path, **changes):
    """The formula with other fields, and a digest that fits."""
    formula = read_dimacs(path.read_bytes())
    clauses, clause = [], []
    for literal in formula.literals.tolist():
        clause = [*clause, literal] if literal else clauses.append(clause) or []
    clauses = changes.pop("clauses", clauses)
    variables = changes.pop("variables", formula.variables)
    told = {key: text for key, (text, _) in formula.fields.items() if key != "sha256"}
    told = {key: text for key, text in {**told, **changes}.items() if text is not None}
    path.write_text("".join(dimacs_pieces(variables, clauses, told, [])))


BOARD = '{"rows": 3, "columns": 4, "missing": [], "closed": false, "start": null, "end": null}'


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"problem": None}, ["expected a line 'c kt_cp problem …', got none"]),
        ({"encoding": None}, ["expected a line 'c kt_cp encoding …', got none"]),
        ({"encoding": "nonsense"}, ["line 2: expected an encoding, one of", "'nonsense'"]),
        ({"encoding": "../lazy"}, ["expected an encoding"]),
        ({"encoding": "lazy"}, ["not what the lazy encoding makes of 3x4, open"]),
        ({"version": "0.0.7"}, None),
        ({"version": "0.0.7", "variables": 5000}, ["from kt_cp 0.0.7, and this is"]),
        ({"problem": "{"}, ["line 1: ", "line 1: "]),
        ({"problem": "[]"}, ["line 1: expected an object"]),
        ({"problem": "[" * 100_000}, ["line 1: nested beyond all reason"]),
        ({"problem": BOARD.replace("3", "4", 1)}, ["not what the position encoding makes of 4x4"]),
        ({"problem": BOARD.replace("false", "true")}, ["makes of 3x4, closed"]),
        ({"problem": BOARD.replace("false", "1")}, ["expected true or false"]),
        ({"problem": BOARD.replace("3", "0", 1)}, ["line 1: expected rows from 1"]),
        ({"problem": BOARD.replace("3", "9" * 5000, 1)}, ["thousands of digits"]),
        ({"problem": BOARD.replace("3", "9" * 17, 1)}, ["clauses cannot state"]),
        ({"problem": BOARD.replace("3", "60", 1).replace("4", "60")}, ["cannot state 60x60"]),
        ({"problem": BOARD.replace("3", "1", 1).replace("4", "2")}, ["at least 3 squares"]),
        ({"problem": BOARD.replace("[]", '["z9"]')}, ["'z9' is not on 3x4"]),
        ({"problem": BOARD.replace("null", '"a1"', 1)}, ["makes of 3x4, open, from a1"]),
        ({"problem": BOARD.replace("}", ', "more": 1}')}, ["'more' plays no part"]),
        ({"clauses": [[1], [-1]]}, ["not what the position encoding makes of"]),
        ({"clauses": [[1], [-1], [2]]}, ["3 clauses cannot state 3x4"]),
        ({"clauses": [[1]] * 500}, ["not what the position encoding makes of"]),
    ],
)  # fmt: skip
def test_formulas_with_a_fitting_digest(kt_cp, export, changes, said):
    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    rewritten(cnf, **changes)
    ran = kt_cp("decode", cnf, answer)
    if said is None:
        assert ran.code == 0
    else:
        refused(ran, *said)


def lines_changed(text, change):
    return "\n".join(change(text.split("\n")))


@pytest.mark.parametrize(
    ("change", "said"),
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
        (lambda t: t + "1 2", ["expected a whole line, got the end of the file"]),
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
def test_formulas_that_are_none(kt_cp, export, change, said):
    cnf, answer = export("3x4")
    answer.write_text(competition(solved(cnf)))
    cnf.write_bytes(change(cnf.read_text("utf-8")).encode("utf-8", "surrogateescape"))
    refused(kt_cp("decode", cnf, answer), f"{cnf}: ", *said)


@pytest.mark.parametrize(
    ("head", "clause", "said"),
    [
        ("2 2", "1 0", "line 2: expected 2 clauses, got 1"),
        ("2 1", "3 0", "line 3: expected literals up to 2, got 3"),
    ],
)
def test_literals_and_counts_are_held_against_the_head(head, clause, said):
    body = f"p cnf {head}\n{clause}\n"
    digest = hashlib.sha256(body.encode()).hexdigest()
    with pytest.raises(ValueError, match=said):
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
    """Some bytes changed, put in, left out, or moved."""
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
    problem, codes, kept = problem_of(line), set(), {}
    for case in cases:
        name, which, seed = case
        if name not in kept:
            cnf, answer = export(line, name)
            looped(kt_cp, cnf, answer)
            kept[name] = cnf.read_bytes(), answer.read_bytes()
        formula, answered = kept[name]
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
        ran = kt_cp("decode", cnf, answer, "--format", "names")
        assert ran.code in (0, 2, 3, 70), (case, ran)
        assert "Traceback" not in ran.err and "a bug" not in ran.err, (case, ran)
        if ran.code == 0:
            assert not defects(problem, parse_squares(ran.out)), case
        else:
            assert ran.out == "", (case, ran)
            assert ran.err.startswith("kt-cp: ") and ran.err.count("\n") == 1, (case, ran)
            assert len(ran.err) < 1000, (case, ran)
        codes.add(ran.code)
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
