"""Tours of dense arrays by their numbers: layers equal arrays, and numbers are a bijection."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kt_cp import Enumeration, Numbering, Problem, defects
from kt_cp.counting.dense.half_sweep import HalfSweep
from kt_cp.counting.dense.half_tour_ranking import (
    find_pattern,
    pack_layer,
    spread,
    stretches,
    value_of,
)
from kt_cp.counting.dense.halves import HalvedProblem, refusal
from kt_cp.counting.dense.matchings import MATCHINGS, MatchingTables, place
from kt_cp.counting.dense.state_array import Threads
from kt_cp.counting.dense.tour_ranking import DenseTables
from kt_cp.model.errors import StoreError
from tests.counting.dense.test_dense import SIDES, random_problem
from tests.counting.test_numbering import a_bijection, edges
from tests.support.exhaustive import more

pytestmark = pytest.mark.slow  # compilation takes a quarter of a minute


def test_a_layer_holds_what_its_array_does():
    question = HalvedProblem(Problem("5x6", closed=True))
    half, threads = question.half(lower=False), Threads(1)
    sweep = HalfSweep(half, question.ends, 0, threads, MatchingTables(question.width))
    for some in stretches(half):
        for step in some:
            sweep.take(step)
    (array,) = sweep.states.values()
    array.values = array.values.astype(np.uint64) * np.uint64(70_000)  # three bytes and more
    layer = pack_layer([None, array])
    count, expected = len(array.live), {}
    for pattern in np.flatnonzero(array.live).tolist():
        begin, pairs = place(array.at, pattern)
        for rank, value in enumerate(array.values[begin : begin + MATCHINGS[pairs]].tolist()):
            if value:
                expected[pattern, rank] = value
    assert len(expected) == len(layer.numbers) > 100 and layer.numbers.shape[1] > 2
    out = np.zeros(int(MATCHINGS[-1]), dtype=np.uint64)
    found = {}
    for index, pattern in enumerate(layer.patterns.tolist()):
        assert find_pattern(layer, pattern) == index
        spread(layer, index, out)
        for rank in range(layer.begins[index + 1] - layer.begins[index]):
            value = int(value_of(layer, index, rank))
            assert value == out[rank]
            if value:
                found[pattern - count, rank] = value
    assert found == expected
    assert find_pattern(layer, 0) == find_pattern(layer, 3 * count) == -1


@pytest.mark.parametrize(
    ("sides", "closed"),
    [
        *[("3x4", False), ("5x6", True), ("6x5", True), ("3x8", False), ("4x5", False)],
        *more([], [("5x5", False), ("4x6", False)]),
    ],
)
def test_a_bijection_onto_all_tours(sides, closed):
    problem = Problem(sides, closed=closed)
    assert a_bijection(problem, "dense") == Enumeration(problem, directed=False).count()


@pytest.mark.parametrize("seed", range(more(20, 60)))
def test_holes_ends_and_moves(seed):
    chance = random.Random(seed)
    problem = random_problem(chance, SIDES)
    if refusal(problem) is not None:
        return
    tables, nodes = DenseTables(problem), problem.indexed.nodes
    expected = {
        edges(problem, tour.squares) for tour in Enumeration(problem, directed=False).tours()
    }
    assert tables.size == len(expected), problem
    numbers = range(tables.size)
    found = set()
    for number in numbers if tables.size < 40 else chance.sample(numbers, 40):
        walk = tables.tour(number)
        found.add(edges(problem, [nodes[vertex] for vertex in walk]))
        assert tables.number(walk) == tables.number(walk[::-1]) == number, problem
    assert found <= expected and len(found) == min(tables.size, 40)


def test_numbers_beyond_64_bits():
    """6x20 has 2.7e29 closed tours, and half tours that take more than 32 bits."""
    problem = Problem("6x20", closed=True)
    tours = Numbering(problem)
    assert (tours.size, tours.method) == (276453522147273309254029785276, "dense")
    chance = random.Random(1)
    for number in [0, tours.size - 1, *(chance.randrange(tours.size) for _ in range(5))]:
        tour = tours[number]
        assert not defects(problem, tour) and tours.index(tour) == number


def test_tables_are_saved_and_read(tmp_path, monkeypatch):
    problem = Problem("5x6", closed=True)
    tours = Numbering(problem, "dense", store=tmp_path)
    expected = [*tours]
    monkeypatch.setattr(HalfSweep, "take", None)  # nothing is swept again
    again = Numbering(problem, "dense", store=tmp_path)
    assert [*again] == expected and [again.index(tour) for tour in expected] == [*range(8)]
    with pytest.raises(StoreError, match="its problem is 5x6, closed, and not 5x5, open"):
        Numbering("5x5", "dense", store=tmp_path)


def test_tables_half_saved_are_made_anew(tmp_path):
    problem = Problem("5x6", closed=True)
    expected = [*Numbering(problem, "dense", store=tmp_path)]
    for names in (["pairs", "half-0-1"], ["half-0-1"]):
        for name in names:
            (tmp_path / f"step-1.{name}.kept").unlink()
        assert [*Numbering(problem, "dense", store=tmp_path)] == expected


@pytest.mark.parametrize("name", ["pairs", "half-0-2", "half-1-3"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999, None])
def test_a_damaged_file_is_refused(tmp_path, name, share):
    problem = Problem("5x6", closed=True, require=["a1-b3"])  # two different halves
    Numbering(problem, "dense", store=tmp_path)
    path = tmp_path / f"step-1.{name}.kept"
    data = path.read_bytes()
    at = int(len(data) * (0.5 if share is None else share))
    path.write_bytes(
        data[:at] + (bytes([data[at] ^ 1]) + data[at + 1 :] if share is not None else b"")
    )
    with pytest.raises(StoreError, match=f"{name}.kept is damaged: .*; remove it and run again"):
        Numbering(problem, "dense", store=tmp_path)
    if share is None:
        path.unlink()
        assert len(Numbering(problem, "dense", store=tmp_path)) == len(Numbering(problem))
