"""Counting work, and stopping on request.

A search that runs for hours must answer two questions at any moment: how much has it done, and
may it stop now? One meter answers both. Every part of the search reports its small steps (a vertex
propagated, a vertex visited by a depth-first search). After a few hundred steps the meter asks the
caller whether to stop, and raises `Stopped` if so. It is an exception because the request may
arrive deep inside a propagation, and the half-changed state is thrown away anyway. Asking at every
step would cost more than the step.

Searches without a meter poll the caller themselves, and end early by an exception of their own that
does not leave their package.
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
    """What a search has done so far.

    Attributes
    ----------
    nodes : int
        Branching decisions.
    backtracks : int
        Contradictions met, each taking one decision back (or ending the search).
    restarts : int
        Times the search went back to the root with a new order.
    forced : int
        Edges chosen because a vertex had only two available edges left.
    closures : int
        Edges discarded because they would close a cycle too short.
    dead_ends : int
        Contradictions: a vertex with fewer than two usable edges.
    disconnected : int
        Contradictions: a fragment whose removal disconnects the rest.
    unbalanced : int
        Contradictions: no two-factor left (on a bipartite graph, colours out of balance).
    filtered : int
        Edges decided because every two-factor, or none, contains them.
    """

    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    forced: int = 0
    closures: int = 0
    dead_ends: int = 0
    disconnected: int = 0
    unbalanced: int = 0
    filtered: int = 0


class Stopped(Exception):  # noqa: N818 - a request carried out, not an error
    """The caller asked the search to stop."""


class Meter:
    """Steps taken, with a poll of the caller every few hundred of them.

    Parameters
    ----------
    work : Work
        Handed to `progress`; the meter itself only reads it.
    should_stop : callable
        Polled; `Stopped` is raised once it returns true.
    progress : callable or None
        Called with `work` at every sixteenth poll.
    """

    def __init__(
        self,
        work: Work,
        should_stop: Callable[[], bool],
        progress: Callable[[Work], None] | None,
    ) -> None:
        self.work = work
        self._should_stop = should_stop
        self._progress = progress
        self._steps = 0
        self._polls = 0

    def spend(self, steps: int) -> None:
        """Count `steps`; poll the caller if enough have gathered.

        Raises
        ------
        Stopped
            If the caller wants the search to end.
        """
        self._steps += steps
        if self._steps < STEPS_PER_POLL:
            return
        self._steps = 0
        self._polls += 1
        if self._should_stop():
            raise Stopped
        if self._progress is not None and self._polls % POLLS_PER_REPORT == 0:
            self._progress(self.work)


ShouldStop = Callable[[], bool]
"""Asked often; a finder returns None soon after it says so."""


class GaveUpError(Exception):
    """The caller wants it to end, or it has cost enough."""


def poll(should_stop: ShouldStop) -> None:
    """Give up if the caller wants that.

    Raises
    ------
    GaveUpError
        If so.
    """
    if should_stop():
        raise GaveUpError
