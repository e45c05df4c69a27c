"""Which constructed tours are measured, and how often."""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp import Board, Problem

KINDS = ("closed", "open", "start", "ends")
"""Closed, open, open from the middle, and open between two squares in different tiles."""

KINDS_OF_SHAPES = ("closed", "open", "ends")
"""Those that are measured on boards which are not square."""

HUGE = ("1000000000x1000000000", "1000000000x1000000001")


@dataclass(frozen=True)
class Sizes:
    """What the part ``construction`` runs.

    Attributes
    ----------
    sides : tuple of int
        Square boards, on each of which every kind of tour is measured, smallest first.
    shapes : tuple of str
        Other boards.
    whole : str
        The board that is compared with NumPy's own work, closed.
    peaks : tuple of str
        Boards whose array's memory is measured.
    stream : tuple of int
        Sides of the closed boards that are written to a file.
    located : tuple of str
        Boards on which single squares are looked up.
    repeats, stream_repeats : int
        Of each measurement; of each file.
    pause : float
        Seconds before a file is written.
    """

    sides: tuple[int, ...] = (100, 300, 1000, 3000, 10_000, 20_000)
    shapes: tuple[str, ...] = (
        "7x1000000", "1000000x7", "12x1000000", "1000x100000", "100000x1000",
        "3x1000000", "1000000x3", "4x1000000", "5x1000000",
    )  # fmt: skip
    whole: str = "10000x10000"
    peaks: tuple[str, ...] = ("10000x10000", "12x8000000", "8000000x12")
    stream: tuple[int, ...] = (20_000,)
    located: tuple[str, ...] = ("100x100", "10000x10000", "1000000x1000000", *HUGE)
    repeats: int = 5
    stream_repeats: int = 5
    pause: float = 5.0


QUICK_SIZES = Sizes(
    sides=(40, 100),
    shapes=("7x1000", "3x1000"),
    whole="300x300",
    peaks=("300x300",),
    stream=(300,),
    located=("100x100", *HUGE),
    repeats=1,
    stream_repeats=1,
    pause=0.0,
)


def question(board: str, kind: str) -> Problem:
    """The problem of a kind on a board.

    Examples
    --------
    >>> question("100x100", "ends").label
    '100x100 open from z26 to cx76'
    """
    it = Board.parse(board)
    rows, columns = it.rows, it.columns
    if kind in ("closed", "open"):
        return Problem(it, closed=kind == "closed")
    if kind == "start":
        return Problem(it, start=_of_corners_colour(rows // 2, columns // 2))
    start = _of_corners_colour(rows // 4, columns // 4)
    row, column = _of_corners_colour(3 * rows // 4, 3 * columns // 4)
    return Problem(it, start=start, end=(row, column - 1 + rows * columns % 2))


def _of_corners_colour(row: int, column: int) -> tuple[int, int]:
    return row, column - (row + column) % 2
