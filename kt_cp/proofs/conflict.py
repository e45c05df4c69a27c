"""Clues in conflict: few of a problem's clues that no tour satisfies together.

Where no tour satisfies all clues, a person wants to know which of them are at fault.  So clues are
left out, all of them first, then a half, down to single ones, as long as there is no tour still;
what is left at last is enough to refute the problem.  Its windows are wider than those of all
clues together, so a refutation may take longer; each trial has a budget of conflicts, and a clue
that the budget does not settle stays.  If no trial with a single clue less ran out of its budget,
each of those that are left is needed: without it there is a tour.  That does not make the set the
smallest.

Source: deletion, after J. Marques-Silva, "Minimal unsatisfiability: models, algorithms and
applications", ISMVL 2010, in halves first as in A. Zeller and R. Hildebrandt, "Simplifying and
isolating failure-inducing input", IEEE Transactions on Software Engineering 28, 2002.  Cost: a
formula for each trial, some tens of milliseconds on 8x8.  When it loses: many clues that are all
needed, on a large board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kt_cp.proofs.cuts import Claim, Search, cuts_or_tour
from kt_cp.trust.check.refusal import Refusal

CONFLICTS = 20_000
"""Of one trial: a second or so."""


@dataclass(frozen=True)
class Conflict:
    """Clues that cannot go together, the cuts of their refutation, and whether all are needed."""

    claim: Claim
    cuts: list[set[int]]
    needed: bool


def conflict(claim: Claim, cuts: list[set[int]], expired: Callable[[], bool]) -> Conflict:
    """Few clues of a claim that has been refuted, with these cuts, by all of them."""
    kept = sorted(claim.clues, key=lambda clue: clue[1])
    settled = True
    chunk = len(kept)
    while chunk:
        place, settled = 0, True
        while place < len(kept):
            if expired():
                return Conflict(replace(claim, clues=kept), cuts, False)
            fewer = kept[:place] + kept[place + chunk :]
            came = _tried(replace(claim, clues=fewer))
            if came is not None and came.ended and came.tour is None:
                kept, cuts = fewer, came.cuts
                continue
            settled = settled and came is not None and came.ended
            place += chunk
        chunk //= 2
    return Conflict(replace(claim, clues=kept), cuts, settled)


def _tried(claim: Claim) -> Search | None:
    try:
        return cuts_or_tour(claim, budget=CONFLICTS)
    except Refusal:  # its windows are too wide
        return None
