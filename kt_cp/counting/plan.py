"""Plan a count: which tours are counted, by which methods, and how long that is likely to take.

**Classes of tours up to rotation and reflection** come from the numbers of symmetric tours.  The
symmetries of a board that keep the problem as it is form a group, which permutes the tours.  The
number of classes is the mean, over the group, of the number of tours that a symmetry fixes.  So
besides all tours only the symmetric ones are counted, as cycles of a quotient, on half or a fourth
of the squares.  For closed 8×8 these are 2,432,932 with a half turn and none with any other
symmetry, and (13,267,364,410,532 + 2,432,932) / 8 = 1,658,420,855,433.

Source: the lemma that is not Burnside's: G. Frobenius, Journal für die reine und angewandte
Mathematik 101 (1887), 273-299.  Cost: that of all tours, and at most as much by the frontier for
each symmetry.  With two ends given, the group is what carries the pair to itself.  With one end
given, a symmetry carries some tours to tours of the problem and others not; then all tours are
listed, class by class.

**A second count** shares as little as possible with the first.  Another method is best, and is
taken if it needs only minutes.  Otherwise the same method has variants (an array cut elsewhere,
sums modulo a prime), or counts the board laid on its side, where every square has another number
and every step another order; the fastest is taken.  Two counts that differ are a bug, and no answer
is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.counting.method import Estimate, Method
from kt_cp.counting.plan import (
    AUTO,
    ENUMERATE,
    HOPELESS,
    Choice,
    EnumerationMethod,
    check_duration,
    choose,
    get_method,
    rank_methods,
)
from kt_cp.enumeration.symmetry import symmetries
from kt_cp.model.board import Board, Square
from kt_cp.model.conditions import MOTIONS, Given, Symmetry
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.limits import Limits
from kt_cp.model.orbits import MOVED, images
from kt_cp.model.problem import Problem, as_problem, changed
from kt_cp.model.surface import Surface
from kt_cp.model.terms import is_reverse_distinct
from kt_cp.processes.store import MANIFEST, check_work, stored_method
from kt_cp.proofs.obstructions import obstruction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.model.conditions import Condition
    from kt_cp.model.problem import ProblemInput


@dataclass(frozen=True)
class CountPlan:
    """The counts that answer a problem."""

    problem: Problem
    directed: bool  # as in :class:`kt_cp.counting.Count`
    unique: bool
    parts: tuple[PlannedCount, ...]  # the one with most work first; none if the answer is known
    reason: str | None = None  # why there is no tour, if that needs no count

    @property
    def estimate(self) -> Estimate:
        """The estimate for all counts together."""
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
        """The name of the method that has most of the work."""
        return self.parts[0].method.name if self.parts else ENUMERATE.name


@dataclass(frozen=True)
class PlannedCount:
    """One count of a plan: the answer is the sum of the counts times their weights."""

    weight: Fraction
    problem: Problem
    method: Method
    estimate: Estimate
    second: Confirmation | None = None


class Confirmation(NamedTuple):
    """A second count that confirms a first."""

    name: str
    method: Method
    problem: Problem
    estimate: Estimate


def plan_count(
    problem: ProblemInput,
    method: str = AUTO,
    *,
    directed: bool | None = None,
    unique: bool = False,
    confirm: bool = False,
    store: Path | str | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    **options: Any,
) -> CountPlan:
    """Plan how to count the tours of a problem; the arguments are those of :func:`kt_cp.count`.

    Examples
    --------
    >>> plan = plan_count("5x5")
    >>> plan.method, plan.estimate.seconds < 1
    ('frontier', True)
    """
    problem = as_problem(problem, options)
    Limits(time_limit, memory_limit)  # raises where they are wrong
    directed = is_reverse_distinct(problem, directed, unique=unique)
    if unique and directed and not problem.directed:
        raise InputError("classes of tours are undirected: a tour and its reverse are one")
    if method != AUTO:
        get_method(method)
    folder = None if store is None else Path(store)
    if folder is not None and method == AUTO:
        method = stored_method(folder) or AUTO
    has_given = any(isinstance(each, Given) for each in problem.conditions)
    if not problem.directed and not has_given and (reason := obstruction(problem)) is not None:
        return CountPlan(problem, directed, unique, (), reason.text)
    if unique:
        terms = burnside_terms(problem)
    else:
        terms = None if has_given else [(Fraction(_times(problem, directed)), problem)]
    parts = []
    for weight, each in terms or []:
        # A method that is named is for all tours; symmetric ones are few.
        name, stored = (method, folder is not None) if each is problem else (AUTO, False)
        chosen = choose(each, name, stored=stored, time_limit=time_limit, memory_limit=memory_limit)
        parts.append(PlannedCount(weight, each, *chosen))
    if not parts:
        listed = EnumerationMethod(directed=directed, unique=unique)
        why = listed.refuses(problem)
        if folder is not None:
            why = why or "a store keeps no tours that are listed"
        if why is not None or method not in (AUTO, ENUMERATE.name):
            raise NotTakenError(f"{problem.label}: {why or 'only enumerate counts this'}")
        choice = Choice(listed, listed.estimate(problem))
        check_duration(problem, choice, method, time_limit)
        parts.append(PlannedCount(Fraction(1), problem, *choice))
    if folder is not None and (folder / MANIFEST).exists():
        check_work(folder, problem, parts[0].method)
    if confirm:
        for at, part in enumerate(parts):
            stored = folder is not None and part.problem is problem
            second = plan_confirmation(part.problem, part.method, memory_limit, stored=stored)
            parts[at] = replace(part, second=second)
    return CountPlan(problem, directed, unique, tuple(parts))


def _times(problem: Problem, directed: bool) -> int:
    """Return how often each tour counts that a method counts once.

    A method counts a tour and its reverse as one, except on a digraph, where they are two.
    """
    has_end = (problem.start, problem.end) != (None, None)
    both = directed and not problem.directed and problem.size > 1
    return 2 if both and (problem.closed or not has_end) else 1


def burnside_terms(problem: Problem) -> list[tuple[Fraction, Problem]] | None:
    """Return weights and problems whose tours add up to the classes; None where all are listed.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> terms = burnside_terms(Problem("3x4"))
    >>> [(str(weight), each.label) for weight, each in terms]  # doctest: +ELLIPSIS
    [('1/4', '3x4, open'), ('1/4', '3x4, open, symmetric under the left-right'), ...
    """
    ends = {each for each in (problem.start, problem.end) if each is not None}
    if problem.board is None:
        return [(Fraction(1), problem)]
    if {Given, Symmetry} & {type(each) for each in problem.conditions}:
        return None
    if not problem.closed and len(ends) == 1 < problem.size:
        return None
    group = [image for image, _ in symmetries(problem, problem.indexed.index, directed=True)]
    if not problem.closed:
        vertices = {problem.indexed.index[end] for end in ends}
        group = [image for image in group if {image[end] for end in vertices} == vertices]
    times: dict[Problem, int] = {}
    for image in group:
        fixed = _with_symmetry(problem, np.array(image))
        if fixed is None:
            return None
        times[fixed] = times.get(fixed, 0) + 1
    return [(Fraction(many, len(group)), fixed) for fixed, many in times.items()]


def _with_symmetry(problem: Problem, image: NDArray[np.int64]) -> Problem | None:
    """Return the problem of the tours that a symmetry fixes."""
    if np.array_equal(image, np.arange(len(image))):
        return problem
    board = problem.board
    assert board is not None
    for motion in MOTIONS:
        if board.rows == board.columns or motion not in {"diagonal", "quarter-turn"}:
            moved = images(problem.indexed, board, motion)
            if np.array_equal(image, moved) or np.array_equal(np.argsort(image), moved):
                return changed(problem, symmetry=motion)
    # What is left is the other diagonal: the first one of the board's mirror image.
    mirrored = transform_problem(problem, "left-right")
    return None if mirrored is None else changed(mirrored, symmetry="diagonal")


SOON = 300.0
"""Seconds that another method may take, even if a variant of the same one is faster."""


def plan_confirmation(
    problem: Problem, first: Method, memory_limit: float | None = None, *, stored: bool = False
) -> Confirmation:
    """Choose a second count; one on disk only where the first is ``stored``.

    Examples
    --------
    >>> from kt_cp.counting.plan import ENUMERATE
    >>> from kt_cp.model.problem import Problem
    >>> plan_confirmation(Problem("3x4", given={"a1": 1}), ENUMERATE).name
    'enumerate, on the board laid on its side'
    >>> plan_confirmation(Problem("3x4"), ENUMERATE).name
    'frontier'
    """
    # The other methods count tours, not classes.
    ranked = rank_methods(problem, memory_limit) if not getattr(first, "unique", False) else []
    counts = [
        (each.seconds, Confirmation(each.method.name, each.method, problem, each.estimate))
        for each in ranked
        if each.method.name != first.name
    ]
    if not counts or counts[0][0] > SOON:
        counts += _variants(problem, first)
    counts = [each for each in counts if stored or not each[1].estimate.disk]
    seconds, second = min(counts, key=lambda each: each[0], default=(HOPELESS, None))
    if second is None or seconds > HOPELESS:
        raise NotTakenError(f"{problem.label}: expected a second way to count it, got none")
    return second


def _variants(problem: Problem, method: Method) -> Iterator[tuple[float, Confirmation]]:
    """Yield other ways of the same method with their seconds, twice for those that share more."""
    for other in getattr(method, "others", tuple)():
        if other.refuses(problem) is None:
            estimate = other.estimate(problem)
            yield estimate.seconds, Confirmation(other.name, other, problem, estimate)
    turned = transform_problem(problem, "diagonal")
    if turned is not None and method.refuses(turned) is None:
        estimate = method.estimate(turned)
        name = f"{method.name}, on the board laid on its side"
        yield 2 * estimate.seconds, Confirmation(name, method, turned, estimate)


_TURNED_MIRRORS = {"left-right": "top-bottom", "top-bottom": "left-right"}


def transform_problem(problem: Problem, motion: str) -> Problem | None:
    """Return the same problem on the board moved by a motion; None except on plane boards.

    Examples
    --------
    >>> transform_problem(Problem("3x4", start="a3"), "diagonal").label
    '4x3, open, from c1'
    >>> transform_problem(Problem("3x4", start="a3"), "left-right").label
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

    def transform(condition: Condition) -> Condition:
        if isinstance(condition, Symmetry):
            mirror = condition.motion
            return Symmetry(_TURNED_MIRRORS.get(mirror, mirror) if turns else mirror)
        return condition.mapped(image)

    sides = (columns, rows) if turns else (rows, columns)
    moved = Board(*sides, {image(square) for square in board.missing})
    conditions = [transform(each) for each in problem.conditions]
    return Problem(moved, piece=problem.piece, closed=problem.closed, conditions=conditions)
