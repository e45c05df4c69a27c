"""``kt-cp reference``: limits, interrupts, and readers who have enough."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import psutil
import pytest

from tests.support.command_line import busy, command_line, end, environment, wait_until


@pytest.mark.parametrize(
    "recursion", ["readable", pytest.param("compiled", marks=pytest.mark.slow)]
)
def test_the_time_limit_is_3(kt_cp, recursion):
    asked = ("reference", "9x9", "--at", "1,1", "--recursion", recursion)
    began = time.monotonic()
    ran = kt_cp(*asked, "--time-limit", 0.3)
    assert time.monotonic() - began < 30
    said = "kt-cp: unknown whether there is a tour: the time limit of 0.3 s was reached\n"
    assert (ran.code, ran.out, ran.err) == (3, "", said)
    ran = kt_cp(*asked, "--time-limit", 0.3, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"], document["tour"]) == (3, "UNKNOWN", None)
    assert document["solved"] is document["exhausted"] is False


@pytest.mark.slow
def test_the_time_limit_after_some_tours_is_3(kt_cp):
    ran = kt_cp("reference", "6x6", "--source", "004", "--time-limit", 3)
    found = ran.out.count("\n\n")
    assert ran.code == 3
    assert found > 0
    assert f"another tour: the time limit of 3.0 s was reached after {found:,} tour" in ran.err


@pytest.fixture
def busy_run():
    started = []

    def start(*arguments):
        ran = subprocess.Popen(
            command_line("reference", *arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        started.append(ran)
        wait_until(lambda: busy(psutil.Process(ran.pid), 1.5))
        assert ran.poll() is None
        return ran

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "recursion", ["readable", pytest.param("compiled", marks=pytest.mark.slow)]
)
def test_ctrl_c_ends_it_at_once(kt_cp, busy_run, recursion):
    kt_cp(
        "reference", "3x4", "--start", "a1", "--recursion", recursion
    )  # which keeps the compiled code
    run = busy_run("9x9", "--at", "1,1", "--recursion", recursion)
    assert end(run, signal.SIGINT) == (130, b"", b"kt-cp: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_nobody_reads_on(options):
    # Half a million tours, of which the first seven lines are wanted.
    run = subprocess.Popen(
        command_line("reference", "6x6", "--source", "004", *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    try:
        lines = [run.stdout.readline() for _ in range(7)]
        run.stdout.close()
        assert run.wait(20) == 0
        said = run.stderr.read().decode()
    finally:
        run.kill()
        run.stderr.close()
    assert all(lines[:6])
    assert (lines[6] == b"\n") is (not options)
    assert said.count("\n") == 1
    assert "and no more asked for" in said
