"""Seconds against squares, a curve for each way of answering, both axes logarithmic.

Matplotlib draws, without a display, and is loaded only when something is drawn.  The same points
and the same version of it give the same bytes, whatever settings of it the reader has.

One panel of a plot: its axes, its curves, and their names at the right.

A point is what became of the runs of one board: the median of their seconds with a bar from the
fastest to the slowest.  Where half of the runs did not end, the median has not ended either: no
line leads there, and a hollow mark stands above the limit, in a lane of its own for every curve, so
that none hides another.

How the curve of each engine and encoding looks: one colour in all plots, and none used twice.

An encoding keeps its look as an engine, ``sat:position`` like ``position``.  What is not listed, as
another solver under an encoding or an engine of somebody else, takes a look that is free in its
plot.  Colours after M. Okabe and K. Ito 2008 and P. Tol 2021, less the pale ones, which a white
ground swallows, and a few between them: neighbours in a plot differ in their shapes as well.

What a plot shows: points, each of the runs on one board.
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
"""Shapes of marks, for readers who cannot go by colours, with sizes that look alike."""

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
"""Engines and encodings of the package, and what the benchmarks hold them against."""

SPARE_STYLES: tuple[Style, ...] = (
    ("#5b6f00", "*"), ("#c77cff", "h"), ("#a6001a", ">"), ("#00695f", "s"), ("#ff8c69", "^"),
    ("#4d4d8f", "v"),
)  # fmt: skip
"""For names that are not listed, in the order in which they come in a plot."""


def assign_styles(names: Sequence[str]) -> dict[str, Style]:
    """The look of each curve of a plot.

    Past some thirty curves that are not listed, looks come again.

    Examples
    --------
    >>> assign_styles(["sat:position", "sat:position:glucose4", "cpsat"])["sat:position"]
    ('#0072b2', 'o')
    """
    found: dict[str, Style] = {}
    for name in names:
        known = STYLES.get("lazy" if name == "sat" else name.removeprefix("sat:"))
        if known is not None and known not in found.values():
            found[name] = known
    left = [*SPARE_STYLES, *STYLES.values()]
    free = [look for look in left if look not in found.values()] or left
    others = [name for name in names if name not in found]
    return found | {name: free[place % len(free)] for place, name in enumerate(others)}


class Status(StrEnum):
    """What became of a run."""

    FOUND = "a tour"
    NONE = "no tour exists"
    TIME = "time limit"
    MEMORY = "memory limit"
    OPEN = "gave up, or refused"
    FAILED = "crashed, or wrong"

    @property
    def ended(self) -> bool:
        """Whether there is an answer, and so a time that it took."""
        return self in (Status.FOUND, Status.NONE)


@dataclass(frozen=True)
class Point:
    """What became of the runs of one board, by its name on the axis.

    ``seconds`` is the median; this, the fastest and the slowest are infinite where a run did not
    end.  ``sign`` is what most of the runs came to, of those that the median goes by.
    """

    squares: int
    name: str
    seconds: float
    fastest: float
    slowest: float
    sign: Status


def summarize_runs(squares: int, name: str, runs: Sequence[tuple[float, Status]]) -> Point:
    """A point from the seconds and signs of its runs, at least one.

    Examples
    --------
    >>> runs = [(0.1, Status.FOUND), (0.3, Status.FOUND), (9, Status.TIME)]
    >>> summarize_runs(64, "8x8", runs).seconds
    0.3
    """
    times = [seconds if sign.ended else math.inf for seconds, sign in runs]
    middle = median(times)
    signs = [sign for _, sign in runs if sign.ended == math.isfinite(middle)]
    ((sign, _),) = Counter(signs).most_common(1)
    return Point(squares, name, middle, min(times), max(times), sign)


INK, FAINT, GRID = "#3a3a3a", "#707070", "#e4e4e4"
LEFT, WIDE, HEAD, FOOT = 1.1, 6.0, 0.5, 0.55
"""Left of the axes, their width, above each panel and below all of them: inches."""

_TALL, _LANE, _LETTER = 2.9, 0.18, 0.075
_BESIDE, _SMALL = 9.0, 8.5  # points: how far apart curves are that go through the same points
_INSIDE = {Status.NONE: "x", Status.MEMORY: ".", Status.OPEN: "_", Status.FAILED: "+"}

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

    def _look(self, name: str) -> Style:
        """Colour and shape of a curve."""
        return assign_styles(self.names)[name]

    def _across(self, axes: Axes) -> None:
        """Numbers of squares, and below them the names of the boards for which there is room."""
        low, high = self.squares
        room = self._inches(low * 2) > 1.2 * _LETTER * len(format_number(high))
        steps = (1, 2, 5) if room else (1,)
        ticks = [step * 10**power for power in range(19) for step in steps]
        ticks = [it for it in ticks if low <= it <= high]
        axes.set_xticks(ticks, [format_number(it) for it in ticks])
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
        ticks = {it: f"{format_number(it)} s" for it in decades if low <= it <= high * 1.001}
        if any(each.fastest < low for curve in self.curves.values() for each in curve):
            ticks[low] = f"≤ {ticks[low]}"
        if self.limit is not None:
            near = (high / low) ** 0.07  # as far as a label is tall
            for it in [it for it in ticks if self.limit / near < it < self.limit * near]:
                del ticks[it]
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
            for artist in marker_lines(colour, shape, sign):
                artist.set_data(
                    [each.squares for each in own],
                    [shown(each.seconds) if sign.ended else lane for each in own],
                )
                artist.set(transform=aside if sign.ended else axes.transData, clip_on=False)
                axes.add_line(artist)


def format_number(value: float) -> str:
    """A number of an axis, without exponents."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}"


def marker_lines(colour: str, shape: str, sign: Status) -> tuple[Line2D, ...]:
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


LEAST = 0.001
"""Seconds below which times are drawn alike: no clock here tells them apart."""


def plot(
    panels: Mapping[str, Curves],
    *,
    title: str,
    limit: float | None = None,
    caption: str = "",
    format: str = "svg",
) -> bytes:
    """A picture of panels one below the other, on the same scales.

    Parameters
    ----------
    panels : mapping
        Curves, by their headings; a curve of one name looks the same in all of them.
    title : str
        Kept in the file, for those who do not see the picture.
    limit : float, optional
        Seconds after which runs were ended; drawn where some did not end.
    caption : str
        Written below.
    format : str
        ``svg``, ``png`` or ``pdf``.

    Raises
    ------
    ValueError
        If there is no point at all.

    Examples
    --------
    >>> points = [
    ...     summarize_runs(36, "6x6", [(0.01, Status.FOUND)]),
    ...     summarize_runs(64, "8x8", [(10, Status.TIME)]),
    ... ]
    >>> plot({"Open tours": {"sat": points}}, title="Times", limit=10, format="png")[1:4]
    b'PNG'
    """

    def drawn() -> Figure:
        import matplotlib

        matplotlib.rc("text", color=INK)
        matplotlib.rc("axes", edgecolor=INK)
        return draw_figure(panels, limit=limit, caption=caption)

    return save_figure(drawn, title, format)


def draw_figure(
    panels: Mapping[str, Curves], *, limit: float | None = None, caption: str = ""
) -> Figure:
    """The picture before it is written."""
    from matplotlib.figure import Figure

    points = [each for curves in panels.values() for curve in curves.values() for each in curve]
    if not points:
        raise ValueError("expected at least one point, got none")
    if all(math.isfinite(each.slowest) for each in points):
        limit = None
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    ranges = _squares(points), _seconds(points, limit)
    parts = {it: Panel(curves, names, *ranges, limit) for it, curves in panels.items()}
    width = LEFT + WIDE + 0.6 + 0.09 * max(7, *map(len, names))
    height = FOOT + sum(HEAD + part.tall + part.below for part in parts.values())
    whole = Figure((width, height))
    bottom = height
    for heading, part in parts.items():
        bottom -= HEAD + part.tall
        box = LEFT / width, bottom / height, WIDE / width, part.tall / height
        axes = whole.add_axes(box, xscale="log", yscale="log")
        axes.set_title(heading, loc="left", fontsize=11.5, fontweight="bold", pad=9)
        part.draw(axes)
        bottom -= part.below
    signs = {each.sign for each in points}
    keys: dict[str, Any] = {
        sign.value: marker_lines(INK, "o", sign) for sign in Status if sign in signs
    }
    if any(each.fastest < each.slowest for each in points):
        keys["fastest to slowest"] = (bar(),)
    whole.legend(
        list(keys.values()), list(keys), ncols=len(keys), fontsize=9.5, frameon=False,
        title=caption, title_fontsize=9.5, alignment="left", loc="lower left", borderpad=0,
        bbox_to_anchor=((LEFT - 0.05) / width, 0.08 / height), handlelength=1, columnspacing=1.8,
    )  # fmt: skip
    return whole


def _squares(points: Sequence[Point]) -> tuple[float, float]:
    """The range of the squares, with a margin, and not too short."""
    low, high = min(each.squares for each in points), max(each.squares for each in points)
    middle, half = math.sqrt(low * high), max(2.0, 1.15 * math.sqrt(high / low))
    return middle / half, middle * half


def _seconds(points: Sequence[Point], limit: float | None) -> tuple[float, float]:
    """The range of the seconds: from a whole decade to the limit, or to the next round value."""
    times = [it for each in points for it in (each.fastest, each.seconds, each.slowest)]
    ended = [max(it, LEAST) for it in times if math.isfinite(it)]
    high = max([*ended, limit or LEAST])
    low = max(LEAST, 10.0 ** math.floor(math.log10(min([*ended, high / 10])) + 1e-9))
    if limit is None:
        power = 10.0 ** math.floor(math.log10(high))
        high = next(step * power for step in (1, 2, 5, 10) if step * power >= high * 0.999)
    return low, max(high, 10 * low)
