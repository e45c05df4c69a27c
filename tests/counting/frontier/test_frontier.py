"""The frontier against its twin, enumeration, published numbers; limits, stores, bad input."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Enumeration, Problem
from kt_cp.counting.frontier import METHOD, order, sweep
from kt_cp.counting.frontier.lowered import lowered
from kt_cp.counting.frontier.plan import Plan
from kt_cp.counting.frontier.sweep import Sweep, cycles, number_of, states_of
from kt_cp.counting.frontier.tables import FrontierTables
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EndedError, InputError, NotTakenError, NumberError, TooLargeError
from tests.counting.frontier import twin
from tests.known import ROWS, label

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


@pytest.mark.parametrize("seed", range(40))
def test_as_enumerated(seed):
    rng = random.Random(seed)
    problem = of_random(rng, [*SMALL, (3, 7), (4, 5)], ["knight", "knight", "wazir"])
    assert METHOD.count(problem) == enumerated(problem), problem.label


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
            assert METHOD.count(problem) == enumerated(problem), (sorted(graph.edges), closed)


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


def layers(plan):
    """States with their numbers after each step, as the twin has them."""
    made, slot_of = Sweep(plan), {}
    for step in plan.steps:
        slot_of.update(zip(step.others, step.near[:, 0].tolist(), strict=True))
        slot_of.pop(step.vertex, None)
        made.advance()
        states = {}
        for row in states_of(made.table):
            fields = {}
            for vertex, slot in slot_of.items():
                word, shift = plan.places[slot].tolist()
                fields[vertex] = int(row[word]) >> shift & plan.full
            vertex_of = {slot: vertex for vertex, slot in slot_of.items()}
            degrees = {v: 2 if m == plan.full else int(m != slot_of[v]) for v, m in fields.items()}
            paths = {tuple(sorted((v, vertex_of[fields[v]]))) for v in fields if degrees[v] == 1}
            met = frozenset(each for each in degrees.items() if each[1])
            states[met, frozenset(paths)] = number_of(row[plan.words :])
        yield states, made.tours


def same_as_the_twin(graph, forced, order):
    plan = Plan(graph, forced, order)
    wanted = twin.layers(graph, forced, order)
    for (states, tours), (expected, closed) in zip(layers(plan), wanted, strict=True):
        assert {**expected} == states and closed == tours
    return closed


def test_every_state_of_the_twin():
    form = cycle_form(Problem("3x4", start="a1", require=["b1-d2"]))
    assert same_as_the_twin(form.graph, form.forced, order.order_of(form.graph)) == 2
    graph = cycle_form(Problem("4x4", piece="wazir", closed=True)).graph
    assert same_as_the_twin(graph, [], range(16)) == 6


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_states_of_several_words(seed):
    # A bad order has a wide frontier: two and three words.
    rng = random.Random(seed)
    grid = Problem(["3x8", "4x8", "2x20", "2x26"][seed % 4], piece="wazir", closed=True)
    bad = sorted(range(grid.size), key=lambda v: (rng.random() < 0.7, rng.random()))
    many = enumerated(grid)
    plan = Plan(grid.indexed, [], bad)
    assert plan.words > 1 or seed % 4 == 0
    assert cycles(plan) == many


@pytest.mark.slow
def test_numbers_of_several_words():
    problem = Problem("6x6", closed=True)
    many = 1
    for words in range(1, 4):
        made = Sweep(lowered(problem).plan)
        first = 2**64 - 3
        made.table = np.array([[0] + [first] * words], dtype=np.uint64)
        many = number_of([first] * words)
        while made.at < 36:
            made.advance()
        assert made.tours == 9862 * many
        assert made.limbs > words


def test_refused():
    for asked in ({"given": {"a1": 1}}, {"symmetry": "half-turn"}):
        problem = Problem("5x6", **asked)
        assert METHOD.refuses(problem) in ("given steps", "symmetry")
        with pytest.raises(NotTakenError, match="frontier does not take"):
            METHOD.count(problem)
    assert "a frontier of" in METHOD.refuses(Problem(graph=nx.complete_graph(42)))
    assert METHOD.refuses(Problem("100x100")) == "more than 2,000 squares"
    with pytest.raises(TooLargeError):
        METHOD.estimate(Problem("100x100"))
    with pytest.raises(TooLargeError, match="at most 60 vertices, got 69"):
        Plan(Problem(graph=nx.complete_graph(70)).indexed, [], range(70))


def test_memory_limit():
    with pytest.raises(EndedError, match=r"the memory limit of 0\.1 MB was reached"):
        METHOD.count(Problem("6x6", closed=True), memory_limit=0.1)
    with pytest.raises(EndedError, match=r"the memory limit of 0\.1 MB was reached"):
        FrontierTables(Problem("6x6", closed=True), memory_limit=0.1)


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


def test_a_count_goes_on_where_it_was(monkeypatch):
    monkeypatch.setattr(sweep, "SHARE", 0)
    problem, store, runs, steps = Problem("5x6"), Kept(), 0, []
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


def test_the_narrow_side():
    for board in ("5x12", "12x5"):
        assert lowered(Problem(board, closed=True)).width <= 11


QUESTIONS = [
    Problem("1x1"),
    Problem("3x4"),
    Problem("3x4", start="c1"),
    Problem("4x5", start="e4", end="a1"),
    Problem("5x6", closed=True, require=["a1-b3"]),
    Problem(Board(3, 4, surface="torus"), piece="wazir", closed=True),
    Problem(graph=nx.petersen_graph()),
    Problem(graph=nx.DiGraph(DIRECTED)),
    Problem(graph=nx.DiGraph(DIRECTED), closed=True, start=3),
]


@pytest.mark.parametrize("problem", QUESTIONS, ids=lambda each: each.label)
def test_numbers_and_tours(problem):
    tables = FrontierTables(problem)
    nodes = list(problem.graph) if problem.directed else problem.indexed.nodes
    found = set()
    for number in range(tables.size):
        walk = tables.tour(number)
        assert tables.number(walk) == number
        if problem.closed:
            assert tables.number(walk[1:] + walk[:1]) == number
        moves = [*pairwise(nodes[v] for v in walk)]
        moves += [(nodes[walk[-1]], nodes[walk[0]])] * problem.closed
        found.add(frozenset(moves if problem.directed else map(frozenset, moves)))
    assert len(found) == tables.size == enumerated(problem)


def test_of_no_tour():
    tables = FrontierTables(Problem("4x4"))
    assert tables.size == 0
    for wrong in (0, -1):
        with pytest.raises(NumberError):
            tables.tour(wrong)
    with pytest.raises(InputError, match="expected a tour of 4x4"):
        tables.number(range(16))


def test_no_tours():
    tables = FrontierTables(Problem("3x4"))
    tour = tables.tour(2)
    wrong = [tour[::2] + tour[1::2], [*tour[:6], *tour[:5:-1]], tour[:-1] + tour[:1]]
    for each in wrong:
        with pytest.raises(InputError, match="expected a tour of 3x4"):
            tables.number(each)
    with pytest.raises(NumberError, match="from 0 on below 8, got 8"):
        tables.tour(8)


@pytest.mark.slow
def test_closed_tours_of_6x6():
    tables = FrontierTables(Problem("6x6", closed=True))
    for number in range(0, 9862, 11):
        assert tables.number(tables.tour(number)) == number
