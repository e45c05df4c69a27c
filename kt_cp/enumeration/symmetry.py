"""Tours up to the board's symmetries, decided tour by tour.

A rectangle has four symmetries and a square board has eight.  Only those are used that preserve the
problem: its squares, and its allowed and required moves.  If direction does not matter, a symmetry
may also reverse the tour.  The class of a tour is the set of its images that begin and end as
required.

Listing one tour of each class does not require storing tours.  Tours are found in lexicographic
order of the choices of moves.  So a tour is the first of its class if and only if no symmetry maps
it to a tour with an earlier choice at the first difference.  The size of the class is the number of
symmetries with a listed image, divided by the number of symmetries that preserve the tour.

Source: orderly generation, after R. C. Read, "Every one a winner", Annals of Discrete Mathematics 2
(1978).  Cost: symmetries × squares for a tour at worst, but usually a few comparisons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kt_cp.model.board import Square
from kt_cp.model.move_order import MoveTable
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BoardSymmetry = tuple[list[int], bool]
"""The image of each vertex, and whether the tour is then reversed."""


def symmetries(problem: Problem, index: dict[Any, int], *, directed: bool) -> list[BoardSymmetry]:
    """Return all symmetries of a problem; without ``directed``, each also with reversal.

    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(5, 5))
    >>> index = {square: vertex for vertex, square in enumerate(problem.board)}
    >>> len(symmetries(problem, index, directed=True))
    8
    """
    images = [[index[image[node]] for node in index] for image in _images(problem, index)]
    motion = required_image(problem)
    if motion is not None and bool((motion >= 0).all()):  # otherwise there is no tour
        images = [image for image in images if _commutes_with(image, motion.tolist())]
    if len(images) > 1:
        allowed, forced = problem.indexed.pairs(), problem.forced
        images = [
            image
            for image in images
            if _preserves_edges(image, allowed) and _preserves_edges(image, forced)
        ]
    ways = (False,) if directed or problem.size == 1 else (False, True)
    return [(image, back) for image in images for back in ways]


def _preserves_edges(image: list[int], edges: list[tuple[int, int]]) -> bool:
    """Return whether a symmetry maps a set of edges, smaller vertex first, to itself."""
    images = ((image[u], image[v]) for u, v in edges)
    return {(u, v) if u < v else (v, u) for u, v in images} == set(edges)


def _commutes_with(image: list[int], motion: list[int]) -> bool:
    """Return whether a symmetry preserves the set of tours that a motion maps to themselves.

    That is so if the symmetry commutes with the motion, or conjugates it to its inverse.
    """
    pairs = list(zip(image, (image[at] for at in motion), strict=True))
    return all(motion[u] == v for u, v in pairs) or all(motion[v] == u for u, v in pairs)


def _images(problem: Problem, nodes: dict[Any, int]) -> list[dict[Any, Any]]:
    """Return the symmetries as images of squares; for a graph, only the identity."""
    board = problem.board
    if board is None:
        return [{node: node for node in nodes}]
    rows, columns = board.rows, board.columns

    def transform(square: Square, swap: bool, down: bool, across: bool) -> Square:
        row, column = square[::-1] if swap else square
        return (rows - 1 - row if down else row, columns - 1 - column if across else column)

    images = [
        {square: transform(square, swap, down, across) for square in nodes}
        for swap in ((False, True) if rows == columns else (False,))
        for down in (False, True)
        for across in (False, True)
    ]
    return [image for image in images if set(image.values()) == set(nodes)]


def required_image(problem: Problem) -> NDArray[np.int64] | None:
    """Return the image of each vertex under the required symmetry, -1 for none; None without one.

    >>> required_image(Problem("2x2", symmetry="quarter-turn")).tolist()
    [2, 0, 3, 1]
    """
    from kt_cp.model.orbits import images, motion_of

    motion = motion_of(problem)
    if motion is None:
        return None
    assert problem.board is not None  # graphs have no symmetry conditions
    return images(problem.indexed, problem.board, motion)


def is_invariant(
    walks: NDArray[np.int32], image: NDArray[np.int64], closed: bool
) -> NDArray[np.bool_]:
    """Return a mask of the tours, one per row, with a set of moves that the symmetry preserves.

    >>> import numpy as np
    >>> walks = np.array([[0, 1, 2, 3], [1, 0, 2, 3]], dtype=np.int32)
    >>> is_invariant(walks, np.array([3, 2, 1, 0]), closed=False).tolist()
    [True, False]
    """
    import numpy as np

    many, total = walks.shape
    if total < 2:
        return np.ones(many, dtype=np.bool_)
    if bool((image < 0).any()):
        return np.zeros(many, dtype=np.bool_)
    step = np.argsort(walks, axis=1)
    mapped = np.take_along_axis(step, image[walks], axis=1)
    gaps = np.abs(np.diff(mapped, axis=1, append=mapped[:, :1]))
    if not closed:
        return np.asarray((gaps[:, :-1] == 1).all(axis=1))
    return np.asarray(((gaps == 1) | (gaps == total - 1)).all(axis=1))


class Classes:
    """The symmetries of an enumeration, as arrays for many tours.

    >>> import numpy as np
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.move_order import move_table
    >>> problem = Problem(Board(3, 4))
    >>> classes = Classes(problem, move_table(problem), directed=False)
    >>> classes.sizes(np.array([[0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]], dtype=np.int32))
    [4]
    """

    def __init__(self, problem: Problem, table: MoveTable, *, directed: bool) -> None:
        import numpy as np

        group = symmetries(problem, table.index, directed=directed)
        self._images = np.array([image for image, _ in group], dtype=np.int32)
        self._backwards = np.array([back for _, back in group], dtype=np.bool_)
        self._heads = table.heads
        self._closed = problem.closed
        self._fixed_start = not problem.closed and problem.start is not None
        self._fixed_end = problem.end is not None
        # If both a tour and its reverse would be listed, the two count as one.
        fixed = self._fixed_start or self._fixed_end
        self._each = 2 if bool(self._backwards.any()) and not fixed else 1

    def sizes(self, walks: NDArray[np.int32]) -> list[int]:
        """Return the number of tours in the class of each walk; 0 if another one is its first."""
        from kt_cp.enumeration.kernels import class_sizes

        counted = class_sizes(
            walks, self._images, self._backwards, self._heads,
            self._closed, self._fixed_start, self._fixed_end,
        )  # fmt: skip
        return [size // self._each for size in counted.tolist()]
