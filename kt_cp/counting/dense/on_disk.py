"""A count with its array in a store or with workers: by phases, and by groups of keys.

**Phases.**  The steps of one row form two phases, on the even columns of the older row and on the
odd ones: edges to the next row join columns of the same parity, and new squares take the slots
of finished ones.  So a phase of width w touches about w of 2w slots.  The digits of the
others are the *key* of a pattern.  No step moves anything from one key to another: a phase is a map
over keys, and keys are independent.  Between two phases the array is distributed anew, by the key
of the next one.  On odd widths one slot of each row gets another digit with its next square; that
is the last step of a phase, and part of the distribution.

The array of a phase has the digits of its key as the high ones (see ``matchings``), so that a key's
blocks are neighbours.  Keys that fit into memory together are a *group*, an array of its own.
At the meeting of two halves, the partner of a pattern has its digits in opposite order.  So in the
last phase a slot belongs to the key if its opposite does, and a key is in the group of its partner.

**The store.**  An array of width 9 has 45 GB, but a phase needs only a group at a time.  A group
writes a block for each group of the next phase: the patterns that are live, and their entries (see
``state_array``).  It reads its own blocks, applies the steps of the phase, and writes; then its own
blocks are removed.  So the disk holds one array at a time, and one more group.  Step 1 is the
initial state.  Each further step is a phase, in which every group has a record of the blocks that
it wrote and the tours that it counted.  A step names the blocks of the next one, so that a missing
block is noticed.  An interruption loses one group, or those that workers are processing.

A group is also a task for an executor.  Its worker reads and writes the blocks itself, in the
store, which all workers must be able to access.  Without a store the blocks are in temporary
folders (see :mod:`kt_cp.processes.scratch`).  The coordinator receives a few bytes for each group.

Boards with a half that is not the mirror image of the other would need a second array, and are not
supported.  Source: the distribution by keys is ours.  Cost: entries are copied twice a phase, and
written and read if groups are on disk; on width 9 there are 6,561 or 19,683 keys, the largest with
434 of 11,339 million entries.  Importing this loads Numba.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from kt_cp.counting.dense.half_sweep import DenseCount
from kt_cp.counting.dense.halves import (
    WIDEST,
    Edge,
    End,
    Half,
    Step,
    Turn,
    first_digits,
    sweep_steps,
)
from kt_cp.counting.dense.matchings import (
    Digits,
    Layout,
    MatchingTables,
    digit_contributions,
    layout_of_digits,
)
from kt_cp.counting.dense.meeting import meet, partner_digits, partner_parts
from kt_cp.counting.dense.state_array import StateArray, Threads, block_slices, put, take_blocks
from kt_cp.model.errors import DamagedError, StoreError
from kt_cp.processes.executors import at_once
from kt_cp.processes.scratch import Scratch, this_host
from kt_cp.processes.task_queue import Done, run_tasks

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from kt_cp.counting.dense.halves import HalvedProblem
    from kt_cp.counting.dense.state_array import Blocks
    from kt_cp.model.request import Progress
    from kt_cp.processes.scratch import ScratchBlock
    from kt_cp.processes.store import Block, Store


class Phase(NamedTuple):
    """Steps that touch only some of the slots."""

    steps: list[Step]  # edges and turns
    slot: int  # its digit changes after them; or -1
    change: tuple[int, int] | None  # its digits before and then
    touched: tuple[int, ...]  # slots
    key: tuple[int, ...]  # the other slots
    total: int  # sum of the digits of a pattern


def phases(half: Half) -> list[Phase]:
    """Return the phases of a half of a whole board, for closed tours.

    Examples
    --------
    >>> [len(phase.key) for phase in phases(whole_half(8, 9))]
    [8, 9, 8, 9, 8, 9, 10, 10]
    """
    *rows, crossing = sweep_steps(half)
    # Edges between two rows may be in any order, because they remove no state.
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
    """Return the upper half of a whole board of an even number of rows, for closed tours."""

    def square(row: int, column: int) -> tuple[int, int] | None:
        return (row, column) if row < rows and 0 <= column < width else None

    return Half(width, rows // 2, square, lambda *_: False, lambda _: None)


def _parity(step: Step) -> int:
    """Return the parity of the column of the older square."""
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
    group_of: NDArray[np.int64]  # the group of each key
    place: NDArray[np.int64]  # the index of each key in its group
    # in the last phase, what low and high digits of a pattern add to its partner's number
    partners: tuple[NDArray[np.int64], NDArray[np.int64]] | None

    def layout(self, group: int) -> tuple[Layout, int]:
        """Return the layout of a group's own array, and its number of entries."""
        keys = self.groups[group]
        ends = np.cumsum(self.sizes[keys])
        high = Digits(*(each[keys] for each in self.at.high))
        return self.at._replace(starts=ends - self.sizes[keys], high=high), int(ends[-1])


def phase_array(phase: Phase, most: int, half: Half | None = None) -> PhaseArray:
    """Return a phase's keys in groups of at most ``most`` entries, or of a single key.

    ``half`` is given in the last phase of a half that meets its mirror image; keys are then grouped
    with their partners.
    """
    at, entries = layout_of_digits(phase.touched, phase.key, phase.total, 0)
    partners = None if half is None else partner_parts(at, at, partner_digits(half, half))
    sizes = np.diff(np.append(at.starts, entries))
    of_key, lows = sizes.tolist(), len(at.low.sums)
    partner = range(len(sizes)) if partners is None else (partners[1] // lows).tolist()
    group_of = np.full(len(sizes), -1, dtype=np.int64)
    # Keys with the same number of ends need the same tables, so they are together.
    order = np.lexsort((np.arange(len(sizes)), at.high.ones, at.high.counts))
    number, held = 0, 0
    for key in order[sizes[order] > 0].tolist():
        if group_of[key] >= 0:
            continue
        both = {key, partner[key]}
        size = sum(of_key[each] for each in both)
        if held and held + size > most:
            number, held = number + 1, 0
        group_of[[*both]] = number
        held += size
    groups = [np.flatnonzero(group_of == each) for each in range(number + 1)]
    place = np.zeros(len(sizes), dtype=np.int64)
    for keys in groups:
        place[keys] = np.arange(len(keys))
    return PhaseArray(phase, at, sizes, groups, group_of, place, partners)


def numbers_after(
    part: PhaseArray, after: PhaseArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the contributions of low and high digits of a pattern to its next number."""
    weights = after.at.weights.tolist()
    worth = [[0, weight, 2 * weight] for weight in weights]
    if part.phase.change is not None:
        before, then = part.phase.change
        worth[part.phase.slot][before] = then * weights[part.phase.slot]
    return digit_contributions(part.at, worth)


class Workspace(NamedTuple):
    """The tables, threads and memory that a process reuses for every group."""

    tables: MatchingTables  # of the width of the board
    threads: Threads
    memory: NDArray[np.uint32] | None = None  # for the entries of a group; new without it


def make_group(
    part: PhaseArray, group: int, given: Iterable[Blocks], modulus: int, tools: Workspace
) -> StateArray:
    """Return the array of a group after all steps of its phase."""
    states = StateArray(*part.layout(group), modulus, tools.memory)
    lows = len(states.at.low.sums)
    for blocks in given:
        for patterns, rows in block_slices(blocks):
            key, low = np.divmod(patterns, lows)
            put(states, [(part.place[key] * lows + low, rows)])
    if states.any:
        for step in part.phase.steps:
            assert not isinstance(step, End)
            states.step(step, tools.tables, tools.threads)
    return states


def deal_groups(
    states: StateArray, part: PhaseArray, group: int, after: PhaseArray
) -> Iterator[tuple[int, Blocks]]:
    """Yield the groups of the next phase that receive blocks, with their blocks."""
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


LARGE, SENT = 400_000_000, 30_000_000
"""Entries of a group, unless a single key has more: above width eight, and up to it."""

_OWN = threading.local()

AnyBlock: TypeAlias = "Block | ScratchBlock"


@lru_cache(4)
def phase_parts(rows: int, width: int, most: int) -> tuple[PhaseArray, ...]:
    """Return the phases of the closed tours of a board, each in groups of at most ``most``."""
    half = whole_half(rows, width)
    *others, last = phases(half)
    return *(phase_array(phase, most) for phase in others), phase_array(last, most, half)


def workspace(shape: tuple[int, int, int], workers: int | None) -> Workspace:
    """Return the workspace of this thread; its tables take seconds to make."""
    if getattr(_OWN, "shape", None) != (shape, workers):
        _OWN.shape, _OWN.tools = (shape, workers), None  # frees the one before
        most = max(
            part.layout(group)[1]
            for part in phase_parts(*shape)
            for group in range(len(part.groups))
        )
        threads, memory = Threads(workers), np.empty(most, dtype=np.uint32)
        _OWN.tools = Workspace(MatchingTables(shape[1], threads), threads, memory)
    tools: Workspace = _OWN.tools
    return tools


def prepare(shape: tuple[int, int, int]) -> None:
    """Make the workspace of a worker, as a task."""
    workspace(shape, 1)


class GroupResult(NamedTuple):
    """The result of a group in a phase."""

    tours: int  # in the last phase, the tours of the group with its mirror image
    given: NDArray[np.uint8]  # for each group of the next phase, whether it got a block
    bytes: int  # of these blocks
    host: str  # the machine that has them, if it is one of a cluster


def run_phase(
    shape: tuple[int, int, int],
    at: int,
    group: int,
    inputs: Sequence[Any],
    outputs: Sequence[AnyBlock],
    modulus: int,
    workers: int | None,
) -> Done:
    """Run a phase on a group, as a task: read its blocks, and write those of the next groups.

    ``outputs`` has a destination for each group of the next phase.  ``workers`` is the number of
    threads, or None for all processors.
    """
    parts, tools = phase_parts(*shape), workspace(shape, workers)
    part, tours, size = parts[at], 0, 0
    given = np.zeros(len(outputs), dtype=np.uint8)
    states = make_group(part, group, _load_all(inputs), modulus, tools)
    if outputs:
        for to, blocks in deal_groups(states, part, group, parts[at + 1]):
            outputs[to].save(blocks)
            given[to] = 1
            size += sum(each.nbytes for each in blocks.values())
    elif states.any and part.partners is not None:
        low, high = part.partners
        local = part.place[high[part.groups[group]] // len(low)] * len(low)
        tours = meet(states, states, (low, local), tools.tables, tools.threads)
    return Done(GroupResult(tours, given, size, this_host()))


class OnDisk(DenseCount):
    """A :class:`DenseCount` of the closed tours of a whole board, in groups of keys.

    ``most`` is the largest number of entries of a group.  ``executor`` runs phases on groups.
    """

    def __init__(
        self,
        question: HalvedProblem,
        store: Store | None = None,
        progress: Progress | None = None,
        most: int = 0,
        executor: Executor | None = None,
    ) -> None:
        super().__init__(question, progress, store)
        most = most or (LARGE if question.width > WIDEST else SENT)
        self._shape = question.rows, question.width, most
        self._parts = phase_parts(*self._shape)
        self._steps = len(self._parts) + 1
        self._scratch = Scratch(executor)
        self._prepared: list[Future[None]] = []
        self._bytes = 0

    def _block(self, step: int, key: str) -> AnyBlock:
        return (self._store or self._scratch).block(step, key)

    def run(self, modulus: int, first: int) -> int:
        """Count modulo a number; its steps in a store follow the first ``first`` steps."""
        name = f"residue-{modulus}"
        if name in self._known:
            return int(self._known[name])
        if self._stored.get("modulus") == modulus:
            done, given = self._done - first, self._stored["given"]
        else:
            done, given = 1, np.zeros((1, len(self._parts[0].groups)), dtype=np.uint8)
            given[0, self._begin()[0]] = 1
            self._save_given(first + 1, modulus, given)
        hosts = [""] * len(given)
        with closing(self._scratch):
            for number in range(done, len(self._parts) + 1):
                step = first + number + 1
                rows = [*self._groups(number - 1, given, hosts, step, modulus)][::-1]
                given, hosts = np.array([row.given for row in rows]), [row.host for row in rows]
                if number == len(self._parts):
                    total = sum(row.tours for row in rows)
                    self._known[name] = total % modulus if modulus else total
                else:
                    self._save_given(step, modulus, given)
                self._scratch.drop(step)
        self._stored = {}
        self._save(first + self._steps, modulus, [])
        return int(self._known[name])

    def _begin(self) -> tuple[int, Blocks]:
        """Return the group of the initial state, and its block."""
        part = self._parts[0]
        digits = first_digits(whole_half(self._question.rows, self._question.width))
        pattern = int(np.array(digits) @ part.at.weights)
        entry = np.ones((1, 1), dtype=np.uint8)
        group = int(part.group_of[pattern // len(part.at.low.sums)])
        return group, {"patterns-0": np.array([pattern]), "values-0": entry}

    def _save_given(self, step: int, modulus: int, given: NDArray[np.uint8]) -> None:
        if self._store is not None:
            self._store.save(step, {"modulus": modulus, "given": given, **self._known})

    def _groups(
        self, at: int, given: NDArray[np.uint8], hosts: list[str], step: int, modulus: int
    ) -> Iterator[GroupResult]:
        """Run a phase on all unfinished groups; yield their results, the last group first.

        The last groups have the most ends and take longest.
        """
        part = self._parts[at]
        after = range(len(self._parts[at + 1].groups) if at + 1 < len(self._parts) else 0)
        empty = GroupResult(0, np.zeros(len(after), dtype=np.uint8), 0, "")
        records = [self._block(step, f"done-{group}") for group in range(len(part.groups))]
        known = [_load(each) for each in records]

        def inputs(group: int) -> list[Any]:
            givers = np.flatnonzero(given[:, group]).tolist()
            return [self._block(step, f"{group}-{each}") for each in givers]

        def arguments(group: int) -> tuple[Any, ...]:
            givers = [hosts[each] for each in np.flatnonzero(given[:, group]).tolist()]
            blocks = inputs(group)
            if at == 0:
                blocks = [self._begin()[1]]
            elif self._store is None:
                blocks = self._scratch.fetch(blocks, givers)
            outputs = [self._block(step + 1, f"{to}-{group}") for to in after]
            threads = None if self._scratch.executor is None else 1
            return self._shape, at, group, blocks, outputs, modulus, threads

        groups = range(len(part.groups))[::-1]
        tasks = (arguments(each) for each in groups if known[each] is None and given[:, each].any())
        with closing(self._run(tasks)) as results:
            for group in groups:
                if (record := known[group]) is not None:
                    result = empty._replace(tours=int(record["tours"]), given=record["given"])
                else:
                    result = next(results) if given[:, group].any() else empty
                    records[group].save({"tours": result.tours, "given": result.given})
                for each in inputs(group):
                    each.drop()
                self._bytes += result.bytes
                if self._progress is not None:
                    entries = int(part.sizes[part.groups[group]].sum())
                    work = {"step": at + 2, "steps": self._steps, "states": entries}
                    self._progress({**work, "MB written": self._bytes / 1e6})
                yield result

    def _run(self, tasks: Iterable[tuple[Any, ...]]) -> Generator[GroupResult, None, None]:
        """Yield the results of tasks, in order."""
        executor = self._scratch.executor
        if executor is None:
            yield from (run_phase(*task).value for task in tasks)
            return
        if not self._prepared:  # at the same time, although the first phase has one group
            each = range(at_once(executor))
            self._prepared = [executor.submit(prepare, self._shape) for _ in each]
        yield from run_tasks(executor, run_phase, tasks)


# The input of a group cannot be recomputed, because the blocks before it are removed.
_ANEW = "remove its folder and run again to count from the start"


def _load_all(inputs: Iterable[Any]) -> Iterator[Blocks]:
    """Yield the contents of blocks or of lists of blocks; no block may be empty."""
    for each in inputs:
        if isinstance(each, list):
            yield from _load_all(each)
        else:
            blocks = each if each is None or isinstance(each, Mapping) else _load(each)
            if blocks is None:
                raise StoreError(f"{each} is missing: expected the input of a group; {_ANEW}")
            yield blocks


def _load(block: AnyBlock) -> dict[str, Any] | None:
    """Return the content of a block that cannot be recomputed."""
    try:
        return block.load()
    except DamagedError as error:
        raise StoreError(f"{error.path} is damaged: expected its SHA-256; {_ANEW}") from None
