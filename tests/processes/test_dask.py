"""A real Dask cluster of two workers: the same answers, also where a worker is killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time

import psutil
import pytest

from kt_cp.counting.dense.halves import HalvedProblem
from kt_cp.counting.dense.on_disk import OnDisk
from kt_cp.enumeration import Enumeration, parallel
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.processes import executors
from kt_cp.processes.executors import at_once, open_executor
from tests.support.command_line import PATIENCE, alive, busy, command_line, environment, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("dask"),  # one cluster for all, and Dask loaded once
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]


@pytest.fixture(scope="module")
def pool():
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    with open_executor("dask", 2) as pool:
        yield pool
    left = [each for each in psutil.Process().children(recursive=True) if each.pid not in before]
    assert not [each for each in left if "spawn_main" in " ".join(each.cmdline())]


def workers(pool):
    """Process ids of the workers."""
    return set(pool._client.run(os.getpid).values())


def test_it_is_a_cluster_of_other_processes(pool):
    assert at_once(pool) == 2 and len(workers(pool) - {os.getpid()}) == 2


def test_large_pieces_are_sent_without_a_warning(pool):
    assert pool.submit(len, bytes(11_000_000)).result() == 11_000_000


def test_a_worker_may_be_killed_in_the_middle(pool, monkeypatch):
    monkeypatch.setattr(parallel, "PIECE", 2000)
    whole, parts = (Enumeration("5x5", start="a1") for _ in range(2))
    before, found = workers(pool), []
    for tour in parts.tours(executor=pool):
        found.append(tour)
        if len(found) == 20:
            os.kill(min(before), signal.SIGKILL)
    assert found == [*whole] and parts.complete
    wait_until(lambda: len(workers(pool)) == 2)  # another has come in its place
    assert workers(pool) != before


def test_a_count_by_groups_of_keys_survives_it_too(pool):
    """Each group of each phase is a piece."""
    problem, before, told = Problem("6x6", closed=True), workers(pool), []

    def kill(work):
        told.append(work["step"])
        if len(told) == 5:
            os.kill(max(before), signal.SIGKILL)

    assert OnDisk(HalvedProblem(problem), None, kill, 10**5, pool).count(exact=True) == 9862
    assert len(told) > 20
    wait_until(lambda: len(workers(pool)) == 2)
    assert workers(pool) != before


def test_a_cluster_that_is_there(pool):
    with open_executor(f"dask:{pool._client.scheduler.address}") as there:
        assert there.submit(divmod, 7, 2).result() == (3, 1)
        with pytest.raises(ZeroDivisionError):
            there.submit(divmod, 7, 0).result()
    assert pool.submit(abs, -1).result() == 1  # it goes on


def test_workers_of_another_version_are_refused(pool, monkeypatch):
    monkeypatch.setattr(executors, "versions_of", lambda _: {"kt_cp": "0.0.7"})
    address = f"dask:{pool._client.scheduler.address}"
    with pytest.raises(InputError, match=r"workers with kt_cp 0\.0\.7, got [0-9.]+"):
        open_executor(address).__enter__()


@pytest.mark.parametrize("listening", [True, False])
def test_an_address_that_does_not_answer_is_refused(listening):
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        if listening:
            there.listen()
        address = f"dask:127.0.0.1:{there.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(
            InputError, match=rf"{address}: expected a scheduler of Dask there, got"
        ):
            open_executor(address).__enter__()
        assert time.monotonic() - began < PATIENCE / 3


@pytest.mark.parametrize("address", ["nonsense", "foo://bar", "::::"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(InputError, match=r"--executor dask:.*: expected a scheduler"):
        open_executor(f"dask:{address}").__enter__()


def test_ctrl_c_ends_the_cluster():
    asked = ("enumerate", "8x8", "--count", "--time-limit", "600", "--executor", "dask")
    running = subprocess.Popen(
        command_line(*asked, "--workers", "1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    own = psutil.Process(running.pid)
    started = {}

    def at_work():
        started.update({each.pid: each for each in own.children(recursive=True)})
        return any(busy(each, 1.5) for each in started.values())

    wait_until(at_work)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, b"")
    assert re.search(rb"tours so far, and there may be more\nkt-cp: interrupted\n$", err), err
    wait_until(lambda: not any(map(alive, started.values())))
