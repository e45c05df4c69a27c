"""What will be counted and how: which tours, by which methods, and what that is likely to take.

Classes of tours up to rotation and reflection, from the numbers of symmetric tours.

A board's symmetries that keep the question as it is are a group, and it permutes the tours.  The
number of classes is the mean, over the group, of how many tours a symmetry leaves as they are.  So
beside all tours only the symmetric ones are counted, as cycles of a quotient, on half or
a fourth of the squares: for closed 8×8 these are 2,432,932 with a half turn and none with any other
symmetry, and (13,267,364,410,532 + 2,432,932) / 8 = 1,658,420,855,433.

Source: the lemma that is not Burnside's: G. Frobenius, Journal für die reine und angewandte
Mathematik 101 (1887), 273-299.  Cost: that of all tours, and as much at most by the frontier for
each symmetry.

Two ends make the group smaller: what carries the pair to itself.  With one end given, a symmetry
carries some tours to tours of the question and others not; these are listed, class by class.

A second way to the same number, which shares as little as can be with the first.

Another method is best, and taken wherever it is done in minutes.  Else there are other ways of the
same one (an array cut elsewhere, sums modulo a prime), and the board laid on its side, where every
square has another number and every step another order; the soonest is taken.  Two ways that do not
agree are a bug, and no answer is given.

A problem on its board laid another way: the same tours under other names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.counting.choose import (
    AUTO,
    ENUMERATE,
    HOPELESS,
    Choice,
    Enumerated,
    check_end,
    choices,
    choose,
    method_named,
)
from kt_cp.counting.method import Estimate, Method
from kt_cp.counting.store import MANIFEST, check, method_of
from kt_cp.enumeration.symmetry import symmetries
from kt_cp.model.board import Board, Square
from kt_cp.model.conditions import MOTIONS, Given, Symmetry
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.limits import Limits
from kt_cp.model.orbits import MOVED, images
from kt_cp.model.problem import Problem, as_problem, changed
from kt_cp.model.surface import Surface
from kt_cp.model.terms import is_reverse_distinct
from kt_cp.proofs.obstructions import obstruction

if TYPE_CHECKING:
    from kt_cp.counting.method import Estimate, Method
    from kt_cp.model.conditions import Condition
    from kt_cp.model.problem import Problem, ProblemInput


_OTHER = {"left-right": "top-bottom", "top-bottom": "left-right"}


def moved(problem: Problem, motion: str) -> Problem | None:
    """The problem with every square carried by a motion; None but for boards on the plane.

    Examples
    --------
    >>> moved(Problem("3x4", start="a3"), "diagonal").label
    '4x3, open, from c1'
    >>> moved(Problem("3x4", start="a3"), "left-right").label
    '3x4, open, from d3'
    """
    board = problem.board
    if board is None or board.surface is not Surface.PLANE:
        return None
    turns = motion in {"diagonal", "quarter-turn"}
    rows, columns = board.rows, board.columns

    def image(square: Square) -> Square:
        row, column = MOVED[motion](*square, rows, columns)  # type: ignore[arg-type]
        return int(row), int(column)

    def carried(condition: Condition) -> Condition:
        if isinstance(condition, Symmetry):  # a mirror stands the other way on a board on its side
            mirror = condition.motion
            return Symmetry(_OTHER.get(mirror, mirror) if turns else mirror)
        return condition.mapped(image)

    sides = (columns, rows) if turns else (rows, columns)
    laid = Board(*sides, {image(square) for square in board.missing})
    conditions = [carried(each) for each in problem.conditions]
    return Problem(laid, piece=problem.piece, closed=problem.closed, conditions=conditions)


Weighed = tuple[Fraction, "Problem"]
"""How much a problem's tours count, and the problem."""


def weighed(problem: Problem) -> list[Weighed] | None:
    """Problems whose tours, weighed and added, are the classes; None where they must be listed.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> [(str(part), each.label) for part, each in weighed(Problem("3x4"))]  # doctest: +ELLIPSIS
    [('1/4', '3x4, open'), ('1/4', '3x4, open, symmetric under the left-right'), ...
    """
    ends = {each for each in (problem.start, problem.end) if each is not None}
    if problem.board is None:
        return [(Fraction(1), problem)]
    if {Given, Symmetry} & {type(each) for each in problem.conditions}:
        return None
    if not problem.closed and len(ends) == 1 < problem.size:
        return None
    index = problem.indexed.index
    group = [image for image, _ in symmetries(problem, index, directed=True)]
    if not problem.closed:
        group = [
            image
            for image in group
            if {image[index[end]] for end in ends} == {index[end] for end in ends}
        ]
    found: dict[Problem, int] = {}
    for image in group:
        fixed = _symmetric(problem, np.array(image))
        if fixed is None:
            return None
        found[fixed] = found.get(fixed, 0) + 1
    return [(Fraction(many, len(group)), fixed) for fixed, many in found.items()]


def _symmetric(problem: Problem, image: np.ndarray) -> Problem | None:
    """The question for the tours that a symmetry leaves as they are."""
    if np.array_equal(image, np.arange(len(image))):
        return problem
    for motion, either in _motions(problem):
        if np.array_equal(image, either) or np.array_equal(np.argsort(image), either):
            return changed(problem, symmetry=motion)
    # What is left is the other diagonal, which is the first one of the board seen in a mirror.
    mirrored = moved(problem, "left-right")
    return None if mirrored is None else changed(mirrored, symmetry="diagonal")


def _motions(problem: Problem) -> Iterator[tuple[str, np.ndarray]]:
    board = problem.board
    assert board is not None
    square = board.rows == board.columns
    for motion in MOTIONS:
        if square or motion not in {"diagonal", "quarter-turn"}:
            yield motion, images(problem.indexed, board, motion)


WORTH = 300.0
"""Seconds that another method may take, whatever the same one would in another way."""


class Second(NamedTuple):
    """A second way: what it is called, who counts what, and what that is likely to take."""

    name: str
    method: Method
    problem: Problem
    estimate: Estimate


def second_way(
    problem: Problem, first: Method, memory_limit: float | None = None, *, stored: bool = False
) -> Second:
    """How a count by a method is to be confirmed; on a disk only where it is ``stored``.

    Examples
    --------
    >>> from kt_cp.counting.choose import ENUMERATE
    >>> from kt_cp.model.problem import Problem
    >>> second_way(Problem("3x4", given={"a1": 1}), ENUMERATE).name
    'enumerate, on the board laid on its side'
    >>> second_way(Problem("3x4"), ENUMERATE).name
    'frontier'
    """
    known = choices(problem, memory_limit) if not getattr(first, "unique", False) else []
    others = [it for it in known if it.method.name != first.name]  # these count tours, not classes
    ways = [(it.seconds, Second(it.method.name, it.method, problem, it.estimate)) for it in others]
    if not ways or ways[0][0] > WORTH:
        ways += [*_of_its_own(problem, first)]
    ways = [way for way in ways if stored or not way[1].estimate.disk]
    seconds, second = min(ways, key=lambda way: way[0], default=(HOPELESS, None))
    if second is None or seconds > HOPELESS:
        raise NotTakenError(f"{problem.label}: expected a second way to count it, got none")
    return second


def _of_its_own(problem: Problem, method: Method) -> Iterator[tuple[float, Second]]:
    """Other ways of the same method, each with its seconds, those that share more twice over."""
    for other in getattr(method, "others", tuple)():
        if other.refuses(problem) is None:
            estimate = other.estimate(problem)
            yield estimate.seconds, Second(other.name, other, problem, estimate)
    turned = moved(problem, "diagonal")
    if turned is not None and method.refuses(turned) is None:
        estimate = method.estimate(turned)
        name = f"{method.name}, on the board laid on its side"
        yield 2 * estimate.seconds, Second(name, method, turned, estimate)


@dataclass(frozen=True)
class Part:
    """One count of a plan."""

    weight: Fraction  # how much each of its tours counts
    problem: Problem  # whose tours they are
    method: Method  # what counts them
    estimate: Estimate  # what that is likely to take
    second: Second | None = None  # how the number is to be confirmed


@dataclass(frozen=True)
class Plan:
    """What will be counted, and how."""

    problem: Problem  # the question
    # directed, unique: what makes two tours one, as :class:`kt_cp.counting.Count` has it
    directed: bool
    unique: bool
    parts: tuple[Part, ...]  # what is counted, the most work first; none where the answer is known
    reason: str | None = None  # why there is no tour, where that is told without a count

    @property
    def estimate(self) -> Estimate:
        """What all of it is likely to take."""
        each = [part.estimate for part in self.parts]
        each += [part.second.estimate for part in self.parts if part.second is not None]
        return Estimate(
            max((it.states for it in each), default=0),
            max((it.bytes for it in each), default=0),
            sum(it.seconds for it in each),
            max((it.disk for it in each), default=0),
            timed=all(it.timed for it in each),
        )

    @property
    def method(self) -> str:
        """Name of the method that has the most work."""
        return self.parts[0].method.name if self.parts else ENUMERATE.name


def plan(
    problem: ProblemInput,
    method: str = AUTO,
    *,
    directed: bool | None = None,
    unique: bool = False,
    confirm: bool = False,
    store: Path | str | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    **asked: Any,
) -> Plan:
    """How a count will be made, and what it is likely to take; as :func:`kt_cp.count` otherwise.

    Examples
    --------
    >>> made = plan("5x5")
    >>> made.method, made.estimate.seconds < 1
    ('frontier', True)
    """
    problem = as_problem(problem, asked)
    limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit}
    Limits(*limits.values())
    directed = is_reverse_distinct(problem, directed, unique=unique)
    if unique and directed and not problem.directed:
        raise InputError("classes of tours are undirected: a tour and its reverse are one")
    if method != AUTO:
        method_named(method)
    if store is not None and method == AUTO:
        method = method_of(Path(store)) or AUTO
    if not problem.directed and Given not in map(type, problem.conditions):
        reason = obstruction(problem)
        if reason is not None:
            return Plan(problem, directed, unique, (), reason.text)
    parts = []
    for weight, each in _questions(problem, directed, unique):
        # What is asked of a method by name is about all tours; few of them are symmetric.
        name, stored = (method, store is not None) if each is problem else (AUTO, False)
        chosen = choose(each, name, stored=stored, **limits)
        parts.append((weight, each, chosen))
    listed = Enumerated(directed=directed, unique=unique)
    if not parts:
        why = listed.refuses(problem)
        if store is not None:
            why = why or "a store keeps no tours that are listed"
        if why is not None or method not in (AUTO, ENUMERATE.name):
            raise NotTakenError(f"{problem.label}: {why or 'only enumerate counts this'}")
        chosen = Choice(listed, listed.estimate(problem))
        check_end(problem, chosen, method, time_limit)
        parts.append((Fraction(1), problem, chosen))
    if store is not None and (Path(store) / MANIFEST).exists():
        check(Path(store), problem, parts[0][2].method)
    made = [Part(weight, each, *chosen) for weight, each, chosen in parts]
    if confirm:
        for at, part in enumerate(made):
            stored = store is not None and part.problem is problem
            second = second_way(part.problem, part.method, memory_limit, stored=stored)
            made[at] = replace(part, second=second)
    return Plan(problem, directed, unique, tuple(made))


def _questions(problem: Problem, directed: bool, unique: bool) -> list[tuple[Fraction, Problem]]:
    """What is to be counted, and how much it counts; nothing where tours are looked at."""
    if unique:
        return weighed(problem) or []
    if Given in map(type, problem.conditions):
        return []
    ends = (problem.start, problem.end) != (None, None)
    # A method counts a tour and its reverse as one, except on a digraph, where they are two.
    both = directed and not problem.directed and problem.size > 1 and (problem.closed or not ends)
    return [(Fraction(2 if both else 1), problem)]
