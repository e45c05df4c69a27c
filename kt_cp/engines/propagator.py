"""CaDiCaL with a propagator of its own for sub-tours: ``propagator``.

The formula is the base of the lazy encoding (:mod:`kt_cp.encodings.lazy`): a variable per edge,
and exactly two chosen edges at every vertex.  Where that engine waits for a whole model and then
cuts its cycles apart, here the solver tells of every edge as it is chosen, and the pieces of paths
that the chosen edges make (:mod:`kt_cp.search.pieces`) forbid at once the edge that would close one
of them into a cycle too short.  The reason is the clause that not all edges of that cycle are
chosen, and it is made only when the solver asks.  Every model is then a tour.  (IPASIR-UP:
K. Fazekas, A. Niemetz, M. Preiner, M. Kirchweger, S. Szeider and A. Biere, "IPASIR-UP: User
Propagators for CDCL", SAT 2023; PySAT offers it for CaDiCaL 1.9.5.)

A Python call per assigned edge is cheap here, since there are few: CaDiCaL decides edges from the
last square to the first, the short cycles of the knight are cut as they arise, and the sweep over
the board ends with next to no conflicts and without a second round.  Building the formula is most
of the time.  Median (least, most) CPU seconds over five seeds, and conflicts, against cuts on the
same solver and formula, every search free:

                  propagator                       cuts
    closed 20     0.064 (0.063, 0.066)         0   0.067 (0.065, 0.069)      6
    closed 40     0.11 (0.10, 0.12)       0 to 5   0.12 (0.12, 0.12)        13
    closed 60     0.24 (0.23, 0.25)      0 to 43   0.25 (0.24, 0.25)        22
    closed 100    0.66 (0.65, 0.68)            0   0.73 (0.71, 0.74)        37
    open 100      0.98 (0.97, 1.00)            0   1.03 (1.02, 1.04)         4
    closed 200    2.58 (2.55, 2.63)            0   2.91 (2.91, 2.97)        73
    closed 300    6.3 (6.2, 6.4), 3 seeds      0   none in 150 s of wall time, one seed
    closed 4 x 8  0.029 (0.028, 0.031)   9 to 20   0.027 (0.025, 0.029)     39
    closed 4 x 10 0.028 (0.027, 0.031)  62 to 99   0.028 (0.026, 0.030)    323
    closed 4 x 12 0.034 (0.032, 0.036)  to 242     0.027 (0.026, 0.028)    508
    closed 4 x 14 0.065 (0.062, 0.076)  to 808     0.045 (0.044, 0.046)  2,395
    open 4 x 4    0.027 (0.024, 0.029)  22 to 43   0.027 (0.027, 0.029)     47
    open 3 x 6    0.026 (0.025, 0.027)  11 to 19   0.027 (0.027, 0.027)     13

It wins where cuts need more rounds: on the closed sides tried between 110 and 400, and on side 500
(18 s), seed 0 took no conflict at all.  It loses to ``sat:lazy`` as that is now, on a solver that
takes "exactly two" as it is and searches near its last model: there nothing has to be built, and
closed 100 takes 0.1 s.  It loses in refutations too: a half to a seventh of the conflicts, but each
costs calls into Python.  Counting over the whole board is beyond it as it is
beyond cuts.  Random polarity is poison to it: with three tenths of the edges preferred out, side
100 has no answer in 20 s.
"""

from __future__ import annotations

import random

from kt_cp.encodings import get_encoding
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cuts
from kt_cp.engines.engine import Engine, Progress, found, impossible, out_of_time
from kt_cp.engines.sat import flags_of
from kt_cp.errors import EngineFailedError
from kt_cp.limits import Limits
from kt_cp.outcome import EvidenceKind, Outcome
from kt_cp.problem import Problem
from kt_cp.search.pieces import Pieces

NAME = "propagator"
SOLVER = "cadical195"

OPTIONS = {"inprocessing": 0}
"""In versions before 1.9.6 inprocessing makes levels of which a propagator is not told (issue 92 of
CaDiCaL).  Without it searches are the same to the conflict up to side 100."""

AGAINST = 5
"""Edges which a seed other than 0 would rather leave out; CaDiCaL's own seed changes nothing.  Ten
seeds of closed 100 x 100 gave seven tours with at most 4 conflicts; a hundredth of all edges gave
ten tours, with up to 657 conflicts, and three tenths no answer within 20 s."""


def solve(
    problem: Problem,
    *,
    limits: Limits,
    seed: int,
    progress: Progress | None,  # noqa: ARG001  the solver reports nothing before it is done
) -> Outcome:
    """Encode, connect the propagator, solve once."""
    from pysat.solvers import Solver

    clock = limits.clock()
    encoding = get_encoding("lazy")
    cnf = encoding.encode(problem)
    graph, first = cnf.key.form.graph, cnf.key.first_edge
    propagator = SubTours(Pieces(graph), first)
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
            counted = native.accum_stats()
            return {
                "build_seconds": build_seconds,
                "solve_seconds": clock.elapsed - build_seconds,
                "variables": cnf.variables,
                "clauses": len(cnf.clauses),
                "conflicts": counted["conflicts"],
                "decisions": counted["decisions"],
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
    """What the solver calls: PySAT's propagator interface over the pieces of paths.

    Edge i is variable ``first + i``.  What it keeps need not be complete to be right: an edge that
    it could not fit in is left out, every clause it hands over is a cycle of too few vertices, and
    a whole model is looked at once more.
    """

    is_lazy = False

    def __init__(self, pieces: Pieces, first: int) -> None:
        self._pieces = pieces
        self._first = first
        self._levels: list[int] = []  # chosen edges when each decision level began
        self._closing: list[int] = []  # literals to hand over: edges that must not be chosen
        self._clause: Clause = []
        self.forbidden = 0
        self.reasons = 0
        self.cuts = 0

    def on_assignment(self, lit: int, fixed: bool = False) -> None:  # noqa: ARG002
        """Choose an edge; a literal at root level may be told twice."""
        if lit < 0:
            return
        number = lit - self._first
        pieces = self._pieces
        u, v = pieces.tails[number], pieces.heads[number]
        at_u, at_v = pieces.at[u], pieces.at[v]
        if len(at_u) > 1 or len(at_v) > 1 or number in at_u:
            return  # three at a vertex: the formula forbids it, and the solver will see
        if pieces.far[u] == v and at_u:
            if pieces.length[u] < pieces.size:
                self._clause = [-lit, *self._path(number)]
            return
        closing = pieces.choose(number)
        if closing is not None:
            self._closing.append(-self._first - closing)

    def on_new_level(self) -> None:
        """Remember where a level begins."""
        self._levels.append(len(self._pieces))

    def on_backtrack(self, to: int) -> None:
        """Take back all that was chosen above a level."""
        self._closing.clear()
        if to < len(self._levels):
            self._pieces.undo(self._levels[to])
            del self._levels[to:]

    def decide(self) -> int:
        """Leave decisions to the solver."""
        return 0

    def propagate(self) -> Clause:
        """Edges that would close a piece, negated."""
        handed, self._closing = self._closing, []
        self.forbidden += len(handed)
        return handed

    def provide_reason(self, lit: int) -> Clause:
        """Why an edge may not be chosen: the piece between its ends."""
        self.reasons += 1
        return [lit, *self._path(-lit - self._first)]

    def check_model(self, model: list[int]) -> bool:
        """Whether a whole model is one cycle; if not, a clause against one of its cycles."""
        pieces = self._pieces
        at: list[list[int]] = [[] for _ in range(pieces.size)]
        for number in (lit - self._first for lit in model if lit >= self._first):
            at[pieces.tails[number]].append(number)
            at[pieces.heads[number]].append(number)
        cycle, here = [at[0][0]], pieces.across(0, at[0][0])
        while here != 0:
            one, other = at[here]
            cycle.append(other if one == cycle[-1] else one)
            here = pieces.across(here, cycle[-1])
        self._clause = [-self._first - number for number in cycle]
        if len(cycle) == pieces.size:
            self._clause = []
        return not self._clause

    def add_clause(self) -> Clause:
        """Hand over the clause against a cycle that is already closed, if there is one."""
        clause, self._clause = self._clause, []
        self.cuts += bool(clause)
        return clause

    def _path(self, number: int) -> Clause:
        return [-self._first - edge for edge in self._pieces.between(number)]


def engine() -> Engine:
    """The registry's factory."""
    return Engine(
        NAME,
        "CaDiCaL with a propagator that forbids sub-tours as they arise",
        complete=True,
        solve=solve,
        interruptible=False,
        refuse=get_encoding("lazy").refuse,
        capacity=f"{MOST_CLAUSES:,} clauses",
        packages=("python-sat",),
    )
