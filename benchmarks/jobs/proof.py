"""One search for evidence that there is no tour."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.parts.proofs import POSITION
from kt_cp import Board, Problem, check
from kt_cp.encodings import get_encoding
from kt_cp.model.board import parse_square
from kt_cp.model.limits import Limits
from kt_cp.proofs.certify import certify
from kt_cp.proofs.refutation import refute
from kt_cp.trust.check.refutation import unpacked


def proof(candidate: str, claim: str) -> dict[str, Any]:
    """Seconds to find and to check, and sizes; ``NONE`` where this evidence does not do."""
    board, kind, *ends = claim.split()
    start, end = (parse_square(ends[2 * it + 1]) if ends[2 * it :] else None for it in (0, 1))
    problem = Problem(Board.parse(board), closed=kind == "closed", start=start, end=end)
    _warm_up(candidate)
    began = time.perf_counter()
    if candidate == POSITION:
        size = _position(problem)
        return {"status": "FOUND", "seconds": time.perf_counter() - began, "proof": size}
    found = certify(problem, (candidate,), limits=Limits(20.0)).certificate
    seconds = time.perf_counter() - began
    if found is None:
        return {"status": "NONE"}
    text = found.to_json()
    began = time.perf_counter()
    check(text)
    evidence = found.document["evidence"]
    proof = len(unpacked(evidence["proof"])) if candidate == "refutation" else None
    return {
        "status": "FOUND",
        "seconds": seconds,
        "check": time.perf_counter() - began,
        "bytes": len(text),
        "proof": proof,
    }


def _warm_up(candidate: str) -> None:
    """Load what the candidate needs, and compile it, on a board that is done in no time."""
    if candidate == "refutation":
        for rows, columns in ((3, 8), (4, 8)):
            problem = Problem(Board(rows, columns), closed=True)
            refute(problem, 0, [], None, emit=lambda _work: None)
    elif candidate != POSITION:
        certify(Problem(Board(3, 4), closed=True), (candidate,))


def _position(problem: Problem) -> int:
    """Bytes of the proof that CaDiCaL logs on the position encoding, as it comes."""
    from pysat.solvers import Solver

    cnf = get_encoding("position").encode(problem)
    with Solver(name="cadical153", with_proof=True, bootstrap_with=cnf.clauses) as solver:
        assert solver.solve() is False
        return sum(len(line) + 1 for line in solver.get_proof())
