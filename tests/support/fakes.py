"""Fake engines that lie or crash, and a fake executor and counting method."""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future
from dataclasses import dataclass

import numpy as np

from kt_cp import Tour
from kt_cp.counting.method import Estimate
from kt_cp.engines.engine import Engine, found, impossible
from kt_cp.model.outcome import EvidenceKind


class OddError(Exception):
    """An exception that no code handles specially."""


class Distribution:
    """An engine of another package, as the entry-point group finds it."""

    def __init__(self, answer, complete=True):
        self.answer, self.complete = answer, complete

    def load(self):
        def solve(problem, *, limits, seed, progress):
            return self.answer(problem, seed)

        return Engine("fake", "for a test", complete=self.complete, solve=solve)


def raising(problem, **_):
    raise OddError("from the child")


def aborting(problem, **_):
    os.abort()


def wrong_tour(problem, seed):
    return found("fake", problem, Tour(list(problem.board), board=problem.board), {}, seed)


def false_no(problem, seed):
    return impossible("fake", problem, EvidenceKind.CLAIMED, "claimed by a test", {}, seed)


def crash(problem, seed):
    raise ZeroDivisionError("oops\nand more")


class Failing(Executor):
    """An executor that runs a call at once, or fails with the exception that ``dies`` returns."""

    at_once = 1

    def __init__(self, dies=lambda *_: None):
        self.dies, self.sent = dies, 0

    def submit(self, fn, /, *args, **kwargs):
        self.sent += 1
        future = Future()
        error = self.dies(*args)
        if error is not None:
            future.set_exception(error)
            return future
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


STEPS, BLOCKS = 4, 3


@dataclass
class Fake:
    """A method that adds up the numbers of its blocks; ``work`` lists the computed blocks."""

    name: str = "fake"
    version: int = 1
    lie: int = 0

    def __post_init__(self):
        self.work = []

    def refuses(self, problem):
        return "graphs" if problem.board is None else None

    def estimate(self, problem):
        return Estimate(problem.size, 1000, 0.5)

    def count(self, _problem, *, progress=None, store=None, **_limits):
        step = 0 if store is None else store.done()
        sums = store.load(step)["sums"] if step else np.zeros(BLOCKS, dtype=np.int64)
        while step < STEPS:
            step += 1
            parts = [self.block(step, each, sums, store) for each in range(BLOCKS)]
            sums = np.array(parts)
            if store is not None:
                store.save(step, {"sums": sums})
            if progress is not None:
                progress({"step": step, "steps": STEPS})
        return int(sums.sum()) + self.lie

    def block(self, step, number, sums, store):
        slot = None if store is None else store.block(step, f"part-{number}")
        stored = None if slot is None else slot.load()
        if stored is not None:
            return stored["sum"]
        self.work.append((step, number))
        made = int(sums.sum()) * (number + 1) + step
        if slot is not None:
            slot.save({"sum": made})
        return made


def answer():
    """Return the count of an honest method."""
    sums = [0] * BLOCKS
    for step in range(1, STEPS + 1):
        sums = [sum(sums) * (number + 1) + step for number in range(BLOCKS)]
    return sum(sums)
