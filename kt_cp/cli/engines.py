"""``kt-cp engines``: all engines, and what each can and cannot do.

``kt-cp encodings``: the encodings, and how large each makes a problem.
"""

from __future__ import annotations

import json as json_module
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.output import format_list, print_result, remark, terminal_width, wrap_text
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.model.board import Board
from kt_cp.model.conditions import KINDS, Condition, Given, Symmetry
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.limits import Clock
from kt_cp.model.plugins import load_all
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from kt_cp.encodings import Encoding
    from kt_cp.engines import Engine


def engines_command(
    *, json: Annotated[bool, typer.Option("--json", help="Print JSON")] = False
) -> int:
    """List the engines."""
    from kt_cp.encodings import encoding_names, get_encoding
    from kt_cp.engines import engine_names, get_engine

    engines, refused = load_all(engine_names(), get_engine)
    encodings, others = load_all(encoding_names(), get_encoding)
    for why in (*refused, *others):
        remark(f"kt-cp: {why}")
    if json:
        print_result(
            json_module.dumps([_engine_document(engine) for engine in engines], indent=2) + "\n"
        )
        return 0
    rows = [
        (each.name.split(":")[0], "yes" if each.complete else "no", each.capacity, each.summary)
        for each in engines
    ]
    if terminal_width() < LEAST_WIDTH:
        text = format_list(
            [
                (name, f"{what}; takes up to {most}; can{'' if can == 'yes' else 'not'} refute")
                for name, can, most, what in rows
            ]
        )
    else:
        text = _table(["engine", "can refute", "takes up to", "what it is"], rows)
    print_result(text + _options_text(engines, encodings))
    return 0


LEAST_WIDTH = 72
"""Characters of a line below which the table of engines would break words."""


def _table(headings: list[str], rows: Iterable[Sequence[str]], left: Collection[str] = ()) -> str:
    """Return a table; if ``left`` names columns, the others hold numbers."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="left" if not left or heading in left else "right")
    for row in rows:
        table.add_row(*row)
    console = Console()
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def _options_text(engines: list[Engine], encodings: list[Encoding]) -> str:
    from kt_cp.engines.sat import SOLVERS

    before = [
        "All take open and closed tours and prescribed ends, and all but construct also missing "
        "squares, other pieces and surfaces, required and forbidden moves, and general graphs.",
        *(_engines_that_take(engines, kind) for kind in (Given, Symmetry)),
        *(f"Options: {each.usage}" for each in engines if "[" in each.usage),
        "ENCODING is one of",
    ]
    after = [
        *(
            f"with {kind.words} one of {', '.join(e.name for e in encodings if kind in e.takes)}"
            for kind in (Given, Symmetry)
        ),
        f"SOLVER is one of {', '.join(SOLVERS)}",
    ]
    names = format_list(
        [(entry.name, f"{entry.summary} (SOLVER {entry.solver})") for entry in encodings]
    )
    return "{}\n{}{}\n".format(wrap_text("\n".join(before)), names, wrap_text("\n".join(after)))


def _engines_that_take(engines: list[Engine], kind: type[Condition]) -> str:
    takers = [each.name.split(":")[0] for each in engines if kind in each.takes]
    return f"{kind.words.capitalize()}: {', '.join(takers)}."


def _engine_document(engine: Any) -> dict[str, Any]:
    return {
        "name": engine.name,
        "usage": engine.usage,
        "complete": engine.complete,
        "takes": [kind.key for kind in KINDS if kind in engine.takes],
        "interruptible": engine.interruptible,
        "capacity": engine.capacity,
        "summary": engine.summary,
    }


USUAL_BOARD = "8x8"
"""The board on which encodings are measured by default."""


@with_problem_options(
    board=typer.Argument(
        metavar="BOARD", help="ROWSxCOLUMNS, such as 8x10", show_default=USUAL_BOARD
    )
)
def encodings_command(
    question: ProblemOptions,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print JSON")] = False,
) -> int:
    """List the encodings with the sizes of their formulas for a board.

    Variables, clauses and literals of each formula, the seconds it takes to build, and the solver
    that does best on it. Without a board: 8x8.
    """
    from kt_cp.encodings import encoding_names, get_encoding

    problem = question.problem(Board.parse(USUAL_BOARD))
    if problem.directed:
        raise NotTakenError(
            f"{problem.label}: expected a board or an undirected graph for a formula"
        )
    encodings, refused = load_all(encoding_names(), get_encoding)
    for why in refused:
        remark(f"kt-cp: {why}")
    sizes = [_measure_encoding(encoding, problem) for encoding in encodings]
    if json:
        print_result(json_module.dumps(sizes, indent=2) + "\n")
    else:
        print_result(_encoding_table(problem, sizes))
    return 0


def _measure_encoding(encoding: Encoding, problem: Problem) -> dict[str, Any]:
    """Return the size of an encoding's formula for a problem, or why there is no formula."""
    from kt_cp.formats.formula import encode

    clock, refused = Clock(None), None
    size = dict.fromkeys(("variables", "clauses", "literals", "build_seconds"))
    try:
        cnf = encode(encoding, problem)
    except (NotTakenError, TooLargeError) as error:
        refused = str(error)
    else:
        size = {
            "variables": cnf.variables,
            "clauses": len(cnf.clauses),
            "literals": sum(map(len, cnf.clauses)),
            "build_seconds": round(clock.elapsed, 4),
        }
    details = {"solver": encoding.solver, "summary": encoding.summary, "refused": refused}
    return {"name": encoding.name, **size, **details}


def _encoding_table(problem: Problem, sizes: list[dict[str, Any]]) -> str:
    columns = {"encoding": [size["name"] for size in sizes]}
    for name in ("variables", "clauses", "literals"):
        columns[name] = ["–" if size[name] is None else f"{size[name]:,}" for size in sizes]
    times = [size["build_seconds"] for size in sizes]
    columns["seconds"] = ["–" if seconds is None else f"{seconds:.3f}" for seconds in times]
    columns["solver"] = [size["solver"] for size in sizes]
    for name in ("literals", "seconds", "solver", "variables"):  # left out where it is narrow
        widths = [max(map(len, [heading, *column])) for heading, column in columns.items()]
        if sum(widths) + 3 * len(widths) <= terminal_width():
            break
        del columns[name]
    rows = zip(*columns.values(), strict=True)
    table = _table([*columns], rows, left=("encoding", "solver"))
    # Below the table: beside it they would stand in a column of single words.
    details = [(size["name"], size["refused"] or size["summary"]) for size in sizes]
    return f"{problem.label}\n{table}{format_list(details)}"
