"""Surfaces, which define the joined sides of a board and steps across them.

If the first and the last *file* are joined, a step may leave on the right and enter on the left, in
the same rank (``PLAIN``) or in the rank counted from the other end (``REVERSED``: rank r becomes
rank R + 1 - r).  A join of the first and the last *rank* is plain.  To add a surface, add a line to
``JOINS``.
"""

from __future__ import annotations

from enum import Enum, StrEnum

from kt_cp.model.errors import BoardError, suggestion

Square = tuple[int, int]


class Join(Enum):
    """Kind of join of two opposite sides of a board."""

    OPEN = "not joined"
    PLAIN = "joined"
    REVERSED = "joined, turned over"


class Surface(StrEnum):
    """A surface, given by the joins of the board's sides.

    Examples
    --------
    >>> Surface.of("torus").files is Join.PLAIN, Surface.MOEBIUS.words
    (True, 'Möbius strip')
    """

    PLANE = "plane"
    CYLINDER = "cylinder"
    TORUS = "torus"
    MOEBIUS = "moebius"
    KLEIN = "klein"

    @classmethod
    def of(cls, name: str) -> Surface:
        """Return the surface with a name."""
        try:
            return cls(name.strip().lower() if isinstance(name, str) else name)
        except ValueError:
            hint = suggestion(name, cls)
            raise BoardError(
                f"expected a surface, one of {', '.join(cls)}; got {name!r:.60}{hint}"
            ) from None

    @property
    def files(self) -> Join:
        """Join of the first and the last file."""
        return JOINS[self][1]

    @property
    def ranks(self) -> Join:
        """Join of the first and the last rank."""
        return JOINS[self][2]

    @property
    def words(self) -> str:
        """Name of the surface in a sentence."""
        return JOINS[self][0]


JOINS = {
    Surface.PLANE: ("plane", Join.OPEN, Join.OPEN),
    Surface.CYLINDER: ("cylinder", Join.PLAIN, Join.OPEN),
    Surface.TORUS: ("torus", Join.PLAIN, Join.PLAIN),
    Surface.MOEBIUS: ("Möbius strip", Join.REVERSED, Join.OPEN),
    Surface.KLEIN: ("Klein bottle", Join.REVERSED, Join.PLAIN),
}
"""Name in sentences, join of files and join of ranks of each surface."""


def landing(surface: Surface, rows: int, columns: int, square: Square) -> Square | None:
    """Return the square for a position beyond the edges, or None if that side is not joined.

    >>> landing(Surface.TORUS, 5, 6, (-1, 7)), landing(Surface.CYLINDER, 5, 6, (-1, 7))
    ((4, 1), None)
    >>> landing(Surface.MOEBIUS, 5, 6, (0, 6)), landing(Surface.KLEIN, 5, 6, (-2, -1))
    ((4, 0), (1, 5))
    """
    row, column = square
    turns, column_on = divmod(column, columns)
    if turns and surface.files is Join.OPEN:
        return None
    if surface.ranks is Join.PLAIN:
        row %= rows
    elif not 0 <= row < rows:
        return None
    if turns % 2 and surface.files is Join.REVERSED:
        row = rows - 1 - row
    return row, column_on
