"""``kt-cp export --format graph6`` and ``tsplib``: graphs that programs of others read."""

from __future__ import annotations

import shlex

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, knight_graph
from kt_cp.formats.export import graph6, tsplib_pieces
from kt_cp.testing import oracle
from kt_cp.trust.judge import defects
from tests.cli.test_export import problem_of
from tests.examples.formulas import CASES, IMPOSSIBLE


@pytest.mark.parametrize("words", [["1x1"], ["3x3"], ["5x8"], ["8x8", "--missing", "c3,d4,a1"]])
def test_graph6_is_what_networkx_writes(kt_cp, words):
    text = kt_cp("export", *words, "--format", "graph6").out
    graph = knight_graph(Board.parse(words[0], words[-1] if len(words) > 1 else ""))
    assert text.encode() == nx.to_graph6_bytes(graph, header=False)
    assert kt_cp("export", *words, "--format", "graph6", "--closed").out == text


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 62, 63, 64, 100])
def test_graph6_of_any_graph(size):
    graph = nx.gnp_random_graph(size, 0.4, seed=size)
    ends = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    assert graph6(size, ends[:, 1], ends[:, 0]).encode() == nx.to_graph6_bytes(graph, header=False)


def read_tsplib(text):
    """A Hamiltonian cycle problem: what its keys say, its comments, its graph."""
    head, body = text.split("EDGE_DATA_SECTION\n")
    lines = [line.split(" : ", 1) for line in head.splitlines()]
    *pairs, end, eof = body.splitlines()
    assert (end, eof) == ("-1", "EOF")
    graph = nx.Graph(tuple(map(int, pair.split())) for pair in pairs)
    assert graph.number_of_edges() == len(pairs)
    return dict(lines), [text for key, text in lines if key == "COMMENT"], graph


@pytest.mark.parametrize("line", [*CASES, "3x8 --closed", "4x4"])
def test_tsplib_has_the_cycles_that_are_tours(kt_cp, line):
    problem = problem_of(line)
    keys, comments, graph = read_tsplib(
        kt_cp("export", *shlex.split(line), "--format", "tsplib").out
    )
    assert (keys["TYPE"], keys["EDGE_DATA_FORMAT"]) == ("HCP", "EDGE_LIST")
    assert set(graph) <= set(range(1, int(keys["DIMENSION"]) + 1))
    assert f"{problem.piece.name}'s tour: {problem.label}" in comments
    assert problem.closed or "an open tour, written as a cycle:" in comments
    found = cycle(graph, int(keys["DIMENSION"]))
    if line in IMPOSSIBLE:
        assert found is None
        return
    squares = dict(enumerate(problem.board, start=1))
    assert graph.subgraph(squares).number_of_edges() <= problem.indexed.tails.size
    # Without what is no square, it opens into the tour, in one of its two directions.
    inside = [vertex in squares for vertex in found]
    turn = next((i for i in range(len(found)) if inside[i] and not inside[i - 1]), 0)
    walk = [squares[v] for v in [*found[turn:], *found[:turn]] if v in squares]
    if problem.closed and problem.start is not None:
        turn = walk.index(problem.start)
        walk = walk[turn:] + walk[:turn]
    assert not defects(problem, walk) or not defects(problem, walk[::-1])


def cycle(graph, size):
    """A Hamiltonian cycle, by a formula of the test's own whose sub-tours are cut off."""
    from pysat.card import CardEnc
    from pysat.solvers import Solver

    number = {frozenset(edge): i for i, edge in enumerate(graph.edges, start=1)}
    top = len(number)
    with Solver(name="cadical195") as solver:
        for vertex in range(1, size + 1):
            own = [number[frozenset((vertex, other))] for other in graph[vertex]]
            if len(own) < 2:
                return None
            two = CardEnc.equals(own, 2, top_id=top)
            top = max(top, two.nv)
            solver.append_formula(two.clauses)
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            chosen = nx.Graph(tuple(edge) for edge, v in number.items() if v in true)
            parts = list(nx.connected_components(chosen))
            if len(parts) == 1:
                return [u for u, _ in nx.find_cycle(chosen)]
            for part in parts:
                solver.add_clause([v for edge, v in number.items() if len(edge & part) == 1])
    return None


@pytest.mark.parametrize("seed", range(12))
def test_tsplib_has_as_many_cycles_as_there_are_tours(seed):
    graph = nx.gnp_random_graph(5, 0.7, seed=seed)
    for ends in ({"closed": True}, {}, {"start": 0}, {"end": 3}, {"start": 4, "end": 1}):
        keys, _, stated = read_tsplib("".join(tsplib_pieces(Problem(graph=graph, **ends))))
        stated.add_nodes_from(range(1, int(keys["DIMENSION"]) + 1))
        cycles = sum(1 for _ in oracle.tours(stated, closed=True, start=1))
        tours = sum(
            1 for _ in oracle.tours(graph, "closed" in ends, ends.get("start"), ends.get("end"))
        )
        # From one vertex, in both directions; a tour with an end has but one.
        assert cycles == (tours // 5 if "closed" in ends else tours * 2 if ends else tours), ends
