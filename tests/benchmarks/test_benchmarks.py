"""The benchmarks run; graph families and formulas match their descriptions."""

from __future__ import annotations

import doctest
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise, product

import networkx as nx
import numpy as np
import psutil
import pytest
import typer
from typer.testing import CliRunner

from benchmarks import (
    challenge_set,
    commands,
    construction,
    exact_cover,
    graph_search,
    graphs,
    non_hamiltonian,
    planted,
    puzzles,
    regular,
    small,
    uniquely_hamiltonian,
    wide,
)
from benchmarks.__main__ import MEASUREMENTS, app
from benchmarks.commands import FILES, run_command
from benchmarks.counting import ENUMERATION
from benchmarks.fewest import Clues, search
from benchmarks.graphs import LARGEST, SMALLEST, acyclic, catalogue
from benchmarks.planted import around, glue_at_cubic, glue_at_edges, glue_at_pairs, is_cycle, plant
from benchmarks.proofs import KINDS, claim, find_evidence, log_position
from benchmarks.runner import Measurement, Options, Row, Table, figure, measure, report, seconds
from benchmarks.search import board, boards_without_a_tour
from benchmarks.too_few import Cases
from benchmarks.yardsticks import PLAIN, YARDSTICKS, installed
from kt_cp import Enumeration, Problem
from kt_cp.compare import Run, compare
from kt_cp.compare.run import Task
from kt_cp.counting.dense import cluster_bill
from kt_cp.counting.dense.halves import sweep_steps
from kt_cp.counting.dense.matchings import layout
from kt_cp.counting.dense.on_disk import phase_array, phases, whole_half
from kt_cp.formats.drawing import read_board
from kt_cp.model.limits import Limits
from kt_cp.puzzles.generator import clue_orbits
from tests.oracles.dense_twin import Twin
from tests.support.command_line import ROOT, alive, wait_until
from tests.support.exhaustive import more


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
        "| recursion | 16 | 760 |", "| Hidato 8x8 | ", "| Coxeter: none | ", "| tour of 8x8 | ",
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
    monkeypatch.setattr("benchmarks.__main__.measure", lambda *_: pytest.fail("it measures"))
    ended = invoke(*arguments)
    assert ended.exit_code == 2 and "Traceback" not in ended.output
    assert "╭" not in ended.output


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
    lines = []
    options = Options(seconds=9, store=tmp_path / "runs", progress=lines.append)
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
    assert lines[:2] == ["6x6, a, seed 1: DONE", "6x6, b, seed 1: TIMEOUT"]
    faked(monkeypatch, {})
    assert measure("it", it, options).runs == results.runs  # all were saved
    assert measure("it", it, Options(rows="^7", seconds=9)).runs == {}


def test_answers_that_differ_are_reported(monkeypatch):
    columns = faked(monkeypatch, {("a", 36): took(1, tours=3), ("b", 36): took(1, tours=4)})
    cells = {"tours": figure("tours"), "s": seconds}
    it = Measurement(rows(6), columns, (Table("Tours", cells),))
    results = measure("it", it, Options())
    assert results.broken == ["6x6: [3, 4] tours, expected None"]
    assert [*report(it, results)][3:] == [
        "|  | tours | s |", "|---|---:|---:|", "| a | 3 | 1.00 |", "| b | 4 | 1.00 |",
    ]  # fmt: skip
    measurement = Measurement(lambda: [Row("6x6", board("6x6"), tours=5)], {"a": columns["a"]}, ())
    assert measure("it", measurement, Options()).broken == ["6x6: [3] tours, expected 5"]
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
        conditions = (problem.closed, problem.start is not None, problem.end is not None)
        assert conditions == (kind == "closed", kind in ("start", "ends"), kind == "ends")
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
    problems = [Problem("3x3", given=given, **more) for given, more in SMALL]
    counted = [puzzles.count_two(who, problem, 1)["tours"] for problem in problems]
    assert counted == [min(2, Enumeration(problem).count()) for problem in problems]
    assert {0, 1, 2} == {*counted}


def test_puzzles_are_minimal_or_planted():
    by_name = {row.name: row for row in puzzles.puzzles()}
    assert puzzles.LAST_SMALL in by_name and len(by_name) == 189
    (clues,) = {len(puzzles.plant_puzzle("8x8", 0.1, seed).conditions) for seed in (1, 2)}
    assert clues == 6 and puzzles.plant_puzzle("8x8", 0.1, 1) != puzzles.plant_puzzle("8x8", 0.1, 2)
    problem = by_name["knight, one step is wrong, 6x6, seed 1"].problem()
    assert len(problem.given) == 8 and puzzles.count_two("auto", problem, 1)["tours"] == 0


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


def test_small_questions_are_processes(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    labels = [question.problem().label for question in small.QUESTIONS.values()]
    assert len({*labels}) == len(labels)
    for name in ("Numbrix 9x9", "snark, 76 nodes", "check", "version"):
        figures = small.ask(False, small.QUESTIONS[name].problem(), 1)
        assert figures["solve_seconds"] > 0 and figures["processor_seconds"] > 0
    by_clingo = ("tour of 8x8", "Numbrix 9x9", "directed torus 10x9")
    for name in by_clingo if installed("clingo") else ():
        assert small.ask(True, small.QUESTIONS[name].problem(), 1)["solve_seconds"] > 0
    assert not [*tmp_path.iterdir()]


def test_a_small_question_goes_to_another_python():
    version = small.QUESTIONS["version"].problem()
    assert small.ask(False, version, 1, python=(sys.executable, "-I"))["solve_seconds"] > 0
    with pytest.raises(FileNotFoundError, match="no-such-python"):
        small.ask(False, version, 1, python=("no-such-python",))


def test_a_process_of_a_question_ends_in_time(monkeypatch):
    slept = []
    monkeypatch.setattr(commands.time, "sleep", slept.append)
    with pytest.raises(RuntimeError, match="exit code -9"):
        run_command(("-c", "import threading; threading.Event().wait()"), None, 1, (0,), 0.2)
    assert slept == [0.2]


def test_the_challenge_set_is_continued_and_compared(tmp_path):
    folder, keep, published = tmp_path / "graphs", tmp_path / "runs.jsonl", tmp_path / "times.csv"
    folder.mkdir()
    for number, edges in ((1, "1 2 2 3 3 4 4 5 5 1"), (2, "1 2 2 3 3 1 3 4 4 5")):
        pairs = re.sub(r"(\d \d) ?", r"\1\n", edges)
        head = "DIMENSION : 5\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
        text = f"NAME : g{number}\nTYPE : HCP\n{head}{pairs}-1\nEOF\n"
        (folder / f"graph{number}.hcp").write_text(text, encoding="utf-8")
    published.write_text("number,clingo\n1,TO\n2,0.5\n3,TO\n", encoding="utf-8")
    shutil.copy(folder / "graph2.hcp", folder / "graph3.hcp")  # which has a run already
    lost = {"name": "graph3.hcp", "nodes": 5, "cpu": 60.5, "valid": False, "none": False}
    keep.write_text(f"{json.dumps(lost)}\n", encoding="utf-8")
    app = typer.Typer()
    app.command()(challenge_set.main)
    words = [str(folder), "--keep", str(keep), "--published", str(published)]
    for _ in range(2):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output
        (line,) = (line for line in result.stdout.splitlines() if line.startswith("| 0 to 999"))
        assert line.startswith("| 0 to 999 | 3 | 1 | 1 | ")
        assert line.endswith(" | 1 |")
        assert result.stdout.endswith("2 of 3 are answered.  Not answered:\ngraph3.hcp (5)\n")
        assert len(keep.read_text("utf-8").splitlines()) == 3
    run = challenge_set.solve(folder / "graph1.hcp", 0.01)  # less than Python needs to start
    assert run["cpu"] > 0.01 and not challenge_set.is_solved(run, 0.01)


@pytest.mark.skipif(not installed("graphillion"), reason="Graphillion is not installed")
def test_graphillion_counts():
    from benchmarks.yardsticks import count_by_graphillion

    assert count_by_graphillion(Problem("5x6", closed=True), 1)["tours"] == 8


def test_each_node_of_a_digraph_has_as_many_arcs():
    assert {*dict(graph_search.out_digraph(30, 3, 1).out_degree).values()} == {3}


FAMILIES = {it.family: it for it in reversed(catalogue().values())}


def cycles(graph):
    return Enumeration(Problem(graph=graph, closed=True)).count()


def degrees(graph):
    return {*dict(graph.degree).values()}


@pytest.mark.parametrize(
    "module",
    [challenge_set, exact_cover, graphs, non_hamiltonian, regular, uniquely_hamiltonian, planted],
)
def test_examples_are_true(module):
    failed, tried = doctest.testmod(module)
    assert tried and not failed


def test_graphs_are_written_for_other_solvers(tmp_path):
    app = typer.Typer()
    app.command()(graphs.main)
    result = CliRunner().invoke(app, [str(tmp_path), "petersen-1", "coxeter"])
    assert result.exit_code == 0, result.output
    text = (tmp_path / "petersen-1.hcp").read_text()
    assert "TYPE : HCP" in text and "DIMENSION : 66" in text
    assert (tmp_path / "graphs.csv").read_text().splitlines()[1:] == [
        'petersen-1,"generalized Petersen",66,99,yes', 'coxeter,"Coxeter",28,42,no',
    ]  # fmt: skip
    assert CliRunner().invoke(app, [str(tmp_path), "petersen-0"]).exit_code == 2


def test_the_catalogue_is_complete_and_each_graph_is_made_again():
    families = [it.family for it in catalogue().values()]
    assert len(families) == 220 and families.count("combined") == 82
    for it in (catalogue()["combined-1"], catalogue()["queens-1"]):
        first, second = it.make(), it.make()
        assert first.cycle == second.cycle and nx.utils.graphs_equal(first.graph, second.graph)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_smallest_of_a_family_has_its_cycle_but_not_in_its_numbers(family):
    graph, cycle = FAMILIES[family].make()
    assert is_cycle(graph, cycle) and sorted(graph) == list(range(len(graph)))
    assert SMALLEST <= len(graph) <= LARGEST
    assert nx.number_of_selfloops(graph) == 0 and type(graph) is nx.Graph
    assert sum(abs(u - v) == 1 for u, v in pairwise(cycle)) < len(graph) / 4


@pytest.mark.slow
def test_the_largest_of_each_family_has_the_cycle_that_was_planted():
    largest = {it.family: it for it in catalogue().values()}
    # Of those that take seconds to make one by itself.
    left = more({"combined", "Fleischner", "Sheehan"}, set())
    for family, it in largest.items():
        if family in left:
            continue
        graph, cycle = it.make()
        assert is_cycle(graph, cycle) and SMALLEST <= len(graph) <= LARGEST, family


@pytest.mark.parametrize("n", [9, 15])
def test_generalized_petersen_graphs_have_three_cycles_or_none(n):
    assert cycles(regular.petersen(n).graph) == 3
    assert cycles(non_hamiltonian.petersen(n - 4)) == 0
    assert degrees(regular.petersen(n).graph) == {3}


@pytest.mark.parametrize(("n", "count"), [(5, 4), (7, 12), (9, 20)])
def test_a_flower_snark_has_cycles_with_one_edge_more(n, count):
    graph, _ = regular.flower(n)
    assert cycles(graph) == count and graph.size() == 6 * n + 1
    assert sorted(dict(graph.degree).values()) == [3] * (4 * n - 2) + [4, 4]
    assert cycles(non_hamiltonian.flower_snark(n)) == 0


@pytest.mark.parametrize("n", [4, 5, 6, 9, 12])
def test_sheehans_graph_has_one_cycle_and_no_edge_can_be_added(n):
    graph, _ = uniquely_hamiltonian.sheehan(n)
    assert cycles(graph) == 1 and graph.size() == n * n // 4 + 1
    for u, v in list(nx.non_edges(graph))[:6]:
        assert cycles(nx.Graph([*graph.edges, (u, v)])) > 1


def test_nearly_cubic_graphs_have_one_cycle():
    for size in (18, 40, 60):
        graph = uniquely_hamiltonian.nearly_cubic(size, random.Random(size)).graph
        assert cycles(graph) == 1
        assert sorted(dict(graph.degree).values()) == [3] * (len(graph) - 2) + [4, 4]


def test_fleischners_gadgets_have_two_cycles_and_one_through_an_edge():
    for copies in (0, 1):
        graph, through, other = uniquely_hamiltonian.gadget(copies)
        assert len(graph) == 15 + 14 * copies and graph.size() == 24 + 34 * copies
        assert cycles(graph) == 2
        for cycle in (through, other):
            assert is_cycle(*plant(graph.edges, cycle))


@pytest.mark.slow
def test_half_of_fleischners_graph_has_one_cycle_through_its_last_edge():
    graph, cycle = uniquely_hamiltonian.half((0, 0, 0))
    through = Problem(graph=graph, closed=True, require=[(cycle[-1], cycle[0])])
    assert Enumeration(through).count() == 1


def test_fleischners_graph_has_the_sizes_that_are_published():
    graph, cycle = uniquely_hamiltonian.fleischner([(3, 3, 3)] * 2)
    assert len(graph) == 338 and is_cycle(graph, cycle)
    found = sorted(dict(graph.degree).values())
    assert found == [3] * 4 + [4] * 312 + [8] * 4 + [14] * 18


@pytest.mark.parametrize("glue", [glue_at_edges, glue_at_pairs])
def test_glued_at_two_edges_there_are_as_many_cycles_as_pairs_through_them(glue):
    rng = random.Random(3)
    for _ in range(4):
        one, other = rng.sample(
            [regular.petersen(9), uniquely_hamiltonian.royle(), regular.flower(5)], 2
        )
        i, j = rng.randrange(len(one.cycle)), rng.randrange(len(other.cycle))
        through = [
            cycles(it.graph) - cycles(nx.Graph(nx.restricted_view(it.graph, [], [edge])))
            for it, edge in zip((one, other), (_edge(one, i), _edge(other, j)), strict=True)
        ]
        graph, cycle = glue(one, other, i, j)
        assert is_cycle(graph, cycle) and cycles(graph) == through[0] * through[1]


def _edge(it, place):
    return it.cycle[place], it.cycle[(place + 1) % len(it.cycle)]


def test_glued_at_cubic_nodes_three_times_three_cycles_are_three():
    graph, cycle = glue_at_cubic(regular.petersen(9), regular.petersen(15), 4, 7)
    assert is_cycle(graph, cycle) and cycles(graph) == 3 and degrees(graph) == {3}


def test_what_is_no_cycle_is_refused():
    for edges in ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], [(0, 1), (1, 2)]):
        with pytest.raises(ValueError, match="expected"):
            around(edges)
    square = nx.cycle_graph(4)
    for walk in ((0, 1, 2), (0, 1, 2, 2), (0, 2, 1, 3), ()):
        assert not is_cycle(square, walk)


@pytest.mark.parametrize(
    ("sets", "covers"),
    [
        ([{1, 2}, {3}, {2, 3}, {1}], 2),
        ([{1}, {1}, {1}, {2}], 3),
        ([{1, 2, 3}, {1}, {2}, {3}, {1, 2}], 3),
        ([{1, 2}, {3, 4}, {1, 3}, {2, 4}, {2, 3}, {1, 4}], 3),
    ],
)
def test_there_are_as_many_cycles_as_exact_covers(sets, covers):
    chosen = {0, 3} if len(sets[0]) == 1 else {0} if len(sets[0]) == 3 else {0, 1}
    graph, cycle = exact_cover.exact_cover(sets, chosen)
    assert is_cycle(graph, cycle) and cycles(graph) == covers


def test_sets_that_are_no_exact_cover_are_refused():
    for chosen in ({0, 1}, {0}, set()):
        with pytest.raises(ValueError, match="every item exactly once"):
            exact_cover.exact_cover([{1, 2}, {2, 3}, {1, 3}], chosen)


@pytest.mark.parametrize("seed", range(3))
def test_puzzles_have_the_solution_that_was_planted(seed):
    rng = random.Random(seed)
    made = [
        exact_cover.queens(5, rng, 0.3),
        exact_cover.insanity(2, rng),
        exact_cover.sudoku(70, rng),
    ]
    for graph, cycle in (*made, exact_cover.domination(8, 2, 4, rng)):
        assert is_cycle(graph, cycle)
    for n in (2, 3, 8):
        with pytest.raises(ValueError, match="modulo 6"):
            exact_cover.queens(n, rng)


def test_bells_are_rung_by_swaps_of_neighbours():
    graph, cycle = regular.bells(4, 2)
    assert degrees(graph) == {4} and is_cycle(graph, cycle) and len(graph) == 24


@pytest.mark.parametrize("name", [name for name in acyclic() if name.endswith(("-0", "er", "J7"))])
def test_named_graphs_have_no_cycle(name):
    assert cycles(acyclic()[name].make().graph) == 0


def test_graphs_without_a_cycle_match_their_descriptions():
    for graph, size, all_degrees in (
        (non_hamiltonian.tutte(), 69, {3}), (non_hamiltonian.coxeter(), 42, {3}),
        (non_hamiltonian.meredith(), 140, {4}),
        (non_hamiltonian.horton(), 144, {3}), (non_hamiltonian.ellingham_horton(), 81, {3}),
    ):  # fmt: skip
        assert graph.size() == size and degrees(graph) == all_degrees
        assert nx.node_connectivity(graph) == all_degrees.pop()
    assert nx.is_bipartite(non_hamiltonian.horton()) and nx.is_bipartite(
        non_hamiltonian.ellingham_horton()
    )
    assert nx.girth(non_hamiltonian.coxeter()) == 7
    for graph in (
        non_hamiltonian.tough(1),
        non_hamiltonian.tough(3),
        non_hamiltonian.grid(3, 3),
        non_hamiltonian.rooms(4, 2),
    ):
        assert cycles(graph) == 0
    assert cycles(non_hamiltonian.tutte(3)) == 0 and nx.is_planar(non_hamiltonian.tutte(3))


def test_tough_graphs_break_into_no_more_parts_than_nodes_are_removed():
    graph = non_hamiltonian.tough(1)
    for mask in range(1, 1 << len(graph)):
        removed = [v for v in graph if mask >> v & 1]
        left = graph.subgraph(set(graph) - set(removed))
        assert nx.number_connected_components(left) <= max(1, len(removed))


def every(slots, total):
    """All patterns of digits with a sum."""
    return [each for each in product(range(3), repeat=slots) if sum(each) == total]


def entries(pattern):
    return cluster_bill.matchings(pattern.count(1) // 2)


@pytest.mark.parametrize("width", [2, 3, 4])
def test_sizes_are_those_of_all_patterns(width):
    patterns = every(2 * width, 2 * width)
    assert sum(size for _, size in cluster_bill.patterns(width)) == len(patterns)
    assert cluster_bill.entries(width) == sum(map(entries, patterns))
    assert cluster_bill.meeting(width) == sum(
        entries(each) * (each.count(1) // 2) ** 2 for each in patterns
    )
    keys = {}
    for each in patterns:
        keys[each[:width]] = keys.get(each[:width], 0) + entries(each)
    assert cluster_bill.largest_key(width) == max(keys.values())


@pytest.mark.parametrize("width", [3, 6, 7])
def test_sizes_are_those_of_the_array(width):
    assert cluster_bill.entries(width) == layout(2 * width, 2 * width, 0)[1]


@pytest.mark.parametrize("width", [2, 3, 4])
def test_additions_are_those_of_an_edge(width):
    """Of a dark slot 0 and a light slot 1: digits go from (a, b) to (a + 1, b - 1)."""
    found = 0
    for pattern in every(2 * width, 2 * width):
        dark, light, *others = pattern
        if dark == 2 or light == 0:
            continue
        ends = others.count(1)
        if (dark, light) == (1, 1):  # k pairs are left, and 2k entries come to each
            found += ends * cluster_bill.matchings(ends // 2)
        else:
            found += entries(pattern)
    assert cluster_bill.additions(width) == found


def test_additions_of_all_keys_are_those_of_an_edge():
    width = 4
    keys = [each for many in range(4 * width) for each in every(width, many)]
    found = sum(
        cluster_bill.additions_of_key(width, 2 * width - sum(key), key.count(1)) for key in keys
    )
    assert found == cluster_bill.additions(width)


def test_a_group_of_keys_is_part_of_the_array():
    phase = phases(whole_half(8, 6))[-3]
    _, patterns, entries = wide.lay_out_keys(phase, 2, 3)
    array = phase_array(phase, 10**9)
    alike = {
        int(array.sizes[key])
        for key in np.flatnonzero((array.at.high.counts == 2) & (array.at.high.sums == 6))
    }
    assert alike == {entries // 3} and len(np.unique(patterns)) == len(patterns)
    found = wide.measure_keys(8, 6, 2, 3)
    assert found["entries"] == entries and 0 < found["MB"] < 4e-6 * entries + len(patterns)


def test_steps_are_those_of_the_sweep():
    for rows, width in ((6, 6), (8, 8), (10, 8), (8, 7)):
        steps = [step for row in sweep_steps(whole_half(rows, width)) for step in row]
        edges = sum(type(step).__name__ == "Edge" for step in steps)
        assert cluster_bill.edges(width, rows) == edges, (rows, width)


@pytest.mark.slow
def test_living_states_are_counted(capsys):
    *_, states = wide.sweep_half(6, 4)
    twin = Twin(whole_half(6, 4), (0, 0))
    for step in (step for row in sweep_steps(whole_half(6, 4)) for step in row):
        twin.take(step)
    (live,) = twin.states.values()
    assert wide.living(states) == (len(+live), max(live.values()))
    wide.measure(6, 4)
    assert f"6x4, row 3: {len(+live):,} of 2,835 live" in capsys.readouterr().out


def test_the_page_has_these_tables(capsys):
    wide.main()
    page = (ROOT / "docs" / "explanation" / "closed-10x10.md").read_text("utf-8")
    assert capsys.readouterr().out.strip().replace("\n\n", "\n").splitlines() == [
        line for line in page.splitlines()
        if line.startswith("|") and line.count("|") in (6, 8) and "live" not in line
    ]  # fmt: skip


@pytest.mark.parametrize("motion", [None, "half-turn"])
def test_records_have_one_solution(motion, capsys) -> None:
    polls = iter(range(10**6))
    problem = Problem("6x6", closed=True)
    most = search(problem, motion, 1, lambda: next(polls) > 400, 36)
    *_, last = capsys.readouterr().out.split("clues, ")
    board, given = read_board(last.partition(":\n")[2].rstrip("\n"))
    assert len(given) == most < 10 and board == problem.board
    everything = Enumeration(problem.board, closed=True, given=given)
    assert everything.count() == 1
    if motion:
        assert {(5 - row, 5 - column) for row, column in given} == set(given)


def test_clues_are_exchanged_until_a_single_tour_is_left() -> None:
    problem = Problem("6x6", closed=True)
    clues = Clues(problem, clue_orbits(problem, None), 3, seed=3)
    steps = {vertex: clues._tour[vertex] for (vertex,) in clues._chosen}
    nodes = problem.indexed.nodes

    def tours(steps):
        prescribed = {nodes[vertex]: step + 1 for vertex, step in steps.items()}
        return Enumeration(problem.board, closed=True, given=prescribed).count()

    exchanged = clues._exchanged(steps, lambda: False)
    assert tours(steps) > 1 and len(exchanged) == 3 and tours(exchanged) == 1
    assert clues._exchanged(steps, lambda: True) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "clues", "motion"), [("5x6", 3, "top-bottom"), ("6x6", 4, "quarter-turn")]
)
def test_these_are_the_puzzles_with_a_single_tour(board, clues, motion) -> None:
    problem = Problem(board, closed=True)
    cases = Cases(problem, clues, motion, seed=1)
    found = {_alike(cases, steps) for steps in cases.single()}
    index, size = problem.indexed.index, problem.size
    tours = [[index[square] for square in tour] for tour in Enumeration(problem)]
    walks = np.array(tours + [tour[::-1] for tour in tours])
    steps = np.argsort(walks, axis=1)
    expected = set()
    orbits = clue_orbits(problem, motion)
    for orbit_count in range(1, clues + 1):
        for chosen in combinations(orbits, orbit_count):
            vertices = sorted(vertex for orbit in chosen for vertex in orbit)
            if len(vertices) != clues:
                continue
            apart = (steps[:, vertices] - steps[:, vertices[:1]]) % size
            for each, tours_with_it in Counter(map(tuple, apart.tolist())).items():
                if tours_with_it == 1:
                    expected.add(_alike(cases, dict(zip(vertices, each, strict=True))))
    assert found == expected and cases.searched > 0


def _alike(cases, steps):
    """One for all that motions and the reverse make of clues."""
    size = cases._problem.size
    found = []
    for motion in cases._motions.tolist():
        moved = sorted((motion[vertex], step) for vertex, step in steps.items())
        for way in (1, -1):
            found.append(tuple((v, way * (step - moved[0][1]) % size) for v, step in moved))
    return min(found)
