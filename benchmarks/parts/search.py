"""Closed boards of growing sides, by all who have something to find tours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks.case import Case, Run, job
from benchmarks.ladder import Ladder
from benchmarks.markdown import in_seconds, outcome, table, target, title
from benchmarks.measure import Results
from benchmarks.plan import CLINGO, PLAIN, SAT, YARDSTICKS, Plan
from benchmarks.yardsticks import installed

MOST = {PLAIN: 100, "clingo": 100, "lkh": 40}
"""The largest side for those who would only run into the limit, or out of memory, above it."""

LIMIT, LONG_LIMIT, LONG = 120.0, 600.0, 1000
"""Most seconds of an engine, from side ``LONG`` on more; the yardsticks have the plan's limit."""

CPSAT, CPSAT_SIDES = "cpsat", (20, 30, 40, 50, 60)
CPSAT_FAST, CPSAT_TIMES = (60, 100), 2
SAT_SIDE, SAT_TIMES = 100, 50
SAT_WIDE, SAT_WIDE_SECONDS, SAT_WIDE_SEEDS = 500, 60.0, 4
SAT_WIDEST, SAT_WIDEST_SECONDS, SAT_WIDEST_MEGABYTES = 1000, 600.0, 12_000.0
HEAVY = 100
"""Side from which memory is told."""


def limit(candidate: str, side: int, most: float) -> float:
    """Seconds that one run may take."""
    if candidate in YARDSTICKS:
        return most
    return min(most, LONG_LIMIT if side >= LONG else LIMIT)


def ladders(plan: Plan) -> list[Ladder]:
    """A ladder for each candidate that is installed."""

    def rung(name: str, side: int) -> Case:
        most = limit(name, side, plan.search_limit)
        return job(f"{side}x{side}", name, ("search", name, side, "{seed}"), most, side)

    return [
        Ladder(
            [rung(name, side) for side in plan.sides if side <= MOST.get(name, side)],
            plan.seeds,
            all_cores=name == PLAIN,
        )
        for name in plan.candidates
        if installed(name)
    ]


def report(plan: Plan, results: Results) -> Iterator[str]:
    """Tables and targets."""
    yield from title("Closed tours, seconds to build and solve")
    searched = _Searched(plan, results)
    names = plan.candidates
    boards = [(side, f"{side}x{side}") for side in plan.sides]
    rows = [[board, *(searched.cell(it, side) for it in names)] for side, board in boards]
    yield from table(["board", *names], rows)
    yield ""
    yield "Medians, and in brackets the fastest and the slowest seed. A dash: not run, as most"
    yield "seeds of a smaller board failed, or as the candidate is left out there."
    short, long = (limit(SAT, side, plan.search_limit) for side in (0, LONG))
    yield f"At most {plan.search_limit:g} s for a yardstick, {short:g} s for an engine, and"
    yield f"{long:g} s for one from side {LONG} on."
    compared = [it for it in names if it != PLAIN and it in searched.names]
    if PLAIN in searched.names and compared:
        yield from title("The plain script's median, in medians of the others")
        rows = [
            [board, *(searched.ratio_cell(it, side) for it in compared)]
            for side, board in boards
            if searched.runs(PLAIN, side)
        ]
        yield from table(["board", *(f"{PLAIN} / {it}" for it in compared)], rows)
    heavy = [(side, board) for side, board in boards if side >= HEAVY]
    if heavy:
        yield from title("Most memory of one run, MB")
        rows = [[board, *(searched.megabytes(who, side) for who in names)] for side, board in heavy]
        yield from table(["board", *names], rows)
    yield ""
    yield from searched.cpsat_targets()
    yield from searched.sat_targets()


class _Searched:
    def __init__(self, plan: Plan, results: Results) -> None:
        self.plan = plan
        self.results = results
        self.names = results.names("search")[1]

    def runs(self, name: str, side: int) -> list[Run]:
        return self.results.runs("search", f"{side}x{side}", name)

    def median(self, name: str, side: int) -> float:
        return median(run.seconds for run in self.runs(name, side))

    def at_least(self, name: str, side: int, run: Run) -> float:
        """Seconds which a run takes at least: the limit after a timeout, nothing after a crash."""
        if run.status == "TIMEOUT":
            return limit(name, side, self.plan.search_limit)
        return run.seconds if run.status == "FOUND" else 0.0

    def ratio(self, other: str, name: str, side: int) -> float:
        """How often one median fits into the other's, at least."""
        theirs = median(self.at_least(other, side, run) for run in self.runs(other, side))
        return theirs / self.median(name, side)

    def cell(self, name: str, side: int) -> str:
        """Median seconds with the spread, and what the runs without a tour said."""
        if not installed(name):
            return "not installed"
        runs = self.runs(name, side)
        return outcome(runs, limit(name, side, self.plan.search_limit)) if runs else "—"

    def ratio_cell(self, name: str, side: int) -> str:
        if not self.runs(name, side):
            return "—"
        at_least = "≥ " if math.isinf(self.median(PLAIN, side)) else ""
        return f"{at_least}{self.ratio(PLAIN, name, side):.3g}"

    def megabytes(self, name: str, side: int) -> str:
        runs = self.runs(name, side)
        peaks = [run.values["megabytes"] for run in runs if "megabytes" in run.values]
        return f"{max(peaks):,.0f}" if peaks else "—"

    def cpsat_targets(self) -> Iterator[str]:
        both = [it for it in self.plan.sides if self.runs(PLAIN, it) and self.runs(CPSAT, it)]
        sides = [side for side in CPSAT_SIDES if side in both]
        if sides:
            faster = (self._faster(side, seed) for side in sides for seed in self.plan.seeds)
            text = f"{CPSAT} is {(times := median(faster)):.1f} times as fast as the plain script, "
            text += f"median over boards {sides[0]} to {sides[-1]} and seeds (at least 1)"
            yield target(text, times >= 1)
        for side in CPSAT_FAST:
            if side in both:
                board = f"{side}x{side}"
                times = self.ratio(PLAIN, CPSAT, side)
                text = f"{CPSAT} is {times:.3g} times as fast as the plain script at {board}, by "
                yield target(f"{text}medians (at least {CPSAT_TIMES})", times >= CPSAT_TIMES)
                slowest = max(run.seconds for run in self.runs(CPSAT, side))
                plain = median(self.at_least(PLAIN, side, it) for it in self.runs(PLAIN, side))
                text = f"{CPSAT}'s slowest seed takes {in_seconds(slowest)} s at {board}, the plain"
                text += f" script's median is {in_seconds(plain)} s (no slower)"
                yield target(text, slowest <= plain)

    def _faster(self, side: int, seed: int) -> float:
        """How often one run of CP-SAT fits into the plain script's, at least."""
        board = f"{side}x{side}"
        plain, own = (self.results.by_seed("search", board, it).get(seed) for it in (PLAIN, CPSAT))
        if plain is None or own is None:
            return 0.0
        return self.at_least(PLAIN, side, plain) / own.seconds

    def sat_targets(self) -> Iterator[str]:
        for other in (PLAIN, CLINGO):
            if self.runs(other, SAT_SIDE) and self.runs(SAT, SAT_SIDE):
                times, more = self.ratio(other, SAT, SAT_SIDE), ""
                if math.isinf(self.median(other, SAT_SIDE)):
                    more = " or less"
                part = f"1/{times:.0f}{more}" if times >= 1 else f"{1 / times:.3g} times"
                if not times:
                    part = "no part"
                text = f"{SAT} needs {part} of {other}'s time at {SAT_SIDE}x{SAT_SIDE}, by medians"
                yield target(f"{text} (at most 1/{SAT_TIMES})", times >= SAT_TIMES)
        if runs := self.runs(SAT, SAT_WIDE):
            done = sum(run.seconds <= SAT_WIDE_SECONDS for run in runs)
            text = f"{SAT}: {done} of {len(runs)} seeds within {SAT_WIDE_SECONDS:g} s at {SAT_WIDE}"
            least = -(-SAT_WIDE_SEEDS * len(self.plan.seeds) // 5)
            yield target(f"{text}x{SAT_WIDE} (at least {least})", done >= least)
        if runs := self.runs(SAT, SAT_WIDEST):
            seconds = max(run.seconds for run in runs)
            memory = max(run.values.get("megabytes", math.inf) for run in runs)
            text = f"{SAT}: at most {in_seconds(seconds)} s and {memory:,.0f} MB at {SAT_WIDEST}x"
            text += f"{SAT_WIDEST} ({SAT_WIDEST_SECONDS:g} s and {SAT_WIDEST_MEGABYTES:,.0f} MB)"
            met = seconds <= SAT_WIDEST_SECONDS and memory <= SAT_WIDEST_MEGABYTES
            yield target(text, met)
