"""The readable twin of the frontier: paths as pairs of ends, states in a dictionary.

A state is a pair: how many edges each vertex of the frontier has, and the pairs of ends of paths.
Every set of edges to later neighbours is tried, and the rules are checked afterwards.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

START = (frozenset(), frozenset())


def followers(graph, forced, order, at, state):
    """Yield each next state, or None for a closed cycle."""
    vertex, later = order[at], set(order[at + 1 :])
    degrees, paths = dict(state[0]), state[1]
    others = [other for other in graph.neighbours[vertex] if other in later]
    for chosen in chain.from_iterable(combinations(others, many) for many in range(3)):
        degree = Counter(degrees)
        degree.update({vertex: len(chosen)})
        degree.update(chosen)
        if degree[vertex] != 2 or max(degree.values()) > 2:
            continue
        if any((min(vertex, v), max(vertex, v)) in forced and v not in chosen for v in others):
            continue
        closes, mates = False, dict(chain.from_iterable(((a, b), (b, a)) for a, b in paths))
        for other in chosen:
            if mates.get(vertex) == other:
                closes = True
                del mates[vertex], mates[other]
                continue
            ends = mates.pop(vertex, vertex), mates.pop(other, other)
            mates.update(zip(ends, reversed(ends), strict=True))
        del degree[vertex]
        left = {v: sum(w in later for w in graph.neighbours[v]) for v in later}
        if any(degree[v] + left[v] < 2 for v in later if v in degree or v in others):
            continue
        if closes:
            owed = any({*edge} <= later for edge in forced)
            if not mates and not owed and all(degree[v] == 2 for v in later):
                yield None
            continue
        known = frozenset((v, degree[v]) for v in later if degree[v])
        yield known, frozenset(tuple(sorted(pair)) for pair in mates.items())


def layers(graph, forced, order):
    """Yield the states with their numbers after each step, and the number of closed cycles."""
    states, closed = Counter({START: 1}), 0
    for at in range(len(order)):
        following = Counter()
        for state, ways in states.items():
            for other in followers(graph, forced, order, at, state):
                if other is None:
                    closed += ways
                else:
                    following[other] += ways
        states = following
        yield states, closed
