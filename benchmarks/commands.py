"""Whole processes: start-up, small questions, and closed tours written to files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from benchmarks.runner import Measurement, Row, Table, figure, seconds
from benchmarks.search import board
from kt_cp import Problem
from kt_cp.compare import Task

KT_CP = ("-m", "kt_cp")
SHORT = {
    "python -c pass": ("-c", "pass"),
    **{
        f"kt-cp {words}": (*KT_CP, *words.split())
        for words in (
            "enumerate 5x5 --count",
            "enumerate 6x6 --closed --count",
            "locate 1000000000x1000000001 --closed --step 123456789012345678",
            "locate 1000000000x1000000001 --closed --square 987654321,123456789",
        )
    },
}
ZEROS = (
    "import sys; file = open(sys.argv[1], 'wb'); "
    "[file.write(bytes(min(left, 1 << 24))) for left in range(int(sys.argv[2]), 0, -(1 << 24))]"
)
REST_SECONDS = 5.0
"""Pause before a file is written, in which the system writes the rest of the previous one.  The
first use of memory that a virtual machine has returned is slow as well."""


def run_command(
    words: tuple[str, ...],
    _problem: Problem,
    _seed: int,
    codes: tuple[int, ...] = (0,),
    most: float | None = None,
    python: tuple[str, ...] = (sys.executable,),
) -> Mapping[str, float]:
    """Run Python with these arguments, and return its seconds and its memory.

    The process ends after ``most`` seconds, because the runner would end its parent only.
    """
    began = time.perf_counter()
    with subprocess.Popen([*python, *words], stdout=subprocess.DEVNULL) as process:
        timer = threading.Timer(most or threading.TIMEOUT_MAX, process.kill)
        timer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if most is not None and process.returncode == -signal.SIGKILL:
        time.sleep(most)  # until the runner reports a time-out
    if process.returncode not in codes:
        raise RuntimeError(f"{' '.join(words)}: exit code {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    taken = time.perf_counter() - began
    return {
        "solve_seconds": taken,
        "processor_seconds": used.ru_utime + used.ru_stime,
        "megabytes": used.ru_maxrss * unit / 1e6,
    }


def write_file(zeros: bool, problem: Problem, seed: int) -> Mapping[str, float]:
    """Write a closed tour, or as many zero bytes, into a file and remove the file."""
    with tempfile.TemporaryDirectory(prefix="kt_cp-") as folder:
        file = Path(folder) / "tour.npy"
        words: tuple[str, ...] = ("-c", ZEROS, str(file), str(4 * len(problem)))
        if not zeros:
            words = (*KT_CP, "solve", f"{problem.board}", "--closed", "-o", str(file))
        os.sync()
        time.sleep(REST_SECONDS if len(problem) > 1 << 24 else 0)
        return {**run_command(words, problem, seed), "gigabytes": file.stat().st_size / 1e9}


COMMANDS = Measurement(
    lambda: [Row("8x8", board("8x8"))],
    {name: Task(name, partial(run_command, words)) for name, words in SHORT.items()},
    (Table("Whole processes", {"seconds": seconds, "MB of memory": figure("megabytes")}),),
    seeds=10,
)

FILES = Measurement(
    lambda: [Row(f"{side}x{side}", board(f"{side}x{side}")) for side in (3_000, 20_000)],
    {
        "zeros": Task("zeros", partial(write_file, True)),
        "kt-cp solve -o": Task("kt-cp solve -o", partial(write_file, False)),
    },
    (
        Table(
            "Closed tours written to files, whole processes",
            {
                "GB": figure("gigabytes", ".2f"),
                "seconds": seconds,
                "MB of memory": figure("megabytes"),
            },
        ),
    ),
    seeds=5,
    note="The seconds include the start of Python and, of a tour, the judge's work.",
)
