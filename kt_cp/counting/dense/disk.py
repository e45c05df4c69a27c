"""A count whose array lies in a store: phase by phase, and group by group of keys.

An array of width 9 has 45 GB.  But a phase needs no more of it at a time than a group of keys (see
``phases`` and ``keyed``).  So what each group gives to each of the next phase is a block of the
store.  A group takes its blocks, goes through the steps of the phase, and gives; then its own go.
So one array is on the disk at a time, and a group more.

A group is also a piece for an executor: its blocks are sent to a worker, and what it gives comes
back.  Then the store may be the memory of this process, where the array in blocks has room.

In a store, step 1 is the only state there is at first; then a phase is a step, of which every group
has a block that says what it gave and counted.  Blocks that were given to a phase are those of its
step: they go when it is done.  A step says which there must be, so that one that is missing is
seen.  What is lost when a run is ended is one group, or those that workers are at.

Without a half that is the mirror image of the other there would be two arrays: such boards are not
taken here.  Importing this loads Numba.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.dense.array import Threads
from kt_cp.counting.dense.halves import WIDEST, beginning
from kt_cp.counting.dense.matchings import Tables
from kt_cp.counting.dense.on_disk import (
    Came,
    Part,
    Tools,
    parted,
    phases,
    started,
    through,
    whole_half,
)
from kt_cp.counting.dense.sweep import Work
from kt_cp.model.errors import DamagedError, StoreError
from kt_cp.processes.pieces import Done, in_pieces

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from kt_cp.counting.dense.array import Blocks
    from kt_cp.counting.dense.halves import Question
    from kt_cp.counting.method import Content, Slot, Store
    from kt_cp.model.progress import Progress

ROOM, SENT = 400_000_000, 30_000_000
"""Entries of a group, but for single keys that have more: beyond a width of eight, and to it."""

_OWN = threading.local()


class Place:
    """A block in memory, as :class:`kt_cp.counting.method.Slot` has it."""

    def __init__(self) -> None:
        self._content: Content | None = None

    def load(self) -> dict[str, Any] | None:
        """What was saved."""
        return None if self._content is None else {**self._content}

    map = load

    def save(self, content: Content) -> None:
        """Keep arrays and integers."""
        self._content = content

    def drop(self) -> None:
        """Hold nothing."""
        self._content = None


@lru_cache(4)
def phase_parts(rows: int, width: int, room: int) -> tuple[Part, ...]:
    """The phases of the closed tours of a board, each in groups of so many entries."""
    half = whole_half(rows, width)
    *others, last = phases(half)
    return *(parted(phase, room) for phase in others), parted(last, room, half)


def group_piece(
    shape: tuple[int, int, int], at: int, group: int, given: Iterable[Blocks], modulus: int
) -> Done:
    """A group through its phase, in one thread, wherever this is called."""
    width = shape[1]
    if getattr(_OWN, "width", None) != width:  # its tables take seconds to make
        threads = Threads(1)
        _OWN.width, _OWN.tools = width, Tools(Tables(width, threads), threads)
    came = through(phase_parts(*shape), at, group, given, modulus, _OWN.tools)
    return Done(came._replace(given=[*came.given]))


class OnDisk(Work):
    """A count of the closed tours of a whole board; as :class:`Work` otherwise.

    Parameters
    ----------
    store : Store, optional
        Where the array is; without one it is in memory.
    room : int, optional
        Entries of a group.
    executor : concurrent.futures.Executor, optional
        Who takes groups through a phase.
    """

    def __init__(
        self,
        question: Question,
        store: Store | None = None,
        progress: Progress | None = None,
        room: int = 0,
        executor: Executor | None = None,
    ) -> None:
        super().__init__(question, progress, store)
        room = room or (ROOM if question.width > WIDEST else SENT)
        self._shape = question.rows, question.width, room
        self._parts = phase_parts(*self._shape)
        self._steps = len(self._parts) + 1
        self._executor = executor
        self._memory: dict[tuple[int, str], Place] = {}

    def _blocks(self, step: int, key: str) -> Slot:
        if self._store is not None:
            return self._store.block(step, key)
        return self._memory.setdefault((step, key), Place())

    @cached_property
    def _here(self) -> Tools:
        """What groups go through a phase with, in this process."""
        most = max(
            part.layout(group)[1] for part in self._parts for group in range(len(part.groups))
        )
        threads = Threads()
        return Tools(Tables(self._shape[1], threads), threads, np.empty(most, dtype=np.uint32))

    def run(self, modulus: int, first: int) -> int:
        """The count modulo a number; its steps in a store come after the ``first`` so many."""
        name = f"residue-{modulus}"
        if name in self._known:
            return int(self._known[name])
        if self._kept.get("modulus") == modulus:
            done, given = self._done - first, self._kept["given"]
        else:
            done, given = 1, self._begin(first, modulus)
        total = 0
        for number in range(done, len(self._parts) + 1):
            step = first + number + 1
            rows = [*self._groups(number - 1, given, step, modulus)]
            if number == len(self._parts):
                total = sum(int(row["tours"]) for row in rows)
                self._known[name] = total % modulus if modulus else total
            else:
                given = np.array([row["given"] for row in rows])
                self._keep(step, modulus, given)
        self._kept = {}
        self._save(first + self._steps, modulus, [])
        return int(self._known[name])

    def _begin(self, first: int, modulus: int) -> NDArray[np.uint8]:
        """Keep the only state that there is at first."""
        part = self._parts[0]
        digits = zip(
            beginning(whole_half(self._question.rows, self._question.width)),
            part.at.weights.tolist(),
            strict=True,
        )
        group, blocks = started(part, sum(digit * weight for digit, weight in digits))
        given = np.zeros((1, len(part.groups)), dtype=np.uint8)
        given[0, group] = 1
        self._blocks(first + 2, f"{group}-0").save(blocks)
        self._keep(first + 1, modulus, given)
        return given

    def _keep(self, step: int, modulus: int, given: NDArray[np.uint8]) -> None:
        if self._store is not None:
            self._store.save(step, {"modulus": modulus, "given": given, **self._known})

    def _groups(
        self, at: int, given: NDArray[np.uint8], step: int, modulus: int
    ) -> Iterator[dict[str, Any]]:
        """Take all groups through a phase, but for those that are done; what each says of that."""
        part = self._parts[at]
        after = self._parts[at + 1].groups if at + 1 < len(self._parts) else []
        slots = [
            [self._blocks(step, f"{group}-{each}") for each in np.flatnonzero(row).tolist()]
            for group, row in enumerate(given.T)
        ]
        said = [self._blocks(step, f"done-{group}") for group in range(len(slots))]
        known = [_loaded(each) for each in said]
        left = [at for at, told in enumerate(known) if told is None and slots[at]]
        with closing(self._came(at, ((each, slots[each]) for each in left), modulus)) as came:
            for group, told in enumerate(known):
                if told is None:
                    told = {"tours": 0, "given": np.zeros(len(after), dtype=np.uint8)}
                    if slots[group]:
                        told["tours"], gives = next(came)
                        for to, blocks in gives:
                            self._blocks(step + 1, f"{to}-{group}").save(blocks)
                            told["given"][to] = 1
                    said[group].save(told)
                for each in slots[group]:
                    each.drop()
                if self._progress is not None:
                    entries = int(part.sizes[part.groups[group]].sum())
                    self._progress({"step": at + 2, "steps": self._steps, "states": entries})
                yield told

    def _came(
        self, at: int, asked: Iterable[tuple[int, list[Slot]]], modulus: int
    ) -> Generator[Came, None, None]:
        """What groups come to, from what lies in some slots, in their order."""
        if self._executor is None:
            for group, slots in asked:
                yield through(self._parts, at, group, _there(slots), modulus, self._here)
        else:
            pieces = ((self._shape, at, each, [*_there(slots)], modulus) for each, slots in asked)
            yield from in_pieces(self._executor, group_piece, pieces)


_ANEW = "remove its folder and run again to count from the start"
"""What was given to a group is made from what is gone."""


def _there(slots: list[Slot]) -> Iterator[Blocks]:
    """What lies in some slots, all of which must hold something."""
    for each in slots:
        if (blocks := _loaded(each)) is None:
            raise StoreError(f"{each} is missing: expected what a group was given; {_ANEW}")
        yield blocks


def _loaded(slot: Slot) -> dict[str, Any] | None:
    """What lies in a slot, without which nothing goes on."""
    try:
        return slot.load()
    except DamagedError as error:
        raise StoreError(f"{error.path} is damaged: expected its SHA-256; {_ANEW}") from None
