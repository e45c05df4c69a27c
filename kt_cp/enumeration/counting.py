"""Tours as jobs of an enumeration, and counting on all processors.

A closed tour is written from one square only, the given start or the board's first, so its
rotations count as one tour.  Where direction does not matter, the direction that is found first
stands for both.  In a closed tour it is the one whose second square is tried before its last; in an
open tour, the one whose first square comes before its last.  Such a condition is a condition on the
last square, and the recursion prunes by it.

To count, the jobs are split into beginnings, which threads take in turn.  The compiled recursion
runs outside Python's lock, so threads will do, and Ctrl-C finds them here.  Work of hundredths of a
second is done without threads: they would take twice as long.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.enumeration.symmetry import symmetries
from kt_cp.enumeration.walks import CHUNK, BitGraph, Job, Walker
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.trust.reference import MoveTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def jobs(
    problem: Problem, table: MoveTable, *, directed: bool, first: int | None = None
) -> Iterator[Job]:
    """Jobs that together give every tour once, each made when it is asked for.

    Closed tours are written from the vertex ``first``, by default from the problem's start.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.trust.reference import move_table
    >>> problem = Problem(Board(6, 6), closed=True)
    >>> [job.prefix for job in jobs(problem, move_table(problem), directed=False)]
    [(0, 13), (0, 8)]
    """
    if problem.closed:
        if first is None:
            first = 0 if problem.start is None else table.index[problem.start]
        parts = _closed(table, first, directed)
    else:
        parts = _open(problem, table, directed)
    for job in parts:
        may_end = job.may_end & _right_colour(problem, job.prefix[0])
        yield Job(job.prefix, may_end, problem.closed)


def _closed(table: MoveTable, start: int, directed: bool) -> Iterator[Job]:
    if len(table) < 3:
        return
    around = [vertex for vertex in table.heads[start].tolist() if vertex >= 0]
    if directed:
        yield Job((start,), mask_of(len(table), around))
        return
    for place, second in enumerate(around):
        yield Job((start, second), mask_of(len(table), around[place + 1 :]))


def _open(problem: Problem, table: MoveTable, directed: bool) -> Iterator[Job]:
    total, (start, end) = len(table), (problem.start, problem.end)
    either = not directed and start is None and end is None and total > 1
    for first in range(total) if start is None else (table.index[start],):
        if end is not None:
            last: Any = [table.index[end]]
        else:
            last = range(first + 1, total) if either else range(total)
        yield Job((first,), mask_of(total, last))


def mask_of(total: int, vertices: Any) -> NDArray[np.bool_]:
    """A mask over so many vertices of those that are named."""
    import numpy as np

    mask = np.zeros(total, dtype=np.bool_)
    mask[list(vertices)] = True
    return mask


def _right_colour(problem: Problem, start: int) -> Any:
    """Vertices that have the colour of the last one; all, where there are no two colours."""
    import numpy as np

    colours = problem.indexed.colours
    # Only of a connected graph is the two-colouring one thing.
    if colours is None or len(problem.indexed.components) > 1:
        return True
    colour = np.array(colours)
    # Of an even number of squares the last has the other colour, of an odd number the first's.
    last = colours[start] ^ (problem.size % 2 == 0)
    same = int((colour == colours[start]).sum())
    balanced = same * 2 == problem.size + problem.size % 2
    return (colour == last) & balanced


ALONE = 200_000
"""Squares that one thread places before others are called in."""

BEGINNINGS = 256
"""About how many parts there are in all: enough for threads to end together."""

ROOM = 4096
"""Tours held at a time where each is looked at."""


@dataclass(frozen=True, eq=False)
class Task:
    """A job, and how many there are with as many tours."""

    job: Job
    times: int


def tasks_of(problem: Problem, table: MoveTable, *, directed: bool, unique: bool) -> list[Task]:
    """The jobs; of those that a symmetry carries to each other, one, as often as there are.

    With ``unique`` each tour is looked at, so none stands for another.
    """
    first = None
    if problem.closed and not unique:
        # Wherever they are written from, there are as many: from a square with fewest ways.
        first = int((table.heads >= 0).sum(axis=1).argmin())
    parts = list(jobs(problem, table, directed=directed, first=first))
    if unique or problem.closed:
        return [Task(part, 1) for part in parts]
    index, end = table.index, problem.end
    images = [image for image, _ in symmetries(problem, index, directed=True)]
    if end is not None:
        images = [image for image in images if image[index[end]] == index[end]]
    orbits: dict[int, list[Job]] = {}
    for part in parts:
        orbits.setdefault(min(image[part.prefix[0]] for image in images), []).append(part)
    return [Task(orbit[0], len(orbit)) for orbit in orbits.values()]


class Counted(NamedTuple):
    """Tours found and squares placed, and whether that is all."""

    found: int
    placed: int
    complete: bool


def count(
    graph: BitGraph,
    tasks: list[Task],
    each: Callable[[Job, Any], int] | None,
    should_stop: Callable[[], bool] | None,
    workers: int | None,
    progress: Callable[[Counted], None],
) -> Counted:
    """Count the tours of all tasks: one a walk, or as many as ``each`` says of a job's walks."""
    stopped = threading.Event()
    live: dict[Task, Counted] = {}

    def go_on() -> bool:
        if should_stop is not None and should_stop():
            stopped.set()
        return not stopped.is_set()

    def run(task: Task, most_placed: int = sys.maxsize) -> Counted:
        walker, found = Walker(graph, task.job), 0
        room = ROOM if each is not None else 0
        while not walker.exhausted and walker.placed < most_placed and go_on():
            walks = walker.next(room=room, steps=min(CHUNK, 2 * most_placed))
            found = walker.found if each is None else found + each(task.job, walks)
            live[task] = Counted(found * task.times, walker.placed, walker.exhausted)
            progress(_total(list(live.values())))
        return Counted(found * task.times, walker.placed, walker.exhausted)

    left, done = ALONE, []
    for task in tasks:
        done.append(run(task, left))
        left -= done[-1].placed
        if not done[-1].complete or left <= 0:
            break
    if len(done) == len(tasks) and all(part.complete for part in done):
        return _total(done)
    live.clear()  # all is done again, in smaller parts
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            parts = [pool.submit(run, part) for part in split(graph, tasks)]
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


def split(graph: BitGraph, tasks: list[Task]) -> Iterator[Task]:
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
            yield Task(replace(task.job, prefix=prefix), task.times)


def one_by_one(
    tours: Callable[[Callable[[], bool]], Iterator[Any]],
    placed: Callable[[], int],
    should_stop: Callable[[], bool] | None,
    progress: Progress | None,
) -> int:
    """Count tours that are listed; ``tours`` polls what it is handed."""
    found = 0

    def stop() -> bool:
        if progress is not None:
            progress({"tours": found, "squares placed": placed()})
        return should_stop is not None and should_stop()

    for _ in tours(stop):
        found += 1
    return found
