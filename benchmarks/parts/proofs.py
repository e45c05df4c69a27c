"""Each kind of evidence on boards without a tour, in turn."""

from __future__ import annotations

import math
from collections.abc import Iterator

from benchmarks.case import Run, job, middle
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, table, title
from benchmarks.measure import Results
from benchmarks.plan import Plan

POSITION = "position"
"""The yardstick: the position encoding by CaDiCaL, its proof as it is logged."""

KINDS = ("removal", "tight", "forced", "refutation")
EVERY_KIND = (*KINDS, POSITION)

CLAIMS = (
    "3x4 closed", "3x6 closed", "3x8 closed", "3x5 open", "3x6 open", "4x4 open", "4x6 closed",
    "4x8 closed", "4x10 closed", "4x12 closed", "4x16 closed", "4x60 closed",
    "4x7 open from b2 to g4", "4x30 open from h2", "5x30 open from b3 to ad2",
    "3x30 open from c3 to d2",
)  # fmt: skip
"""Questions whose answer is "none"."""

QUICK = ("4x4 open",)
TOO_LONG = {
    "4x12 closed", "4x16 closed", "4x60 closed", "4x30 open from h2", "5x30 open from b3 to ad2",
    "3x30 open from c3 to d2",
}  # fmt: skip
"""Those on which the yardstick does not end in reasonable time."""


def ladders(plan: Plan) -> list[Ladder]:
    """Each claim by each kind, and by the yardstick where it ends."""
    cases = [
        job(claim, kind, ("proof", kind, claim), plan.proof_limit, place)
        for place, claim in enumerate(QUICK if plan.quick else CLAIMS)
        for kind in (KINDS if claim in TOO_LONG else EVERY_KIND)
    ]
    return ladders_of(cases, range(plan.proof_repeats))


def report(plan: Plan, results: Results) -> Iterator[str]:
    """The tables."""
    yield from title("No tour: seconds to find evidence, and kilobytes of the certificate")
    claims = results.names("proofs")[0]
    by = {it: {kind: results.runs("proofs", it, kind) for kind in EVERY_KIND} for it in claims}
    rows = [[it, *(_found(plan, by[it][kind]) for kind in KINDS)] for it in claims]
    yield from table(["question", *KINDS], rows)
    yield from title("Refutations: bytes of the proof, and seconds")
    rows = []
    for it in claims:
        both = [by[it][kind] for kind in ("refutation", POSITION)]
        check = middle(both[0], "check")
        cells = [*map(_bytes, both), *(_seconds(plan, runs) for runs in both)]
        rows.append([it, *cells, "" if math.isinf(check) else in_seconds(check)])
    headings = ["lazy cuts, trimmed", "position, as logged", "lazy s", "position s", "check s"]
    yield from table(["question", *headings], rows)


def _found(plan: Plan, runs: list[Run]) -> str:
    seconds = _seconds(plan, runs)
    if math.isinf(middle(runs)):
        return seconds or "–"
    return f"{seconds}, {middle(runs, 'bytes') / 1000:.1f} kB"


def _bytes(runs: list[Run]) -> str:
    size = middle(runs, "proof")
    return "" if math.isinf(size) else f"{size:,.0f}"


def _seconds(plan: Plan, runs: list[Run]) -> str:
    seconds = middle(runs)
    if not math.isinf(seconds):
        return in_seconds(seconds)
    return f"> {plan.proof_limit:g}" if any(run.status == "TIMEOUT" for run in runs) else ""
