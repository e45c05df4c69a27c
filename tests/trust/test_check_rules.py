"""The checker's rules are theorems: on all small graphs they never refute a problem with a tour.

Truth comes from oracles that share no code with the package.  What the rules force and ban is held
against every Hamiltonian cycle of the frame.
"""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.model.board import square_name
from kt_cp.testing import oracle
from kt_cp.trust.check import Refusal
from kt_cp.trust.check.argument import most_pieces, squares_without
from kt_cp.trust.check.certificate import RULES
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import END, frame_of
from kt_cp.trust.check.instance import as_instance
from kt_cp.trust.check.state import Contradiction, State, remove
from tests.oracles import held_karp
from tests.support.exhaustive import exhaustive


def proves(problem, evidence):
    try:
        RULES[evidence["kind"]](as_instance(problem), evidence)
    except Refusal:
        return False
    return True


def questions(graph):
    """Every problem on a graph, and whether it has a tour."""
    table = held_karp.pairs(graph)
    nodes = list(graph)
    conditions = [{"closed": True}, {}]
    conditions += [{"start": node} for node in nodes] + [{"end": node} for node in nodes]
    conditions += [{"start": one, "end": other} for one, other in permutations(nodes, 2)]
    for condition in conditions:
        closed = condition.get("closed", False)
        ends = condition.get("start"), condition.get("end")
        if len(graph) > 1 or closed:
            yield condition, held_karp.exists(graph, closed, *ends, table)


def subsets(nodes):
    return [list(chosen) for size in range(len(nodes) + 1) for chosen in combinations(nodes, size)]


def evidences(problem, names, edges, rng):
    """Every kind with every set of squares, and some trees at random."""
    yield {"kind": "size"}
    yield {"kind": "colours"}
    yield {"kind": "forced", "tree": {}}
    yield {"kind": "sweep", "order": rng.sample(names, len(names))}
    sets = subsets(names) if len(names) <= 6 else [sample(names, rng) for _ in range(30)]
    for squares in sets:
        for kind in ("degrees", "connectivity", "cut", "removal"):
            yield {"kind": kind, "squares": squares}
        yield {"kind": "tight", "sets": [squares]}
        yield {"kind": "forced", "tree": {"remove": squares}}
        yield {"kind": "forced", "tree": {"remove": squares, "then": {}}}
    for _ in range(6):
        yield {"kind": "tight", "sets": [sample(names, rng) for _ in range(3)]}
        if edges:
            yield {"kind": "forced", "tree": _tree(problem, names, edges, rng)}


def sample(names, rng):
    return rng.sample(names, rng.randint(1, len(names)))


def _tree(problem, names, edges, rng):
    def leaf():
        squares = sample(names, rng)
        return rng.choice([{}, {}, {"remove": squares}, {"remove": squares, "then": {}}])

    move = list(rng.choice(edges))
    if not problem.closed and rng.random() < 0.3:
        move = [rng.choice(names), END]
    return {"move": move, "used": leaf(), "unused": leaf()}


def atlas(nodes):
    graphs = (graph for graph in nx.graph_atlas_g() if len(graph) == nodes)
    return [nx.relabel_nodes(graph, {node: str(node) for node in graph}) for graph in graphs]


def hold(graph, problem_of, name_of, seed):
    """How many refutations were accepted, all of them of problems without a tour."""
    rng = Random(seed)
    names = [name_of(node) for node in graph]
    edges = [(name_of(u), name_of(v)) for u, v in graph.edges()]
    accepted = 0
    for condition, has_tour in questions(graph):
        problem = problem_of(condition)
        for evidence in evidences(problem, names, edges, rng):
            if proves(problem, evidence):
                assert not has_tour, (seed, names, edges, condition, evidence)
                accepted += 1
    return accepted


def accepted_on(nodes, numbers):
    """On graphs of so many nodes, one of each up to isomorphism, by their numbers in the atlas."""
    graphs = atlas(nodes)
    return sum(
        hold(graphs[seed], lambda asked, seed=seed: Problem(graph=graphs[seed], **asked), str, seed)
        for seed in numbers
    )


# With every set of nodes, every pair of ends.


@pytest.mark.parametrize(
    ("nodes", "least"), [(1, 1), (2, 50), (3, 400), pytest.param(4, 3_000, marks=pytest.mark.slow)]
)
def test_all_small_graphs(nodes, least):
    assert accepted_on(nodes, range(len(atlas(nodes)))) >= least


@exhaustive("no tour is refuted on graphs of five nodes", range(34), sample=1, batches=1)
def test_all_graphs_of_five_nodes(cases):
    assert accepted_on(5, cases) >= 20_000 or len(cases) < 34


@pytest.mark.slow
@exhaustive("no tour is refuted on graphs of six nodes", range(156), sample=1, batches=12)
def test_all_graphs_of_six_nodes(cases):
    assert accepted_on(6, cases) >= 10_000 or len(cases) < 13


def random_board(rng, most):
    """Missing squares are chosen so that at most so many remain."""
    rows, columns = rng.randint(1, 4), rng.randint(2, 6)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    remain = rng.randint(1, min(most, len(squares)))
    missing = frozenset(rng.sample(squares, len(squares) - remain))
    return Board(rows, columns, missing), oracle.knight_graph(rows, columns, missing)


def accepted_with_holes(seed):
    board, graph = random_board(Random(seed), 13)
    return hold(graph, lambda condition: Problem(board, **condition), square_name, seed)


@exhaustive("no tour is refuted on random boards with holes", range(80), sample=1)
def test_random_boards_with_holes(cases):
    accepted = sum(accepted_with_holes(seed) for seed in cases)
    assert accepted > (100 * len(cases) if len(cases) >= 10 else 0)


# ---------------------------------------------------------------- what is forced and banned


def cycles(frame):
    """Every Hamiltonian cycle of the frame that uses the edges that must be used, as edges."""
    graph = nx.Graph([(u, v) for u, v in frame.edges()])
    graph.add_nodes_from(range(len(frame)))
    found = set()
    if len(frame) < 3:
        return found
    for order in _cycles(graph, [0]):
        edges = frozenset(
            (min(u, v), max(u, v)) for u, v in zip(order, [*order[1:], 0], strict=True)
        )
        if edges.issuperset(frame.must):
            found.add(edges)
    return found


def _cycles(graph, path):
    if len(path) == len(graph):
        if graph.has_edge(path[-1], path[0]):
            yield path
        return
    for other in graph[path[-1]]:
        if other not in path:
            yield from _cycles(graph, [*path, other])


def agree(state, every):
    """Cycles that use what is forced and nothing that is banned."""
    edges = [(u, v) for u in range(len(state.kept)) for v in state.kept[u] if u < v]
    return {
        cycle
        for cycle in every
        if cycle.issuperset(edges) and all(v in state.open_[u] for u, v in cycle)
    }


def problems(rng):
    """Random small problems on graphs and boards."""
    if rng.random() < 0.5:
        graph = nx.gnp_random_graph(rng.randint(3, 8), 0.7, seed=rng.randint(0, 9999))
        if rng.random() < 0.7:  # one half of the nodes are apart, so that the other half is tight
            graph.remove_edges_from([*combinations(range(len(graph) // 2), 2)])
        where, nodes = {"graph": nx.relabel_nodes(graph, str)}, [str(node) for node in graph]
    else:
        board = Board(*rng.choice([(3, 3), (3, 4), (2, 5), (4, 3), (5, 3)]))
        missing = frozenset(rng.sample(list(board), rng.randint(0, 3)))
        where = {"board": Board(board.rows, board.columns, missing)}
        nodes = list(where["board"])
    ends = [*rng.sample(nodes, 2), None, None]
    which = rng.choice([{"closed": True}, {}, dict(zip(("start", "end"), ends, strict=False))])
    which = which or {"start": rng.choice(ends), "end": None}
    return Problem(**where, **which)


def likely(state, rng):
    """A set of squares that may be tight: all to which some squares can move that cannot meet."""
    squares, apart, around = state.frame.squares, set(), set()
    for vertex in rng.sample(range(squares), squares):
        if vertex not in around and rng.random() < 0.8:
            apart.add(vertex)
            around |= state.open_[vertex]
    return {vertex for vertex in around if vertex < squares and rng.random() < 0.97} - apart


@exhaustive("what is forced and banned holds for every tour", range(6000), sample=150)
def test_consequences_hold_for_every_cycle(cases):
    contradicted = drawn = 0
    for seed in cases:
        rng = Random(seed)
        frame = frame_of(problems(rng))
        every = cycles(frame)
        possible = every
        try:
            state = State(frame)
            assert agree(state, every) == every, seed
            for _ in range(6):
                squares = likely(state, rng)
                before = sum(map(len, state.kept)) - sum(map(len, state.open_))
                remove(state, squares)
                drawn += sum(map(len, state.kept)) - sum(map(len, state.open_)) > before
                assert agree(state, every) == possible, seed
                # Suppose something, as a split does; then only the cycles that agree count.
                undecided = [
                    (u, v) for u, v in frame.edges() if v in state.open_[u] - state.kept[u]
                ]
                if undecided:
                    u, v = rng.choice(undecided)
                    use = rng.random() < 0.5
                    possible = {cycle for cycle in possible if ((u, v) in cycle) == use}
                    (state.force if use else state.ban)([(u, v)])
                    assert agree(state, every) == possible, seed
        except Contradiction:
            assert not possible, seed
            contradicted += 1
    assert contradicted > len(cases) // 10
    assert drawn > (len(cases) // 40 if len(cases) >= 750 else 0)


@exhaustive("every tour is a model of the checker's formula", range(1500), sample=40)
def test_every_cycle_is_a_model_of_the_formula(cases):
    # With tight sets and all cuts; and where there are all cuts, every model is a cycle.
    from pysat.solvers import Solver

    with_cycles = 0
    for seed in cases:
        rng = Random(seed)
        frame = frame_of(problems(rng))
        every = cycles(frame)
        with_cycles += bool(every)
        try:
            known = State(frame)
            for _ in range(3):
                remove(known, {rng.randrange(frame.squares) for _ in range(5)})
        except Contradiction:
            known = None
        cuts = [set(each) for each in subsets(range(frame.squares))[1:-1]]
        variables, clauses = formula_of(frame, known, cuts if frame.squares < 10 else cuts[:500])
        edges = frame.edges()
        with Solver(name="cadical153", bootstrap_with=clauses) as solver:
            for cycle in every:
                chosen = [
                    number if edge in cycle else -number
                    for number, edge in enumerate(edges, start=1)
                ]
                assert solver.solve(assumptions=chosen), seed
            if frame.squares < 10:
                assert solver.solve() == bool(every), seed
        assert variables >= len(edges)
    assert with_cycles > len(cases) // 10


def test_removal_counts_what_networkx_counts():
    for seed in range(300):
        rng = Random(seed)
        problem = problems(rng)
        frame = frame_of(problem)
        removed = set(rng.sample(range(frame.squares), rng.randint(1, frame.squares - 1)))
        graph = nx.Graph(frame.edges())
        graph.add_nodes_from(range(frame.squares))
        graph.remove_nodes_from([*removed, *frame.ends])
        pieces = squares_without(frame, removed)
        assert {frozenset(piece) for piece in pieces} == set(
            map(frozenset, nx.connected_components(graph))
        )
        assert most_pieces(frame, removed, pieces) <= len(removed) + (not problem.closed)
