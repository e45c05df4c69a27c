"""Seconds against squares, a curve for each way of answering, both axes logarithmic.

Matplotlib draws, without a display, and is loaded only when something is drawn.  The same points
and the same version of it give the same bytes, whatever settings of it the reader has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kt_cp.render.painted import saved
from kt_cp.render.panel import FOOT, HEAD, INK, LEFT, WIDE, Curves, Panel, bar, mark
from kt_cp.render.point import Point, Sign

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    >>> from kt_cp.render.point import point
    >>> points = [point(36, "6x6", [(0.01, Sign.FOUND)]), point(64, "8x8", [(10, Sign.TIME)])]
    >>> plot({"Open tours": {"sat": points}}, title="Times", limit=10, format="png")[1:4]
    b'PNG'
    """

    def drawn() -> Figure:
        import matplotlib

        matplotlib.rc("text", color=INK)
        matplotlib.rc("axes", edgecolor=INK)
        return figure(panels, limit=limit, caption=caption)

    return saved(drawn, title, format)


def figure(
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
    keys: dict[str, Any] = {sign.value: mark(INK, "o", sign) for sign in Sign if sign in signs}
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
