"""A count whose array lies in a store: phase by phase, and group by group of keys.

An array of width 9 has 45 GB.  But a phase needs no more of it at a time than a group of keys (see
``phases`` and ``keyed``).  So what each group gives to each of the next phase is a block of the
store.  A group takes its blocks, goes through the steps of the phase, and gives; then its own go.
So one array is on the disk at a time, and a group more.

In a store, step 1 is the only state there is at first; then a phase is a step, of which every group
has a block that says what it gave, or counted in the last phase.  Blocks that were given to a phase
are those of its step: they go when it is done.  A step says which there must be, so that one that
is missing is seen.  What is lost when a run is ended is one group.

Without a half that is the mirror image of the other there would be two arrays: such boards are not
taken here.  Importing this loads Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.dense.keyed import deal, made, met, started
from kt_cp.counting.dense.matchings import Tables
from kt_cp.counting.dense.order import beginning
from kt_cp.counting.dense.phases import parted, phases, whole_half
from kt_cp.counting.dense.threads import Threads
from kt_cp.counting.dense.work import Work
from kt_cp.model.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kt_cp.counting.dense.question import Question
    from kt_cp.counting.method import Store
    from kt_cp.model.progress import Progress

ROOM = 400_000_000
"""Entries of a group, but for single keys that have more."""


class OnDisk(Work):
    """A count of the closed tours of a whole board; as :class:`Work` otherwise.

    Parameters
    ----------
    room : int
        Entries of a group.
    """

    def __init__(
        self, question: Question, store: Store, progress: Progress | None = None, room: int = ROOM
    ) -> None:
        super().__init__(question, progress, store)
        half = whole_half(question.rows, question.width)
        each = phases(half)
        self._parts = [parted(phase, room, half if phase is each[-1] else None) for phase in each]
        self._steps = len(each) + 1
        self._blocks = store.block
        most = max(
            part.layout(group)[1] for part in self._parts for group in range(len(part.groups))
        )
        self._values = np.empty(most, dtype=np.uint32)

    def run(self, modulus: int, first: int) -> int:
        """The count modulo a number; its steps in a store come after the ``first`` so many."""
        name = f"residue-{modulus}"
        if name in self._known:
            return int(self._known[name])
        if self._kept.get("modulus") == modulus:
            done, given = self._done - first, self._kept["given"]
        else:
            done, given = 1, self._begin(first, modulus)
        threads = Threads()
        tables = Tables(self._question.width, threads)
        total = 0
        for number in range(done, len(self._parts) + 1):
            step = first + number + 1
            rows = [
                self._group(number - 1, group, given[:, group], step, modulus, tables, threads)
                for group in range(len(self._parts[number - 1].groups))
            ]
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
        assert self._store is not None
        self._store.save(step, {"modulus": modulus, "given": given, **self._known})

    def _group(
        self,
        at: int,
        group: int,
        given: NDArray[np.uint8],
        step: int,
        modulus: int,
        tables: Tables,
        threads: Threads,
    ) -> dict[str, Any]:
        """Take a group through its phase, unless that is done; returns what it says of that."""
        part = self._parts[at]
        after = self._parts[at + 1] if at + 1 < len(self._parts) else None
        mine = [self._blocks(step, f"{group}-{each}") for each in np.flatnonzero(given).tolist()]
        said = self._blocks(step, f"done-{group}")
        told = said.load()
        if told is None:
            there = _there(mine)
            states = made(part, group, there, modulus, tables, threads, self._values)
            if after is None:
                told = {"tours": met(states, part, group, tables, threads)}
            else:
                row = np.zeros(len(after.groups), dtype=np.uint8)
                for to, blocks in deal(states, part, group, after):
                    self._blocks(step + 1, f"{to}-{group}").save(blocks)
                    row[to] = 1
                told = {"given": row}
            said.save(told)
        for each in mine:
            each.drop()
        if self._progress is not None:
            steps = len(self._parts) + 1
            entries = int(part.sizes[part.groups[group]].sum())
            self._progress({"step": at + 2, "steps": steps, "states": entries})
        return told


def _there(slots: list[Any]) -> Iterator[Any]:
    """What lies in some slots, all of which must hold something."""
    for each in slots:
        if (blocks := each.load()) is None:
            raise StoreError("expected all that groups of keys were given, got less")
        yield blocks
