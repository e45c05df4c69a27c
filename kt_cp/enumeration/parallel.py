"""An enumeration by tasks, for other processes and machines: the same tours in the same order.

A task is a list of beginnings in the order of the search.  The compiled recursion continues one
after the other until the task has placed enough squares, or has found enough tours for a message.
Its stack then contains the beginnings of the remaining work.  The longest ones, which are next and
have little work, form one task.  Each of the shortest ones, which have the most work, forms a
separate task (see :mod:`kt_cp.processes.task_queue` for the source).

Cost: about ten kilobytes per task, and about a hundred repeated squares, of millions, for the
beginnings.  When it loses: for counts of a few seconds, threads with shared memory are faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.enumeration.searches import Searches, has_given_steps
from kt_cp.enumeration.walks import CHUNK, CountState, Job, Task, Walker, split_tasks
from kt_cp.model.errors import NotTakenError
from kt_cp.model.limits import StoppedError
from kt_cp.processes.executors import is_cancelled
from kt_cp.processes.task_queue import Done, ResultStore, run_tasks

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

TASK_SQUARES = 30_000_000
"""Squares that a task places: a few seconds."""

BATCH = 8
"""Beginnings in each initial task of a count: most of them take less time than a message."""

CAPACITY = 4096
"""Tours that a listing task holds before it ends."""


class TaskWork(NamedTuple):
    """The searches of all tasks, and the limits of squares and tours for each task."""

    searches: Searches
    squares: int
    tours: int


Beginnings = Sequence[tuple[int, ...]]


def count_by_tasks(
    searches: Searches,
    executor: Executor,
    should_stop: Callable[[], bool] | None,
    report: Callable[[CountState], None],
    store: ResultStore | None = None,
) -> CountState:
    """Count the tours found, and the squares placed, by tasks of an executor."""
    work = _task_work(searches)
    tasks = (
        (work, some[0].job, tuple(task.job.prefix for task in some), some[0].times)
        for some in _batches(split_tasks(searches.walks.graph, searches.walks.tasks()))
    )
    so_far = CountState(0, 0, False)
    try:
        for found, placed in run_tasks(
            executor, count_task, tasks, store=store, should_stop=should_stop
        ):
            so_far = CountState(so_far.found + found, so_far.placed + placed, False)
            report(so_far)
    except StoppedError:
        return so_far
    return so_far._replace(complete=True)


def _batches(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Yield batches of consecutive tasks that differ only in their beginnings."""
    for _, alike in groupby(tasks, lambda it: (id(it.job.may_end), it.job.closed, it.times)):
        while some := [*islice(alike, BATCH)]:
            yield some


def list_by_tasks(
    searches: Searches, executor: Executor, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[NDArray[np.int32], int]]:
    """Yield tours, one per row, and squares placed so far, by tasks of an executor."""
    work, so_far = _task_work(searches), 0
    if searches.reason is not None:
        return
    tasks = ((work, job, (job.prefix,)) for job in searches.walks.jobs())
    for tours, placed in run_tasks(executor, list_task, tasks, should_stop=should_stop):
        so_far += placed
        yield tours, so_far


def _task_work(searches: Searches) -> TaskWork:
    if has_given_steps(searches.problem):
        raise NotTakenError("an enumeration by tasks does not take given steps")
    return TaskWork(searches, TASK_SQUARES, CAPACITY)


def count_task(work: TaskWork, job: Job, beginnings: Beginnings, times: int) -> Done:
    """Count the tours found, and the squares placed."""
    searches = work.searches
    each = searches.firsts if searches.unique else searches.walks.many
    found = 0

    def advance(walker: Walker, steps: int) -> bool:
        nonlocal found
        before = walker.found
        walks = walker.next(capacity=0 if each is None else CAPACITY, steps=steps)
        found += walker.found - before if each is None else each(job, walks)
        return True

    placed, rest = _search(work, job, beginnings, advance)
    return Done((found * times, placed), tuple((work, job, each, times) for each in rest))


def list_task(work: TaskWork, job: Job, beginnings: Beginnings) -> Done:
    """List the tours, one per row, and count the squares placed."""
    import numpy as np

    tours = [np.empty((0, len(work.searches.table)), dtype=np.int32)]

    def advance(walker: Walker, steps: int) -> bool:
        walks = walker.next(capacity=work.tours, steps=steps)
        tours.extend(work.searches.walks.tours(job, walks))
        return sum(map(len, tours)) < work.tours

    placed, rest = _search(work, job, beginnings, advance)
    return Done((np.concatenate(tours), placed), tuple((work, job, each) for each in rest))


def _search(
    work: TaskWork, job: Job, beginnings: Beginnings, advance: Callable[[Walker, int], bool]
) -> tuple[int, list[Beginnings]]:
    """Search until the task is full; return the squares placed and the remaining tasks."""
    placed, full = 0, False
    for at, prefix in enumerate(beginnings):
        walker = Walker(work.searches.walks.graph, replace(job, prefix=prefix))
        while not walker.exhausted:
            if full or is_cancelled():
                return placed + walker.placed, _regroup([*walker.left(), *beginnings[at + 1 :]])
            full = not advance(walker, min(CHUNK, work.squares))
            full = full or placed + walker.placed >= work.squares
        placed += walker.placed
    return placed, []


def _regroup(left: Beginnings) -> list[Beginnings]:
    """Put long beginnings, with little work, in one task, and the shortest in separate tasks."""
    if not left:
        return []
    *parts, shortest = (list(each) for _, each in groupby(left, key=len))
    small = [prefix for part in parts for prefix in part]
    return [*([small] if small else []), *([prefix] for prefix in shortest)]


def pack_count(done: Done) -> dict[str, Any]:
    """Return the result of a task of a count, as arrays and integers."""
    import numpy as np

    rest = [beginnings for _, _, beginnings, _ in done.rest]
    found, placed = done.value
    return {
        "found": found,
        "placed": placed,
        "pieces": np.array([len(each) for each in rest], dtype=np.int64),
        "lengths": np.array([len(walk) for each in rest for walk in each], dtype=np.int64),
        "vertices": np.array([v for each in rest for walk in each for v in walk], dtype=np.int32),
    }


def unpack_count(content: Mapping[str, Any], arguments: tuple[Any, ...]) -> Done:
    """Return the result of a task from the output of :func:`pack_count`."""
    work, job, _, times = arguments
    vertices = iter(content["vertices"].tolist())
    walks = iter([tuple(islice(vertices, length)) for length in content["lengths"].tolist()])
    rest = (tuple(islice(walks, many)) for many in content["pieces"].tolist())
    return Done((content["found"], content["placed"]), tuple((work, job, r, times) for r in rest))
