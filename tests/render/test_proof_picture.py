"""What a certificate points at is what its picture shows."""

from __future__ import annotations

import networkx as nx
import pytest

from kt_cp import Board, Problem, prove
from kt_cp.engines.prove import prove as prove_kind
from kt_cp.model.board import parse_squares, square_name
from kt_cp.model.errors import TooLargeError
from kt_cp.proofs.certificate import certified
from kt_cp.render import highlights
from kt_cp.render import highlights as picture
from kt_cp.trust.check.certificate import RULES


def inner(board):
    return [square_name(square) for square in board if square[0] in (1, 2)]


CLOSED_4X6 = Problem(Board(4, 6), closed=True)
EVIDENCE = {
    "size": (Problem(Board(1, 2), closed=True), {}),
    "colours": (Problem(Board(5, 5), closed=True), {}),
    "clash": (
        Problem(Board(3, 4), given={"a1": 1, "b1": 3}),
        {"clues": [["a1", 1], ["b1", 3]]},
    ),
    "degrees": (Problem(Board(3, 3)), {"squares": ["b2"]}),
    "connectivity": (Problem(Board(2, 5)), {"squares": ["a1", "b1"]}),
    "symmetry": (
        Problem(Board(5, 5), closed=True, symmetry="quarter-turn"),
        {"squares": ["c3"]},
    ),
    "cut": (
        Problem(Board(3, 4, parse_squares("b1,c1,b3,c3,a1,a3")), closed=True),
        {"squares": ["d2"]},
    ),
    "removal": (Problem(Board(4, 4)), {"squares": ["b2", "c2", "b3", "c3"]}),
    "tight": (CLOSED_4X6, {"sets": [inner(Board(4, 6))]}),
    "forced": (Problem(Board(3, 4), closed=True), {"tree": {}}),
}


@pytest.fixture
def drawn(monkeypatch):
    """Draw a certificate; what the picture was told, and its text."""

    def draw(certificate):
        told = {}

        def keep(board, **keywords):
            told.update(keywords)
            return real(board, **keywords)

        real = picture.argument_svg
        monkeypatch.setattr(picture, "argument_svg", keep)
        text = picture.argument_picture(certificate)
        monkeypatch.undo()
        return told, text

    return draw


def test_every_kind_is_drawn():
    assert set(highlights._HIGHLIGHTS) == {*RULES, "exhausted"}


@pytest.mark.parametrize("kind", EVIDENCE)
def test_the_argument_is_below(drawn, kind):
    problem, evidence = EVIDENCE[kind]
    certificate = certified(problem, {"kind": kind, **evidence})
    told, text = drawn(certificate)
    assert told["title"] == f"No tour ({problem.label})"
    assert told["caption"] == f"No tour ({problem.label}): {certificate.argument}."
    assert text.startswith("<svg")


def test_clues_stand_in_their_squares(drawn):
    problem, evidence = EVIDENCE["clash"]
    told, text = drawn(certified(problem, {"kind": "clash", **evidence}))
    assert told["steps"] == {(0, 0): 1, (0, 1): 3}
    assert ">1</text>" in text and ">3</text>" in text
    assert text.count('class="marked"') == 3  # and in the legend


def test_removed_squares_and_pieces(drawn):
    problem, evidence = EVIDENCE["removal"]
    told, _ = drawn(certified(problem, {"kind": "removal", **evidence}))
    assert told["removed"] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert sorted(map(len, told["components"])) == [1, 1, 1, 1, 4, 4]
    assert {square for piece in told["components"] for square in piece} == set(problem.board) - set(
        told["removed"]
    )


def test_pieces_without_moves_in_a_tight_set(drawn):
    problem, evidence = EVIDENCE["tight"]
    told, _ = drawn(certified(problem, {"kind": "tight", **evidence}))
    assert told["marked"] == {square for square in problem.board if square[0] in (1, 2)}
    # The famous argument: two halves that never meet.
    assert sorted(map(len, told["components"])) == [12, 12]
    assert {sum(square) % 2 for square in told["components"][0] if square[0] in (0, 3)} in (
        {0},
        {1},
    )


def test_a_tight_set_that_leaves_too_many_pieces(drawn):
    problem = Problem(Board(4, 4))
    told, _ = drawn(certified(problem, {"kind": "tight", "sets": [["b2", "c2", "b3", "c3"]]}))
    assert (len(told["removed"]), len(told["components"])) == (4, 6)


def test_forced_moves(drawn):
    problem, evidence = EVIDENCE["forced"]
    told, _ = drawn(certified(problem, {"kind": "forced", **evidence}))
    used = {frozenset(map(square_name, move)) for move in told["used"]}
    assert {frozenset(("a1", "c2")), frozenset(("a1", "b3"))} <= used
    assert not used & {frozenset(map(square_name, move)) for move in told["banned"]}


def test_sets_and_splits_of_a_tree(drawn):
    squares = ["b2", "c2", "b3", "c3"]
    told, _ = drawn(
        certified(Problem(Board(4, 4)), {"kind": "forced", "tree": {"remove": squares}})
    )
    assert (told["removed"], len(told["components"])) == ([(1, 1), (1, 2), (2, 1), (2, 2)], 6)
    split = {"move": ["d1", "e3"], "used": {}, "unused": {}}
    told, _ = drawn(certified(Problem(Board(3, 8), closed=True), {"kind": "forced", "tree": split}))
    assert told["marked"] == [(0, 3), (2, 4)]
    assert told["tried"] == [((0, 3), (2, 4))]
    assert told["used"]
    # A set that is counted first is told by its turn, and so is the last.
    tree = {
        "remove": ["b2", "c2", "d2", "e2", "f2", "a3", "b3", "c3", "d3", "e3", "f3", "f4"],
        "then": {"remove": ["a2"]},
    }
    told, _ = drawn(certified(CLOSED_4X6, {"kind": "forced", "tree": tree}))
    assert [len(squares) for squares in told["counted"]] == [12, 1]


def test_refutations_show_their_cuts(drawn):
    certificate = prove_kind(Problem(Board(3, 8), closed=True), "refutation").certificate
    told, _ = drawn(certificate)
    cuts = certificate.document["evidence"]["cuts"]
    shown = {name for names in cuts for name in names}
    assert {square_name(square) for square in told.get("marked", ())} in (shown, set())


def test_ends_are_shown(drawn):
    told, _ = drawn(prove(Problem(Board(5, 5), start=(0, 1))).certificate)
    assert (told["start"], told["end"], told["colours"]) == ((0, 1), None, True)


def test_what_cannot_be_drawn():
    graph = nx.star_graph(3)
    with pytest.raises(ValueError, match="expected a board for a picture"):
        picture.argument_picture(prove(Problem(graph=graph, closed=True)).certificate)
    with pytest.raises(TooLargeError, match="at most 10,201 squares for a picture"):
        picture.argument_picture(prove(Problem(Board(1001, 1001), closed=True)).certificate)
    assert picture.check_picture(Problem(Board(101, 101))) is None
