"""The checker: examples of every kind are accepted, each lie is refused for its own reason."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from itertools import combinations, pairwise, permutations
from random import Random

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem
from kt_cp.model.piece import MOST_LEAPS
from kt_cp.proofs.certify import narrow_order
from kt_cp.trust.check import RULES, Reason, Refusal, check, formula, parsing, steps
from kt_cp.trust.check.certificate import first_version
from kt_cp.trust.check.formula import LEFT, formula_of
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.instance import BUDGET
from kt_cp.trust.check.parsing import problem_of
from kt_cp.trust.check.split import MOST_DEPTH
from kt_cp.trust.check.steps import clues_of, windows_of
from tests.examples.certificates import (
    AT_TRIANGLE,
    BOWTIE,
    CAMEL,
    CASES,
    CLOSED_BOWTIE,
    COMPLETE,
    CONTRADICTION,
    KING,
    KNIGHT,
    LEAF_B,
    NESTED,
    ONE_MOVE,
    OPEN,
    PAIRS,
    PETERSEN,
    PLAIN_STEP,
    SQUARE,
    STAR,
    SYMMETRIC,
    TREE_4X4,
    TRIANGLE,
    WAZIR,
    accepts,
    board,
    bounds,
    certificate,
    examples_1,
    examples_2,
    examples_4,
    examples_5,
    graph,
    keep,
    narrow,
    on_board,
    on_graph,
    potentials,
    ranks,
    reason,
    reason_of,
    refutation,
    refuted,
    says,
    signed,
    split,
    sweep,
    sweeps,
    undirected,
    use,
)
from tests.examples.random_problems import problems_with_clues
from tests.support.exhaustive import exhaustive, more

INNER = ranks(6, 2, 3)
SIDES = ["c1", "d1", "c2", "d2", "c3", "d3"]
CLOSED_4X6 = board(4, 6, closed=True)
CLOSED_3X8 = board(3, 8, closed=True)
CLOSED_6X6 = board(6, 6, closed=True)


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_examples_are_accepted(problem, evidence):
    checked = check(certificate(problem, evidence))
    assert checked.kind == evidence["kind"]
    assert checked.problem.closed == problem["closed"]
    assert checked.problem.size == len(problem.get("nodes", ())) or checked.problem.board


def test_there_is_an_example_of_every_kind():
    every = [
        *examples_1(),
        *examples_4(),
        *examples_5(),
        *sweeps(),
        *potentials(),
        *undirected(),
        *bounds(),
    ]
    assert {evidence["kind"] for _, evidence in every} == set(RULES)


def kind(name, **parts):
    return {"kind": name, **parts}


def tree(tree_):
    return kind("forced", tree=tree_)


# The problem, the evidence, and why it is refused.
NOT_PROVED = [
    (board(1, 3, closed=True), kind("size"), Reason.WRONG_QUESTION),
    (board(1, 2), kind("size"), Reason.WRONG_QUESTION),
    (board(3, 4), kind("colours"), Reason.NOT_PROVED),
    (board(3, 4, closed=True), kind("colours"), Reason.NOT_PROVED),
    (board(3, 3), kind("colours"), Reason.NOT_PROVED),  # 5 and 4: open tours may have that
    (board(3, 3, start="a1", end="c3"), kind("colours"), Reason.NOT_PROVED),
    (board(3, 4, start="a1", end="b1"), kind("colours"), Reason.NOT_PROVED),
    (board(3, 4, start="a1"), kind("colours"), Reason.NOT_PROVED),
    (board(4, 4, closed=True, start="a1"), kind("colours"), Reason.NOT_PROVED),
    (STAR, kind("colours"), Reason.WRONG_QUESTION),
    (board(3, 3), kind("degrees", squares=["a1"]), Reason.NOT_PROVED),
    (board(3, 3), kind("degrees", squares=[]), Reason.NOT_PROVED),
    (board(3, 3), kind("degrees", squares=["b2", "a1"]), Reason.NOT_PROVED),
    (STAR, kind("degrees", squares=["b", "c"]), Reason.NOT_PROVED),
    (STAR, kind("degrees", squares=["a"]), Reason.NOT_PROVED),
    (STAR | {"start": "a"}, kind("degrees", squares=["b"]), Reason.NOT_PROVED),
    (STAR | {"start": "b"}, kind("degrees", squares=["b", "c"]), Reason.NOT_PROVED),
    (STAR | {"start": "b", "end": "c"}, kind("degrees", squares=["b"]), Reason.NOT_PROVED),
    (graph([], "a", closed=True), kind("degrees", squares=["a"]), Reason.WRONG_QUESTION),
    (board(3, 4), kind("connectivity", squares=["a1", "b1"]), Reason.NOT_PROVED),
    (board(2, 4), kind("connectivity", squares=["a1", "c2"]), Reason.NOT_PROVED),
    (board(2, 4), kind("connectivity", squares=["a1"]), Reason.WRONG_SHAPE),
    (board(2, 4), kind("connectivity", squares=["a1", "b1", "c1"]), Reason.WRONG_SHAPE),
    (graph(["ab"], closed=True), kind("connectivity", squares=["a", "b"]), Reason.WRONG_QUESTION),
    (board(3, 4), kind("cut", squares=["b2"]), Reason.NOT_PROVED),
    (BOWTIE, kind("cut", squares=["c"]), Reason.NOT_PROVED),  # two pieces: an open tour joins them
    (BOWTIE | {"start": "a", "end": "d"}, kind("cut", squares=["c"]), Reason.NOT_PROVED),
    (board(3, 4, closed=True), kind("cut", squares=["c1", "c3"]), Reason.WRONG_SHAPE),
    (board(3, 4), kind("cut", squares="b2"), Reason.WRONG_SHAPE),
    (board(3, 4), kind("removal", squares=["c1", "c3"]), Reason.NOT_PROVED),  # open: three do
    (board(3, 4, closed=True), kind("removal", squares=["c1"]), Reason.NOT_PROVED),
    (board(3, 4, closed=True), kind("removal", squares=["b2", "c2"]), Reason.NOT_PROVED),
    (board(3, 4, start="c1"), kind("removal", squares=["b1", "b3"]), Reason.NOT_PROVED),
    (board(3, 4, closed=True), kind("removal", squares=[]), Reason.EMPTY_SET),
    (board(3, 4, closed=True), kind("removal", squares=ranks(4, 1, 2, 3)), Reason.WHOLE_SET),
    (CLOSED_4X6, kind("tight", sets=[]), Reason.EMPTY_SET),
    (CLOSED_4X6, kind("tight", sets=[[]]), Reason.EMPTY_SET),
    (CLOSED_4X6, kind("tight", sets=[INNER, []]), Reason.EMPTY_SET),
    (CLOSED_4X6, kind("tight", sets=[ranks(6, 1, 2, 3, 4)]), Reason.WHOLE_SET),
    (CLOSED_4X6, kind("tight", sets=[ranks(6, 2)]), Reason.NOT_PROVED),
    (CLOSED_4X6, kind("tight", sets=[ranks(6, 1, 4)]), Reason.NOT_PROVED),
    (board(4, 6), kind("tight", sets=[INNER]), Reason.NOT_PROVED),  # 4x6 has open tours
    (CLOSED_6X6, kind("tight", sets=[ranks(6, 3, 4)]), Reason.NOT_PROVED),
    (CLOSED_3X8, tree({}), Reason.NOT_PROVED),
    (board(3, 8), tree(ONE_MOVE), Reason.NOT_PROVED),  # 3x8 has open tours
    (board(3, 6), tree({"remove": SIDES[:-1]}), Reason.NOT_PROVED),
    (CLOSED_4X6, tree({"remove": INNER}), Reason.NOT_PROVED),
    (CLOSED_4X6, tree({"remove": INNER, "then": {}}), Reason.NOT_PROVED),
    (CLOSED_4X6, tree({"remove": ranks(6, 1, 2, 3, 4)}), Reason.WHOLE_SET),
    (board(3, 6), tree({"remove": SIDES, "then": {}}), Reason.WRONG_SHAPE),  # nothing is left
    (board(3, 6, closed=True), tree({"remove": ["a1"]}), Reason.WRONG_SHAPE),
    (CLOSED_3X8, tree({**ONE_MOVE, "then": {}}), Reason.WRONG_SHAPE),
    (CLOSED_3X8, tree({"move": ["d1", "e3"], "used": {}}), Reason.WRONG_SHAPE),
    (CLOSED_3X8, tree({**ONE_MOVE, "move": ["d1"]}), Reason.WRONG_SHAPE),
    (CLOSED_3X8, tree({**ONE_MOVE, "move": ["d1", "d2"]}), Reason.NOT_PROVED),  # no knight's move
    (  # harmless, since nobody uses such a move; but nothing to be split on
        CLOSED_3X8,
        tree({"move": ["d1", "d2"], "used": {}, "unused": ONE_MOVE}),
        Reason.NOT_PROVED,
    ),
    (CLOSED_3X8, tree({**ONE_MOVE, "move": ["d1", "d1"]}), Reason.NOT_PROVED),
    (CLOSED_3X8, tree({**ONE_MOVE, "move": ["d1", "end"]}), Reason.NOT_PROVED),  # closed: no ends
    (CLOSED_3X8, tree({**ONE_MOVE, "move": ["end", "d1"]}), Reason.BAD_SQUARE),
    (CLOSED_3X8, tree({**ONE_MOVE, "move": ["d1", "e4"]}), Reason.BAD_SQUARE),
    (CLOSED_3X8, tree([]), Reason.WRONG_SHAPE),
    (CLOSED_3X8, tree(None), Reason.WRONG_SHAPE),
    (board(4, 4), tree({**TREE_4X4, "used": TREE_4X4["unused"]}), Reason.NOT_PROVED),
    (board(4, 4), tree(TREE_4X4["unused"]), Reason.NOT_PROVED),
]


@pytest.mark.parametrize(("problem", "evidence", "expected"), NOT_PROVED)
def test_evidence_that_does_not_prove_it(problem, evidence, expected):
    assert reason(problem, evidence) is expected


@pytest.mark.parametrize("kind_", [*RULES, "exhausted"])
def test_a_single_square_is_a_tour(kind_):
    evidence = kind(kind_, squares=["a1"])
    expected = Reason.NOT_A_PROOF if kind_ == "exhausted" else Reason.WRONG_QUESTION
    one = on_board(1, 1), on_board(1, 1, start="a1", end="a1"), on_graph([], nodes=["a"])
    for problem in one:
        assert reason(problem, evidence) is expected
    if first_version(evidence) == 1:
        for problem in (board(1, 1), board(1, 1, start="a1", end="a1"), graph([], "a")):
            assert reason(problem, evidence) is expected


def other_problems(problem):
    """Problems that have a tour, or for which the evidence means nothing."""
    ends = {"start": None, "end": None}
    if "rows" in problem:
        yield {**problem, **ends, "rows": 5, "columns": 5, "missing": [], "closed": False}
        yield {**problem, **ends, "rows": 6, "columns": 6, "missing": [], "closed": True}
        yield {**problem, **ends, "rows": 8, "columns": 8, "missing": [], "closed": False}
        yield {**problem, **ends, "rows": 3, "columns": 4, "missing": [], "closed": False}
    nodes = [f"{letter}{number}" for letter in "abcdefgh" for number in range(1, 5)]
    nodes += ["a", "b", "c", "d", "e", "f"]
    complete = [[one, other] for place, one in enumerate(nodes) for other in nodes[:place]]
    yield {"nodes": nodes, "edges": complete, "closed": problem["closed"], **ends}


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_no_evidence_speaks_against_a_problem_that_has_a_tour(problem, evidence):
    for other in other_problems(problem):
        assert reason(other, evidence) in (
            Reason.NOT_PROVED,
            Reason.WRONG_QUESTION,
            Reason.BAD_SQUARE,
            Reason.WRONG_SHAPE,  # something was given for a contradiction that is not there
            Reason.WRONG_DIGEST,
            Reason.OUT_OF_RANGE,
        )


def test_reports_of_a_search_are_no_proof():
    evidence = {"kind": "exhausted", "engine": "backtrack", "nodes": 12}
    assert reason(board(3, 3), evidence) is Reason.NOT_A_PROOF


@pytest.mark.parametrize("name", [None, True, 7, "", "Size", "proof", ["size"], {}, "size\n"])
def test_unknown_kinds(name):
    assert reason(board(1, 2, closed=True), {"kind": name}) is Reason.UNKNOWN_KIND


@pytest.mark.parametrize("evidence", [None, [], "size", 7, {}, {"Kind": "size"}])
def test_evidence_without_a_kind(evidence):
    assert reason(board(1, 2, closed=True), evidence) is Reason.UNKNOWN_KIND


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_every_key_plays_a_part(problem, evidence):
    for key in evidence:
        less = {name: value for name, value in evidence.items() if name != key}
        other = {"kind": Reason.UNKNOWN_KIND, "order": Reason.WRONG_DIGEST}  # it may be left out
        assert reason(problem, less) is other.get(key, Reason.WRONG_SHAPE)
    assert reason(problem, {**evidence, "note": "trust me"}) is Reason.WRONG_SHAPE
    for key in problem:
        less = {name: value for name, value in problem.items() if name != key}
        assert reason(less, evidence) is Reason.WRONG_SHAPE
    assert reason({**problem, "note": ""}, evidence) is Reason.WRONG_SHAPE


SQUARES = [
    (["b2", "b2"], Reason.BAD_SQUARE),
    (["B2"], Reason.BAD_SQUARE),
    (["b02"], Reason.BAD_SQUARE),
    (["2,2"], Reason.BAD_SQUARE),
    ([" b2"], Reason.BAD_SQUARE),
    (["b2 c3"], Reason.BAD_SQUARE),
    (["b4"], Reason.BAD_SQUARE),
    (["d1"], Reason.BAD_SQUARE),
    (["c3"], Reason.BAD_SQUARE),  # which is missing
    (["b0"], Reason.BAD_SQUARE),
    (["b-2"], Reason.BAD_SQUARE),
    (["end"], Reason.BAD_SQUARE),
    ([""], Reason.BAD_SQUARE),
    (["b٢"], Reason.BAD_SQUARE),
    (["b" * 999], Reason.BAD_SQUARE),
    (["b" * 1001], Reason.TOO_LARGE),
    (["b2\n"], Reason.WRONG_SHAPE),
    (["b2\ud800"], Reason.WRONG_SHAPE),
    (["\x1b[31mb2"], Reason.WRONG_SHAPE),
    ([None], Reason.WRONG_SHAPE),
    ([[1, 1]], Reason.WRONG_SHAPE),
    ([True], Reason.WRONG_SHAPE),
    ([22], Reason.WRONG_SHAPE),
    ("b2", Reason.WRONG_SHAPE),
    ({"b2": 1}, Reason.WRONG_SHAPE),
    (None, Reason.WRONG_SHAPE),
]


@pytest.mark.parametrize(("squares", "expected"), SQUARES)
@pytest.mark.parametrize("kind_", ["degrees", "removal", "tight", "refutation"])
def test_squares_are_named_in_one_way(squares, expected, kind_):
    digests = {"formula": "", "proof": ""}
    parts = {
        "degrees": {"squares": squares},
        "removal": {"squares": squares},
        "tight": {"sets": [squares]},
        "refutation": {"tight": [], "cuts": [squares], "proof": [], "digests": digests},
    }
    assert reason(board(3, 3, "c3"), kind(kind_, **parts[kind_])) is expected
    assert reason(CLOSED_3X8, tree({"remove": ["i1", "a1"]})) is Reason.BAD_SQUARE
    assert reason(CLOSED_3X8, tree({"remove": ["a1", "a1"]})) is Reason.BAD_SQUARE


DEGREES = {"kind": "degrees", "squares": ["a1", "b2", "d1"]}
BASE = on_board(3, 4, forbid="a1-c2 d1-b2")
TORUS = on_board(3, 4, piece=WAZIR, surface="torus", closed=True, require="a1-b1 b1-c1 c1-d1 a1-d1")
NO_TREE = {"kind": "forced", "tree": {}}


@pytest.mark.parametrize(("problem", "evidence"), examples_2())
def test_examples_are_accepted_and_every_key_plays_a_part(problem, evidence):
    document = signed(certificate(problem, evidence))
    assert check(document).kind == evidence["kind"]
    assert accepts(document)
    for key in problem:
        less = {name: value for name, value in problem.items() if name != key}
        assert reason_of({**document, "problem": less}) is Reason.WRONG_DIGEST
        short = {**certificate(problem, evidence), "problem": less}
        assert reason_of(short) is Reason.WRONG_SHAPE, key
    assert reason({**problem, "note": ""}, evidence) is Reason.WRONG_SHAPE
    # Version 1 does not know the keys of version 2, and version 2 wants them all.
    assert reason_of({**certificate(problem, evidence), "schema_version": 1}) is Reason.WRONG_SHAPE


def test_versions_are_not_mixed():
    old = certificate(board(3, 3), {"kind": "degrees", "squares": ["b2"]})
    assert old["schema_version"] == 1 and reason_of(old) is None
    for newer in (2, 3, 4):
        assert reason_of({**old, "schema_version": newer}) is Reason.WRONG_SHAPE
    for key, value in (("piece", CAMEL), ("surface", "torus"), ("forbid", []), ("symmetry", None)):
        wider = {**old, "problem": {**old["problem"], key: value}}
        assert reason_of(wider) is Reason.WRONG_SHAPE


def pairs(key):
    """Values that no list of moves may have, each with its own reason."""
    return [
        ({key: None}, Reason.WRONG_SHAPE),
        ({key: "a1-b3"}, Reason.WRONG_SHAPE),
        ({key: {"a1": "b3"}}, Reason.WRONG_SHAPE),
        ({key: ["a1b3"]}, Reason.WRONG_SHAPE),
        ({key: [["a1"]]}, Reason.WRONG_SHAPE),
        ({key: [["a1", "b3", "c1"]]}, Reason.WRONG_SHAPE),
        ({key: [["a1", 3]]}, Reason.WRONG_SHAPE),
        ({key: [[None, "b3"]]}, Reason.WRONG_SHAPE),
        ({key: [["a1", ["b3"]]]}, Reason.WRONG_SHAPE),
        ({key: [["a1", "b3\n"]]}, Reason.WRONG_SHAPE),
        ({key: [["a1", "B3"]]}, Reason.BAD_SQUARE),
        ({key: [["a1", "e3"]]}, Reason.BAD_SQUARE),
        ({key: [["a1", "end"]]}, Reason.BAD_SQUARE),
        ({key: [["a1", "b3"]], "missing": ["b3"]}, Reason.BAD_SQUARE),
        ({key: [["a1", "a1"]]}, Reason.WRONG_PROBLEM),
        ({key: [["a1", "b2"]]}, Reason.WRONG_PROBLEM),  # no knight's move
        ({key: [["a1", "b3"], ["a1", "b3"]]}, Reason.WRONG_PROBLEM),
        ({key: [["a1", "b3"], ["b3", "a1"]]}, Reason.WRONG_PROBLEM),
        ({key: [["a1", "b3"]] * (parsing.MOST_CONDITIONS + 1)}, Reason.TOO_LARGE),
    ]


MALFORMED = [
    *pairs("require"),
    *pairs("forbid"),
    ({"require": [["a1", "c2"]]}, Reason.WRONG_PROBLEM),  # which is forbidden as well
    ({"require": [["c2", "e1"]]}, Reason.BAD_SQUARE),
    ({"piece": None}, Reason.WRONG_SHAPE),
    ({"piece": "knight"}, Reason.WRONG_SHAPE),
    ({"piece": [1, 2]}, Reason.WRONG_SHAPE),
    ({"piece": [[1, 2, 3]]}, Reason.WRONG_SHAPE),
    ({"piece": [[1]]}, Reason.WRONG_SHAPE),
    ({"piece": [["1", "2"]]}, Reason.WRONG_SHAPE),
    ({"piece": [[1, True]]}, Reason.WRONG_SHAPE),
    ({"piece": [[1, None]]}, Reason.WRONG_SHAPE),
    ({"piece": [[-1, 2]]}, Reason.OUT_OF_RANGE),
    ({"piece": [[1, 10**18 + 1]]}, Reason.OUT_OF_RANGE),
    ({"piece": []}, Reason.WRONG_PROBLEM),
    ({"piece": [[0, 0]]}, Reason.WRONG_PROBLEM),
    ({"piece": [[2, 1]]}, Reason.WRONG_PROBLEM),
    ({"piece": [[1, 2], [1, 2]]}, Reason.WRONG_PROBLEM),
    ({"piece": [[1, 2 + more] for more in range(MOST_LEAPS + 1)]}, Reason.TOO_LARGE),
    ({"surface": None}, Reason.WRONG_SHAPE),
    ({"surface": ["plane"]}, Reason.WRONG_SHAPE),
    ({"surface": 0}, Reason.WRONG_SHAPE),
    ({"surface": "sphere"}, Reason.WRONG_PROBLEM),
    ({"surface": "plaNe"}, Reason.WRONG_PROBLEM),
    ({"surface": ""}, Reason.WRONG_PROBLEM),
    ({"surface": "p" * 21}, Reason.TOO_LARGE),
    ({"given": None}, Reason.WRONG_SHAPE),
    ({"given": {"a1": 1}}, Reason.WRONG_SHAPE),
    ({"given": [["a1"]]}, Reason.WRONG_SHAPE),
    ({"given": [["a1", "1"]]}, Reason.WRONG_SHAPE),
    ({"given": [["a1", True]]}, Reason.WRONG_SHAPE),
    ({"given": [[1, "a1"]]}, Reason.WRONG_SHAPE),
    ({"given": [["e1", 1]]}, Reason.BAD_SQUARE),
    ({"given": [["a1", 0]]}, Reason.OUT_OF_RANGE),
    ({"given": [["a1", 13]]}, Reason.OUT_OF_RANGE),
    ({"given": [["a1", 1], ["a1", 2]]}, Reason.WRONG_PROBLEM),
    ({"given": [["a1", 1], ["b1", 1]]}, Reason.WRONG_PROBLEM),
    ({"symmetry": True}, Reason.WRONG_SHAPE),
    ({"symmetry": ["half-turn"]}, Reason.WRONG_SHAPE),
    ({"symmetry": "turn"}, Reason.WRONG_PROBLEM),
    ({"symmetry": "h" * 21}, Reason.TOO_LARGE),
]


@pytest.mark.parametrize(("change", "expected"), MALFORMED, ids=lambda value: f"{value!s:.40}")
def test_conditions_that_make_no_sense(change, expected):
    assert reason(BASE, DEGREES) is None
    assert reason({**BASE, **change}, DEGREES) is expected


def test_conditions_of_a_graph_that_make_no_sense():
    evidence = {"kind": "removal", "squares": ["a"]}
    problem = on_graph(COMPLETE, forbid="b-c b-d c-d")
    assert reason(problem, evidence) is None
    for change, expected in (
        ({"forbid": [["b", "e"]]}, Reason.BAD_SQUARE),
        ({"forbid": [["b", "b"]]}, Reason.WRONG_PROBLEM),
        ({"require": [["b", "c"]]}, Reason.WRONG_PROBLEM),  # which is forbidden
        ({"symmetry": "half-turn"}, Reason.WRONG_PROBLEM),
        ({"piece": WAZIR}, Reason.WRONG_SHAPE),
        ({"surface": "plane"}, Reason.WRONG_SHAPE),
    ):
        assert reason({**problem, **change}, evidence) is expected, change
    three = on_graph(COMPLETE, require="a-b a-c a-d")
    assert reason(three, evidence) is Reason.WRONG_PROBLEM


# --- lies: the evidence is that of another question -----------------------------------------------


def without(problem, key, place=None):
    """The problem with less in one of its lists."""
    rest = [] if place is None else [m for i, m in enumerate(problem[key]) if i != place]
    return {**problem, key: rest}


def test_required_moves_are_not_invented():
    assert reason(TORUS, NO_TREE) is None
    assert reason(without(TORUS, "require"), NO_TREE) is Reason.NOT_PROVED
    assert reason(without(TORUS, "require", 3), NO_TREE) is Reason.NOT_PROVED  # an open path
    other = {**TORUS, "require": [["a1", "b1"], ["b1", "c1"], ["c1", "d1"], ["d1", "d2"]]}
    assert reason(other, NO_TREE) is Reason.NOT_PROVED
    use = on_board(5, 6, closed=True, require="d2-b3 b3-a5")
    assert reason(use, NO_TREE) is None
    assert reason(without(use, "require", 0), NO_TREE) is Reason.NOT_PROVED


def test_forbidden_moves_are_no_edges_and_others_are():
    degrees = {"kind": "degrees", "squares": ["a1", "b2", "d1"]}
    for place in (0, 1):
        assert reason(without(BASE, "forbid", place), degrees) is Reason.NOT_PROVED
    split = on_board(6, 6, closed=True, forbid="c3-d5")
    for move in (["c3", "d5"], ["d5", "c3"]):  # nothing is left to be split on
        tree = {"move": move, "used": {}, "unused": {}}
        assert reason(split, {"kind": "forced", "tree": tree}) is Reason.NOT_PROVED
    star = on_graph(COMPLETE, forbid="b-c b-d c-d")
    for place in range(3):
        fewer = without(star, "forbid", place)
        assert reason(fewer, {"kind": "removal", "squares": ["a"]}) is Reason.NOT_PROVED
    apart = on_board(2, 3, piece=WAZIR, forbid="a1-b1 a2-b2")
    way = {"kind": "connectivity", "squares": ["a1", "b1"]}
    assert reason(apart, way) is None
    assert reason(without(apart, "forbid", 1), way) is Reason.NOT_PROVED


ALTERED = {
    "piece": [[0, 1], [1, 2]],
    "surface": "klein",
    "require": [],
    "forbid": [["c1", "d1"]],
    "start": None,
    "end": "c2",
    "closed": True,
    "rows": 3,
    "columns": 5,
    "missing": ["d2"],
}


@pytest.mark.parametrize("key", ALTERED)
def test_one_altered_key_is_seen_by_the_digests(key):
    """Between a refutation and its digests: of the file, and of the formula."""
    problem, evidence = next(
        (problem, evidence)
        for problem, evidence in examples_2()
        if evidence["kind"] == "refutation" and problem["require"]
    )
    document = signed(certificate(problem, evidence))
    assert reason_of(document) is None
    changed = deepcopy(document)
    changed["problem"][key] = ALTERED[key]
    if key == "closed":
        changed["problem"]["end"] = None
    assert reason_of(changed) is Reason.WRONG_DIGEST
    assert reason_of(signed(changed)) is Reason.WRONG_DIGEST
    assert not accepts(changed)


def test_given_steps_and_a_symmetry_change_no_proof():
    """Up to version 3; and of the kinds that count, in all."""
    problem, evidence = next(each for each in examples_2() if each[1]["kind"] == "refutation")
    more = {**problem, "given": [["d1", 3]], "symmetry": "half-turn"}
    for version in (2, 3):
        older = {**certificate(more, evidence), "schema_version": version}
        assert check(older).argument == says(problem, evidence)
        assert check(older).problem == problem_of(more)
        assert accepts(older)
    assert reason(more, evidence) is Reason.WRONG_SHAPE  # of version 4: it has no clues
    assert reason(more, {**evidence, "clues": []}) is Reason.WRONG_DIGEST  # of the formula
    # And they prove nothing by themselves: a step that parity excludes is ignored.
    odd = on_board(3, 4, start="a1", given=[["c2", 3]])
    for evidence in ({"kind": "colours"}, NO_TREE, {"kind": "removal", "squares": ["b2"]}):
        assert reason(odd, evidence) is Reason.NOT_PROVED


SENTENCES = [
    (
        on_board(3, 5, "a1", "c1", "b2", piece=[[3, 4]]),
        {"kind": "colours"},
        "an antelope changes colour with every move, so a tour visits at most one more of either "
        "colour, but there are 5 dark squares and 7 light",
    ),
    (
        on_board(3, 3, piece=WAZIR, closed=True),
        {"kind": "colours"},
        "a wazir changes colour with every move, so a closed tour visits as many dark squares as "
        "light, but there are 5 dark squares and 4 light",
    ),
    (
        BASE,
        DEGREES,
        "with the forbidden moves left out, a square with at most one move can only be an end of "
        "a tour, and there are two ends: a1, d1 and b2 are too many",
    ),
    (TORUS, NO_TREE, "forced moves close a circle with c1-d1 before every square is visited"),
    (
        on_board(2, 3, piece=WAZIR, forbid="a1-b1 a2-b2"),
        {"kind": "connectivity", "squares": ["a1", "b1"]},
        "with the forbidden moves left out, the board falls into 2 pieces, and no way leads from "
        "a1 to b1",
    ),
    (on_board(1, 2, piece=KING, closed=True, forbid="a1-b1"), {"kind": "size"},
     "a closed tour needs at least 3 squares, and there are 2"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "evidence", "sentence"), SENTENCES)
def test_sentences(problem, evidence, sentence):
    assert says(problem, evidence) == sentence


@pytest.mark.parametrize(("problem", "evidence"), narrow())
def test_eliminations_are_accepted_by_both_checkers(problem, evidence):
    document = signed(certificate(problem, evidence))
    assert check(document).kind == "refutation"
    assert accepts(document)
    older = certificate(problem, evidence, schema_version=4)
    assert reason_of(older) is Reason.WRONG_SHAPE and not accepts(older)


def random_problem(rng):
    """A graph of a few nodes, or a board with holes; open or closed."""
    closed = rng.random() < 0.6
    if rng.random() < 0.3:
        rows, columns = rng.choice([(3, 4), (3, 5), (4, 4), (2, 5)])
        squares = [(row, column) for row in range(rows) for column in range(columns)]
        board = Board(rows, columns, set(rng.sample(squares, rng.randint(0, 4))))
        return Problem(board, piece=rng.choice(["knight", "wazir"]), closed=closed)
    size = rng.randint(5, 8)
    edges = rng.randint(size, min(2 * size + 1, size * (size - 1) // 2))
    return Problem(graph=nx.gnm_random_graph(size, edges, seed=rng.randrange(10**6)), closed=closed)


@pytest.mark.parametrize(
    "seeds",
    [range(25), pytest.param(range(25, more(100, 400)), marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_every_tour_is_a_model_in_any_order(seeds):
    # So the clauses may be added; and with three vertices left nothing else is a model.
    for seed in seeds:
        rng = random.Random(seed)
        problem = random_problem(rng)
        frame = frame_of(problem)
        squares = rng.sample(range(frame.squares), frame.squares)
        order = squares[: rng.randint(1, len(frame) - LEFT)]
        whole = len(frame) - len(order) == LEFT
        edges = frame.edges()
        wanted = {frozenset(map(frozenset, each)) for each in frame_cycles(frame)}
        _, clauses = formula_of(frame, None, [], (), (), order)
        found = set()
        with Solver("cadical195") as solver:
            for clause in clauses:
                solver.append_formula([clause] if clause else [[1], [-1]])
            while solver.solve():
                chosen = [x for x in solver.get_model() if 0 < x <= len(edges)]
                assert frozenset(chosen) not in found
                found.add(frozenset(chosen))
                solver.add_clause([-x for x in chosen])
        cyclic = {frozenset(frozenset(edges[x - 1]) for x in each) for each in found}
        assert wanted <= cyclic, seed
        assert not whole or wanted == cyclic, seed


def frame_cycles(frame):
    """The cycles through all vertices and the edges that must be used, as lists of edges."""
    must = set(map(frozenset, frame.must))

    def walk(path, visited):
        here = path[-1]
        if len(path) == len(frame):
            if 0 in frame.neighbours[here] and path[1] < here:
                yield list(zip(path, [*path[1:], 0], strict=True))
            return
        for other in frame.neighbours[here]:
            if other not in visited:
                yield from walk([*path, other], visited | {other})

    for moves in walk([0], {0}):
        if must <= set(map(frozenset, moves)):
            yield moves


def test_elimination_lies_are_refused():
    (problem, evidence), *_ = narrow()

    def why(taken, **changed):
        claim = refutation(problem, evidence["proof"], order=taken, pack=False)
        return reason(problem, {**claim, **changed})

    assert why("a") is None
    assert why("b") is Reason.BAD_LEMMA  # the proof is of another formula
    assert why("ab") is None  # which has the clauses that the proof names, and more
    assert why("a", order=["b"]) is Reason.WRONG_DIGEST
    assert why("a", order=["a", "a"]) is Reason.BAD_SQUARE
    assert why("a", order=["z"]) is Reason.BAD_SQUARE
    assert why("a", order="a") is Reason.WRONG_SHAPE
    assert why("a", order=None) is Reason.WRONG_SHAPE
    assert why("a", order=[]) is Reason.WRONG_DIGEST
    assert why("a", order=list("abcd")) is Reason.WHOLE_SET  # two would be left
    assert why("a", digests={**evidence["digests"], "proof": "0" * 64}) is Reason.WRONG_DIGEST


def test_too_many_literals_are_refused_before_all_are_made(monkeypatch):
    monkeypatch.setattr(formula, "MOST_LITERALS", 100_000)
    complete = Problem(graph=nx.complete_graph(40), closed=True)
    formula_of(frame_of(complete), None, [])
    with pytest.raises(Refusal) as refused:
        formula_of(frame_of(complete), None, [], (), (), range(37))
    assert refused.value.reason is Reason.TOO_LARGE


def test_the_order_is_narrow_and_leaves_enough():
    ladder = Problem(graph=nx.ladder_graph(50), closed=True)
    order = narrow_order(ladder)
    assert len(order) == len(set(order)) == 100 - LEFT
    assert narrow_order(Problem(graph=nx.complete_graph(20), closed=True)) == []


TREE = {"kind": "forced", "tree": CASES}
CUT = {"kind": "cut", "squares": ["c"]}
LONE = {"kind": "degrees", "squares": ["b"]}


@pytest.mark.parametrize(("problem", "evidence"), examples_5())
def test_both_checkers_accept(problem, evidence):
    document = certificate(problem, evidence)
    assert "is left, which a tour would make a cycle of" in check(document).argument
    assert accepts(document)
    assert not accepts({**document, "schema_version": 4})


def without_parts(evidence, *places):
    steps = [step for place, step in enumerate(evidence["steps"]) if place not in places]
    return {**evidence, "steps": steps}


SPLIT_LIES = [
    # another pair, another side, a vertex too few or too many
    (PAIRS, split(keep("deim")), Reason.NOT_PROVED),
    (PAIRS, split(keep("dei")), Reason.NOT_PROVED),
    (PAIRS, split(keep("deijl")), Reason.NOT_PROVED),
    (PAIRS, split(keep("cjgm")), Reason.NOT_PROVED),
    (TRIANGLE, split(keep("bcdef"), then=TREE), Reason.NOT_PROVED),
    (TRIANGLE, split(keep("xyz"), then=TREE), Reason.BAD_SQUARE),
    (TRIANGLE, split(keep("bc"), then=TREE), Reason.NOT_PROVED),
    (TRIANGLE, split(keep("bcdefghijx"), then=TREE), Reason.NOT_PROVED),
    (TRIANGLE, split(PLAIN_STEP, then=TREE), Reason.NOT_PROVED),
    # the end of another part, or none
    (TRIANGLE, split(keep("bcdefghij")), Reason.NOT_PROVED),
    (PAIRS, split(keep("deil"), then=TREE), Reason.WRONG_SHAPE),
    (NESTED, split(PLAIN_STEP, keep("aceghi"), PLAIN_STEP), Reason.NOT_PROVED),
    (CLOSED_BOWTIE, split(keep("abc")), Reason.NOT_PROVED),
    (CLOSED_BOWTIE, split(keep("abc"), then=CUT), Reason.NOT_PROVED),
    # steps after a contradiction, or evidence of something else there
    (CLOSED_BOWTIE, split(PLAIN_STEP, PLAIN_STEP), Reason.WRONG_SHAPE),
    (CLOSED_BOWTIE, split(PLAIN_STEP, then=CUT), Reason.WRONG_SHAPE),
    (
        NESTED,
        split(PLAIN_STEP, keep("aceghi"), PLAIN_STEP, keep("chi"), PLAIN_STEP),
        Reason.WRONG_SHAPE,
    ),
    # an edge whose absence leaves a cycle, one that does not exist, and a required one
    (TRIANGLE, split(use("bx", CONTRADICTION), then=TREE), Reason.NOT_PROVED),
    (CLOSED_BOWTIE, split(use("ab", LONE), use("ad", LEAF_B), then=CUT), Reason.NOT_PROVED),
    (CLOSED_BOWTIE, split(use("ab", CUT | {"squares": ["a"]}), then=CUT), Reason.NOT_PROVED),
    (CLOSED_BOWTIE, split(use("ab", LEAF_B), use("ab", LEAF_B), then=CUT), Reason.WRONG_SHAPE),
    (CLOSED_BOWTIE, split(use("aa", LEAF_B), then=CUT), Reason.BAD_SQUARE),
    (CLOSED_BOWTIE, split(use("a", LEAF_B), then=CUT), Reason.NOT_PROVED),
    (
        CLOSED_BOWTIE,
        split(use("ab", split(use("cd", LEAF_B | {"squares": ["c"]}))), then=CUT),
        Reason.NOT_PROVED,
    ),
    # names
    (OPEN, split(use(["b", "end"], LONE), PLAIN_STEP), Reason.BAD_SQUARE),
    (OPEN, split(use(["b", "end 2"], LONE), PLAIN_STEP), Reason.BAD_SQUARE),
    (PAIRS, split(keep("deilz")), Reason.BAD_SQUARE),
    (PAIRS, split(keep("deill")), Reason.BAD_SQUARE),
    (NESTED, split(PLAIN_STEP, keep("aceghi"), PLAIN_STEP, keep("chd")), Reason.BAD_SQUARE),
    (
        on_graph(["ab", "bc"], nodes=["a", "b", "c", "end 1"]),
        split(PLAIN_STEP),
        Reason.WRONG_QUESTION,
    ),
    # shapes
    (PAIRS, split(), Reason.EMPTY_SET),
    (PAIRS, split({"keep": []}), Reason.EMPTY_SET),
    (PAIRS, split({"keep": PAIRS["nodes"]}), Reason.WHOLE_SET),
    (PAIRS, split("deil"), Reason.WRONG_SHAPE),
    (PAIRS, split({"keep": [*"deil"], "unless": CONTRADICTION}), Reason.WRONG_SHAPE),
    (PAIRS, split({"use": ["d", "a"]}), Reason.WRONG_SHAPE),
    (PAIRS, {**split(keep("deil")), "steps": {}}, Reason.WRONG_SHAPE),
    (PAIRS, {"kind": "split", "steps": [PLAIN_STEP]}, Reason.WRONG_SHAPE),
    (PAIRS, {**split(keep("deil")), "squares": []}, Reason.WRONG_SHAPE),
    (PAIRS, split(keep("deil"), then=split(PLAIN_STEP)), Reason.UNKNOWN_KIND),
    (PAIRS, split(keep("deil"), then={"kind": "size"}), Reason.UNKNOWN_KIND),
    (PAIRS, split(keep("deil"), then=None), Reason.UNKNOWN_KIND),
    (CLOSED_BOWTIE, split(use("ab", {"kind": "list"}), then=CUT), Reason.UNKNOWN_KIND),
]


@pytest.mark.parametrize(("problem", "evidence", "expected"), SPLIT_LIES)
def test_split_lies_are_refused(problem, evidence, expected):
    assert reason(problem, evidence) is expected
    assert not accepts(certificate(problem, evidence))


def test_the_end_of_another_part_is_refused():
    """A refutation belongs to the part that it was made for."""
    other = on_graph(PETERSEN[1:], closed=True, nodes=[*"bcdefghijx"])
    evidence = split(keep("bcdefghij"), then=refuted(other, pack=False))
    assert reason(TRIANGLE, evidence) is Reason.WRONG_DIGEST
    assert not accepts(certificate(TRIANGLE, evidence))


def test_graphs_with_a_cycle_have_none():
    """The same steps and ends for the same graph with one edge more, which has a cycle."""
    more = {**TRIANGLE, "edges": [*TRIANGLE["edges"], ["b", "d"]]}
    for each in (AT_TRIANGLE, split(PLAIN_STEP, then=TREE)):
        assert reason(more, each) is Reason.NOT_PROVED


def test_required_and_forbidden_moves_count():
    """A required edge of the whole is one of what is left; a forbidden one is none."""
    less = {**TRIANGLE, "forbid": [["b", "x"]]}
    assert reason(less, AT_TRIANGLE) is Reason.WRONG_SHAPE  # two vertices hold the piece now
    needed = {**TRIANGLE, "require": [["b", "c"]]}
    used = split(keep("bcdefghij"), then={"kind": "forced", "tree": CASES["used"]})
    assert reason(needed, used) is None
    assert reason(TRIANGLE, used) is Reason.NOT_PROVED


def test_three_required_edges_that_meet():
    """A start and two required edges at one vertex: the frame contradicts itself."""
    edges = ["ab", "ac", "bc", "cd"]
    problem = on_graph(edges, start="a", require="a-b a-c")
    assert reason(problem, split(PLAIN_STEP)) is Reason.WRONG_SHAPE
    assert not accepts(certificate(problem, split(PLAIN_STEP)))


def test_nothing_is_nested_without_end():
    evidence = LEAF_B
    for _ in range(MOST_DEPTH + 1):
        evidence = split(use("ab", deepcopy(evidence)), PLAIN_STEP)
    assert reason(CLOSED_BOWTIE, evidence) in (Reason.TOO_DEEP, Reason.NOT_PROVED)


def test_many_steps_are_too_many(monkeypatch):
    monkeypatch.setattr("kt_cp.trust.check.split.MOST_LOAD", 30)
    assert reason(TRIANGLE, AT_TRIANGLE) is None
    assert (
        reason(TRIANGLE, split(PLAIN_STEP, PLAIN_STEP, PLAIN_STEP, then=TREE)) is Reason.TOO_LARGE
    )
    monkeypatch.setattr("kt_cp.trust.check.split.MOST_ENDS", 1)
    assert reason(CLOSED_BOWTIE, split(use("ab", LEAF_B), then=CUT)) is Reason.TOO_LARGE


def test_arguments():
    assert says(TRIANGLE, AT_TRIANGLE).endswith(
        "with such parts taken out, a graph of 10 nodes is left, which a tour would make a cycle "
        "of, but suppose of one edge after another that a tour uses it, and then that it does not: "
        "forced edges lead to a contradiction in each of the 6 cases, after 4 suppositions at most"
    )
    assert says(CLOSED_BOWTIE, split(use("ab", LEAF_B), then=CUT)).startswith(
        "a tour passes each part that hangs on two vertices, or on three edges, once; with such "
    )


RING = on_graph(["ab", "bc", "cd", "da", "ac"], closed=True)


@pytest.mark.parametrize(("problem", "evidence"), sweeps())
def test_examples_are_accepted_from_version_6(problem, evidence):
    document = certificate(problem, evidence)
    check(document)
    expected = Reason.UNKNOWN_KIND if evidence["kind"] == "sweep" else Reason.WRONG_SHAPE
    assert reason_of({**document, "schema_version": 5}) is expected


def test_the_argument():
    argument = check(certificate(on_graph(PETERSEN, closed=True), sweep("bcdeghijfx"))).argument
    assert argument.startswith(
        "a sweep node by node, with at most 5 nodes on its frontier, follows"
    )
    assert argument.endswith("becomes a closed tour")


@pytest.mark.parametrize(
    ("problem", "evidence", "expected"),
    [
        (OPEN, sweep("bcd"), Reason.WRONG_SHAPE),
        (OPEN, sweep("bcdaa"), Reason.BAD_SQUARE),
        (OPEN, sweep("b c d end"), Reason.BAD_SQUARE),
        (OPEN, {"kind": "sweep"}, Reason.WRONG_SHAPE),
        (OPEN, {"kind": "sweep", "order": "bcda"}, Reason.WRONG_SHAPE),
        (OPEN, {**sweep("bcda"), "squares": []}, Reason.WRONG_SHAPE),
        (RING, sweep("abcd"), Reason.NOT_PROVED),
        ({**RING, "closed": False}, sweep("abcd"), Reason.NOT_PROVED),
        ({**RING, "require": [["a", "b"]]}, sweep("abcd"), Reason.NOT_PROVED),
        ({**RING, "forbid": [["a", "c"]]}, sweep("abcd"), Reason.NOT_PROVED),
        (on_board(3, 4), sweep("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"), Reason.NOT_PROVED),
        (on_board(1, 2, piece=[[0, 1]], closed=True), sweep("a1 b1"), Reason.WRONG_QUESTION),
        (CLOSED_BOWTIE, split(use("ab", sweep("abcd")), "plain"), Reason.WRONG_SHAPE),
    ],
)
def test_what_is_refused(problem, evidence, expected):
    assert reason(problem, evidence) is expected


def test_its_cost_is_bounded_in_all(monkeypatch):
    kite, order = sweeps()[0]
    for most, expected in ((40, None), (5, Reason.TOO_LARGE)):
        monkeypatch.setitem(BUDGET, "choices of a sweep", most)
        assert reason(kite, order) is expected
    # Two sweeps of a split share what there is.
    once = split(use("ab", sweep("edcba")), "plain")
    twice = split(use("ab", sweep("edcba")), use("ac", sweep("edcba")), "plain")
    least = [cost(monkeypatch, each) for each in (once, twice)]
    assert 1 < least[0] < least[1]


def cost(monkeypatch, evidence):
    """The least budget that suffices."""
    for most in range(100):
        monkeypatch.setitem(BUDGET, "choices of a sweep", most)
        if reason(CLOSED_BOWTIE, evidence) is None:
            return most
    raise AssertionError


def test_the_version_of_evidence_within_evidence():
    inside = split(use("ab", split(use("ac", sweep("abcde")), "plain")), "plain")
    assert [first_version(each) for each in (split("plain"), inside)] == [5, 6]


def has_tour(problem):
    """Return whether a small graph has a tour, by trying every order of its nodes."""
    edges = {frozenset(edge) for edge in problem["edges"]}
    edges -= {frozenset(edge) for edge in problem["forbid"]}
    for walk in permutations(problem["nodes"]):
        ends = {"start": walk[0], "end": walk[-1]}
        if any(problem[key] not in (None, ends[key]) for key in ends if not problem["closed"]):
            continue
        following = [*walk[1:], *walk[:1]] if problem["closed"] else walk[1:]
        moves = {frozenset(pair) for pair in zip(walk, following, strict=False)}
        if moves <= edges and all(frozenset(edge) in moves for edge in problem["require"]):
            return True
    return False


def random_graph(rng):
    nodes = "abcdef"[: rng.randint(3, 6)]
    edges = [pair for pair in combinations(nodes, 2) if rng.random() < rng.choice([0.4, 0.6])]
    rng.shuffle(edges)
    closed, few = rng.random() < 0.5, rng.randrange(3) if edges else 0
    ends = [None, None] if closed else rng.choice([[None, None], [*rng.sample(nodes, 2)]])
    return {
        **on_graph([], closed=closed, nodes=[*nodes], start=ends[0], end=ends[1]),
        "edges": [[*edge] for edge in edges],
        "require": [[*edge] for edge in edges[: min(few, 1)]],
        "forbid": [[*edge] for edge in edges[-1:] if few == 2 and len(edges) > 1],
    }


@exhaustive("sweeps prove what is true", range(4_000), sample=250)
def test_any_order_proves_just_what_is_true(cases):
    found = {True: 0, False: 0}
    for seed in cases:
        rng = Random(seed)
        problem = random_graph(rng)
        order = rng.sample(problem["nodes"], len(problem["nodes"]))
        true = not has_tour(problem)
        found[true] += 1
        expected = None if true else Reason.NOT_PROVED
        assert reason(problem, {"kind": "sweep", "order": order}) is expected, (seed, problem)
    assert min(found.values()) > len(cases) // 10


@pytest.mark.parametrize(("problem", "evidence"), examples_4())
def test_clues_and_lists_are_accepted_by_both_checkers(problem, evidence):
    document = signed(certificate(problem, evidence))
    checked = check(document)
    assert checked.kind == evidence["kind"]
    assert len(checked.tours) == len(evidence.get("tours", ()))
    assert accepts(document)
    for version in (1, 2, 3):  # which know nothing of all that
        older = {**certificate(problem, evidence), "schema_version": version}
        assert isinstance(reason_of(older), Reason)
        assert not accepts(older)


def edges_of(asked_, walk):
    """The moves of a walk."""
    return frozenset(map(frozenset, pairwise([*walk, *walk[: bool(asked_.closed)]])))


def models(problem):
    """The tours that the formula of a problem has, as sets of moves."""
    frame = frame_of(problem)
    squares, edges = list(frame.number), frame.edges()
    clues = [(frame.number[square], step) for square, step in clues_of(problem)]
    given = any(each.key == "given" for each in problem.conditions)
    _, clauses = formula_of(frame, None, [], clues if given else [])
    found = Counter()
    if [] in clauses:
        return found
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        while solver.solve():
            chosen = [x for x in solver.get_model() if 0 < x <= len(edges)]
            solver.add_clause([-x for x in chosen])
            if given or one_cycle(len(frame), [edges[x - 1] for x in chosen]):
                moves = (edges[x - 1] for x in chosen)
                pairs = ((u, v) for u, v in moves if v < frame.squares)
                found[frozenset(frozenset((squares[u], squares[v])) for u, v in pairs)] += 1
    return found


def one_cycle(size, edges):
    beside = {vertex: [] for vertex in range(size)}
    for u, v in edges:
        beside[u].append(v)
        beside[v].append(u)
    last, walk = None, [0]
    while len(walk) == 1 or walk[-1]:
        here = walk[-1]
        following = next(other for other in beside[here] if other != last)
        last = here
        walk.append(following)
    return len(walk) == size + 1


def hold_models(seeds):
    counted = Counter()
    for seed, question, problem in problems_with_clues(seeds, most=9):
        tours_ = {edges_of(question, walk) for walk in question.tours()}
        found = models(problem)
        assert set(found) == tours_, (seed, problem.label)
        assert set(found.values()) <= {1}, (seed, problem.label)
        counted[bool(tours_), bool(question.given), bool(question.symmetry)] += 1
    return counted


def test_models_are_the_tours_with_given_steps_and_symmetry():
    counted = hold_models(range(60))
    assert len(counted) >= 5 and counted[True, True, False] > 3


@pytest.mark.slow
@exhaustive("models with clues are the tours", range(60, 1500), sample=5)
def test_models_are_the_tours_many_times(cases):
    counted = hold_models(cases)
    assert len(counted) == 6 or len(cases) < 100


def test_windows():
    problem = problem_of(on_board(3, 4, given=[["a1", 1], ["b1", 4]], end="d3"))
    frame = frame_of(problem)
    clues = [(frame.number[square], step) for square, step in clues_of(problem)]
    windows = [" ".join(frame.names[v] for v in window) for window in windows_of(frame, clues)]
    assert windows[:6] == ["a1", "c2 b3", "d2 a3", "b1", "d2 c3", "d1 a2 b3"]
    assert windows[-1] == "d3"
    # Two squares at one step, one square at two: nothing fits.
    for bad in ([(0, 1), (1, 1)], [(0, 1), (0, 5)]):
        assert [] in windows_of(frame, bad)


def test_too_large_is_refused_before_anything_is_made(monkeypatch):
    monkeypatch.setattr(steps, "MOST_PAIRS", 20)
    problem = on_board(5, 5, given=[["a1", 1]])
    with pytest.raises(Refusal) as refused:
        windows_of(frame_of(problem_of(problem)), [(0, 1)])
    assert refused.value.reason is Reason.TOO_LARGE
    monkeypatch.undo()
    made = []
    monkeypatch.setattr(steps.Steps, "clauses", lambda *_: made.append(1))
    monkeypatch.setattr(formula, "MOST_LITERALS", 20_000)
    large = problem_of(on_board(6, 6, given=[["a1", 1]]))
    with pytest.raises(Refusal) as refused:
        formula_of(frame_of(large), None, [], [(0, 1)])
    assert refused.value.reason is Reason.TOO_LARGE and not made


# --- clashes --------------------------------------------------------------------------------------

FAR = on_board(8, 8, closed=True, start="a1", given=[["h8", 5], ["e4", 17], ["b3", 64]])


def clash(*clues):
    return {"kind": "clash", "clues": [list(clue) for clue in clues]}


CLASHES = [
    (FAR, clash(("a1", 1), ("h8", 5)), None),
    (FAR, clash(("a1", 1), ("e4", 17)), None),  # parity
    (FAR, clash(("a1", 1), ("b3", 64)), Reason.NOT_PROVED),  # next to each other in the round
    (FAR, clash(("h8", 5), ("e4", 17)), None),
    (FAR, clash(("a1", 1), ("h8", 6)), Reason.NOT_A_CLUE),
    (FAR, clash(("a1", 1), ("h8", 17)), Reason.NOT_A_CLUE),
    (FAR, clash(("a1", 1), ("a1", 1)), Reason.NOT_A_CLUE),
    (FAR, clash(), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1)), Reason.NOT_PROVED),
    (FAR, clash(("a1", 1), ("h8", 5), ("e4", 17)), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1), ("h8", 5, 6)), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1), ("h8", "5")), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1), ("h9", 5)), Reason.BAD_SQUARE),
    (FAR, clash(("a1", 1), ("h8", 65)), Reason.OUT_OF_RANGE),
    (FAR, {"kind": "clash", "clues": {"a1": 1}}, Reason.WRONG_SHAPE),
    (FAR, {"kind": "clash"}, Reason.WRONG_SHAPE),
    # The start of a closed tour is a clue only if there is one; so is an end.
    ({**FAR, "start": None}, clash(("a1", 1), ("h8", 5)), Reason.NOT_A_CLUE),
    (on_board(3, 4, start="a1", end="b1"), clash(("a1", 1), ("b1", 12)), Reason.NOT_PROVED),
    (on_board(3, 4, start="a1", end="c1"), clash(("a1", 1), ("c1", 12)), None),
    # A wazir can go to and fro, a king has both parities, and forbidden moves are none.
    (on_board(3, 4, piece=WAZIR, given=[["a1", 1], ["b1", 4]]), clash(("a1", 1), ("b1", 4)),
     Reason.NOT_PROVED),
    (on_board(3, 4, piece=KING, given=[["a1", 1], ["b1", 3]]), clash(("a1", 1), ("b1", 3)),
     Reason.NOT_PROVED),
    (on_board(2, 2, piece=WAZIR, given=[["a1", 1], ["b1", 2]]), clash(("a1", 1), ("b1", 2)),
     Reason.NOT_PROVED),
    (on_board(2, 2, piece=WAZIR, given=[["a1", 1], ["b1", 2]], forbid="a1-b1"),
     clash(("a1", 1), ("b1", 2)), None),
    # A clue alone: light squares of 5x5 have even steps, and a king has both parities.
    (on_board(5, 5, given=[["b1", 9]]), clash(("b1", 9)), None),
    (on_board(5, 5, given=[["b1", 8]]), clash(("b1", 8)), Reason.NOT_PROVED),
    (on_board(5, 5, given=[["a1", 8]]), clash(("a1", 8)), None),
    (on_board(5, 5, given=[["a1", 9]]), clash(("a1", 9)), Reason.NOT_PROVED),
    (on_board(5, 5, given=[["b1", 9]]), clash(("b1", 7)), Reason.NOT_A_CLUE),
    (on_board(5, 5, piece=KING, given=[["b1", 9]]), clash(("b1", 9)), Reason.NOT_PROVED),
    (on_board(4, 5, "a1", given=[["b1", 2]]), clash(("b1", 2)), None),  # 10 light, 9 dark
    (on_board(4, 5, given=[["a1", 8]]), clash(("a1", 8)), Reason.NOT_PROVED),
    (on_board(3, 3, surface="torus", given=[["b1", 2]]), clash(("b1", 2)), Reason.NOT_PROVED),
    (on_graph(["ab", "bc", "bd", "de"], given=[["b", 3]]), clash(("b", 3)), None),
    (on_graph(["ab", "bc", "cd", "de"], given=[["b", 5]]), clash(("b", 5)), None),
    (on_graph(["ab", "bc", "cd", "de"], given=[["b", 2]]), clash(("b", 2)), Reason.NOT_PROVED),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "evidence", "expected"), CLASHES)
def test_clashes(problem, evidence, expected):
    assert reason(problem, evidence) is expected
    assert accepts(certificate(problem, evidence)) == (expected is None)


def test_a_clue_alone_counts_from_version_5():
    document = certificate(on_board(5, 5, given=[["b1", 9]]), clash(("b1", 9)))
    older = {**document, "schema_version": 4}
    assert accepts(document) and not accepts(older)
    check(document)
    with pytest.raises(Refusal) as refused:
        check(older)
    assert refused.value.reason is Reason.WRONG_SHAPE


SENTENCES_OF_CLUES = {
    "a1 is at step 1 and h8 at step 5, 4 moves later, but a knight needs 6 moves from a1 to h8":
        (FAR, clash(("a1", 1), ("h8", 5))),
    "a1 is at step 1 and e4 at step 17, 16 moves later, but every way from a1 to e4 has an odd "
    "number of moves": (FAR, clash(("a1", 1), ("e4", 17))),
    "d1 is at step 10 and a1 at step 1 of the next round, 1 move later, but a wazir needs 3 moves "
    "from d1 to a1": examples_4()[2],
    "c2 and a2 cannot both be at step 6": examples_4()[4],
    "a cannot be both at step 1 and at step 3": examples_4()[5],
    "b1 is at step 5 and a wazir changes colour with every move, so the odd steps need 5 squares "
    "of b1's colour, but moves from there reach 4": examples_4()[6],
    "a1 is at step 8 and a knight changes colour with every move, so the odd steps need 13 squares "
    "of the other colour, but moves from there reach 12":
        (on_board(5, 5, given=[["a1", 8]]), clash(("a1", 8))),
    "b is at step 3, so the odd steps need 3 nodes that an even number of edges leads to, but":
        examples_4()[7],
    "no way": (on_board(2, 4, given=[["a1", 1], ["b1", 3]]), clash(("a1", 1), ("b1", 3))),
    "a way from a to c of an odd number of edges has 5 at least": (
        on_graph(["ab", "bc", "bd", "de", "be"], given=[["a", 1], ["c", 4]]),
        clash(("a", 1), ("c", 4)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES_OF_CLUES)
def test_sentences_of_clues(sentence):
    argument = check(certificate(*SENTENCES_OF_CLUES[sentence])).argument
    assert sentence.replace("from d1 to a1", "") in argument.replace("from a1 to d1", "")


# --- clues of refutations -------------------------------------------------------------------------

COLOURS = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["c1", 6], ["b2", 3]])
FEW = [["a1", 1], ["c1", 6]]


def test_fewer_clues_prove_as_much_and_others_nothing():
    evidence = refuted(COLOURS, pack=False, clues=FEW)
    assert reason(COLOURS, evidence) is None
    argument = check(certificate(COLOURS, evidence)).argument
    assert argument.startswith("with a1 at step 1 and c1 at step 6, the formula of ")
    for given in ([["a1", 1], ["b2", 3]], [["c1", 6]], [["a1", 1], ["c1", 5]]):
        assert reason({**COLOURS, "given": given}, evidence) is Reason.NOT_A_CLUE
    for clues, expected in (
        ([], Reason.WRONG_DIGEST),
        ([["a1", 1]], Reason.WRONG_DIGEST),
        ([*FEW, ["b2", 3]], Reason.WRONG_DIGEST),
        ([*FEW, FEW[0]], Reason.NOT_A_CLUE),
        ([["a1", 1], ["c1", 5]], Reason.NOT_A_CLUE),
        ([["a1", 1], ["c1"]], Reason.WRONG_SHAPE),
        ("a1", Reason.WRONG_SHAPE),
        (None, Reason.WRONG_SHAPE),
    ):
        assert reason(COLOURS, {**evidence, "clues": clues}) is expected, clues
    less = {key: value for key, value in evidence.items() if key != "clues"}
    assert reason(COLOURS, less) is Reason.WRONG_SHAPE
    assert reason({**COLOURS, "given": []}, less) is Reason.WRONG_DIGEST
    assert reason({**COLOURS, "given": []}, evidence) is Reason.WRONG_SHAPE
    # A proof that is made to fit another formula does not follow.
    fitted = refutation(COLOURS, evidence["proof"], clues=[["a1", 1]], pack=False)
    assert reason(COLOURS, fitted) in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE)


def test_the_start_of_a_closed_tour_counts_if_it_is_named():
    problem = on_board(2, 3, piece=WAZIR, closed=True, start="a1", given=[["c2", 3]])
    both = [["a1", 1], ["c2", 3]]
    assert reason(problem, refuted(problem, pack=False, clues=both)) is None
    alone = refuted(
        {**problem, "given": []}, pack=False, tours=[["a1", "b1", "c1", "c2", "b2", "a2"]]
    )
    assert reason({**problem, "given": []}, alone) is None
    assert reason({**problem, "start": None}, refutation(problem, ["0 1 0"], clues=both)) is (
        Reason.NOT_A_CLUE
    )


# --- lists ----------------------------------------------------------------------------------------

HALF = on_board(3, 4, symmetry="half-turn")
ONE = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["b1", 4]])
WALK = ["a1", "a2", "b2", "b1", "c1", "c2"]
PROOF = refuted(ONE, pack=False, tours=[WALK])


def relisted(problem, tours_, evidence=None):
    """A list of other tours under the same proof, digests made to fit."""
    evidence = evidence or PROOF
    try:
        return refutation(
            problem, evidence["proof"], evidence["cuts"], clues=evidence.get("clues", ()),
            tours=tours_, pack=False,
        )  # fmt: skip
    except (KeyError, IndexError):  # no moves
        return {**evidence, "tours": tours_}


LISTS = [
    ([], Reason.EMPTY_SET),
    (None, Reason.WRONG_SHAPE),
    ("a1", Reason.WRONG_SHAPE),
    ([None], Reason.WRONG_SHAPE),
    (["a1 a2 b2 b1 c1 c2"], Reason.WRONG_SHAPE),
    ([WALK, WALK], Reason.TWICE),
    ([WALK[:5]], Reason.NOT_A_TOUR),
    ([[*WALK, "a1"]], Reason.BAD_SQUARE),  # twice in one list
    ([[*WALK[:5], "c3"]], Reason.BAD_SQUARE),
    ([WALK[::-1]], Reason.NOT_A_TOUR),  # the clues fix the direction
    ([["a1", "b1", "b2", "a2", "c1", "c2"]], Reason.NOT_A_TOUR),
    ([["a1", "a2", "b2", "c2", "c1", "b1"]], Reason.NOT_A_TOUR),  # a tour, but b1 at 6
    ([WALK, ["a1", "a2", "b2", "c2", "c1", "b1"]], Reason.NOT_A_TOUR),
    ([[]], Reason.NOT_A_TOUR),
]


@pytest.mark.parametrize(("tours_", "expected"), LISTS)
def test_lists_that_are_wrong(tours_, expected):
    assert reason(ONE, PROOF) is None
    evidence = {**PROOF, "tours": tours_}
    assert reason(ONE, evidence) is expected
    assert not accepts(certificate(ONE, evidence))


def test_a_tour_left_out_is_missed():
    evidence = refuted(HALF, pack=False, tours=SYMMETRIC)
    assert reason(HALF, evidence) is None
    for place in range(4):
        fewer = SYMMETRIC[:place] + SYMMETRIC[place + 1 :]
        assert reason(HALF, {**evidence, "tours": fewer}) is Reason.WRONG_DIGEST
        assert reason(HALF, relisted(HALF, fewer, evidence)) in (
            Reason.BAD_LEMMA,
            Reason.OUT_OF_RANGE,
        )
    reverse = [*SYMMETRIC[:3], SYMMETRIC[3][::-1]]
    assert reason(HALF, {**evidence, "tours": reverse}) is None  # of an open tour, either direction
    assert reason(HALF, {**evidence, "tours": [*SYMMETRIC, SYMMETRIC[2][::-1]]}) is Reason.TWICE
    crooked = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "d3", "b2", "d1", "c3", "a2"]
    assert reason(HALF, {**evidence, "tours": [crooked]}) is Reason.NOT_A_TOUR
    free = {**HALF, "symmetry": None}
    assert reason(free, relisted(free, SYMMETRIC, evidence)) in (
        Reason.BAD_LEMMA,
        Reason.OUT_OF_RANGE,
    )


def test_a_closed_tour_is_one_wherever_it_begins():
    ring, proof = [*"abcd"], refuted(SQUARE, pack=False, tours=[[*"abcd"]])
    for shift in range(4):
        turned = ring[shift:] + ring[:shift]
        for same in (turned, turned[::-1]):
            assert reason(SQUARE, {**proof, "tours": [same]}) is None
            assert reason(SQUARE, {**proof, "tours": [ring, same]}) is Reason.TWICE
    # With a start it begins there.
    placed = {**SQUARE, "start": "b"}
    assert reason(placed, {**proof, "tours": [[*"bcda"]]}) is None
    assert reason(placed, {**proof, "tours": [ring]}) is Reason.NOT_A_TOUR


def test_a_list_needs_its_conditions():
    problem = examples_4()[-1][0]
    evidence = deepcopy(examples_4()[-1][1])
    assert reason(problem, evidence) is None
    assert problem["piece"] != KNIGHT
    other = [["a1", "a2", "b1", "c2", "c1", "b2"]]
    assert reason(problem, {**evidence, "tours": other}) is Reason.NOT_A_TOUR  # not a1-b2
    assert reason({**problem, "start": "c1"}, evidence) is Reason.NOT_A_TOUR
    assert reason({**problem, "forbid": [["b1", "c2"]]}, evidence) is Reason.NOT_A_TOUR


def test_too_many_tours(monkeypatch):
    monkeypatch.setattr("kt_cp.trust.check.refutation.MOST_TOURS", 3)
    assert reason(HALF, examples_4()[-2][1]) is Reason.TOO_LARGE
