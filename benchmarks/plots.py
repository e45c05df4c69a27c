"""The plots of a run: who climbed how far, and how long refutations take."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks import SAT, Plan
from benchmarks.ladder import Ladder
from benchmarks.limits import Question
from benchmarks.measure import Results
from benchmarks.process import Run
from benchmarks.search import limit as own_limit
from kt_cp import Board
from kt_cp.render.plot import Curve, Panel, Point, Sign, plot_svg, point

PLOTS = ("search", "oneshot", "refutations")
"""The parts that have one, each in a file of its name."""

ALTERNATIVES = {
    "search": "Closed tours: seconds against squares",
    "oneshot": "One-shot formulas: seconds against squares, by encoding",
    "refutations": "Refutations: seconds against squares, by encoding",
}
"""What they show, for those who do not see them."""

_FAILED = {"TIMEOUT": Sign.TIME, "MEMORY": Sign.MEMORY, "REFUSED": Sign.OPEN, "UNKNOWN": Sign.OPEN}


def plots(plan: Plan, results: Results) -> dict[str, str]:
    """SVG of each plot of the parts that were measured, by its name."""
    seeds = f"Medians of {len(plan.seeds)} seeds" if len(plan.seeds) > 1 else "One seed"
    drawn = {}
    for name in PLOTS:
        if name not in plan.parts:
            continue
        limit = {
            "search": plan.search_limit,
            "oneshot": plan.oneshot.seconds,
            "refutations": plan.refuting.seconds,
        }[name]
        panels = _refutations(results) if name == "refutations" else [_climbed(name, results)]
        panels = [panel for panel in panels if any(curve.points for curve in panel.curves)]
        if panels:
            drawn[name] = plot_svg(
                panels,
                title=ALTERNATIVES[name],
                limit=limit,
                caption=f"{seeds}.{_engines(plan) if name == 'search' else ''}",
            )
    return drawn


def _engines(plan: Plan) -> str:
    """What the line of the limit does not tell."""
    most = own_limit(SAT, 0, plan.search_limit)
    return "" if most == plan.search_limit else f" Engines of kt_cp were ended after {most:g} s."


def _climbed(part: str, results: Results) -> Panel:
    ladders = (results.search if part == "search" else results.oneshot).ladders
    curves = []
    for name, ladder in ladders.items():
        points = [
            _point(side * side, f"{side}x{side}", runs, Sign.FOUND)
            for side in ladder.sides
            if (runs := _runs(ladder, side))
        ]
        curves.append(Curve(name, points))
    return Panel("Closed tours: seconds to build and solve", curves)


def _refutations(results: Results) -> Iterable[Panel]:
    ladders = results.refutations.ladders
    for kind in dict.fromkeys(question.kind for question, _ in ladders):
        curves = []
        for name in dict.fromkeys(name for _, name in ladders):
            asked = [it for it, who in ladders if who == name and it.kind == kind]
            points = [
                _refuted(question, ladders[question, name])
                for question in asked
                if len(question.boards) == 1
            ]
            curves.append(Curve(name, points))
        yield Panel(f"Refutations, {kind}: seconds to build and solve", curves)


def _refuted(question: Question, ladder: Ladder) -> Point:
    (name,) = question.boards
    return _point(len(Board.parse(name)), name, [*ladder.runs.values()], Sign.NONE)


def _runs(ladder: Ladder, side: int) -> list[Run]:
    return [ladder.runs[side, seed] for seed in ladder.seeds if (side, seed) in ladder.runs]


def _point(squares: int, name: str, runs: list[Run], sign: Sign) -> Point:
    came = [
        (run.seconds, sign) if run.status == "FOUND" else (0, _FAILED.get(run.status, Sign.FAILED))
        for run in runs
    ]
    return point(squares, name, came)
