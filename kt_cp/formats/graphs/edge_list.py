"""Graphs as lines of names: an edge a line, or a node and its neighbours.

Blanks and tabs separate names.  If any line has a comma or a semicolon between names, this mark
alone separates, in all lines, and blanks belong to names; so does a tab beside names with blanks.
A line that does not fit the others is refused: the same text means different graphs by these rules.
A name in double quotes may hold anything, and doubles a double quote of its own.

A line that begins with ``#``, ``%`` or ``//`` is a comment.  Elsewhere these belong to names, such
as ``50%`` and ``C#``; only behind a blank, in a file without commas, does ``#`` end a line.

networkx reads such files as well.  It does not read quotes, it ends a line at any ``#``, and it
skips lines with a single name.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, islice
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.formats.graphs.parsed_graph import MOST_NODES, ParsedGraph, check_edges, made, numbers_of
from kt_cp.formats.read import Lines
from kt_cp.model.board import shorten
from kt_cp.model.errors import GraphFileError

if TYPE_CHECKING:
    from kt_cp.formats.graphs.parsed_graph import Ends

_BLANKS = " \t\n\v\f\r"
_MARKS = {"\t": "tab", ";": "semicolon", ",": "comma"}
"""What may separate names with blanks."""

_COMMENT = ("#", "%", "//")

_QUOTED = r'"(?:[^"]|"")*+"'
_FIELD = {
    "": re.compile(rf"({_QUOTED})(?![^ \t])|([^ \t]++)"),
    **{
        mark: re.compile(rf"(?:^|{mark}) *+(?:({_QUOTED})[ \t]*+(?![^{mark}])|([^{mark}]*+))")
        for mark in _MARKS
    },
}
"""A name with its quotes, or without any; by the mark that separates names, "" for blanks."""

_PLAIN = {
    mark: re.compile(rf"[\w.:/@+=*!?$&<>|~^`\\ {mark or chr(9)}-]*", re.ASCII) for mark in _FIELD
}
"""Lines in which splitting at the mark is enough."""

_QUOTED_NAME = re.compile(rf"(?<![^ \t,;]){_QUOTED}")
_WITH_DATA = re.compile(r"([^\s,;\"]+[ \t]+[^\s,;\"]+)[ \t]+\{(?:['\"].*)?\}")
"""An edge between blanks with a dictionary, as networkx writes it; its commas separate no names."""

_MARKED = re.compile(rf"((?:{_QUOTED}|[^\"])*?):(?:[ \t]+(.*))?")
"""A node with a colon behind it, and its neighbours."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

_COLUMNS = frozenset(
    {
        ("source", "target"), ("from", "to"), ("src", "dst"), ("tail", "head"),
        ("fromnode", "tonode"), ("fromnodeid", "tonodeid"), ("sourceid", "targetid"),
        ("node1", "node2"), ("id1", "id2"),
    }
)  # fmt: skip
"""Names of columns, in small letters and digits alone."""

_ARROWS = frozenset({"-", "--", "->", "<-", "<->", "=", "=>", "<=>", "—", "–", "→", ":"})
"""What others write between the nodes of an edge, and hardly a node's name."""

_TYPES = frozenset({"directed", "undirected"})
"""In a column called Type, as Gephi writes it."""


def read_edge_list(data: bytes, directed: bool = False) -> ParsedGraph:
    r"""Return the graph of a file whose lines are edges, each of two nodes.

    Whatever stands behind the two names, weights as a rule, plays no part.  A first line with names
    of columns, such as ``source,target``, is left out if no other line has these names.  A column
    ``Type`` may state that all edges are ``directed`` or ``undirected``; else ``directed`` does.

    Raises
    ------
    GraphFileError
        If a line is no edge, or names are separated in different ways.

    Examples
    --------
    >>> found = read_edge_list(b'# three\nNew York,Boston\nBoston,"Portland, ME",0.5\n')
    >>> list(found.graph.edges()), found.weighted
    ([('New York', 'Boston'), ('Boston', 'Portland, ME')], True)
    """
    mark, marked = _separator(_lines(data), columns=2)
    ends: list[str] = []
    heading: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    weighted, column, stated = False, 0, ""
    for number, line in _lines(data):
        names = _names(number, line, mark, columns=2)
        if len(names) < 2 or not (names[0] and names[1]):
            how = f" with a {_MARKS[mark]} between them, as in line {marked}" if mark else ""
            raise GraphFileError(
                f"line {number}: expected the two nodes of an edge{how}, got {shorten(line)!r}"
            )
        if names[1] in _ARROWS:
            raise GraphFileError(
                f"line {number}: expected two names without {names[1]} between them, got "
                f"{shorten(line)!r}"
            )
        third = names[2] if len(names) > 2 else ""
        if not ends and (heading := _columns(number, names)):
            column = [*map(str.lower, names), "type"].index("type")
        elif third[:1] == "{" or _NUMBER.fullmatch(third):
            weighted = weighted or third != "{}"
        elif third and not remarks:
            remarks = (
                f"line {number}: {shorten(third)!r} behind two nodes plays no part in a tour",
            )
        kind = names[column].lower() if 0 < column < len(names) else ""
        if kind in _TYPES and kind != (stated := stated or kind):
            raise GraphFileError(f"line {number}: expected Type {stated}, as before, got {kind}")
        ends += names[:2]
        check_edges(len(ends) // 2, number)
    if heading and ends[2:] and not {*heading} & {*ends[2:]}:
        del ends[:2]
        remark = f"the first line, {' '.join(heading)}, is taken for names of columns"
        remarks = (remark, *remarks)
    elif heading:
        stated = ""
    are_weights = (
        " " in name and _NUMBER.fullmatch(other)
        for name, other in zip(ends[::2], ends[1::2], strict=True)
    )
    if mark and (any if mark == "\t" else all)(are_weights):  # such as "a b 0,5"
        raise GraphFileError(
            f"line {marked}: expected blanks or a {_MARKS[mark]} between names, got both; "
            "names with blanks may stand in double quotes"
        )
    number_of: dict[str, int] = defaultdict(count().__next__)
    directed = stated == "directed" if stated else directed
    found = _found(number_of, numbers_of(ends, number_of), directed)
    return replace(found, weighted=weighted, remarks=remarks, states_direction=stated != "")


def _columns(number: int, names: list[str]) -> tuple[str, ...]:
    """The first two names of a file if they may be those of columns."""
    plain = [re.sub(r"[\W_]", "", name.lower()) for name in names]
    if (plain[0], plain[1]) in _COLUMNS:
        return names[0], names[1]
    if len(plain) > 2 and any({*pair} <= {*plain} for pair in _COLUMNS):
        raise GraphFileError(
            f"line {number}: expected the two nodes of an edge in the first two columns, got "
            f"{shorten(' '.join(names))!r}"
        )
    return ()


def read_adjacency_list(data: bytes, directed: bool = False) -> ParsedGraph:
    r"""Return the graph of a file whose lines are nodes, each with neighbours behind it.

    With ``directed``, arcs lead from the first node of a line to the others.
    A colon may stand between a node and its neighbours, in all lines or in none.

    Raises
    ------
    GraphFileError
        If it holds no node, or its lines are written in different ways.

    Examples
    --------
    >>> list(read_adjacency_list(b"a b c\nb c\nd\n").graph.edges())
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    colons = any(_MARKED.fullmatch(line) for _, line in islice(_lines(data), 1))
    mark, marked = _separator(_neighbours(data) if colons else _lines(data))
    number_of: dict[str, int] = defaultdict(count().__next__)
    named, lengths = array("q"), array("q")
    alone: list[tuple[int, str]] = []
    for number, line in _lines(data):
        parts = _MARKED.fullmatch(line)
        if colons != (parts is not None):
            what = "a node and a colon" if colons else "no colon, as in the lines before"
            raise GraphFileError(f"line {number}: expected {what}, got {shorten(line)!r}")
        names = _names(number, line if parts is None else parts[2] or "", mark)
        while mark and names and not names[-1]:
            names.pop()  # spreadsheets fill up short lines
        if names and mark and mark not in line and '"' not in line and " " in names[-1]:
            alone.append((number, names[-1]))
        if parts is not None:
            node = _names(number, parts[1], mark)
            if len(node) != 1:
                raise GraphFileError(
                    f"line {number}: expected one node before the colon, got {shorten(parts[1])!r}"
                )
            names = node + names
        if not names or not all(names):
            raise GraphFileError(
                f"line {number}: expected a node and its neighbours, got {shorten(line)!r}"
            )
        named.extend(map(number_of.__getitem__, names))
        lengths.append(len(names))
        check_edges(len(named) - len(lengths), number)
    nodes, many = np.array(named), np.array(lengths)
    times = np.bincount(nodes)
    for number, name in alone:
        if times[number_of[name]] == 1:
            raise GraphFileError(
                f"line {number}: expected names with a {_MARKS[mark]} between them, as in line "
                f"{marked}, got {shorten(name)!r}, which is no other line's"
            )
    begin = np.cumsum(many) - many  # of each line
    ends = np.stack([np.repeat(nodes[begin], many - 1), np.delete(nodes, begin)], axis=1)
    found = _found(number_of, ends, directed)
    return found if directed else replace(found, repeated=0)  # many list an edge at both ends


def _neighbours(data: bytes) -> Iterator[tuple[int, str]]:
    """What stands behind the colon of each line that has one."""
    for number, line in _lines(data):
        if parts := _MARKED.fullmatch(line):
            yield number, parts[2] or ""


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Lines that hold names, with their numbers and without blanks at their ends."""
    for number, line in Lines(data):
        line = line.strip(_BLANKS)
        if line and not line.startswith(_COMMENT):
            yield number, line


def _separator(lines: Iterable[tuple[int, str]], columns: int | None = None) -> tuple[str, int]:
    """The mark that separates names, and the first line that has it; "" if blanks separate them.

    The names of nodes stand in the first columns alone, if there is a number of these.
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
            raise _doubtful(number, line)
    return "", 0


def _names(number: int, line: str, mark: str, columns: int | None = None) -> list[str]:
    """The names of a line; those of nodes are in the first columns, or in all."""
    if _PLAIN[mark].fullmatch(line):
        return [name.strip(_BLANKS) for name in line.split(mark)] if mark else line.split()
    names: list[str] = []
    for quoted, name in _FIELD[mark].findall(line):
        name = name.strip(_BLANKS)
        if not mark and name.startswith("#"):
            break
        if not quoted and (columns is None or len(names) < columns) and _is_doubtful(name, mark):
            raise _doubtful(number, line)
        names.append(quoted[1:-1].replace('""', '"') if quoted else name)
    return names


def _is_doubtful(name: str, mark: str) -> bool:
    """Whether a name without quotes is likely to be a part of one, or several."""
    return (
        name.startswith(("'", '"'))
        or " #" in name
        or any(name.count(left) != name.count(right) for left, right in ("()", "[]", "{}"))
        or any(other in name for other in _MARKS if other != mark)
    )


def _doubtful(number: int, line: str) -> GraphFileError:
    return GraphFileError(
        f"line {number}: expected names with one kind of separator, or in double quotes; got "
        f"{shorten(line)!r}"
    )


def _found(nodes: dict[str, int], ends: Ends, directed: bool) -> ParsedGraph:
    if not nodes:
        raise GraphFileError("expected nodes and edges, got none")
    if len(nodes) > MOST_NODES:
        raise GraphFileError(f"expected at most {MOST_NODES:,} nodes, got {len(nodes):,}")
    graph = made([*nodes], ends, directed)
    return ParsedGraph(graph, repeated=len(ends) - graph.number_of_edges(), states_direction=False)
