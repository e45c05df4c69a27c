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
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.counting.frontier.order import widths
from kt_cp.model.errors import TooLargeError
from kt_cp.model.graph import IndexedGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Words = NDArray[np.uint64]

FIELDS = {4: 15, 5: 12, 6: 10}
"""Slots in a word of 64 bits, by the bits of each; one bit is left, so that no word is all ones."""

WIDEST = 60
"""Most vertices on a frontier."""

EMPTY = 2**64 - 1
"""A first word that no state has."""


@dataclass(frozen=True)
class Step:
    """One vertex, and all its edges to later ones.

    Attributes
    ----------
    vertex : int
    others : tuple of int
        Its later neighbours.
    slot : int
        Of the vertex, given up before others come into use; -1 if it had no earlier neighbour.
    near : int64 array of shape (others, 3)
        Of each later neighbour: its slot, whether the edge to it is required, and how many edges
        it must have after this step.
    marks : uint64 array of shape (2, words)
        The fields of all slots that come into use.  And the state in which a cycle may close, with
        all slots full; ``EMPTY`` while some vertex was never met.
    """

    vertex: int
    others: tuple[int, ...]
    slot: int
    near: Numbers
    marks: Words

    @property
    def most(self) -> int:
        """How many states can follow one at most."""
        many = len(self.others)
        return max(1, many, many * (many - 1) // 2)


@dataclass(frozen=True)
class Plan:
    """All steps of a graph in an order.

    Parameters
    ----------
    graph : IndexedGraph
    forced : list of (int, int)
        Edges that every cycle uses, smaller vertex first.
    order : sequence of int
        All vertices.

    Raises
    ------
    TooLargeError
        If the frontier is too wide.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> plan = Plan(index_board(Board(6, 6)), [], range(36))
    >>> plan.slots, plan.bits, plan.words, plan.steps[0].others
    (13, 4, 1, (8, 13))
    """

    graph: IndexedGraph
    forced: Sequence[tuple[int, int]]
    order: Sequence[int]

    def __post_init__(self) -> None:
        if self.slots > WIDEST:
            raise TooLargeError(
                f"expected a frontier of at most {WIDEST} vertices, got {self.slots}"
            )

    @cached_property
    def slots(self) -> int:
        """Slots that are in use at a time."""
        return max(1, *widths(self.graph, self.order))

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

    def _written(self, fields: dict[int, int]) -> list[int]:
        words = [0] * self.words
        for slot, value in fields.items():
            word, shift = self.places[slot].tolist()
            words[word] |= value << shift
        return words

    @cached_property
    def steps(self) -> list[Step]:
        """The steps, in order."""
        return list(self._steps())

    def _steps(self) -> Iterator[Step]:
        forced = {*self.forced, *((v, u) for u, v in self.forced)}
        left = self.graph.degrees.tolist()  # edges to vertices not dealt with
        slot_of: dict[int, int] = {}
        dealt = [False] * len(self.order)
        free = list(range(self.slots))[::-1]
        for at, vertex in enumerate(self.order):
            dealt[vertex] = True
            others = [other for other in self.graph.neighbours[vertex] if not dealt[other]]
            own = slot_of.pop(vertex, -1)
            free += [own] * (own >= 0)
            entering = {each: free.pop() for each in others if each not in slot_of}
            slot_of |= entering
            near = []
            for other in others:
                left[other] -= 1
                near.append([slot_of[other], (vertex, other) in forced, max(0, 2 - left[other])])
            enter = self._written({slot: slot for slot in entering.values()})
            met = at + 1 + len(slot_of) == len(self.order)
            done = self._written(dict.fromkeys(slot_of.values(), self.full))
            yield Step(
                vertex,
                tuple(others),
                own,
                np.array(near, dtype=np.int64).reshape(-1, 3),
                np.array([enter, done if met else [EMPTY] * self.words], dtype=np.uint64),
            )
