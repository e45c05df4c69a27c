"""The part ``search`` as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks import CLINGO, PLAIN, SAT, Plan
from benchmarks.markdown import in_seconds, outcome, table, target, title
from benchmarks.process import Run
from benchmarks.search import LONG, Searched, limit

CPSAT_SIDES = (20, 30, 40, 50, 60)
CPSAT_FAST, CPSAT_TIMES = (60, 100), 2
SAT_SIDE, SAT_TIMES = 100, 50
SAT_WIDE, SAT_WIDE_SECONDS, SAT_WIDE_SEEDS = 500, 60.0, 4
SAT_WIDEST, SAT_WIDEST_SECONDS, SAT_WIDEST_MEGABYTES = 1000, 600.0, 12_000.0
HEAVY = 100
"""Side from which memory is told."""


def search(plan: Plan, results: Searched) -> Iterator[str]:
    """Tables and targets."""
    yield from title("Closed tours, seconds to build and solve")
    names = plan.candidates
    rows = [
        [f"{side}x{side}", *(_cell(plan, results, it, side) for it in names)] for side in plan.sides
    ]
    yield from table(["board", *names], rows)
    yield ""
    yield "Medians, and in brackets the fastest and the slowest seed. A dash: not run, as most"
    yield "seeds of a smaller board failed, or as the candidate is left out there."
    short, long = (limit(SAT, side, plan.search_limit) for side in (0, LONG))
    yield f"At most {plan.search_limit:g} s for a yardstick, {short:g} s for an engine, and"
    yield f"{long:g} s for one from side {LONG} on."
    compared = [it for it in names[1:] if it in results.ladders] if PLAIN in names else []
    if PLAIN in results.ladders and compared:
        yield from title("The plain script's median, in medians of the others")
        rows = [
            [f"{side}x{side}", *(_ratio(plan, results, it, side) for it in compared)]
            for side in plan.sides
            if results.runs(PLAIN, side)
        ]
        yield from table(["board", *(f"{PLAIN} / {it}" for it in compared)], rows)
    heavy = [side for side in plan.sides if side >= HEAVY]
    if heavy:
        yield from title("Most memory of one run, MB")
        rows = [
            [f"{it}x{it}", *(_megabytes(results.runs(who, it)) for who in names)] for it in heavy
        ]
        yield from table(["board", *names], rows)
    yield ""
    yield from _targets(plan, results)


def _targets(plan: Plan, results: Searched) -> Iterator[str]:
    yield from _cpsat(plan, results)
    if SAT not in results.ladders:
        return
    for other in (PLAIN, CLINGO):
        if results.runs(other, SAT_SIDE) and results.runs(SAT, SAT_SIDE):
            times, more = side_ratio(plan, results, other, SAT, SAT_SIDE), ""
            if math.isinf(results.seconds(other, SAT_SIDE)):
                more = " or less"
            part = f"1/{times:.0f}{more}" if times >= 1 else f"{1 / times:.3g} times"
            if not times:
                part = "no part"
            text = f"{SAT} needs {part} of {other}'s time at {SAT_SIDE}x{SAT_SIDE}, by medians"
            yield target(f"{text} (at most 1/{SAT_TIMES})", times >= SAT_TIMES)
    runs = results.runs(SAT, SAT_WIDE)
    if runs:
        done = sum(run.seconds <= SAT_WIDE_SECONDS for run in runs)
        text = f"{SAT}: {done} of {len(runs)} seeds within {SAT_WIDE_SECONDS:g} s at {SAT_WIDE}x"
        least = -(-SAT_WIDE_SEEDS * len(plan.seeds) // 5)
        yield target(f"{text}{SAT_WIDE} (at least {least})", done >= least)
    runs = results.runs(SAT, SAT_WIDEST)
    if runs:
        seconds = max(run.seconds for run in runs)
        memory = max(run.values.get("megabytes", math.inf) for run in runs)
        text = f"{SAT}: at most {in_seconds(seconds)} s and {memory:,.0f} MB at {SAT_WIDEST}x"
        text += f"{SAT_WIDEST} ({SAT_WIDEST_SECONDS:g} s and {SAT_WIDEST_MEGABYTES:,.0f} MB)"
        met = seconds <= SAT_WIDEST_SECONDS and memory <= SAT_WIDEST_MEGABYTES
        yield target(text, met)


def _cpsat(plan: Plan, results: Searched) -> Iterator[str]:
    name = "cpsat"
    if not {PLAIN, name} <= set(results.ladders):
        return
    both = [it for it in plan.sides if results.runs(PLAIN, it) and results.runs(name, it)]
    sides = [side for side in CPSAT_SIDES if side in both]
    if sides:
        times = median(
            times_faster(plan, results, name, side, seed) for side in sides for seed in plan.seeds
        )
        text = f"{name} is {times:.1f} times as fast as the plain script, median over boards "
        yield target(f"{text}{sides[0]} to {sides[-1]} and seeds (at least 1)", times >= 1)
    for side in CPSAT_FAST:
        if side in both:
            board = f"{side}x{side}"
            times = side_ratio(plan, results, PLAIN, name, side)
            text = f"{name} is {times:.3g} times as fast as the plain script at {board}, by medians"
            yield target(f"{text} (at least {CPSAT_TIMES})", times >= CPSAT_TIMES)
            slowest = max(run.seconds for run in results.runs(name, side))
            plain = median(_at_least(plan, PLAIN, side, run) for run in results.runs(PLAIN, side))
            text = f"{name}'s slowest seed takes {in_seconds(slowest)} s at {board}, the plain "
            text += f"script's median is {in_seconds(plain)} s (no slower)"
            yield target(text, slowest <= plain)


def times_faster(plan: Plan, results: Searched, engine: str, side: int, seed: int) -> float:
    """How often one run of an engine fits into the plain script's, at least."""
    plain, own = (results.ladders[it].runs.get((side, seed)) for it in (PLAIN, engine))
    if plain is None or own is None:
        return 0.0
    return _at_least(plan, PLAIN, side, plain) / own.seconds


def side_ratio(plan: Plan, results: Searched, other: str, engine: str, side: int) -> float:
    """The same for the medians over the seeds, and for anyone's time."""
    theirs = median(_at_least(plan, other, side, run) for run in results.runs(other, side))
    return theirs / results.seconds(engine, side)


def _at_least(plan: Plan, name: str, side: int, run: Run) -> float:
    """Seconds which a run takes at least: the limit after a timeout, nothing after a crash."""
    if run.status == "TIMEOUT":
        return limit(name, side, plan.search_limit)
    return run.seconds if run.status == "FOUND" else 0.0


def _cell(plan: Plan, results: Searched, name: str, side: int) -> str:
    """Median seconds with the spread, and what the runs without a tour said."""
    if name in results.missing:
        return "not installed"
    runs = results.runs(name, side)
    if not runs:
        return "—"
    return outcome(runs, limit(name, side, plan.search_limit))


def _ratio(plan: Plan, results: Searched, name: str, side: int) -> str:
    if not results.runs(name, side):
        return "—"
    at_least = "≥ " if math.isinf(results.seconds(PLAIN, side)) else ""
    return f"{at_least}{side_ratio(plan, results, PLAIN, name, side):.3g}"


def _megabytes(runs: list[Run]) -> str:
    peaks = [run.values["megabytes"] for run in runs if "megabytes" in run.values]
    return f"{max(peaks):,.0f}" if peaks else "—"
