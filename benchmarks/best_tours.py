"""``python -m benchmarks.best_tours``: the best tours of small boards, for the documentation.

The command writes each answer of ``optimize`` as compressed JSON to ``docs/best-tours/``, and then
``docs/best-tours.md`` from these files.  It replaces a file only by a better tour or bound.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from kt_cp import Problem
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.measures import MEASURES
from kt_cp.model.terms import is_minimized
from kt_cp.optimization import optimize

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "best-tours"
PAGE = DOCS / "best-tours.md"

BOARDS = ("5x5", "5x6", "5x7", "5x8", "6x6", "6x7", "6x8", "7x7", "7x8", "8x8")

LARGER = {"fewest-turns": ("10x10", "12x12")}
"""Larger boards of some objectives, which take up to a quarter of an hour."""

OBJECTIVES = (
    *(f"{sense}-{name}" for name in MEASURES for sense in ("fewest", "most")),
    "longest-uncrossed",
)

PUBLISHED = {
    ("8x8", True, "most-direction"): 34,
    ("8x8", False, "most-direction"): 37,
    **{
        (f"{side}x{side}", closed, "longest-uncrossed"): moves
        for closed, values in ((False, (10, 17, 24, 35)), (True, (8, 12, 24, 32)))
        for side, moves in zip((5, 6, 7, 8), values, strict=True)
    },
}
"""Published values: M. Lange 1931, quoted by G. P. Jelliss, as the best known; OEIS A003192 and
A157416."""

MARKS = {"certificate": "", "sweeps": "ˢ", "cpsat": "ᶜ"}

INTRODUCTION = """\
# The best tours of small boards

This page lists the best tours that `kt-cp optimize` has found. [Find the best
tour](howto/optimize.md) defines the measures. Each number links to a file with the tour and its
certificate, which `kt-cp check FILE` checks. `python -m benchmarks.best_tours` writes the files and
this page.

| mark | meaning |
|---|---|
| none | A certificate proves that no tour is better. |
| ˢ | Two sweeps, one from each end of the board, agree that no tour is better. |
| ᶜ | CP-SAT claims that no tour is better. |
| (bound *n*) | No tour is better than *n*. The best value is unknown. |
| † | The value was known before. |
| – | The board has no closed tour. |

All values were computed with kt_cp. M. Lange found the values for `most-direction` on 8x8 in 1931
(quoted by G. P. Jelliss). The longest uncrossed paths and cycles of square boards are sequences
A003192 and A157416 of the OEIS.
"""


def path_of(board: str, objective: str, *, closed: bool) -> Path:
    """Return the path of the file for an objective."""
    return FOLDER / f"{board}-{'closed' if closed else 'open'}-{objective}.json.gz"


def read(path: Path) -> dict[str, Any] | None:
    """Return the answer in a file, or None if the file does not exist."""
    if not path.exists():
        return None
    answer: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return answer


def questions(objectives: str, boards: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the boards, objectives and kinds of tour that match two regular expressions."""
    for objective in OBJECTIVES:
        for board in (*BOARDS, *LARGER.get(objective, ())):
            for closed in (True, False):
                both = re.search(objectives, objective), re.search(boards, board)
                if all(both) and (not closed or has_closed_tour(board, objective)):
                    yield board, objective, closed


def has_closed_tour(board: str, objective: str) -> bool:
    """Return whether a closed tour exists, or for uncrossed paths a closed path."""
    rows, columns = map(int, board.split("x"))
    return objective == "longest-uncrossed" or rows * columns % 2 == 0


def is_better(new: dict[str, Any], old: dict[str, Any] | None) -> bool:
    """Return whether an answer has a better tour than another one, or else a better bound."""
    if old is None:
        return True
    sign = 1 if is_minimized(new["objective"]) else -1

    def rank(answer: dict[str, Any]) -> tuple[float, float]:
        bound = -math.inf if answer["bound"] is None else sign * answer["bound"]
        return -sign * answer["value"], bound

    return rank(new) > rank(old)


def search(board: str, objective: str, seconds: float, *, closed: bool) -> str:
    """Search for the best tour, write a file if the answer is better, and return a summary."""
    best = optimize(Problem(board, closed=closed), objective, time_limit=seconds)
    found = {"schema_version": SCHEMA_VERSION, **best.to_dict()}
    path = path_of(board, objective, closed=closed)
    if not is_better(found, read(path)):
        return "no better"
    FOLDER.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    return best.summary


def cell(board: str, objective: str, *, closed: bool) -> str:
    """Return the value and the bound in a file, with a link to the file."""
    path = path_of(board, objective, closed=closed)
    if (found := read(path)) is None:
        return "–" if board in BOARDS else ""
    value, bound = found["value"], found["bound"]
    gap = "" if value == bound else f" (bound {bound})" if bound is not None else " (no bound)"
    known = "†" if PUBLISHED.get((board, closed, objective)) == value else ""
    mark = MARKS[found["bound_by"]] if value == bound else ""
    return f"{{download}}`{value}{mark}{known}{gap} <{FOLDER.name}/{path.name}>`"


def page() -> str:
    """Return the page as Markdown."""
    parts = [INTRODUCTION]
    for name in MEASURES:
        table = ["| board | closed: fewest | most | open: fewest | most |", "|---|---|---|---|---|"]
        for board in (*BOARDS, *LARGER.get(f"fewest-{name}", ())):
            cells = [
                cell(board, f"{sense}-{name}", closed=closed)
                for closed in (True, False)
                for sense in ("fewest", "most")
            ]
            table.append(f"| {board} | {' | '.join(cells)} |")
        pictures = [path_of("8x8", f"{sense}-{name}", closed=True) for sense in ("fewest", "most")]
        shown = "\n".join(each.name for each in pictures)
        figures = f"```{{best-tours}}\n{shown}\n```"
        title = name.replace("-", " ").capitalize()
        parts.append("\n\n".join([f"## {title}", "\n".join(table), figures]) + "\n")
    table = ["| board | closed | open |", "|---|---|---|"]
    for board in BOARDS:
        cells = [cell(board, "longest-uncrossed", closed=closed) for closed in (True, False)]
        table.append(f"| {board} | {' | '.join(cells)} |")
    shown = "\n".join(
        path_of("8x8", "longest-uncrossed", closed=closed).name for closed in (True, False)
    )
    figures = f"```{{best-tours}}\n{shown}\n```"
    parts.append("\n\n".join(["## Longest uncrossed path", "\n".join(table), figures]) + "\n")
    return "\n".join(parts)


def main(
    objectives: Annotated[str, typer.Option(metavar="REGEX", help="Objectives")] = "",
    boards: Annotated[str, typer.Option(metavar="REGEX", help="Boards, such as 6x")] = "",
    time_limit: Annotated[float, typer.Option(help="Seconds for each")] = 60.0,
    again: Annotated[bool, typer.Option(help="Search again where there is a gap")] = False,
    write: Annotated[bool, typer.Option(help="Write the page only")] = False,
) -> None:
    """Search for the best tours that have no file yet, and write the page."""
    for board, objective, closed in () if write else questions(objectives, boards):
        found = read(path_of(board, objective, closed=closed))
        if found is not None and (not again or found["value"] == found["bound"]):
            continue
        summary = search(board, objective, time_limit, closed=closed)
        print(f"{board}, {'closed' if closed else 'open'}, {objective}: {summary}", flush=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(typer.run(main))
