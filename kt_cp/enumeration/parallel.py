"""An enumeration in pieces, for other processes and machines: the same tours in the same order.

A piece is a list of beginnings in the order of the search.  The compiled recursion goes on with one
after the other until the piece has placed enough squares, or has found as many tours as a message
should hold.  What lies on its stack then are the beginnings of all that is left: the longest ones,
which are next and small, make one piece, and each of the shortest, which are the largest, one of
its own (:mod:`kt_cp.processes.task_queue` has the source).

Cost: some ten kilobytes a piece; and beginnings are walked again, a hundred squares of millions.
When it loses: a board of seconds is counted sooner by threads that share one memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.enumeration.searches import Searches, steps_given
from kt_cp.enumeration.walks import CHUNK, CountState, Job, Walker, split_tasks
from kt_cp.model.errors import NotTakenError
from kt_cp.processes.executors import is_cancelled
from kt_cp.processes.interruptible_cpsat import StoppedError
from kt_cp.processes.task_queue import Done, ResultStore, run_tasks

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

PIECE = 30_000_000
"""Squares that a piece places: some seconds."""

ROOM = 4096
"""Tours that a piece of a list holds before it ends."""


class PieceWork(NamedTuple):
    """What all pieces of an enumeration share, and where one of them ends."""

    searches: Searches
    squares: int
    tours: int


Beginnings = Sequence[tuple[int, ...]]


def count_in_pieces(
    searches: Searches,
    executor: Executor,
    should_stop: Callable[[], bool] | None,
    told: Callable[[CountState], None],
    store: ResultStore | None = None,
) -> CountState:
    """Tours found and squares placed by pieces in an executor."""
    work = _work(searches)
    pieces = (
        (work, task.job, (task.job.prefix,), task.times)
        for task in split_tasks(searches.ways.graph, searches.ways.tasks())
    )
    so_far = CountState(0, 0, False)
    try:
        for found, placed in run_tasks(
            executor, count_piece, pieces, store=store, should_stop=should_stop
        ):
            so_far = CountState(so_far.found + found, so_far.placed + placed, False)
            told(so_far)
    except StoppedError:
        return so_far
    return so_far._replace(complete=True)


def list_in_pieces(
    searches: Searches, executor: Executor, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[NDArray[np.int32], int]]:
    """Tours, one a row, and squares placed so far, by pieces in an executor."""
    work, so_far = _work(searches), 0
    if searches.reason is not None:
        return
    pieces = ((work, job, (job.prefix,)) for job in searches.ways.jobs())
    for tours, placed in run_tasks(executor, list_piece, pieces, should_stop=should_stop):
        so_far += placed
        yield tours, so_far


def _work(searches: Searches) -> PieceWork:
    if steps_given(searches.problem):
        raise NotTakenError("an enumeration in pieces does not take given steps")
    return PieceWork(searches, PIECE, ROOM)


def count_piece(work: PieceWork, job: Job, beginnings: Beginnings, times: int) -> Done:
    """Tours found and squares placed."""
    searches = work.searches
    each = searches.firsts if searches.unique else searches.ways.many
    found = 0

    def look(walker: Walker, steps: int) -> bool:
        nonlocal found
        before = walker.found
        walks = walker.next(room=0 if each is None else ROOM, steps=steps)
        found += walker.found - before if each is None else each(job, walks)
        return True

    placed, rest = _go_on(work, job, beginnings, look)
    return Done((found * times, placed), tuple((work, job, each, times) for each in rest))


def list_piece(work: PieceWork, job: Job, beginnings: Beginnings) -> Done:
    """Tours, one a row, and squares placed."""
    import numpy as np

    tours = [np.empty((0, len(work.searches.table)), dtype=np.int32)]

    def look(walker: Walker, steps: int) -> bool:
        walks = walker.next(room=work.tours, steps=steps)
        tours.extend(work.searches.ways.tours(job, walks))
        return sum(map(len, tours)) < work.tours

    placed, rest = _go_on(work, job, beginnings, look)
    return Done((np.concatenate(tours), placed), tuple((work, job, each) for each in rest))


def _go_on(
    work: PieceWork, job: Job, beginnings: Beginnings, look: Callable[[Walker, int], bool]
) -> tuple[int, list[Beginnings]]:
    """Search until it is enough; squares placed, and what is left, in pieces."""
    placed, enough = 0, False
    for at, prefix in enumerate(beginnings):
        walker = Walker(work.searches.ways.graph, replace(job, prefix=prefix))
        while not walker.exhausted:
            if enough or is_cancelled():
                return placed + walker.placed, _parted([*walker.left(), *beginnings[at + 1 :]])
            room = look(walker, min(CHUNK, work.squares))
            enough = not room or placed + walker.placed >= work.squares
        placed += walker.placed
    return placed, []


def _parted(left: Beginnings) -> list[Beginnings]:
    """Long beginnings together, as little is behind them, and the shortest each by itself."""
    if not left:
        return []
    *parts, shortest = (list(each) for _, each in groupby(left, key=len))
    small = [prefix for part in parts for prefix in part]
    return [*([small] if small else []), *([prefix] for prefix in shortest)]


def pack_count(done: Done) -> dict[str, Any]:
    """The result of a piece of a count, as arrays and integers."""
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


def unpack_count(content: Mapping[str, Any], piece: tuple[Any, ...]) -> Done:
    """The result of a piece again."""
    work, job, _, times = piece
    vertices = iter(content["vertices"].tolist())
    walks = iter([tuple(islice(vertices, length)) for length in content["lengths"].tolist()])
    rest = (tuple(islice(walks, many)) for many in content["pieces"].tolist())
    return Done((content["found"], content["placed"]), tuple((work, job, r, times) for r in rest))
