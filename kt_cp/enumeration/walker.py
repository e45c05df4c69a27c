"""One enumeration under way: all walks that begin in a given way, a few at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.errors import TooLargeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 1_000_000
"""Steps between two looks at the world outside: some tens of milliseconds."""


@dataclass(frozen=True)
class Job:
    """A part of an enumeration: the tours that begin with some vertices.

    Attributes
    ----------
    prefix : tuple of int
        The vertices they begin with.
    may_end : bool array of shape (vertices,)
        Which vertices they may end on.
    """

    prefix: tuple[int, ...]
    may_end: NDArray[np.bool_]


@dataclass(frozen=True)
class Words:
    """A graph as the kernel reads it.

    Attributes
    ----------
    heads : int64 array of shape (vertices, width)
        Neighbours of each vertex in the order in which they are tried.
    backs : uint64 array of the same shape
        The bit of a vertex in the word of each neighbour.
    free : uint64 array of shape (vertices,)
        A bit for each neighbour.
    """

    heads: NDArray[np.int64]
    backs: NDArray[np.uint64]
    free: NDArray[np.uint64]


def words(heads: NDArray[np.int32]) -> Words:
    """Words of a table of neighbours, -1 after the last of each row; it must be symmetric.

    Raises
    ------
    TooLargeError
        If a vertex has more neighbours than a word has bits.
    """
    import numpy as np

    from kt_cp.enumeration.kernel import WIDTH

    if heads.shape[1] > WIDTH:
        raise TooLargeError(
            f"expected at most {WIDTH} neighbours a node to enumerate, got {heads.shape[1]}"
        )
    tails, places = np.nonzero(heads >= 0)
    ends = heads[tails, places].astype(np.int64)
    # Sorted by (tail, head) and by (head, tail), each edge meets its reverse.
    forth, back = np.lexsort((ends, tails)), np.lexsort((tails, ends))
    backs = np.zeros(heads.shape, dtype=np.uint64)
    backs[tails[back], places[back]] = np.uint64(1) << places[forth].astype(np.uint64)
    free = np.zeros(len(heads), dtype=np.uint64)
    np.bitwise_or.at(free, tails, np.uint64(1) << places.astype(np.uint64))
    return Words(np.maximum(heads, 0).astype(np.int64), backs, free)


class Walker:
    """The compiled recursion on one job.

    Attributes
    ----------
    exhausted : bool
        Whether all its walks have been handed out.
    placed, found : int
        Vertices placed and walks found so far.

    Examples
    --------
    >>> import numpy as np
    >>> square = words(np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32))
    >>> walker = Walker(square, Job((0,), np.ones(4, dtype=np.bool_)))
    >>> walker.next(room=10, steps=100).tolist(), walker.exhausted
    ([[0, 1, 2, 3], [0, 3, 2, 1]], True)
    """

    def __init__(self, graph: Words, job: Job, leaf: int | None = None) -> None:
        import numpy as np

        total = len(graph.free)
        self._graph = graph
        self._free = graph.free.copy()
        self._may_end = job.may_end
        self._leaf = total if leaf is None else leaf
        self._base = len(job.prefix)
        self._frames = np.zeros((total, 4), dtype=np.int64)
        self._children = np.zeros(total, dtype=np.uint64)
        self._state = np.zeros(3, dtype=np.int64)
        self.placed = self.found = 0
        self.exhausted = not self._enter(job.prefix)

    def _enter(self, prefix: Sequence[int]) -> bool:
        """Place the given vertices; whether a tour may begin with them."""
        from kt_cp.enumeration import kernel

        waiting, ends = -1, int(self._may_end.sum())
        for depth, vertex in enumerate(prefix):
            if depth:
                before, *lonely, ends = self._frames[depth - 1].tolist()
                word = int(self._children[depth - 1])
                row = self._graph.heads[before].tolist()
                if not any(word >> i & 1 and head == vertex for i, head in enumerate(row)):
                    return False
                waiting = max((other for other in lonely if other != vertex), default=-1)
            kernel.enter(
                self._graph.heads, self._graph.backs, self._may_end,
                self._frames, self._children, self._free, depth, vertex, waiting, ends,
            )  # fmt: skip
            self._state[kernel.DEPTH] += 1
            self.placed += 1
        return True

    def next(self, *, room: int, steps: int) -> NDArray[np.int32]:
        """Walks found next, one a row.

        Parameters
        ----------
        room : int
            Most walks to return; with 0 they are only counted.
        steps : int
            Most vertices to place or take back before it returns, with what it has.
        """
        import numpy as np

        from kt_cp.enumeration import kernel

        walks = np.empty((room, self._leaf), dtype=np.int32)
        if self.exhausted:
            return walks[:0]
        if self._base == self._leaf:  # the given vertices are the whole walk
            self.exhausted = True
            self.found += 1
            walks[:1] = self._frames[: self._leaf, kernel.VERTEX]
            return walks[:1]
        placed, found = self._state[[kernel.PLACED, kernel.FOUND]].tolist()
        came = kernel.advance(
            self._graph.heads, self._graph.backs, self._may_end,
            self._frames, self._children, self._free, self._state,
            self._base, self._leaf, steps, walks,
        )  # fmt: skip
        self.exhausted = came == kernel.EXHAUSTED
        new = int(self._state[kernel.FOUND]) - found
        self.placed += int(self._state[kernel.PLACED]) - placed
        self.found += new
        return walks[: min(new, room)]
