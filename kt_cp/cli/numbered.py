"""What ``sample``, ``rank`` and ``unrank`` share: tours by their numbers, or that there is none."""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.output import remark, say, search_progress, show
from kt_cp.cli.words import completed
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.document import problem_document
from kt_cp.model.errors import EndedError
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted, units
from kt_cp.processes.memory import NUMBA_BYTES, require_memory

if TYPE_CHECKING:
    from kt_cp.counting.numbering import Numbering


METHODS = ("auto", "dense", "frontier", "enumerate")
Method = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Whose numbers: dense, frontier, enumerate, or what suits the problem",
        autocompletion=completed(lambda: METHODS),
    ),
]
Kept = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Keep the tables of dense there, or use those that are"),
]


def numbered(
    problem: Problem,
    time_limit: float | None,
    memory_limit: float | None = None,
    method: str = "auto",
    store: Path | None = None,
) -> Numbering:
    """The tours of a problem by their numbers.

    Raises
    ------
    EndedError
        If that takes longer than the limit.
    """
    clock = Limits(time_limit).clock()
    require_memory(NUMBA_BYTES, "Numba")
    from kt_cp.counting.numbering import Numbering

    with search_progress(problem.label, time_limit) as shown:

        def told(work: Mapping[str, float | None]) -> None:
            if shown is not None:
                shown(work)
            if clock.expired():
                raise EndedError(f"the time limit of {time_limit:g} s was reached")

        return Numbering(problem, method, progress=told, memory_limit=memory_limit, store=store)


def line_of(tours: Numbering, **said: Any) -> str:
    """A line of JSON: the problem, what is said of its tours, and how many they are."""
    problem = tours.problem
    told = {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(problem),
        **said,
        "tours": tours.size,
        "directed": problem.directed,
        "counted": units(problem, directed=problem.directed),
        "method": tours.method,
        "reason": tours.reason,
    }
    return json_module.dumps(told, ensure_ascii=False) + "\n"


def no_tour(tours: Numbering, *, json: bool) -> None:
    """Say that there is none, and why."""
    if json:
        show(line_of(tours))
    else:
        say(f"No tour ({tours.problem.label}): {tours.reason or 'every way was tried'}.\n")


def remark_on(tours: Numbering, what: str) -> None:
    """A line on which tours, of how many, and what makes two of them one."""
    problem = tours.problem
    unit = units(problem, directed=problem.directed)
    remark(f"{problem.label}: {what} of {counted(tours.size, 'tour')}, by {tours.method}; {unit}")
