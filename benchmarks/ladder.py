"""Boards of growing sides, climbed until a side is too much; several ladders at a time.

Every candidate has a ladder of its own.  One step is a side and a seed; the next one to run is the
lowest of all ladders, so that candidates take turns and a busy minute of the machine hits all of
them.  Where most of the seeds of a side fail, the ladder ends there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.process import LIMITS, Run

Step = tuple[int, int]
"""A side and a seed."""


@dataclass
class Ladder:
    """What one candidate has to climb, and how far it came.

    Attributes
    ----------
    run : callable
        Runs a step; the event, once set, ends it.
    thrifty : bool
        Whether a side is left as soon as most of its seeds have decided it.  The highest side that
        was reached is completed at the end.
    all_cores : bool
        Whether a run uses all of them, and is not to have anything beside it.
    runs : dict
        What came of each step.
    """

    name: str
    sides: Sequence[int]
    seeds: Sequence[int]
    run: Callable[[int, int, threading.Event], Run]
    thrifty: bool = False
    all_cores: bool = False
    runs: dict[Step, Run] = field(default_factory=dict)
    started: set[Step] = field(default_factory=set)

    @property
    def majority(self) -> int:
        """How many seeds decide a side."""
        return len(self.seeds) // 2 + 1

    def counted(self, side: int) -> tuple[int, int]:
        """How many runs of a side found a tour, and how many did not."""
        ended = [run.status == "FOUND" for (at, _), run in self.runs.items() if at == side]
        return sum(ended), len(ended) - sum(ended)

    def solved(self, side: int) -> bool:
        """Whether most of the seeds have found a tour."""
        return self.counted(side)[0] >= self.majority

    @property
    def highest(self) -> int | None:
        """The last side before the first one that was not solved; None if not even the first."""
        reached = None
        for side in self.sides:
            if not self.solved(side):
                break
            reached = side
        return reached

    @property
    def fell(self) -> int | None:
        """The side on which most of the seeds failed."""
        return next((it for it in self.sides if self.counted(it)[1] >= self.majority), None)

    def upcoming(self) -> Step | None:
        """The next step, if one can be taken now."""
        for side in self.sides:
            found, failed = self.counted(side)
            if failed >= self.majority:
                break
            if self.thrifty and found >= self.majority:
                continue
            step = self._seed_of(side)
            under_way = len(self._under_way(side))
            most = self.majority - (max(found, failed) if self.thrifty else failed)
            if step is not None and under_way < most:
                return step
            if step is not None or under_way:
                return None
        if self.highest is None or len(self.started) > len(self.runs):
            return None
        return self._seed_of(self.highest)

    def _under_way(self, side: int) -> list[Step]:
        return [step for step in self.started if step[0] == side and step not in self.runs]

    def _seed_of(self, side: int) -> Step | None:
        return next(((side, it) for it in self.seeds if (side, it) not in self.started), None)


def faults(ladders: Mapping[str, Ladder]) -> list[str]:
    """What ended neither with a tour nor by a limit."""
    return [
        f"{name}, {side}x{side}, seed {seed}: {run.status}"
        for name, ladder in ladders.items()
        for (side, seed), run in ladder.runs.items()
        if run.status not in ("FOUND", *LIMITS)
    ]


def climb(ladders: Sequence[Ladder], jobs: int = 1) -> None:
    """Climb them all, with so many runs at a time; those that use all cores go first by themselves.

    An exception, such as an interrupt, ends what runs.
    """
    if jobs == 1:
        _Climb(ladders).work()
        return
    for ladder in ladders:
        if ladder.all_cores:
            _Climb([ladder]).work()
    _Climb([ladder for ladder in ladders if not ladder.all_cores]).together(jobs)


class _Climb:
    def __init__(self, ladders: Sequence[Ladder]) -> None:
        self._ladders = ladders
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._error: BaseException | None = None

    def together(self, jobs: int) -> None:
        """Work in so many threads."""
        threads = [threading.Thread(target=self._guarded) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()
        if self._error is not None:
            raise self._error

    def _guarded(self) -> None:
        try:
            self.work()
        except BaseException as error:
            self._error = error
            self._stop.set()

    def work(self) -> None:
        """Take steps until there are none."""
        while not self._stop.is_set():
            with self._changed:
                taken = self._taken()
                if taken is None:
                    if not any(len(it.started) > len(it.runs) for it in self._ladders):
                        self._changed.notify_all()
                        return
                    self._changed.wait(0.2)
                    continue
            ladder, step = taken
            run = ladder.run(*step, self._stop)
            with self._changed:
                ladder.runs[step] = run
                self._changed.notify_all()

    def _taken(self) -> tuple[Ladder, Step] | None:
        """The lowest step of all, seed by seed, marked as begun."""
        offered = []
        for place, ladder in enumerate(self._ladders):
            step = ladder.upcoming()
            if step is not None:
                offered.append((step[0], ladder.seeds.index(step[1]), place, step))
        if not offered:
            return None
        *_, place, step = min(offered)
        self._ladders[place].started.add(step)
        return self._ladders[place], step
