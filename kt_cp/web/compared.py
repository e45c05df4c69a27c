"""Boards × engines, told row by row, and their plot."""

from __future__ import annotations

import json
import shlex
import time

from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.web.asks import Asked
from kt_cp.web.watch import Emit


def compare(problem: Problem | None, asked: Asked, emit: Emit) -> None:  # noqa: ARG001
    """Run every engine on every board, each in a process of its own."""
    from kt_cp.compare import compare
    from kt_cp.compare.report import comparison_json, comparison_plot, run_document
    from kt_cp.compare.row import Run, questions

    began = time.perf_counter()
    boards, engines, kinds = asked["boards"], asked["engines"], asked["kinds"]

    def note(row: Run, done: int, total: int) -> None:
        emit({"event": "row", "row": run_document(row), "done": done, "of": total})

    comparison = compare(
        questions(boards=[(name, "oc") for name in boards], kinds=kinds),
        engines,
        limits=Limits(asked["run_seconds"], asked["megabytes"]),
        seed=asked["seed"],
        progress=note,
    )
    kind = {"o": ["--open"], "c": ["--closed"]}.get(kinds, [])
    words = ["kt-cp", "compare", *boards, "--engines", ",".join(engines), *kind]
    words += ["--time-limit", f"{asked['run_seconds']:g}"]
    listed = ", ".join(f"Problem({name!r}, closed={k == 'c'})" for name in boards for k in kinds)
    emit(
        {
            "event": "outcome",
            "comparison": json.loads(comparison_json(comparison)),
            "svg": comparison_plot(comparison).decode(),
            "seconds": round(time.perf_counter() - began, 4),
            "command": shlex.join(words),
            "python": f"compare([{listed}], {engines!r}, limits=Limits({asked['run_seconds']:g}))",
        }
    )
