"""One panel of a plot: its axes, its curves, and their names at the right, which do not overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from kt_cp.render.board import INK, LETTER, num
from kt_cp.render.curve import Curve, Panel, Point
from kt_cp.render.marks import Sign, colour, mark
from kt_cp.render.scale import LogScale, number, rows_of_names, spread

LEFT, ACROSS = 96.0, 560.0
"""Where the curves begin, and how wide they are drawn, in pixels."""

TEXT, SMALL = 13.0, 11.0
"""Heights of letters."""

_DOWN, _HEAD, _LANE, _NAME, _RADIUS = 260.0, 34.0, 13.0, 17.0, 4.5
_NAMES = 3  # most rows of boards' names
_BESIDE = 12.0  # how far apart curves of one panel are drawn that go through the same points
_GRID, _FAINT = "#e4e4e4", "#707070"


class Axes:
    """A panel whose upper edge is at ``top``; ``bottom`` is where it ends.

    Parameters
    ----------
    names : sequence of str
        Of all curves of the plot, in the order of their colours.
    seconds : (float, float)
        The lowest and the highest that is shown.
    limit : float or None
        Where the line is drawn above which marks of runs stand that did not end.
    """

    def __init__(
        self,
        panel: Panel,
        names: Sequence[str],
        x: LogScale,
        seconds: tuple[float, float],
        limit: float | None,
        top: float,
    ) -> None:
        self._panel, self._names, self._x, self._limit = panel, names, x, limit
        self._top = top
        self._curves = [curve for curve in panel.curves if curve.points]
        unended = [it for it in self._curves if not all(each.sign.ended for each in it.points)]
        band = len(unended) * _LANE + 5 * bool(unended)
        self._roof = top + _HEAD
        self._lanes = {
            curve.name: self._roof + (place + 0.5) * _LANE for place, curve in enumerate(unended)
        }
        down = max(_DOWN, len(self._curves) * _NAME - band)
        self._y = LogScale(*seconds, self._roof + band + down, self._roof + band)
        self._floor = self._y.begin
        self._clamped = any(
            each.fastest < self._y.low for curve in self._curves for each in curve.points
        )
        boards = sorted({(it.squares, it.name) for curve in self._curves for it in curve.points})
        joined: dict[int, str] = {}
        for squares, name in boards:
            joined[squares] = f"{joined[squares]}, {name}" if squares in joined else name
        self._boards = joined
        places = [(x(squares), name) for squares, name in joined.items()]
        self._rows = rows_of_names(places, SMALL, _NAMES)
        self.bottom = self._floor + 1.6 * TEXT + (1.35 * len(self._rows) + 0.3) * SMALL

    def lines(self) -> Iterator[str]:
        """The panel as lines of SVG."""
        heading = escape(self._panel.heading)
        yield (
            f'<text class="heading" x="{num(LEFT)}" y="{num(self._top + TEXT)}" '
            f'font-size="{num(TEXT + 1)}" font-weight="bold" fill="{INK}" '
            f'text-anchor="start">{heading}</text>'
        )
        yield from self._grid()
        yield from self._below()
        for curve in self._curves:
            yield from self._bars(curve)
        for curve in self._curves:
            yield from self._curve(curve)
        yield from self._labels()

    def _grid(self) -> Iterator[str]:
        x, y = self._x, self._y
        across = "".join(f"M{num(LEFT)} {num(y(it))}h{num(ACROSS)}" for it in y.ticks())
        down = "".join(
            f"M{num(x(squares))} {num(self._roof)}V{num(self._floor)}" for squares in self._boards
        )
        yield f'<path class="grid" d="{across}{down}" stroke="{_GRID}" stroke-width="1"/>'
        yield (
            f'<path class="axes" d="M{num(LEFT)} {num(self._roof)}V{num(self._floor)}'
            f'h{num(ACROSS)}" fill="none" stroke="{INK}" stroke-width="1"/>'
        )
        yield f'<g class="seconds" font-size="{num(TEXT)}" fill="{INK}" text-anchor="end">'
        limit = None if self._limit is None else y(self._limit)
        for value in y.ticks():
            if limit is None or abs(y(value) - limit) > TEXT:
                least = "≤ " if value == y.low and self._clamped else ""
                yield self._left(y(value), f"{least}{number(value)} s")
        if self._limit is not None:
            yield self._left(y(self._limit), f"limit {number(self._limit)} s")
        yield "</g>"
        if limit is not None:
            yield (
                f'<path class="limit" d="M{num(LEFT)} {num(limit)}h{num(ACROSS)}" '
                f'stroke="{_FAINT}" stroke-width="1.2" stroke-dasharray="6 4"/>'
            )

    def _left(self, y: float, words: str) -> str:
        return f'<text x="{num(LEFT - 8)}" y="{num(y + 0.35 * TEXT)}">{words}</text>'

    def _below(self) -> Iterator[str]:
        """Numbers of squares, and the names of the boards below them."""
        values = self._x.ticks(widest=LETTER * TEXT * (len(number(round(self._x.high))) + 0.5))
        ticks = "".join(f"M{num(self._x(it))} {num(self._floor)}v5" for it in values)
        yield f'<path class="ticks" d="{ticks}" stroke="{INK}" stroke-width="1"/>'
        y = self._floor + 1.45 * TEXT
        yield f'<g class="squares" font-size="{num(TEXT)}" fill="{INK}">'
        for value in values:
            yield f'<text x="{num(self._x(value))}" y="{num(y)}">{number(value)}</text>'
        x = LEFT + ACROSS + 32  # a long number may end the axis
        yield f'<text x="{num(x)}" y="{num(y)}" text-anchor="start">squares</text></g>'
        yield f'<g class="boards" font-size="{num(SMALL)}" fill="{_FAINT}">'
        for row, names in enumerate(self._rows):
            below = y + (1.35 * (row + 1) + 0.1) * SMALL
            for place, name in names:
                yield f'<text x="{num(place)}" y="{num(below)}">{escape(name)}</text>'
        yield "</g>"

    def _bars(self, curve: Curve) -> Iterator[str]:
        """From the fastest run to the slowest, or to the limit where some did not end."""
        bars = []
        for each in curve.points:
            if each.fastest < each.slowest:
                x = num(self._across(curve, each))
                bars.append(f"M{x} {num(self._y(each.fastest))}V{num(self._y(each.slowest))}")
        if bars:
            yield (
                f'<path class="spread" d="{"".join(bars)}" stroke="{self._colour(curve)}" '
                'stroke-width="2" stroke-opacity=".45"/>'
            )

    def _curve(self, curve: Curve) -> Iterator[str]:
        points = _in_order(curve)
        index = self._names.index(curve.name)
        yield f'<g class="curve"><title>{escape(curve.name)}</title>'
        for left, right in _legs(points):
            corners = " ".join(
                f"{num(self._across(curve, it))},{num(self._y(it.seconds))}"
                for it in points[left:right]
            )
            yield (
                f'<polyline points="{corners}" fill="none" stroke="{self._colour(curve)}" '
                'stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"/>'
            )
        for each in points:
            words = escape(f"{curve.name} on {each.words}")
            place = self._across(curve, each), self._height(curve, each)
            yield f"<g><title>{words}</title>{mark(index, each.sign, *place, _RADIUS)}</g>"
        yield "</g>"

    def _across(self, curve: Curve, each: Point) -> float:
        """Where a point lies, a little beside those of other curves; lanes need no such help."""
        if not each.sign.ended:
            return self._x(each.squares)
        many = len(self._curves) - 1
        beside = self._curves.index(curve) - many / 2
        return self._x(each.squares) + beside * min(3.0, _BESIDE / max(many, 1))

    def _height(self, curve: Curve, each: Point) -> float:
        return self._y(each.seconds) if each.sign.ended else self._lanes[curve.name]

    def _labels(self) -> Iterator[str]:
        """Names in the order in which the curves end, each with a line from its last mark."""
        curves = self._curves
        ends = {curve.name: _in_order(curve)[-1] for curve in curves}
        wanted = {curve.name: self._height(curve, ends[curve.name]) for curve in curves}
        order = sorted(curves, key=lambda curve: (wanted[curve.name], -ends[curve.name].squares))
        places = spread(
            [wanted[curve.name] for curve in order], _NAME, self._roof + 4, self._floor - 4
        )
        last = max(each.squares for each in ends.values())
        x = LEFT + ACROSS + 18
        yield f'<g class="names" font-size="{num(TEXT)}" text-anchor="start" fill="{INK}">'
        for curve, y in zip(order, places, strict=True):
            each = ends[curve.name]
            if each.squares == last:
                begin = self._across(curve, each) + 2 * _RADIUS
                yield (
                    f'<path d="M{num(begin)} {num(wanted[curve.name])}'
                    f'L{num(x - 9)} {num(y)}" stroke="{self._colour(curve)}" stroke-opacity=".5"/>'
                )
            yield mark(self._names.index(curve.name), Sign.FOUND, x, y, _RADIUS)
            yield (
                f'<text x="{num(x + 10)}" y="{num(y + 0.35 * TEXT)}">{escape(curve.name)}</text>'
            )
        yield "</g>"

    def _colour(self, curve: Curve) -> str:
        return colour(self._names.index(curve.name))


def _in_order(curve: Curve) -> list[Point]:
    return sorted(curve.points, key=lambda each: (each.squares, each.name))


def _legs(points: Sequence[Point]) -> Iterator[tuple[int, int]]:
    """Stretches of at least two neighbouring points whose medians ended."""
    begin = 0
    for place in range(len(points) + 1):
        if place == len(points) or not math.isfinite(points[place].seconds):
            if place - begin > 1:
                yield begin, place
            begin = place + 1
