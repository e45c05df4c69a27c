"""One enumeration under way: all walks that begin in a given way, a few at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.model.errors import TooLargeError

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
    may_end : bool array of shape (vertices,)
        Which vertices they may end on.
    closed : bool
        Whether the last vertex is beside the first, as far as required moves ask.
    """

    prefix: tuple[int, ...]
    may_end: NDArray[np.bool_]
    closed: bool = False


@dataclass(frozen=True)
class BitGraph:
    """A graph as the kernel reads it: the free neighbours of a vertex are the bits of one word.

    Attributes
    ----------
    heads : int64 array of shape (vertices, width)
        Neighbours of each vertex in the order in which they are tried.
    backs : uint64 array of the same shape
        The bit of a vertex in the word of each neighbour.
    free : uint64 array of shape (vertices,)
        A bit for each neighbour.
    required : uint64 array of shape (vertices,), or None
        The bits of the neighbours that belong beside a vertex, where any move is required.
    """

    heads: NDArray[np.int64]
    backs: NDArray[np.uint64]
    free: NDArray[np.uint64]
    required: NDArray[np.uint64] | None = None


def bit_graph(heads: NDArray[np.int32], forced: Sequence[tuple[int, int]] = ()) -> BitGraph:
    """The graph of a symmetric table of neighbours, -1 after the last of each row.

    Raises
    ------
    TooLargeError
        If a vertex has more neighbours than a word has bits.
    """
    import numpy as np

    from kt_cp.enumeration.kernels import WIDTH

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
    required = np.zeros(len(heads), dtype=np.uint64) if forced else None
    for edge in forced:
        assert required is not None
        for tail, head in (edge, edge[::-1]):
            required[tail] |= np.uint64(1 << heads[tail].tolist().index(head))
    return BitGraph(np.maximum(heads, 0).astype(np.int64), backs, free, required)


class Walker:
    """The compiled recursion on one job.

    It is ``exhausted`` once all its walks have been handed out; ``placed`` and ``found`` are the
    vertices placed and the walks found so far.

    Examples
    --------
    >>> import numpy as np
    >>> square = bit_graph(np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32))
    >>> walker = Walker(square, Job((0,), np.ones(4, dtype=np.bool_)))
    >>> walker.next(room=10, steps=100).tolist(), walker.exhausted
    ([[0, 1, 2, 3], [0, 3, 2, 1]], True)
    """

    def __init__(self, graph: BitGraph, job: Job, leaf: int | None = None) -> None:
        import numpy as np

        total = len(graph.free)
        self._graph = graph
        self._free = graph.free.copy()
        self._may_end = job.may_end
        # The bit of the first vertex in the words of its neighbours, where anyone asks for it.
        asked = job.closed and graph.required is not None
        self._closing = np.zeros(total if asked else 0, dtype=np.uint64)
        if asked:
            first = job.prefix[0]
            np.bitwise_or.at(self._closing, graph.heads[first], graph.backs[first])
        self._leaf = total if leaf is None else leaf
        self._base = len(job.prefix)
        self._frames = np.zeros((total, 4), dtype=np.int64)
        self._children = np.zeros(total, dtype=np.uint64)
        self._state = np.zeros(3, dtype=np.int64)
        self.placed = self.found = 0
        self.exhausted = not self._enter(job.prefix)

    def _enter(self, prefix: Sequence[int]) -> bool:
        """Place the first vertices; whether a tour may begin with them."""
        import numpy as np

        from kt_cp.enumeration import kernels

        graph, came = self._graph, 0
        waiting, ends = -1, int(self._may_end.sum())
        for depth, vertex in enumerate(prefix):
            if depth:
                before, *lonely, ends = self._frames[depth - 1].tolist()
                word = int(self._children[depth - 1])
                row = graph.heads[before].tolist()
                way = next((i for i, v in enumerate(row) if v == vertex and word >> i & 1), None)
                if way is None:
                    return False
                came = graph.backs[before, way]
                waiting = max((other for other in lonely if other != vertex), default=-1)
            kernels.enter(
                graph.heads, graph.backs, self._may_end, self._frames, self._children, self._free,
                depth, vertex, waiting, ends,
            )  # fmt: skip
            if graph.required is not None:
                kernels.require(
                    graph.required, self._closing, self._children, self._free,
                    depth, vertex, np.uint64(came),
                )  # fmt: skip
            self._state[kernels.DEPTH] += 1
            self.placed += 1
        return True

    def next(self, *, room: int, steps: int) -> NDArray[np.int32]:
        """Walks found next, one a row, at most as many as there is room: without any, only counted.

        After so many steps, vertices placed or taken back, it returns with what it has.
        """
        import numpy as np

        from kt_cp.enumeration import kernels

        walks = np.empty((room, self._leaf), dtype=np.int32)
        if self.exhausted:
            return walks[:0]
        if self._base == self._leaf:  # the given vertices are the whole walk
            self.exhausted = True
            if self._graph.required is not None and not self._children[self._leaf - 1]:
                return walks[:0]
            self.found += 1
            walks[:1] = self._frames[: self._leaf, kernels.VERTEX]
            return walks[:1]
        placed, found = self._state[[kernels.PLACED, kernels.FOUND]].tolist()
        came = kernels.advance(
            self._graph.heads, self._graph.backs, self._graph.required,
            self._closing, self._may_end, self._frames, self._children, self._free, self._state,
            self._base, self._leaf, steps, walks,
        )  # fmt: skip
        self.exhausted = came == kernels.EXHAUSTED
        new = int(self._state[kernels.FOUND]) - found
        self.placed += int(self._state[kernels.PLACED]) - placed
        self.found += new
        return walks[: min(new, room)]

    def left(self) -> list[tuple[int, ...]]:
        """Beginnings of all walks that were not handed out yet, in their order.

        Examples
        --------
        >>> import numpy as np
        >>> square = bit_graph(np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32))
        >>> walker = Walker(square, Job((0,), np.ones(4, dtype=np.bool_)))
        >>> walker.next(room=1, steps=100).tolist(), walker.left()
        ([[0, 1, 2, 3]], [(0, 3)])
        """
        from kt_cp.enumeration import kernels

        if self.exhausted:
            return []
        depth = int(self._state[kernels.DEPTH])
        walk = self._frames[:depth, kernels.VERTEX].tolist()
        found = [tuple(walk)] if self._base == self._leaf else []
        for length in range(min(depth, self._leaf - 1), self._base - 1, -1):
            row, word = (
                self._graph.heads[walk[length - 1]].tolist(),
                int(self._children[length - 1]),
            )
            ways = (head for bit, head in enumerate(row) if word >> bit & 1)
            found += [(*walk[:length], head) for head in ways]
        return found
