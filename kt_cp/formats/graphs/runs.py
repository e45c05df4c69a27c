"""Edges that stand side by side in a file and say nothing but their ends: thousands in one step.

The names of nodes are short as a rule.  Up to eight bytes are one number of 64 bits, so that NumPy
finds all names of a text in the list of nodes at once.  Making a text of Python's of each, and
looking it up, takes three times as long; that is done where a name is longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.formats.graphs.found import Ends

_WIDE = 8
_MASKS = np.array([(1 << 8 * wide) - 1 for wide in range(_WIDE + 1)] + [0], dtype="<u8")
"""By the bytes of a name, those that are its own; of a longer one none."""


@dataclass(frozen=True)
class Run:
    """Words between blanks, of which those after two marks are the ends of an edge, in turn.

    Examples
    --------
    >>> run = Run(b"edge from a to b edge from b to c", (b"from", b"to"))
    >>> list(run.pairs()), run.ends(short_names("abc")).tolist()
    ([('a', 'b'), ('b', 'c')], [[0, 1], [1, 2]])
    """

    text: bytes
    marks: tuple[bytes, bytes]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The edges by the names of nodes."""
        words = self.text.decode().split()
        ends = (
            [words[at + 1] for at, word in enumerate(words) if word == mark.decode()]
            for mark in self.marks
        )
        return zip(*ends, strict=True)

    def ends(self, nodes: NDArray[np.uint64]) -> Ends | None:
        """The edges by the numbers of nodes; None if one has a name that is not among the short."""
        inside = np.frombuffer(self.text, dtype=np.uint8) > ord(" ")
        begin, end = np.flatnonzero(np.diff(inside, prepend=False, append=False)).reshape(-1, 2).T
        shape, padded = len(self.text), self.text + bytes(_WIDE)
        at_each = np.ndarray(shape, dtype="<u8", buffer=padded, strides=(1,))
        words = at_each[begin] & _MASKS[np.minimum(end - begin, _WIDE + 1)]
        marks = (np.flatnonzero(words == short_names([mark.decode()])) for mark in self.marks)
        names = np.stack([words[at + 1] for at in marks], axis=1)
        order = np.argsort(nodes)
        found = np.searchsorted(nodes, names, sorter=order)
        found = order[np.minimum(found, len(nodes) - 1)]
        return found if np.all((nodes[found] == names) & (names > 0)) else None


def short_names(names: Iterable[str]) -> NDArray[np.uint64]:
    """Names as numbers of 64 bits; 0 for one that is too long."""
    texts = (name.encode() for name in names)
    return np.array(
        [int.from_bytes(text, "little") if len(text) <= _WIDE else 0 for text in texts],
        dtype="<u8",
    )
