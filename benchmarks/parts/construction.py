"""Tours of large boards as arrays, as files, and square by square."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

import numpy as np

from benchmarks.case import KT_CP, Case, Run, job, middle
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, spread, table, target, title
from benchmarks.measure import Results
from benchmarks.parts.commands import PASS, commands, spreads
from benchmarks.plan import Plan
from kt_cp.formats.array import npy_size

KINDS = ("closed", "open", "start", "ends")
"""Closed, open, open from the middle, and open between two squares in different tiles."""

KINDS_OF_SHAPES = ("closed", "open", "ends")
"""Those that are measured on boards which are not square."""

HUGE = {
    "10^9 x 10^9": "1000000000x1000000000",
    "10^9 x (10^9+1)": "1000000000x1000000001",
}
LOCATED = ("100x100", "10000x10000", "1000000x1000000", *HUGE.values())
LOCATE: dict[str, tuple[str, ...]] = {
    f"kt-cp locate {name} --closed {option}": (*KT_CP, "locate", board, "--closed", option, asked)
    for name, board in HUGE.items()
    for option, asked in (("--step", "123456789012345678"), ("--square", "987654321,123456789"))
}
OURS, ZEROS = "kt-cp solve", "plain zeros"
FILES = {
    ZEROS: ("{python}", "benchmarks/plain_zeros.py", "{file}"),
    OURS: (*KT_CP, "solve", "--closed", "--force", "-o", "{file}"),
}
ARRAY_TIMES, JUDGE_TIMES, PEAK_TIMES = 5.0, 10.0, 1.3
STREAM_MEMORY = 300e6
LOCATE_SECONDS = dict.fromkeys((f"`{name}`" for name in LOCATE), 1.0)


def ladders(plan: Plan) -> list[Ladder]:
    """Every tour, memory, single squares, and files, in this order."""
    sizes, many = plan.sizes, range(plan.few_repeats)
    tours = [(f"{side}x{side}", kind) for side in sizes.sides for kind in KINDS]
    tours += [(board, kind) for board in sizes.shapes for kind in KINDS_OF_SHAPES]
    cost = [
        job(f"{board} {kind}", "cost", ("cost", board, kind), plan.time_limit, place)
        for place, (board, kind) in enumerate(tours)
    ]
    last = len(tours)
    once: list[tuple[str, tuple[object, ...]]] = [
        ("whole", (sizes.whole, plan.few_repeats)),
        *(("peak", (board,)) for board in sizes.peaks),
        ("calls", (5 * plan.few_repeats, *LOCATED)),
    ]
    single = [
        job(str(words[0]), kind, (kind, *words), plan.time_limit, last) for kind, words in once
    ]
    files = []
    for side in sizes.stream:
        size = npy_size(side, side, np.dtype(np.int32))
        for who, words in FILES.items():
            more = f"{size}" if who == ZEROS else f"{side}x{side}"
            files.append(
                Case(
                    f"{side}x{side}", who, (*words, more), plan.time_limit, last + side,
                    whole=True, size=size, pause=sizes.pause,
                )
            )  # fmt: skip
    looked_up = commands(PASS | LOCATE, plan)
    return ladders_of([*looked_up, *cost, *files], many) + ladders_of(single, (0,))


def report(plan: Plan, results: Results) -> Iterator[str]:
    """The tables, and each target met or missed."""
    yield from _cost(plan, results)
    yield from _whole(plan, results)
    yield from _peaks(plan, results)
    yield from _files(plan, results)
    yield from title("Single squares, whole processes, seconds")
    yield from spreads(results, "construction", LOCATE_SECONDS)
    yield from title("Single squares from Python, microseconds a call")
    run = _only(results, f"{5 * plan.few_repeats}", "calls")
    if run.status != "FOUND":
        yield target("no figures", False)
        return
    rows = [
        [board, *(f"{each[name]:.1f}" for name in ("step", "square"))]
        for board, each in run.values["boards"].items()
    ]
    yield from table(["closed board", "step(square)", "square(step)"], rows)


def _only(results: Results, row: str, who: str) -> Run:
    return (results.runs("construction", row, who) or [Run("no figure")])[0]


def _cost(plan: Plan, results: Results) -> Iterator[str]:
    yield from title(
        "Constructed tours: milliseconds for a plan, nanoseconds a square for the rest"
    )
    named = results.names("construction")[0]
    by = {it: runs for it in named if (runs := results.runs("construction", it, "cost"))}
    rows = []
    for row, runs in by.items():
        figures = [middle(runs, name) for name in ("plan", "fresh", "again", "judge")]
        cells = [f"{1000 * figures[0]:.1f}", *(f"{it:.2f}" for it in figures[1:])]
        if math.inf in figures:
            failed = sorted({run.status for run in runs} - {"FOUND", "NONE"})
            cells = [", ".join(failed) or "–", "", "", ""]
        rows.append([row, *cells])
    yield from table(["tour", "plan", "new array", "array used before", "judge"], rows)
    yield ""
    small, large = (f"{side}x{side}" for side in (plan.sizes.sides[0], plan.sizes.sides[-1]))
    for kind in KINDS:
        for name, what in (("again", "filling an array"), ("judge", "judging it")):
            before, after = (middle(by.get(f"{it} {kind}", []), name) for it in (small, large))
            text = f"{kind}: {what} takes {after:.2f} ns a square at {large}, {before:.2f} at "
            yield target(f"{text}{small} (no more)", after <= before < math.inf)


def _whole(plan: Plan, results: Results) -> Iterator[str]:
    yield from title(f"Closed {plan.sizes.whole}, seconds beside NumPy's own work")
    run = _only(results, plan.sizes.whole, "whole")
    rows, targets = [], []
    for name, what, most in (
        ("numpy", "numpy.arange, reshape and a copy", math.inf),
        ("array", "plan and to_array", ARRAY_TIMES),
        ("judge", "judging it", JUDGE_TIMES),
    ):
        text, times = f"{what}: no figure", math.inf
        if run.status == "FOUND":
            pairs = zip(run.values[name], run.values["numpy"], strict=True)
            times = median(one / other for one, other in pairs)
            rows.append([what, *map(in_seconds, spread(run.values[name])), f"{times:.2f}"])
            text = f"{what} takes {times:.2f} times as long as NumPy (at most {most:g})"
        else:
            rows.append([what, "none", "", "", ""])
        if name != "numpy":
            targets.append(target(text, times <= most))
    yield from table(["what", "median", "fastest", "slowest", "times as long"], rows)
    yield ""
    yield from targets


def _peaks(plan: Plan, results: Results) -> Iterator[str]:
    yield from title("Memory of a closed tour's array, MB")
    rows, targets = [], []
    for board in plan.sizes.peaks:
        run = _only(results, board, "peak")
        if run.status != "FOUND":
            rows.append([board, run.status, "", "", ""])
            targets.append(target(f"{board}: no figure", False))
            continue
        array, before, after = (run.values[name] for name in ("array", "before", "after"))
        times = (after - before) / array
        rows.append([board, *(f"{it / 1e6:.0f}" for it in (array, before, after)), f"{times:.2f}"])
        text = f"{board}: {times:.2f} times the array (at most {PEAK_TIMES:g})"
        targets.append(target(text, times <= PEAK_TIMES))
    headings = ["board", "array", "process before", "at its peak", "more than before / array"]
    yield from table(headings, rows)
    yield ""
    yield from targets


def _files(plan: Plan, results: Results) -> Iterator[str]:
    yield from title("Closed tours streamed into files, whole processes")
    rows, targets = [], []
    for side in plan.sizes.stream:
        board, memory = f"{side}x{side}", math.inf
        plain = middle(results.runs("construction", board, ZEROS))
        for who in (ZEROS, OURS):
            runs = results.runs("construction", board, who)
            seconds, memory = (middle(runs, name) for name in ("seconds", "memory"))
            if math.inf in (seconds, plain):
                rows.append([f"{board} {who}", "failed", "", "", ""])
                continue
            size = npy_size(side, side, np.dtype(np.int32)) / 1e9
            cells = [f"{size:.2f}", in_seconds(seconds), f"{memory / 1e6:.0f}"]
            rows.append([f"{board} {who}", *cells, f"{seconds / plain:.2f}"])
        text = f"{board}: {memory / 1e6:.0f} MB of memory (at most {STREAM_MEMORY / 1e6:.0f})"
        targets.append(target(text, memory <= STREAM_MEMORY))
    yield from table(["file", "GB", "seconds", "MB of memory", "times as long as zeros"], rows)
    yield ""
    yield from targets
