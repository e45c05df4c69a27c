"""Cases in turn, several ladders at a time.

One step is a case and a seed.  The next one to run is the lowest of all ladders, so that candidates
take turns and a busy minute of the machine hits all of them.  Where most of the seeds of a case
fail, its ladder ends there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.case import Case, Run

Step = tuple[Case, int]
"""A case and a seed."""

Runner = Callable[[Case, int, threading.Event], Run]
"""Runs a step; the event, once set, ends it."""


@dataclass
class Ladder:
    """What one candidate has to climb, and how far it came.

    Attributes
    ----------
    cases : sequence of Case
        The rungs, in order.
    seeds : sequence of int
        Each case is run once with each.
    thrifty : bool
        Whether a case is left as soon as most of its seeds have decided it.  The highest one that
        was reached is completed at the end.
    all_cores : bool
        Whether a run uses all of them, and is not to have anything beside it.
    runs : dict
        What came of each step.
    """

    cases: Sequence[Case]
    seeds: Sequence[int]
    thrifty: bool = False
    all_cores: bool = False
    runs: dict[Step, Run] = field(default_factory=dict)
    started: set[Step] = field(default_factory=set)

    @property
    def majority(self) -> int:
        """How many seeds decide a case."""
        return len(self.seeds) // 2 + 1

    def by_seed(self, case: Case) -> dict[int, Run]:
        """The runs of a case that were made, in the order of the seeds."""
        return {it: self.runs[case, it] for it in self.seeds if (case, it) in self.runs}

    def counted(self, case: Case) -> tuple[int, int]:
        """How many runs of a case found something, and how many did not."""
        ended = [run.status == "FOUND" for run in self.by_seed(case).values()]
        return sum(ended), len(ended) - sum(ended)

    @property
    def highest(self) -> Case | None:
        """The last case before the first one that most of the seeds have not solved."""
        reached = None
        for case in self.cases:
            if self.counted(case)[0] < self.majority:
                break
            reached = case
        return reached

    @property
    def fell(self) -> Case | None:
        """The case on which most of the seeds failed."""
        return next((it for it in self.cases if self.counted(it)[1] >= self.majority), None)

    def upcoming(self) -> Step | None:
        """The next step, if one can be taken now."""
        for case in self.cases:
            found, failed = self.counted(case)
            if failed >= self.majority:
                break
            if self.thrifty and found >= self.majority:
                continue
            step = self._step(case)
            under_way = len([1 for it in self.started - self.runs.keys() if it[0] == case])
            most = self.majority - (max(found, failed) if self.thrifty else failed)
            if step is not None and under_way < most:
                return step
            if step is not None or under_way:
                return None
        if self.highest is None or len(self.started) > len(self.runs):
            return None
        return self._step(self.highest)

    def _step(self, case: Case) -> Step | None:
        return next(((case, it) for it in self.seeds if (case, it) not in self.started), None)


def ladders_of(cases: Iterable[Case], seeds: Sequence[int]) -> list[Ladder]:
    """A ladder for every case by itself."""
    return [Ladder((case,), seeds) for case in cases]


def climb(ladders: Sequence[Ladder], run: Runner, jobs: int = 1) -> None:
    """Climb them all, with so many runs at a time; those that use all cores go first by themselves.

    An exception, such as an interrupt, ends what runs.
    """
    if jobs == 1:
        _Climb(ladders, run).work()
        return
    for ladder in ladders:
        if ladder.all_cores:
            _Climb([ladder], run).work()
    _Climb([ladder for ladder in ladders if not ladder.all_cores], run).together(jobs)


class _Climb:
    def __init__(self, ladders: Sequence[Ladder], run: Runner) -> None:
        self._ladders = ladders
        self._run = run
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
            run = self._run(*step, self._stop)
            with self._changed:
                ladder.runs[step] = run
                self._changed.notify_all()

    def _taken(self) -> tuple[Ladder, Step] | None:
        """The lowest step of all, seed by seed, marked as begun."""
        offered = []
        for place, ladder in enumerate(self._ladders):
            step = ladder.upcoming()
            if step is not None:
                offered.append((step[0].place, ladder.seeds.index(step[1]), place, step))
        if not offered:
            return None
        *_, place, step = min(offered, key=lambda each: each[:3])
        self._ladders[place].started.add(step)
        return self._ladders[place], step
