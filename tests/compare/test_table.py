"""The table of a comparison: as wide as there is room, and nothing broken."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kt_cp import Board, Problem
from kt_cp.compare import Comparison, Run, report
from kt_cp.compare.report import COLUMNS, table
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Checks

WORK = {
    "build_seconds": 0.00012, "solve_seconds": 1234.5, "peak_mb": 105.4, "variables": 23_456_789,
    "clauses": 98_765_432, "arcs": 12_345, "conflicts": 19_166, "decisions": 25_586, "rounds": 3,
}  # fmt: skip
ASKED = [
    Problem(Board(8, 8), closed=True),
    Problem(Board(5, 7, missing=[(0, 0), (2, 2)]), piece="camel", forbid=[((1, 1), (2, 4))]),
]
NAMED = ("backtrack", "sat:position:glucose4")


def rows(*seeds):
    passed = Checks(verified=True, replayed=True)
    return [
        Run(problem, engine, seed, "FOUND", statistics=WORK, checks=passed)
        for problem in ASKED
        for engine in NAMED
        for seed in seeds
    ]


def shown(width, *seeds):
    return table(Comparison(rows(*seeds or (0,)), Limits(10, 4000)), width)


def headings(text):
    line = next(line for line in text.splitlines() if line.startswith("engine "))
    return re.split(r"  +", line.strip())


@pytest.mark.parametrize("width", [60, 72, 80, 100, 120, 200])
def test_no_line_is_longer_than_there_is_room(width):
    text = shown(width)
    assert max(map(len, text.splitlines())) <= width
    for whole in (*NAMED, "1,234.500", "FOUND"):
        assert len(re.findall(rf"(?<!\S){whole}(?!\S)", text)) >= 2


def test_more_room_shows_more_columns():
    sets = [set(headings(shown(width))) for width in (40, 60, 80, 100, 120, 200)]
    assert {"engine", "verdict", "solve s"} == sets[0] < sets[1] < sets[2] < sets[3] < sets[4]
    every = {each.heading for each in COLUMNS} - {"seed", "backed"}
    assert sets[-1] == set(headings(shown(None))) == every
    assert "--wide" in shown(80) and "--wide" not in shown(None)


def test_what_is_left_out_is_named():
    for width in (60, 100):
        text = shown(width)
        left = re.search(r"Left out at this width: ([^(]*) \(--wide\)", " ".join(text.split()))
        every = set(headings(shown(None)))
        assert set(left.group(1).split(", ")) == every - set(headings(text))


def test_every_heading_is_explained_below():
    text = shown(None, 0, 1)
    below = text[text.rindex("\n\n") :]
    for heading in headings(text):
        assert re.search(rf"^{re.escape(heading)}  +\S", below, re.MULTILINE)
    assert "seed" in headings(text) and "seed" not in headings(shown(None))


def test_numbers_end_under_their_headings():
    lines = shown(None).splitlines()
    head = next(line for line in lines if line.startswith("engine "))
    row = next(line for line in lines if line.startswith("backtrack "))
    values = {"build s": "<0.001", "solve s": "1,234.500", "peak MB": "105", "nodes": "25,586"}
    for heading, value in values.items():
        end = head.index(heading) + len(heading)
        assert row[:end].endswith(value) and row[end : end + 1] in ("", " ")


def test_only_verdicts_that_came_are_explained():
    ended = replace(rows(0)[0], verdict="TIMEOUT", statistics={}, checks=Checks())
    text = table(Comparison([ended], Limits(10)), 80)
    assert "TIMEOUT: the time limit ended it" in text
    assert not {"FOUND", "nodes", "checked", "peak"} & set(text.split())
    assert text.startswith("1 engine on 1 question, at most 10 s a run; ")


def test_a_check_is_told_by_the_strongest():
    for checks, word in (
        (Checks(verified=True, replayed=True, agrees=True), "replayed"),
        (Checks(verified=True), "verified"),
        (Checks(agrees=True), "agrees"),
    ):
        line = table(Comparison([replace(rows(0)[0], checks=checks)], Limits()), None)
        assert re.search(rf"FOUND +{word} ", line)


@pytest.mark.parametrize(
    ("told", "model"),
    [
        ("processor\t: 0\nmodel\t\t: 1\nmodel name\t: Some  CPU @ 2 GHz\n", "Some CPU @ 2 GHz"),
        ("processor\t: 0\nBogoMIPS\t: 1\nModel\t\t: A Board Rev 1\n", "A Board Rev 1"),
        ("processor\t: 0\nmodel name\t:\n", "else"),
        (None, "else"),
    ],
)
def test_the_processor_is_named(monkeypatch, tmp_path, told, model):
    monkeypatch.setattr(report, "_CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(report.platform, "processor", lambda: "else")
    if told is not None:
        (tmp_path / "cpuinfo").write_text(told)
    assert report.machine()["model"] == model
    assert model in shown(80)


def test_a_processor_without_a_model_goes_by_its_kind(monkeypatch, tmp_path):
    monkeypatch.setattr(report, "_CPUINFO", tmp_path / "none")
    monkeypatch.setattr(report.platform, "processor", lambda: "")
    monkeypatch.setattr(report.platform, "machine", lambda: "riscv64")
    assert "; riscv64, " in shown(None)
