"""Graphs whose nodes are numbers: edges in lines of one shape are taken all at once.

Line by line, as whatever has another shape is read, it takes ten times as long.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.formats.graphs.found import check_edges, made
from kt_cp.formats.text import Lines
from kt_cp.model.board import shorten

if TYPE_CHECKING:
    import networkx as nx

    from kt_cp.formats.graphs.found import Ends


def numbered(numbers: range, ends: array[int] | Ends, directed: bool = False) -> nx.Graph:
    """The networkx graph of numbers, which become texts, and of edges, both ends of each in turn.

    Examples
    --------
    >>> list(numbered(range(1, 4), array("q", [1, 2, 2, 3])).edges)
    [('1', '2'), ('2', '3')]
    """
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    return made([*map(str, numbers)], pairs - numbers.start, directed)


def lines_of_edges(before: bytes) -> re.Pattern[bytes]:
    """The shape of lines with an edge each, and something before it, as nearly all write them."""
    return re.compile(rb"(?:%s\d{1,9}+[ \t]++\d{1,9}+[ \t]*+\n)*+" % before)


def run(lines: Lines, shape: re.Pattern[bytes], size: int) -> array[int]:
    r"""Both ends of the edges that come next; none if one has a vertex beyond the size.

    Examples
    --------
    >>> run(Lines(b"1 2\n2 3\n-1\n"), lines_of_edges(b""), 3)
    array('q', [1, 2, 2, 3])
    """
    text = lines.run(shape)
    ends = np.fromstring(text.translate(None, b"e"), dtype=np.int64, sep=" ")
    found = array("q")
    if ends.size and not (ends.min() >= 1 and ends.max() <= size):
        lines.back(text)  # line by line it is told where
    else:
        check_edges(len(ends) // 2, lines.number)
        found.frombytes(ends.tobytes())
    return found


def is_number(text: str | None) -> bool:
    """Whether it is a whole number, not a negative one."""
    return bool(text) and text.isascii() and text.isdecimal()  # type: ignore[union-attr]


def shown(text: str | None) -> str:
    """What came, for an error."""
    return repr(shorten((text or "").strip()))
