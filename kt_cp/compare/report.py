"""A comparison as JSON, CSV and rows of a table."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from typing import Any

from kt_cp.board import square_name
from kt_cp.compare.row import Run
from kt_cp.compare.run import Comparison
from kt_cp.formats.json import SCHEMA_VERSION

_COUNTS = ("variables", "clauses", "arcs", "conflicts", "nodes", "rounds")

HEADINGS = (
    "board", "kind", "engine", "verdict", "backed", "build s", "solve s", "peak MB",
    "variables", "clauses/arcs", "conflicts", "nodes", "rounds", "verified", "replayed", "agrees",
)  # fmt: skip
"""Columns of the table, in order; those from ``build s`` on are aligned to the right."""


def document(comparison: Comparison) -> dict[str, Any]:
    """Plain values, in the shape that the design fixes."""
    versions: dict[str, str] = {}
    for row in comparison.runs:
        versions.update(row.versions)
    return {
        "schema_version": SCHEMA_VERSION,
        "machine": machine(),
        "versions": versions,
        "limits": {
            "seconds": comparison.limits.seconds,
            "megabytes": comparison.limits.megabytes,
            "workers": comparison.limits.workers,
        },
        "runs": [run_document(row) for row in comparison.runs],
        "contradictions": comparison.contradictions,
    }


def comparison_json(comparison: Comparison) -> str:
    """The document as text."""
    return json.dumps(document(comparison), indent=2, ensure_ascii=False)


def comparison_csv(comparison: Comparison) -> str:
    """One line a run, the same keys as in JSON."""
    text = io.StringIO()
    rows = [run_document(row) for row in comparison.runs]
    for row in rows:
        row["missing"] = " ".join(row["missing"])
    names = list(run_document_keys())
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def run_document_keys() -> tuple[str, ...]:
    """Keys of one run, in order."""
    return (
        "board", "missing", "closed", "engine", "seed", "verdict", "backed", "reason",
        "build_seconds", "solve_seconds", "peak_mb", *_COUNTS, "verified", "replayed", "agrees",
    )  # fmt: skip


def run_document(row: Run) -> dict[str, Any]:
    """One run as plain values; None where an engine does not count a thing."""
    board, statistics = row.case.board, row.statistics
    values = {
        "board": str(board),
        "missing": [square_name(square) for square in sorted(board.missing)],
        "closed": row.case.closed,
        "engine": row.engine,
        "seed": row.seed,
        "verdict": row.verdict,
        "backed": row.backed,
        "reason": row.reason,
        "build_seconds": _rounded(statistics.get("build_seconds")),
        "solve_seconds": _rounded(statistics.get("solve_seconds")),
        "peak_mb": statistics.get("peak_mb"),
        **{name: statistics.get(name) for name in _COUNTS},
        # A solver's decisions are the nodes of its search.
        "nodes": statistics.get("nodes", statistics.get("decisions")),
        "verified": row.checks.verified,
        "replayed": row.checks.replayed,
        "agrees": row.checks.agrees,
    }
    assert tuple(values) == run_document_keys()
    return values


def cells(row: Run) -> list[str]:
    """One run as the texts under :data:`HEADINGS`."""
    values = run_document(row)
    size = values["clauses"] if values["clauses"] is not None else values["arcs"]
    counts = (values["variables"], size, values["conflicts"], values["nodes"], values["rounds"])
    return [
        values["board"] + ("*" if values["missing"] else ""),
        "closed" if values["closed"] else "open",
        values["engine"],
        values["verdict"],
        values["backed"] or "",
        *(_seconds(values[name]) for name in ("build_seconds", "solve_seconds")),
        "" if values["peak_mb"] is None else f"{values['peak_mb']:.0f}",
        *("" if count is None else f"{count:,}" for count in counts),
        *(_mark(values[name]) for name in ("verified", "replayed", "agrees")),
    ]


def machine() -> dict[str, Any]:
    """What the runs ran on, without names of persons or hosts."""
    return {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def _mark(value: bool | None) -> str:
    return {True: "yes", False: "NO", None: "-"}[value]
