"""Solving in parts as a step of ``auto``: when it is tried, and the outcome that it gives.

Graphs are looked at before any search, if they are sparse or small; where all vertices have many
neighbours parts are rare, and in large graphs looking for them is dear.  Boards are looked at late,
for nearly all of them have a tour that is found at once; and so are large graphs whose nodes are
all near to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kt_cp.engines.engine import found, impossible, proved
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import accepted, nameable
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.split import PLAIN
from kt_cp.trust.check.state import Contradiction

if TYPE_CHECKING:
    from kt_cp.engines.split import Answer
    from kt_cp.proofs.split import Refuted

MOST_SQUARES = 250_000
"""Of a graph: what the checker lays out, and some seconds (``benchmarks/MEASURED.md``)."""

MOST_BOARD = 2_500
MOST_EDGES, SMALL = 6, 150
"""For each vertex; and vertices up to which half of all edges are not too many to look."""


def worth_looking(problem: Problem) -> bool:
    """Whether parts are likely enough for what it costs to look."""
    most = MOST_SQUARES if problem.board is None else MOST_BOARD
    if problem.whole_rectangle is not None or not 3 < problem.size <= most:
        return False
    edges, size = len(problem.indexed.tails), problem.size
    small = problem.board is None and size <= SMALL
    return edges <= MOST_EDGES * size or (small and edges <= size * size // 4)


def compact(problem: Problem) -> bool:
    """Whether all nodes are near to each other, as in random graphs, which have next to no parts.

    Parts in a row or around make ways long: more than twice the binary logarithm of the size.

    Examples
    --------
    >>> import networkx as nx
    >>> compact(Problem(graph=nx.hypercube_graph(6))), compact(Problem(graph=nx.cycle_graph(64)))
    (True, False)
    """
    tails, heads = problem.indexed.tails, problem.indexed.heads
    reached = np.zeros(problem.size, dtype=bool)
    reached[:1] = True
    for _ in range(2 * problem.size.bit_length()):
        before = reached.copy()
        reached[heads[before[tails]]] = True
        reached[tails[before[heads]]] = True
        if reached.all():
            return True
    return False


def parted(
    name: str, problem: Problem, answer: Answer, clock: Clock, certify_seconds: float, seed: int
) -> Outcome | None:
    """The outcome of solving in parts, or None where it came to nothing.

    Parameters
    ----------
    certify_seconds : float
        Most time for a certificate; under a time limit a quarter of what is left.
    """
    from kt_cp.engines.split import in_parts  # boards with a tour never need it

    try:
        result = in_parts(problem, answer, clock, seed)
    except (Refusal, Contradiction):
        return None
    if result is None:
        return None
    work = {"parts": result.asked, "solve_seconds": clock.elapsed}
    if result.tour is not None:
        return found(name, problem, result.tour, work, seed)
    if result.refuted is not None:
        step = clock.step(certify_seconds, 1 / 4)
        return _refuted(name, problem, result.refuted, step, work, seed)
    return None


def _refuted(
    name: str,
    problem: Problem,
    refuted: Refuted,
    clock: Clock,
    work: dict[str, float],
    seed: int,
) -> Outcome:
    from kt_cp.proofs.certify import evidence_of_part  # takes longer to load than most tours
    from kt_cp.proofs.split import Whole, written

    evidence, made = None, None
    # Plain steps need no certificate of their own: other kinds do by themselves.
    if any(step != PLAIN for step in refuted.steps) and not clock.expired():
        evidence = written(Whole(problem), refuted, clock, evidence_of_part)
    if evidence is not None:
        made = accepted(nameable(problem), evidence, ("python-sat",))
    if made is not None:
        return proved(name, problem, made.evidence, work, seed)
    text = "claimed by search in parts: one of them has no cycle"
    return impossible(name, problem, EvidenceKind.CLAIMED, text, work, seed)
