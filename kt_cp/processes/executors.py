"""Who works on the pieces of something large: threads or processes here, or a Dask cluster.

All of them are executors of :mod:`concurrent.futures`, and so is whatever else is handed over from
Python: ``submit(function, *arguments)`` gives a future.  The function is named by its module, as
other processes have to find it, and its arguments are pickled.

``threads``
    Threads of this process.  They suit what runs outside Python's lock, as compiled searches do.
``processes``
    Threads, each of which has a child process (:mod:`kt_cp.processes.isolate`).
``dask``
    A cluster of processes on this machine, which is started and ended here
    (:mod:`kt_cp.processes.cluster`).
``dask:ADDRESS``
    A cluster that is there, by the address of its scheduler.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from kt_cp.model.board import describe
from kt_cp.model.errors import EndedError, InputError
from kt_cp.model.limits import Limits

NAMES = ("threads", "processes", "dask", "dask:ADDRESS")

_THIS = threading.local()


def given_up() -> bool:
    """Whether nobody waits any more for the piece that this thread works on.

    Pieces that take more than a second poll it.  It is seen by threads of this process; other
    processes are ended.  What runs on somebody else's cluster goes on to the end of its piece.
    """
    stop = getattr(_THIS, "stop", None)
    return stop is not None and stop.is_set()


class WorkerEndedError(EndedError):
    """A worker has come to its end, and not the work: somebody else may do the piece again."""


class Threads(ThreadPoolExecutor):
    """Threads that can be told to give up.

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

        came = call(
            f"{__name__}:run_here", fn, args, kwargs,
            limits=Limits(), warm=True, cancelled=self.stop.is_set,
        )  # fmt: skip
        if came.how == "memory":
            raise MemoryError
        if came.how != "done":
            raise WorkerEndedError(f"a process at work on a piece was ended: {came.detail}")
        return came.value


def run_here(fn: Callable[..., Any], args: Any, kwargs: Any, emit: object) -> Any:  # noqa: ARG001
    """What a child of :class:`Processes` calls; it has nothing to tell meanwhile."""
    return fn(*args, **kwargs)


def at_once(executor: Executor) -> int:
    """How many calls an executor works on at a time; a guess, if it is somebody else's."""
    return int(getattr(executor, "at_once", None) or os.cpu_count() or 1)


@contextmanager
def opened(name: str | None, number: int | None = None) -> Iterator[Executor | None]:
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
        from kt_cp.processes import cluster

        with cluster.there(address) if address else cluster.local(number) as executor:
            yield executor
        return
    pool = (Threads if kind == "threads" else Processes)(number)
    try:
        yield pool
    finally:
        pool.stop.set()  # whoever has all results waits for nothing more
        pool.shutdown(wait=True, cancel_futures=True)
