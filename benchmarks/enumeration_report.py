"""The part ``enumeration`` as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks import Plan
from benchmarks.cases import LISTING, RECURSION, TWIN, WHO, Case
from benchmarks.enumeration import COLD, FIRST_TIME, Enumerated
from benchmarks.markdown import in_seconds, table, target, title

COLUMNS = ["tours", "squares placed", "million squares/s", "seconds"]


def enumeration(plan: Plan, results: Enumerated) -> Iterator[str]:
    """All of the part's tables and targets."""
    yield from title("Every tour, beside a plain C++ recursion")
    yield _about_the_compiler(results)
    yield ""
    rows = []
    for case in plan.compared:
        for candidate in case.candidates:
            row = _row(plan, results, case, candidate)
            rows.append([*row, _times_as_fast(plan, results, case, candidate)])
    yield from table(["board", "by", *COLUMNS, "C++ / this"], rows)
    yield ""
    for case in plan.compared:
        yield from _comparison(plan, results, case)
    yield from title("Every tour, by itself")
    rows = [_row(plan, results, case, it) for case in plan.alone for it in case.candidates]
    yield from table(["board", "by", *COLUMNS], rows)
    yield ""
    for case in plan.alone:
        for candidate, most in case.targets:
            seconds = results.seconds(case, candidate)
            took = "no figure" if math.isinf(seconds) else f"{_fine(seconds)} s"
            text = f"{case.label}, {WHO[candidate]}: {took} (less than {most:g} s)"
            yield target(text, seconds < most)
    yield from _commands(results)


def _about_the_compiler(results: Enumerated) -> str:
    if results.compiler is None:
        return "No C++ compiler was found, so the C++ recursion was not run."
    if results.failed_build:
        return f"The C++ recursion was not compiled, by {results.compiler}."
    return f"C++ compiler: {results.compiler}."


def _row(plan: Plan, results: Enumerated, case: Case, candidate: str) -> list[str]:
    seconds = results.seconds(case, candidate)
    tours, placed = (
        ", ".join(f"{number:,}" for number in sorted(results.numbers(case, candidate, name)))
        for name in ("tours", "placed")
    )
    speed = ""
    if math.isinf(seconds):
        runs = results.runs.get((case, candidate), ())
        shown = ", ".join(dict.fromkeys(run.status for run in runs)) or "not run"
        shown = shown.replace("TIMEOUT", f"> {plan.time_limit:g} (TIMEOUT)")
    else:
        shown = _fine(seconds)
        speed = f"{min(results.numbers(case, candidate, 'placed')) / 1e6 / seconds:.1f}"
    return [case.label, WHO[candidate], tours, placed, speed, shown]


def _fine(seconds: float) -> str:
    """Seconds, of short runs also their milliseconds' tenths."""
    return in_seconds(seconds) if seconds >= 0.01 else f"{seconds:.4f}"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def _times_as_fast(plan: Plan, results: Enumerated, case: Case, candidate: str) -> str:
    ratio, bound = _ratio(plan, results, case, candidate)
    return "" if ratio is None else f"{'≥ ' if bound else ''}{_times(ratio)}"


def _ratio(
    plan: Plan, results: Enumerated, case: Case, candidate: str
) -> tuple[float | None, bool]:
    """How often a run fits into one of the C++ recursion's, and whether that is a lower bound."""
    plain, seconds = results.seconds(case, RECURSION), results.seconds(case, candidate)
    over = any(run.status == "TIMEOUT" for run in results.runs.get((case, RECURSION), ()))
    if over:
        plain = plan.time_limit
    if candidate == RECURSION or math.isinf(plain) or math.isinf(seconds):
        return None, over
    return plain / seconds, over


def _comparison(plan: Plan, results: Enumerated, case: Case) -> Iterator[str]:
    placed = [results.numbers(case, it, "placed") for it in (RECURSION, TWIN)]
    if all(placed):
        same = len(set().union(*placed)) == 1
        said = "as many squares" if same else "**not** as many squares"
        yield f"- {case.label}: the compiled twin placed {said} as the C++ recursion."
    ratio, bound = _ratio(plan, results, case, LISTING)
    if ratio is not None:
        least = "at least " if bound else ""
        text = f"{case.label}: listing is {least}{_times(ratio)} times as fast as the C++ recursion"
        yield target(f"{text} (more than 1)", ratio > 1)


def _commands(results: Enumerated) -> Iterator[str]:
    yield from title("Whole processes that enumerate, seconds")
    rows = []
    for name, times in results.commands.items():
        spread = (median(times), min(times), max(times))
        shown = f"`{COLD}`, nothing compiled yet" if name == FIRST_TIME else f"`{name}`"
        rows.append([shown, *map(in_seconds, spread)])
    yield from table(["command", "median", "fastest", "slowest"], rows)
    yield ""
    runs = len(next(iter(results.commands.values()), []))
    yield f"Runs of each, interleaved: {runs}.  The first line starts with an empty compile cache,"
    yield "the others find what it has compiled."
