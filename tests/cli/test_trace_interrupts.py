"""``kt-cp trace``: every way of being ended, by a key, a signal or a reader who has enough."""

from __future__ import annotations

import os
import signal
import subprocess

import psutil
import pytest

from tests.support.command_line import PATIENCE, busy, command_line, end, environment, wait_until

FOREVER = ["8x8", "--from", 10**15]


@pytest.fixture
def started():
    processes = []

    def start(*arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        running = subprocess.Popen(
            command_line("trace", *arguments), env=environment(), start_new_session=True, **options
        )
        processes.append(running)
        return running

    yield start
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (FOREVER, signal.SIGINT),
        pytest.param(FOREVER, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param([*FOREVER, "--format", "svg"], signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(["8x8"], signal.SIGINT, marks=pytest.mark.slow),
    ],
    ids=["far-Ctrl-C", "far-terminated", "picture-terminated", "boards-Ctrl-C"],
)
def test_it_ends_at_once_and_leaves_nothing(started, tmp_path, arguments, key):
    path = tmp_path / "boards"
    path.write_text("before")
    running = started(*arguments, "-o", path, "--force")
    # The file is opened after the imports, just before the search.
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    wait_until(lambda: busy(psutil.Process(running.pid), 1.0))
    assert running.poll() is None
    if key == signal.SIGINT:
        assert end(running, key) == (130, b"", b"kt-cp: interrupted\n")
    else:
        assert end(running, key) == (128 + signal.SIGTERM, b"", b"")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_while_boards_are_read(started):
    running = started("8x8")
    for _ in range(100):
        assert running.stdout.readline()
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (130, b"kt-cp: interrupted\n")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "options", [[], pytest.param(["--json"], marks=pytest.mark.slow)], ids=["text", "json"]
)
def test_a_reader_who_has_enough(started, options):
    running = started("8x8", *options)
    assert running.stdout.readline()
    running.stdout.close()
    assert running.wait(PATIENCE) == 0
    assert running.stderr.read() == b""
    running.stdout = None
