"""Moving pictures, played here by a clock of the tests' own: at every step the walk is there."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from bisect import bisect_right

import pytest

from kt_cp import Board, Problem, solve
from kt_cp.formats.table import Format
from kt_cp.formats.trace import picture_steps
from kt_cp.formats.write import outcome_text
from kt_cp.model.board import parse_squares
from kt_cp.render.animation import FASTEST, Step, animation_svg, tour_steps
from kt_cp.render.board import NUMBERED
from kt_cp.trust.reference import Trace

SVG = "{http://www.w3.org/2000/svg}"
DRAWS = {"svg", "title", "style", "rect", "path", "g", "text", "circle"}


class Player:
    """Plays a picture as SVG 1.1 says, as far as these pictures go."""

    def __init__(self, text, board):
        self.root, self.board = ET.fromstring(text), board
        animations = [
            each for each in self.root.iter() if each.tag.removeprefix(SVG).startswith("animate")
        ]
        assert {each.get("repeatCount") for each in animations} <= {"indefinite"}
        lengths = {each.get("dur") for each in animations}
        assert len(lengths) == 1
        self.seconds = float(lengths.pop().removesuffix("s"))
        self.named, self.times = {}, {}
        for group in self.root.iter(f"{SVG}g"):
            for name in (group.get("class") or "").split():
                self.named.setdefault(name, []).append(group)
            if (animate := group.find(f"{SVG}animate")) is not None:
                self.times[group] = self.timing(animate)
        (self.glide,) = [*self.root.iter(f"{SVG}animateTransform")] or [None]
        if self.glide is not None:
            assert self.glide.get("calcMode") == "spline"
            self.values = self.glide.get("values").split(";")
            assert len(self.glide.get("keySplines").split(";")) == len(self.values) - 1

    @staticmethod
    def timing(animate):
        """From which part of the time on it is visible, or hidden."""
        assert animate.get("attributeName") == "visibility"
        assert animate.get("calcMode") == "discrete"
        keys = [float(key) for key in animate.get("keyTimes").split(";")]
        values = animate.get("values").split(";")
        assert len(keys) == len(values)
        assert keys == sorted(set(keys))
        assert (keys[0], keys[-1] < 1) == (0, True)
        return keys, values

    def groups(self, name):
        return self.named.get(name, [])

    def seen(self, name, part=None):
        """Groups of a class that are visible at a part of the time, or when nothing moves."""
        return [group for group in self.groups(name) if self.visible(group, part)]

    def visible(self, group, part):
        value = group.get("visibility", "visible")
        if group in self.times and part is not None:
            keys, values = self.times[group]
            value = values[bisect_right(keys, part) - 1]
        assert value in ("visible", "hidden")
        return value == "visible"

    def walk(self, part=None):
        return tuple(self.square(group) for group in self.seen("square", part))

    def square(self, group):
        circle = group.find(f"{SVG}circle")
        return self.at(float(circle.get("cx")), float(circle.get("cy")))

    def at(self, x, y):
        column, row = x - 0.5, self.board.rows - 0.5 - y
        assert (column, row) == (int(column), int(row))
        return int(row), int(column)

    def knight(self, part=None):
        """Return its place at a part of the time that is the beginning of a slot."""
        if not self.seen("knight", part):
            return None
        if part is None:
            (moving,) = (g for g in self.groups("moving")[0] if g.find(f"{SVG}g") is not None)
            return self.at(*map(float, re.findall(r"[\d.]+", moving.get("transform"))))
        place = part * self.slots
        assert abs(place - round(place)) < 1e-6
        return self.at(*map(float, self.values[round(place)].split()))

    @property
    def slots(self):
        return len(self.values) - 1


def middle(slot, slots):
    return (slot + 0.5) / slots


SEARCHES = [
    (Board(4, 4), 1, 300),
    (Board(4, 4), 4400, 4446),
    (Board(3, 3), 1, 30),
    (Board(3, 3), 30, 30),
    (Board(3, 3), 29, 30),
    (Board(5, 6, parse_squares("c3,f5")), 40, 140),
    (Board(8, 8), 1_000_000, 1_000_060),
    (Board(20, 20), 500, 520),
    (Board(1, 1), 1, 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "first", "last"), SEARCHES, ids=str)
def test_at_every_step_the_walk_is_there(board, first, last):
    frames = list(Trace(Problem(board), (0, 0), first=first, last=last))
    assert len(frames) == last - first + 1
    steps = list(picture_steps(frames))
    text = animation_svg(board, steps, frames[0].before)
    if "animate" not in text:
        assert all(not frame.path for frame in frames)
        return
    player = Player(text, board)
    for slot, (frame, step) in enumerate(zip(frames, steps, strict=True)):
        part = middle(slot, player.slots)
        assert player.walk(part) == frame.path
        if max(board.rows, board.columns) <= NUMBERED:
            numbers = [g.find(f"{SVG}text").text for g in player.seen("square", part)]
            assert numbers == [str(move) for move in range(1, frame.move + 1)]
        backs = [player.square(group) for group in player.seen("back", part)]
        assert backs == ([] if frame.placed else [frame.square])
        captions = [g.find(f"{SVG}text").text for g in player.seen("caption", part)]
        assert captions == [step.caption]
        knight = player.knight(slot / player.slots) if player.seen("knight", part) else None
        assert knight == (frame.path[-1] if frame.path else None)
    # It rests on the last board, and whatever plays no animation shows that one as well.
    for part in (middle(player.slots - 1, player.slots), None):
        assert player.walk(part) == frames[-1].path
        assert [g.find(f"{SVG}text").text for g in player.seen("caption", part)] == [
            steps[-1].caption
        ]
    assert player.knight() == (frames[-1].path[-1] if frames[-1].path else None)


@pytest.mark.parametrize(("board", "first", "last"), SEARCHES[:6], ids=str)
def test_readers_who_want_less_motion_see_the_last_board(board, first, last):
    frames = list(Trace(Problem(board), (0, 0), first=first, last=last))
    root = ET.fromstring(animation_svg(board, list(picture_steps(frames)), frames[0].before))
    style = root.find(f"{SVG}style").text
    reduced = style[style.index("prefers-reduced-motion:reduce") :]
    assert ".on,.still{visibility:visible!important}" in reduced
    assert ".off{visibility:hidden!important}" in reduced
    assert ".moving{display:none}" in reduced
    for group in root.iter(f"{SVG}g"):
        names = (group.get("class") or "").split()
        if group.find(f"{SVG}animate") is not None or "square" in names:
            assert ("on" in names) is (group.get("visibility") != "hidden")
            assert ("off" in names) is (group.get("visibility") == "hidden")
    still = [g.get("transform") for g in root.iter(f"{SVG}g") if g.get("class") == "still"]
    assert len(still) == bool(frames[-1].path)


TOURS = [
    (Problem(Board(5, 5)), {}),
    (Problem(Board(6, 6), closed=True), {}),
    (Problem(Board(6, 6, parse_squares("c3,d3")), closed=True), {}),
    (Problem(Board(18, 18)), {}),
    (Problem(Board(1, 1)), {}),
]


@pytest.mark.slow
@pytest.mark.parametrize("problem", [problem for problem, _ in TOURS], ids=lambda p: p.label)
def test_a_tour_runs_along_itself(problem):
    outcome = solve(problem)
    tour, board = outcome.tour, problem.board
    player = Player(outcome_text(outcome, Format.ANIMATION), board)
    assert problem.kind in player.root.find(f"{SVG}title").text
    for slot in range(len(tour)):
        part = middle(slot, player.slots)
        assert player.walk(part) == tour.squares[: slot + 1]
        assert player.knight(slot / player.slots) == tour[slot]
        assert not player.seen("home", part)
        assert len(player.seen("caption", part)) == 1
    assert len(player.groups("home")) == problem.closed
    if problem.closed:
        part = middle(len(tour), player.slots)
        assert player.walk(part) == tour.squares
        assert player.seen("home", part)
        assert player.knight(len(tour) / player.slots) == tour[0]
        assert player.knight() == tour[0]
        assert player.seen("home")
        (caption,) = player.seen("caption", part)
        assert caption.find(f"{SVG}text").text == "home again"
    assert player.walk() == tour.squares


@pytest.mark.parametrize(("board", "first", "last"), SEARCHES, ids=str)
def test_it_is_a_picture_and_no_program(board, first, last):
    frames = list(Trace(Problem(board), (0, 0), first=first, last=last))
    text = animation_svg(board, list(picture_steps(frames)), frames[0].before)
    tags = {each.tag.removeprefix(SVG) for each in ET.fromstring(text).iter()}
    assert tags <= DRAWS | {"animate", "animateTransform"}
    assert not re.search(r"script|\bon[a-z]+=|href|url\(|http:(?!//www.w3.org/2000/svg)", text)


def test_lines_lead_from_disc_to_disc_and_cross_none():
    tour = solve(Problem(Board(6, 6), closed=True)).tour
    root = ET.fromstring(animation_svg(tour.board, list(tour_steps(tour)), closed=True))
    circles = [
        (float(c.get("cx")), float(c.get("cy")))
        for g in root.iter(f"{SVG}g")
        if "square" in (g.get("class") or "").split()
        for c in g.iter(f"{SVG}circle")
    ]
    assert len(circles) == 36
    lines = [
        tuple(map(float, re.findall(r"[\d.]+", path.get("d"))))
        for g in root.iter(f"{SVG}g")
        if {"square", "home"} & set((g.get("class") or "").split())
        for path in g.iter(f"{SVG}path")
    ]
    assert len(lines) == 36
    for x, y, to_x, to_y in lines:
        for part in range(21):
            at = (x + (to_x - x) * part / 20, y + (to_y - y) * part / 20)
            nearest = min(((at[0] - u) ** 2 + (at[1] - v) ** 2) ** 0.5 for u, v in circles)
            assert nearest > 0.29


def test_speed_is_steps_a_second():
    tour = solve(Problem(Board(5, 5))).tour
    for speed in (0.5, 4, 25, FASTEST):
        player = Player(animation_svg(tour.board, list(tour_steps(tour)), speed=speed), tour.board)
        assert player.slots / player.seconds == pytest.approx(speed, rel=1e-3)
        assert (player.slots - 25) / speed >= 2 or speed < 1
    default = Player(animation_svg(tour.board, list(tour_steps(tour))), tour.board)
    assert default.slots / default.seconds == pytest.approx(4)


def test_long_walks_are_over_within_a_minute_or_so():
    steps = [Step(True, square, "") for square in Board(30, 30)]
    assert Player(animation_svg(Board(30, 30), steps), Board(30, 30)).seconds < 70


def test_size_grows_with_the_steps_alone():
    sizes = {}
    for length in (500, 1000, 2000, 4000):
        frames = Trace(Problem(Board(8, 8)), (0, 0), last=length)
        sizes[length] = len(animation_svg(Board(8, 8), list(picture_steps(frames))))
    assert sizes[4000] < 700 * 4000
    assert sizes[4000] - sizes[2000] < 1.2 * 2 * (sizes[2000] - sizes[1000])


def test_captions_are_escaped():
    player = Player(animation_svg(Board(3, 4), [Step(True, (0, 0), "<1 & 2>")]), Board(3, 4))
    assert [g.find(f"{SVG}text").text for g in player.seen("caption")] == ["<1 & 2>"]
