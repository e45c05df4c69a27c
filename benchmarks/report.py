"""Results as Markdown: tables, and each target met or missed in words."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from statistics import median

from benchmarks import CANDIDATES, PLAIN, Plan
from benchmarks.construction_report import construction
from benchmarks.enumeration_report import enumeration
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.measure import Results
from benchmarks.process import Run
from benchmarks.proofs import report as proofs
from kt_cp.compare.report import machine
from kt_cp.versions import versions_of

CPSAT_SIDES = (20, 30, 40, 50, 60)
SAT_SIDE, SAT_TIMES = 100, 20
DOOR_SECONDS = 0.3
COMMAND_SECONDS = {"kt-cp --help": 0.3, "kt-cp solve 8x8": 1.0}
WALK_SECONDS = 1.0

RENDERINGS = ("grid", "svg", "json")


def report(plan: Plan, results: Results) -> str:
    """The whole report, ending with a newline."""
    parts = {
        "search": _search(plan, results),
        "door": _door(results),
        "commands": _commands(results),
        "walks": _walks(plan, results),
        "enumeration": enumeration(plan, results.enumeration),
        "proofs": proofs(results.proofs),
        "construction": construction(plan.sizes, results.construction),
    }
    chosen = [_head(plan), *(parts[name] for name in plan.parts)]
    return "\n".join(line for part in chosen for line in part) + "\n"


def _head(plan: Plan) -> Iterator[str]:
    about = machine()
    versions = versions_of(("ortools", "python-sat", "networkx", "numpy", "numba"))
    yield f"Measured on {datetime.date.today()}: {about['system']} {about['processor']},"
    yield f"{about['cores']} cores; {', '.join(f'{name} {it}' for name, it in versions.items())}."
    yield f"At most {plan.time_limit:g} s a process; what does not end counts as infinitely long."
    if not set(plan.parts) <= {"enumeration", "proofs", "construction"}:
        yield f"Seeds {', '.join(map(str, plan.seeds))}."


def _search(plan: Plan, results: Results) -> Iterator[str]:
    engines = CANDIDATES[1:]
    yield from title("Closed tours, seconds to build and solve")
    rows = []
    for side in plan.sides:
        cells = [_candidate(plan, results, candidate, side) for candidate in CANDIDATES]
        cells += [_ratio(plan, results, engine, side) for engine in engines]
        rows.append([f"{side}x{side}", *cells])
    yield from table(["board", *CANDIDATES, *(f"{PLAIN} / {name}" for name in engines)], rows)
    yield ""
    sides = [side for side in CPSAT_SIDES if side in plan.sides]
    if sides:
        for engine in engines:
            times = median(
                times_faster(plan, results, engine, side, seed)
                for side in sides
                for seed in plan.seeds
            )
            text = f"{engine} is {times:.1f} times as fast as the plain script, median over boards "
            text += f"{sides[0]} to {sides[-1]} and seeds"
            yield f"- {text}." if engine != "cpsat" else target(f"{text} (at least 1)", times >= 1)
    if SAT_SIDE in plan.sides:
        times = side_ratio(plan, results, "sat", SAT_SIDE)
        text = f"sat is {times:.0f} times as fast as the plain script at {SAT_SIDE}x{SAT_SIDE}"
        yield target(f"{text} (at least {SAT_TIMES})", times >= SAT_TIMES)


def times_faster(plan: Plan, results: Results, engine: str, side: int, seed: int) -> float:
    """How often one run of an engine fits into the plain script's, at least."""
    plain = _at_least(plan, results.search[PLAIN, side, seed])
    return plain / results.search[engine, side, seed].seconds


def side_ratio(plan: Plan, results: Results, engine: str, side: int) -> float:
    """The same for their medians over the seeds."""
    plain = median(_at_least(plan, results.search[PLAIN, side, seed]) for seed in plan.seeds)
    return plain / results.search_seconds(engine, side)


def _at_least(plan: Plan, run: Run) -> float:
    """Seconds which a run takes at least: the limit after a timeout, nothing after a crash."""
    if run.status == "TIMEOUT":
        return plan.time_limit
    return run.seconds if run.status == "FOUND" else 0.0


def _candidate(plan: Plan, results: Results, candidate: str, side: int) -> str:
    """Median seconds, and what the runs without a tour said."""
    runs = [results.search[candidate, side, seed] for seed in plan.seeds]
    failed = [run.status for run in runs if run.status != "FOUND"]
    seconds = results.search_seconds(candidate, side)
    counts = ", ".join(f"{failed.count(status)} {status}" for status in dict.fromkeys(failed))
    over = f"> {plan.time_limit:g}" if "TIMEOUT" in failed else "none"
    text = over if math.isinf(seconds) else in_seconds(seconds)
    return f"{text} ({counts} of {len(runs)})" if failed else text


def _ratio(plan: Plan, results: Results, engine: str, side: int) -> str:
    at_least = "≥ " if math.isinf(results.search_seconds(PLAIN, side)) else ""
    return at_least + f"{side_ratio(plan, results, engine, side):.3g}"


def _door(results: Results) -> Iterator[str]:
    yield from title("The front door after a closed search by sat, seconds")
    names = ("search", "child", "verify", "replay", *RENDERINGS)
    rows, targets = [], []
    for side in dict.fromkeys(side for side, _ in results.front_door):
        runs = [run for key, run in results.front_door.items() if key[0] == side]
        failed = [run.status for run in runs if run.status != "FOUND"]
        if failed:
            rows.append([f"{side}x{side}", ", ".join(failed), *[""] * len(names)])
            targets.append(target(f"{side}x{side}: no figures", False))
            continue
        middle = {name: median(run.values[name] for run in runs) for name in names}
        total = middle["verify"] + middle["replay"] + max(middle[name] for name in RENDERINGS)
        rows.append([f"{side}x{side}", *(in_seconds(middle[name]) for name in names)])
        rows[-1].append(in_seconds(total))
        said = (
            f"{side}x{side}: {in_seconds(total)} s after {in_seconds(middle['search'])} s of search"
        )
        targets.append(target(said, total < max(middle["search"], DOOR_SECONDS)))
    yield from table(["board", *names, "door"], rows)
    yield ""
    yield "`child` is the price of a process of its own.  `door` is verify + replay + the slowest"
    yield f"rendering, and is to take less than the search, or less than {DOOR_SECONDS} s."
    yield ""
    yield from targets


def _commands(results: Results) -> Iterator[str]:
    yield from title("Whole processes, seconds")
    rows, targets = [], []
    for name, times in results.commands.items():
        spread = (median(times), min(times), max(times))
        rows.append([f"`{name}`", *(in_seconds(seconds) for seconds in spread)])
        if name in COMMAND_SECONDS:
            text = (
                f"`{name}` takes {in_seconds(median(times))} s (less than {COMMAND_SECONDS[name]})"
            )
            targets.append(target(text, median(times) < COMMAND_SECONDS[name]))
    yield from table(["command", "median", "fastest", "slowest"], rows)
    yield ""
    yield f"Runs of each, interleaved: {len(next(iter(results.commands.values())))}."
    yield ""
    yield from targets


def _walks(plan: Plan, results: Results) -> Iterator[str]:
    first, last = plan.walks
    yield from title(f"Warnsdorff's rule, open, from a corner, {first}x{first} to {last}x{last}")
    rows, failures, slowest = [], 0, 0.0
    for seed, run in results.walks.items():
        times = run.values.get("sides", {}).values()
        found = [seconds for seconds in times if seconds is not None]
        failed = last - first + 1 - len(found)
        failures += failed
        slowest = max(slowest, *found, 0.0)
        spread = [f"{1000 * it:.1f}" for it in (median(found), max(found))] if found else ["", ""]
        rows.append(
            [f"{seed}", *spread, f"{failed}", "ended" if run.status == "FOUND" else run.status]
        )
    yield from table(["seed", "median ms", "slowest ms", "failures", "process"], rows)
    yield ""
    met = not failures and slowest < WALK_SECONDS
    text = f"{failures} failures, the slowest walk {1000 * slowest:.0f} ms"
    yield target(f"{text} (no failure, each under {WALK_SECONDS:g} s)", met)
