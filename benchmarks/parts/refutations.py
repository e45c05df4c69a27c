"""Boards without a tour, by every encoding.

A table of times and of proof sizes, each encoding beside the others on one solver; the other kinds
of evidence are in the part ``proofs``.  A tour on one of these boards would be a fault.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks.case import Run, job
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.measure import Results
from benchmarks.plan import Plan
from kt_cp import Board, Problem
from kt_cp.proofs.theorems import theorem

FEW_SECONDS = 0.1
"""Medians below this are told without their spread, which is that of the machine."""

TRIVIAL = 3
"""Boards with fewer rows are done in no time, and make one row of the tables."""


def questions(within: tuple[tuple[int, int], ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Every board of three squares and more that has no tour: a row's name, its kind, its boards.

    Examples
    --------
    >>> questions(((3, 3),))[0]
    ('3x3 open', 'open', ('3x3',))
    """
    sizes = sorted(
        {
            (rows, columns)
            for most, longest in within
            for rows in range(1, most + 1)
            for columns in range(rows, longest + 1)
            if rows * columns >= 3
        },
        key=lambda size: (size[0] * size[1], size),
    )
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for kind in ("open", "closed"):
        none = [
            (rows, f"{rows}x{columns}")
            for rows, columns in sizes
            if theorem(Problem(Board(rows, columns), closed=kind == "closed")) is not None
        ]
        found += [(f"{board} {kind}", kind, (board,)) for rows, board in none if rows >= TRIVIAL]
        if trivial := tuple(board for rows, board in none if rows < TRIVIAL):
            found.append((f"{len(trivial)} boards of 1 and 2 rows, {kind}", kind, trivial))
    return found


def ladders(plan: Plan) -> list[Ladder]:
    """Each question by each encoding."""
    cases = [
        job(row, it, ("refutation", it, kind, ",".join(boards), "{seed}"), plan.refute_limit, place)
        for place, (row, kind, boards) in enumerate(questions(plan.within))
        for it in plan.refuting
    ]
    return ladders_of(cases, plan.seeds)


def report(plan: Plan, results: Results) -> Iterator[str]:
    """The two tables, and whether all agree."""
    rows, names = results.names("refutations")
    by = {row: [results.runs("refutations", row, name) for name in names] for row in rows}
    for heading, cell in (
        ("Refutations by encoding: seconds to build and solve", _seconds),
        ("Refutations by encoding: bytes of the proof as it is logged", _bytes),
    ):
        yield from title(heading)
        cells = [[row, *(cell(plan, runs) for runs in each)] for row, each in by.items()]
        yield from table(["no tour", *names], cells)
    statuses = [run.status for each in by.values() for runs in each for run in runs]
    yield ""
    yield "Medians of the processor's seconds, from 0.1 s on with the fastest and the slowest, and"
    yield f"medians of bytes. At most {plan.refute_limit:g} s for both."
    yield ""
    tours = statuses.count("TOUR")
    text = f"{statuses.count('FOUND')} of {len(statuses)} runs say none, {tours} found a tour"
    yield target(f"{text} (no tour)", not tours)


def _seconds(plan: Plan, runs: list[Run]) -> str:
    middle = median(run.seconds for run in runs)
    if math.isinf(middle):
        failed = sorted({run.status for run in runs if run.status != "FOUND"})
        return f"> {plan.refute_limit:g}" if failed == ["TIMEOUT"] else ", ".join(failed)
    if middle < FEW_SECONDS:
        return in_seconds(middle)
    slowest = max(run.seconds for run in runs)
    last = f"> {plan.refute_limit:g}" if math.isinf(slowest) else in_seconds(slowest)
    return f"{in_seconds(middle)} ({in_seconds(min(run.seconds for run in runs))}–{last})"


def _bytes(_: Plan, runs: list[Run]) -> str:
    sizes = [run.values["proof"] if run.status == "FOUND" else math.inf for run in runs]
    return "" if math.isinf(median(sizes)) else f"{median(sizes):,.0f}"
