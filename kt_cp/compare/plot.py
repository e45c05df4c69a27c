"""A comparison as a picture: seconds against squares, a curve for each engine."""

from __future__ import annotations

from collections.abc import Iterable

from kt_cp.board import square_name
from kt_cp.compare.row import Run
from kt_cp.compare.run import Comparison
from kt_cp.render.plot import Curve, Panel, Point, Sign, plot_svg, point
from kt_cp.render.scale import number

_SIGNS = {
    "FOUND": Sign.FOUND,
    "IMPOSSIBLE": Sign.NONE,
    "TIMEOUT": Sign.TIME,
    "MEMORY": Sign.MEMORY,
    "UNKNOWN": Sign.OPEN,
    "REFUSED": Sign.OPEN,
    "CRASH": Sign.FAILED,
    "UNSOUND": Sign.FAILED,
}
"""What a verdict is drawn as."""


def comparison_svg(comparison: Comparison) -> str:
    """SVG of a comparison: open and closed tours on a panel each.

    Seconds are those to build and to solve; the judge's are nobody's.
    """
    panels = []
    for closed, kind in ((False, "Open"), (True, "Closed")):
        rows = [row for row in comparison.runs if row.case.closed is closed]
        if rows:
            heading = f"{kind} tours: seconds to build and solve"
            panels.append(Panel(heading, [*_curves(rows)]))
    title = "Seconds to build and solve, against squares, by engine"
    limits = comparison.limits
    return plot_svg(panels, title=title, limit=limits.seconds, caption=_caption(comparison))


def _curves(rows: list[Run]) -> Iterable[Curve]:
    for engine in dict.fromkeys(row.engine for row in rows):
        own = [row for row in rows if row.engine == engine]
        cases = dict.fromkeys(row.case for row in own)
        yield Curve(engine, [_point([row for row in own if row.case == case]) for case in cases])


def _point(rows: list[Run]) -> Point:
    board = rows[0].case.board
    name = str(board)
    if board.missing:
        name += f" less {', '.join(square_name(square) for square in sorted(board.missing))}"
    runs = [(_seconds(row), _SIGNS[row.verdict]) for row in rows]
    return point(len(board), name, runs)


def _seconds(row: Run) -> float:
    return sum(row.statistics.get(name, 0.0) for name in ("build_seconds", "solve_seconds"))


def _caption(comparison: Comparison) -> str:
    """How often each was run, and within which limits."""
    pairs = {(row.case, row.engine) for row in comparison.runs}
    repeats = len(comparison.runs) // max(len(pairs), 1)
    many = "One run each" if repeats == 1 else f"Medians of {repeats} runs each"
    limits = comparison.limits
    most = [
        f"{number(value)} {unit}"
        for value, unit in ((limits.seconds, "s"), (limits.megabytes, "MB"))
        if value is not None
    ]
    return f"{many}{', at most ' * bool(most)}{' and '.join(most)}."
