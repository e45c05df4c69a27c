"""Taking the steps of a half board, one array or several at a time.

Where light ends come before the dark ones of a row and once more after them (see ``dense``), no end
takes anything from the array of none to that of both.  So one of these two is at work, and the
other one rests, in as few bytes as do (see ``blocks``), until an end needs it or the halves meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from kt_cp.counting.dense.array import States, Threads, add_end, lay_out_anew
from kt_cp.counting.dense.halves import Edge, End, Half, Step, Turn, beginning, steps
from kt_cp.counting.dense.matchings import Tables, end_keys, layout

NONE, BOTH = (0, 0), (1, 1)
"""The arrays of tours without an end so far, and with both."""


class Sweep:
    """A half board being swept.

    Parameters
    ----------
    half : Half
        Rows, moves and ends.
    ends : (int, int)
        How many ends of tours there are on dark and on light squares: none where they are closed.
    modulus : int
        Count modulo this, below 2**32; 0 to count exactly.
    threads : Threads
        Where parts of a step run.
    apart : bool
        Whether one of the arrays of no end and of both rests, where no end goes from one to the
        other.

    Attributes
    ----------
    states : dict
        The array for each number of dark and light ends so far.
    """

    def __init__(
        self,
        half: Half,
        ends: tuple[int, int],
        modulus: int,
        threads: Threads,
        tables: Tables,
        apart: bool = False,
    ) -> None:
        self.half, self.modulus, self.threads, self.tables = half, modulus, threads, tables
        self._apart = apart and half.twofold
        self._row: tuple[int, Callable[[int, int], None] | None] = 0, None
        self._slots = 2 * half.width
        self._ends = ends
        digits = beginning(half)
        self._sums = {
            (dark, bright): sum(digits) + dark - bright
            for dark in range(ends[0] + 1)
            for bright in range(ends[1] + 1)
            if not half.twofold or dark >= bright
        }
        self.states: dict[tuple[int, int], States] = {}
        self._have((0, 0)).begin(digits)

    def rows(self, done: int = 0, tell: Callable[[int, int], None] | None = None) -> Iterator[int]:
        """Take the steps of all rows but those that are done, and stop after each.

        ``tell`` is told after every step the row, from 1, and how many entries the arrays have.
        """
        for number, row in enumerate(steps(self.half), start=1):
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

    def _change(self, states: States, step: Edge | Turn) -> None:
        states.step(step, self.tables, self.threads)
        if isinstance(step, Turn) and step.change is not None:
            lay_out_anew(states, step.slot, *step.change)

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

    def _at(self, key: tuple[int, int]) -> States:
        """The array of a number of ends, at work."""
        other = {NONE: BOTH, BOTH: NONE}.get(key) if self._apart else None
        if other in self.states:
            self.states[other].rest(self.threads)
        states = self._have(key)
        states.wake(self.tables, self.threads)
        return states

    def _have(self, key: tuple[int, int]) -> States:
        """The array of a number of ends, which is made when something comes there first."""
        if key not in self.states:
            at = layout(self._slots, self._sums[key], sum(key) % 2)
            self.states[key] = States(*at, self.modulus)
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
