"""Narrow graphs: an order for them is found, and one cycle, or that there is none."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from kt_cp import Problem
from kt_cp.counting.frontier import METHOD, sweep
from kt_cp.counting.frontier.frontier import graph_form
from kt_cp.counting.frontier.sweep import one_cycle
from kt_cp.model.cycle import cycle_form
from kt_cp.search import frontier_order
from tests.counting.test_frontier import one_of


def petersen(length):
    """GP(n, 2), its vertices numbered at random."""
    edges = [(("u", i), ("u", (i + 1) % length)) for i in range(length)]
    edges += [(("v", i), ("v", (i + 2) % length)) for i in range(length)]
    edges += [(("u", i), ("v", i)) for i in range(length)]
    nodes = [(side, i) for side in "uv" for i in range(length)]
    random.Random(length).shuffle(nodes)
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return Problem(graph=graph, closed=True)


@pytest.mark.parametrize(("length", "many"), [(69, 3), (71, 0)])
def test_a_long_narrow_graph(length, many):
    problem = petersen(length)
    assert METHOD.count(problem) == many  # in an order of its own: as numbered it is too wide
    narrow = frontier_order.sweep_order(problem.indexed, 8)
    assert sorted(narrow) == [*range(problem.size)]
    assert max(frontier_order.frontier_widths(problem.indexed, narrow)) <= 8
    exists, met = one_of(problem, narrow)
    assert exists == (many > 0) and met < 30 * problem.size
    asked = {"should_stop": lambda: False, "most": met // 2}  # many are looked up
    assert one_cycle(cycle_form(problem), narrow, **asked)[1:] == (True, met)
    asked["most"] = 50
    assert one_cycle(cycle_form(problem), narrow, **asked)[:2] == (None, False)
    asked = {"should_stop": lambda: True, "most": met}
    assert one_cycle(cycle_form(problem), narrow, **asked)[:2] == (None, False)


@pytest.mark.parametrize("length", [15, 17])
@pytest.mark.parametrize(("few", "kept"), [(0, 1), (10**9, 3)])
def test_however_much_is_kept(length, few, kept, monkeypatch):
    problem = petersen(length)
    narrow = frontier_order.sweep_order(problem.indexed, 8)
    wanted = one_of(problem, narrow)
    assert wanted[0] == (length == 15)
    for name, value in (("FEW", few), ("KEPT", kept)):
        monkeypatch.setattr(sweep, name, value)
    for name, value in (("SAMPLED", 2), ("CHUNK", 8)):
        monkeypatch.setattr(sweep, name, value)
    assert one_of(problem, narrow) == wanted


def test_a_step_that_repeats_is_looked_up(monkeypatch):
    taken = []

    def counted(self, states, step, real=sweep._Search._after):
        taken.append(step.kind)
        return real(self, states, step)

    monkeypatch.setattr(sweep._Search, "_after", counted)
    for columns in (50, 100):
        grid = nx.grid_2d_graph(columns, 4)
        assert one_of(Problem(graph=grid, closed=True), range(4 * columns))[0]
    assert len(taken) < 2 * 50 and {*taken} == {*range(max(taken) + 1)}


def test_what_is_not_narrow():
    grid = Problem("9x9", piece="wazir").indexed
    assert frontier_order.sweep_order(grid, 5) is None
    assert len(frontier_order.sweep_order(grid, 12)) == 81
    apart = Problem(graph=nx.Graph([(0, 1), (2, 3), (4, 5)])).indexed
    assert sorted(frontier_order.sweep_order(apart, 1)) == [*range(6)]
    assert frontier_order.sweep_order(Problem(graph=nx.complete_graph(9)).indexed, 7) is None


def test_the_narrow_side():
    for board in ("5x12", "12x5"):
        assert graph_form(Problem(board, closed=True)).width <= 11
