"""Search for a proof that no tour exists, or find a tour.

The engines, ``auto`` first, decide the problem, and their "no" is turned into a certificate.  If
the user names a kind of evidence, only a proof of that kind counts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.engines import Progress, get_engine, solve_request
from kt_cp.engines.engine import found, proved, unknown
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EXHAUSTED, Outcome, Verdict
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Request
from kt_cp.model.versions import versions_of
from kt_cp.proofs.certificate import search_report
from kt_cp.proofs.certify import KINDS, Finding, add_note, certify, check_kind, quick_kinds
from kt_cp.trust import reference
from kt_cp.trust.check.frame import MOST_SQUARES
from kt_cp.trust.crosscheck import cross_check

if TYPE_CHECKING:
    from kt_cp.model.problem import ProblemInput

NAME = "prove"

SIMPLE_KINDS, SIMPLE_SQUARES, SIMPLE_SECONDS = ("cut", "removal", "tight", "forced"), 450, 2.0
"""Kinds of evidence that a person can follow and that are tried even after a sweep, the most
squares for which they are tried, and the seconds."""


def prove(
    problem: ProblemInput,
    evidence: str | None = None,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **keywords: Any,
) -> Outcome:
    """Prove that a problem has no tour, or find one.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    evidence : str, optional
        One kind of evidence, such as ``"refutation"``; by default, the first kind that works.
        ``"exhausted"`` runs the reference recursion to its end; that result can be repeated, but
        it is no certificate.
    time_limit, memory_limit : float, optional
        Seconds, and megabytes of resident memory.

    Returns
    -------
    Outcome
        ``IMPOSSIBLE`` with a certificate that the checker has accepted, ``FOUND`` with a tour, or
        ``UNKNOWN`` with the reason.

    Raises
    ------
    InputError
        If a limit or the kind of evidence is invalid.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> outcome = prove(Problem(Board(5, 5), closed=True))
    >>> outcome.verdict, outcome.certificate.kind
    (<Verdict.IMPOSSIBLE: 'IMPOSSIBLE'>, 'colours')
    """
    limits = Limits(time_limit, memory_limit)
    clock = limits.clock()
    question = as_problem(problem, keywords)
    rest = replace(limits, spent=clock.elapsed)
    return prove_request(Request.begin(question, rest, seed=seed, progress=progress), evidence)


def prove_request(request: Request, evidence: str | None = None) -> Outcome:
    """Prove that the problem of a request has no tour, or find one."""
    if evidence is not None:
        check_kind(evidence)
    question, seed = request.problem, request.seed

    def supports_conditions(engine: str) -> bool:
        return {*map(type, question.conditions)} <= get_engine(engine).takes

    def solve_by(engine: str) -> Outcome:
        if not supports_conditions(engine):
            return unknown(engine, question, "nothing was found", {}, seed)
        answer = solve_request(request, engine)
        return replace(answer, statistics={**answer.statistics, "seconds": request.clock.elapsed})

    # If a kind is named: this is fast, and avoids a proof search if there is a tour.
    first = "auto" if evidence is None else "warnsdorff"
    answer = solve_by(first)
    certificate = answer.certificate
    # A refutation uses all given steps; look for evidence that names only the conflicting ones.
    final = certificate is not None and not (certificate.kind == "refutation" and question.given)
    if evidence is None and certificate is not None and certificate.kind == "sweep":
        # Another argument is easier to follow than the sweep of a small graph.
        if question.size > SIMPLE_SQUARES or request.expired():
            return answer
        simpler = certify(request.within(SIMPLE_SECONDS, 1 / 4), SIMPLE_KINDS)
        return answer if simpler == Finding() else _outcome_of(simpler, request)
    if answer.verdict is Verdict.FOUND or final:
        return answer
    if evidence is None and answer.verdict is Verdict.UNKNOWN and supports_conditions(first):
        return answer
    try:
        finding = Finding() if request.expired() else _find_evidence(request, evidence)
    except MemoryError as error:
        return _unknown(question, str(error) or "memory ran out", "memory", seed)
    if finding != Finding():
        return _outcome_of(finding, request)
    if certificate is not None and evidence is None:
        return answer
    if evidence is not None and not request.expired():
        answer = solve_by("auto")
        if answer.verdict is Verdict.FOUND:
            return answer
    reason = _explain_failure(answer, evidence, request)
    return _unknown(question, reason, "time" if request.expired() else None, seed)


def _find_evidence(request: Request, kind: str | None) -> Finding:
    problem = request.problem
    if kind != EXHAUSTED:
        return certify(request, KINDS if kind is None else (kind,))
    if not {*map(type, problem.conditions)} <= reference.TAKES:
        return Finding()  # the recursion does not handle symmetries
    from kt_cp.engines.backtrack import report_recursion

    walk = reference.decide(
        problem, should_stop=request.expired, progress=report_recursion(request.progress)
    )
    if walk.verdict is Verdict.IMPOSSIBLE:
        return Finding(search_report(problem, walk.placed, walk.taken_back))
    return Finding(tour=None if walk.squares is None else problem.tour(walk.squares))


def _outcome_of(finding: Finding, request: Request) -> Outcome:
    problem, seed, work = request.problem, request.seed, {"solve_seconds": request.clock.elapsed}
    if finding.certificate is not None:
        answer = proved(NAME, problem, finding.certificate.evidence, work, seed)
        answer = replace(answer, reason=add_note(finding.certificate.argument, finding.note))
    else:
        assert finding.tour is not None
        answer = found(NAME, problem, finding.tour, work, seed)
    versions = versions_of(("ortools", "python-sat"))
    return cross_check(replace(answer, versions=versions), clock=request.clock)


def _unknown(problem: Problem, reason: str, limit: str | None, seed: int) -> Outcome:
    answer = unknown(NAME, problem, reason, {}, seed)
    return cross_check(replace(answer, limit=limit, versions=versions_of()))


def _explain_failure(answer: Outcome, evidence: str | None, request: Request) -> str:
    kinds = [] if answer.certificate is None else [answer.certificate.kind]
    if evidence is not None and answer.verdict is Verdict.IMPOSSIBLE:
        kinds = [*dict.fromkeys([*kinds, *quick_kinds(answer.problem)])]
    if kinds:
        names = ", ".join(kinds)
        some = f"kinds {names}" if len(kinds) > 1 else f"kind {names}"
        return f"no evidence of kind {evidence} was found, but evidence of {some}: {answer.reason}"
    if request.expired():
        return f"the time limit of {request.limits.seconds:g} s was reached"
    if answer.verdict is Verdict.IMPOSSIBLE:
        large = answer.problem.size > MOST_SQUARES
        result = (
            f"no certificate is made for more than {MOST_SQUARES:,} squares"
            if large
            else "no certificate was found"
        )
        return f"{result}, although there is no tour: {answer.reason}"
    return answer.reason or "nothing was found"
