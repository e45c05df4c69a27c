"""A short search in plain Python for tours with given steps, which needs no compiled code.

Every step has a domain, the set of vertices that may be visited then, as in
:mod:`kt_cp.search.step_domains`.  A domain is one integer, with a bit for each vertex, so that a
rule for all steps takes some hundred operations on integers.  There are three rules:

1. A vertex at a step has a neighbour in the domains of the step before and the step after.
2. A vertex that is alone in its domain is in no other.
3. A vertex that is in one domain only is alone there.

The search tries the vertices of the smallest domain.

Source: ours; the rules are the first three of ``step_domains``, which names their sources.  Cost: a
third of a millisecond a decision on 8x8, thirty times that of compiled code.  Loading the compiled
code takes half a second, and most puzzles need a few decisions.  When it loses: puzzles with few
clues need thousands.  So it gives up after ``MOST_WORK``, and SAT follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from kt_cp.model.conditions import End, Forbidden, Given, Start
from kt_cp.model.problem import Problem
from kt_cp.search.step_domains import given_vertices

MOST_SQUARES = 200

MOST_WORK = 100_000
"""Decisions times pairs of a step and a vertex: about 24 decisions on 8x8, or 0.01 s, which is
about what SAT takes for a puzzle."""


@dataclass(frozen=True)
class ClueSearch:
    """What a search has found: at most two tours, and whether there are no others."""

    tours: tuple[tuple[int, ...], ...]
    exhausted: bool
    decisions: int


def takes(problem: Problem) -> bool:
    """Return whether a problem is small, with given steps, and without required moves."""
    is_small = problem.size <= MOST_SQUARES and not problem.directed
    known = all(isinstance(each, Given | Forbidden | Start | End) for each in problem.conditions)
    return is_small and known and bool(problem.given)


@lru_cache(8)
def search_clues(problem: Problem) -> ClueSearch:
    """Return up to two tours of a problem with given steps.

    Examples
    --------
    >>> found = search_clues(Problem("3x4", given={"a1": 1, "d3": 12}))
    >>> len(found.tours), found.exhausted
    (1, True)
    """
    graph = problem.indexed
    near = [0] * len(graph)
    for u, v in zip(graph.tails.tolist(), graph.heads.tolist(), strict=True):
        near[u] |= 1 << v
        near[v] |= 1 << u
    given = given_vertices(problem)
    if len(dict(given)) < len(given) or len({vertex for _, vertex in given}) < len(given):
        return ClueSearch((), True, 0)
    free = (1 << len(graph)) - 1
    for _, vertex in given:
        free &= ~(1 << vertex)
    domains = [free] * len(graph)
    for step, vertex in given:
        domains[step] = 1 << vertex
    stack = [domains] if _propagate(domains, near, problem.closed) else []
    tours: list[tuple[int, ...]] = []
    decisions, most = 0, MOST_WORK // len(graph) ** 2
    while stack and len(tours) < 2 and decisions < most:
        domains = stack.pop()
        open_ = [(each.bit_count(), step) for step, each in enumerate(domains) if each & (each - 1)]
        if not open_:
            tours.append(tuple(each.bit_length() - 1 for each in domains))
            continue
        _, step = min(open_)
        for vertex in _bits(domains[step]):
            narrowed = [*domains]
            narrowed[step] = 1 << vertex
            decisions += 1
            if _propagate(narrowed, near, problem.closed):
                stack.append(narrowed)
    return ClueSearch(tuple(tours), not stack and len(tours) < 2, decisions)


def _bits(members: int) -> list[int]:
    """The members of a set."""
    found = []
    while members:
        lowest = members & -members
        found.append(lowest.bit_length() - 1)
        members ^= lowest
    return found


def _propagate(domains: list[int], near: list[int], closed: bool) -> bool:
    """Narrow the domains in place; return whether there may be a tour."""
    while True:
        before = [*domains]
        if not _apply_all_different(domains) or not _apply_adjacency(domains, near, closed):
            return False
        if domains == before:
            return True


def _apply_all_different(domains: list[int]) -> bool:
    while True:
        once = twice = alone = 0
        for domain in domains:
            twice |= once & domain
            once |= domain
            if not domain & (domain - 1):
                if not domain or alone & domain:
                    return False
                alone |= domain
        if once.bit_count() < len(domains):
            return False  # a vertex is in no domain
        is_changed = False
        for step, domain in enumerate(domains):
            if domain & (domain - 1):
                narrowed = domain & ~alone
                if only := narrowed & ~twice:
                    narrowed = only
                    if only & (only - 1):
                        return False
                if narrowed != domain:
                    domains[step] = narrowed
                    is_changed = True
        if not is_changed:
            return True


def _apply_adjacency(domains: list[int], near: list[int], closed: bool) -> bool:
    for order in (range(len(domains)), range(len(domains) - 1, -1, -1)):
        before = domains[order[-1]] if closed else 0
        for step in order:
            if before:
                reached = 0
                while before:
                    lowest = before & -before
                    reached |= near[lowest.bit_length() - 1]
                    before ^= lowest
                domains[step] &= reached
                if not domains[step]:
                    return False
            before = domains[step]
    return True
