"""A second way to the same number, which shares as little as can be with the first.

Another method is best, and taken wherever it is done in minutes.  Else there are other ways of the
same one (an array cut elsewhere, sums modulo a prime), and the board laid on its side, where every
square has another number and every step another order; the soonest is taken.  Two ways that do not
agree are a bug, and no answer is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from kt_cp.counting.choose import HOPELESS, choices
from kt_cp.counting.plan import moved
from kt_cp.model.errors import NotTakenError

if TYPE_CHECKING:
    from kt_cp.counting.method import Estimate, Method
    from kt_cp.model.problem import Problem


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

    Raises
    ------
    NotTakenError
        If there is no second way in the memory that there is, or none that would end.

    Examples
    --------
    >>> from kt_cp.counting.choose import METHOD
    >>> from kt_cp.model.problem import Problem
    >>> second_way(Problem("3x4", given={"a1": 1}), METHOD).name
    'enumerate, on the board laid on its side'
    >>> second_way(Problem("3x4"), METHOD).name
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
