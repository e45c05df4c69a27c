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
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kt_cp.counting.frontier.frontier import METHOD, Lowered, lowered, small
from kt_cp.counting.frontier.ranking import backwards
from kt_cp.counting.frontier.sweep import Sweep, number_of
from kt_cp.model.cycle import cycles_of, tiny
from kt_cp.model.errors import EndedError, InputError, NotTakenError, NumberError
from kt_cp.model.orbits import motion_of
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, doing

if TYPE_CHECKING:
    from kt_cp.counting.frontier.ranking import Layer


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
        if motion_of(problem) is not None:
            raise NotTakenError("the method frontier counts symmetric tours, and numbers none")
        self.problem = problem
        self._layers: list[Layer] = []
        self._lowered: Lowered | None = None
        self._small = None if problem.directed else tiny(problem)
        if self._small is not None:
            self.size = small(problem) or 0
            return
        self._lowered = lowered(problem)
        self.size = self._filled(self._lowered, progress, memory_limit)

    def _filled(self, made: Lowered, progress: Progress | None, memory_limit: float | None) -> int:
        """Make a table for each step, which tells in how many ways its states become tours."""
        sweep, words, steps = Sweep(made.plan, memory_limit), made.plan.words, len(made.plan.steps)
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
        for layer in backwards(made.plan, states, limbs):
            self._layers.append(layer)
            doing(progress, "the way back")
        self._layers.reverse()
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
        self, made: Lowered, chosen: Callable[[_Options], int]
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
        return number_of(self._layers[at].numbers[:, state])


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
