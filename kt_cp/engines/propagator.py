"""The engine ``propagator``: CaDiCaL with a custom propagator for sub-tours.

The formula is the base of the lazy encoding (:mod:`kt_cp.encodings.lazy`): a variable for each
edge, and exactly two chosen edges at every vertex.  The engine ``sat:lazy`` waits for a whole model
and then adds cuts for its cycles.  Here the solver reports every edge as it is chosen.  The linear
forest of the chosen edges (:class:`LinearForest`) at once forbids the edge that would close one of
its paths into a cycle too short.  The reason is a clause that not all edges of that cycle are
chosen, and is built only when the solver requests it.  Every model is then a tour.

A linear forest is the set of disjoint paths that the chosen edges form.  Only the two ends of a
path are stored: each has the other end (its *mate*) and the number of vertices.  A new edge joins
two paths in constant time, and removing the last edge splits them again, so the forest follows a
search forth and back.  The edge between the two ends of a path would close a cycle.  Unless the
path holds every vertex, that edge is forbidden, and the path itself is the reason: the edges of a
cycle that is too short cannot all be chosen.  (:mod:`kt_cp.search.fragments` stores paths for a
search that also makes deductions; here the SAT solver makes them.)

Source: IPASIR-UP: K. Fazekas, A. Niemetz, M. Preiner, M. Kirchweger, S. Szeider and A. Biere,
"IPASIR-UP: User Propagators for CDCL", SAT 2023.  PySAT offers it for CaDiCaL 1.9.5.  Mates as in
D. E. Knuth, "The Art of Computer Programming", volume 4A, section 7.1.4.

Cost: A binary search among the edges to choose one, constant time to undo it, and as many steps as
the path has edges for a reason.  Each assigned edge costs a call into Python.  There are few calls:
CaDiCaL decides edges from the last square to the first and sweeps the board with hardly a conflict
and without a second round.  Building the formula takes most of the time.

When it loses: It wins over cuts on the same solver if these need several rounds.  It loses to
``sat:lazy`` on a solver with native "exactly two" constraints, which needs no such formula.
It loses in refutations: it takes fewer conflicts, but each costs calls into Python.  Like cuts, it
cannot find refutations that need counting over the whole board.  Random polarities make it far
slower.
"""

from __future__ import annotations

import random
from bisect import bisect_left

from kt_cp.encodings import get_encoding
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cuts
from kt_cp.engines.engine import Engine, found, impossible, out_of_time
from kt_cp.engines.sat import flags_of, solver_counters
from kt_cp.model.conditions import EDGES
from kt_cp.model.errors import EngineFailedError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress

NAME = "propagator"
SOLVER = "cadical195"

OPTIONS = {"inprocessing": 0}
"""Options that disable inprocessing.  Before version 1.9.6, inprocessing creates decision levels
without a call of the propagator (issue 92 of CaDiCaL)."""

AGAINST = 5
"""Edges that a seed other than 0 prefers to leave out; CaDiCaL's own seed has no effect."""


class LinearForest:
    """The paths of the chosen edges of a graph; edges are given by their numbers.

    On a board of 3 rows and 3 columns the knight's moves form a ring of eight squares.  Once seven
    of them are chosen, the eighth is forbidden, because the centre is missing.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> forest = LinearForest(index_board(Board(3, 3)))
    >>> [forest.choose(number) for number in range(7)]
    [None, None, None, None, None, None, 7]
    >>> sorted(forest.path_edges(7))
    [0, 1, 2, 3, 4, 5, 6]
    >>> forest.undo(2)
    >>> len(forest), forest.far[5], forest.length[5]
    (2, 7, 3)
    """

    def __init__(self, graph: IndexedGraph) -> None:
        self.size = size = len(graph)
        self.tails: list[int] = graph.tails.tolist()
        self.heads: list[int] = graph.heads.tolist()
        self._keys: list[int] = (graph.tails * size + graph.heads).tolist()  # ascending
        self.at: list[list[int]] = [[] for _ in range(size)]  # chosen edges, oldest first
        self.far = list(range(size))  # the other end of the path, valid at ends only
        self.length = [1] * size  # vertices of the path, valid at ends only
        # Chosen edges, each with the outer end and the length of the path at its tail and head.
        self._choices: list[tuple[int, tuple[int, int], tuple[int, int]]] = []

    def __len__(self) -> int:
        """Return the number of chosen edges."""
        return len(self._choices)

    def choose(self, number: int) -> int | None:
        """Choose an edge between the ends of two paths; return the edge that this forbids."""
        u, v = self.tails[number], self.heads[number]
        first, last = self.far[u], self.far[v]
        self.at[u].append(number)
        self.at[v].append(number)
        left, right = self.length[first], self.length[last]
        self._choices.append((number, (first, left), (last, right)))
        total = left + right
        self.far[first], self.far[last] = last, first
        self.length[first] = self.length[last] = total
        if not 2 < total < self.size:
            return None
        key = min(first, last) * self.size + max(first, last)
        closing = bisect_left(self._keys, key)
        return closing if closing < len(self._keys) and self._keys[closing] == key else None

    def undo(self, count: int) -> None:
        """Undo the last choices until ``count`` edges are left."""
        far, length = self.far, self.length
        while len(self._choices) > count:
            number, left, right = self._choices.pop()
            u, v = self.tails[number], self.heads[number]
            self.at[u].pop()
            self.at[v].pop()
            for end, (first, before) in ((u, left), (v, right)):
                far[first], far[end] = end, first
                length[first] = length[end] = before

    def path_edges(self, number: int) -> list[int]:
        """Return the chosen edges of a path from the edge between its two ends."""
        here, last = self.tails[number], self.heads[number]
        path = [self.at[here][0]]
        while (here := self.other_end(here, path[-1])) != last:
            one, other = self.at[here]
            path.append(other if one == path[-1] else one)
        return path

    def other_end(self, vertex: int, number: int) -> int:
        """Return the other end of an edge."""
        tail = self.tails[number]
        return self.heads[number] if tail == vertex else tail


def solve(
    problem: Problem,
    *,
    limits: Limits,
    seed: int,
    progress: Progress | None,  # noqa: ARG001  the solver reports no progress
) -> Outcome:
    """Encode, connect the propagator, solve once."""
    from pysat.solvers import Solver

    clock = limits.clock()
    encoding = get_encoding("lazy")
    cnf = encoding.encode(problem)
    graph, first = cnf.key.form.graph, cnf.key.first_edge
    propagator = SubTours(LinearForest(graph), first)
    with Solver(name=SOLVER) as native:
        native.configure(OPTIONS)
        native.append_formula(cnf.clauses)
        edges = range(first, first + len(graph.tails))
        if seed:
            rng = random.Random(seed)
            native.set_phases([-edge for edge in rng.sample(edges, min(AGAINST, len(edges)))])
        native.connect_propagator(propagator)
        for edge in edges:
            native.observe(edge)
        build_seconds = clock.elapsed

        def statistics() -> dict[str, float]:
            return {
                "build_seconds": build_seconds,
                "solve_seconds": clock.elapsed - build_seconds,
                "variables": cnf.variables,
                "clauses": len(cnf.clauses),
                **solver_counters(native),
                "forbidden": propagator.forbidden,
                "reasons": propagator.reasons,
                "cuts": propagator.cuts,
            }

        if clock.expired():
            return out_of_time(NAME, problem, limits, statistics(), seed)
        satisfiable = native.solve()
        if satisfiable is None:
            raise EngineFailedError(f"engine {NAME}: {SOLVER} answered neither yes nor no")
        if not satisfiable:
            text = f"claimed by {SOLVER} on the lazy encoding with a propagator for sub-tours"
            return impossible(NAME, problem, EvidenceKind.CLAIMED, text, statistics(), seed)
        decoded = encoding.decode(cnf, flags_of(native.get_model(), cnf.variables))
        if isinstance(decoded, Cuts):
            raise EngineFailedError(
                f"engine {NAME}: a model of {decoded.cycles} cycles on {problem.label}, seed {seed}"
            )
        return found(NAME, problem, decoded, statistics(), seed)


class SubTours:
    """The propagator: PySAT's interface over the linear forest.

    Edge i is variable ``first + i``.  The forest may be incomplete without making answers wrong:
    it leaves out edges that do not fit, every clause that it returns forbids a cycle of too few
    vertices, and each whole model is checked again.
    """

    is_lazy = False

    def __init__(self, forest: LinearForest, first: int) -> None:
        self._forest = forest
        self._first = first
        self._levels: list[int] = []  # chosen edges when each decision level began
        self._closing: list[int] = []  # literals to propagate: edges that must not be chosen
        self._clause: Clause = []
        self.forbidden = 0
        self.reasons = 0
        self.cuts = 0

    def on_assignment(self, lit: int, fixed: bool = False) -> None:  # noqa: ARG002
        """Choose an edge; the solver may report a literal at root level twice."""
        if lit < 0:
            return
        number = lit - self._first
        forest = self._forest
        u, v = forest.tails[number], forest.heads[number]
        at_u, at_v = forest.at[u], forest.at[v]
        if len(at_u) > 1 or len(at_v) > 1 or number in at_u:
            return  # three edges at a vertex: the formula forbids that
        if forest.far[u] == v and at_u:
            if forest.length[u] < forest.size:
                self._clause = [-lit, *self._path(number)]
            return
        closing = forest.choose(number)
        if closing is not None:
            self._closing.append(-self._first - closing)

    def on_new_level(self) -> None:
        self._levels.append(len(self._forest))

    def on_backtrack(self, to: int) -> None:
        self._closing.clear()
        if to < len(self._levels):
            self._forest.undo(self._levels[to])
            del self._levels[to:]

    def decide(self) -> int:
        return 0  # the solver decides

    def propagate(self) -> Clause:
        """Return the negated literals of edges that would close a cycle too short."""
        literals, self._closing = self._closing, []
        self.forbidden += len(literals)
        return literals

    def provide_reason(self, lit: int) -> Clause:
        """Return the reason why an edge is forbidden: the path between its ends."""
        self.reasons += 1
        return [lit, *self._path(-lit - self._first)]

    def check_model(self, model: list[int]) -> bool:
        """Return whether a model is one cycle; if not, store a clause against one of its cycles."""
        forest = self._forest
        at: list[list[int]] = [[] for _ in range(forest.size)]
        for number in (lit - self._first for lit in model if lit >= self._first):
            at[forest.tails[number]].append(number)
            at[forest.heads[number]].append(number)
        cycle, here = [at[0][0]], forest.other_end(0, at[0][0])
        while here != 0:
            one, other = at[here]
            cycle.append(other if one == cycle[-1] else one)
            here = forest.other_end(here, cycle[-1])
        self._clause = [-self._first - number for number in cycle]
        if len(cycle) == forest.size:
            self._clause = []
        return not self._clause

    def add_clause(self) -> Clause:
        clause, self._clause = self._clause, []
        self.cuts += bool(clause)
        return clause

    def _path(self, number: int) -> Clause:
        return [-self._first - edge for edge in self._forest.path_edges(number)]


ENGINE = Engine(
    NAME,
    "CaDiCaL with a propagator that forbids sub-tours as they arise",
    complete=True,
    takes=EDGES,
    solve=solve,
    interruptible=False,
    refuse=get_encoding("lazy").refuse,
    capacity=f"{MOST_CLAUSES:,} clauses",
    packages=("python-sat",),
)
