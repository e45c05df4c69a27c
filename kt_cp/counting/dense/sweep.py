"""Taking the steps of a half board, one array or several at a time.

Where light ends come before the dark ones of a row and once more after them (see ``dense``), no end
takes anything from the array of none to that of both.  So one of these two is at work, and the
other one rests, in as few bytes as do (see ``array``), until an end needs it or the halves meet.

One count: halves swept, arrays kept, and made to meet; once, or once for each prime.

In a store a step is a row of one half, or the meeting.  It has the arrays of both halves as they
are then.  Where numbers are too large for an exact count, the steps of a count modulo a prime
follow, and those of the next prime, with the residues that are known.

Importing this loads Numba.

Counts that 64 bits and 128 do not hold: the same modulo primes, and the Chinese remainder.

Sums of an array are of 64 bits, those of a join of 128, and what may be larger is never summed: it
is known beforehand (see ``sweep`` and ``meet``).  Then the board is swept once for each of several
primes below 2³², whose product is larger than the count can be.

Every edge of the board has an end on a dark square.  So a tour is told by the edges of its dark
squares: two of its d edges for each of them, or one at an end.  The product of d(d - 1)/2 over the
dark squares (and of d more for open tours) is a bound, and the same holds for light ones.  It is
generous: twice as many primes as need be.  Cost: a sweep a prime, some longer than an exact one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.dense.array import StateArray, Threads, add_end, change_digit
from kt_cp.counting.dense.halves import (
    Edge,
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

if TYPE_CHECKING:
    from kt_cp.counting.dense.halves import HalvedProblem
    from kt_cp.model.progress import Progress
    from kt_cp.processes.store import Store


NONE, BOTH = (0, 0), (1, 1)
"""The arrays of tours without an end so far, and with both."""


class HalfSweep:
    """A half board being swept.

    ``half``: rows, moves and ends; ``ends``: how many ends of tours there are on dark and on light
    squares: none where they are closed; ``modulus``: count modulo this, below 2**32; 0 to count
    exactly; ``threads``: where parts of a step run; ``apart``: whether one of the arrays of no end
    and of both rests, where no end goes from one to the other; ``states``: the array for each
    number of dark and light ends so far.
    """

    def __init__(
        self,
        half: Half,
        ends: tuple[int, int],
        modulus: int,
        threads: Threads,
        tables: MatchingTables,
        apart: bool = False,
    ) -> None:
        self.half, self.modulus, self.threads, self.tables = half, modulus, threads, tables
        self._apart = apart and half.twofold
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
        self._have((0, 0)).begin(digits)

    def rows(self, done: int = 0, tell: Callable[[int, int], None] | None = None) -> Iterator[int]:
        """Take the steps of all rows but those that are done, and stop after each.

        ``tell`` is told after every step the row, from 1, and how many entries the arrays have.
        """
        for number, row in enumerate(sweep_steps(self.half), start=1):
            if number > done:
                self._row = number, tell
                self.take(*row)
                yield number

    def take(self, *some: Step) -> None:
        """Take some steps in all arrays."""
        for ends, run in groupby(some, key=lambda step: isinstance(step, End)):
            each = [*run]
            for step in each if ends else ():
                assert isinstance(step, End)
                self._end(step)
                self._tell()
            if ends:
                continue
            for step in each:
                assert not isinstance(step, End)
                for key, states in self.states.items():
                    if self._apart and states.resting is not None and key in (NONE, BOTH):
                        states.waiting.append(step)
                    else:
                        self._change(self._at(key), step)
                self._tell()
            for step in each:
                if isinstance(step, Turn) and step.change is not None:
                    before, after = step.change
                    self._sums = {key: it + after - before for key, it in self._sums.items()}

    def _change(self, states: StateArray, step: Edge | Turn) -> None:
        states.step(step, self.tables, self.threads)
        if isinstance(step, Turn) and step.change is not None:
            change_digit(states, step.slot, *step.change)

    def _tell(self) -> None:
        number, tell = self._row
        if tell is not None:
            tell(number, sum(len(states.values) for states in self.states.values()))

    def content(self, name: str) -> dict[str, Any]:
        """What is to be kept of the arrays, under names that begin with one."""
        kept: dict[str, Any] = {
            f"{name}-{dark}{bright}-sum": total for (dark, bright), total in self._sums.items()
        }
        for dark, bright in self.states:
            states = self.states[dark, bright]
            if states.resting is None or states.waiting:
                states = self._at((dark, bright))
            begin = f"{name}-{dark}{bright}-"
            kept[f"{begin}largest"] = states.largest
            kept |= {begin + key: each for key, each in states.blocks(self.threads).items()}
        return kept

    def rest(self) -> None:
        """Hold all arrays in less room, until something is done with them."""
        for states in self.states.values():
            if not states.waiting:
                states.rest(self.threads)

    def restore(self, name: str, kept: Mapping[str, Any]) -> None:
        """Have what was kept after some rows."""
        self.states.clear()
        self._sums = {key: kept[f"{name}-{key[0]}{key[1]}-sum"] for key in self._sums}
        for key in self._sums:
            begin = f"{name}-{key[0]}{key[1]}-"
            blocks = {part[len(begin) :]: v for part, v in kept.items() if part.startswith(begin)}
            blocks.pop("sum")
            if blocks:
                states = self._have(key)
                states.largest = blocks.pop("largest")
                states.resting = blocks

    def _at(self, key: tuple[int, int]) -> StateArray:
        """The array of a number of ends, at work."""
        other = {NONE: BOTH, BOTH: NONE}.get(key) if self._apart else None
        if other in self.states:
            self.states[other].rest(self.threads)
        states = self._have(key)
        states.wake(self.tables, self.threads)
        return states

    def _have(self, key: tuple[int, int]) -> StateArray:
        """The array of a number of ends, which is made when something comes there first."""
        if key not in self.states:
            at = layout(self._slots, self._sums[key], sum(key) % 2)
            self.states[key] = StateArray(*at, self.modulus)
        return self.states[key]

    def _end(self, step: End) -> None:
        for key in sorted(self.states, reverse=True):
            after = (key[0] + (not step.light), key[1] + step.light)
            if after in self._sums:
                old, new = self._at(key), self._at(after)
                if step.must:
                    new.clear()
                new.make_room(old)
                self.tables.want(end_keys(self._slots, step.slot, old.at.depot))
                new.in_parts(
                    (step.slot,),
                    self.tables,
                    self.threads,
                    lambda *parts, old=old, new=new: add_end(
                        old.values, old.live, old.at, new.values, new.live, new.at,
                        step.slot, step.light, np.uint64(self.modulus), *parts,
                    ),
                )  # fmt: skip
            if step.must:
                self._at(key).clear()


LIMIT = 1 << 32
"""Primes are below: a product of two residues has 64 bits, and so has a sum of fifteen."""


def descending_primes() -> Iterator[int]:
    """The primes below the limit, the largest first.

    Examples
    --------
    >>> from itertools import islice
    >>> [LIMIT - prime for prime in islice(descending_primes(), 3)]
    [5, 17, 65]
    """
    yield from (number for number in range(LIMIT - 1, 1 << 31, -2) if _is_prime(number))


def _is_prime(number: int) -> bool:
    """Whether an odd number is prime: these bases suffice below 4,759,123,141 (Jaeschke, 1993)."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    for base in (2, 7, 61):
        power = pow(base, number >> twos, number)
        if power not in (1, number - 1) and number - 1 not in (
            pow(power, 1 << times, number) for times in range(1, twos)
        ):
            return False
    return True


def tour_bound(degrees: Iterable[tuple[bool, int]], *, closed: bool) -> int:
    """A number that there are fewer tours than, from the colour and the degree of each square.

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
    """The least number with residues modulo coprime numbers, each a pair of both.

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
"""The modulus of a count that is not modulo anything."""


class DenseCount:
    """A count, from the beginning or from what a store has.

    ``question``: what is counted.
    """

    def __init__(
        self, question: HalvedProblem, progress: Progress | None = None, store: Store | None = None
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
        for number, prime in enumerate(descending_primes(), start=1):
            if product >= most:
                break
            found.append((self.run(prime, number * self._steps), prime))
            product *= prime
        return chinese_remainder(found)

    def _bound(self) -> int:
        graph = self._question.problem.indexed
        nodes: list[Any] = list(graph.nodes)
        degrees = zip(map(is_light, nodes), graph.degrees.tolist(), strict=True)
        return tour_bound(degrees, closed=self._question.problem.closed)

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
        tables = MatchingTables(self._question.width, threads)
        sweeps = [HalfSweep(half, ends, modulus, threads, tables, True) for half in self._halves]
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
                states.wake(tables, threads)
            pairs = partner_parts(upper.at, lower.at, digits)
            found += times * meet(upper, lower, pairs, tables, threads)
        modulus = sweeps[0].modulus
        return found % modulus if modulus else found

    def _terms(self, sweeps: list[HalfSweep]) -> Iterator[tuple[StateArray, StateArray, int]]:
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
