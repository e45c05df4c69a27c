"""Executors by name, task queues, and a real Dask cluster."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from kt_cp.cli.options import EXECUTORS
from kt_cp.counting.dense import on_disk
from kt_cp.counting.dense.dense import METHOD
from kt_cp.counting.dense.halves import HalvedProblem
from kt_cp.counting.dense.on_disk import OnDisk
from kt_cp.enumeration import Enumeration, parallel
from kt_cp.model.errors import EndedError, InputError
from kt_cp.model.limits import StoppedError
from kt_cp.model.problem import Problem
from kt_cp.processes import executors
from kt_cp.processes.executors import (
    Threads,
    WorkerEndedError,
    is_cancelled,
    open_executor,
    parallel_calls,
)
from kt_cp.processes.scratch import Scratch, ScratchBlock
from kt_cp.processes.task_queue import TRIES, Done, run_tasks
from tests.support.command_line import PATIENCE, alive, busy, command_line, environment, wait_until
from tests.support.exhaustive import more
from tests.support.fakes import Failing


def test_without_a_name_there_is_none():
    with open_executor(None) as executor:
        assert executor is None


@pytest.mark.parametrize("name", ["", "dusk", "dask:", "threads:3", "processes:", "Dask"])
def test_other_names_are_refused(name):
    with pytest.raises(InputError, match="expected threads, processes, dask or dask:ADDRESS"):
        open_executor(name).__enter__()


def test_threads_are_of_this_process():
    with open_executor("threads", 3) as pool:
        assert parallel_calls(pool) == 3 and pool.submit(os.getpid).result() == os.getpid()


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
    with pytest.raises(InputError, match=r"expected Dask.*pip install '\.\[cluster\]'"):
        open_executor(name).__enter__()


def test_every_name_is_documented():
    assert EXECUTORS == executors.NAMES
    text = executors.__doc__
    assert all(f"``{name}``" in text for name in executors.NAMES)


class Slow:
    """A cluster or client that does not close in time, with workers that need not be alive."""

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


def test_a_cluster_that_does_not_close_is_killed_and_its_results_stay(monkeypatch):
    started = Slow()
    dask = SimpleNamespace(LocalCluster=lambda **_: started, Client=lambda *_, **__: Slow())
    monkeypatch.setattr(executors, "_import_distributed", lambda: dask)
    with open_executor("dask", 1) as pool:
        found, client = "found", pool
    assert found and started.process.wait(30) == -signal.SIGKILL
    client.process.communicate(b"\n")
    started.process.communicate()


def halves(low, high):
    """Return up to three numbers, or the first number and two pieces for the rest."""
    if high - low <= 3:
        return Done(list(range(low, high)))
    middle = (low + high) // 2
    return Done([low], ((low + 1, middle), (middle, high)))


class Dictionary(dict):
    """A store of results."""

    save = dict.__setitem__

    def load(self, key, _):
        return self.get(key)


PIECES = [(0, 40), (40, 41), (41, 41), (41, 160)]


def numbers(executor, pieces=PIECES, **options):
    return [each for part in run_tasks(executor, halves, pieces, **options) for each in part]


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_order(workers):
    with ThreadPoolExecutor(workers) as pool:
        assert numbers(pool) == list(range(160))


def test_processes_load_a_module_before_their_first_task(tmp_path, monkeypatch):
    """The module counts its imports in a file, with the number of the process."""
    text = "import os\nopen('loaded', 'a').write(f'{os.getpid()}\\n')\n"
    (tmp_path / "module_to_load.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    with open_executor("processes", 2, "module_to_load") as pool:
        assert {pool.submit(abs, -3).result() for _ in range(4)} == {3}
        ready = time.perf_counter() + PATIENCE
        while len(Path("loaded").read_text().split()) < 2 and time.perf_counter() < ready:
            time.sleep(0.01)
    assert len({*Path("loaded").read_text().split()}) == 2


def test_pieces_are_taken_when_they_are_needed():
    with Threads(2) as pool:
        endless = ((at, at + 1) for at in count())
        results = run_tasks(pool, halves, endless)
        assert [next(results) for _ in range(100)] == [[at] for at in range(100)]
        results.close()


@pytest.mark.parametrize("seed", range(10))
def test_what_a_dead_worker_had_is_done_again(seed):
    rng = random.Random(seed)
    deaths = (BrokenExecutor("gone"), WorkerEndedError("killed"), CancelledError())
    fates = defaultdict(lambda: [None, *rng.choices(deaths, k=rng.randrange(TRIES))])
    died = []

    def fate(*piece):
        died.extend(fates[piece][-1:])
        return fates[piece].pop() if fates[piece] else None

    executor = Failing(fate)
    assert numbers(executor) == list(range(160)), seed
    assert executor.sent > len([each for each in died if each]) > 0, seed


def test_what_ends_every_worker_is_given_up():
    executor = Failing(lambda *_: WorkerEndedError("ended by SIGKILL"))
    with pytest.raises(EndedError, match=r"workers were ended .* one piece: ended by SIGKILL"):
        numbers(executor, PIECES[:1])
    assert executor.sent == TRIES


def test_an_executor_that_is_broken_says_so():
    class Broken(Executor):
        def submit(self, *_, **__):
            raise BrokenExecutor("a child process terminated abruptly")

    with pytest.raises(EndedError, match="takes no more work: a child"):
        numbers(Broken())


def test_errors_of_the_work_are_not_tried_again():
    executor = Failing()
    with pytest.raises(ZeroDivisionError):
        list(run_tasks(executor, lambda it: Done(1 // it), [(0,)]))
    assert executor.sent == 1


def test_work_that_meets_its_own_limit_is_not_tried_again():
    executor = Failing(lambda *_: EndedError("stopped after 3 s"))
    with pytest.raises(EndedError, match=r"^stopped after 3 s$"):
        numbers(executor, PIECES[:1])
    assert executor.sent == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_second_run_goes_on_from_the_store(seed):
    rng, store = random.Random(seed), Dictionary()
    uninterrupted = Failing()
    numbers(uninterrupted)
    last = rng.randrange(1, uninterrupted.sent)
    broken = Failing(lambda *_: None if broken.sent <= last else ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        numbers(broken, store=store)
    assert 0 < len(store) <= last, seed
    done, again = len(store), Failing()
    assert numbers(again, store=store) == list(range(160)), seed
    assert again.sent == uninterrupted.sent - done, seed
    with ThreadPoolExecutor(2) as pool:  # all results are stored: no task runs
        assert numbers(pool, store=store) == list(range(160))


def test_closing_the_results_stops_the_tasks():
    begun = threading.Event()

    def wait():
        begun.set()
        deadline = threading.Event()
        while not is_cancelled() and not deadline.wait(0.01):
            pass
        return Done(None)

    with pytest.raises(StoppedError), open_executor("threads", 2) as pool:
        list(run_tasks(pool, wait, [()] * 5, should_stop=begun.is_set))
    assert begun.wait(PATIENCE)


def test_results_that_wait_for_their_turn_are_bounded():
    release, positions = threading.Event(), []

    def first_is_slow(at):
        if at == 0:
            assert release.wait(PATIENCE)
        else:
            positions.append(at)
        if len(positions) > 20:
            release.set()
        return Done(at)

    with Threads(2) as pool:
        assert list(run_tasks(pool, first_is_slow, ((at,) for at in range(200)))) == list(
            range(200)
        )


@pytest.fixture(scope="module")
def pool():
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    with open_executor("dask", 2) as pool:
        yield pool
    left = [each for each in psutil.Process().children(recursive=True) if each.pid not in before]
    assert not [each for each in left if "spawn_main" in " ".join(each.cmdline())]


def workers(pool):
    """Return the process ids of the workers."""
    return set(pool._client.run(os.getpid, on_error="ignore").values())


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_it_is_a_cluster_of_other_processes(pool):
    assert parallel_calls(pool) == 2 and len(workers(pool) - {os.getpid()}) == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_worker_may_be_killed_in_the_middle(pool, monkeypatch):
    monkeypatch.setattr(parallel, "TASK_SQUARES", 2000)
    undivided, parts = (Enumeration("5x5", start="a1") for _ in range(2))
    before, found = workers(pool), []
    for tour in parts.tours(executor=pool):
        found.append(tour)
        if len(found) == 20:
            os.kill(min(before), signal.SIGKILL)
    assert found == [*undivided] and parts.complete
    wait_until(lambda: len(workers(pool)) == 2)  # another worker has replaced it
    assert workers(pool) != before


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_dead_worker_costs_a_count_the_groups_that_it_was_at(pool):
    """Other workers read the files of the killed one, so no phase is repeated."""
    problem, before, steps = Problem("6x6", closed=True), workers(pool), []

    def kill(work):
        steps.append(work["step"])
        if len(steps) == 50:
            os.kill(max(before), signal.SIGKILL)

    count = OnDisk(HalvedProblem(problem), None, kill, 10**5, pool)
    assert count.count(exact=True) == 9862
    assert steps == sorted(steps) and len(steps) == sum(len(part.groups) for part in count._parts)
    wait_until(lambda: len(workers(pool)) == 2)
    assert workers(pool) != before
    assert not Path(tempfile.gettempdir(), count._scratch._name).exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("sides", ["6x6", *more([], ["7x8"])])
def test_blocks_of_a_count_stay_with_the_workers(pool, monkeypatch, sides):
    problem, own, most, moved = Problem(sides, closed=True), psutil.Process(), [], {}
    expected = METHOD.count(problem)
    before = own.memory_info().rss  # includes everything that earlier tests loaded

    def look(work):
        most.append(own.memory_info().rss)
        moved.update(work)

    def refuse(*_):
        raise AssertionError("the coordinator reads or writes blocks")

    real = ScratchBlock.load
    monkeypatch.setattr(  # records of groups have a few bytes each
        ScratchBlock, "load", lambda it: real(it) if "done" in str(it) else refuse()
    )
    monkeypatch.setattr(on_disk, "take_blocks", refuse)
    assert OnDisk(HalvedProblem(problem), None, look, 10**5, pool).count(exact=True) == expected
    assert max(most) - before < 500e6 and moved["MB written"] > 0.1


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_blocks_travel_between_machines(monkeypatch, tmp_path):
    """Two addresses of this machine represent two machines, with a folder each."""
    import distributed  # here: each worker of pytest-xdist would load it, which takes 0.7 s

    cluster = distributed.SpecCluster(
        scheduler={
            "cls": distributed.Scheduler,
            "options": {"dashboard": False, "host": "127.0.0.1", "port": 0},
        },
        workers={
            at: {
                "cls": distributed.Nanny,
                "options": {
                    "nthreads": 1,
                    "host": f"127.0.0.{at}",
                    "env": {"TMPDIR": str(tmp_path / f"{at}")},
                },
            }
            for at in (1, 2)
        },
    )
    for at in (1, 2):
        (tmp_path / f"{at}").mkdir()
    sizes = Counter()

    def count_fetches(it, blocks, hosts, real=Scratch.fetch):
        inputs = real(it, blocks, hosts)
        sizes.update([len(inputs)])
        return inputs

    monkeypatch.setattr(Scratch, "fetch", count_fetches)
    problem = Problem("6x6", closed=True)
    with cluster, open_executor(f"dask:{cluster.scheduler_address}") as pool:
        assert parallel_calls(pool) == 2
        assert OnDisk(HalvedProblem(problem), None, None, 10**5, pool).count(exact=True) == 9862
    assert sizes[2] > 10 and max(sizes) == 2
    assert not list(tmp_path.glob("*/kt-cp-*"))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_cluster_that_is_there(pool):
    with open_executor(f"dask:{pool._client.scheduler.address}") as there:
        assert there.submit(divmod, 7, 2).result() == (3, 1)
        with pytest.raises(ZeroDivisionError):
            there.submit(divmod, 7, 0).result()
    assert pool.submit(abs, -1).result() == 1  # it continues


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_workers_of_another_version_are_refused(pool, monkeypatch):
    monkeypatch.setattr(executors, "versions_of", lambda _: {"kt_cp": "0.0.7"})
    address = f"dask:{pool._client.scheduler.address}"
    with pytest.raises(InputError, match=r"workers with kt_cp 0\.0\.7, got [0-9.]+"):
        open_executor(address).__enter__()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
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


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("address", ["nonsense", "foo://bar", "::::"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(InputError, match=r"--executor dask:.*: expected a scheduler"):
        open_executor(f"dask:{address}").__enter__()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("command", "key", "code", "text"),
    [
        pytest.param(
            ["enumerate", "8x8", "--count", "--workers", "1"],
            signal.SIGINT,
            130,
            rb"tours so far, and there may be more\nkt-cp: interrupted\n$",
            id="Ctrl-C",
        ),
        pytest.param(["count", "8x8", "--closed"], signal.SIGTERM, 143, b"", id="terminated"),
    ],
)
def test_a_signal_ends_the_cluster_and_its_folder(tmp_path, command, key, code, text):
    running = subprocess.Popen(
        command_line(*command, "--time-limit", "600", "--executor", "dask"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TMPDIR=str(tmp_path)),
        start_new_session=True,
    )
    own = psutil.Process(running.pid)
    started = {}

    def at_work():
        started.update({each.pid: each for each in own.children(recursive=True)})
        blocks = command[0] != "count" or [*tmp_path.glob("kt-cp-*/kt-cp-*/3/*")]
        return blocks and any(busy(each, 1.5) for each in started.values())

    wait_until(at_work)
    assert [*tmp_path.iterdir()]
    send = os.killpg if key == signal.SIGINT else os.kill  # a terminal sends Ctrl-C to all
    send(running.pid, key)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (code, b"")
    assert re.search(text, err), err
    wait_until(lambda: not any(map(alive, started.values())))
    assert not [*tmp_path.iterdir()]
