"""A comparison as JSON, as CSV, as a plot of seconds against squares, and as a table.

The table has as many columns as fit the width.  Rows are grouped by problem.  Below the table are
the columns that did not fit, and the meaning of each heading.
"""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import re
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kt_cp.compare.run import Comparison, Run
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.model.problem import Problem
from kt_cp.model.terms import FILE
from kt_cp.render.plot import Curves, Point, Status, format_number, plot, summarize_runs

_CPUINFO = Path("/proc/cpuinfo")
_COUNTS = ("variables", "clauses", "arcs", "conflicts", "nodes", "rounds")


def comparison_json(comparison: Comparison) -> str:
    """Return a comparison as JSON."""
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
    "start": "the required first square",
    "end": "the required last square",
    "require": "moves that a tour makes",
    "forbid": "moves that it does not make",
    "given": "squares with the steps at which they are visited",
    "symmetry": "the motion of the board that a tour keeps",
    "engine": "name of the engine",
    "seed": "seed of its random choices",
    "verdict": "FOUND, IMPOSSIBLE, UNKNOWN, TIMEOUT, MEMORY, REFUSED, CRASH, KILLED or UNSOUND",
    "backed": 'the basis of a "no": certified (a certificate was checked), exhausted (every way'
    " was tried), theorem (one is cited), or claimed (by the engine alone)",
    "reason": "why there is no tour, or no answer",
    "build_seconds": "seconds to set up the search",
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
    "agrees": "whether the reference program, run independently, gives the same verdict",
}
"""Keys of a run, which are also the columns of a CSV file, with their meanings."""


def comparison_csv(comparison: Comparison) -> str:
    """Return CSV for ``pandas.read_csv``: a line per run, with a column for each of :data:`FIELDS`.

    Seconds have four decimals, and booleans are True and False.  Unknown values are empty.  Squares
    are separated by blanks, and the two squares of a move are joined by a dash.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(FIELDS), lineterminator="\n")
    writer.writeheader()
    for run in map(run_document, comparison.runs):
        listed = {
            name: _join_squares(value) for name, value in run.items() if isinstance(value, list)
        }
        writer.writerow({**run, **listed})
    return text.getvalue()


def run_document(row: Run) -> dict[str, Any]:
    """Return a run as plain values; None if an engine does not report a value."""
    statistics = row.statistics
    return {
        **_problem_columns(row.problem),
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


def _problem_columns(problem: Problem) -> dict[str, Any]:
    """Return the columns that describe a problem; for a graph its file name, without its edges."""
    document = problem_document(problem)
    if problem.board is not None:
        return {"board": f"{document.pop('rows')}x{document.pop('columns')}", **document}
    of_boards: dict[str, Any] = {"missing": [], "piece": None, "surface": None}
    shown = {name: value for name, value in document.items() if name in FIELDS}
    return {"board": problem.graph.graph.get(FILE, "graph"), **of_boards, **shown}


def _join_squares(values: list[Any]) -> str:
    """Return squares, or moves as pairs of squares, separated by blanks."""
    return " ".join(
        "-".join(map(str, value)) if isinstance(value, list) else value for value in values
    )


def machine() -> dict[str, Any]:
    """Return a description of the machine, without personal or host names; ``model`` may be ""."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "model": _model(),
        "cores": os.cpu_count(),
    }


def _model() -> str:
    """Return the processor's model, from Linux or else from Python."""
    try:
        shown = _CPUINFO.read_text("utf-8", "replace")
    except OSError:
        shown = ""
    named = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(\S.*)", shown, re.MULTILINE)
    return " ".join((named.group(1) if named else platform.processor()).split())


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


_SIGNS = {
    "FOUND": Status.FOUND,
    "IMPOSSIBLE": Status.NONE,
    "TIMEOUT": Status.TIME,
    "MEMORY": Status.MEMORY,
    "UNKNOWN": Status.OPEN,
    "REFUSED": Status.OPEN,
    "CRASH": Status.FAILED,
    "KILLED": Status.FAILED,
    "UNSOUND": Status.FAILED,
    "DONE": Status.FOUND,
}
"""Markers of the verdicts in a plot."""


def comparison_plot(comparison: Comparison, format: str = "svg") -> bytes:
    """Return a plot of a comparison as svg, png or pdf, with panels for open and closed tours.

    Seconds are those to build and to solve, without the judge.
    """
    title = "Seconds to build and solve, against squares, by engine"
    limit, caption = comparison.limits.seconds, _caption(comparison)
    return plot(panels(comparison), title=title, limit=limit, caption=caption, format=format)


def panels(comparison: Comparison) -> dict[str, Curves]:
    """Return the curves of the plot, one for each engine, by panel heading."""
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
        problems = dict.fromkeys(row.problem for row in own)
        curves[engine] = [_point([row for row in own if row.problem == each]) for each in problems]
    return curves


def _point(rows: list[Run]) -> Point:
    problem = rows[0].problem
    board = problem.board
    name = str(board or problem.graph.graph.get(FILE, "graph"))
    if board is not None and board.missing:
        name += f" less {', '.join(square_name(square) for square in sorted(board.missing))}"
    runs = [(_total_seconds(row), _SIGNS[row.verdict]) for row in rows]
    return summarize_runs(len(problem), name, runs)


def _total_seconds(row: Run) -> float:
    return sum(row.statistics.get(name, 0.0) for name in ("build_seconds", "solve_seconds"))


def _caption(comparison: Comparison) -> str:
    """Return a caption with the number of repeats and the limits."""
    pairs = {(row.problem, row.engine) for row in comparison.runs}
    repeats = len(comparison.runs) // max(len(pairs), 1)
    many = "One run each" if repeats == 1 else f"Medians of {repeats} runs each"
    return f"{many}{_limits(comparison)}."


def _limits(comparison: Comparison) -> str:
    """Return the limits of seconds and megabytes, if there are any."""
    seconds, megabytes = comparison.limits.seconds, comparison.limits.megabytes
    most = [
        f"{format_number(value)} {unit}"
        for value, unit in ((seconds, "s"), (megabytes, "MB"))
        if value is not None
    ]
    return f", at most {' and '.join(most)}" if most else ""


VERDICTS = {
    "FOUND": "there is a tour",
    "IMPOSSIBLE": "there is none",
    "UNKNOWN": "the engine gave up",
    "TIMEOUT": "the time limit ended it",
    "MEMORY": "the memory limit ended it",
    "REFUSED": "the engine does not support this size or a condition",
    "CRASH": "the engine failed",
    "KILLED": "another program ended its process, or left it too little memory",
    "UNSOUND": "the answer is wrong",
    "DONE": "the task was measured",
}
_GAP = "  "
_PROSE = 100  # characters of a line of prose


RunDocument = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A heading, the key of a run, its format, and its rank; columns of rank 0 are always shown."""

    heading: str
    key: str
    rank: int
    write: Callable[[Any], str] = str
    right: bool = False

    def text(self, run: RunDocument) -> str:
        return "" if run[self.key] is None else self.write(run[self.key])


def _seconds(value: float) -> str:
    return "<0.001" if value < 0.0005 else f"{value:,.3f}"


def _count(value: float) -> str:
    return f"{value:,.0f}"


_CHECKED = (
    "replayed: the judge accepts the tour, and the reference program replays it; verified: the "
    "judge accepts it; agrees: the reference program, run independently, gives the same verdict"
)
COLUMNS = (
    Column("engine", "engine", 0),
    Column("seed", "seed", 1, right=True),
    Column("verdict", "verdict", 0),
    Column("backed", "backed", 4),
    Column("checked", "checked", 3),
    Column("build s", "build_seconds", 2, _seconds, right=True),
    Column("solve s", "solve_seconds", 0, _seconds, right=True),
    Column("peak MB", "peak_mb", 5, _count, right=True),
    Column("variables", "variables", 8, _count, right=True),
    Column("clauses", "clauses", 9, _count, right=True),
    Column("arcs", "arcs", 11, _count, right=True),
    Column("conflicts", "conflicts", 6, _count, right=True),
    Column("nodes", "nodes", 7, _count, right=True),
    Column("rounds", "rounds", 10, _count, right=True),
)
"""Columns in their order in the table."""


def table(comparison: Comparison, width: int | None) -> str:
    """Return the comparison as text of at most ``width`` characters, or with every column for None.

    Names and numbers are not broken, and engines, verdicts and seconds are always shown.  A line is
    longer than ``width`` only if these do not fit.
    """
    runs = [_checked(run_document(run)) for run in comparison.runs]
    problems = dict.fromkeys(run.problem for run in comparison.runs)
    meanings = {**FIELDS, "checked": _CHECKED, "verdict": _verdicts(runs)}
    shown = [column for column in COLUMNS if _is_shown(column, runs)]
    widths = {
        column: max(len(column.heading), *(len(column.text(run)) for run in runs))
        for column in shown
    }
    chosen = _fit_columns(shown, widths, width)
    across = sum(widths[column] for column in chosen) + len(_GAP) * (len(chosen) - 1)
    prose = min(width or _PROSE, _PROSE)

    lines = [*_wrap(_heading(comparison, len(problems)), prose), ""]
    lines.append(_table_line([column.heading for column in chosen], chosen, widths))
    for problem in problems:
        lines += _rule(problem.label, across)
        own = (
            run for run, row in zip(runs, comparison.runs, strict=True) if row.problem == problem
        )
        lines += [
            _table_line([column.text(run) for column in chosen], chosen, widths) for run in own
        ]
    lines.append("")
    indent = max(len(column.heading) for column in chosen) + len(_GAP)
    for column in chosen:
        lines += _wrap(f"{column.heading:<{indent}}{meanings[column.key]}", prose, indent)
    left = [column.heading for column in shown if column not in chosen]
    if left:
        lines += ["", *_wrap(f"Left out at this width: {', '.join(left)} (--wide).", prose)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def family_table(comparison: Comparison, family_of: Mapping[Problem, str]) -> str:
    """Return a line for each family of problems and each engine, as text.

    The median of seconds counts a run without an answer as longer than all others.
    """
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in comparison.runs:
        if run.problem in family_of:
            groups.setdefault((family_of[run.problem], run.engine), []).append(run)
    rows = [("family", "engine", "runs", "answered", "median s", "most s")]
    for (family, engine), runs in sorted(groups.items()):
        answered = [run for run in runs if run.verdict in ("FOUND", "IMPOSSIBLE")]
        seconds = sorted(map(_total_seconds, answered))
        middle = (len(runs) - 1) // 2
        median = _seconds(seconds[middle]) if middle < len(seconds) else "none"
        most = _seconds(seconds[-1]) if seconds else "none"
        rows.append((family, engine, f"{len(runs):,}", f"{len(answered):,}", median, most))
    return align_columns(rows, ("family", "engine"))


def align_columns(rows: Sequence[Sequence[str]], of_text: Collection[str]) -> str:
    """Return rows of cells as lines; align text columns on the left, and numbers on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = ["<" if heading in of_text else ">" for heading in rows[0]]
    lines = (_GAP.join(map("{:{}{}}".format, row, sides, widths)).rstrip() for row in rows)
    return "\n".join(lines) + "\n"


def _checked(run: RunDocument) -> RunDocument:
    """Return a run with the strongest check that its answer has passed."""
    passed = (name for name in ("replayed", "verified", "agrees") if run[name])
    return {**run, "checked": next(passed, None)}


def _is_shown(column: Column, runs: list[RunDocument]) -> bool:
    """Return whether a column has content: several seeds, or a count."""
    if column.key == "seed":
        return len({run["seed"] for run in runs}) > 1
    return column.rank == 0 or any(column.text(run) for run in runs)


def _verdicts(runs: list[RunDocument]) -> str:
    verdicts = {run["verdict"] for run in runs}
    return "; ".join(f"{name}: {means}" for name, means in VERDICTS.items() if name in verdicts)


def _rule(label: str, across: int) -> list[str]:
    """Return a line with a problem's label; more lines if it is long."""
    first, *more = _wrap(f"── {label} ", max(across, 40), 3)
    return [first, *more] if more else [f"{first} ".ljust(across, "─")]


def _fit_columns(shown: list[Column], widths: dict[Column, int], width: int | None) -> list[Column]:
    """Return columns in their order: add them by rank until the next does not fit."""
    if width is None:
        return shown
    chosen: set[str] = set()
    space = width + len(_GAP)
    for each in sorted(shown, key=lambda column: column.rank):
        space -= widths[each] + len(_GAP)
        if space < 0 and each.rank:
            break
        chosen.add(each.heading)
    return [each for each in shown if each.heading in chosen]


def _table_line(texts: list[str], columns: list[Column], widths: dict[Column, int]) -> str:
    pairs = zip(texts, columns, strict=True)
    return _GAP.join(
        f"{text:{'>' if column.right else '<'}{widths[column]}}" for text, column in pairs
    )


def _wrap(text: str, width: int, indent: int = 0) -> list[str]:
    following = " " * indent
    return textwrap.wrap(
        text, width, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )


def _heading(comparison: Comparison, problems: int) -> str:
    """Return a line with the numbers of engines and problems, the limits, and the machine."""
    names = {run.engine for run in comparison.runs}
    about = machine()
    within = f"{limits} a run" if (limits := _limits(comparison)) else ""
    counts = ((len(names), "engine"), (problems, "question"), (about["cores"], "core"))
    engines, questions, cores = (f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
    named = about["model"] or about["processor"]
    return f"{engines} on {questions}{within}; {named}, {cores}, {about['system']}."
