"""Graph files on the command line: every command that takes them, and what is refused."""

from __future__ import annotations

import io
import json
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import pytest

from kt_cp.cli.problem_options import GraphParser
from kt_cp.formats.read import read_tours
from tests.examples.graph_files import WRITERS

CUBE = nx.hypercube_graph(3)
PETERSEN = nx.petersen_graph()
LETTERS = nx.relabel_nodes(nx.cycle_graph(5), dict(enumerate(["x", "y", "y-1", "z", "x-y"])))


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A graph in a file of the folder where commands run."""
    monkeypatch.chdir(tmp_path)

    def into(graph, name):
        graph = graph if name.endswith("edges") else nx.convert_node_labels_to_integers(graph)
        (tmp_path / name).write_bytes(WRITERS[name.rpartition(".")[2]](graph))
        return name

    return into


@pytest.fixture
def typed(monkeypatch):
    """What stands on stdin."""

    def give(data):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    return give


@pytest.mark.parametrize("name", ["cube.hcp", "cube.g6", "cube.graphml"])
def test_solve_and_check(kt_cp, write, name):
    write(CUBE, name)
    ran = kt_cp("solve", name, "--closed", "--json", "-o", "tour.json")
    assert ran.code == 0 and f"{name} with 8 nodes and 12 edges, closed: FOUND" in ran.err
    ran = kt_cp("check", "tour.json")
    assert (ran.code, ran.out) == (0, "A tour (graph with 8 nodes and 12 edges, closed): 8 nodes\n")
    assert kt_cp("check", "tour.json", "--board", name).code == 0
    for ending in ("names", "csv"):
        assert kt_cp("solve", name, "-o", f"tour.{ending}").code == 0
        assert kt_cp("check", f"tour.{ending}", "--board", name).code == 0
    write(PETERSEN, "other.g6")
    ran = kt_cp("check", "tour.json", "--board", "other.g6")
    assert ran.code == 1 and "Not a tour (other.g6 with 10 nodes" in ran.out


ODD = ["New York", "東京", 'a "b"', ",c", "{d", "", "5'"]


def test_names_with_blanks_come_back(kt_cp, write):
    graph = nx.relabel_nodes(nx.cycle_graph(len(ODD)), dict(enumerate(ODD)))
    (Path(write(CUBE, "odd.gml"))).write_text("\n".join(nx.generate_gml(graph)))
    assert kt_cp("solve", "odd.gml", "--closed", "-o", "tour.names").code == 0
    assert '"New York" 東京 ' in Path("tour.names").read_text()
    assert kt_cp("check", "tour.names", "--board", "odd.gml", "--closed").code == 0
    assert kt_cp("enumerate", "odd.gml", "--closed", "-o", "tours.txt").code == 0
    assert read_tours(Path("tours.txt").read_bytes()) == [ODD]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_node_called_end_comes_back(kt_cp, write, kind):
    way = ["start", "end 0", "end", "b"]
    graph = kind([*pairwise([*way, "start"]), ("b", "end 0")])
    Path(write(CUBE, "end.json")).write_text(json.dumps(nx.node_link_data(graph)))
    asked = ("--start", "start", "--end", "b", "--require", "end-b", "--forbid", "b-end 0")
    assert kt_cp("solve", "end.json", *asked, "--json", "-o", "tour.json").code == 0
    assert kt_cp("check", "tour.json").code == 0
    again = json.loads(kt_cp("solve", "tour.json", "--json").out)
    assert again["tour"] == way
    assert again["problem"] == json.loads(Path("tour.json").read_text())["problem"]


def test_tsplib_asks_for_a_cycle_unless_a_path_is_asked_for(kt_cp, write):
    write(PETERSEN, "p.hcp")
    assert kt_cp("solve", "p.hcp").code == 1
    assert kt_cp("solve", "p.hcp", "--open").code == 0


def test_a_certificate_and_its_check(kt_cp, write):
    write(PETERSEN, "p.g6")
    assert kt_cp("prove", "p.g6", "--closed", "-o", "no.json").code == 0
    assert kt_cp("check", "no.json").code == 0
    assert kt_cp("check", "no.json", "--board", "p.g6", "--closed").code == 0
    ran = kt_cp("check", "no.json", "--board", "p.g6")
    about = "no.json is about another question: expected "
    assert (ran.code, ran.out) == (1, f"{about}open tours, found closed tours\n")
    write(CUBE, "c.g6")
    ran = kt_cp("check", "no.json", "--board", "c.g6", "--closed")
    nodes, edges = ran.out.removeprefix(about).split("; ")
    assert (ran.code, nodes) == (1, "8 nodes (0, 1, 2, 3, 4 more), found 10 (8, 9, 0, 1, 6 more)")
    assert edges.startswith("expected 12 edges (0-2, 1-3, ") and ", found 15 (" in edges
    ran = kt_cp("prove", "c.g6", "--closed")
    assert ran.code == 1 and len(ran.out.split()) == 8


def test_a_certificate_about_arcs(kt_cp, write):
    arcs = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "b")])
    for name, graph in (("arcs.json", arcs), ("edges.json", nx.Graph(arcs))):
        Path(write(CUBE, name.replace("json", "g6"))).with_name(name).write_text(
            json.dumps(nx.node_link_data(graph))
        )
    assert kt_cp("prove", "arcs.json", "--closed", "--forbid", "a->b", "-o", "no.json").code == 0
    for same in ("", "--board arcs.json --closed --forbid a-b", "--closed --forbid a->b"):
        assert kt_cp("check", "no.json", *same.split()).code == 0
    for other, said in (
        ("arcs.json", "expected no forbidden arcs, found 1 (a->b)"),
        ("edges.json", "expected a graph, found a digraph; expected no forbidden edges, found 1 "),
        ("2x2", "expected 2x2, found a digraph; expected no forbidden moves, found 1 (a->b)"),
    ):
        ran = kt_cp("check", "no.json", "--board", other, "--closed")
        assert ran.code == 1 and f"is about another question: {said}" in ran.out


def test_nodes_and_edges_by_name(kt_cp, write):
    write(LETTERS, "l.edges")
    ran = kt_cp("solve", "l.edges", "--start", "y-1", "--end", "z")
    assert ran.code == 0 and ran.out.split() == ["y-1", "y", "x", "x-y", "z"]
    ran = kt_cp("solve", "l.edges", "--forbid", "y-y-1,x-y", "--start", "y")
    assert ran.code == 1
    ran = kt_cp("solve", "l.edges", "--require", "x-x-y", "--start", "y")
    told = ran.out.split()
    assert ran.code == 0 and told[0] == "y" and abs(told.index("x") - told.index("x-y")) == 1
    assert GraphParser(["y", "y-1"]).steps("y=1, y-1=5") == [("y", 1), ("y-1", 5)]
    assert GraphParser(["y", "y-1"]).moves("y->y-1") == [("y", "y-1")]


def test_enumerate_and_export(kt_cp, write):
    write(CUBE, "c.g6")
    ran = kt_cp("enumerate", "c.g6", "--closed", "--count")
    assert ran.code == 0 and ran.out.startswith("6 tours (c.g6 with 8 nodes and 12 edges, closed;")
    ran = kt_cp("enumerate", "c.g6", "--closed")
    assert len(ran.out.splitlines()) == 7 and ran.out.startswith("0 ")
    assert kt_cp("enumerate", "c.g6", "--closed", "--certificate", "all.json").code == 0
    assert kt_cp("check", "all.json", "--board", "c.g6", "--closed").code == 0
    assert kt_cp("export", "c.g6", "--closed", "-o", "c.hcp").code == 0
    assert kt_cp("export", "c.hcp", "-o", "d.g6").code == 0
    assert kt_cp("check", "all.json", "--board", "d.g6", "--closed").code == 0
    ran = kt_cp("export", "c.g6", "--format", "tsplib")
    assert "COMMENT : a Hamiltonian path: c.g6 with 8 nodes" in ran.out


def test_boards_and_graphs_are_compared(kt_cp, write):
    write(PETERSEN, "p.hcp")
    asked = ("compare", "p.hcp", "--boards", "2x2", "--engines", "backtrack", "--json")
    ran = kt_cp(*asked)
    runs = json.loads(ran.out)["runs"]
    rows = [(row["board"], row["closed"]) for row in runs]
    assert (ran.code, rows) == (0, [("p.hcp", True), ("2x2", False), ("2x2", True)])
    assert runs[0]["nodes"] < 100 and "edges" not in runs[0]  # a count, and no list of all


def test_many_graphs_one_answer_a_line(kt_cp, write, typed):
    lines = b"".join(
        nx.to_graph6_bytes(graph, header=False) for graph in (nx.cycle_graph(4), nx.path_graph(4))
    )
    typed(lines)
    ran = kt_cp("solve", "-", "--format-in", "g6", "--closed")
    assert ran.code == 1 and ran.err.endswith("2 graphs: 1 FOUND, 1 IMPOSSIBLE\n")
    first, second = ran.out.splitlines()
    assert first.split()[0] == "FOUND" and sorted(first.split()[1:]) == ["0", "1", "2", "3"]
    assert second.startswith("IMPOSSIBLE a closed tour needs two edges")
    typed(lines)
    ran = kt_cp("prove", "-", "--format-in", "g6", "--closed", "--json")
    assert [json.loads(line)["verdict"] for line in ran.out.splitlines()] == ["FOUND", "IMPOSSIBLE"]
    typed(lines)
    ran = kt_cp("enumerate", "-", "--format-in", "g6", "--count")
    assert (ran.code, ran.out) == (0, "8\n2\n")
    typed(lines[:3] + b"C~~\n")
    ran = kt_cp("solve", "-", "--format-in", "g6")
    assert ran.code == 2 and ran.out.startswith("FOUND ") and ran.out.count("\n") == 1
    assert "line 2: expected 1 characters" in ran.err
    typed(b"\n")
    assert kt_cp("solve", "-", "--format-in", "g6").code == 2
    with open("two.g6", "wb") as file:
        file.write(lines)
    assert kt_cp("solve", "two.g6", "--engine", "warnsdorff", "--closed").code == 3
    for asked in (["solve", "--certificate", "no.json"], ["export"], ["enumerate"]):
        ran = kt_cp(asked[0], "two.g6", *asked[1:])
        assert ran.code == 2 and "a graph a line" in ran.err


REFUSED = [
    (["solve", "c.g6", "--format", "grid"], "expected a board for grid, got c.g6 with 8 nodes"),
    (["solve", "c.g6", "-o", "x.npy"], "expected a board for npy"),
    (["prove", "c.g6", "-o", "x.svg"], "expected a board for a picture"),
    (["enumerate", "c.g6", "--source", "001"], "--source: expected a board"),
    (["solve", "c.g6", "--missing", "a1"], "--missing is for boards"),
    (["solve", "c.g6", "--surface", "torus"], "--surface is for boards"),
    (["solve", "c.g6", "--piece", "king"], "expected a piece with a board alone"),
    (["solve", "c.g6", "--start", "a1"], "--start: expected a node, such as 0, 1, 2; got 'a1'"),
    (["solve", "c.g6", "--require", "0-9"], "--require: expected an edge between nodes, such as"),
    (["solve", "c.g6", "--given", "0"], "--given: expected steps such as 0=3; got '0'"),
    (["solve", "none.hcp"], "cannot read none.hcp: no such file"),
    (["solve", "c.g6", "--format-in", "gif"], "--format-in: expected one of hcp, tsp, g6"),
    (["solve", "8x8", "--format-in", "g6"], "--format-in is for files: expected one, got 8x8"),
    (["solve", "c.g6", "--format-in", "hcp"], "c.g6: line 1: expected a word of TSPLIB"),
    (["reference", "c.g6"], "expected a board, got a graph in c.g6"),
    (["trace", "c.g6"], "expected a board, got a graph in c.g6"),
    (["puzzle", "c.g6"], "expected a board, got a graph in c.g6"),
    (["locate", "c.g6", "--step", "1"], "expected a board, got a graph in c.g6"),
]


@pytest.mark.parametrize(("line", "message"), REFUSED, ids=lambda each: str(each)[:40])
def test_what_graphs_are_not_taken_for(kt_cp, write, line, message):
    write(CUBE, "c.g6")
    ran = kt_cp(*line)
    assert (ran.code, ran.out) == (2, "") and message in ran.err and ran.err.count("\n") == 1


def test_a_file_without_an_ending(kt_cp, write, typed):
    write(CUBE, "c.graphml")
    typed(WRITERS["graphml"](CUBE))
    assert kt_cp("solve", "-", "--closed").code == 0
    typed(b"nothing of that kind\n")
    ran = kt_cp("solve", "-")
    assert ran.code == 2 and "line 1" in ran.err
    assert ran.err.endswith("; a graph is told by its ending, or by --format-in\n")


def test_what_is_left_out_is_said_once(kt_cp, tmp_path):
    path = tmp_path / "g.edges"
    path.write_text("a b 1\nb c 2\nc a 3\na a 4\n")
    ran = kt_cp("solve", path, "--closed")
    assert ran.code == 0
    assert ran.err.count("1 self-loop plays no part in a tour") == 1
    assert ran.err.count("weights play no part in a tour") == 1
