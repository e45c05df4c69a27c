"""``--directed``: files that leave open which edges are arcs, in every command that reads them."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace

import networkx as nx
import pytest

from tests.examples.graph_files import WRITERS
from tests.support.command_line import refused

LIST = "a b\nb c\na c\n"
"""A triangle; as arcs there is no cycle, and one path."""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "t.edges": LIST,
        "t.adjlist": "a: b c\nb: c\n",
        "t.json": '{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "links": [{"source": "a",'
        ' "target": "b"}, {"source": "b", "target": "c"}, {"source": "a", "target": "c"}]}',
        "t.csv": "Source,Target,Type\na,b,Directed\nb,c,Directed\na,c,Directed\n",
        "path.names": "c b a\n",
        "drawn.txt": ". . .\n. . .\n. . .\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    for kind in ("g6", "graphml", "hcp", "gml", "col"):
        (tmp_path / f"k.{kind}").write_bytes(WRITERS[kind](nx.complete_graph(3)))
    (tmp_path / "two.g6").write_bytes(2 * WRITERS["g6"](nx.complete_graph(3)))
    (tmp_path / "d.graphml").write_bytes(WRITERS["graphml"](nx.DiGraph(["ab"])))


ANSWERS = [
    ("solve {} --closed", 0, 1),
    ("prove {} --closed", 1, 0),
    ("solve {} --start c", 0, 1),
    ("check path.names --board {}", 0, 1),
    ("count {} --open", "6 tours", "1 tour "),
    ("count {} --closed", "1 tour ", "No tour"),
    ("enumerate {} --open --count", "6 tours", "1 tour "),
    ("enumerate {} --open --format names", "c b a\n", "a b c\n1 tour"),
    ("export {} --format graph6", "Bw", "&B"),
    ("unrank {} 0 --json", '"directed": false', '"directed": true'),
    ("sample {} --json", '"directed": false', '"directed": true'),
    ("compare {} --engines backtrack --closed --json", '"FOUND"', '"IMPOSSIBLE"'),
    ("rank path.names --board {}", 0, 1),
]


@pytest.mark.parametrize(
    ("line", "edges", "arcs"),
    [*ANSWERS, ("solve t.adjlist --closed", 0, 1), ("solve t.json --closed", 0, 1)],
)
def test_edges_are_arcs_where_it_is_asked_for(kt_cp, line, edges, arcs):
    for option, expected in ((), edges), (("--directed",), arcs):
        ran = kt_cp(*line.format("t.edges").split(), *option)
        shown = (ran.code, ran.out, ran.err)
        assert ran.code == expected if isinstance(expected, int) else expected in ran.out, shown


REFUSED = [
    "8x8",
    "drawn.txt",
    "k.g6",
    "two.g6",
    "k.hcp",
    "k.graphml",
    "k.gml",
    "k.col",
    "d.graphml",
]


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_state_it_are_refused(kt_cp, name):
    refused(kt_cp("solve", name, "--directed"), "--directed: expected a file that leaves open")


def test_every_command_refuses_boards(kt_cp):
    for line in (
        "prove 5x5", "export 5x5", "sample 5x5", "unrank 5x5 0", "locate 5x5 --step 1", "trace 5x5",
        "puzzle 5x5", "compare 5x5", "compare", "check path.names", "check path.names --board 5x5",
        "encodings 5x5", "rank path.names --board 5x5",
    ):  # fmt: skip
        refused(kt_cp(*line.split(), "--directed"), "--directed: expected a file that leaves open")


def test_counting_keeps_its_meaning_where_a_file_states_it(kt_cp):
    for command in (("count",), ("enumerate", "--count")):
        assert kt_cp(*command, "k.g6", "--closed", "--directed").out.startswith("2 tours")
        assert kt_cp(*command, "k.g6", "--closed").out.startswith("1 tour ")
        assert kt_cp(*command, "t.edges", "--open", "--undirected").out.startswith("3 tours")
        assert kt_cp(*command, "3x4", "--directed").out.startswith("16 tours")


def test_a_table_may_state_it_in_a_column(kt_cp):
    with open("t.csv", "rb") as file:
        data = file.read()
    for text, code in ((data, 1), (data.replace(b"Directed", b"Undirected"), 0)):
        with open("u.edges", "wb") as file:
            file.write(text)
        assert kt_cp("solve", "u.edges", "--closed").code == code
        refused(kt_cp("solve", "u.edges", "--directed"), "directed graph in u.edges")
    with open("u.edges", "wb") as file:
        file.write(data.replace(b"b,c,D", b"b,c,Und"))
    refused(kt_cp("solve", "u.edges"), "line 3: expected Type directed, as before, got undirected")


def test_a_list_on_stdin_and_its_answer(kt_cp, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LIST.encode())))
    ran = kt_cp("count", "-", "--format-in", "edges", "--directed", "--json")
    document = json.loads(ran.out)
    assert (document["tours"], document["directed"]) == (1, True)
