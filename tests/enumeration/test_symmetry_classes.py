"""One tour of each symmetry class: against classes formed one by one, and between the twins."""

from __future__ import annotations

import random
from functools import partial

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem
from kt_cp.enumeration import Enumeration
from kt_cp.enumeration.symmetry import Classes, symmetries
from kt_cp.enumeration.walks import Walker, bit_graph, jobs
from kt_cp.model.move_order import move_table
from tests.enumeration.test_listing import orders, rows
from tests.oracles.enumeration_twin import class_size
from tests.support.exhaustive import more


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
        walks += Walker(bit_graph(table.heads), job).next(room=50, steps=200_000).tolist()
    kept = rng.choice(walks)
    ends = [None, None] if problem.closed else [table.nodes[kept[0]], table.nodes[kept[-1]]]
    start, end = (rng.choice([None, square]) for square in ends)
    problem = Problem(problem.board, closed=problem.closed, start=start, end=end)
    expected = [
        class_size(
            walk, group, rows(table.heads), closed=problem.closed,
            keep_start=start is not None, keep_end=end is not None,
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
