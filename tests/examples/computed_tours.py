"""Constructed tours in many shapes, and tours with wrong squares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kt_cp import Board, Problem, Tour
from kt_cp.construction.construct import construct
from kt_cp.model.board import ComputedSquares

# Both sides even, one odd, both odd; ends in all directions from each other.
PROBLEMS = [
    Problem(Board(6, 6), closed=True),
    Problem(Board(8, 13), closed=True, start=(3, 5)),
    Problem(Board(31, 20), closed=True),
    Problem(Board(6, 9)),
    Problem(Board(7, 7)),
    Problem(Board(9, 40), start=(8, 38)),
    Problem(Board(22, 11), end=(20, 3)),
    Problem(Board(12, 17), start=(11, 16), end=(0, 0)),
    Problem(Board(12, 17), start=(2, 15), end=(10, 4)),
    Problem(Board(25, 25), start=(20, 2), end=(1, 21)),
    # Low and narrow boards have a construction of their own.
    Problem(Board(3, 50), closed=True),
    Problem(Board(37, 4)),
    Problem(Board(5, 41), end=(4, 40)),
    Problem(Board(60, 3), start=(0, 0), end=(59, 0)),
]
LARGE = [
    Problem(Board(10**9, 10**9), closed=True),
    Problem(Board(10**9, 10**9 + 1), closed=True, start=(6, 2)),
    Problem(Board(10**9, 10**9)),
    Problem(Board(10**9, 10**9 + 1), start=(77, 10**8)),
    Problem(Board(10**9 + 1, 10**9 + 1), end=(10**9, 4)),
    Problem(Board(10**9, 10**9), start=(5 * 10**8, 3), end=(7, 10**9 - 1)),
    Problem(Board(10**17, 5), closed=True),
    Problem(Board(3, 10**17), start=(0, 0)),
]


def built(problem):
    """Return the constructed tour of a problem."""
    return Tour(construct(problem), problem.closed, problem.board)


@dataclass
class Lying(ComputedSquares):
    """The squares of a true tour with some lies, each in one kind of access only.

    ``squares`` and ``walk`` lie about places from 0, by index and in iteration; ``places`` lies
    about squares, with None for "not visited"; ``cells`` lies about step numbers in arrays.
    """

    true: ComputedSquares
    squares: dict[int, Any] = field(default_factory=dict)
    walk: dict[int, Any] = field(default_factory=dict)
    places: dict[Any, int | None] = field(default_factory=dict)
    cells: dict[Any, int] = field(default_factory=dict)
    lengthened: int = 0

    @property
    def size(self):
        return self.true.size + self.lengthened

    def __len__(self):
        return self.size

    def __getitem__(self, place):
        return self.squares.get(place, self.true[place])

    def __iter__(self):
        for place, square in enumerate(self.true):
            yield self.walk.get(place, square)

    def index(self, square, *_):
        place = self.places.get(square, self.true.index(square))
        if place is None:
            raise ValueError(square)
        return place

    def fill(self, out, row, column):
        self.true.fill(out, row, column)
        for (down, right), number in self.cells.items():
            if 0 <= down - row < out.shape[0] and 0 <= right - column < out.shape[1]:
                out[down - row, right - column] = number


def exchanged(true, first, second):
    """Exchange two places of a tour in every kind of access, so that only the moves are wrong."""
    one, two = true[first], true[second]
    lies = {first: two, second: one}
    return Lying(true, lies, lies, {two: first, one: second}, {two: first + 1, one: second + 1})
