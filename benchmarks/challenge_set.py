"""Solve the graphs of the FHCP Challenge Set, or of another folder, and print a table by size.

`python -m benchmarks.challenge_set FOLDER --keep runs.jsonl` solves each ``.hcp`` file of a folder
in a process of its own, in random order, and appends a line to the file.  After an interrupt, it
continues there.  A graph counts as solved if its cycle passes a check of this module within the
limit of processor time; the limit of wall-clock time is five times as long, for a busy machine.  A
graph without a cycle counts if kt-cp reports that; it has a column of its own in the table.
``--published FILE`` compares with a CSV file: its first column has the number of each graph, and
the others have the seconds of other solvers, or TO.

The set has 1,001 graphs of 66 to 9,528 vertices, each with a cycle: M. Haythorpe, "FHCP Challenge
Set: the first set of structurally difficult instances of the Hamiltonian cycle problem" (2019).
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import psutil
import typer

SIZES = (0, 1_000, 2_000, 3_000, 4_000, 6_000, 10_000)
"""Limits of the classes in the table, in vertices."""

CLOCK_FACTOR = 5
"""Limit of wall-clock seconds for each second of processor time."""

LOOK_SECONDS = 0.1
"""Seconds between two checks of the processor time of a run."""


def read_graph(path: Path) -> tuple[int, set[frozenset[int]]]:
    """Return the number of vertices and the edges of a TSPLIB file."""
    text = path.read_text(encoding="utf-8")
    size = re.search(r"^DIMENSION\s*:\s*(\d+)", text, re.MULTILINE)
    assert size is not None, path
    pairs = re.findall(r"^\s*(\d+)\s+(\d+)\s*$", text, re.MULTILINE)
    return int(size[1]), {frozenset(map(int, pair)) for pair in pairs}


def is_cycle(tour: list[int], size: int, edges: set[frozenset[int]]) -> bool:
    """Return whether a list of vertices is a Hamiltonian cycle.

    >>> is_cycle([1, 2, 3], 3, {frozenset({1, 2}), frozenset({2, 3}), frozenset({3, 1})})
    True
    >>> is_cycle([1, 2, 3], 3, {frozenset({1, 2}), frozenset({2, 3})})
    False
    """
    moves = {frozenset(pair) for pair in zip(tour, [*tour[1:], *tour[:1]], strict=True)}
    return len(tour) == size == len({*tour}) and moves <= edges


def solve(path: Path, seconds: float) -> dict[str, Any]:
    """Solve a graph in a process of its own, end it at the time limit, and check its cycle."""
    size, edges = read_graph(path)
    limit = f"{CLOCK_FACTOR * seconds:g}"
    words = ["-m", "kt_cp", "solve", str(path), "--closed", "--time-limit", limit, "--json"]
    used = 0.0
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(
            [sys.executable, *words], stdout=output, stderr=subprocess.DEVNULL
        ) as process,
    ):
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            used = max(used, processor_seconds(process.pid))
            if used > seconds:
                process.terminate()
            time.sleep(LOOK_SECONDS)
        _, status, usage = ended
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        answer = json.loads(output.read() or b"{}")
    if process.returncode not in (0, 1, 3) and used <= seconds:
        raise RuntimeError(f"{path.name}: exit code {process.returncode}")
    tour = [int(node) for node in answer.get("tour") or []]
    return {
        "name": path.name,
        "nodes": size,
        "cpu": round(max(used, usage.ru_utime + usage.ru_stime), 2),
        "valid": is_cycle(tour, size, edges),
        "none": process.returncode == 1,
    }


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants."""
    total = 0.0
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        total = sum(process.cpu_times()[:4])
        for child in process.children(recursive=True):
            total += sum(child.cpu_times()[:4])
    return total


def table(runs: list[dict[str, Any]], seconds: float, published: Path | None) -> Iterator[str]:
    """Yield the table by size as lines of Markdown, and the graphs that are not solved."""
    others: dict[str, dict[int, float]] = {}
    if published is not None:
        with published.open(encoding="utf-8") as file:
            _, *names = next(rows := csv.reader(file))
            for number, *values in rows:
                for name, value in zip(names, values, strict=True):
                    taken = float("inf") if value == "TO" else float(value)
                    others.setdefault(name, {})[int(number)] = taken
    heads = ["| vertices", "graphs", "cycle", "none", "median", "longest", *others]
    yield " | ".join(heads) + " |"
    yield "|---|" + "---:|" * (5 + len(others))
    for least, most in pairwise(SIZES):
        them = [run for run in runs if least <= run["nodes"] < most]
        if not them:
            continue
        solved = sorted(run["cpu"] for run in them if is_solved(run, seconds))
        none = sum(bool(run.get("none")) and is_solved(run, seconds) for run in them)
        times = [f"{median(solved):.1f} s", f"{solved[-1]:.1f} s"] if solved else ["–", "–"]
        numbers = [int(re.sub(r"\D", "", run["name"])) for run in them] if others else []
        more = [str(sum(it[n] <= seconds for n in numbers)) for it in others.values()]
        counts = [str(each) for each in (len(them), len(solved) - none, none)]
        cells = [f"{least:,} to {most - 1:,}", *counts, *times, *more]
        yield f"| {' | '.join(cells)} |"
    lost = [run for run in runs if not is_solved(run, seconds)]
    graphs = ", ".join(f"{run['name']} ({run['nodes']:,})" for run in lost)
    rest = f"  Not answered:\n{graphs}" if lost else ""
    yield f"\n{len(runs) - len(lost)} of {len(runs)} are answered.{rest}"


def is_solved(run: dict[str, Any], seconds: float) -> bool:
    """Return whether a run had an answer within this processor time."""
    return bool(run["valid"] or run.get("none")) and run["cpu"] <= seconds


def main(
    folder: Annotated[Path, typer.Argument(help="Folder of the .hcp files")],
    keep: Annotated[Path, typer.Option(help="File of the runs, which may be continued")],
    time_limit: Annotated[
        float, typer.Option(help="Seconds of the processor for each graph")
    ] = 60.0,
    published: Annotated[Path | None, typer.Option(help="CSV file with times of others")] = None,
) -> None:
    """Solve the graphs that have no run yet, and print the table."""
    paths = sorted(folder.glob("*.hcp"))
    random.Random(1).shuffle(paths)
    lines = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
    runs = [json.loads(line) for line in lines]
    done = {run["name"] for run in runs}
    for path in paths:
        if path.name not in done:
            runs.append(solve(path, time_limit))
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(runs[-1]) + "\n")
    print("\n".join(table(runs, time_limit, published)))


if __name__ == "__main__":
    typer.run(main)
