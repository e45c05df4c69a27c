"""Logarithmic axes: where a value lies, which values are labelled, and labels kept apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.render.board import LETTER

CLOSEST = 42
"""Least distance of labels, however small they are."""


@dataclass(frozen=True)
class LogScale:
    """Values from ``low`` to ``high``, on a line from ``begin`` to ``end``.

    Examples
    --------
    >>> LogScale(0.1, 10, 0, 100)(1)
    50.0
    >>> LogScale(0.1, 10, 100, 0)(0)  # what lies outside is drawn at the end
    100.0
    """

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        part = math.log(inside / self.low) / math.log(self.high / self.low)
        return self.begin + part * (self.end - self.begin)

    def ticks(self, widest: float = 0.0) -> list[float]:
        """Values to label: powers of ten, with 2 and 5 between them where there is room.

        Parameters
        ----------
        widest : float
            Room that a label takes along the axis.

        Examples
        --------
        >>> LogScale(0.01, 10, 0, 300).ticks(), LogScale(8, 70, 0, 300).ticks()
        ([0.01, 0.1, 1.0, 10.0], [10.0, 20.0, 50.0])
        >>> LogScale(8, 70, 0, 300).ticks(widest=120)
        [10.0]
        """
        decade = abs(self.end - self.begin) / math.log10(self.high / self.low)
        steps = (1, 2, 5) if decade * math.log10(2) > max(CLOSEST, widest) else (1,)
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        values = (float(f"{step}e{power}") for power in range(first, last + 1) for step in steps)
        return [it for it in values if self.low * 0.999 <= it <= self.high * 1.001]


def widened(values: Iterable[float], by: float, least: float) -> tuple[float, float]:
    """A range with a margin of a factor on both sides, and at least so many times as long.

    Examples
    --------
    >>> widened([16, 64], 1.5, 4), widened([100], 1.5, 4)
    ((10.666666666666666, 96.0), (50.0, 200.0))
    """
    every = list(values)
    low, high = min(every) / by, max(every) * by
    if high / low < least:
        middle = math.sqrt(low * high)
        low, high = middle / math.sqrt(least), middle * math.sqrt(least)
    return low, high


def number(value: float) -> str:
    """A number of an axis, without exponents.

    Examples
    --------
    >>> number(0.001), number(2.5), number(1e6)
    ('0.001', '2.5', '1,000,000')
    """
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}"


def spread(wanted: Sequence[float], gap: float, first: float, last: float) -> list[float]:
    """Places at least ``gap`` apart between two ends, in order, each near where it was wanted.

    Neighbours that would touch become a block, which settles about the mean of its wishes.

    Examples
    --------
    >>> spread([10, 10, 50], 10, 0, 100), spread([98, 99], 10, 0, 100)
    ([5.0, 15.0, 50], [90, 100])
    """
    blocks: list[tuple[float, int]] = []  # where it begins, and how many it holds
    for place in wanted:
        begin, many = _held(place, 1, gap, first, last), 1
        while blocks and blocks[-1][0] + (blocks[-1][1] - 0.001) * gap > begin:
            before, held = blocks.pop()
            mean = (before * held + (begin - held * gap) * many) / (held + many)
            many += held
            begin = _held(mean, many, gap, first, last)
        blocks.append((begin, many))
    return [begin + place * gap for begin, many in blocks for place in range(many)]


def _held(begin: float, many: int, gap: float, first: float, last: float) -> float:
    return max(first, min(begin, last - (many - 1) * gap))


def rows_of_names(
    places: Sequence[tuple[float, str]], size: float, most: int
) -> list[list[tuple[float, str]]]:
    """Names under an axis, each in the first of a few rows where it has room, or nowhere.

    Examples
    --------
    >>> rows_of_names([(0, "3x3"), (10, "3x4"), (12, "5x5"), (90, "8x8")], 10, 2)
    [[(0, '3x3'), (90, '8x8')], [(10, '3x4')]]
    """
    rows: list[list[tuple[float, str]]] = []
    ends: list[float] = []
    for x, name in places:
        half = LETTER * size * len(name) / 2
        for row, end in enumerate(ends):
            if end + 0.5 * size <= x - half:
                rows[row].append((x, name))
                ends[row] = x + half
                break
        else:
            if len(rows) < most:
                rows.append([(x, name)])
                ends.append(x + half)
    return rows
