"""Two-factors band by band, and the large boards for which the engine uses them."""

from __future__ import annotations

import numpy as np
import pytest

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.encodings.lazy import forced_edges
from kt_cp.engines import band_sweep, sat
from kt_cp.engines.sat import CARDINALITY
from kt_cp.model.cycle import cycle_form
from kt_cp.trust.judge import defects

ENGINE = "sat:lazy:gluecard4"

PROBLEMS = [
    Problem("24x10", closed=True),
    Problem("25x10"),
    Problem("25x11", start="a1"),
    Problem("24x10", closed=True, require=[("e12", "f14"), ("f14", "g16")]),
    Problem(Board(30, 8, missing={(3, 3), (20, 5)}), closed=True),
    Problem("20x9", piece="king", closed=True),
    Problem(Board(12, 9, surface="torus"), closed=True),
]


@pytest.fixture
def small_bands(monkeypatch):
    monkeypatch.setattr(band_sweep, "BAND", 40)
    monkeypatch.setattr(band_sweep, "REACHES", 2)
    monkeypatch.setattr(sat, "BY_BANDS", 3)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("solver", CARDINALITY)
def test_each_vertex_has_two_edges_and_required_edges_are_among_them(
    small_bands, problem, solver, seed
):
    form = cycle_form(problem)
    forced = forced_edges(form)
    edges, work = band_sweep.find_two_factor(form, forced, solver, seed=seed)
    assert edges is not None
    ends = np.concatenate([form.graph.tails[edges], form.graph.heads[edges]])
    assert np.bincount(ends, minlength=len(form)).tolist() == [2] * len(form)
    assert set(forced.tolist()) <= set(edges.tolist())
    assert work.calls > 1 or problem.board.surface.value == "torus"


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_the_engine_finds_a_tour_with_bands(small_bands, problem):
    outcome = solve(problem, ENGINE, own_process=False)
    assert outcome.tour is not None and defects(problem, outcome.tour.squares) == []
    assert "patched" in outcome.statistics  # by bands, not by the whole formula


def test_bands_are_for_large_boards_without_a_symmetry(monkeypatch):
    monkeypatch.setattr(sat, "_solve_by_bands", lambda *_: pytest.fail("solved by bands"))
    monkeypatch.setattr(sat, "BY_BANDS", 64)
    assert solve("6x6", ENGINE, closed=True, own_process=False).tour
    assert solve("6x6", "sat:lazy:cadical195", closed=True, own_process=False).tour
    symmetric = Problem("6x12", closed=True, symmetry="half-turn")
    assert solve(symmetric, ENGINE, own_process=False).tour
    monkeypatch.setattr(sat, "MOST_WHOLE", 71)
    reason = solve(symmetric, ENGINE, own_process=False).reason
    assert reason == "a symmetry needs the whole formula, which is for at most 71 squares"


def test_a_no_comes_from_the_whole_formula(small_bands, monkeypatch):
    outcome = solve("4x8", ENGINE, closed=True, own_process=False)
    assert outcome.verdict is Verdict.IMPOSSIBLE and "claimed" in outcome.reason
    monkeypatch.setattr(sat, "MOST_WHOLE", 20)
    outcome = solve("4x8", ENGINE, closed=True, own_process=False)
    assert outcome.verdict is Verdict.UNKNOWN and "20 squares" in outcome.reason
