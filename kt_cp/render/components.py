"""The components of a board, in colours and numbered, with the moves inside them.

The colours come again after a few components, the numbers do not.  A tooltip names the component
also where the squares are too small for numbers.  The moves are found here, since pictures know no
graphs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from kt_cp.model.board import Board, Square
from kt_cp.model.piece import moves_from
from kt_cp.render.board import INK, centre, num
from kt_cp.render.moves import Move, Moves

PALETTE = (
    ("#8fcdf2", "#0b5c8e"),
    ("#ee9f3c", "#8a4b00"),
    ("#3f9f7c", "#0a5a41"),
    ("#eba3cb", "#8a2f66"),
    ("#6478c4", "#2b3a86"),
    ("#f3ec80", "#6b6200"),
)
"""Colours of the components, one after the other: squares, and the moves on them.

They differ in lightness too, so that neighbours in the list stay apart for colour-blind readers.
"""

Component = Sequence[Square]


def tint_lines(board: Board, components: Sequence[Component]) -> Iterator[str]:
    """The squares of each component in its colour, the board's own colours shining through."""
    for colour, (fill, _) in enumerate(PALETTE[: len(components)]):
        yield f'<g class="pieces" fill="{fill}" fill-opacity=".85">'
        for index in range(colour, len(components), len(PALETTE)):
            shape = "".join(
                f"M{column} {board.rows - 1 - row}h1v1h-1z" for row, column in components[index]
            )
            yield f'<path class="piece" d="{shape}"><title>piece {index + 1}</title></path>'
        yield "</g>"


def inside_lines(
    moves: Moves, components: Sequence[Component], without: Collection[Move], thick: float
) -> Iterator[str]:
    """Moves between squares of one component, less some: why it hangs together."""
    for colour, (_, stroke) in enumerate(PALETTE[: len(components)]):
        inside = [
            (square, to)
            for component in map(set, components[colour :: len(PALETTE)])
            for square in sorted(component)
            for to in sorted(moves_from(moves.board, moves.piece, square))
            if square < to and to in component and (square, to) not in without
        ]
        if inside:
            yield (
                f'<path class="inside" d="{moves.path(inside)}" fill="none" stroke="{stroke}" '
                f'stroke-width="{num(0.045 * thick)}"/>'
            )


def badge_lines(board: Board, components: Sequence[Component]) -> Iterator[str]:
    """Discs for the numbers to stand on; the lines of the moves end at their rims."""
    if components:
        yield '<g class="badges" fill="#ffffff">'
        for index, component in enumerate(components):
            # No move between two other squares comes as near to a centre.
            radius = 0.24 if index < 99 else 0.29
            yield from (_badge(*centre(board, square), radius) for square in component)
        yield "</g>"


def number_lines(
    board: Board, components: Sequence[Component], ends: Collection[Square | None]
) -> Iterator[str]:
    """Each square's component by its number, white on the mark of a start or an end."""
    if components:
        yield '<g class="numbers">'
        for index, component in enumerate(components):
            for square in component:
                size = 0.34 if index < 99 else 0.25
                yield _number(*centre(board, square), index, size, square in ends)
        yield "</g>"


def swatch(index: int, x: float, numbered: bool) -> str:
    """A square of a component for the legend, about the point x on the line through the origin."""
    square = (
        f'<rect x="{num(x - 0.5)}" y="-.5" width="1" height="1" fill="{PALETTE[index][0]}" '
        'fill-opacity=".85"/>'
    )
    if not numbered:
        return square
    disc = f'<g fill="#ffffff">{_badge(x, 0, 0.36)}</g>'
    return f'{square}{disc}<g text-anchor="middle">{_number(x, 0, index, 0.55)}</g>'


def _badge(x: float, y: float, radius: float) -> str:
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'


def _number(x: float, y: float, index: int, size: float, on_mark: bool = False) -> str:
    look = 'fill="#ffffff" font-weight="bold"' if on_mark else f'fill="{INK}"'
    at = f'x="{num(x)}" y="{num(y + 0.36 * size)}"'
    return f'<text {at} font-size="{size}" {look}>{index + 1}</text>'
