"""Text 003's tour: a board that numbers itself while the knight walks over it.

The text keeps all of a tour in one object: the numbered board, the path, how many squares are
visited, and whether that is all of them.  Its first three algorithms are methods here: the moves
from a square, the same sorted by the number of onward moves, and the recursion that tries them in
that order; sort and recursion are those of :mod:`kt_cp.trust.reference`.  The other three are in
:mod:`~kt_cp.sources.structured`.  They need tours that are *structured*: closed, with two
particular moves past each corner.  Past corner (1, 1), for instance, with squares as (rank, file)::

    .  a  b  .          a: (1, 2)-(3, 1)
    b  .  .  .          b: (1, 3)-(2, 1)
    a  .  .  .

Where four boards meet, each loses one such move, and four new moves across the borders replace
them.  The moves past the outer corners stay, so the whole is structured again.

Squares are ``(rank, file)`` counted from 1, as the text writes them; rank 1 is the first line of
``board``.  Everything else in this package counts from 0, and ``squares`` translates.

Source: E. Dreher, "The Knight's Tour Pseudo code" (2023), sections 1 and 2, algorithms 1 to 3,
after I. Parberry, "An efficient algorithm for the Knight's tour problem" (1997).  Corrections:

* moves back by two ranks may end on rank 1 and on file 1 (the two bounds that read > for ≥);
* squares with *few* moves come first, as in the code and against the heading of algorithm 2, and
  each neighbour is counted once, under its own number of moves;
* steps count from 1, so that the first square does not look free;
* a tour is complete when its last square is placed, and only then; the recursion stops there.

Cost: a square's moves are sorted once; the recursion is exponential.  When it loses: onward moves
are counted on the empty board, a weaker guide than Warnsdorff's count of free squares
(``benchmarks/MEASURED.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from kt_cp.model.board import Board
from kt_cp.model.errors import BoardError, SquareError
from kt_cp.model.move_order import ORDERS, Candidates, fewest_ways_first, fixed_order
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.trust.reference import search

RankFile = tuple[int, int]
"""A square as text 003 writes it, rank and file counted from 1."""

Edge = tuple[RankFile, RankFile]


def corner_edges(ranks: int, files: int) -> list[Edge]:
    """Return the two moves that a structured tour makes past each corner, in reading order.

    With a side below 3 some moves end off the board.

    Examples
    --------
    >>> corner_edges(6, 8)[:2], corner_edges(6, 8)[-2:]
    ([((1, 2), (3, 1)), ((1, 3), (2, 1))], [((6, 7), (4, 8)), ((6, 6), (5, 8))])
    """

    def mirrored(square: RankFile, down: bool, right: bool) -> RankFile:
        rank, file = square
        return ranks + 1 - rank if down else rank, files + 1 - file if right else file

    return [
        (mirrored(here, down, right), mirrored(there, down, right))
        for down in (False, True)
        for right in (False, True)
        for here, there in (((1, 2), (3, 1)), ((1, 3), (2, 1)))
    ]


def missing_corner_edges(tour: Tour) -> list[Edge]:
    """Return the moves past the corners that a tour, read as closed, does not make."""
    step_of = {square: step for step, square in enumerate(tour.path)}
    beside = (1, tour.size - 1)  # of a closed tour the last and the first are neighbours too
    return [
        (one, other)
        for one, other in corner_edges(tour.ranks, tour.files)
        if not {one, other} <= step_of.keys() or abs(step_of[one] - step_of[other]) not in beside
    ]


class Tour:
    """A board and the knight's path over it, empty at first.

    ``board[rank - 1][file - 1]``, or ``tour[rank, file]``, is the step at which a square is
    visited, 0 while it is free; ``path`` has the squares in order.  ``placed`` and ``taken_back``
    count the squares that the last run of ``tour`` visited and left again.  Methods raise
    ``SquareError`` for a square that is not on the board.

    Examples
    --------
    >>> tour = Tour(5, 5)
    >>> tour.tour(1, 1)
    <Verdict.FOUND: 'FOUND'>
    >>> tour.solved, tour.steps, tour[1, 1], tour.path[:3]
    (True, 25, 1, [(1, 1), (3, 2), (5, 1)])
    """

    def __init__(self, ranks: int, files: int) -> None:
        for side, what in ((ranks, "ranks"), (files, "files")):
            if not isinstance(side, int) or isinstance(side, bool) or side < 1:
                raise BoardError(
                    f"expected {what} to be a whole number of at least 1, got {side!r:.60}"
                )
        self.ranks, self.files = ranks, files
        self.size = ranks * files
        self.placed = self.taken_back = 0
        self._clear()

    @classmethod
    def along(cls, ranks: int, files: int, path: Iterable[RankFile]) -> Tour:
        """Return a tour, complete or not, that follows a given path.

        Raises ``SquareError`` unless it consists of knight's moves to new squares of the board.
        """
        tour = cls(ranks, files)
        for square in path:
            tour._step(square)
        return tour

    def __repr__(self) -> str:
        return f"<Tour of {self.ranks}x{self.files}, {self.steps} of {self.size} squares visited>"

    def __getitem__(self, square: RankFile) -> int:
        self._check(square)
        return self.board[square[0] - 1][square[1] - 1]

    @property
    def steps(self) -> int:
        """Number of visited squares."""
        return len(self.path)

    @property
    def solved(self) -> bool:
        """Whether every square is visited."""
        return self.steps == self.size

    @property
    def closed(self) -> bool:
        """Whether every square is visited and the first is a knight's move from the last."""
        return self.solved and _is_move(self.path[-1], self.path[0])

    @property
    def structured(self) -> bool:
        """Whether it is closed and makes both moves past each corner."""
        return self.closed and not missing_corner_edges(self)

    @property
    def squares(self) -> list[tuple[int, int]]:
        """The path as (row, column) counted from 0, as in the rest of the package."""
        return [(rank - 1, file - 1) for rank, file in self.path]

    def find_moves(self, rank: int, file: int) -> list[RankFile]:
        """Return all squares a knight's move away, visited or not, in the text's order.

        Examples
        --------
        >>> Tour(3, 4).find_moves(1, 2)
        [(3, 3), (3, 1), (2, 4)]
        """
        self._check((rank, file))
        moves = fixed_order(self._problem, ORDERS["003"])
        return [(row + 1, column + 1) for row, column in moves((rank - 1, file - 1))]

    def ordered_moves(self, rank: int, file: int) -> list[RankFile]:
        """Return the same squares, those with the fewest moves first."""
        self._check((rank, file))
        return [(row + 1, column + 1) for row, column in self._ordered((rank - 1, file - 1))]

    def tour(
        self,
        rank: int,
        file: int,
        *,
        budget: int | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Verdict:
        """Walk over the whole board from a square, by the recursion over ``ordered_moves``.

        The board is cleared first, and stays empty without a tour.  A run is ``UNKNOWN`` if it
        places ``budget`` squares, or ``should_stop``, polled at every thousandth, returns true.
        """
        self._check((rank, file))
        self._clear()
        start = (rank - 1, file - 1)
        walk = search(self._problem, start, self._ordered, budget=budget, should_stop=should_stop)
        self.placed, self.taken_back = walk.placed, walk.taken_back
        for row, column in walk.squares or ():
            self._step((row + 1, column + 1))
        return walk.verdict

    @cached_property
    def _problem(self) -> Problem:
        return Problem(Board(self.ranks, self.files))

    @cached_property
    def _ordered(self) -> Candidates:
        return fewest_ways_first(self._problem, ORDERS["003"])

    def _clear(self) -> None:
        self.board = [[0] * self.files for _ in range(self.ranks)]
        self.path: list[RankFile] = []

    def _step(self, square: RankFile) -> None:
        if self[square]:
            raise SquareError(f"expected a square not visited yet, got {square} twice")
        if self.path and not _is_move(self.path[-1], square):
            raise SquareError(f"expected a knight's move, got {self.path[-1]} to {square}")
        self.path.append(square)
        self.board[square[0] - 1][square[1] - 1] = self.steps

    def _check(self, square: RankFile) -> None:
        rank, file = square
        whole = isinstance(rank, int) and isinstance(file, int)
        if not (whole and 1 <= rank <= self.ranks and 1 <= file <= self.files):
            raise SquareError(
                f"expected a square of the {self.ranks}x{self.files} board as (rank, file) "
                f"counted from 1, got {square!r:.60}"
            )


def _is_move(here: RankFile, there: RankFile) -> bool:
    return {abs(here[0] - there[0]), abs(here[1] - there[1])} == {1, 2}
