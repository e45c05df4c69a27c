"""Counting work, and stopping on request.

A search that runs for hours must answer two questions at any moment: how much has it done, and
may it stop now? One meter answers both. Every part of the search reports its small steps (a vertex
propagated, a vertex visited by a depth-first search). After a few hundred steps the meter asks the
caller whether to stop: asking at every step would cost more than the step. The answer "stop" is an
exception, because the request may arrive deep inside a propagation, and the half-changed state is
thrown away anyway. Searches without a meter poll the caller themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

# A step takes 1 to 5 microseconds, so this asks about every millisecond.
STEPS_PER_POLL = 256
# Progress is for eyes: one report in sixteen polls is still some fifty a second.
POLLS_PER_REPORT = 16


@dataclass
class Work:
    """What a search has done so far."""

    nodes: int = 0  # branching decisions
    backtracks: int = 0  # contradictions, each taking one decision back or ending the search
    restarts: int = 0  # times it went back to the root with a new order
    forced: int = 0  # edges chosen because a vertex had only two left
    closures: int = 0  # edges discarded because they would close a cycle too short
    dead_ends: int = 0  # contradictions: a vertex with fewer than two usable edges
    disconnected: int = 0  # contradictions: a fragment whose removal disconnects the rest
    unbalanced: int = 0  # contradictions: no two-factor left, as where colours do not balance
    filtered: int = 0  # edges decided because every two-factor, or none, contains them


ShouldStop = Callable[[], bool]
"""Asked often; a finder returns None soon after it says so."""


class GaveUpError(Exception):
    """The caller wants it to end, or it has cost enough."""


def poll(should_stop: ShouldStop) -> None:
    """Raise :class:`GaveUpError` if the caller wants that."""
    if should_stop():
        raise GaveUpError


class Meter:
    """Steps taken, with a poll of the caller every few hundred of them; progress is told `work`."""

    def __init__(
        self, work: Work, should_stop: ShouldStop, progress: Callable[[Work], None] | None
    ) -> None:
        self.work = work
        self._should_stop = should_stop
        self._progress = progress
        self._steps = 0
        self._polls = 0

    def spend(self, steps: int) -> None:
        """Count steps; poll the caller, who may end it by GaveUpError, if enough have gathered."""
        self._steps += steps
        if self._steps < STEPS_PER_POLL:
            return
        self._steps = 0
        self._polls += 1
        poll(self._should_stop)
        if self._progress is not None and self._polls % POLLS_PER_REPORT == 0:
            self._progress(self.work)
