"""Moves over joined edges: they leave the board and come in where the surface says."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from math import hypot

import pytest

from kt_cp.model.board import Board
from kt_cp.model.piece import KNIGHT, NAMED, Piece, moves_from
from kt_cp.model.problem import Problem
from kt_cp.proofs.certify import certify
from kt_cp.render.animation import animation_svg, comic_svg, tour_steps
from kt_cp.render.argument import argument_svg
from kt_cp.render.board import OVER, centre
from kt_cp.render.highlights import argument_picture
from kt_cp.render.moves import Moves, glide_animation, point_on
from kt_cp.render.tour import tour_svg
from tests.support.exhaustive import crossed

SVG = "{http://www.w3.org/2000/svg}"
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
    """Where a point of the edge lies on the opposite side, and how a line goes on from there."""
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
    """Whether two points are the same; as pytest.approx, which takes most of the time, would."""
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
    """Where a path is put down, and where it goes from there."""
    points = re.findall(r"([ML])(-?[\d.]+) (-?[\d.]+)", path)
    return [(letter, float(x), float(y)) for letter, x, y in points]


def walk_on(board, piece, many, seed):
    """A walk along moves, however often it comes by."""
    chance = random.Random(seed)
    walk = [chance.choice(list(board))]
    while len(walk) < many:
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
    said = {}
    for x, y, across, down in (map(float, arrow) for arrow in arrows):
        side = {(0, 2): "left", (6, 2): "right"}.get((x, y), {0: "top", 4: "bottom"}.get(y))
        said[side] = "right" if across else "down" if down > 0 else "up"
    wanted = {"left": left, "right": right, "top": top, "bottom": top}
    assert said == {side: way for side, way in wanted.items() if way}
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
    shown = {"require": problem.require, "forbid": problem.forbid}
    walk = walk_on(board, KNIGHT, 9, 2)
    steps = list(tour_steps(walk))
    for text in (
        tour_svg(board, walk, **shown),
        animation_svg(board, steps, **shown),
        argument_svg(board, title="No tour", used=[((1, 2), (0, 0))], **shown),
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
    picture = argument_picture(certify(problem, ("degrees",)).certificate)
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
    usual = ";".join(str(i / 12) for i in range(13))
    times = [float(time) * 12 for time in element.get("keyTimes", usual).split(";")]
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
