"""The cross-check: every answer is held against the judge and the reference before it is shown.

A tour is verified (the judge's rules) and replayed (the reference recursion with the tour's own
moves offered first).  The verdict is held against the reference's own where the reference can
decide: on at most ``REFERENCE_SQUARES`` squares, and beyond that a "no" wherever the search is
exhausted within ``BUDGET`` squares placed, as for a "no" with a checked certificate of any size.
A contradiction is a bug and raises; it is never shown as an answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.outcome import Checks, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.model.tour import Tour
from kt_cp.trust import reference
from kt_cp.trust.judge import Defect, defects, place_defects

REFERENCE_SQUARES = 30
"""Boards up to this size are decided by the reference as well, most within a second."""

SMALL_BUDGET = 20_000_000
"""Squares which it may place on such a board: about half a minute at the very worst."""

BUDGET = 200_000
"""Squares which it may place on a larger board before it gives up: some tenths of a second."""

JUDGED_SQUARES = 1 << 32
"""Most squares of a tour that is judged as a whole, which takes some seconds for every 10^9."""

NAMED_SQUARES = 1 << 20
"""Longest tour that is written into an error; a longer one is made again by what else it says."""

LONG_ROW = 1 << 20
"""Columns from which on bands are of columns: one row after the other is slow to compute then."""

PLACES = 10_000
"""Random places at which a larger tour is judged instead."""

SOME_PLACES = 100
"""Random places at which any tour that is computed has to tell squares and steps alike."""


def cross_check(
    outcome: Outcome,
    reference_says: Callable[[Problem, Verdict], tuple[Verdict | None, str]] | None = None,
) -> Outcome:
    """The same outcome with its checks made.

    ``reference_says`` is in place of :func:`reference_verdict` for callers that remember answers.

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
        verified, remark = _judge(outcome)
        if remark:
            remarks["verified"] = remark
        if outcome.tour.size > reference.REPLAY_LIMIT:
            squares = f"{terms(outcome.problem).square}s"
            judged = "judged but not replayed: " if verified else ""
            remarks["replayed"] = f"{judged}more than {reference.REPLAY_LIMIT:,} {squares}"
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

    Beyond the small boards only a "no" is worth a search: a tour that is claimed has been replayed,
    and that is the reference's own run.  Where a certificate was checked, half a minute for a
    second opinion is too much.
    """
    for condition in problem.conditions:
        if type(condition) not in reference.TAKES:
            return None, f"the reference does not take {condition.words}"
    squares = f"{terms(problem).square}s"
    small = problem.size <= REFERENCE_SQUARES and not certified
    if not small and claimed is Verdict.FOUND:
        enough = problem.size <= reference.REPLAY_LIMIT
        what = "the replay has to do" if enough else "too many for the reference"
        return None, f"more than {REFERENCE_SQUARES} {squares}: {what}"
    if problem.size > BUDGET:
        return None, f"more than {BUDGET} {squares}: the reference could not place them all"
    # In a digraph its look ahead sees less, and where it is lost it is lost for minutes.
    budget = SMALL_BUDGET if small and not problem.directed else BUDGET
    verdict = (_decided_once if small else _decided)(problem, budget)
    if verdict is Verdict.UNKNOWN:
        return None, f"the reference did not decide within {budget} {squares} placed"
    return verdict, ""


def _decided(problem: Problem, budget: int) -> Verdict:
    return reference.decide(problem, budget=budget).verdict


_decided_once = lru_cache(maxsize=1024)(_decided)
"""For small problems, of which one is often asked of many engines."""


def judge_places(outcome: Outcome, steps: Iterable[int]) -> None:
    """Hold some steps of a tour, counted from 1, against the judge; raises UnsoundEngineError."""
    assert outcome.tour is not None
    _refuse(outcome, place_defects(outcome.problem, outcome.tour, steps))


def _judge(outcome: Outcome) -> tuple[bool | None, str]:
    """Whether the whole tour was judged, and why not if not."""
    problem, tour = outcome.problem, outcome.tour
    assert tour is not None
    if not tour.computed or tour.size <= reference.REPLAY_LIMIT:
        _refuse(outcome, defects(problem, tour.squares))
    if not tour.computed:
        return True, ""
    # What is computed may be told in three ways, one by one, as an array and by single places:
    # each of them has to be right.
    whole = tour.size <= JUDGED_SQUARES
    if whole:
        _refuse(outcome, _array_defects(problem, tour))
    rng, places = random.Random(outcome.seed), SOME_PLACES if whole else PLACES
    judge_places(outcome, [1, tour.size, *(rng.randint(1, tour.size) for _ in range(places))])
    if whole:
        return True, ""
    return None, f"more than {JUDGED_SQUARES:,} squares: judged at {places:,} random places"


def _array_defects(problem: Problem, tour: Tour) -> list[Defect]:
    from kt_cp.model.arrays import step_bands
    from kt_cp.trust.judge.array import ArrayJudge

    assert tour.board is not None
    by_columns = tour.board.columns >= LONG_ROW
    judge = ArrayJudge(problem, by_columns=by_columns)
    for band in step_bands(tour, by_columns=by_columns):
        judge.add(band)
    return judge.defects()


def _refuse(outcome: Outcome, found: list[Defect]) -> None:
    if found:
        others = sum(defect.many for defect in found[3:])
        more = f" (and {others} more)" if others else ""
        listed = "; ".join(str(defect) for defect in found[:3])
        raise contradiction(outcome, f"the judge refuses its tour: {listed}{more}")


def _replay(outcome: Outcome) -> bool:
    assert outcome.tour is not None
    squares = tuple(outcome.tour.squares)
    walk = reference.replay(outcome.problem, squares)
    if walk.taken_back or walk.squares is None or tuple(walk.squares) != squares:
        raise contradiction(
            outcome,
            f"the replay left its tour after {walk.placed} squares, {walk.taken_back} taken back",
        )
    return True


def contradiction(outcome: Outcome, what: str) -> UnsoundEngineError:
    """An error that holds all that is needed to repeat the contradiction."""
    versions = ", ".join(f"{name} {number}" for name, number in outcome.versions.items())
    known = outcome.tour is not None and outcome.tour.size <= NAMED_SQUARES
    tour = f"; tour {' '.join(outcome.tour.names)}" if outcome.tour is not None and known else ""
    return UnsoundEngineError(
        f"engine {outcome.engine} says {outcome.verdict.value} on {outcome.problem.label}, "
        f"seed {outcome.seed}, but {what} [{versions}]{tour}"
    )
