"""Edge and adjacency lists: what separates names, what is a comment, what is refused."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest

from kt_cp.formats.graphs.read import read_graph
from kt_cp.model.errors import InputError


def edges_of(graph):
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
            read_graph(text.encode(), kind)
    else:
        assert edges_of(read_graph(text.encode(), kind).graph) == expected


@pytest.mark.parametrize(("kind", "text", "expected"), READ)
def test_names_are_read_whole(kind, text, expected):
    assert edges_of(read_graph(text.encode(), kind).graph) == expected


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
        read_graph(text.encode(), kind)


def test_text_behind_an_edge_is_reported():
    found = read_graph(b"New York Boston\nBoston Albany 5\n", "edges")
    assert found.remarks == (
        "line 1: 'Boston' behind two nodes plays no part in a tour",
        "weights play no part in a tour",
    )


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
        found = read_graph(text.encode(), kind, directed=graph.is_directed())
        assert nx.utils.edges_equal(found.graph.edges, graph.edges, directed=graph.is_directed())
        assert found.graph.is_directed() == graph.is_directed()
