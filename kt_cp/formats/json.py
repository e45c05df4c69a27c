"""Outcomes as JSON: one object, its keys fixed by ``schema_version``."""

from __future__ import annotations

import json
from typing import Any

from kt_cp.model.document import problem_document as problem_document
from kt_cp.model.outcome import Evidence, Outcome

SCHEMA_VERSION = 1


def outcome_json(outcome: Outcome, *, indent: int | None = 2) -> str:
    """JSON text of an outcome, the tour on one line.

    Examples
    --------
    >>> from kt_cp import Board, Problem, solve
    >>> json.loads(outcome_json(solve(Problem(Board(3, 3)))))["verdict"]
    'IMPOSSIBLE'
    """
    document = outcome_document(outcome)
    tour = document["tour"]
    if tour is None or indent is None:
        return json.dumps(document, indent=indent, ensure_ascii=False)
    # A list of a thousand names, one a line, is of no use to anyone.
    document["tour"] = None
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    return text.replace('"tour": null', f'"tour": {json.dumps(tour, ensure_ascii=False)}', 1)


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """The same as a dictionary of plain values."""
    checks, evidence = outcome.checks, outcome.evidence
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(outcome.problem),
        "verdict": outcome.verdict.value,
        "tour": None if outcome.tour is None else outcome.tour.names,
        "reason": outcome.reason,
        "evidence": None if evidence is None else _evidence(evidence),
        "engine": outcome.engine,
        "statistics": {name: _rounded(value) for name, value in outcome.statistics.items()},
        "verified": checks.verified,
        "replayed": checks.replayed,
        "agrees": checks.agrees,
        "remarks": dict(checks.remarks),
        "seed": outcome.seed,
        "versions": dict(outcome.versions),
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    """The kind of its certificate, where it has one that was checked, beside its own."""
    kept = evidence.certificate
    return {
        "kind": evidence.kind.value,
        "text": evidence.text,
        "certificate": None if kept is None else kept.kind,
    }


def _rounded(value: float) -> float:
    return round(value, 6) if isinstance(value, float) else value
