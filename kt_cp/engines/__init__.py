"""Engines, and the function :func:`solve`, which runs one of them and checks its answer.

Each engine has a file of its own; :mod:`kt_cp.engines.registry` lists them.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.engines.engine import Engine
from kt_cp.engines.registry import engine_names, get_engine
from kt_cp.engines.run import check, run
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import as_problem
from kt_cp.model.request import Progress, Request
from kt_cp.trust.crosscheck import EVERY, cross_check

if TYPE_CHECKING:
    from kt_cp.model.problem import ProblemInput

__all__ = ["Engine", "Progress", "check", "engine_names", "get_engine", "solve", "solve_request"]

LOGGER = logging.getLogger(__name__)


def solve(
    problem: ProblemInput,
    engine: str | Engine = "auto",
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    own_process: bool | None = None,
    **keywords: Any,
) -> Outcome:
    """Answer a problem and cross-check the answer.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        A problem, or the board or graph of one, as in ``solve("8x8", closed=True)``.  The keywords
        of :class:`Problem` may follow, and after sides those of :class:`Board` too.
    engine : str or Engine
        Name such as ``"auto"``, ``"cpsat"`` or ``"sat:position:glucose4"``, or an engine.
    time_limit : float, optional
        Seconds of search and checks.
    memory_limit : float, optional
        Megabytes of resident memory; the engine then runs in a process of its own.
    workers : int, optional
        Number of threads, for engines that use several.
    seed : int
        The same seed gives the same tour, with the same versions and one worker.
    progress : callable, optional
        Called at intervals with a mapping of the work done so far.
    own_process : bool, optional
        Whether the engine runs in its own process.  By default it does if it cannot be
        interrupted, if there is a memory limit, or if there is a time limit and the problem is
        large.  Without a memory limit the process stays alive for a minute, and the next call of
        the same thread reuses it.  A process takes half a second to start.  False avoids that, but
        then Ctrl-C during a PySAT solver may crash the interpreter.

    Returns
    -------
    Outcome
        ``FOUND`` with a tour that was verified and replayed, ``IMPOSSIBLE`` with evidence, or
        ``UNKNOWN`` with a reason.

    Raises
    ------
    InputError
        If the engine's name, a limit or the size of the problem is invalid.
    UnsoundEngineError
        If the engine's answer is wrong.
    EngineFailedError
        If the engine crashed.

    Examples
    --------
    >>> from kt_cp import Board, Problem, Verdict, solve
    >>> outcome = solve(Problem(Board(5, 5)), seed=1)
    >>> outcome.verdict is Verdict.FOUND, len(outcome.tour), outcome.verified, outcome.replayed
    (True, 25, True, True)
    >>> solve("3x3", start="a1")
    <Outcome: IMPOSSIBLE by auto, 3x3, open, from a1: b2 has no moves at all>
    """
    limits = Limits(time_limit, memory_limit, workers)
    clock = limits.clock()
    question = as_problem(problem, keywords)
    rest = replace(limits, spent=clock.elapsed)
    request = Request.begin(question, rest, seed=seed, progress=progress)
    return solve_request(request, engine, own_process)


def solve_request(
    request: Request, engine: str | Engine = "auto", own_process: bool | None = None
) -> Outcome:
    """Answer a request and cross-check the answer."""
    name, label = getattr(engine, "name", engine), request.problem.label
    LOGGER.debug("%s: engine %s, seed %d", label, name, request.seed)
    answer = run(engine, request, own_process=own_process, warm=True)
    for step in answer.steps:
        LOGGER.debug("%s: %s: %s in %.3f s", label, step.name, step.result, step.seconds)
    LOGGER.debug("%s: %s by %s", label, answer.verdict.value, answer.engine)
    if answer.tour is not None and answer.tour.size > EVERY:
        request.announce("checking the tour")
    return cross_check(answer, clock=request.clock)
