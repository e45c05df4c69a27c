"""Executors for large jobs: threads, processes, or a Dask cluster.

All of them are executors of :mod:`concurrent.futures`, and so is whatever else is handed over from
Python: ``submit(function, *arguments)`` gives a future.  The function is named by its module, as
other processes have to find it, and its arguments are pickled.

``threads``
    Threads of this process.  They suit what runs outside Python's lock, as compiled searches do.
``processes``
    Threads, each of which has a child process (:mod:`kt_cp.processes.isolate`).
``dask``
    A cluster of processes on this machine, which is started and ended here.
``dask:ADDRESS``
    A running cluster, by the address of its scheduler.

Source: Dask's ``Client.get_executor``, M. Rocklin, "Dask: parallel computation with blocked
algorithms and task scheduling", SciPy 2015.  Cost: a local cluster takes some seconds to start, and
a call some milliseconds, so pieces should be coarse.  When it loses: a program that starts a local
cluster is imported again by each worker, so it needs ``if __name__ == "__main__"``.
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
"""Most time for a scheduler to answer, and then for a first worker of its own."""

CLOSE_SECONDS = 5.0
"""Most time for a local cluster to end by itself."""

CLUSTER_SETTINGS = {
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.tick.interval": "500ms",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""Less watching of a local cluster: by default a worker's stack is recorded every 10 ms."""

SIGNAL_SECONDS = 0.2
"""Longest wait at a time in :func:`wait_for`."""

T = TypeVar("T")


def wait_for(future: Future[T]) -> T:
    """Return the result of a future, and handle signals meanwhile.

    ``future.result()`` alone is not enough: a signal that arrives just before the main thread
    begins to wait is handled only after the wait, however long that is.
    """
    while not wait([future], SIGNAL_SECONDS).done:
        pass
    return future.result()


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise InputError(
            f"--executor dask: expected Dask, got {error}; in the folder of kt_cp, "
            "pip install '.[cluster]' installs it"
        ) from None
    return distributed


@contextmanager
def _of_client(client: Any) -> Iterator[Any]:
    # Not pure: two calls with the same arguments may be two seeds' worth of time.
    executor: Any = client.get_executor(pure=False)
    executor.at_once, executor.client = sum(client.nthreads().values()), client
    yield executor


@contextmanager
def local(number: int) -> Iterator[Executor]:
    """A cluster on this machine, of processes of one thread each."""
    import logging

    distributed = _distributed()
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
            with _of_client(client) as executor:
                executor.folder = folder
                yield executor
        finally:
            with _without_ctrl_c():
                _kill(cluster)  # after the last result there is nothing to wait for
                _close(client)
                _close(cluster)


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Keep Ctrl-C for later, and from all processes and threads that are started meanwhile.

    The mask of signals is inherited: a worker never sees Ctrl-C, also where it is started again.
    So it is this process alone that ends the workers.
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
    """Close a client or a cluster; keep what has been computed if that takes too long."""
    with contextlib.suppress(TimeoutError):
        what.close(CLOSE_SECONDS)


def _kill(cluster: Any) -> None:
    """End the workers of a local cluster at once: one that is at work would end its task first."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        with contextlib.suppress(OSError, TypeError):  # it has ended, or was never started
            os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def version() -> str:
    """Of this package, wherever this is called."""
    return versions_of(())["kt_cp"]


@contextmanager
def there(address: str) -> Iterator[Executor]:
    """The cluster of the scheduler at an address.

    Raises
    ------
    InputError
        If none answers, or its workers are of another version.
    """
    import asyncio

    distributed = _distributed()
    prefix = f"--executor dask:{address}: expected"

    async def ask() -> None:
        comm = await distributed.connect(address, timeout=ANSWER_SECONDS)
        await comm.close()

    try:
        # First by itself: a client that has come to nothing goes on trying as it is dropped.
        asyncio.run(asyncio.wait_for(ask(), ANSWER_SECONDS + 1))  # what listens may say nothing
        client = distributed.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # whatever lives there may say anything
        message_lines = str(error).splitlines() or [type(error).__name__]
        raise InputError(f"{prefix} a scheduler of Dask there, got {message_lines[0]}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        except TimeoutError:
            raise InputError(f"{prefix} workers there, got none") from None
        try:
            theirs = set(client.run(version).values())
        except Exception as error:  # they cannot even load this
            message_lines = str(error).splitlines() or [type(error).__name__]
            raise InputError(f"{prefix} workers with kt_cp, got {message_lines[0]}") from None
        if theirs != {version()}:
            their_versions = ", ".join(sorted(theirs))
            raise InputError(f"{prefix} workers with kt_cp {version()}, got {their_versions}")
        with _of_client(client) as executor:
            yield executor
    finally:
        _close(client)


NAMES = ("threads", "processes", "dask", "dask:ADDRESS")

_THIS = threading.local()


def is_cancelled() -> bool:
    """Whether the task of this thread has been cancelled.

    Pieces that take more than a second poll it.  It is seen by threads of this process; other
    processes are ended.  A task on a cluster of others runs to its end.
    """
    stop = getattr(_THIS, "stop", None)
    return stop is not None and stop.is_set()


class WorkerEndedError(EndedError):
    """A worker died, and not because of its task: another may repeat it."""


class Threads(ThreadPoolExecutor):
    """Threads that can be cancelled.

    Examples
    --------
    >>> with Threads(2) as pool:
    ...     pool.submit(abs, -3).result()
    3
    """

    def __init__(self, at_once: int) -> None:
        self.at_once, self.stop = at_once, threading.Event()
        super().__init__(at_once, initializer=setattr, initargs=(_THIS, "stop", self.stop))


class Processes(Threads):
    """The same, each with a child process that does the work."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do a call in a child process.

        The future raises WorkerEndedError where the process dies, and MemoryError where it has no
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
    """What a child of :class:`Processes` calls; it reports no progress."""
    return fn(*args, **kwargs)


def at_once(executor: Executor) -> int:
    """Number of calls that an executor runs at a time; a guess for foreign executors."""
    return int(getattr(executor, "at_once", None) or os.cpu_count() or 1)


@contextmanager
def open_executor(name: str | None, number: int | None = None) -> Iterator[Executor | None]:
    """The executor of a name, which ends with all that it has started; None for no name.

    Parameters
    ----------
    name : str, optional
        One of :data:`NAMES`.
    number : int, optional
        Calls at a time; by default as many as there are processors.  A cluster that is there has
        its own number.

    Raises
    ------
    InputError
        If there is none of that name, Dask is not installed, or no cluster answers.
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
        with there(address) if address else local(number) as executor:
            yield executor
        return
    pool = (Threads if kind == "threads" else Processes)(number)
    try:
        yield pool
    finally:
        pool.stop.set()  # after the last result there is nothing to wait for
        pool.shutdown(wait=True, cancel_futures=True)
