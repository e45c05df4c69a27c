"""A process of its own: what it answers comes back, and its limits really end it."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time

import pytest

from kt_cp import Board, Problem, Verdict, get_engine, solve
from kt_cp.model.limits import Limits
from kt_cp.processes import isolate
from kt_cp.processes.isolate import Child
from tests.support import child_functions


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
    # Its number could go to the pipe of the next child before the thread comes to read.  So the
    # thread closes it; here a grandchild keeps it open for a while.
    children = []
    monkeypatch.setattr(isolate, "Child", lambda: children.append(Child()) or children[-1])
    assert call("leaves_a_grandchild", 2.0).value == "gone"
    (child,) = children
    stdout, stderr = child.process.stdout, child.process.stderr
    assert child.hearing.is_alive() and not stderr.closed
    child.hearing.join(30)
    assert not child.hearing.is_alive() and stderr.closed and stdout.closed


@pytest.mark.parametrize(
    ("name", "detail"),
    [("abort", "ended by SIGABRT"), ("segfault", "ended by SIGSEGV"), ("leave", "exit code 3"),
     ("complain", "exit code 4: last words")],
)  # fmt: skip
def test_a_crash_is_told(name, detail):
    ended = call(name)
    assert (ended.how, ended.value, ended.detail) == ("crash", None, detail)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_a_child_that_somebody_else_ends_has_not_crashed(name):
    number = getattr(signal, name)
    # A child ignores what its parent does, which is SIGHUP where nohup has started the tests.
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
    # However much of it did pickle before.
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


def test_the_time_of_whoever_waits_counts_too():
    began = time.perf_counter()
    ended = call("sleep", 60, seconds=2, since=began)
    assert ended.how == "timeout"
    # The child's start is a part of it, but the function has half of it at least.
    assert 1 <= ended.seconds < 20
    assert call("sleep", 60, seconds=0.4, since=began - 100).seconds >= 0.2


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
    """Its number could otherwise belong to the next child, which would read half of this job."""
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
    child.writing.join(60)
    assert closed == [False] and child.process.stdin.closed


def test_signals_have_names():
    assert isolate._post_mortem(-signal.SIGKILL, []) == "ended by SIGKILL"
    assert isolate._post_mortem(-60, []) == "ended by signal 60"


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
    "said", ["terminate called after throwing an instance of 'std::bad_alloc'",
             "OpenBLAS error: Memory allocation still failed after 10 retries, giving up."],
)  # fmt: skip
def test_a_library_that_ends_the_process_for_want_of_memory(said):
    ended = call("dies_saying", said)
    assert ended.how == "memory"
