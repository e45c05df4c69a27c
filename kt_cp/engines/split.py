"""A graph is solved in parts, and its cycle is put together from theirs; or one part has none.

If two vertices separate a graph, or three edges do, its parts are questions of their own, and often
small ones.  At two vertices each part is asked once, with an edge between the two that must be used
(:mod:`kt_cp.proofs.split`).  At three edges a cycle uses two of them.  So the smaller side is
asked three times, each time without one of the edges; if it has no cycle then, that edge must be
used.  Then the side is shrunk to a single vertex, and the rest is asked once.  The cycle of the
rest says which of the three answers is used.  All parts are divided again until nothing separates
them.

If a single part has no cycle, the whole graph has none.  The divisions that led to the part, with a
certificate for the part, are a certificate for the whole (:mod:`kt_cp.trust.check.split`).

Cost: linear in the edges for each time that something is divided, three small questions for each
cut of three edges, and one for each part.  When it loses: if nothing separates the graph, the look
at it is wasted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.engines.sides import shrunk_sides
from kt_cp.model.cycle import CycleForm, cycles_of
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.proofs.split import CONTRADICTION, Division, Part, Refuted, Whole, division
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.trust.check.split import PLAIN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cycle = NDArray[np.bool_]
    """Which edges of a part it uses."""

MOST_DEPTH = 100
"""Divisions within divisions; what is deeper is asked as it is."""

QUICK_SECONDS = 0.3
"""What plain backtracking gets for a part, before the part becomes a problem of its own."""

QUESTION_SECONDS = 5.0
"""For a side of three edges: it need not be answered."""

WORTH = 0.9
"""A graph is solved in parts if the largest has at most so much of its vertices."""

LARGE, LITTLE = 10_000, 0.01
"""In a large graph no further sides are sought once those found hold so small a share of it."""

Answer = Callable[[Problem, Clock], Outcome]
"""How a part is answered that nothing divides."""


class _NotPartedError(Exception):
    """The largest part is nearly the whole."""


class _UndecidedError(Exception):
    """A part that nobody could decide."""


@dataclass
class Parted:
    """What solving in parts came to: a tour, a reason why there is none, or neither.

    Attributes
    ----------
    asked : int
        How many parts were asked.
    """

    tour: Tour | None
    refuted: Refuted | None
    asked: int


def in_parts(problem: Problem, answer: Answer, clock: Clock, seed: int) -> Parted | None:
    """Solve a problem in parts; None where nothing parts it, or too little.

    Parameters
    ----------
    problem : Problem
        With conditions on edges alone, and of three squares and more.

    Raises
    ------
    Refusal
        If it is too large, or a node has a name that the checker keeps for itself.
    """
    parts = _Parts(Whole(problem), answer, clock, seed)
    try:
        found = parts.solved(parts.whole.part, 0)
    except _NotPartedError:
        return None
    except _UndecidedError:
        return Parted(None, None, parts.asked)
    if isinstance(found, Refuted):
        return Parted(None, found, parts.asked)
    return Parted(_tour(problem, parts.whole, found), None, parts.asked)


def _tour(problem: Problem, whole: Whole, cycle: Cycle) -> Tour:
    part = whole.part
    ends = np.concatenate([part.tails[cycle], part.heads[cycle]])
    others = np.concatenate([part.heads[cycle], part.tails[cycle]])
    links = others[np.argsort(ends, kind="stable")].reshape(len(part), 2).tolist()
    depot = whole.size if whole.size < len(part) else None
    form = CycleForm(problem, problem.indexed, [], depot)
    return form.tour(cycles_of(links)[0])


def _of_one(divided: Division, part: Part, cycle: Cycle) -> Cycle:
    return divided.joined([(part, cycle)])


class _Parts:
    """The questions about parts, and what they may cost."""

    def __init__(self, whole: Whole, answer: Answer, clock: Clock, seed: int) -> None:
        self.whole, self.asked = whole, 0
        self._answer, self._clock, self._seed = answer, clock, seed

    def solved(self, part: Part, depth: int) -> Cycle | Refuted:
        """A cycle, or why there is none."""
        steps: list[Any] = []
        back: list[Callable[[Cycle], Cycle]] = []
        while True:
            if self._clock.expired():
                raise _UndecidedError
            if part.overfull():
                return Refuted(steps, CONTRADICTION)
            divided = division(part, self.whole)
            if isinstance(divided, Refuted):
                return Refuted([*steps, *divided.steps], divided.end)
            same = divided.same()
            if not same and depth < MOST_DEPTH:
                self.asked += divided.searched(WORTH * len(self.whole.names))
                cycles = self._each(divided.parts(), depth)
                if isinstance(cycles, Refuted):
                    return Refuted([*steps, *cycles.steps], cycles.end)
                cycle = divided.joined(cycles)
                break
            if same:
                (part,) = divided.parts()
                back.append(partial(_of_one, divided, part))
                steps.append(PLAIN)
                if divided.firm and depth < MOST_DEPTH:
                    shrunk = shrunk_sides(
                        part, self.whole, steps, self._seed, lambda p: self._within(p, depth)
                    )
                    if isinstance(shrunk, Refuted):
                        return shrunk
                    if shrunk:
                        self._worth(len(part), shrunk.part, depth)
                        part = shrunk.part
                        back.append(shrunk.restored)
                        continue
            found = self._decided(part)
            if isinstance(found, Refuted):
                return Refuted([*steps, *found.steps], found.end)
            cycle = found
            break
        for each in reversed(back):
            cycle = each(cycle)
        return cycle

    def _worth(self, before: int, part: Part, depth: int) -> None:
        """Give up on a large graph of which sides take next to nothing away."""
        little = len(part) > (1 - LITTLE) * before and before >= LARGE
        if depth < 2 and little and len(part) > WORTH * len(self.whole.names):
            raise _NotPartedError

    def _each(self, parts: list[Part], depth: int) -> list[tuple[Part, Cycle]] | Refuted:
        cycles = []
        for each in parts:
            found = self.solved(each, depth + 1)
            if isinstance(found, Refuted):
                return Refuted([PLAIN, self.whole.keep(each.vertices), *found.steps], found.end)
            cycles.append((each, found))
        return cycles

    def _within(self, part: Part, depth: int) -> Cycle | Refuted | None:
        """The answer to a question that need not be answered, and so gets less time."""
        clock = self._clock
        self._clock = clock.step(QUESTION_SECONDS, 1 / 4)
        try:
            return self.solved(part, depth + 1)
        except _UndecidedError:
            if clock.expired():
                raise
            return None
        finally:
            self._clock = clock

    def _decided(self, part: Part) -> Cycle | Refuted:
        """What search says of a part that nothing divides."""
        if len(part) > WORTH * len(self.whole.names):
            raise _NotPartedError
        self.asked += 1
        quick = self._clock.step(QUICK_SECONDS)
        cycle, exhausted, _ = hamiltonian_cycle(
            part.rows(), part.pairs(part.must), seed=self._seed, should_stop=quick.expired
        )
        if cycle is None and exhausted:
            return Refuted([], part)
        if cycle is None:
            outcome = self._answer(part.problem(self.whole.names), self._clock)
            if outcome.verdict is Verdict.UNKNOWN:
                raise _UndecidedError
            if outcome.verdict is Verdict.IMPOSSIBLE:
                return Refuted([], part)
            assert outcome.tour is not None
            told = [self.whole.number[name] for name in outcome.tour]
            cycle = np.searchsorted(part.vertices, told).tolist()
        return part.around(cycle)
