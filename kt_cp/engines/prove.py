"""Ask for a proof that no tour exists; the answer may be a tour all the same.

The engines decide, ``auto`` first of all, and whatever "no" they give is turned into a certificate.
Where one kind of evidence is asked for, that kind is looked for first, whatever else might do.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.engines import Progress, get_engine, solve_within
from kt_cp.engines.backtrack import report_recursion
from kt_cp.engines.engine import found, proved, unknown
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import EXHAUSTED, Outcome, Verdict, versions_of
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Request
from kt_cp.proofs.certificate import search_report
from kt_cp.proofs.certify import KINDS, Finding, certify, check_kind, noted, quick_kinds
from kt_cp.trust import reference
from kt_cp.trust.check.frame import MOST_SQUARES
from kt_cp.trust.crosscheck import cross_check

if TYPE_CHECKING:
    from kt_cp.model.problem import ProblemInput

NAME = "prove"


def prove(
    problem: ProblemInput,
    evidence: str | None = None,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **asked: Any,
) -> Outcome:
    """Prove that a problem has no tour, or find one.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
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
    >>> from kt_cp.model.board import Board
    >>> outcome = prove(Problem(Board(5, 5), closed=True))
    >>> outcome.verdict, outcome.certificate.kind
    (<Verdict.IMPOSSIBLE: 'IMPOSSIBLE'>, 'colours')
    """
    limits = Limits(time_limit, memory_limit)
    clock = limits.clock()
    question = as_problem(problem, asked)
    rest = replace(limits, spent=clock.elapsed)
    return prove_within(question, evidence, rest, seed=seed, progress=progress)


def prove_within(
    question: Problem,
    evidence: str | None,
    limits: Limits,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Outcome:
    """Do the same within limits of which a part is spent already."""
    if evidence is not None:
        check_kind(evidence)
    clock = limits.clock()

    def left() -> Limits:
        return replace(limits, spent=limits.spent + clock.elapsed)

    def takes(engine: str) -> bool:
        return {*map(type, question.conditions)} <= get_engine(engine).takes

    def ask(engine: str) -> Outcome:
        if not takes(engine):
            return unknown(engine, question, "nothing was found", {}, seed)
        answer = solve_within(question, engine, left(), seed=seed, progress=progress)
        return replace(answer, statistics={**answer.statistics, "seconds": clock.elapsed})

    # Where evidence is asked for: cheap, and it spares the search for what cannot exist.
    first = "auto" if evidence is None else "warnsdorff"
    answer = ask(first)
    if answer.verdict is Verdict.FOUND or answer.certificate is not None:
        return answer
    if evidence is None and answer.verdict is Verdict.UNKNOWN and takes(first):
        return answer
    try:
        over = clock.expired()
        finding = Finding() if over else _of_kind(question, evidence, left(), seed, progress)
    except MemoryError as error:
        return _unknown(question, str(error) or "memory ran out", "memory", seed)
    if finding != Finding():
        return _answered(question, finding, clock, seed)
    if evidence is not None and not clock.expired():
        answer = ask("auto")
        if answer.verdict is Verdict.FOUND:
            return answer
    reason = _why_not(answer, evidence, clock, limits)
    return _unknown(question, reason, "time" if clock.expired() else None, seed)


def _of_kind(
    problem: Problem, kind: str | None, limits: Limits, seed: int, progress: Progress | None
) -> Finding:
    if kind != EXHAUSTED:
        kinds = KINDS if kind is None else (kind,)
        return certify(Request.begin(problem, limits, seed=seed, progress=progress), kinds)
    if not {*map(type, problem.conditions)} <= reference.TAKES:
        return Finding()  # of a symmetry the recursion knows nothing
    walk = reference.decide(
        problem, should_stop=limits.clock().expired, progress=report_recursion(progress)
    )
    if walk.verdict is Verdict.IMPOSSIBLE:
        return Finding(search_report(problem, walk.placed, walk.taken_back))
    return Finding(tour=None if walk.squares is None else problem.tour(walk.squares))


def _answered(problem: Problem, finding: Finding, clock: Clock, seed: int) -> Outcome:
    spent = {"solve_seconds": clock.elapsed}
    if finding.certificate is not None:
        answer = proved(NAME, problem, finding.certificate.evidence, spent, seed)
        answer = replace(answer, reason=noted(finding.certificate.argument, finding.note))
    else:
        assert finding.tour is not None
        answer = found(NAME, problem, finding.tour, spent, seed)
    return cross_check(
        replace(answer, versions=versions_of(("ortools", "python-sat"))), clock=clock
    )


def _unknown(problem: Problem, reason: str, limit: str | None, seed: int) -> Outcome:
    answer = unknown(NAME, problem, reason, {}, seed)
    return cross_check(replace(answer, limit=limit, versions=versions_of()))


def _why_not(answer: Outcome, evidence: str | None, clock: Clock, limits: Limits) -> str:
    kinds = [] if answer.certificate is None else [answer.certificate.kind]
    if evidence is not None and answer.verdict is Verdict.IMPOSSIBLE:
        kinds = [*dict.fromkeys([*kinds, *quick_kinds(answer.problem)])]
    if kinds:
        names = ", ".join(kinds)
        some = f"kinds {names}" if len(kinds) > 1 else f"kind {names}"
        return f"no evidence of kind {evidence} was found; of {some} there is: {answer.reason}"
    if clock.expired():
        return f"the time limit of {limits.seconds:g} s was reached"
    if answer.verdict is Verdict.IMPOSSIBLE:
        large = answer.problem.size > MOST_SQUARES
        why = f"none is made for more than {MOST_SQUARES:,} squares" if large else "none was found"
        return (
            f"a certificate is asked for, and {why}; there is no tour all the same: {answer.reason}"
        )
    return answer.reason or "nothing was found"
