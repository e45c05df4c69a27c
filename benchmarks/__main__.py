"""``python -m benchmarks``: run measurements and write their tables as Markdown."""

from __future__ import annotations

import datetime
import re
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from benchmarks import (
    commands,
    construction,
    counting,
    graph_search,
    proofs,
    puzzles,
    search,
    small,
)
from benchmarks.runner import Options, measure, picture, report
from kt_cp.cli.options import Force
from kt_cp.cli.output import OutputFile
from kt_cp.compare.report import machine
from kt_cp.model.errors import InputError
from kt_cp.model.versions import versions_of

MEASUREMENTS = {
    "small": small.SMALL,
    "search": search.SEARCH,
    "large": search.LARGE,
    "oneshot": search.ONESHOT,
    "refutations": search.REFUTATIONS,
    "commands": commands.COMMANDS,
    "files": commands.FILES,
    "construction": construction.CONSTRUCTION,
    "enumeration": counting.ENUMERATION,
    "counting": counting.COUNTING,
    "cluster": counting.CLUSTER,
    "proofs": proofs.PROOFS,
    "puzzles": puzzles.PUZZLES,
    "graphs": graph_search.GRAPHS,
}
"""All measurements, in the order in which they run."""

PACKAGES = (
    "ortools", "python-sat", "networkx", "numpy", "numba", "clingo", "graphillion",
)  # fmt: skip

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="One row of each, two columns: shows that all works")
    ] = False,
    only: Annotated[
        str, typer.Option(metavar="NAME,…", help=f"Some of {', '.join(MEASUREMENTS)}")
    ] = "",
    rows: Annotated[
        str, typer.Option(metavar="REGEX", help="Rows whose name matches, such as ^500x")
    ] = "",
    columns: Annotated[
        str, typer.Option(metavar="REGEX", help="Columns whose name has it, such as plain|cpsat")
    ] = "",
    seeds: Annotated[int | None, typer.Option(min=1, help="Runs of each cell")] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.1, help="Most time of one run")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time; 1 gives the best seconds")] = 1,
    store: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FOLDER", help="Runs that are in it are not made again"),
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write pictures there, as SVG")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there too")
    ] = None,
    force: Force = False,
) -> None:
    """Measure kt_cp.

    Exits with 1 if a run crashed or an answer is wrong; a missed target is a line of the report.
    """
    names = [name.strip() for name in only.split(",")] if only else list(MEASUREMENTS)
    if unknown := set(names) - MEASUREMENTS.keys():
        raise typer.BadParameter(
            f"expected some of {', '.join(MEASUREMENTS)}, got {', '.join(sorted(unknown))}"
        )
    for pattern in (rows, columns):
        try:
            re.compile(pattern)
        except re.error as error:
            raise typer.BadParameter(f"expected a regular expression, got {error}") from None
    options = Options(
        quick,
        seeds,
        time_limit,
        jobs,
        rows,
        columns,
        store,
        lambda line: typer.echo(line, err=True),
    )
    lines, broken, drawn = [*_head()], [], {}
    try:
        with ExitStack() as files:
            place = None if output is None else files.enter_context(OutputFile(output, force=force))
            for name in names:
                if plots is not None and MEASUREMENTS[name].plot:
                    file = OutputFile(plots / f"{name}.svg", force=force)
                    drawn[name] = files.enter_context(file)
            for name in names:
                results = measure(name, MEASUREMENTS[name], options)
                broken += results.broken
                lines += report(MEASUREMENTS[name], results)
                if plots is not None and name in drawn and results.runs:
                    drawn[name].write(picture(results))
                    lines += ["", f"![{name}: seconds against squares]({plots.name}/{name}.svg)"]
            text = "\n".join(lines) + "\n"
            typer.echo(text, nl=False)
            if place is not None:
                place.write(text)
    except InputError as error:
        typer.echo(f"benchmarks: {error}", err=True)
        raise typer.Exit(2) from None
    for what in broken:
        typer.echo(f"BROKEN: {what}", err=True)
    raise typer.Exit(bool(broken))


def _head() -> list[str]:
    about, versions = machine(), versions_of(PACKAGES)
    packages = ", ".join(f"{name} {it}" for name, it in versions.items() if it != "unknown")
    processor = about["model"] or about["processor"]
    return [
        f"Measured on {datetime.datetime.now(tz=datetime.UTC).date()}: {about['system']},"
        f" {processor}, {about['cores']} cores;",
        f"{packages}.",
    ]


def _terminate(_signal: int, _frame: object) -> None:
    # An exception, so that the running processes end too.
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _terminate)
    app()
