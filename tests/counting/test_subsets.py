"""The method of sets of vertices: counts of random graphs, large numbers, limits."""

import math
import random

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Problem, count
from kt_cp.counting.enumerate import ENUMERATE
from kt_cp.counting.plan import plan_confirmation
from kt_cp.counting.subsets import METHOD, MOST_VERTICES
from kt_cp.model.errors import EndedError, InputError, NotTakenError, TooLargeError
from kt_cp.model.request import Request


def random_problem(rng):
    """Return a graph or digraph of up to nine vertices; None if its conditions conflict."""
    nodes = rng.randint(1, 9)
    graph = nx.gnp_random_graph(
        nodes, rng.choice([0.5, 0.7, 0.9]), seed=rng, directed=rng.random() < 0.5
    )
    edges = [*graph.edges]
    conditions = {}
    if len(edges) > 3 and rng.random() < 0.7:
        forbidden, *required = rng.sample(edges, 3)
        conditions = {"forbid": [forbidden], "require": required[: rng.randint(0, 2)]}
    closed = rng.random() < 0.5
    start, end = (rng.choice([None, *graph]) for _ in range(2))
    ends = {} if closed else {"start": start, "end": end if end != start else None}
    try:
        return Problem(graph=graph, closed=closed, **conditions, **ends)
    except InputError:
        return None


def test_random_graphs_as_enumeration_counts_them():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    counts = set()
    for problem in filter(None, (random_problem(rng) for _ in range(150))):
        tours = Enumeration(problem, directed=False).count()
        assert METHOD.count(problem) == tours, (problem.label, problem.conditions)
        (other,) = METHOD.others()
        assert other.count(problem) == tours, (problem.label, problem.conditions)
        counts.add(tours)
    assert len(counts) > 10


@pytest.mark.parametrize(
    "problem",
    [
        Problem("3x4"),
        Problem("4x4", start="a1"),
        Problem("4x5", closed=True),
        Problem("4x5", require=["a1-b3"], forbid=["c2-d4"]),
        Problem(Board(3, 4, surface="torus"), closed=True),
        Problem("4x4", piece="king", start="a1", end="b2"),
        Problem("1x1"),
        Problem("1x2", piece="wazir"),
    ],
    ids=lambda problem: problem.label,
)
def test_boards_as_the_frontier_counts_them(problem):
    assert METHOD.count(problem) == count(problem, "frontier", directed=False).tours


@pytest.mark.parametrize("nodes", [3, 4, 9, 19, 20])
def test_complete_graphs(nodes):
    tours = math.factorial(nodes - 1) // 2
    assert METHOD.count(Problem(graph=nx.complete_graph(nodes), closed=True)) == tours


@pytest.mark.slow
def test_numbers_above_64_bits():
    graph = nx.complete_graph(23)
    tours = math.factorial(22) // 2
    assert tours > 2**64
    assert count(graph, "subsets", closed=True).tours == tours


def test_a_dense_graph_is_counted_by_subsets_and_confirmed_in_another_order():
    found = count(nx.complete_graph(17), closed=True, confirm=True)
    assert (found.tours, found.method) == (math.factorial(16) // 2, "subsets")
    assert found.confirmed == ("subsets, with the vertices in reverse order",)


def test_subsets_confirm_a_listing():
    problem = Problem(graph=nx.complete_graph(16), closed=True)
    assert plan_confirmation(Request.begin(problem), ENUMERATE).name == "subsets"


def test_what_is_refused():
    large = Problem(graph=nx.complete_graph(MOST_VERTICES + 1), closed=True)
    assert METHOD.refuses(large) == "more than 28 vertices"
    assert METHOD.refuses(Problem("4x7", closed=True)) is None
    assert METHOD.refuses(Problem("4x7")) is None
    required = Problem("4x7", closed=True, require=["a1-b3", "a2-b4"])
    assert METHOD.refuses(required) == (
        "more than 28 vertices with those in the middle of required moves"
    )
    for conditions, words in (
        ({"given": {"a1": 1}}, "given steps"),
        ({"symmetry": "half-turn"}, ""),
    ):
        refused = METHOD.refuses(Problem("4x4", **conditions))
        assert refused is not None
        assert words in refused
    with pytest.raises(NotTakenError, match="subsets does not take"):
        METHOD.count(large)
    with pytest.raises(TooLargeError, match=r"subsets would take [\d.,]+ MB"):
        count(nx.complete_graph(24), "subsets", closed=True, memory_limit=50)
    with pytest.raises(EndedError, match="its tables need"):
        METHOD.count(Problem(graph=nx.complete_graph(24), closed=True), memory_limit=50)


def test_progress_may_stop_a_count():
    events = []

    def stop(event):
        events.append(event)
        if event["step"] == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        METHOD.count(Problem(graph=nx.complete_graph(18), closed=True), progress=stop)
    assert [event["step"] for event in events] == [1, 2, 3, 4, 5]
    assert {event["steps"] for event in events} == {8}


def test_a_store_keeps_the_number(tmp_path):
    graph = nx.complete_graph(12)
    first = count(graph, "subsets", closed=True, store=tmp_path / "run")
    again = count(graph, "subsets", closed=True, store=tmp_path / "run")
    assert first.tours == again.tours == math.factorial(11) // 2
