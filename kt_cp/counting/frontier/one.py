"""One Hamiltonian cycle of a narrow graph, or that it has none.

The sweep that counts asks nothing but the width of the frontier: it goes through long reasoning on
a long graph in time linear in its length.  Where one cycle is enough, no number is needed either:
beside each state stands the place of one that it follows, and which edges were chosen.  It ends
when a cycle closes, or when no state is left, and then there is none.  The places are kept, and
the cycle is read on the way back.

Long graphs mostly repeat themselves, and then their steps do: the same slots, and the same states
before.  So what follows few states is kept by these two, and looked up the next time.  On periodic
graphs, whatever the numbers of their vertices, that is nearly every step.

Source: that of :mod:`kt_cp.counting.frontier.frontier`.  Cost: two fifths of a microsecond a state and
step, two tenths of a millisecond a step, or a hundredth of that if it is looked up, and eight bytes
a state.  Generalized Petersen graphs and flower snarks of any length have a few dozen states
(``benchmarks/MEASURED.md``), where search needs luck.  When it loses: where the frontier is wide,
at once; and a cycle that is easily found is found sooner by search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.frontier.sweep import after
from kt_cp.counting.frontier.transitions import Plan, Step
from kt_cp.model.cycle import CycleForm, cycles_of

if TYPE_CHECKING:
    from kt_cp.counting.frontier.transitions import Followers, Numbers, Table

FEW, KEPT = 512, 4_096
"""Of so many states what follows is kept, for so many steps: at most some 70 megabytes."""

BITS = 11
"""For the number of a way to choose at most two of a frontier's vertices."""

LEAST = partial(np.minimum.reduceat, axis=1)


def one_cycle(
    form: CycleForm, order: Sequence[int], *, most: int, should_stop: Callable[[], bool]
) -> tuple[list[int] | None, bool, int]:
    """Find a cycle of a form, or that there is none, or give up.

    Parameters
    ----------
    form : CycleForm
    order : sequence of int
        In which its vertices are dealt with.
    most : int
        States of all steps, those aside that are looked up.
    should_stop : callable
        Asked before every step.

    Returns
    -------
    cycle : list of int or None
        The vertices in order; None if none was found.
    exhausted : bool
        Whether the question is settled.
    states : int
        How many were met.

    Raises
    ------
    MemoryError
        If there is not enough.
    TooLargeError
        If the frontier is too wide.

    Examples
    --------
    >>> from kt_cp.model.cycle import cycle_form
    >>> from kt_cp.model.problem import Problem
    >>> form = cycle_form(Problem("10x3", closed=True))
    >>> cycle, exhausted, states = one_cycle(form, range(30), most=5_000, should_stop=lambda: False)
    >>> len(cycle), exhausted
    (30, True)
    """
    plan = Plan(form.graph, form.forced, order)
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


class _After(NamedTuple):
    """What a step leads to: states, the origin of each, and of a closed cycle, where there is one.

    An origin is the place of a state before the step, and in its last ``BITS`` the number of a way.
    """

    states: Table
    origins: Numbers
    closed: int | None


class _Search:
    """The steps of a plan, the ways to choose edges in them by their numbers, and what is kept."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.followed = plan, 0
        self._numbers: dict[tuple[int, ...], int] = {}
        self._kept: dict[tuple[int, bytes], _After] = {}

    @property
    def first(self) -> _After:
        """Before the first step."""
        return _After(np.zeros((self.plan.words, 1), np.uint64), np.zeros(1, np.uint64), None)

    def after(self, states: Table, step: Step) -> _After:
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

    def _after(self, states: Table, step: Step) -> _After:
        words = self.plan.words
        self.followed += states.shape[1]
        table, closed = after(states, step, self.plan, self._origins, LEAST)
        ends = (int(origins[0, 0]) for origins in closed if origins.size)
        return _After(table[:words], table[words].copy(), next(ends, None))

    def _origins(self, way: Followers, at: int) -> Table:
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
