"""``python -m benchmarks.best_tours``: the best tours of small boards, for the documentation.

Each optimum is a file of JSON as ``kt-cp optimize`` writes it, compressed, in ``docs/best-tours/``.
A run replaces a file only by a better tour or a better bound, so that hard ones can be continued.
``docs/best-tours.md`` is written from the files.
"""

from __future__ import annotations

import gzip
import json
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

OBJECTIVES = (
    *(f"{sense}-{name}" for name in MEASURES for sense in ("fewest", "most")),
    "longest-uncrossed",
)

MEANINGS = {
    "turns": "Squares where the direction changes.",
    "straight": "Squares where the direction does not change.",
    "right-angles": "Squares where the two moves form an angle of 90 degrees.",
    "acute-angles": "Squares where the two moves form a smaller angle.",
    "obtuse-angles": "Squares where the two moves form a larger angle, and do not go straight on.",
    "direction": "Moves in the most frequent direction, forwards or backwards.",
    "steep": "Moves of two ranks and one file.",
    "run": "Moves in the longest straight run.",
    "crossings": "Pairs of moves that cross.",
    "uncrossed-moves": "Moves that no other crosses.",
    "magic-ranks": "Ranks whose steps have the average sum.",
    "magic-files": "Files whose steps have the average sum.",
}

PUBLISHED = {
    ("8x8", True, "most-direction"): 34,
    ("8x8", False, "most-direction"): 37,
    **{
        (f"{side}x{side}", closed, "longest-uncrossed"): moves
        for closed, values in ((False, (10, 17, 24, 35)), (True, (8, 12, 24, 32)))
        for side, moves in zip((5, 6, 7, 8), values, strict=True)
    },
}
"""Values by others: M. Lange 1931, quoted by G. P. Jelliss, as the best known; OEIS A003192 and
A157416."""

MARKS = {"certificate": "", "sweeps": "ˢ", "cpsat": "ᶜ"}

INTRODUCTION = """\
# The best tours of small boards

This page lists the best known tours for each measure, as `kt-cp optimize` finds them. Follow a
number to the file with the tour and the certificate of its bound; `kt-cp check FILE` checks it.
`python -m benchmarks.best_tours` searches for the files and writes this page.

A plain number is proved by a certificate. ˢ: two sweeps from both ends of the board agree, without
a certificate. ᶜ: CP-SAT claims the bound, without a certificate. Two numbers are the value of the
best known tour and the best known bound. All values were computed with kt_cp. † marks those that
were known before: Lange found tours with so many moves in one direction in 1931 (quoted by G. P.
Jelliss), and the longest uncrossed paths and cycles of square boards are in the OEIS (A003192,
A157416). A dash stands for boards without a closed tour.

Pictures mark what is counted. See [Find the best tour](howto/optimize.md) for the definitions.
"""


def path_of(board: str, objective: str, *, closed: bool) -> Path:
    """The file of an optimum."""
    return FOLDER / f"{board}-{'closed' if closed else 'open'}-{objective}.json.gz"


def read(path: Path) -> dict[str, Any] | None:
    """The optimum of a file, or None if there is no file."""
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


def questions(objectives: str, boards: str) -> Iterator[tuple[str, str, bool]]:
    """Each board, objective and kind of tour whose names match."""
    for objective in OBJECTIVES:
        for board in BOARDS:
            for closed in (True, False):
                both = re.search(objectives, objective), re.search(boards, board)
                if all(both) and (not closed or has_closed_tour(board, objective)):
                    yield board, objective, closed


def has_closed_tour(board: str, objective: str) -> bool:
    """Whether the board has a closed tour; any board has a closed path."""
    rows, columns = map(int, board.split("x"))
    return objective == "longest-uncrossed" or rows * columns % 2 == 0


def is_better(new: dict[str, Any], old: dict[str, Any] | None) -> bool:
    """Whether a tour or a bound is better, or was shown in a better way."""
    if old is None:
        return True
    sign = 1 if is_minimized(new["objective"]) else -1
    values = [sign * each["value"] for each in (new, old)]
    bounds = [
        float("-inf") if each["bound"] is None else sign * each["bound"] for each in (new, old)
    ]
    return (-values[0], bounds[0]) > (-values[1], bounds[1])


def search(board: str, objective: str, seconds: float, *, closed: bool) -> str:
    """Search for an optimum, write its file if it is better, and say so."""
    best = optimize(Problem(board, closed=closed), objective, time_limit=seconds)
    found = {"schema_version": SCHEMA_VERSION, **best.to_dict()}
    path = path_of(board, objective, closed=closed)
    if not is_better(found, read(path)):
        return "no better"
    FOLDER.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    return best.summary


def cell(board: str, objective: str, *, closed: bool) -> str:
    """The value and the bound of a file, with a link to it."""
    path = path_of(board, objective, closed=closed)
    if (found := read(path)) is None:
        return "–"
    value, bound = found["value"], found["bound"]
    both = f"{value}" if value == bound else f"{value} ({'?' if bound is None else bound})"
    known = "†" if PUBLISHED.get((board, closed, objective)) == value else ""
    mark = MARKS.get(found["bound_by"], "")
    return f"{{download}}`{both}{mark}{known} <{FOLDER.name}/{path.name}>`"


def page() -> str:
    """The page, as Markdown."""
    parts = [INTRODUCTION]
    for name in MEASURES:
        table = ["| board | closed: fewest | most | open: fewest | most |", "|---|---|---|---|---|"]
        for board in BOARDS:
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
        parts.append("\n\n".join([f"## {title}", MEANINGS[name], "\n".join(table), figures]) + "\n")
    table = ["| board | closed | open |", "|---|---|---|"]
    for board in BOARDS:
        cells = [cell(board, "longest-uncrossed", closed=closed) for closed in (True, False)]
        table.append(f"| {board} | {' | '.join(cells)} |")
    shown = "\n".join(
        path_of("8x8", "longest-uncrossed", closed=closed).name for closed in (True, False)
    )
    text = "Moves of the longest path, or closed path, that does not cross itself."
    figures = f"```{{best-tours}}\n{shown}\n```"
    parts.append("\n\n".join(["## Longest uncrossed", text, "\n".join(table), figures]) + "\n")
    return "\n".join(parts)


def main(
    objectives: Annotated[str, typer.Option(metavar="REGEX", help="Objectives")] = "",
    boards: Annotated[str, typer.Option(metavar="REGEX", help="Boards, such as 6x")] = "",
    time_limit: Annotated[float, typer.Option(help="Seconds for each")] = 60.0,
    again: Annotated[bool, typer.Option(help="Search again where there is a gap")] = False,
    write: Annotated[bool, typer.Option(help="Write the page alone")] = False,
) -> None:
    """Search for the best tours that have no file yet, and write the page."""
    for board, objective, closed in () if write else questions(objectives, boards):
        found = read(path_of(board, objective, closed=closed))
        if found is not None and (not again or found["value"] == found["bound"]):
            continue
        said = search(board, objective, time_limit, closed=closed)
        print(f"{board}, {'closed' if closed else 'open'}, {objective}: {said}", flush=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(typer.run(main))
