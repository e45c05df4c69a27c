"""Results as Markdown: the head, then the tables and pictures of each part."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from importlib import import_module

from benchmarks.measure import Results
from benchmarks.plan import CLINGO, LKH, Plan
from benchmarks.plots import ALTERNATIVES
from benchmarks.yardsticks import installed
from kt_cp.compare.report import machine
from kt_cp.model.outcome import versions_of

OWN_LIMITS = {"search", "oneshot", "proofs", "refutations", "graphs"}
SEEDLESS = {"enumeration", "proofs", "construction"}
OPTIONAL = {CLINGO: "clingo", LKH: "elkai"}


def report(plan: Plan, results: Results) -> str:
    """The whole report, ending with a newline."""
    lines = [*_head(plan)]
    for name in plan.parts:
        lines += import_module(f"benchmarks.parts.{name}").report(plan, results)
        if plan.plots and name in ALTERNATIVES:
            # As a page beside the directory of the plots shows it.
            lines += ["", f"![{ALTERNATIVES[name]}]({plan.plots}/{name}.svg)"]
    return "\n".join(lines) + "\n"


def _head(plan: Plan) -> Iterator[str]:
    about = machine()
    # Of the yardsticks' packages those that are there.
    foreign = [package for name, package in OPTIONAL.items() if installed(name)]
    versions = versions_of(("ortools", "python-sat", "networkx", "numpy", "numba", *foreign))
    yield f"Measured on {datetime.date.today()}: {about['system']} {about['processor']},"
    yield f"{about['cores']} cores; {', '.join(f'{name} {it}' for name, it in versions.items())}."
    own = ", unless its part says otherwise" if OWN_LIMITS & set(plan.parts) else ""
    most = f"At most {plan.time_limit:g} s a process{own};"
    yield f"{most} what does not end counts as infinitely long."
    if not set(plan.parts) <= SEEDLESS:
        yield f"Seeds {', '.join(map(str, plan.seeds))}."
