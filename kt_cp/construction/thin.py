"""Tours of boards 3, 4 and 5 squares high, of any length, between any two squares that allow one.

The board is shortened: of a long stretch without a start or an end columns are taken away, four at
a time, until 12 to 15 are left (16 to 19 on three rows).  On the short board a tour is searched for
that passes through a given *block* in each of these stretches lane by lane, and then every block is
repeated as often as columns are missing::

    ░░░▓▓▓▓░░░░░░░░S░░░░░▓▓▓▓░░░░░░E░░░░░      ▓ a block     ░ found by search
    ░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░S░░░░░▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░E░░░░░

The short board has at most 59 columns, and the block's moves are forced, which leaves little to
search: the backtracking takes a fraction of a millisecond, for a block that does not fit too.
Then the next is tried: another reflection, another column, another block.  Where no stretch is
long there is no block, and the search is complete.

There are finitely many short boards, and a test goes through all of them.  So it is known which
pairs of ends have a tour, on boards of all lengths.  Of those that colours allow, all have but

* 3 rows, even length: c2 (or its mirror image) and any other square than a1 and a3;
* 3 rows, odd length: c1 and c3; c1 or c3 and d2;
* 4 rows: pairs with a square of the two inner rows;
* 5 rows, even length: b3 and any other square than a1 and a5

and some on boards of up to 13, 6 and 6 columns.  Why those have none: on 3 and 5 rows two squares
with two moves each (a1 and a3; a1 and a5) have one neighbour in common, which as an end serves one
of them only; a2 lies between c1 and c3 alone; and so on.  On 4 rows the outer squares, half of the
board, have neighbours in inner rows only.

Sources: which boards have a tour at all, A. J. Schwenk, "Which rectangular chessboards have a
knight's tour?", Mathematics Magazine 64 (1991), and G. L. Chia and S.-H. Ong, "Generalized knight's
tours on rectangular chessboards", Discrete Applied Mathematics 150 (2005); they lengthen boards by
blocks too.  Which pairs of ends, and the search with blocks: this package.  It loses nothing but
choice: the tours are regular, and of the many of a long board it finds few.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kt_cp.board import Square
from kt_cp.construction.blocks import PERIOD
from kt_cp.construction.part import Part
from kt_cp.construction.short import Gap, Short, short_tour
from kt_cp.construction.stretch import Stretch, stretched
from kt_cp.construction.tiles import NoTileError

LEAST = {3: 16, 4: 11, 5: 12}
"""Columns of the narrowest gap that gets a block, by rows."""

NEAR = 6
"""An end that is not prescribed lies at most so many columns from a side of the board."""


def thin(
    rows: int,
    columns: int,
    *,
    closed: bool,
    start: Square | None = None,
    end: Square | None = None,
    seed: int = 0,
) -> Part:
    """Order of a tour of a board 3, 4 or 5 squares high.

    Parameters
    ----------
    rows, columns : int
        The rows not more than the columns.
    closed : bool
        Then there is no end.
    start, end : square or None
        None for any.
    seed : int
        Another may give another tour.

    Raises
    ------
    NoTileError
        If there is no tour, and why.

    Examples
    --------
    >>> tour = thin(3, 10**9, closed=False, start=(1, 2), end=(0, 0))
    >>> tour.square(0), tour.square(3 * 10**9 - 1), tour.step((1, 776_000_000))
    ((1, 2), (0, 0), 1836000000)
    >>> thin(4, 10**9, closed=False, start=(1, 7))
    Traceback (most recent call last):
    kt_cp.construction.tiles.NoTileError: on 4 rows both ends lie in the outer rows
    """
    reason = why_not(rows, columns, closed, start, end)
    if reason:
        raise NoTileError(reason)
    backwards = start is None and not closed
    ends = (end, None) if backwards else (start, None if closed else end)
    for one, other in [ends] if closed else _pairs(rows, columns, *ends):
        part = _between(rows, columns, one, other, seed, backwards)
        if part is not None:
            return part
    raise NoTileError("searches of the board, shortened where it is long, found none")


def why_not(rows: int, columns: int, closed: bool, start: Square | None, end: Square | None) -> str:
    """Why there is no tour between these ends, if for a reason that holds on boards of any length.

    Examples
    --------
    >>> why_not(5, 1000, False, (2, 1), (0, 2))
    'b3 or its mirror image is needed between two corners unless the tour ends in one of them'
    >>> why_not(5, 1000, False, (2, 1), (0, 0))
    ''
    """
    odd, top, far = rows * columns % 2, rows - 1, columns - 1
    if closed:
        if rows == 4:
            return "on 4 rows no tour is closed"
        return "a closed tour has an even number of squares" if odd else ""
    ends = [square for square in (start, end) if square is not None]
    colours = [sum(square) % 2 for square in ends]
    if (1 in colours) if odd else (len(colours) == 2 and colours[0] == colours[1]):
        return "the colours of the ends do not fit"
    if rows == 4 and any(row in (1, 2) for row, _ in ends):
        return "on 4 rows both ends lie in the outer rows"
    if start is None or end is None:
        return ""
    if start == end:
        return "the ends are the same square"
    for (row, column), other in ((start, end), (end, start)):
        for side, inwards in ((0, 1), (far, -1)):
            two, three = side + 2 * inwards, side + 3 * inwards
            corners = [(0, side), (top, side)]
            if rows == 3 and (row, column) == (1, two) and other not in corners:
                return f"c2 {_NEEDED}"
            if rows == 5 and (row, column) == (2, side + inwards) and other not in corners:
                return f"b3 {_NEEDED}"
            if rows == 3 and column == two and row != 1 and other in ((2 - row, two), (1, three)):
                return "c1 or c3 and its like leave the squares at that side out of reach"
    return ""


_NEEDED = "or its mirror image is needed between two corners unless the tour ends in one of them"


def _pairs(
    rows: int, columns: int, start: Square | None, end: Square | None
) -> Iterator[tuple[Square, Square]]:
    """Ends as they are prescribed; of those that are not, some near the sides of the board."""
    along = [*range(min(columns, NEAR)), *range(max(NEAR, columns - NEAR), columns)]
    some = [(row, column) for column in along for row in range(rows)]
    for one in some if start is None else [start]:
        for other in some if end is None else [end]:
            if not why_not(rows, columns, False, one, other):
                yield one, other


def _between(
    rows: int, columns: int, start: Square | None, end: Square | None, seed: int, backwards: bool
) -> Part | None:
    """A tour between two ends, or closed where there is no end; None if none is found."""
    marks = sorted({square[1] for square in (start, end) if square is not None})
    gaps: list[Gap] = []
    repeats: list[int] = []
    moved: dict[int, int] = {}
    less = 0
    for left, right in pairwise([-1, *marks, columns]):
        wide = right - left - 1
        if wide >= LEAST[rows]:
            narrow = LEAST[rows] + (wide - LEAST[rows]) % PERIOD
            gaps.append(Gap(left + 1 - less, narrow, left >= 0 and right < columns))
            repeats.append((wide - narrow) // PERIOD)
            less += wide - narrow
        moved[right] = right - less

    def shortened(square: Square | None) -> Square | None:
        return None if square is None else (square[0], moved[square[1]])

    short = Short(rows, moved[columns], shortened(start), shortened(end), tuple(gaps))
    found = short_tour(short, seed)
    if found is None:
        return None
    order, begins = found
    stretches = [Stretch(at, PERIOD, more) for at, more in zip(begins, repeats, strict=True)]
    return stretched(rows, order[::-1] if backwards else order, stretches)
