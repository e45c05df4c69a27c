"""From a problem to a certificate: one kind of evidence after the other, weakest machinery first.

Each kind but the last gets a slice of the time.  Counting arguments and cases are for people, and
where they exist they are found soon; what they do not settle is for the refutation, which on small
boards settles everything, and gets whatever time is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kt_cp.errors import InputError, UnsoundEngineError
from kt_cp.limits import Clock, Limits
from kt_cp.obstructions import QUICK
from kt_cp.problem import Problem
from kt_cp.proofs.certificate import Certificate, certified, nameable
from kt_cp.proofs.check import Reason, Refusal
from kt_cp.proofs.check.frame import MOST_SQUARES
from kt_cp.proofs.find.forced import forced
from kt_cp.proofs.find.refutation import refutation
from kt_cp.proofs.find.removal import cut, removal
from kt_cp.proofs.find.tight import telling, tight

KINDS = (
    "size", "colours", "degrees", "connectivity", "cut", "removal", "tight", "forced", "refutation",
)  # fmt: skip
"""Kinds of evidence that are certificates, in the order in which they are tried."""

SLICES = {"cut": 5.0, "removal": 3.0, "tight": 5.0, "forced": 5.0}
"""Most seconds for each kind; under a time limit a quarter of what is left."""

SOLVER_SHARE = 0.15
"""Of the time for a removal, what CP-SAT gets.  Of 67 boards up to 6x6, with holes and ends, that
have no tour and no quicker reason, the polynomial part finds a set for 65, and CP-SAT for the
others in 0.2 s; where there is no such set, it uses all of its time."""

PATIENCE = 10.0
"""How much longer each may take if it is the only kind asked for."""

REFUTATION_SQUARES = 10_000
"""Above, the formula alone takes seconds, and no refutation is known to end."""

Progress = Callable[[Mapping[str, float]], None]


def certify(
    problem: Problem,
    kinds: tuple[str, ...] = KINDS,
    *,
    limits: Limits | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Certificate | list[Any] | None:
    """A certificate of one of the kinds, the first that works.

    Parameters
    ----------
    limits : Limits, optional
        Without a time limit the refutation goes on to its end; the memory limit is its alone.

    Returns
    -------
    Certificate, list of squares or None
        A list of squares is a tour, which the refutation came upon; None where nothing was found,
        or the time was over.

    Raises
    ------
    MemoryError
        If the memory limit was reached.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> certify(Problem(Board(4, 10), closed=True)).kind
    'removal'
    """
    limits = limits or Limits()
    clock = limits.clock()
    asked, problem = problem, nameable(problem)
    if problem.size == 1 and not problem.closed:
        return None  # a tour: nothing is asked
    for finder in QUICK:
        found = finder(problem)
        if found is not None and found["kind"] in kinds:
            return _accepted(problem, found)
    if problem.size > MOST_SQUARES or problem.size < (3 if problem.closed else 2):
        return None
    for kind, find in _STRUCTURAL.items():
        if kind in kinds and not clock.expired():
            patience = PATIENCE if len(kinds) == 1 else 1.0
            found = find(problem, _slice(clock, patience * SLICES[kind]))
            if found is not None:
                return _accepted(problem, found, ("ortools",) if kind == "removal" else ())
    if "refutation" not in kinds or problem.size > REFUTATION_SQUARES or clock.expired():
        return None
    left = None if clock.left is None else max(clock.left, 0.001)
    within = Limits(left, limits.megabytes)
    # Asked for by itself, it is to stand on the bare formula, as other checkers read it.
    sets = telling(problem, _slice(clock, SLICES["tight"]).expired) if len(kinds) > 1 else []
    refuted = refutation(problem, limits=within, seed=seed, sets=sets, progress=progress)
    if refuted.evidence is not None:
        return _accepted(problem, refuted.evidence, ("python-sat",))
    if refuted.tour is None or problem is asked:
        return refuted.tour
    own = dict(zip(problem.graph, asked.graph, strict=True))
    return [own[node] for node in refuted.tour]


def _accepted(
    problem: Problem, evidence: Mapping[str, Any], packages: tuple[str, ...] = ()
) -> Certificate | None:
    """The evidence as a certificate; None where it is longer than the checker reads."""
    try:
        return certified(problem, evidence, packages)
    except Refusal as refusal:
        if refusal.reason is Reason.TOO_LARGE:
            return None
        raise UnsoundEngineError(
            f"evidence of kind {evidence['kind']} on {problem.label} is refused: {refusal}"
        ) from refusal


def _slice(clock: Clock, most: float) -> Clock:
    return Clock(most if clock.left is None else min(most, clock.left / 4))


_STRUCTURAL: dict[str, Callable[[Problem, Clock], dict[str, Any] | None]] = {
    "cut": lambda problem, clock: cut(problem, clock.expired),
    "removal": lambda problem, clock: removal(
        problem, clock.expired, SOLVER_SHARE * (clock.left or 0.0)
    ),
    "tight": lambda problem, clock: tight(problem, clock.expired),
    "forced": lambda problem, clock: forced(problem, clock.expired),
}


def check_kind(kind: str) -> str:
    """The kind, if there is one of this name.

    Raises
    ------
    InputError
        If there is none.
    """
    if kind not in (*KINDS, "exhausted"):
        raise InputError(f"expected evidence, one of {', '.join(KINDS)} or exhausted; got {kind!r}")
    return kind
