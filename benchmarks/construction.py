"""The part ``construction``: tours of large boards as arrays, as files, and square by square."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.construction_cases import HUGE, KINDS, KINDS_OF_SHAPES, Sizes
from benchmarks.process import HARMLESS, ROOT, Run, command, job
from kt_cp.formats.npy import npy_size

JOB = "benchmarks.construction_job"
OURS, PLAIN = "kt-cp solve", "plain zeros"


@dataclass
class Constructed:
    """What came of the constructed tours."""

    cost: dict[tuple[str, str], list[Run]] = field(default_factory=dict)
    """By board and kind."""
    whole: Run | None = None
    peaks: dict[str, Run] = field(default_factory=dict)
    calls: Run | None = None
    commands: dict[str, list[float]] = field(default_factory=dict)
    files: dict[tuple[int, str], list[Run]] = field(default_factory=dict)
    """By side, and by whom."""

    @property
    def broken(self) -> list[str]:
        """What crashed, or was no tour; that a kind is not constructed is no fault."""
        runs = [(", ".join(key), run) for key, them in self.cost.items() for run in them]
        runs += [(f"memory of {board}", run) for board, run in self.peaks.items()]
        runs += [(what, run) for what, run in (("whole", self.whole), ("calls", self.calls)) if run]
        runs += [(f"{side}, {who}", it) for (side, who), them in self.files.items() for it in them]
        bad = [
            f"{what}: {run.status}" for what, run in runs if run.status not in (*HARMLESS, "NONE")
        ]
        return bad + [f"{name}: failed" for name, it in self.commands.items() if math.inf in it]


def constructions(sizes: Sizes, time_limit: float) -> Constructed:
    """Run the whole part; a line to stderr for every run."""
    results = Constructed()
    squares = [f"{side}x{side}" for side in sizes.sides]
    cases = [(board, kind) for board in squares for kind in KINDS]
    cases += [(board, kind) for board in sizes.shapes for kind in KINDS_OF_SHAPES]
    for _ in range(sizes.repeats):
        for case in cases:
            run = job("cost", *case, time_limit=time_limit, module=JOB)
            results.cost.setdefault(case, []).append(run)
        for name, arguments in locate_commands():
            results.commands.setdefault(name, []).append(command(arguments))
    arguments = ("whole", sizes.whole, sizes.repeats)
    results.whole = job(*arguments, time_limit=time_limit, module=JOB)
    for board in sizes.peaks:
        results.peaks[board] = job("peak", board, time_limit=time_limit, module=JOB)
    boards = sizes.located
    results.calls = job("calls", 5 * sizes.repeats, *boards, time_limit=time_limit, module=JOB)
    for _ in range(sizes.stream_repeats):
        for side in sizes.stream:
            for who in (PLAIN, OURS):
                time.sleep(sizes.pause)
                results.files.setdefault((side, who), []).append(_file(side, who))
    return results


def locate_commands() -> Iterator[tuple[str, list[str]]]:
    """Whole processes that look up one step or one square, with their names."""
    yield "python -c pass", ["-c", "pass"]
    for board, name in zip(HUGE, ("10^9 x 10^9", "10^9 x (10^9+1)"), strict=True):
        for asked in (("--step", "123456789012345678"), ("--square", "987654321,123456789")):
            arguments = ["-m", "kt_cp", "locate", board, "--closed", *asked]
            yield f"kt-cp locate {name} --closed {asked[0]}", arguments


def _file(side: int, who: str) -> Run:
    """Write a closed tour, or as many zeros: seconds and memory of the whole process."""
    import numpy as np

    size = npy_size(side, side, np.dtype(np.int32))
    with tempfile.TemporaryDirectory(prefix="kt_cp-benchmark-") as directory:
        file = Path(directory) / "tour.npy"
        arguments = {
            OURS: ["-m", "kt_cp", "solve", f"{side}x{side}", "--closed", "-o", file, "--force"],
            PLAIN: ["benchmarks/plain_zeros.py", file, str(size)],
        }[who]
        # What others have written does not wait for this one's time.
        os.sync()
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            try:
                _, status, used = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                raise
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
        written = process.returncode == 0 and file.stat().st_size == size
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    values = {"seconds": seconds, "memory": memory, "size": size}
    run = Run("FOUND", values) if written else Run("CRASH")
    took = f" {seconds:.3f} s" if written else ""
    print(f"{side}x{side} by {who}: {run.status}{took}", file=sys.stderr, flush=True)
    return run
