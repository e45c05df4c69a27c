"""Puzzles: solved, and shown to have no other solution, one core, kernels compiled.

Each kind is one process: it makes its puzzles, seeds counted up, none with a clue to spare, unless
they are kept from an earlier run.  Then it times every one of them from its numbers to the end of
the search, by the processor's clock, and the same by clingo.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median, quantiles

from benchmarks.case import job
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import table, target, title
from benchmarks.measure import Results
from benchmarks.plan import Plan

KINDS = {
    "Numbrix 9x9": ("9x9", "wazir", "open", 5.0),
    "Hidato 8x8": ("8x8", "king", "open", 5.0),
    "knight 8x8 closed": ("8x8", "knight", "closed", 20.0),
    "knight 8x8 open": ("8x8", "knight", "open", 20.0),
}
"""Board, piece and kind, and the milliseconds that half of the puzzles may take."""

MOST_SECONDS = 2.0
"""Of any of them."""

TIMES_CLINGO = 10.0
"""As many times as fast as clingo, in the median."""

MAKING_SECONDS = 2.0
"""Of making one, in the median."""

LIMIT = 3600.0
"""Seconds to make and to time a thousand."""


def ladders(plan: Plan) -> list[Ladder]:
    """A case for each kind, once."""
    cases = [
        job(name, "enumerate", ("puzzles", *kind[:3], plan.puzzles), LIMIT)
        for name, kind in KINDS.items()
    ]
    return ladders_of(cases, (1,))


def report(plan: Plan, results: Results) -> Iterator[str]:
    """A row for each kind."""
    yield from title(
        f"Puzzles with one solution, {plan.puzzles:,} of each kind: solved and refuted"
    )
    rows, targets = [], []
    for name, (_, _, _, most) in KINDS.items():
        for run in results.runs("puzzles", name, "enumerate"):
            times = [1000 * seconds for seconds in run.values.get("times", ())]
            if not times:
                rows.append([name, run.status, *[""] * 6])
                continue
            spread = median(times), quantiles(times, n=10)[-1], max(times)
            clues = f"{min(run.values['clues'])} to {max(run.values['clues'])}"
            making = median(run.values["making"])
            beside = [1000 * seconds for seconds in run.values["clingo"]]
            factor = median(beside) / spread[0] if beside else 0.0
            others = [f"{median(beside):.0f}", f"{max(beside):.0f}"] if beside else ["", ""]
            cells = [f"{value:.1f}" for value in spread]
            rows.append([name, *cells, *others, clues, f"{1000 * making:.0f}"])
            met = spread[0] < most and spread[2] < 1000 * MOST_SECONDS
            text = f"{name}: {spread[0]:.1f} ms in the median, {spread[2]:.0f} ms at worst"
            targets.append(target(f"{text} (under {most:g} ms and {MOST_SECONDS:g} s)", met))
            text = f"{name}: made in {making:.2f} s in the median (at most {MAKING_SECONDS:g})"
            targets.append(target(text, making <= MAKING_SECONDS))
            if beside:
                text = f"{name}: {factor:.1f} times as fast as clingo (at least {TIMES_CLINGO:g})"
                targets.append(target(text, factor >= TIMES_CLINGO))
    head = [
        "puzzles", "median ms", "90 % ms", "worst ms", "clingo, median ms", "worst ms", "clues",
        "made in ms, median",
    ]  # fmt: skip
    yield from table(head, rows)
    yield ""
    yield from targets
