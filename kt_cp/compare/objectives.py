"""Comparisons of the engines of ``optimize``: values, bounds and times.

Each run has its own process.  It searches first and then proves the bound.  The values of all runs
of a problem are compared with the bounds that engines claim.  If a tour is better than a bound, an
engine is wrong.
"""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kt_cp.compare.report import align_columns
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.document import problem_document
from kt_cp.model.request import Request
from kt_cp.model.terms import is_minimized
from kt_cp.processes import isolate

if TYPE_CHECKING:
    from kt_cp.model.limits import Limits
    from kt_cp.model.problem import Problem
    from kt_cp.optimization import Optimum


@dataclass(frozen=True)
class OptimumRun:
    """One row: a problem, an engine and its result."""

    problem: Problem
    engine: str
    value: float | None  # of the best tour
    claimed: float | None  # the bound that the engine claims
    bound: float | None  # the bound of the certificate
    seconds: float | None  # of the search, without the proof
    checked: str
    """``"certified"`` if a checked certificate has the value as its bound, ``"swept"`` if two
    sweeps agree, ``"claimed"`` if only the engine shows it, ``"gap"`` if the bound is weaker,
    ``"no tour"`` or ``"unknown"``; or ``"TIMEOUT"``, ``"MEMORY"``, ``"CRASH"`` or ``"KILLED"``."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as values of JSON."""
        return {**vars(self), "problem": problem_document(self.problem)}


def compare_objective(
    problems: Iterable[Problem],
    objective: str,
    engines: Sequence[str],
    limits: Limits,
    *,
    weight: str = "weight",
    seed: int = 0,
) -> list[OptimumRun]:
    """Run each engine on each problem, one after the other.

    >>> from kt_cp.model.limits import Limits
    >>> from kt_cp.model.problem import Problem
    >>> runs = compare_objective([Problem("3x4")], "fewest-steep", ["cpsat"], Limits(20))
    >>> [(run.value, run.bound, run.checked) for run in runs]
    [(3, 3, 'certified')]
    """
    rows = []
    for problem in problems:
        for engine in engines:
            ended = isolate.call(
                f"{__name__}:optimize_in_child", problem, objective, engine, weight, seed, limits,
                limits=limits, grace=5.0,
            )  # fmt: skip
            figures = ended.value if ended.how == "done" else (*[None] * 4, ended.how.upper())
            rows.append(OptimumRun(problem, engine, *figures))
    return rows


def optimize_in_child(
    problem: Problem,
    objective: str,
    engine: str,
    weight: str,
    seed: int,
    limits: Limits,
    **_progress: object,
) -> tuple[float | None, float | None, float | None, float | None, str]:
    """Return the value, the claimed and the proved bound, the seconds of search, and the check."""
    from kt_cp.optimization import optimize_request

    best = optimize_request(Request.begin(problem, limits, seed=seed), objective, weight, engine)
    claimed = best.statistics.get("claimed_bound")
    seconds = best.statistics.get("search_seconds")
    return best.value, claimed, best.bound, seconds, _word(best)


def _word(best: Optimum) -> str:
    if best.proved:
        return "certified"
    if best.has_no_gap:
        return "swept" if best.bound_by == "sweeps" else "claimed"
    return "gap" if best else "no tour" if best.verdict.value == "IMPOSSIBLE" else "unknown"


def find_contradictions(rows: Sequence[OptimumRun], objective: str) -> list[str]:
    """Return a message for each bound of a run that a tour of another run beats."""
    sign = 1 if is_minimized(objective) else -1
    found = []
    for row in rows:
        for other in rows:
            bounds = [each for each in (row.claimed, row.bound) if each is not None]
            if row.problem == other.problem and other.value is not None:
                found += [
                    f"{row.engine} claims {bound:,} for {row.problem.label}, and a tour of "
                    f"{other.engine} has {other.value:,}"
                    for bound in bounds
                    if sign * other.value < sign * bound
                ]
    return list(dict.fromkeys(found))


COLUMNS = ("problem", "engine", "value", "claimed", "bound", "seconds", "checked")


def objective_table(rows: Sequence[OptimumRun], objective: str) -> str:
    """Return a text table with the meaning of its columns."""
    cells = [[*COLUMNS]]
    for row in rows:
        numbers = (row.value, row.claimed, row.bound)
        cells.append(
            [
                row.problem.label,
                row.engine,
                *("" if each is None else f"{each:,}" for each in numbers),
                "" if row.seconds is None else f"{row.seconds:.2f}",
                row.checked,
            ]
        )
    notes = (
        f"{objective}: the value of the best tour, the bound that the engine claims, and the bound "
        "of the certificate that was checked; seconds of search, without the proof."
    )
    table = align_columns(cells, ("problem", "engine", "checked"))
    return f"{table}\n{textwrap.fill(notes, 80)}\n"


def objective_json(rows: Sequence[OptimumRun], objective: str) -> str:
    """Return the rows as JSON."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "objective": objective,
        "runs": [row.to_dict() for row in rows],
        "contradictions": find_contradictions(rows, objective),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def objective_csv(rows: Sequence[OptimumRun]) -> str:
    """Return the rows as CSV, with a column for each field."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**vars(row), "problem": row.problem.label} for row in rows)
    return text.getvalue()
