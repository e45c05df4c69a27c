"""A child that is kept for the next call: one for each thread, none left behind, none shared."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise

import psutil
import pytest

from kt_cp import Verdict, solve
from kt_cp.model.limits import Limits
from kt_cp.processes import isolate
from tests.support import child_functions
from tests.support.command_line import PATIENCE, alive, environment, wait_until


def call(name, *args, warm=True, seconds=None, megabytes=None, **more):
    limits = Limits(seconds, megabytes)
    return isolate.call(
        f"{child_functions.__name__}:{name}", *args, limits=limits, warm=warm, **more
    )


@pytest.fixture(autouse=True)
def nothing_kept():
    isolate.end_all()
    yield
    isolate.end_all()


def test_the_next_call_has_the_same_child():
    first = call("pid").value
    assert call("pid").value == call("pid").value == first
    assert call("pid", warm=False).value != first
    assert call("pid").value == first


def test_a_memory_limit_is_that_of_one_call():
    first, (before, _) = call("pid").value, call("room").value
    assert call("pid", megabytes=2000).value == first
    bound, _ = call("room", megabytes=2000).value
    assert 2e9 < bound < 1e10 and call("room").value[0] == before
    assert call("take", 400, megabytes=150).how == "memory"


def test_it_is_fast_from_the_second_call_on():
    call("pid")
    began = time.perf_counter()
    for _ in range(20):
        call("pid")
    assert time.perf_counter() - began < 2  # twenty starts take ten seconds


def test_its_limits_end_it_as_ever():
    first = call("pid").value
    began = time.perf_counter()
    assert call("emit_and_sleep", 60, seconds=0.2).how == "timeout"
    assert time.perf_counter() - began < 20
    assert call("pid").value != first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


@pytest.mark.slow
def test_what_fails_is_not_kept():
    first = call("pid").value
    with pytest.raises(KeyError):
        call("raising")
    second = call("pid").value
    assert second != first
    pids = []
    with pytest.raises(KeyboardInterrupt):
        call("emit_and_sleep", 60, progress=pids.append, cancelled=lambda: bool(pids))
    assert pids == [second] and call("pid").value != second
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


@pytest.mark.slow
def test_a_large_one_is_not_kept(monkeypatch):
    first = call("pid").value
    peak = call("take", 200).peak_megabytes
    assert peak > 200 and call("pid").value == first
    assert call("pid").peak_megabytes < peak - 100  # each job has a peak of its own
    monkeypatch.setattr(isolate, "MOST_KEPT_MEGABYTES", 150)
    call("take", 200)
    assert call("pid").value != first


def test_one_that_has_died_meanwhile_is_replaced():
    first = call("pid").value
    os.kill(first, signal.SIGKILL)
    assert call("pid").value != first  # whether its end is seen before the job is sent, or after
    second = call("pid").value
    os.kill(second, signal.SIGSTOP)
    os.kill(second, signal.SIGKILL)
    assert call("take", 1).value == 1_000_000


@pytest.mark.slow
def test_other_surroundings_have_another(monkeypatch, tmp_path):
    places, first = [isolate.surroundings()], call("pid").value
    monkeypatch.setenv("SOMETHING", "else")
    places.append(isolate.surroundings())
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    places.append(isolate.surroundings())
    monkeypatch.chdir(tmp_path)
    places.append(isolate.surroundings())
    assert all(one != other for one, other in pairwise(places))
    assert call("pid").value != first and not psutil.pid_exists(first)


def test_each_thread_has_its_own_and_takes_it_along():
    pids, own = [], call("pid").value

    def work():
        pids.append({call("pid").value for _ in range(3)})

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [*map(len, pids)] == [1, 1] and len(set.union({own}, *pids)) == 3
    wait_until(lambda: not any(map(psutil.pid_exists, set.union(*pids))))
    assert call("pid").value == own


@pytest.mark.slow
def test_a_call_within_a_call():
    inner = []
    call("emit_and_sleep", 0, progress=lambda outer: inner.append((outer, call("pid").value)))
    ((outer, other),) = inner
    assert outer != other and call("pid").value == outer
    wait_until(lambda: not psutil.pid_exists(other))


def test_after_a_fork_there_is_none_and_the_first_is_untouched():
    code = (
        "import os; from kt_cp import solve\n"
        "ask = lambda: solve('5x5', 'sat').verdict.value\n"
        "from kt_cp.processes import isolate\n"
        "ask(); mine = isolate._KEPT.child.process.pid\n"
        "forked = os.fork()\n"
        "if not forked:\n"
        "    assert isolate._KEPT.child is None and ask() == 'FOUND'\n"
        "    assert isolate._KEPT.child.process.pid != mine\n"
        "    raise SystemExit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 7\n"
        "assert ask() == 'FOUND' and isolate._KEPT.child.process.pid == mine\n"
    )
    # From Python 3.12 on a fork beside threads is a warning; it is what is tried here.
    run = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", code]
    ran = subprocess.run(run, env=environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert (ran.returncode, ran.stderr) == (0, "")


SLOW = [pytest.param(each, marks=pytest.mark.slow) for each in ("", "os._exit(0)", "1 / 0")]


@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), 9)", *SLOW])
def test_none_outlives_the_interpreter(ending):
    code = (
        "import os; from kt_cp import solve; from kt_cp.processes import isolate\n"
        f"solve('5x5', 'sat'); print(isolate._KEPT.child.process.pid, flush=True)\n{ending}"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment(), capture_output=True,
        text=True, timeout=PATIENCE,
    )  # fmt: skip
    left = int(ran.stdout)
    wait_until(lambda: not psutil.pid_exists(left) or not alive(psutil.Process(left)))
    assert ending == "1 / 0" or ran.stderr == ""


def test_one_that_waits_in_vain_ends():
    code = (
        "import os; from kt_cp.processes import worker\n"
        "worker.IDLE_SECONDS = 0.1; worker.main(os.getppid())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=environment(),
    ) as waiting:  # fmt: skip
        assert waiting.wait(PATIENCE) == 0  # with its input open, and nothing in it


@pytest.mark.slow
def test_answers_are_those_of_fresh_ones():
    for seed in range(3):
        kept = solve("6x6", "sat", closed=True, seed=seed)
    fresh = solve("6x6", "sat", closed=True, seed=seed, memory_limit=2000)
    assert kept.verdict is Verdict.FOUND and kept.tour == fresh.tour
