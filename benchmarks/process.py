"""One run in a process of its own, and what came of it."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

HARMLESS = ("FOUND", "TIMEOUT")


@dataclass(frozen=True)
class Run:
    """What came of one process, and its numbers.

    The status is ``FOUND``, ``TIMEOUT``, ``CRASH``, ``WRONG`` (the judge refuses the tour), or
    what the solver said in place of a tour.
    """

    status: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds to build and solve, or to enumerate; infinite where it was not done."""
        return self.values["seconds"] if self.status == "FOUND" else math.inf


def job(*arguments: object, time_limit: float, module: str = "benchmarks.job") -> Run:
    """Run :mod:`benchmarks.job` or another module.

    It is ended when its time, counted from its start, is over.
    """
    texts = [str(argument) for argument in arguments]
    try:
        ended = subprocess.run(
            [sys.executable, "-m", module, *texts],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=time_limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        run = Run("TIMEOUT")
    else:
        # A crash may have printed anything, so what it printed counts only without one.
        values = {} if ended.returncode else json.loads(ended.stdout.splitlines()[-1])
        run = Run(values.pop("status", "CRASH"), values)
    took = f" {run.seconds:.3f} s" if "seconds" in run.values else ""
    print(f"{' '.join(texts)}: {run.status}{took}", file=sys.stderr, flush=True)
    return run


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
