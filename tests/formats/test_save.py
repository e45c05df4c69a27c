"""What Python saves: outcomes and certificates, in the format that a file's name stands for."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

from kt_cp import check, defects, prove, solve
from kt_cp.formats import table
from kt_cp.formats.read import read_tour
from kt_cp.formats.table import FORMATS, Subject, formats_of
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Outcome, Verdict

BEGINS = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".npy": b"\x93NUMPY"}
SUFFIXES = [end for each in formats_of(Subject.TOUR) for end in FORMATS[each].suffixes]


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".txt", ""])
def test_a_tour(tmp_path, suffix):
    outcome, path = solve("5x6", closed=True, start="a1"), tmp_path / f"t{suffix}"
    path.write_text("what stood there")
    outcome.save(path)
    if suffix == ".npy":
        assert np.array_equal(np.load(path), outcome.tour.to_array())
    elif suffix in BEGINS:
        assert path.read_bytes().startswith(BEGINS[suffix])
    else:
        assert tuple(read_tour(path.read_bytes()).squares) == outcome.tour.squares


@pytest.mark.parametrize("suffix", [".json", ".txt", ".svg", ".png", ".pdf"])
def test_a_no(tmp_path, suffix):
    outcome = prove("4x4")
    outcome.save(str(tmp_path / f"no{suffix}"))
    outcome.certificate.save(tmp_path / f"proof{suffix}")
    no, proof = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("no", "proof"))
    if suffix == ".json":
        assert json.loads(no)["verdict"] == "IMPOSSIBLE" and check(proof).kind == "removal"
    else:
        assert no == proof and no.startswith(BEGINS.get(suffix, b"No tour (4x4, open): without"))


def test_a_graph(tmp_path):
    outcome = solve(nx.dodecahedral_graph(), closed=True)
    for suffix in (".json", ".txt", ".csv", ".names", ".svg", ".png"):
        outcome.save(tmp_path / f"g{suffix}")
    assert (tmp_path / "g.txt").read_text() == (tmp_path / "g.names").read_text()
    star = prove(nx.star_graph(3))
    for suffix in (".json", ".txt"):
        star.save(tmp_path / f"s{suffix}")
        star.certificate.save(tmp_path / f"s{suffix}")
    assert check((tmp_path / "s.json").read_text()).kind == "degrees"


def test_what_cannot_be_saved_leaves_no_file(tmp_path, monkeypatch):
    tour, no = solve("5x5"), prove("4x4")
    graph, star = solve(nx.cycle_graph(5)), prove(nx.star_graph(3))
    unknown = Outcome(Verdict.UNKNOWN, tour.problem, "x", reason="the time limit was reached")
    for value, name, said in (
        (tour, "t.foo", r"ends with .*\.png, .*\.npy or \.txt, got 't\.foo'"),
        (tour, "t.cnf", r"got 't\.cnf'"),
        (no, "t.npy", "where there is no tour, got 't.npy'"),
        (no, "t.csv", "where there is no tour, got 't.csv'"),
        (no.certificate, "t.csv", r"ends with .*\.svg, \.png, \.pdf or \.txt, got 't\.csv'"),
        (graph, "t.npy", "expected a tour on a board"),
        (star, "t.svg", "expected a tour, or a board without one, to draw"),
        (star.certificate, "t.png", "expected .json or .txt for a graph"),
        (unknown, "t.txt", "expected .json for what is unknown"),
    ):
        with pytest.raises(InputError, match=said):
            value.save(tmp_path / name)
    assert not [*tmp_path.iterdir()]
    unknown.save(tmp_path / "t.json")
    monkeypatch.setattr(table, "MOST_CONVERTED", 24)
    with pytest.raises(TooLargeError, match="expected at most 24 squares for png, got 25"):
        tour.save(tmp_path / "t.png")
    with pytest.raises(TooLargeError):
        solve("9998x9999", closed=True).save(tmp_path / "t.svg")


def test_pictures_of_a_tour(tmp_path):
    tour = solve("5x5").tour
    assert tour.svg() == tour._repr_svg_() == tour.svg()._repr_svg_()
    assert "<animate" in tour.animation(speed=2) and repr(tour.svg()).startswith("<Picture: SVG of")
    tour.animation().save(tmp_path / "moving.svg")
    assert (tmp_path / "moving.svg").read_text("utf-8") == tour.animation()
    for wrong in (0, -1, 61, float("nan")):
        with pytest.raises(InputError, match="expected a speed above 0"):
            tour.animation(speed=wrong)
    with pytest.raises(TooLargeError, match="expected at most 4,096 squares"):
        solve("100x100", closed=True).tour.animation()
    with pytest.raises(InputError, match="expected a tour on a board"):
        solve(nx.cycle_graph(5)).tour.animation()
    assert not defects(solve("5x5").problem, tour)
