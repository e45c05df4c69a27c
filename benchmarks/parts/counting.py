"""How many tours there are: every method of ``count``, and Graphillion, which counts any graph's.

Tables of seconds and of memory.  Each number is held against what is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.case import Run, job
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import outcome, table, title
from benchmarks.measure import Results
from benchmarks.plan import Plan
from benchmarks.yardsticks import GRAPHILLION, installed

BOARDS = {
    "5x6": 8, "6x6": 9_862, "6x7": 1_067_638, "6x8": 55_488_142, "6x10": 239_187_240_144,
    "7x8": 34_524_432_316, "8x8": 13_267_364_410_532,
}  # fmt: skip
"""Closed tours, undirected: OEIS A175881 (six ranks), A001230 (8x8); 7x8 by two methods of ours."""

MOST = {"frontier": "7x8", "enumerate": "6x8", GRAPHILLION: "6x7"}
"""The largest board for each; Graphillion took 1.7 GB there."""

CANDIDATES = ("dense", *MOST)


def ladders(plan: Plan) -> list[Ladder]:
    """Each board by each method, the smallest alone where it is to be quick."""
    names, cases = [*BOARDS], []
    for place, board in enumerate(names[: 1 if plan.quick else None]):
        for who in filter(installed, CANDIDATES):
            if place <= names.index(MOST.get(who, names[-1])):
                words = ("counting", who, board)
                cases.append(job(board, who, words, plan.time_limit, place))
    return ladders_of(cases, range(plan.few_repeats))


def report(plan: Plan, results: Results) -> Iterator[str]:
    """Both tables."""
    rows, names = results.names("counting")
    yield from title("Closed tours counted, seconds")
    by = {row: [results.runs("counting", row, name) for name in names] for row in rows}
    limit = plan.time_limit
    cells = [[row, f"{BOARDS[row]:,}", *(it and outcome(it, limit) for it in each)]
             for row, each in by.items()]  # fmt: skip
    yield from table(["board", "tours", *names], [[cell or "" for cell in row] for row in cells])
    yield ""
    yield "From the bare problem to the number, compiled code loaded; the most memory, in MB:"
    yield ""
    cells = [[row, *map(_memory, each)] for row, each in by.items()]
    yield from table(["board", *names], cells)


def _memory(runs: list[Run]) -> str:
    found = [run.values["megabytes"] for run in runs if run.status == "FOUND"]
    return f"{max(found):,.0f}" if found else ""
