"""Tours of boards 3, 4 and 5 squares high, of any length, between any two squares that allow one.

The board is shortened: from every long gap, a stretch of columns without a start or an end, columns
are taken away four at a time until 11 to 19 are left.  A search finds a tour of the short board
that passes through a *block* in each of these gaps lane by lane.  Then every block is repeated as
often as columns are missing::

    ░░░░▓▓▓▓░░░░░S░░░░▓▓▓▓░░░░E░░░             ▓ a block     ░ found by search
    ░░░░▓▓▓▓▓▓▓▓▓▓▓▓░░░░░S░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░E░░░

The short board has at most 59 columns, and the moves of its blocks are forced, which leaves little
to search: some milliseconds, on 3 × 20 as on 3 × 10⁹ squares.

There are finitely many short boards, 23,253 but for reflections and the smallest, and a test builds
a tour on each.  So it is known for boards of every length which pairs of ends have a tour.  Of
those that the colours allow, all have one but these and their mirror images:

* 3 rows, even length: c2 and any square but a1 and a3;
* 3 rows, odd length: c1 and c3; c1 and d2; c3 and d2;
* 4 rows: any pair with a square of the inner rows;
* 5 rows, even length: b3 and any square but a1 and a5;
* some more on 3x3 to 3x10, 3x13 (c1 or c3 and k1 or k3), 4x4 to 4x6, 5x5 and 5x6.

:mod:`kt_cp.proofs.theorems` says why these have none.

Sources: which boards have a tour at all, A. J. Schwenk, "Which rectangular chessboards have a
knight's tour?", Mathematics Magazine 64 (1991), and G. L. Chia and S.-H. Ong, "Generalized knight's
tours on rectangular chessboards", Discrete Applied Mathematics 150 (2005); lengthening boards by
blocks is an old idea.  Which pairs of ends, and blocks made of lanes: this package.  When it loses:
its tours are regular, and of the many of a long board it finds few.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.construction.blocks import PERIOD, Stretch, stretched
from kt_cp.construction.part import Part
from kt_cp.construction.short import Question, left_to_right, short_tour
from kt_cp.construction.tiles import NoTileError
from kt_cp.model.board import Square
from kt_cp.proofs.theorems import unfit_ends

NEAR = 6
"""An end that is not prescribed lies at most so many columns from a side of the board."""


def thin(
    rows: int,
    columns: int,
    *,
    closed: bool,
    start: Square | None = None,
    end: Square | None = None,
) -> Part:
    """Order of a tour of a board 3, 4 or 5 squares high, and at least as long.

    Raises
    ------
    NoTileError
        If there is no tour, and why.

    Examples
    --------
    >>> tour = thin(3, 10**9, closed=False, start=(1, 2), end=(0, 0))
    >>> tour.square(0), tour.square(1), tour.square(3 * 10**9 - 1)
    ((1, 2), (2, 0), (0, 0))
    >>> tour.step(tour.square(776_000_000))
    776000000
    >>> thin(4, 10**9, closed=True)
    Traceback (most recent call last):
    kt_cp.construction.tiles.NoTileError: on 4 rows no tour is closed
    """
    reason = why_not(rows, columns, closed, start, end)
    if reason:
        raise NoTileError(reason)
    for ends in _ends(rows, columns, closed, start, end):
        part = _joined(rows, columns, ends)
        if part is not None:
            return part
    raise NoTileError("searches of the board, shortened where it is long, found none")


def why_not(rows: int, columns: int, closed: bool, start: Square | None, end: Square | None) -> str:
    """Why there is no tour between these ends, if for a reason that holds on boards of any length.

    Examples
    --------
    >>> why_not(4, 1000, False, (1, 7), None)
    'no tour of four rows begins or ends on an inner one, as h2 is'
    >>> why_not(5, 1000, False, (2, 1), (0, 0))
    ''
    """
    odd = rows * columns % 2
    if closed:
        if rows == 4:
            return "on 4 rows no tour is closed"
        return "a closed tour has an even number of squares" if odd else ""
    ends = [square for square in (start, end) if square is not None]
    colours = [sum(square) % 2 for square in ends]
    if (1 in colours) if odd else (len(colours) == 2 and colours[0] == colours[1]):
        return "the colours of the ends do not fit"
    if start == end and len(ends) == 2:
        return "the ends are the same square"
    return unfit_ends(rows, columns, start, end)


def _ends(
    rows: int, columns: int, closed: bool, start: Square | None, end: Square | None
) -> Iterator[tuple[Square, ...]]:
    """Ends as they are prescribed; of those that are not, some near the sides of the board."""
    if closed:
        yield () if start is None else (start,)
        return
    along = [*range(min(columns, NEAR)), *range(max(NEAR, columns - NEAR), columns)]
    some = [(row, column) for column in along for row in range(rows)]
    for one in some if start is None else [start]:
        for other in some if end is None else [end]:
            if not why_not(rows, columns, False, one, other):
                yield one, other


def _joined(rows: int, columns: int, ends: tuple[Square, ...]) -> Part | None:
    """A tour from the first to the second end, or a closed one; None if none is found."""
    whole = Question(rows, columns, left_to_right(ends))
    found = short_tour(whole.shortened())
    if found is None:
        return None
    order, begins = found
    if len(ends) == 2 and ends[0] != whole.ends[0]:
        order = order[::-1]
    stretches = [
        Stretch(at, PERIOD, (gap.columns - gap.shortened(rows)) // PERIOD)
        for at, gap in zip(begins, whole.gaps(), strict=True)
    ]
    return stretched(rows, order, stretches)
