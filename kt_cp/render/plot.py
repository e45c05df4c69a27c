"""Plots of seconds against squares on logarithmic axes, a curve for each engine or encoding.

A point summarizes the runs on one board: the median of their seconds, with a bar from the fastest
to the slowest.  If half of the runs did not end, there is no median.  The line is then broken, and
a hollow mark is drawn above the limit, in a lane for each curve, so that no mark hides another.

Each engine and encoding has the same colour in all plots; ``sat:position`` looks like ``position``.
Other names get a colour that is free in their plot.  The colours are those of M. Okabe and K. Ito
2008 and P. Tol 2021 without the pale ones, and a few between them.  Neighbours also differ in their
shapes.

Matplotlib draws without a display and is imported only for drawing.  The same points and the same
version of it give the same bytes, whatever its settings are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Any

from kt_cp.render.rasterize import save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


Style = tuple[str, str]
"""Colour and shape of the marks."""

SHAPES = {"o": 7.0, "s": 6.5, "^": 8.0, "D": 6.3, "v": 8.0, "*": 11.0, "h": 7.8, ">": 8.0, "<": 8.0}
"""Shapes of marks, for readers who cannot distinguish colours, with sizes that look alike."""

STYLES: dict[str, Style] = {
    "position": ("#0072b2", "o"),
    "adder": ("#d55e00", "s"),
    "lfsr": ("#009e73", "^"),
    "remainder": ("#aa4499", "D"),
    "remainder-short": ("#56b4e9", "v"),
    "relative": ("#e69f00", "*"),
    "elimination": ("#332288", "h"),
    "hybrid": ("#882255", ">"),
    "reach": ("#3a3a3a", "<"),
    "corridor": ("#999933", "o"),
    "channel": ("#0b7285", "*"),
    "lazy": ("#117733", "v"),
    "cpsat": ("#cc3311", "^"),
    "propagator": ("#8855dd", "D"),
    "backtrack": ("#7a5230", "o"),
    "warnsdorff": ("#ee5f9b", "s"),
    "construct": ("#6fae1f", "h"),
    "reference": ("#8a8a8a", "<"),
    "auto": ("#1d3f8f", ">"),
    "windows": ("#c2255c", "h"),
    "plain": ("#2aa7b5", "o"),
    "clingo": ("#b8860b", "s"),
}
"""Styles of the engines and encodings, and of solvers that the benchmarks compare."""

SPARE_STYLES: tuple[Style, ...] = (
    ("#5b6f00", "*"), ("#c77cff", "h"), ("#a6001a", ">"), ("#00695f", "s"), ("#ff8c69", "^"),
    ("#4d4d8f", "v"),
)  # fmt: skip
"""Styles of other names, in the order of a plot."""


def assign_styles(names: Sequence[str]) -> dict[str, Style]:
    """Return the style of each curve of a plot; they repeat after about thirty curves.

    >>> assign_styles(["sat:position", "sat:position:glucose4", "cpsat"])["sat:position"]
    ('#0072b2', 'o')
    """
    found: dict[str, Style] = {}
    for name in names:
        known = STYLES.get("lazy" if name == "sat" else name.removeprefix("sat:"))
        if known is not None and known not in found.values():
            found[name] = known
    styles = [*SPARE_STYLES, *STYLES.values()]
    free = [style for style in styles if style not in found.values()] or styles
    others = [name for name in names if name not in found]
    return found | {name: free[place % len(free)] for place, name in enumerate(others)}


class Status(StrEnum):
    """The result of a run."""

    FOUND = "a tour"
    NONE = "no tour exists"
    TIME = "time limit"
    MEMORY = "memory limit"
    OPEN = "gave up, or refused"
    FAILED = "crashed, or wrong"

    @property
    def ended(self) -> bool:
        """Return whether there is an answer, and therefore a time."""
        return self in (Status.FOUND, Status.NONE)


@dataclass(frozen=True)
class Point:
    """A summary of the runs on a board.

    ``seconds`` is the median; times of runs that did not end are infinite.  ``status`` is the most
    frequent status among the runs that ended, or among the others if the median did not end.
    """

    squares: int
    name: str
    seconds: float
    fastest: float
    slowest: float
    status: Status


def summarize_runs(squares: int, name: str, runs: Sequence[tuple[float, Status]]) -> Point:
    """Summarize the seconds and statuses of at least one run.

    >>> runs = [(0.1, Status.FOUND), (0.3, Status.FOUND), (9, Status.TIME)]
    >>> summarize_runs(64, "8x8", runs).seconds
    0.3
    """
    times = [seconds if status.ended else math.inf for seconds, status in runs]
    middle = median(times)
    statuses = [status for _, status in runs if status.ended == math.isfinite(middle)]
    status = Counter(statuses).most_common(1)[0][0]
    return Point(squares, name, middle, min(times), max(times), status)


INK, FAINT, GRID = "#3a3a3a", "#707070", "#e4e4e4"
LEFT, WIDE, HEAD, FOOT = 1.1, 6.0, 0.5, 0.55
"""Inches to the left of the axes, of their width, above each panel, and below all panels."""

_TALL, _LANE, _LETTER = 2.9, 0.18, 0.075
_SHIFT, _SMALL = 9.0, 8.5  # points: between curves through the same points, and of small text
_INSIDE = {Status.NONE: "x", Status.MEMORY: ".", Status.OPEN: "_", Status.FAILED: "+"}

Curves = Mapping[str, Sequence[Point]]
"""The points of each curve by name, in any order."""


@dataclass(frozen=True)
class Panel:
    """Curves on axes of given ranges; ``names`` are those of all curves of the plot.

    Runs that did not end are drawn above the limit.
    """

    curves: Curves
    names: Sequence[str]
    squares: tuple[float, float]
    seconds: tuple[float, float]
    limit: float | None

    @property
    def tall(self) -> float:
        """Height of the axes in inches, with a lane for every curve with runs that did not end."""
        return _TALL + _LANE * len(self._unended())

    @property
    def below(self) -> float:
        """Height of the labels below the axes, in inches."""
        return 0.4 + _LETTER * max(map(len, self._names().values()), default=0)

    def draw(self, axes: Axes) -> None:
        """Draw scales, curves, and a legend in the order in which the curves end."""
        low, high = self.seconds
        lane = (high / low) ** (_LANE / _TALL)
        lanes = {name: high * lane ** (i + 0.5) for i, name in enumerate(self._unended()[::-1])}
        axes.set(xlim=self.squares, ylim=(low, high * lane ** len(lanes)))
        self._label_squares(axes)
        self._label_seconds(axes)
        curves = {name: sorted(c, key=_place) for name, c in self.curves.items() if c}
        ends = {}
        for place, (name, points) in enumerate(curves.items()):
            shift = (place - (len(curves) - 1) / 2) * min(2.2, _SHIFT / max(1, len(curves) - 1))
            self._draw_curve(axes, name, points, lanes.get(name, high), shift)
            ends[name] = min(points[-1].seconds, lanes.get(name, high))
        order = sorted(ends, key=lambda name: -ends[name])
        styles = assign_styles(self.names)
        keys = [line(*styles[name], linestyle="-") for name in order]
        axes.legend(keys, order, loc="upper left", bbox_to_anchor=(1.02, 1.03), frameon=False)

    def _unended(self) -> list[str]:
        """Return the curves with points that did not end."""
        return [
            name for name, c in self.curves.items() if not all(value.status.ended for value in c)
        ]

    def _boards(self) -> dict[int, str]:
        """Return the names of the boards by their numbers of squares, in order."""
        boards: dict[int, list[str]] = {}
        for squares, name in sorted({_place(each) for c in self.curves.values() for each in c}):
            boards.setdefault(squares, []).append(name)
        return {squares: ", ".join(names) for squares, names in boards.items()}

    def _names(self) -> dict[int, str]:
        """Return the names of the boards that fit below the axes, the largest first."""
        shown, right = {}, math.inf
        for squares, names in reversed(self._boards().items()):
            place = self._inches(squares)
            if right - place > 1.15 * _SMALL / 72:
                shown[squares], right = names, place
        return shown

    def _inches(self, squares: float) -> float:
        """Return the place of a number of squares on the axis."""
        low, high = self.squares
        return WIDE * math.log(squares / low) / math.log(high / low)

    def _label_squares(self, axes: Axes) -> None:
        """Label the axis with numbers of squares, and with the names of boards that fit."""
        low, high = self.squares
        is_wide = self._inches(low * 2) > 1.2 * _LETTER * len(format_number(high))
        steps = (1, 2, 5) if is_wide else (1,)
        ticks = [step * 10**power for power in range(19) for step in steps]
        ticks = [value for value in ticks if low <= value <= high]
        axes.set_xticks(ticks, [format_number(value) for value in ticks])
        floor = self.seconds[0]
        _annotate(axes, "squares", (high, floor), (30, -7))
        boards = self._boards()
        axes.set_xticks(list(boards), [""] * len(boards), minor=True)
        axes.xaxis.remove_overlapping_locs = False  # or the grid would have gaps
        style = {"ha": "center", "rotation": 90, "fontsize": _SMALL, "color": FAINT}
        for squares, names in self._names().items():
            _annotate(axes, names, (squares, floor), (0, -20), **style)

    def _label_seconds(self, axes: Axes) -> None:
        """Label the axis with seconds, and draw a line at the limit."""
        low, high = self.seconds
        decades = [10.0**power for power in range(-3, 12)]
        ticks = {
            value: f"{format_number(value)} s" for value in decades if low <= value <= high * 1.001
        }
        if any(each.fastest < low for curve in self.curves.values() for each in curve):
            ticks[low] = f"≤ {ticks[low]}"
        if self.limit is not None:
            near = (high / low) ** 0.07  # as far as a label is tall
            for value in [
                value for value in ticks if self.limit / near < value < self.limit * near
            ]:
                del ticks[value]
            ticks[self.limit] = f"limit {format_number(self.limit)} s"
            axes.axhline(self.limit, color=FAINT, linewidth=1, dashes=(6, 4))
        axes.set_yticks(list(ticks), list(ticks.values()))
        axes.set_yticks([], minor=True)
        axes.grid(axis="y", color=GRID)
        axes.grid(axis="x", which="minor", color=GRID)
        axes.tick_params(colors=INK)
        axes.tick_params(which="minor", length=0)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)

    def _draw_curve(
        self, axes: Axes, name: str, points: Sequence[Point], lane: float, shift: float
    ) -> None:
        """Draw bars from the fastest run to the slowest, a line through the medians, and marks."""
        from matplotlib.transforms import ScaledTranslation

        low, high = self.seconds
        colour, shape = assign_styles(self.names)[name]
        shifted = axes.transData + ScaledTranslation(shift / 72, 0, axes.figure.dpi_scale_trans)

        def clip(seconds: float) -> float:
            return min(max(seconds, low), high)

        bars = [each for each in points if each.fastest < each.slowest]
        ends = [clip(each.fastest) for each in bars], [clip(each.slowest) for each in bars]
        places = [each.squares for each in bars]
        axes.vlines(places, *ends, colour, alpha=0.45, linewidth=1.6, transform=shifted)
        heights = [clip(each.seconds) if each.status.ended else math.nan for each in points]
        through = line(colour, "", transform=shifted)
        through.set_data([each.squares for each in points], heights)
        axes.add_line(through)
        for status in dict.fromkeys(each.status for each in points):
            own = [each for each in points if each.status is status]
            heights = [clip(each.seconds) if status.ended else lane for each in own]
            for artist in marker_lines(colour, shape, status):
                artist.set_data([each.squares for each in own], heights)
                artist.set(transform=shifted if status.ended else axes.transData, clip_on=False)
                axes.add_line(artist)


def format_number(value: float) -> str:
    """Return a number of an axis, without exponents."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}"


def marker_lines(colour: str, shape: str, status: Status) -> tuple[Line2D, ...]:
    """Return a mark, filled for an answer and hollow otherwise, and the sign inside it."""
    fill, ink, edge = (colour, "#ffffff", 0.6) if status.ended else ("#ffffff", colour, 1.3)
    size = SHAPES[shape] * (1.2 if status in _INSIDE else 1)
    mark = line(colour, shape, linestyle="", mfc=fill, mec=ink, mew=edge, ms=size)
    if status not in _INSIDE:
        return (mark,)
    return mark, line(ink, _INSIDE[status], linestyle="", ms=4, mec=ink, mew=1.1)


def line(colour: str, shape: str, **options: Any) -> Line2D:
    """Return a line with marks, without points."""
    from matplotlib.lines import Line2D

    defaults = {"linewidth": 1.4, "ms": SHAPES.get(shape, 7.0), "mec": "#ffffff", "mew": 0.6}
    return Line2D([], [], color=colour, marker=shape, **{**defaults, **options})


def _annotate(
    axes: Axes, words: str, at: tuple[float, float], offset: tuple[float, float], **style: Any
) -> None:
    """Write words below a point, moved by a distance in points of print."""
    axes.annotate(words, at, offset, textcoords="offset points", va="top", **style)


def _place(each: Point) -> tuple[int, str]:
    return each.squares, each.name


LEAST = 0.001
"""Seconds below which all times are drawn alike, because clocks do not distinguish them."""


def plot(
    panels: Mapping[str, Curves],
    *,
    title: str,
    limit: float | None = None,
    caption: str = "",
    format: str = "svg",
) -> bytes:
    """Return a picture of panels below each other, with headings and the same scales.

    The title is metadata of the file; the caption is below the panels.  The limit, in seconds, is
    drawn if some runs did not end.  The format is ``svg``, ``png`` or ``pdf``.

    >>> points = [
    ...     summarize_runs(36, "6x6", [(0.01, Status.FOUND)]),
    ...     summarize_runs(64, "8x8", [(10, Status.TIME)]),
    ... ]
    >>> plot({"Open tours": {"sat": points}}, title="Times", limit=10, format="png")[1:4]
    b'PNG'
    """

    def draw() -> Figure:
        import matplotlib

        matplotlib.rc("text", color=INK)
        matplotlib.rc("axes", edgecolor=INK)
        return draw_figure(panels, limit=limit, caption=caption)

    return save_figure(draw, title, format)


def draw_figure(
    panels: Mapping[str, Curves], *, limit: float | None = None, caption: str = ""
) -> Figure:
    """Return the figure of :func:`plot`."""
    from matplotlib.figure import Figure

    points = [each for curves in panels.values() for curve in curves.values() for each in curve]
    if not points:
        raise ValueError("expected at least one point, got none")
    if all(math.isfinite(each.slowest) for each in points):
        limit = None
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    ranges = _squares(points), _seconds(points, limit)
    parts = {value: Panel(curves, names, *ranges, limit) for value, curves in panels.items()}
    width = LEFT + WIDE + 0.6 + 0.09 * max(7, *map(len, names))
    height = FOOT + sum(HEAD + part.tall + part.below for part in parts.values())
    picture = Figure((width, height))
    bottom = height
    for heading, part in parts.items():
        bottom -= HEAD + part.tall
        box = LEFT / width, bottom / height, WIDE / width, part.tall / height
        axes = picture.add_axes(box, xscale="log", yscale="log")
        axes.set_title(heading, loc="left", fontsize=11.5, fontweight="bold", pad=9)
        part.draw(axes)
        bottom -= part.below
    statuses = {each.status for each in points}
    shown = [status for status in Status if status in statuses]
    keys: dict[str, Any] = {status.value: marker_lines(INK, "o", status) for status in shown}
    if any(each.fastest < each.slowest for each in points):
        keys["fastest to slowest"] = (line(FAINT, "|", linestyle="", ms=13, mec=FAINT, mew=1.6),)
    picture.legend(
        list(keys.values()), list(keys), ncols=len(keys), fontsize=9.5, frameon=False,
        title=caption, title_fontsize=9.5, alignment="left", loc="lower left", borderpad=0,
        bbox_to_anchor=((LEFT - 0.05) / width, 0.08 / height), handlelength=1, columnspacing=1.8,
    )  # fmt: skip
    return picture


def _squares(points: Sequence[Point]) -> tuple[float, float]:
    """Return the range of the squares with a margin and a minimum length."""
    low, high = min(each.squares for each in points), max(each.squares for each in points)
    middle, half = math.sqrt(low * high), max(2.0, 1.15 * math.sqrt(high / low))
    return middle / half, middle * half


def _seconds(points: Sequence[Point], limit: float | None) -> tuple[float, float]:
    """Return the range of the seconds, from a power of ten to the limit or the next round value."""
    times = [value for each in points for value in (each.fastest, each.seconds, each.slowest)]
    ended = [max(value, LEAST) for value in times if math.isfinite(value)]
    high = max([*ended, limit or LEAST])
    low = max(LEAST, 10.0 ** math.floor(math.log10(min([*ended, high / 10])) + 1e-9))
    if limit is None:
        power = 10.0 ** math.floor(math.log10(high))
        high = next(step * power for step in (1, 2, 5, 10) if step * power >= high * 0.999)
    return low, max(high, 10 * low)
