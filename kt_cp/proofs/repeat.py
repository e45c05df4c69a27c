"""Run the search of a report again: what ``"exhausted"`` evidence is good for.

The reference recursion is deterministic: it places as many squares every time.  A report that
gives other counts is wrong; one that gives the same was repeated, which is less than a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kt_cp import reference
from kt_cp.outcome import Verdict
from kt_cp.proofs.certificate import EXHAUSTED, Certificate, search_report
from kt_cp.proofs.check.certificate import problem_of
from kt_cp.proofs.check.refusal import Reason, Refusal
from kt_cp.proofs.check.shape import keys_of, number_of

MOST_PLACED = 1_000_000_000
"""Squares placed by a search that is worth repeating: some half an hour."""

MOST_SQUARES = 10_000
"""Of a board whose search anybody has seen end."""


def is_report(document: Mapping[str, Any]) -> bool:
    """Whether a certificate is the report of a search."""
    evidence = document.get("evidence")
    return isinstance(evidence, Mapping) and evidence.get("kind") == EXHAUSTED


def repeated(
    document: Mapping[str, Any], should_stop: Callable[[], bool] | None = None
) -> Certificate:
    """The report, after its search was run again and came to the same counts.

    Parameters
    ----------
    document : mapping
        A report whose envelope (format, version, digest) the checker has read already.

    Raises
    ------
    Refusal
        If the search finds a tour, comes to other counts, or is too long to be repeated.

    Examples
    --------
    >>> from kt_cp import Board, Problem, prove
    >>> report = prove(Problem(Board(3, 3)), "exhausted").certificate
    >>> repeated(report.document).argument
    'the reference recursion tried everything: 121 squares placed'
    """
    problem = problem_of(document["problem"])
    evidence = keys_of(document["evidence"], "kind", "placed", "taken_back")
    placed, taken_back = (
        number_of(evidence[key], 0, MOST_PLACED, key) for key in ("placed", "taken_back")
    )
    if problem.size > MOST_SQUARES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SQUARES:,} squares to search")
    # One square more than was reported already shows that the report is wrong.
    walk = reference.decide(problem, budget=placed, should_stop=should_stop)
    if walk.verdict is Verdict.FOUND:
        raise Refusal(Reason.NOT_PROVED, "the search finds a tour")
    if walk.verdict is Verdict.UNKNOWN:
        raise Refusal(Reason.NOT_PROVED, f"the search goes on after {placed:,} squares placed")
    if (walk.placed, walk.taken_back) != (placed, taken_back):
        raise Refusal(
            Reason.NOT_PROVED,
            f"the search places {walk.placed:,} squares and takes back {walk.taken_back:,}, "
            f"not {placed:,} and {taken_back:,}",
        )
    report = search_report(problem, placed, taken_back)
    if document.get("argument", report.argument) != report.argument:
        raise Refusal(Reason.WRONG_TEXT, f"what the evidence says is: {report.argument}")
    return report
