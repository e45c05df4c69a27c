"""Plots and legends: every point where its numbers say, no text over anything else."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET

import pytest

from kt_cp.compare import Comparison, Run
from kt_cp.compare.report import comparison_plot, panels
from kt_cp.formats.table import Subject, formats_of
from kt_cp.model.board import Board
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.render.argument import Entry, argument_svg, legend_rows, wrap_text
from kt_cp.render.board import LETTER
from kt_cp.render.plot import (
    SHAPES,
    SPARE_STYLES,
    STYLES,
    Status,
    assign_styles,
    draw_figure,
    plot,
    summarize_runs,
)
from tests.support.artefacts import MODELS, measured

WHITE = "#ffffff"


def found(*seconds):
    return [(each, Status.FOUND) for each in seconds]


def drawn(*curves, **options):
    """The axes of one panel: curves by their names."""
    (axes,) = draw_figure({"Closed tours": dict(curves)}, **options).axes
    return axes


def marks(axes):
    """Colour, filling and place of every mark that does not stand in another one."""
    for line in axes.lines:
        if line.get_marker() in SHAPES:
            fill = line.get_markerfacecolor()
            yield from (
                (line.get_color(), fill, *each) for each in zip(*line.get_data(), strict=True)
            )


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_points_lie_where_their_numbers_say():
    curve = [summarize_runs(10 ** (i + 1), f"b{i}", found(10**-i)) for i in range(4)]
    axes = drawn(("sat", curve))
    places = [(10 ** (i + 1), 10**-i) for i in range(4)]
    colour = STYLES["lazy"][0]
    assert sorted(marks(axes)) == [(colour, colour, *each) for each in places]
    assert [tuple(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "-"] == [
        tuple(squares for squares, _ in places)
    ]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert labels(axes.yaxis) == ["0.001 s", "0.01 s", "0.1 s", "1 s"]
    assert labels(axes.xaxis) == [
        "10", "20", "50", "100", "200", "500", "1,000", "2,000", "5,000", "10,000",
    ]  # fmt: skip
    assert [*axes.get_xticks(minor=True)] == [squares for squares, _ in places]


def test_medians_and_their_spread():
    assert summarize_runs(64, "8x8", [*found(0.1, 4.0), (9.0, Status.TIME)]).seconds == 4
    runs = [*found(0.1), (9.0, Status.TIME), (2.0, Status.MEMORY), (9.0, Status.TIME)]
    each = summarize_runs(64, "8x8", runs)
    assert (each.status, each.fastest) == (Status.TIME, 0.1)
    assert math.isinf(each.seconds) and math.isinf(each.slowest)
    curve = [summarize_runs(64, "8x8", [*found(0.01, 0.1, 1.0), (10, Status.TIME)])]
    axes = drawn(("sat", curve), limit=10)
    (bars,) = axes.collections
    assert bars.get_segments()[0].tolist() == [[64, 0.01], [64, 10]]
    assert "limit 10 s" in labels(axes.yaxis) and "10 s" not in labels(axes.yaxis)


def test_no_line_leads_to_what_did_not_end():
    times = [0.1, 0.2, None, 0.3, None, 0.4, 0.5]
    runs = [[(9.9, Status.TIME)] if it is None else found(it) for it in times]
    points = [summarize_runs(10 * (i + 1), f"b{i}", each) for i, each in enumerate(runs)]
    other = [summarize_runs(30, "b2", [(1.0, Status.FAILED)])]
    axes = drawn(("a", points[::-1]), ("b", other), limit=10)
    through = next(line for line in axes.lines if line.get_linestyle() == "-")
    assert [None if math.isnan(y) else y for y in through.get_ydata()] == times
    above = {place[2:] for place in marks(axes) if place[3] > 10}
    assert above == {place[2:] for place in marks(axes) if place[1] == WHITE}
    # Of two that did not end on one board, neither hides the other.
    assert sorted(x for x, _ in above) == [30, 30, 50] and len({y for _, y in above}) == 2


def test_tiny_seconds_lie_on_the_lowest_decade():
    tiny, other = ([summarize_runs(64, "8x8", found(it))] for it in (0, 0.3))
    axes = drawn(("a", tiny), ("b", other), limit=10)
    assert labels(axes.yaxis)[0] == "≤ 0.001 s"
    assert min(y for *_, y in marks(axes)) == 0.001
    assert not any("limit" in label for label in labels(axes.yaxis))  # nothing came near it


def test_every_sign_is_drawn_and_explained():
    points = [summarize_runs(10 + i, f"b{i}", [(1.0, sign)]) for i, sign in enumerate(Status)]
    figure = draw_figure({"Closed tours": {"a": points}}, limit=10, caption="One run each.")
    (axes,), (legend,) = figure.axes, figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [*Status]
    assert legend.get_title().get_text() == "One run each."
    inside = [line.get_marker() for line in axes.lines if line.get_marker() in set("x._+")]
    assert inside == ["x", ".", "_", "+"]
    assert sum(place[1] == WHITE for place in marks(axes)) == 4


def crowd(curves, boards, ended=True):
    """Curves that go through the same points."""
    sides = [3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, 50, 100][:boards]
    runs = found(0.01) if ended else [(10.0, Status.TIME)]
    points = [summarize_runs(side * side, f"{side}x{side}", runs) for side in sides]
    return {f"sat:encoding-{i}:solver": points for i in range(curves)}


@pytest.mark.parametrize(
    "curves",
    [
        [crowd(2, 3)],
        [crowd(9, 6), crowd(9, 6)],
        [crowd(12, 13), crowd(3, 2)],
        [crowd(1, 1)],
        [crowd(9, 4, ended=False)],
        [{"a": [summarize_runs(side**2, f"{side}x{side}", found(1)) for side in (20, 100, 1000)]}],
        [{"a": [summarize_runs(side, f"1x{side}, 1x{side}", found(1)) for side in range(3, 50)]}],
    ],
    ids=["few", "many", "more", "one board", "no end", "wide numbers", "all boards"],
)
def test_nothing_is_written_over_anything_else(curves):
    caption = "Medians of 5 runs each, at most 10 s."
    figure = draw_figure(
        {f"panel {i}": it for i, it in enumerate(curves)}, limit=10, caption=caption
    )
    figure.draw_without_rendering()
    words = [label for axes in figure.axes for label in axes.texts]
    for axes in figure.axes:
        assert axes.get_legend().get_texts()
        words += [*axes.xaxis.get_ticklabels(), *axes.yaxis.get_ticklabels()]
        words += [axes.get_legend(), axes.title, axes._left_title]
    words += figure.legends
    boxes = [(each, each.get_window_extent()) for each in words if str(each)]
    boxes = [(each, box) for each, box in boxes if box.width and box.height]
    for each, box in boxes:
        assert box.x0 >= 0 and box.y0 >= 0, each
        assert box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1, each
    for (one, a), (two, b) in itertools.combinations(boxes, 2):
        assert not a.overlaps(b), (one, two)


def test_a_curve_looks_the_same_on_every_panel():
    first, second = draw_figure({"a": crowd(3, 2), "b": {**crowd(5, 1), "other": []}}).axes
    for name, line in zip([*crowd(3, 2)], first.get_legend().get_lines(), strict=True):
        texts = [text.get_text() for text in second.get_legend().get_texts()]
        same = second.get_legend().get_lines()[texts.index(name)]
        assert (line.get_color(), line.get_marker()) == (same.get_color(), same.get_marker())


def test_one_colour_an_engine_or_encoding_in_all_plots():
    from kt_cp.encodings import ENCODING_NAMES
    from kt_cp.engines import engine_names

    known = {*ENCODING_NAMES, *engine_names()} - {"sat"}
    assert known <= STYLES.keys()
    colours = [colour for colour, _ in (*STYLES.values(), *SPARE_STYLES)]
    assert len(set(colours)) == len(colours)
    assert {shape for _, shape in (*STYLES.values(), *SPARE_STYLES)} <= SHAPES.keys()
    for name in known:
        alone, among = (
            assign_styles([name]),
            assign_styles(["other", *sorted(known), "sat:lfsr:glucose4"]),
        )
        assert alone[name] == among[name] == STYLES[name]
    for name in ENCODING_NAMES:
        assert assign_styles([f"sat:{name}"])[f"sat:{name}"] == STYLES[name]


def test_no_look_is_used_twice_in_a_plot():
    for names in (
        ["lazy", "sat:lazy", "sat:lazy:cadical195", "sat:lazy::patch"],
        [*STYLES, "mine", "yours"],
        [f"engine {number}" for number in range(len(STYLES) + len(SPARE_STYLES))],
    ):
        used = assign_styles(names)
        assert sorted(used) == sorted(names)
        assert len(set(used.values())) == len(names)
    assert len(assign_styles([str(number) for number in range(100)])) == 100


def test_names_at_the_right_stand_in_the_order_of_the_curves():
    heights = {"low": 0.1, "high": 3.0, "middle": 1.0}
    axes = drawn(*((name, [summarize_runs(64, "8x8", found(it))]) for name, it in heights.items()))
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["high", "middle", "low"]


def test_no_points_are_a_mistake():
    with pytest.raises(ValueError, match="expected at least one point"):
        drawn(("sat", []))


@pytest.mark.parametrize("format", formats_of(Subject.PLOT))
def test_the_same_points_give_the_same_bytes(format, monkeypatch):
    import matplotlib

    curves = {"Closed $tours_": {"a<b $x^2$": [summarize_runs(9, "3x3 less a1 & b2", found(1))]}}
    content = plot(curves, title="Times < 1 s", format=format)
    with matplotlib.rc_context({"font.size": 20, "lines.linewidth": 9}):
        assert plot(curves, title="Times < 1 s", format=format) == content
        assert matplotlib.rcParams["font.size"] == 20
    assert content.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[format])
    if format == "svg":
        words = {element.text for element in ET.fromstring(content).iter() if element.text}
        assert {"Closed $tours_", "a<b $x^2$", "3x3 less a1 & b2", "Times < 1 s"} <= words


def test_the_picture_in_models_is_of_that_comparison():
    assert comparison_plot(measured()) == (MODELS / "compare.svg").read_bytes()


def test_a_comparison_has_a_panel_for_each_kind():
    verdicts = {
        "FOUND": Status.FOUND, "IMPOSSIBLE": Status.NONE, "TIMEOUT": Status.TIME,
        "MEMORY": Status.MEMORY, "UNKNOWN": Status.OPEN, "REFUSED": Status.OPEN,
        "CRASH": Status.FAILED, "UNSOUND": Status.FAILED,
    }  # fmt: skip
    for kinds in ((False, True), (True,)):
        rows = [
            Run(Problem(Board(8, 8 + i, missing={(0, 0)}), closed=closed), "sat", seed, verdict)
            for closed in kinds
            for i, verdict in enumerate(verdicts)
            for seed in (1, 2)
        ]
        comparison = Comparison(rows, Limits(seconds=2.5))
        drawn_panels = panels(comparison)
        assert [*drawn_panels] == [
            f"{'Closed' if closed else 'Open'} tours: seconds to build and solve"
            for closed in kinds
        ]
        for curves in drawn_panels.values():
            assert [(it.squares, it.name, it.status) for it in curves["sat"]] == [
                (8 * (8 + i) - 1, f"8x{8 + i} less a1", sign)
                for i, sign in enumerate(verdicts.values())
            ]
        assert b"Medians of 2 runs each, at most 2.5 s." in comparison_plot(comparison)


SVG = "{http://www.w3.org/2000/svg}"
CAPTION = 'Where a < b & "c", nothing is left: <svg> is no tag here.'
SENTENCE = "Take away these squares: more pieces are left than a tour joins. "
SIZES = [(1, 1), (3, 3), (8, 8), (3, 100), (100, 3), (40, 40), (101, 101)]


def draw_argument(board, title="No tour", **options):
    return ET.fromstring(argument_svg(board, title=title, **options))


def group(picture, name):
    return picture.find(f"{SVG}g[@class='{name}']")


def words(picture, name):
    return [text.text for text in group(picture, name).findall(f"{SVG}text")]


def test_captions_and_titles_are_escaped():
    picture = draw_argument(Board(5, 5), caption=CAPTION, title="1 < 2 & 3")
    assert " ".join(words(picture, "caption")) == CAPTION
    assert picture.find(f"{SVG}desc").text == CAPTION
    assert picture.find(f"{SVG}title").text == "1 < 2 & 3"


def test_no_caption_is_no_line():
    for caption in ("", " \n"):
        picture = draw_argument(Board(5, 5), caption=caption)
        assert group(picture, "caption") is None
        assert picture.find(f"{SVG}desc") is None


@pytest.mark.parametrize("sides", SIZES, ids="{0[0]}x{0[1]}".format)
def test_no_line_is_wider_than_the_picture(sides):
    caption = SENTENCE * 4 + "x" * 300
    board, a1 = Board(*sides), (0, 0)
    picture = draw_argument(
        board, caption=caption, marked=[a1], components=[[a1]], start=a1, end=a1, colours=True
    )
    left, top, across, down = map(float, picture.get("viewBox").split())
    assert left <= 0
    assert left + across >= board.columns
    lowest = board.rows
    for name in ("caption", "legend"):
        texts = group(picture, name)
        size = float(texts.get("font-size"))
        for text in texts.findall(f"{SVG}text"):
            x, y = float(text.get("x")), float(text.get("y"))
            assert left < x
            assert x + LETTER * size * len(text.text) < left + across
            assert lowest <= y < top + down
            lowest = y
    # All of it is there; only the word that no line can hold is cut.
    assert "".join(words(picture, "caption")).replace(" ", "") == caption.replace(" ", "")
    assert " ".join(words(picture, "caption")).startswith(SENTENCE)


def test_words_are_not_cut_where_they_fit():
    lines = wrap_text(SENTENCE * 3, 10, 0.5)
    assert " ".join(lines) == (SENTENCE * 3).strip()
    assert all(len(line) * LETTER * 0.5 <= 10 for line in lines)
    assert wrap_text("abc", 0.1, 1) == ["a", "b", "c"]


def test_a_legend_row_takes_what_fits_and_at_least_one():
    entries = [Entry("a" * 10, ""), Entry("b" * 10, ""), Entry("c", "")]
    assert legend_rows(entries, 100, 0.5) == [entries]
    assert legend_rows(entries, 1, 0.5) == [[entry] for entry in entries]
    assert legend_rows([], 1, 0.5) == []
