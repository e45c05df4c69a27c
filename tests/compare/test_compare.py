"""Comparisons: one row per run, limits, contradictions, stores, tables."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from kt_cp import Board, Problem, Tour, Verdict
from kt_cp.cli import compare as command
from kt_cp.compare import Comparison, Run, Task, compare, questions, report
from kt_cp.compare import run as row_module
from kt_cp.compare import run as run_module
from kt_cp.compare.report import COLUMNS, FIELDS, comparison_csv, comparison_json, table
from kt_cp.compare.run import open_checkpoint
from kt_cp.engines.engine import out_of_memory
from kt_cp.engines.registry import get_engine
from kt_cp.engines.run import run as real_run
from kt_cp.model.errors import (
    EndedError,
    EngineFailedError,
    EngineNameError,
    StoreError,
    TooLargeError,
)
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Checks, Evidence, EvidenceKind, Outcome
from kt_cp.model.request import Request
from kt_cp.processes import isolate
from kt_cp.processes.executors import WorkerEndedError, open_executor
from kt_cp.processes.isolate import Ended
from kt_cp.proofs.certify import Finding, certify
from kt_cp.trust import crosscheck
from tests.support.fakes import Failing

LIMITS = Limits(seconds=10, megabytes=2000)


def cases(*names, closed=False):
    return [Problem(Board.parse(name), closed=closed) for name in names]


def test_default_boards():
    names = [str(case.board) for case in questions(kinds="o")]
    listed = "3x3 4x4 3x4 3x10 4x5 5x5 5x6 6x6 7x7 8x8 12x12 20x20 30x30"
    assert names == listed.split()
    closed = {str(case.board) for case in questions(kinds="c")}
    assert {"3x3", "4x4", "3x10", "8x8", "30x30"} <= closed < set(names)
    assert len(questions()) == len(names) + len(closed)


@pytest.mark.slow
def test_rows_in_order_and_checked():
    engines = ["backtrack", "warnsdorff", "sat:position"]
    comparison = compare(cases("3x3", "5x5"), engines, limits=LIMITS, repeat=2, seed=7, jobs=2)
    assert [(str(row.problem.board), row.engine, row.seed) for row in comparison.runs] == [
        (board, engine, seed) for board in ("3x3", "5x5") for engine in engines for seed in (7, 8)
    ]
    assert comparison.contradictions == []
    for row in comparison.runs:
        found = str(row.problem.board) == "5x5"
        expected = "FOUND" if found else "IMPOSSIBLE"
        assert row.verdict == ("UNKNOWN" if row.engine == "warnsdorff" and not found else expected)
        assert row.statistics["peak_mb"] > 10
        if row.verdict != "UNKNOWN":
            assert row.checks.agrees
        assert row.checks.verified == (True if found else None)
        assert row.checks.replayed == (True if found else None)


@pytest.mark.slow
@pytest.mark.clock
def test_the_reference_has_no_more_time_than_an_engine():
    # Two squares of one colour are missing: the plain recursion places 20 million, in 40 s.
    problem = Problem(Board(5, 6, missing={(0, 0), (1, 1)}))
    began = time.monotonic()
    (row,) = compare([problem], ["backtrack"], limits=Limits(seconds=0.5)).runs
    assert time.monotonic() - began < 15
    assert (row.verdict, row.checks.agrees) == ("IMPOSSIBLE", None)
    assert row.checks.remarks["agrees"] == "the time limit was reached"


def test_time_and_memory_limits_are_rows():
    rows = compare(cases("30x30", closed=True), ["sat:position"], limits=Limits(seconds=0.5)).runs
    assert rows[0].verdict == "TIMEOUT"
    assert rows[0].statistics["solve_seconds"] < 4
    rows = compare(cases("8x8"), ["cpsat"], limits=Limits(seconds=30, megabytes=40)).runs
    assert rows[0].verdict == "MEMORY"
    assert rows[0].statistics["peak_mb"] > 40


def test_what_is_too_large_is_a_row():
    rows = compare(cases("300x300"), ["sat:position"], limits=LIMITS).runs
    assert rows[0].verdict == "REFUSED"
    assert "sat:lazy" in rows[0].reason


def test_unknown_engines_are_refused_before_anything_runs():
    with pytest.raises(EngineNameError, match="hurry"):
        compare(cases("8x8"), ["backtrack", "hurry"], limits=LIMITS)


def test_an_interrupt_between_two_submissions_ends_the_runs_at_once(monkeypatch):
    started, ended = threading.Event(), threading.Event()

    def run_one(_problem, _engine, _limits, _seed, _reference, cancelled):
        started.set()
        while not cancelled():
            assert not ended.wait(0.01)

    def submit(self, *arguments):
        if started.is_set():
            raise KeyboardInterrupt
        future = ThreadPoolExecutor.submit(self, *arguments)
        assert started.wait(30)
        return future

    monkeypatch.setattr(run_module, "run_one", run_one)
    pool = type("Pool", (ThreadPoolExecutor,), {"submit": submit})
    monkeypatch.setattr(run_module, "ThreadPoolExecutor", pool)
    watchdog = threading.Timer(30, ended.set)
    watchdog.start()
    with pytest.raises(KeyboardInterrupt):
        compare(cases("3x3"), ["backtrack", "cpsat"], limits=LIMITS)
    assert not ended.is_set()
    watchdog.cancel()


def fake(answers):
    """An engine run that answers from a table, and really runs the others."""

    def run(engine, request, **options):
        if engine not in answers:
            return real_run(engine, request, **options)
        return answers[engine](request.problem, request.seed)

    return run


def claims_none(problem, seed):
    evidence = Evidence(EvidenceKind.CLAIMED, "claimed by a test")
    return Outcome(Verdict.IMPOSSIBLE, problem, "sat", evidence=evidence, seed=seed)


def wrong_tour(problem, seed):
    squares = list(problem.board)
    return Outcome(Verdict.FOUND, problem, "cpsat", tour=Tour(squares, board=problem.board))


def crash(problem, seed):
    raise EngineFailedError("engine cpsat crashed: ended by SIGSEGV")


def bug(problem, seed):
    raise ZeroDivisionError("oops")


@pytest.mark.parametrize(("answer", "reason"), [(crash, "SIGSEGV"), (bug, "ZeroDivisionError")])
def test_a_crash_is_a_row_and_not_the_end(monkeypatch, answer, reason):
    monkeypatch.setattr(run_module, "run", fake({"cpsat": answer}))
    rows = compare(cases("5x5"), ["cpsat", "backtrack"], limits=LIMITS).runs
    assert [row.verdict for row in rows] == ["CRASH", "FOUND"]
    assert reason in rows[0].reason


def test_a_process_ended_by_a_signal_is_no_crash(monkeypatch, kt_cp):
    def ended(problem, seed):
        raise EndedError("its process was ended by SIGKILL from outside")

    monkeypatch.setattr(run_module, "run", fake({"cpsat": ended}))
    result = kt_cp(
        "compare", "--boards", "5x5", "--engines", "cpsat,backtrack", "--time-limit", "9"
    )
    assert result.code == 3
    assert (
        "KILLED: cpsat on 5x5, open and 1 more run: its process was ended by SIGKILL" in result.err
    )


@pytest.mark.parametrize("how", ["raised", "returned"])
def test_what_the_system_leaves_no_memory_for_is_no_answer(monkeypatch, kt_cp, how):
    def starved(problem, seed):
        if how == "raised":
            raise RuntimeError("can't start new thread")
        return out_of_memory("cpsat", problem, Limits(), {}, seed)

    monkeypatch.setattr(run_module, "run", fake({"cpsat": starved, "sat": starved}))
    arguments = ("compare", "--boards", "5x5", "--open", "--engines")
    result = kt_cp(*arguments, "cpsat,sat")
    assert result.code == 3
    assert result.err == (
        "KILLED: cpsat on 5x5, open and 1 more run: memory ran out\n"
        "2 runs, 0 answered, no disagreement\n"
    )
    assert kt_cp(*arguments, "warnsdorff,cpsat").code == 3  # not every run has an answer


def test_no_answer_at_all_is_3(kt_cp):
    assert kt_cp("compare", "--boards", "3x3", "--engines", "warnsdorff").code == 3


def test_only_a_limit_that_was_reached_is_named(monkeypatch):
    for bounded, reason in (
        (False, "the memory limit of 500 MB was reached"),
        (True, "memory ran out"),
    ):
        module = sys.modules[real_run.__module__]
        monkeypatch.setattr(module, "is_address_space_bounded", lambda bounded=bounded: bounded)
        monkeypatch.setattr(isolate, "call", lambda *_, **__: Ended("memory", None, 0.1, 90.0))
        (case,) = cases("5x5")
        assert real_run("cpsat", Request.begin(case, Limits(None, 500))).reason == reason


def test_a_wrong_tour_is_unsound(monkeypatch):
    monkeypatch.setattr(run_module, "run", fake({"cpsat": wrong_tour}))
    comparison = compare(cases("5x5"), ["cpsat"], limits=LIMITS)
    assert comparison.runs[0].verdict == "UNSOUND"
    assert "illegal move from a1 to b1" in comparison.contradictions[0]


def test_a_false_no_is_unsound_where_the_reference_decides(monkeypatch):
    monkeypatch.setattr(run_module, "run", fake({"sat": claims_none}))
    comparison = compare(cases("5x5"), ["sat"], limits=LIMITS)
    assert "reference backtracker decides FOUND" in comparison.contradictions[0]


def test_engines_that_disagree_are_shouted(monkeypatch, capsys):
    # Closed 20x20 is beyond the reference: only the other engine decides it.
    monkeypatch.setattr(run_module, "run", fake({"sat": claims_none}))
    options = {"boards": ["20x20"], "closed": True, "seed": 5}
    assert command.compare_command(engines=["backtrack,sat"], **options) == 70
    shouted = capsys.readouterr().err
    assert "DISAGREEMENT: 20x20, closed: a tour was found by backtrack (seed 5)" in shouted
    assert "sat (seed 5) report that there is none" in shouted
    assert command.compare_command(engines=["backtrack"], **options) == 0


@pytest.fixture
def lost(monkeypatch):
    """The reference gives up soon on boards that are not small."""
    monkeypatch.setattr(crosscheck, "BUDGET", 2_000)


@pytest.mark.slow
def test_a_tour_on_the_way_to_a_certificate_is_shouted(monkeypatch, capsys, lost):
    # Nobody else says that there is one, and the board is beyond the reference.
    monkeypatch.setattr(run_module, "run", fake({"sat": claims_none}))
    assert command.compare_command(boards=["8x8"], closed=True, engines=["sat"], seed=5) == 70
    shouted = capsys.readouterr().err
    assert "DISAGREEMENT: engine sat says IMPOSSIBLE on 8x8, closed, seed 5, but" in shouted
    assert "looking for a certificate found a tour: a1 " in shouted


def by(kind):
    """An engine that claims as good a backing as it likes, and has none to show."""

    def answer(problem, seed):
        evidence = Evidence(kind, "as a test says")
        return Outcome(Verdict.IMPOSSIBLE, problem, "sat", evidence=evidence, seed=seed)

    return fake({"sat": answer})


@pytest.mark.slow
def test_a_no_is_certified_where_nobody_has_a_tour(monkeypatch):
    monkeypatch.setattr(run_module, "run", by(EvidenceKind.CLAIMED))
    rows = compare(cases("4x4", "5x5"), ["sat", "backtrack"], limits=LIMITS).runs
    assert [row.backed for row in rows] == ["certified", "certified", None, None]


@pytest.mark.parametrize(
    ("kind", "alone"),
    [
        (EvidenceKind.CLAIMED, "claimed"),
        (EvidenceKind.ARGUMENT, "claimed"),
        (EvidenceKind.REFUTATION, "claimed"),
        (EvidenceKind.THEOREM, "theorem"),
        (EvidenceKind.EXHAUSTED, "exhausted"),
    ],
)
def test_how_a_no_is_backed(monkeypatch, lost, kind, alone):
    monkeypatch.setattr(run_module, "run", by(kind))
    problems = []

    def nothing(request):
        problems.append(request.problem)
        return Finding()

    monkeypatch.setattr(row_module, "certify", nothing)
    large = cases("4x20", closed=True)  # where the reference gives up
    rows = compare([*large, *cases("4x4")], ["sat", "sat"], limits=LIMITS).runs
    assert [row.backed for row in rows] == [alone, alone, "exhausted", "exhausted"]
    assert problems == [large[0], Problem(Board(4, 4))]  # once each


@pytest.mark.slow
def test_the_certificate_of_an_engine_is_checked_again(monkeypatch, lost):
    monkeypatch.setattr(row_module, "certify", lambda request: Finding())
    real, other = (
        certify(Request.begin(Problem(Board(4, columns), closed=True))).certificate
        for columns in (20, 22)
    )
    forged = replace(real, document={**real.document, "evidence": {"kind": "colours"}})
    backed = []
    for certificate in (real, other, forged):
        evidence = Evidence(EvidenceKind.ARGUMENT, "as a test says", certificate)

        def answer(problem, seed, evidence=evidence):
            return Outcome(Verdict.IMPOSSIBLE, problem, "sat", evidence=evidence, seed=seed)

        monkeypatch.setattr(run_module, "run", fake({"sat": answer}))
        backed += [
            row.backed for row in compare(cases("4x20", closed=True), ["sat"], limits=LIMITS).runs
        ]
    assert backed == ["certified", "claimed", "claimed"]


def test_json_and_csv_say_the_same():
    comparison = compare(cases("3x4"), ["backtrack", "sat:lazy"], limits=LIMITS)
    document = json.loads(comparison_json(comparison))
    assert list(document)[:4] == ["schema_version", "machine", "versions", "limits"]
    assert {"python", "kt_cp", "python-sat"} <= set(document["versions"])
    run = document["runs"][1]
    assert (run["board"], run["closed"], run["verdict"]) == ("3x4", False, "FOUND")
    seconds = {"build_seconds", "solve_seconds"}
    counts = {"peak_mb", "variables", "clauses", "arcs", "conflicts", "nodes", "rounds"}
    assert seconds | counts | {"engine", "verified", "replayed", "agrees"} <= set(run)
    rows = list(csv.DictReader(io.StringIO(comparison_csv(comparison))))
    assert [row["engine"] for row in rows] == ["backtrack", "sat:lazy"]
    assert list(rows[0]) == list(run) == list(FIELDS)
    assert rows[1]["variables"] == str(run["variables"])
    assert (run["backed"], rows[1]["backed"]) == (None, "")
    document = json.loads(comparison_json(compare(cases("3x3"), ["backtrack"], limits=LIMITS)))
    assert document["runs"][0]["backed"] == "certified"


@pytest.mark.slow
def test_equal_answers_do_not_contradict():
    comparison = compare(cases("4x4"), ["backtrack", "cpsat", "auto"], limits=LIMITS)
    assert comparison.contradictions == []
    lying = replace(comparison.runs[0], verdict="FOUND")
    assert len(replace(comparison, runs=[lying, *comparison.runs]).contradictions) == 1


def test_pieces_of_an_executor_are_rows_in_order():
    events, begun, deaths = [], [], [WorkerEndedError("killed"), None]
    executor = Failing(lambda *_: deaths.pop() if deaths else None)
    comparison = compare(
        cases("3x4"), ["backtrack", "warnsdorff"], limits=LIMITS, executor=executor,
        progress=lambda row, done, total: events.append((done, total)),
        starting=lambda problem, engine: begun.append((problem, engine)),
    )  # fmt: skip
    here = compare(cases("3x4"), ["backtrack", "warnsdorff"], limits=LIMITS)
    assert [(row.problem, row.engine, row.verdict, row.backed) for row in comparison.runs] == [
        (row.problem, row.engine, row.verdict, row.backed) for row in here.runs
    ]
    assert begun == [(row.problem, row.engine) for row in here.runs]
    assert events == [(at, 2) for at in (1, 2)] and executor.sent == 3


def count_squares(problem, seed):
    if problem.size == 9:
        return None
    if problem.size == 12:
        raise TooLargeError("12 squares")
    if problem.size == 16:
        time.sleep(60)
    return {"solve_seconds": 2.5, "squares": problem.size / (seed - 1)}


@pytest.mark.slow
def test_tasks_and_own_engines_are_rows(tmp_path):
    own = replace(get_engine("backtrack"), name="own")
    task = Task("task", count_squares)
    problems = cases("3x3", "3x4", "4x4", "4x5")
    limits = Limits(seconds=2)
    with (
        open_checkpoint(tmp_path, problems, [own, task], limits, range(1, 3)) as store,
        open_executor("threads", 2) as pool,
    ):
        comparison = compare(
            problems, [own, task], limits=limits, seed=1, repeat=2, executor=pool, store=store
        )
    verdicts = [row.verdict for row in comparison.runs if row.engine == "own"]
    assert verdicts == ["IMPOSSIBLE"] * 2 + ["FOUND"] * 2 + ["IMPOSSIBLE"] * 2 + ["FOUND"] * 2
    rows = [row for row in comparison.runs if row.engine == "task"]
    assert [row.verdict for row in rows] == [
        "UNKNOWN", "UNKNOWN", "REFUSED", "REFUSED", "TIMEOUT", "TIMEOUT", "CRASH", "DONE",
    ]  # fmt: skip
    assert rows[-2].reason == "ZeroDivisionError: division by zero"
    assert rows[-1].statistics["squares"] == 20 and rows[-1].statistics["peak_mb"] > 10
    assert comparison.contradictions == []
    assert "DONE: the task was measured" in table(comparison, None)
    assert json.loads(comparison_json(comparison))["runs"][-1]["solve_seconds"] == 2.5
    again = compare(problems[:1], [own, task], limits=limits, seed=1, repeat=2)
    assert [row.verdict for row in again.runs] == ["IMPOSSIBLE"] * 2 + ["UNKNOWN"] * 2


PROBLEMS, ENGINES = [Problem("3x3"), Problem("3x4")], ["backtrack", "sat:position"]


def run(path, executor, engines=ENGINES):
    with open_checkpoint(path, PROBLEMS, engines, LIMITS, range(1)) as rows:
        return compare(PROBLEMS, engines, limits=LIMITS, executor=executor, store=rows).runs


@pytest.mark.usefixtures("beside_none")
def test_rows_are_saved_and_read_back_unchanged(tmp_path, monkeypatch):
    runs = run(tmp_path, first := Failing())
    assert run(tmp_path, again := Failing()) == runs
    assert (first.sent, again.sent) == (4, 0)
    assert [row.verdict for row in runs] == ["IMPOSSIBLE"] * 2 + ["FOUND"] * 2
    assert runs[0].evidence.certificate and runs[0].backed == "certified"
    # A saved certificate is checked again.
    monkeypatch.setattr("kt_cp.compare.run.check", lambda _: pytest.fail("it is checked"))
    with pytest.raises(pytest.fail.Exception, match="it is checked"):
        run(tmp_path, Failing())


@pytest.mark.usefixtures("beside_none")
def test_a_killed_run_is_run_again(tmp_path, monkeypatch):
    real = run_module.run

    def killed(engine, request, **how):
        if request.problem.size == 12:
            raise EndedError("killed")
        return real(engine, request, **how)

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
    arguments = ("compare", "3x4", "--engines", "backtrack", "--store", tmp_path)
    first, again = kt_cp(*arguments), kt_cp(*arguments)
    assert first.code == again.code == 0 and first.out == again.out
    for board in ((), ("3x4",)):
        refused = kt_cp("count", *board, "--store", tmp_path)
        assert refused.code == 2 and "expected the store of a count, got" in refused.err
    other = kt_cp(*arguments, "--seed", 7)
    assert other.code == 2 and "seeds 0 to 0, seconds 10.0" in other.err


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


def table_of(width, *seeds):
    return table(Comparison(rows(*seeds or (0,)), Limits(10, 4000)), width)


def headings(text):
    line = next(line for line in text.splitlines() if line.startswith("engine "))
    return re.split(r"  +", line.strip())


@pytest.mark.parametrize("width", [60, 72, 80, 100, 120, 200])
def test_no_line_is_longer_than_there_is_room(width):
    text = table_of(width)
    assert max(map(len, text.splitlines())) <= width
    for word in (*NAMED, "1,234.500", "FOUND"):
        assert len(re.findall(rf"(?<!\S){word}(?!\S)", text)) >= 2


def test_more_room_shows_more_columns():
    sets = [set(headings(table_of(width))) for width in (40, 60, 80, 100, 120, 200)]
    assert {"engine", "verdict", "solve s"} == sets[0] < sets[1] < sets[2] < sets[3] < sets[4]
    every = {each.heading for each in COLUMNS} - {"seed", "backed"}
    assert sets[-1] == set(headings(table_of(None))) == every
    assert "--wide" in table_of(80) and "--wide" not in table_of(None)


def test_what_is_left_out_is_named():
    for width in (60, 100):
        text = table_of(width)
        left = re.search(r"Left out at this width: ([^(]*) \(--wide\)", " ".join(text.split()))
        every = set(headings(table_of(None)))
        assert set(left.group(1).split(", ")) == every - set(headings(text))


def test_every_heading_is_explained_below():
    text = table_of(None, 0, 1)
    below = text[text.rindex("\n\n") :]
    for heading in headings(text):
        assert re.search(rf"^{re.escape(heading)}  +\S", below, re.MULTILINE)
    assert "seed" in headings(text) and "seed" not in headings(table_of(None))


def test_numbers_end_under_their_headings():
    lines = table_of(None).splitlines()
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


def test_a_check_is_named_after_the_strongest():
    for checks, word in (
        (Checks(verified=True, replayed=True, agrees=True), "replayed"),
        (Checks(verified=True), "verified"),
        (Checks(agrees=True), "agrees"),
    ):
        line = table(Comparison([replace(rows(0)[0], checks=checks)], Limits()), None)
        assert re.search(rf"FOUND +{word} ", line)


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("processor\t: 0\nmodel\t\t: 1\nmodel name\t: Some  CPU @ 2 GHz\n", "Some CPU @ 2 GHz"),
        ("processor\t: 0\nBogoMIPS\t: 1\nModel\t\t: A Board Rev 1\n", "A Board Rev 1"),
        ("processor\t: 0\nmodel name\t:\n", "else"),
        (None, "else"),
    ],
)
def test_the_processor_is_named(monkeypatch, tmp_path, text, model):
    monkeypatch.setattr(report, "_CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(report.platform, "processor", lambda: "else")
    if text is not None:
        (tmp_path / "cpuinfo").write_text(text)
    assert report.machine()["model"] == model
    assert model in table_of(80)


def test_a_processor_without_a_model_goes_by_its_kind(monkeypatch, tmp_path):
    monkeypatch.setattr(report, "_CPUINFO", tmp_path / "none")
    monkeypatch.setattr(report.platform, "processor", lambda: "")
    monkeypatch.setattr(report.platform, "machine", lambda: "riscv64")
    assert "; riscv64, " in table_of(None)
