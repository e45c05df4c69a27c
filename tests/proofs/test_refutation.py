"""Refutations: the checker refuses a proof with a single fault, line by line and cut by cut."""

from __future__ import annotations

import base64
import json
import zlib
from itertools import combinations, pairwise

import pytest

from kt_cp.model.board import square_name
from kt_cp.trust.check import Reason, Refusal
from kt_cp.trust.check.instance import BUDGET
from kt_cp.trust.check.refutation import check_lemmas, digest, dimacs, unpack_proof
from tests.examples.certificates import (
    board,
    certificate,
    formula,
    graph,
    packed,
    ranks,
    reason,
    reason_of,
    refutation,
    refuted,
    signed,
)

CLOSED_3X8 = board(3, 8, closed=True)
PARTS = refuted(CLOSED_3X8, pack=False)
LINES, CUTS = PARTS["proof"], PARTS["cuts"]


def answer(lines=LINES, cuts=CUTS, problem=CLOSED_3X8, tight=()):
    """Return why a changed refutation with correct digests is refused."""
    return reason(problem, refutation(problem, lines, cuts, tight))


def refuses(lines, variables=2, clauses=((1, 2), (-1, 2), (1, -2), (-1, -2))):
    try:
        check_lemmas(variables, [list(clause) for clause in clauses], lines)
    except Refusal as refusal:
        return refusal.reason
    return None


def test_the_refutation_is_accepted_as_a_list_and_packed():
    assert answer() is None
    assert reason(CLOSED_3X8, PARTS) is None
    assert len(LINES) > 3 and len(CUTS) > 3


def test_every_line_is_needed():
    # The proof is trimmed, so without any of its lines some lemma does not follow.
    for place in range(len(LINES)):
        shorter = LINES[:place] + LINES[place + 1 :]
        expected = {Reason.BAD_LEMMA, Reason.OUT_OF_RANGE, Reason.NO_EMPTY_CLAUSE}
        assert answer(shorter) in expected, place


def test_no_two_lines_can_be_exchanged_where_one_needs_the_other():
    for place in range(len(LINES) - 1):
        exchanged = [*LINES]
        exchanged[place : place + 2] = exchanged[place : place + 2][::-1]
        hints = LINES[place + 1].split(" 0 ")[-1].split()
        number = str(len(formula(CLOSED_3X8, CUTS)[1]) + place + 1)
        if number in hints:
            assert answer(exchanged) in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE), place


def test_every_hint_is_needed_and_their_order_matters():
    for place, line in enumerate(LINES):
        lemma, hints = line.removesuffix(" 0").rsplit("0 ", 1)
        hints = hints.split()
        for gone in range(len(hints)):
            shorter = hints[:gone] + hints[gone + 1 :]
            changed = [*LINES]
            changed[place] = f"{lemma}0 {' '.join([*shorter, '0'])}"
            assert answer(changed) is Reason.BAD_LEMMA, (place, gone)
        backwards = [*LINES]
        backwards[place] = f"{lemma}0 {' '.join([*hints[::-1], '0'])}"
        assert len(hints) == 1 or answer(backwards) is Reason.BAD_LEMMA, place
        twice = [*LINES]
        twice[place] = f"{lemma}0 {' '.join([*hints, hints[-1], '0'])}"
        assert answer(twice) is Reason.BAD_LEMMA, place


def test_every_cut_is_needed_and_their_order_matters():
    # The clause numbers in the lines depend on it; a formula without cuts has models.
    for place in range(len(CUTS)):
        assert answer(cuts=CUTS[:place] + CUTS[place + 1 :]) is not None
    assert answer(cuts=[]) in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE)
    assert answer(cuts=CUTS[::-1]) is not None
    assert answer(cuts=[cut[::-1] for cut in CUTS]) is None  # the order of its squares does not


def test_other_cuts():
    for cut in CUTS:
        for square in cut[:2]:
            changed = [[each for each in cut if each != square], *CUTS[1:]]
            assert answer(cuts=changed) is not None


@pytest.mark.parametrize("problem", [CLOSED_3X8, board(4, 4)])
def test_cuts_that_say_nothing(problem):
    evidence = refuted(problem)
    names = [
        square_name((row, file))
        for row in range(problem["rows"])
        for file in range(problem["columns"])
    ]
    assert reason(problem, {**evidence, "cuts": [[], *evidence["cuts"]]}) is Reason.EMPTY_SET
    assert reason(problem, {**evidence, "cuts": [*evidence["cuts"], names]}) is Reason.WHOLE_SET
    assert reason(problem, {**evidence, "cuts": [["a1", "z9"]]}) is Reason.BAD_SQUARE
    assert reason(problem, {**evidence, "cuts": [["a1", "a1"]]}) is Reason.BAD_SQUARE
    assert reason(problem, {**evidence, "cuts": ["a1"]}) is Reason.WRONG_SHAPE
    assert reason(problem, {**evidence, "cuts": None}) is Reason.WRONG_SHAPE
    assert reason(problem, {**evidence, "cuts": [["a1"]] * 200_001}) is Reason.TOO_LARGE


@pytest.mark.parametrize(
    "problem",
    [
        board(3, 8),
        board(3, 8, start="a1", end="b1"),
        board(3, 10, closed=True),
        board(8, 3, closed=True),
        board(3, 8, "a1", "b1", closed=True),
        {**graph(["ab", "bc", "ca"]), "closed": True},
    ],
)
def test_another_problem(problem):
    # The formula differs, whether its digest is old or new.
    cuts = [] if "nodes" in problem else CUTS
    if "missing" in problem and (problem["missing"] or problem["rows"] == 8):
        cuts = []
    assert reason(problem, {**PARTS, "cuts": cuts}) is Reason.WRONG_DIGEST
    assert answer(problem=problem, cuts=cuts) is not None


def test_digests():
    for what in ("formula", "proof"):
        for value in ("", None, 7, PARTS["digests"][what].upper(), ["x"]):
            digests = {**PARTS["digests"], what: value}
            assert reason(CLOSED_3X8, {**PARTS, "digests": digests}) is Reason.WRONG_DIGEST
        assert reason(CLOSED_3X8, {**PARTS, "digests": {what: ""}}) is Reason.WRONG_SHAPE
    digests = {**PARTS["digests"], "cuts": ""}
    assert reason(CLOSED_3X8, {**PARTS, "digests": digests}) is Reason.WRONG_SHAPE
    assert reason(CLOSED_3X8, {**PARTS, "digests": None}) is Reason.WRONG_SHAPE
    shorter = {**PARTS, "proof": LINES[1:]}
    assert reason(CLOSED_3X8, shorter) is Reason.WRONG_DIGEST


def test_the_end_of_a_proof():
    assert answer([]) is Reason.NO_EMPTY_CLAUSE
    assert answer(LINES[:-1]) is Reason.NO_EMPTY_CLAUSE
    variables, clauses = formula(CLOSED_3X8, CUTS)
    first = " ".join(map(str, clauses[0]))
    again = f"{first} 0 1 0"
    assert answer([*LINES, again]) is Reason.NO_EMPTY_CLAUSE
    assert answer([again, again]) is Reason.NO_EMPTY_CLAUSE
    assert answer([f"{variables + 1} 0 1 0", *LINES]) is Reason.OUT_OF_RANGE
    assert answer(["0 0", *LINES]) is Reason.BAD_LEMMA
    assert answer(["0 1 0"]) is Reason.BAD_LEMMA


LEMMAS = [
    (["2 0 1 2 0", "0 5 3 4 0"], None),
    (["2 0 1 2 0 ", " 0  5 3 4 0"], None),  # blanks do not matter
    (["2 2 0 1 2 0", "0 5 3 4 0"], Reason.BAD_LEMMA),  # a clause with a literal twice is not unit
    (["2 0 1 2 0", "0 5 4 3 0"], None),
    (["0 1 2 3 4 0"], Reason.BAD_LEMMA),  # nothing is unit at first
    (["2 0 1 2 0"], Reason.NO_EMPTY_CLAUSE),
    ([], Reason.NO_EMPTY_CLAUSE),
    (["2 0 1 3 0"], Reason.BAD_LEMMA),  # clause 3 is true by then
    (["1 -1 0 1 0"], Reason.BAD_LEMMA),  # a tautology
    (["1 2 0 1 1 0"], Reason.BAD_LEMMA),  # continues after its conflict
    (["2 0 0"], Reason.BAD_LEMMA),
    (["1 -1 2 0 1 0", "2 0 1 2 0", "0 6 3 4 0"], Reason.BAD_LEMMA),  # a tautology
    (["2 0 1 1 2 0", "0 5 3 4 0"], Reason.BAD_LEMMA),  # clause 1 is already true
    (["2 0 5 0"], Reason.OUT_OF_RANGE),  # a lemma does not prove itself
    (["2 0 6 0"], Reason.OUT_OF_RANGE),
    (["2 0 -1 2 0"], Reason.OUT_OF_RANGE),
    (["3 0 1 2 0"], Reason.OUT_OF_RANGE),
    (["-3 0 1 2 0"], Reason.OUT_OF_RANGE),
    ([f"{10**30} 0 1 2 0"], Reason.OUT_OF_RANGE),
    ([f"{'9' * 5000} 0 1 2 0"], Reason.WRONG_SHAPE),
    (["2 0 1 2"], Reason.WRONG_SHAPE),
    (["2 1 2 0"], Reason.WRONG_SHAPE),
    (["2 0 1 0 2 0"], Reason.WRONG_SHAPE),
    (["2 0 1 2 0 7"], Reason.WRONG_SHAPE),
    (["0"], Reason.WRONG_SHAPE),
    ([""], Reason.WRONG_SHAPE),
    (["d 1 0"], Reason.WRONG_SHAPE),
    (["c a comment"], Reason.WRONG_SHAPE),
    (["2 0 1.0 2 0"], Reason.WRONG_SHAPE),
    (["2 0 +1 2 0"], Reason.WRONG_SHAPE),
    (["2 0 1 2_0 0"], Reason.WRONG_SHAPE),
    (["2 0 ١ 2 0"], Reason.WRONG_SHAPE),
    (["2 0 1 --2 0"], Reason.WRONG_SHAPE),
    (["2 0 1-2 0"], Reason.WRONG_SHAPE),
    (["2\t0 1 2 0"], Reason.WRONG_SHAPE),
    (["2 0 1 2 0\r"], Reason.WRONG_SHAPE),
]


@pytest.mark.parametrize(("lines", "expected"), LEMMAS)
def test_lemmas(lines, expected):
    assert refuses(lines) is expected


def test_the_work_on_a_proof_is_bounded(monkeypatch):
    lines = ["2 0 1 2 0", "0 5 3 4 0"]  # the checker visits nine literals
    monkeypatch.setitem(BUDGET, "literals examined", 9)
    assert refuses(lines) is None
    monkeypatch.setitem(BUDGET, "literals examined", 8)
    assert refuses(lines) is Reason.TOO_LARGE


def test_an_empty_clause_in_the_formula():
    assert refuses(["0 1 0"], 0, [[]]) is None
    assert refuses(["0 0"], 0, [[]]) is Reason.BAD_LEMMA
    assert refuses(["0 1 0"], 0, []) is Reason.OUT_OF_RANGE


def test_what_proofs_are_packed_in():
    text = "2 0 1 2 0\n0 5 3 4 0\n"
    compressed = zlib.compress(text.encode())
    for lines in (text.splitlines(), packed(text)):
        assert unpack_proof(lines) == text
    for value in (
        base64.b64encode(compressed[:-1]).decode(),
        base64.b64encode(compressed + b"\0").decode(),
        base64.b64encode(compressed + compressed).decode(),
        base64.b64encode(text.encode()).decode(),
        base64.b64encode(zlib.compress("é".encode())).decode(),
        base64.b64encode(compressed).decode()[:-1],
        base64.b64encode(compressed).decode() + "!",
        "é" + base64.b64encode(compressed).decode(),
        text.replace("\n", " "),
        "",
        base64.b64encode(compressed).decode() + "\n",
        None,
        7,
        {"0": text},
        [text],
        [*text.splitlines(), None],
        ["\ud800"],
    ):
        with pytest.raises(Refusal) as refused:
            unpack_proof(value)
        assert refused.value.reason is Reason.WRONG_SHAPE, value
    with pytest.raises(Refusal) as refused:
        unpack_proof(["1 " * 5001])
    assert refused.value.reason is Reason.TOO_LARGE


def test_tight_sets():
    problem, inner = board(4, 6, closed=True), ranks(6, 2, 3)
    evidence = refuted(problem, [inner], pack=False)
    assert reason(problem, evidence) is None
    less = refutation(problem, evidence["proof"], evidence["cuts"])
    assert reason(problem, less) in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE)
    assert reason(problem, {**evidence, "tight": []}) is Reason.WRONG_DIGEST
    assert reason(problem, {**evidence, "tight": [[]]}) is Reason.EMPTY_SET
    assert reason(problem, {**evidence, "tight": [ranks(6, 1, 2, 3, 4)]}) is Reason.WHOLE_SET
    # If the sets contradict each other, there is nothing left to refute.
    sides = ["c1", "d1", "c2", "d2", "c3", "d3"]
    evidence = {**refuted(board(3, 6)), "tight": [sides]}
    assert reason(board(3, 6), evidence) is Reason.WRONG_SHAPE


def test_truncated_refutations():
    text = json.dumps(signed(certificate(CLOSED_3X8, refuted(CLOSED_3X8))))
    assert reason_of(text) is None
    for length in range(0, len(text), 7):
        assert reason_of(text[:length]) is Reason.NOT_JSON


def test_formulas_by_hand():
    # A triangle: edges ab, ac, bc are 1, 2, 3; both edges of every node are chosen.
    triangle = {**graph(["ab", "bc", "ca"]), "closed": True}
    assert formula(triangle) == (3, [[1], [2], [1], [3], [2], [3]])
    # As an open tour: an end, joined to all three by edges 3, 5 and 6.
    variables, clauses = formula({**triangle, "closed": False}, [["a"]])
    a, b, c, end = (1, 2, 3), (1, 4, 5), (2, 4, 6), (3, 5, 6)
    expected = []
    for x, y, z in (a, b, c, end):
        expected += [[x, y], [x, z], [y, z], [-x, -y, -z]]
    assert (variables, clauses) == (6, [*expected, [1, 2, 3]])
    assert dimacs(1, [[1], [-1], []]) == "p cnf 1 3\n1 0\n-1 0\n0\n"
    assert digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_node_of_many_edges():
    # Its clauses have auxiliary variables; with these, exactly two edges are chosen.
    from pysat.solvers import Solver

    rim = "bcdefghijk"
    wheel = {**graph([f"a{each}" for each in rim] + [f"{u}{v}" for u, v in pairwise(rim)])}
    wheel["closed"] = True
    variables, clauses = formula(wheel)
    assert variables == len(wheel["edges"]) + 2 * len(rim)
    for size in range(4):
        for chosen in combinations(range(1, 11), size):
            picked = [each if each in chosen else -each for each in range(1, 11)]
            hub = [clause for clause in clauses if max(map(abs, clause)) > 19]
            with Solver(name="minisat22", bootstrap_with=hub) as solver:
                assert solver.solve(assumptions=picked) == (size == 2)


def test_boards_and_graphs_have_the_same_formula_where_they_are_the_same():
    closed = board(3, 4, closed=True)
    edges = [["a1", "c2"], ["a1", "b3"], ["b1", "d2"], ["b1", "a3"], ["b1", "c3"], ["c1", "a2"]]
    edges += [["c1", "b3"], ["c1", "d3"], ["d1", "b2"], ["d1", "c3"], ["a2", "c3"], ["b2", "d3"]]
    edges += [["c2", "a3"], ["d2", "b3"]]
    nodes = ranks(4, 1, 2, 3)
    conditions = {"closed": True, "start": None, "end": None}
    assert formula({"nodes": nodes, "edges": edges, **conditions}) == formula(closed)
