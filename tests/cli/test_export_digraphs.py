"""``kt-cp export`` of directed graphs: digraph6, the undirected form in TSPLIB, arcs for CP-SAT."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from kt_cp import Problem, Verdict, solve
from kt_cp.formats.export import graph6_pieces
from kt_cp.formats.graphs.networkx_formats import read_graph6


def written(tmp_path, digraph):
    """A file of its arcs, in JSON, nodes named by letters."""
    nodes = ", ".join(f'{{"id": "{chr(97 + v)}"}}' for v in digraph)
    arcs = ", ".join(
        f'{{"source": "{chr(97 + u)}", "target": "{chr(97 + v)}"}}' for u, v in digraph.edges
    )
    path = tmp_path / "arcs.json"
    path.write_text(f'{{"directed": true, "nodes": [{nodes}], "edges": [{arcs}]}}', "utf-8")
    return path


@pytest.mark.parametrize("size", [1, 2, 5, 7, 62, 63, 70])
def test_digraph6_comes_back_as_it_was(size):
    rng = random.Random(size)
    digraph = nx.empty_graph(size, create_using=nx.DiGraph)
    while digraph.size() < min(3 * size, size * (size - 1)):
        digraph.add_edge(*(rng.sample(range(size), 2)))
    (text,) = graph6_pieces(Problem(graph=digraph))
    back = read_graph6(text.encode()).graph
    assert text.startswith("&") and back.is_directed() and len(back) == size
    assert {(int(u), int(v)) for u, v in back.edges} == {*digraph.edges}


def test_digraph6_leaves_out_what_is_forbidden(kt_cp, tmp_path):
    path = written(tmp_path, nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 0)]))
    ran = kt_cp("export", path, "--closed", "--forbid", "b-a", "-o", tmp_path / "f.d6")
    assert (ran.code, ran.err) == (0, "")
    back = read_graph6((tmp_path / "f.d6").read_bytes()).graph
    assert {*back.edges} == {("0", "1"), ("1", "2"), ("2", "0")}


@pytest.mark.parametrize("seed", range(4))
def test_tsplib_has_a_cycle_where_the_digraph_has_one(kt_cp, tmp_path, seed):
    rng = random.Random(seed)
    digraph = nx.gnp_random_graph(5, 0.45, seed=seed, directed=True)
    closed = rng.random() < 0.5
    path, made = written(tmp_path, digraph), tmp_path / "f.hcp"
    ran = kt_cp("export", path, *["--closed"][: 1 if closed else 0], "-o", made)
    assert (ran.code, ran.err) == (0, "")
    text = made.read_text("ascii")
    assert "TYPE : HCP\n" in text and "COMMENT : vertices 1 to 15: the way in" in text
    there = solve(Problem(graph=digraph, closed=closed), "backtrack").verdict
    assert kt_cp("solve", made, "--engine", "backtrack").code == int(there is not Verdict.FOUND)


def test_a_model_has_the_arcs(kt_cp, tmp_path):
    path = written(tmp_path, nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 0)]))
    ran = kt_cp("export", path, "--closed", "--format", "cpsat")
    assert (ran.code, ran.err) == (0, "")
    arcs = [line.split('"')[1] for line in ran.out.splitlines() if "name: " in line]
    assert sorted(arcs) == ["a->b", "b->a", "b->c", "c->a"]


def test_a_formula_is_refused(kt_cp, tmp_path):
    path = written(tmp_path, nx.DiGraph([(0, 1), (1, 2), (2, 0)]))
    ran = kt_cp("export", path, "--closed")
    assert (ran.code, ran.out) == (2, "")
    assert "undirected graph for a formula" in ran.err and "tsplib" in ran.err
