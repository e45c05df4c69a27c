"""The ways to the states of a half board, each with its number: the moves of a half tour.

A half is swept once, and a layer kept every few steps; then ways are found by their numbers, and
numbers of ways by their moves, from the last layer down to the first (see ``back``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.counting.dense import half_tour_ranking as form
from kt_cp.counting.dense.half_tour_ranking import Layer, back, packed
from kt_cp.counting.dense.halves import Edge, End, Half, Step, Turn, beginning, steps
from kt_cp.counting.dense.matchings import POINTS, unrank
from kt_cp.counting.dense.tour_ranking import State
from kt_cp.model.errors import StoreError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.halves import Square
    from kt_cp.counting.dense.sweep import Sweep

APART = 6
"""Steps of edges between two layers: twice as many take a hundred times as long to go back."""


class Stretch(NamedTuple):
    """Some steps, and the layer before the first of them."""

    layer: Layer
    steps: tuple[Step, ...]
    numbers: NDArray[np.int64]


def stretches(half: Half) -> list[tuple[Step, ...]]:
    """The steps of a half, cut where layers are.

    Turns go with the edges before them: what they drop need not be in a layer.
    """
    cut: list[list[Step]] = [[]]
    edges = 0
    for step in (step for row in steps(half) for step in row):
        if edges >= APART and isinstance(step, Edge):
            cut.append([])
            edges = 0
        cut[-1].append(step)
        edges += isinstance(step, Edge | End)
    return [tuple(each) for each in cut]


def swept(
    sweep: Sweep, half: Half, keep: Callable[[int, Layer], Layer], told: Callable[[int, int], None]
) -> list[Layer]:
    """The layers of a half: before each stretch, and the last one.

    Parameters
    ----------
    sweep : Sweep
        Of this half, before its first step.
    keep : callable
        Is handed each layer with its number, and gives it back from where it is kept.
    told : callable
        Told after each stretch its number, and how many there are.
    """
    kept = []
    cut = stretches(half)
    for number, some in enumerate(cut):
        kept.append(keep(number, _layer(sweep)))
        sweep.take(*some)
        told(number + 1, len(cut))
    kept.append(keep(len(cut), _layer(sweep)))
    return kept


def _layer(sweep: Sweep) -> Layer:
    arrays: list[Any] = [None] * 9
    for (dark, bright), states in sweep.states.items():
        arrays[form.array_of(dark, bright)] = states
    return packed(arrays)


CHANGED = "the tables contradict each other: they were changed; make them anew in another folder"


class Ways:
    """The ways to the states of a half.

    Parameters
    ----------
    half : Half
    layers : sequence of Layer
        As :func:`swept` has them.
    """

    def __init__(self, half: Half, layers: Sequence[Layer]) -> None:
        self.slots = 2 * half.width
        self._stretches = [
            Stretch(layer, some, form.as_numbers(some))
            for layer, some in zip(layers, stretches(half), strict=False)
        ]
        self.last = layers[-1]
        self._first = np.zeros(form.ROW, dtype=np.int8)
        self._first[form.MATES :] = -1
        self._first[form.DIGITS : form.DIGITS + self.slots] = beginning(half)

    def way(self, state: State) -> tuple[list[tuple[Square, Square]], list[Square]]:
        """The moves of the way of a number to a state, and the ends of the tour among its squares.

        Raises
        ------
        StoreError
            If there is none: then a layer is not what it was.
        """
        row, number = self._row(state), np.uint64(state.way)
        moves: list[tuple[Square, Square]] = []
        ends: list[Square] = []
        for stretch in reversed(self._stretches):
            rows = np.zeros((len(stretch.steps) + 1, form.ROW), dtype=np.int8)
            rows[-1] = row
            passed, found = back(stretch.numbers, stretch.layer, self.slots, rows, number, False)
            if not found:
                raise StoreError(CHANGED)
            number, row = number - passed, rows[0]
            for step, before, after in zip(stretch.steps, rows, rows[1:], strict=False):
                if isinstance(step, Turn):
                    if (move := _move(step, before)) is not None:
                        moves.append(move)
                elif not np.array_equal(before, after):
                    if isinstance(step, Edge):
                        moves.append(step.move)
                    else:
                        ends.append(step.square)
        return moves, ends

    def state(self, moves: Collection[frozenset[Square]], ends: Iterable[Square]) -> State:
        """The state to which a tour's moves and ends lead, and the number of the way."""
        row, number, ends = self._first, 0, set(ends)
        for stretch in self._stretches:
            rows = np.zeros((len(stretch.steps) + 1, form.ROW), dtype=np.int8)
            rows[0] = row
            for at, step in enumerate(stretch.steps):
                there = not isinstance(step, Turn)
                if isinstance(step, Edge):
                    there = frozenset(step.move) in moves
                elif isinstance(step, End):
                    there = step.square in ends
                rows[at + 1] = rows[at]
                if there or isinstance(step, Turn):
                    form.forward(stretch.numbers[at], rows[at], rows[at + 1])
            # A turn with a move: the end of the path goes along, and the digit is the same.
            passed, found = back(
                stretch.numbers, stretch.layer, self.slots, rows, np.uint64(0), True
            )
            if not found:
                raise StoreError(CHANGED)
            number, row = number + int(passed), rows[-1]
        pattern, matching = form.place_of(row, self.slots, np.zeros(POINTS, dtype=np.int64))
        return State(int(pattern), int(matching), number)

    def _row(self, state: State) -> NDArray[np.int8]:
        """A state as numbers for kernels."""
        row = self._first.copy()
        row[form.ENDS], row[form.ENDS + 1] = divmod(state.pattern // 3**self.slots, 3)
        left = state.pattern
        for slot in range(self.slots):
            left, row[form.DIGITS + slot] = divmod(left, 3)
        points = [slot for slot in range(self.slots) if row[form.DIGITS + slot] == 1]
        if len(points) % 2:
            points.append(form.DEPOT)
        mate, room = np.zeros((2, POINTS), dtype=np.int64)
        unrank(state.matching, len(points) // 2, mate, room)
        for at, point in enumerate(points):
            row[form.MATES + point] = points[mate[at]]
        return row


def _move(step: Turn, row: NDArray[np.int8]) -> tuple[Square, Square] | None:
    """The move that a state makes at a turn, if any: what is done there lacks one edge else."""
    if step.before is None or step.after is None:
        return None
    digit = int(row[form.DIGITS + step.slot])
    return (step.before, step.after) if digit == 1 else None
