"""Work in pieces: results in order, once each, whatever becomes of the workers."""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ThreadPoolExecutor
from itertools import count

import pytest

from kt_cp.model.errors import EndedError
from kt_cp.processes.executors import Threads, WorkerEndedError, is_cancelled, open_executor
from kt_cp.processes.interruptible_cpsat import StoppedError
from kt_cp.processes.task_queue import TRIES, Done, run_tasks
from tests.support.command_line import PATIENCE
from tests.support.fakes import Failing


def halves(low, high):
    """The numbers from low to high: at most three at a time, the others are left in two pieces."""
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
    executor, told = Failing(lambda *piece: fates[piece].pop() if fates[piece] else None), []
    assert numbers(executor, again=told.append) == list(range(160)), seed
    assert executor.sent > len(told) > 0, seed


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
    whole = Failing()
    numbers(whole)
    last = rng.randrange(1, whole.sent)
    broken = Failing(lambda *_: None if broken.sent <= last else ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        numbers(broken, store=store)
    assert 0 < len(store) <= last, seed
    done, again = len(store), Failing()
    assert numbers(again, store=store) == list(range(160)), seed
    assert again.sent == whole.sent - done, seed
    with ThreadPoolExecutor(2) as pool:  # all is there: nobody is asked
        assert numbers(pool, store=store) == list(range(160))


def test_whoever_wants_no_more_is_heard():
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
    release, held = threading.Event(), []

    def first_is_slow(at):
        if at == 0:
            assert release.wait(PATIENCE)
        else:
            held.append(at)
        if len(held) > 20:
            release.set()
        return Done(at)

    with Threads(2) as pool:
        assert list(run_tasks(pool, first_is_slow, ((at,) for at in range(200)))) == list(
            range(200)
        )
