"""The next step of a puzzle, with the reason why it is certain.

A hint uses the simplest method that helps, in the order of the grades
(:mod:`kt_cp.puzzles.grades`).  It is a step that only one square fits by counting moves; a step for
which all paths through free squares lead through the same square; a step for which narrowing leaves
one square, with the contradiction that each other square causes; a step that follows by trying
squares one by one; or finally the remark that only a search helps.

Entered numbers are tested first.  A step can look forced after a mistake, so a mistake precedes all
other hints, with a number that no tour has at its square.

Cost: milliseconds on 8×8, and a search of a few hundredths of a second for mistakes.

When it loses: a hint has the first reason found, not the prettiest.  If the search for mistakes
takes too long it stops, and a mistake appears only when it leads to a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import describe, shorten, square_of
from kt_cp.model.document import node_name
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.puzzles.generator import check_takes
from kt_cp.puzzles.grades import Counting, Narrowing
from kt_cp.search.step_domains import StepDomains, given_vertices
from kt_cp.trust.check.sentences import join_names

STEPS = 20_000_000
"""Steps of work of a search for mistakes, which take a second or two."""

MOST_REASONS = 3
"""Most excluded squares for which a hint gives a reason."""


class Kind(StrEnum):
    """Kinds of reasons, the easiest first."""

    MISTAKE = "mistake"
    DONE = "done"
    COUNTING = "counting"
    WAY = "way"
    NARROWING = "narrowing"
    AHEAD = "ahead"
    SEARCH = "search"


@dataclass(frozen=True)
class Hint:
    """One certain step, with the reason.

    ``step`` belongs at ``square``.  For a mistake it does not, and both are None if several numbers
    may be wrong.  The reason in ``text`` mentions the squares ``marked``, and excludes the squares
    ``struck`` for the step.
    """

    kind: Kind
    text: str
    square: str | None = None
    step: int | None = None
    marked: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()


class Position:
    """A state of a puzzle: vertices by their steps, from 0."""

    def __init__(self, problem: Problem, placed: Mapping[int, int]) -> None:
        self.problem, self.placed = problem, dict(sorted(placed.items()))
        self._move = f"{problem.piece.name}'s move" if problem.board is not None else "move"

    def name(self, vertex: int) -> str:
        return node_name(self.problem, self.problem.indexed.nodes[vertex])

    def _names(self, vertices: Sequence[int] | NDArray[np.int64]) -> tuple[str, ...]:
        return tuple(self.name(int(vertex)) for vertex in vertices)

    def _number(self, step: int) -> str:
        return f"{step + 1} ({self.name(self.placed[step])})"

    def _bounds(self, step: int) -> list[tuple[int, int]]:
        """Return the known steps before and after a step, with the moves between."""
        known, size, closed = [*self.placed], self.problem.size, self.problem.closed
        before = [each for each in known if each < step][-1:] or (known[-1:] if closed else [])
        after = [each for each in known if each > step][:1] or (known[:1] if closed else [])
        found = [(each, (step - each) % size) for each in before]
        found += [(each, (each - step) % size) for each in after]
        return found

    @cached_property
    def search(self) -> StepDomains:
        return StepDomains(self.problem, given=[*self.placed.items()])

    @cached_property
    def tour(self) -> list[int]:
        """A tour with all placed vertices; empty if there is none, or the search stopped."""
        found = self.search.next(limit=1, steps=STEPS)
        return [vertex for walk in found.tolist() for vertex in walk]

    def find_contradiction(self, step: int, vertex: int) -> str | None:
        """Return the contradiction that narrowing finds for a vertex at a step, or None."""
        size = self.problem.size
        placed = {**self.placed, step: vertex}
        if len(set(placed.values())) < len(placed):
            return "that square has another number"
        blamed = Narrowing(self.problem, given=[*placed.items()]).blamed
        if blamed < 0:
            return None
        if blamed in (step, size + vertex):
            return "no way leads on from there"
        if blamed >= size:
            return f"{self.name(blamed - size)} could no longer be visited"
        if blamed in placed:
            return f"no way would lead to {blamed + 1} ({self.name(placed[blamed])})"
        return f"no square is left for {blamed + 1}"

    def by_counting(self) -> Iterator[Hint]:
        """Yield single forced moves."""
        counting = Counting(self.problem)
        fits = counting.fits(self.placed) if self.placed else np.zeros((0, 0), dtype=np.bool_)
        for step in self._nearest(np.flatnonzero(fits.sum(axis=1) == 1)):
            square, around = self.name(int(fits[step].argmax())), self._bounds(step)
            moves = [
                counted(around[0][1], self._move),
                *(str(distance) for _, distance in around[1:]),
            ]
            routes = [
                f"in {many} from {self._number(other)}"
                for many, (other, _) in zip(moves, around, strict=True)
            ]
            text = f"{step + 1} can only be at {square}: "
            text += f"no other free square is reached {' and '.join(routes)}."
            marked = self._names([self.placed[other] for other, _ in around])
            yield Hint(Kind.COUNTING, text, square, step + 1, marked)
        for vertex in np.flatnonzero(fits.sum(axis=0) == 1):
            step, square = int(fits[:, vertex].argmax()), self.name(int(vertex))
            text = f"{square} can only be {step + 1}: no other missing number comes there in time."
            yield Hint(Kind.COUNTING, text, square, step + 1)

    def _nearest(self, steps: NDArray[np.int64]) -> list[int]:
        """Return the steps in the order of their distance to known steps, the nearest first."""
        return sorted(steps.tolist(), key=lambda at: (sum(d for _, d in self._bounds(at)), at))

    @cached_property
    def _path_domains(self) -> NDArray[np.bool_]:
        """Return the possible vertices of each step, by paths through free squares."""
        size, graph = self.problem.size, self.problem.indexed
        beside = np.zeros((size, size), dtype=np.bool_)
        beside[graph.tails, graph.heads] = beside[graph.heads, graph.tails] = True
        free = np.ones(size, dtype=np.bool_)
        free[[*self.placed.values()]] = False
        may = np.tile(free, (size, 1))
        for step, vertex in self.placed.items():
            may[step] = np.arange(size) == vertex
        order = [*range(size)] * (2 if self.problem.closed else 1)
        for way in (order, order[::-1]):
            for here, there in pairwise(way):
                may[there] &= beside[may[here]].any(axis=0)
        return may

    def by_paths(self) -> Iterator[Hint]:
        """Yield steps for which all paths through free squares lead through the same square."""
        ways = self._path_domains
        single = [step for step in np.flatnonzero(ways.sum(axis=1) == 1) if step not in self.placed]
        for step in self._nearest(np.array(single, dtype=np.int64)):
            vertex, ends = int(ways[step].argmax()), self._bounds(step)
            between = " to ".join(self._number(other) for other, _ in ends)
            text = (
                f"{step + 1} can only be at {self.name(vertex)}: every way of {self._move}s from "
                f"{between} through free squares comes by there."
            )
            struck = Counting(self.problem).fits(self.placed)[step]
            struck[vertex] = False
            marked = self._names([self.placed[other] for other, _ in ends])
            struck_names = self._names(np.flatnonzero(struck))
            yield Hint(Kind.WAY, text, self.name(vertex), step + 1, marked, struck_names)

    def by_narrowing(self) -> Iterator[Hint]:
        """Yield steps with one square left, after narrowing, and after single guesses."""
        search = Narrowing(self.problem, given=[*self.placed.items()])
        for kind in (Kind.NARROWING, Kind.AHEAD):
            domains = search.first
            single = np.flatnonzero(domains.sum(axis=1) == 1).tolist()
            others = self._path_domains.sum(axis=1)
            for step in sorted(set(single) - set(self.placed), key=lambda at: (others[at], at)):
                yield self._last_square(kind, step, int(domains[step].argmax()))
            if kind is Kind.NARROWING:
                search.look_ahead(enough=len(self.placed) + 1)

    def _last_square(self, kind: Kind, step: int, vertex: int) -> Hint:
        others = [int(each) for each in np.flatnonzero(self._path_domains[step]) if each != vertex]
        found: dict[str | None, list[str]] = {}
        for other in others:
            found.setdefault(self.find_contradiction(step, other), []).append(self.name(other))
        tried = found.pop(None, [])
        reasons = [
            f"at {'any of ' * (len(steps_of) > 1)}{join_names(steps_of)}, {why}"
            for why, steps_of in found.items()
        ][:MOST_REASONS]
        text = f"{step + 1} can only be at {self.name(vertex)}"
        text += f": with {step + 1} {'; '.join(reasons)}" if reasons else ""
        text += "; and so on" if len(found) > MOST_REASONS else ""
        if tried:
            fails = "fails" if len(tried) == 1 else "fail"
            text += f". {join_names(tried)} {fails} once squares were tried for other numbers too"
        return Hint(kind, f"{text}.", self.name(vertex), step + 1, (), self._names(others))

    def by_search(self) -> Iterator[Hint]:
        """Yield the step next to the known ones, from a search."""
        if not self.tour:
            yield Hint(Kind.SEARCH, "Only a search can decide, and it takes too long here.")
        elif len(self.search.next(limit=1, steps=STEPS)):
            yield Hint(Kind.SEARCH, "Several tours have these numbers: nothing is forced.")
        else:
            free = np.setdiff1d(np.arange(self.problem.size), [*self.placed])
            step = self._nearest(free)[0]
            square = self.name(self.tour[step])
            text = (
                f"{step + 1} is at {square}: only a search shows it, with guesses within guesses."
            )
            yield Hint(Kind.SEARCH, text, square, step + 1)


def hint(problem: Problem, entered: Mapping[Any, int] | None = None) -> Hint:
    """Return a hint for the next step of a puzzle with its clues as given steps.

    ``entered`` maps squares, or their names, to the numbers that the player has added.  Raise
    :class:`~kt_cp.model.errors.InputError` if the puzzle has no clues, or an entry is not a square
    or a number of the puzzle.

    Examples
    --------
    >>> puzzle = Problem("3x4", given={"a1": 1, "a2": 8, "c2": 2, "b1": 4, "d3": 12})
    >>> found = hint(puzzle)
    >>> found.kind.value, found.square, found.step
    ('counting', 'a3', 3)
    >>> print(found.text)  # doctest: +NORMALIZE_WHITESPACE
    3 can only be at a3: no other free square is reached
    in 1 knight's move from 2 (c2) and in 1 from 4 (b1).
    >>> hint(puzzle, {"c1": 3}).kind.value
    'mistake'
    """
    check_takes(problem)
    position = Position(problem, dict(given_vertices(problem)))
    if problem.size < 3 or not position.placed:
        raise InputError(f"expected a puzzle with clues, got {problem.label}")
    added: dict[int, int] = {}
    for square, step in (entered or {}).items():
        vertex = _vertex(problem, square)
        if type(step) is not int or not 1 <= step <= problem.size:
            got = shorten(repr(step))
            raise InputError(f"expected a number from 1 to {problem.size}, got {got}")
        known = {**position.placed, **added}
        if known.get(step - 1, vertex) != vertex:
            both = (position.name(known[step - 1]), position.name(vertex))
            text = f"{step} is on two squares: {' and '.join(both)}."
            return Hint(Kind.MISTAKE, text, both[1], step, both)
        added[step - 1] = vertex
    whole = Position(problem, {**position.placed, **added})
    done = [Hint(Kind.DONE, "Every number is in its place.")]
    # The most urgent first.
    hints = chain(
        _mistakes(position, added, whole),
        done if len(whole.placed) == problem.size else (),
        whole.by_counting(),
        whole.by_paths(),
        whole.by_narrowing(),
        whole.by_search(),
    )
    return next(hints)


def _vertex(problem: Problem, square: Any) -> int:
    node = square if problem.board is None else square_of(square)
    if not problem.has_square(node):
        raise InputError(f"expected a square of the puzzle, got {shorten(describe(node))!r}")
    return problem.indexed.index[node]


def _mistakes(clues: Position, added: Mapping[int, int], whole: Position) -> Iterator[Hint]:
    """Yield a hint for an entered number that no tour has, if the searches decide that."""
    if whole.tour or not whole.search.exhausted:
        return
    right = clues.tour
    for step, vertex in added.items():
        if right and right[step] == vertex:
            continue
        alone = Position(clues.problem, {**clues.placed, step: vertex})
        if alone.tour or not alone.search.exhausted:
            continue
        square = clues.name(vertex)
        why = clues.find_contradiction(step, vertex)
        why = why or "with the clues alone a search shows that no tour has it there"
        yield Hint(Kind.MISTAKE, f"{step + 1} is not at {square}: {why}.", square, step + 1)
    yield Hint(Kind.MISTAKE, "No tour has all these numbers.")
