"""Tours drawn at random, by numbers drawn at random.

As tours and numbers are in bijection (see ``numbering``), a number drawn uniformly is a tour drawn
uniformly, each as likely as any other, and the same seed draws the same tours.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from kt_cp.counting.numbering import Numbering
from kt_cp.model.errors import InputError
from kt_cp.processes.pieces import Done, in_pieces

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.model.problem import ProblemInput
    from kt_cp.model.tour import Tour

PIECE = 50
"""Tours that a piece looks up: those of 8×8 take some seconds."""


def unranked(
    tours: Numbering, numbers: Sequence[int], executor: Executor | None = None
) -> Generator[Tour, None, None]:
    """The tours of some numbers, in their order; in pieces, where there is an executor."""
    if executor is None:
        yield from (tours[number] for number in numbers)
        return
    pieces = ((tours, numbers[at : at + PIECE]) for at in range(0, len(numbers), PIECE))
    for found in in_pieces(executor, unrank_piece, pieces):
        yield from found


def unrank_piece(tours: Numbering, numbers: Sequence[int]) -> Done:
    """The tours of some numbers, wherever this is called."""
    return Done([tours[number] for number in numbers])


def sample(
    problem: ProblemInput,
    k: int,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    **asked: Any,
) -> list[Tour]:
    """Tours drawn at random, with replacement: each as likely as any other, every time.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :class:`kt_cp.Numbering`, with the same further keywords.
    k : int
        How many.
    seed : int
        The same seed draws the same tours.
    executor : concurrent.futures.Executor, optional
        Who looks the tours of the numbers up; each worker makes tables of its own.

    Raises
    ------
    InputError
        If there is no tour and one is asked for; otherwise as for :class:`Numbering`.

    Examples
    --------
    >>> sample("5x6", 1, seed=1, closed=True)
    [<Tour: 5x6, closed: a1 c2 e1 f3 e5 d3 f4 d5 …>]
    """
    tours = Numbering(problem, **asked)
    return [*unranked(tours, drawn(tours, k, seed), executor)]


def drawn(tours: Numbering, k: int, seed: int) -> list[int]:
    """Numbers of tours, drawn with replacement."""
    if k < 0:
        raise InputError(f"expected to draw 0 tours or more, got {k}")
    if k and not tours.size:
        raise InputError(f"expected a problem with a tour to draw, got {tours.problem.label}")
    chance = random.Random(seed)
    return [chance.randrange(tours.size) for _ in range(k)]
