"""Run the command line, limit its files, interrupt it and inspect its processes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds after which a program counts as hung; generous, for slow machines."""


DATA = ROOT / "tests" / "data"


def printed_matrices(path: Path) -> list[list[list[int]]]:
    """Return the square matrices of step numbers that a document prints, in its order."""
    lines = path.read_text("utf-8").splitlines()
    rows = [[int(cell) for cell in line.split()] for line in lines if line[:1].isdigit()]
    side = len(rows[0])
    assert len(rows) % side == 0 and {len(row) for row in rows} == {side}
    return [rows[i : i + side] for i in range(0, len(rows), side)]


@dataclass(frozen=True)
class Result:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def environment(**changes: str) -> dict[str, str]:
    """Return this environment, with the package of this tree and without settings of colours."""
    others = {name: value for name, value in os.environ.items() if name not in _PREFERENCES}
    return {**others, "PYTHONPATH": str(ROOT), **changes}


_PREFERENCES = {"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "PYTHONIOENCODING"}


def command_line(*arguments: object) -> list[str]:
    return [sys.executable, "-P", "-m", "kt_cp", *map(str, arguments)]


def run_cli(*arguments: object, stdin: bytes = b"", **options) -> Result:
    """Run ``kt-cp`` in a process of its own; options go to ``subprocess.run``."""
    options.setdefault("env", environment())
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    done = subprocess.run(
        command_line(*arguments), input=stdin, timeout=PATIENCE, check=False, **options
    )
    return Result(done.returncode, (done.stdout or b"").decode(), (done.stderr or b"").decode())


def refused(result: Result, *words: str) -> None:
    """Assert that the input was refused: exit code 2, one line on stderr, nothing on stdout."""
    assert result.code == 2, result
    assert result.out == ""
    assert result.err.startswith("kt-cp: ")
    assert result.err.count("\n") == 1
    assert result.err.endswith("\n")
    assert len(result.err) < 600
    for word in words:
        assert word in result.err


def documents(result: Result) -> list[dict[str, Any]]:
    """Parse the lines of JSON that a command printed."""
    return [json.loads(line) for line in result.out.splitlines()]


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Poll until a condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{condition} does not hold after {seconds} s"
        time.sleep(0.01)


def workers(parent: int) -> list[psutil.Process]:
    """Return the processes that a running ``kt-cp`` has started for its solvers."""
    try:
        children = psutil.Process(parent).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return [child for child in children if "kt_cp.processes.worker" in _arguments(child)]


def end(running: subprocess.Popen[bytes], number: signal.Signals) -> tuple[int, bytes, bytes]:
    """Send a signal to a process, or Ctrl-C to its whole group as a terminal does.

    Returns the exit code and the output.  The process must end within two seconds.
    """
    began = time.monotonic()
    if number is signal.SIGINT:
        os.killpg(running.pid, number)
    else:
        running.send_signal(number)
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 2
    return running.returncode, out, err


def alive(process: psutil.Process) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def busy(process: psutil.Process, seconds: float) -> bool:
    """Return whether a process has used this much processor time."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return False
    return bool(times.user + times.system >= seconds)


def _arguments(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


interrupts = pytest.mark.parametrize(
    ("number", "code", "stderr"),
    [(signal.SIGINT, 130, b"kt-cp: interrupted\n"), (signal.SIGTERM, 143, b"")],
    ids=["Ctrl-C", "terminated"],
)


@contextlib.contextmanager
def at_most(size):
    """Limit the size of each file that this process writes."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def leaves_nothing(path, program, number, code, stderr, *, forced):
    """Interrupt a program in the middle of writing a file; the folder must be as before."""
    if forced:
        path.write_text("before")
    with subprocess.Popen(
        [sys.executable, "-c", program, path, *["--force"] * forced],
        stderr=subprocess.PIPE,
        env=environment(),
    ) as running:
        wait_until(lambda: any(part.stat().st_size >= 1 << 20 for part in path.parent.iterdir()))
        running.send_signal(number)
        assert running.wait(PATIENCE) == code
        assert running.stderr.read() == stderr
    assert list(path.parent.iterdir()) == [path] * forced
    assert not forced or path.read_text() == "before"
