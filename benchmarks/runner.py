"""Measurements, their runs by :func:`kt_cp.compare.compare`, and their tables in Markdown.

A measurement has rows, which are problems, and columns, which are engines or tasks.  Each cell is
run in a process of its own, for each seed.  For one row and seed all columns take turns, so that a
busy minute of the machine affects all of them.  A column *climbs* if the problems grow: it ends
after a row on which most of its seeds fail.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from kt_cp.compare import Comparison, Run, compare
from kt_cp.compare.report import comparison_plot
from kt_cp.compare.run import Contestant, open_checkpoint
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.processes.executors import open_executor

ANSWERED = ("FOUND", "IMPOSSIBLE", "DONE")
BROKEN = ("CRASH", "KILLED", "UNSOUND")

Cell = Callable[[Sequence[Run], float], str]
"""A function that formats the runs of one row and column under a limit in seconds."""


@dataclass(frozen=True)
class Row:
    """One problem, made on first use.

    Attributes
    ----------
    name : str
    problem : callable
    group : str
        The line of the table; the row's name if it is empty.
    tour : bool, optional
        Whether there is a tour, if that is known.
    tours : int, optional
        How many there are, if that is known.
    """

    name: str
    problem: Callable[[], Problem]
    group: str = ""
    tour: bool | None = None
    tours: int | None = None


@dataclass(frozen=True)
class Table:
    """A table of a measurement: with one cell, rows by columns; with more, a line for each pair."""

    title: str
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Measurement:
    """Rows by columns.

    Attributes
    ----------
    rows : callable
        Makes the rows when the measurement begins, because some rows take time.
    columns : mapping of str to contestant
        Contestants by their headings.
    seeds : int
        Number of seeds, from 1.
    seconds : float
        Time limit of a run.
    climbs : bool
        Whether a column ends after a row on which most of its seeds fail.
    last : mapping of str to str
        The last row of a column that would only reach a limit on the other rows.
    quick : tuple of str
        Rows of a quick run that tests everything; by default the first row.
    most : mapping of (str, str) to float
        Limit of the median in seconds, by line and heading.
    note : str
        Text below the tables.
    plot : bool
        Whether to plot seconds against squares.
    """

    rows: Callable[[], Iterable[Row]]
    columns: Mapping[str, Contestant]
    tables: tuple[Table, ...]
    seeds: int = 1
    seconds: float = 180.0
    climbs: bool = False
    last: Mapping[str, str] = field(default_factory=dict)
    quick: tuple[str, ...] = ()
    most: Mapping[tuple[str, str], float] = field(default_factory=dict)
    note: str = ""
    plot: bool = False


@dataclass(frozen=True)
class Options:
    """The selection of rows, columns and seeds, and other options of a run."""

    quick: bool = False
    seeds: int | None = None
    seconds: float | None = None
    jobs: int = 1
    rows: str = ""
    columns: str = ""
    store: Path | None = None
    progress: Callable[[str], None] = lambda _: None


@dataclass
class Results:
    """The runs of a measurement by line and heading, and its faults."""

    runs: dict[tuple[str, str], list[Run]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0


def measure(name: str, it: Measurement, options: Options) -> Results:
    """Run a measurement."""
    seconds = options.seconds or it.seconds
    seeds = 1 if options.quick else options.seeds or it.seeds
    results, ended = Results(seconds=seconds), set[str]()
    for row in _rows(it, options):
        problem, failed, figures = row.problem(), Counter[str](), set[float]()
        for seed in range(1, seeds + 1):
            columns = {
                heading: contestant
                for heading, contestant in _columns(it, options).items()
                if heading not in ended and failed[heading] <= seeds // 2
            }
            for heading, run in _compare(name, row, problem, columns, seed, seconds, options):
                results.runs.setdefault((row.group or row.name, heading), []).append(run)
                failed[heading] += run.verdict not in ANSWERED
                figures |= {run.statistics["tours"]} if "tours" in run.statistics else set()
                results.broken += _faults(row, heading, run)
                options.progress(f"{row.name}, {heading}, seed {seed}: {run.verdict}")
        if len(figures | ({row.tours} - {None})) > 1:
            results.broken.append(f"{row.name}: {sorted(figures)} tours, expected {row.tours}")
        if it.climbs:
            ended |= {heading for heading, many in failed.items() if many > seeds // 2}
        ended |= {heading for heading, last in it.last.items() if last == row.name}
    return results


def _rows(it: Measurement, options: Options) -> Iterator[Row]:
    rows = list(it.rows())
    if options.quick:
        rows = [row for row in rows if row.name in it.quick] or rows[:1]
    yield from (row for row in rows if re.search(options.rows, row.name))


def _columns(it: Measurement, options: Options) -> dict[str, Contestant]:
    columns = {name: each for name, each in it.columns.items() if re.search(options.columns, name)}
    return dict(list(columns.items())[:2]) if options.quick else columns


def _compare(
    name: str, row: Row, problem: Problem, columns: Mapping[str, Contestant], seed: int,
    seconds: float, options: Options,
) -> Iterator[tuple[str, Run]]:  # fmt: skip
    """Run one row and seed with all columns in turn, in a folder of its own if runs are stored."""
    if not columns:
        return
    limits, contestants = Limits(seconds), list(columns.values())
    folder = options.store and options.store / name / re.sub(r"\W+", "-", f"{row.name} {seed}")
    with (
        open_checkpoint(folder, [problem], contestants, limits, range(seed, seed + 1)) as store,
        open_executor(folder and "threads", options.jobs) as executor,
    ):
        comparison = compare(
            [problem], contestants, limits=limits, seed=seed, jobs=options.jobs,
            executor=executor, store=store,
        )  # fmt: skip
    yield from zip(columns, comparison.runs, strict=True)


def _faults(row: Row, heading: str, run: Run) -> Iterator[str]:
    expected = {True: "FOUND", False: "IMPOSSIBLE"}.get(row.tour, run.verdict)  # type: ignore[arg-type]
    wrong = run.verdict in ("FOUND", "IMPOSSIBLE") and run.verdict != expected
    if run.verdict in BROKEN or wrong:
        yield f"{row.name}, {heading}, seed {run.seed}: {run.verdict} {run.reason or ''}".rstrip()


def report(it: Measurement, results: Results) -> Iterator[str]:
    """Yield the tables of a measurement as lines of Markdown."""
    lines = list(dict.fromkeys(line for line, _ in results.runs))
    headings = [name for name in it.columns if any(name == each for _, each in results.runs)]
    for table in it.tables:
        yield from ("", f"### {table.title}", "")
        if len(table.cells) == 1:
            (cell,) = table.cells.values()
            rows = [[line, *(_cell(cell, results, line, it) for it in headings)] for line in lines]
            yield from _table(["", *headings], rows)
            continue
        rows = [
            [*_pair(line, name, len(lines), len(headings)),
             *(_cell(cell, results, line, name) for cell in table.cells.values())]
            for line in lines for name in headings if (line, name) in results.runs
        ]  # fmt: skip
        yield from _table(["", *table.cells], rows)
    if it.note:
        yield from ("", it.note)
    targets = [*_targets(it, results)]
    yield from ["", *targets] if targets else []


def _pair(line: str, name: str, lines: int, names: int) -> list[str]:
    """Return a line and a heading, without the one that is the same everywhere."""
    return [", ".join([line] * (lines > 1 or names == 1) + [name] * (names > 1))]


def _cell(cell: Cell, results: Results, line: str, heading: str) -> str:
    runs = results.runs.get((line, heading))
    return cell(runs, results.seconds) if runs else "–"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|---|{'---:|' * (len(headings) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _targets(it: Measurement, results: Results) -> Iterator[str]:
    for (line, heading), most in it.most.items():
        if runs := results.runs.get((line, heading)):
            middle = median(map(seconds_of, runs))
            verdict = "met" if middle <= most else "**missed**"
            yield f"- {heading}, {line}: {in_seconds(middle)} s (at most {most:g}): {verdict}."


def picture(results: Results) -> bytes:
    """Return a plot of seconds against squares by headings, like ``kt-cp compare --plot``."""
    runs = [replace(run, engine=name) for (_, name), them in results.runs.items() for run in them]
    runs.sort(key=lambda run: len(run.problem))
    return comparison_plot(Comparison(runs, Limits(results.seconds)))


def seconds_of(run: Run) -> float:
    """Return the seconds to build and to solve; infinite without an answer."""
    if run.verdict not in ANSWERED:
        return math.inf
    return sum(run.statistics.get(name, 0.0) for name in ("build_seconds", "solve_seconds"))


def in_seconds(value: float) -> str:
    """Format seconds with two or three digits."""
    if math.isinf(value):
        return "none"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def seconds(runs: Sequence[Run], limit: float) -> str:
    """Return the median with the fastest and the slowest, and how the other runs ended."""
    values = sorted(map(seconds_of, runs))
    failed = [run.verdict for run in runs if run.verdict not in ANSWERED]
    middle = median(values)
    if failed.count("UNKNOWN") == len(runs):
        return "–"
    if math.isinf(middle):
        text = f"> {limit:g}" if "TIMEOUT" in failed else "none"
    elif len(runs) == 1:
        text = in_seconds(middle)
    else:
        text = f"{in_seconds(middle)} ({in_seconds(values[0])}–"
        text += f"{in_seconds(values[-1]) if not failed else ''})"
    counts = ", ".join(f"{many} {verdict}" for verdict, many in Counter(failed).items())
    return f"{text}, {counts} of {len(runs)}" if failed else text


def figure(name: str, form: str = ",.0f", scale: float = 1.0) -> Cell:
    """Return a cell that formats the median of a figure."""

    def cell(runs: Sequence[Run], _limit: float) -> str:
        found = [run.statistics[name] for run in runs if run.statistics.get(name) is not None]
        return f"{median(found) * scale:{form}}" if found else "–"

    return cell


def certified(runs: Sequence[Run], _limit: float) -> str:
    """Return how many answers "none" have a certificate."""
    none = [run.evidence for run in runs if run.evidence is not None]
    return f"{sum(it.certificate is not None for it in none)} of {len(none)}" if none else "–"
