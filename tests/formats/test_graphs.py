"""Graphs from files: every reader against networkx, and against files that are wrong."""

from __future__ import annotations

import json
import time
from random import Random

import networkx as nx
import pytest

from kt_cp import solve
from kt_cp.formats.graphs.packed import graphs_in
from kt_cp.formats.graphs.read import READERS, kind_named, kind_of, read_graph
from kt_cp.formats.save import content
from kt_cp.formats.table import Format
from kt_cp.model.errors import GraphFileError, InputError
from kt_cp.model.problem import Problem


def numbered(graph):
    edges = [(u + 1, v + 1) for u, v in graph.edges()]
    return len(graph), edges


def tsplib(graph):
    size, edges = numbered(graph)
    listed = "".join(f"{u} {v}\n" for u, v in edges)
    return (
        f"NAME : of a test\nTYPE : HCP\nDIMENSION : {size}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
        f"EDGE_DATA_SECTION\n{listed}-1\nEOF\n"
    ).encode()


def dimacs(graph):
    size, edges = numbered(graph)
    return (f"c of a test\np edge {size} {len(edges)}\n" + "".join(
        f"e {u} {v}\n" for u, v in edges
    )).encode()  # fmt: skip


WRITERS = {
    "hcp": tsplib,
    "col": dimacs,
    "g6": nx.to_graph6_bytes,
    "s6": nx.to_sparse6_bytes,
    "edges": lambda graph: "\n".join(nx.generate_edgelist(graph, data=False)).encode(),
    "edgelist": lambda graph: "\n".join(nx.generate_edgelist(graph)).encode(),
    "adjlist": lambda graph: "\n".join(nx.generate_adjlist(graph)).encode(),
    "graphml": lambda graph: "\n".join(nx.generate_graphml(graph)).encode(),
    "gml": lambda graph: "\n".join(nx.generate_gml(graph)).encode(),
    "json": lambda graph: json.dumps(nx.node_link_data(graph)).encode(),
}
PETERSEN = nx.petersen_graph()


def texts(graph, first=0):
    return {frozenset((str(u + first), str(v + first))) for u, v in graph.edges()}


def edges_of(graph):
    return set(map(frozenset, graph.edges()))


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("graph", [PETERSEN, nx.complete_graph(2), nx.grid_2d_graph(8, 9)])
def test_what_is_written_is_read(kind, graph):
    graph = nx.convert_node_labels_to_integers(graph)
    found = read_graph(WRITERS[kind](graph), kind)
    assert edges_of(found.graph) == texts(graph, first=kind in ("hcp", "col"))
    assert len(found.graph) == len(graph)
    assert found.closed is (True if kind == "hcp" else None)
    assert found.remarks == ()


@pytest.mark.parametrize("size", [1, 2, 5, 16, 17, 62, 63, 64, 65, 90])
def test_packed_graphs_are_those_of_networkx(size):
    for seed, share in enumerate((0, 0.05, 0.5, 1)):
        graph = nx.gnp_random_graph(size, share, seed=seed)
        lines = [nx.to_graph6_bytes(graph), nx.to_sparse6_bytes(graph, header=False)]
        for _, found in graphs_in(lines):
            assert list(found.graph) == [str(node) for node in range(size)]
            assert edges_of(found.graph) == texts(graph)


def test_a_directed_graph_of_digraph6():
    # The example of McKay's description: 0 -> 2, 0 -> 4, 3 -> 1, 3 -> 4.
    found = read_graph(b"&DI?AO?", "d6")
    assert found.graph.is_directed()
    assert set(found.graph.edges()) == {("0", "2"), ("0", "4"), ("3", "1"), ("3", "4")}


def test_a_graph_that_was_exported_is_read_back():
    from kt_cp.formats.table import writer_of

    problem = Problem(graph=PETERSEN, closed=True)
    for kind, shape, first in (("g6", Format.GRAPH6, 0), ("hcp", Format.TSPLIB, 1)):
        text = "".join(writer_of(shape)(problem))
        assert edges_of(read_graph(text.encode(), kind).graph) == texts(PETERSEN, first)


def test_what_plays_no_part_is_told_once():
    found = read_graph(b"a b 0.5\nb,a,1\n% a comment\na a\nb c # another\n", "edges")
    assert edges_of(found.graph) == {frozenset("ab"), frozenset("bc")}
    assert found.remarks == (
        "1 self-loop plays no part in a tour",
        "1 parallel edge plays no part in a tour",
        "weights play no part in a tour",
    )
    both = nx.MultiGraph([(1, 2), (1, 2), (2, 3)])
    for kind in ("graphml", "gml", "json"):
        found = read_graph(WRITERS[kind](both), kind)
        assert found.remarks == ("1 parallel edge plays no part in a tour",)
    assert read_graph(b"p edge 2 2\ne 1 2\ne 2 1\n", "col").remarks == ()  # from both ends


def test_sections_of_tsplib():
    text = (
        "NAME:x\nTYPE: HPP\nDIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\nNODE_COORD_SECTION\n"
        "1 0 0\n2 1 0.5\n3 2e0 1\nEDGE_DATA_SECTION\n1 2 3 -1\n2 3 -1\n-1\n"
        "FIXED_EDGES_SECTION\n1 3\n-1\n"
    )
    found = read_graph(text.encode(), "tsp")
    assert edges_of(found.graph) == {frozenset("12"), frozenset("13"), frozenset("23")}
    assert (found.closed, found.require) == (False, (("1", "3"),))
    assert Problem(graph=found.graph).graph.graph["places"]["2"] == (1.0, 0.5)


def test_names_of_all_kinds():
    graph = nx.Graph([((0, 1), "a b"), ("a b", "é"), ("é", 7)])
    for kind in ("graphml", "json"):
        found = read_graph(WRITERS[kind](graph), kind)
        assert set(found.graph) == {"(0, 1)", "a b", "é", "7"}
    labelled = (
        b'graph [ node [ id 4 label "x" ] node [ id 5 label "y" ] edge [ source 4 target 5 ] ]'
    )
    assert set(read_graph(labelled, "gml").graph) == {"x", "y"}
    same = labelled.replace(b'"y"', b'"x"')
    assert set(read_graph(same, "gml").graph) == {"4", "5"}


PLACED = {
    "graphml": """<?xml version="1.0"?>
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<g:key id="d0" for="node" attr.name="x" attr.type="double"/>
<g:key id="d1" for="node" attr.name="y" attr.type="double"/>
<g:key id="w" for="edge" attr.name="weight" attr.type="double"/>
<g:graph edgedefault="directed">
 <g:node id="a&amp;b"><g:data key="d0">1.5</g:data><g:data key="d1">-2</g:data></g:node>
 <g:edge source="a&amp;b" target="c" directed="true"><g:data key="w">3</g:data></g:edge>
 <g:node id="c"><g:data key="d9"><y:ShapeNode><y:Geometry x="4" y="5"/>
 </y:ShapeNode></g:data></g:node>
</g:graph><g:graph edgedefault="undirected"><g:node id="z"/></g:graph></g:graphml>""",
    "gml": """# by hand
Creator "an editor" Version 1.2
graph [ comment "a [ list ]" directed 1
  node [ id 7 label "a&amp;b" graphics [ x 1.5 y 2 w 20 ] ]
  edge [ source 7 target -8 weight 3.0e1 ]
  edge [ label "source 8" source -8 target 7 ] # and back
  node [ graphics [ x 4 y -5 ] id -8 label "c" ]
] graph [ node [ id 1 ] ]""",
}  # fmt: skip


@pytest.mark.parametrize("kind", PLACED)
def test_what_editors_write(kind):
    found = read_graph(PLACED[kind].encode(), kind)
    back = [("c", "a&b")] if kind == "gml" else []
    assert found.graph.is_directed() and found.weighted
    assert list(found.graph.edges) == [("a&b", "c"), *back]
    places = Problem(graph=found.graph).graph.graph["places"]
    assert places == {"a&b": (1.5, -2.0), "c": (4.0, 5.0)}


@pytest.mark.parametrize("kind", ["graphml", "gml"])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_what_networkx_reads(kind, seed):
    rng = Random(seed)
    graph = nx.gnp_random_graph(7, 0.4, seed, directed=seed % 2 == 1)
    for node in graph:
        graph.nodes[node].update(x=rng.random(), y=-1.5, told="x ] y")
    for edge in graph.edges:
        if rng.random() < 0.5:
            graph.edges[edge].update(weight=rng.random(), kind='a "b" [ c')
    data = WRITERS[kind](graph)
    theirs = nx.parse_graphml(data.decode()) if kind == "graphml" else nx.parse_gml(data.decode())
    ours = read_graph(data, kind).graph
    assert list(ours.nodes) == list(map(str, theirs)) and {*ours.edges} == {*theirs.edges}
    here, there = (Problem(graph=each).graph.graph["places"] for each in (ours, theirs))
    assert here == {str(node): place for node, place in there.items()}


GRAPHML_EDGE, GML_EDGE = '<edge source="{}" target="{}"/>', "edge [ source {} target {} ]"
RUNS = {
    "hcp": ("TYPE : HCP\nDIMENSION : 9\nEDGE_DATA_SECTION\n", "{} {}\n", "{}\n{}\n", "-1\n"),
    "col": ("p edge 9 40\n", "e {} {}\n", "c\ne {} {} 0.5\n", "c all\n"),
    "edges": ("# some\n", "{} {}\n", "{}, {} {{'a': 1}}\n", "# all\n"),
    "edgelist": ("", "{};{}\t{{}}\n", "\n{} {} 0.5 1 2\n", ""),
    "graphml": (
        '<graphml>\n<graph>{nodes}<!-- <edge source="1" target="1"/> -->\n',
        GRAPHML_EDGE,
        '<edge id="e" source="{0}" target="{1}">\n</edge>|<edge target="{1}" source="{0}"/>',
        "</graph></graphml>",
    ),
    "gml": (
        "graph [ {nodes}",
        GML_EDGE,
        "edge [ label 1 source {} target {} ] # edge [ source 1 target 1 ]\n",
        "]",
    ),
}  # fmt: skip
NODES = {"graphml": '<node id="{0}"/>', "gml": 'node [ id {0} label "{0}" ]\n'}


@pytest.mark.parametrize("wide", [1, 8, 9])
@pytest.mark.parametrize("kind", RUNS)
def test_edges_taken_together_are_those_taken_one_by_one(kind, wide):
    head, usual, other, tail = RUNS[kind]
    name = {node: str(node) for node in range(1, 10)}
    if kind in NODES:  # names of more than eight bytes are not taken together
        name = {node: str(10 ** (wide - 1) + node) for node in name} if wide > 1 else name
        head = head.replace("{nodes}", "".join(map(NODES[kind].format, name.values())))
    rng = Random(f"{kind} {wide}")
    edges = [rng.sample(sorted(name), 2) for _ in range(40)]
    shapes = [rng.choice((usual, usual, usual, *other.split("|"))) for _ in edges]
    listed = (shape.format(name[u], name[v]) for shape, (u, v) in zip(shapes, edges, strict=True))
    text = head + "".join(listed) + tail
    one_by_one = nx.Graph([(name[u], name[v]) for u, v in edges])
    there = {node: [*row] for node, row in one_by_one.adjacency()}
    for data in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        graph = read_graph(data.encode(), kind).graph
        assert {node: [*row] for node, row in graph.adjacency() if row} == there  # in their order


def test_a_name_in_a_run_that_is_none_of_a_node_is_told_with_its_edge():
    for kind, edge in (("graphml", GRAPHML_EDGE), ("gml", GML_EDGE)):
        head, _, _, tail = RUNS[kind]
        nodes = "".join(map(NODES[kind].format, (1, 2)))
        for wrong in ("3", "12345678", "123456789", "10000000000"):
            edges = edge.format(1, 2) + edge.format(2, wrong)
            text = head.replace("{nodes}", nodes) + edges + tail
            with pytest.raises(GraphFileError, match=f"edge 2: expected the id .* got '{wrong}'"):
                read_graph(text.encode(), kind)


HCP = "TYPE : HCP\nDIMENSION : 4\nEDGE_DATA_SECTION\n"
WRONG = [
    ("hcp", "", "empty file"),
    ("hcp", HCP + "1 5\n-1\n", "line 4: expected a vertex from 1 to 4, got '5'"),
    ("hcp", HCP + "1 2\n2 3\n", "line 5: expected -1 after the last edge.*cut short"),
    ("hcp", HCP + "1 2\n3\n-1\n", "line 6: expected both ends of an edge, got 3 alone"),
    ("hcp", HCP + "1 x\n-1\n", "line 4: .* got 'x'"),
    ("hcp", HCP + "1 2\n" * 9 + "1 5\n" + "1 2\n" * 9 + "-1\n", "line 13: .* got '5'"),
    ("col", "p edge 3 9\n" + "e 1 2\n" * 7 + "e 0 1\n" + "e 1 2\n", "line 9: .* got 'e 0 1'"),
    ("edges", "a b\n" * 9 + "c\n", "line 10: expected the two nodes"),
    ("graphml", "<graphml><graph>" + '<edge source="a" target="b"/>\n' * 9 + "<", "line 10: not G"),
    ("gml", "graph [\n" + "edge [ source 1 target 2 ]\n" * 9 + "edge 1", "line 11: not GML"),
    ("gml", "graph [\n" + '\nnode [ id 1 label "a" ]' * 2, "line 4: .*an 'id' of its own"),
    ("hcp", HCP.replace("4", "1000000000") + "-1\n", "line 2: expected 1 to 1,000,000 nodes"),
    ("hcp", HCP.replace("4", "9" * 5000) + "-1\n", "line 2: expected 1 to 1,000,000 nodes"),
    ("hcp", HCP.replace("4", "-3"), "line 2: expected 1 to 1,000,000 nodes"),
    ("hcp", HCP.replace("HCP", "TSP"), "line 1: expected TYPE : HCP.*'TSP'"),
    ("hcp", "TYPE : HCP\nEDGE_DATA_SECTION\n1 2\n-1\n", "line 2: expected DIMENSION before"),
    ("hcp", "TYPE : HCP\nDIMENSION : 4\n", "line 2: expected EDGE_DATA_SECTION"),
    ("hcp", "TYPE : HCP\nDIMENSION : 4\nEDGE_WEIGHT_SECTION\n1 2\n", "line 3: .*no list of edges"),
    ("hcp", "1 2\n2 3\n", "line 1: expected a word of TSPLIB"),
    ("col", "p edge 3 1\ne 1 4\n", "line 2: expected two vertices from 1 to 3"),
    ("col", "p edge 3 3\ne 1 2\n", "line 2: expected 3 edges, as line 1 says, got 1: cut short"),
    ("col", "p edge 1000000000 1\ne 1 2\n", "line 1: expected 1 to 1,000,000 nodes"),
    ("col", "p cnf 3 1\n1 2 0\n", "line 1: expected 'p edge', a graph, got 'p cnf'"),
    ("col", "e 1 2\n", "line 1: expected a line 'p edge NODES EDGES'"),
    ("col", "c alone\n", "expected a line 'p edge NODES EDGES', got none"),
    ("edges", "a b\nc\n", "line 2: expected the two nodes of an edge, got 'c'"),
    ("edges", "(0, 1) (1, 2) {}\n", "line 1: expected names without blanks"),
    ("edges", "# alone\n", "expected nodes and edges, got none"),
    ("edges", b"a b\n\xff\xfe c\n", "line 2: expected UTF-8 text, got byte 0xff"),
    ("adjlist", "a b\n[x y\n", "line 2: expected names without blanks"),
    ("g6", "IheA@GU\n", "line 1: expected 8 characters for the edges of 10 nodes, got 6"),
    ("g6", "I é\n", "line 1: expected characters from . to ~"),
    ("g6", "~~~~~~~~\n", "line 1: expected 1 to 1,000,000 nodes"),
    ("g6", "~A\n", "line 1: expected a number of nodes, got the end"),
    ("s6", ":~~~~~~~~\n", "line 1: expected 1 to 1,000,000 nodes"),
    ("s6", ":A" + "~" * 40, "line 1: expected 2 nodes, got one beyond them"),
    ("graphml", "<graphml>\n<graph>", "line 2: not GraphML: no element found"),
    ("graphml", "<graphml><key/></graphml>", "expected a graph in GraphML, got none"),
    ("graphml", "<graphml><graph>\n<node/>", "line 2: expected a node with an 'id'"),
    ("graphml", "<graphml><graph>\n<edge source='a'/>", "line 2: expected an edge with a 'target'"),
    ("graphml", "<graphml><graph><hyperedge/>", "line 1: expected edges of two nodes"),
    ("graphml", "<graphml><graph><node id='a'/>\n<graph/>", "line 2: .*a graph within a graph"),
    (
        "graphml",
        '<graphml><graph><edge source="a" target="b" directed="true"/>',
        "line 1: expected directed edges alone or none, got 'true'",
    ),
    ("graphml", '<!DOCTYPE g [<!ENTITY a "b">]><graphml/>', "line 1: .*an entity"),
    (
        "graphml",
        '<graphml><graph edgedefault="undirected"><node id="a"/>'
        '<edge source="a" target="b"/></graph></graphml>',
        "edge 1: expected the id of a node, got 'b'",
    ),
    ("gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "edge 1: .* got '2'"),
    ("gml", 'graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]', "edge 1: .* got '2'"),
    ("gml", "graph [\nnode [ id 1\n", "line 3: not GML: expected ], got the end: cut short"),
    ("gml", "graph [\n node [ id 1 ]\n ?\n]", "line 3: not GML: expected a name, got '?'"),
    ("gml", "graph [\n node [ id ] ]", "line 2: not GML: expected a value, got ']'"),
    ("gml", "graph [ node [ id 1 ]\n node [ id 1 ] ]", "line 2: .*a node with an 'id' of its own"),
    ("gml", "graph [ node [ id 1 ]\n edge [ source 1 ] ]", "line 2: .*a 'source' and a 'target'"),
    ("gml", "graph [ node 1 ]", "line 1: .*a node with an 'id' of its own"),
    ("gml", "Version 1\n", "expected a graph in GML, got none"),
    ("gml", "Version 1 ]\n", "line 2: not GML: got ] too many"),
    ("gml", "graph\n5", "line 2: not GML: expected \\[ after 'graph'"),
    ("gml", "graph [ a " + "[ a " * 100, "line 1: not GML: expected fewer lists within lists"),
    ("json", '{"nodes": [\n{"id": 1}', "line 2: not complete JSON"),
    ("json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', "edge 1: .* got 2"),
    ("json", '{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "node 2: .* got one twice"),
    ("json", '{"nodes": [{"id": {}}], "links": []}', "node 1: expected a text or number"),
    ("json", '{"nodes": [{"id": 1}, {"id": "1"}], "links": []}', "two called 1"),
    ("json", '{"problem": {"rows": 5}, "tour": null}', "expected node-link JSON"),
    ("json", "[" * 100_000, "not a graph: nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "message"), WRONG, ids=str)
def test_what_is_wrong_is_said_with_its_line(kind, text, message):
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(InputError, match=message):
        read_graph(data, kind)


@pytest.mark.parametrize("kind", sorted({*READERS} - {"tsp", "d6", "dimacs"}))
def test_changed_files_are_read_or_refused(kind):
    rng = Random(f"changed {kind}")  # printed by pytest as the seed of what fails
    whole = WRITERS[kind](PETERSEN)
    refused, began = 0, time.process_time()
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(data) or 1)
            match rng.randrange(5):
                case 0:
                    data = data[: at + 1]
                case 1:
                    data[at : at + 1] = bytes([rng.randrange(256)])
                case 2:
                    data[at : at + rng.randrange(9)] = b""
                case 3:
                    data[at:at] = str(rng.choice((-1, 0, 11, 10**9, 10**30))).encode()
                case 4:
                    data[at:at] = data[: rng.randrange(40)]
        try:
            found = read_graph(bytes(data), kind)
        except InputError as error:
            assert "\n" not in " ".join(str(error).split())
            refused += 1
        else:
            assert not list(nx.selfloop_edges(found.graph)) and len(found.graph)
            assert all(type(node) is str for node in found.graph)
    assert refused
    assert time.process_time() - began < 20


@pytest.mark.parametrize("kind", ["hcp", "col", "graphml", "gml", "json", "g6"])
def test_a_file_without_a_name_tells_itself(kind):
    data = WRITERS[kind](PETERSEN)
    assert kind_of(data) == kind and kind_named(f"x.{kind.upper()}") == kind
    assert kind_of(b". . .\n. 1 .\n") is None and kind_named("board.txt") is None


def test_a_tour_is_written_and_drawn_over_the_graph():
    outcome = solve(PETERSEN)
    assert len(content(outcome, Format.NAMES).split()) == 10
    picture = content(outcome, Format.SVG)
    assert picture.count("<circle") == 11 and 'class="edges"' in picture
    with pytest.raises(GraphFileError, match="empty"):
        read_graph(b" \n", "edges")
