"""A tour: the squares in the order in which they are visited."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from kt_cp.board import Board, describe


@dataclass(frozen=True)
class Tour:
    """Sequence of squares (or graph nodes); a closed tour does not repeat its first square.

    A tour is a value, not a promise: :func:`kt_cp.verify.defects` says what is wrong with it.

    Examples
    --------
    >>> tour = Tour([(0, 0), (2, 1)], closed=False, board=Board(3, 3))
    >>> tour[0], tour.names, len(tour)
    ((0, 0), ['a1', 'b3'], 2)
    """

    squares: Sequence[Any]
    closed: bool = False
    board: Board | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "squares", tuple(self.squares))

    def __len__(self) -> int:
        return len(self.squares)

    @overload
    def __getitem__(self, step: int) -> Any: ...
    @overload
    def __getitem__(self, step: slice) -> Sequence[Any]: ...
    def __getitem__(self, step: int | slice) -> Any:
        return self.squares[step]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.squares)

    @property
    def names(self) -> list[str]:
        """Algebraic names in order; on a general graph, the nodes as text."""
        if self.board is None:
            return [str(node) for node in self.squares]
        return [describe(square) for square in self.squares]

    @property
    def steps(self) -> dict[Hashable, int]:
        """Step number of each square, counted from 1."""
        return {square: step for step, square in enumerate(self.squares, start=1)}

    def _repr_svg_(self) -> str | None:
        """Picture for notebooks; graphs without a board have none."""
        if self.board is None:
            return None
        from kt_cp.render.svg import tour_svg

        return tour_svg(self.board, self.squares, closed=self.closed)
