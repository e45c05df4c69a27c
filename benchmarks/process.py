"""One run of a case in a process of its own, and what came of it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import cached_property
from pathlib import Path

from benchmarks import cplusplus
from benchmarks.case import Case, Run

ROOT = Path(__file__).parent.parent

LOADING = 10.0
"""Seconds that a process may take to load solvers: half a one, and up to 5 on a busy machine."""


class Processes:
    """Runs cases; within a ``with``, at whose end the files of its own are removed."""

    def __enter__(self) -> Processes:
        self._files = tempfile.TemporaryDirectory(prefix="kt_cp-benchmark-")
        return self

    def __exit__(self, *_: object) -> None:
        self._files.cleanup()

    @cached_property
    def _recursion(self) -> Path:
        return cplusplus.build(Path(self._files.name))

    def __call__(self, case: Case, seed: int, stop: threading.Event | None = None) -> Run:
        """Run a case with a seed, with a line to stderr; ``stop``, once set, ends it."""
        run = self._run(case, seed, stop or threading.Event())
        took = f" {run.values['seconds']:.3f} s" if "seconds" in run.values else ""
        print(f"{case.row}, {case.who}, {seed}: {run.status}{took}", file=sys.stderr, flush=True)
        return run

    def _run(self, case: Case, seed: int, stop: threading.Event) -> Run:
        file = Path(self._files.name) / "tour.npy"
        names = {"python": sys.executable, "seed": seed, "file": file, "recursion": ""}
        if "{recursion}" in case.words:
            try:
                names["recursion"] = self._recursion
            except subprocess.CalledProcessError:
                return Run("CRASH")
        words = [word.format(**names) for word in case.words]
        environment = {**os.environ}
        if case.cache:
            environment["NUMBA_CACHE_DIR"] = str(Path(self._files.name) / f"{case.cache}{seed}")
        time.sleep(case.pause)
        if case.size:
            os.sync()  # what others have written does not wait for this one's time
        run = process(words, case, stop, environment)
        if case.size and run.status == "FOUND" and file.stat().st_size != case.size:
            run = Run("CRASH")
        file.unlink(missing_ok=True)
        return run


def process(
    words: list[str], case: Case, stop: threading.Event, environment: dict[str, str]
) -> Run:
    """Run a process and read the line of JSON that it ends with.

    It is ended when its time is over, after ``LOADING`` more for loading the solvers, or when
    ``stop`` is set; what took longer by its own clock has run into the limit as well.
    """
    began = time.monotonic()
    until = began + case.limit + LOADING
    printed = b""
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if case.whole else None,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        try:
            while True:
                left = until - time.monotonic()
                if stop.is_set() or left <= 0:
                    return Run("TIMEOUT")
                if select.select([running.stdout], [], [], min(left, 0.5))[0]:
                    block = os.read(running.stdout.fileno(), 1 << 16)
                    if not block:
                        break
                    printed += block
            _, status, used = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(status)
        finally:
            running.kill()  # does nothing to one that has ended
    seconds = time.monotonic() - began
    if running.returncode == -signal.SIGKILL:
        return Run("MEMORY")  # nobody else kills: the machine had none left
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return _read(printed, running.returncode, case, {"seconds": seconds, "memory": memory})


def _read(printed: bytes, code: int, case: Case, values: dict[str, float]) -> Run:
    try:
        # A crash may have printed anything, so what it printed counts only without one.
        if code:
            return Run("CRASH")
        said = {"status": "FOUND"} if case.whole else json.loads(printed.splitlines()[-1])
        run = Run(said.pop("status", "CRASH"), {**(values if case.whole else {}), **said})
        return Run("TIMEOUT") if run.values.get("seconds", 0.0) > case.limit else run
    except (ValueError, LookupError, AttributeError, TypeError):  # it printed something else
        return Run("CRASH")
