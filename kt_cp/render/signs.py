"""The signs of an argument: the same on the board, and small in the legend that explains them.

Each has a shape of its own, for readers who cannot go by the colours: struck out, ringed, solid or
dashed, filled or open.  Many signs of one kind are one path, so that a sign costs a few bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import dist

from kt_cp.model.board import Board, Square
from kt_cp.render.board import END, HOLE, INK, LIGHT, PATH, RIM, centre, num
from kt_cp.render.moves import Move, Moves, Point

CROSSED = (0.38, 0.62, 0.5, 0.3, 0.7, 0.24, 0.76)
"""Where on a move its cross may stand, best first: not in the middle, where others cross it."""

_TURNS = 3
"""Most numbers that a corner of a square has room for."""

_STRUCK, _RING, _BAND = "#a3a3a3", "#8e24aa", "#f5b301"


def struck(corners: Iterable[Point], thick: float = 1) -> str:
    """Squares with these top left corners, grey and crossed out: they were taken away."""
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
    return f"{_band('used', path, PATH, 0.085 * thick)}/>"


def cannot(path: str, crosses: Iterable[Point], thick: float = 1) -> str:
    """Moves that no tour uses, each with a small cross on it."""
    there = _crosses(crosses, 0.1 * thick)
    return (
        f'<g class="banned" stroke="{END}" fill="none">{_dashed(path, 0.05, thick)}'
        f'<path d="{there}" stroke-width="{num(0.07 * thick)}" stroke-linecap="round"/></g>'
    )


def doubtful(moves: Moves, asked: Sequence[Move], thick: float = 1) -> str:
    """Moves that are supposed to be used, and then not to be."""
    return in_doubt(moves.path(asked), [moves.along(*move, 0.5) for move in asked], thick)


def in_doubt(path: str, middles: Iterable[Point], thick: float = 1) -> str:
    """Lines that are dotted, and a question mark on each."""
    dots = f"0 {num(0.16 * thick)}"
    marks = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(0.2 * thick)}" fill="#ffffff" '
        f'stroke-width="{num(0.05 * thick)}"/>'
        f'<text x="{num(x)}" y="{num(y + 0.11 * thick)}" font-size="{num(0.3 * thick)}" '
        f'font-weight="bold" text-anchor="middle" fill="{_RING}" stroke="none">?</text>'
        for x, y in middles
    )
    return (
        f'<g class="asked" stroke="{_RING}" fill="none"><path d="{path}" '
        f'stroke-width="{num(0.09 * thick)}" stroke-dasharray="{dots}" stroke-linecap="round"/>'
        f"{marks}</g>"
    )


def turn_lines(board: Board, counted: Sequence[Sequence[Square]]) -> Iterator[str]:
    """In a corner of each square, at which turns the sets that it is in are counted."""
    turns: dict[Square, list[int]] = {}
    for number, squares in enumerate(counted, start=1):
        for square in squares:
            turns.setdefault(square, []).append(number)
    if not turns:
        return
    yield '<g class="turns">'
    for square, at in sorted(turns.items()):
        x, y = centre(board, square)
        words = ",".join(map(str, at[:_TURNS])) + "…" * (len(at) > _TURNS)
        wide = 0.1 + 0.14 * len(words)
        yield turn(x - 0.5 + wide / 2, y - 0.37, words, wide, 0.26)
    yield "</g>"


def turn(x: float, y: float, words: str, wide: float, high: float) -> str:
    """When a set is counted: its number on a label about a place."""
    return (
        f'<rect x="{num(x - wide / 2)}" y="{num(y - high / 2)}" width="{num(wide)}" '
        f'height="{num(high)}" fill="{_RING}"/>'
        f'<text x="{num(x)}" y="{num(y + 0.31 * high)}" font-size="{num(0.85 * high)}" '
        f'font-weight="bold" text-anchor="middle" fill="#ffffff">{words}</text>'
    )


def required(path: str, thick: float = 1) -> str:
    """Moves that the question requires: a broad band below the lines of the moves."""
    band = _band("required", path, _BAND, 0.26 * thick)
    return f"{band}><title>required</title></path>"


def _band(name: str, path: str, colour: str, wide: float) -> str:
    return (
        f'<path class="{name}" d="{path}" stroke="{colour}" stroke-width="{num(wide)}" '
        'stroke-linecap="round" stroke-linejoin="round" fill="none"'
    )


def forbidden(path: str, places: Iterable[Point], thick: float = 1) -> str:
    """Moves that the question forbids: dashed, and each struck out by a cross in a ring."""
    places = list(places)
    rings = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(0.15 * thick)}"/>' for x, y in places
    )
    return (
        f'<g class="forbidden" stroke="{END}" fill="none"><title>forbidden</title>'
        f"{_dashed(path, 0.06, thick)}"
        f'<g fill="#ffffff" stroke-width="{num(0.04 * thick)}">{rings}</g>'
        f'<path d="{_crosses(places, 0.075 * thick)}" stroke-width="{num(0.05 * thick)}"/></g>'
    )


def _dashed(path: str, wide: float, thick: float) -> str:
    dash = f"{num(0.16 * thick)} {num(0.11 * thick)}"
    return f'<path d="{path}" stroke-width="{num(wide * thick)}" stroke-dasharray="{dash}"/>'


def _crosses(places: Iterable[Point], arm: float) -> str:
    return "".join(
        f"M{num(x - arm)} {num(y - arm)}l{num(2 * arm)} {num(2 * arm)}"
        f"m0-{num(2 * arm)}l-{num(2 * arm)} {num(2 * arm)}"
        for x, y in places
    )


def required_lines(moves: Moves, require: Sequence[Move], thick: float = 1) -> Iterator[str]:
    """What the question requires, if anything."""
    if require:
        yield required(moves.path(require), thick)


def forbidden_lines(moves: Moves, forbid: Sequence[Move], thick: float = 1) -> Iterator[str]:
    """What the question forbids, if anything."""
    if forbid:
        yield forbidden(moves.path(forbid), crossings(moves, forbid, 0.4 * thick), thick)


def crossings(
    moves: Moves, crossed: Sequence[Move], apart: float, others: Iterable[Point] = ()
) -> list[Point]:
    """Where on each move its cross stands, so that no two are nearer than this, if they can.

    Nor is any nearer to ``others``.  Where no place of a move is free, the cross stands farthest.

    Examples
    --------
    >>> moves, crossed = Moves(Board(3, 4)), [((0, 0), (1, 2)), ((0, 2), (1, 0))]
    >>> [tuple(round(part, 2) for part in place) for place in crossings(moves, crossed, 0.5)]
    [(1.26, 2.12), (1.9, 2.2)]
    """
    taken: dict[tuple[int, int], list[Point]] = {}

    def take(x: float, y: float) -> None:
        taken.setdefault((int(x // apart), int(y // apart)), []).append((x, y))

    for other in others:
        take(*other)

    def room(place: Point) -> float:
        """How far the nearest cross is, none being farther than that is asked for."""
        x, y = (int(part // apart) for part in place)
        near = (taken.get((x + i, y + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return min([apart, *(dist(place, other) for each in near for other in each)])

    places = []
    for left, to in crossed:
        place = max((moves.along(left, to, part) for part in CROSSED), key=room)
        places.append(place)
        take(*place)
    return places


def ring(x: float, y: float, scale: float = 1) -> str:
    """A square that the argument speaks about; it encloses the mark of an end of that scale."""
    return (
        f'<circle class="marked" cx="{num(x)}" cy="{num(y)}" r="{num(0.43 * scale)}" '
        f'fill="none" stroke="{_RING}" stroke-width="{num(0.08 * scale)}"/>'
    )


def step_lines(
    board: Board, steps: Mapping[Square, int], ends: Collection[Square | None]
) -> Iterator[str]:
    """The steps that are given, in their squares; white on the mark of a start or an end."""
    if steps:
        yield f'<g class="steps" font-size="0.34" font-weight="bold" fill="{INK}">'
        for square, step in sorted(steps.items()):
            x, y = centre(board, square)
            white = ' fill="#ffffff"' if square in ends else ""
            yield f'<text x="{num(x)}" y="{num(y + 0.12)}"{white}>{step}</text>'
        yield "</g>"


def is_dark(square: Square) -> bool:
    """Whether a square has the colour of a1."""
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
