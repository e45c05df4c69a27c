"""``kt-cp encodings``: the encodings, and how large each makes a problem."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.output import listed, remark, show
from kt_cp.cli.question import Question, asks
from kt_cp.model.board import Board
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.limits import Clock
from kt_cp.model.plugins import load_all
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.encodings import Encoding

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
    from kt_cp.encodings import encoding_names, get_encoding

    usual = question.board is None and question.end is None
    problem = question.problem(Board.parse(USUAL_BOARD), closed=usual)
    if problem.directed:
        raise NotTakenError(
            f"{problem.label}: expected a board or an undirected graph for a formula"
        )
    encodings, refused = load_all(encoding_names(), get_encoding)
    for why in refused:
        remark(f"kt-cp: {why}")
    sizes = [_size(encoding, problem) for encoding in encodings]
    if json:
        show(json_module.dumps(sizes, indent=2) + "\n")
    else:
        show(_table(problem, sizes))
    return 0


def _size(encoding: Encoding, problem: Problem) -> dict[str, Any]:
    """An encoding and what it makes of a problem, counted, or why there is no formula."""
    from kt_cp.formats.formula import encoded

    clock, refused = Clock(None), None
    size = dict.fromkeys(("variables", "clauses", "literals", "build_seconds"))
    try:
        cnf = encoded(encoding, problem)
    except (NotTakenError, TooLargeError) as error:
        refused = str(error)
    else:
        size = {
            "variables": cnf.variables,
            "clauses": len(cnf.clauses),
            "literals": sum(map(len, cnf.clauses)),
            "build_seconds": round(clock.elapsed, 4),
        }
    said = {"solver": encoding.solver, "summary": encoding.summary, "refused": refused}
    return {"name": encoding.name, **size, **said}


def _table(problem: Problem, sizes: list[dict[str, Any]]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("encoding", "variables", "clauses", "literals", "seconds", "solver"):
        table.add_column(heading, justify="left" if heading in ("encoding", "solver") else "right")
    for size in sizes:
        counts = (size["variables"], size["clauses"], size["literals"])
        seconds = size["build_seconds"]
        table.add_row(
            size["name"],
            *("–" if count is None else f"{count:,}" for count in counts),
            "–" if seconds is None else f"{seconds:.3f}",
            size["solver"],
        )
    console = Console()
    with console.capture() as capture:
        console.print(table)
    # Below the table: beside it they would stand in a column of single words.
    said = [(size["name"], size["refused"] or size["summary"]) for size in sizes]
    return f"{problem.label}\n{capture.get()}{listed(said)}"
