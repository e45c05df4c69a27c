"""What an enumeration has to go through: the tours of a problem, as jobs in the order of finding.

A closed tour is written from one square only, the prescribed start or the board's first, so its
rotations are one tour.  Where direction does not matter, the one found first stands for both: the
one whose second square is tried before its last, or of an open tour, whose first square comes
before its last.  Such a condition is a condition on the last square, and the recursion prunes by
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kt_cp.enumeration.walker import Job
from kt_cp.problem import Problem
from kt_cp.reference import MoveTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def jobs(problem: Problem, table: MoveTable, *, directed: bool) -> Iterator[Job]:
    """Jobs that together give every tour once, each made when it is asked for.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> from kt_cp.reference import move_table
    >>> problem = Problem(Board(6, 6), closed=True)
    >>> [job.prefix for job in jobs(problem, move_table(problem), directed=False)]
    [(0, 13), (0, 8)]
    """
    closed_or_open = _closed if problem.closed else _open
    for job in closed_or_open(problem, table, directed):
        may_end = job.may_end & _right_colour(problem, job.prefix[0])
        yield Job(job.prefix, may_end)


def _closed(problem: Problem, table: MoveTable, directed: bool) -> Iterator[Job]:
    if len(table) < 3:
        return
    start = 0 if problem.start is None else table.index[problem.start]
    around = [vertex for vertex in table.heads[start].tolist() if vertex >= 0]
    if directed:
        yield Job((start,), _only(len(table), around))
        return
    for place, second in enumerate(around):
        yield Job((start, second), _only(len(table), around[place + 1 :]))


def _open(problem: Problem, table: MoveTable, directed: bool) -> Iterator[Job]:
    total, (start, end) = len(table), (problem.start, problem.end)
    either = not directed and start is None and end is None and total > 1
    for first in range(total) if start is None else (table.index[start],):
        if end is not None:
            last: Any = [table.index[end]]
        else:
            last = range(first + 1, total) if either else range(total)
        yield Job((first,), _only(total, last))


def _only(total: int, vertices: Any) -> NDArray[np.bool_]:
    import numpy as np

    mask = np.zeros(total, dtype=np.bool_)
    mask[list(vertices)] = True
    return mask


def _right_colour(problem: Problem, start: int) -> Any:
    """Vertices that have the colour of the last one; all, where there are no two colours."""
    import numpy as np

    colours = problem.indexed.colours
    # Only of a connected graph is the two-colouring one thing.
    if colours is None or len(problem.indexed.components) > 1:
        return True
    colour = np.array(colours)
    # Of an even number of squares the last has the other colour, of an odd number the first's.
    last = colours[start] ^ (problem.size % 2 == 0)
    same = int((colour == colours[start]).sum())
    balanced = same * 2 == problem.size + problem.size % 2
    return (colour == last) & balanced
