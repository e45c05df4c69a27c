"""Engines of other packages: their answers, errors and crashes, and their registration."""

from __future__ import annotations

import pytest

from kt_cp import Board, Problem, Verdict, engine_names, get_engine, solve
from kt_cp.engines import Engine
from kt_cp.engines.engine import found, impossible
from kt_cp.model.errors import EngineFailedError, EngineNameError, UnsoundEngineError
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.tour import Tour
from tests.engines.test_contract import ENGINES
from tests.support import fakes
from tests.support.fakes import OddError


def stub(answer, *, complete=True, **more):
    """Return an engine that returns a given outcome, or raises a given error."""

    def answered(problem, *, limits, seed, progress):
        made = answer(problem) if callable(answer) else answer
        if isinstance(made, BaseException):
            raise made
        return made

    return Engine("stub", "", complete=complete, solve=answered, **more)


@pytest.mark.parametrize("error", [OddError("why"), TypeError("why"), MemoryError("why")])
def test_an_exception_is_not_swallowed(error):
    with pytest.raises(type(error), match="why"):
        solve(Problem(Board(3, 4)), stub(error))


@pytest.mark.slow
def test_an_exception_comes_out_of_a_process_as_it_was():
    engine = Engine("stub", "", complete=True, solve=fakes.raising)
    with pytest.raises(OddError, match="from the child"):
        solve(Problem(Board(3, 4)), engine, own_process=True)


@pytest.mark.parametrize(
    "name",
    ["sat:", "sat::", "sat:::", "sat:position:", "sat:lazy:cadical195:", "cpsat:", "nope:"],
)
def test_no_name_ends_with_a_colon(name):
    with pytest.raises(EngineNameError, match=f"behind the last colon, got '{name}'"):
        get_engine(name)


@pytest.mark.slow
def test_a_crash_is_named():
    engine = Engine("stub", "", complete=True, solve=fakes.aborting)
    with pytest.raises(EngineFailedError, match=r"stub crashed on 3x4, open, seed 5: .*SIGABRT"):
        solve(Problem(Board(3, 4)), engine, own_process=True, seed=5)


def test_only_a_complete_engine_may_say_no():
    def answer(problem):
        return impossible("stub", problem, EvidenceKind.CLAIMED, "claimed by stub", {}, 4)

    problem = Problem(Board(7, 7), closed=True)
    assert solve(problem, stub(answer)).verdict is Verdict.IMPOSSIBLE
    with pytest.raises(UnsoundEngineError, match="only a complete engine may say so"):
        solve(problem, stub(answer, complete=False))


def test_an_answer_to_another_question_is_no_answer():
    easier = Problem(Board(3, 4))
    tour = solve(easier, "backtrack").tour
    problem = Problem(Board(3, 4), start=tour[5])
    with pytest.raises(UnsoundEngineError, match="wrong start"):
        solve(problem, stub(lambda _: found("stub", easier, tour, {}, 0)))


def test_a_bare_tour_is_given_its_board():
    problem = Problem(Board(6, 6), closed=True)
    tour = solve(problem, "backtrack").tour
    outcome = solve(problem, stub(lambda problem: found("stub", problem, Tour(list(tour)), {}, 0)))
    assert outcome.tour == tour and outcome.tour.closed and outcome.tour.board == Board(6, 6)


def test_engines_come_in_through_entry_points(monkeypatch):
    from kt_cp.engines import registry

    class Point:
        def __init__(self, made):
            self.made = made

        def load(self):
            return self.made

    def factory(size=""):
        if size == "broken":
            raise TypeError("inside the factory")
        return stub(lambda problem: Outcome(Verdict.UNKNOWN, problem, "stub", reason="no idea"))

    points = {"plain": Point(factory()), "family": Point(factory)}
    monkeypatch.setattr(registry, "_plugins", lambda: points)
    assert engine_names()[-2:] == ["family", "plain"]
    assert solve(Problem(Board(3, 4)), "plain").reason == "no idea"
    assert solve(Problem(Board(3, 4)), "family:large").verdict is Verdict.UNKNOWN
    for name in ("plain:x", "family:x:y", "backtrack:x"):
        with pytest.raises(EngineNameError, match="fewer options"):
            get_engine(name)
    with pytest.raises(TypeError, match="inside the factory"):
        get_engine("family:broken")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("backtrak", "did you mean backtrack"),
        ("", "expected an engine"),
        ("sat:lazi", "expected an encoding"),
        ("sat:lazy:minisat", "expected a solver"),
        ("sat:lazy:glucose4:more", "got more: 'more'"),
        ("sat:lazy:glucose4:", "behind the last colon"),
        ("sat:lazy::patch:more", "got more: 'more'"),
        ("sat::glucose4", "expected an encoding, one of .*; got ''"),
        ("sat:::patch", "expected an encoding, one of .*; got ''"),
        ("sat:position::patch", "models are cycles to patch: lazy; got 'position'"),
        ("cpsat:2", "fewer options"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(EngineNameError, match=message):
        get_engine(name)


@pytest.mark.parametrize("name", ENGINES)
def test_registered(name):
    engine = get_engine(name)
    assert engine.summary and engine.usage and name.split(":")[0] == engine.name.split(":")[0]
    assert engine.complete is (name not in ("warnsdorff", "construct"))
    assert get_engine(engine.name).name == engine.name
