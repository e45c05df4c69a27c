"""Limits of an optimization; it returns the best tour found so far."""

import time

import pytest

from kt_cp import Problem
from kt_cp.model.limits import Limits, TimeLimitReachedError
from kt_cp.model.request import Request
from kt_cp.optimization import crossings, optimize_request
from kt_cp.optimization.bounds import BoundProver
from kt_cp.trust.check.bound import costs_of
from kt_cp.trust.check.frame import frame_of


def test_a_sweep_ends_at_a_memory_limit(monkeypatch):
    monkeypatch.setattr(crossings, "SWEEP_MEMORY_SHARE", 1e-5)
    request = Request.begin(Problem("5x6", closed=True), Limits(10, megabytes=2000))
    best = optimize_request(request, "fewest-crossings")
    assert best.limit == "memory" and best.bound_by in ("windows", None)
    assert best.tour.measures()["crossings"] == best.value


def test_a_linear_program_ends_at_a_time_limit():
    frame = frame_of(Problem("12x12", closed=True))
    (cost,) = costs_of(frame, "fewest-turns", ())
    clock = Limits(1e-3).clock()
    prover = BoundProver(frame, "fewest-turns", cost, clock=clock)
    begin = time.perf_counter()
    with pytest.raises(TimeLimitReachedError):
        prover.bound()
    assert time.perf_counter() - begin < 5
