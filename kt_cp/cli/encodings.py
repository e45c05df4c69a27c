"""``kt-cp encodings``: the encodings, and how large each makes a problem."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.output import show
from kt_cp.cli.question import Question, asks
from kt_cp.model.board import Board
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.formats.sizes import Size

USUAL_BOARD = "8x8"
"""Closed, where no board is named: the formula that everyone compares."""


@asks(
    board=typer.Argument(
        metavar="BOARD",
        help="ROWSxCOLUMNS, such as 8x10",
        show_default=f"{USUAL_BOARD}, closed",
    )
)
def command(
    question: Question,
    *,
    json: Annotated[bool, typer.Option("--json", help="For programs")] = False,
) -> int:
    """List the encodings with the sizes of their formulas for a board.

    Variables, clauses and literals of each formula, the seconds it takes to build, and the solver
    that does best on it. Without a board: 8x8, closed.
    """
    from kt_cp.encodings import ENCODING_NAMES
    from kt_cp.formats.sizes import size_of

    usual = question.board is None and question.end is None
    problem = question.problem(Board.parse(USUAL_BOARD), closed=usual)
    sizes = [size_of(name, problem) for name in ENCODING_NAMES]
    if json:
        show(json_module.dumps([_document(size) for size in sizes], indent=2) + "\n")
    else:
        show(_table(problem, sizes))
    return 0


def _document(size: Size) -> dict[str, Any]:
    return {
        "name": size.encoding.name,
        "variables": size.variables,
        "clauses": size.clauses,
        "literals": size.literals,
        "build_seconds": None if size.seconds is None else round(size.seconds, 4),
        "solver": size.encoding.solver,
        "summary": size.encoding.summary,
        "refused": size.refused,
    }


def _table(problem: Problem, sizes: list[Size]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("encoding", "variables", "clauses", "literals", "seconds", "solver"):
        table.add_column(heading, justify="left" if heading in ("encoding", "solver") else "right")
    for size in sizes:
        counts = (size.variables, size.clauses, size.literals)
        table.add_row(
            size.encoding.name,
            *("–" if count is None else f"{count:,}" for count in counts),
            "–" if size.seconds is None else f"{size.seconds:.3f}",
            size.encoding.solver,
        )
    console = Console()
    with console.capture() as capture:
        console.print(table)
    width = max(len(size.encoding.name) for size in sizes)
    # Below the table: beside it they would stand in a column of single words.
    said = (
        f"  {size.encoding.name:<{width}}  {size.refused or size.encoding.summary}\n"
        for size in sizes
    )
    return f"{problem.label}\n{capture.get()}{''.join(said)}"
