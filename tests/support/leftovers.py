"""End every process that the tests have started when their run ends, even by SIGKILL.

Children that lead a session of their own, as a test of Ctrl-C needs them, get no signal from the
terminal, and SIGKILL leaves no time to clean up.  So a second process watches: it reads from a pipe
that closes when the run ends, and then kills every process that has the mark of the run in its
environment, at any depth.
"""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from contextlib import suppress

import psutil

MARK = "KT_CP_TEST_RUN"
"""Environment variable with the marks of this run and of all runs that it is nested in."""


def watch() -> subprocess.Popen[bytes]:
    """Mark all processes that start from now on; end the watcher by ``communicate()``."""
    mark = uuid.uuid4().hex
    os.environ[MARK] = f"{os.environ.get(MARK, '')} {mark}".strip()
    return subprocess.Popen(
        [sys.executable, __file__, mark], stdin=subprocess.PIPE, start_new_session=True
    )


def marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # it has ended, or belongs to another user
            if process.pid != os.getpid() and mark in process.environ().get(MARK, "").split():
                found.append(process)
    return found


if __name__ == "__main__":
    sys.stdin.buffer.read()
    while left := marked(sys.argv[1]):  # again, as one may have started another meanwhile
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=1)
