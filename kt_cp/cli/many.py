"""Many graphs, one a line: one answer a line, and one exit code for all.

The code is the worst that any graph has: unknown before a definite no, and that before a yes.  A
line that is no graph ends it with 2; the answers before it stand.
"""

from __future__ import annotations

import json as json_module
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from kt_cp.cli.output import FOUND, NO, UNKNOWN, destination, remark
from kt_cp.formats.table import Format
from kt_cp.formats.write import outcome_document
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted

Answered = tuple[str, str, int]
"""A line, what it is counted as, and the exit code of its graph alone."""


def answers(
    problems: Iterator[Problem],
    answer: Callable[[Problem], Answered],
    output: Path | None,
    *,
    force: bool,
) -> int:
    """Write the answer to each problem as it comes; the exit code."""
    counts: Counter[str] = Counter()
    codes = {FOUND}
    with destination(output, force=force) as place:
        for problem in problems:
            line, what, code = answer(problem)
            counts[what] += 1
            codes.add(code)
            if not place.add(f"{line}\n"):
                break
        place.finish()
    total = sum(counts.values())
    if not total:
        raise InputError("expected a graph a line, got none")
    each = ", ".join(f"{many:,} {what}" for what, many in sorted(counts.items()))
    remark(f"{counted(total, 'graph')}: {each}")
    return next(code for code in (UNKNOWN, NO, FOUND) if code in codes)


def line_of(outcome: Outcome, *, json: bool) -> str:
    """An outcome in a line: its verdict, and its tour or its reason."""
    if json:
        tour = None if outcome.tour is None else outcome.tour.names
        return json_module.dumps({**outcome_document(outcome), "tour": tour}, ensure_ascii=False)
    told = outcome.reason or "" if outcome.tour is None else " ".join(outcome.tour.names)
    return f"{outcome.verdict.value} {' '.join(told.split())}".rstrip()


def as_json(shape: Format | None, text: Format) -> bool:
    """Whether lines of JSON were asked for, and not of text.

    Raises
    ------
    InputError
        If it was another format.
    """
    if shape not in (None, text, Format.JSON):
        raise InputError(
            f"expected {text.value} or json for a graph a line, got {shape.value}: "
            "one graph in a file takes any"
        )
    return shape is Format.JSON


def refuse(**options: object) -> None:
    """Refuse options that are about one answer."""
    for name, value in options.items():
        if value:
            told = name.replace("_", "-")
            raise InputError(f"--{told}: expected one graph, got a graph a line")


def of_verdict(outcome: Outcome, code: int, *, json: bool) -> Answered:
    """The answer of an outcome."""
    return line_of(outcome, json=json), outcome.verdict.value, code


def of_count(line: str, found: int, *, complete: bool) -> Answered:
    """The answer of a count."""
    if not complete:
        return line.rstrip(), "unknown", UNKNOWN
    return (line.rstrip(), "with tours", FOUND) if found else (line.rstrip(), "without", NO)


PROVED = {Verdict.FOUND: NO, Verdict.IMPOSSIBLE: FOUND, Verdict.UNKNOWN: UNKNOWN}
"""What ``prove`` exits with."""
