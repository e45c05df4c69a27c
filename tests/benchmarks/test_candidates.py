"""Who searches: what is installed, what its process may do, and that none is left behind."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from benchmarks import process, yardsticks
from benchmarks.case import Case, Run
from benchmarks.jobs.search import search as search_job
from benchmarks.measure import measure
from benchmarks.plan import CANDIDATES, ONE_SHOT, Plan
from benchmarks.process import Processes
from benchmarks.report import report
from kt_cp import Board, Problem, defects
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.engines import get_engine
from kt_cp.enumeration import Enumeration
from tests.helpers import ROOT, alive, wait_until

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ('print(\'{"status": "FOUND", "seconds": 1.5}\')', "FOUND"),
        ("import os; os.kill(os.getpid(), 9)", "MEMORY"),
        ("import os; os.abort()", "CRASH"),
        ("print('nonsense')", "CRASH"),
        ("print('[1]')", "CRASH"),
        ("pass", "CRASH"),
        ('print(\'{"status": "FOUND", "seconds": "long"}\')', "CRASH"),
        ('print(\'{"status": "FOUND", "seconds": 99}\')', "TIMEOUT"),
        ("import time; time.sleep(60)", "TIMEOUT"),
    ],
)
def test_whatever_a_process_does_is_a_row(
    code: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOADING", 0.0)
    words = ("{python}", "-c", code.replace("{", "{{").replace("}", "}}"))
    case = Case("it", "it", words, 2 if "sleep" in code else 60)
    with Processes() as processes:
        assert processes(case, 1).status == status


def test_candidates_are_there() -> None:
    for name in CANDIDATES:
        if name not in yardsticks.YARDSTICKS:
            get_engine(name)
    assert {f"sat:{name}" for name in (*ONE_SHOT, "lazy")} == {f"sat:{it}" for it in ENCODING_NAMES}
    assert yardsticks.installed("plain") and yardsticks.installed("cpsat")


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardsticks, "find_spec", lambda name: None if name == "clingo" else name)
    names = ("plain", "clingo", "cpsat")
    plan = Plan(parts=("search",), candidates=names, sides=(6,), seeds=(1,))
    text = report(plan, measure(plan, lambda *_: Run("FOUND", {"seconds": 0.5, "megabytes": 50.0})))
    assert "| 6x6 | 0.50 | not installed | 0.50 |" in text
    assert "| 6x6 | 1 |" in text


@pytest.mark.skipif(not yardsticks.installed("clingo"), reason="clingo is not installed")
def test_clingo_finds_a_tour() -> None:
    from benchmarks.reachability import closed_tour

    for side in (6, 8):
        said, seconds, squares = closed_tour(side, 1)
        assert said == "SAT" and seconds > 0
        assert defects(Problem(Board(side, side), closed=True), squares) == []
    assert closed_tour(5, 1)[::2] == ("UNSAT", [])
    assert search_job("clingo", "6", "1")["status"] == "FOUND"


def test_round_trips_of_lkh_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its package is not free for every use, so one that knows the answer stands in for it."""
    from benchmarks.zero_cost import closed_tour

    tour = get_engine("warnsdorff")
    squares = next(iter(Enumeration(Problem(Board(6, 6), closed=True)).tours())).squares

    class Elkai:
        class DistanceMatrix:
            def __init__(self, costs: list[list[int]]) -> None:
                self.costs = costs

            def solve_tsp(self, runs: int) -> list[int]:
                assert runs == 1
                trip = [(row * 6 + column - 3) % 36 for row, column in squares]
                return [*trip, trip[0]]

    monkeypatch.setitem(sys.modules, "elkai", Elkai)
    said, _, walk = closed_tour(6, 3)
    assert (said, walk) == ("FOUND", list(squares)) and tour.name == "warnsdorff"
    assert closed_tour(6, 4)[::2] == ("UNKNOWN", [])  # these numbers are no tour of that board


def test_jobs_tell_sizes_and_refusals() -> None:
    told = search_job("sat:position:cadical195", "6", "1")
    assert told["status"] == "FOUND" and told["variables"] > 1000 and told["megabytes"] > 20
    assert search_job("sat:position", "100", "1") == {"status": "REFUSED"}


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminated"])
def test_no_process_is_left_behind(number: signal.Signals) -> None:
    words = ["--only", "search", "--candidates", "sat:position", "--sides", "40", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks", *words, "--seeds", "1,2"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as running:  # fmt: skip
        own = psutil.Process(running.pid)
        wait_until(lambda: len(own.children()) == 2)
        children = own.children()
        running.send_signal(number)
        assert running.wait(60) != 0
        wait_until(lambda: not any(alive(child) for child in children))
