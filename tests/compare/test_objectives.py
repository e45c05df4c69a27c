"""Comparisons of the engines of optimize, and MaxSAT as one of them."""

import csv
import io
import json
import random

import networkx as nx
import pytest

from kt_cp import Problem, optimize
from kt_cp.compare.objectives import OptimumRun, find_contradictions
from kt_cp.model.errors import InputError
from kt_cp.trust.check.bound import MEASURED

SMALL = [
    Problem("3x4"),
    Problem("5x6", closed=True),
    Problem("5x5", start="a1", end="c3"),
    Problem("3x3", piece="king", closed=True, forbid=["a1-b1"]),
    Problem("3x4", piece="king", start="b2", require=["a1-a2"]),
]


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem.label)
def test_maxsat_finds_the_same_values(problem):
    for objective in MEASURED:
        one, other = (optimize(problem, objective, engine=name) for name in ("cpsat", "maxsat"))
        assert one.value == other.value and other.proved, objective
        assert other.statistics["claimed_bound"] == other.value


def test_maxsat_on_random_graphs():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(12):
        graph = nx.gnp_random_graph(7, 0.5, seed=rng.randrange(10**6))
        for edge in graph.edges:
            graph.edges[edge]["weight"] = rng.randint(-5, 20)
        for objective, closed in (
            ("longest", False),
            ("longest", True),
            ("path-cover", False),
            ("least-weight", True),
        ):
            values = {
                optimize(graph, objective, closed=closed, engine=name).value
                for name in ("cpsat", "maxsat")
            }
            assert len(values) == 1, (graph.edges(data=True), objective)


@pytest.mark.parametrize("objective", ["longest", "path-cover"])
def test_maxsat_on_boards_without_a_tour(objective):
    for board in ("3x3", "4x4", "3x5"):
        assert optimize(board, objective, engine="maxsat").proved


def test_an_unknown_engine():
    with pytest.raises(InputError, match=r"cpsat or maxsat; got 'maxsta'.*did you mean maxsat"):
        optimize("6x6", "fewest-turns", engine="maxsta")


def test_contradictions():
    problem = Problem("6x6", closed=True)

    def run(engine, value, claimed):
        return OptimumRun(problem, engine, value, claimed, None, 1.0, "gap")

    assert not find_contradictions([run("a", 32, 32), run("b", 34, 30)], "fewest-turns")
    (found,) = find_contradictions([run("a", 33, 33), run("b", 32, 30)], "fewest-turns")
    assert found == "a claims 33 for 6x6, closed, and a tour of b has 32"
    assert find_contradictions([run("a", 30, 30), run("b", 31, 36)], "most-turns")
    assert not find_contradictions([run("a", 30, 36), run("b", 31, 36)], "longest")


def test_the_command(kt_cp):
    words = ["compare", "--objective", "fewest-turns", "--boards", "4x4,5x6"]
    words += ["--engines", "cpsat,maxsat", "--closed", "--time-limit", "30"]
    result = kt_cp(*words)
    assert (
        result.code == 0 and result.out.count("certified") == 2 and result.out.count("no tour") == 2
    )
    assert all(len(line) <= 80 for line in result.out.splitlines())
    result = kt_cp(*words, "--format", "csv")
    rows = [*csv.DictReader(io.StringIO(result.out))]
    assert [row["engine"] for row in rows] == ["cpsat", "maxsat"] * 2
    assert {row["value"] for row in rows[2:]} == {rows[2]["bound"]}
    result = kt_cp(*words, "--json")
    found = json.loads(result.out)
    assert found["objective"] == "fewest-turns" and len(found["runs"]) == 4
    assert found["contradictions"] == [] and found["runs"][3]["checked"] == "certified"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--objective", "fewest"], "expected an objective"),
        (["--objective", "fewest-turns", "--engines", "sat"], "cpsat or maxsat; got 'sat'"),
        (["--objective", "fewest-turns", "--jobs", "2"], "--jobs is for comparisons of solve"),
        (["--objective", "fewest-turns", "--surface", "torus"], "on the plane"),
    ],
)
def test_bad_input(kt_cp, words, text):
    result = kt_cp("compare", "--boards", "5x6", "--closed", *words)
    assert result.code == 2 and text in result.err and len(result.err.splitlines()) == 1
