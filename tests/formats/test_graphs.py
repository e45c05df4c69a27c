"""Graphs from files: every reader against networkx."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest

from kt_cp import solve
from kt_cp.formats.graphs.networkx_formats import read_graphs6
from kt_cp.formats.graphs.read import kind_of, kind_of_name, read_graph
from kt_cp.formats.table import Format
from kt_cp.formats.write import outcome_content
from kt_cp.model.errors import GraphFileError
from kt_cp.model.problem import Problem
from tests.examples.graph_files import ONE_BASED, PETERSEN, WRITERS


def texts(graph, first=0):
    return {frozenset((str(u + first), str(v + first))) for u, v in graph.edges()}


def edges_of(graph):
    return set(map(frozenset, graph.edges()))


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("graph", [PETERSEN, nx.complete_graph(2), nx.grid_2d_graph(8, 9)])
def test_what_is_written_is_read(kind, graph):
    graph = nx.convert_node_labels_to_integers(graph)
    found = read_graph(WRITERS[kind](graph), kind)
    assert edges_of(found.graph) == texts(graph, first=kind in ONE_BASED)
    assert len(found.graph) == len(graph)
    assert found.closed is (True if kind == "hcp" else None)
    assert found.remarks == ()


@pytest.mark.parametrize("size", [1, 2, 5, 16, 17, 62, 63, 64, 65, 90])
def test_packed_graphs_are_those_of_networkx(size):
    for seed, share in enumerate((0, 0.05, 0.5, 1)):
        graph = nx.gnp_random_graph(size, share, seed=seed)
        lines = [nx.to_graph6_bytes(graph), nx.to_sparse6_bytes(graph, header=False)]
        for _, found in read_graphs6(lines):
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


def test_names_of_columns_are_no_nodes():
    found = read_graph(b"Source,Target,Weight\na,b,1\nb,c,2\n", "edges")
    assert edges_of(found.graph) == edges_of(nx.Graph(["ab", "bc"]))
    assert found.remarks[0] == "the first line, Source Target, is taken for names of columns"
    for text in (b"from to\n", b"from to\nto a\n", b"a b\nfrom to\n", b"to from\na b\n"):
        found = read_graph(text, "edges")
        assert {"from", "to"} <= {*found.graph} and found.remarks == ()


def test_what_plays_no_part_is_told_once():
    found = read_graph(b"a b 0.5\nb a 1\n% a comment\na a\nb c # another\n", "edges")
    assert edges_of(found.graph) == {frozenset("ab"), frozenset("bc")}
    assert found.remarks == (
        "1 self-loop plays no part in a tour",
        "1 parallel edge plays no part in a tour",
        "weights play no part in a tour",
    )
    assert read_graph(b"p edge 2 1\ne 1 2 5\n", "col").weighted
    both = nx.MultiGraph([(1, 2), (1, 2), (2, 3)])
    for kind in ("graphml", "gml", "json"):
        found = read_graph(WRITERS[kind](both), kind)
        assert found.remarks == ("1 parallel edge plays no part in a tour",)
    assert read_graph(b"p edge 2 2\ne 1 2\ne 2 1\n", "col").remarks == ()  # from both ends
    for text, remark in (
        ("real general\n2 2 3\n1 1 .5\n1 2 0\n2 1 1\n", "1 self-loop plays"),
        ("complex hermitian\n2 2 2\n1 2 0 1\n2 1 0 -1\n", "1 parallel edge plays"),
    ):
        found = read_graph(f"%%MatrixMarket matrix coordinate {text}".encode(), "mtx")
        assert found.remarks == (f"{remark} no part in a tour", "weights play no part in a tour")
        assert found.graph.is_directed() == ("general" in text)


def test_weights_of_metis():
    for text in (
        "3 2 1\n2 9\n% of node 2\n1 9 3 8\n2 8\n",
        "3 2 011 2\r\n5 6 2 9\r\n5 6 1 9 3 8\r\n5 6 2 8\r\n\r\n",
        "3 2 111\n1 2 2 9\n1 2 1 9 3 8\n1 2 2 8",
    ):
        found = read_graph(text.encode(), "metis")
        assert edges_of(found.graph) == {frozenset("12"), frozenset("23")} and found.weighted
    assert [*read_graph(b"3 1 10\n7 3\n7\n7 1\n", "graph").graph] == ["1", "2", "3"]


@pytest.mark.parametrize("other", ["metis", "mtx", "col", "graphml", "gml", "json", "hcp", "g6"])
@pytest.mark.parametrize("kind", ["edges", "adjlist"])
def test_lines_of_other_formats_are_no_edges(kind, other):
    for seed in range(4):
        data = WRITERS["graph" if other == "metis" else other](nx.gnp_random_graph(9, 0.5, seed))
        with pytest.raises(GraphFileError, match=f"got {other}, which --format-in {other} reads"):
            read_graph(data, kind)


def test_numbers_of_gml_are_written_in_several_ways():
    text = (
        'graph [ node [ id 00 label "a" x -INF ] node [ id 1 label "b" ] node [ id 2 label "c" ]'
        " edge [ source 0 target +1 weight NAN ] edge [ source 02 target 1 ] ]"
    )
    found = read_graph(text.encode(), "gml")
    assert edges_of(found.graph) == edges_of(nx.parse_gml(text)) and found.weighted


def test_the_first_of_several_graphs_is_read_with_a_remark():
    for kind, text in (
        ("gml", "graph [ node [ id 1 ] ] graph [ node [ id 2 ] ]"),
        (
            "graphml",
            '<graphml><graph><node id="1"/></graph><graph><node id="2"/></graph></graphml>',
        ),
    ):
        found = read_graph(text.encode(), kind)
        assert [*found.graph] == ["1"]
        assert found.remarks == ("it holds 2 graphs, of which the first is read",)


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


NAMESPACE = 'xmlns="http://graphml.graphdrawing.org/xmlns"'
AN_EDGE = '<edge source="a" target="b"/>'
WITHIN = [
    f'<node id="d"><data key="d0">{AN_EDGE}<node id="z"/></data></node>',
    f'<node id="d"><data key="d0"><![CDATA[{AN_EDGE}]]></data></node>',
    '<node id="d"><data key="d0">&lt;edge source="a" target="b"/></data></node>',
    f"<!-- {AN_EDGE} --><?pi {AN_EDGE} ?>",
    f'<desc>{AN_EDGE}</desc><desc x=\'&lt;edge source="a" target="b"/>\'/>',
    '<y:edge source="a" target="b"/><edge xmlns="urn:x" source="a" target="b"/><y:node id="z"/>',
    f'<edge source="b" target="c">{AN_EDGE}<data key="d1">{AN_EDGE}</data></edge>',
]


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize("space", [NAMESPACE, 'xmlns=""'])
def test_elements_within_others_are_no_edges(within, space):
    text = (
        f'<graphml {space} xmlns:y="urn:y">'
        '<key id="d0" for="node" attr.name="n" attr.type="string"/>'
        '<key id="d1" for="edge" attr.name="n" attr.type="string"/><graph edgedefault="undirected">'
        f'<node id="a"/><node id="b"/><node id="c"/>{within}</graph></graphml>'
    )
    theirs = nx.parse_graphml(text.replace('xmlns=""', NAMESPACE, 1))
    ours = read_graph(text.encode(), "graphml").graph
    assert (sorted(ours.nodes), sorted(ours.edges)) == (sorted(theirs.nodes), sorted(theirs.edges))


RUNS = {
    "hcp": ("TYPE : HCP\nDIMENSION : 9\nEDGE_DATA_SECTION\n", "{} {}\n", "{}\n{}\n", "-1\n"),
    "col": ("p edge 9 40\n", "e {} {}\n", "c\ne {} {} 0.5\n", "c all\n"),
}  # fmt: skip


@pytest.mark.parametrize("kind", RUNS)
def test_edges_taken_together_are_those_taken_one_by_one(kind):
    head, usual, other, tail = RUNS[kind]
    rng = Random(kind)
    edges = [rng.sample(range(1, 10), 2) for _ in range(40)]
    listed = (rng.choice((usual, usual, usual, other)).format(u, v) for u, v in edges)
    text = head + "".join(listed) + tail
    one_by_one = nx.Graph([(str(u), str(v)) for u, v in edges])
    there = {node: [*row] for node, row in one_by_one.adjacency()}
    for data in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        graph = read_graph(data.encode(), kind).graph
        assert {node: [*row] for node, row in graph.adjacency() if row} == there  # in their order


@pytest.mark.parametrize("kind", ["hcp", "col", "graphml", "gml", "json", "g6", "mtx"])
def test_a_file_without_a_name_tells_itself(kind):
    data = WRITERS[kind](PETERSEN)
    assert kind_of(data) == kind and kind_of_name(f"x.{kind.upper()}") == kind
    assert kind_of(b". . .\n. 1 .\n") is None and kind_of_name("board.txt") is None


def test_a_tour_is_written_and_drawn_over_the_graph():
    outcome = solve(PETERSEN)
    assert len(outcome_content(outcome, Format.NAMES).split()) == 10
    picture = outcome_content(outcome, Format.SVG)
    assert picture.count("<circle") == 11 and 'class="edges"' in picture
    with pytest.raises(GraphFileError, match="empty"):
        read_graph(b" \n", "edges")


def test_neighbours_behind_a_colon():
    found = read_graph(b"# as in many lists\n1: 2 3\n2 : 3 a:b\n\n3:\n", "adjlist")
    assert [*found.graph.edges] == [("1", "2"), ("1", "3"), ("2", "3"), ("2", "a:b")]
