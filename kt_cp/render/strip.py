"""The boards of a search side by side in rows, as a comic strip.

Each board shows the knight, an X on every square visited before, and the walk as a thin line.  A
step back is red: the frame's caption, the square that is free again, and a dashed line to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from kt_cp.board import Board, Square, square_name
from kt_cp.render.board import (
    END,
    INK,
    PATH,
    board_lines,
    centre,
    label_lines,
    margins,
    num,
    opening_lines,
)
from kt_cp.render.steps import Step, knight

MOST_BOARDS = 400
"""Most boards that make a strip."""

LONGEST_SIDE = 32
"""Longest side of a board in a strip."""

_ACROSS = 36.0  # squares that stand side by side
_LABEL, _CAPTION, _GAP = 0.36, 0.5, 0.9
_LETTER = 0.63  # width of a letter, of its height: bold ones are wider


def strip_svg(
    board: Board,
    steps: Sequence[Step],
    before: Sequence[Square] = (),
    *,
    title: str | None = None,
) -> str:
    """SVG of a board after each of some steps.

    Parameters
    ----------
    before : sequence of squares
        The walk before the first of the steps.

    Examples
    --------
    >>> steps = [Step(True, (0, 0), "1 · a1"), Step(True, (1, 2), "2 · a1–c2")]
    >>> strip_svg(Board(3, 4), steps).count('class="board"')
    2
    """
    return "\n".join(_lines(board, steps, before, title)) + "\n"


def _lines(
    board: Board, steps: Sequence[Step], before: Sequence[Square], title: str | None
) -> Iterator[str]:
    margin, below, _ = margins(board, _LABEL)
    words = max((len(step.caption) for step in steps), default=0)
    wide = max(margin + board.columns, words * _LETTER * _CAPTION) + _GAP
    high = 2 * _CAPTION + board.rows + below + 0.5 * _GAP
    across = max(1, min(len(steps), int(_ACROSS / wide)))
    down = max(1, -(-len(steps) // across))
    width, height = across * wide, down * high + 0.5 * _GAP
    scale = max(12.0, min(36.0, 900 / width))
    many = f"{len(steps)} board{'s' * (len(steps) != 1)}"
    label = title or f"A knight's search on a {board} board, {many}"
    yield from opening_lines((0, 0, width, height), scale, label)
    empty = "-".join(["empty", str(board), *map(square_name, sorted(board.missing))])
    yield f'<defs><g id="{empty}">'
    longest = max(board.rows, board.columns)
    yield from board_lines(board, longest)
    yield from label_lines(board, _LABEL, longest)
    yield f'</g><g id="knight">{knight(INK, "#ffffff")}</g></defs>'
    walk = list(before)
    for place, step in enumerate(steps):
        if step.placed:
            walk.append(step.square)
        else:
            walk.pop()
        row, column = divmod(place, across)
        x = column * wide + margin + 0.5 * _GAP
        y = row * high + 2 * _CAPTION + 0.25 * _GAP
        yield f'<g class="board" transform="translate({num(x)} {num(y)})">'
        yield f'<use href="#{empty}"/>'
        yield from _panel(board, step, walk)
        yield "</g>"
    yield "</svg>"


def _panel(board: Board, step: Step, walk: Sequence[Square]) -> Iterator[str]:
    strong = f'fill="{INK}"' if step.placed else f'fill="{END}" font-weight="bold"'
    yield (
        f'<text class="caption" y="-.35" font-size="{_CAPTION}" text-anchor="start" {strong}>'
        f"{escape(step.caption)}</text>"
    )
    points = [centre(board, square) for square in walk]
    if len(walk) > 1:
        corners = " ".join(f"{num(x)},{num(y)}" for x, y in points)
        yield (
            f'<polyline class="path" points="{corners}" fill="none" stroke="{PATH}" '
            'stroke-width=".05" stroke-opacity=".55"/>'
        )
    if not step.placed:
        yield from _left(board, step.square, walk)
    if len(walk) > 1:
        places = [f"M{num(x - 0.2)} {num(y - 0.2)}" for x, y in points[:-1]]
        crosses = "".join(f"{corner}l.4 .4m0-.4l-.4 .4" for corner in places)
        yield (
            f'<path class="visited" d="{crosses}" stroke="{INK}" stroke-width=".09" '
            'stroke-linecap="round"/>'
        )
    if walk:
        x, y = points[-1]
        yield f'<use class="knight" href="#knight" x="{num(x)}" y="{num(y)}"/>'


def _left(board: Board, square: Square, walk: Sequence[Square]) -> Iterator[str]:
    """The square that was taken back, and the way back from it."""
    x, y = centre(board, square)
    yield (
        f'<rect class="left" x="{num(x - 0.5)}" y="{num(y - 0.5)}" width="1" height="1" '
        f'fill="{END}" fill-opacity=".3" stroke="{END}" stroke-width=".06"/>'
    )
    if walk:
        to_x, to_y = centre(board, walk[-1])
        yield (
            f'<path class="back" d="M{num(x)} {num(y)}L{num(to_x)} {num(to_y)}" stroke="{END}" '
            'stroke-width=".08" stroke-dasharray=".16 .12"/>'
        )
