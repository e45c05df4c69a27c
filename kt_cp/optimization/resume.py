"""An earlier answer of ``optimize``, as the start of another run.

The JSON of an answer has the best tour, the certificate of the bound, and ``unfinished``, the tree
of cases for the next better bound.  In this tree, null stands for an open case.  A run that begins
with the answer begins with all three.  The checker examines each of them first, so that a broken
file is rejected here and not an hour later.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError, ProblemError
from kt_cp.model.measures import path_crossings
from kt_cp.optimization.bounds import Proof
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.check.bound import (
    MOST_NUMBER,
    OBJECTIVES,
    PARTIAL,
    PATH_COVER,
    Weights,
    bound_of,
    check_leaf,
    costs_of,
    leaf_cases,
    target_of,
    value_of_example,
)
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.instance import as_instance
from kt_cp.trust.check.parsing import keys_of, list_of, number_of, problem_of, square_of
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

NO_WEIGHTS = Weights()

TOTALS = ("runs", "seconds", "search_seconds", "cases")
"""Statistics that are added up over all runs."""


@dataclass(frozen=True)
class Earlier:
    """The tour, the bounds and the proofs of an earlier answer."""

    paths: list[list[str]]  # the squares of the best tour, or of each path of a cover
    proofs: list[tuple[int, Any]]
    """For each sum of the objective a bound and its tree; empty if there is no certificate."""
    unfinished: list[Proof | None]  # for each sum the proof that was interrupted
    statistics: dict[str, float]  # the totals of all earlier runs


def read_earlier(
    document: Any, problem: Problem, objective: str, weights: Weights = NO_WEIGHTS
) -> Earlier:
    """Check the JSON object of an answer, and return its tour and proofs.

    Raise InputError if it is not an answer, belongs to another question, or is wrong.

    >>> from kt_cp import Problem, optimize
    >>> best = optimize("5x6", "fewest-turns", closed=True)
    >>> earlier = read_earlier(best.to_dict(), Problem("5x6", closed=True), "fewest-turns")
    >>> len(earlier.paths[0]), earlier.proofs[0][0] == best.bound
    (30, True)
    """
    try:
        return _read(document, problem, objective, weights)
    except (Refusal, ProblemError) as error:
        raise _error(f"the answer is wrong: {getattr(error, 'text', error)}") from None
    except InputError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, IndexError):
        raise _error("expected an answer of optimize in JSON, got something else") from None


def _error(text: str) -> InputError:
    return InputError(f"resume: {text}")


def _read(document: Any, question: Problem, objective: str, weights: Weights) -> Earlier:
    """Read the answer; any error except InputError means that it has another structure."""
    if document["problem"] != json.loads(json.dumps(problem_document(question))):
        raise _error(f"expected an answer about {question.label}, got one about another problem")
    if document["objective"] != objective:
        got = document["objective"]
        raise _error(f"expected an answer for {objective}, got one for {got!r:.40}")
    problem = problem_of(document["problem"])
    paths = document["paths"] if objective == PATH_COVER else [document["tour"]]
    if not paths or None in paths:
        raise _error("expected an answer with a tour, got one without")
    statistics = {key: float(value) for key, value in document["statistics"].items()}
    if not all(0 <= statistics.get(key, 0) < math.inf for key in TOTALS):
        raise ValueError
    proofs: list[tuple[int, Any]] = []
    unfinished: list[Proof | None] = []
    if objective not in OBJECTIVES:
        value: float = _crossings(problem, paths[0])
    else:
        parts = {"denominator": weights.denominator, "values": [*weights.values]}
        evidence = {"objective": objective, "weights": parts}
        example = paths if objective == PATH_COVER else paths[0]
        value = value_of_example(as_instance(problem), evidence, example)
        proofs = _proofs(document, objective, parts)
        unfinished = _unfinished(document, problem, objective, weights)
    if document["value"] != value:
        raise _error(f"the answer is wrong: its value is not {value:,}, that of its tour")
    return Earlier(paths, proofs, unfinished, statistics)


def _proofs(
    document: Mapping[str, Any], objective: str, weights: dict[str, Any]
) -> list[tuple[int, Any]]:
    """Return the trees of the certificate."""
    certificate = document["certificate"]
    if certificate is None:
        return []
    report = check(json.dumps(certificate))
    evidence = certificate["evidence"]
    same = certificate["problem"] == document["problem"] and evidence.get("objective") == objective
    if not same or document["bound"] != bound_of(evidence):
        raise _error("the answer is wrong: its certificate is about something else")
    if evidence.get("weights", weights) != weights:
        raise _error("expected an answer with the same weights, got others")
    frame = frame_of(report.problem, partial=objective in PARTIAL)
    target = target_of(frame, objective, evidence["bound"])
    return [(target, tree) for tree in evidence["trees"]]


def _unfinished(
    document: Mapping[str, Any], problem: Problem, objective: str, weights: Weights
) -> list[Proof | None]:
    """Return the trees with open cases, after a check that the other cases show their bounds."""
    if document.get("unfinished") is None:
        return []
    frame = frame_of(problem, partial=objective in PARTIAL)
    costs = costs_of(frame, objective, weights.values)
    proofs: list[Proof | None] = []
    for cost, entry in zip(costs, list_of(document["unfinished"], "trees"), strict=True):
        if entry is None:
            proofs.append(None)
            continue
        entry = keys_of(entry, "bound", "tree")
        value = number_of(entry["bound"], -MOST_NUMBER, MOST_NUMBER, "a bound")
        proof = Proof(target_of(frame, objective, value), {"tree": entry["tree"]})
        for case in leaf_cases(frame, objective, entry["tree"]):
            if case.tree is not None:
                check_leaf(frame, objective, case, cost, proof.target)
        proofs.append(proof)
    return proofs


def _crossings(problem: Problem, names: list[str]) -> int:
    """Return the number of crossings of a tour."""
    instance = as_instance(problem)
    tour = problem.tour([square_of(instance, name) for name in names])
    if found := defects(problem, tour):
        raise Refusal(Reason.NOT_A_TOUR, str(found[0]))
    return path_crossings(tour)
