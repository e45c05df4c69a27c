"""Calls in a process of their own: results, limits, memory, idle children."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise

import psutil
import pytest

from kt_cp import Board, Problem, Verdict, get_engine, solve
from kt_cp.model.limits import Limits
from kt_cp.processes import isolate, memory
from kt_cp.processes.isolate import Child
from tests.support import child_functions
from tests.support.command_line import PATIENCE, alive, environment, wait_until

BUDGET = Limits(processor_seconds=0.2)


def call(name, *args, seconds=None, megabytes=None, **more):
    return isolate.call(
        f"{child_functions.__name__}:{name}", *args, limits=Limits(seconds, megabytes), **more
    )


def test_values_and_progress_come_back():
    emitted = []
    ended = call("double", 21, progress=emitted.append)
    assert (ended.how, ended.value, emitted) == ("done", 42, ["working"])
    assert ended.peak_megabytes > 5 and ended.seconds >= 0
    assert call("double", "x" * (1 << 22)).value == "x" * (1 << 23)
    assert call("printing").value == "intact"


@pytest.mark.slow
def test_what_a_thread_reads_is_not_closed_under_it(monkeypatch):
    # The next child's pipe could get the same number before the thread reads.  So the thread closes
    # it; here a grandchild keeps it open for a while.
    children = []
    monkeypatch.setattr(isolate, "Child", lambda: children.append(Child()) or children[-1])
    assert call("leaves_a_grandchild", 2.0).value == "gone"
    (child,) = children
    stdout, stderr = child.process.stdout, child.process.stderr
    assert child.error_reader.is_alive() and not stderr.closed
    child.error_reader.join(30)
    assert not child.error_reader.is_alive() and stderr.closed and stdout.closed


@pytest.mark.parametrize(
    ("name", "detail"),
    [("abort", "ended by SIGABRT"), ("segfault", "ended by SIGSEGV"), ("leave", "exit code 3"),
     ("complain", "exit code 4: last words")],
)  # fmt: skip
def test_a_crash_is_reported(name, detail):
    ended = call(name)
    assert (ended.how, ended.value, ended.detail) == ("crash", None, detail)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_a_child_that_a_signal_ends_has_not_crashed(name):
    number = getattr(signal, name)
    # A child ignores the signals that its parent ignores; nohup makes the tests ignore SIGHUP.
    before = None if name == "SIGKILL" else signal.signal(number, signal.SIG_DFL)
    try:
        ended = call("pid_and_sleep", progress=lambda pid: os.kill(pid, number))
    finally:
        if before is not None:
            signal.signal(number, before)
    assert (ended.how, ended.value, ended.detail) == ("killed", None, f"ended by {name}")


def test_exceptions_come_back():
    with pytest.raises(KeyError, match="what went wrong"):
        call("raising")
    with pytest.raises(RuntimeError, match="StubbornError: this and that"):
        call("stubborn")
    with pytest.raises(RuntimeError, match="SystemExit"):
        call("exiting")
    with pytest.raises(AttributeError, match="no_such_function"):
        call("no_such_function")


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_what_does_not_pickle_is_an_exception(size):
    # The size of the part that pickles does not matter.
    with pytest.raises((AttributeError, TypeError, RuntimeError), match=r"pickle|lambda"):
        call("unpicklable", size)


def test_what_loads_there_alone_is_a_crash_and_nobody_waits():
    ended = call("only_there")
    assert ended.how == "crash"
    assert "does not load: ValueError: not on this side" in ended.detail


def test_memory_ends_it():
    ended = call("fill", megabytes=150, seconds=30)
    assert ended.how == "memory" and 150 < ended.peak_megabytes < 300
    # One huge request fails at once, with or without a limit.
    assert call("grab", megabytes=150, seconds=30).how == "memory"


def test_time_ends_it():
    began = time.perf_counter()
    ended = call("sleep", 60, seconds=0.2)
    assert ended.how == "timeout" and 0.2 <= ended.seconds < 20
    assert time.perf_counter() - began < 30
    assert call("sleep", 0.3, seconds=0.1, grace=5.0).how == "done"


def test_a_budget_counts_the_processor_time_of_the_child():
    ended = isolate.call(f"{child_functions.__name__}:sleep", 0.6, limits=BUDGET)
    assert ended.how == "done" and ended.seconds > 0.4 and ended.processor_seconds < 0.2
    for warm in (False, True, True):
        ended = isolate.call(f"{child_functions.__name__}:work", limits=BUDGET, warm=warm)
        assert ended.how == "timeout" and 0.2 <= ended.processor_seconds < 20


def test_the_time_of_waiting_counts_too():
    began = time.perf_counter()
    ended = call("sleep", 60, seconds=2, since=began)
    assert ended.how == "timeout"
    # The start of the child counts, but the function gets at least half of the time.
    assert 1 <= ended.seconds < 20
    assert call("sleep", 60, seconds=0.4, since=began - 100).seconds >= 0.2


def test_an_interrupted_call_returns_what_it_has():
    emitted = []
    ended = call(
        "interruptible_sleep", 60, progress=emitted.append, interrupted=lambda: bool(emitted)
    )
    assert (ended.how, ended.value) == ("done", "interrupted") and ended.seconds < 30


def test_what_does_not_allow_an_interrupt_is_ended(monkeypatch):
    monkeypatch.setattr(isolate, "INTERRUPT_SECONDS", 0.2)
    emitted = []
    ended = call("emit_and_sleep", 60, progress=emitted.append, interrupted=lambda: bool(emitted))
    assert ended.how == "timeout" and ended.seconds < 30


def test_a_cancelled_call_leaves_no_child():
    pids = []
    with pytest.raises(KeyboardInterrupt):
        call("pid_and_sleep", progress=pids.append, cancelled=lambda: bool(pids))
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_an_exception_in_the_progress_callback_leaves_no_child():
    pids = []

    def progress(pid):
        pids.append(pid)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        call("pid_and_sleep", progress=progress)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_child_that_never_reads_its_job(monkeypatch):
    monkeypatch.setattr(isolate.sys, "executable", shutil.which("false"))
    ended = call("double", "x" * (1 << 22))
    assert (ended.how, ended.detail) == ("crash", "exit code 1")


def test_a_pipe_is_not_closed_while_a_thread_writes_to_it(monkeypatch):
    """Otherwise the next child could get its number and read half of this job."""
    ended, closed = threading.Event(), []

    def write_late(stream, content):
        ended.wait(60)
        closed.append(stream.closed)

    monkeypatch.setattr(isolate.sys, "executable", shutil.which("false"))
    monkeypatch.setattr(isolate, "_write", write_late)
    child = Child()
    child.send("x" * (1 << 22))
    child.end()
    ended.set()
    child.job_writer.join(60)
    assert closed == [False] and child.process.stdin.closed


def test_signals_have_names():
    assert isolate._describe_exit(-signal.SIGKILL, []) == "ended by SIGKILL"
    assert isolate._describe_exit(-60, []) == "ended by signal 60"


def test_an_engine_as_an_object_crosses_too():
    problem = Problem(Board(5, 5))
    outcome = solve(problem, get_engine("backtrack"), memory_limit=2000)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.statistics["peak_mb"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["warnsdorff", "cpsat", "auto"])
def test_a_limit_ends_what_is_still_building(engine):
    began = time.monotonic()
    outcome = solve(Problem(Board(300, 300), closed=True), engine, time_limit=0.01)
    assert time.monotonic() - began < 20
    assert outcome.verdict is Verdict.FOUND or outcome.limit == "time"


@pytest.mark.parametrize(
    "message", ["terminate called after throwing an instance of 'std::bad_alloc'",
             "OpenBLAS error: Memory allocation still failed after 10 retries, giving up."],
)  # fmt: skip
def test_a_library_that_ends_the_process_for_want_of_memory(message):
    ended = call("dies_saying", message)
    assert ended.how == "memory"


def call_warm(name, *args, warm=True, seconds=None, megabytes=None, **more):
    limits = Limits(seconds, megabytes)
    return isolate.call(
        f"{child_functions.__name__}:{name}", *args, limits=limits, warm=warm, **more
    )


@pytest.fixture
def no_idle_children():
    isolate.end_all()
    yield
    isolate.end_all()


@pytest.mark.usefixtures("no_idle_children")
def test_the_next_call_has_the_same_child():
    first = call_warm("pid").value
    assert call_warm("pid").value == call_warm("pid").value == first
    assert call_warm("pid", warm=False).value != first
    assert call_warm("pid").value == first


@pytest.mark.usefixtures("no_idle_children")
def test_a_memory_limit_is_that_of_one_call():
    first, (before, _) = call_warm("pid").value, call_warm("room").value
    assert call_warm("pid", megabytes=2000).value == first
    bound, _ = call_warm("room", megabytes=2000).value
    assert 2e9 < bound < 1e10 and call_warm("room").value[0] == before
    assert call_warm("take", 400, megabytes=150).how == "memory"


@pytest.mark.usefixtures("no_idle_children")
def test_it_is_fast_from_the_second_call_on():
    call_warm("pid")
    began = time.perf_counter()
    for _ in range(20):
        call_warm("pid")
    assert time.perf_counter() - began < 2  # twenty starts take ten seconds


@pytest.mark.usefixtures("no_idle_children")
def test_its_limits_end_it_as_ever():
    first = call_warm("pid").value
    began = time.perf_counter()
    assert call_warm("emit_and_sleep", 60, seconds=0.2).how == "timeout"
    assert time.perf_counter() - began < 20
    assert call_warm("pid").value != first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


@pytest.mark.usefixtures("no_idle_children")
@pytest.mark.slow
def test_a_child_that_fails_is_not_reused():
    first = call_warm("pid").value
    with pytest.raises(KeyError):
        call_warm("raising")
    second = call_warm("pid").value
    assert second != first
    pids = []
    with pytest.raises(KeyboardInterrupt):
        call_warm("emit_and_sleep", 60, progress=pids.append, cancelled=lambda: bool(pids))
    assert pids == [second] and call_warm("pid").value != second
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


@pytest.mark.usefixtures("no_idle_children")
@pytest.mark.slow
def test_a_large_child_is_not_reused(monkeypatch):
    first = call_warm("pid").value
    peak = call_warm("take", 200).peak_megabytes
    assert peak > 200 and call_warm("pid").value == first
    assert call_warm("pid").peak_megabytes < peak - 100  # each job has a peak of its own
    monkeypatch.setattr(isolate, "MOST_IDLE_MEGABYTES", 150)
    call_warm("take", 200)
    assert call_warm("pid").value != first


@pytest.mark.usefixtures("no_idle_children")
def test_one_that_has_died_meanwhile_is_replaced():
    first = call_warm("pid").value
    os.kill(first, signal.SIGKILL)
    assert (
        call_warm("pid").value != first
    )  # the child's end is noticed before or after the job is sent
    second = call_warm("pid").value
    os.kill(second, signal.SIGSTOP)
    os.kill(second, signal.SIGKILL)
    assert call_warm("take", 1).value == 1_000_000


@pytest.mark.usefixtures("no_idle_children")
@pytest.mark.slow
def test_other_surroundings_have_another(monkeypatch, tmp_path):
    places, first = [isolate.environment()], call_warm("pid").value
    monkeypatch.setenv("SOMETHING", "else")
    places.append(isolate.environment())
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    places.append(isolate.environment())
    monkeypatch.chdir(tmp_path)
    places.append(isolate.environment())
    assert all(one != other for one, other in pairwise(places))
    assert call_warm("pid").value != first and not psutil.pid_exists(first)


@pytest.mark.usefixtures("no_idle_children")
def test_each_thread_has_its_own_and_takes_it_along():
    pids, own = [], call_warm("pid").value

    def work():
        pids.append({call_warm("pid").value for _ in range(3)})

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [*map(len, pids)] == [1, 1] and len(set.union({own}, *pids)) == 3
    wait_until(lambda: not any(map(psutil.pid_exists, set.union(*pids))))
    assert call_warm("pid").value == own


@pytest.mark.usefixtures("no_idle_children")
@pytest.mark.slow
def test_a_call_within_a_call():
    inner = []
    call_warm(
        "emit_and_sleep", 0, progress=lambda outer: inner.append((outer, call_warm("pid").value))
    )
    ((outer, other),) = inner
    assert outer != other and call_warm("pid").value == outer
    wait_until(lambda: not psutil.pid_exists(other))


@pytest.mark.usefixtures("no_idle_children")
def test_after_a_fork_there_is_none_and_the_first_is_untouched():
    code = (
        "import os; from kt_cp import solve\n"
        "ask = lambda: solve('5x5', 'sat').verdict.value\n"
        "from kt_cp.processes import isolate\n"
        "ask(); mine = isolate._IDLE.child.process.pid\n"
        "forked = os.fork()\n"
        "if not forked:\n"
        "    assert isolate._IDLE.child is None and ask() == 'FOUND'\n"
        "    assert isolate._IDLE.child.process.pid != mine\n"
        "    raise SystemExit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 7\n"
        "assert ask() == 'FOUND' and isolate._IDLE.child.process.pid == mine\n"
    )
    # From Python 3.12 on, a fork beside threads is a warning; this test does exactly that.
    run = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", code]
    result = subprocess.run(
        run, env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert (result.returncode, result.stderr) == (0, "")


SLOW = [pytest.param(each, marks=pytest.mark.slow) for each in ("", "os._exit(0)", "1 / 0")]


@pytest.mark.usefixtures("no_idle_children")
@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), 9)", *SLOW])
def test_none_outlives_the_interpreter(ending):
    code = (
        "import os; from kt_cp import solve; from kt_cp.processes import isolate\n"
        f"solve('5x5', 'sat'); print(isolate._IDLE.child.process.pid, flush=True)\n{ending}"
    )
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment(), capture_output=True,
        text=True, timeout=PATIENCE,
    )  # fmt: skip
    left = int(result.stdout)
    wait_until(lambda: not psutil.pid_exists(left) or not alive(psutil.Process(left)))
    assert ending == "1 / 0" or result.stderr == ""


@pytest.mark.usefixtures("no_idle_children")
def test_one_that_waits_in_vain_ends():
    code = (
        "import os; from kt_cp.processes import worker\n"
        "worker.IDLE_SECONDS = 0.1; worker.main(os.getppid())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=environment(),
    ) as waiting:  # fmt: skip
        assert waiting.wait(PATIENCE) == 0  # its input is open and empty


@pytest.mark.usefixtures("no_idle_children")
@pytest.mark.slow
def test_answers_are_those_of_fresh_ones():
    for seed in range(3):
        reused = solve("6x6", "sat", closed=True, seed=seed)
    fresh = solve("6x6", "sat", closed=True, seed=seed, memory_limit=2000)
    assert reused.verdict is Verdict.FOUND and reused.tour == fresh.tour


def test_what_says_that_memory_ran_out(monkeypatch):
    cause = RuntimeError("something else")
    cause.__cause__ = OSError(12, "Cannot allocate memory")
    assert memory.is_out_of_memory(MemoryError()) and memory.is_out_of_memory(cause)
    for bounded in (False, True):  # Python itself fails if an address space is too small
        monkeypatch.setattr(memory, "is_address_space_bounded", lambda bounded=bounded: bounded)
        assert memory.is_out_of_memory(SystemError("error return without exception set")) is bounded
        assert not memory.is_out_of_memory(ValueError("bad"))


def test_no_room_is_a_memory_error():
    memory.require_memory(1 << 20, "it")
    with pytest.raises(MemoryError, match="no room for it"):
        memory.require_memory(1 << 62, "it")
