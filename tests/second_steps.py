"""The clauses about steps, written from kt_cp/trust/check/FORMAT.md alone: see second_checker.

Windows are found walk by walk: which squares a walk from the one side reaches in so many moves, and
from which the other side is reached in the moves that are left.
"""

from __future__ import annotations

from itertools import combinations, pairwise


def windows(problem, clues):
    """The squares of each step, as a dictionary from 1 on."""
    total = len(problem.squares)
    counted = set(clues)
    if not problem.closed:
        ends = ((problem.start, 1), (problem.end, total))
        counted |= {(square, step) for square, step in ends if square is not None}
    free = set(problem.squares) - {square for square, _ in counted}
    steps = {step for _, step in counted} | (set() if problem.closed else {1, total})

    def fits(step):
        step = (step - 1) % total + 1
        here = [square for square, at in counted if at == step]
        if not here:
            return free
        alone = len(here) == 1 and sum(square == here[0] for square, _ in counted) == 1
        return set(here) if alone else set()

    window = {step: set(problem.squares) for step in range(1, total + 1)}
    bounds = sorted(steps)
    gaps = [*pairwise(bounds), *([(bounds[-1], bounds[0] + total)] if problem.closed else [])]
    for first, last in gaps:
        for step in range(first, last + 1):
            window[(step - 1) % total + 1] &= reached(problem, fits, first, step, 1) & reached(
                problem, fits, last, step, -1
            )
    return window


def reached(problem, fits, start, goal, way):
    there = fits(start)
    for step in range(start + way, goal + way, way):
        there = {other for square in there for other in problem.moves[square]} & fits(step)
    return there


def step_clauses(problem, frame, top, edges, clues):
    """The last variable and the clauses."""
    squares, total = problem.squares, len(problem.squares)
    x, clauses = {}, []
    window = windows(problem, clues)
    for step in range(1, total + 1):
        for vertex, square in enumerate(squares):
            if square in window[step]:
                top += 1
                x[vertex, step] = top
    by_step = [[x[k] for k in x if k[1] == step] for step in range(1, total + 1)]
    by_square = [[x[k] for k in x if k[0] == vertex] for vertex in range(total)]
    for some in by_step + by_square:
        clauses.append(some)
        d = len(some)
        if d < 10:
            clauses += [[-a, -b] for a, b in combinations(some, 2)]
            continue
        s = [*range(top + 1, top + d)]
        top += d - 1
        clauses.append([-some[0], s[0]])
        for i in range(1, d - 1):
            clauses += [[-some[i], s[i]], [-s[i - 1], s[i]], [-some[i], -s[i - 1]]]
        clauses.append([-some[-1], -s[-1]])

    def at(vertex, step):
        """The variable, if there is one, as a list."""
        if problem.closed:
            step = (step - 1) % total + 1
        return [x[vertex, step]] if (vertex, step) in x else []

    for (vertex, step), number in x.items():
        for other, none in ((step + 1, total + 1), (step - 1, 0)):
            if problem.closed or other != none:
                near = sorted(each for each in frame[vertex] if each < total)
                clauses.append([-number, *(y for each in near for y in at(each, other))])
    for edge, e in edges.items():
        u, v = sorted(edge)
        if u >= total:
            continue
        if v >= total:
            both = at(u, 1) + at(u, total)
            clauses += [[-y, e] for y in both] + [[-e, *both]]
            continue
        for one, other in ((u, v), (v, u)):
            for step in range(1, total + 1):
                for y in at(one, step):
                    clauses += [[-y, -z, e] for z in at(other, step + 1)]
                    clauses.append([-e, -y, *at(other, step + 1), *at(other, step - 1)])
    return top, clauses
