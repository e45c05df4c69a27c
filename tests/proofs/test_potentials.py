"""Potentials from a linear program as evidence that there is no tour."""

from copy import deepcopy
from random import Random

import networkx as nx
import pytest

from kt_cp import Problem, Verdict, prove, solve
from kt_cp.proofs.potentials import minimum_cuts, potentials
from kt_cp.trust.check.certificate import first_version
from kt_cp.trust.check.refusal import Reason
from tests.examples.certificates import certificate, reason_of
from tests.examples.certificates import potentials as examples
from tests.oracles import held_karp
from tests.support.bound_checks import both_accept


def hidden_removal(removed, parts, size, seed=0):
    """Return a shuffled graph that falls into ``parts`` parts without ``removed`` nodes."""
    rng = Random(seed)
    graph = nx.Graph()
    first = parts * size
    for number in range(parts):
        part = nx.random_regular_graph(4, size, seed=rng.randrange(10**6))
        graph.add_edges_from((number * size + u, number * size + v) for u, v in part.edges)
        for _ in range(5):
            inside = number * size + rng.randrange(size)
            graph.add_edge(inside, first + rng.randrange(removed))
    for node in range(first, first + removed):
        graph.add_edges_from((node, rng.randrange(first)) for _ in range(3))
    nodes = sorted(graph)
    return nx.relabel_nodes(graph, dict(zip(nodes, rng.sample(nodes, len(nodes)), strict=True)))


def two_ways(graph):
    """Return the graph as a digraph without superfluous arcs for the linear program."""
    return nx.DiGraph([*graph.edges, *(edge[::-1] for edge in graph.edges)])


@pytest.mark.parametrize(("problem", "evidence"), examples())
def test_examples_are_accepted_from_version_7(problem, evidence):
    document = certificate(problem, evidence)
    assert both_accept(document)
    assert first_version(evidence) == 7
    assert reason_of({**document, "schema_version": 6}) is Reason.UNKNOWN_KIND


@pytest.mark.parametrize("options", [{"closed": True}, {}], ids=["closed", "open"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_hidden_set_of_nodes(kind, options):
    """A set of nodes that other kinds of evidence do not find within a minute."""
    graph = hidden_removal(10, 11 if options else 12, 6)
    outcome = solve(graph if kind is nx.Graph else two_ways(graph), **options)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    evidence = outcome.certificate.document["evidence"]
    assert evidence.get("then", evidence)["kind"] == "potentials"
    assert both_accept(outcome.certificate.document)


def test_a_large_graph():
    outcome = solve(hidden_removal(30, 31, 12), closed=True, time_limit=20)
    assert outcome.certificate.kind == "potentials"
    assert outcome.problem.size == 402


def test_cases():
    """The first linear program of the Petersen graph has a solution, and its cases have none."""
    problem = Problem(graph=nx.petersen_graph(), closed=True)
    assert potentials(problem, cases=1) is None
    outcome = prove(problem, evidence="potentials")
    assert "move" in outcome.certificate.document["evidence"]["tree"]
    assert both_accept(outcome.certificate.document)


def test_it_agrees_with_dynamic_programming():
    """Small graphs with ends, required and forbidden edges: no evidence contradicts a tour."""
    found = {True: 0, False: 0}
    for seed in range(200):
        rng = Random(seed)
        graph = nx.gnp_random_graph(rng.randint(4, 7), rng.uniform(0.3, 0.7), seed=seed)
        options = rng.choice([{"closed": True}, {}, {"start": 0}, {"start": 0, "end": 1}])
        edges = [*graph.edges]
        if edges and rng.random() < 0.3:
            barred = rng.choice(edges)
            options = {**options, "forbid": [barred]}
        problem = Problem(graph=graph, **options)
        graph.remove_edges_from(options.get("forbid", ()))
        ends = options.get("start"), options.get("end")
        has_tour = held_karp.exists(graph, options.get("closed", False), *ends)
        evidence = potentials(problem)
        found[evidence is not None] += 1
        assert evidence is None or not has_tour, (seed, options)
    assert min(found.values()) > 40


CORRUPTIONS = {
    "potential": lambda tree: tree["potentials"].__setitem__(0, 1),
    "too few potentials": lambda tree: tree["potentials"].pop(),
    "a float": lambda tree: tree["potentials"].__setitem__(0, -1.0),
    "a huge number": lambda tree: tree["potentials"].__setitem__(0, -(10**16)),
    "no weight": lambda tree: tree["cuts"].append({"weight": 0, "squares": ["a"]}),
    "a cut of all": lambda tree: tree["cuts"].append({"weight": 1, "squares": [*"abcde"]}),
    "a square twice": lambda tree: tree["cuts"].append({"weight": 1, "squares": ["a", "a"]}),
    "no cuts": lambda tree: tree.pop("cuts"),
    "a negative scale": lambda tree: tree.__setitem__("scale", -1),
    "another key": lambda tree: tree.__setitem__("target", 0),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corruptions_are_refused_by_both(name):
    problem, evidence = deepcopy(examples()[0])
    CORRUPTIONS[name](evidence["tree"])
    assert not both_accept(certificate(problem, evidence))


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"move": ["a", "b"], "used": {}, "unused": {}},
        {"move": ["a", "e"], "used": {}, "unused": {}},
        {"square": "a", "visited": {}, "skipped": {}},
        {"scale": 0, "potentials": [0] * 6, "cuts": []},
        [],
        None,
    ],
)
def test_trees_that_show_nothing(tree):
    problem, _ = examples()[0]
    assert not both_accept(certificate(problem, {"kind": "potentials", "tree": tree}))


def test_a_missing_case():
    problem, evidence = deepcopy(examples()[1])
    del evidence["tree"]["used"]
    assert not both_accept(certificate(problem, evidence))


def test_a_weaker_cut():
    problem, evidence = deepcopy(examples()[2])
    assert both_accept(certificate(problem, evidence))
    evidence["tree"]["cuts"] = []
    assert not both_accept(certificate(problem, evidence))


def test_should_stop_ends_the_search():
    problem = Problem(graph=hidden_removal(10, 11, 6), closed=True)
    assert potentials(problem, lambda: True) is None


def test_minimum_cuts_are_below_two():
    graph = nx.random_regular_graph(4, 40, seed=1)
    capacity = dict.fromkeys(((min(e), max(e)) for e in graph.edges), 0.5)
    assert [*minimum_cuts(40, capacity)] == []
    capacity[min(graph.edges)] = 0.3
    for side in minimum_cuts(40, capacity):
        assert sum(w for (u, v), w in capacity.items() if (u in side) != (v in side)) < 2
    assert [*minimum_cuts(40, capacity)]
