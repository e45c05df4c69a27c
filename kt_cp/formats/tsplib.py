"""Hamiltonian cycle problems in the format of TSPLIB.

G. Reinelt, "TSPLIB 95": ``TYPE : HCP``, and the edges as a list of pairs, vertices counted from 1,
closed by -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

AT_ONCE = 10_000
"""Edges of one piece of text."""


def hcp_pieces(
    name: str, comments: Iterable[str], size: int, edges: Iterable[tuple[int, int]]
) -> Iterator[str]:
    """Text of a Hamiltonian cycle problem, piece by piece.

    Parameters
    ----------
    name : str
        Without blanks.
    size : int
        Number of vertices; here they are 0 … size - 1.

    Examples
    --------
    >>> print("".join(hcp_pieces("triangle", ["as an example"], 3, [(0, 1), (0, 2), (1, 2)])))
    NAME : triangle
    TYPE : HCP
    COMMENT : as an example
    DIMENSION : 3
    EDGE_DATA_FORMAT : EDGE_LIST
    EDGE_DATA_SECTION
    1 2
    1 3
    2 3
    -1
    EOF
    <BLANKLINE>
    """
    head = [f"NAME : {name}", "TYPE : HCP", *(f"COMMENT : {line}" for line in comments)]
    head += [f"DIMENSION : {size}", "EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION"]
    yield "\n".join(head) + "\n"
    lines = (f"{u + 1} {v + 1}\n" for u, v in edges)
    while piece := "".join(islice(lines, AT_ONCE)):
        yield piece
    yield "-1\nEOF\n"
