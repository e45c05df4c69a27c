"""The checker: examples of every kind are accepted, and each lie is refused for its own reason."""

from __future__ import annotations

import pytest

from kt_cp.trust.check import RULES, Reason, check
from kt_cp.trust.check.certificate import since
from tests.examples.certificates import (
    BOWTIE,
    ONE_MOVE,
    STAR,
    TREE_4X4,
    board,
    certificate,
    examples_1,
    examples_4,
    examples_5,
    graph,
    on_board,
    on_graph,
    ranks,
    reason,
    sweeps,
)

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
    every = [*examples_1(), *examples_4(), *examples_5(), *sweeps()]
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
    if since(evidence) == 1:
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
    whole = [[one, other] for place, one in enumerate(nodes) for other in nodes[:place]]
    yield {"nodes": nodes, "edges": whole, "closed": problem["closed"], **ends}


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
