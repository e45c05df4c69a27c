"""The next step of a puzzle, and why it can be no other.

Whoever is stuck is told the least that leads on, in the order of the grades
(:mod:`kt_cp.puzzles.grades`): a step that one square alone fits by counting moves; then one to
which all ways through free squares lead by the same square; then narrowing, where each other square
is named with what it would leave without a place; then squares tried one by one; and where nothing
but a search helps, that is said.

What the player has entered is looked at first.  A step from one clue to the next can look forced
after a mistake, so a mistake is told before anything else, with the number that no tour has there.

Cost: milliseconds on 8×8, and a search of some hundredths of a second for mistakes.

When it loses: the first reason found is told, not the prettiest; where a search for mistakes takes
too long it is left out, and a mistake is told only when it leads to a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kt_cp.model.board import describe, shorten, square_of
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.puzzles.forced import Hint, Kind, Position
from kt_cp.puzzles.make import check_takes
from kt_cp.search.windows import given_vertices


def hint(problem: Problem, entered: Mapping[Any, int] | None = None) -> Hint:
    """What to enter next.

    Parameters
    ----------
    problem : Problem
        A puzzle with its clues as given steps.
    entered : mapping from squares or their names to int, optional
        What the player has entered besides.

    Raises
    ------
    InputError
        If the puzzle has no clues, or something entered is no square or no number of it.

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
        told = {**position.placed, **added}
        if told.get(step - 1, vertex) != vertex:
            both = (position.name(told[step - 1]), position.name(vertex))
            text = f"{step} is on two squares: {' and '.join(both)}."
            return Hint(Kind.MISTAKE, text, both[1], step, both)
        added[step - 1] = vertex
    return next(_hints(position, added))


def _vertex(problem: Problem, square: Any) -> int:
    node = square if problem.board is None else square_of(square)
    if not problem.has_square(node):
        raise InputError(f"expected a square of the puzzle, got {shorten(describe(node))!r}")
    return problem.indexed.index[node]


def _hints(position: Position, added: dict[int, int]) -> Iterator[Hint]:
    """Hints, of which the first is meant."""
    whole = Position(position.problem, {**position.placed, **added})
    yield from _mistakes(position, added, whole)
    if len(whole.placed) == position.problem.size:
        yield Hint(Kind.DONE, "Every number is in its place.")
    yield from whole.by_counting()
    yield from whole.by_ways()
    yield from whole.by_narrowing()
    yield from whole.by_search()


def _mistakes(clues: Position, added: Mapping[int, int], whole: Position) -> Iterator[Hint]:
    """A number entered that no tour with these clues has, if the tours tell."""
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
        why = clues.against(step, vertex)
        why = why or "with the clues alone a search shows that no tour has it there"
        yield Hint(Kind.MISTAKE, f"{step + 1} is not at {square}: {why}.", square, step + 1)
    yield Hint(Kind.MISTAKE, "No tour has all these numbers.")
