"""Executors by name: what each is, what is refused, and that nothing is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import psutil
import pytest

from kt_cp.cli.options import EXECUTORS
from kt_cp.model.errors import InputError
from kt_cp.processes import executors
from kt_cp.processes.executors import WorkerEndedError, at_once, open_executor


def test_without_a_name_there_is_none():
    with open_executor(None) as executor:
        assert executor is None


@pytest.mark.parametrize("name", ["", "dusk", "dask:", "threads:3", "processes:", "Dask"])
def test_other_names_are_refused(name):
    with pytest.raises(InputError, match="expected threads, processes, dask or dask:ADDRESS"):
        open_executor(name).__enter__()


def test_threads_are_of_this_process():
    with open_executor("threads", 3) as pool:
        assert at_once(pool) == 3 and pool.submit(os.getpid).result() == os.getpid()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_processes_are_others_and_die_alone():
    with open_executor("processes", 1) as pool:
        other = pool.submit(os.getpid).result()
        assert other != os.getpid()
        with pytest.raises(WorkerEndedError, match="SIGKILL"):
            pool.submit(signal.raise_signal, signal.SIGKILL).result()
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
        last = pool.submit(os.getpid).result()
    assert not psutil.pid_exists(other) and not psutil.pid_exists(last)


@pytest.mark.parametrize("name", ["dask", "dask:127.0.0.1:1"])
def test_dask_may_be_missing(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"expected Dask.*pip install 'kt_cp\[cluster\]'"):
        open_executor(name).__enter__()


def test_every_name_is_told():
    assert EXECUTORS == executors.NAMES
    said = executors.__doc__
    assert all(f"``{name}``" in said for name in executors.NAMES)


class Slow:
    """A cluster, or its client, that does not close in time, and workers that need not live."""

    def __init__(self, *_, **__):
        self.workers = {"one": self}
        self.process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        self.pid = self.process.pid

    def close(self, timeout):
        raise TimeoutError(f"timed out after {timeout} s")

    def nthreads(self):
        return {"one": 1}

    def get_executor(self, **_):
        return self


def test_a_cluster_that_does_not_close_is_killed_and_what_was_computed_is_kept(monkeypatch):
    started = Slow()
    dask = SimpleNamespace(LocalCluster=lambda **_: started, Client=lambda *_, **__: Slow())
    monkeypatch.setattr(executors, "_distributed", lambda: dask)
    with open_executor("dask", 1) as pool:
        found, client = "found", pool
    assert found and started.process.wait(30) == -signal.SIGKILL
    client.process.communicate(b"\n")
    started.process.communicate()
