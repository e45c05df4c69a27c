"""``kt-cp compare``: boards x engines, one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.options import (
    Executor,
    Force,
    Json,
    Output,
    Seed,
    Workers,
    check_output_files,
    format_of,
    format_option,
    join_choices,
    split_names,
)
from kt_cp.cli.output import (
    BUG,
    FOUND,
    UNKNOWN,
    Destination,
    OutputFile,
    destination,
    is_stderr_terminal,
    remark,
    terminal_width,
)
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.formats.table import Format, Subject, ending_of, format_of_path, formats_of
from kt_cp.model.board import describe, shorten
from kt_cp.model.errors import InputError
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    from kt_cp.compare.run import Comparison, Run


@with_problem_options(
    but="board",
    closed=typer.Option(
        "--closed/--open", help="Only closed or only open tours", show_default="both"
    ),
)
def compare_command(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOARD",
            help="Boards, files of drawn boards or of graphs, or folders of graph files",
            show_default=False,
        ),
    ] = None,
    *,
    boards: Annotated[
        list[str] | None,
        typer.Option(metavar="BOARDS", help="Boards, such as 3x3,8x8", show_default="13 boards"),
    ] = None,
    engines: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES", help="Engines, such as cpsat,sat:position", show_default="5 engines"
        ),
    ] = None,
    question: ProblemOptions,
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Compare engines of kt-cp optimize, cpsat and maxsat, for an objective such as"
            " fewest-turns",
            show_default=False,
        ),
    ] = None,
    weight: Annotated[
        str, typer.Option(metavar="NAME", help="Attribute of edges that least-weight adds up")
    ] = "weight",
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", help="Time limit of one run")
    ] = 10.0,
    memory_limit: Annotated[
        float, typer.Option(metavar="MB", help="Limit on the resident memory of one run")
    ] = 4000.0,
    repeat: Annotated[
        int, typer.Option(min=1, help="Runs of each pair, with consecutive seeds")
    ] = 1,
    seed: Seed = 0,
    jobs: Annotated[
        int,
        typer.Option(
            min=1,
            help="Runs at the same time; 1 gives the most reliable times. On a running cluster,"
            " each thread takes one run: times are most reliable with one thread on each machine",
        ),
    ] = 1,
    executor: Executor = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder for finished runs: the same comparison, started again, reuses them",
        ),
    ] = None,
    workers: Workers = None,
    wide: Annotated[
        bool, typer.Option("--wide", help="Show all columns, also on a narrow terminal")
    ] = False,
    format: Annotated[
        Format | None, format_option(Subject.COMPARISON, "Default: text, or by the suffix of FILE")
    ] = None,
    json: Json = False,
    output: Output = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw seconds against squares: .svg, .png or .pdf"),
    ] = None,
    force: Force = False,
) -> int:
    """Run engines on boards, each in a process of its own, and check every answer.

    Exits with 0, 3 if no run was answered or one was ended from outside, or 70 if engines
    contradict each other or the judge.
    """
    from kt_cp.compare import DEFAULT_ENGINES, compare
    from kt_cp.compare.report import (
        comparison_csv,
        comparison_json,
        comparison_plot,
        family_table,
        table,
    )
    from kt_cp.compare.run import DEFAULT_BOARDS, Comparison, open_checkpoint, questions
    from kt_cp.optimization import ENGINES
    from kt_cp.processes.executors import open_executor as opened_by

    check_output_files(output, plot=plot)
    picture = None if plot is None else _picture(plot)
    shape = format_of(format, json, output, Subject.COMPARISON, Format.TEXT)
    if wide and shape is not Format.TEXT:
        raise InputError(f"--wide is for the table: expected --format text, got {shape.value}")
    defaults = DEFAULT_ENGINES if objective is None else ENGINES
    names = split_names(engines, "engines") if engines else list(defaults)
    names = list(dict.fromkeys(names))
    kinds = {None: "oc" if question.end is None else "o", True: "c", False: "o"}[question.closed]
    named, families = _expand_folders(named or ())
    named_problems = {name: replace(question, board=name) for name in named}
    for name in split_names(boards, "boards") if boards else ():
        named_problems[name] = replace(question, board=name)

    family_of: dict[Problem, str] = {}

    def make_problem(name: str, closed: bool) -> Problem:
        given = named_problems.get(name) or replace(question, board=name)
        problem = given.problem(closed=closed)
        if name in families:
            family_of[problem] = families[name]
        return problem

    of_each = [(name, _kinds(each)) for name, each in named_problems.items()] or DEFAULT_BOARDS
    problems = questions(make_problem, of_each, kinds)
    limits = Limits(time_limit, memory_limit, workers)
    if objective is not None:
        alone: dict[str, object] = {"plot": plot, "store": store, "executor": executor}
        alone["wide"] = wide or None
        alone |= {"jobs": None if jobs == 1 else jobs, "repeat": None if repeat == 1 else repeat}
        for name, value in alone.items():
            if value is not None:
                raise InputError(f"--{name} is for comparisons of solve: expected no --objective")
        with destination(output, force=force) as place:
            options = {"weight": weight, "seed": seed}
            return _compare_objective(place, problems, objective, names, limits, shape, options)
    with ExitStack() as opened:
        place = destination(output, force=force)
        opened.push(place)
        drawn = None if plot is None else opened.enter_context(OutputFile(plot, force=force))
        total = len(problems) * len(names) * repeat
        finished: list[Run] = []
        try:
            with (
                open_checkpoint(store, problems, names, limits, range(seed, seed + repeat)) as rows,
                opened_by(executor or (None if store is None else "threads"), jobs) as pool,
                _progress(total) as (starting, show),
            ):

                def note(row: Run, done: int, _total: int) -> None:
                    finished.append(row)
                    show(done)

                comparison = compare(
                    problems, names, limits=limits, seed=seed, repeat=repeat, jobs=jobs,
                    progress=note, starting=starting, executor=pool, store=rows,
                )  # fmt: skip
        except KeyboardInterrupt:
            if finished:
                remark(f"{len(finished)} of {total} runs were finished")
            if finished and shape is Format.TEXT and output is None:
                place.write(table(Comparison(finished, limits), terminal_width()))
            raise
        if shape is Format.JSON:
            place.write(comparison_json(comparison) + "\n")
        elif shape is Format.CSV:
            place.write(comparison_csv(comparison))
        else:
            place.write(table(comparison, None if wide else terminal_width()))
            if family_of:
                place.write("\n" + family_table(comparison, family_of))
        if drawn is not None and picture is not None:
            drawn.write(comparison_plot(comparison, picture))
    return _conclude(comparison)


def _expand_folders(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return names with the files of graphs for each folder, and the family of each file.

    A file's family is its subfolder, or else its name without the number at its end.
    """
    found: list[str] = []
    families: dict[str, str] = {}
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            found.append(name)
            continue
        from kt_cp.formats.graphs import READERS

        paths = sorted(path for path in folder.rglob("*") if ending_of(path)[1:] in READERS)
        if not paths:
            raise InputError(f"{shorten(name)}: the folder has no files of graphs")
        for path in paths:
            inner = path.parent.relative_to(folder).as_posix()
            stem = path.name.split(".")[0].rstrip("0123456789").rstrip("-_ ")
            families[str(path)] = inner if inner != "." else stem or "other"
            found.append(str(path))
    return found, families


def _compare_objective(
    place: Destination,
    problems: list[Problem],
    objective: str,
    names: list[str],
    limits: Limits,
    shape: Format,
    options: Mapping[str, Any],
) -> int:
    """Compare engines of ``optimize``."""
    from kt_cp.compare.objectives import (
        compare_objective,
        find_contradictions,
        objective_csv,
        objective_json,
        objective_table,
    )
    from kt_cp.optimization import check_engine, check_objective

    for problem in problems:
        check_objective(objective, problem)
    for name in names:
        check_engine(name)
    rows = compare_objective(problems, objective, names, limits, **options)
    if shape is Format.JSON:
        place.write(objective_json(rows, objective))
    elif shape is Format.CSV:
        place.write(objective_csv(rows))
    else:
        place.write(objective_table(rows, objective))
    contradictions = find_contradictions(rows, objective)
    for what in contradictions:
        remark(f"DISAGREEMENT: {what}", always=True)
    if contradictions:
        return BUG
    is_answered = any(row.value is not None or row.checked == "no tour" for row in rows)
    return FOUND if is_answered else UNKNOWN


def _kinds(question: ProblemOptions) -> str:
    """Return the kinds to compare on a board: the option's, or else those of its file."""
    closed_in_file = getattr(question.file_content, "closed", None)
    if closed_in_file is None or question.closed is not None:
        return "oc"
    return "c" if closed_in_file else "o"


def _picture(path: Path) -> Format:
    """Return the format of a plot from its file name; a device may have any name.

    Raises
    ------
    InputError
        If the name's ending is not that of a picture that can be drawn.
    """
    named = format_of_path(path, Subject.PLOT)
    if named is not None or (path.exists() and not path.is_file()):
        return named or Format.SVG
    known = join_choices(f".{each}" for each in formats_of(Subject.PLOT))
    raise InputError(f"--plot: expected a name that ends with {known}, got {describe(str(path))}")


def _conclude(comparison: Comparison) -> int:
    runs_by_reason: dict[tuple[str, str | None], list[str]] = {}
    for row in comparison.runs:
        if row.verdict in ("CRASH", "KILLED", "REFUSED"):
            which = f"{row.engine} on {row.problem.label}"
            runs_by_reason.setdefault((row.verdict, row.reason), []).append(which)
    for (verdict, reason), [first, *others] in runs_by_reason.items():
        more = f" and {counted(len(others), 'more run')}" if others else ""
        remark(f"{verdict}: {first}{more}: {reason}")
    contradictions = comparison.contradictions
    for what in contradictions:
        remark(f"DISAGREEMENT: {what}")
    count = len(comparison.runs)
    answered = sum(row.verdict in ("FOUND", "IMPOSSIBLE") for row in comparison.runs)
    runs = "1 run" if count == 1 else f"{count} runs"
    if contradictions:
        remark(f"{runs}, {len(contradictions)} CONTRADICTIONS: do not trust this table")
        return BUG
    remark(f"{runs}, {answered} answered, no disagreement")
    killed = any(row.verdict == "KILLED" for row in comparison.runs)
    return UNKNOWN if killed or not answered else FOUND


@contextmanager
def _progress(
    total: int,
) -> Iterator[tuple[Callable[[Problem, str], None] | None, Callable[[int], None]]]:
    """Show a bar on stderr if that is a terminal; yield callbacks for runs that begin and end."""
    if not is_stderr_terminal():
        yield None, lambda _done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    left = TimeRemainingColumn()
    columns = (BarColumn(), MofNCompleteColumn(), left, TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("starting …", total=total)

        def starting(problem: Problem, engine: str) -> None:
            bars.update(task, description=f"{problem.label}, {engine} …")

        def ended(done: int) -> None:
            bars.update(task, completed=done)

        yield starting, ended
