"""What an edge makes of a matching, one by one."""

from __future__ import annotations

from kt_cp.counting.dense.matchings import JOIN, PAIR, RENAME, MatchingTables, edge_keys, end_keys
from kt_cp.counting.dense.state_array import Threads
from tests.oracles.dense_twin import unrank


def test_tables_are_those_of_the_matchings_themselves():
    tables = MatchingTables(4, Threads(1))
    keys = set()
    for depot in range(2):
        keys |= edge_keys(7, 2, 5, depot) | end_keys(7, 3, depot)
    keys = {key for key in keys if key[1] <= 4}
    tables.require(keys)
    assert {key[0] for key in keys} == {JOIN, PAIR, RENAME}
    assert len(keys) > 40
    for kind, pairs, i, j in keys:
        begin = tables.ranks.at[kind, pairs, i, j]
        inner = pairs if kind == RENAME else pairs - 1
        before = {tuple(unrank(number, pairs)): number for number in range(_many(pairs))}
        for number in range(_many(inner)):
            for source in sources(kind, pairs, i, j, unrank(number, inner)):
                assert tables.ranks.numbers[begin] == before[source], (kind, pairs, i, j, number)
                begin += 1


def _many(pairs):
    return [1, 1, 3, 15, 105][pairs]


def sources(kind, pairs, i, j, after):
    """The matchings that an edge makes this one of."""
    if kind == RENAME:
        rest = [point for point in range(2 * pairs) if point != i]
        names = {point: rest[point - (point > j)] for point in range(2 * pairs) if point != j}
        names[j] = i
    else:
        rest = [point for point in range(2 * pairs) if point not in (i, j)]
        names = dict(enumerate(rest))
    mate = {names[point]: names[other] for point, other in enumerate(after)}
    if kind == PAIR:
        mate |= {i: j, j: i}
    if kind != JOIN:
        return [tuple(mate[point] for point in range(2 * pairs))]
    found = []
    for point, other in enumerate(after):
        one, two = names[point], names[other]
        split = {**mate, one: i, i: one, two: j, j: two}
        found.append(tuple(split[each] for each in range(2 * pairs)))
    return found
