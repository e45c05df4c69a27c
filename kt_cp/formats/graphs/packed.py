"""Graphs packed six bits a character, one a line: graph6, sparse6 and digraph6.

networkx reads the first two bit by bit, which is slow where there are many nodes; here NumPy
unpacks them.  A test holds the two against each other.

Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings".  Vertices are numbers
from 0.  A graph6 is the upper triangle of the adjacency matrix, column by column, a digraph6 the
whole matrix by rows.  A sparse6 is a list of a bit b and a number x: b moves on to the next vertex
v, and x is its neighbour where it is not beyond v, and the next v otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.formats.graphs.found import Found, check_edges, check_nodes
from kt_cp.formats.graphs.numbered import numbered
from kt_cp.model.errors import GraphFileError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HEADERS = (b">>graph6<<", b">>sparse6<<", b">>digraph6<<")
_LEAST, _MOST = 63, 126
_PADDED = 7
"""Pairs, at most, into which the bits at the end of a sparse6 can fall that only fill it up."""


def graphs_in(lines: Iterable[bytes]) -> Iterator[tuple[int, Found]]:
    r"""The graphs of lines, with their lines' numbers; empty lines are passed over.

    Raises
    ------
    GraphFileError
        If a line is no graph.

    Examples
    --------
    >>> [(line, list(found.graph.edges())) for line, found in graphs_in([b"Bg\n", b":Bf\n"])]
    [(1, [('0', '1'), ('1', '2')]), (2, [('0', '1')])]
    """
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        for header in _HEADERS:
            text = text.removeprefix(header)
        if text:
            yield number, _graph(text, f"line {number}")


def read_packed(data: bytes) -> Found:
    """The one graph of a file.

    Raises
    ------
    GraphFileError
        If it holds none, or several.

    Examples
    --------
    >>> read_packed(b">>graph6<<Bw").graph.number_of_edges()
    3
    """
    graphs = graphs_in(data.splitlines())
    found = next(graphs, None)
    if found is None:
        raise GraphFileError("expected a graph in a line, got an empty file")
    return found[1]


def is_many(data: bytes) -> bool:
    """Whether a file holds more than one graph: more than one line that is not empty."""
    return sum(1 for line in data.split(b"\n") if line.strip() and line.strip() not in _HEADERS) > 1


def _graph(text: bytes, where: str) -> Found:
    kind = text[:1] if text[:1] in (b":", b"&") else b""
    codes = np.frombuffer(text, dtype=np.uint8)[len(kind) :]
    wrong = np.flatnonzero((codes < _LEAST) | (codes > _MOST))
    if len(wrong):
        at = int(wrong[0])
        raise GraphFileError(
            f"{where}: expected characters from ? to ~, got {chr(codes[at])!r} at character "
            f"{at + len(kind) + 1}"
        )
    size, rest = _size(codes - np.uint8(_LEAST), where)
    if kind == b":":
        edges = np.array(_sparse(size, rest, where), dtype=np.int64).reshape(-1, 2)
    else:
        bits = size * size if kind else size * (size - 1) // 2
        if len(rest) != -(-bits // 6):
            raise GraphFileError(
                f"{where}: expected {-(-bits // 6):,} characters for the edges of {size:,} nodes, "
                f"got {len(rest):,}"
            )
        ends = _square(_ones(rest, bits), size) if kind else _triangle(_ones(rest, bits))
        check_edges(len(ends[0]), where)
        edges = np.stack(ends, axis=1)
    graph = numbered(range(size), edges, bool(kind == b"&"))
    return Found(graph, repeated=len(edges) - graph.number_of_edges())


def _size(values: NDArray[np.uint8], where: str) -> tuple[int, NDArray[np.uint8]]:
    """The number of vertices, and the values after it."""
    first = values[:2].tolist()
    marks = 0 if first[:1] != [63] else 1 if first[1:] != [63] else 2
    wide = (1, 3, 6)[marks]
    digits = values[marks : marks + wide].tolist()
    if len(digits) < wide:
        raise GraphFileError(f"{where}: expected a number of nodes, got the end: cut short?")
    size = 0
    for digit in digits:
        size = size << 6 | digit
    return check_nodes(size, where), values[marks + wide :]


def _bits(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The six bits of each value, as the rows of an array."""
    high = np.left_shift(values, np.uint8(2), dtype=np.uint8)
    return np.unpackbits(high[:, None], axis=1)[:, :6]


def _ones(values: NDArray[np.uint8], most: int) -> NDArray[np.int64]:
    """Places below ``most`` of the bits that are set, in memory for these alone."""
    some = np.flatnonzero(values)
    bits = _bits(values[some])
    which, place = np.nonzero(bits)
    at: NDArray[np.int64] = some[which] * 6 + place
    return at[at < most]


def _triangle(at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    column = ((1 + np.sqrt(1 + 8 * at.astype(np.float64))) / 2).astype(np.int64)
    column -= column * (column - 1) // 2 > at  # where the root was rounded
    column += column * (column + 1) // 2 <= at
    return at - column * (column - 1) // 2, column


def _square(at: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows, columns = np.divmod(at, size)
    return rows, columns


def _sparse(size: int, values: NDArray[np.uint8], where: str) -> list[tuple[int, int]]:
    wide = 1 + max(1, (size - 1).bit_length())
    check_edges(6 * len(values) // wide, where)
    bits = _bits(values).ravel()
    pairs = bits[: len(bits) // wide * wide].reshape(-1, wide)
    numbers = pairs[:, 1:].astype(np.int64) @ (1 << np.arange(wide - 2, -1, -1))
    found, vertex = [], 0
    for place, (step, number) in enumerate(
        zip(pairs[:, 0].tolist(), numbers.tolist(), strict=True)
    ):
        vertex += step
        if number >= size or vertex >= size:
            if place + _PADDED < len(pairs):
                raise GraphFileError(f"{where}: expected {size:,} nodes, got one beyond them")
            break
        if number > vertex:
            vertex = number
        else:
            found.append((number, vertex))
    return found
