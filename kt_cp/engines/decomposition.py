"""Decomposition: solve a graph in parts, as a step of ``auto``.

The parts are solved separately and their cycles are joined.  If one part has no cycle, the whole
graph has none.

Sparse or small graphs are divided before any search.  If all vertices have many neighbours, parts
are rare, and it is expensive to look for them in large graphs.  Boards are divided after other
searches, because nearly all of them have a tour that is found at once.  So are large graphs whose
nodes are all close to each other.

A graph is divided at two vertices or at three edges that separate it.  At two vertices each part is
solved once, with a required edge between the two (:mod:`kt_cp.proofs.split`).  At three edges a
cycle uses two of them.  So the smaller side is solved three times, each time without one of the
edges; if there is no cycle, that edge is required.  Then the side is shrunk to a single vertex, and
the rest is solved once.  The cycle of the rest determines which of the three answers is used.  All
parts are divided again until nothing separates them.

If a part has no cycle, the divisions that led to it and a certificate for the part are a
certificate for the whole (:mod:`kt_cp.trust.check.split`).

Cost: linear in the edges for each division, three small subproblems for each cut of three edges,
and one for each part.  When it loses: if nothing separates the graph, the time is wasted.

A cycle uses two of the three edges of a cut, and passes the side once.  For each of the three edges
the side is searched for a path between the ends of the other two.  If there is none, the edge is
required.  A single vertex with these required edges therefore replaces the side, and for every
cycle of the rest the path in the side is already known.

Cost: three subproblems for each side, of the size of the smaller one.  When it loses: a side that
is nearly half of a hard graph is solved three times.  Each call gets little time, and a side with
an unsolved subproblem is not shrunk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.engines.engine import found, impossible, proved
from kt_cp.model.cycle import CycleForm, cycles_of
from kt_cp.model.outcome import Evidence, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.model.tour import Tour
from kt_cp.proofs.certificate import as_certificate, rename_nodes
from kt_cp.proofs.split import (
    CONTRADICTION,
    FAILURES,
    SMALL,
    VIRTUAL,
    Division,
    NoCycle,
    Part,
    Whole,
    divide,
)
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.search.edge_deduction import find_cycles
from kt_cp.search.numba_arrays import csr_rows, sorted_unique
from kt_cp.search.three_cuts import three_cuts
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.split import PLAIN
from kt_cp.trust.check.state import Contradiction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cycle = NDArray[np.bool_]
    "A mask of the edges of a part that the cycle uses."


SolvePart = Callable[[Part], "NDArray[np.bool_] | NoCycle | None"]
"""A function that returns a cycle of a part or a refutation, or None if it finds neither."""


@dataclass
class Side:
    """A side of a cut of three edges, to be replaced by one vertex."""

    members: NDArray[np.int64]  # its vertices, ascending
    cut_edges: list[tuple[int, int, int]]
    """For each of the three edges: its number, its end inside the side and its other end."""
    inner_edges: NDArray[np.int64]  # numbers of the edges between its vertices
    cycles: list[NDArray[np.int64] | None] = field(default_factory=lambda: [None] * 3)
    """Paths through the side, as edges: without the first, the second and the third edge."""

    def path_ends(self, omitted: int) -> tuple[int, int]:
        """Return the ends inside the side of the two edges other than ``omitted``."""
        u, v = sorted(end for k, (_, end, _) in enumerate(self.cut_edges) if k != omitted)
        return u, v

    def has_required_edge(self, part: Part, omitted: int) -> bool:
        """Return whether a required edge already joins these two."""
        needed = self.inner_edges[part.must[self.inner_edges]]
        u, v = self.path_ends(omitted)
        return bool(((part.tails[needed] == u) & (part.heads[needed] == v)).any())

    def subproblem(self, part: Part, omitted: int) -> Part:
        """Return the side with a required edge between the two."""
        u, v = part.vertices[[*self.path_ends(omitted)]]
        tails, heads = (part.vertices[ends[self.inner_edges]] for ends in (part.tails, part.heads))
        return Part.from_edges(
            part.vertices[self.members], np.append(tails, u), np.append(heads, v),
            np.append(part.must[self.inner_edges], True), np.append(self.inner_edges, VIRTUAL),
        )  # fmt: skip


@dataclass
class ShrunkPart:
    """A part whose sides are shrunk to single vertices."""

    part: Part
    original: Part
    sides: list[Side]

    def expand_cycle(self, cycle: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the cycle of the original part for a cycle of the shrunk part."""
        used = np.zeros(len(self.original.tails), dtype=bool)
        used[self.part.edge[cycle]] = True
        for side in self.sides:
            (omitted,) = (k for k, (edge, _, _) in enumerate(side.cut_edges) if not used[edge])
            path = side.cycles[omitted]
            assert path is not None, "an edge that must be used is not"
            used[path] = True
        return used


def shrink_sides(
    part: Part, whole: Whole, steps: list[Any], seed: int, solve_part: SolvePart
) -> ShrunkPart | NoCycle | None:
    """Return the part with its sides of three edges shrunk, or None if it has no such sides.

    The steps of the reduction are appended to ``steps``.
    """
    sides = _find_sides(part, seed + len(steps))
    must = part.must.copy()
    cycles = _search_small_sides(part, sides)
    shrunk = []
    for place, side in enumerate(sides):
        side.cycles = cycles[3 * place : 3 * place + 3]
        refuted = _find_side_cycles(part, whole, must, side, steps, solve_part)
        if refuted is not None:
            return refuted
        if any(cycle is not None for cycle in side.cycles):
            shrunk.append(side)
    if not shrunk:
        return None
    # The least vertex of a side represents it.
    representative = np.arange(len(part))
    for side in shrunk:
        representative[side.members] = side.members[0]
    removed = np.concatenate([side.members for side in shrunk])
    steps.append(whole.keep(np.delete(part.vertices, removed)))
    tails, heads = representative[part.tails], representative[part.heads]
    kept = np.flatnonzero(tails != heads)
    tails, heads = (part.vertices[ends[kept]] for ends in (tails, heads))
    vertices = part.vertices[sorted_unique(representative)]
    return ShrunkPart(Part.from_edges(vertices, tails, heads, must[kept], kept), part, shrunk)


def _find_sides(part: Part, seed: int) -> list[Side]:
    found = three_cuts(len(part), part.tails, part.heads, seed)
    if not found:
        return []
    start, near, edge = csr_rows(len(part), part.tails, part.heads)
    sides = []
    for members in found:
        at = np.sort(members)
        places = np.concatenate([np.arange(start[v], start[v + 1]) for v in at.tolist()])
        ends = np.repeat(at, start[at + 1] - start[at])
        leads_out = ~np.isin(near[places], at)
        cut_edges = [column[leads_out].tolist() for column in (edge[places], ends, near[places])]
        inner_edges = sorted_unique(edge[places[~leads_out]])
        sides.append(Side(at, list(zip(*cut_edges, strict=True)), inner_edges))
    return sides


def _search_small_sides(part: Part, sides: list[Side]) -> list[NDArray[np.int64] | None]:
    """Return cycles for the three subproblems of each side, if a short search finds them."""
    cycles: list[NDArray[np.int64] | None] = [None] * (3 * len(sides))
    subproblems = [
        (3 * place + omitted, side.subproblem(part, omitted))
        for place, side in enumerate(sides)
        for omitted in range(3)
        if len(side.members) <= SMALL and not side.has_required_edge(part, omitted)
    ]
    if not subproblems:
        return cycles
    group = np.repeat(
        [number for number, _ in subproblems], [len(problem.tails) for _, problem in subproblems]
    )
    tails, heads, must, edge = (
        np.concatenate([getattr(problem, name) for _, problem in subproblems])
        for name in ("tails", "heads", "must", "edge")
    )
    used, _ = find_cycles(group, tails, heads, must, FAILURES)
    used &= edge >= 0
    bounds = np.searchsorted(group[used], np.arange(len(cycles) + 1)).tolist()
    for number, (begin, end) in enumerate(pairwise(bounds)):
        if begin < end:
            cycles[number] = edge[used][begin:end]
    return cycles


def _find_side_cycles(
    part: Part,
    whole: Whole,
    must: NDArray[np.bool_],
    side: Side,
    steps: list[Any],
    solve_part: SolvePart,
) -> NoCycle | None:
    """Find the cycles of a side; if one subproblem remains unsolved, discard all of them.

    Required edges that this proves are added to ``must``, and the proofs to ``steps``.
    """
    keep_step = whole.keep(part.vertices[side.members])
    lemmas = []
    for omitted, (edge, *_) in enumerate(side.cut_edges):
        if must[edge]:
            side.cycles[omitted] = None
        elif side.has_required_edge(part, omitted):
            u, v = part.vertices[[*side.path_ends(omitted)]].tolist()
            lemmas.append((edge, NoCycle([], whole.pair_evidence((u, v)))))
        elif side.cycles[omitted] is None:
            rest = side.subproblem(part, omitted)
            result = solve_part(rest)
            if result is None:
                side.cycles = [None] * 3
                return None
            if isinstance(result, NoCycle):
                lemmas.append((edge, NoCycle([keep_step, *result.steps], result.end)))
            else:
                side.cycles[omitted] = rest.edge[result & (rest.edge >= 0)]
    if all(cycle is None for cycle in side.cycles):
        return NoCycle([*steps, keep_step], _contract_rest(part, must, side))
    for edge, refuted in lemmas:
        u, v = part.vertices[[part.tails[edge], part.heads[edge]]].tolist()
        steps.append(whole.use((u, v), refuted))
        must[edge] = True
        if replace(part, must=must).is_overfull():
            return NoCycle([*steps], CONTRADICTION)
    return None


def _contract_rest(part: Part, must: NDArray[np.bool_], side: Side) -> Part | dict[str, Any]:
    """Return a side in which all other vertices are merged into one."""
    rest = int(np.setdiff1d(np.arange(len(part)), side.members)[0])
    edges = np.append(side.inner_edges, [edge for edge, _, _ in side.cut_edges])
    tails, heads = part.tails[edges], part.heads[edges]
    for ends in (tails, heads):
        ends[~np.isin(ends, side.members)] = rest
    vertices = np.sort(np.append(side.members, rest))
    tails, heads = part.vertices[tails], part.vertices[heads]
    contracted = Part.from_edges(part.vertices[vertices], tails, heads, must[edges], edges)
    return CONTRADICTION if contracted.is_overfull() else contracted


MOST_DEPTH = 100
"""Most nested divisions; a deeper part is not divided."""

QUICK_SECONDS = 0.3
"""Seconds of plain backtracking for a part, before it is solved as a separate problem."""

QUESTION_SECONDS = 5.0
"""Seconds for a subproblem of a side of three edges, which may remain unsolved."""

WORTH = 0.9
"""A graph is solved in parts if the largest has at most this share of its vertices."""

LARGE, LITTLE = 10_000, 0.01
"""Vertices of a large graph, and the share of them by which sides must shrink it; with less, the
search for sides stops."""

Answer = Callable[[Request], Outcome]
"""A function that solves a part that cannot be divided."""


class _NotDivisibleError(Exception):
    """The largest part is nearly the whole graph."""


class _UndecidedError(Exception):
    """No engine could decide a part."""


@dataclass
class PartsResult:
    """Result of solving in parts: a tour, a reason why none exists, or neither."""

    tour: Tour | None
    refuted: NoCycle | None
    solved_parts: int  # how many parts were solved


def decompose(request: Request, answer: Answer) -> PartsResult | None:
    """Solve a problem in parts; return None if one part is the whole problem or nearly so.

    The problem has three squares or more, and conditions on edges only.  Refusal is raised if it
    is too large, or if a node has a name that is reserved for the checker.
    """
    solver = _PartSolver(Whole(request.problem), answer, request)
    try:
        result = solver.solve(solver.whole.part, 0)
    except _NotDivisibleError:
        return None
    except _UndecidedError:
        return PartsResult(None, None, solver.solved_parts)
    if isinstance(result, NoCycle):
        return PartsResult(None, result, solver.solved_parts)
    return PartsResult(_tour(request.problem, solver.whole, result), None, solver.solved_parts)


def _tour(problem: Problem, whole: Whole, cycle: Cycle) -> Tour:
    part = whole.part
    ends = np.concatenate([part.tails[cycle], part.heads[cycle]])
    others = np.concatenate([part.heads[cycle], part.tails[cycle]])
    links = others[np.argsort(ends, kind="stable")].reshape(len(part), 2).tolist()
    depot = whole.size if whole.size < len(part) else None
    form = CycleForm(problem, problem.indexed, [], depot)
    return form.tour(cycles_of(links)[0])


def _lift_cycle(division: Division, part: Part, cycle: Cycle) -> Cycle:
    return division.join_cycles([(part, cycle)])


class _PartSolver:
    """A solver of parts within the limits of a request."""

    def __init__(self, whole: Whole, answer: Answer, request: Request) -> None:
        self.whole, self.solved_parts = whole, 0
        self._answer, self._request = answer, request

    def solve(self, part: Part, depth: int) -> Cycle | NoCycle:
        """Return a cycle or a refutation."""
        steps: list[Any] = []
        lifts: list[Callable[[Cycle], Cycle]] = []
        while True:
            if self._request.expired():
                raise _UndecidedError
            if part.is_overfull():
                return NoCycle(steps, CONTRADICTION)
            divided = divide(part, self.whole)
            if isinstance(divided, NoCycle):
                return NoCycle([*steps, *divided.steps], divided.end)
            is_whole = divided.is_whole()
            if not is_whole and depth < MOST_DEPTH:
                self.solved_parts += divided.search_small_parts(WORTH * len(self.whole.names))
                cycles = self._solve_all(divided.parts(), depth)
                if isinstance(cycles, NoCycle):
                    return NoCycle([*steps, *cycles.steps], cycles.end)
                cycle = divided.join_cycles(cycles)
                break
            if is_whole:
                (part,) = divided.parts()
                lifts.append(partial(_lift_cycle, divided, part))
                steps.append(PLAIN)
                if divided.is_biconnected and depth < MOST_DEPTH:
                    seed = self._request.seed
                    shrunk = shrink_sides(
                        part, self.whole, steps, seed, lambda p: self._solve_briefly(p, depth)
                    )
                    if isinstance(shrunk, NoCycle):
                        return shrunk
                    if shrunk:
                        self._require_progress(len(part), shrunk.part, depth)
                        part = shrunk.part
                        lifts.append(shrunk.expand_cycle)
                        continue
            result = self._search(part)
            if isinstance(result, NoCycle):
                return NoCycle([*steps, *result.steps], result.end)
            cycle = result
            break
        for lift in reversed(lifts):
            cycle = lift(cycle)
        return cycle

    def _require_progress(self, size: int, part: Part, depth: int) -> None:
        """Raise _NotDivisibleError if cuts hardly shrink a large graph."""
        little = len(part) > (1 - LITTLE) * size and size >= LARGE
        if depth < 2 and little and len(part) > WORTH * len(self.whole.names):
            raise _NotDivisibleError

    def _solve_all(self, parts: list[Part], depth: int) -> list[tuple[Part, Cycle]] | NoCycle:
        cycles = []
        for part in parts:
            result = self.solve(part, depth + 1)
            if isinstance(result, NoCycle):
                return NoCycle([PLAIN, self.whole.keep(part.vertices), *result.steps], result.end)
            cycles.append((part, result))
        return cycles

    def _solve_briefly(self, part: Part, depth: int) -> Cycle | NoCycle | None:
        """Return the answer to an optional subproblem, or None after a shorter time limit."""
        request = self._request
        self._request = request.within(QUESTION_SECONDS, 1 / 4)
        try:
            return self.solve(part, depth + 1)
        except _UndecidedError:
            if request.expired():
                raise
            return None
        finally:
            self._request = request

    def _search(self, part: Part) -> Cycle | NoCycle:
        """Search a part that cannot be divided; return a cycle or a refutation."""
        if len(part) > WORTH * len(self.whole.names):
            raise _NotDivisibleError
        self.solved_parts += 1
        quick = self._request.within(QUICK_SECONDS)
        cycle, exhausted, _ = hamiltonian_cycle(
            part.rows(), part.pairs(part.must), seed=quick.seed, should_stop=quick.expired
        )
        if cycle is None and exhausted:
            return NoCycle([], part)
        if cycle is None:
            outcome = self._answer(self._request.about(part.problem(self.whole.names)))
            if outcome.verdict is Verdict.UNKNOWN:
                raise _UndecidedError
            if outcome.verdict is Verdict.IMPOSSIBLE:
                return NoCycle([], part)
            assert outcome.tour is not None
            numbers = [self.whole.number[name] for name in outcome.tour]
            cycle = np.searchsorted(part.vertices, numbers).tolist()
        return part.cycle_mask(cycle)


MOST_SQUARES = 250_000
"""Most vertices of a graph: the checker's limit, and some seconds (``benchmarks/MEASURED.md``)."""

MOST_BOARD = 2_500
MOST_EDGES, SMALL_GRAPH = 6, 150
"""Most edges per vertex; and vertices up to which a graph may have half of all possible edges."""


def may_have_parts(problem: Problem) -> bool:
    """Return whether parts are likely enough to justify the cost of looking for them."""
    most = MOST_SQUARES if problem.board is None else MOST_BOARD
    if problem.whole_rectangle is not None or not 3 < problem.size <= most:
        return False
    edges, size = len(problem.indexed.tails), problem.size
    small = problem.board is None and size <= SMALL_GRAPH
    return edges <= MOST_EDGES * size or (small and edges <= size * size // 4)


def has_small_diameter(problem: Problem) -> bool:
    """Return whether all nodes are close to each other, as in random graphs, which have few parts.

    Parts in a row or in a ring lead to distances of more than twice the binary logarithm of the
    size.

    >>> import networkx as nx
    >>> graphs = nx.hypercube_graph(6), nx.cycle_graph(64)
    >>> [has_small_diameter(Problem(graph=graph)) for graph in graphs]
    [True, False]
    """
    tails, heads = problem.indexed.tails, problem.indexed.heads
    reached = np.zeros(problem.size, dtype=bool)
    reached[:1] = True
    for _ in range(2 * problem.size.bit_length()):
        front = reached.copy()
        reached[heads[front[tails]]] = True
        reached[tails[front[heads]]] = True
        if reached.all():
            return True
    return False


def solve_by_parts(
    name: str, request: Request, answer: Answer, certify_seconds: float
) -> Outcome | None:
    """Return the outcome of solving a problem in parts, or None if that decides nothing.

    A certificate takes at most ``certify_seconds``, and under a time limit at most a quarter of the
    remaining time.
    """
    problem, seed = request.problem, request.seed
    try:
        result = decompose(request, answer)
    except (Refusal, Contradiction):
        return None
    if result is None:
        return None
    work = {"parts": result.solved_parts, "solve_seconds": request.clock.elapsed}
    if result.tour is not None:
        return found(name, problem, result.tour, work, seed)
    if result.refuted is None:
        return None
    evidence = _certify_part(request.within(certify_seconds, 1 / 4), result.refuted)
    if evidence is not None:
        return proved(name, problem, evidence, work, seed)
    text = "claimed by search in parts: one of them has no cycle"
    return impossible(name, problem, EvidenceKind.CLAIMED, text, work, seed)


def _certify_part(request: Request, refuted: NoCycle) -> Evidence | None:
    from kt_cp.proofs.certify import evidence_of_part  # slow to load
    from kt_cp.proofs.split import as_evidence

    # Plain steps alone need no ``split``: other kinds of evidence apply them too.
    if all(step == PLAIN for step in refuted.steps) or request.expired():
        return None
    try:
        evidence = as_evidence(Whole(request.problem), refuted, request, evidence_of_part)
    except MemoryError:  # the answer is known without a certificate
        return None
    proof = evidence and as_certificate(rename_nodes(request.problem), evidence, ("python-sat",))
    return proof.evidence if proof else None
