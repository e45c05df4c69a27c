"""The grades that the seeds of a board make, counted while a search looks for a rare one.

The seeds of a search are a random sample of the puzzles of its board.  So after a few of them the
most frequent grade is a good guess of what the next seed makes, and a grade that none of n seeds
has made is likely to have a share below 3/n (the "rule of three" of statistics, for 95 %).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kt_cp.model.terms import counted
from kt_cp.puzzles.grades import Grade
from kt_cp.puzzles.puzzle import Puzzle

SAMPLE = 10
"""Seeds after which a grade that none has made counts as rare."""


@dataclass
class GradeCounts:
    """The seeds that made a puzzle of another grade than the requested one.

    Examples
    --------
    >>> from kt_cp.puzzles import make_puzzle
    >>> counts = GradeCounts(Grade.EXPERT)
    >>> for seed in range(3):
    ...     counts.add(make_puzzle("5x6", closed=True, seed=seed))
    >>> counts.text, counts.likeliest, counts.first_seed
    ('3 seeds tried: 3 hard, none expert', <Grade.HARD: 'hard'>, 0)
    """

    requested: Grade
    seeds: dict[Grade, list[int]] = field(default_factory=dict)

    def add(self, puzzle: Puzzle) -> None:
        """Count a puzzle."""
        self.seeds.setdefault(puzzle.grade, []).append(puzzle.seed)

    @property
    def tried(self) -> int:
        """Number of seeds so far."""
        return sum(map(len, self.seeds.values()))

    @property
    def likeliest(self) -> Grade:
        """The most frequent grade."""
        return max(self.seeds, key=lambda grade: len(self.seeds[grade]))

    @property
    def first_seed(self) -> int:
        """The first seed that made a puzzle of the most frequent grade."""
        return self.seeds[self.likeliest][0]

    @property
    def text(self) -> str:
        """The counts in words."""
        made = [f"{len(seeds)} {grade}" for grade, seeds in self.seeds.items()]
        return f"{counted(self.tried, 'seed')} tried: {', '.join(made)}, none {self.requested}"
