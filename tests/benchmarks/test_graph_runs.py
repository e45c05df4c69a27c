"""The graphs of the benchmarks are written, asked and reported; runs that are kept."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from benchmarks import zero_cost
from benchmarks.case import Run, job
from benchmarks.graphs.__main__ import main
from benchmarks.graphs.bells import bells
from benchmarks.graphs.catalogue import acyclic, catalogue
from benchmarks.graphs.planted import is_cycle
from benchmarks.jobs.graphs import graphs
from benchmarks.kept import Kept
from benchmarks.measure import Results
from benchmarks.parts import graphs as part
from benchmarks.plan import Plan
from kt_cp.model.errors import InputError


def test_graphs_are_written_for_other_solvers(tmp_path):
    import typer

    app = typer.Typer()
    app.command()(main)
    ran = CliRunner().invoke(app, [str(tmp_path), "petersen-1", "coxeter"])
    assert ran.exit_code == 0, ran.output
    text = (tmp_path / "petersen-1.hcp").read_text()
    assert "TYPE : HCP" in text and "DIMENSION : 66" in text
    assert (tmp_path / "graphs.csv").read_text().splitlines()[1:] == [
        'petersen-1,"generalized Petersen",66,99,yes', 'coxeter,"Coxeter",28,42,no',
    ]  # fmt: skip
    assert CliRunner().invoke(app, [str(tmp_path), "petersen-0"]).exit_code == 2


@pytest.mark.slow
def test_everyone_is_asked_in_the_same_way():
    for who in ("auto", "plain", "clingo"):
        if who == "clingo":
            pytest.importorskip("clingo")
        for name in ("petersen-1", "ellingham-horton"):
            told = graphs(who, name, "20", "1")
            assert told["status"] == "FOUND" and told["seconds"] > 0
            assert told["certified"] == (who == "auto" and name != "petersen-1")


def test_a_wrong_answer_is_told(monkeypatch):
    for said, nodes, status in (
        ("OPTIMAL", [0, 1, 2], "WRONG"), ("INFEASIBLE", [], "WRONG"), ("UNKNOWN", [], "TIMEOUT"),
    ):  # fmt: skip
        monkeypatch.setattr(
            "benchmarks.plain_addcircuit.cycle",
            partial(lambda *answer: answer[:3], said, 0.1, nodes),
        )
        assert graphs("plain", "petersen-1", "9", "1")["status"] == status
    assert graphs("lkh", "petersen-44", "9", "1") == {"status": "REFUSED"}


def test_lkh_is_asked_for_a_trip_that_costs_nothing(monkeypatch):
    def solve_tsp(costs):
        (trip,) = [
            [0, *order, 0]
            for order in permutations(range(1, len(costs)))
            if not any(costs[u][v] for u, v in pairwise([0, *order, 0]))
        ][:1] or [[0, 0]]
        return trip

    matrix = SimpleNamespace(
        DistanceMatrix=lambda it: SimpleNamespace(solve_tsp=lambda runs: solve_tsp(it))
    )
    monkeypatch.setitem(sys.modules, "elkai", matrix)
    graph, _ = bells(3)
    arcs = list(graph.to_directed().edges)
    said, _, found = zero_cost.cycle(len(graph), arcs, 2)
    assert said == "FOUND" and is_cycle(graph, found)
    assert zero_cost.cycle(4, [(0, 1), (1, 2), (2, 3)], 1)[::2] == ("UNKNOWN", [])


def test_some_graphs_are_spread_over_families():
    assert part.some(Plan(graphs=0)) == part.some(Plan(graphs=500)) == list(catalogue())
    chosen = [catalogue()[name].family for name in part.some(Plan(graphs=40))]
    assert len(chosen) == 40 and chosen.count("combined") == 15
    assert {"Fleischner", "N-queens", "nearly cubic", "Sudoku"} <= set(chosen)


def test_the_table_counts_by_family_and_says_what_was_missed():
    plan = Plan(graphs=40)
    ladders = part.ladders(plan)
    for number, ladder in enumerate(ladders):
        (case,) = ladder.cases
        slow = case.who == "plain" or case.row.startswith("combined-1")
        values = {"seconds": 2.0 + number / 1000, "certified": case.who == "auto"}
        ladder.runs[case, 1] = Run("TIMEOUT") if slow else Run("FOUND", values)
    lines = [*part.report(plan, Results({"graphs": ladders}))]
    text = "\n".join(lines)
    assert "| combined | 14 of 15 |" in text and "| flower snark | 19 of 19 |" in text
    assert "auto does 39 of 40, all (at least 90%): met." in text
    assert "auto does 14 of 15, combined (at least 80%): met." in text
    assert f"Of the {len(acyclic())} refutations by auto, {len(acyclic())} came with" in text
    assert "complete-1500 in 2." in text and "(at most 1): **missed**." in text


def test_runs_that_are_kept_are_not_made_again(tmp_path):
    file = tmp_path / "runs.jsonl"
    asked = []

    def run(case, seed, stop):
        asked.append((case.row, seed))
        return Run("FOUND", {"seconds": 1.5}) if case.row == "a" else Run("TIMEOUT")

    cases = [job(row, "it", ("graphs", "it", row), 60) for row in "ab"]
    for _ in range(2):
        kept = Kept(run, file)
        told = [kept(case, seed, None) for case in cases for seed in (1, 2)]
        assert [each.status for each in told] == ["FOUND"] * 2 + ["TIMEOUT"] * 2
        assert told[0].seconds == 1.5 and len(asked) == 4
    stopped = threading.Event()
    stopped.set()
    Kept(run, file)(cases[0], 3, stopped)
    assert len(file.read_text().splitlines()) == 4
    longer = replace(cases[0], limit=120.0)
    Kept(run, file)(longer, 1, None)
    assert len(asked) == 6


@pytest.mark.parametrize("line", ["", "[1, 2]", "{}", '[["a"], "FOUND", 3]', "\xff"])
def test_a_file_of_something_else_is_refused(tmp_path, line):
    file = tmp_path / "runs.jsonl"
    file.write_bytes(b'[["a"], "FOUND", {}]\n' + line.encode("latin-1") + b"\n")
    with pytest.raises(InputError, match=r"expected (a run|runs) that"):
        Kept(lambda *_: Run("CRASH"), file)
