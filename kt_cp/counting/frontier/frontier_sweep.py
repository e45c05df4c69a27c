"""A sweep over the vertices of a graph: the states of the frontier after each, with their numbers.

**States.**  A step processes one vertex: all its edges to later vertices are decided at once.  A
vertex on the frontier has a *slot*, a field of a few bits, which holds its *mate*:

* its own number, while the vertex has none of its edges yet (a path of itself alone);
* the slot of the other end of its path, while it has one;
* ``full``, the greatest value, once it has two.

A free slot holds 0.  So a path that grows changes two or three fields, and states are equal if
their words are.  Fields of four bits are enough for 15 slots in a word, as closed tours of boards
seven squares wide need; five and six bits give 12 and 10 in each word, and 31 and 63 slots in all.

**Transitions.**  The vertex of a step still needs none, one or two edges, to later neighbours that
have fewer than two.  Some of these are forced: required edges, and those to neighbours that would
be left with too few.  An edge that joins the two ends of one path closes a cycle.  That is the end
if nothing else is left, and allowed at no other time.  There are few choices: one neighbour or two,
of at most eight on most boards.  NumPy applies each choice to all states.  The conditions are
compared in bytes, many at a time; a word is made only of a state that does follow.

**Merging.**  The next states are sorted, and equal states are merged, with the sum of their numbers
or another combination of them.  This is done for about ten thousand states at a time, which fit
into the processor's cache, and then for the results, a range of states at a time.  The successors
of sorted states are sorted except for a few fields, so merge sort is fast.  There is no hash table
with empty places, and nothing is compiled: a small count ends before Numba would have been loaded,
and a large one takes as long as with a compiled hash table.

**Numbers.**  A state follows another by at most one choice, since different edges give different
degrees.  So no number after a step is greater than the sum of all numbers before it, times the ways
of its edges.  If that sum, computed exactly, does not fit in the words of a number, the numbers get
an additional word, so nothing can overflow.

**One cycle** of a narrow graph, or a proof that no cycle exists, needs no numbers.  Each state is
stored with the index of a state before it and the choice of edges, and the cycle is read backwards.
The sweep handles long reasoning on a long graph in time linear in its length.  Long graphs are
mostly periodic, and so are their steps: they have the same slots and the same states before.  So
the result for a small set of states is cached by these two.  On periodic graphs, whatever the
numbers of their vertices, the cache answers nearly every step.

Source: the mates are those of D. E. Knuth's Simpath, "The Art of Computer Programming" 4A, 2011,
section 7.1.4, exercise 225, here by vertices and with slots that are used again.  Cost: a tenth of
a microsecond a transition while a call fits in the cache, and at least a tenth of a millisecond a
call; for one cycle, two fifths of a microsecond a state and step, two tenths of a millisecond a
step, or a hundredth of that if it is cached, and eight bytes a state.  Generalized Petersen graphs
and flower snarks of any length have a few dozen states (``benchmarks/MEASURED.md``), where search
needs luck.  When it loses: where the frontier is wide; and search finds an easy cycle sooner.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.model.cycle import CycleForm, cycles_of
from kt_cp.model.errors import EndedError, TooLargeError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.request import Progress
from kt_cp.search.frontier_order import frontier_widths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Words = NDArray[np.uint64]
    Bytes = NDArray[np.uint8]
    Flags = NDArray[np.bool_]
    Table = NDArray[np.uint64]
    Joined = Callable[[Table, Numbers], Table]
    from kt_cp.processes.store import Store


Edge = tuple[int, int]
Turns = Mapping[Edge, tuple[int, int]]

FIELDS = {4: 15, 5: 12, 6: 10}
"""Slots in a word of 64 bits, by the bits of each; one bit is left, so that no word is all ones."""

WIDEST = 60
"""Most vertices on a frontier."""

EMPTY = 2**64 - 1
"""A first word that no state has."""

TURN = np.uint64(1 << 63)
"""The bit of a state's first word that is set if the sum of its turns is odd."""


@dataclass(frozen=True)
class VertexStep:
    """One vertex, and all its edges to later ones."""

    vertex: int
    others: tuple[int, ...]  # its later neighbours
    slot: int  # its own, which is free before new ones are in use; -1 without earlier neighbours
    # shape (others, 3): the slot of each later neighbour, whether the edge to it is required, and
    # how many edges it must have after this step
    near: Numbers
    # shape (2, words): the fields of all slots that are new, and the state in which a cycle
    # may close, with all slots full; ``EMPTY`` while a vertex or a required edge is left
    marks: Words
    kind: int  # the same for steps with the same slots and marks


@dataclass(frozen=True)
class SweepPlan:
    """All steps of a graph in an order.

    ``forced`` are the edges that every cycle uses, smaller vertex first.  ``order`` has all
    vertices.  ``turns`` maps edges, smaller vertex first, to the numbers of even and odd turns; a
    missing edge has one even turn.  ``odd`` is true if the turns of a cycle have an odd sum.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> plan = SweepPlan(index_board(Board(6, 6)), [], range(36))
    >>> plan.slots, plan.bits, plan.words, plan.steps[0].others
    (13, 4, 1, (8, 13))
    """

    graph: IndexedGraph
    forced: Sequence[tuple[int, int]]
    order: Sequence[int]
    turns: Turns = field(default_factory=dict)
    odd: bool = False

    def __post_init__(self) -> None:
        if self.slots > WIDEST:
            raise TooLargeError(
                f"expected a frontier of at most {WIDEST} vertices, got {self.slots}"
            )

    @cached_property
    def slots(self) -> int:
        """The most slots that are in use at a time."""
        return max(1, *frontier_widths(self.graph, self.order))

    @cached_property
    def bits(self) -> int:
        """Bits of a slot."""
        return next(bits for bits in FIELDS if self.slots < 1 << bits)

    @property
    def full(self) -> int:
        """The value in the slot of a vertex with two edges."""
        return (1 << self.bits) - 1

    @cached_property
    def words(self) -> int:
        """Words of a state."""
        return -(-self.slots // FIELDS[self.bits])

    @cached_property
    def places(self) -> Numbers:
        """Word and shift of each slot, shape (slots, 2)."""
        fields = FIELDS[self.bits]
        return np.array([(s // fields, s % fields * self.bits) for s in range(self.slots)])

    @cached_property
    def ones(self) -> Words:
        """The lowest bit of each slot's field in each word, shape (words, slots)."""
        found = np.zeros((self.words, self.slots), dtype=np.uint64)
        for slot, (word, shift) in enumerate(self.places.tolist()):
            found[word, slot] = 1 << shift
        return found

    @cached_property
    def fulls(self) -> Words:
        """All bits of each slot's field in each word."""
        return self.ones * np.uint64(self.full)

    @cached_property
    def others(self) -> Words:
        """All bits of each word except those of each slot's field."""
        return ~self.fulls

    def _marks(self, entering: tuple[int, ...], last: tuple[int, ...] | None) -> Words:
        marks = np.full((2, self.words), EMPTY, dtype=np.uint64)
        marks[0] = self.ones[:, list(entering)] @ np.array(entering, dtype=np.uint64)
        if last is not None:
            marks[1] = self.fulls[:, list(last)].sum(axis=1)
        return marks

    def ways(self, step: VertexStep, picks: Iterable[int]) -> tuple[int, int]:
        """Return the numbers of ways of a choice with an even and with an odd sum of turns."""
        even, odd = 1, 0
        for other in (step.others[pick] for pick in picks):
            edge = min(step.vertex, other), max(step.vertex, other)
            here, there = self.turns.get(edge, (1, 0))
            even, odd = even * here + odd * there, even * there + odd * here
        return even, odd

    def most_ways(self, step: VertexStep) -> int:
        """Return the most ways of a choice of a step."""
        each = sorted(sum(self.ways(step, (pick,))) for pick in range(len(step.others)))
        return max(1, *(math.prod(each[at:]) for at in (-1, -2)))

    @cached_property
    def steps(self) -> list[VertexStep]:
        """The steps, in order."""
        return list(self._steps())

    def _steps(self) -> Iterator[VertexStep]:
        forced = {*self.forced, *((v, u) for u, v in self.forced)}
        left = self.graph.degrees.tolist()  # edges to later vertices
        slot_of: dict[int, int] = {}
        done, required_left = [False] * len(self.order), len({*self.forced})
        free = list(range(self.slots))[::-1]
        kinds: dict[Any, tuple[int, Numbers, Words, int]] = {}
        for at, vertex in enumerate(self.order):
            done[vertex] = True
            others = [other for other in self.graph.neighbours[vertex] if not done[other]]
            own = slot_of.pop(vertex, -1)
            free += [own] * (own >= 0)
            entering = [(each, free.pop()) for each in others if each not in slot_of]
            slot_of.update(entering)
            near = []
            for other in others:
                left[other] -= 1
                required = (vertex, other) in forced
                required_left -= required
                near.append((slot_of[other], required, max(0, 2 - left[other])))
            slots = tuple(slot for _, slot in entering)
            complete = at + 1 + len(slot_of) == len(self.order) and not required_left
            last = tuple(slot_of.values()) if complete else None
            key = own, tuple(near), slots, last
            if key not in kinds:
                places = np.array(near, dtype=np.int64).reshape(-1, 3)
                kinds[key] = own, places, self._marks(slots, last), len(kinds)
            yield VertexStep(vertex, tuple(others), *kinds[key])


class Transition(NamedTuple):
    """The next states by one choice of edges."""

    picks: tuple[int, ...]  # the later neighbours that the vertex is joined to
    rows: Numbers  # shape (many,): which states allow the choice, in order
    states: Table | None  # shape (words, many): what follows each; None if the cycle closes


class _Near(NamedTuple):
    """A later neighbour: its slot, and its field in each state, free to be chosen or forced."""

    slot: int
    field: Bytes
    free: Flags
    must: Flags


def transitions(states: Table, step: VertexStep, plan: SweepPlan) -> Iterator[Transition]:
    """Yield all states that can follow given states, choice by choice, in a fixed order."""
    enter, done = step.marks[:, :, None]
    left, words = np.full(states.shape[1], 2, dtype=np.int8), states.copy()
    mates = None
    if step.slot >= 0:
        mates = read_fields(states, plan, step.slot)
        left -= mates != step.slot
        left -= mates == plan.full
        words &= plan.others[:, step.slot, None]
    words |= enter
    spare, possible, near = left.copy(), np.ones(len(left), dtype=np.bool_), []
    for slot, forced, need in step.near.tolist():
        field = read_fields(words, plan, slot)
        free, must = field != plan.full, field == slot  # a vertex without an edge
        if need == 2:
            possible &= ~must
        if forced:
            possible &= free
        must = free if forced or need == 2 else must & (need == 1)
        spare -= must
        near.append(_Near(slot, field, free, must))
    rows = (possible & (left == 0) & (spare == 0)).nonzero()[0]
    yield Transition((), rows, words.take(rows, axis=1))
    for many in (1, 2):
        open_ = possible & (left == many) & (spare >= 0)
        for picks in combinations(range(len(near)) if open_.any() else (), many):
            chosen = [near[pick] for pick in picks]
            may, forced_left = open_, spare
            for each in chosen:
                may, forced_left = may & each.free, forced_left + each.must
            rows = (may & (forced_left == many)).nonzero()[0]
            if not len(rows):
                continue
            made = words.take(rows, axis=1)
            ends = [each.field[rows] for each in chosen]
            for each, end in zip(chosen, ends, strict=True):
                made |= (end != each.slot) * plan.fulls[:, each.slot, None]
            slot = chosen[-1].slot
            if many == 1:
                assert mates is not None
                ends.append(mates[rows])
                slot = step.slot
            # A new vertex may have the slot that has just become free.
            around = ends[0] == slot
            if many == 1 and chosen[0].slot == slot:
                around = np.zeros_like(around)
            if around.any():
                # The highest bit of a word is no field: it may hold a sum of turns.
                yield Transition(picks, rows[around & ((made ^ done) << 1 == 0).all(axis=0)], None)
                on = ~around
                rows, made, ends = rows[on], made.compress(on, axis=1), [end[on] for end in ends]
            for end, other in (ends, ends[::-1]):
                made &= plan.others.take(end, axis=1)
                made |= plan.ones.take(end, axis=1) * other
            yield Transition(picks, rows, made)


def read_fields(states: Table, plan: SweepPlan, slot: int) -> Bytes:
    """Return the field of a slot in each state."""
    word, shift = plan.places[slot].tolist()
    field: Table = states[word] >> np.uint64(shift) & np.uint64(plan.full)
    return field.astype(np.uint8)


CHUNK = 1 << 16
"""States that one call advances."""

SAMPLED = 64
"""Distance of the sampled states of a part, which may be ends of ranges."""

HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def advance_states(
    states: Table,
    step: VertexStep,
    plan: SweepPlan,
    numbered: Callable[[Transition, int], Table],
    joined: Joined | None = None,
    look: Callable[[list[Table]], None] | None = None,
) -> tuple[Table, list[Table]]:
    """Return the table of all states after a step, and the numbers of those that close a cycle.

    ``numbered`` returns the numbers of a transition's states, from the index of the first state
    before the step.  ``joined`` combines the numbers of equal states.  ``look`` is called with all
    parts so far.
    """
    parts, closed = [], []
    for at in range(0, max(1, states.shape[1]), CHUNK):
        blocks, some = [], states[:, at : at + CHUNK]
        for transition in (
            turn
            for each in transitions(some, step, plan)
            for turn in _turns(each, some, step, plan)
        ):
            numbers = numbered(transition, at)
            if transition.states is None:
                closed.append(numbers)
            else:
                blocks.append(np.vstack([transition.states, numbers]))
        parts.append(merge_states(np.hstack(blocks), plan.words, joined))
        if look is not None:
            look(parts)
    return merge_parts(parts, plan.words, joined) if len(parts) > 1 else parts[0], closed


def _turns(
    transition: Transition, states: Table, step: VertexStep, plan: SweepPlan
) -> Iterator[Transition]:
    """Yield a transition once for each way of its edges, with the sum of their turns."""
    if not (plan.turns or plan.odd):
        yield transition
        return
    for odd, many in enumerate(plan.ways(step, transition.picks)):
        if transition.states is None:
            rows = transition.rows[(states[0, transition.rows] >= TURN) ^ odd == plan.odd]
            yield from [transition._replace(rows=rows)] * many
        else:
            made = transition.states.copy()
            made[0] ^= TURN * np.uint64(odd)
            yield from [transition._replace(states=made)] * many


def merge_states(table: Table, words: int, joined: Joined | None = None) -> Table:
    """Return the states of a table, each once and in order, with the sums of their numbers.

    No sum of numbers may need more words than ``table`` has.  ``joined`` combines the numbers from
    each start to the next, instead of adding them.

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
    """Merge several tables of states, one range between two sampled states at a time.

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
    """Return the sums of columns from each start to the next one."""
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
"""Copies of the next states that are in memory while parts are merged."""

SHARE = 10
"""A step is saved when this many times the duration of the last save has passed since then."""


def join_limbs(limbs: Any) -> int:
    """Return the number that consists of some 64-bit words, the lowest first.

    Examples
    --------
    >>> join_limbs(np.array([1, 2], dtype=np.uint64)) == 2 * 2**64 + 1
    True
    """
    return sum(int(limb) << 64 * place for place, limb in enumerate(limbs))


def sum_numbers(numbers: Table) -> int:
    """Return the sum of the numbers in the columns.

    Examples
    --------
    >>> sum_numbers(np.array([[2**64 - 1, 1], [0, 3]], dtype=np.uint64)) == 2**64 * 4
    True
    """
    halves = ((int((limbs >> HALF).sum()), int((limbs & LOW).sum())) for limbs in numbers)
    return sum((upper << 32) + lower << 64 * at for at, (upper, lower) in enumerate(halves))


class FrontierSweep:
    """All states after one step, and the number of cycles that closed so far.

    ``at`` is the number of finished steps.  ``table`` has the words of each state, and then those
    of its number.

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
        """The number of states."""
        return int(self.table.shape[1])

    @property
    def limbs(self) -> int:
        """The words of a number."""
        return len(self.table) - self.plan.words

    def advance(self) -> None:
        """Apply the next step."""
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
            lambda transition, at: numbers[:, at : at + CHUNK].take(transition.rows, axis=1),
            look=lambda parts: self._look(
                source.nbytes + HELD * sum(part.nbytes for part in parts)
            ),
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
        """Return the data for :meth:`resume`."""
        return {"states": np.ascontiguousarray(self.table.T), "tours": self.tours}

    def resume(self, at: int, content: dict[str, Any]) -> None:
        """Continue after a step, from the data saved then."""
        self.table, self.tours = np.ascontiguousarray(content["states"].T), int(content["tours"])
        self.at = at


def count_cycles(
    plan: SweepPlan,
    *,
    progress: Progress | None = None,
    store: Store | None = None,
    memory_limit: float | None = None,
) -> int:
    """Count the Hamiltonian cycles of a plan's graph that use all its forced edges."""
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


FEW, CACHED = 512, 4_096
"""States up to which a step is cached, and steps in the cache: 70 megabytes at most."""

BITS = 11
"""Bits for the number of a choice of at most two vertices of a frontier."""

LEAST = partial(np.minimum.reduceat, axis=1)


def one_cycle(
    form: CycleForm, order: Sequence[int], *, most: int, should_stop: Callable[[], bool]
) -> tuple[list[int] | None, bool, int]:
    """Find a cycle of a form, or show that no cycle exists, or give up.

    ``order`` has the vertices in the order of the steps.  ``most`` limits the states of all steps
    that are not in the cache.  ``should_stop`` is polled before every step.  Return the vertices of
    the cycle in order, or None; whether the search is complete; and the number of states.

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


class _StepResult(NamedTuple):
    """The result of a step: states, the origin of each, and that of a closed cycle, if any.

    An origin is the index of a state before the step; its last ``BITS`` bits are that of a choice.
    """

    states: Table
    origins: Numbers
    closed: int | None


class _Search:
    """The steps of a plan, the choices of edges in them by their numbers, and the cache."""

    def __init__(self, plan: SweepPlan) -> None:
        self.plan, self.followed = plan, 0
        self._numbers: dict[tuple[int, ...], int] = {}
        self._cache: dict[tuple[int, bytes], _StepResult] = {}

    @property
    def first(self) -> _StepResult:
        """The state before the first step."""
        return _StepResult(np.zeros((self.plan.words, 1), np.uint64), np.zeros(1, np.uint64), None)

    def after(self, states: Table, step: VertexStep) -> _StepResult:
        """Return the result of a step, from the cache if it is there."""
        if states.shape[1] > FEW:
            return self._after(states, step)
        key = step.kind, states.tobytes()
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) == CACHED:
                self._cache.clear()
            found = self._cache[key] = self._after(states, step)
        return found

    def _after(self, states: Table, step: VertexStep) -> _StepResult:
        words = self.plan.words
        self.followed += states.shape[1]
        table, closed = advance_states(states, step, self.plan, self._origins, LEAST)
        ends = (int(origins[0, 0]) for origins in closed if origins.size)
        return _StepResult(table[:words], table[words].copy(), next(ends, None))

    def _origins(self, transition: Transition, at: int) -> Table:
        number = self._numbers.setdefault(transition.picks, len(self._numbers))
        return (transition.rows[None] + at << BITS | number).astype(np.uint64)

    def links(self, trail: list[Numbers], origin: int) -> list[list[int]]:
        """Return the neighbours of each vertex on the cycle that closes after the last states."""
        links: list[list[int]] = [[] for _ in self.plan.order]
        ways = [*self._numbers]
        for step, origins in zip(self.plan.steps[len(trail) - 1 :: -1], trail[::-1], strict=True):
            for pick in ways[origin & (1 << BITS) - 1]:
                other = step.others[pick]
                links[step.vertex].append(other)
                links[other].append(step.vertex)
            origin = int(origins[origin >> BITS])
        return links
