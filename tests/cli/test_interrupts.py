"""``kt-cp solve``: every way of being ended, by a key, a signal or a limit."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.support.command_line import (
    PATIENCE,
    ROOT,
    alive,
    busy,
    command_line,
    environment,
    run_cli,
    wait_until,
    workers,
)
from tests.support.exhaustive import more

# All but construct, which has no search that could be interrupted.
ENGINES = [
    "auto", "warnsdorff", "backtrack", "cpsat", "sat:lazy", "sat:position", "propagator",
    "reference",
]  # fmt: skip


# Work for minutes; for auto, which answers nearly everything at once, for some seconds.
HARD = {
    "warnsdorff": ["4x400", "--closed", "--missing", "cv2,cv3"],
    "backtrack": ["300x300", "--closed", "--missing", "a1,a2"],
    "cpsat": ["14x14", "--closed", "--missing", "a1,a2,b1,n14,n13,m14"],
    "sat:lazy": ["300x300", "--closed", "--missing", "a1,a2"],
    "sat:position": ["30x30", "--closed"],
    "propagator": ["14x14", "--closed", "--missing", "a1,a2,b1,n14,n13,m14"],
    "reference": ["100x100", "--closed"],
    "auto": ["1000x1000", "--closed", "--missing", "a1,a2"],
}
QUICK = ["backtrack", "sat:lazy"]
REST = [engine for engine in ENGINES if engine not in QUICK]
IN_A_CHILD = ("sat:lazy", "sat:position", "propagator")


def test_every_engine_has_a_hard_board():
    assert set(HARD) == set(ENGINES)


@pytest.fixture
def hard(tmp_path):
    """Start a search that will not end by itself, and wait until it is busy."""
    started = []

    def start(engine, output, *options):
        running = subprocess.Popen(
            command_line("solve", *HARD[engine], "--engine", engine, "-o", output, *options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        started.append(running)
        if engine in IN_A_CHILD:
            wait_until(lambda: workers(running.pid))
            child = workers(running.pid)[0]
            wait_until(lambda: busy(child, 0.5))
            started.append(child)
        else:
            child = None
            wait_until(lambda: busy(psutil.Process(running.pid), 1.0))
        assert running.poll() is None
        return running, child

    yield start
    for process in started:
        if alive(psutil.Process(process.pid)) if psutil.pid_exists(process.pid) else False:
            process.kill()
    for process in started:
        if isinstance(process, subprocess.Popen):
            process.communicate()


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "engine", [*QUICK, *(pytest.param(e, marks=pytest.mark.slow) for e in REST)]
)
def test_ctrl_c_ends_it_at_once(hard, tmp_path, engine):
    path = tmp_path / "tour.svg"
    running, child = hard(engine, path)
    began = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: the whole process group
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 2
    assert running.returncode == 130
    assert (out, err) == (b"", b"kt-cp: interrupted\n")
    assert child is None or not alive(child)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "engine",
    [
        "sat:position",
        pytest.param("backtrack", marks=pytest.mark.slow),
        pytest.param("cpsat", marks=pytest.mark.slow),
    ],
)
def test_being_terminated_clears_up(hard, tmp_path, engine):
    path = tmp_path / "tour.svg"
    path.write_text("before")
    running, child = hard(engine, path, "--force")
    began = time.monotonic()
    running.terminate()
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 2
    assert (running.returncode, out, err) == (128 + signal.SIGTERM, b"", b"")
    assert child is None or not alive(child)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills children with their parent")
def test_a_killed_parent_takes_its_child_along(hard, tmp_path):
    running, child = hard("sat:position", tmp_path / "tour.svg")
    running.kill()
    wait_until(lambda: not alive(child), 2)


@pytest.mark.parametrize("engine", ["backtrack", "sat:lazy"])  # and the contract has all
def test_the_time_limit_ends_it_on_time(kt_cp, tmp_path, engine):
    limit = 0.3
    began = time.monotonic()
    asked = ("solve", *HARD[engine], "--engine", engine, "--time-limit", limit)
    ran = kt_cp(*asked, "-o", tmp_path / "tour.svg")
    assert ran.code == 3
    assert (ran.out, ran.err) == (
        "",
        f"kt-cp: unknown whether there is a tour: the time limit of {limit} s was reached\n",
    )
    assert time.monotonic() - began < limit + 30  # the start of a child, and a generous rest
    assert list(tmp_path.iterdir()) == []


def test_the_memory_limit_ends_it(kt_cp):
    asked = ("solve", *HARD["sat:position"], "--engine", "sat:position")
    ran = kt_cp(*asked, "--memory-limit", 120, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"]) == (3, "UNKNOWN")
    assert document["reason"] == "the memory limit of 120 MB was reached"
    assert 120 < document["statistics"]["peak_mb"] < 700


@pytest.mark.slow
def test_generous_limits_are_kept_as_well(kt_cp):
    for options in (["--memory-limit", "1e300"], ["--time-limit", "1e300"], ["--time-limit", 60]):
        ran = kt_cp("solve", "6x6", "--engine", "sat", *options)
        assert ran.code == 0
    assert kt_cp("solve", "6x6", "--memory-limit", "1e308").code == 0


def test_the_child_does_not_import_from_where_the_user_stands(tmp_path):
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')")
    (tmp_path / "pickle.py").write_text("raise SystemExit('nor this one')")
    ran = run_cli("solve", "6x6", "--engine", "sat", "--format", "names", cwd=tmp_path)
    assert ran.code == 0
    assert len(ran.out.split()) == 36


AT = """
import os, signal, sys
from kt_cp import __main__, cli
{}
sys.argv = ["kt-cp", "solve", "3x4"]
__main__.main()
"""
"""The command line, interrupted at a moment of its own."""

KEY = "os.kill(os.getpid(), signal.SIGINT)"
MOMENTS = {
    "before the command": f"app, cli.app = cli.app, lambda words: ({KEY}, app(words))[1]",
    "after its answer": f"import atexit; atexit.register(lambda: {KEY})",
    "as an import swallows it": "import kt_cp.engines\n"
    "def swallow(*_, **__):\n"
    f"    try: {KEY}\n"
    "    except KeyboardInterrupt: raise ImportError('a library')\n"
    "kt_cp.engines.solve_within = swallow",
    "as compiled code prints it": "import kt_cp.engines\n"
    "def print_it(*_, **__):\n"
    f"    try: {KEY}\n"
    "    except KeyboardInterrupt:\n"
    "        sys.excepthook(*sys.exc_info())\n"
    "        raise ImportError('a library') from None\n"
    "kt_cp.engines.solve_within = print_it",
    "in a finalizer, which drops it": "import kt_cp.engines, time\n"
    "class Dropping:\n"
    f"    def __del__(self): {KEY}\n"
    "kt_cp.engines.solve_within = lambda *_, **__: (Dropping() and None, time.sleep(60))",
}
MOMENTS["in a finalizer, where threads start slowly"] = (
    "import threading\n"
    "start = threading.Thread.start\n"
    "threading.Thread.start = lambda self: (start(self), time.sleep(0.1))\n"
    + MOMENTS["in a finalizer, which drops it"]
)


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_outside_of_the_search(moment):
    done = subprocess.run(
        [sys.executable, "-c", AT.format(MOMENTS[moment])],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "kt-cp: interrupted"
    assert "Traceback" not in done.stderr and "ignored" not in done.stderr


@pytest.mark.slow
def test_ctrl_c_at_any_moment_of_the_first_four_tenths_of_a_second():
    rng = random.Random(14)
    for _ in range(more(20, 200)):
        running = subprocess.Popen(
            command_line("solve", "8x8"),
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(rng.uniform(0, 0.4))
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
        # Until main has begun, the answer to Ctrl-C is Python's own.
        ours = re.search(rf'File "{re.escape(str(ROOT / "kt_cp"))}.*, in main$', said, re.M)
        if ours or running.returncode not in (1, -signal.SIGINT):
            assert running.returncode in (0, 130)
            assert "Traceback" not in said


def test_too_little_memory_for_numpy_is_no_definite_no():
    """OpenBLAS ends the process with 1, unless room is looked for before."""
    limited = """import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (110_000 << 10, 110_000 << 10))
sys.argv = ["kt-cp", "solve", "3x4"]
runpy.run_module("kt_cp", run_name="__main__")"""
    done = subprocess.run(
        [sys.executable, "-c", limited],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (3, "kt-cp: unknown: memory ran out\n")
