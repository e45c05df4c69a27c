"""An array of states: its entries, which of its blocks live, and steps that change it.

An array holds 32-bit numbers for as long as no sum can be larger, then 64-bit numbers.  A step adds
to an entry of k pairs at most one of three: 2k entries of k + 1 pairs, where paths are joined; one
of k - 1, where there is a new path; one of k, where an end moves.  So with the largest entry for
each number of pairs there is a bound for the entries after the step, and before each step it is
looked at.  No sum is ever too large without that being known.

With a modulus all entries are residues, and no bound is needed: see ``residues``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.dense.array import Threads, add_edge, others, pieces_of, put, taken
from kt_cp.counting.dense.halves import Edge, Turn
from kt_cp.counting.dense.matchings import MATCHINGS, Layout, Tables, edge_keys, place

if TYPE_CHECKING:
    from kt_cp.counting.dense.array import Blocks

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
    resting : Blocks or None
        What it holds, while it has no values.
    waiting : list
        Edges and turns that it has to take before anything else, once it is at work again.

    Parameters
    ----------
    at, entries
        As :func:`kt_cp.counting.dense.matchings.layout` has them, or some of the high digits only.
    room : uint32 array, optional
        Where the values are to be; memory that is new has to be cleared by the system first.
    """

    def __init__(self, at: Layout, entries: int, modulus: int = 0, room: Any = None) -> None:
        self.slots, self.modulus = len(at.weights), modulus
        self.at, self.entries = at, entries
        self.values: Any = np.empty(entries, dtype=np.uint32) if room is None else room[:entries]
        self.live = np.zeros(len(at.high.sums) * len(at.low.sums), dtype=np.uint8)
        self.largest = np.zeros(len(MATCHINGS) + 1, dtype=np.uint64)
        self.resting: Blocks | None = None
        self.waiting: list[Edge | Turn] = []

    def blocks(self, threads: Threads) -> Blocks:
        """What it holds."""
        if self.resting is not None:
            return self.resting
        living = np.flatnonzero(self.live)
        return taken(self, living, living, threads)

    def rest(self, threads: Threads) -> None:
        """Hold the same in less room."""
        if self.resting is None:
            self.resting = self.blocks(threads)
            self.values = np.empty(0, dtype=self.values.dtype)

    def wake(self, tables: Tables, threads: Threads) -> None:
        """Be at work again."""
        if self.resting is not None:
            blocks, self.resting = {**self.resting}, None
            self.values = np.empty(self.entries, dtype=self.values.dtype)
            self.live[:] = 0
            put(self, pieces_of(blocks, drop=True))
            while self.waiting:
                self.step(self.waiting.pop(0), tables, threads)

    def step(self, step: Edge | Turn, tables: Tables, threads: Threads) -> None:
        """Take an edge, or a turn but for the digit that it changes."""
        if isinstance(step, Edge):
            self.edge(step, tables, threads)
        else:
            self.drop(step)

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
