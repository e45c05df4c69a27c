"""Conditions in certificates: what is malformed, invented, dropped or altered is refused."""

from __future__ import annotations

from copy import deepcopy

import pytest

from kt_cp.model.piece import MOST_LEAPS
from kt_cp.trust.check import Reason, check, shape
from kt_cp.trust.check.shape import problem_of
from tests.examples.certificates import (
    CAMEL,
    COMPLETE,
    KING,
    WAZIR,
    accepts,
    board,
    certificate,
    examples_2,
    on_board,
    on_graph,
    reason,
    reason_of,
    says,
    signed,
)

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
        ({key: [["a1", "b3"]] * (shape.MOST_CONDITIONS + 1)}, Reason.TOO_LARGE),
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
    whole = on_graph(COMPLETE, forbid="b-c b-d c-d")
    assert reason(whole, evidence) is None
    for change, expected in (
        ({"forbid": [["b", "e"]]}, Reason.BAD_SQUARE),
        ({"forbid": [["b", "b"]]}, Reason.WRONG_PROBLEM),
        ({"require": [["b", "c"]]}, Reason.WRONG_PROBLEM),  # which is forbidden
        ({"symmetry": "half-turn"}, Reason.WRONG_PROBLEM),
        ({"piece": WAZIR}, Reason.WRONG_SHAPE),
        ({"surface": "plane"}, Reason.WRONG_SHAPE),
    ):
        assert reason({**whole, **change}, evidence) is expected, change
    three = on_graph(COMPLETE, require="a-b a-c a-d")
    assert reason(three, evidence) is Reason.WRONG_PROBLEM


# --- lies: the evidence is that of another question -----------------------------------------------


def without(problem, key, place=None):
    """The problem with less in one of its lists."""
    kept = [] if place is None else [m for i, m in enumerate(problem[key]) if i != place]
    return {**problem, key: kept}


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
    assert reason(more, evidence) is Reason.WRONG_SHAPE  # of version 4: its clues are not told
    assert reason(more, {**evidence, "clues": []}) is Reason.WRONG_DIGEST  # of the formula
    # And they prove nothing by themselves: a step that parity excludes is not looked at.
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
