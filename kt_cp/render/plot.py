"""Seconds against squares, a curve for each way of answering, both axes logarithmic.

A point is what became of the runs of one board: the median of their seconds with a bar from the
fastest to the slowest.  Where half of the runs did not end, the median has not ended either: no
line leads there, and a hollow mark stands above the limit, in a lane of its own for every curve, so
that none hides another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kt_cp.render.axes import ACROSS, LEFT, SMALL, TEXT, Axes
from kt_cp.render.board import INK, LETTER, opening_lines
from kt_cp.render.curve import Curve, Panel, Point, point
from kt_cp.render.legend import (
    LINE,
    Entry,
    caption_lines,
    legend_line,
    legend_lines,
    legend_rows,
    wrapped,
)
from kt_cp.render.marks import NEUTRAL, Sign, mark
from kt_cp.render.scale import LogScale, widened

__all__ = ["Curve", "Panel", "Point", "Sign", "plot_svg", "point"]

LEAST = 0.001
"""Seconds below which times are drawn alike: no clock here tells them apart."""

_RIM, _WORDS = 14.0, SMALL + 1


def plot_svg(
    panels: Sequence[Panel], *, title: str, limit: float | None = None, caption: str = ""
) -> str:
    """SVG of panels one below the other, on the same scales.

    Parameters
    ----------
    panels : sequence of Panel
        A curve of one name looks the same in all of them.
    title : str
        Text for screen readers and tooltips.
    limit : float, optional
        Seconds after which runs were ended; drawn where some did not end.
    caption : str
        Written below.

    Raises
    ------
    ValueError
        If there is no point at all.

    Examples
    --------
    >>> points = [point(36, "6x6", [(0.01, Sign.FOUND)]), point(64, "8x8", [(10, Sign.TIME)])]
    >>> picture = plot_svg([Panel("open", [Curve("sat", points)])], title="Times", limit=10)
    >>> "limit 10 s" in picture, "8x8: time limit" in picture
    (True, True)
    """
    points = [each for panel in panels for curve in panel.curves for each in curve.points]
    if not points:
        raise ValueError("expected at least one point, got none")
    if all(math.isfinite(each.slowest) for each in points):
        limit = None
    return "\n".join(_lines(panels, points, limit, title, caption)) + "\n"


def _lines(
    panels: Sequence[Panel],
    points: Sequence[Point],
    limit: float | None,
    title: str,
    caption: str,
) -> Iterator[str]:
    names = list(dict.fromkeys(curve.name for panel in panels for curve in panel.curves))
    low, high = widened((each.squares for each in points), 1.12, 4)
    x = LogScale(low, high, LEFT, LEFT + ACROSS)
    seconds = _seconds(points, limit)
    width = LEFT + ACROSS + 40 + max(map(len, names)) * LETTER * TEXT + _RIM
    y = _RIM
    parts = []
    for panel in panels:
        parts.append(Axes(panel, names, x, seconds, limit, y))
        y = parts[-1].bottom + 20
    room = width - LEFT - _RIM
    rows = legend_rows(list(_entries(points)), room, _WORDS)
    words = wrapped(caption, room, _WORDS)
    words_top = y + len(rows) * legend_line(_WORDS) + 2
    yield from opening_lines((0, 0, width, words_top + len(words) * LINE * _WORDS + _RIM), 1, title)
    for part in parts:
        yield from part.lines()
    yield from legend_lines(rows, LEFT, y, _WORDS)
    yield from caption_lines(words, LEFT, words_top, _WORDS)
    yield "</svg>"


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


def _entries(points: Sequence[Point]) -> Iterator[Entry]:
    """What the marks mean, of those that occur."""
    there = {each.sign for each in points}
    for sign in Sign:
        if sign in there:
            yield Entry(sign.value, mark(NEUTRAL, sign, 0, 0, 0.28), 0.8)
    if any(each.fastest != each.slowest for each in points):
        bar = f'<path d="M0-.5V.5" stroke="{INK}" stroke-width=".11" stroke-opacity=".5"/>'
        yield Entry("fastest to slowest", bar, 0.5)
