"""The way back: in how many ways each state becomes a cycle, and which states these lead to.

The states of all steps are there.  From the last step to the first, a state becomes as many cycles
as those that follow it together.  States that become none are dropped.  What is kept is no state,
but their numbers and where each way leads: to walk from there on takes no rules.

Cost: as much time as the sweep forwards, and some thirty bytes a state that becomes a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.frontier.sweep import CHUNK
from kt_cp.counting.frontier.transitions import Plan, Step, followers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.frontier.transitions import Flags, Numbers, Table


class Way(NamedTuple):
    """One way on from a state.

    Attributes
    ----------
    picks : tuple of int
        Which later neighbours the vertex of the step is joined to.
    lead : int
        The number of the state that follows; -1 where the cycle closes.
    """

    picks: tuple[int, ...]
    lead: int


class Layer(NamedTuple):
    """The states before a step that become cycles, and the ways that lead on.

    Attributes
    ----------
    numbers : uint64 array of shape (limbs, states)
        How many cycles each becomes, its lowest word first.
    starts : int64 array of shape (states + 1,)
        Where the ways of each state begin.
    leads : int32 array of shape (ways of all states,)
        As :class:`Way` has it.
    which : int16 array of shape (ways of all states,)
        Which of ``picks``.
    picks : list of tuples of int
        Each as :class:`Way` has it.
    """

    numbers: Table
    starts: Numbers
    leads: NDArray[np.int32]
    which: NDArray[np.int16]
    picks: list[tuple[int, ...]]

    def ways(self, state: int) -> list[Way]:
        """The ways on from a state, in a fixed order."""
        start, end = self.starts[state : state + 2].tolist()
        leads, which = self.leads[start:end].tolist(), self.which[start:end].tolist()
        return [Way(self.picks[it], lead) for it, lead in zip(which, leads, strict=True)]


def backwards(plan: Plan, states: list[Table], limbs: int) -> Iterator[Layer]:
    """The layers before each step, the last one first.

    Parameters
    ----------
    plan : Plan
    states : list of uint64 arrays of shape (words, many)
        Before each step, and after the last one; in order.  It is emptied.
    limbs : int
        Words of the number of all cycles.
    """
    after = states.pop()[:, :0]
    numbers = np.zeros((limbs, 0), dtype=np.uint64)
    for step in reversed(plan.steps[: len(states)]):
        source = states.pop()
        layer, live = _layer(source, step, plan, after, numbers)
        after, numbers = source.compress(live, axis=1), layer.numbers
        yield layer


def _layer(
    source: Table, step: Step, plan: Plan, after: Table, numbers: Table
) -> tuple[Layer, Flags]:
    """The layer before a step, and which of its states are in it."""
    found = np.zeros((len(numbers), source.shape[1]), dtype=np.uint64)
    rows, leads, which = [], [], []
    picks: dict[tuple[int, ...], int] = {}
    for at in range(0, source.shape[1], CHUNK):
        for way in followers(source[:, at : at + CHUNK], step, plan):
            here, lead = way.rows + at, np.full(len(way.rows), -1)
            if way.states is None:
                found[0, here] = 1
            else:
                lead = _found(after, way.states)
                here, lead = here[lead >= 0], lead[lead >= 0]
                add(found, here, numbers.take(lead, axis=1))
            rows.append(here)
            leads.append(lead.astype(np.int32))
            number = picks.setdefault(way.picks, len(picks))
            which.append(np.full(len(here), number, dtype=np.int16))
    live: Flags = np.asarray(found.any(axis=0))
    origins = np.hstack(rows)
    order = np.argsort(origins, kind="stable")
    many = np.bincount(origins, minlength=len(live))[live]
    layer = Layer(
        found.compress(live, axis=1),
        np.concatenate([[0], np.cumsum(many)]),
        np.hstack(leads)[order],
        np.hstack(which)[order],
        [*picks],
    )
    return layer, live


def _found(table: Table, states: Table) -> Numbers:
    """The columns of a table in order that states have; -1 for those that it does not hold."""
    many = table.shape[1]
    at = np.searchsorted(_keys(table), _keys(states)) if many else np.zeros(states.shape[1], int)
    same = (table.take(at, axis=1, mode="clip") == states).all(axis=0) if many else False
    return np.where(same, np.minimum(at, many - 1), -1)


def _keys(states: Table) -> NDArray[np.generic]:
    """States as an array of one dimension in the same order."""
    fields = [(str(word), np.uint64) for word in range(len(states))]
    found: NDArray[np.generic] = states[0]
    return np.ascontiguousarray(states.T).view(fields)[:, 0] if len(states) > 1 else found


def add(target: Table, columns: Numbers, numbers: Table) -> None:
    """Add numbers to some columns, each one once, with a carry from word to word.

    Examples
    --------
    >>> target = np.array([[0, 2**64 - 1], [0, 0]], dtype=np.uint64)
    >>> add(target, np.array([1]), np.array([[2], [3]], dtype=np.uint64))
    >>> target.tolist()
    [[0, 1], [0, 4]]
    """
    carry = np.zeros(len(columns), dtype=np.uint64)
    for place, limb in zip(target, numbers, strict=True):
        here = place[columns] + carry
        place[columns] = here + limb
        carry = ((here < carry) | (place[columns] < limb)).astype(np.uint64)
