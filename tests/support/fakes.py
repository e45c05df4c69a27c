"""Engines that lie or crash, for the tests of what must then happen."""

from __future__ import annotations

import os

from kt_cp import Tour
from kt_cp.engines.engine import Engine, found, impossible
from kt_cp.model.outcome import EvidenceKind


class OddError(Exception):
    """Nothing that anybody maps to something convenient."""


class Distribution:
    """An engine of another package, as the entry-point group would find it."""

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
