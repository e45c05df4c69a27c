"""Taking the steps of a half board, one array or several at a time.

An array holds 32-bit numbers for as long as no sum can be larger, then 64-bit numbers.  A step adds
to an entry of k pairs at most one of three: 2k entries of k + 1 pairs, where paths are joined; one
of k - 1, where there is a new path; one of k, where an end moves.  So with the largest entry for
each number of pairs there is a bound for the entries after the step, and before each step it is
looked at.  No sum is ever too large without that being known.

With a modulus all entries are residues, and no bound is needed: see ``residues``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from kt_cp.counting.dense.edge import add_edge, others
from kt_cp.counting.dense.ends import add_end
from kt_cp.counting.dense.matchings import Tables, edge_keys, end_keys
from kt_cp.counting.dense.order import Edge, End, Half, Step, Turn, beginning, steps
from kt_cp.counting.dense.patterns import MATCHINGS, Layout, layout, place
from kt_cp.counting.dense.threads import Threads
from kt_cp.counting.dense.turn import lay_out_anew, packed, unpack

PIECES = 32
"""Parts of a step, for threads to end together."""

SMALL = 500_000
"""Entries of an array up to which one thread is quicker."""


class States:
    """An array of states with the same number of edges at the depot.

    Attributes
    ----------
    values, live : arrays
        An entry a state, and a byte a pattern: whether its block holds anything.
    at : Layout
        Where the blocks begin.
    largest : uint64 array
        A bound for the entries, by their number of pairs.

    Parameters
    ----------
    at, entries
        As :func:`kt_cp.counting.dense.patterns.layout` has them, or some of the high digits only.
    room : uint32 array, optional
        Where the values are to be; memory that is new has to be cleared by the system first.
    """

    def __init__(self, at: Layout, entries: int, modulus: int = 0, room: Any = None) -> None:
        self.slots, self.modulus = len(at.weights), modulus
        self.at, self.entries = at, entries
        self.values: Any = np.empty(entries, dtype=np.uint32) if room is None else room[:entries]
        self.live = np.zeros(len(at.high.sums) * len(at.low.sums), dtype=np.uint8)
        self.largest = np.zeros(len(MATCHINGS) + 1, dtype=np.uint64)

    @property
    def any(self) -> bool:
        """Whether a state was reached."""
        return bool(self.largest.any())

    def begin(self, digits: list[int]) -> None:
        """Have one state, without paths."""
        pattern = sum(digit * 3**slot for slot, digit in enumerate(digits))
        self.values[place(self.at, pattern)[0]] = 1
        self.live[pattern] = 1
        self.largest[0] = 1

    def clear(self) -> None:
        """Have none."""
        self.live[:] = 0
        self.largest[:] = 0

    def make_room(self, source: States | None = None) -> None:
        """Take 64 bits an entry if after the next step 32 may be too few."""
        if self.modulus:
            return
        mine = [int(each) for each in self.largest]
        most = mine if source is None else [int(each) for each in source.largest]
        bound = 0
        for pairs in range(len(MATCHINGS)):
            come = max(2 * pairs * most[pairs + 1], most[pairs], most[pairs - 1] if pairs else 0)
            # An end that is placed makes a pair of one end less or more.
            bound = max(bound, mine[pairs] + come)
        if bound >= 1 << 64:
            raise OverflowError
        if bound >= 1 << 32 and self.values.dtype == np.uint32:
            self.values = self.values.astype(np.uint64)

    def digit(self, slot: int) -> Any:
        """The bytes of all patterns, by the digit of a slot."""
        return self.live.reshape(-1, 3, self.at.weights[slot])

    def edge(self, step: Edge, tables: Tables, threads: Threads) -> None:
        """Add every state with an edge."""
        self.make_room()
        most = (int(self.at.high.counts.max()) + int(self.at.low.counts.max()) + self.at.depot) // 2
        keys = edge_keys(self.slots, step.u, step.v, self.at.depot)
        tables.want(key for key in keys if key[1] <= most)
        self.in_parts(
            (step.u, step.v),
            tables,
            threads,
            lambda *parts: add_edge(
                self.values, self.live, self.at, step.u, step.v, step.keep,
                np.uint64(self.modulus), *parts,
            ),
        )  # fmt: skip

    def drop(self, step: Turn) -> None:
        """Drop the states in which a slot has a digit that does not stay."""
        live = self.digit(step.slot)
        for digit in range(3):
            if digit not in step.stay:
                live[:, digit] = 0

    def in_parts(
        self, slots: tuple[int, ...], tables: Tables, threads: Threads, run: Callable[..., None]
    ) -> None:
        """Run a step on parts of the high digits, and take the largest entries together."""
        low, bounds, high = others(self.at, *slots)
        many = PIECES if self.entries > SMALL and threads.workers > 1 else 1
        # Neighbours in number have much the same work: each part has some from everywhere.
        parts = [part for first in range(many) if len(part := high[first::many])]
        seen = [np.zeros_like(self.largest) for _ in parts]
        ranks = tables.ranks
        threads(
            run, [(low, bounds, part, ranks, most) for part, most in zip(parts, seen, strict=True)]
        )
        self.largest = np.maximum(self.largest, np.max(seen, axis=0))


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

    Attributes
    ----------
    states : dict
        The array for each number of dark and light ends so far.
    """

    def __init__(
        self, half: Half, ends: tuple[int, int], modulus: int, threads: Threads, tables: Tables
    ) -> None:
        self.half, self.modulus, self.threads, self.tables = half, modulus, threads, tables
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
                for step in row:
                    self.take(step)
                    if tell is not None:
                        tell(number, sum(states.entries for states in self.states.values()))
                yield number

    def take(self, step: Step) -> None:
        """Take one step in all arrays."""
        if isinstance(step, End):
            self._end(step)
        else:
            for states in list(self.states.values()):
                if isinstance(step, Edge):
                    states.edge(step, self.tables, self.threads)
                else:
                    states.drop(step)
                    if step.change is not None:
                        lay_out_anew(states, step.slot, *step.change)
            if isinstance(step, Turn) and step.change is not None:
                before, after = step.change
                self._sums = {key: total + after - before for key, total in self._sums.items()}

    def content(self, name: str) -> dict[str, Any]:
        """What is to be kept of the arrays, under names that begin with one."""
        kept: dict[str, Any] = {
            f"{name}-{dark}{bright}-sum": total for (dark, bright), total in self._sums.items()
        }
        for (dark, bright), states in self.states.items():
            kept[f"{name}-{dark}{bright}-live"] = states.live
            kept[f"{name}-{dark}{bright}-values"] = packed(states)
            kept[f"{name}-{dark}{bright}-largest"] = states.largest
        return kept

    def restore(self, name: str, kept: Mapping[str, Any]) -> None:
        """Have what was kept after some rows."""
        self.states.clear()
        self._sums = {key: kept[f"{name}-{key[0]}{key[1]}-sum"] for key in self._sums}
        for key in self._sums:
            begin = f"{name}-{key[0]}{key[1]}"
            if f"{begin}-live" in kept:
                states = self._have(key)
                states.live = kept[f"{begin}-live"]
                states.largest = kept[f"{begin}-largest"]
                unpack(kept[f"{begin}-values"], states)

    def _have(self, key: tuple[int, int]) -> States:
        """The array of a number of ends, which is made when something comes there first."""
        if key not in self.states:
            at = layout(self._slots, self._sums[key], sum(key) % 2)
            self.states[key] = States(*at, self.modulus)
        return self.states[key]

    def _end(self, step: End) -> None:
        for key in sorted(self.states, reverse=True):
            old = self.states[key]
            after = (key[0] + (not step.light), key[1] + step.light)
            if after in self._sums:
                new = self._have(after)
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
                old.clear()
