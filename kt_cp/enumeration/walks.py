"""Walks of an enumeration: jobs, the compiled recursion on them, counting, and an estimate.

**Jobs.**  A closed tour is written from one square only, the given start or the board's first, so
its rotations count as one tour.  If direction does not matter, only the direction found first is
listed.  In a closed tour, its second square is tried before its last; in an open tour, its first
square has a lower number than its last.  The recursion uses this condition on the last square for
pruning.

**Counting.**  The jobs are split into beginnings, which threads process in turn.  The compiled
recursion releases Python's lock, and Ctrl-C is handled between its calls.  Work of a few hundredths
of a second runs without threads, as threads would double its time.

**Estimate.**  A probe descends the tree of the recursion once.  It lists the beginnings that are a
few squares longer and continues with a random one.  At each level it multiplies the size below by
the number of these beginnings.  The expected value is exactly the size of the tree.  Source: D. E.
Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975)
121–136.  Cost: a few milliseconds per probe.  When it loses: most of a tree may be below a few
branches, which probes rarely reach, so the estimate is often too low.  But it is rarely far too
high: by Markov's inequality, it exceeds a thousand times the true size with a probability of at
most one in a thousand.  So a refusal is justified if the estimate is a thousand times too long.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from kt_cp.enumeration.symmetry import symmetries
from kt_cp.model.errors import TooLargeError
from kt_cp.model.move_order import MoveTable
from kt_cp.model.problem import Problem
from kt_cp.processes.executors import wait_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


CHUNK = 1_000_000
"""Steps of a call, which take tens of milliseconds."""


@dataclass(frozen=True)
class Job:
    """A part of an enumeration: the tours that begin with some vertices."""

    prefix: tuple[int, ...]
    may_end: NDArray[np.bool_]  # shape (vertices,): mask of the possible last vertices
    closed: bool = False  # whether the last vertex is adjacent to the first, for required moves


@dataclass(frozen=True)
class BitGraph:
    """A graph for the kernel: the free neighbours of a vertex are the bits of one word."""

    heads: NDArray[np.int64]  # shape (vertices, width): neighbours in the order of trying
    backs: NDArray[np.uint64]  # the same shape: the bit of a vertex in each neighbour's word
    free: NDArray[np.uint64]  # shape (vertices,): a bit for each neighbour
    required: NDArray[np.uint64] | None = None  # bits of the neighbours by required moves


def bit_graph(heads: NDArray[np.int32], forced: Sequence[tuple[int, int]] = ()) -> BitGraph:
    """Return the graph of a symmetric table of neighbours, -1 after the last of each row."""
    import numpy as np

    from kt_cp.enumeration.kernels import WIDTH

    if heads.shape[1] > WIDTH:
        raise TooLargeError(
            f"expected at most {WIDTH} neighbours a node to enumerate, got {heads.shape[1]}"
        )
    tails, places = np.nonzero(heads >= 0)
    ends = heads[tails, places].astype(np.int64)
    # Sort by (tail, head) and by (head, tail), so that each edge is aligned with its reverse.
    forth, back = np.lexsort((ends, tails)), np.lexsort((tails, ends))
    backs = np.zeros(heads.shape, dtype=np.uint64)
    backs[tails[back], places[back]] = np.uint64(1) << places[forth].astype(np.uint64)
    free = np.zeros(len(heads), dtype=np.uint64)
    np.bitwise_or.at(free, tails, np.uint64(1) << places.astype(np.uint64))
    required = np.zeros(len(heads), dtype=np.uint64) if forced else None
    for edge in forced:
        assert required is not None
        for tail, head in (edge, edge[::-1]):
            required[tail] |= np.uint64(1 << heads[tail].tolist().index(head))
    return BitGraph(np.maximum(heads, 0).astype(np.int64), backs, free, required)


class Walker:
    """The compiled recursion on one job.

    It is ``exhausted`` once it has returned all its walks; ``placed`` and ``found`` are the
    vertices placed and the walks found so far.

    >>> import numpy as np
    >>> square = bit_graph(np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32))
    >>> walker = Walker(square, Job((0,), np.ones(4, dtype=np.bool_)))
    >>> walker.next(capacity=10, steps=100).tolist(), walker.exhausted
    ([[0, 1, 2, 3], [0, 3, 2, 1]], True)
    """

    def __init__(self, graph: BitGraph, job: Job, leaf: int | None = None) -> None:
        import numpy as np

        total = len(graph.free)
        self._graph = graph
        self._free = graph.free.copy()
        self._may_end = job.may_end
        # The bit of the first vertex in the words of its neighbours, for required moves.
        required = job.closed and graph.required is not None
        self._closing = np.zeros(total if required else 0, dtype=np.uint64)
        if required:
            first = job.prefix[0]
            np.bitwise_or.at(self._closing, graph.heads[first], graph.backs[first])
        self._leaf = total if leaf is None else leaf
        self._base = len(job.prefix)
        self._frames = np.zeros((total, 4), dtype=np.int64)
        self._children = np.zeros(total, dtype=np.uint64)
        self._state = np.zeros(3, dtype=np.int64)
        self.placed = self.found = 0
        self.exhausted = not self._enter(job.prefix)

    def _enter(self, prefix: Sequence[int]) -> bool:
        """Place the first vertices; return whether a tour may begin with them."""
        import numpy as np

        from kt_cp.enumeration import kernels

        graph, previous = self._graph, 0
        waiting, ends = -1, int(self._may_end.sum())
        for depth, vertex in enumerate(prefix):
            if depth:
                before, *lonely, ends = self._frames[depth - 1].tolist()
                bits = int(self._children[depth - 1])
                row = graph.heads[before].tolist()
                way = next((i for i, v in enumerate(row) if v == vertex and bits >> i & 1), None)
                if way is None:
                    return False
                previous = graph.backs[before, way]
                waiting = max((other for other in lonely if other != vertex), default=-1)
            kernels.enter(
                graph.heads, graph.backs, self._may_end, self._frames, self._children, self._free,
                depth, vertex, waiting, ends,
            )  # fmt: skip
            if graph.required is not None:
                kernels.require(
                    graph.required, self._closing, self._children, self._free,
                    depth, vertex, np.uint64(previous),
                )  # fmt: skip
            self._state[kernels.DEPTH] += 1
            self.placed += 1
        return True

    def next(self, *, capacity: int, steps: int) -> NDArray[np.int32]:
        """Return at most ``capacity`` walks, one per row; with 0, walks are only counted.

        It returns the walks so far after ``steps`` vertices placed or taken back.
        """
        import numpy as np

        from kt_cp.enumeration import kernels

        walks = np.empty((capacity, self._leaf), dtype=np.int32)
        if self.exhausted:
            return walks[:0]
        if self._base == self._leaf:  # the given vertices form the whole walk
            self.exhausted = True
            if self._graph.required is not None and not self._children[self._leaf - 1]:
                return walks[:0]
            self.found += 1
            walks[:1] = self._frames[: self._leaf, kernels.VERTEX]
            return walks[:1]
        placed, found = self._state[[kernels.PLACED, kernels.FOUND]].tolist()
        result = kernels.advance(
            self._graph.heads, self._graph.backs, self._graph.required,
            self._closing, self._may_end, self._frames, self._children, self._free, self._state,
            self._base, self._leaf, steps, walks,
        )  # fmt: skip
        self.exhausted = result == kernels.EXHAUSTED
        new = int(self._state[kernels.FOUND]) - found
        self.placed += int(self._state[kernels.PLACED]) - placed
        self.found += new
        return walks[: min(new, capacity)]

    def left(self) -> list[tuple[int, ...]]:
        """Return the beginnings of all remaining walks, in order.

        >>> import numpy as np
        >>> square = bit_graph(np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32))
        >>> walker = Walker(square, Job((0,), np.ones(4, dtype=np.bool_)))
        >>> walker.next(capacity=1, steps=100).tolist(), walker.left()
        ([[0, 1, 2, 3]], [(0, 3)])
        """
        from kt_cp.enumeration import kernels

        if self.exhausted:
            return []
        depth = int(self._state[kernels.DEPTH])
        walk = self._frames[:depth, kernels.VERTEX].tolist()
        found = [tuple(walk)] if self._base == self._leaf else []
        for length in range(min(depth, self._leaf - 1), self._base - 1, -1):
            row = self._graph.heads[walk[length - 1]].tolist()
            bits = int(self._children[length - 1])
            heads = (head for bit, head in enumerate(row) if bits >> bit & 1)
            found += [(*walk[:length], head) for head in heads]
        return found


def jobs(
    problem: Problem, table: MoveTable, *, directed: bool, first: int | None = None
) -> Iterator[Job]:
    """Yield jobs that together find every tour once.

    Closed tours are written from the vertex ``first``, by default from the problem's start.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.move_order import move_table
    >>> problem = Problem(Board(6, 6), closed=True)
    >>> [job.prefix for job in jobs(problem, move_table(problem), directed=False)]
    [(0, 13), (0, 8)]
    """
    if problem.closed:
        if first is None:
            first = 0 if problem.start is None else table.index[problem.start]
        parts = _closed_jobs(table, first, directed)
    else:
        parts = _open_jobs(problem, table, directed)
    for job in parts:
        may_end = job.may_end & _colour_mask(problem, job.prefix[0])
        yield Job(job.prefix, may_end, problem.closed)


def _closed_jobs(table: MoveTable, start: int, directed: bool) -> Iterator[Job]:
    if len(table) < 3:
        return
    around = [vertex for vertex in table.heads[start].tolist() if vertex >= 0]
    if directed:
        yield Job((start,), vertex_mask(len(table), around))
        return
    for place, second in enumerate(around):
        yield Job((start, second), vertex_mask(len(table), around[place + 1 :]))


def _open_jobs(problem: Problem, table: MoveTable, directed: bool) -> Iterator[Job]:
    total, (start, end) = len(table), (problem.start, problem.end)
    either = not directed and start is None and end is None and total > 1
    for first in range(total) if start is None else (table.index[start],):
        if end is not None:
            last: Any = [table.index[end]]
        else:
            last = range(first + 1, total) if either else range(total)
        yield Job((first,), vertex_mask(total, last))


def vertex_mask(total: int, vertices: Any) -> NDArray[np.bool_]:
    """Return a mask over ``total`` vertices."""
    import numpy as np

    mask = np.zeros(total, dtype=np.bool_)
    mask[list(vertices)] = True
    return mask


def _colour_mask(problem: Problem, start: int) -> Any:
    """Return a mask of the vertices with the last one's colour; True without a two-colouring."""
    import numpy as np

    colours = problem.indexed.colours
    # The two-colouring is unique only if the graph is connected.
    if colours is None or len(problem.indexed.components) > 1:
        return True
    colour = np.array(colours)
    # The last square has the first one's colour if the number of squares is odd.
    last = colours[start] ^ (problem.size % 2 == 0)
    same = int((colour == colours[start]).sum())
    balanced = same * 2 == problem.size + problem.size % 2
    return (colour == last) & balanced


ALONE = 200_000
"""Squares that one thread places before others start."""

BEGINNINGS = 256
"""Approximate number of parts, so that all threads end at about the same time."""

CAPACITY = 4096
"""Tours in memory at a time if each is examined."""


@dataclass(frozen=True, eq=False)
class Task:
    """A job, and the number of equivalent jobs with the same number of tours."""

    job: Job
    times: int


def count_tasks(problem: Problem, table: MoveTable, *, directed: bool, unique: bool) -> list[Task]:
    """Return the jobs, with one task for jobs that symmetries map to each other.

    With ``unique`` each tour is examined, so each job has its own task.
    """
    first = None
    if problem.closed and not unique:
        # The number is the same from any square, so begin at one with the fewest neighbours.
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


class CountState(NamedTuple):
    """Tours found and squares placed, and whether the count is complete."""

    found: int
    placed: int
    complete: bool


def count(
    graph: BitGraph,
    tasks: list[Task],
    each: Callable[[Job, Any], int] | None,
    should_stop: Callable[[], bool] | None,
    workers: int | None,
    progress: Callable[[CountState], None],
) -> CountState:
    """Count the tours of all tasks: one per walk, or the result of ``each`` for a job's walks."""
    stopped = threading.Event()
    live: dict[Task, CountState] = {}

    def may_continue() -> bool:
        if should_stop is not None and should_stop():
            stopped.set()
        return not stopped.is_set()

    def run(task: Task, most_placed: int = sys.maxsize) -> CountState:
        walker, found = Walker(graph, task.job), 0
        capacity = CAPACITY if each is not None else 0
        while not walker.exhausted and walker.placed < most_placed and may_continue():
            walks = walker.next(capacity=capacity, steps=min(CHUNK, 2 * most_placed))
            found = walker.found if each is None else found + each(task.job, walks)
            live[task] = CountState(found * task.times, walker.placed, walker.exhausted)
            progress(_add_up(list(live.values())))
        return CountState(found * task.times, walker.placed, walker.exhausted)

    left, done = ALONE, []
    for task in tasks:
        done.append(run(task, left))
        left -= done[-1].placed
        if not done[-1].complete or left <= 0:
            break
    if len(done) == len(tasks) and all(part.complete for part in done):
        return _add_up(done)
    live.clear()  # count everything again in smaller parts
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            parts = [pool.submit(run, part) for part in split_tasks(graph, tasks)]
            done = [wait_for(part) for part in parts]
        except BaseException:
            stopped.set()  # on Ctrl-C, stop all threads
            raise
    return _add_up(done)


def _add_up(parts: list[CountState]) -> CountState:
    return CountState(
        sum(part.found for part in parts),
        sum(part.placed for part in parts),
        all(part.complete for part in parts),
    )


def split_tasks(graph: BitGraph, tasks: list[Task]) -> Iterator[Task]:
    """Yield the same work in more parts with longer beginnings."""
    target = BEGINNINGS // max(1, len(tasks)) + 1
    total = len(graph.free)
    for task in tasks:
        beginnings = [task.job.prefix]
        for length in range(len(task.job.prefix) + 1, total + 1):
            if len(beginnings) >= target or not beginnings:
                break
            walker = Walker(graph, task.job, length)
            # A vertex has at most 64 neighbours, so all next beginnings fit.
            rows = walker.next(capacity=64 * len(beginnings), steps=1 << 60)
            beginnings = [tuple(row) for row in rows.tolist()]
        for prefix in beginnings:
            yield Task(replace(task.job, prefix=prefix), task.times)


PROBES = 64
STRIDE = 3
"""Squares by which a probe extends at each level: fewer squares require more levels, and more
squares require more beginnings."""

ENOUGH = 1e30
"""Estimate above which a probe stops: on larger boards it would take seconds."""


def squares_to_place(graph: BitGraph, tasks: Sequence[Task], seed: int = 0) -> float:
    """Return an estimate of the squares that a count of the tasks places, up to about ENOUGH.

    >>> from kt_cp.enumeration import Enumeration
    >>> 1e5 < Enumeration("6x6", closed=True).work() < 2e6  # it is 428,252
    True
    """
    rng = random.Random(seed)
    placed = 0.0
    for _ in range(PROBES if tasks else 0):
        placed += _probe(graph, rng.choice(tasks).job, rng) * len(tasks) / PROBES
        if placed >= ENOUGH:
            break
    return placed


def _probe(graph: BitGraph, job: Job, rng: random.Random) -> float:
    """Return the squares placed on one descent, weighted by the numbers of choices."""
    total, weight, placed = len(graph.free), 1.0, 0.0
    walk = tuple(job.prefix)
    while len(walk) < total and placed < PROBES * ENOUGH:
        walker = Walker(graph, Job(walk, job.may_end, job.closed), min(len(walk) + STRIDE, total))
        longer = walker.next(capacity=64**STRIDE, steps=1 << 60)
        placed += weight * (walker.placed - len(walk))
        if not len(longer):
            break
        weight *= len(longer)
        walk = tuple(longer[rng.randrange(len(longer))].tolist())
    return placed
