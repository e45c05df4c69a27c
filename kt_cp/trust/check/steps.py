"""Clues, and the clauses that fix the step of each square.

A *clue* is a square and its step: a given step; the start, at step 1; or the end of an open tour,
at the last step.  Between two consecutive clues the tour makes as many moves as their steps differ,
over squares that are not clues.  So a square cannot be visited at step t if no such walk visits it
then.  The remaining squares of a step are its *window*.  Two passes over the gap between two clues
find a window: the squares that a walk from one clue can reach, and those of them from which a walk
reaches the other clue.  If every move changes colour, the squares of a window have one colour
without a further rule.  If the clues clash, a window is empty.

A *step variable* x(v, t) states that square v is visited at step t.  There is one for each square
of each window.  The clauses state that each step has one square and each square one step, that a
move leads from each step to the next, and that the edges of these moves are exactly the chosen
edges.  So a model is a tour that satisfies the clues, and every such tour is a model.  No cuts are
needed.  ``FORMAT.md`` lists the clauses one by one.

Cost: about eighty literals for each square of each window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from kt_cp.model.conditions import End, Given, Start
from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.refusal import Reason, Refusal

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

Clause = list[int]
Clue = tuple[int, int]
"""A vertex and its step, from 1."""

PAIRWISE = 9
"""Most variables of an at-most-one constraint without further variables."""

MOST_PAIRS = 1_000_000
"""Squares that the first pass over the gaps may reach, over all steps: a few seconds."""

MOST_EDGES = 50_000_000
"""Edges from these squares; a few squares may have nearly all edges: a few seconds."""


def clues_of(problem: Problem | Instance) -> list[tuple[object, int]]:
    """Return every clue of a problem, a square and its step, the ends first.

    >>> from kt_cp.model.problem import Problem
    >>> clues_of(Problem("3x4", end="b3", given={"c2": 2}))
    [((2, 1), 12), ((1, 2), 2)]
    """
    found: list[tuple[object, int]] = []
    for condition in problem.conditions:
        match condition:
            case End(square):
                found.append((square, problem.size))
            case Start(square):
                found.append((square, 1))
            case Given(square, step):
                found.append((square, step))
    return found


def windows_of(frame: Frame, clues: Iterable[Clue]) -> list[list[int]]:
    """Return the window of each step from 1 on, as ascending vertices.

    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem("3x4", given={"a1": 1, "b1": 4}))
    >>> windows = windows_of(frame, [(0, 1), (1, 4)])
    >>> [[frame.names[vertex] for vertex in window] for window in windows[:4]]
    [['a1'], ['c2', 'b3'], ['d2', 'a3'], ['b1']]
    """
    size, closed = frame.squares, frame.problem.closed
    clue_set = set(clues)
    of_step, of_square = Counter(step for _, step in clue_set), Counter(v for v, _ in clue_set)
    free = set(range(size)) - set(of_square)
    ends = {} if closed else {1: free, size: free}
    fixed = {**ends, **{step: set[int]() for step in of_step}}
    for vertex, step in clue_set:
        if of_step[step] == of_square[vertex] == 1:
            fixed[step] = {vertex}
    steps = sorted(fixed)
    gaps = [*pairwise(steps), *([(steps[-1], steps[0] + size)] if closed else [])]
    windows: dict[int, set[int]] = {}
    reached = edges = 0
    for first, last in gaps:
        layers = [fixed[first]]
        for step in range(first + 1, last + 1):
            allowed = free if step < last else fixed[(last - 1) % size + 1]
            edges += sum(len(frame.neighbours[vertex]) for vertex in layers[-1])
            if edges > MOST_EDGES:
                raise Refusal(Reason.TOO_LARGE, f"expected windows of at most {MOST_EDGES:,} edges")
            layers.append(_beside(frame, layers[-1]) & allowed)
            reached += len(layers[-1])
            if reached > MOST_PAIRS:
                raise Refusal(Reason.TOO_LARGE, f"expected windows of at most {MOST_PAIRS:,}")
        for place in range(len(layers) - 2, -1, -1):
            layers[place] = layers[place] & _beside(frame, layers[place + 1])
        for step, layer in enumerate(layers, start=first - 1):
            windows[step % size] = windows.get(step % size, layer) & layer
    return [sorted(windows[step]) for step in range(size)]


def _beside(frame: Frame, layer: set[int]) -> set[int]:
    return {other for vertex in layer for other in frame.neighbours[vertex]}


class Steps:
    """The step variables of some clues, and their clauses.

    Attributes
    ----------
    variable : list of dict
        For each step, from 0, the variable of each vertex of its window.
    top : int
        The last variable that is used.

    Raises
    ------
    Refusal
        If there would be too many literals.
    """

    def __init__(self, frame: Frame, clues: Iterable[Clue], top: int, most: int) -> None:
        self.frame, self.size = frame, frame.squares
        windows = windows_of(frame, clues)
        rows = frame.neighbours
        self.literals = sum(16 + 9 * len(rows[v]) for window in windows for v in window)
        if self.literals > most:
            raise Refusal(Reason.TOO_LARGE, f"expected at most {most:,} literals for the steps")
        self.variable: list[dict[int, int]] = []
        for window in windows:
            self.variable.append({v: top + place for place, v in enumerate(window, start=1)})
            top += len(window)
        self.top = top

    def clauses(self, edge: dict[tuple[int, int], int]) -> list[Clause]:
        """Return the clauses, given the variables of the frame's edges."""
        of_square: list[list[int]] = [[] for _ in range(self.size)]
        for step in self.variable:
            for vertex, x in step.items():
                of_square[vertex].append(x)
        clauses: list[Clause] = []
        for some in (*(list(step.values()) for step in self.variable), *of_square):
            clauses.append(some)
            fresh, self.top = at_most_one(some, self.top)
            clauses += fresh
        clauses += self._walk()
        steps_of: list[list[int]] = [[] for _ in range(self.size)]
        for at, window in enumerate(self.variable):
            for vertex in window:
                steps_of[vertex].append(at)
        for (u, v), e in edge.items():
            if v < self.size:
                clauses += self._used(u, v, e, steps_of[u])
                clauses += self._used(v, u, e, steps_of[v])
            elif u < self.size:
                clauses += self._end(u, e)
        return clauses

    def _beside(self, step: int) -> list[dict[int, int]]:
        """Return the variables of the next and the previous step; an empty mapping at an end."""
        if self.frame.problem.closed:
            return [self.variable[(step + way) % self.size] for way in (1, -1)]
        inside = range(self.size)
        return [self.variable[step + way] if step + way in inside else {} for way in (1, -1)]

    def _walk(self) -> Iterator[Clause]:
        """Yield the clauses for a move from each step to the next and to the previous one."""
        first, last = (None, None) if self.frame.problem.closed else (0, self.size - 1)
        for step, here in enumerate(self.variable):
            after, before = self._beside(step)
            for vertex, x in here.items():
                row = self.frame.neighbours[vertex]
                if step != last:
                    yield [-x, *(after[other] for other in row if other in after)]
                if step != first:
                    yield [-x, *(before[other] for other in row if other in before)]

    def _used(self, u: int, v: int, e: int, steps: list[int]) -> Iterator[Clause]:
        """Yield the clauses that choose an edge exactly if its vertices have consecutive steps."""
        for step in steps:  # steps with u in their windows
            x = self.variable[step][u]
            after, before = self._beside(step)
            if v in after:
                yield [-x, -after[v], e]
            yield [-e, -x, *(beside[v] for beside in (after, before) if v in beside)]

    def _end(self, u: int, e: int) -> Iterator[Clause]:
        """Yield the clauses that choose an edge to the end exactly at the first and last square."""
        ends = [self.variable[step][u] for step in (0, -1) if u in self.variable[step]]
        yield from ([-x, e] for x in ends)
        yield [-e, *ends]


def at_most_one(x: Sequence[int], top: int) -> tuple[list[Clause], int]:
    """Return clauses for at most one of some variables, and the last variable that is used.

    More than ``PAIRWISE`` variables take further ones: ``s[i]`` if one of the first i is true.
    """
    if len(x) <= PAIRWISE:
        return [[-a, -b] for a, b in combinations(x, 2)], top
    s = range(top + 1, top + len(x))
    clauses = [[-x[0], s[0]]]
    for i in range(1, len(s)):
        clauses += [[-x[i], s[i]], [-s[i - 1], s[i]], [-x[i], -s[i - 1]]]
    return [*clauses, [-x[-1], -s[-1]]], s[-1]
