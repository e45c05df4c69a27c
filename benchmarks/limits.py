"""How far encodings are to climb, and which boards without a tour they are to refute."""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp import Board, Problem
from kt_cp.theorems import theorem

TRIVIAL = 3
"""Boards with fewer rows are done in no time, and make one row of the tables."""


@dataclass(frozen=True)
class Climb:
    """What the part runs: even sides from 6 to ``most``, and so many seconds for each process."""

    encodings: tuple[str, ...]
    most: int = 140
    seconds: float = 60.0

    @property
    def sides(self) -> tuple[int, ...]:
        """One after the other to 50, then every fifth; a climb ends at the first too much."""
        return tuple(side for side in range(6, self.most + 1, 2) if side <= 50 or side % 10 == 0)


@dataclass(frozen=True)
class Question:
    """Boards without a tour of a kind that make one row."""

    kind: str
    boards: tuple[str, ...]

    @property
    def label(self) -> str:
        """In words."""
        if len(self.boards) == 1:
            return f"{self.boards[0]} {self.kind}"
        return f"{len(self.boards)} boards of 1 and 2 rows, {self.kind}"


@dataclass(frozen=True)
class Refuting:
    """What the part runs: on which boards by which encodings, and seconds for each process."""

    encodings: tuple[str, ...]
    within: tuple[tuple[int, int], ...] = ((5, 5), (4, 12))
    seconds: float = 20.0

    def questions(self) -> list[Question]:
        """Every board of three squares and more, within one of those, that has no tour."""
        sizes = sorted(
            {
                (rows, columns)
                for most, longest in self.within
                for rows in range(1, most + 1)
                for columns in range(rows, longest + 1)
                if rows * columns >= 3
            },
            key=lambda size: (size[0] * size[1], size),
        )
        found = []
        for kind in ("open", "closed"):
            none = [
                (rows, f"{rows}x{columns}")
                for rows, columns in sizes
                if theorem(Problem(Board(rows, columns), closed=kind == "closed")) is not None
            ]
            found += [Question(kind, (name,)) for rows, name in none if rows >= TRIVIAL]
            if trivial := tuple(name for rows, name in none if rows < TRIVIAL):
                found.append(Question(kind, trivial))
        return found
