"""Results as Markdown: tables, and each target met or missed in words."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from statistics import median

from benchmarks import CLINGO, LKH, Plan
from benchmarks.construction_report import construction
from benchmarks.enumeration_report import enumeration
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.measure import Results
from benchmarks.oneshot import report as oneshot
from benchmarks.plots import ALTERNATIVES
from benchmarks.proofs import report as proofs
from benchmarks.refutations import report as refutations
from benchmarks.search_report import search
from benchmarks.yardsticks import installed
from kt_cp.compare.report import machine
from kt_cp.versions import versions_of

OWN_LIMITS = {"search", "oneshot", "proofs", "refutations"}
OPTIONAL = {CLINGO: "clingo", LKH: "elkai"}
DOOR_SECONDS = 0.3
COMMAND_SECONDS = {"kt-cp --help": 0.3, "kt-cp solve 8x8": 1.0}
WALK_SECONDS = 1.0

RENDERINGS = ("grid", "svg", "json")


def report(plan: Plan, results: Results) -> str:
    """The whole report, ending with a newline."""
    parts = {
        "search": search(plan, results.search),
        "oneshot": oneshot(plan.oneshot, results.oneshot),
        "door": _door(results),
        "commands": _commands(results),
        "walks": _walks(plan, results),
        "enumeration": enumeration(plan, results.enumeration),
        "proofs": proofs(results.proofs),
        "refutations": refutations(plan.refuting, results.refutations),
        "construction": construction(plan.sizes, results.construction),
    }
    chosen = [_head(plan)]
    for name in plan.parts:
        chosen += [parts[name], _picture(plan, name)]
    return "\n".join(line for part in chosen for line in part) + "\n"


def _picture(plan: Plan, part: str) -> Iterator[str]:
    """The plot of a part, as a page beside the directory of the plots shows it."""
    if plan.plots and part in ALTERNATIVES:
        yield from ("", f"![{ALTERNATIVES[part]}]({plan.plots}/{part}.svg)")


def _head(plan: Plan) -> Iterator[str]:
    about = machine()
    versions = versions_of(("ortools", "python-sat", "networkx", "numpy", "numba", *_foreign()))
    yield f"Measured on {datetime.date.today()}: {about['system']} {about['processor']},"
    yield f"{about['cores']} cores; {', '.join(f'{name} {it}' for name, it in versions.items())}."
    own = ", unless its part says otherwise" if OWN_LIMITS & set(plan.parts) else ""
    most = f"At most {plan.time_limit:g} s a process{own};"
    yield f"{most} what does not end counts as infinitely long."
    if not set(plan.parts) <= {"enumeration", "proofs", "construction"}:
        yield f"Seeds {', '.join(map(str, plan.seeds))}."


def _foreign() -> list[str]:
    """Packages of the yardsticks that need not be there, and are."""
    return [package for name, package in OPTIONAL.items() if installed(name)]


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
