"""Tours with given steps by SAT: found one after the other, and each excluded from then on.

Depth-first search on windows goes first.  Where tours come, or it soon has tried everything, it is
the quicker by far.  But it does not learn, and on a large board it may be lost at once: when no
tour has come for a while, the rest is for SAT, without the tours that are known already.  Beside it
a walk is annealed (:mod:`kt_cp.search.annealing`), which finds a tour sooner where there are many.

The formula is that of :mod:`kt_cp.encodings.channel`, on the windows that are left when they have
been narrowed (:mod:`kt_cp.search.step_domains`).  A tour that was found, or was known before, is
excluded by one clause: at some step there is another square.  What the solver has learned stays
true, and its phases stay near the last tour, so a second one often costs next to nothing.

Source: enumeration by blocking clauses, which is folklore.

Cost: that of the formula, tenths of a second on 20×20; each further tour takes a clause as long as
the tour.

When it loses: with thousands of tours every search has all their clauses to read, where depth-first
search simply goes on.  And with few given steps on a large board the formula is too large.

Tours with given steps: which of them are written in one direction only, and which are alike.

The search is that of :mod:`kt_cp.enumeration.given_steps`.  A closed tour is written so that every
given square stands at its step.  One given step settles where it begins.  The direction is free
only if it can be read backwards with every given square at its step again: with a single given
step, or with two that are half a tour apart.

Where a symmetry is asked for as well, the image of a given square has a step that is known too.  An
open tour is turned round, so there it comes as long before the end.  A closed one that is moved on
by half of it, or by a fourth, has it so much later.  A closed tour that may be turned round
somewhere says no more, and is held against the symmetry when it is found, as all are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.encodings import get_encoding
from kt_cp.enumeration.symmetry import BoardSymmetry, is_invariant, required_image, symmetries
from kt_cp.model.errors import TooLargeError
from kt_cp.model.problem import Problem, changed
from kt_cp.search.step_domains import StepDomains, given_vertices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.search.annealing import Annealing


SOLVER = "glucose4"
"""Its budget is exact, which that of others is not."""

CONFLICTS_A_CALL = 200
"""Between two looks at the clock, and at the keyboard: some hundredths of a second."""

PATIENCE = 20
"""Calls of the search on windows without a tour until SAT goes on: half a second."""

PIECES_A_CALL = 80_000
"""Of the walk, beside each call of the solver, which takes about as long on 20×20."""

MOST_PIECES = 10_000_000
"""Pieces in a row that are drawn without a new tour until the walk is given up."""

HELD = 256
"""Tours looked at together for a symmetry that is asked for, which the windows know nothing of."""

MOST_KNOWN = 1_000
"""Tours up to which SAT takes over: with more of them to exclude it would be the slower one."""


class Formula:
    """All tours of a problem with given steps, but for those that are excluded.

    ``given``: steps, from 0, and vertices, in place of those of the problem.

    Examples
    --------
    >>> formula = Formula(Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27}))
    >>> answer, walk = formula.ask()
    >>> answer, len(walk), formula.exclude(walk), formula.ask()
    (True, 30, None, (False, []))
    """

    def __init__(self, problem: Problem, given: Sequence[tuple[int, int]] | None = None) -> None:
        from pysat.solvers import Solver

        if given is not None:
            nodes = problem.indexed.nodes
            problem = changed(problem, given={nodes[vertex]: at + 1 for at, vertex in given})
        cnf = get_encoding("channel").encode(problem)
        clauses = cnf.clauses
        struck = cnf.key[~StepDomains(problem).first.T]
        clauses += [[-variable] for variable in struck[struck > 0].tolist()]
        self._key = cnf.key
        self._solver = Solver(SOLVER, bootstrap_with=clauses)

    def close(self) -> None:
        """Give its memory back."""
        self._solver.delete()

    def _literals(self, walk: Sequence[int]) -> NDArray[np.int64]:
        """A variable for each step; 0 where the walk is not in the formula."""
        found: NDArray[np.int64] = self._key[list(walk), range(len(walk))]
        return found

    def exclude(self, walk: Sequence[int]) -> None:
        """From now on at some step there is another vertex than in this walk."""
        literals = self._literals(walk)
        if literals.all():
            self._solver.add_clause((-literals).tolist())

    def prefer(self, walk: Sequence[int]) -> None:
        """Search near this walk: what differs in few steps is found sooner, and tells more."""
        literals = self._literals(walk)
        self._solver.set_phases(literals[literals > 0].tolist())

    def ask(
        self,
        assumed: Iterable[tuple[int, int]] = (),
        struck: Iterable[tuple[int, int]] = (),
        conflicts: int = CONFLICTS_A_CALL,
    ) -> tuple[bool | None, list[int]]:
        """Whether there is one with these steps too, and its vertices; None if that takes longer.

        Steps are told as pairs of a step, from 0, and a vertex; those that are struck it does not
        have.  With a budget of conflicts the next call goes on where this one ended.
        """
        fixed = [int(self._key[vertex, step]) for step, vertex in assumed]
        if not all(fixed):
            return False, []
        # Those struck first: they are decided before the rest, which then follows sooner.
        ruled_out = (int(self._key[vertex, step]) for step, vertex in struck)
        fixed = [*(-each for each in ruled_out if each), *fixed]
        self._solver.conf_budget(conflicts)
        # Ctrl-C is Python's own: without the flag PySAT makes an error of another kind of it.
        answer = self._solver.solve_limited(assumptions=fixed, expect_interrupt=True)
        if not answer:
            return answer, []
        model = np.array(self._solver.get_model())
        true = np.zeros(len(model) + 1, dtype=np.bool_)
        true[model[model > 0]] = True
        return True, (true[self._key] & (self._key > 0)).argmax(axis=0).tolist()


class Search:
    """All tours with given steps, a few at a time: on windows, then by formula.

    ``placed``: squares placed on windows; ``exhausted``: whether there is no other.

    Examples
    --------
    >>> search = Search(Problem("3x4", start="a1", symmetry="half-turn"))
    >>> search.next(room=4, steps=10**6).shape
    (1, 12)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._windows = problem, StepDomains(problem)
        self._formula: Formula | None = None
        self._annealing: Annealing | None = None
        self._known: dict[tuple[int, ...], None] = {}
        self._image = required_image(problem)
        self._idle = self._pieces = self.placed = 0
        self.exhausted = self._windows.exhausted

    def next(self, *, room: int, steps: int) -> NDArray[np.int32]:
        """Tours found next, one a row; without a symmetry at most as many as there is room."""
        formula, annealing = self._formula, self._annealing
        if formula is None:
            walks = self._on_windows(room, steps)
        else:
            answer, walk = formula.ask()
            self.exhausted = answer is False
            walks = self._new([walk] if walk else [])
        if not len(walks) and annealing is not None and not self.exhausted:
            self._pieces += PIECES_A_CALL
            walk = annealing.next(draws=PIECES_A_CALL)
            walks = self._new([walk] if walk else [])
            self._annealing = annealing if self._pieces < MOST_PIECES else None
        return walks

    def _new(self, walks: list[list[int]]) -> NDArray[np.int32]:
        """Those that were not found before; from now on they are."""
        new = [walk for walk in map(tuple, walks) if walk not in self._known]
        if len(self._known) <= MOST_KNOWN or self._formula or self._annealing:
            self._known |= dict.fromkeys(new)
        if self._formula is not None:
            for walk in new:
                self._formula.exclude(walk)
                self._formula.prefer(walk)
        self._pieces = 0 if new else self._pieces
        return np.array(new, dtype=np.int32).reshape(len(new), self._problem.size)

    def _on_windows(self, room: int, steps: int) -> NDArray[np.int32]:
        if self._image is not None:
            room = max(room, HELD)  # most of them are not symmetric
        walks = self._windows.next(limit=room, steps=steps)
        if self._image is not None:
            walks = walks[is_invariant(walks, self._image, self._problem.closed)]
        self.placed, self.exhausted = self._windows.placed, self._windows.exhausted
        self._idle = 0 if len(walks) else self._idle + 1
        if len(self._known) <= MOST_KNOWN or self._annealing:
            walks = self._new(walks.tolist())
        if self._idle == PATIENCE and not self.exhausted and len(self._known) <= MOST_KNOWN:
            self._turn_over()
        return walks

    def _turn_over(self) -> None:
        from kt_cp.search.annealing import start_annealing

        self._annealing = start_annealing(self._problem)
        try:
            get_encoding("channel").refuse(self._problem)
        except TooLargeError:
            return
        self._formula = Formula(self._problem)
        for walk in self._known:
            self._formula.exclude(walk)
            self._formula.prefer(walk)


def with_images(problem: Problem) -> Iterator[Problem]:
    """Questions whose tours together are those of one, with all the steps that a symmetry gives.

    Examples
    --------
    >>> given = {"a1": 1, "c2": 2}
    >>> [it.label for it in with_images(Problem("3x4", given=given, symmetry="half-turn"))]
    ['3x4, open, a1 at 1, b2 at 11, c2 at 2, d3 at 12, symmetric under the half-turn']
    """
    motion, size, graph = required_image(problem), problem.size, problem.indexed
    image = [] if motion is None else motion.tolist()
    if min(image, default=-1) < 0 or image == sorted(image):
        yield problem
        return
    turns = all(image[there] == here for here, there in enumerate(image))
    places = sum(here == there for here, there in enumerate(image))
    places += sum(image[u] == v and image[v] == u for u, v in graph.pairs())
    later = [size // 2] if turns else [size // 4, -(size // 4)]
    if not problem.closed and turns:
        later = [0]
    elif not problem.closed or size % (2 if turns else 4):
        later = []  # no tour is carried to itself that way
    if problem.closed and turns and places > 1:
        yield problem
        return
    for shift in later:
        steps = set(given_vertices(problem))
        for _ in range(3):
            steps |= {
                ((step + shift) % size if problem.closed else size - 1 - step, image[at])
                for step, at in steps
            }
        given = {graph.nodes[at]: step + 1 for step, at in steps}
        if len(given) == len(steps) == len(set(given.values())):
            yield changed(problem, given=given)


class GivenSteps:
    """How the tours of a problem with given steps are written.

    ``reversible``: whether the reverse of every tour has the given squares at their steps as well.
    """

    def __init__(self, problem: Problem, *, directed: bool) -> None:
        self._size, self._closed = problem.size, problem.closed
        self._given = given_vertices(problem)
        # Read backwards, step t comes at turn - t: a closed tour may be turned by any number.
        turns = {2 * step % self._size if self._closed else 2 * step for step, _ in self._given}
        self._turn = min(turns)
        self.reversible = turns == {self._turn} and (self._closed or self._turn == self._size - 1)
        self._problem, self._directed = problem, directed

    @cached_property
    def _images(self) -> list[BoardSymmetry]:
        """For classes alone: beside the search of a puzzle they are not cheap."""
        problem = self._problem
        return symmetries(problem, problem.indexed.index, directed=self._directed)

    def tours(self, walks: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """The walks found that stand for themselves, and for their reverse if it is one too."""
        yield self._forward(walks) if self.reversible and not self._directed else walks

    def _forward(self, walks: NDArray[np.int32]) -> NDArray[np.int32]:
        step = self._given[0][0]
        before, after = (step - 1) % self._size, (step + 1) % self._size
        chosen: NDArray[np.int32] = walks[walks[:, before] < walks[:, after]]
        return chosen

    def sizes(self, walks: NDArray[np.int32]) -> list[int]:
        """Number of tours in the class of each walk, 0 for those that are not its first."""
        found = []
        for walk in walks.tolist():
            alike = set()
            for image, back in self._images:
                image_walk = [image[vertex] for vertex in walk]
                written = self._written(image_walk[::-1] if back else image_walk)
                if written is not None:
                    alike.add(written)
            found.append(len(alike) if tuple(walk) == min(alike) else 0)
        return found

    def _written(self, walk: list[int]) -> tuple[int, ...] | None:
        """A walk, turned and read so that the given squares stand at their steps, if it can be."""
        step, vertex = self._given[0]
        if self._closed:
            at = walk.index(vertex) - step
            walk = walk[at:] + walk[:at]
        if any(walk[step] != vertex for step, vertex in self._given):
            return None
        either = self.reversible and not self._directed
        if either and walk[(step + 1) % self._size] < walk[step - 1]:
            walk = [walk[(self._turn - step) % self._size] for step in range(self._size)]
        return tuple(walk)
