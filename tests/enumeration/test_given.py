"""Tours with given steps, listed and counted: held to those of all tours that have them."""

from __future__ import annotations

import random

import pytest

from kt_cp import Enumeration, Problem
from kt_cp.enumeration import given_steps

CASES = [("5x5", False), ("4x5", False), ("5x6", True), ("3x10", True)]


def has_them(tour, given, closed):
    """Whether a tour can be written so that the given squares stand at their steps."""
    total = len(tour)
    for walk in (list(tour), list(tour)[::-1]) if closed else (list(tour),):
        for turn in range(total if closed else 1):
            turned = walk[turn:] + walk[:turn]
            if all(turned[step - 1] == square for square, step in given.items()):
                return True
    return False


def moves(tour):
    squares = list(tour)
    pairs = zip(squares, squares[1:] + squares[:1] * tour.closed, strict=False)
    return frozenset(map(frozenset, pairs))


@pytest.fixture
def soon(request, monkeypatch):
    """Whether SAT takes over when no tour has come for a single decision."""
    if request.param:
        monkeypatch.setattr(given_steps, "PATIENCE", 1)
        monkeypatch.setattr("kt_cp.enumeration.searches.CHUNK", 1)
    return request.param


SYMMETRIC = {"closed": True, "symmetry": "half-turn", "given": {"a1": 1}}


@pytest.mark.parametrize(
    ("board", "asked"), [("3x10", {"closed": True, "given": {"a1": 1}}), ("6x6", SYMMETRIC)]
)
def test_sat_takes_over(board, asked, monkeypatch) -> None:
    expected = sorted(map(list, Enumeration(board, **asked)))
    monkeypatch.setattr(given_steps, "PATIENCE", 1)
    monkeypatch.setattr("kt_cp.enumeration.searches.CHUNK", 1)
    told = []
    ask = given_steps.Formula.ask

    def asking(self):
        told.append(ask(self))
        return told[-1]

    monkeypatch.setattr(given_steps.Formula, "ask", asking)
    assert sorted(map(list, Enumeration(board, **asked))) == expected
    assert told[-1] == (False, [])


def test_where_the_formula_is_too_large_the_windows_go_on(monkeypatch) -> None:
    asked = {"closed": True, "given": {"a1": 1, "c3": 9}}
    expected = sorted(map(list, Enumeration("5x6", **asked)))
    monkeypatch.setattr(given_steps, "PATIENCE", 1)
    monkeypatch.setattr("kt_cp.enumeration.searches.CHUNK", 1)
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 1)
    monkeypatch.setattr(given_steps, "MOST_PIECES", 100_000)
    assert sorted(map(list, Enumeration("5x6", **asked))) == expected


@pytest.mark.parametrize(
    ("board", "closed", "soon"),
    [*((*each, False) for each in CASES), ("4x5", False, True), ("3x10", True, True)],
    indirect=["soon"],
)
def test_they_are_those_of_all_tours(board, closed, soon) -> None:
    every = list(Enumeration(board, closed=closed))
    rng = random.Random(board)
    for number in range(2 if soon else 8):
        tour = list(rng.choice(every))
        steps = rng.sample(range(len(tour)), rng.choice((1, 1, 2, 3)))
        if number == 0:
            steps = [0, len(tour) // 2]  # half a tour apart
        given = {tour[step]: step + 1 for step in steps}
        expected = [each for each in every if has_them(each, given, closed)]
        found = Enumeration(board, closed=closed, given=given)
        listed = list(found)
        told = f"{Problem(board, closed=closed, given=given).label}"
        assert found.complete and len(listed) == len(expected), told
        assert set(map(moves, listed)) == set(map(moves, expected)), told
        assert all(each[step] == tour[step] for each in listed for step in steps), told
        assert Enumeration(board, closed=closed, given=given).count() == len(expected), told
        both = Enumeration(board, closed=closed, given=given, directed=True).count()
        assert both in (len(expected), 2 * len(expected)), told
        classes = list(Enumeration(board, closed=closed, given=given, unique=True))
        assert sum(each.class_size for each in classes) in (
            len(expected), len(expected) // 2
        ), told  # fmt: skip


def test_a_middle_step_alone_lets_an_open_tour_be_read_backwards() -> None:
    given = {"c3": 13}
    assert Enumeration("5x5", given=given).count() == 2 * Enumeration(
        "5x5", given=given, directed=False
    ).count()  # fmt: skip


def test_a_single_square_has_its_one_step() -> None:
    asked = {"given": {"a1": 1}, "start": "a1"}
    assert [list(each) for each in Enumeration("1x1", **asked)] == [[(0, 0)]]
    assert Enumeration("1x1", **asked).count() == 1
    assert Enumeration("1x1", closed=True, given={"a1": 1}).count() == 0


def test_it_stops_when_told() -> None:
    everything = Enumeration("6x6", closed=True, given={"a1": 1})
    assert everything.count(should_stop=lambda: True) < 9_862 and not everything.complete
