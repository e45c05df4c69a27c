"""Counts by sweeps over half boards that meet: exact, or modulo primes.

**Arrays.**  Open tours need several arrays, one for each number of ends so far.  If light ends
precede the dark ends of a row and follow them again (see ``dense``), no end leads from the array
of no end to that of both.  So one of these two is active, and the other one is packed (see
``state_array``), until an end needs it or the halves meet.

**Steps of a store** are the rows of the halves, and the meeting.  Each step stores the arrays of
both halves.  If numbers are too large for an exact count, the steps of a count modulo a prime
follow, and then those of the next prime, with the residues that are known.

**Primes.**  Sums of an array have 64 bits, and those of a join have 128.  Bounds show beforehand if
that is too few (see ``state_array`` and ``meeting``).  Then the board is swept modulo several
primes below 2³².  Their product exceeds an upper bound of the count.  Every edge of the board has
an end on a dark square.  So a tour is determined by the edges of its dark squares: two of the d
edges of each of them, or one at an end.  The product of d(d - 1)/2 over the dark squares (and of d
more for open tours) is a bound, and the same holds for light squares.  The bound is generous, so
that twice as many primes are used as necessary.  Cost: a sweep for each prime, which takes a little
longer than an exact one.

Importing this loads Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.dense.halves import (
    End,
    Half,
    Step,
    Turn,
    first_digits,
    is_light,
    sweep_steps,
)
from kt_cp.counting.dense.matchings import MatchingTables, end_keys, layout
from kt_cp.counting.dense.meeting import meet, partner_digits, partner_parts
from kt_cp.counting.dense.state_array import StateArray, Threads, add_end, change_digit

if TYPE_CHECKING:
    from kt_cp.counting.dense.halves import HalvedProblem
    from kt_cp.model.request import Progress
    from kt_cp.processes.store import Store


NONE, BOTH = (0, 0), (1, 1)
"""The arrays of tours without an end so far, and with both ends."""


class HalfSweep:
    """A sweep over a half board.

    ``ends`` are the numbers of ends on dark and on light squares, zeros for a closed tour.
    ``modulus`` is below 2**32, or 0 to count exactly.  ``alternate`` is true if no end leads from
    the array of no end to that of both, so that one of them is packed.  ``states`` maps numbers of
    dark and light ends so far to arrays.
    """

    def __init__(
        self,
        half: Half,
        ends: tuple[int, int],
        modulus: int,
        threads: Threads,
        tables: MatchingTables,
        alternate: bool = False,
    ) -> None:
        self.half, self.modulus, self.threads, self.tables = half, modulus, threads, tables
        self._alternate = alternate and half.twofold
        self._row: tuple[int, Callable[[int, int], None] | None] = 0, None
        self._slots = 2 * half.width
        self._ends = ends
        digits = first_digits(half)
        self._sums = {
            (dark, bright): sum(digits) + dark - bright
            for dark in range(ends[0] + 1)
            for bright in range(ends[1] + 1)
            if not half.twofold or dark >= bright
        }
        self.states: dict[tuple[int, int], StateArray] = {}
        self._array(NONE).begin(digits)

    def rows(
        self, done: int = 0, report: Callable[[int, int], None] | None = None
    ) -> Iterator[int]:
        """Apply the steps of the remaining rows, and yield after each row.

        ``report`` is called after every step with the row, from 1, and the entries of the arrays.
        """
        for number, row in enumerate(sweep_steps(self.half), start=1):
            if number > done:
                self._row = number, report
                self.take(*row)
                yield number

    def take(self, *some: Step) -> None:
        """Apply some steps to all arrays."""
        for ends, run in groupby(some, key=lambda step: isinstance(step, End)):
            each = [*run]
            for step in each if ends else ():
                assert isinstance(step, End)
                self._end(step)
                self._report()
            if ends:
                continue
            for step in each:
                assert not isinstance(step, End)
                for key, states in self.states.items():
                    if self._alternate and states.packed is not None and key in (NONE, BOTH):
                        states.pending.append(step)
                        continue
                    active = self._active_array(key)
                    active.step(step, self.tables, self.threads)
                    if isinstance(step, Turn) and step.change is not None:
                        change_digit(active, step.slot, *step.change)
                self._report()
            for step in each:
                if isinstance(step, Turn) and step.change is not None:
                    before, after = step.change
                    self._sums = {
                        key: amount + after - before for key, amount in self._sums.items()
                    }

    def _report(self) -> None:
        number, report = self._row
        if report is not None:
            report(number, sum(len(states.values) for states in self.states.values()))

    def content(self, name: str) -> dict[str, Any]:
        """Return the data of the arrays to save, under names with a common prefix."""
        content: dict[str, Any] = {
            f"{name}-{dark}{bright}-sum": total for (dark, bright), total in self._sums.items()
        }
        for dark, bright in self.states:
            states = self.states[dark, bright]
            if states.packed is None or states.pending:
                states = self._active_array((dark, bright))
            begin = f"{name}-{dark}{bright}-"
            content[f"{begin}largest"] = states.largest
            content |= {begin + key: each for key, each in states.blocks(self.threads).items()}
        return content

    def pack(self) -> None:
        """Pack all arrays until they are used."""
        for states in self.states.values():
            if not states.pending:
                states.pack(self.threads)

    def restore(self, name: str, content: Mapping[str, Any]) -> None:
        """Continue from the data that were saved after some rows."""
        self.states.clear()
        self._sums = {key: content[f"{name}-{key[0]}{key[1]}-sum"] for key in self._sums}
        for key in self._sums:
            begin = f"{name}-{key[0]}{key[1]}-"
            blocks = {k[len(begin) :]: v for k, v in content.items() if k.startswith(begin)}
            blocks.pop("sum")
            if blocks:
                states = self._array(key)
                states.largest = blocks.pop("largest")
                states.packed = blocks

    def _active_array(self, key: tuple[int, int]) -> StateArray:
        """Return the unpacked array of a number of ends; pack the other one of two."""
        other = {NONE: BOTH, BOTH: NONE}.get(key) if self._alternate else None
        if other in self.states:
            self.states[other].pack(self.threads)
        states = self._array(key)
        states.unpack(self.tables, self.threads)
        return states

    def _array(self, key: tuple[int, int]) -> StateArray:
        """Return the array of a number of ends; create it on first use."""
        if key not in self.states:
            at = layout(self._slots, self._sums[key], sum(key) % 2)
            self.states[key] = StateArray(*at, self.modulus)
        return self.states[key]

    def _end(self, step: End) -> None:
        for key in sorted(self.states, reverse=True):
            after = (key[0] + (not step.light), key[1] + step.light)
            if after in self._sums:
                old, new = self._active_array(key), self._active_array(after)
                if step.must:
                    new.clear()
                new.widen(old)
                self.tables.require(end_keys(self._slots, step.slot, old.at.depot))
                new.run_in_parts(
                    (step.slot,),
                    self.tables,
                    self.threads,
                    lambda *parts, old=old, new=new: add_end(
                        old.values, old.live, old.at, new.values, new.live, new.at,
                        step.slot, step.light, np.uint64(self.modulus), *parts,
                    ),
                )  # fmt: skip
            if step.must:
                self._active_array(key).clear()


LIMIT = 1 << 32
"""Bound of the primes: a product of two residues has 64 bits, and so has a sum of fifteen."""


def descending_primes() -> Iterator[int]:
    """Yield the primes below the limit, the largest first.

    Examples
    --------
    >>> from itertools import islice
    >>> [LIMIT - prime for prime in islice(descending_primes(), 3)]
    [5, 17, 65]
    """
    yield from (number for number in range(LIMIT - 1, 1 << 31, -2) if _is_prime(number))


def _is_prime(number: int) -> bool:
    """Return whether an odd number is prime.

    These bases suffice below 4,759,123,141 (Jaeschke, 1993).
    """
    twos = (number - 1 & 1 - number).bit_length() - 1
    for base in (2, 7, 61):
        power = pow(base, number >> twos, number)
        if power not in (1, number - 1) and number - 1 not in (
            pow(power, 1 << times, number) for times in range(1, twos)
        ):
            return False
    return True


def tour_bound(degrees: Iterable[tuple[bool, int]], *, closed: bool) -> int:
    """Return an upper bound of the number of tours, by the colour and degree of each square.

    Examples
    --------
    >>> tour_bound([(False, 2), (False, 2), (True, 2), (True, 2)], closed=True)
    2
    """
    by_colour: dict[bool, list[int]] = {False: [], True: []}
    for colour, degree in degrees:
        by_colour[colour].append(degree * (degree - 1) // 2 + (0 if closed else degree))
    return 1 + min(prod(choices) for choices in by_colour.values())


def chinese_remainder(residues: Iterable[tuple[int, int]]) -> int:
    """Return the least number with the given pairs of residue and modulus.

    Examples
    --------
    >>> chinese_remainder([(2, 3), (3, 5), (2, 7)])
    23
    """
    number, modulus = 0, 1
    for residue, prime in residues:
        number += (residue - number) * pow(modulus, -1, prime) % prime * modulus
        modulus *= prime
    return number


EXACT = 0
"""The modulus that stands for an exact count."""


class DenseCount:
    """A count, from the beginning or continued from a store."""

    def __init__(
        self, question: HalvedProblem, progress: Progress | None = None, store: Store | None = None
    ) -> None:
        self._question, self._progress, self._store = question, progress, store
        self._sides = [False] if question.single else [False, True]
        self._halves = [question.half(lower=side) for side in self._sides]
        self._steps = sum(half.rows for half in self._halves) + 1
        self._done = 0 if store is None else store.done()
        self._stored: dict[str, Any] = {}
        if store is not None and self._done:
            self._stored = store.load(self._done) or {}
        self._known = {key: v for key, v in self._stored.items() if key.startswith("residue-")}

    @property
    def begun(self) -> bool:
        """Return whether the store has a step of this count."""
        return self._done > 0

    @property
    def by_keys(self) -> bool:
        """Return whether the store has groups of keys."""
        return "given" in self._stored

    def count(self, *, exact: bool) -> int:
        """Count exactly if sums fit, otherwise modulo as many primes as necessary."""
        if exact and self._stored.get("modulus", EXACT) == EXACT:
            try:
                return self.run(EXACT, 0)
            except OverflowError:
                self._stored = {}
        graph, closed = self._question.problem.indexed, self._question.problem.closed
        nodes: list[Any] = list(graph.nodes)
        degrees = zip(map(is_light, nodes), graph.degrees.tolist(), strict=True)
        found, product, most = [], 1, tour_bound(degrees, closed=closed)
        for number, prime in enumerate(descending_primes(), start=1):
            if product >= most:
                break
            found.append((self.run(prime, number * self._steps), prime))
            product *= prime
        return chinese_remainder(found)

    def run(self, modulus: int, first: int) -> int:
        """Count modulo a number; its steps in a store follow the first ``first`` steps."""
        name = f"residue-{modulus}"
        if name in self._known:
            return int(self._known[name])
        done = 0
        if self._stored.get("modulus") == modulus:
            done = self._done - first
        ends = self._question.ends
        assert ends is not None
        threads = Threads()
        tables = MatchingTables(self._question.width)
        sweeps = [HalfSweep(half, ends, modulus, threads, tables, True) for half in self._halves]
        begun, before = [], 0
        for place, sweep in enumerate(sweeps):
            begun.append(max(0, min(done - before, sweep.half.rows)))
            if begun[-1]:
                sweep.restore(str(place), self._stored)
            before += sweep.half.rows
        self._stored, before = {}, first  # arrays that are unpacked have no second copy

        def report(row: int, entries: int) -> None:
            if self._progress is not None:
                self._progress({"step": before + row, "steps": self._steps, "states": entries})

        for rows, sweep in zip(begun, sweeps, strict=True):
            for number in sweep.rows(rows, report):
                self._save(before + number, modulus, sweeps)
            if self._store is not None and sweep is not sweeps[-1]:
                sweep.pack()  # as it is saved with every row of the other one
            before += sweep.half.rows
        self._known[name] = found = self._meet(sweeps, tables, threads)
        self._save(first + self._steps, modulus, [])
        return found

    def _save(self, step: int, modulus: int, sweeps: list[HalfSweep]) -> None:
        if self._store is not None:
            content: dict[str, Any] = {"modulus": modulus, **self._known}
            for place, sweep in enumerate(sweeps):
                content |= sweep.content(str(place))
            self._store.save(step, content)

    def _meet(self, sweeps: list[HalfSweep], tables: MatchingTables, threads: Threads) -> int:
        digits = partner_digits(sweeps[0].half, sweeps[-1].half)
        found = 0
        for upper, lower, times in self._terms(sweeps):
            for states in (upper, lower):
                states.unpack(tables, threads)
            pairs = partner_parts(upper.at, lower.at, digits)
            found += times * meet(upper, lower, pairs, tables, threads)
        modulus = sweeps[0].modulus
        return found % modulus if modulus else found

    def _terms(self, sweeps: list[HalfSweep]) -> Iterator[tuple[StateArray, StateArray, int]]:
        """Yield pairs of arrays of both halves that together have all ends, with their weights."""
        upper, lower = sweeps[0].states, sweeps[-1].states
        dark, bright = self._question.ends or (0, 0)
        if self._question.open_twofold:
            # Either half may have both ends, and each may have one of either colour.
            if (1, 0) in upper:
                yield upper[1, 0], upper[1, 0], 2
                del upper[1, 0].values  # so that there is memory for both of the others
            if BOTH in upper:
                yield upper[NONE], upper[BOTH], 2
            return
        for key, states in upper.items():
            left = dark - key[0], bright - key[1]
            if len(sweeps) == 1:  # the mirror image has the other colours
                left = left[::-1]
            if left in lower:
                yield states, lower[left], 1
