"""Enumeration: the compiled recursion against its twin, oracles, and published counts."""

from __future__ import annotations

import random
import threading
import time
import tracemalloc
from collections import Counter
from itertools import islice

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, defects
from kt_cp.enumeration import Enumeration, walks
from kt_cp.enumeration.walks import Job, Walker, bit_graph, jobs
from kt_cp.model.errors import TooLargeError
from kt_cp.model.move_order import ORDERS, fewest_ways_first, fixed_order, move_table
from kt_cp.testing import oracle
from kt_cp.trust.reference import Pause, Run
from tests.examples.known_counts import known, label
from tests.oracles import enumeration_twin
from tests.support.exhaustive import exhaustive


def orders(problem):
    yield from (fixed_order(problem, ORDERS[number]) for number in sorted(ORDERS))
    yield fewest_ways_first(problem, ORDERS["003"])


def rows(heads):
    return [[head for head in row if head >= 0] for row in heads.tolist()]


def random_problem(rng, largest=5):
    if rng.random() < 0.4:
        size = rng.randint(1, 9)
        graph = nx.gnp_random_graph(size, rng.choice([0.3, 0.6, 1.0]), seed=rng.randrange(999))
        return Problem(graph=graph)
    side = rng.randint(2, largest), rng.randint(2, largest)
    squares = [(r, c) for r in range(side[0]) for c in range(side[1])]
    return Problem(Board(*side, rng.sample(squares, rng.randint(0, 3))))


# The compiled recursion and its readable twin


@pytest.mark.parametrize("seed", range(150))
def test_the_twins_find_the_same_and_place_as_many(seed):
    rng = random.Random(seed)
    problem = random_problem(rng)
    table = move_table(problem, rng.choice(list(orders(problem))) if problem.board else None)
    total = len(table)
    may_end = np.array([rng.random() < rng.choice([0.2, 0.6, 1]) for _ in range(total)])
    prefix = (rng.randrange(total),)
    while rng.random() < 0.4 and len(prefix) < total:
        onward = [v for v in table.heads[prefix[-1]].tolist() if v >= 0 and v not in prefix]
        if not onward:
            break
        prefix = (*prefix, rng.choice(onward))
    leaf = rng.choice([total, rng.randint(len(prefix), total)])
    edges, forced = problem.indexed.pairs(), []
    beside = {v: [] for v in range(total)}
    for one, other in rng.sample(edges, min(len(edges), rng.choice([0, 0, 1, 4]))):
        if len(beside[one]) < 2 and len(beside[other]) < 2:
            forced.append((one, other))
            beside[one].append(other)
            beside[other].append(one)
    closed = rng.random() < 0.5
    found = []
    placed = enumeration_twin.walks(
        rows(table.heads), may_end.tolist(), prefix, found.append, leaf,
        beside if forced else None, closed,
    )  # fmt: skip
    job, compiled = Job(prefix, may_end, closed), []
    walker = Walker(bit_graph(table.heads, forced), job, leaf)
    room, steps = rng.choice([(1, 10**6), (3, 5), (100, 1)])
    while not walker.exhausted:
        compiled += map(tuple, walker.next(room=room, steps=steps).tolist())
    note = f"seed {seed}, {problem.label}, {prefix}, leaf {leaf}"
    assert compiled == found, note
    assert walker.found == len(found), note
    if not walker.exhausted or len(found):  # given vertices that lead nowhere end it at once
        assert walker.placed == placed, note


def test_a_node_with_too_many_neighbours_is_refused():
    with pytest.raises(TooLargeError, match="at most 64 neighbours a node to enumerate, got 65"):
        Enumeration(Problem(graph=nx.complete_graph(66))).count()
    assert Enumeration(Problem(graph=nx.star_graph(64))).count() == 0
    first = next(Enumeration(Problem(graph=nx.complete_graph(65))).tours())
    assert len(set(first.squares)) == 65


def test_boards_beyond_all_enumeration_are_refused():
    with pytest.raises(TooLargeError, match="at most 10,000 squares to enumerate, got 10,100"):
        Enumeration(Problem(Board(100, 101)))


# What is found, and in which order


@pytest.mark.parametrize("seed", range(100))
def test_all_tours_that_the_oracle_finds(seed):
    rng = random.Random(seed)
    size = rng.randint(1, 7)
    graph = nx.gnp_random_graph(size, rng.choice([0.4, 0.6, 0.9]), seed=seed)
    start, end = rng.randrange(size), rng.randrange(size)
    asked = [{}, {"closed": True}, {"start": start}, {"end": end}, {"closed": True, "start": start}]
    asked += [{"start": start, "end": end}] if start != end else []
    for conditions in asked:
        problem = Problem(graph=graph, **conditions)
        first = start if "start" in conditions else (0 if problem.closed else None)
        expected = set(oracle.tours(graph, problem.closed, first, problem.end))
        note = f"seed {seed}, {conditions}"
        everything = Enumeration(problem, directed=True)
        found = [tour.squares for tour in everything.tours()]
        assert everything.complete, note
        assert sorted(found) == sorted(expected), note
        assert Enumeration(problem, directed=True).count() == len(expected), note
        either = Enumeration(problem, directed=False)
        halves = [tour.squares for tour in either.tours()]
        assert len(set(halves)) == len(halves) == either.count(), note
        assert set(halves) <= expected, note
        assert {undirected(tour, problem.closed) for tour in halves} == {
            undirected(tour, problem.closed) for tour in expected
        }, note
        assert len({undirected(tour, problem.closed) for tour in halves}) == len(halves), note


def undirected(tour, closed):
    back = (tour[0], *tour[:0:-1]) if closed else tour[::-1]
    return min(tour, back)


BOARDS = [Board(3, 4), Board(5, 4), Board(5, 5), Board(4, 6), Board(5, 5, missing={(0, 4)})]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.label)
def test_the_order_is_that_of_the_plain_recursion(board):
    start = (1, 0) if board.missing else (0, 0)
    for conditions in ({"start": start}, {"start": start, "closed": True}):
        problem = Problem(board, **conditions)
        for candidates in orders(problem):
            run, expected = Run(problem, start, candidates), []
            while run.advance() is Pause.TOUR:
                expected.append(tuple(run.squares))
            found = Enumeration(problem, candidates, directed=True)
            assert [tour.squares for tour in found] == expected


def test_starts_come_in_reading_order_and_the_first_direction_stays():
    problem = Problem(Board(3, 4))
    found = [tour.squares for tour in Enumeration(problem)]
    assert [tour[0] for tour in found] == sorted(tour[0] for tour in found)
    kept = [t for i, t in enumerate(found) if t[::-1] not in found[:i]]
    assert [tour.squares for tour in Enumeration(problem, directed=False)] == kept
    closed = Problem(Board(5, 6), closed=True)
    both = [tour.squares for tour in Enumeration(closed, directed=True)]
    kept = [t for i, t in enumerate(both) if (t[0], *t[:0:-1]) not in both[:i]]
    assert len(both) == 16
    assert [tour.squares for tour in Enumeration(closed)] == kept


# Published counts


def enumeration_of(row):
    problem = Problem(Board(int(row["rows"]), int(row["columns"])), closed=row["kind"] == "closed")
    return Enumeration(problem, directed=row["unit"] == "directed", unique=row["unit"] == "classes")


def quick(most, rows):
    """Those with more tours are slow."""
    return [
        row if int(row["count"]) <= most else pytest.param(row, marks=pytest.mark.slow)
        for row in rows
    ]


@pytest.mark.parametrize("row", quick(500_000, known(10_000_000)), ids=label)
def test_known_counts(row):
    everything = enumeration_of(row)
    assert everything.count() == int(row["count"]), row["source"]
    assert everything.complete


@pytest.mark.parametrize("row", quick(2_000, known(10_000)), ids=label)
def test_known_counts_by_listing_and_judging(row):
    everything, found = enumeration_of(row), set()
    for tour in everything:
        assert not defects(everything.problem, tour.squares)
        found.add(tour.squares)
    assert len(found) == int(row["count"]), row["source"]


LARGEST = max(known(100_000_000), key=lambda row: int(row["count"]))


@exhaustive("the largest known count that fits", [LARGEST], sample=0, batches=1)
def test_the_largest_known_count_that_fits(cases):
    for row in cases:
        assert label(row) == "6x8 closed undirected"
        assert enumeration_of(row).count() == int(row["count"]) == 55_488_142


@pytest.mark.parametrize("side", [(5, 5), (4, 6), (5, 6)], ids=str)
def test_counts_per_start_are_symmetric(side):
    board = Board(*side)
    counts = {square: sum(1 for _ in Enumeration(Problem(board, start=square))) for square in board}
    for (row, column), count in counts.items():
        assert count == counts[side[0] - 1 - row, column] == counts[row, side[1] - 1 - column]
        if side[0] == side[1]:
            assert count == counts[column, row]
    if side == (5, 5):
        assert sum(counts.values()) == 1728
        assert counts[0, 0] == 304  # document 004 speaks of four tours and 300 others
    if side[0] * side[1] % 2:
        assert all(count == 0 for (row, column), count in counts.items() if (row + column) % 2)
    assert sum(counts.values()) == Enumeration(Problem(board)).count() > 0


@pytest.mark.parametrize(
    ("workers", "alone"),
    [(1, 0), (3, 0), pytest.param(None, 500, marks=pytest.mark.slow), (None, 10**6)],
)
def test_counting_agrees_with_listing(monkeypatch, workers, alone):
    monkeypatch.setattr(walks, "ALONE", alone)  # 0: in threads from the beginning
    for conditions in (
        {"start": (0, 0), "end": (4, 4)},
        {"end": (0, 2)},
        {"closed": True, "start": (2, 2)},
        {},
    ):
        for board in (Board(5, 6), Board(5, 5, missing={(2, 2)}), Board(3, 7)):
            if conditions.get("end") not in board and conditions.get("end"):
                continue
            if conditions.get("start") not in board and conditions.get("start"):
                continue
            problem = Problem(board, **conditions)
            for directed in (True, False):
                counted = Enumeration(problem, directed=directed).count(workers=workers)
                listed = sum(1 for _ in Enumeration(problem, directed=directed))
                assert counted == listed, (problem.label, directed)


# Memory, stopping


def test_memory_does_not_grow_with_the_tours():
    tours = Enumeration(Problem(Board(6, 6))).tours()
    next(tours)
    tracemalloc.start()
    try:
        for _ in islice(tours, 30_000):
            pass
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3_000_000


def test_the_first_tour_comes_before_all_are_there():
    began = time.process_time()
    tours = Enumeration(Problem(Board(8, 8))).tours()
    assert len({tour.squares for tour in islice(tours, 1000)}) == 1000
    assert time.process_time() - began < 30


def test_listing_stops_when_asked():
    asked = []
    everything = Enumeration(Problem(Board(7, 7)))
    listed = sum(1 for _ in everything.tours(lambda: asked.append(1) or len(asked) == 5))
    assert listed > 0
    assert len(asked) == 5
    assert not everything.complete


@pytest.mark.clock
def test_counting_stops_when_asked_and_leaves_no_thread():
    before = threading.active_count()
    assert Enumeration(Problem(Board(5, 6), closed=True)).count() > 0  # compiled by now
    everything = Enumeration(Problem(Board(8, 8), closed=True))
    deadline = time.monotonic() + 2
    counted = everything.count(lambda: time.monotonic() > deadline)
    assert time.monotonic() < deadline + 20
    assert counted > 0
    assert not everything.complete
    assert threading.active_count() == before


def test_an_obstruction_needs_no_search():
    everything = Enumeration(Problem(Board(4, 1000), closed=True))
    assert everything.count() == 0
    assert list(everything) == []
    assert everything.complete
    assert "Schwenk" in everything.reason.text


def test_colours_decide_where_a_tour_may_end():
    problem = Problem(Board(5, 5), start=(0, 0))
    (job,) = jobs(problem, move_table(problem), directed=True)
    assert Counter(job.may_end.tolist()) == {True: 13, False: 12}
    problem = Problem(Board(5, 6), start=(0, 0))
    (job,) = jobs(problem, move_table(problem), directed=True)
    assert [i for i in range(30) if job.may_end[i]][:3] == [1, 3, 5]
