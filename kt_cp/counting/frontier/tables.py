"""Tours by their numbers: in how many ways each state can become a tour, kept for every step.

A sweep forwards finds all states of every step.  One backwards puts beside each the number of ways
in which it can still become a cycle: the sum over the states that follow it.  So a tour of a given
number is found from the first step on, by skipping the states that follow as long as they have
fewer ways than are left of the number.  The number of a tour is what is skipped on its own way.
A number drawn at random gives each tour with the same probability.

Source: H. S. Wilf, "A unified setting for sequencing, ranking, and selection algorithms for
combinatorial objects", Advances in Mathematics 24 (1977).  Cost: states of all steps at a time,
without those that become no tour once the way back is done; a tenth of a millisecond a tour and
step.  When it loses: the dense method needs no keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.frontier.count import METHOD, small
from kt_cp.counting.frontier.lowered import Lowered, lowered
from kt_cp.counting.frontier.sweep import FILLED, Sweep, empty, number_of, states_of, work
from kt_cp.model.cycle import cycles_of, tiny
from kt_cp.model.errors import EndedError, InputError, NumberError
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, doing

if TYPE_CHECKING:
    from kt_cp.counting.frontier.sweep import Table


class FrontierTables:
    """All tours of a problem, numbered from 0 on.

    Parameters
    ----------
    problem : Problem
        That the method takes.
    progress : callable, optional
        Told after every step.
    memory_limit : float, optional
        Megabytes, for the states of all steps.

    Attributes
    ----------
    size : int
        How many there are.

    Raises
    ------
    NotTakenError
        If the method does not take the problem.
    EndedError
        If there is not enough memory.

    Examples
    --------
    >>> tables = FrontierTables(Problem("5x6", closed=True))
    >>> tables.size, tables.number(tables.tour(3))
    (8, 3)
    """

    def __init__(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        memory_limit: float | None = None,
    ) -> None:
        METHOD.check(problem)
        self.problem = problem
        self._after: list[Table] = []
        self._lowered: Lowered | None = None
        self._small = None if problem.directed else tiny(problem)
        if self._small is not None:
            self.size = small(problem) or 0
            return
        self._lowered = lowered(problem)
        self.size = self._filled(self._lowered, progress, memory_limit)

    def _filled(self, made: Lowered, progress: Progress | None, memory_limit: float | None) -> int:
        """Make a table for each step, which tells in how many ways its states become tours."""
        from kt_cp.counting.frontier.passes import backward
        from kt_cp.counting.frontier.table import moved

        sweep, words, steps = Sweep(made.plan, memory_limit), made.plan.words, made.plan.steps
        states = [states_of(sweep.table)[:, :words]]
        taken = 0
        while sweep.at < len(steps) and sweep.held:
            sweep.advance()
            states.append(np.ascontiguousarray(states_of(sweep.table)[:, :words]))
            taken += states[-1].nbytes
            if memory_limit is not None and taken > memory_limit * 1e6:
                raise EndedError(
                    f"the memory limit of {memory_limit:g} MB was reached by the states of "
                    f"{sweep.at} of {len(steps)} steps"
                )
            if progress is not None:
                progress({"step": sweep.at, "steps": 2 * len(steps), "states": sweep.held})
        limbs = max(1, -(-sweep.tours.bit_length() // 64))
        target = empty(1, words + limbs)
        after = [target]
        for at in reversed(range(sweep.at)):
            step, source = steps[at], _table(states.pop(-2), limbs)
            states[-1] = states[-1][:0]
            room = work(step, words, step.most)
            places, full = made.plan.places, made.plan.full
            backward(source, target, step.slot, step.near, step.marks, places, full, *room)
            rows = states_of(source)
            live = rows[rows[:, words:].any(axis=1)]
            target = empty(int(len(live) / FILLED) + 2, words + limbs)
            moved(live, target, words)
            after.append(target)
            doing(progress, "the way back")
        self._after = after[::-1]
        return sweep.tours

    def tour(self, number: int) -> list[int]:
        """Vertices of ``problem.indexed``, in order, of the tour of a number from 0 on.

        Raises
        ------
        NumberError
            If there is no tour of that number.
        """
        if not 0 <= number < self.size:
            raise NumberError(f"expected a number from 0 on below {self.size:,}, got {number:,}")
        made = self._lowered
        if made is None:
            assert self._small is not None and self._small[0] is not None
            return self._small[0]
        left = number

        def chosen(options: _Options) -> int:
            nonlocal left
            for which, ways in enumerate(options.ways):
                if left < ways:
                    return which
                left -= ways
            raise AssertionError("a state has as many ways as those that follow it")

        links: list[list[int]] = [[] for _ in range(len(made.form))]
        for vertex, others in self._walk(made, chosen):
            for other in others:
                links[vertex].append(other)
                links[other].append(vertex)
        return made.walk(cycles_of(links)[0])

    def number(self, tour: Sequence[int]) -> int:
        """The number of a tour, in whichever direction and wherever a closed one begins.

        Raises
        ------
        InputError
            If it is no tour of the problem.
        """
        made = self._lowered
        if made is None:
            if not self.size or sorted(tour) != list(range(self.problem.size)):
                raise self._none()
            return 0
        skipped, links = 0, made.links(tour)

        def chosen(options: _Options) -> int:
            nonlocal skipped
            for which, others in enumerate(options.others):
                if {*others} == links[options.vertex] & options.later and options.ways[which]:
                    skipped += sum(options.ways[:which])
                    return which
            raise self._none()

        edges = sum(len(others) for _, others in self._walk(made, chosen))
        if 2 * edges != sum(map(len, links)):
            raise self._none()
        return skipped

    def _none(self) -> InputError:
        return InputError(f"expected a tour of {self.problem.label}")

    def _walk(
        self, made: Lowered, chosen: Callable[[_Options], int]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The vertices of a tour in their order, each with the later ones that it is joined to."""
        from kt_cp.counting.frontier.passes import ways

        plan, state = made.plan, np.zeros(made.plan.words, dtype=np.uint64)
        for step, after in zip(plan.steps, self._after[1:], strict=False):
            out, free, picks = work(step, plan.words, step.most)
            numbers = np.zeros((step.most, after.shape[1] - plan.words), dtype=np.uint64)
            many, closes = ways(
                state, after, step.slot, step.near, step.marks, plan.places, plan.full,
                out, free, picks, numbers,
            )  # fmt: skip
            many += closes
            others = [
                tuple(step.others[at] for at in row if at >= 0) for row in picks[:many].tolist()
            ]
            told = [1] if closes else [number_of(row) for row in numbers[:many]]
            which = chosen(_Options(step.vertex, {*step.others}, others, told))
            yield step.vertex, others[which]
            if closes:
                return
            state = out[which]


class _Options(NamedTuple):
    """What can be chosen in a step.

    Attributes
    ----------
    vertex : int
    later : set of int
        All its later neighbours.
    others : list of tuples of int
        Those it is joined to, by each choice.
    ways : list of int
        How many tours each leaves.
    """

    vertex: int
    later: set[int]
    others: list[tuple[int, ...]]
    ways: list[int]


def _table(states: Table, limbs: int) -> Table:
    """A table of states without their numbers; in no order, as nobody looks for them there."""
    return np.hstack([states, np.zeros((len(states), limbs), dtype=np.uint64)])
