"""The run of a source program: two recursions as one, stopping, progress, the judge."""

from __future__ import annotations

import pytest

from kt_cp import Board, Problem, Verdict
from kt_cp.model.errors import TooLargeError, UnsoundEngineError
from kt_cp.sources import run as run_module
from kt_cp.sources.registry import find_source
from kt_cp.sources.run import Recursion, run_source
from tests.sources.test_programs import asked


def test_the_compiled_run_goes_on_where_the_readable_one_stopped(monkeypatch):
    _, whole, account = asked("004", 5, 5, (0, 0), Recursion.COMPILED, most=None)
    for budget in (1, 8_839, 8_840, 40_000):
        monkeypatch.setattr(run_module, "READABLE_SQUARES", budget)
        _, tours, own = asked("004", 5, 5, (0, 0), most=None)
        assert tours == whole
        assert own == account
        _, few, own = asked("004", 5, 5, (0, 0), most=7)
        assert few == whole[:7]
        assert own.tours == 7


@pytest.mark.slow
def test_it_stops_when_asked(monkeypatch):
    monkeypatch.setattr(run_module, "READABLE_SQUARES", 5_000)
    problem = Problem(Board(8, 8), start=(0, 0))
    for recursion in (None, *Recursion):
        asked_times = []

        def should_stop(times=asked_times):
            times.append(1)
            return len(times) > 7

        account = run_source(
            find_source("001"), problem, lambda tour: True,
            recursion=recursion, should_stop=should_stop,
        )  # fmt: skip
        assert (account.verdict, account.exhausted) == (Verdict.UNKNOWN, False)
        assert len(asked_times) == 8
        if recursion is Recursion.READABLE:
            assert account.placed == 8_000
        else:
            assert account.recursion is Recursion.COMPILED
            assert account.placed > 900_000


def test_progress_is_told_how_many_squares_were_placed():
    told = []
    problem = Problem(Board(7, 7), start=(3, 3))
    run_source(find_source("001"), problem, lambda tour: True, progress=told.append)
    counts = [work["squares placed"] for work in told]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert 11_000_000 < counts[-1] < 12_040_482


@pytest.mark.parametrize("recursion", Recursion)
def test_a_wrong_tour_is_never_handed_out(monkeypatch, recursion):
    from kt_cp.sources.registry import Source

    def everywhere(self, problem):
        return lambda square: [other for other in problem.board if other != square]

    monkeypatch.setattr(Source, "candidates", everywhere)
    seen = []
    with pytest.raises(UnsoundEngineError, match=r"source 001 on 3x3.*illegal move"):
        run_source(
            find_source("001"), Problem(Board(3, 3), start=(0, 0)), seen.append,
            recursion=recursion,
        )  # fmt: skip
    assert seen == []


def test_boards_beyond_hope_are_refused():
    problem = Problem(Board(400, 400), start=(0, 0))
    with pytest.raises(TooLargeError, match="100,000 squares, and 400x400"):
        run_source(find_source("003"), problem, lambda tour: True)
