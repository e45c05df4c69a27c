"""Executors for large jobs: threads, processes, or a Dask cluster.

All of them implement the interface of :mod:`concurrent.futures`, and Python callers may pass any
other such executor: ``submit(function, *arguments)`` returns a future.  Other processes must be
able to import the function by its module and name.  Its arguments are pickled.

``threads``
    Threads of this process.  They suit functions that release Python's lock, such as compiled
    searches.
``processes``
    Threads, each of which has a child process (:mod:`kt_cp.processes.isolate`).
``dask``
    A cluster of processes on this machine, which this module starts and ends.
``dask:ADDRESS``
    A running cluster with a scheduler at this address.

Source: Dask's ``Client.get_executor``, M. Rocklin, "Dask: parallel computation with blocked
algorithms and task scheduling", SciPy 2015.  Cost: a local cluster takes a few seconds to start,
and a call takes a few milliseconds, so tasks should be coarse.  When it loses: each worker of a
local cluster imports the main program again, which therefore needs ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from kt_cp.model.board import describe
from kt_cp.model.errors import EndedError, InputError
from kt_cp.model.limits import Limits
from kt_cp.model.versions import versions_of

ANSWER_SECONDS = 4.0
"""Longest wait for a scheduler to answer, and then for its first worker."""

CLOSE_SECONDS = 5.0
"""Longest wait for a local cluster to end by itself."""

CLUSTER_SETTINGS = {
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.tick.interval": "500ms",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""Settings that reduce monitoring: by default Dask records a worker's stack every 10 ms."""

SIGNAL_SECONDS = 0.2
"""Seconds between two checks for signals in :func:`wait_for`."""

T = TypeVar("T")


def wait_for(future: Future[T]) -> T:
    """Return the result of a future, and handle signals while waiting.

    ``future.result()`` alone is not enough: if a signal arrives just before the main thread begins
    to wait, Python handles it only after the wait, which may be long.
    """
    while not wait([future], SIGNAL_SECONDS).done:
        pass
    return future.result()


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise InputError(
            f"--executor dask: expected Dask, got {error}; in the folder of kt_cp, "
            "pip install '.[cluster]' installs it"
        ) from None
    return distributed


@contextmanager
def _client_executor(client: Any) -> Iterator[Any]:
    # Not pure: Dask must run two calls with the same arguments twice.
    executor: Any = client.get_executor(pure=False)
    executor.at_once, executor.client = sum(client.nthreads().values()), client
    yield executor


@contextmanager
def start_cluster(number: int) -> Iterator[Executor]:
    """Start a cluster on this machine, with processes of one thread each; yield its executor."""
    import logging

    distributed = _import_distributed()
    from dask import config

    with TemporaryDirectory(prefix="kt-cp-", ignore_cleanup_errors=True) as folder:
        settings = {**CLUSTER_SETTINGS, "temporary-directory": folder}
        with _without_ctrl_c(), config.set(settings):
            cluster = distributed.LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # any free port, and for this machine alone
                silence_logs=logging.CRITICAL,
            )
            client = distributed.Client(cluster, set_as_default=False)
        try:
            with _client_executor(client) as executor:
                executor.folder = folder
                yield executor
        finally:
            with _without_ctrl_c():
                _kill(cluster)  # after the last result there is nothing to wait for
                _close(client)
                _close(cluster)


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C, and block it in all processes and threads that start meanwhile.

    They inherit the mask of signals, so a worker never receives Ctrl-C, even after a restart.  Only
    this process ends the workers.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _close(what: Any) -> None:
    """Close a client or a cluster; give up without an error if that takes too long."""
    with contextlib.suppress(TimeoutError):
        what.close(CLOSE_SECONDS)


def _kill(cluster: Any) -> None:
    """Kill the workers of a local cluster: a busy worker would otherwise finish its task first."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        with contextlib.suppress(OSError, TypeError):  # it has ended or has never started
            os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def version() -> str:
    """Return the version of this package on the machine that runs this function."""
    return versions_of(())["kt_cp"]


@contextmanager
def connect_cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler at an address, and yield the executor of its cluster.

    Raises
    ------
    InputError
        If no scheduler answers, or its workers have another version of this package.
    """
    import asyncio

    distributed = _import_distributed()
    prefix = f"--executor dask:{address}: expected"

    async def ask() -> None:
        comm = await distributed.connect(address, timeout=ANSWER_SECONDS)
        await comm.close()

    try:
        # Try a plain connection first: a client that has failed keeps trying until it is collected.
        asyncio.run(asyncio.wait_for(ask(), ANSWER_SECONDS + 1))  # another server may stay silent
        client = distributed.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # another kind of server may send anything
        message_lines = str(error).splitlines() or [type(error).__name__]
        raise InputError(f"{prefix} a scheduler of Dask there, got {message_lines[0]}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        except TimeoutError:
            raise InputError(f"{prefix} workers there, got none") from None
        try:
            theirs = set(client.run(version).values())
        except Exception as error:  # the workers cannot import this module
            message_lines = str(error).splitlines() or [type(error).__name__]
            raise InputError(f"{prefix} workers with kt_cp, got {message_lines[0]}") from None
        if theirs != {version()}:
            their_versions = ", ".join(sorted(theirs))
            raise InputError(f"{prefix} workers with kt_cp {version()}, got {their_versions}")
        with _client_executor(client) as executor:
            yield executor
    finally:
        _close(client)


NAMES = ("threads", "processes", "dask", "dask:ADDRESS")

_THIS = threading.local()


def is_cancelled() -> bool:
    """Return whether the task of this thread has been cancelled.

    Tasks that take more than a second poll it.  It works in threads of this process.  Child
    processes are killed instead.  A task on a cluster that this process did not start runs to its
    end.
    """
    stop = getattr(_THIS, "stop", None)
    return stop is not None and stop.is_set()


class WorkerEndedError(EndedError):
    """A worker died for a reason other than its task, so another worker may repeat the task."""


class Threads(ThreadPoolExecutor):
    """Threads that can be cancelled.

    Examples
    --------
    >>> with Threads(2) as pool:
    ...     pool.submit(abs, -3).result()
    3
    """

    def __init__(self, parallel_calls: int) -> None:
        self.at_once, self.stop = parallel_calls, threading.Event()
        super().__init__(parallel_calls, initializer=setattr, initargs=(_THIS, "stop", self.stop))


class Processes(Threads):
    """Threads that each run their calls in a child process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a call in a child process.

        The future raises WorkerEndedError if the process dies, and MemoryError if it runs out of
        memory.
        """
        return super().submit(self._in_child, fn, args, kwargs)

    def _in_child(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        from kt_cp.processes.isolate import call

        ended = call(
            f"{__name__}:run_here", fn, args, kwargs,
            limits=Limits(), warm=True, cancelled=self.stop.is_set,
        )  # fmt: skip
        if ended.how == "memory":
            raise MemoryError
        if ended.how != "done":
            raise WorkerEndedError(f"a process at work on a piece was ended: {ended.detail}")
        return ended.value


def run_here(fn: Callable[..., Any], args: Any, kwargs: Any, emit: object) -> Any:  # noqa: ARG001
    """Run a call in a child of :class:`Processes`, without progress reports."""
    return fn(*args, **kwargs)


def parallel_calls(executor: Executor) -> int:
    """Return the number of calls that an executor runs at a time; a guess for foreign executors."""
    return int(getattr(executor, "at_once", None) or os.cpu_count() or 1)


@contextmanager
def open_executor(
    name: str | None, number: int | None = None, module: str | None = None
) -> Iterator[Executor | None]:
    """Yield the executor with a name, or None without a name; end it and its workers on exit.

    Parameters
    ----------
    name : str, optional
        One of :data:`NAMES`.
    number : int, optional
        Calls at a time; by default the number of processors.  A running cluster has its own number.
    module : str, optional
        Module that processes load at once, while the caller prepares their tasks.

    Raises
    ------
    InputError
        If there is no executor with that name, Dask is not installed, or no cluster answers.
    """
    if name is None:
        yield None
        return
    kind, _, address = name.partition(":")
    if name not in NAMES[:3] and (kind != "dask" or not address):
        raise InputError(
            f"--executor: expected {', '.join(NAMES[:-1])} or {NAMES[-1]}, got {describe(name)}"
        )
    number = number or os.cpu_count() or 1
    if kind == "dask":
        with connect_cluster(address) if address else start_cluster(number) as executor:
            yield executor
        return
    pool = (Threads if kind == "threads" else Processes)(number)
    try:
        for _ in range(number if module and kind == "processes" else 0):
            pool.submit(exec, f"import {module}")  # a module cannot be sent back
        yield pool
    finally:
        pool.stop.set()  # after the last result there is nothing to wait for
        pool.shutdown(wait=True, cancel_futures=True)
