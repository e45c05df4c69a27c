"""The plots of a run: who climbed how far, and how long refutations take."""

from __future__ import annotations

from benchmarks.case import Run
from benchmarks.measure import Results
from benchmarks.parts.search import limit as own_limit
from benchmarks.plan import SAT, Plan
from kt_cp import Board
from kt_cp.render.plot import Curves, Point, Sign, plot, point

PLOTS = ("search", "oneshot", "refutations")
"""The parts that have one, each in a file of its name."""

ALTERNATIVES = {
    "search": "Closed tours: seconds against squares",
    "oneshot": "One-shot formulas: seconds against squares, by encoding",
    "refutations": "Refutations: seconds against squares, by encoding",
}
"""What they show, for those who do not see them."""

PLAIN_WORDS = "plain: CP-SAT with a single circuit and no more."
"""What stands behind a name that does not say it."""

_FAILED = {"TIMEOUT": Sign.TIME, "MEMORY": Sign.MEMORY, "REFUSED": Sign.OPEN, "UNKNOWN": Sign.OPEN}


def plots(plan: Plan, results: Results) -> dict[str, bytes]:
    """SVG of each plot of the parts that were measured, by its name."""
    drawn = {}
    for name, panels in shown(plan, results).items():
        limit = {
            "search": plan.search_limit,
            "oneshot": plan.climb_limit,
            "refutations": plan.refute_limit,
        }[name]
        caption = f"{_seeds(plan)}{_engines(plan) if name == 'search' else ''}"
        drawn[name] = plot(panels, title=ALTERNATIVES[name], limit=limit, caption=caption)
    return drawn


def shown(plan: Plan, results: Results) -> dict[str, dict[str, Curves]]:
    """The panels of each plot, if there is anything on them."""
    drawn = {name: _panels(name, results) for name in PLOTS if name in plan.parts}
    return {name: panels for name, panels in drawn.items() if panels}


def _panels(part: str, results: Results) -> dict[str, Curves]:
    panels: dict[str, dict[str, list[Point]]] = {}
    for ladder in results.ladders.get(part, ()):
        for case in ladder.cases:
            board, *words = case.row.split()
            runs = ladder.by_seed(case).values()
            if runs and "boards" not in words:  # several of them are one row, and no point
                kind = f"Refutations, {words[0]}" if words else "Closed tours"
                curves = panels.setdefault(f"{kind}: seconds to build and solve", {})
                sign = Sign.NONE if words else Sign.FOUND
                came = [_came(run, sign) for run in runs]
                curves.setdefault(case.who, []).append(point(len(Board.parse(board)), board, came))
    return {**panels}


def _came(run: Run, sign: Sign) -> tuple[float, Sign]:
    if run.status == "FOUND":
        return run.seconds, sign
    return 0, _FAILED.get(run.status, Sign.FAILED)


def _seeds(plan: Plan) -> str:
    return f"Medians of {len(plan.seeds)} seeds." if len(plan.seeds) > 1 else "One seed."


def _engines(plan: Plan) -> str:
    """What the line of the limit does not tell."""
    most = own_limit(SAT, 0, plan.search_limit)
    ended = "" if most == plan.search_limit else f" Engines of kt_cp were ended after {most:g} s."
    return f"{ended} {PLAIN_WORDS}"
