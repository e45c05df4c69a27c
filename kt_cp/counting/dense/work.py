"""One count: halves swept, arrays kept, and made to meet; once, or once for each prime.

In a store a step is a row of one half, or the meeting.  It has the arrays of both halves as they
are then.  Where numbers are too large for an exact count, the steps of a count modulo a prime
follow, and those of the next prime, with the residues that are known.

Importing this loads Numba.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kt_cp.counting.dense import sweep
from kt_cp.counting.dense.array import States, Threads
from kt_cp.counting.dense.halves import light
from kt_cp.counting.dense.matchings import Tables
from kt_cp.counting.dense.meeting import meet, partner_parts, partners
from kt_cp.counting.dense.sweep import BOTH, NONE, Sweep

if TYPE_CHECKING:
    from kt_cp.counting.dense.halves import Question
    from kt_cp.counting.method import Store
    from kt_cp.model.progress import Progress

EXACT = 0
"""The modulus of a count that is not modulo anything."""


class Work:
    """A count, from the beginning or from what a store has.

    Parameters
    ----------
    question : Question
        What is counted.
    progress, store
        As a method's.
    """

    def __init__(
        self, question: Question, progress: Progress | None = None, store: Store | None = None
    ) -> None:
        self._question, self._progress, self._store = question, progress, store
        self._sides = [False] if question.single else [False, True]
        self._halves = [question.half(lower=side) for side in self._sides]
        self._steps = sum(half.rows for half in self._halves) + 1
        self._done = 0 if store is None else store.done()
        self._kept: dict[str, Any] = {}
        if store is not None and self._done:
            self._kept = store.load(self._done) or {}
        self._known = {key: each for key, each in self._kept.items() if key.startswith("residue-")}

    @property
    def begun(self) -> bool:
        """Whether the store has some of it."""
        return self._done > 0

    @property
    def by_keys(self) -> bool:
        """Whether that is by groups of keys."""
        return "given" in self._kept

    def count(self, *, exact: bool) -> int:
        """The count: exactly where sums allow it, else by as many primes as need be."""
        if exact and self._kept.get("modulus", EXACT) == EXACT:
            try:
                return self.run(EXACT, 0)
            except OverflowError:
                self._kept = {}
        found, product, most = [], 1, self._bound()
        for number, prime in enumerate(sweep.descending_primes(), start=1):
            if product >= most:
                break
            found.append((self.run(prime, number * self._steps), prime))
            product *= prime
        return sweep.chinese_remainder(found)

    def _bound(self) -> int:
        graph = self._question.problem.indexed
        nodes: list[Any] = list(graph.nodes)
        degrees = zip(map(light, nodes), graph.degrees.tolist(), strict=True)
        return sweep.tour_bound(degrees, closed=self._question.problem.closed)

    def run(self, modulus: int, first: int) -> int:
        """The count modulo a number; its steps in a store come after the ``first`` so many."""
        name = f"residue-{modulus}"
        if name in self._known:
            return int(self._known[name])
        done = 0
        if self._kept.get("modulus") == modulus:
            done = self._done - first
        ends = self._question.ends
        assert ends is not None
        threads = Threads()
        tables = Tables(self._question.width, threads)
        sweeps = [Sweep(half, ends, modulus, threads, tables, True) for half in self._halves]
        have, before = [], 0
        for place, sweep in enumerate(sweeps):
            have.append(max(0, min(done - before, sweep.half.rows)))
            if have[-1]:
                sweep.restore(str(place), self._kept)
            before += sweep.half.rows
        self._kept, before = {}, 0  # the arrays of sweeps that wake have no second copy
        for rows, sweep in zip(have, sweeps, strict=True):
            for number in sweep.rows(rows, self._teller(first + before)):
                self._save(first + before + number, modulus, sweeps)
            if self._store is not None and sweep is not sweeps[-1]:
                sweep.rest()  # so it is kept, too
            before += sweep.half.rows
        self._known[name] = found = self._meet(sweeps, tables, threads)
        self._save(first + self._steps, modulus, [])
        return found

    def _teller(self, row: int) -> Any:
        if self._progress is None:
            return None
        progress, rows = self._progress, row

        def tell(number: int, entries: int) -> None:
            progress({"step": rows + number, "steps": self._steps, "states": entries})

        return tell

    def _save(self, step: int, modulus: int, sweeps: list[Sweep]) -> None:
        if self._store is not None:
            content: dict[str, Any] = {"modulus": modulus, **self._known}
            for place, sweep in enumerate(sweeps):
                content |= sweep.content(str(place))
            self._store.save(step, content)

    def _meet(self, sweeps: list[Sweep], tables: Tables, threads: Threads) -> int:
        digits = partners(sweeps[0].half, sweeps[-1].half)
        found = 0
        for upper, lower, times in self._terms(sweeps):
            for states in (upper, lower):
                states.wake(tables, threads)
            pairs = partner_parts(upper.at, lower.at, digits)
            found += times * meet(upper, lower, pairs, tables, threads)
        modulus = sweeps[0].modulus
        return found % modulus if modulus else found

    def _terms(self, sweeps: list[Sweep]) -> Iterator[tuple[States, States, int]]:
        """Arrays of both halves that have all ends together, and how often they count."""
        upper, lower = sweeps[0].states, sweeps[-1].states
        dark, bright = self._question.ends or (0, 0)
        if self._question.open_twofold:
            # One of both ends in a half is as the other; and so are the two with one each.
            if (1, 0) in upper:
                yield upper[1, 0], upper[1, 0], 2
                del upper[1, 0].values  # there is room now for both of the others
            if BOTH in upper:
                yield upper[NONE], upper[BOTH], 2
            return
        for key, states in upper.items():
            left = dark - key[0], bright - key[1]
            if len(sweeps) == 1:  # the mirror image, where colours have changed sides
                left = left[::-1]
            if left in lower:
                yield states, lower[left], 1
