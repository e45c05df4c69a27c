"""A second way to the same number, which shares as little as can be with the first.

Another method is best.  Else the same one by another way of its own (an array cut elsewhere, sums
modulo a prime), and else the board laid on its side, where every square has another number and
every step another order.  Of those that have room the one that is likely to be done first is taken.
Two ways that do not agree are a bug, and no answer is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kt_cp.counting.choose import HOPELESS, Choice, choices
from kt_cp.counting.moved import moved
from kt_cp.model.errors import NotTakenError

if TYPE_CHECKING:
    from kt_cp.counting.method import Estimate, Method
    from kt_cp.model.problem import Problem


class Second(NamedTuple):
    """A second way: what it is called, who counts what, and what that is likely to take."""

    name: str
    method: Method
    problem: Problem
    estimate: Estimate


def second_way(problem: Problem, first: Method, memory_limit: float | None = None) -> Second:
    """How a count by a method is to be confirmed.

    Raises
    ------
    NotTakenError
        If there is no second way in the memory that there is, or none that would end.

    Examples
    --------
    >>> from kt_cp.counting.enumerated import METHOD
    >>> from kt_cp.model.problem import Problem
    >>> second_way(Problem("3x4", given={"a1": 1}), METHOD).name
    'enumerate, on the board laid on its side'
    """
    found = choices(problem, memory_limit)
    ways = [
        (it.seconds, Second(it.method.name, it.method, problem, it.estimate))
        for it in found
        if it.method.name != first.name
    ]
    for again in getattr(first, "others", tuple)():
        if again.refuses(problem) is None:
            it = Choice(again, again.estimate(problem))
            ways.append((it.seconds, Second(again.name, again, problem, it.estimate)))
    turned = moved(problem, "diagonal")
    if turned is not None and first.refuses(turned) is None:
        it = Choice(first, first.estimate(turned))
        ways.append(
            (
                2 * it.seconds,
                Second(f"{first.name}, on the board laid on its side", first, turned, it.estimate),
            )
        )
    if not ways or min(ways, key=lambda way: way[0])[1].estimate.seconds > HOPELESS:
        raise NotTakenError(
            f"{problem.label}: expected a second way to confirm the count, got none"
        )
    return min(ways, key=lambda way: way[0])[1]
