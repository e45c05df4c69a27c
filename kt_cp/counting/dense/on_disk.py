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

The steps of a phase for one group of keys: blocks come in, are changed, and are dealt out.

A group needs nothing of the others.  What it gives to a group of the next phase is
the patterns that live, and their entries (see ``array``).

So a phase is ``through(...)`` for each of its groups, wherever that is called.  Cost: entries are
copied twice a phase, and written and read where groups lie on a disk.  Importing this loads Numba;
compiled code is kept beside the source.

A half board's steps in phases: each touches some slots alone, and the digits of the rest stay.

The steps of one row fall into two phases, on the even columns of the older row and on the odd ones:
edges to the next row join columns of the same parity, and the squares that come take the slots of
those that go.  So a phase of width w touches some w slots of 2w.  The digits of the others are the
*key* of a pattern.  No step moves anything from one key to another: a phase is a map over keys, and
keys are independent.  Between two phases the array is dealt out anew, by the key of the next one.

The array of a phase has the digits of its key as the high ones (see ``matchings``), so that a key's
blocks lie together.  Keys that fit into memory together are a *group*, an array of its own.

On odd widths one slot of each row gets another digit with its next square.  That is the last step
of a phase, and done while the array is dealt out.

Where two halves meet, the partner of a pattern has its digits in opposite order.  So in the last
phase a slot belongs to the key if its opposite does, and a key is in the group of its partner.

Source: the distribution by keys is of this package.  Cost: on width 9 there are 6,561 or 19,683
keys, the largest with 434 of 11,339 million entries.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from kt_cp.counting.dense.array import StateArray, Threads, block_slices, put, take_blocks
from kt_cp.counting.dense.halves import WIDEST, Edge, Half, Step, Turn, first_digits, sweep_steps
from kt_cp.counting.dense.matchings import (
    Digits,
    Layout,
    MatchingTables,
    digit_contributions,
    layout_of_digits,
)
from kt_cp.counting.dense.meeting import meet, partner_digits, partner_parts
from kt_cp.counting.dense.sweep import DenseCount
from kt_cp.model.errors import DamagedError, StoreError
from kt_cp.processes.task_queue import Done, run_tasks

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from kt_cp.counting.dense.array import Blocks, Threads
    from kt_cp.counting.dense.halves import HalvedProblem
    from kt_cp.counting.dense.matchings import MatchingTables
    from kt_cp.model.progress import Progress
    from kt_cp.processes.store import Block, Content, Store


class Phase(NamedTuple):
    """Steps that touch some slots only."""

    steps: list[Step]  # edges and turns
    # slot, change: the slot whose digit changes after them, and its digits before and then; or -1
    # and None
    slot: int
    change: tuple[int, int] | None
    # touched, key: slots
    touched: tuple[int, ...]
    key: tuple[int, ...]
    total: int  # sum of the digits of a pattern


def phases(half: Half) -> list[Phase]:
    """The phases of a half of a whole board, for closed tours.

    Examples
    --------
    >>> [len(phase.key) for phase in phases(whole_half(8, 9))]
    [8, 9, 8, 9, 8, 9, 10, 10]
    """
    *rows, crossing = sweep_steps(half)
    # Edges between two rows may come in any order: they take nothing away.
    ordered = sorted(crossing, key=_parity)
    total, found = sum(first_digits(half)), []
    cuts = [list(each) for _, each in groupby(chain(*rows, ordered), key=_parity)]
    for number, cut in enumerate(cuts, start=1):
        touched = {slot for step in cut for slot in _slots(step)}
        if number == len(cuts):
            touched |= {2 * half.width - 1 - slot for slot in touched}
        rest = tuple(slot for slot in range(2 * half.width) if slot not in touched)
        last = cut[-1]
        change = last.change if isinstance(last, Turn) else None
        slot = _slots(last)[0] if change is not None else -1
        found.append(Phase(cut, slot, change, tuple(sorted(touched)), rest, total))
        if change is not None:
            total += change[1] - change[0]
    return found


def whole_half(rows: int, width: int) -> Half:
    """The upper half of a whole board of an even number of rows, for closed tours."""

    def square(row: int, column: int) -> tuple[int, int] | None:
        return (row, column) if row < rows and 0 <= column < width else None

    return Half(width, rows // 2, square, lambda *_: False, lambda _: None)


def _parity(step: Step) -> int:
    """Of the column of the older square."""
    square = step.move[0] if isinstance(step, Edge) else getattr(step, "before", None)
    assert square is not None
    return int(square[1]) % 2


def _slots(step: Step) -> tuple[int, ...]:
    return (step.u, step.v) if isinstance(step, Edge) else (step.slot,)


class PhaseArray(NamedTuple):
    """The array of a phase, as groups of keys."""

    phase: Phase
    at: Layout  # of the array of all keys
    sizes: NDArray[np.int64]  # entries of each key
    groups: list[NDArray[np.int64]]  # the keys of each group, ascending
    # group_of, place: the group of each key, and its place there
    group_of: NDArray[np.int64]
    place: NDArray[np.int64]
    # in the last phase, what low digits of a pattern add to its
    # partner's number, and high ones
    partners: tuple[NDArray[np.int64], NDArray[np.int64]] | None

    def layout(self, group: int) -> tuple[Layout, int]:
        """The layout of a group's own array, and how many entries it has."""
        keys = self.groups[group]
        ends = np.cumsum(self.sizes[keys])
        high = Digits(*(each[keys] for each in self.at.high))
        return self.at._replace(starts=ends - self.sizes[keys], high=high), int(ends[-1])


def phase_array(phase: Phase, room: int, half: Half | None = None) -> PhaseArray:
    """A phase's keys in groups of at most so many entries, or of a single key.

    In the last phase of a half that meets its mirror image, keys are with their partners; the half
    is given then.
    """
    at, entries = layout_of_digits(phase.touched, phase.key, phase.total, 0)
    partnered = None if half is None else partner_parts(at, at, partner_digits(half, half))
    sizes = np.diff(np.append(at.starts, entries))
    group_of = np.full(len(sizes), -1, dtype=np.int64)
    # Keys with as many ends need the same tables, so they come together.
    order = np.lexsort((np.arange(len(sizes)), at.high.ones, at.high.counts))
    number, held = 0, 0
    for key in order[sizes[order] > 0].tolist():
        if group_of[key] >= 0:
            continue
        both = [key]
        if partnered is not None:
            both = np.unique([key, partnered[1][key] // len(at.low.sums)]).tolist()
        size = int(sizes[both].sum())
        if held and held + size > room:
            number, held = number + 1, 0
        group_of[both] = number
        held += size
    groups = [np.flatnonzero(group_of == each) for each in range(number + 1)]
    place = np.zeros(len(sizes), dtype=np.int64)
    for keys in groups:
        place[keys] = np.arange(len(keys))
    return PhaseArray(phase, at, sizes, groups, group_of, place, partnered)


def numbers_after(
    part: PhaseArray, after: PhaseArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the low digits of a pattern and the high ones add to its number in the next phase."""
    weights = after.at.weights.tolist()
    worth = [[0, weight, 2 * weight] for weight in weights]
    if part.phase.change is not None:
        before, then = part.phase.change
        worth[part.phase.slot][before] = then * weights[part.phase.slot]
    return digit_contributions(part.at, worth)


def start_groups(part: PhaseArray, pattern: int) -> tuple[int, Blocks]:
    """The only state before the first step: its group, and itself."""
    key = pattern // len(part.at.low.sums)
    entry = np.ones((1, 1), dtype=np.uint8)
    return int(part.group_of[key]), {"patterns-0": np.array([pattern]), "values-0": entry}


class Workspace(NamedTuple):
    """What a process takes groups through their phases with, one after the other."""

    tables: MatchingTables  # of the width of the board
    threads: Threads
    # where the entries of a group are to be; without it each group takes
    # new memory
    room: NDArray[np.uint32] | None = None


def make_group(
    part: PhaseArray, group: int, given: Iterable[Blocks], modulus: int, tools: Workspace
) -> StateArray:
    """The array of a group after all steps of its phase."""
    states = StateArray(*part.layout(group), modulus, tools.room)
    lows = len(states.at.low.sums)
    for blocks in given:
        for patterns, rows in block_slices(blocks):
            key, low = np.divmod(patterns, lows)
            put(states, [(part.place[key] * lows + low, rows)])
    if states.any:
        for step in part.phase.steps:
            if isinstance(step, Edge):
                states.edge(step, tools.tables, tools.threads)
            elif isinstance(step, Turn):
                states.drop(step)
    return states


def deal_groups(
    states: StateArray, part: PhaseArray, group: int, after: PhaseArray
) -> Iterator[tuple[int, Blocks]]:
    """What a group gives to each of those of the next phase, but for those that get nothing."""
    local = np.flatnonzero(states.live)
    lows = len(states.at.low.sums)
    high, low = np.divmod(local, lows)
    of_low, of_high = numbers_after(part, after)
    number = of_low[low] + of_high[part.groups[group][high]]
    group_of = after.group_of[number // len(after.at.low.sums)]
    order = np.argsort(group_of, kind="stable")
    for those in np.split(order, np.flatnonzero(np.diff(group_of[order])) + 1):
        if len(those) and (found := take_blocks(states, local[those], number[those])):
            yield int(group_of[those[0]]), found


def meet_groups(states: StateArray, part: PhaseArray, group: int, tools: Workspace) -> int:
    """What a group of the last phase counts with its mirror image."""
    if not states.any or part.partners is None:
        return 0
    low, high = part.partners
    lows = len(low)
    local = part.place[high[part.groups[group]] // lows] * lows
    return meet(states, states, (low, local), tools.tables, tools.threads)


class GroupResult(NamedTuple):
    """What a group has come to in a phase."""

    tours: int  # how many it counts, in the last one
    given: Iterable[tuple[int, Blocks]]  # groups of the next one, and what they get


def run_phase(
    parts: Sequence[PhaseArray],
    at: int,
    group: int,
    given: Iterable[Blocks],
    modulus: int,
    tools: Workspace,
) -> GroupResult:
    """A group of a phase, by its number, from what it was given to what it gives or counts."""
    part = parts[at]
    states = make_group(part, group, given, modulus, tools)
    if at + 1 == len(parts):
        return GroupResult(meet_groups(states, part, group, tools), ())
    return GroupResult(0, deal_groups(states, part, group, parts[at + 1]))


ROOM, SENT = 400_000_000, 30_000_000
"""Entries of a group, but for single keys that have more: beyond a width of eight, and to it."""

_OWN = threading.local()


class MemoryBlock:
    """A block that lies in memory, where there is no store."""

    def __init__(self) -> None:
        self._content: Content | None = None

    def load(self) -> dict[str, Any] | None:
        """Return what was saved."""
        return None if self._content is None else {**self._content}

    def save(self, content: Content) -> None:
        """Save arrays and integers."""
        self._content = content

    def drop(self) -> None:
        """Empty the block."""
        self._content = None


AnyBlock: TypeAlias = "Block | MemoryBlock"


@lru_cache(4)
def phase_parts(rows: int, width: int, room: int) -> tuple[PhaseArray, ...]:
    """The phases of the closed tours of a board, each in groups of so many entries."""
    half = whole_half(rows, width)
    *others, last = phases(half)
    return *(phase_array(phase, room) for phase in others), phase_array(last, room, half)


def run_phase_in_worker(
    shape: tuple[int, int, int], at: int, group: int, given: Iterable[Blocks], modulus: int
) -> Done:
    """A group through its phase, in one thread, wherever this is called."""
    width = shape[1]
    if getattr(_OWN, "width", None) != width:  # its tables take seconds to make
        threads = Threads(1)
        _OWN.width, _OWN.tools = width, Workspace(MatchingTables(width, threads), threads)
    came = run_phase(phase_parts(*shape), at, group, given, modulus, _OWN.tools)
    return Done(came._replace(given=[*came.given]))


class OnDisk(DenseCount):
    """A count of the closed tours of a whole board; as :class:`DenseCount` otherwise.

    ``room``: entries of a group; ``executor``: who takes groups through a phase.
    """

    def __init__(
        self,
        question: HalvedProblem,
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
        self._memory: dict[tuple[int, str], MemoryBlock] = {}

    def _blocks(self, step: int, key: str) -> AnyBlock:
        if self._store is not None:
            return self._store.block(step, key)
        return self._memory.setdefault((step, key), MemoryBlock())

    @cached_property
    def _here(self) -> Workspace:
        """What groups go through a phase with, in this process."""
        most = max(
            part.layout(group)[1] for part in self._parts for group in range(len(part.groups))
        )
        threads = Threads()
        return Workspace(
            MatchingTables(self._shape[1], threads), threads, np.empty(most, dtype=np.uint32)
        )

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
            first_digits(whole_half(self._question.rows, self._question.width)),
            part.at.weights.tolist(),
            strict=True,
        )
        group, blocks = start_groups(part, sum(digit * weight for digit, weight in digits))
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
        known = [_load(each) for each in said]
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
        self, at: int, asked: Iterable[tuple[int, list[AnyBlock]]], modulus: int
    ) -> Generator[GroupResult, None, None]:
        """What groups come to, from what lies in some slots, in their order."""
        if self._executor is None:
            for group, slots in asked:
                yield run_phase(self._parts, at, group, _load_all(slots), modulus, self._here)
        else:
            pieces = (
                (self._shape, at, each, [*_load_all(slots)], modulus) for each, slots in asked
            )
            yield from run_tasks(self._executor, run_phase_in_worker, pieces)


_ANEW = "remove its folder and run again to count from the start"
"""What was given to a group is made from what is gone."""


def _load_all(slots: list[AnyBlock]) -> Iterator[Blocks]:
    """What lies in some slots, all of which must hold something."""
    for each in slots:
        if (blocks := _load(each)) is None:
            raise StoreError(f"{each} is missing: expected what a group was given; {_ANEW}")
        yield blocks


def _load(slot: AnyBlock) -> dict[str, Any] | None:
    """What lies in a slot, without which nothing goes on."""
    try:
        return slot.load()
    except DamagedError as error:
        raise StoreError(f"{error.path} is damaged: expected its SHA-256; {_ANEW}") from None
