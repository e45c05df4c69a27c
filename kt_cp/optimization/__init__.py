"""The best tour by a measure, with a certificate that none is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kt_cp.engines import solve_request
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.document import problem_document
from kt_cp.model.errors import (
    InputError,
    NotTakenError,
    TooLargeError,
    UnsoundEngineError,
    suggestion,
)
from kt_cp.model.limits import Limits, TimeLimitReachedError
from kt_cp.model.outcome import Certificate, Verdict
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Progress, Request
from kt_cp.model.surface import Surface
from kt_cp.model.terms import describe_value
from kt_cp.trust.check.bound import OBJECTIVES, costs_of
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.problem import ProblemInput
    from kt_cp.model.tour import Tour

__all__ = ["OBJECTIVES", "Optimum", "optimize", "optimize_request"]

MOST_SQUARES = 10_000
"""The largest board; it has half a million transitions."""

SEARCH_SHARE = 0.6
"""The share of a time limit that the search for tours gets; the proof gets the rest."""


@dataclass(frozen=True)
class Optimum:
    """The best tour that was found, and a bound for all tours.

    Attributes
    ----------
    problem : Problem
    objective : str
        Such as ``"fewest-turns"``.
    tour : Tour or None
        None if there is no tour, or none was found.
    value, bound : int or None
        The measure of the tour, and a bound that no tour exceeds: the bound of the certificate or,
        without one, the claim of CP-SAT.
    certificate : Certificate or None
        An accepted certificate of the bound, with the tour if it attains the bound; or one that
        there is no tour.
    verdict : Verdict
        Whether there is a tour.
    reason : str or None
        Why there is no tour, or why it is unknown.
    limit : str or None
        ``"time"`` or ``"interrupted"`` if that left a gap.
    statistics : mapping
        ``seconds``, the numbers of ``transitions`` and ``cases``, and ``cpsat_bound`` where CP-SAT
        claims more than the certificate shows.
    """

    problem: Problem
    objective: str
    tour: Tour | None = None
    value: int | None = None
    bound: int | None = None
    certificate: Certificate | None = None
    verdict: Verdict = Verdict.UNKNOWN
    reason: str | None = None
    limit: str | None = None
    statistics: dict[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.tour is not None

    def __repr__(self) -> str:
        return f"<Optimum: {self.problem.label}, {self.objective}: {self.summary}>"

    @property
    def proved(self) -> bool:
        """Whether a certificate shows that no tour is better."""
        return self.tour is not None and self._is_certified and self.value == self.bound

    @property
    def _is_certified(self) -> bool:
        """Whether the bound is that of the certificate."""
        evidence = {} if self.certificate is None else self.certificate.document["evidence"]
        return evidence.get("bound") == self.bound

    @property
    def summary(self) -> str:
        """The value and the bound in words."""
        if self.tour is None or self.value is None or self.bound is None:
            return "no tour" if self.verdict is Verdict.IMPOSSIBLE else "unknown"
        less = "fewer" if self.objective.startswith("fewest") else "more"
        known = describe_value(self.objective, self.value)
        source = "" if self._is_certified else ", as CP-SAT claims without a certificate"
        if self.value == self.bound:
            return f"{known}; no tour has {less}{source}"
        return f"{known}; no tour has {less} than {self.bound}{source}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as values of JSON."""
        return {
            "problem": problem_document(self.problem),
            "objective": self.objective,
            "verdict": self.verdict.value,
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "reason": self.reason,
            "limit": self.limit,
            "tour": None if self.tour is None else self.tour.names,
            "measures": None if self.tour is None else self.tour.measures(),
            "certificate": None if self.certificate is None else dict(self.certificate.document),
            "statistics": self.statistics,
        }


def optimize(
    problem: ProblemInput,
    objective: str,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **keywords: Any,
) -> Optimum:
    """Find the tour with the fewest or the most of a measure, and prove that none is better.

    Parameters
    ----------
    problem : Problem, board or its sides
        As for :func:`kt_cp.solve`, with the same further keywords.
    objective : str
        ``"fewest-"`` or ``"most-"`` with ``turns``, ``straight``, ``right-angles``,
        ``acute-angles``, ``obtuse-angles`` or ``steep``; or ``"most-direction"``.
    time_limit : float, optional
        Seconds.
    workers : int, optional
        Threads of CP-SAT; by default one, which gives the same tour for the same seed.

    Returns
    -------
    Optimum
        The best tour, its value, a bound, and a certificate of the bound.

    Raises
    ------
    InputError
        If there is no such objective, a limit makes no sense, or the objective makes no sense for
        the problem.

    Examples
    --------
    >>> best = optimize("6x6", "fewest-turns", closed=True)
    >>> best.value, best.bound, best.proved
    (32, 32, True)
    >>> best.certificate.claim
    '32 turns, and no tour has fewer'
    """
    limits = Limits(time_limit, workers=workers)
    clock = limits.clock()
    question = as_problem(problem, keywords)
    rest = replace(limits, spent=clock.elapsed)
    return optimize_request(Request.begin(question, rest, seed=seed, progress=progress), objective)


def check_objective(objective: object, problem: Problem) -> None:
    """Require an objective that makes sense for the problem.

    Raises
    ------
    InputError
        If there is no objective of this name, or the problem is too large for any.
    NotTakenError
        If it makes no sense for the problem, or a condition is not supported.

    Examples
    --------
    >>> from kt_cp import Board
    >>> check_objective("fewest-turns", Problem(Board(6, 6, surface="torus")))
    Traceback (most recent call last):
    ...
    kt_cp.model.errors.NotTakenError: fewest-turns is for boards on the plane, got a torus
    """
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        known, hint = ", ".join(OBJECTIVES), suggestion(objective, OBJECTIVES)
        raise InputError(f"expected an objective, one of {known}; got {objective!r:.60}{hint}")
    if problem.board is None:
        raise NotTakenError(f"{objective} is for boards, got a graph")
    if problem.board.surface is not Surface.PLANE:
        surface = problem.board.surface
        raise NotTakenError(f"{objective} is for boards on the plane, got a {surface}")
    for each in problem.conditions:
        if isinstance(each, Given | Symmetry):
            raise NotTakenError(f"optimize does not support {each.words}: expected none")
    if problem.size < 2:
        raise NotTakenError("a single square has one tour: expected more squares")
    if problem.size > MOST_SQUARES:
        raise TooLargeError(f"expected at most {MOST_SQUARES:,} squares, got {problem.size:,}")


def optimize_request(request: Request, objective: str) -> Optimum:
    """Find the best tour for the problem of a request."""
    problem = request.problem
    check_objective(objective, problem)
    answer = solve_request(request, "auto")
    if answer.tour is None:
        return Optimum(
            problem,
            objective,
            certificate=answer.certificate,
            verdict=answer.verdict,
            reason=answer.reason,
            limit=answer.limit,
            statistics={"seconds": request.clock.elapsed},
        )
    return _Search(request, objective, answer.tour).run()


class _Search:
    """The steps of one optimization, and the best so far."""

    def __init__(self, request: Request, objective: str, tour: Tour) -> None:
        self.request, self.objective, self.tour = request, objective, tour
        sense, _, self.measure = objective.partition("-")
        self.sign = 1 if sense == "fewest" else -1  # the cost is the measure, or its negative
        self.frame = frame_of(request.problem)
        self.statistics: dict[str, float] = {}
        self.limit: str | None = None

    def run(self) -> Optimum:
        """Search, then prove, each within its share of the time."""
        from kt_cp.optimization.transitions import pair_costs

        sums = [
            pair_costs(self.frame, cost, self.sign) for cost in costs_of(self.frame, self.measure)
        ]
        self.statistics["transitions"] = sum(map(len, sums[0]))
        bound = self._search(sums)
        value = self._value(self.tour)
        certificate, proved = self._prove(sums, value, bound)
        if certificate is not None:
            if bound is not None and bound > proved:
                self.statistics["cpsat_bound"] = self.sign * bound
            bound = proved
        if bound is None:  # a trivial bound
            bound = 0 if self.sign > 0 else -len(self.frame)
        if bound != self.sign * value and self.limit is None and self.request.expired():
            self.limit = "time"
        self.statistics["seconds"] = self.request.clock.elapsed
        return Optimum(
            self.request.problem,
            self.objective,
            self.tour,
            value,
            self.sign * bound,
            certificate,
            Verdict.FOUND,
            limit=self.limit,
            statistics=self.statistics,
        )

    def _value(self, tour: Tour) -> int:
        return tour.measures()[self.measure]

    def _search(self, sums: Sequence[list[dict[tuple[int, int], int]]]) -> int | None:
        """Improve the tour by CP-SAT; return the bound that it claims."""
        from kt_cp.optimization.transitions import cheapest_cycle

        problem, sign = self.request.problem, self.sign
        bounds: list[int | None] = []
        search = self.request.within(share=SEARCH_SHARE)
        for done, costs in enumerate(sums):
            step = search.within(share=1 / (len(sums) - done))
            search.announce("searching")
            best = cheapest_cycle(
                self.frame,
                costs,
                _cycle(self.frame, self.tour),
                step.clock,
                workers=self.request.limits.workers or 1,
                seed=self.request.seed,
                progress=self.request.progress,
                sign=sign,
            )
            if best.cycle is not None:
                tour = _tour(self.frame, best.cycle)
                if wrong := defects(problem, tour):
                    raise UnsoundEngineError(f"CP-SAT's tour of {problem.label} has {wrong[0]}")
                if sign * self._value(tour) < sign * self._value(self.tour):
                    self.tour = tour
            bounds.append(best.bound)
            if best.interrupted:
                self.limit = "interrupted"
                return None
        return None if None in bounds else min(each for each in bounds if each is not None)

    def _prove(
        self, sums: Sequence[list[dict[tuple[int, int], int]]], value: int, bound: int | None
    ) -> tuple[Certificate | None, int]:
        """Find a certificate of the value, or of the best weaker bound within the time."""
        from kt_cp.optimization.bounds import BoundProver
        from kt_cp.proofs.certificate import accepted

        if self.limit is not None:
            return None, 0
        self.request.announce("proving the bound")
        trees, reached, cases = [], [], 0
        try:
            provers = [BoundProver(self.frame, costs, self._should_stop) for costs in sums]
            for prover in provers:
                found = prover.bound()
                if found is None:
                    return None, 0
                least, tree = found
                best = self.sign * value
                least = min(least, best)
                for target in range(max(least + 1, best if bound is None else bound), best + 1):
                    better = prover.prove(target)
                    if better is None:
                        break
                    least, tree = target, better
                reached.append(least)
                trees.append(tree)
                cases += prover.cases
        except (KeyboardInterrupt, TimeLimitReachedError) as stop:
            self.limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
            return None, 0
        self.statistics["cases"] = cases
        proved = min(reached)
        evidence: dict[str, Any] = {
            "kind": "bound",
            "objective": self.objective,
            "bound": self.sign * proved,
            "trees": trees,
        }
        if evidence["bound"] == value:
            evidence["tour"] = self.tour.names
        return accepted(self.request.problem, evidence, ("ortools",)), proved

    def _should_stop(self, cases: int) -> bool:
        self.request.report({"cases": cases})
        return self.request.expired()


def _cycle(frame: Frame, tour: Tour) -> list[int]:
    """The vertices of a tour as a cycle of the frame."""
    cycle = [frame.number[square] for square in tour]
    ends = list(frame.ends)
    if len(ends) == 2 and ends[0] not in frame.neighbours[cycle[-1]]:
        ends.reverse()
    return cycle + ends


def _tour(frame: Frame, cycle: Sequence[int]) -> Tour:
    """The tour of a cycle of the frame, from its start to its end."""
    problem = frame.problem.problem
    nodes = frame.problem.nodes
    first = cycle.index(frame.number[problem.start]) if problem.start is not None else 0
    if not problem.closed:
        places = [place for place, vertex in enumerate(cycle) if vertex >= frame.squares]
        last = max(places) if max(places) - min(places) < 2 else min(places)
        first = (last + 1) % len(cycle)
    turned = [*cycle[first:], *cycle[:first]]
    squares = [nodes[vertex] for vertex in turned if vertex < frame.squares]
    if not problem.closed and (
        problem.start not in (None, squares[0]) or problem.end not in (None, squares[-1])
    ):
        squares.reverse()
    return problem.tour(squares)
