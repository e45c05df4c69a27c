"""The effect of an edge on each matching."""

from __future__ import annotations

import numpy as np
import pytest

from kt_cp.counting.dense.matchings import (
    JOIN,
    MATCHINGS,
    PAIR,
    RENAME,
    STAYING_PAIRS,
    MatchingTables,
    edge_keys,
    end_keys,
    join_keys,
)
from kt_cp.counting.dense.state_array import join, join_by_table
from tests.oracles.dense_twin import unrank


def test_tables_are_those_of_the_matchings_themselves():
    tables = MatchingTables(4)
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
            wanted = [before[each] for each in sources(kind, pairs, i, j, unrank(number, inner))]
            found = tables.ranks.numbers[begin : begin + len(wanted)].tolist()
            assert sorted(found) == sorted(wanted), (kind, pairs, i, j, number)
            begin += len(wanted)


@pytest.fixture(scope="module")
def large_tables():
    return MatchingTables(STAYING_PAIRS + 1)


@pytest.mark.parametrize(("i", "j"), [(0, 1), (0, 14), (3, 9), (13, 14), (6, 15)])
@pytest.mark.parametrize("modulus", [0, 1009])
@pytest.mark.parametrize("add", [False, True])
def test_a_large_join_needs_no_table_of_so_many_pairs(large_tables, i, j, modulus, add):
    pairs, top = STAYING_PAIRS + 1, 2 * STAYING_PAIRS + 1
    keys = join_keys(pairs, i, j)
    assert {key[1] for key in keys} == {pairs if j == top else pairs - 1}
    large_tables.require({(JOIN, pairs, i, j), *keys})
    rng = np.random.default_rng(i + j)
    old = rng.integers(0, 1000, MATCHINGS[pairs] + 3, dtype=np.uint32)
    found = rng.integers(0, 1000, MATCHINGS[pairs - 1] + 5, dtype=np.uint32)
    expected = found.copy()
    most, same = (
        by(old, 3, new, 5, pairs, i, j, large_tables.ranks, add, np.uint64(modulus))
        for by, new in ((join, found), (join_by_table, expected))
    )
    assert (found == expected).all() and most >= same > 0


def _many(pairs):
    return [1, 1, 3, 15, 105][pairs]


def sources(kind, pairs, i, j, after):
    """Return the matchings that an edge turns into this one."""
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
