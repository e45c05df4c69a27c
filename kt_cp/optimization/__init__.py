"""The best tour, path or cover by paths, with a certificate that none is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.engines import solve_request
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.errors import (
    InputError,
    NotTakenError,
    TooLargeError,
    UnsoundEngineError,
    suggestion,
)
from kt_cp.model.limits import Limits
from kt_cp.model.measures import MEASURES
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Progress, Request
from kt_cp.model.surface import Surface
from kt_cp.model.terms import terms
from kt_cp.optimization.crossings import SWEPT, optimize_crossings
from kt_cp.optimization.measure_models import MODELLED
from kt_cp.optimization.optimum import Optimum
from kt_cp.optimization.search import FIRST_SHARE, CertifiedSearch, search_by_model
from kt_cp.trust.check.bound import LEAST_WEIGHT, LONGEST, MEASURED, PARTIAL, PATH_COVER
from kt_cp.trust.check.bound import OBJECTIVES as CERTIFIED
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.problem import ProblemInput

OBJECTIVES = (*CERTIFIED, *SWEPT, *MODELLED)

KNOWN = (
    f"fewest- or most- with {', '.join(MEASURES)}; or "
    f"{', '.join(each for each in OBJECTIVES if not each.startswith(('fewest-', 'most-')))}"
)
"""The names of all objectives, in words."""

__all__ = ["OBJECTIVES", "Optimum", "optimize", "optimize_request"]

MOST_SQUARES = 20_000
"""The largest board, with half a million transitions; local search takes two minutes."""

MOST_MAGIC = 400
"""The largest board for magic lines."""

ENGINES = ("cpsat", "maxsat")


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
        every square once; ``"least-weight"`` on a graph; or ``"longest-uncrossed"`` for a path or
        cycle that does not cross itself.
    weight : str
        The attribute of edges that ``least-weight`` minimizes.
    engine : str
        The solver: ``"cpsat"``, or for comparison ``"maxsat"``.  Sweeps use neither.
    time_limit : float, optional
        Seconds.
    workers : int, optional
        Threads of CP-SAT; by default one, which gives the same tour for the same seed.
    resume : Optimum or its JSON object, optional
        An earlier answer to the same question.  The search begins with its tour and its proof.

    Returns
    -------
    Optimum
        The best tour, its value, a bound, and a certificate of the bound.  There is no certificate
        for objectives that depend on crossings, for ``run``, magic lines and
        ``"fewest-direction"``; ``bound_by`` is then ``"sweeps"`` or ``"cpsat"``.

    Raises
    ------
    InputError
        If the objective is unknown or not defined for the problem, a limit is invalid, or the
        earlier answer is wrong or about another question.

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
    """Raise an error unless the objective is known and defined for the problem.

    >>> from kt_cp import Board
    >>> check_objective("fewest-turns", Problem(Board(6, 6, surface="torus")))
    Traceback (most recent call last):
    ...
    kt_cp.model.errors.NotTakenError: fewest-turns is for boards on the plane, got a torus
    """
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        hint = suggestion(objective, OBJECTIVES)
        raise InputError(f"expected an objective, {KNOWN}; got {objective!r:.60}{hint}")
    board = problem.board
    plane = objective in (*MEASURED, *SWEPT, *MODELLED)
    if plane and board is None:
        raise NotTakenError(f"{objective} is for boards, got a graph")
    if plane and board is not None and board.surface is not Surface.PLANE:
        raise NotTakenError(f"{objective} is for boards on the plane, got a {board.surface}")
    if objective == LEAST_WEIGHT and board is not None:
        raise NotTakenError("least-weight is for graphs with weights, got a board")
    if problem.directed and objective != LEAST_WEIGHT:
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
    if problem.size < (least := 3 if problem.closed and not problem.directed else 2):
        raise NotTakenError(
            f"expected at least {least} {terms(problem).square}s, got {problem.size}"
        )
    most = MOST_MAGIC if "magic" in objective else MOST_SQUARES
    if problem.size > most:
        raise TooLargeError(f"expected at most {most:,} squares, got {problem.size:,}")


def check_engine(engine: object) -> None:
    """Raise an error unless the name is that of an engine of ``optimize``."""
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
    """Find the best tour for the problem of a request, optionally from an earlier answer."""
    resume = resume.to_dict() if isinstance(resume, Optimum) else resume
    check_objective(objective, request.problem)
    check_engine(engine)
    if engine == "maxsat" and any(isinstance(each, Given) for each in request.problem.conditions):
        raise NotTakenError("maxsat does not support given steps: expected none")
    if engine == "maxsat" and objective in MODELLED:
        raise NotTakenError(f"maxsat does not support {objective}: expected cpsat")
    is_directed = request.problem.directed
    if resume is not None and (is_directed or objective in (*MODELLED, "longest-uncrossed")):
        what = "a directed graph" if is_directed else objective
        raise NotTakenError(f"{what} cannot resume: every search begins anew")
    if objective in SWEPT:
        return optimize_crossings(request, objective, resume)
    if objective in MODELLED:
        return search_by_model(request, objective)
    if is_directed:
        return _optimize_directed(request, objective, weight, engine)
    search = CertifiedSearch(request, objective, weight, engine)
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
        found = Optimum.from_outcome(answer, objective)
        return replace(found, statistics={"seconds": request.clock.elapsed})
    return search.run()


def _optimize_directed(request: Request, objective: str, weight: str, engine: str) -> Optimum:
    """Find the best tour of the undirected form of a directed problem, and translate it back."""
    from kt_cp.engines.directed_adapter import to_undirected
    from kt_cp.proofs.certify import Finding, to_digraph

    problem = request.problem
    form = replace(request, problem=to_undirected(problem))
    best = optimize_request(form, objective, weight, engine)
    found = to_digraph(problem, Finding(best.certificate, best.tour))
    if found.tour is not None and (wrong := defects(problem, found.tour)):
        raise UnsoundEngineError(f"the tour of {problem.label} is wrong: {wrong[0]}")
    return replace(best, problem=problem, tour=found.tour, certificate=found.certificate)
