"""The tours of a list that is said to be complete: each is looked at by the checker itself.

A tour stands for all its rotations and reversals, where the problem allows them: two lists of
squares with the same moves are one tour.  Here each has to be a tour as it is written, from its
first square on.
"""

from __future__ import annotations

from collections.abc import Mapping

from kt_cp.model.conditions import Symmetry
from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.moves import moved
from kt_cp.trust.check.parsing import list_of, squares_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.steps import clues_of

MOST_TOURS = 10_000
"""Of a list: what a refutation can exclude one by one."""

Edges = frozenset[tuple[int, int]]


def tours_of(frame: Frame, evidence: object) -> list[list[int]]:
    """The tours of a list as vertices, each a tour of the problem, no two the same.

    Raises
    ------
    Refusal
        If one is no tour or stands twice, or there is none.
    """
    value = evidence.get("tours") if isinstance(evidence, Mapping) else None
    lists = list_of(value, "tours")
    if not lists:
        raise Refusal(Reason.EMPTY_SET, "expected at least one tour: no tours need no list")
    if len(lists) > MOST_TOURS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_TOURS:,} tours")
    tours: list[list[int]] = []
    place: dict[Edges, int] = {}
    for number, names in enumerate(lists, start=1):
        tour = [frame.number[square] for square in squares_of(frame.problem, names)]
        wrong = fault(frame, tour)
        if wrong is not None:
            raise Refusal(Reason.NOT_A_TOUR, f"tour {number:,}: {wrong}")
        first = place.setdefault(moves_of(tour, frame.problem.closed), number)
        if first < number:
            raise Refusal(Reason.TWICE, f"tours {first:,} and {number:,} make the same moves")
        tours.append(tour)
    return tours


def moves_of(tour: list[int], closed: bool) -> Edges:
    """The moves of a tour, whatever their direction.

    Examples
    --------
    >>> moves_of([0, 1, 2, 3], True) == moves_of([2, 1, 0, 3], True)
    True
    """
    following = [*tour[1:], tour[0]] if closed else tour[1:]
    return frozenset((min(u, v), max(u, v)) for u, v in zip(tour, following, strict=False))


def fault(frame: Frame, tour: list[int]) -> str | None:
    """What is wrong with different squares as a tour of the problem, if anything is."""
    problem, names = frame.problem, frame.names
    if len(tour) < frame.squares:
        return f"it has {len(tour):,} of {frame.squares:,} squares"
    moves = moves_of(tour, problem.closed)
    for u, v in sorted(moves):
        if v not in frame.neighbours[u]:
            return f"{names[u]}-{names[v]} is no move, or a forbidden one"
    for u, v in frame.must:
        if v < frame.squares and (u, v) not in moves:
            return f"the required {names[u]}-{names[v]} is not made"
    for square, step in clues_of(problem):
        vertex = frame.number[square]
        if tour[step - 1] != vertex:
            return f"{names[vertex]} is not at step {step:,}"
    return _lopsided(problem, frame, moves)


def _lopsided(problem: Instance, frame: Frame, moves: Edges) -> str | None:
    """A move whose image under the symmetry is not made."""
    motion = next((each.motion for each in problem.conditions if type(each) is Symmetry), None)
    if motion is None or problem.board is None:
        return None
    image = [frame.number.get(moved(problem.board, motion, each), -1) for each in frame.number]
    for u, v in sorted(moves):
        if (min(image[u], image[v]), max(image[u], image[v])) not in moves:
            return f"{frame.names[u]}-{frame.names[v]} is made, and not its image"
    return None
