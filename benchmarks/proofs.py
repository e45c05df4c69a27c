"""Each kind of evidence that there is no tour, compared with a proof of the position encoding."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from benchmarks.runner import Measurement, Row, Table, figure, seconds
from kt_cp import Problem, check
from kt_cp.compare import Task
from kt_cp.encodings import get_encoding
from kt_cp.model.request import Request
from kt_cp.proofs.certify import certify
from kt_cp.trust.check.refutation import unpack_proof

WARM = {"refutation": ("3x8", "4x8"), "position": ("3x3",)}
"""Closed boards on which solvers are loaded and kernels compiled."""

CLAIMS = (
    "4x4 open", "3x4 closed", "3x6 closed", "3x8 closed", "3x5 open", "3x6 open", "4x6 closed",
    "4x8 closed", "4x10 closed", "4x7 open from b2 to g4", "4x12 closed", "4x16 closed",
    "4x60 closed", "4x30 open from h2", "5x30 open from b3 to ad2", "3x30 open from c3 to d2",
)  # fmt: skip


def claim(words: str) -> Problem:
    """Return the problem of a claim."""
    board, kind, *ends = words.split()
    start, end = (ends[at] if ends[at:] else None for at in (1, 3))
    return Problem(board, closed=kind == "closed", start=start, end=end)


def find_evidence(kind: str, problem: Problem, _seed: int) -> Mapping[str, float] | None:
    """Find and check a certificate of one kind; None if none is found."""
    for board in WARM.get(kind, ("3x4",)):
        certify(Request.begin(Problem(board, closed=True)), (kind,))
    began = time.perf_counter()
    found = certify(Request.begin(problem), (kind,)).certificate
    taken = time.perf_counter() - began
    if found is None:
        return None
    text = found.to_json()
    began = time.perf_counter()
    check(text)
    figures = {
        "solve_seconds": taken,
        "check_seconds": time.perf_counter() - began,
        "kilobytes": len(text) / 1000,
    }
    if kind == "refutation":
        figures["proof"] = len(unpack_proof(found.document["evidence"]["proof"]))
    return figures


def log_position(problem: Problem, _seed: int) -> Mapping[str, float]:
    """Refute the position encoding by CaDiCaL, and measure its proof log."""
    from pysat.solvers import Solver

    began = time.perf_counter()
    cnf = get_encoding("position").encode(problem)
    with Solver(name="cadical153", with_proof=True, bootstrap_with=cnf.clauses) as solver:
        if solver.solve() is not False:
            raise RuntimeError("expected no tour")
        size = sum(len(line) + 1 for line in solver.get_proof())
    return {"solve_seconds": time.perf_counter() - began, "proof": size}


KINDS = ("removal", "tight", "forced", "refutation")

PROOFS = Measurement(
    lambda: [Row(words, partial(claim, words)) for words in CLAIMS],
    {
        **{kind: Task(kind, partial(find_evidence, kind)) for kind in KINDS},
        "position": Task("position", log_position),
    },
    (
        Table("No tour: seconds to find evidence", {"seconds": seconds}),
        Table("No tour: kilobytes of the certificate", {"kB": figure("kilobytes", ",.1f")}),
        Table("No tour: seconds to check it", {"seconds": figure("check_seconds", ".3f")}),
        Table("No tour: bytes of a proof by SAT", {"bytes": figure("proof")}),
    ),
    seeds=3,
    seconds=20.0,
    last={"position": "4x7 open from b2 to g4"},
    note="`position`: the position encoding, and the proof that CaDiCaL 1.5.3 logs. A refutation"
    " starts a process,\nwhich takes a tenth of a second; its proof is trimmed and has hints.",
)
