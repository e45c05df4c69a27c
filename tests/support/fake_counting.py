"""A method whose answer is known, that keeps its work in blocks and steps as the contract says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kt_cp.counting.method import Estimate

STEPS, BLOCKS = 4, 3


@dataclass
class Fake:
    """Adds up the numbers of its blocks; ``work`` has every block that was made, in order."""

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
        kept = None if slot is None else slot.load()
        if kept is not None:
            return kept["sum"]
        self.work.append((step, number))
        made = int(sums.sum()) * (number + 1) + step
        if slot is not None:
            slot.save({"sum": made})
        return made


def answer():
    """What an honest one counts."""
    sums = [0] * BLOCKS
    for step in range(1, STEPS + 1):
        sums = [sum(sums) * (number + 1) + step for number in range(BLOCKS)]
    return sum(sums)
