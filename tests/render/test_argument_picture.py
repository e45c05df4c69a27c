"""Pictures of proofs and arguments show what the certificate names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from math import dist

import networkx as nx
import pytest

from kt_cp import Board, Problem, prove
from kt_cp.engines.prove import prove as run_prove
from kt_cp.model.board import parse_squares, square_name
from kt_cp.model.errors import TooLargeError
from kt_cp.proofs.certificate import build_certificate
from kt_cp.render import highlights
from kt_cp.render.argument import PALETTE, argument_svg
from kt_cp.render.board import NUMBERED, centre
from kt_cp.render.moves import Moves, place_crosses
from kt_cp.trust.check.certificate import RULES

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = "h1v1h-1z"
MOVES = [((0, 0), (1, 2)), ((1, 2), (2, 4))]
KINDS = {  # class of the drawing: what asks for it, and what the legend says
    "removed": ({"removed": [(1, 1)]}, ["taken away"]),
    "piece": ({"components": [[(0, 0), (1, 2)]]}, ["piece 1"]),
    "marked": ({"marked": [(2, 2)]}, ["what this is about"]),
    "assumed": ({"tried": MOVES[:1]}, ["used or not"]),
    "turns": ({"counted": [[(0, 0)], [(0, 1)]]}, ["sets 1 to 2, counted one by one"]),
    "used": ({"used": MOVES}, ["must be used"]),
    "banned": ({"banned": MOVES}, ["cannot be used"]),
    "start": ({"start": (0, 1)}, ["start"]),
    "end": ({"end": (4, 4)}, ["end"]),
    "dots": ({"colours": True}, ["13 dark squares", "12 light squares"]),
}
FOUR = {
    "removed": parse_squares("b2 c2 b3 c3"),
    "components": [
        parse_squares(names) for names in ("a1", "b1 a3 c4 d2", "c1 d3 b4 a2", "d1", "a4", "d4")
    ],
}


def drawn(board, **options):
    options.setdefault("title", "No tour")
    return ET.fromstring(argument_svg(board, **options))


def of_class(picture, name):
    """Elements of a class on the board: the legend shows the same signs once more."""
    legend = {
        id(part) for group in picture.findall(f"{SVG}g[@class='legend']") for part in group.iter()
    }
    return [part for part in picture.iter() if part.get("class") == name and id(part) not in legend]


def words(picture, name):
    return [
        text.text
        for group in picture.findall(f"{SVG}g[@class='{name}']")
        for text in group.findall(f"{SVG}text")
    ]


def everything(side):
    """A large board on which all there is occurs; its pieces are bands of ranks."""
    board = Board(side, side, frozenset({(0, 0)}))
    removed = [square for square in board if square[0] % 5 in (1, 2)]
    bands = {}
    for square in board:
        if square[0] % 5 not in (1, 2):
            bands.setdefault((square[0] + 2) // 5, []).append(square)
    return board, {
        "removed": removed,
        "components": list(bands.values()),
        "marked": [(5, 5)],
        "tried": [((3, 3), (4, 1))],
        "counted": [[(5, 5)], [(5, 5), (5, 6)]],
        "used": [((3, 3), (4, 5))],
        "banned": [((3, 4), (5, 5))],
        "start": (0, 1),
        "end": (3, 0),
        "colours": True,
        "caption": "All that is known about such a board. " * 5,
    }


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_appears_when_asked_and_not_otherwise(kind):
    options, legend = KINDS[kind]
    picture = drawn(Board(5, 5), **options)
    assert [name for name in KINDS if of_class(picture, name)] == [kind]
    assert words(picture, "legend") == legend


def test_nothing_asked_is_the_board():
    picture = drawn(Board(5, 5))
    assert not [name for name in (*KINDS, "caption", "legend") if of_class(picture, name)]
    assert picture.find(f"{SVG}title").text == "No tour"
    assert picture.find(f"{SVG}desc") is None


def test_pieces_have_their_squares_numbers_and_moves():
    picture = drawn(Board(4, 4), **FOUR)
    pieces = of_class(picture, "piece")
    assert [piece.get("d").count(SQUARE) for piece in pieces] == [1, 4, 4, 1, 1, 1]
    assert [piece.find(f"{SVG}title").text for piece in pieces] == [
        f"piece {number}" for number in range(1, 7)
    ]
    (removed,) = of_class(picture, "removed")
    assert removed.get("d").count(SQUARE) == 4
    numbers = {
        (int(4 - float(text.get("y"))), int(float(text.get("x")))): text.text
        for text in of_class(picture, "numbers")[0]
    }
    expected = {
        square: str(number)
        for number, piece in enumerate(FOUR["components"], 1)
        for square in piece
    }
    assert numbers == expected
    inside = of_class(picture, "inside")  # two pieces are circles of four moves
    assert [len(re.findall("M", path.get("d"))) for path in inside] == [4, 4]
    assert {path.get("stroke") for path in inside} == {PALETTE[1][1], PALETTE[2][1]}


def test_moves_of_a_piece_are_its_own():
    board = Board(6, 5)
    (path,) = of_class(drawn(board, components=[list(board)]), "inside")
    drawn_moves = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", path.get("d"))
    steps = {
        frozenset({(float(x), float(y)), (float(to_x), float(to_y))})
        for x, y, to_x, to_y in drawn_moves
    }
    assert len(steps) == len(drawn_moves) == 2 * (5 * 3 + 4 * 4)
    for step in steps:
        (x, y), (to_x, to_y) = step
        assert {abs(x - to_x), abs(y - to_y)} == {1, 2}


def test_two_hundred_pieces():
    board = Board(15, 15)
    pieces = [[square] for square in board][:200]
    picture = drawn(board, components=pieces)
    fills = {}
    for group in of_class(picture, "pieces"):
        for piece in group:
            fills[piece.find(f"{SVG}title").text] = group.get("fill")
    assert len(fills) == 200
    in_order = [fills[f"piece {number}"] for number in range(1, 201)]
    assert all(one != other for one, other in pairwise(in_order))
    (numbers,) = of_class(picture, "numbers")
    assert [text.text for text in numbers] == [str(number) for number in range(1, 201)]
    assert words(picture, "legend") == ["… 200 pieces"]
    assert of_class(picture, "inside") == []


def test_numbers_where_they_can_be_read():
    for side, numbered in ((NUMBERED, True), (NUMBERED + 1, False)):
        picture = drawn(Board(side, side), components=[[(0, 0)], [(1, 1)]])
        assert bool(of_class(picture, "numbers")) is numbered
        assert words(picture, "legend") == ["piece 1", "piece 2"]


def test_removed_squares_and_holes_differ():
    board = Board(4, 4, frozenset({(0, 0)}))
    picture = drawn(board, removed=[(3, 3)])
    (hole,), (removed,) = of_class(picture, "missing"), of_class(picture, "removed")
    assert hole.get("fill") != removed.get("fill")
    assert len(of_class(picture, "struck")) == 1
    assert words(picture, "legend") == ["missing", "taken away"]


def test_colours_are_counted_without_what_is_gone():
    board = Board(8, 8, frozenset({(0, 0), (7, 7)}))
    picture = drawn(board, colours=True, removed=[(0, 1)])
    (dots,) = of_class(picture, "dots")
    fills = [dot.get("fill") for dot in dots]
    assert len(fills) == 61
    assert sorted(map(fills.count, set(fills))) == [30, 31]
    assert words(picture, "legend")[-2:] == ["30 dark squares", "31 light squares"]
    assert words(drawn(Board(1, 1), colours=True), "legend") == ["1 dark square", "0 light squares"]


def test_moves_are_drawn_once_whichever_way_they_are_given():
    both = [((0, 0), (1, 2)), ((1, 2), (0, 0))]
    (used,) = of_class(drawn(Board(3, 3), used=both), "used")
    assert used.get("d") == "M0.5 2.5L2.5 1.5"
    (banned,) = of_class(drawn(Board(3, 3), banned=both), "banned")
    line, crosses = banned
    assert line.get("stroke-dasharray")
    assert crosses.get("d").count("M") == 1


def test_ends_have_their_shapes_and_carry_the_number_of_their_piece():
    picture = drawn(Board(3, 3), components=[[(0, 0), (2, 2)]], start=(0, 0), end=(2, 2))
    (start,), (end,) = of_class(picture, "start"), of_class(picture, "end")
    assert (start.tag, end.tag) == (f"{SVG}circle", f"{SVG}rect")
    (numbers,) = of_class(picture, "numbers")
    assert {text.get("fill") for text in numbers} == {"#ffffff"}


def test_the_same_every_time_and_in_any_order():
    text = argument_svg(Board(4, 4), title="x", **FOUR)
    turned = {
        "removed": set(FOUR["removed"]),
        "components": [frozenset(reversed(piece)) for piece in FOUR["components"]],
    }
    assert argument_svg(Board(4, 4), title="x", **turned) == text


@pytest.mark.parametrize("side", [10, 16, 17, 41, 101])
def test_every_size(side):
    board, options = everything(side)
    text = argument_svg(board, title="x", **options)
    picture = ET.fromstring(text)
    assert len(text) < 5000 + 280 * len(board)
    sizes = {piece[0].text: piece.get("d").count(SQUARE) for piece in of_class(picture, "piece")}
    assert sizes == {
        f"piece {number}": len(piece) for number, piece in enumerate(options["components"], 1)
    }
    width, height = int(picture.get("width")), int(picture.get("height"))
    _, _, across, down = map(float, picture.get("viewBox").split())
    assert width / across == pytest.approx(height / down, rel=0.05)


BAD = [
    ({"removed": [(3, 0)]}, r"expected squares on the 3x3 without b2 board, got \(3, 0\)"),
    ({"components": [[(0, 0)], [(0, -1)]]}, "expected squares on"),
    ({"marked": [(1, 1)]}, r"expected squares on the 3x3 without b2 board, got \(1, 1\)"),
    ({"used": [((0, 0), (9, 2))]}, "expected squares on"),
    ({"banned": [((0, 0), (9, 2))]}, "expected squares on"),
    ({"start": (5, 5)}, "expected squares on"),
    ({"end": "a1"}, "expected squares on"),
    ({"used": [((0, 0), (0, 0))]}, "expected moves between two squares"),
    ({"banned": [((0, 0), (1, 2), (2, 0))]}, "expected moves between two squares"),
    (
        {"components": [[(0, 0)], []]},
        "expected squares in each component, got none in number 2",
    ),
    (
        {"components": [[(0, 0)], [(0, 0)]]},
        "expected components apart, got a1 in one of them",
    ),
    (
        {"components": [[(0, 0)]], "removed": [(0, 0)]},
        "expected components apart, got a1 removed",
    ),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=[str(bad) for bad, _ in BAD])
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        argument_svg(Board(3, 3, frozenset({(1, 1)})), title="x", **options)


@pytest.mark.parametrize("board", [Board(4, 6), Board(3, 10), Board(6, 6)], ids=str)
def test_crosses_do_not_collide(board):
    moves = Moves(board)
    inner = {square for square in board if 0 < square[0] < board.rows - 1}
    crossed = [
        (square, other)
        for square in sorted(inner)
        for other in ((square[0] + 1, square[1] + 2), (square[0] + 1, square[1] - 2))
        if other in inner
    ]
    places = place_crosses(moves, crossed, 0.36)
    assert len(places) == len(crossed)
    for place, (left, to) in zip(places, crossed, strict=True):
        assert dist(centre(board, left), place) + dist(place, centre(board, to)) == pytest.approx(
            dist(centre(board, left), centre(board, to))
        )
    pairs = combinations(places, 2)
    assert all(dist(one, other) >= 0.36 for one, other in pairs)


def test_a_move_that_is_tried_has_a_question_mark_in_its_middle():
    picture = drawn(Board(5, 5), tried=[((0, 0), (2, 1))])
    (tried,) = of_class(picture, "assumed")
    (text,) = tried.iter(f"{SVG}text")
    (disc,) = tried.iter(f"{SVG}circle")
    assert (text.text, float(disc.get("cx")), float(disc.get("cy"))) == ("?", 1.0, 3.5)
    with pytest.raises(ValueError, match="moves between two squares"):
        drawn(Board(5, 5), tried=[((0, 0), (0, 0))])
    with pytest.raises(ValueError, match="squares on the 5x5 board"):
        drawn(Board(5, 5), tried=[((0, 0), (9, 9))])


def test_squares_say_at_which_turns_they_are_counted():
    sets = [[(0, 0)], [(0, 0), (1, 1)], [(1, 1)], [(1, 1)], [(1, 1)]]
    picture = drawn(Board(5, 5), counted=sets)
    (turns,) = of_class(picture, "turns")
    at = {
        (int(5 - float(text.get("y"))), int(float(text.get("x")))): text.text
        for text in turns.iter(f"{SVG}text")
    }
    assert at == {(0, 0): "1,2", (1, 1): "2,3,4…"}
    assert words(drawn(Board(5, 5), counted=sets[:1]), "legend") == ["counted together"]
    with pytest.raises(ValueError, match="squares on the 5x5 board"):
        drawn(Board(5, 5), counted=[[(9, 9)]])


def test_a_cross_stands_off_the_move_that_is_tried():
    crossed, tried = ((0, 0), (1, 2)), ((0, 1), (2, 0))
    picture = drawn(Board(3, 8), banned=[crossed], tried=[tried])
    default = place_crosses(Moves(Board(3, 8)), [crossed], 0.36)[0]
    (banned,) = of_class(picture, "banned")
    corner = re.match(r"M(\S+) (\S+)l", list(banned)[1].get("d"))
    place = tuple(float(part) + 0.1 for part in corner.groups())
    line = [Moves(Board(3, 8)).along(*tried, part / 8) for part in range(9)]
    assert min(dist(place, other) for other in line) >= 0.36
    assert min(dist(default, other) for other in line) < 0.2  # where it would stand otherwise


def test_crosses_collide_where_there_is_no_room():
    # The same move again and again: seven places, then the farthest.
    crossed = [((0, 0), (1, 2))] * 9
    places = place_crosses(Moves(Board(3, 4)), crossed, 0.36)
    assert len(places) == 9
    assert len(set(places[:3])) == 3


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
def draw_certificate(monkeypatch):
    """Draw a certificate; return the arguments of the picture, and its text."""

    def draw(certificate):
        arguments = {}

        def keep(board, **keywords):
            arguments.update(keywords)
            return real(board, **keywords)

        real = highlights.argument_svg
        monkeypatch.setattr(highlights, "argument_svg", keep)
        text = highlights.argument_picture(certificate)
        monkeypatch.undo()
        return arguments, text

    return draw


def test_every_kind_is_drawn():
    assert set(highlights._HIGHLIGHTS) == {*RULES, "exhausted"}


@pytest.mark.parametrize("kind", EVIDENCE)
def test_the_argument_is_below(draw_certificate, kind):
    problem, evidence = EVIDENCE[kind]
    certificate = build_certificate(problem, {"kind": kind, **evidence})
    arguments, text = draw_certificate(certificate)
    assert arguments["title"] == f"No tour ({problem.label})"
    assert arguments["caption"] == f"No tour ({problem.label}): {certificate.argument}."
    assert text.startswith("<svg")


def test_clues_stand_in_their_squares(draw_certificate):
    problem, evidence = EVIDENCE["clash"]
    arguments, text = draw_certificate(build_certificate(problem, {"kind": "clash", **evidence}))
    assert arguments["steps"] == {(0, 0): 1, (0, 1): 3}
    assert ">1</text>" in text and ">3</text>" in text
    assert text.count('class="marked"') == 3  # and in the legend


def test_removed_squares_and_pieces(draw_certificate):
    problem, evidence = EVIDENCE["removal"]
    arguments, _ = draw_certificate(build_certificate(problem, {"kind": "removal", **evidence}))
    assert arguments["removed"] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert sorted(map(len, arguments["components"])) == [1, 1, 1, 1, 4, 4]
    assert {square for piece in arguments["components"] for square in piece} == set(
        problem.board
    ) - set(arguments["removed"])


def test_pieces_without_moves_in_a_tight_set(draw_certificate):
    problem, evidence = EVIDENCE["tight"]
    arguments, _ = draw_certificate(build_certificate(problem, {"kind": "tight", **evidence}))
    assert arguments["marked"] == {square for square in problem.board if square[0] in (1, 2)}
    # The famous argument: two halves that never meet.
    assert sorted(map(len, arguments["components"])) == [12, 12]
    assert {sum(square) % 2 for square in arguments["components"][0] if square[0] in (0, 3)} in (
        {0},
        {1},
    )


def test_a_tight_set_that_leaves_too_many_pieces(draw_certificate):
    problem = Problem(Board(4, 4))
    arguments, _ = draw_certificate(
        build_certificate(problem, {"kind": "tight", "sets": [["b2", "c2", "b3", "c3"]]})
    )
    assert (len(arguments["removed"]), len(arguments["components"])) == (4, 6)


def test_forced_moves(draw_certificate):
    problem, evidence = EVIDENCE["forced"]
    arguments, _ = draw_certificate(build_certificate(problem, {"kind": "forced", **evidence}))
    used = {frozenset(map(square_name, move)) for move in arguments["used"]}
    assert {frozenset(("a1", "c2")), frozenset(("a1", "b3"))} <= used
    assert not used & {frozenset(map(square_name, move)) for move in arguments["banned"]}


def test_sets_and_splits_of_a_tree(draw_certificate):
    squares = ["b2", "c2", "b3", "c3"]
    arguments, _ = draw_certificate(
        build_certificate(Problem(Board(4, 4)), {"kind": "forced", "tree": {"remove": squares}})
    )
    assert (arguments["removed"], len(arguments["components"])) == (
        [(1, 1), (1, 2), (2, 1), (2, 2)],
        6,
    )
    split = {"move": ["d1", "e3"], "used": {}, "unused": {}}
    arguments, _ = draw_certificate(
        build_certificate(Problem(Board(3, 8), closed=True), {"kind": "forced", "tree": split})
    )
    assert arguments["marked"] == [(0, 3), (2, 4)]
    assert arguments["tried"] == [((0, 3), (2, 4))]
    assert arguments["used"]
    # The first set that is counted has its number in the text, and so has the last.
    tree = {
        "remove": ["b2", "c2", "d2", "e2", "f2", "a3", "b3", "c3", "d3", "e3", "f3", "f4"],
        "then": {"remove": ["a2"]},
    }
    arguments, _ = draw_certificate(build_certificate(CLOSED_4X6, {"kind": "forced", "tree": tree}))
    assert [len(squares) for squares in arguments["counted"]] == [12, 1]


def test_refutations_show_their_cuts(draw_certificate):
    certificate = run_prove(Problem(Board(3, 8), closed=True), "refutation").certificate
    arguments, _ = draw_certificate(certificate)
    cuts = certificate.document["evidence"]["cuts"]
    squares = {name for names in cuts for name in names}
    assert {square_name(square) for square in arguments.get("marked", ())} in (squares, set())


def test_ends_are_shown(draw_certificate):
    arguments, _ = draw_certificate(prove(Problem(Board(5, 5), start=(0, 1))).certificate)
    assert (arguments["start"], arguments["end"], arguments["colours"]) == ((0, 1), None, True)


def test_what_cannot_be_drawn():
    graph = nx.star_graph(3)
    with pytest.raises(ValueError, match="expected a board for a picture"):
        highlights.argument_picture(prove(Problem(graph=graph, closed=True)).certificate)
    with pytest.raises(TooLargeError, match="at most 10,201 squares for a picture"):
        highlights.argument_picture(prove(Problem(Board(1001, 1001), closed=True)).certificate)
    assert highlights.check_picture(Problem(Board(101, 101))) is None
