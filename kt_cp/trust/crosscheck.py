"""The cross-check: the judge and the reference check every answer before it is shown.

The judge verifies a tour by its rules.  The reference replays it: the recursion runs with the
tour's own moves offered first.  The verdict is compared with the reference's own verdict on boards
of at most ``REFERENCE_SQUARES`` squares.  On larger boards this is done only for a "no" without a
checked certificate.  A contradiction is a bug and raises an error; it is never shown as an answer.

The judge checks every tour.  The reference's own decision takes at most a share of the time of the
search, counted in squares placed.  It ends at the time limit, and so does the replay.  A remark
states every check that was left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Checks, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.model.tour import Tour
from kt_cp.trust import reference
from kt_cp.trust.judge import Defect, defects, place_defects

REFERENCE_SQUARES = 30
"""The reference also decides boards up to this size, most of them within a second."""

SMALL_BUDGET = 20_000_000
"""Squares that a knight may place on such a board, after a long search: half a minute at worst."""

BUDGET = 200_000
"""Squares that a knight may place on a larger board, after a long search: about a second."""

FEWEST = 50_000
"""Squares that a knight may place however short the search was: a few tenths of a second."""

REPLAY_SHARE = 1 / 3
"""Share of the remaining time for the replay.  A large tour must still be written after it."""

TIME_OVER = "the time limit was reached"
TOO_LITTLE_TIME = "the time limit leaves too little time"

SHARE = 0.5
"""Time for the reference's own decision, as a share of the time of the search."""

SQUARES_A_SECOND = 200_000
"""Least rate for a knight.  Other pieces place fewer squares, by their moves for each square."""

KNIGHT_MOVES = 8
"""Moves for each square that the numbers above assume."""

EVERY = 50_000
"""Squares of a tour that are judged between two readings of the clock: a tenth of a second."""

JUDGED_SQUARES = 1 << 32
"""Most squares of a tour that is judged as a whole; 10^9 squares take several seconds."""

NAMED_SQUARES = 1 << 20
"""Longest tour that an error contains.  The rest of its text suffices to repeat a longer one."""

LONG_ROW = 1 << 20
"""From this number of columns on, bands consist of columns: computing row by row is then slow."""

PLACES = 10_000
"""Random places at which a larger tour is judged instead."""

SOME_PLACES = 100
"""Random places at which squares and steps of a computed tour must agree."""


def cross_check(
    outcome: Outcome,
    decide_by_reference: Callable[[Problem, Verdict], tuple[Verdict | None, str]] | None = None,
    clock: Clock | None = None,
) -> Outcome:
    """Return the outcome with its checks, the seconds that they took, and the total."""
    checking = Clock(None)
    try:
        checked = _run_checks(outcome, decide_by_reference, clock or checking)
    except _LimitReachedError:
        limit = f"the time limit of {clock and clock.seconds:g} s"
        reason = f"{limit} was reached before the judge had seen the whole tour"
        checked = _without_checks(
            replace(outcome, verdict=Verdict.UNKNOWN, tour=None, reason=reason, limit="time")
        )
    spent = checking.elapsed
    counted = {**outcome.statistics, "check_seconds": spent}
    if clock is not None:
        counted["seconds"] = clock.elapsed
    elif outcome.seconds:  # the time of a model from another solver is unknown
        counted["seconds"] = outcome.seconds + spent
    return replace(checked, statistics=counted)


def _run_checks(
    outcome: Outcome,
    decide_by_reference: Callable[[Problem, Verdict], tuple[Verdict | None, str]] | None,
    clock: Clock,
) -> Outcome:
    if outcome.verdict is Verdict.UNKNOWN:
        return _without_checks(outcome)
    verified = replayed = None
    remarks = {}
    if outcome.tour is None:
        remarks = {"verified": "there is no tour", "replayed": "there is no tour"}
    else:
        verified, remark = _judge(outcome, clock)
        if remark:
            remarks["verified"] = remark
        replayed, remark = _replay(outcome, clock)
        if remark:
            judged = "judged but not replayed: " if verified else ""
            remarks["replayed"] = f"{judged}{remark}"
    if decide_by_reference is not None:
        own, remark = decide_by_reference(outcome.problem, outcome.verdict)
    elif outcome.certificate is not None:
        own, remark = None, "a checked certificate does instead"
    else:
        own, remark = reference_verdict(
            outcome.problem, outcome.verdict, search_seconds=outcome.seconds, clock=clock
        )
    if own is None:
        return replace(
            outcome, checks=Checks(verified, replayed, None, {**remarks, "agrees": remark})
        )
    if own is not outcome.verdict:
        raise contradiction(outcome, f"the reference backtracker decides {own.value}")
    return replace(outcome, checks=Checks(verified, replayed, True, remarks))


def _without_checks(outcome: Outcome) -> Outcome:
    nothing = "there is no answer to check"
    remarks = {"verified": nothing, "replayed": nothing, "agrees": nothing}
    return replace(outcome, checks=Checks(remarks=remarks))


def reference_verdict(
    problem: Problem,
    claimed: Verdict,
    *,
    search_seconds: float | None = None,
    clock: Clock | None = None,
) -> tuple[Verdict | None, str]:
    """Return the reference's own verdict, or None and the reason why it has none.

    On larger boards only a "no" is worth a search: the replay of a claimed tour is already a run of
    the reference.
    """
    for condition in problem.conditions:
        if type(condition) not in reference.TAKES:
            return None, f"the reference does not take {condition.words}"
    squares = f"{terms(problem).square}s"
    small = problem.size <= REFERENCE_SQUARES
    if not small and claimed is Verdict.FOUND:
        enough = problem.size <= reference.REPLAY_LIMIT
        what = "the replay has to do" if enough else "too many for the reference"
        return None, f"more than {REFERENCE_SQUARES} {squares}: {what}"
    budget = _budget(problem, small, search_seconds)
    if problem.size > budget:
        return None, f"more than {budget} {squares}: the reference could not place them all"
    if clock is not None and clock.expired():
        return None, TIME_OVER
    # Cached for small problems: a comparison gives the same one to many engines.
    if small and (clock is None or clock.seconds is None):
        verdict = _reference_verdict(problem, budget)
    else:
        should_stop = None if clock is None else clock.expired
        verdict = reference.decide(problem, budget=budget, should_stop=should_stop).verdict
    if verdict is Verdict.UNKNOWN:
        if clock is not None and clock.expired():
            return None, TIME_OVER
        return None, f"the reference did not decide within {budget} {squares} placed"
    return verdict, ""


def _budget(problem: Problem, small: bool, search_seconds: float | None) -> int:
    """Return how many squares the reference may place."""
    # In a digraph the lookahead detects fewer dead ends, and a hopeless search takes minutes.
    budget = SMALL_BUDGET if small and not problem.directed else BUDGET
    if search_seconds is not None:
        share = SHARE * min(search_seconds, SMALL_BUDGET)
        budget = min(budget, max(FEWEST, int(share * SQUARES_A_SECOND)))
    if problem.board is not None:
        moves: float = len(problem.piece.steps)
    else:
        moves = problem.graph.number_of_edges() * (1 if problem.directed else 2) / problem.size
    return int(budget * min(1.0, KNIGHT_MOVES / max(moves, 1)))


@lru_cache(maxsize=1024)
def _reference_verdict(problem: Problem, budget: int) -> Verdict:
    return reference.decide(problem, budget=budget).verdict


def judge_places(outcome: Outcome, steps: Iterable[int]) -> None:
    """Judge some steps of a tour, counted from 1; raise UnsoundEngineError if one is wrong."""
    assert outcome.tour is not None
    _refuse(outcome, place_defects(outcome.problem, outcome.tour, steps))


def _judge(outcome: Outcome, clock: Clock) -> tuple[bool | None, str]:
    """Return whether the whole tour was judged, and the reason if it was not."""
    problem, tour = outcome.problem, outcome.tour
    assert tour is not None
    if not tour.computed or tour.size <= reference.REPLAY_LIMIT:
        _refuse(outcome, defects(problem, _Timed(tour.squares, clock)))
    if not tour.computed:
        return True, ""
    # A computed tour can be read in three ways: square by square, as an array and at single places.
    # Each of them must be right.
    whole = tour.size <= JUDGED_SQUARES
    if whole:
        _refuse(outcome, _array_defects(problem, tour, clock))
    rng, places = random.Random(outcome.seed), SOME_PLACES if whole else PLACES
    judge_places(outcome, [1, tour.size, *(rng.randint(1, tour.size) for _ in range(places))])
    if whole:
        return True, ""
    return None, f"more than {JUDGED_SQUARES:,} squares: judged at {places:,} random places"


def _array_defects(problem: Problem, tour: Tour, clock: Clock) -> list[Defect]:
    from kt_cp.model.arrays import step_bands
    from kt_cp.trust.judge.array import ArrayJudge

    assert tour.board is not None
    by_columns = tour.board.columns >= LONG_ROW
    judge, judged = ArrayJudge(problem, by_columns=by_columns), 0
    for band in step_bands(tour, by_columns=by_columns):
        judge.add(band)
        judged += band.size
        if judged > EVERY and clock.expired():
            raise _LimitReachedError
    return judge.defects()


def _refuse(outcome: Outcome, found: list[Defect]) -> None:
    if found:
        others = sum(defect.many for defect in found[3:])
        more = f" (and {others} more)" if others else ""
        listed = "; ".join(str(defect) for defect in found[:3])
        raise contradiction(outcome, f"the judge refuses its tour: {listed}{more}")


def _replay(outcome: Outcome, clock: Clock) -> tuple[bool | None, str]:
    """Return whether the tour was replayed, and the reason if it was not."""
    assert outcome.tour is not None
    if outcome.tour.size > reference.REPLAY_LIMIT:
        return None, f"more than {reference.REPLAY_LIMIT:,} {terms(outcome.problem).square}s"
    if clock.expired():
        return None, TIME_OVER
    squares = tuple(outcome.tour.squares)
    within = clock.step(share=REPLAY_SHARE)
    walk = reference.replay(outcome.problem, squares, should_stop=within.expired)
    if walk.squares is None and not walk.taken_back and within.expired():
        return None, TIME_OVER if clock.expired() else TOO_LITTLE_TIME
    if walk.taken_back or walk.squares is None or tuple(walk.squares) != squares:
        raise contradiction(
            outcome,
            f"the replay left its tour after {walk.placed} squares, {walk.taken_back} taken back",
        )
    return True, ""


class _LimitReachedError(Exception):
    """The time limit was reached before the judge ended; it never leaves this module."""


@dataclass(frozen=True)
class _Timed(Sequence[Any]):
    """The squares of a tour; iterating over them raises an error when the time is over."""

    squares: Sequence[Any]
    clock: Clock

    def __len__(self) -> int:
        return len(self.squares)

    def __getitem__(self, index: Any) -> Any:
        return self.squares[index]

    def __iter__(self) -> Iterator[Any]:
        squares = iter(self.squares)
        while some := tuple(islice(squares, EVERY)):
            yield from some
            if len(some) == EVERY and self.clock.expired():
                raise _LimitReachedError


def contradiction(outcome: Outcome, what: str) -> UnsoundEngineError:
    """Return an error that contains everything needed to repeat the contradiction."""
    versions = ", ".join(f"{name} {number}" for name, number in outcome.versions.items())
    known = outcome.tour is not None and outcome.tour.size <= NAMED_SQUARES
    tour = f"; tour {' '.join(outcome.tour.names)}" if outcome.tour is not None and known else ""
    return UnsoundEngineError(
        f"engine {outcome.engine} says {outcome.verdict.value} on {outcome.problem.label}, "
        f"seed {outcome.seed}, but {what} [{versions}]{tour}"
    )
