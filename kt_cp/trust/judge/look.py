"""A closer look at a block of step numbers: the ends of the tour in it, and all that is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import Square
from kt_cp.trust.judge.findings import Ends, Findings
from kt_cp.trust.judge.rules import Rule


def look(
    findings: Findings,
    ends: Ends,
    by_columns: bool,
    numbers: NDArray[Any],
    linked: NDArray[np.bool_] | None,
    missing: NDArray[Any],
    corner: tuple[int, int],
) -> None:
    """Remember the ends of the tour, and all that is wrong.

    Parameters
    ----------
    linked : array, optional
        Which numbers are linked; left out where links are judged elsewhere.
    missing : int64 array of shape (squares, 2)
        Missing squares, as places in the block.
    corner : (int, int)
        The line and the place at which the block begins.
    """
    largest = min(findings.steps, np.iinfo(numbers.dtype).max)
    there = np.ones(numbers.shape, np.bool_)
    there[tuple(missing.T)] = False
    steps = there & (numbers >= 1) & (numbers <= largest)

    def named(mask: NDArray[np.bool_], most: int) -> list[tuple[Square, int]]:
        found = []
        for at in np.flatnonzero(mask)[:most] if most else ():
            line, place = divmod(int(at), mask.shape[1])
            where = turned((corner[0] + line, corner[1] + place), by_columns)
            found.append((where, int(numbers[line, place])))
        return found

    broken = [(Rule.MISSING, ~there & (numbers != 0)), (Rule.UNVISITED, there & ~steps)]
    if linked is not None:
        broken.append((Rule.ILLEGAL_MOVE, steps & ~linked))
    for rule, where in broken:
        if many := int(np.count_nonzero(where)):
            findings.add(rule, many, named(where, findings.room(rule)))
    firsts = steps & (numbers == 1)
    if many := int(np.count_nonzero(firsts)):
        ends.add_firsts(many, [square for square, _ in named(firsts, ends.room)])
    top = int(np.max(np.where(steps, numbers, 0)))
    if top > ends.highest:
        [(square, step)] = named(steps & (numbers == top), 1)
        ends.add_last(step, square)


def turned(pair: tuple[int, int], by_columns: bool) -> tuple[int, int]:
    """A square from line and place, or the other way about."""
    return (pair[1], pair[0]) if by_columns else pair
