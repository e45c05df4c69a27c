"""What streaming into files is tested with: little room, and interrupts in the middle."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys

import pytest

from tests.support.command_line import PATIENCE, environment, wait_until

interrupts = pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, b"kt-cp: interrupted\n"), (signal.SIGTERM, 143, b"")],
    ids=["Ctrl-C", "terminated"],
)


@contextlib.contextmanager
def at_most(size):
    """Let no file of this process grow beyond that."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def leaves_nothing(path, program, number, code, said, *, forced):
    """Interrupt a program that writes a file, in the middle; the folder must be as it was."""
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
        assert running.stderr.read() == said
    assert list(path.parent.iterdir()) == [path] * forced
    assert not forced or path.read_text() == "before"
