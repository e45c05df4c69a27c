"""The tables of constructed tours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks.construction import OURS, PLAIN, Constructed
from benchmarks.construction_cases import KINDS, Sizes
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.process import Run

ARRAY_TIMES, JUDGE_TIMES, PEAK_TIMES = 5.0, 10.0, 1.3
STREAM_MEMORY = 300e6
LOCATE_SECONDS = 1.0


def construction(sizes: Sizes, results: Constructed) -> Iterator[str]:
    """The tables, and each target met or missed."""
    yield from _cost(sizes, results)
    yield from _whole(sizes, results)
    yield from _files(results)
    yield from _located(results)


def middle(runs: list[Run], name: str) -> float:
    """Median of a figure; infinite if some run has none."""
    if not runs or any(run.status != "FOUND" for run in runs):
        return math.inf
    return median(run.values[name] for run in runs)


def _cost(sizes: Sizes, results: Constructed) -> Iterator[str]:
    yield from title(
        "Constructed tours: milliseconds for a plan, nanoseconds a square for the rest"
    )
    rows = []
    for (board, kind), runs in results.cost.items():
        figures = [middle(runs, name) for name in ("plan", "fresh", "again", "judge")]
        failed = sorted({run.status for run in runs} - {"FOUND", "NONE"})
        cells = [f"{1000 * figures[0]:.1f}", *(f"{it:.2f}" for it in figures[1:])]
        if math.inf in figures:
            cells = [", ".join(failed) or "–", "", "", ""]
        rows.append([f"{board} {kind}", *cells])
    yield from table(["tour", "plan", "new array", "array used before", "judge"], rows)
    yield ""
    small, large = (f"{side}x{side}" for side in (sizes.sides[0], sizes.sides[-1]))
    for kind in KINDS:
        for name, what in (("again", "filling an array"), ("judge", "judging it")):
            before, after = (
                middle(results.cost.get((it, kind), []), name) for it in (small, large)
            )
            text = (
                f"{kind}: {what} takes {after:.2f} ns a square at {large}, {before:.2f} at {small}"
            )
            yield target(f"{text} (no more)", after <= before < math.inf)


def _whole(sizes: Sizes, results: Constructed) -> Iterator[str]:
    yield from title(f"Closed {sizes.whole}, seconds beside NumPy's own work")
    rows, targets = [], []
    most = {"array": ARRAY_TIMES, "judge": JUDGE_TIMES}
    names = {"numpy": "numpy.arange, reshape and a copy", "array": "plan and to_array"}
    for name, what in {**names, "judge": "judging it"}.items():
        if results.whole is None or results.whole.status != "FOUND":
            rows.append([what, "none", "", "", ""])
            targets += [target(f"{what}: no figure", False)] if name in most else []
            continue
        seconds, yardstick = results.whole.values[name], results.whole.values["numpy"]
        times = median(one / other for one, other in zip(seconds, yardstick, strict=True))
        spread = (median(seconds), min(seconds), max(seconds))
        rows.append([what, *(in_seconds(it) for it in spread), f"{times:.2f}"])
        if name in most:
            text = f"{what} takes {times:.2f} times as long as NumPy (at most {most[name]:g})"
            targets.append(target(text, times <= most[name]))
    yield from table(["what", "median", "fastest", "slowest", "times as long"], rows)
    yield ""
    yield from targets
    yield from title("Memory of a closed tour's array, MB")
    rows, targets = [], []
    for board, run in results.peaks.items():
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


def _files(results: Constructed) -> Iterator[str]:
    yield from title("Closed tours streamed into files, whole processes")
    rows, targets = [], []
    for side in dict.fromkeys(side for side, _ in results.files):
        plain = middle(results.files[side, PLAIN], "seconds")
        for who in (PLAIN, OURS):
            runs = results.files[side, who]
            seconds, memory = (middle(runs, name) for name in ("seconds", "memory"))
            if math.inf in (seconds, plain):
                rows.append([f"{side}x{side} {who}", "failed", "", "", ""])
                continue
            size = f"{runs[0].values['size'] / 1e9:.2f}"
            cells = [size, in_seconds(seconds), f"{memory / 1e6:.0f}", f"{seconds / plain:.2f}"]
            rows.append([f"{side}x{side} {who}", *cells])
        memory = middle(results.files[side, OURS], "memory")
        text = f"{side}x{side}: {memory / 1e6:.0f} MB of memory (at most {STREAM_MEMORY / 1e6:.0f})"
        targets.append(target(text, memory <= STREAM_MEMORY))
    yield from table(["file", "GB", "seconds", "MB of memory", "times as long as zeros"], rows)
    yield ""
    yield from targets


def _located(results: Constructed) -> Iterator[str]:
    yield from title("Single squares, whole processes, seconds")
    rows, targets = [], []
    for name, times in results.commands.items():
        spread = (median(times), min(times), max(times))
        rows.append([f"`{name}`", *(in_seconds(seconds) for seconds in spread)])
        if "locate" in name:
            text = f"`{name}` takes {in_seconds(spread[0])} s (less than {LOCATE_SECONDS:g})"
            targets.append(target(text, spread[0] < LOCATE_SECONDS))
    yield from table(["command", "median", "fastest", "slowest"], rows)
    yield ""
    yield from targets
    yield from title("Single squares from Python, microseconds a call")
    run = results.calls
    if run is None or run.status != "FOUND":
        yield target("no figures", False)
        return
    rows = [
        [board, *(f"{each[name]:.1f}" for name in ("step", "square"))]
        for board, each in run.values["boards"].items()
    ]
    yield from table(["closed board", "step(square)", "square(step)"], rows)
