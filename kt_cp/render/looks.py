"""How the curve of each engine and encoding looks: one colour in all plots, and none used twice.

An encoding keeps its look as an engine, ``sat:position`` like ``position``.  What is not listed, as
another solver under an encoding or an engine of somebody else, takes a look that is free in its
plot.  Colours after M. Okabe and K. Ito 2008 and P. Tol 2021, less the pale ones, which a white
ground swallows, and a few between them: neighbours in a plot differ in their shapes as well.
"""

from __future__ import annotations

from collections.abc import Sequence

Look = tuple[str, str]
"""Colour and shape of the marks."""

SHAPES = {"o": 7.0, "s": 6.5, "^": 8.0, "D": 6.3, "v": 8.0, "*": 11.0, "h": 7.8, ">": 8.0, "<": 8.0}
"""Shapes of marks, for readers who cannot go by colours, with sizes that look alike."""

LOOKS: dict[str, Look] = {
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

FREE: tuple[Look, ...] = (
    ("#5b6f00", "*"), ("#c77cff", "h"), ("#a6001a", ">"), ("#00695f", "s"), ("#ff8c69", "^"),
    ("#4d4d8f", "v"),
)  # fmt: skip
"""For names that are not listed, in the order in which they come in a plot."""


def looks(names: Sequence[str]) -> dict[str, Look]:
    """The look of each curve of a plot.

    Past some thirty curves that are not listed, looks come again.

    Examples
    --------
    >>> looks(["sat:position", "sat:position:glucose4", "cpsat"])["sat:position"]
    ('#0072b2', 'o')
    """
    found: dict[str, Look] = {}
    for name in names:
        known = LOOKS.get("lazy" if name == "sat" else name.removeprefix("sat:"))
        if known is not None and known not in found.values():
            found[name] = known
    left = [*FREE, *LOOKS.values()]
    free = [look for look in left if look not in found.values()] or left
    others = [name for name in names if name not in found]
    return found | {name: free[place % len(free)] for place, name in enumerate(others)}
