"""A half board's steps in phases: each touches some slots alone, and the digits of the rest stay.

The steps of one row fall into two phases, on the even columns of the older row and on the odd ones:
edges to the next row join columns of the same parity, and the squares that come take the slots of
those that go.  So a phase of width w touches some w slots of 2w.  The digits of the others are the
*key* of a pattern.  No step moves anything from one key to another: a phase is a map over keys, and
keys are independent.  Between two phases the array is dealt out anew, by the key of the next one.

The array of a phase has the digits of its key as the high ones (see ``patterns``), so that a key's
blocks lie together.  Keys that fit into memory together are a *group*, an array of its own.

On odd widths one slot of each row gets another digit with its next square.  That is the last step
of a phase, and done while the array is dealt out.

Where two halves meet, the partner of a pattern has its digits in opposite order.  So in the last
phase a slot belongs to the key if its opposite does, and a key is in the group of its partner.

Source: the distribution by keys is of this package.  Cost: on width 9 there are 6,561 or 19,683
keys, the largest with 434 of 11,339 million entries.
"""

from __future__ import annotations

from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.dense.halves import Edge, Half, Step, Turn, beginning, steps
from kt_cp.counting.dense.matchings import Digits, Layout, laid_out, parts_of
from kt_cp.counting.dense.meeting import partner_parts, partners

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Phase(NamedTuple):
    """Steps that touch some slots only.

    Attributes
    ----------
    steps : list
        Edges and turns.
    slot, change
        The slot whose digit changes after them, and its digits before and then; or -1 and None.
    touched, key : tuple of int
        Slots.
    total : int
        Sum of the digits of a pattern.
    """

    steps: list[Step]
    slot: int
    change: tuple[int, int] | None
    touched: tuple[int, ...]
    key: tuple[int, ...]
    total: int


def phases(half: Half) -> list[Phase]:
    """The phases of a half of a whole board, for closed tours.

    Examples
    --------
    >>> [len(phase.key) for phase in phases(whole_half(8, 9))]
    [8, 9, 8, 9, 8, 9, 10, 10]
    """
    *rows, crossing = steps(half)
    # Edges between two rows may come in any order: they take nothing away.
    ordered = sorted(crossing, key=_parity)
    total, found = sum(beginning(half)), []
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


class Part(NamedTuple):
    """The array of a phase, as groups of keys.

    Attributes
    ----------
    phase : Phase
    at : Layout
        Of the array of all keys.
    sizes : int64 array
        Entries of each key.
    groups : list of int64 arrays
        The keys of each group, ascending.
    group_of, place : int64 arrays
        The group of each key, and its place there.
    partners : pair of int64 arrays, or None
        In the last phase, what low digits of a pattern add to its partner's number, and high ones.
    """

    phase: Phase
    at: Layout
    sizes: NDArray[np.int64]
    groups: list[NDArray[np.int64]]
    group_of: NDArray[np.int64]
    place: NDArray[np.int64]
    partners: tuple[NDArray[np.int64], NDArray[np.int64]] | None

    def layout(self, group: int) -> tuple[Layout, int]:
        """The layout of a group's own array, and how many entries it has."""
        keys = self.groups[group]
        ends = np.cumsum(self.sizes[keys])
        high = Digits(*(each[keys] for each in self.at.high))
        return self.at._replace(starts=ends - self.sizes[keys], high=high), int(ends[-1])


def parted(phase: Phase, room: int, half: Half | None = None) -> Part:
    """A phase's keys in groups of at most so many entries, or of a single key.

    In the last phase of a half that meets its mirror image, keys are with their partners; the half
    is given then.
    """
    at, entries = laid_out(phase.touched, phase.key, phase.total, 0)
    partnered = None if half is None else partner_parts(at, at, partners(half, half))
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
    return Part(phase, at, sizes, groups, group_of, place, partnered)


def numbers_after(part: Part, after: Part) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the low digits of a pattern and the high ones add to its number in the next phase."""
    weights = after.at.weights.tolist()
    worth = [[0, weight, 2 * weight] for weight in weights]
    if part.phase.change is not None:
        before, then = part.phase.change
        worth[part.phase.slot][before] = then * weights[part.phase.slot]
    return parts_of(part.at, worth)
