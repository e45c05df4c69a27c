"""A tour: the squares in the order in which they are visited.

The squares are a tuple, or are computed on demand (:class:`ComputedSquares`) for boards larger than
memory.  Sequences are indexed from 0, as usual in Python; *steps* are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from kt_cp.model.board import Board, ComputedSquares, describe, shorten, square_of
from kt_cp.model.errors import InputError, SquareError, TooLargeError
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.model.views import Picture, call_by_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

SHOWN_SQUARES = 250_000
"""Most squares of a tour that notebooks show as a picture, which takes a few megabytes."""


@dataclass(frozen=True, repr=False)
class Tour:
    """A sequence of squares (or graph nodes); a closed tour does not repeat its first square.

    A tour may be invalid: :func:`kt_cp.trust.judge.defects` lists its defects.  In an enumeration
    by symmetry classes, ``class_size`` is the number of tours in the class of the tour.

    Examples
    --------
    >>> tour = Tour([(0, 0), (2, 1)], closed=False, board=Board(3, 3))
    >>> tour[0], tour.names, len(tour)
    ((0, 0), ['a1', 'b3'], 2)
    >>> tour.step((2, 1)), tour.square(2), tour.to_array().tolist()
    (2, (2, 1), [[1, 0, 0], [0, 0, 0], [0, 2, 0]])
    >>> tour, tour.step("b3"), "b3" in tour, Tour(["a1", "b3"], board=Board(3, 3)) == tour
    (<Tour: 3x3, open: a1 b3>, 2, True, True)
    """

    squares: Sequence[Any]
    closed: bool = False
    board: Board | None = None
    piece: Piece = KNIGHT
    class_size: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.squares, ComputedSquares):
            squares: Iterable[Any] = self.squares
            if self.board is not None and isinstance(next(iter(self.squares), None), str):
                squares = map(square_of, squares)
            object.__setattr__(self, "squares", tuple(squares))

    def __repr__(self) -> str:
        where = "graph" if self.board is None else self.board.label
        names = " ".join(replace(self, squares=self.squares[:8]).names)
        more = " …" if self.size > 8 else ""
        kind = "closed" if self.closed else "open"
        return f"<Tour: {shorten(where)}, {kind}: {shorten(names, 40)}{more}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return only the fields, without derived values."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def size(self) -> int:
        """Number of squares, which may exceed the largest ``len()``."""
        squares = self.squares
        return squares.size if isinstance(squares, ComputedSquares) else len(squares)

    @cached_property
    def computed(self) -> bool:
        """Whether the squares are computed on demand instead of stored in memory."""
        return isinstance(self.squares, ComputedSquares)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, step: int) -> Any: ...
    @overload
    def __getitem__(self, step: slice) -> Sequence[Any]: ...
    def __getitem__(self, step: int | slice) -> Any:
        return self.squares[step]

    def __contains__(self, square: object) -> bool:
        with suppress(SquareError):
            return self._square(square) in self.squares
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(self.squares)

    def step(self, square: Any) -> int:
        """Return the step, from 1, at which a square (or its name, or a node) is visited.

        Raises
        ------
        SquareError
            If the tour does not visit it.
        """
        square = self._square(square)
        try:
            if isinstance(self.squares, ComputedSquares):
                return self.squares.index(square) + 1
            return self._steps[square]
        except (KeyError, TypeError, ValueError):
            raise SquareError(f"expected a square of the tour, got {describe(square)}") from None

    def _square(self, square: Any) -> Any:
        return square if self.board is None else square_of(square)

    def square(self, step: int) -> Any:
        """Return the square (or node) visited at a step, from 1.

        Raises
        ------
        InputError
            If there is no such step.
        """
        if not 1 <= step <= self.size:
            raise InputError(f"expected a step from 1 to {self.size}, got {step}")
        return self.squares[step - 1]

    @property
    def names(self) -> list[str]:
        """Algebraic names in order; on a general graph, the nodes as text."""
        if self.board is None:
            return [str(node) for node in self.squares]
        return [describe(square) for square in self.squares]

    def to_array(self, dtype: DTypeLike | None = None) -> NDArray[np.integer[Any]]:
        """Return step numbers, from 1, in an array of shape (rows, columns); 0 for no step.

        Parameters
        ----------
        dtype : integer type, optional
            By default int32, or int64 if int32 cannot hold the steps.

        Raises
        ------
        InputError
            If the tour is not on a board, or the type is not an integer type.
        TooLargeError
            If the type cannot hold the steps, or the array would not fit into memory.
        """
        from kt_cp.model.arrays import step_array

        return step_array(self, dtype)

    def bands(
        self, dtype: DTypeLike | None = None, *, rows: int | None = None
    ) -> Iterator[NDArray[np.integer[Any]]]:
        """Yield the same array in bands of whole rows from row 0 up, one in memory at a time.

        Parameters
        ----------
        dtype : integer type, optional
            As for ``to_array``.
        rows : int, optional
            Rows of a band; by default a band takes a few megabytes.  The last may have fewer.

        Raises
        ------
        InputError, TooLargeError
            As for ``to_array``.
        """
        from kt_cp.model.arrays import step_bands

        return step_bands(self, dtype, rows)

    @cached_property
    def _steps(self) -> dict[Any, int]:
        return {square: step for step, square in enumerate(self.squares, start=1)}

    def measures(self) -> dict[str, int]:
        """Return turns, angles, crossings and others by name; see :mod:`kt_cp.model.measures`.

        Raises
        ------
        ProblemError
            If the tour is not on a plane board.
        TooLargeError
            If it has more than a few million squares.
        """
        from kt_cp.model.measures import tour_measures

        return tour_measures(self)

    def svg(self) -> Picture:
        """Return a picture on the board, or with a graph's nodes on a circle.

        Raises
        ------
        TooLargeError
            If the board, or the graph, is too large to be drawn.
        """
        picture: Picture = call_by_name("tour_picture", self)
        return picture

    def animation(self, speed: float | None = None) -> Picture:
        """Return a picture for any browser in which the piece moves along its tour.

        Parameters
        ----------
        speed : float, optional
            Moves per second; by default 4, or more so that the animation ends within a minute.

        Raises
        ------
        InputError
            If the tour is not on a board, or the speed makes no sense.
        TooLargeError
            If it has more than a few thousand steps.
        """
        picture: Picture = call_by_name("tour_animation", self, speed)
        return picture

    def _repr_svg_(self) -> str | None:
        """Return a picture for notebooks, or None if it is too large."""
        if self.size > SHOWN_SQUARES:
            return None
        with suppress(TooLargeError):
            return str(call_by_name("tour_picture", self))
        return None
