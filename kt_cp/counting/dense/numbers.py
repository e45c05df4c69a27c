"""Tours of the dense method by their numbers: two halves swept, their layers kept, and their pairs.

A number is split into a pair of states and a way to each (``pairs``); the ways are the moves of the
two half tours (``ways``).  Where one half is the other's mirror image, one sweep is both.

Cost: for closed 8×8 a sweep and a meeting of halves, as counting takes, and a second or two to pack
each of the layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kt_cp.counting.dense.array import Threads
from kt_cp.counting.dense.half_tour_ranking import Layer, Ways, array_of, stretches, swept
from kt_cp.counting.dense.halves import Question
from kt_cp.counting.dense.matchings import Tables as Ranks
from kt_cp.counting.dense.meeting import fits, join_keys, partners
from kt_cp.counting.dense.sweep import Sweep
from kt_cp.counting.dense.tour_ranking import Meeting, Pairs, totalled, turned_matchings, weighed
from kt_cp.model.errors import TooLargeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.halves import Square
    from kt_cp.counting.method import Store
    from kt_cp.model.problem import Problem
    from kt_cp.model.progress import Progress


class Largest(NamedTuple):
    """A bound for what the states of a half count, by their number of pairs."""

    largest: NDArray[np.uint64]


PAIRS = "pairs"
"""The block of a store that is saved last."""


class Numbers:
    """The tours of a problem by their numbers; ``method.Tables`` says what it answers.

    Parameters
    ----------
    problem : Problem
        One that the method takes.
    progress : callable, optional
        Told after some steps; it may raise.
    store : Store, optional
        Where the tables are kept, or are already: then they are read as far as they are looked at.

    Attributes
    ----------
    size : int
        How many tours there are.

    Raises
    ------
    TooLargeError
        If there are more half tours of one kind than 64 bits count.
    StoreError
        If a file of the store is damaged, as far as that is seen.
    """

    def __init__(
        self, problem: Problem, progress: Progress | None = None, store: Store | None = None
    ) -> None:
        self._problem = problem
        self._question = question = Question(problem)
        self._threads = Threads()
        self._ranks = Ranks(question.width, self._threads)
        self._lock = Lock()  # tables of matchings come and go
        self.size = 0
        if question.ends is None:
            return
        # Both arrays of open tours are swept, as each has tours of its own.
        upper, lower = (question.half(lower=side)._replace(twofold=False) for side in (False, True))
        self._images: dict[Any, Any] = {
            upper.square(*at): lower.square(*at) for at in np.ndindex(question.rows, question.width)
        }
        self._halves = [upper] if question.single else [upper, lower]
        whole = None if store is None else store.block(1, PAIRS).map()
        try:
            layers = None if store is None or whole is None else self._stored(store)
            if layers is None:
                whole, layers = None, self._swept(store, progress)
            if not all(len(each[-1].patterns) for each in layers):
                return
            meeting, sums, totals = self._meeting(layers[0][-1], layers[-1][-1], whole)
        except OverflowError:
            raise TooLargeError(
                f"{problem.label}: expected half tours of one kind in 64 bits to number tours, got "
                "more"
            ) from None
        if store is not None and whole is None:
            kept = {"sums": sums, "totals": totals}
            kept |= {"turned": meeting.turned, "begins": meeting.begins}
            store.block(1, PAIRS).save(kept)
        self._pairs = Pairs(meeting, self._want, sums, totals)
        self._ways = [Ways(half, each) for half, each in zip(self._halves, layers, strict=True)]
        self.size = self._pairs.size

    def _want(self, pairs: int) -> None:
        self._ranks.want(join_keys(pairs))

    def _swept(self, store: Store | None, progress: Progress | None) -> list[list[Layer]]:
        """The layers of each half, made, and kept in the store if there is one."""
        layers: list[list[Layer]] = []
        ends, many = self._question.ends, len(self._halves)
        assert ends is not None
        last: list[Largest] = []
        for number, half in enumerate(self._halves):

            def keep(at: int, layer: Layer, number: int = number) -> Layer:
                return layer if store is None else _kept(store, number, at, layer)

            def told(step: int, steps: int, number: int = number) -> None:
                if progress is not None:
                    progress({"step": number * steps + step, "steps": many * steps})

            sweep = Sweep(half, ends, 0, self._threads, self._ranks)
            layers.append(swept(sweep, half, keep, told))
            arrays = [each.largest for each in sweep.states.values()]
            last.append(Largest(np.max(arrays, axis=0)))
        if not fits(last[0], last[-1]):
            raise OverflowError
        return layers

    def _stored(self, store: Store) -> list[list[Layer]] | None:
        """The layers of each half, from the store; digests are compared on all processors.

        None where one is missing: then all are made anew.
        """
        steps = [range(len(stretches(half)) + 1) for half in self._halves]
        places = [(number, at) for number, each in enumerate(steps) for at in each]
        found: dict[tuple[int, int], Layer] = {}

        def load(number: int, at: int) -> None:
            if (layer := _stored_layer(store, number, at)) is not None:
                found[number, at] = layer

        self._threads(load, sorted(places, key=itemgetter(1), reverse=True))  # large ones first
        if len(found) < len(places):
            return None
        return [[found[number, at] for at in each] for number, each in enumerate(steps)]

    def _meeting(
        self, upper: Layer, lower: Layer, whole: dict[str, Any] | None
    ) -> tuple[Meeting, Any, Any]:
        """What kernels know of two halves, how many tours each pattern has, and their sums."""
        dark, bright = self._question.ends or (0, 0)
        arrays = np.full(9, -1, dtype=np.int64)
        for some in np.ndindex(dark + 1, bright + 1):
            rest = dark - some[0], bright - some[1]
            if self._question.single:  # the mirror image has the other colours
                rest = rest[::-1]
            arrays[array_of(*some)] = array_of(*rest)
        digits = np.array(partners(self._halves[0], self._halves[-1]), dtype=np.int64)
        if whole is not None:
            turned, begins = whole["turned"], whole["begins"]
        else:
            depots = range(1 if self._problem.closed else 2)
            turned, begins = turned_matchings(self._question.width, depots)
        meeting = Meeting(upper, lower, digits, arrays, turned, begins, self._ranks.ranks)
        if whole is not None:
            return meeting, whole["sums"], whole["totals"]
        self._want(self._question.width)
        sums = weighed(meeting, self._threads)
        return meeting, sums, totalled(sums)

    def tour(self, number: int) -> Sequence[int]:
        """Vertices, in order, of the tour of a number from 0 on."""
        with self._lock:
            above, below = self._pairs.pair(number)
        moves, ends = self._ways[0].way(above)
        lower, more = self._ways[-1].way(below)
        if self._question.single:
            images = self._images
            lower = [(images[one], images[other]) for one, other in lower]
            more = [images[end] for end in more]
        return self._walk([*moves, *lower], [*ends, *more])

    def _walk(
        self, moves: Sequence[tuple[Square, Square]], ends: Sequence[Square]
    ) -> Sequence[int]:
        """The vertices of a tour of some moves, in order."""
        beside: dict[Square, list[Square]] = {}
        for one, other in moves:
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        walk = [ends[0] if ends else moves[0][0]]
        before = None
        while len(walk) < self._problem.size:
            here = walk[-1]
            before, there = here, next(each for each in beside[here] if each != before)
            walk.append(there)
        index = self._problem.indexed.index
        return [index[square] for square in walk]

    def number(self, tour: Sequence[int]) -> int:
        """The number of a tour, in whichever direction and wherever a closed one begins."""
        nodes: Any = self._problem.indexed.nodes
        squares = [nodes[vertex] for vertex in tour]
        steps = zip(squares, [*squares[1:], squares[0]], strict=True)
        pairs = [frozenset(step) for step in steps]
        ends: list[Square] = []
        if not self._problem.closed:
            pairs.pop()
            ends = [squares[0], squares[-1]]
        above = self._ways[0].state(set(pairs), ends)
        if self._question.single:
            image = {lower: upper for upper, lower in self._images.items()}.__getitem__
            pairs = [frozenset(map(image, pair)) for pair in pairs]
            ends = [*map(image, ends)]
        below = self._ways[-1].state(set(pairs), ends)
        with self._lock:
            return self._pairs.number(above, below)


def _kept(store: Store, half: int, at: int, made: Layer) -> Layer:
    """A layer that was made, kept in the store; its arrays stay in the file."""
    store.block(1, f"half-{half}-{at}").save(made._asdict())
    layer = _stored_layer(store, half, at)
    assert layer is not None
    return layer


def _stored_layer(store: Store, half: int, at: int) -> Layer | None:
    """A layer from the store, its arrays left in the file; None where there is none."""
    content = store.block(1, f"half-{half}-{at}").map()
    return None if content is None else Layer(**content)
