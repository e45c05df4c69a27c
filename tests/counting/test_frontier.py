"""The frontier method: sweeps, counts, symmetric tours, numbers, narrow graphs."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Enumeration, Problem
from kt_cp.counting.frontier import frontier_sweep, ranking
from kt_cp.counting.frontier.frontier import METHOD, graph_form
from kt_cp.counting.frontier.frontier_sweep import (
    FrontierSweep,
    SweepPlan,
    count_cycles,
    join_limbs,
    merge_parts,
    merge_states,
    one_cycle,
)
from kt_cp.counting.frontier.ranking import FrontierTables
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EndedError, InputError, NotTakenError, NumberError, TooLargeError
from kt_cp.model.orbits import MOVED
from kt_cp.search import frontier_order
from kt_cp.search.frontier_order import best_order, planar_state_bounds
from kt_cp.trust.judge import defects
from tests.examples.known_counts import ROWS, label
from tests.oracles import frontier_twin

DIRECTED = [(u, v) for u in range(5) for v in range(5) if u != v and (3 * u + v) % 7]


SMALL = [(3, 3), (3, 4), (2, 5)]
"""Boards that are quick to enumerate on any surface."""


def enumerated(problem):
    return Enumeration(problem, directed=False).count(workers=1)


def rows(most):
    """Return known numbers of boards of at most ``most`` squares."""
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
"""Least number of squares for which open tours are too many to enumerate."""


def of_random(rng, boards, pieces):
    """Return a problem with random holes, surface, ends and moves."""
    size = rng.choice(boards)
    holes = rng.sample(list(Board(*size)), rng.choice([0, 0, 1, 2, 4] if size[0] > 2 else [0, 1]))
    piece = rng.choice(pieces)
    surface = rng.choice(
        ["plane"] * 3 + ["torus", "cylinder", "moebius", "klein"] * (size in SMALL)
    )
    board = Board(*size, missing=holes, surface=surface)
    base = Problem(board, piece=piece)
    squares = list(base.graph)
    conditions = {"closed": rng.random() < 0.5 or len(squares) >= LARGE - 4}
    ends = rng.sample(squares, 2)
    if rng.random() < 0.4:
        conditions["start"] = ends[0]
    if not conditions["closed"] and rng.random() < 0.4:
        conditions["end"] = ends[1]
    moves = rng.sample(list(base.graph.edges), min(3, base.graph.number_of_edges()))
    conditions["require"], conditions["forbid"] = (
        moves[: rng.choice([0, 0, 1])],
        moves[1:][: rng.choice([0, 1, 2])],
    )
    return Problem(board, piece=piece, **conditions)


def one_of(problem, order=None, most=10**6):
    """Return whether the sweep for a single cycle finds one, and its number of states."""
    form = cycle_form(problem)
    order = graph_form(problem).cycles.order if order is None else order
    cycle, exhausted, states = one_cycle(form, order, most=most, should_stop=lambda: False)
    assert exhausted and 0 < states <= most
    assert cycle is None or not defects(problem, form.tour(cycle).squares), problem.label
    return cycle is not None, states


@pytest.mark.parametrize("seed", range(40))
def test_as_enumerated(seed):
    rng = random.Random(seed)
    problem = of_random(rng, [*SMALL, (3, 7), (4, 5)], ["knight", "knight", "wazir"])
    count = enumerated(problem)
    assert METHOD.count(problem) == count, problem.label
    assert one_of(problem)[0] == (count > 0), problem.label


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_more_as_enumerated(seed):
    rng = random.Random(seed)
    boards = [(5, 5), (4, 6), (5, 6), (4, 7), (6, 6), (3, 10)]
    problem = of_random(rng, boards, ["knight"])
    assert METHOD.count(problem) == enumerated(problem), problem.label


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(
    "conditions", [{}, {"start": 2}, {"require": [(0, 1)]}, {"forbid": [(3, 4)]}]
)
def test_digraphs(closed, conditions):
    problem = Problem(graph=nx.DiGraph(DIRECTED), closed=closed, **conditions)
    assert METHOD.count(problem) == enumerated(problem) > 0


def graphs(most):
    return [graph for graph in nx.graph_atlas_g() if 0 < len(graph) <= most]


def all_small(most):
    for graph in graphs(most):
        for closed in (True, False):
            problem = Problem(graph=graph, closed=closed)
            count = enumerated(problem)
            assert METHOD.count(problem) == count, (sorted(graph.edges), closed)
            assert len(graph) < 3 or one_of(problem)[0] == (count > 0), (
                sorted(graph.edges),
                closed,
            )


def test_all_graphs_of_four_vertices():
    all_small(4)


@pytest.mark.slow
def test_all_graphs_of_six_vertices():
    all_small(6)


@pytest.mark.parametrize("size", range(3, 9))
def test_complete_graphs(size):
    count = 1
    for factor in range(3, size):
        count *= factor
    assert METHOD.count(Problem(graph=nx.complete_graph(size), closed=True)) == count
    assert METHOD.count(Problem(graph=nx.complete_graph(size))) == count * size


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
    """A store in memory that ends the run after some steps were saved."""

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
    monkeypatch.setattr(frontier_sweep, "SHARE", 0)
    store, runs, steps = Kept(), 0, []
    rng = random.Random(1)
    while True:
        runs += 1
        store.left = rng.randrange(8)
        try:
            found = METHOD.count(
                problem, store=store, progress=lambda event: steps.append(event["step"])
            )
        except KeyboardInterrupt:
            continue
        break
    assert runs > 3 and found == enumerated(problem)
    # Only the interrupted step is repeated.
    assert {*steps} == {*range(1, 1 + max(steps))} and len(steps) < max(steps) + runs


def test_an_estimate_is_an_upper_bound():
    for problem in (Problem("5x6"), Problem("5x6", closed=True), Problem("4x4", piece="king")):
        events = []
        METHOD.count(problem, progress=events.append)
        assert max(event["states"] for event in events) <= METHOD.estimate(problem).states
        assert [event["step"] for event in events] == [*range(1, len(events) + 1)]


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_of_planar_graphs(seed):
    """It holds for any order, also if the remaining vertices fall into parts."""
    rng = random.Random(seed)
    lattice = nx.triangular_lattice_graph if seed % 2 else nx.grid_2d_graph
    graph = lattice(rng.randint(2, 4), rng.randint(3, 6))
    graph.remove_nodes_from(rng.sample([*graph], 2))
    graph = graph.subgraph(max(nx.connected_components(graph), key=len))
    cycles = graph_form(
        Problem(graph=nx.convert_node_labels_to_integers(graph), closed=True)
    ).cycles
    order = cycles.order if seed % 3 else rng.sample(cycles.order, len(cycles.order))
    events = []
    plan = SweepPlan(cycles.graph, cycles.forced, order, cycles.turns, cycles.odd)
    count_cycles(plan, progress=events.append)
    bounds = planar_state_bounds(cycles.graph, order)
    assert bounds is not None and bounds[-1] == 1
    assert all(event["states"] <= bounds[event["step"] - 1] for event in events)


def test_a_wide_planar_board_is_not_refused():
    """The bound for all graphs gives 32 GB for 16x16, that for planar graphs less than 2 GB."""
    problem = Problem("16x16", piece="wazir", closed=True)
    assert METHOD.estimate(problem).bytes < 2e9
    assert METHOD.estimate(Problem("6x6", closed=True)).states == 22_365


def layers(plan):
    """Yield the states with their numbers after each step, in the form of the twin."""
    made, slot_of = FrontierSweep(plan), {}
    for step in plan.steps:
        slot_of.update(zip(step.others, step.near[:, 0].tolist(), strict=True))
        slot_of.pop(step.vertex, None)
        made.advance()
        states = {}
        for row in made.table.T:
            fields = {}
            for vertex, slot in slot_of.items():
                word, shift = plan.places[slot].tolist()
                fields[vertex] = int(row[word]) >> shift & plan.full
            vertex_of = {slot: vertex for vertex, slot in slot_of.items()}
            degrees = {v: 2 if m == plan.full else int(m != slot_of[v]) for v, m in fields.items()}
            paths = {tuple(sorted((v, vertex_of[fields[v]]))) for v in fields if degrees[v] == 1}
            degrees_met = frozenset(each for each in degrees.items() if each[1])
            states[degrees_met, frozenset(paths)] = join_limbs(row[plan.words :])
        yield states, made.tours


def same_as_the_twin(graph, forced, order):
    plan = SweepPlan(graph, forced, order)
    wanted = frontier_twin.layers(graph, forced, order)
    for (states, tours), (expected, closed) in zip(layers(plan), wanted, strict=True):
        assert {**expected} == states and closed == tours
    return closed


def test_every_state_of_the_twin():
    form = cycle_form(Problem("3x4", start="a1", require=["b1-d2"]))
    assert same_as_the_twin(form.graph, form.forced, best_order(form.graph)) == 2
    graph = cycle_form(Problem("4x4", piece="wazir", closed=True)).graph
    assert same_as_the_twin(graph, [], range(16)) == 6


def sums(table):
    """Return the number of each state from a table of two words per state."""
    found = {}
    for *state, low, middle, high in table.T.tolist():
        found[tuple(state)] = found.get(tuple(state), 0) + join_limbs([low, middle, high])
    return found


def test_equal_states_become_one(monkeypatch):
    seed = random.randrange(10**6)
    print(f"{seed=}")
    rng = np.random.default_rng(seed)
    numbers = rng.integers(2**64, size=(3, 500), dtype=np.uint64)
    numbers[2] >>= np.uint64(9)
    numbers[:, ::3] = [[2**64 - 1], [2**64 - 1], [1]]
    table = np.vstack([rng.integers(9, size=(2, 500), dtype=np.uint64), numbers])
    monkeypatch.setattr(frontier_sweep, "CHUNK", 128)
    parts = [merge_states(table[:, at : at + 100], 2) for at in range(0, 500, 100)]
    for found in (merge_states(table, 2), merge_parts(parts, 2)):
        assert sums(found) == sums(table)
        states = [tuple(state) for state in found[:2].T.tolist()]
        assert states == sorted({*states})


def test_short_words_and_few_states_at_a_time(monkeypatch):
    monkeypatch.setattr(frontier_sweep, "FIELDS", {4: 3, 5: 3})
    for module in (frontier_sweep, ranking):
        monkeypatch.setattr(module, "CHUNK", 64)
    # These appear in no other test, because plans are cached.
    for conditions in ({"start": "e4"}, {"end": "d3", "require": ["a2-b4"]}):
        problem = Problem("4x5", forbid=["a1-b3"], **conditions)
        assert graph_form(problem).cycles.plan.words > 1
        tables = FrontierTables(problem)
        assert tables.size == METHOD.count(problem) == enumerated(problem)
        assert [tables.number(tables.tour(at)) for at in range(tables.size)] == [
            *range(tables.size)
        ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_states_of_several_words(seed):
    # A bad order has a wide frontier of two and three words.
    rng = random.Random(seed)
    grid = Problem(["3x8", "4x8", "2x20", "2x26"][seed % 4], piece="wazir", closed=True)
    bad = sorted(range(grid.size), key=lambda v: (rng.random() < 0.7, rng.random()))
    count = enumerated(grid)
    plan = SweepPlan(grid.indexed, [], bad)
    assert plan.words > 1 or seed % 4 == 0
    assert count_cycles(plan) == count


@pytest.mark.slow
def test_numbers_of_several_words():
    problem = Problem("6x6", closed=True)
    count = 1
    for words in range(1, 4):
        made = FrontierSweep(graph_form(problem).cycles.plan)
        first = 2**64 - 3
        made.table = np.array([[0]] + [[first]] * words, dtype=np.uint64)
        count = join_limbs([first] * words)
        while made.at < 36:
            made.advance()
        assert made.tours == 9862 * count
        assert made.limbs > words


def of_random_symmetry(rng):
    """Return a problem of symmetric tours, mostly with symmetric holes."""
    piece = rng.choice(["knight", "knight", "wazir", "king"])
    sides = rng.choice([(3, 3), (2, 5), (4, 4)] if piece == "king" else [(3, 4), (4, 4), (4, 5)])
    motion = rng.choice(["half-turn", "left-right", "top-bottom", "quarter-turn", "diagonal"])
    if sides[0] != sides[1] and motion in ("quarter-turn", "diagonal"):
        motion = "half-turn"
    hole = rng.choice([None, *Board(*sides)])
    holes = {hole} if hole else set()
    for _ in range(3):
        holes |= {MOVED[motion](*each, *sides) for each in holes}
    board = Board(*sides, holes, surface=rng.choice(["plane", "plane", "torus", "klein"]))
    base = Problem(board, piece=piece)
    squares, moves = list(base.graph), list(base.graph.edges)
    conditions = {"closed": rng.random() < 0.5, "require": rng.sample(moves, rng.choice([0, 0, 1]))}
    if not conditions["closed"] and rng.random() < 0.5:
        conditions[rng.choice(["start", "end"])] = rng.choice(squares)
    return Problem(board, piece=piece, symmetry=motion, **conditions)


def symmetric_as_enumerated(seeds):
    print(f"{seeds=}")
    some = 0
    for seed in seeds:
        problem = of_random_symmetry(random.Random(seed))
        if METHOD.refuses(problem) is None:
            count = enumerated(problem)
            assert METHOD.count(problem) == count, (seed, problem.label)
            some += count > 0
    return some


def test_symmetric_tours():
    assert symmetric_as_enumerated(range(30)) > 5


@pytest.mark.slow
def test_more_symmetric_tours():
    first = random.randrange(10**6)
    assert symmetric_as_enumerated(range(first, first + 100)) > 10


@pytest.mark.parametrize(
    ("board", "motion", "count"),
    # Knuth computed the first count; enumerate confirms the others.
    [
        ("8x8", "half-turn", 2_432_932),
        ("6x6", "quarter-turn", 10),
        ("10x10", "quarter-turn", 831_804),
    ],
)
def test_known_symmetric_tours(board, motion, count):
    assert METHOD.count(Problem(board, closed=True, symmetry=motion)) == count


def petersen(length):
    """Return GP(n, 2) with random vertex numbers."""
    edges = [(("u", i), ("u", (i + 1) % length)) for i in range(length)]
    edges += [(("v", i), ("v", (i + 2) % length)) for i in range(length)]
    edges += [(("u", i), ("v", i)) for i in range(length)]
    nodes = [(side, i) for side in "uv" for i in range(length)]
    random.Random(length).shuffle(nodes)
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return Problem(graph=graph, closed=True)


@pytest.mark.parametrize(("length", "count"), [(69, 3), (71, 0)])
def test_a_long_narrow_graph(length, count):
    problem = petersen(length)
    assert METHOD.count(problem) == count  # in its own order: the given order is too wide
    narrow = frontier_order.sweep_order(problem.indexed, 8)
    assert sorted(narrow) == [*range(problem.size)]
    assert max(frontier_order.frontier_widths(problem.indexed, narrow)) <= 8
    exists, states = one_of(problem, narrow)
    assert exists == (count > 0) and states < 30 * problem.size
    limits = {"should_stop": lambda: False, "most": states // 2}  # many are looked up
    assert one_cycle(cycle_form(problem), narrow, **limits)[1:] == (True, states)
    limits["most"] = 50
    assert one_cycle(cycle_form(problem), narrow, **limits)[:2] == (None, False)
    limits = {"should_stop": lambda: True, "most": states}
    assert one_cycle(cycle_form(problem), narrow, **limits)[:2] == (None, False)


@pytest.mark.parametrize("length", [15, 17])
@pytest.mark.parametrize(("few", "cached"), [(0, 1), (10**9, 3)])
def test_any_size_of_the_cache(length, few, cached, monkeypatch):
    problem = petersen(length)
    narrow = frontier_order.sweep_order(problem.indexed, 8)
    wanted = one_of(problem, narrow)
    assert wanted[0] == (length == 15)
    for name, value in (("FEW", few), ("CACHED", cached)):
        monkeypatch.setattr(frontier_sweep, name, value)
    for name, value in (("SAMPLED", 2), ("CHUNK", 8)):
        monkeypatch.setattr(frontier_sweep, name, value)
    assert one_of(problem, narrow) == wanted


def test_a_step_that_repeats_is_looked_up(monkeypatch):
    kinds = []

    def counted(self, states, step, real=frontier_sweep._Search._after):
        kinds.append(step.kind)
        return real(self, states, step)

    monkeypatch.setattr(frontier_sweep._Search, "_after", counted)
    for columns in (50, 100):
        grid = nx.grid_2d_graph(columns, 4)
        assert one_of(Problem(graph=grid, closed=True), range(4 * columns))[0]
    assert len(kinds) < 2 * 50 and {*kinds} == {*range(max(kinds) + 1)}


def test_what_is_not_narrow():
    grid = Problem("9x9", piece="wazir").indexed
    assert frontier_order.sweep_order(grid, 5) is None
    assert len(frontier_order.sweep_order(grid, 12)) == 81
    apart = Problem(graph=nx.Graph([(0, 1), (2, 3), (4, 5)])).indexed
    assert sorted(frontier_order.sweep_order(apart, 1)) == [*range(6)]
    assert frontier_order.sweep_order(Problem(graph=nx.complete_graph(9)).indexed, 7) is None


@pytest.mark.parametrize("seed", range(3))
def test_one_part_is_finished_before_the_next(seed):
    """Meredith's graph: ten complete bipartite graphs instead of the nodes of Petersen's."""
    spokes = [(u, u + 5) for u in range(5)]
    edges = [(("out", v, i), ("in", v, j)) for v in range(10) for i in range(4) for j in range(3)]
    free = {v: [("out", v, i) for i in range(4)] for v in range(10)}
    edges += [(free[u].pop(), free[v].pop()) for u, v in (*nx.petersen_graph().edges, *spokes)]
    random.Random(seed).shuffle(edges)
    problem = Problem(graph=nx.Graph(edges), closed=True)
    graph = problem.indexed
    oldest_first = frontier_order._greedy(graph, 0)
    narrow = frontier_order.sweep_order(graph, 18)
    (exists, many), (still, few) = (one_of(problem, order) for order in (oldest_first, narrow))
    assert not exists and not still and 3 * few < many
    assert frontier_order.sweep_order(graph, 18) == narrow


def test_an_order_stops_where_it_has_too_many_states():
    graph = Problem("5x12").indexed
    whole = frontier_order._greedy(graph, 0)
    cost = frontier_order.order_cost(frontier_order.frontier_widths(graph, whole))
    assert frontier_order._greedy(graph, 0, states=cost + 1) == whole
    part = frontier_order._greedy(graph, 0, states=cost // 2)
    assert part == whole[: len(part)] != whole


def test_the_narrow_side():
    for board in ("5x12", "12x5"):
        assert graph_form(Problem(board, closed=True)).cycles.width <= 11


QUESTIONS = [
    Problem("1x1"),
    Problem("3x4"),
    Problem("3x4", start="c1"),
    Problem("4x5", start="e4", end="a1"),
    Problem("5x6", closed=True, require=["a1-b3"]),
    Problem(Board(3, 4, surface="torus"), piece="wazir", closed=True),
    # A cycle would close before the sweep reaches the last required edge, to the depot.
    Problem(Board(3, 2, surface="torus"), piece="wazir", start="b2"),
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
    for number in (0, -1):
        with pytest.raises(NumberError):
            tables.tour(number)
    with pytest.raises(InputError, match="expected a tour of 4x4"):
        tables.number(range(16))


def test_no_tours():
    tables = FrontierTables(Problem("3x4"))
    tour = tables.tour(2)
    walks = [tour[::2] + tour[1::2], [*tour[:6], *tour[:5:-1]], tour[:-1] + tour[:1]]
    for each in walks:
        with pytest.raises(InputError, match="expected a tour of 3x4"):
            tables.number(each)
    with pytest.raises(NumberError, match="from 0 on below 8, got 8"):
        tables.tour(8)


@pytest.mark.slow
def test_closed_tours_of_6x6():
    tables = FrontierTables(Problem("6x6", closed=True))
    for number in range(0, 9862, 11):
        assert tables.number(tables.tour(number)) == number
