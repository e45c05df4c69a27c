"""PNG and PDF: what the SVG shows, painted by matplotlib, and nothing left out."""

from __future__ import annotations

import re
from io import BytesIO

import networkx as nx
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from kt_cp import Board, Problem, prove, solve
from kt_cp.formats.table import PAINTED
from kt_cp.render.board import DARK, HOLE, LIGHT, PATH
from kt_cp.render.rasterize import painted, pen
from kt_cp.render.tour import tour_svg


def colour_at(svg, *places):
    """Colours of a PNG at places of its SVG, as numbers from 0 to 255."""
    png = imread(BytesIO(painted(svg, "png")))
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
    asked = [HOLE if (row, column) == (2, 2) else LIGHT if (row + column) % 2 else DARK
             for row in range(4) for column in range(5)]  # fmt: skip
    assert colour_at(tour_svg(board), *places) == [*map(rgb, asked)]


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
    png = painted(svg, "png")
    assert png.startswith(b"\x89PNG") and len(png) > 10_000
    assert painted(svg, "png") == png  # the same bytes again


def test_words_are_in_letters_that_are_there():
    # A glyph that is missing would be a warning, and so an error here.
    pdf = painted(prove("3x3")._repr_svg_(), "pdf")
    assert b"DejaVuSans" in pdf and b"/Title" in pdf


@pytest.mark.parametrize("format", sorted(PAINTED))
def test_what_moves_or_is_strange_is_refused(format):
    for svg in (
        solve("3x4").tour.animation(),
        tour_svg(Board(3, 3)).replace("</svg>", '<ellipse rx="1"/></svg>'),
        tour_svg(Board(3, 3)).replace("<rect ", '<rect rx="1" ', 1),
    ):
        with pytest.raises(ValueError, match="expected a still picture of this package, got"):
            painted(svg, format)


def test_the_pen():
    assert [*pen("M1 2h3v-1H0V5l.5-.5z")] == [
        (1, (1, 2)), (2, (4, 2)), (2, (4, 1)), (2, (0, 1)), (2, (0, 5)), (2, (0.5, 4.5)),
        (79, (1, 2)),
    ]  # fmt: skip
    assert [*pen("m1 1l1 1m0-1l-1 1")] == [(1, (1, 1)), (2, (2, 2)), (1, (2, 1)), (2, (1, 2))]
    assert [*pen("M0 0 1 1c1 0 1 1 2 2")][2:] == [(4, (2, 1)), (4, (2, 2)), (4, (3, 3))]


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
    assert painted(graph._repr_svg_(), "pdf").startswith(b"%PDF")
    assert solve(nx.path_graph(1001))._repr_svg_() is None
    named = nx.relabel_nodes(nx.cycle_graph(3), {0: "<a&b>", 1: "a name of many letters"})
    svg = solve(named, closed=True)._repr_svg_()
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
