"""Count the work of a search and stop it on request.

Every part of a search reports its small steps (a vertex propagated, a vertex visited by a
depth-first search) to one meter. After a few hundred steps the meter polls the caller: polling at
every step would cost more than the step. It stops the search by an exception, because the request
may arrive deep inside a propagation, and the half-changed state is discarded anyway. Searches
without a meter poll the caller themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kt_cp.model.limits import StoppedError

# A step takes 1 to 5 microseconds, so this is about a millisecond.
STEPS_PER_POLL = 256
# Progress is shown to people: one report in sixteen polls is about fifty a second.
POLLS_PER_REPORT = 16


@dataclass
class Work:
    """Counters of a search."""

    nodes: int = 0  # branching decisions
    backtracks: int = 0  # contradictions: each undoes one decision or ends the search
    restarts: int = 0  # restarts from the root with a new order
    forced: int = 0  # edges chosen because a vertex had only two left
    closures: int = 0  # edges discarded because they would close a cycle too short
    dead_ends: int = 0  # contradictions: a vertex with fewer than two usable edges
    disconnected: int = 0  # contradictions: a fragment whose removal disconnects the rest
    unbalanced: int = 0  # contradictions: no two-factor exists, for example by unequal colours
    filtered: int = 0  # edges decided because every two-factor, or none, contains them


ShouldStop = Callable[[], bool]
"""Polled often; a search ends soon after it returns true."""


def poll(should_stop: ShouldStop) -> None:
    """Raise :class:`StoppedError` if the caller stops the search."""
    if should_stop():
        raise StoppedError


class Meter:
    """A count of steps that polls the caller every few hundred steps and reports ``work``."""

    def __init__(
        self, work: Work, should_stop: ShouldStop, progress: Callable[[Work], None] | None
    ) -> None:
        self.work = work
        self._should_stop = should_stop
        self._progress = progress
        self._steps = 0
        self._polls = 0

    def spend(self, steps: int) -> None:
        """Count steps and poll the caller if it is time; raises `StoppedError`."""
        self._steps += steps
        if self._steps < STEPS_PER_POLL:
            return
        self._steps = 0
        self._polls += 1
        poll(self._should_stop)
        if self._progress is not None and self._polls % POLLS_PER_REPORT == 0:
            self._progress(self.work)
