"""No process outlives the test run that started it."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from tests.support.command_line import PATIENCE, alive, environment, wait_until

LEAVES = """
import time
from pathlib import Path
from subprocess import Popen
from tests.support.command_line import command_line

def test_leaves_a_trace():
    endless = command_line("trace", "8x8", "--from", 10**15, "--to", 10**15)
    Path("pid").write_text(f"{{Popen(endless, start_new_session=True).pid}}\\n")
    time.sleep({seconds})
"""


@pytest.mark.slow
@pytest.mark.parametrize(("processes", "killed"), [(0, False), (1, True)])
def test_what_a_run_leaves_behind_is_ended(tmp_path, processes, killed):
    (tmp_path / "test_it.py").write_text(LEAVES.format(seconds=600 if killed else 0))
    options = ("-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", tmp_path)
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *map(str, options), f"-n{processes}", "test_it.py"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    pid_file = tmp_path / "pid"
    wait_until(lambda: (pid_file.exists() and pid_file.read_text().endswith("\n")) or run.poll())
    left = [
        psutil.Process(int(pid_file.read_text())),
        *psutil.Process(run.pid).children(recursive=True),
    ]
    if killed:
        run.kill()
    output, _ = run.communicate(timeout=PATIENCE)
    assert killed or b"1 passed" in output
    wait_until(lambda: not any(map(alive, left)))
