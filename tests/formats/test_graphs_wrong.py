"""Files of graphs that are wrong: refused in a line that says where, or read as what they are."""

from __future__ import annotations

import time
from random import Random

import networkx as nx
import pytest

from kt_cp.formats.graphs.read import READERS, read_graph
from kt_cp.model.errors import InputError
from tests.examples.graph_files import PETERSEN, WRITERS

HCP = "TYPE : HCP\nDIMENSION : 4\nEDGE_DATA_SECTION\n"
MATRIX = "%%MatrixMarket matrix coordinate pattern symmetric\n"
WRONG = [
    ("hcp", "", "empty file"),
    ("hcp", HCP + "1 5\n-1\n", "line 4: expected a vertex from 1 to 4, got '5'"),
    ("hcp", HCP + "1 2\n2 3\n", "line 5: expected -1 after the last edge.*cut short"),
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
    ("hcp", HCP.replace("HCP", "TSP"), "line 1: expected TYPE : HCP.*'TSP'"),
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
    ("graph", "3 3\n2\n1 3\n2\n", "expected 3 edges, as line 1 says, got 2"),
    ("mtx", MATRIX.replace("coordinate", "array") + "2 2\n0\n", "line 1: expected '%%MatrixM"),
    ("mtx", MATRIX.replace("pattern", "quaternion") + "2 2 1\n2 1\n", "line 1: expected"),
    ("mtx", MATRIX + "% x\n2 3 1\n2 1\n", "line 3: expected rows, as many columns, and entries"),
    ("mtx", MATRIX + "2 2 1\n3 1\n", "line 3: expected two indices from 1 to 2"),
    ("mtx", MATRIX + "2 2 1\n2 1 5\n", "line 3: expected two indices .* kind pattern, got '2 1 5'"),
    ("mtx", MATRIX + "3 3 2\n2 1\n", "line 3: expected 2 entries, as line 2 says, got 1"),
    ("mtx", MATRIX, "expected rows, columns and entries, got the end"),
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
    ("g6", "~A\n", "line 1: expected a number of nodes, got the end"),
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
    ("graphml", '<!DOCTYPE g [<!ENTITY a "b">]><graphml/>', "line 1: .*an entity"),
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


@pytest.mark.parametrize("kind", sorted({*READERS} - {"tsp", "d6", "dimacs", "metis"}))
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
