"""An enumeration in pieces: the same tours in the same order, as many, from any cut."""

from __future__ import annotations

from random import Random

import pytest

from kt_cp import Problem
from kt_cp.enumeration import Enumeration, parallel
from kt_cp.model.errors import NotTakenError
from kt_cp.sources.registry import find_source
from tests.support.fakes import Failing

ASKED = [
    ("3x4", {}),
    ("5x5", {"start": "a1"}),
    ("5x5", {"start": "a1", "end": "e5"}),
    ("3x10", {"closed": True}),
    ("3x10", {"closed": True, "unique": True}),
    ("3x7", {"unique": True}),
    ("4x5", {"directed": False}),
    ("6x6", {"closed": True, "symmetry": "half-turn"}),
    ("4x4", {"closed": True, "piece": "king", "require": [("a1", "b2")], "symmetry": "half-turn"}),
    ("5x6", {"closed": True, "require": [("a1", "b3")], "forbid": [("c3", "d5")]}),
    ("1x1", {}),
    ("2x2", {}),
    ("4x4", {}),
]


@pytest.fixture
def pool():
    return Failing()


@pytest.mark.parametrize(("board", "asked"), ASKED, ids=str)
def test_in_pieces_as_in_one(board, asked, pool, monkeypatch):
    whole = Enumeration(board, **asked)
    tours = [(tour.squares, tour.class_size) for tour in whole]
    for squares, most in ((1, 1), (3000, 7)):
        if len(tours) > 20 * squares:
            continue
        monkeypatch.setattr(parallel, "PIECE", squares)
        monkeypatch.setattr(parallel, "ROOM", most)
        parts = Enumeration(board, **asked)
        found = [(tour.squares, tour.class_size) for tour in parts.tours(executor=pool)]
        assert found == tours and parts.complete
        parts = Enumeration(board, **asked)
        assert parts.count(executor=pool) == len(tours) and parts.complete


@pytest.mark.parametrize("seed", range(5))
def test_a_source_s_order_goes_along(seed, pool, monkeypatch):
    """Its candidates are a function, which other processes could not load."""
    problem = Problem("5x5", start=Random(seed).choice(["a1", "c3", "b2", "e5"]))
    candidates = find_source("all").candidates(problem)
    monkeypatch.setattr(parallel, "PIECE", 500)
    here, there = (Enumeration(problem, candidates) for _ in range(2))
    assert [*here] == [*there.tours(executor=pool)], seed


def test_it_stops_when_it_is_told(pool, monkeypatch):
    monkeypatch.setattr(parallel, "PIECE", 1000)
    everything = Enumeration("8x8")
    assert not everything.complete
    found = everything.count(lambda: everything.placed > 5000, executor=pool)
    assert everything.placed > 5000 and found >= 0 and not everything.complete


def test_given_steps_are_not_taken(pool):
    everything = Enumeration("5x5", given={"a1": 1, "e5": 25})
    with pytest.raises(NotTakenError, match="does not take given steps"):
        everything.count(executor=pool)
    with pytest.raises(NotTakenError, match="does not take given steps"):
        next(everything.tours(executor=pool))


def test_a_result_goes_through_arrays(pool, monkeypatch):
    """As a store keeps it."""
    monkeypatch.setattr(parallel, "PIECE", 2000)
    everything = Enumeration("5x5", start="a1")
    kept, pieces = {}, {}

    class Arrays:
        def load(self, key, piece):
            pieces[key] = piece

        def save(self, key, done):
            kept[key] = done

    assert everything.count(executor=pool, store=Arrays()) == 304
    assert len(kept) > 10
    for key, done in kept.items():
        again = parallel.unpack_count(parallel.pack_count(done), pieces[key])
        assert again.value == done.value
        beginnings = [[tuple(walk) for walk in each[2]] for each in done.rest]
        assert [[*each[2]] for each in again.rest] == beginnings
