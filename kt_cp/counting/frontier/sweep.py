"""From the first step to the last: numbers that get longer, memory that ends.

A state is followed by another in one way at most, since different edges give different degrees.
So no number after a step is greater than the sum of all before it, times the ways of its edges.
Where that, taken exactly, does not fit in the words of a number, there is one word more: nothing
can overflow.  What edges have turns and ways for is told in :mod:`.frontier`.

One step: the states that follow, each once and in order.

The states that follow are sorted, and equal ones become one, whose number is the sum of theirs, or
what else is made of two.  That is done for some ten thousand states at a time, which the
processor's cache holds, and then for what is left of all, a range of states at a time.  What
follows from states in order is in order but for a few fields, which a sort by merging makes use of.
There is no table with room to spare, and nothing is compiled: a small count ends before Numba would
have been loaded, and a large one takes as long as by a compiled table of hashes.

One Hamiltonian cycle of a narrow graph, or that it has none.

The sweep that counts asks nothing but the width of the frontier: it goes through long reasoning on
a long graph in time linear in its length.  Where one cycle is enough, no number is needed either:
beside each state stands the place of one that it follows, and which edges were chosen.  It ends
when a cycle closes, or when no state is left, and then there is none.  The places are kept, and
the cycle is read on the way back.

Long graphs mostly repeat themselves, and then their steps do: the same slots, and the same states
before.  So what follows few states is kept by these two, and looked up the next time.  On periodic
graphs, whatever the numbers of their vertices, that is nearly every step.

Source: that of :mod:`.frontier`.  Cost: two fifths of a microsecond a state and step, two tenths of
a millisecond a step, or a hundredth of that if it is looked up, and eight bytes a state.
Generalized Petersen graphs and flower snarks of any length have a few dozen states
(``benchmarks/MEASURED.md``), where search needs luck.  When it loses: where the frontier is wide,
at once; and a cycle that is easily found is found sooner by search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.counting.frontier.transitions import TURN, SweepPlan, Transition, VertexStep, transitions
from kt_cp.model.cycle import CycleForm, cycles_of
from kt_cp.model.errors import EndedError
from kt_cp.model.progress import Progress

if TYPE_CHECKING:
    from kt_cp.counting.frontier.transitions import Numbers, Table

    Joined = Callable[[Table, Numbers], Table]
    from kt_cp.counting.frontier.transitions import Numbers, Table, Transition
    from kt_cp.processes.store import Store


CHUNK = 1 << 16
"""States that are followed at a time."""

SAMPLED = 64
"""Each how manieth state of a part may be the end of a range."""

HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def advance_states(
    states: Table,
    step: VertexStep,
    plan: SweepPlan,
    numbered: Callable[[Transition, int], Table],
    joined: Joined | None = None,
    look: Callable[[list[Table]], None] | None = None,
) -> tuple[Table, list[Table]]:
    """The table of all states after a step, and the numbers of what closes a cycle in it.

    ``numbered``: the numbers of what follows in one way some states, of which the first one's place
    is told; ``look``: given what there is, whenever that is more.
    """
    parts, closed = [], []
    for at in range(0, max(1, states.shape[1]), CHUNK):
        blocks, some = [], states[:, at : at + CHUNK]
        for way in (
            turn
            for each in transitions(some, step, plan)
            for turn in _turns(each, some, step, plan)
        ):
            numbers = numbered(way, at)
            if way.states is None:
                closed.append(numbers)
            else:
                blocks.append(np.vstack([way.states, numbers]))
        parts.append(merge_states(np.hstack(blocks), plan.words, joined))
        if look is not None:
            look(parts)
    return merge_parts(parts, plan.words, joined) if len(parts) > 1 else parts[0], closed


def _turns(
    way: Transition, states: Table, step: VertexStep, plan: SweepPlan
) -> Iterator[Transition]:
    """What follows, as often as its edges have ways, with the sum of their turns in the states."""
    if not (plan.turns or plan.odd):
        yield way
        return
    for odd, many in enumerate(plan.ways(step, way.picks)):
        if way.states is None:
            rows = way.rows[(states[0, way.rows] >= TURN) ^ odd == plan.odd]
            yield from [way._replace(rows=rows)] * many
        else:
            made = way.states.copy()
            made[0] ^= TURN * np.uint64(odd)
            yield from [way._replace(states=made)] * many


def merge_states(table: Table, words: int, joined: Joined | None = None) -> Table:
    """The states of a table, each once and in order, with the sums of their numbers.

    ``table``: no sum of numbers is longer than they are; ``joined``: what makes one of the numbers
    from each start to the next, in place of their sum.

    Examples
    --------
    >>> merge_states(np.array([[7, 5, 7], [1, 2, 4]], dtype=np.uint64), 1).tolist()
    [[5, 7], [2, 5]]
    """
    order = np.lexsort(table[:words][::-1]) if words > 1 else np.argsort(table[0], kind="stable")
    states = table[:words].take(order, axis=1)
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (states[:, 1:] != states[:, :-1]).any(axis=0)
    starts = np.flatnonzero(fresh)
    numbers = (joined or _sums)(table[words:].take(order, axis=1), starts)
    return np.vstack([states.take(starts, axis=1), numbers])


def merge_parts(parts: list[Table], words: int, joined: Joined | None = None) -> Table:
    """Several such tables as one: the states between two of a sample are merged at a time.

    Examples
    --------
    >>> one = np.array([[5, 7], [2, 5]], dtype=np.uint64)
    >>> merge_parts([one, one], 1).tolist()
    [[5, 7], [4, 10]]
    """
    sample = np.sort(np.hstack([part[0, ::SAMPLED] for part in parts]))
    cuts = sample[CHUNK // SAMPLED :: CHUNK // SAMPLED]
    ranges = [[0, *np.searchsorted(part[0], cuts).tolist(), part.shape[1]] for part in parts]
    each = zip(*(pairwise(ends) for ends in ranges), strict=True)
    return np.hstack([
        merge_states(
            np.hstack([part[:, i:j] for part, (i, j) in zip(parts, ends, strict=True)]),
            words,
            joined,
        )
        for ends in each
    ])  # fmt: skip


def _sums(numbers: Table, starts: Numbers) -> Table:
    """The sums of columns from each start to the next one."""
    if len(numbers) == 1:
        return np.add.reduceat(numbers, starts, axis=1)
    found = np.empty((len(numbers), len(starts)), dtype=np.uint64)
    carry = np.zeros(len(starts), dtype=np.uint64)
    for limb, place in zip(numbers, found, strict=True):
        lower = np.add.reduceat(limb & LOW, starts) + carry
        upper = np.add.reduceat(limb >> HALF, starts) + (lower >> HALF)
        place[:] = upper << HALF | lower & LOW
        carry = upper >> HALF
    return found


HELD = 2
"""Times the states that follow are held while parts become one."""

SHARE = 10
"""A step is saved when that many times as long has gone by as saving took the last time."""


def join_words(limbs: Any) -> int:
    """A number of some words, the lowest first.

    Examples
    --------
    >>> join_words(np.array([1, 2], dtype=np.uint64)) == 2 * 2**64 + 1
    True
    """
    return sum(int(limb) << 64 * place for place, limb in enumerate(limbs))


def sum_numbers(numbers: Table) -> int:
    """The sum of numbers, of which each is a column.

    Examples
    --------
    >>> sum_numbers(np.array([[2**64 - 1, 1], [0, 3]], dtype=np.uint64)) == 2**64 * 4
    True
    """
    halves = ((int((limbs >> HALF).sum()), int((limbs & LOW).sum())) for limbs in numbers)
    return sum((upper << 32) + lower << 64 * at for at, (upper, lower) in enumerate(halves))


class FrontierSweep:
    """All states after one step, and how many cycles closed so far.

    ``at``: steps that are done; ``table``: the words of each state, and then those of its number.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> sweep = FrontierSweep(SweepPlan(index_board(Board(5, 6)), [], range(30)))
    >>> while sweep.at < 30:
    ...     sweep.advance()
    >>> sweep.tours
    8
    """

    def __init__(self, plan: SweepPlan, memory_limit: float | None = None) -> None:
        self.plan = plan
        self._limit = memory_limit
        self.at, self.tours = 0, 0
        self.table = np.zeros((plan.words + 1, 1), dtype=np.uint64)
        self.table[plan.words] = 1

    @property
    def held(self) -> int:
        """How many states there are."""
        return int(self.table.shape[1])

    @property
    def limbs(self) -> int:
        """Words of a number."""
        return len(self.table) - self.plan.words

    def advance(self) -> None:
        """Take the next step."""
        try:
            self._advance()
        except MemoryError:
            raise EndedError(f"memory ran out {self._where}") from None

    def _advance(self) -> None:
        words, step = self.plan.words, self.plan.steps[self.at]
        if sum_numbers(self.table[words:]) * self.plan.most_ways(step) >> 64 * self.limbs:
            self.table = np.vstack([self.table, np.zeros((1, self.held), dtype=np.uint64)])
        source, numbers = self.table, self.table[words:]
        self.table, closed = advance_states(
            source[:words],
            step,
            self.plan,
            lambda way, at: numbers[:, at : at + CHUNK].take(way.rows, axis=1),
            look=lambda parts: self._look(source.nbytes + HELD * sum(it.nbytes for it in parts)),
        )
        self.tours += sum(map(sum_numbers, closed))
        self.at += 1

    def _look(self, needed: int) -> None:
        if self._limit is not None and needed > self._limit * 1e6:
            raise EndedError(
                f"the memory limit of {self._limit:g} MB was reached: {needed / 1e6:,.1f} MB"
                f" needed {self._where}"
            )

    @property
    def _where(self) -> str:
        return f"after {self.at} of {len(self.plan.steps)} steps with {self.held:,} states"

    def content(self) -> dict[str, Any]:
        """What :meth:`resume` needs."""
        return {"states": np.ascontiguousarray(self.table.T), "tours": self.tours}

    def resume(self, at: int, content: dict[str, Any]) -> None:
        """Go on after a step, with what was saved then."""
        self.table, self.tours = np.ascontiguousarray(content["states"].T), int(content["tours"])
        self.at = at


def count_cycles(
    plan: SweepPlan,
    *,
    progress: Progress | None = None,
    store: Store | None = None,
    memory_limit: float | None = None,
) -> int:
    """Number of Hamiltonian cycles of a plan's graph that use all its forced edges.

    The parameters are those of :meth:`kt_cp.counting.method.Method.count`.
    """
    sweep = FrontierSweep(plan, memory_limit)
    if store is not None and store.done():
        saved = store.load(store.done())
        if saved is not None:
            sweep.resume(store.done(), saved)
    due, steps = time.monotonic(), len(plan.steps)
    while sweep.at < steps and sweep.held:
        sweep.advance()
        if progress is not None:
            progress({"step": sweep.at, "steps": steps, "states": sweep.held})
        if store is not None and time.monotonic() >= due:
            began = time.monotonic()
            store.save(sweep.at, sweep.content())
            due = time.monotonic() + SHARE * (time.monotonic() - began)
    return sweep.tours


FEW, KEPT = 512, 4_096
"""Of so many states what follows is kept, for so many steps: at most some 70 megabytes."""

BITS = 11
"""For the number of a way to choose at most two of a frontier's vertices."""

LEAST = partial(np.minimum.reduceat, axis=1)


def one_cycle(
    form: CycleForm, order: Sequence[int], *, most: int, should_stop: Callable[[], bool]
) -> tuple[list[int] | None, bool, int]:
    """Find a cycle of a form, or that there is none, or give up.

    ``order``: in which its vertices are dealt with; ``most``: states of all steps, those aside that
    are looked up; ``should_stop``: asked before every step.  Returns ``cycle``: the vertices in
    order; None if none was found; ``exhausted``: whether the question is settled; ``states``: how
    many were met.

    Examples
    --------
    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> form = cycle_form(Problem("10x3", closed=True))
    >>> cycle, exhausted, states = one_cycle(form, range(30), most=5_000, should_stop=lambda: False)
    >>> len(cycle), exhausted
    (30, True)
    """
    plan = SweepPlan(form.graph, form.forced, order)
    search, met = _Search(plan), 0
    found = search.first
    trail = []
    for step in plan.steps:
        trail.append(found.origins)
        met += len(found.origins)
        if search.followed + len(found.origins) > most or should_stop():
            return None, False, met
        found = search.after(found.states, step)
        if found.closed is not None:
            return cycles_of(search.links(trail, found.closed))[0], True, met
        if not len(found.origins):
            break
    return None, True, met


class _KnownStep(NamedTuple):
    """What a step leads to: states, the origin of each, and of a closed cycle, where there is one.

    An origin is the place of a state before the step, and in its last ``BITS`` the number of a way.
    """

    states: Table
    origins: Numbers
    closed: int | None


class _Search:
    """The steps of a plan, the ways to choose edges in them by their numbers, and what is kept."""

    def __init__(self, plan: SweepPlan) -> None:
        self.plan, self.followed = plan, 0
        self._numbers: dict[tuple[int, ...], int] = {}
        self._kept: dict[tuple[int, bytes], _KnownStep] = {}

    @property
    def first(self) -> _KnownStep:
        """Before the first step."""
        return _KnownStep(np.zeros((self.plan.words, 1), np.uint64), np.zeros(1, np.uint64), None)

    def after(self, states: Table, step: VertexStep) -> _KnownStep:
        """What follows states in a step."""
        if states.shape[1] > FEW:
            return self._after(states, step)
        key = step.kind, states.tobytes()
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) == KEPT:
                self._kept.clear()
            found = self._kept[key] = self._after(states, step)
        return found

    def _after(self, states: Table, step: VertexStep) -> _KnownStep:
        words = self.plan.words
        self.followed += states.shape[1]
        table, closed = advance_states(states, step, self.plan, self._origins, LEAST)
        ends = (int(origins[0, 0]) for origins in closed if origins.size)
        return _KnownStep(table[:words], table[words].copy(), next(ends, None))

    def _origins(self, way: Transition, at: int) -> Table:
        number = self._numbers.setdefault(way.picks, len(self._numbers))
        return (way.rows[None] + at << BITS | number).astype(np.uint64)

    def links(self, trail: list[Numbers], origin: int) -> list[list[int]]:
        """The neighbours of each vertex on the cycle that closes after the last states."""
        links: list[list[int]] = [[] for _ in self.plan.order]
        ways = [*self._numbers]
        for step, origins in zip(self.plan.steps[len(trail) - 1 :: -1], trail[::-1], strict=True):
            for pick in ways[origin & (1 << BITS) - 1]:
                other = step.others[pick]
                links[step.vertex].append(other)
                links[other].append(step.vertex)
            origin = int(origins[origin >> BITS])
        return links
