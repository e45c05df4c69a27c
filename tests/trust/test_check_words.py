"""The sentences of the checker: a person can follow them, and they are always the same."""

from __future__ import annotations

import re

import pytest

from kt_cp.trust.check import check
from tests.examples.certificates import (
    BOWTIE,
    STAR,
    board,
    certificate,
    examples_1,
    ranks,
    refuted,
    says,
)

INNER = ranks(6, 2, 3)
CLOSED_4X6 = board(4, 6, closed=True)
SENTENCES = [
    (
        board(1, 1, closed=True),
        {"kind": "size"},
        "a closed tour needs at least 3 squares, and there is 1",
    ),
    (
        board(2, 2, "a1", "b1", "b2", closed=True),
        {"kind": "colours"},
        "a knight changes colour with every move, so a closed tour visits as many dark squares as "
        "light, but there are 0 dark squares and 1 light",
    ),
    (
        board(2, 3, "a1", "c1"),
        {"kind": "colours"},
        "a knight changes colour with every move, so a tour visits at most one more of either "
        "colour, but there is 1 dark square and 3 light",
    ),
    (
        board(3, 3, "a1", "c3", closed=True),
        {"kind": "degrees", "squares": ["b1", "c2"]},
        "a closed tour needs two moves at every square, and b1 and c2 have at most one",
    ),
    (
        {**STAR, "start": "a", "end": "b"},
        {"kind": "degrees", "squares": ["c"]},
        "c has at most one edge, so a tour would end there, not where it must",
    ),
    (
        {**BOWTIE, "start": "c"},
        {"kind": "cut", "squares": ["c"]},
        "without c the graph falls into 2 components; an open tour from c goes through that node "
        "once, so it can visit at most 1 of them",
    ),
    (
        board(3, 6),
        {"kind": "removal", "squares": ["c1", "d1", "c2", "d2", "c3", "d3"]},
        "without files c and d the board falls into 8 pieces; an open tour goes through those "
        "6 squares once each, so it can visit at most 7 of them",
    ),
    (
        CLOSED_4X6,
        {"kind": "tight", "sets": [INNER]},
        "without ranks 2 and 3 the board falls into 12 pieces, just as many as a tour can visit, "
        "so it uses a move between these squares only where it must; "
        "then the board falls into 2 pieces with no move between them",
    ),
    (  # the first set is not tight and says nothing; the third repeats the second
        CLOSED_4X6,
        {"kind": "tight", "sets": [["a1", "b1"], INNER, INNER]},
        "without ranks 2 and 3 the board falls into 12 pieces, just as many as a tour can visit, "
        "so it uses a move between these squares only where it must, and likewise for 1 more set; "
        "then the board falls into 2 pieces with no move between them",
    ),
    (  # a set that leaves too many pieces at once is named as well
        board(3, 6),
        {"kind": "tight", "sets": [["c1", "d1", "c2", "d2", "c3", "d3"]]},
        "without files c and d the board falls into 8 pieces, of which a tour can visit at most 7",
    ),
    (
        CLOSED_4X6,
        {"kind": "forced", "tree": {"remove": INNER, "then": {"remove": []}}},
        "pieces left without certain squares are counted, and then the board falls into 2 pieces "
        "with no move between them",
    ),
    (
        board(3, 9, start="c3", end="d2"),
        {"kind": "forced", "tree": {}},
        "forced moves close a circle with e2-g3 before every square is visited",
    ),
    (
        board(3, 9, start="c1", end="c3"),
        {"kind": "forced", "tree": {}},
        "forced moves lead from one end of the tour to the other with a2-c3 before every square is "
        "visited",
    ),
    (
        board(5, 8, start="b3", end="h4"),
        {"kind": "forced", "tree": {}},
        "forced moves leave a single move at a1, and a1 cannot be an end",
    ),
    (
        board(3, 10, start="c3", end="e3"),
        {"kind": "forced", "tree": {}},
        "forced moves make more squares ends of the tour than it can have",
    ),
    (
        board(1, 3, "b1"),
        {"kind": "forced", "tree": {}},
        "forced moves leave too few squares that can be ends of the tour",
    ),
    (
        board(4, 4, "b1", "b4", "a2", start="b2", end="a3"),
        {"kind": "forced", "tree": {}},
        "two moves are forced at b2, but as an end of the tour it has one",
    ),
    (
        board(3, 8, closed=True),
        {"kind": "forced", "tree": {"move": ["d1", "e3"], "used": {}, "unused": {}}},
        "whether a tour uses the move d1-e3 or not, forced moves lead to a contradiction",
    ),
    (
        board(3, 4, closed=True),
        refuted(board(3, 4, closed=True)),
        "the formula of 32 clauses with 2 cuts has no model: the empty clause follows in 1 step",
    ),
]


@pytest.mark.parametrize(("problem", "evidence", "sentence"), SENTENCES)
def test_sentences(problem, evidence, sentence):
    assert says(problem, evidence) == sentence


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_a_sentence_never_speaks_of_vertices(problem, evidence):
    sentence = says(problem, evidence)
    words = set(re.sub("[,;:]", "", sentence).split())
    board = {"square", "squares", "move", "moves", "piece", "pieces", "board"}
    graph = {"node", "nodes", "edge", "edges", "component", "components", "graph"}
    assert not ({"vertex", "None"} | (board if "nodes" in problem else graph)) & words
    assert "-end" not in sentence and "end-" not in sentence and "at end" not in sentence
    assert "1 pieces" not in sentence


@pytest.mark.parametrize(("problem", "evidence"), examples_1())
def test_the_order_of_a_list_does_not_matter(problem, evidence):
    if "squares" in evidence:
        reverse = {**evidence, "squares": evidence["squares"][::-1]}
        assert says(problem, reverse) == says(problem, evidence)
    if "missing" in problem:
        reverse = {**problem, "missing": problem["missing"][::-1]}
        assert says(reverse, evidence) == says(problem, evidence)


def test_long_lists_and_long_names_are_cut():
    names = [f"{'n' * 200}{number}" for number in range(30)]
    star = {"nodes": ["hub", *names], "edges": [["hub", name] for name in names]}
    conditions = {"closed": False, "start": None, "end": None}
    checked = check(certificate({**star, **conditions}, {"kind": "degrees", "squares": names}))
    assert "21 more nodes" in checked.argument
    assert len(checked.argument) < 600
