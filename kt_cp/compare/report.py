"""A comparison as JSON, CSV, rows of a table, and a picture: seconds against squares."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from dataclasses import asdict
from typing import Any

from kt_cp.compare.row import Run
from kt_cp.compare.run import Comparison
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.render.panel import Curves, number
from kt_cp.render.plot import plot
from kt_cp.render.point import Point, Sign, point

_COUNTS = ("variables", "clauses", "arcs", "conflicts", "nodes", "rounds")

HEADINGS = (
    "board", "kind", "engine", "verdict", "backed", "build s", "solve s", "peak MB",
    "variables", "clauses/arcs", "conflicts", "nodes", "rounds", "verified", "replayed", "agrees",
)  # fmt: skip
"""Columns of the table, in order; those from ``build s`` on are aligned to the right."""


def comparison_json(comparison: Comparison) -> str:
    """Plain values as text, in the shape that the design fixes."""
    versions: dict[str, str] = {}
    for row in comparison.runs:
        versions.update(row.versions)
    document = {
        "schema_version": SCHEMA_VERSION,
        "machine": machine(),
        "versions": versions,
        "limits": asdict(comparison.limits),
        "runs": [run_document(row) for row in comparison.runs],
        "contradictions": comparison.contradictions,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def comparison_csv(comparison: Comparison) -> str:
    """One line a run, the same keys as in JSON."""
    text = io.StringIO()
    rows = [run_document(row) for row in comparison.runs]
    for row in rows:
        row.update({name: _listed(value) for name, value in row.items() if isinstance(value, list)})
    writer = csv.DictWriter(text, list(rows[0] if rows else ()), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def run_document(row: Run) -> dict[str, Any]:
    """One run as plain values; None where an engine does not count a thing."""
    asked, statistics = problem_document(row.problem), row.statistics
    return {
        "board": f"{asked.pop('rows')}x{asked.pop('columns')}",
        **asked,
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


def cells(row: Run) -> list[str]:
    """One run as the texts under :data:`HEADINGS`."""
    values = run_document(row)
    assert row.problem.board is not None
    size = values["clauses"] if values["clauses"] is not None else values["arcs"]
    counts = (values["variables"], size, values["conflicts"], values["nodes"], values["rounds"])
    return [
        values["board"] + ("*" if values["missing"] else ""),
        row.problem.label.removeprefix(f"{row.problem.board.label}, "),
        values["engine"],
        values["verdict"],
        values["backed"] or "",
        *(_seconds(values[name]) for name in ("build_seconds", "solve_seconds")),
        "" if values["peak_mb"] is None else f"{values['peak_mb']:.0f}",
        *("" if count is None else f"{count:,}" for count in counts),
        *(_mark(values[name]) for name in ("verified", "replayed", "agrees")),
    ]


def _listed(values: list[Any]) -> str:
    """Squares, and moves as pairs of them, separated by blanks."""
    return " ".join("-".join(map(str, it)) if isinstance(it, list) else it for it in values)


def machine() -> dict[str, Any]:
    """What the runs ran on, without names of persons or hosts."""
    return {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def _mark(value: bool | None) -> str:
    return {True: "yes", False: "NO", None: "-"}[value]


_SIGNS = {
    "FOUND": Sign.FOUND,
    "IMPOSSIBLE": Sign.NONE,
    "TIMEOUT": Sign.TIME,
    "MEMORY": Sign.MEMORY,
    "UNKNOWN": Sign.OPEN,
    "REFUSED": Sign.OPEN,
    "CRASH": Sign.FAILED,
    "UNSOUND": Sign.FAILED,
}
"""What a verdict is drawn as."""


def comparison_plot(comparison: Comparison, format: str = "svg") -> bytes:
    """A picture of a comparison, open and closed tours on a panel each: svg, png or pdf.

    Seconds are those to build and to solve; the judge's are nobody's.
    """
    title = "Seconds to build and solve, against squares, by engine"
    limit, caption = comparison.limits.seconds, _caption(comparison)
    return plot(panels(comparison), title=title, limit=limit, caption=caption, format=format)


def panels(comparison: Comparison) -> dict[str, Curves]:
    """What is drawn: a curve for each engine, by the headings of the panels."""
    drawn = {}
    for closed, kind in ((False, "Open"), (True, "Closed")):
        rows = [row for row in comparison.runs if row.problem.closed is closed]
        if rows:
            drawn[f"{kind} tours: seconds to build and solve"] = _curves(rows)
    return drawn


def _curves(rows: list[Run]) -> Curves:
    curves = {}
    for engine in dict.fromkeys(row.engine for row in rows):
        own = [row for row in rows if row.engine == engine]
        asked = dict.fromkeys(row.problem for row in own)
        curves[engine] = [_point([row for row in own if row.problem == each]) for each in asked]
    return curves


def _point(rows: list[Run]) -> Point:
    board = rows[0].problem.board
    assert board is not None
    name = str(board)
    if board.missing:
        name += f" less {', '.join(square_name(square) for square in sorted(board.missing))}"
    runs = [(_taken(row), _SIGNS[row.verdict]) for row in rows]
    return point(len(board), name, runs)


def _taken(row: Run) -> float:
    return sum(row.statistics.get(name, 0.0) for name in ("build_seconds", "solve_seconds"))


def _caption(comparison: Comparison) -> str:
    """How often each was run, and within which limits."""
    pairs = {(row.problem, row.engine) for row in comparison.runs}
    repeats = len(comparison.runs) // max(len(pairs), 1)
    many = "One run each" if repeats == 1 else f"Medians of {repeats} runs each"
    limits = comparison.limits
    most = [
        f"{number(value)} {unit}"
        for value, unit in ((limits.seconds, "s"), (limits.megabytes, "MB"))
        if value is not None
    ]
    return f"{many}{', at most ' * bool(most)}{' and '.join(most)}."
