"""Plots: every point where its numbers say, and nothing written over anything else."""

from __future__ import annotations

import csv
import itertools
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kt_cp import Board
from kt_cp.compare import Case, Comparison, Run
from kt_cp.compare.plot import comparison_svg
from kt_cp.limits import Limits
from kt_cp.render.axes import ACROSS, LEFT, SMALL, TEXT
from kt_cp.render.board import LETTER
from kt_cp.render.plot import Curve, Panel, Sign, plot_svg, point
from kt_cp.render.scale import spread

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def drawn(*panels, **options):
    return ET.fromstring(plot_svg(panels, title="Times", **options))


def of_class(picture, name):
    return [element for element in picture.iter() if element.get("class") == name]


def found(*seconds):
    return [(each, Sign.FOUND) for each in seconds]


def marks(picture):
    """By its tooltip: where a mark stands, and what it is filled with."""
    places = {}
    for curve in of_class(picture, "curve"):
        for group in curve.findall(f"{SVG}g"):
            shape = group[1]
            if shape.tag == f"{SVG}circle":
                corners = [(float(shape.get("cx")), float(shape.get("cy")))]
            else:
                pattern = r"(-?[\d.]+)[ ,](-?[\d.]+)"
                text = shape.get("points") or shape.get("d")
                corners = [tuple(map(float, pair)) for pair in re.findall(pattern, text)]
            middle = tuple(sum(each) / len(corners) for each in zip(*corners, strict=True))
            places[group[0].text] = (*middle, shape.get("fill"))
    return places


def test_points_lie_where_their_numbers_say():
    curve = Curve("sat", [point(10 ** (i + 1), f"b{i}", found(10**-i)) for i in range(4)])
    picture = drawn(Panel("closed", [curve]))
    places = [marks(picture)[f"sat on b{i}: {10**-i:.3g} s, a tour"] for i in range(4)]
    xs, ys = [place[0] for place in places], [place[1] for place in places]
    steps = [b - a for a, b in itertools.pairwise(xs)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.01) and steps[0] > 100
    steps = [b - a for a, b in itertools.pairwise(ys)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.01) and steps[0] > 50
    (line,) = picture.iter(f"{SVG}polyline")
    assert line.get("points") == " ".join(f"{x:g},{y:g}" for x, y, _ in places)
    # The labels stand beside the decades: 0.001 s, 0.01 s, 0.1 s, 1 s.
    (seconds,) = of_class(picture, "seconds")
    assert [text.text for text in seconds] == ["0.001 s", "0.01 s", "0.1 s", "1 s"]
    beside = [float(text.get("y")) - 0.35 * TEXT for text in seconds]
    assert beside == pytest.approx(ys[::-1], abs=0.01)
    (squares,) = of_class(picture, "squares")
    assert [text.text for text in squares] == [
        "10", "20", "50", "100", "200", "500", "1,000", "2,000", "5,000", "10,000", "squares",
    ]  # fmt: skip
    assert [float(text.get("x")) for text in squares[:10:3]] == pytest.approx(xs, abs=0.01)


def test_medians_and_their_spread():
    runs = [*found(0.1, 4.0), (9.0, Sign.TIME)]
    assert point(64, "8x8", runs).words == "8x8: 4 s, a tour; 3 runs from 0.1 s to no end"
    runs = [*found(0.1), (9.0, Sign.TIME), (2.0, Sign.MEMORY), (9.0, Sign.TIME)]
    assert point(64, "8x8", runs).words == "8x8: time limit"
    assert math.isinf(point(64, "8x8", [*found(0.1), (9.0, Sign.TIME)]).seconds)
    curve = Curve("sat", [point(64, "8x8", [*found(0.01, 0.1, 1.0), (10, Sign.TIME)])])
    picture = drawn(Panel("", [curve]), limit=10)
    (bar,) = of_class(picture, "spread")
    _, fastest, slowest = map(float, re.findall(r"[\d.]+", bar.get("d")))
    (limit,) = of_class(picture, "limit")
    top = float(re.findall(r"[\d.]+", limit.get("d"))[1])
    assert slowest == top < fastest


def test_no_line_leads_to_what_did_not_end():
    times = [0.1, 0.2, None, 0.3, None, 0.4, 0.5]
    runs = [[(9.9, Sign.TIME)] if it is None else found(it) for it in times]
    points = [point(10 * (i + 1), f"b{i}", each) for i, each in enumerate(runs)]
    other = Curve("b", [point(30, "b2", [(1.0, Sign.FAILED)])])
    picture = drawn(Panel("closed", [Curve("a", points[::-1]), other]), limit=10)
    lines = [line.get("points").count(",") for line in picture.iter(f"{SVG}polyline")]
    assert lines == [2, 2]
    (limit,) = of_class(picture, "limit")
    line = float(re.findall(r"[\d.]+", limit.get("d"))[1])
    there = marks(picture)
    for words, (_, y, fill) in there.items():
        assert (y < line) == (fill == "#ffffff") == words.endswith(("limit", "wrong"))
    # Of two that did not end on one board, neither hides the other.
    hidden = there["a on b2: time limit"], there["b on b2: crashed, or wrong"]
    assert abs(hidden[0][1] - hidden[1][1]) > 10
    assert "limit 10 s" in [text.text for text in of_class(picture, "seconds")[0]]


def test_tiny_seconds_lie_on_the_lowest_decade():
    curves = [Curve("a", [point(64, "8x8", found(0))]), Curve("b", [point(64, "8x8", found(0.3))])]
    picture = drawn(Panel("", curves), limit=10)
    (seconds,) = of_class(picture, "seconds")
    assert seconds[0].text == "≤ 0.001 s"
    y = marks(picture)["a on 8x8: 0 s, a tour"][1]
    assert float(seconds[0].get("y")) - 0.35 * TEXT == pytest.approx(y, abs=0.01)
    assert of_class(picture, "limit") == []  # nothing came near it


def many(curves, boards, ended=True):
    """Curves that crowd together."""
    sides = [3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, 50, 100][:boards]
    runs = found(0.01) if ended else [(10.0, Sign.TIME)]
    points = [point(side * side, f"{side}x{side}", runs) for side in sides]
    return Panel("all at once", [Curve(f"sat:encoding-{i}:solver", points) for i in range(curves)])


@pytest.mark.parametrize(
    "panels",
    [
        [many(2, 3)],
        [many(9, 6), many(9, 6)],
        [many(12, 13), many(3, 2)],
        [many(1, 1)],
        [many(9, 4, ended=False)],
        [Panel("some", [*many(5, 3).curves, *many(9, 1, ended=False).curves[5:]])],
    ],
    ids=["few", "many", "more", "one board", "no end", "some"],
)
def test_nothing_is_written_over_anything_else(panels):
    picture = drawn(*panels, limit=10, caption="Medians of 5 runs each. " * 9)
    _, _, width, height = map(float, picture.get("viewBox").split())
    boxes = []
    for element in picture.iter(f"{SVG}text"):
        parent = next(it for it in picture.iter() if element in list(it))
        size = float(element.get("font-size") or parent.get("font-size"))
        wide = LETTER * size * len(element.text)
        anchor = element.get("text-anchor") or parent.get("text-anchor") or "middle"
        x = float(element.get("x")) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        y = float(element.get("y"))
        assert x >= -0.01 and x + wide <= width and y <= height - 0.2 * size, element.text
        boxes.append((x, y - 0.75 * size, x + wide, y, element.text))
    for (a, b, c, d, one), (e, f, g, h, two) in itertools.combinations(boxes, 2):
        assert c <= e or g <= a or d <= f or h <= b, (one, two)
    assert len({curve[0].text for curve in of_class(picture, "curve")}) == len(
        {each.name for panel in panels for each in panel.curves}
    )
    assert all(LEFT - 10 < x < LEFT + ACROSS + 10 for x, _, _ in marks(picture).values())
    assert SMALL >= 11


def test_places_are_apart_and_in_order():
    for wanted in ([], [5], [0, 0, 0], [1, 2, 50, 51, 99, 100], [100] * 9, [-5, 200]):
        places = spread(wanted, 10, 0, 100)
        assert len(places) == len(wanted)
        assert all(b - a >= 9.98 for a, b in itertools.pairwise(places))
        assert all(-0.01 <= place <= 100.01 for place in places)


def test_no_points_are_a_mistake():
    with pytest.raises(ValueError, match="expected at least one point"):
        drawn(Panel("", [Curve("sat", [])]))


def test_names_are_escaped():
    curve = Curve("a<b", [point(9, "3x3 less a1 & b2", found(1))])
    assert "a<b on 3x3 less a1 & b2: 1 s, a tour" in marks(drawn(Panel("x < y", [curve])))


def measured():
    """A comparison that was measured once, from its CSV."""
    with (ROOT / "tests" / "data" / "compare.csv").open(encoding="utf-8") as file:
        rows = [
            Run(
                Case(Board.parse(row["board"]), row["closed"] == "True"),
                row["engine"],
                int(row["seed"]),
                row["verdict"],
                statistics={
                    name: float(row[name] or 0) for name in ("build_seconds", "solve_seconds")
                },
            )
            for row in csv.DictReader(file)
        ]
    return Comparison(rows, Limits(seconds=5, megabytes=4000))


def test_the_picture_in_models_is_of_that_comparison():
    drawn = comparison_svg(measured())
    assert drawn == (ROOT / "models" / "compare.svg").read_text(encoding="utf-8")


def test_a_comparison_has_a_panel_for_each_kind():
    verdicts = ["FOUND", "IMPOSSIBLE", "TIMEOUT", "MEMORY", "UNKNOWN", "REFUSED", "CRASH"]
    verdicts.append("UNSOUND")
    for kinds in ((False, True), (True,)):
        rows = [
            Run(Case(Board(8, 8 + i, missing={(0, 0)}), closed), "sat", seed, verdict)
            for closed in kinds
            for i, verdict in enumerate(verdicts)
            for seed in (1, 2)
        ]
        picture = ET.fromstring(comparison_svg(Comparison(rows, Limits(seconds=2.5))))
        headings = [text.text for text in of_class(picture, "heading")]
        assert headings == [
            f"{'Closed' if closed else 'Open'} tours: seconds to build and solve"
            for closed in kinds
        ]
        words = list(marks(picture))
        assert words[:2] == [
            "sat on 8x8 less a1: 0 s, a tour; 2 runs from 0 s to 0 s",
            "sat on 8x9 less a1: 0 s, no tour exists; 2 runs from 0 s to 0 s",
        ]
        signs = [text.rpartition(": ")[2] for text in words[2:8]]
        assert signs == [
            "time limit", "memory limit", *["gave up, or refused"] * 2, *["crashed, or wrong"] * 2,
        ]  # fmt: skip
        assert "Medians of 2 runs each, at most 2.5 s." in [
            text.text for text in picture.iter(f"{SVG}text")
        ]


def test_numbers_of_squares_do_not_overlap():
    wide = [point(side**2, f"{side}x{side}", found(1.0)) for side in (20, 100, 1000)]
    picture = drawn(Panel("closed", [Curve("sat", wide)]))
    (squares,) = of_class(picture, "squares")
    numbers = list(squares)[:-1]
    assert [text.text for text in numbers] == ["1,000", "10,000", "100,000", "1,000,000"]
    half = [0.5 * 0.55 * TEXT * len(text.text) for text in numbers]
    middle = [float(text.get("x")) for text in numbers]
    for i, j in itertools.pairwise(range(len(numbers))):
        assert middle[i] + half[i] < middle[j] - half[j]
