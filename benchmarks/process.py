"""One run in a process of its own, and what came of it."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

HARMLESS = ("FOUND", "TIMEOUT")
LOADING = 10.0
"""Seconds that a process may take to load solvers: half a one, and up to 5 on a busy machine."""
LIMITS = ("TIMEOUT", "MEMORY", "REFUSED")
"""What a run that was not done ran into, where that is no fault."""


@dataclass(frozen=True)
class Run:
    """What came of one process, and its numbers.

    The status is ``FOUND``, ``TIMEOUT``, ``MEMORY``, ``REFUSED`` (too large, by estimate),
    ``CRASH``, ``WRONG`` (the judge refuses the tour), or what the solver said in place of a tour.
    """

    status: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds to build and solve, or to enumerate; infinite where it was not done."""
        return self.values["seconds"] if self.status == "FOUND" else math.inf


def job(
    *arguments: object,
    time_limit: float,
    module: str = "benchmarks.job",
    stop: threading.Event | None = None,
) -> Run:
    """Run :mod:`benchmarks.job` or another module.

    It is ended when its time is over, after ``LOADING`` more for loading the solvers, or when
    ``stop`` is set; what took longer by its own clock has run into the limit as well.
    """
    texts = [str(argument) for argument in arguments]
    run = _run([sys.executable, "-m", module, *texts], time_limit, stop or threading.Event())
    took = f" {run.values['seconds']:.3f} s" if "seconds" in run.values else ""
    print(f"{' '.join(texts)}: {run.status}{took}", file=sys.stderr, flush=True)
    return run


def _run(words: list[str], time_limit: float, stop: threading.Event) -> Run:
    until = time.monotonic() + time_limit + LOADING
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        try:
            while True:
                left = until - time.monotonic()
                try:
                    out, _ = process.communicate(timeout=max(0.0, min(left, 0.5)))
                    break
                except subprocess.TimeoutExpired:
                    if stop.is_set() or left <= 0:
                        return Run("TIMEOUT")
        finally:
            process.kill()  # does nothing to one that has ended
    if process.returncode == -signal.SIGKILL:
        return Run("MEMORY")  # nobody else kills: the machine had none left
    try:
        # A crash may have printed anything, so what it printed counts only without one.
        values = {} if process.returncode else json.loads(out.splitlines()[-1])
        run = Run(values.pop("status", "CRASH"), values)
        return Run("TIMEOUT") if values.get("seconds", 0.0) > time_limit else run
    except (ValueError, LookupError, AttributeError, TypeError):  # it printed something else
        return Run("CRASH")


def command(arguments: list[str], environment: dict[str, str] | None = None) -> float:
    """Wall time of a whole Python process; infinite if it fails.

    ``environment`` is set beside what is set already.
    """
    began = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=os.environ | (environment or {}),
        stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip
    return math.inf if ended.returncode else time.perf_counter() - began
