"""The frontier against enumeration and published numbers; limits, stores, bad input."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Enumeration, Problem
from kt_cp.counting.frontier import METHOD, sweep
from kt_cp.counting.frontier.frontier import graph_form
from kt_cp.counting.frontier.ranking import FrontierTables
from kt_cp.counting.frontier.sweep import SweepPlan, one_cycle
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EndedError, NotTakenError, TooLargeError
from kt_cp.trust.judge import defects
from tests.examples.known_counts import ROWS, label

DIRECTED = [(u, v) for u in range(5) for v in range(5) if u != v and (3 * u + v) % 7]


SMALL = [(3, 3), (3, 4), (2, 5)]
"""Boards on which it takes no time to enumerate, whatever their surface."""


def enumerated(problem):
    return Enumeration(problem, directed=False).count(workers=1)


def rows(most):
    """Known numbers of boards of so many squares."""
    return [
        row for row in ROWS
        if row["unit"] != "classes" and int(row["rows"]) * int(row["columns"]) <= most
    ]  # fmt: skip


def counts_as_published(row):
    board = Board(int(row["rows"]), int(row["columns"]), surface=row["surface"])
    problem = Problem(board, piece=row["piece"], closed=row["kind"] == "closed")
    found = METHOD.count(problem)
    assert found * (2 if row["unit"] == "directed" else 1) == int(row["count"])


@pytest.mark.parametrize("row", rows(30), ids=label)
def test_known_numbers(row):
    counts_as_published(row)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", [row for row in rows(42) if row not in rows(30) and row["kind"] == "closed"], ids=label
)
def test_more_known_numbers(row):
    counts_as_published(row)


LARGE = 36
"""Squares from which on only closed tours are few enough to be enumerated."""


def of_random(rng, boards, pieces):
    """A problem with random holes, surface, ends and moves."""
    size = rng.choice(boards)
    holes = rng.sample(list(Board(*size)), rng.choice([0, 0, 1, 2, 4] if size[0] > 2 else [0, 1]))
    piece = rng.choice(pieces)
    surface = rng.choice(
        ["plane"] * 3 + ["torus", "cylinder", "moebius", "klein"] * (size in SMALL)
    )
    board = Board(*size, missing=holes, surface=surface)
    plain = Problem(board, piece=piece)
    squares = list(plain.graph)
    asked = {"closed": rng.random() < 0.5 or len(squares) >= LARGE - 4}
    ends = rng.sample(squares, 2)
    if rng.random() < 0.4:
        asked["start"] = ends[0]
    if not asked["closed"] and rng.random() < 0.4:
        asked["end"] = ends[1]
    moves = rng.sample(list(plain.graph.edges), min(3, plain.graph.number_of_edges()))
    asked["require"], asked["forbid"] = (
        moves[: rng.choice([0, 0, 1])],
        moves[1:][: rng.choice([0, 1, 2])],
    )
    return Problem(board, piece=piece, **asked)


def one_of(problem, order=None, most=10**6):
    """What the sweep for a single cycle says: whether there is one, and in how many states."""
    form = cycle_form(problem)
    order = graph_form(problem).cycles.order if order is None else order
    cycle, exhausted, met = one_cycle(form, order, most=most, should_stop=lambda: False)
    assert exhausted and 0 < met <= most
    assert cycle is None or not defects(problem, form.tour(cycle).squares), problem.label
    return cycle is not None, met


@pytest.mark.parametrize("seed", range(40))
def test_as_enumerated(seed):
    rng = random.Random(seed)
    problem = of_random(rng, [*SMALL, (3, 7), (4, 5)], ["knight", "knight", "wazir"])
    many = enumerated(problem)
    assert METHOD.count(problem) == many, problem.label
    assert one_of(problem)[0] == (many > 0), problem.label


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_more_as_enumerated(seed):
    rng = random.Random(seed)
    boards = [(5, 5), (4, 6), (5, 6), (4, 7), (6, 6), (3, 10)]
    problem = of_random(rng, boards, ["knight"])
    assert METHOD.count(problem) == enumerated(problem), problem.label


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("asked", [{}, {"start": 2}, {"require": [(0, 1)]}, {"forbid": [(3, 4)]}])
def test_digraphs(closed, asked):
    problem = Problem(graph=nx.DiGraph(DIRECTED), closed=closed, **asked)
    assert METHOD.count(problem) == enumerated(problem) > 0


def graphs(most):
    return [graph for graph in nx.graph_atlas_g() if 0 < len(graph) <= most]


def all_small(most):
    for graph in graphs(most):
        for closed in (True, False):
            problem = Problem(graph=graph, closed=closed)
            many = enumerated(problem)
            assert METHOD.count(problem) == many, (sorted(graph.edges), closed)
            assert len(graph) < 3 or one_of(problem)[0] == (many > 0), (sorted(graph.edges), closed)


def test_all_graphs_of_four_vertices():
    all_small(4)


@pytest.mark.slow
def test_all_graphs_of_six_vertices():
    all_small(6)


@pytest.mark.parametrize("size", range(3, 9))
def test_complete_graphs(size):
    many = 1
    for factor in range(3, size):
        many *= factor
    assert METHOD.count(Problem(graph=nx.complete_graph(size), closed=True)) == many
    assert METHOD.count(Problem(graph=nx.complete_graph(size))) == many * size


def test_refused():
    with pytest.raises(NotTakenError, match="frontier does not take given steps"):
        METHOD.count(Problem("5x6", given={"a1": 1}))
    problem = Problem("2x2", piece="wazir", symmetry="half-turn")
    assert METHOD.refuses(problem) == "symmetry where squares have fewer than three orbits"
    with pytest.raises(NotTakenError, match="counts symmetric tours, and numbers none"):
        FrontierTables(Problem("6x6", closed=True, symmetry="half-turn"))
    assert "a frontier of" in METHOD.refuses(Problem(graph=nx.complete_graph(42)))
    assert METHOD.refuses(Problem("100x100")) == "more than 2,000 squares"
    with pytest.raises(TooLargeError):
        METHOD.estimate(Problem("100x100"))
    with pytest.raises(TooLargeError, match="at most 60 vertices, got 69"):
        SweepPlan(Problem(graph=nx.complete_graph(70)).indexed, [], range(70))


def test_memory_limit():
    with pytest.raises(EndedError, match=r"the memory limit of 0\.05 MB was reached"):
        METHOD.count(Problem("6x6", closed=True), memory_limit=0.05)
    with pytest.raises(EndedError, match=r"the memory limit of 0\.05 MB was reached"):
        FrontierTables(Problem("6x6", closed=True), memory_limit=0.05)


class Kept(dict):
    """A store in memory, that ends the run after some steps were saved."""

    def __init__(self):
        self.left = 0

    def done(self):
        return max(self, default=0)

    def load(self, step):
        return self.get(step)

    def save(self, step, content):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        self.clear()
        self[step] = {
            name: np.copy(value) if name == "states" else value for name, value in content.items()
        }


@pytest.mark.parametrize(
    "problem", [Problem("5x6"), Problem("6x6", closed=True, symmetry="half-turn")], ids=str
)
def test_a_count_goes_on_where_it_was(monkeypatch, problem):
    monkeypatch.setattr(sweep, "SHARE", 0)
    store, runs, steps = Kept(), 0, []
    rng = random.Random(1)
    while True:
        runs += 1
        store.left = rng.randrange(8)
        try:
            found = METHOD.count(
                problem, store=store, progress=lambda told: steps.append(told["step"])
            )
        except KeyboardInterrupt:
            continue
        break
    assert runs > 3 and found == enumerated(problem)
    # Only the step that was under way is made again.
    assert {*steps} == {*range(1, 1 + max(steps))} and len(steps) < max(steps) + runs


def test_an_estimate_is_an_upper_bound():
    for problem in (Problem("5x6"), Problem("5x6", closed=True), Problem("4x4", piece="king")):
        seen = []
        METHOD.count(problem, progress=seen.append)
        assert max(told["states"] for told in seen) <= METHOD.estimate(problem).states
        assert [told["step"] for told in seen] == [*range(1, len(seen) + 1)]
