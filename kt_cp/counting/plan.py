"""Plan a count: which tours are counted, by which methods, and how long that is likely to take.

**The method** with the shortest estimated time that fits into the available memory is chosen.
Every method reports which problems it refuses, and estimates its work.  A count that needs more
memory than is available, or months, is refused before it starts.  With a time limit, a count of
months is accepted if the method is named.  The probes of ``enumerate`` often underestimate the
work, so its estimate must be ten times as short.  The probes are compiled, and loading Numba takes
longer than a small count by ``frontier``; so ``frontier`` is tried first.

**Classes of tours up to rotation and reflection** follow from the numbers of symmetric tours.  The
symmetries of a board that preserve the problem form a group, which permutes the tours.  The
number of classes is the mean, over the group, of the number of tours that a symmetry fixes.  So
besides all tours only the symmetric ones are counted, as cycles of a quotient, on half or a fourth
of the squares.  For closed 8×8 these are 2,432,932 with a half turn and none with any other
symmetry, and (13,267,364,410,532 + 2,432,932) / 8 = 1,658,420,855,433.

Source: the lemma that is not Burnside's: G. Frobenius, Journal für die reine und angewandte
Mathematik 101 (1887), 273-299.  Cost: that of all tours, and at most as much by the frontier for
each symmetry.  If two ends are given, the group consists of the symmetries that map the pair to
itself.  If one end is given, a symmetry maps only some tours to tours of the problem; then all
tours are listed, class by class.

**A second count** shares as little as possible with the first.  Another method is best, and is
used if it needs only minutes.  Otherwise the same method counts in another variant (an array cut
elsewhere, sums modulo a prime), or on the board laid on its side, where every square has another
number and every step another order.  The fastest of these is chosen.  If two counts differ, there
is a bug, and no answer is given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.counting import subsets
from kt_cp.counting.dense import dense
from kt_cp.counting.enumerate import ENUMERATE, EnumerationMethod
from kt_cp.counting.frontier import frontier
from kt_cp.counting.method import Estimate, Method
from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.conditions import MOTIONS, Given, Symmetry
from kt_cp.model.errors import InputError, NotTakenError, TooLargeError
from kt_cp.model.orbits import MOVED, images
from kt_cp.model.plugins import unknown_name_error
from kt_cp.model.problem import Problem, changed
from kt_cp.model.surface import Surface
from kt_cp.model.terms import is_reverse_distinct
from kt_cp.proofs.obstructions import obstruction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.model.conditions import Condition
    from kt_cp.model.request import Request

AUTO = "auto"

HOPELESS = 1e7
"""Seconds, about four months: longer counts are refused.  Few estimates are a thousand times too
high, and even then the count would take hours."""

DOUBT = 10
"""Factor for the estimated time of ``enumerate``."""

MOMENT = 1.4
"""A method with an estimate below these seconds is chosen at once; most estimates are too high."""

SOON = 300.0
"""Seconds that another method may take to confirm, even if a variant of the same one is faster."""


@dataclass(frozen=True)
class PlannedCount:
    """A count of a plan, with the weight of its tours in the answer."""

    problem: Problem
    method: Method
    estimate: Estimate
    variant: str = ""  # how it differs from the usual count
    weight: int = 1
    second: PlannedCount | None = None  # confirms this one

    @property
    def name(self) -> str:
        """The name of the method, and the variant of the count."""
        return self.method.name + self.variant

    @property
    def seconds(self) -> float:
        """The time by which methods are compared."""
        return self.estimate.seconds * (DOUBT if self.method.name == ENUMERATE.name else 1)


@dataclass(frozen=True)
class CountPlan:
    """The counts that answer a problem."""

    problem: Problem
    directed: bool  # as in :class:`kt_cp.counting.Count`
    unique: bool
    store: Path | None
    parts: tuple[PlannedCount, ...]  # the one with most work first; none if the answer is known
    reason: str | None = None  # why there is no tour, if that needs no count
    group: int = 1  # the answer is the sum of the counts times their weights, divided by this

    @property
    def estimate(self) -> Estimate:
        """The estimate for all counts together."""
        estimates = [part.estimate for part in self.parts]
        estimates += [part.second.estimate for part in self.parts if part.second is not None]
        return Estimate(
            max((each.states for each in estimates), default=0),
            max((each.bytes for each in estimates), default=0),
            sum(each.seconds for each in estimates),
            max((each.disk for each in estimates), default=0),
            timed=all(each.timed for each in estimates),
        )

    @property
    def method(self) -> str:
        """The name of the method that has most of the work."""
        return self.parts[0].method.name if self.parts else ENUMERATE.name


def plan_count(
    request: Request,
    method: str = AUTO,
    *,
    directed: bool | None = None,
    unique: bool = False,
    confirm: bool = False,
    store: Path | str | None = None,
) -> CountPlan:
    """Plan how to count the tours of a problem; the options are those of :func:`kt_cp.count`.

    Examples
    --------
    >>> from kt_cp.model.request import Request
    >>> plan = plan_count(Request.begin(Problem("5x5")))
    >>> plan.method, plan.estimate.seconds < 1
    ('frontier', True)
    """
    problem = request.problem
    directed = is_reverse_distinct(problem, directed, unique=unique)
    if unique and directed and not problem.directed:
        raise InputError("expected no directed classes: a tour and its reverse are in one class")
    if method != AUTO:
        get_method(method)
    folder = None if store is None else Path(store)
    if folder is not None:
        from kt_cp.processes.store import MANIFEST, check_work, stored_method

        method = (stored_method(folder) or AUTO) if method == AUTO else method
    has_given = any(isinstance(each, Given) for each in problem.conditions)
    if not problem.directed and not has_given and (reason := obstruction(problem)) is not None:
        return CountPlan(problem, directed, unique, folder, (), reason.text)
    if unique:
        terms, group = burnside_terms(problem)
    else:
        terms, group = {} if has_given else {problem: _result_factor(problem, directed)}, 1
    parts = []
    for each, weight in terms.items():
        # A method that is named is for all tours; symmetric ones are few.
        name, stored = (method, folder is not None) if each is problem else (AUTO, False)
        parts.append(replace(choose(request.about(each), name, stored=stored), weight=weight))
    if not parts:
        parts = [_plan_listing(request, method, directed, unique, folder)]
    if folder is not None and (folder / MANIFEST).exists():
        check_work(folder, problem, parts[0].method)
    if confirm:
        for at, part in enumerate(parts):
            stored = folder is not None and part.problem is problem
            second = plan_confirmation(request.about(part.problem), part.method, stored=stored)
            parts[at] = replace(part, second=second)
    return CountPlan(problem, directed, unique, folder, tuple(parts), group=group)


def _plan_listing(
    request: Request, method: str, directed: bool, unique: bool, folder: Path | None
) -> PlannedCount:
    """Plan a count by listing, for problems that no other method supports."""
    listing, problem = EnumerationMethod(directed=directed, unique=unique), request.problem
    why = listing.refuses(problem)
    if folder is not None:
        why = why or "a store does not hold listed tours"
    if why is not None or method not in (AUTO, ENUMERATE.name):
        raise NotTakenError(f"{problem.label}: {why or 'only enumerate counts this'}")
    planned = PlannedCount(problem, listing, listing.estimate(problem))
    _check_duration(request, planned, method)
    return planned


def methods() -> dict[str, Method]:
    """Return all methods by name.

    Examples
    --------
    >>> "enumerate" in methods()
    True
    """
    known: list[Method] = [frontier.METHOD, dense.METHOD, subsets.METHOD, ENUMERATE]
    return {each.name: each for each in known}


def assess_methods(problem: Problem) -> dict[str, Estimate | str]:
    """Return the estimate of each method for a problem, or why the method refuses it.

    Examples
    --------
    >>> found = assess_methods(Problem("4x4"))
    >>> found["subsets"].timed, found["dense"] if isinstance(found["dense"], str) else "counted"
    (True, 'counted')
    """
    return {
        name: method.refuses(problem) or method.estimate(problem)
        for name, method in methods().items()
    }


def get_method(name: str) -> Method:
    """Return the method of a name."""
    known = methods()
    if name not in known:
        raise unknown_name_error("a method of counting", [AUTO, *known], name)
    return known[name]


def choose(request: Request, name: str = AUTO, *, stored: bool = False) -> PlannedCount:
    """Choose the named method for a problem, or the best one.

    With a time limit, a named method may begin a count that will not end.  Some methods require a
    store (``stored``) for their array; saving to it takes memory.

    Examples
    --------
    >>> from kt_cp.model.request import Request
    >>> choose(Request.begin(Problem("5x5", given={"c3": 1}))).method.name
    'enumerate'
    """
    problem = request.problem
    if name != AUTO:
        method = get_method(name)
        if (why := method.refuses(problem)) is not None:
            raise NotTakenError(f"the method {name} does not take {problem.label}: {why}")
        best: PlannedCount | None = _estimate(problem, method, stored)
        assert best is not None
        available = _available_bytes(request)
        _check_store(best, available, stored)
        if best.estimate.bytes > available:
            raise TooLargeError(
                f"{problem.label}: {name} would take {_megabytes(best.estimate.bytes)}, and"
                f" {_megabytes(available)} are available (--memory-limit)"
            )
        _check_duration(request, best, name)
        return best
    best = None
    for each in _supporting_counts(problem, stored):
        if _has_room(request, each.estimate.bytes) and (
            best is None or each.seconds < best.seconds
        ):
            best = each
            if best.seconds <= MOMENT:
                break
    if best is None or best.seconds > HOPELESS:
        available = _available_bytes(request)
        applicable = {each.name: each for each in _supporting_counts(problem, stored)}
        for each in applicable.values():
            _check_store(each, available, stored)
        needs = [
            _describe_needs(applicable[name], available)
            if name in applicable
            else f"{name} cannot count this ({shorten(method.refuses(problem) or '', 100)})"
            for name, method in methods().items()
        ]
        raise TooLargeError(f"{problem.label}: no method can count this: {', '.join(needs)}")
    if best.estimate.disk:
        _check_store(best, _available_bytes(request), stored)
    return best


def _check_duration(request: Request, planned: PlannedCount, name: str) -> None:
    """Raise :class:`TooLargeError` for months, unless the method is named and time is limited."""
    if planned.seconds > HOPELESS and (name == AUTO or request.limits.seconds is None):
        method = planned.method.name
        raise TooLargeError(
            f"{request.problem.label}: {method} needs about {planned.estimate.duration};"
            f" --method {method} --time-limit SECONDS counts for so long"
        )


def _check_store(planned: PlannedCount, available: float, stored: bool) -> None:
    if planned.estimate.disk and not stored:
        raise NotTakenError(
            f"{planned.problem.label}: expected --store FOLDER, where"
            f" {_describe_needs(planned, available)}; got none"
        )


def _supporting_counts(problem: Problem, stored: bool) -> Iterator[PlannedCount]:
    """Yield the counts of all methods that support a problem, whatever the cost."""
    for method in methods().values():
        if method.refuses(problem) is None:
            yield _estimate(problem, method, stored)


def _estimate(problem: Problem, method: Method, stored: bool) -> PlannedCount:
    estimate = method.estimate(problem)
    if stored:
        estimate = estimate._replace(bytes=estimate.bytes + estimate.saving)
    return PlannedCount(problem, method, estimate)


def _describe_needs(planned: PlannedCount, available: float) -> str:
    """Describe the disk space and memory of a method, if they matter, and its time."""
    estimate = planned.estimate
    needs = [f"{estimate.disk / 1e9:,.0f} GB of disk"] * bool(estimate.disk)
    if estimate.disk or estimate.bytes > available:
        short = f" ({_megabytes(available)} are available)" if estimate.bytes > available else ""
        needs.append(f"{_megabytes(estimate.bytes)} of memory{short}")
    needs.append(f"about {estimate.duration}")
    *others, last = needs
    return f"{planned.name} needs {', '.join(others)}{' and ' * bool(others)}{last}"


SMALL_BYTES = 1 << 24
"""Bytes that are assumed to be available.  Loading psutil to measure memory takes longer than a
count with so little memory."""


def _has_room(request: Request, size: float) -> bool:
    if request.limits.megabytes is None and size <= SMALL_BYTES:
        return True
    return size <= _available_bytes(request)


def _available_bytes(request: Request) -> float:
    import psutil

    limit = request.limits.megabytes
    return float(psutil.virtual_memory().available) if limit is None else limit * 1e6


def _megabytes(size: float) -> str:
    if size >= 1e16:
        return f"10^{math.log10(size) - 6:.0f} MB"
    return f"{size / 1e6:,.{1 if size < 1e7 else 0}f} MB"


def _result_factor(problem: Problem, directed: bool) -> int:
    """Return the factor from a method's count to the requested one.

    A method counts a tour and its reverse as one, except on a digraph, where they are two.
    """
    has_end = (problem.start, problem.end) != (None, None)
    both = directed and not problem.directed and problem.size > 1
    return 2 if both and (problem.closed or not has_end) else 1


def burnside_terms(problem: Problem) -> tuple[dict[Problem, int], int]:
    """Return weights of problems, and the order of the group of symmetries.

    The sum of the numbers of their tours times the weights, divided by the order, is the number of
    classes.  There is no problem if all tours have to be listed.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> terms, group = burnside_terms(Problem("3x4"))
    >>> group, [(weight, each.label) for each, weight in terms.items()]  # doctest: +ELLIPSIS
    (4, [(1, '3x4, open'), (1, '3x4, open, symmetric under the left-right'), ...
    """
    ends = {each for each in (problem.start, problem.end) if each is not None}
    if problem.board is None:
        return {problem: 1}, 1
    if {Given, Symmetry} & {type(each) for each in problem.conditions}:
        return {}, 1
    if not problem.closed and len(ends) == 1 < problem.size:
        return {}, 1
    from kt_cp.enumeration.symmetry import symmetries

    group = [image for image, _ in symmetries(problem, problem.indexed.index, directed=True)]
    if not problem.closed:
        vertices = {problem.indexed.index[end] for end in ends}
        group = [image for image in group if {image[end] for end in vertices} == vertices]
    times: dict[Problem, int] = {}
    for image in group:
        fixed = _require_symmetry(problem, np.array(image))
        if fixed is None:
            return {}, 1
        times[fixed] = times.get(fixed, 0) + 1
    return times, len(group)


def _require_symmetry(problem: Problem, image: NDArray[np.int64]) -> Problem | None:
    """Return the problem of the tours that a symmetry fixes."""
    if np.array_equal(image, np.arange(len(image))):
        return problem
    board = problem.board
    assert board is not None
    for motion in MOTIONS:
        if board.rows == board.columns or motion not in {"diagonal", "quarter-turn"}:
            shifted = images(problem.indexed, board, motion)
            if np.array_equal(image, shifted) or np.array_equal(np.argsort(image), shifted):
                return changed(problem, symmetry=motion)
    # The other diagonal remains: it is the first diagonal of the board's mirror image.
    mirrored = transform_problem(problem, "left-right")
    return None if mirrored is None else changed(mirrored, symmetry="diagonal")


def plan_confirmation(request: Request, first: Method, *, stored: bool = False) -> PlannedCount:
    """Choose a second count; it may be on disk only if the first is ``stored``.

    Examples
    --------
    >>> from kt_cp.model.request import Request
    >>> plan_confirmation(Request.begin(Problem("3x4", given={"a1": 1})), ENUMERATE).name
    'enumerate, on the board laid on its side'
    >>> plan_confirmation(Request.begin(Problem("3x4")), ENUMERATE).name
    'frontier'
    """
    problem, available = request.problem, _available_bytes(request)
    counts: list[tuple[float, PlannedCount]] = []
    if not getattr(first, "unique", False):  # the other methods count tours, not classes
        counts += [
            (each.seconds, each)
            for each in _supporting_counts(problem, False)
            if each.method.name != first.name and each.estimate.bytes <= available
        ]
    if min((seconds for seconds, _ in counts), default=HOPELESS) > SOON:
        for other in getattr(first, "others", tuple)():
            if other.refuses(problem) is None:
                each = _estimate(problem, other, False)
                counts.append((each.estimate.seconds, each))
        turned = transform_problem(problem, "diagonal")
        if turned is not None and first.refuses(turned) is None:
            estimate = first.estimate(turned)
            each = PlannedCount(turned, first, estimate, ", on the board laid on its side")
            counts.append((2 * estimate.seconds, each))  # as it shares more with the first count
    counts = [each for each in counts if stored or not each[1].estimate.disk]
    seconds, second = min(counts, key=lambda each: each[0], default=(HOPELESS, None))
    if second is None or seconds > HOPELESS:
        raise NotTakenError(f"{problem.label}: expected a second way to count it, got none")
    return second


_TURNED_MIRRORS = {"left-right": "top-bottom", "top-bottom": "left-right"}


def transform_problem(problem: Problem, motion: str) -> Problem | None:
    """Return the problem on the image of its board under a motion; None if it is not plane.

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
    shifted_board = Board(*sides, {image(square) for square in board.missing})
    conditions = [transform(each) for each in problem.conditions]
    return Problem(shifted_board, piece=problem.piece, closed=problem.closed, conditions=conditions)
