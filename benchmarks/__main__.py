"""``python -m benchmarks``: everything in one run, as Markdown."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.measure import measure
from benchmarks.plan import PARTS, QUICK, YARDSTICKS, Plan
from benchmarks.plots import PLOTS, plots
from benchmarks.report import report
from kt_cp.cli.files import OutputFile
from kt_cp.cli.options import Force
from kt_cp.engines.registry import get_engine
from kt_cp.model.errors import EngineNameError, InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Tiny boards, a few seconds")] = False,
    only: Annotated[
        str, typer.Option(metavar="PART,…", help=f"Parts to measure, of {', '.join(PARTS)}")
    ] = "",
    sides: Annotated[str, typer.Option(metavar="K,…", help="Closed boards, such as 8,20")] = "",
    seeds: Annotated[str, typer.Option(metavar="SEED,…", help="Such as 1,2,3")] = "",
    stream: Annotated[
        str, typer.Option(metavar="K,…", help="Closed boards to write to a file: 40000 is 6.4 GB")
    ] = "",
    graphs: Annotated[
        int, typer.Option(min=0, help="So many of the graphs with a cycle", show_default="all")
    ] = 0,
    candidates: Annotated[
        str, typer.Option(metavar="NAME,…", help="Whose search: such as plain,clingo,cpsat,sat")
    ] = "",
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=1,
            help="Most time of one process",
            show_default="180, of the search 600",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(min=1, help="Searches and refutations at a time; 1 is best"),
    ] = 1,
    kept: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FILE", help="Runs that are in it are not made again"),
    ] = None,
    directory: Annotated[
        Path | None, typer.Option("--plots", metavar="DIRECTORY", help="Write plots there, as SVG")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write there too"),
    ] = None,
    force: Force = False,
) -> None:
    """Measure kt_cp: search, front door, whole processes, Warnsdorff's rule, and much else.

    Exits with 1 if a run crashed or its tour was wrong; a missed target is a line of the report.
    """
    plan = replace(QUICK if quick else Plan(), jobs=jobs)
    if time_limit is not None:
        plan = replace(
            plan,
            time_limit=time_limit,
            search_limit=time_limit,
            climb_limit=min(time_limit, plan.climb_limit),
            refute_limit=min(time_limit, plan.refute_limit),
            graph_limit=min(time_limit, plan.graph_limit),
        )
    if candidates:
        plan = replace(plan, candidates=_candidates(candidates))
    if kept is not None:
        plan = replace(plan, kept=str(kept))
    if graphs:
        plan = replace(plan, graphs=graphs)
    if only:
        plan = replace(plan, parts=_parts(only))
    if sides:
        plan = replace(plan, sides=_numbers(sides, "sides", range(6, 1001, 2)))
    if seeds:
        plan = replace(plan, seeds=_numbers(seeds, "seeds", range(2**31)))
    if stream:
        sides_of_files = _numbers(stream, "stream", range(6, 46_341, 2))
        plan = replace(plan, sizes=replace(plan.sizes, stream=sides_of_files))
    try:
        with ExitStack() as opened:
            files = {}
            if directory is not None:
                plan = replace(plan, plots=directory.name)
                for name in PLOTS:
                    if name in plan.parts:
                        path = directory / f"{name}.svg"
                        files[name] = opened.enter_context(OutputFile(path, force=force))
            if output is not None:
                files["report"] = opened.enter_context(OutputFile(output, force=force))
            results = measure(plan)
            text = report(plan, results)
            typer.echo(text, nl=False)
            written = {"report": text.encode(), **plots(plan, results)}
            for name in files.keys() & written.keys():
                files[name].write(written[name])
    except InputError as error:
        typer.echo(f"benchmarks: {error}", err=True)
        raise typer.Exit(2) from None
    for what in results.broken:
        typer.echo(f"BROKEN: {what}", err=True)
    if results.broken:
        raise typer.Exit(1)


def _parts(text: str) -> tuple[str, ...]:
    names = {part.strip() for part in text.split(",")}
    if not names <= set(PARTS):
        message = f"expected some of {', '.join(PARTS)} with commas, got {text!r}"
        raise typer.BadParameter(message, param_hint="--only")
    return tuple(name for name in PARTS if name in names)


def _candidates(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in names:
        if name not in YARDSTICKS:
            try:
                get_engine(name)
            except EngineNameError as error:
                raise typer.BadParameter(str(error), param_hint="--candidates") from None
    return names


def _numbers(text: str, name: str, allowed: range) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) in allowed for part in parts):
        kind = "even numbers" if allowed.step == 2 else "numbers"
        message = f"expected {kind} from {allowed[0]} to {allowed[-1]} with commas, got {text!r}"
        raise typer.BadParameter(message, param_hint=f"--{name}")
    return tuple(dict.fromkeys(map(int, parts)))


def _terminated(_signal: int, _frame: object) -> None:
    # As an exception, so that the processes that are running are ended too.
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _terminated)
    app()
