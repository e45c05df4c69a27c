"""One panel of a plot: its axes, its curves, and their names at the right.

A point is what became of the runs of one board: the median of their seconds with a bar from the
fastest to the slowest.  Where half of the runs did not end, the median has not ended either: no
line leads there, and a hollow mark stands above the limit, in a lane of its own for every curve, so
that none hides another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kt_cp.render.looks import SHAPES, Look, looks
from kt_cp.render.point import Point, Sign

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

INK, FAINT, GRID = "#3a3a3a", "#707070", "#e4e4e4"
LEFT, WIDE, HEAD, FOOT = 1.1, 6.0, 0.5, 0.55
"""Left of the axes, their width, above each panel and below all of them: inches."""

_TALL, _LANE, _LETTER = 2.9, 0.18, 0.075
_BESIDE, _SMALL = 9.0, 8.5  # points: how far apart curves are that go through the same points
_INSIDE = {Sign.NONE: "x", Sign.MEMORY: ".", Sign.OPEN: "_", Sign.FAILED: "+"}

Curves = Mapping[str, Sequence[Point]]
"""The points of each curve, in any order, by its name."""


@dataclass(frozen=True)
class Panel:
    """Curves on one pair of axes, with their ranges, and a limit above which stand unended runs.

    ``names`` are those of all curves of the plot.
    """

    curves: Curves
    names: Sequence[str]
    squares: tuple[float, float]
    seconds: tuple[float, float]
    limit: float | None

    @property
    def tall(self) -> float:
        """Height of the axes in inches, with a lane for every curve that needs one."""
        return _TALL + _LANE * len(self._unended())

    @property
    def below(self) -> float:
        """Room for what stands below the axes, in inches."""
        return 0.4 + _LETTER * max(map(len, self._names().values()), default=0)

    def draw(self, axes: Axes) -> None:
        """Scales, curves, and names in the order in which the curves end."""
        low, high = self.seconds
        lane = (high / low) ** (_LANE / _TALL)
        lanes = {name: high * lane ** (i + 0.5) for i, name in enumerate(self._unended()[::-1])}
        axes.set(xlim=self.squares, ylim=(low, high * lane ** len(lanes)))
        self._across(axes)
        self._up(axes)
        curves = {name: sorted(c, key=_place) for name, c in self.curves.items() if c}
        ends = {}
        for place, (name, points) in enumerate(curves.items()):
            beside = (place - (len(curves) - 1) / 2) * min(2.2, _BESIDE / max(1, len(curves) - 1))
            self._curve(axes, name, points, lanes.get(name, high), beside)
            ends[name] = min(points[-1].seconds, lanes.get(name, high))
        order = sorted(ends, key=lambda name: -ends[name])
        keys = [line(*self._look(name), linestyle="-") for name in order]
        axes.legend(keys, order, loc="upper left", bbox_to_anchor=(1.02, 1.03), frameon=False)

    def _unended(self) -> list[str]:
        """Curves of which some points did not end."""
        return [name for name, c in self.curves.items() if not all(it.sign.ended for it in c)]

    def _boards(self) -> dict[int, str]:
        """Names of the boards by their numbers of squares, in order."""
        boards: dict[int, list[str]] = {}
        for squares, name in sorted({_place(each) for c in self.curves.values() for each in c}):
            boards.setdefault(squares, []).append(name)
        return {squares: ", ".join(names) for squares, names in boards.items()}

    def _names(self) -> dict[int, str]:
        """Those for which there is room below the axes, the largest first."""
        kept, right = {}, math.inf
        for squares, names in reversed(self._boards().items()):
            place = self._inches(squares)
            if right - place > 1.15 * _SMALL / 72:
                kept[squares], right = names, place
        return kept

    def _inches(self, squares: float) -> float:
        """How far to the right a number of squares lies."""
        low, high = self.squares
        return WIDE * math.log(squares / low) / math.log(high / low)

    def _look(self, name: str) -> Look:
        """Colour and shape of a curve."""
        return looks(self.names)[name]

    def _across(self, axes: Axes) -> None:
        """Numbers of squares, and below them the names of the boards for which there is room."""
        low, high = self.squares
        room = self._inches(low * 2) > 1.2 * _LETTER * len(number(high))
        steps = (1, 2, 5) if room else (1,)
        ticks = [step * 10**power for power in range(19) for step in steps]
        ticks = [it for it in ticks if low <= it <= high]
        axes.set_xticks(ticks, [number(it) for it in ticks])
        floor = self.seconds[0]
        _beside(axes, "squares", (high, floor), (30, -7))
        boards = self._boards()
        axes.set_xticks(list(boards), [""] * len(boards), minor=True)
        axes.xaxis.remove_overlapping_locs = False  # or the grid would have gaps
        look = {"ha": "center", "rotation": 90, "fontsize": _SMALL, "color": FAINT}
        for squares, names in self._names().items():
            _beside(axes, names, (squares, floor), (0, -20), **look)

    def _up(self, axes: Axes) -> None:
        """Seconds at the left, and a line where runs were ended."""
        low, high = self.seconds
        decades = [10.0**power for power in range(-3, 12)]
        ticks = {it: f"{number(it)} s" for it in decades if low <= it <= high * 1.001}
        if any(each.fastest < low for curve in self.curves.values() for each in curve):
            ticks[low] = f"≤ {ticks[low]}"
        if self.limit is not None:
            near = (high / low) ** 0.07  # as far as a label is tall
            for it in [it for it in ticks if self.limit / near < it < self.limit * near]:
                del ticks[it]
            ticks[self.limit] = f"limit {number(self.limit)} s"
            axes.axhline(self.limit, color=FAINT, linewidth=1, dashes=(6, 4))
        axes.set_yticks(list(ticks), list(ticks.values()))
        axes.set_yticks([], minor=True)
        axes.grid(axis="y", color=GRID)
        axes.grid(axis="x", which="minor", color=GRID)
        axes.tick_params(colors=INK)
        axes.tick_params(which="minor", length=0)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)

    def _curve(
        self, axes: Axes, name: str, points: Sequence[Point], lane: float, beside: float
    ) -> None:
        """Bars from the fastest run to the slowest, a line through the medians, and the marks."""
        from matplotlib.transforms import ScaledTranslation

        low, high = self.seconds
        colour, shape = self._look(name)
        aside = axes.transData + ScaledTranslation(beside / 72, 0, axes.figure.dpi_scale_trans)

        def shown(seconds: float) -> float:
            return min(max(seconds, low), high)

        bars = [each for each in points if each.fastest < each.slowest]
        ends = [shown(each.fastest) for each in bars], [shown(each.slowest) for each in bars]
        places = [each.squares for each in bars]
        axes.vlines(places, *ends, colour, alpha=0.45, linewidth=1.6, transform=aside)
        heights = [shown(each.seconds) if each.sign.ended else math.nan for each in points]
        through = line(colour, "", transform=aside)
        through.set_data([each.squares for each in points], heights)
        axes.add_line(through)
        for sign in dict.fromkeys(each.sign for each in points):
            own = [each for each in points if each.sign is sign]
            for artist in mark(colour, shape, sign):
                artist.set_data(
                    [each.squares for each in own],
                    [shown(each.seconds) if sign.ended else lane for each in own],
                )
                artist.set(transform=aside if sign.ended else axes.transData, clip_on=False)
                axes.add_line(artist)


def number(value: float) -> str:
    """A number of an axis, without exponents."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}"


def mark(colour: str, shape: str, sign: Sign) -> tuple[Line2D, ...]:
    """A filled mark for an answer and a hollow one for none, and what stands inside it."""
    fill, ink, edge = (colour, "#ffffff", 0.6) if sign.ended else ("#ffffff", colour, 1.3)
    size = SHAPES[shape] * (1.2 if sign in _INSIDE else 1)
    whole = line(colour, shape, linestyle="", mfc=fill, mec=ink, mew=edge, ms=size)
    if sign not in _INSIDE:
        return (whole,)
    return whole, line(ink, _INSIDE[sign], linestyle="", ms=4, mec=ink, mew=1.1)


def bar() -> Line2D:
    """What tells the spread, for legends."""
    return line(FAINT, "|", linestyle="", ms=13, mec=FAINT, mew=1.6)


def line(colour: str, shape: str, **options: Any) -> Line2D:
    """A line with marks, which is nowhere as yet."""
    from matplotlib.lines import Line2D

    usual = {"linewidth": 1.4, "ms": SHAPES.get(shape, 7.0), "mec": "#ffffff", "mew": 0.6}
    return Line2D([], [], color=colour, marker=shape, **{**usual, **options})


def _beside(
    axes: Axes, words: str, at: tuple[float, float], off: tuple[float, float], **look: Any
) -> None:
    """Words off a point by so many points of print, below it."""
    axes.annotate(words, at, off, textcoords="offset points", va="top", **look)


def _place(each: Point) -> tuple[int, str]:
    return each.squares, each.name
