"""Counting on all processors: the work is split into beginnings, which threads take in turn.

The compiled recursion runs outside Python's lock, so threads will do, and Ctrl-C finds them here.
What is done within hundredths of a second is done without them: they would take twice that.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from kt_cp.enumeration.walker import CHUNK, Job, Walker, Words

ALONE = 200_000
"""Squares that one thread places before others are called in."""

BEGINNINGS = 256
"""About how many parts there are in all: enough for threads to end together."""

ROOM = 4096
"""Tours held at a time where each is looked at."""


@dataclass(frozen=True)
class Task:
    """A job, and how many there are with as many tours."""

    job: Job
    times: int


@dataclass(frozen=True)
class Counted:
    """Tours found and squares placed, and whether that is all."""

    found: int
    placed: int
    complete: bool


def count(
    graph: Words,
    tasks: list[Task],
    sizes: Callable[[Any], list[int]] | None,
    should_stop: Callable[[], bool] | None,
    workers: int | None,
) -> Counted:
    """Count the tours of all tasks.

    Parameters
    ----------
    sizes : callable, optional
        Class sizes of walks; those of size 0 are left out.
    should_stop : callable, optional
        Polled by every thread.
    workers : int, optional
        Threads; by default as many as there are processors.
    """
    stopped = threading.Event()

    def go_on() -> bool:
        if should_stop is not None and should_stop():
            stopped.set()
        return not stopped.is_set()

    def run(task: Task, most_placed: int = sys.maxsize) -> Counted:
        walker, found = Walker(graph, task.job), 0
        room = ROOM if sizes is not None else 0
        while not walker.exhausted and walker.placed < most_placed and go_on():
            walks = walker.next(room=room, steps=min(CHUNK, 2 * most_placed))
            if sizes is not None:
                found += sum(size > 0 for size in sizes(walks))
        found = walker.found if sizes is None else found
        return Counted(found * task.times, walker.placed, walker.exhausted)

    left, done = ALONE, []
    for task in tasks:
        done.append(run(task, left))
        left -= done[-1].placed
        if not done[-1].complete or left <= 0:
            break
    if len(done) == len(tasks) and all(part.complete for part in done):
        return _total(done)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            parts = [pool.submit(run, part) for part in _split(graph, tasks)]
            done = [part.result() for part in parts]
        except BaseException:
            stopped.set()  # Ctrl-C arrives here: let no thread work on
            raise
    return _total(done)


def _total(parts: list[Counted]) -> Counted:
    return Counted(
        sum(part.found for part in parts),
        sum(part.placed for part in parts),
        all(part.complete for part in parts),
    )


def _split(graph: Words, tasks: list[Task]) -> Iterator[Task]:
    """The same work in more parts, each a longer beginning."""
    wanted = BEGINNINGS // max(1, len(tasks)) + 1
    total = len(graph.free)
    for task in tasks:
        beginnings = [task.job.prefix]
        for length in range(len(task.job.prefix) + 1, total + 1):
            if len(beginnings) >= wanted or not beginnings:
                break
            walker = Walker(graph, task.job, length)
            # A vertex has at most 64 neighbours, so the next beginnings have room.
            rows = walker.next(room=64 * len(beginnings), steps=1 << 60)
            beginnings = [tuple(row) for row in rows.tolist()]
        for prefix in beginnings:
            yield Task(Job(prefix, task.job.may_end), task.times)
