"""A comparison as a table for people: as many columns as the width there is has room for.

Rows stand under the problem that they answer.  What is left out at a width, and what each heading
means, is said below the table.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kt_cp.compare.report import FIELDS, machine, run_document
from kt_cp.compare.run import Comparison
from kt_cp.render.plot import number

VERDICTS = {
    "FOUND": "there is a tour",
    "IMPOSSIBLE": "there is none",
    "UNKNOWN": "the engine gave up",
    "TIMEOUT": "the time limit ended it",
    "MEMORY": "the memory limit ended it",
    "REFUSED": "too large for the engine, or not its kind of question",
    "CRASH": "the engine failed",
    "KILLED": "somebody else ended its process, or left it too little memory",
    "UNSOUND": "the answer is wrong",
    "DONE": "the task was measured",
}
_GAP = "  "
_PROSE = 100  # characters of a line that is read


Run = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A heading, the key of a run, how it is written, and its rank: 0 is never given up."""

    heading: str
    key: str
    rank: int
    write: Callable[[Any], str] = str
    right: bool = False

    def text(self, run: Run) -> str:
        return "" if run[self.key] is None else self.write(run[self.key])


def _seconds(value: float) -> str:
    return "<0.001" if value < 0.0005 else f"{value:,.3f}"


def _count(value: float) -> str:
    return f"{value:,.0f}"


_CHECKED = (
    "replayed: the judge accepts the tour, and the reference program replays it; verified: the "
    "judge accepts it; agrees: the reference program, asked by itself, says the same"
)
COLUMNS = (
    Column("engine", "engine", 0),
    Column("seed", "seed", 1, right=True),
    Column("verdict", "verdict", 0),
    Column("backed", "backed", 3),
    Column("checked", "checked", 6),
    Column("build s", "build_seconds", 2, _seconds, right=True),
    Column("solve s", "solve_seconds", 0, _seconds, right=True),
    Column("peak MB", "peak_mb", 4, _count, right=True),
    Column("variables", "variables", 8, _count, right=True),
    Column("clauses", "clauses", 9, _count, right=True),
    Column("arcs", "arcs", 11, _count, right=True),
    Column("conflicts", "conflicts", 5, _count, right=True),
    Column("nodes", "nodes", 7, _count, right=True),
    Column("rounds", "rounds", 10, _count, right=True),
)
"""In the order in which they stand."""


def table(comparison: Comparison, width: int | None) -> str:
    """The comparison at most so many characters wide, or with all there is to tell for None.

    No name or number is broken, and engines, verdicts and seconds stay: a line is longer only
    where these have no room.
    """
    runs = [_checked(run_document(run)) for run in comparison.runs]
    problems = dict.fromkeys(run.problem for run in comparison.runs)
    said = {**FIELDS, "checked": _CHECKED, "verdict": _verdicts(runs)}
    told = [it for it in COLUMNS if _worth_telling(it, runs)]
    widths = {it: max(len(it.heading), *(len(it.text(run)) for run in runs)) for it in told}
    kept = _fitting(told, widths, width)
    across = sum(widths[it] for it in kept) + len(_GAP) * (len(kept) - 1)
    prose = min(width or _PROSE, _PROSE)

    lines = [*_wrapped(_heading(comparison, len(problems)), prose), ""]
    lines.append(_line([it.heading for it in kept], kept, widths))
    for problem in problems:
        lines += _rule(problem.label, across)
        own = (
            run for run, row in zip(runs, comparison.runs, strict=True) if row.problem == problem
        )
        lines += [_line([it.text(run) for it in kept], kept, widths) for run in own]
    lines.append("")
    indent = max(len(it.heading) for it in kept) + len(_GAP)
    for it in kept:
        lines += _wrapped(f"{it.heading:<{indent}}{said[it.key]}", prose, indent)
    left = [it.heading for it in told if it not in kept]
    if left:
        lines += ["", *_wrapped(f"Left out at this width: {', '.join(left)} (--wide).", prose)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _checked(run: Run) -> Run:
    """A run, and the strongest check that its answer has passed."""
    passed = (name for name in ("replayed", "verified", "agrees") if run[name])
    return {**run, "checked": next(passed, None)}


def _worth_telling(column: Column, runs: list[Run]) -> bool:
    """Seeds that are all the same are not, nor is what no run counts."""
    if column.key == "seed":
        return len({run["seed"] for run in runs}) > 1
    return column.rank == 0 or any(column.text(run) for run in runs)


def _verdicts(runs: list[Run]) -> str:
    came = {run["verdict"] for run in runs}
    return "; ".join(f"{name}: {means}" for name, means in VERDICTS.items() if name in came)


def _rule(label: str, across: int) -> list[str]:
    """A line with a problem's label in it; more lines if it is long."""
    first, *more = _wrapped(f"── {label} ", max(across, 40), 3)
    return [first, *more] if more else [f"{first} ".ljust(across, "─")]


def _fitting(told: list[Column], widths: dict[Column, int], width: int | None) -> list[Column]:
    """Columns in their order: those that matter most, until the next has no room."""
    if width is None:
        return told
    kept: set[str] = set()
    room = width + len(_GAP)
    for each in sorted(told, key=lambda it: it.rank):
        room -= widths[each] + len(_GAP)
        if room < 0 and each.rank:
            break
        kept.add(each.heading)
    return [each for each in told if each.heading in kept]


def _line(texts: list[str], columns: list[Column], widths: dict[Column, int]) -> str:
    pairs = zip(texts, columns, strict=True)
    return _GAP.join(f"{text:{'>' if it.right else '<'}{widths[it]}}" for text, it in pairs)


def _wrapped(text: str, width: int, indent: int = 0) -> list[str]:
    following = " " * indent
    return textwrap.wrap(
        text, width, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )


def _heading(comparison: Comparison, problems: int) -> str:
    """What was run how often, within which limits, and on what."""
    engines = len({run.engine for run in comparison.runs})
    limits, about = comparison.limits, machine()
    most = [
        f"{number(value)} {unit}"
        for value, unit in ((limits.seconds, "s"), (limits.megabytes, "MB"))
        if value is not None
    ]
    within = f", at most {' and '.join(most)} a run" if most else ""
    counts = ((engines, "engine"), (problems, "question"), (about["cores"], "core"))
    ran, asked, cores = (f"{count} {what}{'s' * (count != 1)}" for count, what in counts)
    named = about["model"] or about["processor"]
    return f"{ran} on {asked}{within}; {named}, {cores}, {about['system']}."
