"""What a board falls into: pieces in colours, numbered, with the knight's moves inside them.

The colours come again after a few pieces, the numbers do not; a tooltip names the piece also where
the squares are too small for numbers.  The moves are found here, since pictures know no graphs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from kt_cp.board import Board, Square
from kt_cp.render.board import INK, centre, num

PALETTE = (
    ("#8fcdf2", "#0b5c8e"),
    ("#ee9f3c", "#8a4b00"),
    ("#3f9f7c", "#0a5a41"),
    ("#eba3cb", "#8a2f66"),
    ("#6478c4", "#2b3a86"),
    ("#f3ec80", "#6b6200"),
)
"""Colours of the pieces, one after the other: squares, and the moves on them.

They differ in lightness too, so that neighbours in the list stay apart for colour-blind readers.
"""

_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2))  # one of each move and its way back

Piece = Sequence[Square]


def tint_lines(board: Board, pieces: Sequence[Piece]) -> Iterator[str]:
    """The squares of each piece in its colour, the board's own colours shining through.

    Examples
    --------
    >>> lines = list(tint_lines(Board(3, 3), [[(0, 0), (2, 1)], [(1, 1)]]))
    >>> lines[1]
    '<path class="piece" d="M0 2h1v1h-1zM1 0h1v1h-1z"><title>piece 1</title></path>'
    """
    for colour, (fill, _) in enumerate(PALETTE[: len(pieces)]):
        yield f'<g class="pieces" fill="{fill}" fill-opacity=".85">'
        for index in range(colour, len(pieces), len(PALETTE)):
            shape = "".join(
                f"M{column} {board.rows - 1 - row}h1v1h-1z" for row, column in pieces[index]
            )
            yield f'<path class="piece" d="{shape}"><title>piece {index + 1}</title></path>'
        yield "</g>"


def inside_lines(board: Board, pieces: Sequence[Piece], thick: float) -> Iterator[str]:
    """Knight's moves between squares of one piece: why it hangs together."""
    for colour, (_, stroke) in enumerate(PALETTE[: len(pieces)]):
        moves = [move for piece in pieces[colour :: len(PALETTE)] for move in _moves(piece)]
        if moves:
            yield (
                f'<path class="inside" d="{lines_between(board, moves)}" stroke="{stroke}" '
                f'stroke-width="{num(0.045 * thick)}"/>'
            )


def _moves(piece: Piece) -> Iterator[tuple[Square, Square]]:
    """Moves inside a piece, each once."""
    there = set(piece)
    for row, column in piece:
        for up, along in _JUMPS:
            to = row + up, column + along
            if to in there:
                yield (row, column), to


def lines_between(board: Board, moves: Iterable[tuple[Square, Square]]) -> str:
    """One path of straight lines, a line a move."""
    ends = ((centre(board, left), centre(board, to)) for left, to in moves)
    return "".join(f"M{num(x)} {num(y)}L{num(to_x)} {num(to_y)}" for (x, y), (to_x, to_y) in ends)


def badge_lines(board: Board, pieces: Sequence[Piece]) -> Iterator[str]:
    """Discs for the numbers to stand on; the lines of the moves end at their rims."""
    if pieces:
        yield '<g class="badges" fill="#ffffff">'
        for index, piece in enumerate(pieces):
            # No move between two other squares comes as near to a centre.
            radius = 0.24 if index < 99 else 0.29
            yield from (_badge(*centre(board, square), radius) for square in piece)
        yield "</g>"


def number_lines(
    board: Board, pieces: Sequence[Piece], ends: Collection[Square | None]
) -> Iterator[str]:
    """Each square's piece by its number, white on the mark of a start or an end."""
    if pieces:
        yield '<g class="numbers">'
        for index, piece in enumerate(pieces):
            for square in piece:
                size = 0.34 if index < 99 else 0.25
                yield _number(*centre(board, square), index, size, square in ends)
        yield "</g>"


def swatch(index: int, x: float, numbered: bool) -> str:
    """A square of a piece for the legend, about the point x on the line through the origin."""
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
