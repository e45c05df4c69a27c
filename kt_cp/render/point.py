"""What a plot shows: points, each of the runs on one board."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median


class Sign(StrEnum):
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
        return self in (Sign.FOUND, Sign.NONE)


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
    sign: Sign


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
    return Point(squares, name, middle, min(times), max(times), sign)
