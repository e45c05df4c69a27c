"""Nested dissection: an order of elimination in which few squares have many neighbours.

A knight does not jump over two ranks, so two adjacent ranks separate what lies below them from what
lies above.  In general it takes as many lines as the piece's longest leap along one axis.  The
lines in the middle are eliminated last; before them each half, cut in the same way across its
longer side. A square that is eliminated then has neighbours only in its own part and in the cuts
around it.

*Line by line* is the second order: one line after the other across the shorter side.  It is better
where the longer side is much longer.

Source: A. George, "Nested dissection of a regular finite element mesh", SIAM Journal on Numerical
Analysis 10, 1973.

Cost: Sorting.  On a square of side k, Σ d_v (d_v - 1) grows as k³ by dissection, and as k⁴ line by
line.

When it loses: On surfaces other than the plane straight lines separate nothing, and on boards full
of holes minimum degree (:mod:`kt_cp.encodings.chordal_completion`) may be better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.model.board import Square

UNCUT = 20
"""Parts of up to so many squares are not cut; between 8 and 30 it makes no difference."""


def line_by_line(squares: Sequence[Square]) -> list[Square]:
    """Squares line by line across the shorter side.

    Examples
    --------
    >>> line_by_line([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)])[:3]
    [(0, 0), (0, 1), (1, 0)]
    """
    axis = _longer(squares)[0]
    return sorted(squares, key=lambda square: (square[axis], square[1 - axis]))


def nested_dissection(squares: Sequence[Square], width: int = 2) -> list[Square]:
    """Squares as cut: the halves, then the lines between them.

    Parameters
    ----------
    width : int
        How many adjacent lines no move jumps over.

    Examples
    --------
    >>> order = nested_dissection([(row, column) for row in range(5) for column in range(6)])
    >>> [order.index(square) for square in ((0, 0), (0, 5), (0, 2), (4, 3))]
    [0, 11, 20, 29]
    """
    return list(_parts(squares, width))


def _parts(squares: Sequence[Square], width: int) -> Iterator[Square]:
    axis, length = _longer(squares) if len(squares) > UNCUT else (0, 0)
    if length <= 2 * width:
        yield from squares
        return
    first = (min(s[axis] for s in squares) + max(s[axis] for s in squares) - width + 2) // 2
    beyond = first + width
    yield from _parts([square for square in squares if square[axis] < first], width)
    yield from _parts([square for square in squares if square[axis] >= beyond], width)
    cut = [square for square in squares if first <= square[axis] < beyond]
    yield from sorted(cut, key=lambda square: square[1 - axis])


def _longer(squares: Sequence[Square]) -> tuple[int, int]:
    """The axis over which the squares are spread more, and how far."""
    lengths = [max(places) - min(places) + 1 for places in zip(*squares, strict=True)]
    length = max(lengths)
    return lengths.index(length), length
