"""The method ``dense``: how many tours there are, by a dense array over the states of two rows.

Both halves of the board are swept from its edge to the cut (``sweep``), and meet there (``meet``).
Where the lower half is the mirror image of the upper one, it is not swept.  Colours then change
sides, and so do the ends of open tours.

Open tours take up to four arrays (``ends``).  On even widths, where nothing asked tells left from
right, the array of the light end is the mirror image of that of the dark one.  Then it is left out,
and light ends go to the array of both ends alone: before the dark ends of their row and once more
after them.  So this array has twice the tours whose dark end comes in an earlier row, and once
those with both in the same row, and with its mirror image twice all of them.  What has no end and
what has both are never at work together then, and one of them rests (see ``sweep``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.counting.dense.dense import peak_memory
from kt_cp.counting.dense.halves import WIDEST, Question, refusal
from kt_cp.counting.method import Estimate
from kt_cp.model.errors import EndedError, NotTakenError
from kt_cp.processes.executors import Threads

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting.method import Method, Store
    from kt_cp.model.problem import Problem
    from kt_cp.model.progress import Progress

ENTRIES = {
    3: (215, 330), 4: (2835, 5320), 5: (45297, 98910), 6: (845691, 2084544),
    7: (18006417, 49087038), 8: (429658515, 1276498080), 9: (11338512185, 0),
}  # fmt: skip
"""Entries of an array by the width: without the depot as an end, and with it."""

SECONDS = 1e-8
"""For each entry and row, with two threads."""

DISK, DISK_MEMORY, ROW_SECONDS = 46 * 10**9, 8 * 10**9, 1800.0
"""Beyond a side of eight: bytes on disk and in memory; and seconds for each row of half a board
after the first three, in which few states live."""

RESTING = 60
"""Of an array that rests while another one is at work: what it takes, in hundredths."""

CONFIRMING = 2147483659
"""The least prime above 2³¹: counts by the Chinese remainder theorem begin with the largest."""

KEYED = 8
"""Width from which on groups of keys are worth a message."""


@dataclass(frozen=True)
class Dense:
    """The method.

    Attributes
    ----------
    lower : int
        How many rows below the middle the board is cut.
    modulus : int
        A prime modulo which alone to count, as a second way to what is known; 0 for none.
    """

    lower: int = 0
    modulus: int = 0
    name: str = "dense"
    version: int = 4

    def refuses(self, problem: Problem) -> str | None:
        """Why it does not take a problem, or None.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.refuses(Problem("10x10", closed=True))
        'it takes boards with a side of at most 9'
        """
        why = refusal(problem)
        if why is None and self.lower and Question(problem).width > WIDEST:
            return f"beyond a side of {WIDEST} it cuts boards in the middle alone"
        return why

    def others(self) -> list[Method]:
        """The same method by other ways: cut a row lower down, or modulo a prime."""
        return [
            Dense(lower=1, name="dense, cut a row lower"),
            Dense(modulus=CONFIRMING, name=f"dense, modulo {CONFIRMING}"),
        ]

    def estimate(self, problem: Problem) -> Estimate:
        """What it is likely to take.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.estimate(Problem("8x8", closed=True)).states
        429658515
        """
        question = Question(problem, self.lower)
        plain, depot = ENTRIES[question.width]
        if question.width > WIDEST:
            rows = question.rows // 2 - 3
            return Estimate(plain, DISK_MEMORY, ROW_SECONDS * max(1, rows), DISK)
        states = plain
        if not problem.closed:
            states = plain + depot + RESTING * plain // 100
            if not question.open_twofold:
                states = 2 * (plain + depot)
        sides = [question.cut] if question.single else [question.cut, question.rows - question.cut]
        size = peak_memory(question, self.modulus)
        more = peak_memory(question, self.modulus, stored=True)
        seconds = 0.5 + SECONDS * states * sum(sides)
        return Estimate(states * len(sides), size, seconds, saving=max(0, more - size))

    def in_pieces(self, problem: Problem) -> bool:
        """Whether an executor gets groups of keys of an array, and not a whole count.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.in_pieces(Problem("8x8", closed=True)), METHOD.in_pieces(Problem("8x8"))
        (True, False)
        """
        board, question = problem.board, Question(problem, self.lower)
        whole = problem.closed and board is not None and not board.missing
        return whole and not problem.conditions and question.single and question.width >= KEYED

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,
        memory_limit: float | None = None,
    ) -> int:
        """Number of tours, a tour and its reverse being one, or its residue.

        Threads here work, or workers of an executor on groups of keys of wide boards.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.count(Problem("4x5"))
        82
        """
        question = Question(problem, self.lower)
        if question.ends is None:
            return 0
        told = self.estimate(problem)
        size = told.bytes + (told.saving if store is not None else 0)
        if memory_limit is not None and size > memory_limit * 1e6:
            raise EndedError(f"dense would take {size / 1e6:,.0f} MB")
        if store is None and question.width > WIDEST:
            raise NotTakenError(f"{problem.label}: expected a store to keep the array in")
        from kt_cp.counting.dense.on_disk import OnDisk
        from kt_cp.counting.dense.sweep import Work

        work = Work(question, progress, store)
        if isinstance(executor, Threads) or not self.in_pieces(problem):
            executor = None  # threads here do as well
        if question.width > WIDEST or work.by_keys or (executor and not work.begun):
            work = OnDisk(question, store, progress, executor=executor)
        return work.run(self.modulus, 0) if self.modulus else work.count(exact=True)


METHOD = Dense()
