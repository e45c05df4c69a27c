"""Pictures: well-formed, the right squares in the right places, readable at every size."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from kt_cp import Board, Problem, solve
from kt_cp.model.board import file_name, parse_squares
from kt_cp.render.board import NUMBERED
from kt_cp.render.tour import tour_svg

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
    """Of the whole path; where it is in pieces, each begins where the one before ends."""
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
