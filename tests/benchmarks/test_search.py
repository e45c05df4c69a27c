"""The benchmarks of searches and refutations, without their processes: what is run, and told."""

import threading
import time
from dataclasses import astuple
from pathlib import Path

import pytest

from benchmarks.case import JOB, Case, Run
from benchmarks.jobs.refutation import refutation
from benchmarks.ladder import Ladder, climb
from benchmarks.measure import Results, measure
from benchmarks.parts import search
from benchmarks.parts.oneshot import ladders as one_shot_ladders
from benchmarks.parts.refutations import questions
from benchmarks.plan import ONE_SHOT, QUICK, SAT, Plan
from benchmarks.plots import plots, shown
from benchmarks.process import Processes
from benchmarks.report import report
from kt_cp import Board, Problem
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.enumeration import Enumeration
from kt_cp.render.plot import Point, Sign

pytestmark = pytest.mark.slow

SEEDS = (1, 2, 3, 4, 5)


def came(seconds: float, **values: float) -> Run:
    return Run("FOUND", {"seconds": seconds, "megabytes": 50.0, **values})


def rung(side: int, who: str = "it") -> Case:
    return Case(f"{side}x{side}", who, (), 60, side)


def looked_up(answers):
    """Runs that are looked up: by side, the seconds of its seeds or a status."""

    def run(case: Case, seed: int, _: threading.Event) -> Run:
        answer = answers[case.place]
        answer = answer[seed - 1] if isinstance(answer, tuple) else answer
        return Run(answer) if isinstance(answer, str) else came(answer)

    return run


T = "TIMEOUT"


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_ladders_end_where_most_seeds_fail(jobs: int) -> None:
    answers = {6: 0.1, 8: (T, 1.0, T, 1.0, 1.0), 10: (T, 1.0, T, 1.0, T), 12: 0.1}
    cases = [rung(side) for side in answers]
    full, thrifty = Ladder(cases, SEEDS), Ladder(cases, SEEDS, thrifty=True)
    climb([full, thrifty], looked_up(answers), jobs)
    for each in (full, thrifty):
        assert (each.highest, each.fell) == (rung(8), rung(10))
        assert not each.by_seed(rung(12))
        assert each.started == set(each.runs)
    assert [len(full.by_seed(rung(side))) for side in (6, 8, 10)] == [5, 5, 5]
    assert len(thrifty.by_seed(rung(6))) == 3  # three of five decide
    assert len(thrifty.by_seed(rung(8))) == 5  # the highest side is completed
    clean = Ladder([rung(6), rung(8)], SEEDS, thrifty=True)
    climb([clean], looked_up({6: T, 8: 0.1}), jobs)
    assert (clean.highest, clean.fell, len(clean.runs)) == (None, rung(6), 3)


def test_candidates_take_turns() -> None:
    order = []

    def run(case: Case, seed: int, _: threading.Event) -> Run:
        order.append((case.place, seed, case.who))
        return came(0.1)

    climb([Ladder([rung(6, name), rung(8, name)], (3, 1)) for name in "ab"], run)
    assert order == [(6, 3, "a"), (6, 3, "b"), (6, 1, "a"), (6, 1, "b"),
                     (8, 3, "a"), (8, 3, "b"), (8, 1, "a"), (8, 1, "b")]  # fmt: skip
    order.clear()
    cases = {name: [rung(6, name), rung(8, name)] for name in "ab"}
    climb([Ladder(them, (1,), all_cores=name == "b") for name, them in cases.items()], run, 2)
    assert [name for _, _, name in order] == ["b", "b", "a", "a"]


def test_an_interrupt_ends_the_runs_beside_it() -> None:
    slow = Case("6x6", "slow", ("{python}", "-c", "while True: pass"), 60)

    def run(case: Case, seed: int, stop: threading.Event) -> Run:
        if case == slow:
            return processes(case, seed, stop)
        time.sleep(0.3)
        raise KeyboardInterrupt

    began = time.monotonic()
    with Processes() as processes, pytest.raises(KeyboardInterrupt):
        climb([Ladder([slow], (1,)), Ladder([rung(6)], (1,))], run, 2)
    assert time.monotonic() - began < 20


def test_a_search_shows_timeouts_and_missed_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        ("plain", 20): [1.0] * 5,
        ("clingo", 20): [0.25] * 5,
        ("cpsat", 20): [2.0] * 5,
        (SAT, 20): ["CRASH", "CRASH", 3.0, 3.0, 3.0],
        ("plain", 100): [T] * 5,
        ("clingo", 100): [10.0, 20.0, 30.0, 40.0, T],
        ("cpsat", 100): [1.0, 2.0, 3.0, 4.0, 61.0],
        (SAT, 100): [0.5, 0.5, 0.5, 0.5, 9.0],
        ("cpsat", 500): [T] * 5,
        (SAT, 500): [30.0, 40.0, 50.0, 61.0, 59.0],
        (SAT, 1000): [300.0, 400.0, 500.0, 600.0, 601.0],
    }
    asked = []

    def fake(case: Case, seed: int, _: object) -> Run:
        assert case.words == (*JOB, "search", case.who, f"{case.place}", "{seed}")
        asked.append((case.who, case.place, case.limit))
        answer = answers[case.who, case.place][seed - 1]
        return Run(answer) if isinstance(answer, str) else came(answer)

    names, sides = ("plain", "clingo", "cpsat", SAT), (20, 100, 500, 1000)
    monkeypatch.setattr(search, "installed", lambda _: True)
    plan = Plan(("search",), names, sides, SEEDS, search_limit=60)
    results = measure(plan, fake)
    assert {(name, side) for name, side, _ in asked} == set(answers)
    assert {most for _, _, most in asked} == {60}
    text = report(plan, results)
    for line in (
        "| 2.00 (2.00–2.00) | 3.00 (from 3.00), 2 CRASH of 5 |",
        "| 100x100 | > 60, 3 TIMEOUT of 3 | 30.0 (from 10.0), 1 TIMEOUT of 5 | 3.00 (1.00–61.0) |",
        "| 500x500 | — | — | > 60, 3 TIMEOUT of 3 | 50.0 (30.0–61.0) |",
        "| 1000x1000 | — | — | — | 500.0 (300.0–601.0) |",
        "| 20x20 | 4 | 0.5 | 0.333 |",
        "| 100x100 | ≥ 2 | ≥ 20 | ≥ 120 |",
        "| 500x500 | — | — | — | 50 |",
        "- cpsat is 0.5 times as fast as the plain script, median over boards 20 to 20 and seeds",
        "- cpsat is 20 times as fast as the plain script at 100x100, by medians (at least 2): met.",
        "- cpsat's slowest seed takes 61.0 s at 100x100, the plain script's median is 60.0 s (no",
        "- sat:lazy needs 1/120 or less of plain's time at 100x100, by medians (at most 1/50): m",
        "- sat:lazy needs 1/60 of clingo's time at 100x100, by medians (at most 1/50): met.",
        "- sat:lazy: 4 of 5 seeds within 60 s at 500x500 (at least 4): met.",
        "- sat:lazy: at most 601.0 s and 50 MB at 1000x1000 (600 s and 12,000 MB): **missed**.",
    ):
        assert line in text, line
    assert text.count("**missed**") == 3
    assert results.broken == [f"20x20, sat:lazy, seed {seed}: CRASH" for seed in (1, 2)]
    ((curves,),) = (panels.values() for panels in shown(plan, results).values())
    assert curves[SAT][-1] == Point(10**6, "1000x1000", 500, 300, 601, Sign.FOUND)
    assert curves["cpsat"][-1].name == "500x500" and curves["cpsat"][-1].sign is Sign.TIME
    assert b"limit 60 s" in plots(plan, results)["search"]


def test_how_far_one_shot_formulas_come() -> None:
    def fake(case: Case, seed: int, _: object) -> Run:
        assert case.limit == 60 and case.words[4] == f"sat:{case.who}:cadical195"
        if case.who == "position":
            return Run("REFUSED")
        if case.place >= (8 if case.who == "adder" else 44):
            return Run(T)
        return came(seed * case.place / 10, variables=1000.0 * case.place, clauses=2.0)

    plan = Plan(("oneshot",), seeds=SEEDS, oneshot=("position", "adder", "hybrid"))
    results = measure(plan, fake)
    text = report(plan, results)
    for line in (
        "| position | – |  |  |  | 6 (none, 3 REFUSED of 3) |",
        "| adder | 6 | 1.80 (0.60–3.00) | 6,000 | 2 | 8 (> 60, 3 TIMEOUT of 3) |",
        "| hybrid | 42 | 12.6 (4.20–21.0) | 42,000 | 2 | 44 (> 60, 3 TIMEOUT of 3) |",
        "- hybrid: side 42 (at least 40): met.",
    ):
        assert line in text, line
    assert results.broken == []
    (curves,) = shown(plan, results)["oneshot"].values()
    largest = [each for each in curves["hybrid"] if each.sign is Sign.FOUND][-1]
    assert astuple(largest) == (42**2, "42x42", *map(pytest.approx, (12.6, 4.2, 21)), Sign.FOUND)


def test_boards_without_a_tour() -> None:
    asked = questions(Plan().within)
    named = [label for label, _, _ in asked]
    assert [label for label in named if label.endswith("open")] == [
        "3x3 open", "3x5 open", "4x4 open", "3x6 open", "21 boards of 1 and 2 rows, open",
    ]  # fmt: skip
    assert "5x5 closed" in named and "4x12 closed" in named and "3x8 closed" in named
    assert "5x6 closed" not in named and len(named) == 5 + 18 + 1
    for _, kind, boards in asked:
        for board in boards:
            problem = Problem(Board.parse(board), closed=kind == "closed")
            assert next(iter(Enumeration(problem).tours()), None) is None


def test_every_encoding_refutes() -> None:
    for encoding in ENCODING_NAMES:
        told = refutation(encoding, "closed", "2x2,1x3,3x4", "3")
        assert told["status"] == "FOUND" and told["seconds"] > 0 and told["proof"] > 0
        assert (told["cuts"] > 0) == (encoding == "lazy")
        assert refutation(encoding, "open", "3x4", "1") == {"status": "TOUR"}


def test_refutations_are_told_and_tours_are_faults() -> None:
    def fake(case: Case, seed: int, _: object) -> Run:
        assert case.words[3:5] == ("refutation", case.who) and case.limit == 20
        if case.who == "lazy":
            return came(seed / 5, proof=1000.0 * seed)
        board = case.row.split()[0]
        return Run(T) if board == "4x4" else Run("TOUR") if board == "3x3" else came(2, proof=7)

    plan = Plan(("refutations",), seeds=SEEDS, refuting=("lazy", "adder"), within=((4, 4),))
    results = measure(plan, fake)
    text = report(plan, results)
    for line in (
        "| 4x4 open | 0.60 (0.20–1.00) | > 20 |",
        "| 3x3 closed | 0.60 (0.20–1.00) | TOUR |",
        "| 3x4 closed | 3,000 | 7 |",
        "found a tour (no tour): **missed**.",
    ):
        assert line in text, line
    said = {words.split(", seed")[0] for words in results.broken}
    assert said == {"3x3 open, adder", "3x3 closed, adder"}
    drawn, closed = shown(plan, results)["refutations"].values()
    assert drawn["lazy"][-1] == Point(16, "4x4", 0.6, 0.2, 1.0, Sign.NONE)
    assert closed["adder"][0].name == "3x3" and closed["adder"][0].sign is Sign.FAILED


def test_a_quick_run_goes_through(quick, tmp_path: Path) -> None:
    ended = quick("oneshot,refutations", "--jobs", 2, "--plots", tmp_path)
    assert ended.code == 0, ended.err
    for line in (
        "| hybrid | 6 | ", "| 3x3 closed | ", "- 8 of 8 runs say none, 0 found a tour",
        f"]({tmp_path.name}/oneshot.svg)",
    ):  # fmt: skip
        assert line in ended.out, line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["oneshot.svg", "refutations.svg"]
    assert ">hybrid</text>" in (tmp_path / "refutations.svg").read_text(encoding="utf-8")


def test_quick_plans_are_small() -> None:
    sides = [case.place for ladder in one_shot_ladders(QUICK) for case in ladder.cases]
    assert max(sides) == 6 and len(questions(QUICK.within)) <= 5
    assert set(QUICK.oneshot) < set(ONE_SHOT) and set(Plan().oneshot) == set(ENCODING_NAMES[1:])
    assert plots(Plan(parts=("walks",)), Results()) == {}
