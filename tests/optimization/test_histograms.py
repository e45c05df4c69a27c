"""The table of all tours of small boards by their measures, and the best values in it."""

from __future__ import annotations

import random
from hashlib import sha256
from itertools import islice

import numpy as np
import pytest

from kt_cp import Enumeration, Verdict, check, optimize, solve
from kt_cp.model.measures import MEASURES
from kt_cp.optimization import OBJECTIVES
from kt_cp.trust.check.bound import OBJECTIVES as CERTIFIED
from kt_cp.verify import verify
from tests.examples.known_counts import ROWS
from tests.support.exhaustive import SEED, exhaustive, more
from tests.support.measure_histograms import (
    KINDS,
    SIDES,
    batch_measures,
    batch_sums,
    histograms_of,
    read_histograms,
)

TABLE = read_histograms()
LARGEST = {(6, 6, "open"), (6, 6, "closed")}
SLOW = {(5, 6, "open"), (4, 6, "open"), (5, 5, "open")}
"""Boards on which objectives without certificates take long."""


def boards(slow, *more):
    """Boards of the table, with further parameters; those in ``slow`` are left to slow tests."""
    return [
        pytest.param(
            *key, *more, marks=[pytest.mark.slow] * (key in slow), id="{}x{} {}".format(*key)
        )
        for key in TABLE
    ]


def test_totals_are_known_counts():
    """Every tour has one value of each measure; a closed one has sums for each first square."""
    known = 0
    for row in ROWS:
        key = int(row["rows"]), int(row["columns"]), row["kind"]
        others = (row["piece"], row["surface"]) != ("knight", "plane") or row["unit"] == "classes"
        if others or max(key[:2]) > 6:
            continue
        count = int(row["count"]) // (1 + (row["unit"] == "directed"))
        known += 1
        assert (key in TABLE) == (count > 0)
        for name, tours in TABLE.get(key, {}).items():
            numberings = key[0] * key[1] if "magic" in name and key[2] == "closed" else 1
            assert sum(tours.values()) == count * numberings, (key, name)
    assert known > 5


def test_boards_that_are_left_out_have_no_tours():
    assert all(tuple(each) == MEASURES for each in TABLE.values())
    for rows, columns in SIDES:
        for kind in KINDS:
            if (rows, columns, kind) not in TABLE:
                outcome = solve((rows, columns), closed=kind == "closed")
                assert outcome.verdict is Verdict.IMPOSSIBLE


@pytest.mark.parametrize(
    ("rows", "columns", "kind"),
    [each for each in boards(LARGEST | SLOW) if each.values != (6, 6, "open")],
)
def test_the_table_is_computed_again(rows, columns, kind):
    assert histograms_of(rows, columns, kind) == TABLE[rows, columns, kind]


OPEN_6X6 = "9d4bf6bbe2c96f33"
"""The digest of the largest part of the table when it was last computed, which takes 20 s."""


def test_the_largest_part_of_the_table_is_the_one_that_was_computed():
    text = repr(sorted(TABLE[6, 6, "open"].items()))
    assert sha256(text.encode()).hexdigest()[:16] == OPEN_6X6


@pytest.mark.slow
@exhaustive("measures of all open tours of 6x6", [(6, 6, "open")], sample=0, batches=1)
def test_the_largest_part_of_the_table_is_computed_again(cases):
    for key in cases:
        assert histograms_of(*key) == TABLE[key]


@pytest.mark.parametrize(("rows", "columns", "kind"), boards(()))
def test_measures_of_a_sample(rows, columns, kind):
    closed = kind == "closed"
    listed = Enumeration((rows, columns), closed=closed).tours()
    tours = [*islice(listed, 2_000)]
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    tours = rng.sample(tours, min(60, len(tours)))
    squares = np.array([[row * columns + column for row, column in tour] for tour in tours])
    values = batch_measures(squares, columns, closed=closed) | batch_sums(squares, columns)
    for number, tour in enumerate(tours):
        assert tour.measures() == {name: values[name][number] for name in MEASURES}


@pytest.mark.slow
def test_measures_of_all_closed_tours_of_6x6():
    wanted = {name: counts for name, counts in TABLE[6, 6, "closed"].items() if "magic" not in name}
    found = {name: {} for name in wanted}
    for tour in Enumeration("6x6", closed=True, unique=True):
        measures = tour.measures()
        transposed = {**measures, "steep": 36 - measures["steep"]}  # half of the class
        for name, counts in found.items():
            for value in (measures[name], transposed[name]):
                counts[value] = counts.get(value, 0) + tour.class_size // 2
    assert found == wanted


@pytest.mark.parametrize(
    ("rows", "columns", "kind", "is_certified"),
    boards(LARGEST | {(5, 6, "open"), (5, 6, "closed")}, True)
    + boards(LARGEST | SLOW | {(5, 6, "closed")}, False),
)
def test_the_best_of_all_tours(rows, columns, kind, is_certified, request):
    """The boards of slow tests have a third of the objectives, by the seed, and all by FULL=1."""
    slow = request.node.get_closest_marker("slow") is not None
    part = more(3, 1) if slow else 1
    for number, objective in enumerate(OBJECTIVES, start=int(SEED) + rows + columns):
        if number % part:
            continue
        sense, _, name = objective.partition("-")
        if name not in MEASURES or (objective in CERTIFIED) != is_certified:
            continue
        if (rows, columns, kind) == (6, 6, "open") and name == "crossings":
            continue  # the sweeps take more than five minutes
        if rows * columns > 25 and objective.startswith("most-magic"):
            continue  # CP-SAT takes more than a minute
        wanted = (min if sense == "fewest" else max)(TABLE[rows, columns, kind][name])
        best = optimize((rows, columns), objective, closed=kind == "closed")
        assert (best.value, best.bound, best.proved) == (wanted, wanted, is_certified), objective
        assert best.tour.measures()[name] == wanted
        if is_certified:
            text = best.certificate.to_json()
            assert check(text).claim == best.certificate.claim
            assert f"no tour is better than {wanted} for {objective}" in verify(text)
