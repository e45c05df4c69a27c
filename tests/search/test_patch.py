"""Patching: unions of cycles and nothing else, as far as exchanges go, and the engine around it."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, Verdict, get_engine, solve
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.encodings.neighbourhood import cycle_labels
from kt_cp.model.errors import EngineNameError
from kt_cp.model.graph import index_graph
from kt_cp.search.patch import patch
from kt_cp.testing import oracle
from kt_cp.testing.engine import is_tour


def planted(rng):
    """A graph of cycles with more edges thrown in, the cycles' edges, and some of these fixed."""
    order = rng.sample(range(30), rng.randint(12, 30))
    graph = nx.empty_graph(sorted(order))
    cycles = []
    while len(order) > 8:
        length = rng.randint(3, 5)
        cycle, order = order[:length], order[length:]
        cycles += pairwise([*cycle, cycle[0]])
    cycles += pairwise([*order, order[0]])
    nodes = list(graph)
    graph.add_edges_from(cycles)
    graph.add_edges_from(rng.sample(nodes, 2) for _ in range(rng.choice([0, 1, 3]) * len(nodes)))
    cycles = {frozenset(edge) for edge in cycles}
    fixed = set(rng.sample(sorted(cycles, key=sorted), rng.randint(0, len(cycles) // 2)))
    return graph, cycles, fixed


def pieces(edges):
    return {frozenset(piece) for piece in nx.connected_components(nx.Graph(map(tuple, edges)))}


def exchange_left(graph, chosen, fixed):
    """Whether any two edges of different cycles can still be exchanged, by trying all of them."""
    cycle = {vertex: piece for piece in pieces(chosen) for vertex in piece}
    for (a, b), (c, d) in combinations(map(tuple, chosen - fixed), 2):
        if cycle[a] != cycle[c] and (
            (graph.has_edge(a, c) and graph.has_edge(b, d))
            or (graph.has_edge(a, d) and graph.has_edge(b, c))
        ):
            return True
    return False


def test_cycles_of_random_graphs():
    joined = stuck = 0
    for seed in range(150):
        graph, cycles, fixed = planted(random.Random(seed))
        indexed = index_graph(graph)
        nodes = indexed.nodes
        number = {frozenset((nodes[u], nodes[v])): i for i, (u, v) in enumerate(indexed.pairs())}
        chosen = np.array(sorted(number[edge] for edge in cycles))
        label = cycle_labels(indexed.tails[chosen], indexed.heads[chosen])
        kept = np.array([number[edge] for edge in fixed], dtype=np.int64)
        edges, fewer = patch(indexed, chosen, label, kept)

        edge_of = list(number)
        after = {edge_of[edge] for edge in edges.tolist()}
        assert len(after) == len(edges) == len(graph) and fixed <= after, f"seed {seed}"
        assert set(dict(nx.Graph(map(tuple, after)).degree).values()) == {2}, f"seed {seed}"
        assert len(pieces(cycles)) - len(pieces(after)) == fewer, f"seed {seed}"
        for piece in pieces(after):
            parts = [each for each in pieces(cycles) if each & piece]
            assert frozenset().union(*parts) == piece, f"seed {seed}"
        assert not exchange_left(graph, after, fixed), f"seed {seed}"
        joined += fewer > 1
        stuck += len(pieces(after)) > 1 and fewer > 0
    assert joined > 20 and stuck > 20


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["gluecard4", "cadical195"])
def test_boards_of_every_kind(solver):
    patched = 0
    for board, conditions in [
        ("40x40", {"closed": True}),
        ("21x21", {}),
        ("20x20", {"start": (0, 0), "end": (9, 10)}),  # over a virtual edge
        ("12x12", {"start": (0, 0), "end": (2, 1)}),  # over an edge of the board
        ("15x15", {"start": (7, 7)}),
        ("5x6", {"closed": True}),
    ]:
        problem = Problem(Board.parse(board), **conditions)
        outcome = solve(problem, f"sat:lazy:{solver}:patch", own_process=False)
        assert outcome.engine == f"sat:lazy:{solver}:patch"
        assert outcome.verdict is Verdict.FOUND and outcome.verified, problem.label
        graph = oracle.knight_graph(problem.board.rows, problem.board.columns)
        is_tour(problem, graph, outcome.tour, problem.label)
        patched += outcome.statistics["patched"]
    assert patched > 10


def test_missing_squares_and_one_round():
    problem = Problem(Board.parse("30x30", "c3,d5,j10,k20,p8,s16"), closed=True)
    plain, patching = (
        solve(problem, name, own_process=False) for name in ("sat", "sat:lazy::patch")
    )
    assert "patched" not in plain.statistics and plain.statistics["rounds"] > 1
    assert patching.statistics["patched"] > 3 and patching.statistics["rounds"] == 1
    assert patching.statistics["cuts"] == 0
    assert patching.tour != plain.tour


def test_what_cannot_be_patched_goes_back_to_the_cuts():
    # Closed 5 × 6 has eight tours, far from most two-factors; closed 3 × 8 has none.
    outcome = solve(Problem(Board(5, 6), closed=True), "sat:lazy::patch", own_process=False)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.statistics["rounds"] > 1 and outcome.statistics["cuts"] > 0
    outcome = solve(Problem(Board(3, 8), closed=True), "sat:lazy::patch", own_process=False)
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.statistics["cuts"] > 0
    assert outcome.evidence.kind.name == "CLAIMED"


def test_the_engines_name():
    assert get_engine("sat:lazy::patch").name == "sat:lazy:gluecard4:patch"
    assert get_engine("sat:lazy").name == "sat:lazy:gluecard4"
    for encoding in ENCODING_NAMES[1:]:
        with pytest.raises(EngineNameError, match="cycles to patch: lazy") as caught:
            get_engine(f"sat:{encoding}::patch")
        assert "\n" not in str(caught.value)
