"""The benchmarks run; what they measure is not tested."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest
from typer.testing import CliRunner

from benchmarks import construction, graph_search, puzzles
from benchmarks.__main__ import MEASUREMENTS, app
from benchmarks.commands import FILES, run_command
from benchmarks.counting import ENUMERATION
from benchmarks.proofs import KINDS, claim, find_evidence, log_position
from benchmarks.runner import Measurement, Options, Row, Table, figure, measure, report, seconds
from benchmarks.search import board, boards_without_a_tour
from benchmarks.yardsticks import PLAIN, YARDSTICKS, installed
from kt_cp import Enumeration, Problem
from kt_cp.compare import Run, compare
from kt_cp.compare.run import Task
from kt_cp.model.limits import Limits
from tests.support.command_line import ROOT, alive, wait_until


def invoke(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.mark.slow
def test_a_quick_run_goes_through(tmp_path):
    file = tmp_path / "report.md"
    ended = invoke("--quick", "-o", file, "--plots", tmp_path, "--keep", tmp_path / "runs")
    assert ended.exit_code == 0, ended.stderr
    assert file.read_text(encoding="utf-8") == ended.stdout
    for line in (
        "| 6x6 |", "| 3x3 open | ", "| zeros | 0.04 |", "| 100x100 closed | ", "| 4x4 open | ",
        "| recursion | 16 | 760 |", "| Hidato 8x8 | ", "| Coxeter: none | ", "| kt-cp --help | ",
        f"]({tmp_path.name}/oneshot.svg)",
    ):  # fmt: skip
        assert line in ended.stdout, line
    pictures = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert pictures == ["oneshot.svg", "refutations.svg", "search.svg"]
    assert ">channel</text>" in (tmp_path / "oneshot.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--only", "search,x"), ("--rows", "("), ("--seeds", "0"), ("--time-limit", "0"),
        ("--plots", "no/such"), ("-o", "no/such/place.md"),
    ],
)  # fmt: skip
def test_bad_options_are_refused_before_anything_runs(arguments, monkeypatch):
    monkeypatch.setattr("benchmarks.__main__.measure", lambda *_: pytest.fail("it ran"))
    ended = invoke(*arguments)
    assert ended.exit_code == 2 and "Traceback" not in ended.output


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminated"])
def test_no_process_is_left_behind(number):
    words = ["--only", "oneshot", "--columns", "position", "--rows", "^20x", "--seeds", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks", *words], cwd=ROOT, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as running:  # fmt: skip
        own = psutil.Process(running.pid)
        wait_until(lambda: len(own.children()) == 1)
        children = own.children()
        running.send_signal(number)
        assert running.wait(60) != 0
        wait_until(lambda: not any(alive(child) for child in children))


def rows(*sides):
    return lambda: [Row(f"{side}x{side}", board(f"{side}x{side}")) for side in sides]


def faked(monkeypatch, answers):
    """Answers by name and number of squares: seconds, a verdict, or one of them for each seed."""

    def run_task(task, problem, _limits, seed, _cancelled):
        answer = answers[task.name, problem.size]
        answer = answer[seed - 1] if isinstance(answer, list) else answer
        if isinstance(answer, str):
            return Run(problem, task.name, seed, answer)
        return Run(problem, task.name, seed, "DONE", statistics=answer)

    monkeypatch.setattr("kt_cp.compare.run.run_task", run_task)
    return {name: Task(name, len) for name, _ in answers}


def took(value, **more):
    return {"build_seconds": 0.5, "solve_seconds": value - 0.5, **more}


def test_a_column_ends_where_most_of_its_seeds_fail(monkeypatch, tmp_path):
    answers = {
        ("a", 36): [took(1), took(2), took(4)], ("b", 36): ["TIMEOUT", "TIMEOUT", took(1)],
        ("a", 64): ["MEMORY", took(2), took(3)], ("a", 100): "CRASH", ("c", 36): took(1),
    }  # fmt: skip
    it = Measurement(
        rows(6, 8, 10), faked(monkeypatch, answers), (Table("Seconds", {"seconds": seconds}),),
        seeds=3, climbs=True, last={"c": "6x6"}, most={("6x6", "a"): 1.5, ("6x6", "c"): 1.5},
    )  # fmt: skip
    said = []
    options = Options(seconds=9, store=tmp_path / "runs", progress=said.append)
    results = measure("it", it, options)
    assert [*report(it, results)][5:] == [
        "| 6x6 | 2.00 (1.00–4.00) | > 9, 2 TIMEOUT of 2 | 1.00 (1.00–1.00) |",
        "| 8x8 | 3.00 (2.00–), 1 MEMORY of 3 | – | – |",
        "| 10x10 | none, 2 CRASH of 2 | – | – |",
        "",
        "- a, 6x6: 2.00 s (at most 1.5): **missed**.",
        "- c, 6x6: 1.00 s (at most 1.5): met.",
    ]
    assert results.broken == [f"10x10, a, seed {seed}: CRASH" for seed in (1, 2)]
    assert said[:2] == ["6x6, a, seed 1: DONE", "6x6, b, seed 1: TIMEOUT"]
    faked(monkeypatch, {})
    assert measure("it", it, options).runs == results.runs  # all were kept
    assert measure("it", it, Options(rows="^7", seconds=9)).runs == {}


def test_answers_that_differ_are_told(monkeypatch):
    columns = faked(monkeypatch, {("a", 36): took(1, tours=3), ("b", 36): took(1, tours=4)})
    cells = {"tours": figure("tours"), "s": seconds}
    it = Measurement(rows(6), columns, (Table("Tours", cells),))
    results = measure("it", it, Options())
    assert results.broken == ["6x6: [3, 4] tours, expected None"]
    assert [*report(it, results)][3:] == [
        "|  | tours | s |", "|---|---:|---:|", "| a | 3 | 1.00 |", "| b | 4 | 1.00 |",
    ]  # fmt: skip
    wrong = Measurement(lambda: [Row("6x6", board("6x6"), tours=5)], {"a": columns["a"]}, ())
    assert measure("it", wrong, Options()).broken == ["6x6: [3] tours, expected 5"]
    none = Measurement(lambda: [Row("3x3", board("3x3"), tour=True)], {"it": "backtrack"}, ())
    assert measure("it", none, Options()).broken[0].startswith("3x3, it, seed 1: IMPOSSIBLE")


@pytest.mark.slow
@pytest.mark.parametrize("name", YARDSTICKS)
def test_yardsticks_find_tours_and_refute(name):
    problems = [Problem("6x6", closed=True), Problem("3x6", closed=True)]
    runs = compare(problems, [YARDSTICKS[name]], limits=Limits(60.0)).runs
    assert [(run.engine, run.verdict) for run in runs] == [(name, "FOUND"), (name, "IMPOSSIBLE")]
    assert runs[0].checks.replayed and runs[0].statistics["build_seconds"] > 0


@pytest.mark.slow
def test_the_plain_model_falls_into_the_known_trap():
    (run,) = compare([Problem("3x3", closed=True)], [PLAIN], limits=Limits(60.0)).runs
    assert run.verdict == "UNSOUND" and "b2" in str(run.reason)


def test_boards_without_a_tour():
    found = {row.name: row.problem() for row in boards_without_a_tour()}
    assert [name for name in found if name.endswith("open")] == [
        "3x3 open", "3x5 open", "4x4 open", "3x6 open",
    ]  # fmt: skip
    assert "4x12 closed" in found and "5x6 closed" not in found and len(found) == 4 + 18
    for problem in found.values():
        assert next(iter(Enumeration(problem).tours()), None) is None


@pytest.mark.slow
def test_each_kind_of_evidence():
    problem = claim("4x6 closed")
    for kind in KINDS:
        figures = find_evidence(kind, problem, 1)
        assert figures["kilobytes"] > 0 and ("proof" in figures) == (kind == "refutation")
    assert log_position(problem, 1)["proof"] > figures["proof"]
    assert find_evidence("tight", claim("4x4 open"), 1) is None
    ends = claim("4x7 open from b2 to g4")
    assert (ends.start, ends.end, ends.closed) == ((1, 1), (3, 6), False)


@pytest.mark.slow
def test_construction_is_measured(monkeypatch):
    monkeypatch.setattr(construction, "SQUARES", 5_000)
    for kind in construction.KINDS:
        problem = construction.question("20x12", kind)
        given = (problem.closed, problem.start is not None, problem.end is not None)
        assert given == (kind == "closed", kind in ("start", "ends"), kind == "ends")
        assert min(construction.measure_construction(problem, 1).values()) > 0
    assert construction.measure_construction(Problem("5x4", closed=True), 1) is None


SMALL = (
    ({"b1": 2, "c3": 5}, {"piece": "king"}),
    ({"a1": 1, "c3": 9, "b2": 4}, {"piece": "king"}),
    ({"a1": 1, "a2": 9, "b2": 8}, {"piece": "wazir"}),
    ({"a1": 1, "a2": 2, "c3": 9}, {"piece": "wazir"}),
)


@pytest.mark.parametrize("who", puzzles.CANDIDATES)
def test_everyone_counts_as_many_tours_of_a_puzzle(who):
    asked = [Problem("3x3", given=given, **more) for given, more in SMALL]
    counted = [puzzles.count_two(who, problem, 1)["tours"] for problem in asked]
    assert counted == [min(2, Enumeration(problem).count()) for problem in asked]
    assert {0, 1, 2} == {*counted}


def test_puzzles_are_minimal_or_planted():
    by_name = {row.name: row for row in puzzles.puzzles()}
    assert puzzles.LAST_SMALL in by_name and len(by_name) == 169
    (given,) = {len(puzzles.plant_puzzle("8x8", 0.1, seed).conditions) for seed in (1, 2)}
    assert given == 6 and puzzles.plant_puzzle("8x8", 0.1, 1) != puzzles.plant_puzzle("8x8", 0.1, 2)


def test_declared_rows_and_columns_are_there():
    for name, it in MEASUREMENTS.items():
        names = [row.name for row in it.rows()]
        assert len({*names}) == len(names), name
        groups = {row.group or row.name for row in it.rows()}
        assert {*it.quick, *it.last.values()} <= {*names}, name
        assert {line for line, _ in it.most} <= groups and {*it.last} <= {*it.columns}, name
    assert len([*graph_search.rows()]) == 220 + 72 + 4
    assert ENUMERATION.columns.keys() == {"recursion", "listed", "counted"}


def test_commands_and_files_are_measured(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(RuntimeError, match="exit code 3"):
        run_command(("-c", "raise SystemExit(3)"), None, 1)
    for task in FILES.columns.values():
        figures = task.measure(Problem("6x6", closed=True), 1)
        assert figures["solve_seconds"] > 0 and 0 <= figures["gigabytes"] * 1e9 - 144 <= 128
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(not installed("graphillion"), reason="Graphillion is not installed")
def test_graphillion_counts():
    from benchmarks.yardsticks import count_by_graphillion

    assert count_by_graphillion(Problem("5x6", closed=True), 1)["tours"] == 8


def test_each_node_of_a_digraph_has_as_many_arcs():
    assert {*dict(graph_search.out_digraph(30, 3, 1).out_degree).values()} == {3}
