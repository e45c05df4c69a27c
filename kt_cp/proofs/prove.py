"""Ask for a proof that no tour exists; the answer may be a tour all the same.

The engines decide, ``auto`` first of all, and whatever "no" they give is turned into a certificate.
Where one kind of evidence is asked for, it is looked for first, whatever else might do.
"""

from __future__ import annotations

from typing import Any

from kt_cp import reference
from kt_cp.crosscheck import cross_check
from kt_cp.engines import Progress, solve
from kt_cp.limits import Clock, Limits
from kt_cp.outcome import Outcome, Verdict
from kt_cp.problem import Problem
from kt_cp.proofs.certificate import EXHAUSTED, Certificate, search_report
from kt_cp.proofs.check.frame import MOST_SQUARES
from kt_cp.proofs.find.certify import KINDS, certify, check_kind
from kt_cp.tour import Tour
from kt_cp.versions import versions_of

NAME = "prove"


def prove(
    problem: Problem,
    evidence: str | None = None,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Outcome:
    """Prove that a problem has no tour, or find one.

    Parameters
    ----------
    evidence : str, optional
        One kind of evidence, such as ``"refutation"``; without it, the first that works.
        ``"exhausted"`` runs the reference recursion to its end, which is a second opinion and not
        a certificate that can be checked.
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
        If a limit or the kind of evidence makes no sense.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> outcome = prove(Problem(Board(4, 4)))
    >>> outcome.verdict, outcome.certificate.kind
    (<Verdict.IMPOSSIBLE: 'IMPOSSIBLE'>, 'removal')
    """
    if evidence is not None:
        check_kind(evidence)
    limits = Limits(time_limit, memory_limit)
    clock = limits.clock()

    def left() -> Limits:
        return Limits(None if clock.left is None else max(clock.left, 0.001), memory_limit)

    # Where evidence is asked for: cheap, and it spares the search for what cannot exist.
    first = "auto" if evidence is None else "warnsdorff"
    answer = solve_within(problem, first, left(), seed, progress)
    if answer.verdict is Verdict.FOUND or answer.certificate is not None:
        return answer
    if evidence is None and answer.verdict is Verdict.UNKNOWN:
        return answer
    try:
        found = _of_kind(problem, evidence, left(), seed, progress)
    except MemoryError as error:
        return _unknown(problem, str(error) or "memory ran out", "memory", seed)
    if found is not None:
        return _answered(problem, found, clock, seed)
    if evidence is not None and not clock.expired():
        answer = solve_within(problem, "auto", left(), seed, progress)
        if answer.verdict is Verdict.FOUND:
            return answer
    reason = _why_not(answer, evidence, clock, limits)
    return _unknown(problem, reason, "time" if clock.expired() else None, seed)


def solve_within(
    problem: Problem, engine: str, limits: Limits, seed: int, progress: Progress | None
) -> Outcome:
    """What an engine says, within what is left of the limits."""
    return solve(
        problem,
        engine,
        time_limit=limits.seconds,
        memory_limit=limits.megabytes,
        seed=seed,
        progress=progress,
    )


def _of_kind(
    problem: Problem, kind: str | None, limits: Limits, seed: int, progress: Progress | None
) -> Certificate | list[Any] | None:
    if kind != EXHAUSTED:
        kinds = KINDS if kind is None else (kind,)
        return certify(problem, kinds, limits=limits, seed=seed, progress=progress)
    walk = reference.decide(problem, should_stop=limits.clock().expired)
    if walk.verdict is Verdict.IMPOSSIBLE:
        return search_report(problem, walk.placed, walk.taken_back)
    return walk.squares


def _answered(problem: Problem, found: Certificate | list[Any], clock: Clock, seed: int) -> Outcome:
    tour, evidence = None, None
    if isinstance(found, Certificate):
        evidence = found.evidence
    else:
        tour = Tour(found, problem.closed, problem.board)
    return cross_check(
        Outcome(
            Verdict.FOUND if evidence is None else Verdict.IMPOSSIBLE,
            problem,
            NAME,
            tour=tour,
            reason=None if evidence is None else evidence.text,
            evidence=evidence,
            statistics={"solve_seconds": clock.elapsed},
            seed=seed,
            versions=versions_of(("ortools", "python-sat")),
        )
    )


def _unknown(problem: Problem, reason: str, limit: str | None, seed: int) -> Outcome:
    outcome = Outcome(
        Verdict.UNKNOWN,
        problem,
        NAME,
        reason=reason,
        limit=limit,
        seed=seed,
        versions=versions_of(),
    )
    return cross_check(outcome)


def _why_not(answer: Outcome, evidence: str | None, clock: Clock, limits: Limits) -> str:
    if answer.verdict is Verdict.IMPOSSIBLE and answer.certificate is not None:
        kind = answer.certificate.kind
        return f"no evidence of kind {evidence} was found; of kind {kind} there is: {answer.reason}"
    if clock.expired():
        return f"the time limit of {limits.seconds:g} s was reached"
    if answer.verdict is Verdict.IMPOSSIBLE:
        large = answer.problem.size > MOST_SQUARES
        why = f"none is made for more than {MOST_SQUARES:,} squares" if large else "none was found"
        return (
            f"a certificate is asked for, and {why}; there is no tour all the same: {answer.reason}"
        )
    return answer.reason or "nothing was found"
