"""The part ``proofs``: each kind of evidence on boards without a tour, in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

from benchmarks.markdown import in_seconds, table, title
from benchmarks.process import HARMLESS, Run, job
from benchmarks.proofs_cases import KINDS, POSITION, Claim

LIMIT = 20.0


@dataclass
class Proved:
    """What came of the searches for evidence."""

    runs: dict[tuple[Claim, str], list[Run]] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        """What crashed; that a kind of evidence does not do is no fault."""
        return [
            f"{claim.label}, {kind}: {run.status}"
            for (claim, kind), runs in self.runs.items()
            for run in runs
            if run.status not in (*HARMLESS, "NONE")
        ]


def proofs(claims: tuple[Claim, ...], repeats: int) -> Proved:
    """Run them all, the repeats on the outside."""
    proved = Proved()
    for _ in range(repeats):
        for claim in claims:
            for kind in (*KINDS, *([POSITION] if claim.position else [])):
                arguments = (kind, claim.board, claim.kind, claim.start, claim.end)
                run = job("proof", *arguments, time_limit=LIMIT)
                proved.runs.setdefault((claim, kind), []).append(run)
    return proved


def report(proved: Proved) -> Iterator[str]:
    """The tables."""
    yield from title("No tour: seconds to find evidence, and kilobytes of the certificate")
    claims = list(dict.fromkeys(claim for claim, _ in proved.runs))
    rows = [[claim.label, *(_found(proved, claim, kind) for kind in KINDS)] for claim in claims]
    yield from table(["question", *KINDS], rows)
    yield from title("Refutations: bytes of the proof, and seconds")
    rows = []
    for claim in claims:
        ours, theirs = (proved.runs.get((claim, kind), []) for kind in ("refutation", POSITION))
        check = _median(ours, "check")
        rows.append(
            [
                claim.label,
                *(_bytes(runs) for runs in (ours, theirs)),
                *(_seconds(runs) for runs in (ours, theirs)),
                "" if check is None else in_seconds(check),
            ]
        )
    headings = ["lazy cuts, trimmed", "position, as logged", "lazy s", "position s", "check s"]
    yield from table(["question", *headings], rows)


def _median(runs: list[Run], name: str) -> float | None:
    values = [run.values[name] for run in runs if run.status == "FOUND"]
    return median(values) if values and len(values) == len(runs) else None


def _found(proved: Proved, claim: Claim, kind: str) -> str:
    runs = proved.runs[claim, kind]
    seconds, size = _median(runs, "seconds"), _median(runs, "bytes")
    if seconds is None or size is None:
        return f"> {LIMIT:g}" if any(run.status == "TIMEOUT" for run in runs) else "–"
    return f"{in_seconds(seconds)}, {size / 1000:.1f} kB"


def _bytes(runs: list[Run]) -> str:
    size = _median(runs, "proof")
    return "" if size is None else f"{size:,.0f}"


def _seconds(runs: list[Run]) -> str:
    seconds = _median(runs, "seconds")
    if seconds is not None:
        return in_seconds(seconds)
    return f"> {LIMIT:g}" if any(run.status == "TIMEOUT" for run in runs) else ""
