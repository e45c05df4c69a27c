"""Tours by their numbers: in how many ways each state can become a tour, kept for every step.

A sweep forwards finds all states of every step.  One backwards puts beside each the number of ways
in which it can still become a cycle: the sum over the states that follow it.  So a tour is found by
its number from the first step on: of the states that follow, in their order, each whose ways are no
more than what is left of the number is skipped, and its ways are subtracted.  The number of a tour
is the sum of the ways that were skipped.  A number drawn at random gives each tour with the same
probability.

Source: H. S. Wilf, "A unified setting for sequencing, ranking, and selection algorithms for
combinatorial objects", Advances in Mathematics 24 (1977).  Cost: states of all steps at a time,
without those that become no tour once the way back is done; a hundredth of a millisecond a tour
and step.  When it loses: the dense method needs no keys.

The way back: in how many ways each state becomes a cycle, and which states these lead to.

The states of all steps are there.  From the last step to the first, a state becomes as many cycles
as those that follow it together.  States that become none are dropped.  What is kept is no state,
but their numbers and where each way leads: to walk from there on takes no rules.

Cost: as much time as the sweep forwards, and some thirty bytes a state that becomes a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_cp.counting.frontier.frontier import METHOD, GraphForm, graph_form, trivial_count
from kt_cp.counting.frontier.sweep import (
    CHUNK,
    FrontierSweep,
    SweepPlan,
    VertexStep,
    join_words,
    transitions,
)
from kt_cp.model.cycle import cycles_of, tiny
from kt_cp.model.errors import EndedError, InputError, NotTakenError, NumberError
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, report_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.frontier.sweep import Flags, Numbers, Table


class Way(NamedTuple):
    """One way on from a state."""

    picks: tuple[int, ...]  # which later neighbours the vertex of the step is joined to
    lead: int  # the number of the state that follows; -1 where the cycle closes


class CompletionLayer(NamedTuple):
    """The states before a step that become cycles, and the ways that lead on."""

    # shape (limbs, states): how many cycles each becomes, its lowest word first
    numbers: Table
    starts: Numbers  # shape (states + 1,): where the ways of each state begin
    leads: NDArray[np.int32]  # shape (ways of all states,): as :class:`Way` has it
    which: NDArray[np.int16]  # shape (ways of all states,): which of ``picks``
    picks: list[tuple[int, ...]]  # each as :class:`Way` has it

    def ways(self, state: int) -> list[Way]:
        """The ways on from a state, in a fixed order."""
        start, end = self.starts[state : state + 2].tolist()
        leads, which = self.leads[start:end].tolist(), self.which[start:end].tolist()
        return [Way(self.picks[it], lead) for it, lead in zip(which, leads, strict=True)]


def count_completions(
    plan: SweepPlan, states: list[Table], limbs: int
) -> Iterator[CompletionLayer]:
    """The layers before each step, the last one first.

    ``states``: before each step, and after the last one; in order.  It is emptied; ``limbs``: words
    of the number of all cycles.
    """
    after = states.pop()[:, :0]
    numbers = np.zeros((limbs, 0), dtype=np.uint64)
    for step in reversed(plan.steps[: len(states)]):
        source = states.pop()
        layer, live = _layer(source, step, plan, after, numbers)
        after, numbers = source.compress(live, axis=1), layer.numbers
        yield layer


def _layer(
    source: Table, step: VertexStep, plan: SweepPlan, after: Table, numbers: Table
) -> tuple[CompletionLayer, Flags]:
    """The layer before a step, and which of its states are in it."""
    found = np.zeros((len(numbers), source.shape[1]), dtype=np.uint64)
    rows, leads, which = [], [], []
    picks: dict[tuple[int, ...], int] = {}
    for at in range(0, source.shape[1], CHUNK):
        for way in transitions(source[:, at : at + CHUNK], step, plan):
            here, lead = way.rows + at, np.full(len(way.rows), -1)
            if way.states is None:
                found[0, here] = 1
            else:
                lead = _find_columns(after, way.states)
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
    layer = CompletionLayer(
        found.compress(live, axis=1),
        np.concatenate([[0], np.cumsum(many)]),
        np.hstack(leads)[order],
        np.hstack(which)[order],
        [*picks],
    )
    return layer, live


def _find_columns(table: Table, states: Table) -> Numbers:
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


class FrontierTables:
    """All tours of a problem, numbered from 0 on.

    ``size``: how many there are.

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
        if motion_of(problem) is not None:
            raise NotTakenError("the method frontier counts symmetric tours, and numbers none")
        self.problem = problem
        self._layers: list[CompletionLayer] = []
        self._lowered: GraphForm | None = None
        self._small = None if problem.directed else tiny(problem)
        if self._small is not None:
            self.size = trivial_count(problem) or 0
            return
        self._lowered = graph_form(problem)
        self.size = self._filled(self._lowered, progress, memory_limit)

    def _filled(
        self, made: GraphForm, progress: Progress | None, memory_limit: float | None
    ) -> int:
        """Make a table for each step, which tells in how many ways its states become tours."""
        sweep, words, steps = (
            FrontierSweep(made.plan, memory_limit),
            made.plan.words,
            len(made.plan.steps),
        )
        states = [sweep.table[:words]]
        taken = 0
        while sweep.at < steps and sweep.held:
            sweep.advance()
            states.append(sweep.table[:words].copy())
            taken += states[-1].nbytes
            if memory_limit is not None and taken > memory_limit * 1e6:
                raise EndedError(
                    f"the memory limit of {memory_limit:g} MB was reached by the states of "
                    f"{sweep.at} of {steps} steps"
                )
            if progress is not None:
                progress({"step": sweep.at, "steps": 2 * steps, "states": sweep.held})
        limbs = max(1, -(-sweep.tours.bit_length() // 64))
        for layer in count_completions(made.plan, states, limbs):
            self._layers.append(layer)
            report_step(progress, "the way back")
        self._layers.reverse()
        return sweep.tours

    def tour(self, number: int) -> list[int]:
        """Vertices of ``problem.indexed``, in order, of the tour of a number from 0 on."""
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
        """The number of a tour, in whichever direction and wherever a closed one begins."""
        made = self._lowered
        if not self.size:
            raise self._none()
        if made is None:
            if sorted(tour) != list(range(self.problem.size)):
                raise self._none()
            return 0
        skipped, links = 0, made.links(tour)

        def chosen(options: _Options) -> int:
            nonlocal skipped
            for which, others in enumerate(options.others):
                if {*others} == links[options.vertex] & options.later:
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
        self, made: GraphForm, chosen: Callable[[_Options], int]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The vertices of a tour in their order, each with the later ones that it is joined to."""
        state = 0
        for at, (step, layer) in enumerate(zip(made.plan.steps, self._layers, strict=False)):
            ways = layer.ways(state)
            others = [tuple(step.others[pick] for pick in way.picks) for way in ways]
            told = [1 if lead < 0 else self._ways(at + 1, lead) for _, lead in ways]
            which = chosen(_Options(step.vertex, {*step.others}, others, told))
            yield step.vertex, others[which]
            state = ways[which].lead
            if state < 0:
                return

    def _ways(self, at: int, state: int) -> int:
        """How many tours a state before a step becomes."""
        return join_words(self._layers[at].numbers[:, state])


class _Options(NamedTuple):
    """What can be chosen in a step."""

    vertex: int
    later: set[int]  # all its later neighbours
    others: list[tuple[int, ...]]  # those it is joined to, by each choice
    ways: list[int]  # how many tours each leaves
