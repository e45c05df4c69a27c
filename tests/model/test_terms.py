"""Sentences about a graph of the user speak of nodes and edges, never of squares and moves."""

from __future__ import annotations

import re

import networkx as nx
import pytest

from kt_cp import Problem, Verdict, solve
from kt_cp.model.errors import ProblemError
from kt_cp.trust.judge import defects

BOARDISH = re.compile(r"\b(squares?|moves?|board|pieces?|knight)\b")
NONE = {
    "two": (nx.path_graph(2), {"closed": True}),
    "ends": (nx.star_graph(3), {}),
    "leaf": (nx.path_graph(4), {"closed": True}),
    "isolated": (nx.star_graph(4), {"forbid": [(0, 1)]}),
    "apart": (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4)), {}),
    "bridge": (nx.barbell_graph(4, 1), {"closed": True}),
    "bipartite": (nx.complete_bipartite_graph(3, 5), {}),
    "between": (nx.complete_bipartite_graph(3, 3), {"start": 0, "end": 1}),
    "cases": (nx.petersen_graph(), {"closed": True}),
    "required": (nx.complete_graph(5), {"require": [(0, 1), (1, 2), (2, 0)]}),
    "forbidden": (nx.cycle_graph(5), {"closed": True, "forbid": [(0, 1)]}),
    "given end": (nx.star_graph(2), {"start": 1, "end": 0}),
}


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("name", NONE)
def test_why_a_graph_has_no_tour(name, engine):
    graph, conditions = NONE[name]
    outcome = solve(Problem(graph=graph, **conditions), engine=engine)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert not BOARDISH.search(outcome.reason), outcome.reason
    assert engine == "reference" or re.search("node|edge|graph", outcome.reason)


@pytest.mark.parametrize(
    "conditions",
    [
        {"require": [(0, 2)]},
        {"forbid": [(0, 2)]},
        {"start": 9},
        {"require": [(0, 9)]},
        {"given": {9: 1}},
        {"piece": "zebra"},
        {"start": 0, "end": 0},
        {"symmetry": "half-turn"},
    ],
    ids=str,
)
def test_what_a_graph_cannot_be_asked(conditions):
    with pytest.raises(ProblemError) as raised:
        Problem(graph=nx.cycle_graph(5), **conditions)
    said = str(raised.value).replace("a piece with a board alone", "").replace("of a board", "")
    assert not BOARDISH.search(said), said


def test_a_node_takes_two_required_edges():
    with pytest.raises(ProblemError, match="two required edges at a node, got 3 at 0"):
        Problem(graph=nx.complete_graph(4), require=[(0, 1), (0, 2), (0, 3)])


def test_what_is_wrong_with_a_walk_on_a_graph():
    problem = Problem(graph=nx.cycle_graph(5), closed=True, require=[(0, 1)])
    for walk in ([0, 2, 1, 1, 9], [0, 4], []):
        said = [str(each) for each in defects(problem, walk)]
        assert said and not any(map(BOARDISH.search, said)), said
    assert "no edge from 0 to 2 at step 2" in map(str, defects(problem, [0, 2]))
    assert "required edge 0-1 not made" in map(str, defects(problem, [0, 4]))
    forbidden = Problem(graph=nx.cycle_graph(5), forbid=[(0, 1)])
    said = [str(each) for each in defects(forbidden, [4, 3, 2, 1, 0])]
    assert said == ["forbidden edge 0-1 made between steps 4 and 5"]
