"""The kind ``split``: what is left after each step, and each lie about it is refused."""

from __future__ import annotations

from copy import deepcopy

import pytest

from kt_cp.trust.check import Reason, check
from kt_cp.trust.check.split import MOST_DEPTH
from tests.examples.certificates import (
    AT_TRIANGLE,
    CASES,
    CLOSED_BOWTIE,
    CONTRADICTION,
    LEAF_B,
    NESTED,
    OPEN,
    PAIRS,
    PETERSEN,
    PLAIN_STEP,
    TRIANGLE,
    accepts,
    certificate,
    examples_5,
    keep,
    on_graph,
    reason,
    refuted,
    says,
    split,
    use,
)

TREE = {"kind": "forced", "tree": CASES}
CUT = {"kind": "cut", "squares": ["c"]}
LONE = {"kind": "degrees", "squares": ["b"]}


@pytest.mark.parametrize(("problem", "evidence"), examples_5())
def test_both_checkers_accept(problem, evidence):
    document = certificate(problem, evidence)
    assert "is left, which a tour would make a cycle of" in check(document).argument
    assert accepts(document)
    assert not accepts({**document, "schema_version": 4})


def without(evidence, *places):
    steps = [step for place, step in enumerate(evidence["steps"]) if place not in places]
    return {**evidence, "steps": steps}


NOT_PROVED = [
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
    # an edge whose absence leaves a cycle, that is none, or is required
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


@pytest.mark.parametrize(("problem", "evidence", "expected"), NOT_PROVED)
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


def test_what_is_said():
    assert says(TRIANGLE, AT_TRIANGLE).endswith(
        "with such parts taken out, a graph of 10 nodes is left, which a tour would make a cycle "
        "of, but suppose of one edge after another that a tour uses it, and then that it does not: "
        "forced edges lead to a contradiction in each of the 6 cases, after 4 suppositions at most"
    )
    assert says(CLOSED_BOWTIE, split(use("ab", LEAF_B), then=CUT)).startswith(
        "a tour passes each part that hangs on two vertices, or on three edges, once; with such "
    )
