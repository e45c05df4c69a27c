"""Why no tour has a symmetry: the squares that show it to :mod:`kt_cp.trust.check.symmetric`.

The evidence is a list of squares: those that the motion carries off the board, or that stay where
they are.  There are a handful of such lists, and the checker's own rule says which of them will do.
Cost: a few looks at every square.  When it loses: most questions without an answer have squares and
colours that fit, and are refuted by search.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kt_cp.model.board import Board, Square, square_name
from kt_cp.model.conditions import Symmetry
from kt_cp.model.problem import Problem
from kt_cp.trust.check import Refusal
from kt_cp.trust.check.frame import MOST_SQUARES
from kt_cp.trust.check.instance import as_instance
from kt_cp.trust.check.moves import moved
from kt_cp.trust.check.symmetric import symmetry as rule


def symmetry(problem: Problem) -> dict[str, Any] | None:
    """Squares that show that no tour has the symmetry asked for; None if none do.

    Examples
    --------
    >>> symmetry(Problem("8x8", closed=True, symmetry="quarter-turn"))
    {'kind': 'symmetry', 'squares': []}
    >>> symmetry(Problem("6x6", closed=True, symmetry="quarter-turn")) is None
    True
    """
    motion = next((each.motion for each in problem.conditions if type(each) is Symmetry), None)
    board = problem.board
    least = 3 if problem.closed else 2
    if motion is None or board is None or not least <= problem.size <= MOST_SQUARES:
        return None
    for squares in _candidates(problem, board, motion):
        evidence = {"kind": "symmetry", "squares": [square_name(square) for square in squares]}
        try:
            rule(as_instance(problem), evidence)
        except Refusal:
            continue
        return evidence
    return None


def _candidates(problem: Problem, board: Board, motion: str) -> Iterator[list[Square]]:
    """Lists of squares that may decide, those that are seen soonest first."""
    image = {square: moved(board, motion, square) for square in board}
    off = next((here for here, there in image.items() if there not in image), None)
    if off is not None:
        yield [off]
        return
    stay = [here for here, there in image.items() if here == there]
    if problem.closed:
        yield stay[:3]
        return
    ends = [end for end in (problem.start, problem.end) if end is not None]
    yield from ([end] for end in ends if end in stay)
    yield ends
    yield stay[:2]
    yield from ([here] for here, there in image.items() if image[there] != here)
    yield []
