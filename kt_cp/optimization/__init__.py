"""The best tour, path or cover by paths, with a certificate that none is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from kt_cp.engines import solve_request
from kt_cp.model.board import parse_square
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.document import problem_document
from kt_cp.model.errors import (
    InputError,
    NotTakenError,
    TooLargeError,
    UnsoundEngineError,
    suggestion,
)
from kt_cp.model.limits import LEAST_SECONDS, Limits, TimeLimitReachedError
from kt_cp.model.measures import path_crossings
from kt_cp.model.outcome import Certificate, Verdict
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Progress, Request
from kt_cp.model.surface import Surface
from kt_cp.model.terms import describe_comparison, describe_value, terms
from kt_cp.optimization.transitions import choice_costs
from kt_cp.optimization.weights import read_weights
from kt_cp.trust.check.bound import (
    LEAST_WEIGHT,
    LONGEST,
    MEASURED,
    PARTIAL,
    PATH_COVER,
    Weights,
    costs_of,
    fault_of_paths,
    in_units,
    target_of,
    value_of,
)
from kt_cp.trust.check.bound import (
    OBJECTIVES as CERTIFIED,
)
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.limits import Clock
    from kt_cp.model.problem import ProblemInput
    from kt_cp.model.tour import Tour
    from kt_cp.model.views import Picture
    from kt_cp.optimization.bounds import Proof
    from kt_cp.optimization.local_search import Layout
    from kt_cp.trust.check.bound import Cost

SWEPT = ("fewest-crossings", "most-crossings", "longest-uncrossed")
"""Objectives of two frontier sweeps, which no certificate proves."""

WINDOWS = "windows of the board"
"""What shows a bound of crossings on larger boards, which no certificate proves either."""

OBJECTIVES = (*CERTIFIED, *SWEPT)

__all__ = ["OBJECTIVES", "Optimum", "optimize", "optimize_request"]

MOST_SQUARES = 10_000
"""The largest board; it has half a million transitions."""

ENGINES = ("cpsat", "maxsat")

FIRST_SHARE = 0.3
"""The share of a time limit for finding a tour first, which would be the longest path."""

SEARCH_SHARE = 0.6
"""The share of a time limit that the search for tours gets; the proof gets the rest."""

RESUMED_SEARCH_SHARE = 0.2
"""The same, if an earlier run has begun the proof that the best tour needs."""

MEDIUM, LARGE = 80, 400
"""Squares above which local search comes before CP-SAT, and above which it replaces it."""

LOCAL_SHARE = 0.85
"""The share of a time limit that local search gets; then the certificate is checked."""

MOST_SWEPT = 7
"""The shorter side of the largest board that is swept for crossings."""

SWEEP_SHARE = 0.6
"""The share of a time limit that sweeps for crossings get; a bound from windows gets the rest."""

RESTARTS, DRAWS = 6, 10_000_000
"""Runs of annealing for crossings on boards of up to ``MOST_BOUNDED`` squares."""

MOST_BOUNDED = 200
"""Squares of the largest board that gets a bound of crossings from windows."""


@dataclass(frozen=True)
class Optimum:
    """The best tour that was found, and a bound for all tours.

    Attributes
    ----------
    problem : Problem
    objective : str
        Such as ``"fewest-turns"``.
    tour : Tour or None
        None if there is no tour, or none was found.  For ``longest`` a path or cycle that may skip
        squares.
    paths : list of Tour or None
        The paths of a ``path-cover``, which has no single tour.
    value, bound : int, float or None
        The measure of the tour, and the bound of the certificate, which no tour exceeds.
    certificate : Certificate or None
        An accepted certificate of the bound, with the tour if it attains the bound; or one that
        there is no tour.
    swept : bool
        Whether two frontier sweeps, from both ends of the board, gave the same value.
    verdict : Verdict
        Whether there is a tour.
    reason : str or None
        Why there is no tour, or why it is unknown.
    limit : str or None
        ``"time"`` or ``"interrupted"`` if that left a gap.
    statistics : mapping
        ``seconds`` in all, ``search_seconds`` and the ``claimed_bound`` of the engine, the number
        of ``cases``, and ``weight_unit`` where weights are rounded to multiples of it.  After
        ``resume``, the totals of all ``runs``.
    unfinished : list or None
        For each sum of the objective a better ``bound`` and the ``tree`` of cases that shows it as
        far as it goes; ``resume`` goes on with it.
    bounded_by : str or None
        ``"windows of the board"`` if the bound is one of
        :mod:`kt_cp.optimization.crossing_bound`, which no certificate proves.
    """

    problem: Problem
    objective: str
    tour: Tour | None = None
    paths: list[Tour] | None = None
    value: float | None = None
    bound: float | None = None
    certificate: Certificate | None = None
    swept: bool = False
    verdict: Verdict = Verdict.UNKNOWN
    reason: str | None = None
    limit: str | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    unfinished: list[dict[str, Any] | None] | None = None
    bounded_by: str | None = None

    def __bool__(self) -> bool:
        return self.value is not None

    def __repr__(self) -> str:
        return f"<Optimum: {self.problem.label}, {self.objective}: {self.summary}>"

    @property
    def proved(self) -> bool:
        """Whether a certificate shows that no tour is better."""
        return self.certificate is not None and self.value == self.bound is not None

    @property
    def summary(self) -> str:
        """The value and the bound in words."""
        if self.value is None:
            return "no tour" if self.verdict is Verdict.IMPOSSIBLE else "unknown"
        known = describe_value(self.objective, self.value)
        others = describe_comparison(self.objective)
        if self.swept:
            return f"{known}; {others}, by sweeps from both ends"
        if self.bound is None:
            return f"{known}; no bound is known"
        if self.bounded_by is not None:
            than = "" if self.value == self.bound else f" than {self.bound:,}"
            return f"{known}; {others}{than}, by {self.bounded_by}"
        if self.value == self.bound:
            return f"{known}; {others}"
        return f"{known}; {others} than {self.bound:,}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as values of JSON."""
        return {
            "problem": problem_document(self.problem),
            "objective": self.objective,
            "verdict": self.verdict.value,
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "swept": self.swept,
            "bounded_by": self.bounded_by,
            "reason": self.reason,
            "limit": self.limit,
            **self._found(),
            "certificate": None if self.certificate is None else dict(self.certificate.document),
            "statistics": self.statistics,
            **({} if self.unfinished is None else {"unfinished": self.unfinished}),
        }

    def picture(self) -> Picture:
        """Return the tour or the paths as SVG, with marks where the objective counts.

        Turns and angles are dots, crossings are rings, and moves that count are thick.

        Raises
        ------
        InputError
            If there is no tour, or if several paths are those of a graph.
        """
        from kt_cp.render.optimum import optimum_picture

        tours = self.paths or ([] if self.tour is None else [self.tour])
        if not tours:
            raise InputError(f"expected a tour to draw, got none: {self.summary}")
        return optimum_picture(self.problem, tours, self.objective)

    def _found(self) -> dict[str, Any]:
        if self.objective == PATH_COVER:
            return {"paths": None if self.paths is None else [each.names for each in self.paths]}
        if self.tour is None:
            return {"tour": None}
        is_measured = self.objective in MEASURED or self.objective.endswith("-crossings")
        return {
            "tour": self.tour.names,
            **({"measures": self.tour.measures()} if is_measured else {}),
        }


def optimize(
    problem: ProblemInput,
    objective: str,
    *,
    weight: str = "weight",
    engine: str = "cpsat",
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    resume: Optimum | Mapping[str, Any] | None = None,
    **keywords: Any,
) -> Optimum:
    """Find the best tour, path or cover by paths, and prove that none is better.

    Parameters
    ----------
    problem : Problem, board or its sides
        As for :func:`kt_cp.solve`, with the same further keywords.
    objective : str
        ``"fewest-"`` or ``"most-"`` with ``turns``, ``straight``, ``right-angles``,
        ``acute-angles``, ``obtuse-angles`` or ``steep``; ``"most-direction"``; ``"longest"`` for
        a path or cycle with the most squares; ``"path-cover"`` for the fewest paths that visit
        every square once; ``"least-weight"`` on a graph; ``"fewest-crossings"``,
        ``"most-crossings"``, or ``"longest-uncrossed"`` for a path or cycle that does not cross
        itself.
    weight : str
        The attribute of edges that ``least-weight`` minimizes.
    engine : str
        The solver: ``"cpsat"``, or for comparison ``"maxsat"``.  Sweeps use neither.
    time_limit : float, optional
        Seconds.
    workers : int, optional
        Threads of CP-SAT; by default one, which gives the same tour for the same seed.
    resume : Optimum or its JSON object, optional
        An earlier answer to the same question, to begin with its tour and its proof so far.

    Returns
    -------
    Optimum
        The best tour, its value, a bound, and a certificate of the bound.

    Raises
    ------
    InputError
        If there is no such objective, a limit makes no sense, the objective makes no sense for the
        problem, or the earlier answer is wrong or about another question.

    Examples
    --------
    >>> best = optimize("6x6", "fewest-turns", closed=True)
    >>> best.value, best.bound, best.proved
    (32, 32, True)
    >>> best.certificate.claim
    '32 turns, and no tour has fewer'
    >>> cover = optimize("4x4", "path-cover")
    >>> cover.summary, sum(len(path) for path in cover.paths)
    ('2 paths; no cover has fewer', 16)
    """
    limits = Limits(time_limit, workers=workers)
    clock = limits.clock()
    question = as_problem(problem, keywords)
    rest = replace(limits, spent=clock.elapsed)
    request = Request.begin(question, rest, seed=seed, progress=progress)
    return optimize_request(request, objective, weight, engine, resume)


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
    board = problem.board
    plane = objective in (*MEASURED, *SWEPT)
    if plane and board is None:
        raise NotTakenError(f"{objective} is for boards, got a graph")
    if plane and board is not None and board.surface is not Surface.PLANE:
        raise NotTakenError(f"{objective} is for boards on the plane, got a {board.surface}")
    if objective == LEAST_WEIGHT and board is not None:
        raise NotTakenError("least-weight is for graphs with weights, got a board")
    if problem.directed:
        raise NotTakenError(f"{objective} is for undirected graphs, got a directed one")
    if objective == PATH_COVER and problem.closed:
        raise NotTakenError("path-cover is for open paths: expected no --closed")
    if objective == PATH_COVER and (problem.start, problem.end) != (None, None):
        raise NotTakenError("path-cover is for paths with any ends: expected no start and no end")
    if objective == "longest-uncrossed" and problem.closed and problem.start is not None:
        raise NotTakenError("longest-uncrossed supports no start of a cycle: expected none")
    for each in problem.conditions:
        if isinstance(each, Given | Symmetry) and objective in (*PARTIAL, *SWEPT):
            raise NotTakenError(f"{objective} does not support {each.words}: expected none")
    if problem.size < (least := 3 if problem.closed else 2):
        raise NotTakenError(
            f"expected at least {least} {terms(problem).square}s, got {problem.size}"
        )
    if problem.size > MOST_SQUARES:
        raise TooLargeError(f"expected at most {MOST_SQUARES:,} squares, got {problem.size:,}")


def check_engine(engine: object) -> None:
    """Require the name of an engine of ``optimize``.

    Raises
    ------
    InputError
        If there is none of this name.
    """
    if not isinstance(engine, str) or engine not in ENGINES:
        known, hint = " or ".join(ENGINES), suggestion(engine, ENGINES)
        raise InputError(f"expected an engine of optimize, {known}; got {engine!r:.60}{hint}")


def optimize_request(
    request: Request,
    objective: str,
    weight: str = "weight",
    engine: str = "cpsat",
    resume: Optimum | Mapping[str, Any] | None = None,
) -> Optimum:
    """Find the best tour for the problem of a request, perhaps from an earlier answer on."""
    resume = resume.to_dict() if isinstance(resume, Optimum) else resume
    check_objective(objective, request.problem)
    check_engine(engine)
    if engine == "maxsat" and any(isinstance(each, Given) for each in request.problem.conditions):
        raise NotTakenError("maxsat does not support given steps: expected none")
    if objective in SWEPT:
        return _sweep(request, objective, resume)
    search = _Search(request, objective, weight, engine)
    if resume is not None:
        search.resume(resume)
        return search.run()
    share = FIRST_SHARE if objective in PARTIAL else 1.0
    answer = solve_request(request.within(share=share), "auto")
    if answer.tour is not None:
        search.begin(answer.tour)
    elif objective == LONGEST:
        search.begin_with_a_square()
    if answer.tour is None and (objective not in PARTIAL or answer.limit == "interrupted"):
        return Optimum(
            request.problem,
            objective,
            certificate=answer.certificate,
            verdict=answer.verdict,
            reason=answer.reason,
            limit=answer.limit,
            statistics={"seconds": request.clock.elapsed},
        )
    return search.run()


def _sweep(request: Request, objective: str, resume: Mapping[str, Any] | None) -> Optimum:
    """Find the best tour or path by two sweeps at once, from both ends of the board."""
    from kt_cp.optimization.crossing_sweep import as_sweep, order_path, sweep_crossings

    problem = request.problem
    is_path = objective == "longest-uncrossed"
    best = Optimum(problem, objective)
    if resume is not None:
        if is_path:
            raise NotTakenError("longest-uncrossed cannot resume: its sweeps always begin anew")
        from kt_cp.optimization.resume import read_earlier

        (path,) = read_earlier(resume, problem, objective).paths
        tour = problem.tour([parse_square(name) for name in path])
    elif not is_path:
        answer = solve_request(request.within(share=FIRST_SHARE), "auto")
        best = replace(
            best,
            certificate=answer.certificate,
            verdict=answer.verdict,
            reason=answer.reason,
            limit=answer.limit,
        )
        if answer.tour is None:
            return replace(best, statistics={"seconds": request.clock.elapsed})
        tour = answer.tour
    if not is_path:
        best = replace(best, verdict=Verdict.FOUND, certificate=None)
        best = _fewer_crossings(request, best, tour)
        assert problem.board is not None
        if best.limit is not None:
            return replace(best, statistics={"seconds": request.clock.elapsed})
        if min(problem.board.rows, problem.board.columns) > MOST_SWEPT:
            return _bound_crossings(request, best)
    clock = request.within(share=1.0 if is_path else SWEEP_SHARE).clock
    forward, squares = as_sweep(problem, objective)
    stopped = Event()

    def look(done: int, states: int) -> None:
        if stopped.is_set() or clock.expired():
            raise TimeLimitReachedError("the sweep was stopped")
        request.report({"squares": done, "states": states})

    request.announce("sweeping")
    try:
        with ThreadPoolExecutor(2) as pool:
            try:
                sweeps = (forward, forward.reversed())
                waiting = [pool.submit(sweep_crossings, sweep, look) for sweep in sweeps]
                found, again = (each.result() for each in waiting)
            finally:
                stopped.set()
    except (KeyboardInterrupt, TimeLimitReachedError, TooLargeError) as stop:
        limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
        limit = "memory" if isinstance(stop, TooLargeError) else limit
        reason = str(stop) if best.tour is None else None
        if best.tour is not None and limit != "interrupted" and not request.expired():
            return _bound_crossings(request, best)
        return replace(
            best, limit=limit, reason=reason, statistics={"seconds": request.clock.elapsed}
        )
    if (found is None) != (again is None) or (found and again and found[0] != again[0]):
        raise UnsoundEngineError(f"two sweeps of {problem.label} disagree: {found} and {again}")
    statistics = {"seconds": request.clock.elapsed}
    if found is None:
        reason = "no path fits: two sweeps tried all"
        return replace(best, verdict=Verdict.IMPOSSIBLE, reason=reason, statistics=statistics)
    value, edges = found
    path = [squares[vertex] for vertex in order_path(edges)]
    is_reversed = problem.start not in (None, path[0]) or problem.end not in (None, path[-1])
    if not problem.closed and is_reversed:
        path.reverse()
    if problem.closed and problem.start is not None:
        first = path.index(problem.start)
        path = path[first:] + path[:first]
    tour = problem.tour(path)
    if is_path:
        frame = frame_of(problem, partial=True)
        wrong = fault_of_paths(frame, [[frame.number[square] for square in path]], cover=False)
    else:
        wrong = next(iter(map(str, defects(problem, tour))), None)
    measured = path_crossings(tour)
    moves = len(path) - (not problem.closed)
    if wrong is not None or (moves if is_path else measured) != value or (is_path and measured):
        raise UnsoundEngineError(f"the sweep of {problem.label} found no such path: {wrong}")
    return replace(
        best,
        tour=tour,
        value=value,
        bound=value,
        swept=True,
        verdict=Verdict.FOUND,
        statistics=statistics,
    )


def _bound_crossings(request: Request, best: Optimum) -> Optimum:
    """Add a bound from windows of the board to a tour."""
    from kt_cp.optimization.crossing_bound import CrossingProgram
    from kt_cp.optimization.crossing_sweep import as_sweep

    problem, tour = request.problem, best.tour
    assert tour is not None
    if problem.size > MOST_BOUNDED:
        return replace(best, statistics={"seconds": request.clock.elapsed})
    sweep, squares = as_sweep(problem, best.objective)
    number = {square: index for index, square in enumerate(squares)}
    path = [number[square] for square in tour]
    moves = zip(path, [*path[1:], *path[:1]][: len(path) - (not problem.closed)], strict=False)
    request.announce("bounding by windows")
    limit = None

    def look(bound: int) -> bool:
        request.report({"value": best.value, "bound": sweep.sign * bound})
        return request.expired() or sweep.sign * bound == best.value

    program = CrossingProgram(sweep, {(min(move), max(move)) for move in moves}, look)
    try:
        program.run()
    except (KeyboardInterrupt, TimeLimitReachedError) as stop:
        limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
    if request.expired():
        limit = limit or "time"
    bound = None if program.bound is None else sweep.sign * program.bound
    return replace(
        best,
        bound=bound,
        bounded_by=None if bound is None else WINDOWS,
        limit=limit,
        statistics={"seconds": request.clock.elapsed},
    )


def _fewer_crossings(request: Request, best: Optimum, tour: Tour) -> Optimum:
    """Improve a tour by local search; with ``most-crossings`` that means more."""
    from kt_cp.optimization.large_boards import improve_tour
    from kt_cp.optimization.local_search import layout_of

    problem = request.problem
    frame = frame_of(problem)
    weight = -1 if best.objective.startswith("most") else 1
    found = [_cycle(frame, [frame.number[square] for square in tour])]
    clock = request.within(share=FIRST_SHARE if problem.size <= LARGE else LOCAL_SHARE).clock
    limit = None

    def spent(least: int) -> float:
        request.report({"value": weight * least})
        return share_spent(clock)

    request.announce("searching")
    layout = layout_of(frame, None, weight)
    try:
        if problem.size > MOST_BOUNDED:
            improve_tour(frame, layout, found[0], request.seed, spent, found.append)
        else:
            _anneal_often(layout, found, request.seed, spent)
    except (KeyboardInterrupt, TimeLimitReachedError) as stop:
        limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
    tour = _tour(frame, found[-1])
    if wrong := defects(problem, tour):
        raise UnsoundEngineError(f"the tour of {problem.label} by local search: {wrong[0]}")
    return replace(best, tour=tour, value=tour.measures()["crossings"], limit=limit)


def _anneal_often(
    layout: Layout, found: list[list[int]], seed: int, spent: Callable[[int], float]
) -> None:
    """Anneal the first cycle several times, and append each cycle that is better than those before.

    On 8x8, ten million draws take two seconds, and three of five such runs end at the best value.
    """
    from kt_cp.optimization.local_search import LocalSearch

    best = LocalSearch(layout, found[0], seed).best_cost
    for number in range(RESTARTS):
        search = LocalSearch(layout, found[0], seed + number)
        try:
            search.anneal(DRAWS, partial(spent, best))
        finally:
            if search.best_cost < best:
                best = search.best_cost
                found.append(search.best.tolist())
        if spent(best) >= 1.0:
            return


class _Search:
    """The steps of one optimization, and the best so far."""

    def __init__(self, request: Request, objective: str, weight: str, engine: str) -> None:
        self.request, self.objective, self.engine = request, objective, engine
        self.frame = frame_of(request.problem, partial=objective in PARTIAL)
        self.weights = Weights()
        self.statistics: dict[str, float] = {}
        if objective == LEAST_WEIGHT:
            self.weights, rounded = read_weights(self.frame, request.problem, weight)
            if rounded:
                self.statistics["weight_unit"] = in_units(1, self.weights.denominator)
        self.costs = costs_of(self.frame, objective, self.weights.values)
        self.paths: list[list[int]] = []
        """The best cycle, or paths of a cover; empty if there is none yet."""
        self.cost: int | None = None
        self.proofs = [self._simple_proof(cost) for cost in self.costs]
        """For each sum a bound, and its tree."""
        self.unfinished: list[Proof | None] = [None for _ in self.costs]
        """For each sum the proof of a better bound, as far as it goes."""
        self.search_share = SEARCH_SHARE
        self.earlier: dict[str, float] = {}
        """The statistics of an earlier answer."""
        self.limit: str | None = None

    def resume(self, document: Mapping[str, Any]) -> None:
        """Take the tour and the proofs of an earlier answer as the best so far."""
        from kt_cp.optimization.resume import read_earlier

        earlier = read_earlier(document, self.request.problem, self.objective, self.weights)
        vertex = {name: v for v, name in enumerate(self.frame.names[: self.frame.squares])}
        paths = [[vertex[name] for name in path] for path in earlier.paths]
        if self.objective != PATH_COVER:
            paths = [_cycle(self.frame, paths[0])]
        self._improve(paths)
        self.earlier = earlier.statistics
        for number, proof in enumerate(earlier.proofs):
            self.proofs[number] = max(self.proofs[number], proof, key=lambda each: each[0])
        if any(earlier.unfinished):
            self.unfinished = earlier.unfinished
            self.search_share = RESUMED_SEARCH_SHARE

    def begin(self, tour: Tour) -> None:
        """Take a tour as the best so far."""
        squares = [self.frame.number[square] for square in tour]
        self._improve([squares if self.objective == PATH_COVER else _cycle(self.frame, squares)])

    def begin_with_a_square(self) -> None:
        """Take a path of a single square as the best so far, if the conditions allow it."""
        problem = self.request.problem
        if not problem.closed and not problem.require and None in (problem.start, problem.end):
            given = next((each for each in (problem.start, problem.end) if each is not None), None)
            self._improve([[self.frame.number.get(given, 0), *self.frame.ends]])

    def run(self) -> Optimum:
        """Search, then prove, each within its share of the time."""
        problem, objective = self.request.problem, self.objective
        try:
            begin = self.request.clock.elapsed
            is_large, claimed = self._can_search_locally(LARGE), self._claimed_before()
            is_over = not is_large and bool(self.earlier) and self._is_attained()
            if is_large:
                self._bound_by_repetition()
            if self._can_search_locally(MEDIUM) and claimed is None and not is_over:
                self._search_locally(LOCAL_SHARE if is_large else FIRST_SHARE)
            if not is_large and not is_over and claimed is None and not self._is_ideal():
                claimed = self._search()
            self.statistics["search_seconds"] = self.request.clock.elapsed - begin
            if claimed is not None:
                self.statistics["claimed_bound"] = self._value(claimed)
            if self.limit is None and not is_large and not is_over:
                self._prove(claimed)
        except (KeyboardInterrupt, TimeLimitReachedError) as stop:  # the best so far is the answer
            self.limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
        certificate = self._certificate()
        bound = min(cost for cost, _ in self.proofs)
        if not self._is_attained() and self.limit is None and self.request.expired():
            self.limit = "time"
        self.statistics["seconds"] = self.request.clock.elapsed
        if self.earlier:
            self._add_statistics()
        found = Optimum(
            problem,
            objective,
            certificate=certificate,
            limit=self.limit,
            statistics=self.statistics,
            unfinished=self._unfinished(),
        )
        if self.cost is None:
            is_proved = self._value(bound) <= 2
            reason = "no closed path exists" if is_proved else "the search was stopped"
            return replace(
                found,
                verdict=Verdict.IMPOSSIBLE if is_proved else Verdict.UNKNOWN,
                reason=reason,
            )
        value = self._value(self.cost)
        least = None if certificate is None else self._value(bound)
        found = replace(found, value=value, bound=least, verdict=Verdict.FOUND)
        if objective == PATH_COVER:
            return replace(found, paths=self._tours())
        return replace(found, tour=self._tours()[0])

    def _claimed_before(self) -> int | None:
        """The cost of the best tour, if an earlier search ended with it as the best."""
        is_best = self.cost is not None and self.earlier.get("claimed_bound") == self._value(
            self.cost
        )
        return self.cost if is_best else None

    def _is_attained(self) -> bool:
        """Return whether the best tour attains the bound."""
        bound = min(cost for cost, _ in self.proofs)
        return self.cost is not None and self._value(bound) == self._value(self.cost)

    def _add_statistics(self) -> None:
        """Turn the statistics into totals of all runs."""
        from kt_cp.optimization.resume import TOTALS

        runs = {**self.statistics, "runs": 1}
        earlier = {"runs": 1, **self.earlier}
        totals = {key: earlier.get(key, 0) + runs.get(key, 0) for key in TOTALS}
        self.statistics = {**earlier, **self.statistics, **totals}

    def _unfinished(self) -> list[dict[str, Any] | None] | None:
        """The interrupted proofs of better bounds, or None."""
        bound = min(cost for cost, _ in self.proofs)
        found = [
            None
            if proof is None or proof.target <= bound or proof.cases["tree"] is None
            else {
                "bound": value_of(self.frame, self.objective, proof.target),
                "tree": proof.cases["tree"],
            }
            for proof in self.unfinished
        ]
        return found if any(found) else None

    def _is_ideal(self) -> bool:
        """Return whether a tour is the best path or cover by itself."""
        return self.objective in PARTIAL and self.cost == (2 if self.objective == PATH_COVER else 0)

    def _can_search_locally(self, least: int) -> bool:
        """Return whether local search supports the problem, which has more than so many squares."""
        problem = self.request.problem
        is_free = not any(isinstance(each, Given | Symmetry) for each in problem.conditions)
        return self.objective in MEASURED and problem.size > least and is_free

    def _bound_by_repetition(self) -> None:
        """Find bounds from potentials that repeat."""
        from kt_cp.optimization.repeated_potentials import repeated_potentials

        for number, cost in enumerate(self.costs):
            self.request.announce("proving the bound")
            left = self.request.clock.left
            choices = choice_costs(self.frame, self.objective, cost)
            seconds = None if left is None else left / 4
            found = repeated_potentials(self.frame, choices, seconds)
            if found is not None and found[0] > self.proofs[number][0]:
                self.proofs[number] = found

    def _search_locally(self, share: float) -> None:
        """Improve the tour by local search, in a share of the time."""
        from kt_cp.optimization.large_boards import improve_tour
        from kt_cp.optimization.local_search import layout_of

        search = self.request.within(share=share)
        bound = self._value(min(cost for cost, _ in self.proofs))
        for done, cost in enumerate(self.costs):
            search.announce("searching")
            step = search.within(share=1 / (len(self.costs) - done))
            layout = layout_of(self.frame, choice_costs(self.frame, self.objective, cost))

            def spent(least: int, clock: Clock = step.clock) -> float:
                search.report({"value": self._value(least), "bound": bound})
                return share_spent(clock)

            improve_tour(
                self.frame,
                layout,
                self.paths[0],
                self.request.seed,
                spent,
                lambda cycle: self._improve([cycle]),
            )

    def _simple_proof(self, cost: Cost) -> tuple[int, Any]:
        """A bound without potentials, and its tree: the sum of the least at each square."""
        tree = {"scale": 1, "potentials": [0] * len(self.frame.edges()), "cuts": []}
        choices = choice_costs(self.frame, self.objective, cost)
        if not all(choices):
            return self.frame.squares - 2, {}  # no cycle at all
        return sum(min(row.values()) for row in choices), tree

    def _value(self, cost: int) -> float:
        """The value of a cost, in units of weight if it is one."""
        value = value_of(self.frame, self.objective, cost)
        return in_units(value, self.weights.denominator)

    def _cost(self, paths: list[list[int]]) -> int:
        """The cost of a cycle, or of paths of a cover."""
        if self.objective == PATH_COVER:
            return 2 * len(paths)
        (cycle,) = paths
        if self.objective == LONGEST:
            return self.frame.squares - sum(vertex < self.frame.squares for vertex in cycle)
        near = zip(cycle, [*cycle[-1:], *cycle[:-1]], [*cycle[1:], *cycle[:1]], strict=True)
        around = [each for each in near if each[0] < self.frame.squares]
        return min(sum(cost(*each) for each in around) for cost in self.costs)

    def _improve(self, paths: list[list[int]]) -> None:
        """Keep paths if they are better than the best so far."""
        cost = self._cost(paths)
        if self.cost is None or cost < self.cost:
            self.paths, self.cost = paths, cost
            if wrong := self._fault():
                label = self.request.problem.label
                raise UnsoundEngineError(f"the tour of {label} by optimize: {wrong}")

    def _fault(self) -> str | None:
        """Return a defect of the best so far, or None."""
        tours = self._tours()
        if self.objective in PARTIAL:
            paths = [[self.frame.number[square] for square in tour] for tour in tours]
            return fault_of_paths(self.frame, paths, cover=self.objective == PATH_COVER)
        found = defects(self.request.problem, tours[0])
        return str(found[0]) if found else None

    def _tours(self) -> list[Tour]:
        """The best paths as tours."""
        if self.objective == PATH_COVER:
            nodes, problem = self.frame.problem.nodes, self.request.problem
            return [problem.tour([nodes[vertex] for vertex in path]) for path in self.paths]
        return [_tour(self.frame, cycle) for cycle in self.paths]

    def _search(self) -> int | None:
        """Improve the tour by CP-SAT; return the bound that it claims."""
        from kt_cp.optimization.maxsat import cheapest_by_maxsat
        from kt_cp.optimization.transitions import cheapest_cycle

        bounds: list[int | None] = []
        search = self.request.within(share=self.search_share)
        for done, cost in enumerate(self.costs):
            step = search.within(share=1 / (len(self.costs) - done))
            search.announce("searching")
            if self.engine == "maxsat":
                left = None if step.clock.left is None else max(step.clock.left, 0.01)
                limits = Limits(left, step.limits.megabytes)
                weights = self.weights.values
                best = cheapest_by_maxsat(step.problem, self.objective, weights, done, limits)
            else:
                best = cheapest_cycle(
                    self.frame,
                    self.objective,
                    cost,
                    [] if self.objective == PATH_COVER else self.paths,
                    step.clock,
                    workers=self.request.limits.workers or 1,
                    seed=self.request.seed,
                    progress=self.request.progress,
                )
            if best.paths is not None:
                self._improve(best.paths)
            bounds.append(best.bound)
            if best.interrupted:
                self.limit = "interrupted"
                return None
        return None if None in bounds else min(each for each in bounds if each is not None)

    def _prove(self, claimed: int | None) -> None:
        """Find a proof of the best cost, or of the best weaker bound within the time."""
        from kt_cp.optimization.bounds import BoundProver

        self.request.announce("proving the bound")
        best = self.frame.squares - 2 if self.cost is None else self.cost
        cases = 0
        for number, cost in enumerate(self.costs):
            prover = BoundProver(self.frame, self.objective, cost, self._should_stop)
            found = prover.bound()
            if found is None:
                return
            if found[0] >= min(best, self.proofs[number][0]):
                self.proofs[number] = min(found[0], best), found[1]
            for proof in self._next_proofs(number, claimed, best):
                self.unfinished[number] = proof
                prover.prove(proof)
                if proof.is_finished:
                    self.proofs[number] = proof.target, proof.cases["tree"]
                elif proof.is_refuted:
                    self.unfinished[number] = None
                if not proof.is_finished:
                    break
            cases += prover.cases
            self.statistics["cases"] = cases

    def _certificate(self) -> Certificate | None:
        """The proofs as a checked certificate, with the best tour if it attains the bound."""
        from kt_cp.proofs.certificate import accepted

        value = value_of(self.frame, self.objective, min(cost for cost, _ in self.proofs))
        evidence: dict[str, Any] = {
            "kind": "bound",
            "objective": self.objective,
            "bound": value,
            "trees": [tree for _, tree in self.proofs],
        }
        if self.objective == LEAST_WEIGHT:
            values = [*self.weights.values]
            evidence["weights"] = {"denominator": self.weights.denominator, "values": values}
        if self.cost is not None and value == value_of(self.frame, self.objective, self.cost):
            names = [tour.names for tour in self._tours()]
            evidence |= {"paths": names} if self.objective == PATH_COVER else {"tour": names[0]}
        return accepted(self.request.problem, evidence, ("ortools",))

    def _targets(self, least: int, bound: int | None, best: int) -> list[int]:
        """Costs that are tried to be proved, from one that is proved to the best."""
        first = max(least + 1, best if bound is None else min(bound, best))
        if self.objective == LEAST_WEIGHT:
            return sorted({first, best} - {least}) if first <= best else []
        targets = range(first, best + 1)
        values = dict.fromkeys(value_of(self.frame, self.objective, each) for each in targets)
        # Sums of covers are even, so that a bound needs one less.
        return [target_of(self.frame, self.objective, each) for each in values]

    def _next_proofs(self, number: int, claimed: int | None, best: int) -> list[Proof]:
        """Proofs of a sum that are tried, the first perhaps one of an earlier answer."""
        from kt_cp.optimization.bounds import Proof

        targets = self._targets(self.proofs[number][0], claimed, best)
        begun = self.unfinished[number]
        if begun is None or not targets or begun.target <= self.proofs[number][0]:
            return [Proof(target) for target in targets]
        begun.target = min(begun.target, targets[-1])  # a better tour may be known since
        return [begun, *(Proof(target) for target in targets if target > begun.target)]

    def _should_stop(self, cases: int) -> bool:
        self.request.report({"cases": cases})
        return self.request.expired()


def share_spent(clock: Clock) -> float:
    """Return the share of a limit that is spent, 0 without one."""
    return 0.0 if clock.seconds is None else clock.elapsed / max(clock.seconds, LEAST_SECONDS)


def _cycle(frame: Frame, cycle: list[int]) -> list[int]:
    """The vertices of a tour as a cycle of the frame."""
    ends = list(frame.ends)
    if len(ends) == 2 and ends[0] not in frame.neighbours[cycle[-1]]:
        ends.reverse()
    return cycle + ends


def _tour(frame: Frame, cycle: Sequence[int]) -> Tour:
    """The tour of a cycle of the frame, from its start to its end."""
    problem = frame.problem.problem
    nodes = frame.problem.nodes
    first = cycle.index(frame.number[problem.start]) if problem.start is not None else 0
    if problem.closed and problem.given:
        square, step = next(iter(problem.given.items()))
        first = (cycle.index(frame.number[square]) - step + 1) % len(cycle)
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
