"""Pipes, terminals and full disks that ``kt-cp`` writes to."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.support.command_line import PATIENCE, command_line, environment, refused, run_cli

ESCAPE = "\x1b"


def test_no_escape_codes_in_pipes(kt_cp):
    for arguments in (["--help"], ["solve", "--help"], ["engines"], ["solve", "3x4"], ["nonsense"]):
        ran = kt_cp(*arguments)
        assert ESCAPE not in ran.out + ran.err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("arguments", [["solve", "5x5"], ["--help"]])
def test_no_colours_on_a_terminal_that_wants_none(arguments):
    out = _on_a_terminal(arguments, NO_COLOR="1", TERM="xterm-256color")
    assert len(out) > 100
    assert not re.search(rb"\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7])[0-9;]*m", out)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_progress_on_a_terminal():
    asked = ["solve", "6x6", "--closed", "--engine", "sat:position"]
    out = _on_a_terminal(asked, TERM="xterm-256color")
    assert b"6x6, closed" in out
    assert out.endswith(b"verified, replayed\r\n")


def _on_a_terminal(arguments, **changes):
    import pty

    master, slave = pty.openpty()
    with subprocess.Popen(
        command_line(*arguments), stdin=slave, stdout=slave, stderr=slave,
        env=environment(**changes),
    ) as running:  # fmt: skip
        os.close(slave)
        said = b""
        try:
            while piece := os.read(master, 65536):
                said += piece
        except OSError:
            pass  # Linux's way of saying that the other side is closed
        assert running.wait(PATIENCE) == 0
    os.close(master)
    return said


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("arguments", "code", "both"),
    [
        (["solve", "100x100", "--format", "csv"], 0, True),
        (["solve", "3x3"], 1, True),
        (["engines"], 0, False),
    ],
)
def test_a_reader_who_has_enough(arguments, code, both):
    """As in ``kt-cp … | head -1``: quiet, and the exit code is that of the answer."""
    reader, writer = os.pipe()
    with subprocess.Popen(
        command_line(*arguments), stdout=writer, stderr=writer if both else subprocess.PIPE,
        env=environment(),
    ) as running:  # fmt: skip
        os.close(writer)
        if arguments[1:] == ["100x100", "--format", "csv"]:
            assert b"step,square" in os.read(reader, 60)
        os.close(reader)
        said = b"" if both else running.stderr.read()
        assert running.wait(PATIENCE) == code
    assert b"Traceback" not in said
    assert b"Broken" not in said


@pytest.mark.skipif(os.name != "posix", reason="closed streams of POSIX")
def test_closed_streams():
    def closing(*streams):
        return {"preexec_fn": lambda: [os.close(stream) for stream in streams]}

    refused(run_cli("solve", "3x4", **closing(1)), "cannot write to stdout: it is closed")
    refused(run_cli("check", "-", **closing(0)), "cannot read -: it is closed")
    ran = run_cli("solve", "3x3", **closing(2))
    assert (ran.code, ran.out) == (1, "No tour (3x3, open): b2 has no moves at all.\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
@pytest.mark.parametrize("arguments", [["solve", "3x4"], ["engines"]])
def test_stdout_on_a_full_disk(arguments):
    with open("/dev/full", "wb") as full:
        ran = run_cli(*arguments, stdout=full)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err.lower().count("no space left on device") == 1


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_a_disk_that_fills_in_the_middle_of_a_text(tmp_path, unbuffered):
    """What is unbuffered may write a part and say nothing: that is no tour, and no success."""
    import resource

    asked = ["solve", "20x20", "--closed", "--format", "csv"]
    path = tmp_path / "tour.csv"
    for most, code in ((1_500, 2), (1 << 20, 0))[: 1 if unbuffered else 2]:
        with path.open("wb") as file:
            ran = run_cli(
                *asked,
                stdout=file,
                env=environment(PYTHONUNBUFFERED=unbuffered),
                preexec_fn=lambda most=most: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (most, most)
                ),
            )
        assert ran.code == code, ran.err
        assert ("cannot write to stdout: file too large" in ran.err) == (code == 2)
        assert path.read_bytes().count(b"\n") == 401 or code == 2


def test_a_terminal_that_knows_no_frames():
    ran = run_cli("solve", "3x4", env=environment(PYTHONIOENCODING="ascii"))
    assert ran.code == 0
    assert ran.out.startswith("3 ?")
