"""Enumeration: every tour in order, estimates, parallel parts, symmetry classes."""

from __future__ import annotations

import random
import threading
import time
import tracemalloc
from collections import Counter
from functools import partial
from itertools import islice
from random import Random
from statistics import fmean

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, defects
from kt_cp.enumeration import Enumeration, parallel, walks
from kt_cp.enumeration.symmetry import Classes, symmetries
from kt_cp.enumeration.walks import ENOUGH, Job, Walker, bit_graph, jobs, squares_to_place
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.move_order import ORDERS, fewest_ways_first, fixed_order, move_table
from kt_cp.sources.registry import find_source
from kt_cp.testing import oracle
from kt_cp.trust.reference import Pause, Run
from tests.examples.known_counts import known, label
from tests.oracles import enumeration_twin
from tests.oracles.enumeration_twin import class_size
from tests.support.exhaustive import exhaustive, more
from tests.support.fakes import Failing


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
    capacity, steps = rng.choice([(1, 10**6), (3, 5), (100, 1)])
    while not walker.exhausted:
        compiled += map(tuple, walker.next(capacity=capacity, steps=steps).tolist())
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
    cases = [{}, {"closed": True}, {"start": start}, {"end": end}, {"closed": True, "start": start}]
    cases += [{"start": start, "end": end}] if start != end else []
    for conditions in cases:
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
    expected = [t for i, t in enumerate(found) if t[::-1] not in found[:i]]
    assert [tour.squares for tour in Enumeration(problem, directed=False)] == expected
    closed = Problem(Board(5, 6), closed=True)
    both = [tour.squares for tour in Enumeration(closed, directed=True)]
    expected = [t for i, t in enumerate(both) if (t[0], *t[:0:-1]) not in both[:i]]
    assert len(both) == 16
    assert [tour.squares for tour in Enumeration(closed)] == expected


# Published counts


def enumeration_of(row):
    problem = Problem(Board(int(row["rows"]), int(row["columns"])), closed=row["kind"] == "closed")
    return Enumeration(problem, directed=row["unit"] == "directed", unique=row["unit"] == "classes")


def quick(most, rows):
    """Return the rows; those with more tours are slow."""
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
    polls = []
    everything = Enumeration(Problem(Board(7, 7)))
    listed = sum(1 for _ in everything.tours(lambda: polls.append(1) or len(polls) == 5))
    assert listed > 0
    assert len(polls) == 5
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


ASKED = [
    ("3x4", {}),
    ("5x5", {"start": "a1"}),
    ("5x5", {"start": "a1", "end": "e5"}),
    ("3x10", {"closed": True}),
    ("3x10", {"closed": True, "unique": True}),
    ("3x7", {"unique": True}),
    ("4x5", {"directed": False}),
    ("6x6", {"closed": True, "symmetry": "half-turn"}),
    ("4x4", {"closed": True, "piece": "king", "require": [("a1", "b2")], "symmetry": "half-turn"}),
    ("5x6", {"closed": True, "require": [("a1", "b3")], "forbid": [("c3", "d5")]}),
    ("1x1", {}),
    ("2x2", {}),
    ("4x4", {}),
]


@pytest.fixture
def pool():
    return Failing()


@pytest.mark.parametrize(("board", "conditions"), ASKED, ids=str)
def test_in_pieces_as_in_one(board, conditions, pool, monkeypatch):
    undivided = Enumeration(board, **conditions)
    tours = [(tour.squares, tour.class_size) for tour in undivided]
    for squares, most in ((1, 1), (3000, 7)):
        if len(tours) > 20 * squares:
            continue
        monkeypatch.setattr(parallel, "TASK_SQUARES", squares)
        monkeypatch.setattr(parallel, "CAPACITY", most)
        parts = Enumeration(board, **conditions)
        found = [(tour.squares, tour.class_size) for tour in parts.tours(executor=pool)]
        assert found == tours and parts.complete
        parts = Enumeration(board, **conditions)
        assert parts.count(executor=pool) == len(tours) and parts.complete


@pytest.mark.parametrize("seed", range(5))
def test_a_source_s_order_goes_along(seed, pool, monkeypatch):
    """Its candidates are a function, which other processes could not load."""
    problem = Problem("5x5", start=Random(seed).choice(["a1", "c3", "b2", "e5"]))
    candidates = find_source("all").candidates(problem)
    monkeypatch.setattr(parallel, "TASK_SQUARES", 500)
    here, there = (Enumeration(problem, candidates) for _ in range(2))
    assert [*here] == [*there.tours(executor=pool)], seed


def test_it_stops_on_request(pool, monkeypatch):
    monkeypatch.setattr(parallel, "TASK_SQUARES", 1000)
    everything = Enumeration("8x8")
    assert not everything.complete
    found = everything.count(lambda: everything.placed > 5000, executor=pool)
    assert everything.placed > 5000 and found >= 0 and not everything.complete


def test_given_steps_are_not_taken(pool):
    everything = Enumeration("5x5", given={"a1": 1, "e5": 25})
    with pytest.raises(NotTakenError, match="does not take given steps"):
        everything.count(executor=pool)
    with pytest.raises(NotTakenError, match="does not take given steps"):
        next(everything.tours(executor=pool))


def test_a_result_goes_through_arrays(pool, monkeypatch):
    """As a store keeps it."""
    monkeypatch.setattr(parallel, "TASK_SQUARES", 2000)
    everything = Enumeration("5x5", start="a1")
    results, pieces = {}, {}

    class Arrays:
        def load(self, key, piece):
            pieces[key] = piece

        def save(self, key, done):
            results[key] = done

    assert everything.count(executor=pool, store=Arrays()) == 304
    assert len(results) > 10
    for key, done in results.items():
        again = parallel.unpack_count(parallel.pack_count(done), pieces[key])
        assert again.value == done.value
        beginnings = [[tuple(walk) for walk in each[2]] for each in done.rest]
        assert [[*each[2]] for each in again.rest] == beginnings


def placed(everything):
    everything.count(workers=1)
    return everything.placed


@pytest.mark.slow
@pytest.mark.parametrize(
    "everything",
    [
        Enumeration("4x5"),
        *more([], [Enumeration("5x6", closed=True)]),
        *more([], [Enumeration("3x7", start="a1", directed=True)]),
        Enumeration("4x4", piece="king", end="b2"),
        Enumeration(Problem(graph=nx.petersen_graph())),
    ],
    ids=lambda it: it.problem.label,
)
def test_the_mean_is_the_truth(everything):
    graph, tasks = everything._searches.walks.graph, everything._searches.walks.tasks()
    rng = random.Random(1)
    mean = fmean(squares_to_place(graph, tasks, rng.random()) for _ in range(40))
    before = sum(len(task.job.prefix) for task in tasks)  # which a count has placed as well
    assert mean == pytest.approx(placed(everything) - before, rel=0.2)


def test_the_order_of_magnitude_is_estimated():
    assert 1e12 < Enumeration("8x8", closed=True).work() < 1e17
    assert Enumeration("30x30", closed=True).work() >= ENOUGH
    assert Enumeration("5x5", closed=True).work() == 0  # the colours exclude a tour


def test_the_same_every_time():
    assert Enumeration("6x6").work() == Enumeration("6x6").work()


def swapped(turn, row, column):
    return turn(column, row)


def brute_classes(problem, tours, directed):
    """Classes by forming every image of every tour with arithmetic of its own."""
    rows_, columns = problem.board.rows, problem.board.columns
    turns = [lambda r, c: (r, c), lambda r, c: (rows_ - 1 - r, c)]
    turns += [lambda r, c: (r, columns - 1 - c), lambda r, c: (rows_ - 1 - r, columns - 1 - c)]
    if rows_ == columns:
        turns += [partial(swapped, turn) for turn in turns]
    listed, classes = set(tours), set()
    for tour in tours:
        images = set()
        for turn in turns:
            image = tuple(turn(*square) for square in tour)
            for way in (image,) if directed else (image, image[::-1]):
                if problem.closed:
                    at = way.index(tour[0])
                    way = way[at:] + way[:at]
                images.add(way if way in listed else None)
        classes.add(frozenset(images - {None}))
    return classes


UNIQUE = [
    Problem(Board(3, 4)),
    Problem(Board(5, 5)),
    Problem(Board(5, 5), start=(0, 0)),
    Problem(Board(5, 5), start=(2, 2)),
    Problem(Board(4, 5), start=(0, 1)),
    Problem(Board(4, 6), start=(0, 0), end=(0, 5)),
    Problem(Board(5, 5), start=(0, 0), end=(4, 4)),
    Problem(Board(5, 5), end=(2, 2)),
    Problem(Board(5, 6), closed=True),
    Problem(Board(5, 6), closed=True, start=(2, 2)),
    Problem(Board(6, 6), closed=True),
    Problem(Board(5, 5, missing={(0, 4)})),
    Problem(Board(5, 5, missing={(2, 2)}), closed=True),
    Problem(Board(3, 7)),
    Problem(Board(1, 1)),
]


@pytest.mark.slow
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(
    "problem",
    [each for each in UNIQUE if each.size <= more(30, 36)],
    ids=lambda problem: problem.label,
)
def test_one_of_each_class_with_its_size(monkeypatch, problem, directed):
    every = [tour.squares for tour in Enumeration(problem, directed=directed)]
    unique = Enumeration(problem, directed=directed, unique=True)
    found = {tour.squares: tour.class_size for tour in unique}
    classes = brute_classes(problem, every, directed)
    assert sum(found.values()) == len(every)
    assert len(found) == len(classes) == unique.count()
    monkeypatch.setattr("kt_cp.enumeration.walks.ALONE", 0)  # in threads from the beginning
    assert unique.count() == len(found)
    place = {tour: i for i, tour in enumerate(every)}
    firsts = {min(members, key=place.__getitem__): len(members) for members in classes}
    assert firsts == found


@pytest.mark.parametrize("seed", range(20))
def test_class_sizes_of_the_twins(seed):
    rng = random.Random(seed)
    side = rng.choice([(5, 5), (4, 5), (5, 6), (6, 6)])
    problem = Problem(Board(*side), closed=rng.random() < 0.5 and side[1] == 6)
    directed = rng.random() < 0.5
    candidates = rng.choice(list(orders(problem)))
    table = move_table(problem, candidates)
    group = symmetries(problem, table.index, directed=directed)
    walks = []
    for job in jobs(problem, table, directed=True):
        walks += Walker(bit_graph(table.heads), job).next(capacity=50, steps=200_000).tolist()
    chosen = rng.choice(walks)
    ends = [None, None] if problem.closed else [table.nodes[chosen[0]], table.nodes[chosen[-1]]]
    start, end = (rng.choice([None, square]) for square in ends)
    problem = Problem(problem.board, closed=problem.closed, start=start, end=end)
    expected = [
        class_size(
            walk, group, rows(table.heads), closed=problem.closed,
            fixed_start=start is not None, fixed_end=end is not None,
        )
        for walk in walks
    ]  # fmt: skip
    each = 1 if directed or start or end else 2
    sizes = Classes(problem, table, directed=directed).sizes(np.array(walks, dtype=np.int32))
    assert sizes == [size // each for size in expected]
    assert max(sizes) >= 1


def test_symmetries_of_a_graph_are_not_looked_for():
    cycle = Problem(graph=nx.cycle_graph(5))
    assert len(list(Enumeration(cycle, directed=True, unique=True))) == 10
    assert [tour.class_size for tour in Enumeration(cycle, unique=True)] == [1] * 5
