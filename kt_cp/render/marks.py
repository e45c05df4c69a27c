"""How the curves of a plot are told apart: a colour and a shape each, and signs for what became.

The colours are told apart by colour-blind readers as well (after M. Okabe and K. Ito 2008 and
P. Tol 2021, less the pale ones, which a white ground swallows).  No reader needs them: every curve
has a shape of its own, and its name beside its last point.
"""

from __future__ import annotations

import math
from enum import StrEnum

from kt_cp.render.board import num

COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#aa4499", "#56b4e9",
    "#e69f00", "#332288", "#882255", "#3a3a3a", "#999933",
)  # fmt: skip
"""Colours of the curves, one after the other."""


class Sign(StrEnum):
    """What became of a run, and how its mark is drawn."""

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


def _corners(many: int, turn: float, inner: float = 1.0) -> list[tuple[float, float]]:
    """Points of the unit circle, with as many nearer ones between them if it is to be a star."""
    reaches = [1.0] if inner == 1 else [1.0, inner]
    steps = many * len(reaches)
    corners = []
    for step in range(steps):
        angle, reach = 2 * math.pi * step / steps + turn, reaches[step % len(reaches)]
        corners.append((reach * math.sin(angle), -reach * math.cos(angle)))
    return corners


# With sizes which make them look alike; what has no corners is a circle.
_SHAPES: tuple[tuple[float, list[tuple[float, float]]], ...] = (
    (0.95, []),
    (1.2, _corners(4, math.pi / 4)),
    (1.3, _corners(3, 0)),
    (1.25, _corners(4, 0)),
    (1.3, _corners(3, math.pi)),
    (1.45, _corners(5, 0, 0.45)),
    (1.15, _corners(6, 0)),
    (1.3, _corners(3, math.pi / 2)),
    (1.3, _corners(3, -math.pi / 2)),
)


NEUTRAL = 18
"""A dark circle, for legends: as no curve of a plot that anyone can read is drawn."""


def colour(index: int) -> str:
    """Colour of a curve; colours and shapes come again after 10 and after 9, never together."""
    return COLOURS[index % len(COLOURS)]


def mark(index: int, sign: Sign, x: float, y: float, radius: float) -> str:
    """A curve's mark: filled, a cross, or hollow with what kept it from ending.

    Examples
    --------
    >>> mark(0, Sign.FOUND, 10, 20, 5)
    '<circle cx="10" cy="20" r="4.75" fill="#0072b2" stroke="#ffffff" stroke-width="0.75"/>'
    >>> 'fill="#ffffff"' in mark(0, Sign.TIME, 10, 20, 5)
    True
    """
    ink = colour(index)
    if sign is Sign.NONE:
        cross = _strokes(x, y, radius, ((-0.75, -0.75, 0.75, 0.75), (-0.75, 0.75, 0.75, -0.75)))
        halo = f'<path d="{cross}" stroke="#ffffff" stroke-width="{num(0.9 * radius)}"/>'
        return f'{halo}<path d="{cross}" stroke="{ink}" stroke-width="{num(0.5 * radius)}"/>'
    if sign is Sign.FOUND:
        return _shape(index, x, y, radius, ink, "#ffffff", 0.15 * radius)
    inside = {
        Sign.MEMORY: f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(0.3 * radius)}" fill="{ink}"/>',
        Sign.OPEN: _inside(x, y, radius, ink, ((-0.5, 0, 0.5, 0),)),
        Sign.FAILED: _inside(x, y, radius, ink, ((0, -0.5, 0, 0.5), (-0.5, 0, 0.5, 0))),
    }.get(sign, "")
    return _shape(index, x, y, 0.9 * radius, "#ffffff", ink, 0.3 * radius) + inside


def _shape(
    index: int, x: float, y: float, radius: float, fill: str, stroke: str, width: float
) -> str:
    size, corners = _SHAPES[index % len(_SHAPES)]
    look = f'fill="{fill}" stroke="{stroke}" stroke-width="{num(width)}"'
    reach = size * radius
    if not corners:
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(reach)}" {look}/>'
    points = " ".join(f"{num(x + reach * a)},{num(y + reach * b)}" for a, b in corners)
    return f'<polygon points="{points}" {look} stroke-linejoin="round"/>'


def _inside(
    x: float, y: float, radius: float, ink: str, lines: tuple[tuple[float, ...], ...]
) -> str:
    drawn = _strokes(x, y, radius, lines)
    return f'<path d="{drawn}" stroke="{ink}" stroke-width="{num(0.3 * radius)}"/>'


def _strokes(x: float, y: float, radius: float, lines: tuple[tuple[float, ...], ...]) -> str:
    return "".join(
        f"M{num(x + radius * a)} {num(y + radius * b)}L{num(x + radius * c)} {num(y + radius * d)}"
        for a, b, c, d in lines
    )
