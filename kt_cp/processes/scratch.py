"""Blocks of a run without a store: files on the machines of the workers.

A task writes its results to files in a temporary folder of its machine.  The coordinator receives
only their names.  A task on the same machine reads the files.  They are usually in the system's
page cache, so workers share memory; if memory is short, the system writes them to the disk.  If
workers are on several machines, a task on each machine reads its files, and the future of that task
is an argument of the task that needs them.  So Dask moves the contents from worker to worker.

Files remain after a worker dies, so its task can be repeated with the same input.  If a machine is
lost, its files are lost too.  Dask's own memory is not suitable: the results in a worker's memory
are lost when it dies, and their input no longer exists.  Dask's peer-to-peer shuffle accepts only
data frames and arrays of regular chunks.  Cost: a copy to the page cache and a copy from it.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
from concurrent.futures import Executor
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from kt_cp.model.errors import EndedError
from kt_cp.processes.executors import parallel_calls

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future


class ScratchBlock:
    """A block in a temporary folder, with the interface of :class:`kt_cp.processes.store.Block`."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder, self._name = folder, name

    def __str__(self) -> str:
        return str(self._path)

    @property
    def _path(self) -> Path:
        return Path(tempfile.gettempdir(), self._folder, self._name)

    def load(self) -> dict[str, Any] | None:
        """Return the content of the file on this machine, or None."""
        try:
            with self._path.open("rb") as file:
                content: dict[str, Any] = pickle.load(file)
                return content
        except FileNotFoundError:
            return None

    def save(self, content: Mapping[str, Any]) -> None:
        """Save arrays and integers."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._path.with_name(f"{self._name}-{os.getpid()}")
        with part.open("wb") as file:
            pickle.dump({**content}, file, protocol=5)
        part.replace(self._path)

    def drop(self) -> None:
        """Remove the file from this machine."""
        self._path.unlink(missing_ok=True)


class RoundRobin(Executor):
    """An executor of a cluster that distributes tasks evenly over the machines.

    Dask itself would run every task on the first machine, because that machine has the input.
    """

    def __init__(self, executor: Executor, hosts: list[str]) -> None:
        self.at_once, self._executor, self._turns = parallel_calls(executor), executor, cycle(hosts)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a call on the next machine in turn, or on another one if that machine is lost."""
        where: dict[str, Any] = {"workers": [next(self._turns)], "allow_other_workers": True}
        return self._executor.submit(fn, *args, **kwargs, **where)


class Scratch:
    """The temporary folders of a run; ``executor`` runs its tasks on all machines in turn.

    Examples
    --------
    >>> scratch = Scratch()
    >>> scratch.block(1, "a").save({"tours": 8})
    >>> scratch.block(1, "a").load()
    {'tours': 8}
    >>> scratch.close()
    >>> scratch.block(1, "a").load() is None
    True
    """

    def __init__(self, executor: Executor | None = None) -> None:
        self._client: Any = getattr(executor, "client", None)
        # A local cluster has its own folder, which is removed after its workers have ended.
        folder = getattr(executor, "folder", "")
        self._name, self._own = str(Path(folder, f"kt-cp-{uuid4().hex}")), bool(folder)
        hosts = self._hosts()
        self._spread = len(set(hosts)) > 1
        self.executor = RoundRobin(executor, hosts) if executor and self._spread else executor

    def block(self, step: int, key: str) -> ScratchBlock:
        """Return a block of a step."""
        return ScratchBlock(f"{self._name}/{step}", key)

    def fetch(self, blocks: Sequence[ScratchBlock], hosts: Sequence[str]) -> list[Any]:
        """Return the inputs of a task: its blocks, or a future for each machine that has blocks.

        Raises
        ------
        EndedError
            If no worker is left on the machine of a block.
        """
        if not self._spread:
            return [*blocks]
        if missing := sorted({*hosts} - {*self._hosts()}):
            raise EndedError(
                f"no worker is left on {missing[0]}, which had results; run again, with --store and"
                " a folder that all workers share"
            )
        chosen: dict[str, list[ScratchBlock]] = {}
        for block, host in zip(blocks, hosts, strict=True):
            chosen.setdefault(host, []).append(block)
        return [
            self._client.submit(load_all, those, workers=[host], pure=False, priority=1)
            for host, those in chosen.items()
        ]

    def _hosts(self) -> list[str]:
        """Return a machine for each thread of the cluster's workers."""
        if self._client is None:
            return []
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return [each["host"] for each in workers for _ in range(each["nthreads"])]

    def drop(self, step: int) -> None:
        """Remove the blocks of a step from all machines."""
        self._remove(f"{self._name}/{step}")

    def close(self) -> None:
        """Remove all blocks."""
        self._remove(self._name)

    def _remove(self, folder: str) -> None:
        remove(folder)
        if self._client is not None and not self._own:
            with suppress(Exception):  # after a worker's end only its folder remains
                self._client.run(remove, folder, on_error="ignore")


def remove(folder: str) -> None:
    """Remove a temporary folder of this machine."""
    shutil.rmtree(Path(tempfile.gettempdir(), folder), ignore_errors=True)


def load_all(blocks: Sequence[ScratchBlock]) -> list[dict[str, Any] | None]:
    """Return the contents of some blocks of this machine, as a task."""
    return [each.load() for each in blocks]


def this_host() -> str:
    """Return the machine of the Dask worker that runs this task, or an empty string."""
    if (distributed := sys.modules.get("distributed")) is None:
        return ""
    try:
        address = distributed.get_worker().address
    except ValueError:
        return ""
    host: str = distributed.comm.get_address_host(address)
    return host
