"""Graphs as lines of names: an edge a line, or a node and its neighbours.

Blanks and tabs separate names.  If any line has a comma or a semicolon between names, this mark is
the only separator in all lines, and blanks belong to names.  The same holds for a tab if names
contain blanks.  A line that does not fit the others is refused, since it could be read as another
graph.  A name in double quotes may contain anything; double quotes in it are doubled.

A line that begins with ``#``, ``%`` or ``//`` is a comment.  Elsewhere these belong to names, such
as ``50%`` and ``C#``; only after a blank, in a file without commas, ``#`` ends a line.

networkx reads such files as well.  It does not read quotes, it ends a line at any ``#``, and it
skips lines with a single name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from kt_cp.formats.graphs.parsed_graph import (
    MOST_NODES,
    ParsedGraph,
    build_graph,
    check_edges,
    wrong_line,
)
from kt_cp.formats.read import Lines
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

_BLANKS = " \t\n\v\f\r"
_MARKS = {"\t": "tab", ";": "semicolon", ",": "comma"}
"""Separators of names with blanks."""

_COMMENT = ("#", "%", "//")

_QUOTED = r'"(?:[^"]|"")*+"'
_FIELD = {
    "": re.compile(rf"({_QUOTED})(?![^ \t])|([^ \t]++)"),
    **{
        mark: re.compile(rf"(?:^|{mark}) *+(?:({_QUOTED})[ \t]*+(?![^{mark}])|([^{mark}]*+))")
        for mark in _MARKS
    },
}
"""A name with or without quotes, by the separator, "" for blanks."""

_PLAIN = {
    mark: re.compile(rf"[\w.:/@+=*!?$&<>|~^`\\ {mark or chr(9)}-]*", re.ASCII) for mark in _FIELD
}
"""Lines that only have to be split at the separator."""

_QUOTED_NAME = re.compile(rf"(?<![^ \t,;]){_QUOTED}")
_WITH_DATA = re.compile(r"([^\s,;\"]+[ \t]+[^\s,;\"]+)[ \t]+\{(?:['\"].*)?\}")
"""An edge with a dictionary, as networkx writes it; the commas in it do not separate names."""

_BY_NETWORKX = re.compile(rb"#[^\n]*\n# GMT ")
"""The comment that ``networkx.write_adjlist`` writes first."""

_MARKED = re.compile(rf"((?:{_QUOTED}|[^\"])*?):(?:[ \t]+(.*))?")
"""A node, a colon, and its neighbours."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

_NO_WEIGHTS: dict[str, float] = {}
"""The attributes that all edges without weights share, to save memory."""

_PAIR = re.compile(r"['\"]([^'\"]*)['\"]: *([^,}]*)")
"""A key and a number in data as networkx writes it."""

_COLUMNS = frozenset(
    {
        ("source", "target"), ("from", "to"), ("src", "dst"), ("tail", "head"),
        ("fromnode", "tonode"), ("fromnodeid", "tonodeid"), ("sourceid", "targetid"),
        ("node1", "node2"), ("id1", "id2"),
    }
)  # fmt: skip
"""Names of columns, reduced to small letters and digits."""

_ARROWS = frozenset({"-", "--", "->", "<-", "<->", "=", "=>", "<=>", "—", "–", "→", ":"})
"""Arrows of other programs between the nodes of an edge."""

_TYPES = frozenset({"directed", "undirected"})
"""Values of the column Type of Gephi."""


def read_edge_list(data: bytes, directed: bool = False) -> ParsedGraph:
    r"""Return the graph of a file of edges, two nodes a line.

    Text after the two names, such as a weight, plays no part.  Between blanks it must be numbers,
    or data as networkx writes it: ``New York Boston`` is not an edge from New to York.  A first
    line with names of columns, such as ``source,target``, is left out if no other line has these
    names.  A column ``Type`` may state that all edges are ``directed`` or ``undirected``; the
    default is the parameter.

    >>> parsed = read_edge_list(b'# three\nNew York,Boston\nBoston,"Portland, ME",0.5\n')
    >>> list(parsed.graph.edges()), parsed.weighted
    ([('New York', 'Boston'), ('Boston', 'Portland, ME')], True)
    """
    mark, marked = _separator(_lines(data), columns=2)
    ends: list[str] = []
    heading: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    weights: list[dict[str, float]] = []
    keys = ["weight"]
    weighted, column, stated = False, 0, ""
    for number, line in _lines(data):
        names = _names(number, line, mark, columns=2)
        if len(names) < 2 or not (names[0] and names[1]):
            how = f" with a {_MARKS[mark]} between them, as in line {marked}" if mark else ""
            raise wrong_line(number, f"the two nodes of an edge{how}", line)
        if names[1] in _ARROWS:
            raise wrong_line(number, f"two names without {names[1]} between them", line)
        third = names[2] if len(names) > 2 else ""
        if not ends and (heading := _columns(number, names)):
            column = [*map(str.lower, names), "type"].index("type")
            keys = names[2:]
        elif not mark and not heading and " " in line and (text := _text_behind(names)):
            raise GraphFileError(
                f"line {number}: expected two nodes and perhaps a weight, got {shorten(text)!r} "
                "after them; put names with blanks in double quotes, or a comma or a tab between "
                "the nodes in all lines"
            )
        elif third[:1] == "{" or _NUMBER.fullmatch(third):
            weighted = weighted or third != "{}"
        elif third and not remarks:
            remarks = (
                f"line {number}: {shorten(third)!r} after two nodes plays no part in a tour",
            )
        kind = names[column].lower() if 0 < column < len(names) else ""
        if kind in _TYPES and kind != (stated := stated or kind):
            raise GraphFileError(f"line {number}: expected Type {stated}, as before, got {kind}")
        ends += names[:2]
        weights.append(_weights(names[2:], keys) if third else _NO_WEIGHTS)
        check_edges(len(ends) // 2, f"line {number}")
    if heading and ends[2:] and not {*heading} & {*ends[2:]}:
        del ends[:2], weights[:1]
        remark = f"the first line, {' '.join(heading)}, is taken for names of columns"
        remarks = (remark, *remarks)
    elif heading:
        stated, weights = "", [_NO_WEIGHTS] * len(weights)
    pairs = list(zip(ends[::2], ends[1::2], strict=True))
    are_weights = (" " in name and _NUMBER.fullmatch(other) for name, other in pairs)
    if mark and (any if mark == "\t" else all)(are_weights):  # such as "a b 0,5"
        raise GraphFileError(
            f"line {marked}: expected blanks or a {_MARKS[mark]} between names, got both; "
            "names with blanks may stand in double quotes"
        )
    directed = stated == "directed" if stated else directed
    edges = list(zip(ends[::2], ends[1::2], weights, strict=True))
    parsed = _build(edges, dict.fromkeys(ends), directed)
    return replace(parsed, weighted=weighted, remarks=remarks, states_direction=stated != "")


def read_csv(data: bytes, directed: bool = False) -> ParsedGraph:
    r"""Return the graph of a table whose first two columns are the nodes of an edge.

    It is read as an edge list.  Tours of this package and matrices are refused: their first two
    columns would be another graph.

    >>> list(read_csv(b"source,target\na,b\nb,c\n").graph.edges())
    [('a', 'b'), ('b', 'c')]
    """
    rows = [re.split("[,;\t]", line) for _, line in islice(_lines(data), MOST_ROWS)]
    if rows and rows[0][0].strip('" ').lower() == "step":
        raise GraphFileError("expected the edges of a graph, got a tour, which kt-cp check reads")
    is_square = len(rows) > 2 and all(len(row) == len(rows) for row in rows)
    diagonal = [row[place].strip() for place, row in enumerate(rows)] if is_square else [""]
    if all(_NUMBER.fullmatch(cell) and not float(cell) for cell in diagonal):
        raise GraphFileError(
            "expected two nodes a line, got a matrix: networkx.from_numpy_array makes a graph of it"
        )
    return read_edge_list(data, directed)


MOST_ROWS = 10_000
"""Rows of a table in which a matrix is recognized."""


def _weights(values: list[str], keys: list[str]) -> dict[str, float]:
    """Return the numbers after two nodes, by the names of their columns.

    >>> _weights(["2.5"], ["weight"]), _weights(["{'weight': 3}"], ["weight"])
    ({'weight': 2.5}, {'weight': 3.0})
    """
    pairs: Iterable[tuple[str, str]] = zip(keys, values, strict=False)
    if values and values[0][:1] == "{":
        pairs = _PAIR.findall(" ".join(values))
    return {key: float(text) for key, text in pairs if _NUMBER.fullmatch(text)}


def _text_behind(names: list[str]) -> str:
    """Return the text after two nodes that is not a number, a type, or data of networkx."""
    if len(names) < 3 or names[2].startswith("{") or names[2].lower() in _TYPES:
        return ""
    return next((name for name in names[2:] if not _NUMBER.fullmatch(name)), "")


def _columns(number: int, names: list[str]) -> tuple[str, ...]:
    """Return the first two names of a file if they may be names of columns."""
    plain = [re.sub(r"[\W_]", "", name.lower()) for name in names]
    if (plain[0], plain[1]) in _COLUMNS:
        return names[0], names[1]
    if len(plain) > 2 and any({*pair} <= {*plain} for pair in _COLUMNS):
        what = "the two nodes of an edge in the first two columns"
        raise wrong_line(number, what, " ".join(names))
    return ()


def read_adjacency_list(data: bytes, directed: bool = False) -> ParsedGraph:
    r"""Return the graph of a file with a node and its neighbours in each line.

    With ``directed``, arcs lead from the first node of a line to the others.  A colon may stand
    between a node and its neighbours, in all lines or in none.

    >>> list(read_adjacency_list(b"a b c\nb c\nd\n").graph.edges())
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    colons = any(_MARKED.fullmatch(line) for _, line in islice(_lines(data), 1))
    mark, marked = _separator(_neighbours(data) if colons else _lines(data))
    nodes: dict[str, None] = {}
    edges: list[tuple[str, str]] = []
    heads: set[str] = set()
    alone: list[tuple[int, str]] = []
    times: Counter[str] = Counter()
    for number, line in _lines(data):
        parts = _MARKED.fullmatch(line)
        if colons != (parts is not None):
            what = "a node and a colon" if colons else "no colon, as in the lines before"
            raise wrong_line(number, what, line)
        names = _names(number, line if parts is None else parts[2] or "", mark)
        while mark and names and not names[-1]:
            names.pop()  # spreadsheets fill up short lines
        if names and mark and mark not in line and '"' not in line and " " in names[-1]:
            alone.append((number, names[-1]))
        if parts is not None:
            node = _names(number, parts[1], mark)
            if len(node) != 1:
                raise wrong_line(number, "one node before the colon", parts[1])
            names = node + names
        if not names or not all(names):
            raise wrong_line(number, "a node and its neighbours", line)
        nodes.update(dict.fromkeys(names))
        heads.add(names[0])
        edges += ((names[0], name) for name in names[1:])
        times.update(names)
        check_edges(len(edges), f"line {number}")
    for number, name in alone:
        if times[name] == 1:
            raise GraphFileError(
                f"line {number}: expected names with a {_MARKS[mark]} between them, as in line "
                f"{marked}, got {shorten(name)!r}, which is no other line's"
            )
    if _BY_NETWORKX.match(data) and (cut := nodes.keys() - heads):
        raise GraphFileError(
            f"{shorten(min(cut))!r} has no line of its own, although networkx writes one for every "
            "node: an adjacency list cannot hold names with blanks; write GraphML"
        )
    parsed = _build(edges, nodes, directed)
    return parsed if directed else replace(parsed, repeated=0)  # many list an edge at both ends


def _neighbours(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the text after the colon of each line that has one."""
    for number, line in _lines(data):
        if parts := _MARKED.fullmatch(line):
            yield number, parts[2] or ""


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield lines with names, without blanks at their ends, and their numbers."""
    for number, line in Lines(data):
        line = line.strip(_BLANKS)
        if line and not line.startswith(_COMMENT):
            yield number, line


def _separator(lines: Iterable[tuple[int, str]], columns: int | None = None) -> tuple[str, int]:
    """Return the mark that separates names, "" for blanks, and the first line that has it.

    Names of nodes are in the first ``columns`` alone, if a number is given.
    """
    for number, line in lines:
        if "," not in line and ";" not in line and "\t" not in line:
            continue
        text = _QUOTED_NAME.sub("quoted", line)
        text = re.split(r"[ \t]#", text, maxsplit=1)[0]
        if columns and (edge := _WITH_DATA.fullmatch(text)):
            text = edge[1]
        marks = [mark for mark in _MARKS if mark in text]
        if marks == ["\t"] and all(" " not in each.strip(" ") for each in text.split("\t")):
            continue  # a blank like others
        for mark in marks:
            others = [other for other in marks if other != mark]
            names = [name.strip(_BLANKS) for name in text.split(mark)][:columns]
            # A tab is often behind the first node of an adjacency list, and blanks between others.
            if (columns or mark != "\t") and not any(
                each in name for each in others for name in names
            ):
                return mark, number
        if marks:
            raise _ambiguous(number, line)
    return "", 0


def _names(number: int, line: str, mark: str, columns: int | None = None) -> list[str]:
    """Return the names of a line; those of nodes are in the first columns, or in all."""
    if _PLAIN[mark].fullmatch(line):
        return [name.strip(_BLANKS) for name in line.split(mark)] if mark else line.split()
    names: list[str] = []
    for quoted, name in _FIELD[mark].findall(line):
        name = name.strip(_BLANKS)
        if not mark and name.startswith("#"):
            break
        if not quoted and (columns is None or len(names) < columns) and _is_ambiguous(name, mark):
            raise _ambiguous(number, line)
        names.append(quoted[1:-1].replace('""', '"') if quoted else name)
    return names


def _is_ambiguous(name: str, mark: str) -> bool:
    """Return whether a name without quotes is probably a part of a name, or several names."""
    return (
        name.startswith(("'", '"'))
        or " #" in name
        or any(name.count(left) != name.count(right) for left, right in ("()", "[]", "{}"))
        or any(other in name for other in _MARKS if other != mark)
    )


def _ambiguous(number: int, line: str) -> GraphFileError:
    expected = "names with one kind of separator, or in double quotes"
    return wrong_line(number, expected, line)


def _build(edges: Sequence[Any], nodes: Iterable[str], directed: bool) -> ParsedGraph:
    nodes = [*nodes]
    if not nodes:
        raise GraphFileError("expected nodes and edges, got none")
    if len(nodes) > MOST_NODES:
        raise GraphFileError(f"expected at most {MOST_NODES:,} nodes, got {len(nodes):,}")
    return build_graph(nodes, edges, directed, states_direction=False)
