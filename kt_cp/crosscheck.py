"""The cross-check: every answer is held against the judge and the reference before it is shown.

A tour is verified (the judge's rules) and replayed (the reference recursion with the tour's own
moves offered first).  The verdict is held against the reference's own where the reference can
decide: on at most ``REFERENCE_SQUARES`` squares, and beyond that a "no" wherever the search is
exhausted within ``BUDGET`` squares placed, as for a "no" with a checked certificate of any size.
A contradiction is a bug and raises; it is never shown as an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kt_cp import reference
from kt_cp.errors import UnsoundEngineError
from kt_cp.outcome import Checks, Outcome, Verdict
from kt_cp.problem import Problem
from kt_cp.verify import defects

REFERENCE_SQUARES = 30
"""Boards up to this size are decided by the reference as well, most within a second."""

SMALL_BUDGET = 20_000_000
"""Squares which it may place on such a board: about half a minute at the very worst."""

BUDGET = 200_000
"""Squares which it may place on a larger board before it gives up: some tenths of a second."""


def cross_check(
    outcome: Outcome,
    reference_says: Callable[[Problem, Verdict], tuple[Verdict | None, str]] | None = None,
) -> Outcome:
    """The same outcome with its checks made.

    Parameters
    ----------
    reference_says : callable, optional
        In place of :func:`reference_verdict`, for callers that remember its answers.

    Raises
    ------
    UnsoundEngineError
        If the judge finds a defect, the replay steps back, or the reference decides otherwise.
    """
    if outcome.verdict is Verdict.UNKNOWN:
        nothing = "there is no answer to check"
        remarks = {"verified": nothing, "replayed": nothing, "agrees": nothing}
        return replace(outcome, checks=Checks(remarks=remarks))
    verified = replayed = None
    remarks = {}
    if outcome.tour is None:
        remarks = {"verified": "there is no tour", "replayed": "there is no tour"}
    else:
        _judge(outcome)
        verified = True
        if len(outcome.tour) > reference.REPLAY_LIMIT:
            remarks["replayed"] = f"more than {reference.REPLAY_LIMIT} squares"
        else:
            replayed = _replay(outcome)
    if reference_says is None and outcome.certificate is not None:
        own, remark = reference_verdict(outcome.problem, outcome.verdict, certified=True)
    else:
        own, remark = (reference_says or reference_verdict)(outcome.problem, outcome.verdict)
    if own is None:
        return replace(
            outcome, checks=Checks(verified, replayed, None, {**remarks, "agrees": remark})
        )
    if own is not outcome.verdict:
        raise contradiction(outcome, f"the reference backtracker decides {own.value}")
    return replace(outcome, checks=Checks(verified, replayed, True, remarks))


def reference_verdict(
    problem: Problem, claimed: Verdict, *, certified: bool = False
) -> tuple[Verdict | None, str]:
    """The reference's own verdict, or None and why it has none.

    Parameters
    ----------
    claimed : Verdict
        The verdict it will be held against.  Beyond the small boards only a "no" is worth a
        search: a tour has been replayed, and that is the reference's own run.
    certified : bool
        Whether a certificate was checked: then half a minute for a second opinion is too much.
    """
    small = problem.size <= REFERENCE_SQUARES and not certified
    if not small and claimed is Verdict.FOUND:
        return None, f"more than {REFERENCE_SQUARES} squares: the replay has to do"
    if problem.size > BUDGET:
        return None, f"more than {BUDGET} squares: the reference could not place them all"
    budget = SMALL_BUDGET if small else BUDGET
    walk = reference.decide(problem, budget=budget)
    if walk.verdict is Verdict.UNKNOWN:
        return None, f"the reference did not decide within {budget} squares placed"
    return walk.verdict, ""


def _judge(outcome: Outcome) -> None:
    assert outcome.tour is not None
    found = defects(outcome.problem, outcome.tour)
    if found:
        more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
        listed = "; ".join(str(defect) for defect in found[:3])
        raise contradiction(outcome, f"the judge refuses its tour: {listed}{more}")


def _replay(outcome: Outcome) -> bool:
    assert outcome.tour is not None
    walk = reference.replay(outcome.problem, outcome.tour.squares)
    if walk.taken_back or walk.squares is None or tuple(walk.squares) != outcome.tour.squares:
        raise contradiction(
            outcome,
            f"the replay left its tour after {walk.placed} squares, {walk.taken_back} taken back",
        )
    return True


def contradiction(outcome: Outcome, what: str) -> UnsoundEngineError:
    """An error that holds all that is needed to repeat the contradiction."""
    versions = ", ".join(f"{name} {number}" for name, number in outcome.versions.items())
    tour = "" if outcome.tour is None else f"; tour {' '.join(outcome.tour.names)}"
    return UnsoundEngineError(
        f"engine {outcome.engine} says {outcome.verdict.value} on {outcome.problem.label}, "
        f"seed {outcome.seed}, but {what} [{versions}]{tour}"
    )
