"""What is dealt with in each step, and how a state of the frontier is written as a few words.

A step deals with one vertex: all its edges to vertices that come later are decided at once.  While
a vertex is on the frontier it has a *slot*, a field of some bits, and the slot holds its *mate*:

* its own number, while the vertex has none of its edges yet (a path of itself alone);
* the slot of the other end of its path, while it has one;
* ``full``, the greatest value, once it has two.

A slot that is free holds 0.  So a path that grows changes two or three fields, and nothing has to
be named anew: what differs as a word differs as a state.  Four bits a slot take 15 slots in a word,
as many as closed tours of boards seven squares wide need; five and six bits take 12 and 10 in each
word, and 31 and 63 slots in all.

What of a state depends on the step alone is told here, once for all states: which slots the
neighbours have, which are new, which edge is required, and how many edges a neighbour must have at
least when the step is over, since too few of its others are left.

Source: the mates are those of D. E. Knuth's Simpath, "The Art of Computer Programming" 4A, 2011,
section 7.1.4, exercise 225, here by vertices and with free slots used again.

The states that follow others in a step, for many at once; a readable twin is among the tests.

The vertex of the step still needs none, one or two edges, and they lead to later neighbours that
have fewer than two.  Some of these must be taken: required edges, and those to neighbours that
would be left with too few.  An edge that joins the two ends of one path closes a cycle.  That is
the end if nothing else is left, and allowed at no other time.

There are few ways to choose: one neighbour or two, of at most eight on most boards.  NumPy tries
each way on all states.  What decides is compared in bytes, many at a time; a word is made only of a
state that does follow.  Cost: a tenth of a microsecond a state that follows, where the states of a
call fit in the cache.  When it loses: a call takes a tenth of a millisecond or more, even of one
state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.model.errors import TooLargeError
from kt_cp.model.graph import IndexedGraph
from kt_cp.search.frontier_order import frontier_widths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Words = NDArray[np.uint64]
    Bytes = NDArray[np.uint8]
    Flags = NDArray[np.bool_]
    Table = NDArray[np.uint64]


Edge = tuple[int, int]
Turns = Mapping[Edge, tuple[int, int]]

FIELDS = {4: 15, 5: 12, 6: 10}
"""Slots in a word of 64 bits, by the bits of each; one bit is left, so that no word is all ones."""

WIDEST = 60
"""Most vertices on a frontier."""

EMPTY = 2**64 - 1
"""A first word that no state has."""

TURN = np.uint64(1 << 63)
"""The bit of a state's first word that says that the sum of its turns is odd."""


@dataclass(frozen=True)
class VertexStep:
    """One vertex, and all its edges to later ones."""

    vertex: int
    others: tuple[int, ...]  # its later neighbours
    # of the vertex, given up before others come into use; -1 if it had no earlier neighbour
    slot: int
    # shape (others, 3): of each later neighbour: its slot, whether the edge to it is
    # required, and how many edges it must have after this step
    near: Numbers
    # shape (2, words): the fields of all slots that come into use.  And the state
    # in which a cycle may close, with all slots full; ``EMPTY`` while some vertex was never met, or
    # some required edge
    marks: Words
    kind: int  # the same for steps with the same slots and marks

    @property
    def most(self) -> int:
        """How many states can follow one at most."""
        many = len(self.others)
        return max(1, many, many * (many - 1) // 2)


@dataclass(frozen=True)
class SweepPlan:
    """All steps of a graph in an order.

    ``forced``: edges that every cycle uses, smaller vertex first; ``order``: all vertices;
    ``turns``: in how many ways each edge, smaller vertex first, has an even turn, and an odd one;
    of one that is not told the only turn is even; ``odd``: whether the turns of a cycle have an odd
    sum, and not an even one.

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
        """Slots that are in use at a time."""
        return max(1, *frontier_widths(self.graph, self.order))

    @cached_property
    def bits(self) -> int:
        """Bits of a slot."""
        return next(bits for bits in FIELDS if self.slots < 1 << bits)

    @property
    def full(self) -> int:
        """What the slot of a vertex with two edges holds."""
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
        """All bits of each word but those of each slot's field."""
        return ~self.fulls

    def _marks(self, entering: tuple[int, ...], last: tuple[int, ...] | None) -> Words:
        marks = np.full((2, self.words), EMPTY, dtype=np.uint64)
        marks[0] = self.ones[:, list(entering)] @ np.array(entering, dtype=np.uint64)
        if last is not None:
            marks[1] = self.fulls[:, list(last)].sum(axis=1)
        return marks

    def ways(self, step: VertexStep, picks: Iterable[int]) -> tuple[int, int]:
        """In how many ways the edges of a choice have turns with an even sum, and an odd one."""
        even, odd = 1, 0
        for other in (step.others[pick] for pick in picks):
            edge = min(step.vertex, other), max(step.vertex, other)
            here, there = self.turns.get(edge, (1, 0))
            even, odd = even * here + odd * there, even * there + odd * here
        return even, odd

    def most_ways(self, step: VertexStep) -> int:
        """Of all choices of a step, the most ways there are."""
        each = sorted(sum(self.ways(step, (pick,))) for pick in range(len(step.others)))
        return max(1, *(math.prod(each[at:]) for at in (-1, -2)))

    @cached_property
    def steps(self) -> list[VertexStep]:
        """The steps, in order."""
        return list(self._steps())

    def _steps(self) -> Iterator[VertexStep]:
        forced = {*self.forced, *((v, u) for u, v in self.forced)}
        left = self.graph.degrees.tolist()  # edges to vertices not dealt with
        slot_of: dict[int, int] = {}
        dealt, owed = [False] * len(self.order), len({*self.forced})
        free = list(range(self.slots))[::-1]
        kinds: dict[Any, tuple[int, Numbers, Words, int]] = {}
        for at, vertex in enumerate(self.order):
            dealt[vertex] = True
            others = [other for other in self.graph.neighbours[vertex] if not dealt[other]]
            own = slot_of.pop(vertex, -1)
            free += [own] * (own >= 0)
            entering = [(each, free.pop()) for each in others if each not in slot_of]
            slot_of.update(entering)
            near = []
            for other in others:
                left[other] -= 1
                required = (vertex, other) in forced
                owed -= required
                near.append((slot_of[other], required, max(0, 2 - left[other])))
            slots = tuple(slot for _, slot in entering)
            met = at + 1 + len(slot_of) == len(self.order) and not owed
            last = tuple(slot_of.values()) if met else None
            key = own, tuple(near), slots, last
            if key not in kinds:
                places = np.array(near, dtype=np.int64).reshape(-1, 3)
                kinds[key] = own, places, self._marks(slots, last), len(kinds)
            yield VertexStep(vertex, tuple(others), *kinds[key])


class Transition(NamedTuple):
    """What follows in one way to choose edges."""

    picks: tuple[int, ...]  # which later neighbours the vertex of the step is joined to
    rows: Numbers  # shape (many,): which states can be followed so, in order
    # shape (words, many), or None: what follows each of them; where the cycle
    # closes, nothing does
    states: Table | None


class _Near(NamedTuple):
    """A later neighbour: its slot; in each state its field, whether it may and must be chosen."""

    slot: int
    field: Bytes
    free: Flags
    must: Flags


def transitions(states: Table, step: VertexStep, plan: SweepPlan) -> Iterator[Transition]:
    """All states that can follow some, way by way, in a fixed order."""
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
        free, must = field != plan.full, field == slot  # which has no edge yet
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
            may, owed = open_, spare
            for each in chosen:
                may, owed = may & each.free, owed + each.must
            rows = (may & (owed == many)).nonzero()[0]
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
            # A new vertex may have the slot that was just given up.
            around = ends[0] == slot
            if many == 1 and chosen[0].slot == slot:
                around = np.zeros_like(around)
            if around.any():
                # The highest bit of a word is no field: a sweep may keep a sum of turns there.
                yield Transition(picks, rows[around & ((made ^ done) << 1 == 0).all(axis=0)], None)
                on = ~around
                rows, made, ends = rows[on], made.compress(on, axis=1), [end[on] for end in ends]
            for end, other in (ends, ends[::-1]):
                made &= plan.others.take(end, axis=1)
                made |= plan.ones.take(end, axis=1) * other
            yield Transition(picks, rows, made)


def read_fields(states: Table, plan: SweepPlan, slot: int) -> Bytes:
    """The field of a slot in each state."""
    word, shift = plan.places[slot].tolist()
    field: Table = states[word] >> np.uint64(shift) & np.uint64(plan.full)
    return field.astype(np.uint8)
