"""A search board by board: the recursion's own steps, any slice of them, and how they are drawn."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ET

import pytest

from kt_cp import Board, Problem
from kt_cp.formats.trace import ending_json, ending_text, frame_json, frame_text, picture_steps
from kt_cp.model.board import parse_square, parse_squares, square_name
from kt_cp.model.move_order import ORDERS, fixed_order
from kt_cp.render.animation import comic_svg
from kt_cp.sources.registry import SOURCES, find_source
from kt_cp.trust.reference import Ending, Trace, search
from tests.trust.test_reference import random_problem

SVG = "{http://www.w3.org/2000/svg}"
ENDINGS = {True: Ending.TOUR, False: Ending.EXHAUSTED}


MOST = 6000
"""Boards that are compared: some searches would go on for ever."""


class EnoughError(Exception):
    pass


def boards_of_the_recursion(problem, start, candidates=None):
    """The steps of the plain recursion with the walk after each, and what it came to."""
    boards, path = [], []

    def watch(placed, square):
        if len(boards) == MOST:
            raise EnoughError
        path.append(square) if placed else path.pop()
        boards.append((placed, square, tuple(path)))

    try:
        walk = search(problem, start, candidates, watch=watch)
    except EnoughError:
        return boards, Ending.STOPPED
    return boards, ENDINGS[walk.squares is not None]


def boards_of(frames):
    return [(frame.placed, frame.square, frame.path) for frame in frames]


@pytest.mark.parametrize("seed", range(40))
def test_every_board_is_a_step_of_the_recursion(seed):
    problem, start = random_problem(random.Random(seed))[:2]
    boards, ending = boards_of_the_recursion(problem, start)
    trace = Trace(problem, start, last=MOST)
    assert trace.ending is None
    frames = list(trace)
    assert boards_of(frames) == boards
    assert [frame.number for frame in frames] == list(range(1, len(boards) + 1))
    assert trace.ending is ending
    assert trace.placed == sum(placed for placed, _, _ in boards)
    assert trace.taken_back == len(boards) - trace.placed


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.number)
def test_every_source_has_its_own_search(source):
    problem = Problem(Board(5, 5))
    boards, ending = boards_of_the_recursion(problem, (0, 0), source.candidates(problem))
    trace = Trace(problem, (0, 0), source.candidates(problem), last=MOST)
    assert boards_of(trace) == boards
    assert trace.ending is ending


def test_a_slice_is_a_slice_of_the_whole():
    problem, rng = Problem(Board(4, 4)), random.Random(1)
    boards = list(Trace(problem, (0, 0)))
    total = len(boards)
    ends = [(1, 1), (1, total), (total, total), (total, total + 9), (4096, 4097), (total - 1, None)]
    ends += [sorted((rng.randint(1, total), rng.randint(1, total))) for _ in range(40)]
    for first, last in ends:
        trace = Trace(problem, (0, 0), first=first, last=last)
        frames = list(trace)
        assert frames == boards[first - 1 : last]
        assert trace.placed + trace.taken_back == frames[-1].number
        assert trace.placed - trace.taken_back == frames[-1].move
        ended = frames[-1].number == total
        assert trace.ending is (Ending.EXHAUSTED if ended else Ending.STOPPED)


@pytest.mark.parametrize(("more", "ending"), [(-1, Ending.STOPPED), (0, Ending.TOUR)])
def test_the_ending_is_known_at_the_very_last_board(more, ending):
    problem = Problem(Board(5, 5))
    order = find_source("002").candidates(problem)
    boards, _ = boards_of_the_recursion(problem, (0, 0), order)
    trace = Trace(problem, (0, 0), order, last=len(boards) + more)
    assert boards_of(trace) == boards[: len(boards) + more]
    assert trace.ending is ending


def test_beyond_the_end_there_are_no_boards_but_a_count():
    trace = Trace(Problem(Board(3, 3)), (0, 0), first=10**12)
    assert list(trace) == []
    assert (trace.ending, trace.placed, trace.taken_back) == (Ending.EXHAUSTED, 15, 15)
    assert ending_text(trace, 10**12).startswith("There is no board 1000000000000. The search ends")


def test_far_boards_are_those_of_one_long_run():
    problem = Problem(Board(7, 7))
    order = fixed_order(problem, ORDERS["002"])
    far = list(Trace(problem, (0, 0), order, first=300_000, last=300_003))
    near = [
        frame for frame in Trace(problem, (0, 0), order, last=300_003) if frame.number >= 300_000
    ]
    assert far == near


@pytest.mark.parametrize(("first", "last"), [(0, 1), (-1, None), (3, 2)])
def test_boards_are_counted_from_1_in_order(first, last):
    with pytest.raises(ValueError, match="expected boards from 1 on"):
        Trace(Problem(Board(3, 3)), (0, 0), first=first, last=last)


def test_the_first_boards_of_the_4x4_search_of_document_002():
    problem = Problem(Board(4, 4))
    frames = list(Trace(problem, (0, 0), find_source("002").candidates(problem), last=16))
    names = [square_name(frame.square) for frame in frames]
    assert names[:13] == [
        "a1",
        "b3",
        "c1",
        "a2",
        "b4",
        "c2",
        "a3",
        "b1",
        "c3",
        "a4",
        "b2",
        "c4",
        "d2",
    ]
    assert [frame.placed for frame in frames] == [True] * 13 + [False, False, True]
    assert names[13:] == ["d2", "c4", "d1"]
    assert frame_text(problem.board, frames[14]) == (
        "Board 15: back to move 11, c4 is free again\n"
        "4 │ X X · ·\n"
        "3 │ X X X ·\n"
        "2 │ X K X ·\n"
        "1 │ X X X ·\n"
        "  └────────\n"
        "    a b c d\n\n"
    )


# --- drawn ----------------------------------------------------------------------------------------

DRAWN = [
    (Board(4, 4), 200),
    (Board(3, 5, parse_squares("b2,e1")), 60),
    (Board(12, 30), 300),
    (Board(1, 1), 1),
]


def parsed(text):
    """Heading, squares by what stands on them, and the names of the files."""
    heading, *lines = text.splitlines()
    ranks = [line for line in lines if "│" in line]
    cells = {}
    for line in ranks:
        rank, row = line.split("│")
        for column, cell in enumerate(row.split()):
            cells.setdefault(cell, set()).add((int(rank) - 1, column))
    return heading, cells, lines[len(ranks) + 1].split()


@pytest.mark.parametrize(("board", "most"), DRAWN, ids=str)
def test_boards_in_text_show_the_walk(board, most):
    for frame in Trace(Problem(board), (0, 0), last=most):
        heading, cells, files = parsed(frame_text(board, frame))
        assert cells.get("K", set()) == set(frame.path[-1:])
        assert cells.get("X", set()) == set(frame.path[:-1])
        assert cells.get("#", set()) == board.missing
        assert cells.get("·", set()) == set(board) - set(frame.path)
        assert files == [square_name((0, column))[:-1] for column in range(board.columns)]
        name = square_name(frame.square)
        assert heading.startswith(f"Board {frame.number}: ")
        if frame.placed:
            assert re.search(rf": move {frame.move}, .*\b{name}$", heading)
        else:
            assert heading.endswith(f", {name} is free again")
            assert (
                f": back to {f'move {frame.move}' if frame.path else 'the beginning'}," in heading
            )


@pytest.mark.parametrize(("board", "most"), DRAWN[:2], ids=str)
def test_json_lines_say_the_same(board, most):
    for frame in Trace(Problem(board), (0, 0), last=most):
        line = frame_json(frame)
        assert line.count("\n") == 1
        document = json.loads(line)
        assert list(document) == [
            "board", "event", "square", "move", "knight", "path", "tour", "given", "legal",
        ]  # fmt: skip
        assert (document["tour"], document["given"], document["legal"]) == (None, False, True)
        assert (document["board"], document["move"]) == (frame.number, len(frame.path))
        assert document["event"] == ("placed" if frame.placed else "taken_back")
        assert parse_square(document["square"]) == frame.square
        assert tuple(map(parse_square, document["path"])) == frame.path
        assert document["knight"] == (document["path"][-1] if frame.path else None)


def test_the_ends():
    problem = Problem(Board(3, 3), start=(0, 0))
    for last, text, word in (
        (None, "ends without a tour, everything tried, at board 30: 15 squares", "exhausted"),
        (1, "Stopped after board 1, and the search goes on: 1 square placed, 0 taken", "stopped"),
    ):
        trace = Trace(problem, (0, 0), last=last)
        assert len(list(trace)) == (last or 30)
        assert text in ending_text(trace)
        document = json.loads(ending_json(trace, problem, "001"))
        assert document["ending"] == word
        assert (document["source"], document["schema_version"]) == ("001", 1)
        assert document["problem"]["start"] == "a1"
        assert document["placed"] + document["taken_back"] == (last or 30)


# --- the strip ------------------------------------------------------------------------------------


def of_class(element, name):
    return [each for each in element.iter() if each.get("class") == name]


def square_at(board, x, y):
    column, row = x - 0.5, board.rows - 0.5 - y
    assert (column, row) == (int(column), int(row))
    return int(row), int(column)


@pytest.mark.parametrize(
    ("board", "first", "last"),
    [
        (Board(4, 4), 1, 60),
        (Board(4, 4), 4440, 4446),
        (Board(5, 6, parse_squares("c3,f5")), 40, 80),
        (Board(8, 8), 1_000_000, 1_000_003),
        (Board(1, 1), 1, 1),
        (Board(32, 32), 100, 100),
    ],
    ids=str,
)
def test_strips_show_the_walks(board, first, last):
    frames = list(Trace(Problem(board), (0, 0), first=first, last=last))
    assert frames
    steps = list(picture_steps(frames))
    picture = ET.fromstring(comic_svg(board, steps, frames[0].before))
    (empty,) = [each for each in picture.iter() if (each.get("id") or "").startswith("empty")]
    assert len(of_class(empty, "missing")) == len(board.missing)
    _, _, width, height = map(float, picture.get("viewBox").split())
    panels = of_class(picture, "board")
    corners = set()
    for panel, frame, step in zip(panels, frames, steps, strict=True):
        visited = [
            square_at(board, float(x) + 0.2, float(y) + 0.2)
            for each in of_class(panel, "visited")
            for x, y in re.findall(r"M(\S+) (\S+)l", each.get("d"))
        ]
        knights = [(float(k.get("x")), float(k.get("y"))) for k in of_class(panel, "knight")]
        assert (*visited, *(square_at(board, *place) for place in knights)) == frame.path
        points = [
            square_at(board, *map(float, pair.split(",")))
            for each in of_class(panel, "path")
            for pair in each.get("points").split()
        ]
        assert tuple(points) == (frame.path if frame.move > 1 else ())
        left = of_class(panel, "left")
        free = [
            square_at(board, float(each.get("x")) + 0.5, float(each.get("y")) + 0.5)
            for each in left
        ]
        assert free == ([] if frame.placed else [frame.square])
        (caption,) = of_class(panel, "caption")
        assert caption.text == step.caption
        assert caption.text.startswith(f"{frame.number} · ")
        assert ("back" in caption.text) is (not frame.placed)
        x, y = map(float, re.findall(r"[\d.]+", panel.get("transform")))
        assert x + board.columns < width
        assert y + board.rows < height
        corners.add((x, y))
    assert len(corners) == len(frames)
    assert all(
        abs(x - u) > board.columns or abs(y - v) > board.rows
        for x, y in corners
        for u, v in corners
        if (x, y) != (u, v)
    )
