"""``kt-cp solve``: ask for a tour, get a checked answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kt_cp.board import Board
from kt_cp.cli.exits import OF_VERDICT
from kt_cp.cli.options import (
    BoardArgument,
    End,
    Json,
    MemoryLimit,
    Missing,
    Output,
    Seed,
    Start,
    TimeLimit,
    Workers,
    file_of,
    shape_of,
    square_of,
)
from kt_cp.cli.output import destination, remark, show
from kt_cp.cli.progress import search_progress
from kt_cp.formats.write import BY_SUFFIX, Format, check_size, written
from kt_cp.outcome import Outcome, Verdict


def command(
    board: BoardArgument,
    *,
    closed: Annotated[
        bool, typer.Option("--closed/--open", help="Whether it must come back to its start")
    ] = False,
    start: Start = None,
    end: End = None,
    missing: Missing = "",
    engine: Annotated[str, typer.Option(metavar="NAME", help="See kt-cp engines")] = "auto",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    workers: Workers = None,
    seed: Seed = 0,
    format: Annotated[
        Format | None,
        typer.Option(help="Default: grid, or what FILE's name ends with", show_default=False),
    ] = None,
    json: Json = False,
    output: Output = None,
) -> int:
    """Find a knight's tour, or say why there is none.

    Exits with 0 for a tour, 1 if none exists, 3 if that stays unknown.
    """
    from kt_cp import engines
    from kt_cp.problem import Problem

    output = file_of(output)
    shape = shape_of(format, json, output, BY_SUFFIX, Format.GRID)
    the_board = Board.parse(board, missing)
    problem = Problem(
        the_board,
        closed=closed,
        start=square_of(start, "start"),
        end=square_of(end, "end"),
    )
    check_size(problem, shape)
    with destination(output) as place:
        with search_progress(problem.label) as progress:
            outcome = engines.solve(
                problem,
                engine,
                time_limit=time_limit,
                memory_limit=memory_limit,
                workers=workers,
                seed=seed,
                progress=progress,
            )
        if shape is Format.JSON or outcome.verdict is Verdict.FOUND:
            place.write(written(outcome, shape))
    _tell(outcome, shape, output)
    return OF_VERDICT[outcome.verdict]


def _tell(outcome: Outcome, shape: Format, output: Path | None) -> None:
    """What else there is to say: an answer without a tour, and how the answer was checked."""
    problem = outcome.problem
    answered = shape is Format.JSON and output is None
    if outcome.verdict is Verdict.IMPOSSIBLE and not answered:
        show(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown whether there is a tour: {outcome.reason}")
        return
    counted = outcome.statistics
    seconds = counted.get("build_seconds", 0.0) + counted.get("solve_seconds", 0.0)
    took = f" in {seconds:.3g} s" if seconds else ""
    remark(
        f"{problem.label}: {outcome.verdict.value} by {outcome.engine}{took}; {_checks(outcome)}"
    )


def _checks(outcome: Outcome) -> str:
    checks = outcome.checks
    if outcome.evidence is not None:
        backing = f"backed by: {outcome.evidence.kind.value}"
        return f"{backing}; the reference agrees" if checks.agrees else backing
    named = (
        ("verified", checks.verified),
        ("replayed", checks.replayed),
        ("the reference agrees", checks.agrees),
    )
    return ", ".join(name for name, made in named if made)
