"""Orders in which the squares of a board go, so that few have many neighbours when they do.

*Nested dissection*: a knight does not jump over two ranks, so two ranks next to each other separate
what lies below them from what lies above.  Those in the middle go last, and before them each half,
cut in the same way across its longer side.  (A. George, "Nested dissection of a regular finite
element mesh", SIAM Journal on Numerical Analysis 10, 1973.)  A square that goes has then only
neighbours in its own part and in the cuts around it.

*Along*: one line after the other across the shorter side, which is better where the longer side is
much longer.

With d_v neighbours when v goes, Σ d_v (d_v - 1) is 68, 84 and 90 k³ by dissection on boards of side
k = 30, 40 and 46, where a vertex of least degree first makes 181, 155 and 159 k³ and along makes
3.7 k⁴.  Least degree with ties by breadth-first distance made 108 to 122 k³, with ties by a smooth
front from the corner (:mod:`kt_cp.search.front`) 72 to 113 k³.  On 20 × 80 dissection makes
3.9 million, along 2.3 million.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.board import Square

UNCUT = 20
"""Parts of up to so many squares are not cut; between 8 and 30 it makes no difference."""


def along(squares: Sequence[Square]) -> list[Square]:
    """Squares line by line across the shorter side.

    Examples
    --------
    >>> along([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)])[:3]
    [(0, 0), (0, 1), (1, 0)]
    """
    axis = _longer(squares)[0]
    return sorted(squares, key=lambda square: (square[axis], square[1 - axis]))


def dissection(squares: Sequence[Square]) -> list[Square]:
    """Squares as cut: the halves, then the two lines between them.

    Examples
    --------
    >>> order = dissection([(row, column) for row in range(5) for column in range(6)])
    >>> [order.index(square) for square in ((0, 0), (0, 5), (0, 2), (4, 3))]
    [0, 11, 20, 29]
    """
    return list(_parts(squares))


def _parts(squares: Sequence[Square]) -> Iterator[Square]:
    axis, length = _longer(squares) if len(squares) > UNCUT else (0, 0)
    if length < 5:
        yield from squares
        return
    middle = (min(s[axis] for s in squares) + max(s[axis] for s in squares)) // 2
    yield from _parts([square for square in squares if square[axis] < middle])
    yield from _parts([square for square in squares if square[axis] > middle + 1])
    cut = [square for square in squares if middle <= square[axis] <= middle + 1]
    yield from sorted(cut, key=lambda square: square[1 - axis])


def _longer(squares: Sequence[Square]) -> tuple[int, int]:
    """The axis over which the squares are spread more, and how far."""
    lengths = [max(places) - min(places) + 1 for places in zip(*squares, strict=True)]
    length = max(lengths)
    return lengths.index(length), length
