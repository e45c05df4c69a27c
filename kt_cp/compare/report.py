"""A comparison as JSON, as CSV, and as a picture: seconds against squares."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kt_cp.compare.row import Run
from kt_cp.compare.run import Comparison
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.model.places import FILE
from kt_cp.model.problem import Problem
from kt_cp.render.plot import Curves, Point, Sign, number, plot, point

_CPUINFO = Path("/proc/cpuinfo")
_COUNTS = ("variables", "clauses", "arcs", "conflicts", "nodes", "rounds")


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


FIELDS = {
    "board": "rows x columns, or the file of a graph",
    "missing": "squares cut out",
    "piece": "its steps",
    "surface": "plane, cylinder, torus, moebius or klein",
    "closed": "whether tours come back to their start",
    "start": "the first square asked for",
    "end": "the last square asked for",
    "require": "moves that a tour makes",
    "forbid": "moves that it does not make",
    "given": "squares with the steps at which they are visited",
    "symmetry": "the motion of the board that a tour keeps",
    "engine": "what searched",
    "seed": "seed of its random choices",
    "verdict": "FOUND, IMPOSSIBLE, UNKNOWN, TIMEOUT, MEMORY, REFUSED, CRASH, KILLED or UNSOUND",
    "backed": 'what a "no" rests on: certified (a certificate was checked), exhausted (every way'
    " was tried), theorem (one is cited), or claimed (the engine says so, that is all)",
    "reason": "why there is no tour, or no answer",
    "build_seconds": "seconds to set up what is searched",
    "solve_seconds": "seconds to search",
    "peak_mb": "most resident memory of the run's process, in megabytes",
    "variables": "of the formula or model",
    "clauses": "of the formula, at its end",
    "arcs": "of the circuit constraint",
    "conflicts": "dead ends that a solver learnt from",
    "nodes": "squares placed, or a solver's decisions",
    "rounds": "calls of the solver, with cuts between them",
    "verified": "whether the judge accepts the tour",
    "replayed": "whether the reference program replays it",
    "agrees": "whether the reference program, asked by itself, says the same",
}
"""The keys of one run, and the columns of a CSV, with what they mean."""


def comparison_csv(comparison: Comparison) -> str:
    """One line a run with a column for each of :data:`FIELDS`, as ``pandas.read_csv`` takes it.

    Numbers are plain, seconds to four decimals; True and False as Python writes them; what is not
    known is empty.  Squares are separated by blanks, the two of a move joined by a dash.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(FIELDS), lineterminator="\n")
    writer.writeheader()
    for run in map(run_document, comparison.runs):
        listed = {name: _listed(it) for name, it in run.items() if isinstance(it, list)}
        writer.writerow({**run, **listed})
    return text.getvalue()


def run_document(row: Run) -> dict[str, Any]:
    """One run as plain values; None where an engine does not count a thing."""
    statistics = row.statistics
    return {
        **_asked(row.problem),
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


def _asked(problem: Problem) -> dict[str, Any]:
    """What was asked: of a graph the name of its file, and not all its edges."""
    asked = problem_document(problem)
    if problem.board is not None:
        return {"board": f"{asked.pop('rows')}x{asked.pop('columns')}", **asked}
    of_boards: dict[str, Any] = {"missing": [], "piece": None, "surface": None}
    told = {name: value for name, value in asked.items() if name in FIELDS}
    return {"board": problem.graph.graph.get(FILE, "graph"), **of_boards, **told}


def _listed(values: list[Any]) -> str:
    """Squares, and moves as pairs of them, separated by blanks."""
    return " ".join("-".join(map(str, it)) if isinstance(it, list) else it for it in values)


def machine() -> dict[str, Any]:
    """What the runs ran on, without names of persons or hosts; ``model`` is "" where unknown."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "model": _model(),
        "cores": os.cpu_count(),
    }


def _model() -> str:
    """The processor's model, as Linux tells it, or else as Python does."""
    try:
        told = _CPUINFO.read_text("utf-8", "replace")
    except OSError:
        told = ""
    named = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(\S.*)", told, re.MULTILINE)
    return " ".join((named.group(1) if named else platform.processor()).split())


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


_SIGNS = {
    "FOUND": Sign.FOUND,
    "IMPOSSIBLE": Sign.NONE,
    "TIMEOUT": Sign.TIME,
    "MEMORY": Sign.MEMORY,
    "UNKNOWN": Sign.OPEN,
    "REFUSED": Sign.OPEN,
    "CRASH": Sign.FAILED,
    "KILLED": Sign.FAILED,
    "UNSOUND": Sign.FAILED,
    "DONE": Sign.FOUND,
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
    problem = rows[0].problem
    board = problem.board
    name = str(board or problem.graph.graph.get(FILE, "graph"))
    if board is not None and board.missing:
        name += f" less {', '.join(square_name(square) for square in sorted(board.missing))}"
    runs = [(_taken(row), _SIGNS[row.verdict]) for row in rows]
    return point(len(problem), name, runs)


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
