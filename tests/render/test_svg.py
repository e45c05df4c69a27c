"""Pictures of tours: well-formed SVG, moves over joined edges, PNG and PDF."""

from __future__ import annotations

import random
import re
import warnings
import xml.etree.ElementTree as ET
from io import BytesIO
from itertools import pairwise
from math import hypot
from types import SimpleNamespace

import networkx as nx
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from kt_cp import Board, Problem, prove, solve
from kt_cp.formats.table import CONVERTED
from kt_cp.model.board import file_name, parse_squares
from kt_cp.model.piece import KNIGHT, NAMED, Piece, moves_from
from kt_cp.model.request import Request
from kt_cp.proofs.certify import certify
from kt_cp.render import rasterize
from kt_cp.render.animation import animation_svg, comic_svg, tour_steps
from kt_cp.render.argument import argument_svg
from kt_cp.render.board import DARK, HOLE, LIGHT, NUMBERED, OVER, PATH, centre
from kt_cp.render.highlights import argument_picture
from kt_cp.render.moves import Moves, glide_animation, point_on
from kt_cp.render.rasterize import convert_svg, path_commands
from kt_cp.render.tour import tour_svg
from tests.support.exhaustive import crossed

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = [
    Board(1, 1),
    Board(3, 4),
    Board(4, 3),
    Board(5, 5, missing={(0, 0), (2, 2)}),
    Board(8, 8),
    Board(9, 2),
    Board(1, 30),
    Board(16, 17),
    Board(100, 100),
    Board(300, 300),
    Board(2, 1000),
]


def drawn(board, squares=(), **options):
    return ET.fromstring(tour_svg(board, squares, **options))


def of_class(picture, name):
    return [element for element in picture.iter() if element.get("class") == name]


def points_of(picture):
    """Return the points of the whole path; each piece starts at the end of the previous one."""
    points = []
    for path in of_class(picture, "path"):
        piece = [tuple(map(float, pair.split(","))) for pair in path.get("points").split()]
        assert points[-1:] in ([], piece[:1])
        points += piece[1:] if points else piece
    return points


def centre_of(board, square):
    row, column = square
    return column + 0.5, board.rows - 0.5 - row


def box(picture):
    return tuple(map(float, picture.get("viewBox").split()))


@pytest.fixture(scope="module", params=[False, True], ids=["open", "closed"])
def tour(request):
    return solve(Problem(Board(8, 8), closed=request.param)).tour


def test_the_path_has_a_point_a_square_and_its_ends_are_marked(tour):
    picture = drawn(tour.board, tour, closed=tour.closed)
    points = points_of(picture)
    assert points == [centre_of(tour.board, square) for square in tour]
    (path,) = of_class(picture, "path")
    assert path.tag == SVG + ("polygon" if tour.closed else "polyline")
    (start,) = of_class(picture, "start")
    assert (float(start.get("cx")), float(start.get("cy"))) == points[0]
    ends = of_class(picture, "end")
    assert len(ends) == (0 if tour.closed else 1)
    for end in ends:
        x, y, width, height = (float(end.get(name)) for name in ("x", "y", "width", "height"))
        assert (round(x + width / 2, 2), round(y + height / 2, 2)) == points[-1]


def test_a_tour_draws_itself(tour):
    assert tour._repr_svg_() == tour_svg(tour.board, tour, closed=tour.closed)
    title = ET.fromstring(tour._repr_svg_()).find(f"{SVG}title").text
    assert title == f"Knight's tour on a 8x8 board, {'closed' if tour.closed else 'open'}"


def test_numbers_stand_in_their_squares_on_top_of_the_path(tour):
    picture = drawn(tour.board, tour, closed=tour.closed)
    (numbers,) = of_class(picture, "numbers")
    assert [text.text for text in numbers] == [str(step) for step in range(1, 65)]
    for text, square in zip(numbers, tour, strict=True):
        x, y = centre_of(tour.board, square)
        assert float(text.get("x")) == x
        assert abs(float(text.get("y")) - y) < 0.2
    order = [element.get("class") for element in picture]
    drawing = [order.index(name) for name in ("light", "path", "discs", "start", "numbers")]
    assert drawing == sorted(drawing)
    discs = [disc for group in of_class(picture, "discs") for disc in group]
    assert len(discs) == 64


def test_a_number_stands_on_the_path_and_does_not_break_it(tour):
    for group in of_class(drawn(tour.board, tour), "discs"):
        assert float(group.get("fill-opacity")) <= 0.5


@pytest.mark.parametrize("closed", [False, True])
def test_the_path_of_a_large_board_changes_its_colour(closed):
    board = Board(17, 17)
    squares = [(row, column) for row in range(17) for column in range(17)]
    picture = drawn(board, squares, closed=closed)
    walk = [centre_of(board, square) for square in squares]
    assert points_of(picture) == walk + walk[:1] * closed
    colours = [path.get("stroke") for path in of_class(picture, "path")]
    assert len(colours) == len(set(colours)) == 19
    # Ever lighter, so that it shows where few colours are seen.
    light = [sum(int(colour[i : i + 2], 16) * part for i, part in ((1, 3), (3, 6), (5, 1)))
             for colour in colours]  # fmt: skip
    assert light == sorted(light)
    (bar,) = of_class(picture, "bar")
    assert [part.get("fill") for part in bar if part.tag == f"{SVG}rect"] == colours
    words = [text for text in bar if text.tag == f"{SVG}text"]
    assert [text.text for text in words] == ["step 1", "step 289"]
    _, top, _, down = box(picture)
    assert all(float(text.get("y")) < top + down for text in words)
    below = max(float(text.get("y")) for text in of_class(picture, "files")[0])
    assert all(float(part.get("y")) > below for part in bar if part.tag == f"{SVG}rect")
    assert of_class(drawn(Board(16, 16), squares[:9]), "bar") == []


def test_large_boards_have_no_numbers():
    for side, numbered in ((NUMBERED, True), (NUMBERED + 1, False)):
        picture = drawn(Board(side, side), [(0, 0), (1, 2)])
        assert bool(of_class(picture, "numbers")) is numbered


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.label)
def test_every_size(board):
    squares = list(board)
    text = tour_svg(board, squares)
    picture = ET.fromstring(text)
    assert len(of_class(picture, "missing")) == len(board.missing)
    assert len(points_of(picture)) == len(squares)
    large = max(board.rows, board.columns) > 16
    pieces = min(64, 1 + len(squares) // 16) if large else 0
    assert len(text) < 2500 + len(squares) * (14 if large else 200) + 200 * pieces
    width, height = int(picture.get("width")), int(picture.get("height"))
    left, top, across, down = box(picture)
    assert width / across == pytest.approx(height / down, rel=0.1)
    assert left < 0
    assert top < 0
    assert left + across > board.columns
    assert top + down > board.rows


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.label)
def test_a1_is_dark_and_lies_bottom_left(board):
    dark = set()
    for path in of_class(drawn(board), "dark"):
        assert (path.get("stroke-dasharray"), path.get("stroke-width")) == ("1", "1")
        for x, y, end in re.findall(r"M(\d+) ([\d.]+)H(\d+)", path.get("d")):
            row = board.rows - 0.5 - float(y)
            assert row == int(row)
            dark |= {(int(row), column) for column in range(int(x), int(end), 2)}
    expected = {
        (row, column)
        for row in range(board.rows)
        for column in range(board.columns)
        if (row + column) % 2 == 0
    }
    assert dark == expected


@pytest.mark.parametrize("board", [*BOARDS, Board(1000, 1000)], ids=lambda board: board.label)
def test_labels_are_right_apart_and_not_clipped(board):
    picture = drawn(board)
    left, top, across, down = box(picture)
    (files,), (ranks,) = of_class(picture, "files"), of_class(picture, "ranks")
    size = float(files.get("font-size"))
    assert size >= max(0.34, 0.0139 * max(board.rows, board.columns))  # readable when fitted
    wide = 0.62 * size  # of a letter or digit, generously
    before = left
    for text in files:
        column = float(text.get("x")) - 0.5
        assert text.text == file_name(int(column))
        half = len(text.text) * wide / 2
        assert column + 0.5 - half > before
        before = column + 0.5 + half
        assert float(text.get("y")) < top + down - 0.3 * size
    assert before < left + across
    below = top + down
    for text in ranks:
        assert float(text.get("x")) - len(text.text) * wide > left
        middle = float(text.get("y")) - 0.35 * size
        assert board.rows - 0.5 - middle == pytest.approx(int(text.text) - 1, abs=0.01)
        assert float(text.get("y")) < below
        below = float(text.get("y")) - 0.8 * size
    assert below > top
    assert [files[0].text, ranks[0].text] == ["a", "1"]


def test_missing_squares_are_where_they_are():
    board = Board(5, 6, missing=parse_squares("c3,f5"))
    rectangles = of_class(drawn(board), "missing")
    places = {(float(each.get("x")), float(each.get("y"))) for each in rectangles}
    assert places == {(2, 2), (5, 0)}


def test_walks_that_are_no_tours():
    board = Board(3, 3)
    assert of_class(drawn(board), "path") == []
    picture = drawn(board, [(1, 1)])
    assert len(of_class(picture, "start")) == 1
    assert of_class(picture, "end") == []
    # too short for a polygon, and twice on one square
    picture = drawn(board, [(0, 0), (0, 0)], closed=True)
    assert points_of(picture) == [(0.5, 2.5)] * 2
    with pytest.raises(ValueError, match=r"expected squares on the 3x3 board, got \(3, 0\)"):
        tour_svg(board, [(3, 0)])


def test_titles_are_escaped():
    assert drawn(Board(1, 1), title="a < b & c").find(f"{SVG}title").text == "a < b & c"


def test_the_same_every_time():
    assert tour_svg(Board(5, 5), [(0, 0), (1, 2)]) == tour_svg(Board(5, 5), [(0, 0), (1, 2)])


SURFACES = ["plane", "cylinder", "torus", "moebius", "klein"]
REVERSED = {"moebius", "klein"}
SIDES = [(1, 5), (2, 2), (3, 4), (4, 3), (5, 5), (4, 9), (6, 7)]


def cut(segments):
    """The parts without what is drawn beyond the edges."""
    last = len(segments) - 1
    return [
        (point_on((a, b), OVER) if i > 0 else a, point_on((b, a), OVER) if i < last else b)
        for i, (a, b) in enumerate(segments)
    ]


def joined(board, point, direction):
    """Return the opposite point of one at the edge, and the direction of the line there."""
    (x, y), (right, down) = point, direction
    if abs(x - (board.columns if right > 0 else 0)) < 1e-6 and right:
        x = board.columns - x
        if board.surface in REVERSED:
            y, down = board.rows - y, -down
    if abs(y - (board.rows if down > 0 else 0)) < 1e-6 and down:
        if board.surface not in ("torus", "klein"):
            return None
        y = board.rows - y
    return (x, y), (right, down)


def near(one, other):
    """Return whether two points are the same, faster than pytest.approx."""
    return abs(one[0] - other[0]) < 1e-6 and abs(one[1] - other[1]) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(("surface", "sides"), crossed(SURFACES, SIDES), ids=str)
def test_every_move_goes_from_edge_to_joined_edge(surface, sides):
    board = Board(*sides, surface=surface)
    for piece in (*map(Piece, NAMED.values()), Piece.parse("1,2+0,5")):
        moves, wholes = Moves(board, piece), {hypot(*step) for step in piece.steps}
        for left in board:
            for to in moves_from(board, piece, left):
                parts = cut(moves.segments(left, to))
                assert near(parts[0][0], centre(board, left))
                assert near(parts[-1][1], centre(board, to))
                across = to[0] - left[0], to[1] - left[1]
                assert (len(parts) == 1) == (across in piece.steps)
                length = sum(hypot(c - a, d - b) for (a, b), (c, d) in parts)
                assert any(abs(length - whole) < 1e-6 for whole in wholes)
                for ((a, b), (c, d)), ((e, f), (g, h)) in pairwise(parts):
                    (x, y), (right, down) = joined(board, (c, d), (c - a, d - b))
                    assert near((x, y), (e, f))
                    assert abs(right * (h - f) - down * (g - e)) < 1e-6
                for each in parts:
                    for x, y in each:
                        assert -1e-9 <= x <= board.columns + 1e-9
                        assert -1e-9 <= y <= board.rows + 1e-9
                back = [(b, a) for a, b in reversed(moves.segments(to, left))]
                assert moves.segments(left, to) == back


def test_of_several_steps_one_on_the_board_is_drawn_and_else_the_shortest():
    ring = Board(1, 5, surface="cylinder")
    several = Moves(ring, Piece.parse("0,1+0,4"))  # 4 to the right are 1 to the left
    assert several.segments((0, 0), (0, 4)) == [((0.5, 0.5), (4.5, 0.5))]
    several = Moves(ring, Piece.parse("0,1+0,6"))
    (_, left), (right, _) = cut(several.segments((0, 0), (0, 4)))
    assert (left, right) == (pytest.approx((0, 0.5)), pytest.approx((5, 0.5)))


def test_what_is_no_move_is_a_straight_line():
    assert Moves(Board(5, 5, surface="torus")).segments((0, 0), (2, 2)) == [
        ((0.5, 4.5), (2.5, 2.5))
    ]


def ends(path):
    """Return the points of a path, each with its letter."""
    points = re.findall(r"([ML])(-?[\d.]+) (-?[\d.]+)", path)
    return [(letter, float(x), float(y)) for letter, x, y in points]


def walk_on(board, piece, length, seed):
    """A walk along moves, however often it comes by."""
    chance = random.Random(seed)
    walk = [chance.choice(list(board))]
    while len(walk) < length:
        walk.append(chance.choice(sorted(moves_from(board, piece, walk[-1]))))
    return walk


@pytest.mark.parametrize("surface", SURFACES[1:])
@pytest.mark.parametrize("name", ["knight", "zebra"])
def test_pictures_of_walks_show_every_move_whole(surface, name):
    board, piece = Board(5, 7, surface=surface), Piece.parse(name)
    walk = walk_on(board, piece, 30, 1)
    pairs = [*pairwise(walk), (walk[-1], walk[0])]
    walk_pairs = {"closed": pairs, "open": pairs[:-1]}
    for kind, drawn in walk_pairs.items():
        root = ET.fromstring(tour_svg(board, walk, piece=piece, closed=kind == "closed"))
        assert root.find(f"{SVG}title").text.startswith(f"{name.capitalize()}'s tour on a 5x7 ")
        assert root.find(f"{SVG}title").text.endswith(f"{board.surface.words}, {kind}")
        (path,) = (each for each in root.iter(f"{SVG}path") if each.get("class") == "path")
        points = ends(path.get("d"))
        parts = [part for pair in drawn for part in Moves(board, piece).segments(*pair)]
        assert sum(letter == "L" for letter, *_ in points) == len(parts)
        assert [pytest.approx(part[1], abs=0.001) for part in parts] == [
            (x, y) for letter, x, y in points if letter == "L"
        ]
        left, top, wide, high = map(float, root.get("viewBox").split())
        assert all(left < x < left + wide and top < y < top + high for _, x, y in points)


@pytest.mark.parametrize(
    ("surface", "left", "right", "top"),
    [
        ("cylinder", "up", "up", None),
        ("torus", "up", "up", "right"),
        ("moebius", "up", "down", None),
        ("klein", "up", "down", "right"),
    ],
)
def test_arrows_say_how_sides_are_joined(surface, left, right, top):
    root = ET.fromstring(tour_svg(Board(4, 6, surface=surface)))
    (edge,) = (group for group in root.iter(f"{SVG}g") if group.get("class") == "edge")
    arrows = re.findall(r"M([\d.]+) ([\d.]+)m(-?[\d.]+) (-?[\d.]+)l", edge[-1].get("d"))
    ways = {}
    for x, y, across, down in (map(float, arrow) for arrow in arrows):
        side = {(0, 2): "left", (6, 2): "right"}.get((x, y), {0: "top", 4: "bottom"}.get(y))
        ways[side] = "right" if across else "down" if down > 0 else "up"
    wanted = {"left": left, "right": right, "top": top, "bottom": top}
    assert ways == {side: way for side, way in wanted.items() if way}
    dashes = [path.get("stroke-dasharray") for path in edge.iter(f"{SVG}path")]
    assert dashes.count("none") == (top is None)


def test_a_plane_board_has_one_solid_edge():
    root = ET.fromstring(tour_svg(Board(4, 6), [(0, 0), (1, 2)]))
    assert "edge" not in [group.get("class") for group in root.iter(f"{SVG}g")]
    assert [each.get("class") for each in root.iter(f"{SVG}polyline")] == ["path"]


@pytest.mark.parametrize("surface", SURFACES)
def test_required_and_forbidden_moves_are_drawn(surface):
    board = Board(5, 6, surface=surface)
    problem = Problem(
        board, require=[((0, 0), (1, 2)), ((3, 4), (4, 2))], forbid=[((2, 2), (4, 3))]
    )
    marks = {"require": problem.require, "forbid": problem.forbid}
    walk = walk_on(board, KNIGHT, 9, 2)
    steps = list(tour_steps(walk))
    for text in (
        tour_svg(board, walk, **marks),
        animation_svg(board, steps, **marks),
        argument_svg(board, title="No tour", used=[((1, 2), (0, 0))], **marks),
    ):
        root = ET.fromstring(text)
        band = next(each for each in root.iter(f"{SVG}path") if each.get("class") == "required")
        assert band.get("d") == Moves(board).path(problem.require)
        group = next(each for each in root.iter(f"{SVG}g") if each.get("class") == "forbidden")
        assert group[1].get("d") == Moves(board).path(problem.forbid)
        assert len(list(group.iter(f"{SVG}circle"))) == len(problem.forbid)
        assert "used" not in [each.get("class") for each in root.iter()]  # once is enough
    assert not {"required", "forbidden"} & {
        each.get("class") for each in ET.fromstring(tour_svg(board, walk)).iter()
    }


def test_the_legend_of_an_argument_names_conditions():
    text = argument_svg(
        Board(4, 4), title="No tour", require=[((0, 0), (1, 2))], forbid=[((0, 1), (2, 2))]
    )
    words = [each.text for each in ET.fromstring(text).iter(f"{SVG}text")]
    assert words[-2:] == ["required", "forbidden"]


def test_a_certificate_shows_the_conditions_of_its_problem():
    problem = Problem(Board(3, 4), forbid=[((0, 0), (1, 2)), ((0, 0), (2, 1))])
    picture = argument_picture(certify(Request.begin(problem), ("degrees",)).certificate)
    assert Moves(problem.board).path(problem.forbid) in picture


def test_forbidden_moves_hold_no_piece_together():
    pair = ((0, 0), (1, 2))
    with_it = argument_svg(Board(3, 3), title="", components=[pair])
    without = argument_svg(Board(3, 3), title="", components=[pair], forbid=[pair])
    assert 'class="inside"' in with_it and 'class="inside"' not in without


@pytest.mark.parametrize("surface", SURFACES)
def test_comics_and_moving_pictures_show_the_same_lines(surface):
    board, piece = Board(4, 5, surface=surface), Piece.parse("knight")
    walk = walk_on(board, piece, 6, 3)
    wanted = Moves(board, piece)
    comic = ET.fromstring(comic_svg(board, list(tour_steps(walk)), piece=piece))
    last = [each for each in comic.iter() if each.get("class") == "path"][-1]
    if surface == "plane":
        assert last.get("points").count(",") == len(walk)
    else:
        assert last.get("d") == wanted.path(pairwise(walk))
    moving = ET.fromstring(animation_svg(board, list(tour_steps(walk)), piece=piece))
    (group,) = (each for each in moving.iter(f"{SVG}g") if each.get("class") == "walk")
    lines = [path.get("d") for path in group.iter(f"{SVG}path")]
    assert [line.count("M") for line in lines] == [
        len(wanted.segments(*pair)) for pair in pairwise(walk)
    ]


@pytest.mark.parametrize("surface", SURFACES)
def test_what_glides_is_there_in_time_and_jumps_over_edges_alone(surface):
    board = Board(4, 5, surface=surface)
    moves, walk = Moves(board), walk_on(board, KNIGHT, 12, 4)
    places = [*walk, walk[-1]]  # it rests at the end
    element = ET.fromstring(glide_animation(moves, places, "6"))
    points = [tuple(map(float, each.split())) for each in element.get("values").split(";")]
    evenly_spaced = ";".join(str(i / 12) for i in range(13))
    times = [float(time) * 12 for time in element.get("keyTimes", evenly_spaced).split(";")]
    assert len(times) == len(points) == len(element.get("keySplines").split(";")) + 1
    assert times == sorted(times) and (times[0], times[-1]) == (0, 12)
    there = {round(time): at for time, at in zip(times, points, strict=True)
             if abs(time - round(time)) < 1e-4}  # fmt: skip
    assert [there[slot] for slot in range(13)] == [centre(board, square) for square in places]
    jumps = [pair for pair in pairwise(zip(times, points, strict=True)) if pair[0][0] == pair[1][0]]
    parts = [moves.segments(*pair) for pair in pairwise(walk)]
    assert len(jumps) == sum(len(each) - 1 for each in parts)
    assert (element.get("keyTimes") is None) == (not jumps)


def test_other_pieces_are_shown_by_their_initial():
    for name, initial in (("zebra", "Z"), ("king", "K"), ("2,5", "L")):
        steps = list(tour_steps([(0, 0), (1, 1)]))
        root = ET.fromstring(animation_svg(Board(9, 9), steps, piece=Piece.parse(name)))
        (still,) = (each for each in root.iter(f"{SVG}g") if each.get("class") == "still")
        assert [text.text for text in still.iter(f"{SVG}text")] == [initial]


def colour_at(svg, *places):
    """Colours of a PNG at places of its SVG, as numbers from 0 to 255."""
    png = imread(BytesIO(convert_svg(svg, "png")))
    left, top, width, height = map(float, svg.split('viewBox="')[1].split('"')[0].split())
    found = []
    for x, y in places:
        row, column = (y - top) / height * len(png), (x - left) / width * len(png[0])
        found.append(tuple((png[int(row)][int(column)][:3] * 255).round().astype(int).tolist()))
    return found


def rgb(colour):
    return tuple(round(255 * part) for part in to_rgb(colour))


def test_squares_have_their_colours():
    board = Board(4, 5, missing="c3")
    places = [(column + 0.5, 3.5 - row) for row in range(4) for column in range(5)]
    colours = [HOLE if (row, column) == (2, 2) else LIGHT if (row + column) % 2 else DARK
             for row in range(4) for column in range(5)]  # fmt: skip
    assert colour_at(tour_svg(board), *places) == [*map(rgb, colours)]


def test_a_move_lies_where_the_svg_has_it():
    # From the middle of a1 to that of c2, and nowhere else: half way it has its colour.
    svg = tour_svg(Board(17, 17), [(0, 0), (1, 2)])
    assert colour_at(svg, (1.5, 16.0), (1.5, 15.6)) == [rgb(PATH), rgb(DARK)]


PICTURES = {
    "torus": lambda: solve("5x5", surface="torus", require=["a1-c2"], forbid=["e4-c3"]).tour.svg(),
    "joined": lambda: solve("4x4", surface="klein", piece="ferz")._repr_svg_(),
    "removal": lambda: prove("4x4")._repr_svg_(),
    "forced": lambda: prove("3x8", closed=True)._repr_svg_(),
    "asked": lambda: prove("5x5", closed=True, forbid=["a1-b3"], require=["e5-d3"])._repr_svg_(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_whatever_is_drawn_is_understood(name):
    svg = PICTURES[name]()
    assert svg.startswith("<svg")
    png = convert_svg(svg, "png")
    assert png.startswith(b"\x89PNG") and len(png) > 10_000
    assert convert_svg(svg, "png") == png  # the same bytes again


def test_words_are_in_letters_that_are_there():
    # A glyph that is missing would be a warning, and so an error here.
    pdf = convert_svg(prove("3x3")._repr_svg_(), "pdf")
    assert b"DejaVuSans" in pdf and b"/Title" in pdf


@pytest.mark.parametrize("format", sorted(CONVERTED))
def test_what_moves_or_is_strange_is_refused(format):
    for svg in (
        solve("3x4").tour.animation(),
        tour_svg(Board(3, 3)).replace("</svg>", '<ellipse rx="1"/></svg>'),
        tour_svg(Board(3, 3)).replace("<rect ", '<rect rx="1" ', 1),
    ):
        with pytest.raises(ValueError, match="expected a still picture of this package, got"):
            convert_svg(svg, format)


def test_the_pen():
    assert [*path_commands("M1 2h3v-1H0V5l.5-.5z")] == [
        (1, (1, 2)), (2, (4, 2)), (2, (4, 1)), (2, (0, 1)), (2, (0, 5)), (2, (0.5, 4.5)),
        (79, (1, 2)),
    ]  # fmt: skip
    assert [*path_commands("m1 1l1 1m0-1l-1 1")] == [
        (1, (1, 1)),
        (2, (2, 2)),
        (1, (2, 1)),
        (2, (1, 2)),
    ]
    assert [*path_commands("M0 0 1 1c1 0 1 1 2 2")][2:] == [(4, (2, 1)), (4, (2, 2)), (4, (3, 3))]


def test_a_graph_with_places_is_drawn_there():
    ladder = nx.ladder_graph(4)
    places = {node: (10.0 * (node % 4), 5.0 * (node // 4)) for node in ladder}
    nx.set_node_attributes(ladder, places, "pos")
    svg = solve(ladder, closed=True)._repr_svg_()
    path = re.search(r'class="path" points="([^"]*)"', svg)[1].split()
    drawn = {tuple(map(float, point.split(","))) for point in path}
    xs, ys = (sorted({point[axis] for point in drawn}) for axis in (0, 1))
    assert len(drawn) == 8 and len(xs) == 4 and len(ys) == 2
    assert xs[1] - xs[0] == pytest.approx(2 * (ys[1] - ys[0]), abs=0.02)
    names = dict(re.findall(r'y="([^"]*)" text-anchor="start">(\d)<', svg))
    low = {name for y, name in names.items() if float(y) > 0}
    assert svg.count("<text") == 8 and low <= set("0123")  # y grows upwards where they were placed
    one = nx.Graph()
    one.add_node("a", pos=(3, 3))
    assert solve(one)._repr_svg_().count("<circle") == 2


def test_a_graph_without_a_board_is_a_circle():
    graph = solve(nx.petersen_graph(), start=0)
    assert graph._repr_svg_().count("<circle") == 11  # ten nodes, and the start
    assert graph._repr_svg_().count("M") == 15 - 9  # the edges that the tour does not use
    assert graph.tour.svg().count("<text") == 10 and "edges" not in graph.tour.svg()
    assert convert_svg(graph._repr_svg_(), "pdf").startswith(b"%PDF")
    assert solve(nx.path_graph(1001))._repr_svg_() is None
    labelled = nx.relabel_nodes(nx.cycle_graph(3), {0: "<a&b>", 1: "a name of many letters"})
    svg = solve(labelled, closed=True)._repr_svg_()
    assert "&lt;a&amp;b&gt;" in svg and "a name of m…" in svg


def test_what_notebooks_show(monkeypatch):
    assert "b2 has no moves at all" in solve("3x3")._repr_svg_()
    exhausted = prove("3x3", "exhausted")
    assert exhausted._repr_svg_() and exhausted.reason in exhausted._repr_svg_()
    claimed = solve("3x5", engine="cpsat")
    assert claimed.certificate is None and "claimed by" in claimed._repr_svg_()
    assert solve(Problem("6x6"), "warnsdorff")._repr_svg_().startswith("<svg")
    import networkx as nx

    assert solve(nx.star_graph(3))._repr_svg_() is None
    monkeypatch.setattr("kt_cp.model.outcome.SHOWN_SQUARES", 35)
    assert solve("6x6")._repr_svg_() is None
    monkeypatch.setattr("kt_cp.model.tour.SHOWN_SQUARES", 35)
    assert solve("6x6").tour._repr_svg_() is None


# --- letters of other scripts ---------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("format", ["png", "pdf"])
def test_letters_that_no_font_has_are_boxes(format, tmp_path):
    graph = nx.cycle_graph(["東京", "大阪", "Kraków", "\U0001f40e"])
    path = tmp_path / f"cycle.{format}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solve(graph, closed=True).save(path)
    assert path.stat().st_size > 1000


def test_a_font_of_the_machine_is_used_for_what_dejavu_lacks(monkeypatch):
    fonts = [
        SimpleNamespace(name="Last Resort High-Efficiency", fname="a/LastResort.ttf"),
        SimpleNamespace(name="Some Latin", fname="b/latin.ttf"),
        SimpleNamespace(name="Some Han", fname="c/han.ttf"),
        SimpleNamespace(name="More Han", fname="d/more.ttf"),
        SimpleNamespace(name="No TrueType", fname="e/collection.ttc"),
    ]
    has = {"b/latin.ttf": "abc", "c/han.ttf": "東", "d/more.ttf": "東京", "e/collection.ttc": "👍"}
    own = rasterize._characters

    def characters(font):
        return frozenset(map(ord, has[font])) if font in has else own(font)

    # Matplotlib caches the file of its own font, which it cannot find among these.
    assert rasterize.font_families("a") == ["DejaVu Sans"]
    monkeypatch.setattr("matplotlib.font_manager.fontManager.ttflist", fonts)
    monkeypatch.setattr(rasterize, "_characters", characters)
    assert rasterize.font_families("abc") == ["DejaVu Sans"]
    assert rasterize.font_families("東") == ["DejaVu Sans", "Some Han"]
    assert rasterize.font_families("東京👍") == ["DejaVu Sans", "Some Han", "More Han"]
