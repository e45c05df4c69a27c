"""The signs of an argument: the same on the board, and small in the legend that explains them.

Each has a shape of its own, for readers who cannot go by the colours: struck out, ringed, solid or
dashed, filled or open.  Many signs of one kind are one path, so that a sign costs a few bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kt_cp.board import Board, Square
from kt_cp.render.board import END, HOLE, INK, LIGHT, PATH, RIM, centre, num

_STRUCK, _RING = "#a3a3a3", "#8e24aa"

Point = tuple[float, float]


def struck(corners: Iterable[Point], thick: float = 1) -> str:
    """Squares with these top left corners, grey and crossed out: they were taken away.

    Examples
    --------
    >>> struck([(0, 0), (3, 1)]).count("h1v1h-1z")
    2
    """
    corners = list(corners)
    squares = "".join(f"M{num(x)} {num(y)}h1v1h-1z" for x, y in corners)
    crosses = "".join(
        f"M{num(x + 0.22)} {num(y + 0.22)}l.56 .56m0-.56l-.56 .56" for x, y in corners
    )
    return (
        f'<path class="removed" d="{squares}" fill="{_STRUCK}" '
        f'stroke="{LIGHT}" stroke-width=".03"><title>removed</title></path>'
        f'<path class="struck" d="{crosses}" stroke="{INK}" stroke-width="{num(0.09 * thick)}" '
        'stroke-linecap="round"/>'
    )


def hole() -> str:
    """A square that the board does not have, about the origin."""
    return (
        f'<rect x="-.5" y="-.5" width="1" height="1" fill="{HOLE}" stroke="{RIM}" '
        'stroke-width=".05"/>'
    )


def must(path: str, thick: float = 1) -> str:
    """Moves that every tour uses."""
    return (
        f'<path class="used" d="{path}" stroke="{PATH}" stroke-width="{num(0.12 * thick)}" '
        'stroke-linecap="round"/>'
    )


def cannot(path: str, crosses: Iterable[Point], thick: float = 1) -> str:
    """Moves that no tour uses, each with a small cross on it."""
    arm = 0.1 * thick
    there = "".join(
        f"M{num(x - arm)} {num(y - arm)}l{num(2 * arm)} {num(2 * arm)}"
        f"m0-{num(2 * arm)}l-{num(2 * arm)} {num(2 * arm)}"
        for x, y in crosses
    )
    return (
        f'<g class="banned" stroke="{END}" fill="none"><path d="{path}" '
        f'stroke-width="{num(0.05 * thick)}" stroke-dasharray="{num(0.16 * thick)} '
        f'{num(0.11 * thick)}"/><path d="{there}" stroke-width="{num(0.07 * thick)}" '
        'stroke-linecap="round"/></g>'
    )


def ring(x: float, y: float, scale: float = 1) -> str:
    """A square that the argument speaks about; it encloses the mark of an end of that scale."""
    return (
        f'<circle class="marked" cx="{num(x)}" cy="{num(y)}" r="{num(0.43 * scale)}" '
        f'fill="none" stroke="{_RING}" stroke-width="{num(0.08 * scale)}"/>'
    )


def is_dark(square: Square) -> bool:
    """Whether a square has the colour of a1.

    Examples
    --------
    >>> is_dark((0, 0)), is_dark((0, 1))
    (True, False)
    """
    return sum(square) % 2 == 0


def dot_lines(board: Board, squares: Iterable[Square], radius: float) -> Iterator[str]:
    """A dot in the corner of each square, away from moves and marks, that says its colour."""
    off = 0.5 - 1.8 * radius
    yield '<g class="dots">'
    for square in squares:
        x, y = centre(board, square)
        yield dot(x + off, y - off, is_dark(square), radius)
    yield "</g>"


def dot(x: float, y: float, dark: bool, radius: float) -> str:
    """The colour of a square: filled for dark, open for light."""
    fill, rim = (INK, "#ffffff") if dark else ("#ffffff", INK)
    return (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" '
        f'fill="{fill}" stroke="{rim}" stroke-width="{num(0.25 * radius)}"/>'
    )
