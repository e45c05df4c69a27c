"""The method ``dense``: an array over the states of two rows, and the memory that it needs.

Both halves of the board are swept from its edge to the cut (``half_sweep``), and meet there
(``meeting``).  If the lower half is the mirror image of the upper one, it is not swept.  Colours
then change sides, and so do the ends of open tours.

Open tours need up to four arrays (see ``state_array``).  On even widths, if the problem is its own
mirror image left to right, the array of the light end is the mirror image of that of the dark end.
Then it is omitted, and light ends are added only to the array of both ends, once before and once
after the dark ends of their row.  So this array counts tours twice if their dark end is in an
earlier row, and once if both ends are in the same row.  Together with its mirror image it counts
every tour twice.  The arrays of no end and of both ends are then never active together, so one of
them is packed.

**Memory.**  The sizes of the arrays follow from the sums of their digits alone, so the sweep of
each half is simulated without its arrays.  Memory peaks where more than one array exists: while
entries are widened from 32 to 64 bits, while an array is relocated to a new layout, while one of
two arrays is unpacked and the other one packed, and while the second half is swept beside the
first.  Entries of states that do not occur are in pages that are never touched, which compensates
for the tables.  So the estimate is exact, or up to a fourth too high; a first run also compiles,
which takes about 80 MB more.  Importing this loads no Numba.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, prod
from typing import TYPE_CHECKING

from kt_cp.counting.dense.halves import (
    WIDEST,
    End,
    HalvedProblem,
    Step,
    Turn,
    first_digits,
    refusal,
    sweep_steps,
)
from kt_cp.counting.method import Estimate
from kt_cp.model.errors import EndedError, NotTakenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from kt_cp.counting.dense.halves import Half
    from kt_cp.counting.method import Method
    from kt_cp.model.problem import Problem
    from kt_cp.model.request import Progress
    from kt_cp.processes.store import Store


BASE = 2 * 10**8
"""Bytes of Python, Numba, its compiled code, and the tables of small widths."""

PATTERN = 6
"""Bytes for each of 3^(2·width) patterns: whether it is live, and its partner at the meeting."""

LONG = 42, 35
"""Least squares of half a board with 64-bit sums, for closed tours and for open ones."""

SAVED_SQUARES, SAVED, SAVED_LONG = 32, 0.45, 0.9
"""The largest share of an array that its saved blocks take: on half a board of up to
``SAVED_SQUARES`` squares, where sums are small, and on a larger one."""

COPIED = 16_000_000
"""Entries of blocks that are copied at a time and stored twice, or half of a smaller array."""

PACKED_SHARE = 0.3
"""The size of a packed array, as a share: blocks are a fifth on 8x8, and copying takes more."""

MOST_ROWS = 12
"""Rows of a half that are examined: on a long board the same sums recur every other row."""


@cache
def array_entries(slots: int, total: int, depot: int) -> int:
    """Return the entries of an array, as :func:`kt_cp.counting.dense.matchings.layout` does.

    Examples
    --------
    >>> [array_entries(2 * width, 2 * width, 0) for width in (3, 6, 7, 8)]
    [215, 845691, 18006417, 429658515]
    """
    entries = 0
    for twos in range(total // 2 + 1):
        ones = total - 2 * twos
        if twos + ones <= slots and (ones + depot) % 2 == 0:
            matchings: int = prod(range(ones + depot - 1, 0, -2))
            entries += comb(slots, twos) * comb(slots - twos, ones) * matchings
    return entries


def peak_memory(question: HalvedProblem, modulus: int = 0, *, stored: bool = False) -> int:
    """Return the peak memory of a count in bytes, exact or modulo a number.

    With a store each row is saved: all blocks then exist beside the array, and the first half is
    packed while the second one is swept.

    Examples
    --------
    >>> from kt_cp.counting.dense.halves import HalvedProblem
    >>> from kt_cp.model.problem import Problem
    >>> halves = [HalvedProblem(Problem(board, closed=True)) for board in ("8x8", "9x8")]
    >>> [peak_memory(each) // 10**6 for each in halves]
    [2176, 3895]
    """
    most = before = whole = 0.0
    for lower in () if question.ends is None else (False, True)[: 1 if question.single else 2]:
        half = _HalfMemory(question, question.half(lower=lower), modulus)
        for now in half.rows():
            most = max(most, before + now)
            if stored:
                most = max(most, before + half.bytes() * (1 + half.saved) + half.copied())
        whole += half.bytes()
        before += half.bytes() * (half.saved if stored else 1)
    most = max(most, whole)
    patterns: int = 9**question.width
    return int(most) + PATTERN * patterns + BASE


class _HalfMemory:
    """The memory of the arrays of a half during the sweep by :class:`.half_sweep.HalfSweep`."""

    def __init__(self, question: HalvedProblem, half: Half, modulus: int) -> None:
        assert question.ends is not None
        half = half._replace(rows=min(half.rows, MOST_ROWS))
        self._half, self._slots = half, 2 * half.width
        start, (darks, brights) = sum(first_digits(half)), question.ends
        self._sums = {
            (dark, bright): start + dark - bright
            for dark in range(darks + 1)
            for bright in range(brights + 1)
            if not half.twofold or dark >= bright
        }
        self._known = {(0, 0)}
        self._long = LONG[not question.problem.closed] // half.width + 1
        self._each, self._modulus = 4, modulus
        small = half.rows * half.width <= SAVED_SQUARES
        self.saved = SAVED if small else SAVED_LONG

    def rows(self) -> Iterator[float]:
        """Yield the peak bytes in each row; the other methods describe the end of the row."""
        for number, row in enumerate(sweep_steps(self._half), start=1):
            yield max(self._row(number, row))

    def copied(self) -> int:
        """Return the bytes of blocks while they are copied."""
        return 2 * self._each * min(COPIED, max(self._sizes().values()) // 2)

    def bytes(self) -> float:
        """Return the bytes of all arrays, one of them packed if two are never active together."""
        sizes = self._sizes()
        if self._half.twofold and {(0, 0), (1, 1)} <= self._known:
            small, large = sorted((sizes.pop((0, 0)), sizes.pop((1, 1))))
            return self._each * (sum(sizes.values()) + large + 2 * PACKED_SHARE * small)
        return float(self._each * sum(sizes.values()))

    def _sizes(self) -> dict[tuple[int, int], int]:
        known = ((key, self._sums[key]) for key in self._known)
        return {key: array_entries(self._slots, total, sum(key) % 2) for key, total in known}

    def _row(self, number: int, row: list[Step]) -> list[float]:
        grows = number == self._long and not self._modulus
        self._each = 8 if number >= self._long and not self._modulus else 4
        found = []
        for step in row:
            if isinstance(step, End):
                more = not step.light, step.light
                new = {(dark + more[0], bright + more[1]) for dark, bright in self._known}
                self._known |= new & self._sums.keys()
            elif isinstance(step, Turn) and step.change is not None:
                old, (before, after) = self._sizes(), step.change
                self._sums = {key: total + after - before for key, total in self._sums.items()}
                pairs = [(old[key], size) for key, size in self._sizes().items()]
                both = sum(map(max, pairs)) + max(map(min, pairs))
                found.append(float(self._each * both))
        # While one array gets 64 bits, the others may have them already.
        found.append(self.bytes() + 4 * grows * max(self._sizes().values()))
        return found


SECONDS = 1e-8
"""Seconds for each entry and row, with two threads."""

DISK, ROW_SECONDS = 46 * 10**9, 1800.0
"""For sides above eight: bytes on disk, and seconds for each row of half a board after the first
three, in which few states are live."""

DISK_MEMORY, LONG_DISK_MEMORY, SHORT = 5.5e9, 8e9, 5
"""Bytes in memory for sides above eight: on half a board of at most ``SHORT`` rows, or modulo a
number, if entries have 32 bits; and on a longer half."""

PACKED = 60
"""The states of a packed array, in hundredths of its entries."""

CONFIRMING = 2147483659
"""The least prime above 2³¹; counts by the Chinese remainder theorem begin with the largest."""

KEYED = 8
"""The least width at which groups of keys are worth sending to workers."""


@dataclass(frozen=True)
class Dense:
    """The method ``dense``."""

    lower: int = 0  # the rows from the middle down to the cut
    modulus: int = 0  # a prime modulo which to count, as a confirmation; 0 for none
    name: str = "dense"
    version: int = 4

    def refuses(self, problem: Problem) -> str | None:
        """Return why it does not support a problem, or None.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.refuses(Problem("10x10", closed=True))
        'it takes boards with a side of at most 9'
        """
        why = refusal(problem)
        if why is None and self.lower and HalvedProblem(problem).width > WIDEST:
            return f"beyond a side of {WIDEST} it cuts boards in the middle alone"
        return why

    def others(self) -> list[Method]:
        """Return variants of the method: cut a row lower down, or modulo a prime."""
        return [
            Dense(lower=1, name="dense, cut a row lower"),
            Dense(modulus=CONFIRMING, name=f"dense, modulo {CONFIRMING}"),
        ]

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate the work.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.estimate(Problem("8x8", closed=True)).states
        429658515
        """
        question = HalvedProblem(problem, self.lower)
        slots = 2 * question.width
        plain = array_entries(slots, slots, 0)
        if question.width > WIDEST:
            rows = question.rows // 2
            memory = DISK_MEMORY if rows <= SHORT or self.modulus else LONG_DISK_MEMORY
            return Estimate(plain, int(memory), ROW_SECONDS * max(1, rows - 3), DISK)
        states = plain
        if not problem.closed:
            depot = array_entries(slots, slots + 1, 1)
            states = plain + depot + PACKED * plain // 100
            if not question.open_twofold:
                states = 2 * (plain + depot)
        sides = [question.cut] if question.single else [question.cut, question.rows - question.cut]
        size = peak_memory(question, self.modulus)
        more = peak_memory(question, self.modulus, stored=True)
        seconds = 0.5 + SECONDS * states * sum(sides)
        return Estimate(states * len(sides), size, seconds, saving=max(0, more - size))

    def run_tasks(self, problem: Problem) -> bool:
        """Return whether an executor runs groups of keys instead of a whole count.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.run_tasks(Problem("8x8", closed=True)), METHOD.run_tasks(Problem("8x8"))
        (True, False)
        """
        board, question = problem.board, HalvedProblem(problem, self.lower)
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
        """Count in threads, or on wide boards in tasks of an executor, one for each group of keys.

        Examples
        --------
        >>> from kt_cp.model.problem import Problem
        >>> METHOD.count(Problem("4x5"))
        82
        """
        question = HalvedProblem(problem, self.lower)
        if question.ends is None:
            return 0
        estimate = self.estimate(problem)
        size = estimate.bytes + (estimate.saving if store is not None else 0)
        if memory_limit is not None and size > memory_limit * 1e6:
            raise EndedError(f"dense would take {size / 1e6:,.0f} MB")
        if store is None and question.width > WIDEST:
            raise NotTakenError(f"{problem.label}: expected a store for the array, got none")
        from kt_cp.counting.dense.half_sweep import DenseCount
        from kt_cp.counting.dense.on_disk import OnDisk
        from kt_cp.processes.executors import Threads

        work = DenseCount(question, progress, store)
        if isinstance(executor, Threads) or not self.run_tasks(problem):
            executor = None  # the kernels have threads of their own
        if question.width > WIDEST or work.by_keys or (executor and not work.begun):
            work = OnDisk(question, store, progress, executor=executor)
        return work.run(self.modulus, 0) if self.modulus else work.count(exact=True)


METHOD = Dense()
