"""Graph files: every reader compared with networkx, lists, and what is refused."""

from __future__ import annotations

import gzip
import re
import time
from io import StringIO
from itertools import combinations
from random import Random

import networkx as nx
import pytest

from kt_cp import hamiltonian_cycle, read_graph, solve
from kt_cp.formats.graphs import READERS, kind_of, kind_of_name, parse_graph
from kt_cp.formats.graphs.networkx_formats import read_graphs6
from kt_cp.formats.table import Format
from kt_cp.formats.write import outcome_content
from kt_cp.model.errors import GraphFileError, InputError
from kt_cp.model.problem import Problem
from tests.examples.graph_files import ONE_BASED, PETERSEN, WRITERS
from tests.support.command_line import refused


def texts(graph, first=0):
    return {frozenset((str(u + first), str(v + first))) for u, v in graph.edges()}


def edges_of(graph):
    return set(map(frozenset, graph.edges()))


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("graph", [PETERSEN, nx.complete_graph(2), nx.grid_2d_graph(8, 9)])
def test_what_is_written_is_read(kind, graph):
    graph = nx.convert_node_labels_to_integers(graph)
    found = parse_graph(WRITERS[kind](graph), kind)
    assert edges_of(found.graph) == texts(graph, first=kind in ONE_BASED)
    assert len(found.graph) == len(graph)
    assert found.closed is (True if kind == "hcp" else None)
    assert found.remarks == ()


@pytest.mark.parametrize("size", [1, 2, 5, 16, 17, 62, 63, 64, 65, 90])
def test_packed_graphs_are_those_of_networkx(size):
    for seed, share in enumerate((0, 0.05, 0.5, 1)):
        graph = nx.gnp_random_graph(size, share, seed=seed)
        lines = [nx.to_graph6_bytes(graph), nx.to_sparse6_bytes(graph, header=False)]
        for _, found in read_graphs6(enumerate(lines)):
            assert list(found.graph) == [str(node) for node in range(size)]
            assert edges_of(found.graph) == texts(graph)


def test_a_directed_graph_of_digraph6():
    # The example of McKay's description: 0 -> 2, 0 -> 4, 3 -> 1, 3 -> 4.
    found = parse_graph(b"&DI?AO?", "d6")
    assert found.graph.is_directed()
    assert set(found.graph.edges()) == {("0", "2"), ("0", "4"), ("3", "1"), ("3", "4")}


def test_a_graph_that_was_exported_is_read_back():
    from kt_cp.formats.table import writer_of

    problem = Problem(graph=PETERSEN, closed=True)
    for kind, shape, first in (("g6", Format.GRAPH6, 0), ("hcp", Format.TSPLIB, 1)):
        text = "".join(writer_of(shape)(problem))
        assert edges_of(parse_graph(text.encode(), kind).graph) == texts(PETERSEN, first)


def test_names_of_columns_are_no_nodes():
    found = parse_graph(b"Source,Target,Weight\na,b,1\nb,c,2\n", "edges")
    assert edges_of(found.graph) == edges_of(nx.Graph(["ab", "bc"]))
    assert found.remarks[0] == "the first line, Source Target, is taken for names of columns"
    for text in (b"from to\n", b"from to\nto a\n", b"a b\nfrom to\n", b"to from\na b\n"):
        found = parse_graph(text, "edges")
        assert {"from", "to"} <= {*found.graph} and found.remarks == ()


def test_what_is_ignored_has_one_remark():
    found = parse_graph(b"a b 0.5\nb a 1\n% a comment\na a\nb c # another\n", "edges")
    assert edges_of(found.graph) == {frozenset("ab"), frozenset("bc")}
    assert found.remarks == (
        "1 self-loop plays no part in a tour",
        "1 parallel edge plays no part in a tour",
        "weights play no part in a tour",
    )
    assert parse_graph(b"p edge 2 1\ne 1 2 5\n", "col").weighted
    both = nx.MultiGraph([(1, 2), (1, 2), (2, 3)])
    for kind in ("graphml", "gml", "json"):
        found = parse_graph(WRITERS[kind](both), kind)
        assert found.remarks == ("1 parallel edge plays no part in a tour",)
    assert parse_graph(b"p edge 2 2\ne 1 2\ne 2 1\n", "col").remarks == ()  # from both ends
    for text, remark in (
        ("real general\n2 2 3\n1 1 .5\n1 2 0\n2 1 1\n", "1 self-loop plays"),
        ("complex hermitian\n2 2 2\n1 2 0 1\n2 1 0 -1\n", "1 parallel edge plays"),
    ):
        found = parse_graph(f"%%MatrixMarket matrix coordinate {text}".encode(), "mtx")
        assert found.remarks == (f"{remark} no part in a tour", "weights play no part in a tour")
        assert found.graph.is_directed() == ("general" in text)


def test_weights_of_metis():
    for text in (
        "3 2 1\n2 9\n% of node 2\n1 9 3 8\n2 8\n",
        "3 2 011 2\r\n5 6 2 9\r\n5 6 1 9 3 8\r\n5 6 2 8\r\n\r\n",
        "3 2 111\n1 2 2 9\n1 2 1 9 3 8\n1 2 2 8",
    ):
        found = parse_graph(text.encode(), "metis")
        weights = {(u, v): weight for u, v, weight in found.graph.edges(data="weight")}
        assert weights == {("1", "2"): 9, ("2", "3"): 8} and found.weighted
    assert [*parse_graph(b"3 1 10\n7 3\n7\n7 1\n", "graph").graph] == ["1", "2", "3"]


def test_weights_of_matrix_market():
    for kind, weights in (
        ("integer symmetric", {("3", "1"): 4, ("2", "3"): -5}),
        ("real general", {("3", "1"): 4, ("2", "3"): -5}),
        ("real skew-symmetric", {("3", "1"): None, ("2", "3"): None}),
    ):
        text = f"%%MatrixMarket matrix coordinate {kind}\n3 3 2\n3 1 4\n2 3 -5\n".encode()
        graph = parse_graph(text, "mtx").graph
        assert {pair: graph.edges[pair].get("weight") for pair in weights} == weights


DISTANCES = {("1", "2"): 5, ("1", "3"): 7, ("2", "3"): 2}
EXPLICIT = {
    "FULL_MATRIX": "0 5 7\n5 0 2\n7 2 0\n",
    "UPPER_ROW": "5 7 2\n",
    "UPPER_DIAG_ROW": "0 5 7 0\n2 0\n",
    "LOWER_ROW": "5\n7 2\n",
    "LOWER_DIAG_ROW": "0\n5 0\n7 2 0\n",
    "UPPER_COL": "5 7 2\n",
    "LOWER_COL": "5 7\n2\n",
    "UPPER_DIAG_COL": "0 5 0 7 2 0\n",
    "LOWER_DIAG_COL": "0 5 7 0 2 0\n",
}


@pytest.mark.parametrize("form", EXPLICIT)
def test_weights_of_tsplib(form):
    head = f"TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : {form}\n"
    text = f"{head}EDGE_WEIGHT_SECTION\n{EXPLICIT[form]}EOF\n"
    found = parse_graph(text.encode(), "tsp")
    assert {(u, v): weight for u, v, weight in found.graph.edges(data="weight")} == DISTANCES
    assert found.closed and found.weighted and kind_of(text.encode()) == "hcp"


def test_weights_of_arcs_of_tsplib():
    head = TSP.replace("TSP", "ATSP")
    found = parse_graph(f"{head}FULL_MATRIX\nEDGE_WEIGHT_SECTION\n9 5\n7 9\n".encode(), "tsp")
    assert [*found.graph.edges(data="weight")] == [("1", "2", 5), ("2", "1", 7)]
    assert found.graph.is_directed() and found.closed


def test_distances_of_tsplib():
    head = "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : {}\nNODE_COORD_SECTION\n{}"
    places = "1 0 0\n2 3 4\n3 1.2 0.5\n"
    for kind, weights in (("EUC_2D", (5, 1, 4)), ("CEIL_2D", (5, 2, 4))):
        graph = parse_graph(head.format(kind, places).encode(), "tsp").graph
        assert [weight for _, _, weight in graph.edges(data="weight")] == [*weights]
    some = "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n3 1\n-1\n"
    found = parse_graph((head.format("EUC_2D", places) + some).encode(), "tsp")
    assert [*found.graph.edges(data="weight")] == [("1", "3", 1)]
    assert found.graph.nodes["2"]["pos"] == (3, 4)


@pytest.mark.parametrize("other", ["metis", "mtx", "col", "graphml", "gml", "json", "hcp", "g6"])
@pytest.mark.parametrize("kind", ["edges", "adjlist"])
def test_lines_of_other_formats_are_no_edges(kind, other):
    for seed in range(4):
        data = WRITERS["graph" if other == "metis" else other](nx.gnp_random_graph(9, 0.5, seed))
        with pytest.raises(GraphFileError, match=f"got {other}, which --format-in {other} reads"):
            parse_graph(data, kind)


def test_numbers_of_gml_are_written_in_several_ways():
    text = (
        'graph [ node [ id 00 label "a" x -INF ] node [ id 1 label "b" ] node [ id 2 label "c" ]'
        " edge [ source 0 target +1 weight NAN ] edge [ source 02 target 1 ] ]"
    )
    found = parse_graph(text.encode(), "gml")
    assert edges_of(found.graph) == edges_of(nx.parse_gml(text)) and found.weighted


def test_the_first_of_several_graphs_is_read_with_a_remark():
    for kind, text in (
        ("gml", "graph [ node [ id 1 ] ] graph [ node [ id 2 ] ]"),
        (
            "graphml",
            '<graphml><graph><node id="1"/></graph><graph><node id="2"/></graph></graphml>',
        ),
    ):
        found = parse_graph(text.encode(), kind)
        assert [*found.graph] == ["1"]
        assert found.remarks == ("it holds 2 graphs; the first is read",)


TSPLIB_WITH_FIXED_EDGES = (
    b"NAME:x\nTYPE: HPP\nDIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\nNODE_COORD_SECTION\n"
    b"1 0 0\n2 1 0.5\n3 2e0 1\nEDGE_DATA_SECTION\n1 2 3 -1\n2 3 -1\n-1\n"
    b"FIXED_EDGES_SECTION\n1 3\n-1\n"
)


def test_sections_of_tsplib():
    found = parse_graph(TSPLIB_WITH_FIXED_EDGES, "tsp")
    assert edges_of(found.graph) == {frozenset("12"), frozenset("13"), frozenset("23")}
    assert (found.closed, found.require) == (False, (("1", "3"),))
    assert Problem(graph=found.graph).graph.graph["places"]["2"] == (1.0, 0.5)


def test_names_of_all_kinds():
    graph = nx.Graph([((0, 1), "a b"), ("a b", "é"), ("é", 7)])
    for kind in ("graphml", "json"):
        found = parse_graph(WRITERS[kind](graph), kind)
        assert set(found.graph) == {"(0, 1)", "a b", "é", "7"}
    labelled = (
        b'graph [ node [ id 4 label "x" ] node [ id 5 label "y" ] edge [ source 4 target 5 ] ]'
    )
    assert set(parse_graph(labelled, "gml").graph) == {"x", "y"}
    same = labelled.replace(b'"y"', b'"x"')
    assert set(parse_graph(same, "gml").graph) == {"4", "5"}


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
    found = parse_graph(PLACED[kind].encode(), kind)
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
        graph.nodes[node].update(x=rng.random(), y=-1.5, label="x ] y")
    for edge in graph.edges:
        if rng.random() < 0.5:
            graph.edges[edge].update(weight=rng.random(), kind='a "b" [ c')
    data = WRITERS[kind](graph)
    theirs = nx.parse_graphml(data.decode()) if kind == "graphml" else nx.parse_gml(data.decode())
    ours = parse_graph(data, kind).graph
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
    ours = parse_graph(text.encode(), "graphml").graph
    assert (sorted(ours.nodes), sorted(ours.edges)) == (sorted(theirs.nodes), sorted(theirs.edges))


RUNS = {
    "hcp": ("TYPE : HCP\nDIMENSION : 9\nEDGE_DATA_SECTION\n", "{} {}\n", "{}\n{}\n", "-1\n"),
    "col": ("p edge 9 40\n", "e {} {}\n", "c\ne {} {} 0.5\n", "c all\n"),
}  # fmt: skip


@pytest.mark.parametrize("kind", RUNS)
def test_edges_taken_together_are_those_taken_one_by_one(kind):
    head, common, other, tail = RUNS[kind]
    rng = Random(kind)
    edges = [rng.sample(range(1, 10), 2) for _ in range(40)]
    listed = (rng.choice((common, common, common, other)).format(u, v) for u, v in edges)
    text = head + "".join(listed) + tail
    one_by_one = nx.Graph([(str(u), str(v)) for u, v in edges])
    there = {node: [*row] for node, row in one_by_one.adjacency()}
    for data in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        graph = parse_graph(data.encode(), kind).graph
        assert {node: [*row] for node, row in graph.adjacency() if row} == there  # in their order


@pytest.mark.parametrize("kind", ["hcp", "col", "graphml", "gml", "json", "g6", "mtx"])
def test_a_format_is_recognized_by_its_text(kind):
    data = WRITERS[kind](PETERSEN)
    assert kind_of(data) == kind and kind_of_name(f"x.{kind.upper()}") == kind
    assert kind_of(b". . .\n. 1 .\n") is None and kind_of_name("board.txt") is None


def test_a_tour_is_written_and_drawn_over_the_graph():
    outcome = solve(PETERSEN)
    assert len(outcome_content(outcome, Format.NAMES).split()) == 10
    picture = outcome_content(outcome, Format.SVG)
    assert picture.count("<circle") == 11 and 'class="edges"' in picture
    with pytest.raises(GraphFileError, match="empty"):
        parse_graph(b" \n", "edges")


def test_neighbours_behind_a_colon():
    found = parse_graph(b"# as in many lists\n1: 2 3\n2 : 3 a:b\n\n3:\n", "adjlist")
    assert [*found.graph.edges] == [("1", "2"), ("1", "3"), ("2", "3"), ("2", "a:b")]


def arcs_or_edges(graph):
    return sorted(map(sorted, graph.edges))


AB = [["a", "b"], ["b", "c"]]
CITIES = [["Boston", "New York"], ["New York", "San José"]]
READ = [
    ("edges", "New York,Boston\nNew York,San José\n", CITIES),
    ("edges", "\ufeffNew York , Boston\r\n\r\n \t\r\n New York,San José \r\n", CITIES),
    ("edges", "New York;Boston;0,5\nNew York;San José;1,5\n", CITIES),
    ("edges", "New York\tBoston\t0,5\nNew York\tSan José\t1,5\n", CITIES),
    ("edges", 'from , to\nNew York,Boston\n"New York","San José"', CITIES),
    ("edges", '"New York" Boston\n"San José" "New York" 5', CITIES),
    ("edges", '"a, ""x""",b\n"b" , "c;d"', [['a, "x"', "b"], ["b", "c;d"]]),
    ("edges", "5\" pipe,6' pipe\n", [['5" pipe', "6' pipe"]]),
    ("edges", "York (GB),York (US)\n", [["York (GB)", "York (US)"]]),
    ("edges", "a,\tb\nb,\tc\n", AB),
    ("edges", "a\t b\nb c \n", AB),
    ("edges", "a,b,\nb,c,x y,z\n", AB),
    ("edges", "a,b,{'w': 1, 'v': 2}\nb,c,{}\n", AB),
    ("edges", "a b {'w': 1, 'v': (2, 3)}\nb\tc {}\n", AB),
    ("edges", '"Source","Target","Weight"\na,b,1\nb,c,1', AB),
    ("edges", "node_1 node_2\na b\nb c", AB),
    ("edges", "a\u00a0x b\n", [["a\u00a0x", "b"]]),
    ("adjlist", "New York,Boston,San José\nBoston\nSan José,New York\nNew York\n", CITIES),
    ("adjlist", "New York,Boston,San José\nBoston,,\n", CITIES),
    ("adjlist", "New York: Boston, San José\nSan José:\nBoston: New York", CITIES),
    ("adjlist", '"New York" : Boston "San José"\nBoston:\n', CITIES),
    ("adjlist", "b\ta\tc\nc b\n", AB),
    ("adjlist", "b:\ta\tc\nc:\tb\n", AB),
]  # fmt: skip


COMMENTS = [
    ("edges", "50% C#\nC# a//b\n", [["50%", "C#"], ["C#", "a//b"]]),
    ("edges", "50%,C#\nC#,a # b;\"x\"\n", None),
    ("edges", '50%,C#\nC#,"a # b"\n', [["50%", "C#"], ["C#", "a # b"]]),
    ("edges", " # c d\n%c d\n// c d\n//c d\na b # c, d\nb c 5 #%\n", AB),
    ("edges", '"#a" "%b"\n"//c" "#a"\n', [["#a", "%b"], ["#a", "//c"]]),
    ("edges", "a #b\n", None),
    ("adjlist", "# c d\nb a #c d\nc# d%\n//d e\n", [["a", "b"], ["c#", "d%"]]),
    ("adjlist", "c#: d% e\n", [["c#", "d%"], ["c#", "e"]]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "expected"), COMMENTS)
def test_comments_begin_with_a_line_or_behind_a_blank(kind, text, expected):
    if expected is None:
        with pytest.raises(InputError, match=r"line [12]: expected"):
            parse_graph(text.encode(), kind)
    else:
        assert arcs_or_edges(parse_graph(text.encode(), kind).graph) == expected


@pytest.mark.parametrize(("kind", "text", "expected"), READ)
def test_names_are_read_whole(kind, text, expected):
    assert arcs_or_edges(parse_graph(text.encode(), kind).graph) == expected


REFUSED = [
    ("edges", "a b\nb,c\n", "line 1: .* with a comma between them, as in line 2, got 'a b'"),
    ("edges", "a,b\n\nNew York Boston\n", "line 3: .* with a comma between them, as in line 1"),
    ("edges", "a,b\nb;c\n", "line 2: .* got 'b;c'"),
    ("edges", "a,b;x\nb,c\n", "line 1: expected names with one kind of separator"),
    ("edges", "a b 0,5\nb c 1,5\n", "line 1: expected blanks or a comma .* got both"),
    ("edges", "1 2\t0.5\n2 3\t0.25\n", "line 1: expected blanks or a tab .* got both"),
    ("edges", "a\tb\nb c\t5\n", "line 2: expected blanks or a tab"),
    ("edges", "New York\tBoston\na b\n", "line 2: .* with a tab between them"),
    ("edges", "a,b\nb,,c\n", "line 2: expected the two nodes .* got 'b,,c'"),
    ("edges", ",source,target\n0,a,b\n", "line 1: expected the two nodes"),
    ("edges", "id,source,target\n0,a,b\n", "line 1: .* in the first two columns"),
    ("edges", "a b\nb -> c\n", "line 2: expected two names without -> between them"),
    ("edges", 'a,b\n"b"x,c\n', "line 2: expected names with one kind of separator"),
    ("edges", 'a,b\n"b,c\n', "line 2: expected names with one kind of separator"),
    ("edges", "a,b\n'b, c',d\n", "line 2: expected names with one kind of separator"),
    ("edges", "a b [1, 2]\nb c [3, 4]\n", "line 1: expected names with one kind of separator"),
    ("adjlist", "a,b,c\nb c\n", "line 2: .* with a comma between them, as in line 1, got 'b c'"),
    ("adjlist", "a b\nb: c\n", "line 2: expected no colon"),
    ("adjlist", "a b: c d\n", "line 1: expected one node before the colon, got 'a b'"),
    ("adjlist", "a\tb\na\tb c\n", "line 2: expected names with one kind"),
    ("adjlist", "a,,b\n", "line 1: expected a node and its neighbours"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "message"), REFUSED)
def test_lines_that_differ_are_refused(kind, text, message):
    with pytest.raises(InputError, match=message):
        parse_graph(text.encode(), kind)


@pytest.mark.parametrize(
    "text",
    ["New York,Boston,x y\nBoston,Albany,5\n", "York\tBoston\tx y\nBoston\tAlbany\t5\n"],
)
def test_text_behind_an_edge_is_reported(text):
    found = parse_graph(text.encode(), "edges")
    assert found.graph.size() == 2 and found.remarks == (
        "line 1: 'x y' after two nodes plays no part in a tour",
        "weights play no part in a tour",
    )


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("New York Boston\nBoston Albany 5\n", 1, "Boston"),
        ("a b\nBoston New York\n", 2, "York"),
        ("a b 5\nCity 1 City 2\n", 2, "City"),
        ("a b 0.5\nDistrict 10 Boston\n", 2, "Boston"),
        ("New York 10 Boston\n", 1, "Boston"),
    ],
)
def test_names_with_blanks_are_no_edges_of_their_parts(kt_cp, tmp_path, text, line, name):
    file = tmp_path / "cities.edges"
    file.write_text(text)
    result = kt_cp("solve", file)
    assert (
        result.code == 2 and f"line {line}: expected two nodes and perhaps a weight" in result.err
    )
    assert f"got {name!r} after them; put names with blanks in double quotes" in result.err


@pytest.mark.parametrize("text", ["1 2 1 1082040961\n2 3 1 5\n", "a b {}\nb c {'x': 'y z'}\n"])
def test_data_behind_an_edge_plays_no_part(text):
    assert parse_graph(text.encode(), "edges").graph.size() == 2


NAMES = ["New York {}", "{}%", "C#{}", "a.b:{}", "é {}", "x//{}", "{} (GB)"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
@pytest.mark.parametrize("seed", range(12))
def test_lists_that_networkx_writes(delimiter, seed):
    rng = Random(f"{delimiter} {seed}")
    names = [name for name in NAMES if delimiter != " " or " " not in name]
    graph = nx.gnp_random_graph(8, 0.5, seed, directed=seed % 2 == 1)
    graph = nx.relabel_nodes(graph, {node: rng.choice(names).format(node) for node in graph})
    nx.set_edge_attributes(graph, "a, b {x}; c", "note")
    nx.set_edge_attributes(graph, 0.5, "weight")
    written = [("edges", nx.generate_edgelist(graph, delimiter, data)) for data in (True, False)]
    if delimiter != "\t":  # which is refused beside names with blanks
        written.append(("adjlist", nx.generate_adjlist(graph, delimiter)))
    for kind, lines in written:
        text = rng.choice(["\n", "\r\n"]).join(lines)
        found = parse_graph(text.encode(), kind, directed=graph.is_directed())
        assert nx.utils.edges_equal(found.graph.edges, graph.edges, directed=graph.is_directed())
        assert found.graph.is_directed() == graph.is_directed()


HCP = "TYPE : HCP\nDIMENSION : 4\nEDGE_DATA_SECTION\n"
TSP = "TYPE : TSP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : "
MATRIX = "%%MatrixMarket matrix coordinate pattern symmetric\n"
_ENTITIES = "".join(f'<!ENTITY a{n} "{10 * f"&a{n - 1};"}">' for n in range(1, 10))
LAUGHS = f'<!DOCTYPE g [<!ENTITY a0 "ha">{_ENTITIES}]><graphml>&a9;</graphml>'
"""A text of a gigabyte as a short file."""

WRONG = [
    ("hcp", "", "empty file"),
    ("hcp", HCP + "1 5\n-1\n", "line 4: expected a vertex from 1 to 4, got '5'"),
    ("hcp", HCP + "1 2\n2 3\n", "line 5: expected -1 after the last edge.*reached the end"),
    ("hcp", HCP + "1 2\n3\n-1\n", "line 6: expected both ends of an edge, got 3 alone"),
    ("hcp", HCP + "1 x\n-1\n", "line 4: .* got 'x'"),
    ("hcp", HCP + "1 2\n" * 9 + "1 5\n" + "1 2\n" * 9 + "-1\n", "line 13: .* got '5'"),
    ("col", "p edge 3 9\n" + "e 1 2\n" * 7 + "e 0 1\n" + "e 1 2\n", "line 9: .* got 'e 0 1'"),
    ("graphml", "<graphml><graph>" + '<edge source="a" target="b"/>\n' * 9 + "<", "line 10: not G"),
    ("gml", "graph [\n" + "edge [ source 1 target 2 ]\n" * 9 + "edge 1", "line 11: not GML"),
    ("gml", "graph [\n" + '\nnode [ id 1 label "a" ]' * 2, "line 4: not GML: expected '\\]'"),
    ("hcp", HCP.replace("4", "1000000000") + "-1\n", "line 2: expected 1 to 1,000,000 nodes"),
    ("hcp", HCP.replace("4", "9" * 5000) + "-1\n", "line 2: expected 1 to 1,000,000 nodes"),
    ("hcp", HCP.replace("4", "-3"), "line 2: expected 1 to 1,000,000 nodes"),
    ("hcp", HCP.replace("HCP", "CVRP"), "line 1: expected TYPE : HCP or TSP, got 'CVRP'"),
    ("tsp", TSP + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1\n2 0\n", "line 5: expected a symmetric"),
    ("tsp", TSP + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1\n2\nEOF\n", "line 8: expected 4 weights"),
    ("tsp", TSP + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n", "line 6: expected 1 weight in .* got 2"),
    ("tsp", TSP + "UPPER_ROW\nEDGE_WEIGHT_SECTION\nx\n", "line 6: expected a weight, got 'x'"),
    ("tsp", TSP + "FUNCTION\nEDGE_WEIGHT_SECTION\n1\n", "line 5: .* got 'FUNCTION'"),
    ("tsp", TSP + "UPPER_ROW\n", "expected a matrix .* got EDGE_WEIGHT_TYPE 'EXPLICIT'"),
    ("tsp", TSP.replace("EXPLICIT", "GEO") + "X\n", "EUC_2D or CEIL_2D, got .* 'GEO'"),
    ("hcp", "TYPE : HCP\nEDGE_DATA_SECTION\n1 2\n-1\n", "line 2: expected DIMENSION before"),
    ("hcp", "TYPE : HCP\nDIMENSION : 4\n", "line 2: expected EDGE_DATA_SECTION"),
    ("hcp", "TYPE : HCP\nDIMENSION : 4\nEDGE_WEIGHT_SECTION\n1 2\n", "line 3: .*no list of edges"),
    ("graph", "<graphml/>", "expected format graph, got graphml, which --format-in graphml reads"),
    ("graph", "a b\n", "line 1: expected the numbers of nodes and edges of a METIS file"),
    ("graph", "2 1 2\n2\n1\n", "line 1: expected the numbers"),
    ("graph", "2 1\n2\n1\n1\n", "line 4: expected 2 lines of nodes, as line 1 says, got '1'"),
    ("graph", "% x\n3 2\n2\n1 3\n", "expected 3 lines of nodes, as line 2 says, got 2: cut short"),
    ("graph", "3 2\n2\n1 4\n2\n", "line 3: expected other nodes from 1 to 3, got 4"),
    ("graph", "2 1\n1\n1\n", "line 2: expected other nodes from 1 to 2, got 1"),
    ("graph", "2 1\n2.5\n1\n", "line 2: expected the neighbours of node 1, got '2.5'"),
    ("graph", "2 1 1\n2 5\n1\n", "line 3: expected the neighbours of node 2, got '1'"),
    ("graph", "3 2\n2 3\n% x\n1\n\n", "line 2: expected 1 among the neighbours of 3"),
    ("graph", "3 2 1\n2 5\n1 5 3 7\n2 8\n", "line 3: expected one weight of 2-3, got two"),
    ("graph", "3 3\n2\n1 3\n2\n", "expected 3 edges, as line 1 says, got 2"),
    ("mtx", MATRIX.replace("coordinate", "array") + "2 2\n0\n", "line 1: expected '%%MatrixM"),
    ("mtx", MATRIX.replace("pattern", "quaternion") + "2 2 1\n2 1\n", "line 1: expected"),
    ("mtx", MATRIX + "% x\n2 3 1\n2 1\n", "line 3: expected rows, as many columns, and entries"),
    ("mtx", MATRIX + "2 2 1\n3 1\n", "line 3: expected two indices from 1 to 2"),
    ("mtx", MATRIX + "2 2 1\n2 1 5\n", "line 3: expected two indices .* kind pattern, got '2 1 5'"),
    ("mtx", MATRIX + "3 3 2\n2 1\n", "line 3: expected 2 entries, as line 2 says, got 1"),
    ("mtx", MATRIX.replace("pattern", "real") + "2 2 1\n2 1 x\n", "line 3: expected a weight"),
    ("mtx", MATRIX, "expected rows, columns and entries, reached the end"),
    ("hcp", HCP + "1 2\n-1\nEDGE_DATA_SECTION\n3 4\n-1\n", "line 6: .* once"),
    ("hcp", HCP + "1 2\n-1\nEDGE_DATA_FORMAT : ADJ_LIST\n", "line 6: expected EDGE_DATA_FORMAT"),
    ("hcp", "EDGE_DATA_FORMAT : MATRIX\n" + HCP, "line 1: .* ADJ_LIST before .* got 'MATRIX'"),
    ("hcp", "DIMENSION : 9\n" + HCP + "-1\n", "line 3: expected DIMENSION once"),
    ("hcp", HCP + "1 2 -1 3 4\nEOF\n", "line 4: expected nothing after the last -1"),
    ("hcp", HCP + "1_0 2\n-1\n", "line 4: expected a vertex from 1 to 4, got '1_0'"),
    ("col", "p edge 3 2\ne 1 2 e 2 3\n", "line 2: expected two vertices"),
    ("col", "p edge 3 1\ncn 1 2\ne 1 2\n", "line 2: expected an edge .* got 'cn 1 2'"),
    ("gml", "graph [ directed 1.0 ]", "expected 'directed 0' or 'directed 1', got 1.0"),
    ("gml", 'graph [ node [ id 1 ] # [\n directed "0" ]', "or 'directed 1', got \"0\""),
    ("gml", "graph [ directed 0 node [ id 1 ] directed 1 ]", "or 'directed 1', got 0 and 1"),
    ("gml", "graph [ edge [ source 1 target 1\nsource 2 ] ]", "edge #0 has undefined source"),
    ("gml", "graph [ node [ id 1 ] ] ]", "line 1: not GML: expected EOF, found '\\]'"),
    ("gml", "graph [ node [ id 1 ] node [ id 01 ] ]", "not GML: node id 1 is duplicated"),
    ("json", '{"nodes": [], "links": [], "edges": []}', "'edges' or 'links', got both"),
    ("json", '{"nodes": [{"id": 1}], "edges": [], "directed": 1}', "expected true or false, got 1"),
    ("hcp", "1 2\n2 3\n", "line 1: expected a word of TSPLIB"),
    ("col", "p edge 3 1\ne 1 4\n", "line 2: expected two vertices from 1 to 3"),
    ("col", "p edge 3 3\ne 1 2\n", "line 2: expected 3 edges, as line 1 says, got 1: cut short"),
    ("col", "p edge 1000000000 1\ne 1 2\n", "line 1: expected 1 to 1,000,000 nodes"),
    ("col", "p cnf 3 1\n1 2 0\n", "line 1: expected 'p edge', a graph, got 'p cnf'"),
    ("col", "e 1 2\n", "line 1: expected a line 'p edge NODES EDGES'"),
    ("col", "c alone\n", "expected a line 'p edge NODES EDGES', got none"),
    ("edges", "a b\nc\n", "line 2: expected the two nodes of an edge, got 'c'"),
    ("edges", "(0, 1) (1, 2) {}\n", "line 1: expected names with one kind of separator"),
    ("edges", "# alone\n", "expected nodes and edges, got none"),
    ("edges", b"a b\n\xff\xfe c\n", "line 2: expected UTF-8 text, got byte 0xff"),
    ("adjlist", "a b\n[x y\n", "line 2: expected names with one kind of separator"),
    ("g6", "IheA@GU\n", "line 1: expected 8 characters for the edges of 10 nodes, got 6"),
    ("g6", "I é\n", "line 1: expected characters from . to ~"),
    ("g6", "~~~~~~~~\n", "line 1: expected 1 to 1,000,000 nodes"),
    ("g6", "~A\n", "line 1: expected a number of nodes, reached the end"),
    ("s6", ":~~~~~~~~\n", "line 1: expected 1 to 1,000,000 nodes"),
    ("s6", ":A" + "~" * 40, "line 1: expected 2 nodes, got one beyond them"),
    ("graphml", "<graphml>\n<graph>", "line 2: not GraphML: no element found"),
    ("adjlist", "a: b\nb c", "line 2: expected a node and a colon, got 'b c'"),
    ("json", b'{"nodes": "\xff"', "line 1: expected UTF-8 text, got byte 0xff"),
    ("graphml", '<?xml version="1.0"?>\n<gexf><graph/></gexf>', "expected GraphML, got <gexf>"),
    ("graphml", "<graphml><key/></graphml>", "expected a graph in GraphML, got none"),
    ("graphml", "<graphml><graph>\n<node/></graph></graphml>", "node 1: expected a 'id'"),
    ("graphml", "<graphml><graph><edge source='a'/></graph></graphml>", "edge 1: .*'target'"),
    ("graphml", "<graphml><graph><hyperedge/></graph></graphml>", "edges of two nodes"),
    ("graphml", "<graphml><graph><graph/></graph></graphml>", "got a graph within a graph"),
    ("graphml", '<graphml><graph><node id="a"><graph/></node></graph></graphml>', "within a graph"),
    (
        "graphml",
        '<graphml><graph><edge source="a" target="b" directed="true"/></graph></graphml>',
        "edge 1: expected directed edges alone or none, got 'true'",
    ),
    (
        "graphml",
        "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>"
        "<edge source='a' target='b' directed='1'/></graph></graphml>",
        "edge 1: expected directed edges alone or none, got '1'",
    ),
    ("graphml", '<graphml><graph edgedefault="both"/></graphml>', "expected edgedefault"),
    ("graphml", "<graphml><graph x='<edge id=\"a\"/>'/></graphml>", "line 1: not GraphML"),
    ("graphml", LAUGHS, "line 1: not GraphML: .*amplification"),
    ("graphml", '<?xml version="1.0" encoding="none"?><graphml/>', "not GraphML: unknown encoding"),
    (
        "graphml",
        '<graphml><graph edgedefault="undirected"><node id="a"/>'
        '<edge source="a" target="b"/></graph></graphml>',
        "edge 1: expected the id of a node, got 'b'",
    ),
    ("gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "edge #0 has undefined target 2"),
    ("gml", 'graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]', "undefined target 2"),
    ("gml", "graph [\nnode [ id 1\n", "line 3: not GML: expected '\\]', found EOF"),
    ("gml", "graph [\n node [ id 1 ]\n ?\n]", "line 3: not GML: cannot tokenize"),
    ("gml", "graph [\n node [ id ] ]", "line 2: not GML"),
    ("gml", "graph [ node [ id 1 ]\n node [ id 1 ] ]", "not GML: node id 1 is duplicated"),
    ("gml", "graph [ node [ id 1 ]\n edge [ source 1 ] ]", "edge #0 has no 'target' attribute"),
    ("gml", "graph [ node 1 ]", "not GML: expected nodes with an id"),
    ("gml", "Version 1\n", "not GML: input contains no graph"),
    ("gml", "Version 1 ]\n", "line 1: not GML: expected EOF"),
    ("gml", "graph\n5", "not GML"),
    ("gml", "graph [ a " + "[ a " * 100, "line 1: not GML"),
    ("json", '{"nodes": [\n{"id": 1}', "line 2: not valid JSON"),
    ("json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', "edge 1: .* got 2"),
    ("json", '{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "node 2: .* got one twice"),
    ("json", '{"nodes": [{"id": {}}], "links": []}', "node 1: expected a text or number"),
    ("json", '{"nodes": [{"id": 1}, {"id": "1"}], "links": []}', "two called 1"),
    ("json", '{"problem": {"rows": 5}, "tour": null}', "expected node-link JSON"),
    ("json", "[" * 100_000, "not a graph: nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "message"), WRONG, ids=str)
def test_messages_name_the_line(kind, text, message):
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(InputError, match=message):
        parse_graph(data, kind)


@pytest.mark.parametrize("kind", sorted({*READERS} - {"tsp", "d6", "dimacs", "metis"}))
def test_changed_files_are_read_or_refused(kind):
    rng = Random(f"changed {kind}")  # printed by pytest as the seed of what fails
    intact = WRITERS[kind](PETERSEN)
    refused, began = 0, time.process_time()
    for _ in range(60):
        data = bytearray(intact)
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
            found = parse_graph(bytes(data), kind)
        except InputError as error:
            assert "\n" not in " ".join(str(error).split())
            refused += 1
        else:
            assert not list(nx.selfloop_edges(found.graph)) and len(found.graph)
            assert all(type(node) is str for node in found.graph)
    assert refused
    assert time.process_time() - began < 20


# --- read_graph -----------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.edges", b"a b\nb c\nc a\n"),
        ("g.csv", b"source,target,weight\na,b,1\nb,c,2\nc,a,3\n"),
        ("G.EDGELIST", b"a b\nb c\nc a\n"),
        ("g.adjlist", b"a b c\nb c\n"),
        ("graph", b"p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n"),
        ("graph.txt", b">>graph6<<Bw\n"),
    ],
)
def test_a_file_becomes_a_graph(tmp_path, name, text, pack):
    path = tmp_path / (name if pack is bytes else f"{name}.gz")
    path.write_bytes(pack(text))
    for source in (path, str(path)):
        graph = read_graph(source)
        assert type(graph) is nx.Graph and sorted(map(sorted, graph.edges)) == sorted(
            map(sorted, combinations(sorted(graph), 2))
        )
    with path.open("rb") as file:
        kind = None if "." not in name or name.endswith("txt") else name.lower().split(".")[1]
        assert read_graph(file, kind).edges == graph.edges
    assert sorted(hamiltonian_cycle(graph)) == sorted(graph)


def test_edges_that_are_arcs(tmp_path):
    path = tmp_path / "arcs.csv"
    path.write_bytes(b"a;b\nb;c\n")
    graph = read_graph(path, directed=True)
    assert type(graph) is nx.DiGraph and [*graph.edges] == [("a", "b"), ("b", "c")]
    assert type(read_graph(path)) is nx.Graph


@pytest.mark.parametrize(
    ("name", "text", "format", "message"),
    [
        ("board", b"1 2\n3 4\n", None, "expected format=..., one of hcp, tsp, g6"),
        ("g.g6", b"Bw\n", "grph6", "(did you mean graph?)"),
        ("g.g6", b"Bw\nBw\n", None, "expected one graph, got several"),
        ("g.edges", b"", None, "expected a graph, got an empty file"),
        ("g.edges.gz", b"\x1f\x8b\x08", None, "damaged gzip"),
        ("g.csv", b"step,square\n1,a1\n2,b3\n", None, "got a tour, which kt-cp check reads"),
        ("g.csv", b"0,1,1\n1,0,1\n1,1,0\n", None, "got a matrix"),
        ("g.csv", b"0;1.5;0\n1.5;0.0;1\n0;1;0\n", None, "got a matrix"),
        ("g.hcp", TSPLIB_WITH_FIXED_EDGES, None, "expected no required edges"),
    ],
)
def test_what_is_no_graph_is_refused(tmp_path, name, text, format, message):
    path = tmp_path / name
    path.write_bytes(text)
    with pytest.raises(InputError, match=re.escape(message)):
        read_graph(path, format)


def test_a_missing_file_and_a_text_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_graph(tmp_path / "none.edges")
    with pytest.raises(InputError, match="binary mode"):
        read_graph(StringIO("a b\n"), "edges")


def test_a_table_of_three_edges_is_no_matrix(kt_cp, tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("0,1,7\n1,2,7\n2,0,7\n")
    assert kt_cp("solve", path, "--closed").code == 0
    tour = tmp_path / "t.csv"
    assert kt_cp("solve", "3x4", "-o", tour).code == 0
    refused(kt_cp("solve", tour), "got a tour, which kt-cp check reads")
    assert kt_cp("check", tour).code == 0


def test_an_adjacency_list_of_networkx_cannot_hold_blanks(tmp_path, kt_cp):
    graph = nx.Graph([("La Chaux", "Bern"), ("Bern", "Chur"), ("Chur", "La Chaux")])
    nx.write_adjlist(graph, tmp_path / "g.adjlist")
    result = kt_cp("solve", tmp_path / "g.adjlist", "--closed")
    assert result.code == 2 and "'Chaux' has no line of its own" in result.err
    nx.write_adjlist(nx.relabel_nodes(graph, {"La Chaux": "Chaux"}), tmp_path / "h.adjlist")
    assert kt_cp("solve", tmp_path / "h.adjlist", "--closed").code == 0
