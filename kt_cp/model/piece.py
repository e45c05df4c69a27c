"""Pieces, which are sets of steps from one square to the next.

An (a, b)-*leaper* moves a squares along one axis and b along the other, in any direction, and jumps
over squares between; the knight is the (1, 2)-leaper.  A piece combines one or more leapers, so its
steps are closed under the symmetries of the square board.  Names are from fairy chess; leapers are
as in D. E. Knuth, "Leaper graphs", Mathematical Gazette 78 (1994).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.errors import PieceError, suggestion
from kt_cp.model.surface import landing

Step = tuple[int, int]

NAMED = {
    "knight": ((1, 2),),
    "camel": ((1, 3),),
    "zebra": ((2, 3),),
    "giraffe": ((1, 4),),
    "antelope": ((3, 4),),
    "wazir": ((0, 1),),
    "ferz": ((1, 1),),
    "dabbaba": ((0, 2),),
    "alfil": ((2, 2),),
    "king": ((0, 1), (1, 1)),
}
"""Named pieces by their leaps.  To name another piece, add a line here."""

MOST_LEAPS = 16
"""Most leaps of one piece: with 128 steps, graphs are as dense as any search supports."""

_LEAP = re.compile(r"([0-9]{1,18})\s*,\s*([0-9]{1,18})")
_EXPECTED = f"expected a piece, one of {', '.join(NAMED)}, or steps such as 1,4 or 0,1+1,1"


@dataclass(frozen=True)
class Piece:
    """A set of steps that is closed under turns and reflections.

    Parameters
    ----------
    leaps : iterable of (int, int)
        One pair for each leaper, in any order and with any signs; stored as ``0 <= a <= b``,
        sorted.

    Raises
    ------
    PieceError
        If there is no leap, or a leap is (0, 0) or not a pair of whole numbers.

    Examples
    --------
    >>> Piece.leaper(2, 1) == KNIGHT, KNIGHT.name, len(KNIGHT.steps)
    (True, 'knight', 8)
    >>> Piece.parse("0,1+1,1").name, Piece([(1, 5)]).name
    ('king', '(1,5)-leaper')
    """

    leaps: tuple[Step, ...]

    def __post_init__(self) -> None:
        try:
            given: list[object] = list(self.leaps)
        except TypeError:
            given = [self.leaps]
        leaps = tuple(sorted({_leap(each) for each in given}))
        if not leaps:
            raise PieceError(f"{_EXPECTED}; got a piece without steps")
        if len(leaps) > MOST_LEAPS:
            raise PieceError(f"expected a piece of at most {MOST_LEAPS} leaps, got {len(leaps)}")
        object.__setattr__(self, "leaps", leaps)

    @classmethod
    def leaper(cls, a: int, b: int) -> Piece:
        """Return the (a, b)-leaper."""
        return cls(((a, b),))

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Return the piece with a name (``"camel"``) or with leaps (``"1,4"``, ``"0,1+1,1"``).

        Raises
        ------
        PieceError
            If the text is neither.
        """
        name = text.strip().lower()
        if name in NAMED:
            return cls(NAMED[name])
        leaps = [_LEAP.fullmatch(part.strip()) for part in name.split("+")]
        if not name or not all(leaps):
            raise PieceError(f"{_EXPECTED}; got {shorten(text)!r}{suggestion(name, NAMED)}")
        return cls(tuple((int(leap[1]), int(leap[2])) for leap in leaps if leap))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps as (rows up, columns right), in ascending order."""
        return _steps(self.leaps)

    @property
    def reach(self) -> int:
        """The longest leap along one axis."""
        return max(b for _, b in self.leaps)

    @property
    def name(self) -> str:
        """Name, or description by leaps: ``zebra``, ``(1,5)-leaper``."""
        known = next((name for name, leaps in NAMED.items() if leaps == self.leaps), None)
        return known or "+".join(f"({a},{b})" for a, b in self.leaps) + "-leaper"

    def __str__(self) -> str:
        return self.name


@cache
def _steps(leaps: tuple[Step, ...]) -> tuple[Step, ...]:
    turned = [*leaps, *((b, a) for a, b in leaps)]
    return tuple(sorted({(s * a, t * b) for a, b in turned for s in (1, -1) for t in (1, -1)}))


def _leap(value: object) -> Step:
    if isinstance(value, Iterable) and not isinstance(value, str):
        parts = tuple(value)
        if len(parts) == 2 and all(type(part) is int for part in parts):
            a, b = sorted(map(abs, parts))
            if b == 0:
                raise PieceError(f"{_EXPECTED}; got 0,0, which leads nowhere")
            return a, b
    raise PieceError(f"{_EXPECTED}; got {shorten(repr(value))}")


KNIGHT = Piece.leaper(1, 2)


def moves_from(board: Board, piece: Piece, square: Square) -> set[Square]:
    """Return the squares of a board that a piece reaches in one step."""
    row, column = square
    landed = (
        landing(board.surface, board.rows, board.columns, (row + up, column + right))
        for up, right in piece.steps
    )
    return {each for each in landed if each is not None and each in board and each != square}
