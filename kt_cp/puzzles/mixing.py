"""A random tour, made from any tour by thousands of rotations.

Tours that a heuristic finds look alike: Warnsdorff's rule goes round the rim and ends in the
middle.  So a tour is taken as the cycle that it is in :mod:`kt_cp.model.cycle`, one of its edges is
removed, and the path that remains is rotated (L. Pósa 1976, see :mod:`kt_cp.search.rotation`), each
time about a random neighbour of its end.  Whenever an edge joins the two ends of the path, the path
closes to a tour.  Required edges stay.

Cost: a rotation turns a piece of a list over, so N rotations cost N²; ten times N mix well.

When it loses: it is not proved that all tours are equally likely, nor that each can be reached.  If
every rotation would break a required edge, the tour stays what it was.
"""

from __future__ import annotations

from random import Random

from kt_cp.model.cycle import cycle_form
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour

ROTATIONS = 10
"""For each vertex, before a tour counts as mixed."""

PATIENCE = 10
"""As many times that number of rotations are made in search of a path that can be closed."""


def mixed(problem: Problem, tour: Tour, random: Random) -> Tour:
    """Another tour of a problem, at random; a closed one is written from anywhere.

    The problem has three squares and more, and conditions on its ends and moves alone.

    Examples
    --------
    >>> from kt_cp import Problem, defects, solve
    >>> problem = Problem("6x6", closed=True)
    >>> other = mixed(problem, solve(problem).tour, Random(1))
    >>> defects(problem, other.squares)
    []
    """
    form = cycle_form(problem)
    index = problem.indexed.index
    cycle = [index[square] for square in tour.squares]
    if form.depot is not None:
        cycle.append(form.depot)
    made = form.tour(_rotated(form.graph.neighbours, set(form.forced), cycle, random))
    if problem.closed and problem.start is None:
        at = random.randrange(len(made.squares))
        return problem.tour([*made.squares[at:], *made.squares[:at]])
    return made


def _rotated(
    neighbours: list[list[int]], forced: set[tuple[int, int]], cycle: list[int], random: Random
) -> list[int]:
    """The cycle after many rotations, read in a random direction."""
    size = len(cycle)

    def free(one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) not in forced

    cuts = [at for at in range(size) if free(cycle[at - 1], cycle[at])]
    if not cuts:
        return cycle
    at = random.choice(cuts)
    path = cycle[at:] + cycle[:at]
    place = [0] * size
    for at, vertex in enumerate(path):
        place[vertex] = at
    latest = list(path)
    for turn in range(PATIENCE * ROTATIONS * size):
        if path[0] in neighbours[path[-1]]:
            latest = list(path)
            if turn >= ROTATIONS * size:
                break
        if random.random() < 0.5:  # from the other end, so that no vertex stays where it is
            path.reverse()
            for at, vertex in enumerate(path):
                place[vertex] = at
        at = place[random.choice(neighbours[path[-1]])]
        if at >= size - 2 or not free(path[at], path[at + 1]):
            continue
        path[at + 1 :] = path[:at:-1]
        for there in range(at + 1, size):
            place[path[there]] = there
    return latest[::-1] if random.random() < 0.5 else latest
