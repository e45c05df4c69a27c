"""Rows in a store: a comparison goes on where it was ended, with the very same rows."""

from __future__ import annotations

import pytest

from kt_cp import Problem
from kt_cp.compare import compare
from kt_cp.compare import run as run_module
from kt_cp.compare.checkpoint import open_checkpoint
from kt_cp.model.errors import EndedError, StoreError
from kt_cp.model.limits import Limits
from tests.support.fakes import Failing

LIMITS = Limits(seconds=10, megabytes=2000)
PROBLEMS, ENGINES = [Problem("3x3"), Problem("3x4")], ["backtrack", "sat:position"]


def run(path, executor, engines=ENGINES):
    with open_checkpoint(path, PROBLEMS, engines, LIMITS, range(1)) as rows:
        return compare(PROBLEMS, engines, limits=LIMITS, executor=executor, store=rows).runs


@pytest.mark.usefixtures("beside_none")
def test_rows_are_kept_and_come_back_as_they_were(tmp_path, monkeypatch):
    whole = run(tmp_path, first := Failing())
    assert run(tmp_path, again := Failing()) == whole
    assert (first.sent, again.sent) == (4, 0)
    assert [row.verdict for row in whole] == ["IMPOSSIBLE"] * 2 + ["FOUND"] * 2
    assert whole[0].evidence.certificate and whole[0].backed == "certified"
    # Nothing is believed of a certificate because it was kept.
    monkeypatch.setattr("kt_cp.compare.run.check", lambda _: pytest.fail("it was looked at"))
    with pytest.raises(pytest.fail.Exception, match="it was looked at"):
        run(tmp_path, Failing())


@pytest.mark.usefixtures("beside_none")
def test_what_somebody_killed_is_run_again(tmp_path, monkeypatch):
    real = run_module.run

    def killed(engine, problem, **how):
        if problem.size == 12:
            raise EndedError("killed")
        return real(engine, problem, **how)

    monkeypatch.setattr(run_module, "run", killed)
    assert [row.verdict for row in run(tmp_path, Failing())][2:] == ["KILLED", "KILLED"]
    monkeypatch.setattr(run_module, "run", real)
    assert run(tmp_path, executor := Failing())[-1].verdict == "FOUND" and executor.sent == 2


def test_another_comparison_is_refused(tmp_path):
    with open_checkpoint(tmp_path, PROBLEMS, ENGINES, LIMITS, range(1)):
        pass
    for problems, engines in ((PROBLEMS[::-1], ENGINES), (PROBLEMS, ENGINES[:1])):
        with (
            pytest.raises(StoreError, match="a store of other work: its kind is comparison of 2"),
            open_checkpoint(tmp_path, problems, engines, LIMITS, range(1)),
        ):
            pass
    with open_checkpoint(None, PROBLEMS, ENGINES, LIMITS, range(1)) as rows:
        assert rows is None


def test_the_command_goes_on(kt_cp, tmp_path, beside_none):
    asked = ("compare", "3x4", "--engines", "backtrack", "--store", tmp_path)
    first, again = kt_cp(*asked), kt_cp(*asked)
    assert first.code == again.code == 0 and first.out == again.out
    for board in ((), ("3x4",)):
        refused = kt_cp("count", *board, "--store", tmp_path)
        assert refused.code == 2 and "expected the store of a count, got" in refused.err
    other = kt_cp(*asked, "--seed", 7)
    assert other.code == 2 and "seeds 0 to 0, seconds 10.0" in other.err
