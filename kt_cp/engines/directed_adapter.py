"""Directed problems for engines that know undirected ones alone: there and back.

The one place of it is the front door (:mod:`kt_cp.engines.run`): the engine is handed the
undirected problem of :mod:`kt_cp.model.directed`, its tour is read back, and the evidence of its
"no" is checked once more, as a certificate about the digraph.  The judge and the reference see the
digraph and the tour that follows its arcs.
"""

from __future__ import annotations

from dataclasses import replace

from kt_cp.engines.engine import proved
from kt_cp.model.directed import undirected
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request

BACKED_SECONDS = 5.0
"""Most time for a certificate where it is known already that there is no tour."""


def refute_one_way(request: Request) -> Outcome | None:
    """Return the "no" to a directed problem through which arcs lead one way only, else None."""
    from kt_cp.proofs.certify import add_certificate
    from kt_cp.proofs.reach import unreachable

    why = unreachable(request.problem)
    if why is None:
        return None
    answer = proved(
        "auto", request.problem, why, {"solve_seconds": request.clock.elapsed}, request.seed
    )
    if request.expired():
        return answer
    return add_certificate(answer, request.within(BACKED_SECONDS))


def to_undirected(problem: Problem) -> Problem:
    """The undirected problem that an engine is handed."""
    from kt_cp.proofs.certificate import nameable

    return undirected(nameable(problem))


def to_directed(problem: Problem, answer: Outcome) -> Outcome:
    """An engine's answer to it, as one to the directed problem."""
    from kt_cp.proofs.certify import Finding, of_digraph

    found = of_digraph(problem, Finding(answer.certificate, answer.tour))
    answer = replace(answer, problem=problem, tour=found.tour)
    if found.certificate is None:
        return answer
    made, before = found.certificate, answer.evidence
    assert before is not None and answer.reason is not None
    reason = answer.reason.replace(before.text, made.argument)
    return replace(answer, evidence=made.evidence, reason=reason)
