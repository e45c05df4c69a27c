"""What a plot shows: points, each of the runs on one board, in curves, on panels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from kt_cp.render.marks import Sign


@dataclass(frozen=True)
class Point:
    """What became of the runs of one board.

    Attributes
    ----------
    squares : int
    name : str
        Of the board, for the axis and the tooltip.
    seconds : float
        Median; infinite if it did not end.
    fastest, slowest : float
        Of all runs; infinite where a run did not end.
    sign : Sign
        What most of the runs came to, of those that the median goes by.
    runs : int
    """

    squares: int
    name: str
    seconds: float
    fastest: float
    slowest: float
    sign: Sign
    runs: int = 1

    @property
    def words(self) -> str:
        """All of it, for a tooltip."""
        if not self.sign.ended:
            return f"{self.name}: {self.sign.value}"
        text = f"{self.name}: {self.seconds:.3g} s, {self.sign.value}"
        if self.runs == 1:
            return text
        slowest = f"{self.slowest:.3g} s" if math.isfinite(self.slowest) else "no end"
        return f"{text}; {self.runs} runs from {self.fastest:.3g} s to {slowest}"


def point(squares: int, name: str, runs: Sequence[tuple[float, Sign]]) -> Point:
    """A point from the seconds and signs of its runs, at least one.

    Examples
    --------
    >>> point(64, "8x8", [(0.1, Sign.FOUND), (0.3, Sign.FOUND), (9, Sign.TIME)]).seconds
    0.3
    """
    times = [seconds if sign.ended else math.inf for seconds, sign in runs]
    middle = median(times)
    signs = [sign for _, sign in runs if sign.ended == math.isfinite(middle)]
    ((sign, _),) = Counter(signs).most_common(1)
    return Point(squares, name, middle, min(times), max(times), sign, len(runs))


@dataclass(frozen=True)
class Curve:
    """One way of answering, and its points in any order."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Panel:
    """Curves on one pair of axes."""

    heading: str
    curves: Sequence[Curve]
