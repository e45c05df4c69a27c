"""Squares of a tour that are computed when they are needed, for boards larger than any memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Square

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ComputedSquares(Sequence[Square], ABC):
    """The squares of a tour of a whole rectangle, computed on demand.

    Besides the methods of a sequence it has the position of a square (``index``), its ``size``
    where ``len()`` would overflow, and writes step numbers into arrays.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of squares, however large."""

    @abstractmethod
    def fill(self, out: NDArray[Any], row: int, column: int) -> None:
        """Write the step numbers, from 1, of a window of the board.

        Parameters
        ----------
        out : int32 or int64 array of shape (rows, columns)
        row, column : int
            The window's square nearest to a1.
        """
