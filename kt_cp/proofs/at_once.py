"""Refutations of lists with clues, in this process, where they are the work of a moment.

A process of its own costs more to start than a puzzle takes to refute: an interpreter, NumPy, Numba
and a solver.  With clues no cuts are needed, so one run of a solver with a log is all; and it is
bounded by conflicts, as PySAT's solvers cannot be interrupted.  What takes longer, or has another
tour, is left to :mod:`kt_cp.proofs.refutation`, which begins anew.

Source: ours.  Cost: half a second for 8×8 with one tour, against another second for the process.
When it loses: the conflicts that were in vain, some tenths of a second.
"""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.model.problem import Problem
from kt_cp.proofs.cuts import BOUNDED, Claim
from kt_cp.proofs.refutation import Refuted, trimmed
from kt_cp.proofs.trimming import parse_drup
from kt_cp.trust.check.formula import given_clues
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.refusal import Refusal

SQUARES, TOURS = 100, 100
"""Of a problem and a list that are tried here."""

CONFLICTS = 10_000
"""Some tenths of a second on 8×8, which takes a tenth of them."""


def at_once(problem: Problem, tours: Sequence[Sequence[str]]) -> Refuted | None:
    """The evidence that there are no others than these tours; None where it is not soon found.

    Examples
    --------
    >>> problem = Problem("3x4", given={"a1": 1, "d3": 12})
    >>> at_once(problem, ["a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split()]).evidence["kind"]
    'list'
    >>> at_once(Problem("3x4", given={"a1": 1}), ["a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split()])
    """
    if problem.size > SQUARES or len(tours) > TOURS:
        return None
    frame = frame_of(problem)
    number = {name: vertex for vertex, name in enumerate(frame.names[: frame.squares])}
    listed = [[number[name] for name in names] for names in tours]
    claim = Claim(frame, None, given_clues(frame), listed)
    if not claim.clues:
        return None
    try:
        _, clauses = claim.formula()
    except Refusal:  # too large for the checker, as it will be there
        return None
    log: list[str] = []
    if [] not in clauses:
        from pysat.solvers import Solver

        with Solver(name=BOUNDED, bootstrap_with=clauses, with_proof=True) as solver:
            solver.conf_budget(CONFLICTS)
            if solver.solve_limited() is not False:
                return None
            log = solver.get_proof()
    proof = trimmed(claim, [], clauses, parse_drup(log))
    return Refuted(None, proof.evidence(claim, []), statistics={"lemmas": len(proof.lines)})
