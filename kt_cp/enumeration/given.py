"""Tours with given steps: which of them are written in one direction only, and which are alike.

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

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from kt_cp.enumeration.symmetry import Symmetry, image_of, symmetries
from kt_cp.model.problem import Problem, changed
from kt_cp.search.step_domains import given_vertices

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def with_images(problem: Problem) -> Iterator[Problem]:
    """Questions whose tours together are those of one, with all the steps that a symmetry gives.

    Examples
    --------
    >>> given = {"a1": 1, "c2": 2}
    >>> [it.label for it in with_images(Problem("3x4", given=given, symmetry="half-turn"))]
    ['3x4, open, a1 at 1, b2 at 11, c2 at 2, d3 at 12, symmetric under the half-turn']
    """
    motion, size, graph = image_of(problem), problem.size, problem.indexed
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

    Attributes
    ----------
    reversible : bool
        Whether the reverse of every tour has the given squares at their steps as well.
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
    def _images(self) -> list[Symmetry]:
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
                moved = [image[vertex] for vertex in walk]
                written = self._written(moved[::-1] if back else moved)
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
