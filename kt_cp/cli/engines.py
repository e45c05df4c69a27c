"""``kt-cp engines``: what there is, what each can and cannot do."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.output import in_lines, listed, remark, show
from kt_cp.model.conditions import KINDS, Condition, Given, Symmetry
from kt_cp.model.plugins import load_all

if TYPE_CHECKING:
    from kt_cp.encodings import Encoding
    from kt_cp.engines import Engine


def command(*, json: Annotated[bool, typer.Option("--json", help="For programs")] = False) -> int:
    """List the engines."""
    from kt_cp.encodings import encoding_names, get_encoding
    from kt_cp.engines import engine_names, get_engine

    engines, refused = load_all(engine_names(), get_engine)
    encodings, others = load_all(encoding_names(), get_encoding)
    for why in (*refused, *others):
        remark(f"kt-cp: {why}")
    if json:
        show(json_module.dumps([_document(engine) for engine in engines], indent=2) + "\n")
        return 0
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("engine", "can say there is none", "takes up to", "what it is"):
        table.add_column(heading)
    for engine in engines:
        complete = "yes" if engine.complete else "no"
        table.add_row(engine.name.split(":")[0], complete, engine.capacity, engine.summary)
    console = Console()
    with console.capture() as capture:
        console.print(table)
    show(capture.get() + _families(engines, encodings))
    return 0


def _families(engines: list[Engine], encodings: list[Encoding]) -> str:
    from kt_cp.engines.sat import SOLVERS

    before = [
        "All take open and closed tours and prescribed ends, and all but construct also missing "
        "squares, other pieces and surfaces, required and forbidden moves, and general graphs.",
        *(_takers(engines, kind) for kind in (Given, Symmetry)),
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
    names = listed([(it.name, f"{it.summary} (SOLVER {it.solver})") for it in encodings])
    return "{}\n{}{}\n".format(in_lines("\n".join(before)), names, in_lines("\n".join(after)))


def _takers(engines: list[Engine], kind: type[Condition]) -> str:
    takers = [each.name.split(":")[0] for each in engines if kind in each.takes]
    return f"{kind.words.capitalize()}: {', '.join(takers)}."


def _document(engine: Any) -> dict[str, Any]:
    return {
        "name": engine.name,
        "usage": engine.usage,
        "complete": engine.complete,
        "takes": [kind.key for kind in KINDS if kind in engine.takes],
        "interruptible": engine.interruptible,
        "capacity": engine.capacity,
        "summary": engine.summary,
    }
