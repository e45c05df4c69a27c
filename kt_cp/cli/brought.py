"""What is named in place of a board's sides: a file with a drawing, a problem, a graph or more."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.cli.files import shown
from kt_cp.cli.output import read_bytes, remark
from kt_cp.formats.drawing import read_board
from kt_cp.formats.read import read_problem
from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.errors import InputError
from kt_cp.model.places import FILE
from kt_cp.model.problem import Problem, changed

if TYPE_CHECKING:
    from kt_cp.formats.graphs.parsed_graph import ParsedGraph

Drawing = tuple[Board, dict[Square, int]]

LONGEST = 1 << 26
"""Bytes of a line that is a graph."""


@dataclass(frozen=True)
class Graphs:
    """Graphs of a file or of stdin, one a line."""

    path: Path
    data: bytes | None

    def each(self) -> Iterator[ParsedGraph]:
        """One by one, as they come; what is left out of one is not told."""
        from kt_cp.formats.graphs.networkx_formats import read_graphs6
        from kt_cp.formats.graphs.parsed_graph import simplify

        lines = self.data.splitlines() if self.data is not None else _lines()
        try:
            for number, found in read_graphs6(lines):
                yield _named(simplify(found), f"line {number}")
        except InputError as error:
            raise InputError(f"{shown(self.path)}: {error}") from None


def brought(
    name: str | None, kind: str | None, *, directed: bool = False, arcs: bool = False
) -> Drawing | Problem | ParsedGraph | Graphs | None:
    """What a file holds, or stdin for ``-``; None where the name is none of a file.

    ``kind`` is the format that was asked for, as the ending of a name.  With ``directed`` or
    ``arcs``, edges are arcs if the file leaves that open; ``directed`` requires that it does.

    Raises
    ------
    InputError
        If it is not what its name, or its kind, says.
    """
    from kt_cp.formats.graphs.parsed_graph import ParsedGraph

    found = _read(name, kind, directed or arcs)
    path = Path(name or "")
    if directed and not (isinstance(found, ParsedGraph) and not found.states_direction):
        graph = None if isinstance(found, tuple) else getattr(found, "graph", None)
        what = (
            "a board"
            if graph is None
            else f"{'a ' if graph.is_directed() else 'an un'}directed graph"
        )
        what = "graphs of a format that states it" if isinstance(found, Graphs) else what
        raise undirectable(f"{what} in {shown(path)}" if found else "none")
    if isinstance(found, ParsedGraph):
        for what in found.remarks:
            remark(f"kt-cp: {shown(path)}: {what}")
        return _named(found, shorten(path.name) if name != "-" else "graph")
    return found


def undirectable(actual: str) -> InputError:
    """The error of an option ``--directed`` that has nothing to say."""
    return InputError(
        "--directed: expected a file that leaves open whether edges are directed, such as an edge "
        f"list; got {actual}"
    )


def _read(
    name: str | None, kind: str | None, directed: bool
) -> Drawing | Problem | ParsedGraph | Graphs | None:
    """The same, with its remarks."""
    from kt_cp.formats.graphs import read as graphs

    if kind is not None and kind not in graphs.READERS:
        known = ", ".join(graphs.READERS)
        raise InputError(f"--format-in: expected one of {known}; got {shorten(kind)!r}")
    path = Path(name or "")
    kind = kind or (graphs.kind_named(name) if name else None)
    if name == "-" and kind in graphs.LINES:
        return Graphs(path, None)
    if not name:
        return None
    if name != "-" and kind is None and not path.exists():
        raise InputError(
            "expected a board as ROWSxCOLUMNS, such as 8x10, or a file with a drawn one; "
            f"got {shown(path)!r}, and there is no such file"
        )
    data = read_bytes(path, "a graph" if kind else "a drawing of a board")
    try:
        kind = kind or graphs.kind_of(data)
        if kind is None:
            return read_board(data)
        if kind in graphs.LINES:
            from kt_cp.formats.graphs.networkx_formats import has_several_lines

            if has_several_lines(data):
                return Graphs(path, data)
        if kind == "json" and (problem := read_problem(data)) is not None:
            return problem
        return graphs.read_graph(data, kind, directed=directed)
    except InputError as error:
        hint = "" if kind else "; a graph is told by its ending, or by --format-in"
        raise InputError(f"{shown(path)}: {error}{hint}") from None


def said_of(asked: Problem, said: Mapping[str, Any], usual: Mapping[str, Any]) -> Problem:
    """The problem of a file, but for what was said: steps and moves that were said are added."""
    over = {*said, *(["end"] if said.get("closed") else [])}
    kept = [each for each in asked.conditions if each.many or each.key not in over]
    new = {name: value for name, value in usual.items() if getattr(asked, name) is None}
    return changed(asked, **{**new, **said, "conditions": kept})


def _named(found: ParsedGraph, name: str) -> ParsedGraph:
    """The same, its graph under the name of its file."""
    found.graph.graph[FILE] = name
    return found


def _lines() -> Iterator[bytes]:
    if sys.stdin is None:
        raise InputError("cannot read -: it is closed")
    while line := sys.stdin.buffer.readline(LONGEST):
        yield line
