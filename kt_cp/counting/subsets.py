"""The method ``subsets``: dynamic programming over sets of vertices.

A cycle through a vertex *s* consists of two paths from *s* that each visit half of the other
vertices.  If the number of these vertices is even, an edge joins the two ends; otherwise the last
vertex does.  For each set *S* of half of the vertices, and each *v* in it, a table contains the
number of paths that begin at *s*, visit *S*, and end at *v*.  It follows from the table of the sets
with one vertex less.  Sets of the same size are ordered by their binary numbers; the rank of a set
is a sum of binomial coefficients.  So the tables are plain arrays, and parts of a table are
computed in parallel.  Digraphs have a second table, of paths against the arcs.

Open tours are cycles through an additional vertex, the depot.  A vertex in the middle of an edge
makes the edge required.

Source: R. Bellman, "Dynamic programming treatment of the travelling salesman problem", and M. Held
and R. Karp, "A dynamic programming approach to sequencing problems", both of 1962; halves are ours.
Cost: with n other vertices, the sets of half of them, C(n, n/2), times the square of their size;
28 vertices take 1.9 GB and a minute of processor time, whatever the edges.  When it loses: narrow
graphs, where ``frontier`` has far fewer states, and all graphs above 28 vertices.  It suits graphs
with many edges, whose frontier is wide.  It shares no code with the other methods, so it can
confirm them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.method import Estimate
from kt_cp.model.conditions import EDGES
from kt_cp.model.cycle import cycle_form, tiny
from kt_cp.model.errors import EndedError, NotTakenError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from kt_cp.model.problem import Problem
    from kt_cp.model.request import Progress
    from kt_cp.processes.store import Store

Arc = tuple[int, int]

MOST_VERTICES = 28
"""Most vertices of a closed tour without required moves, which need 1.9 GB."""

RATE = 1.5e8
"""Transitions from a set and its last vertex to another vertex, per second."""

BLOCK = 200_000
"""Sets per task, which takes between ten milliseconds and a second."""


@dataclass(frozen=True)
class ArcForm:
    """A problem as directed cycles.

    Attributes
    ----------
    size : int
        The number of vertices besides the first, numbered from 0.
    arcs : set of (int, int)
        Arcs; ``size`` stands for the first vertex.
    is_two_way : bool
        Whether each arc has its reverse, so that each cycle counts twice.
    """

    size: int
    arcs: frozenset[Arc]
    is_two_way: bool

    def reversed(self) -> ArcForm:
        """Return the same problem, with the vertices in reverse order."""
        arcs = frozenset((self.size - u, self.size - v) for u, v in self.arcs)
        return ArcForm(self.size, arcs, self.is_two_way)

    def masks(self, *, backwards: bool = False) -> tuple[NDArray[np.uint32], int]:
        """Return the set of predecessors of each vertex, and of successors of the first vertex.

        A set is a number whose bits are its vertices.  ``backwards`` reverses all arcs.
        """
        tails, heads = [0] * self.size, 0
        for u, v in self.arcs:
            tail, head = (v, u) if backwards else (u, v)
            if tail == self.size:
                heads |= 1 << head
            elif head != self.size:
                tails[head] |= 1 << tail
        return np.array(tails, np.uint32), heads


def arc_form(problem: Problem) -> ArcForm:
    """Return a problem with conditions on edges as directed cycles.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> form = arc_form(Problem("3x4"))
    >>> form.size, len(form.arcs), form.is_two_way
    (12, 52, True)
    """
    if not problem.directed:
        form = cycle_form(problem)
        pairs = {(min(pair), max(pair)) for pair in form.graph.pairs()}
        # The depot is the first vertex.
        return _subdivide(len(form), pairs, set(form.forced), is_two_way=True)
    number = {node: vertex for vertex, node in enumerate(problem.graph)}
    arcs = {(number[u], number[v]) for u, v in {*problem.graph.edges()} - {*problem.forbid}}
    arcs = {(u, v) for u, v in arcs if u != v}
    required = {(number[u], number[v]) for u, v in problem.require}
    size = len(number)
    if not problem.closed:
        first, last = problem.start, problem.end
        arcs |= {(size, number[each]) for each in (number if first is None else [first])}
        arcs |= {(number[each], size) for each in (number if last is None else [last])}
        size += 1
    while size < 3:  # a way out of the last vertex by another one
        arcs = {(size if u == size - 1 else u, v) for u, v in arcs} | {(size - 1, size)}
        required = {(size if u == size - 1 else u, v) for u, v in required}
        size += 1
    return _subdivide(size, arcs, required, is_two_way=False)


def _subdivide(size: int, pairs: set[Arc], required: set[Arc], *, is_two_way: bool) -> ArcForm:
    """Put a vertex into the middle of each required edge or arc, and the first vertex last."""
    first, more = size - 1, iter(range(size, size + len(required)))
    divided = {pair for pair in pairs if pair not in required}
    for u, v in required:
        middle = next(more)
        divided |= {(u, middle), (middle, v)}
    last = size + len(required) - 1
    renamed = {first: last, last: first}
    arcs = {(renamed.get(u, u), renamed.get(v, v)) for u, v in divided}
    if is_two_way:
        arcs |= {(v, u) for u, v in arcs}
    return ArcForm(last, frozenset(arcs), is_two_way)


@dataclass(frozen=True)
class Subsets:
    """The method ``subsets``.

    Attributes
    ----------
    name : str
    version : int
    backwards : bool
        Whether the vertices are in reverse order, so that each table has other numbers.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.model.problem import Problem
    >>> method = Subsets()
    >>> method.count(Problem(graph=nx.complete_graph(12), closed=True))
    19958400
    >>> method.refuses(Problem("6x6"))
    'more than 28 vertices'
    """

    name: str = "subsets"
    version: int = 1
    backwards: bool = False

    def others(self) -> tuple[Subsets, ...]:
        """Return the count in the other order."""
        return (Subsets("subsets, with the vertices in reverse order", 1, not self.backwards),)

    def refuses(self, problem: Problem) -> str | None:
        """Return why it does not support a problem, or None."""
        for condition in problem.conditions:
            if type(condition) not in EDGES:
                return condition.words
        form_size = problem.size + (not problem.closed) + len(problem.require)
        if problem.size > MOST_VERTICES or form_size > MOST_VERTICES + 1:
            also = " with those in the middle of required moves" if problem.require else ""
            return f"more than {MOST_VERTICES} vertices{also}"
        return None

    def estimate(self, problem: Problem) -> Estimate:
        """Estimate the work, which hardly depends on the edges."""
        self._check(problem)
        if _tiny_count(problem) is not None:
            return Estimate(1, 0, 0.0)
        form = arc_form(problem)
        size, half = form.size, form.size // 2
        states = [comb(size, count) * count for count in range(1, half + 1)]
        steps = sum(many * count for count, many in enumerate(states, 1))
        steps += comb(size, half) * (size - half) * half
        tables = 1 if form.is_two_way else 2
        size_of = _number_type(half)().itemsize
        most = (states[-1] * tables + states[-2] if half > 1 else states[-1] * tables) * size_of
        return Estimate(max(states), most, steps * tables / RATE / (os.cpu_count() or 1))

    def count(
        self,
        problem: Problem,
        *,
        progress: Progress | None = None,
        store: Store | None = None,
        executor: Executor | None = None,  # noqa: ARG002 - tables are shared by threads
        memory_limit: float | None = None,
    ) -> int:
        """Count the tours of a problem, as :class:`kt_cp.counting.method.Method` defines."""
        self._check(problem)
        if (known := _tiny_count(problem)) is not None:
            return known
        if store is not None and (saved := store.load(1)) is not None:
            return int(saved["tours"])
        needed = self.estimate(problem).bytes
        if memory_limit is not None and needed > memory_limit * 1e6:
            raise EndedError(f"its tables need {needed / 1e6:,.0f} MB")
        form = arc_form(problem)
        form = form.reversed() if self.backwards else form
        cycles = count_directed_cycles(form, progress)
        tours = cycles // 2 if form.is_two_way else cycles
        if store is not None:
            store.save(1, {"tours": tours})
        return tours

    def _check(self, problem: Problem) -> None:
        refused = self.refuses(problem)
        if refused is not None:
            raise NotTakenError(f"the method {self.name} does not take {refused}")


METHOD = Subsets()


def _tiny_count(problem: Problem) -> int | None:
    """Return the number of tours of a tiny problem; None for all others."""
    if problem.directed:
        return None
    answer = tiny(problem)
    return None if answer is None else int(answer[0] is not None)


def _number_type(half: int) -> Any:
    """Return the type of the numbers of paths: (half - 1)! at most."""
    return np.uint32 if half <= 13 else np.uint64


def count_directed_cycles(form: ArcForm, progress: Progress | None = None) -> int:
    """Count the directed Hamiltonian cycles of a problem of three vertices at least."""
    from concurrent.futures import ThreadPoolExecutor

    from kt_cp.counting.subsets_kernel import extend, join_at_vertex, join_ends

    size, half = form.size, form.size // 2
    tables = 1 if form.is_two_way else 2
    steps = tables * (half - 1) + 1
    binomials = np.array([[comb(n, k) for k in range(half + 2)] for n in range(size + 1)], np.int64)
    paths, done = [], 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:

        def run(kernel: Any, sets: int, *arguments: Any) -> list[Any]:
            nonlocal done
            done += 1
            starts = range(0, sets, BLOCK)
            tasks = [
                pool.submit(kernel, start, min(start + BLOCK, sets), *arguments) for start in starts
            ]
            try:
                results = []
                for task in tasks:
                    results.append(task.result())
                    if progress is not None:
                        progress({"step": done, "steps": steps, "states": sets})
            finally:
                for task in tasks:
                    task.cancel()
            return results

        for backwards in (False, True)[:tables]:
            tails, first = form.masks(backwards=backwards)
            table = np.array([first >> v & 1 for v in range(size)], _number_type(half))
            for count in range(2, half + 1):
                sets = comb(size, count)
                longer = np.zeros(sets * count, table.dtype)
                run(extend, sets, count, size, binomials, tails, table, longer)
                table = longer
            paths.append(table)
        sets, arguments = comb(size, half), (half, size, binomials)
        tails, heads = form.masks()[0], form.masks(backwards=True)[0]
        if size % 2:
            sums = run(join_at_vertex, sets, *arguments, tails, heads, paths[0], paths[-1])
        else:
            sums = run(join_ends, sets, *arguments, tails, paths[0], paths[-1])
    return sum(_join_limbs(each) for each in sums)


def _join_limbs(limbs: Iterable[int]) -> int:
    """Return the number that the four sums of a block represent."""
    low, low_high, high, high_high = map(int, limbs)
    return low + (low_high << 32) + ((high + (high_high << 32)) << 24)
