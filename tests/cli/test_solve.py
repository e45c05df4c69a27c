"""``kt-cp solve``: exit codes, formats, limits and interrupts."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from importlib.metadata import EntryPoint
from itertools import count

import psutil
import pytest

from kt_cp import Board, Problem, Verdict, defects, parse_square
from kt_cp.cli import tour_output
from kt_cp.cli.output import OutputFile
from kt_cp.cli.problem_options import ProblemOptions
from kt_cp.engines import auto, engine_names, registry
from kt_cp.processes import isolate
from tests.support.command_line import (
    PATIENCE,
    ROOT,
    alive,
    busy,
    command_line,
    environment,
    refused,
    run_cli,
    wait_until,
    workers,
)
from tests.support.exhaustive import more
from tests.support.fakes import Distribution, crash, false_no, wrong_tour

COMPLETE = [
    "auto",
    "backtrack",
    "cpsat",
    "sat:lazy",
    "sat:position",
    "propagator",
    "reference",
    "windows",
]
ENGINES = [*COMPLETE, "warnsdorff", "construct"]
ESCAPE = "\x1b"


def squares_of(names):
    return [parse_square(name) for name in names]


def judged(document):
    """Return the defects of a JSON outcome, by the judge."""
    question = document["problem"]
    board = Board(question["rows"], question["columns"], squares_of(question["missing"]))
    ends = {end: parse_square(question[end]) for end in ("start", "end") if question[end]}
    problem = Problem(board, closed=question["closed"], **ends)
    return defects(problem, squares_of(document["tour"]))


def test_every_family_is_run_here():
    assert {name.split(":")[0] for name in ENGINES} == set(engine_names())


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tour_is_0(kt_cp, engine):
    result = kt_cp("solve", "5x6", "--engine", engine, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"]) == (0, "FOUND")
    assert judged(document) == []
    assert document["verified"] is document["replayed"] is document["agrees"] is True
    assert "5x6, open: FOUND by " in result.err


@pytest.mark.parametrize("engine", COMPLETE)
def test_no_tour_is_1(kt_cp, engine):
    result = kt_cp("solve", "3x3", "--engine", engine)
    assert result.code == 1
    assert re.fullmatch(r"No tour \(3x3, open\): .+\.\n", result.out)
    assert "backed by: " in result.err
    result = kt_cp("solve", "3x3", "--engine", engine, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"], document["tour"]) == (1, "IMPOSSIBLE", None)
    assert document["reason"]
    assert document["evidence"]["text"] == document["reason"]


def test_explain_prints_the_steps_and_what_they_did(kt_cp):
    result = kt_cp("solve", "8x8", "--explain", "--format", "names")
    assert result.code == 0
    assert len(result.out.split()) == 64
    plan, done = result.err.split("What they did:\n")
    assert plan.split("\n")[1:] == [
        "  obstructions",
        "  Warnsdorff's rule  at most 20 s",
        "  construction",
        "  backtracking       at most 10 s",
        "  SAT",
        "",
    ]
    assert re.match(
        r"  obstructions +\d+\.\d{3} s  nothing\n  Warnsdorff's rule +\d+\.\d{3} s  a tour\n", done
    )
    _, done = kt_cp("solve", "4x10", "--closed", "--explain").err.split("What they did:\n")
    assert re.match(
        r"  obstructions +\d+\.\d{3} s  no tour\n  certificate +\d+\.\d{3} s  removal\n", done
    )
    assert "No step was needed." in kt_cp("solve", "1x1", "--explain").err


def test_explain_is_for_auto_and_one_problem(kt_cp, tmp_path):
    message = "--explain is for --engine auto, which has several steps: got sat"
    refused(kt_cp("solve", "8x8", "--engine", "sat", "--explain"), message)
    (tmp_path / "two.g6").write_text("Bw\nBw\n")
    refused(kt_cp("solve", tmp_path / "two.g6", "--explain"), "--explain: expected a single graph")


@pytest.mark.parametrize(
    ("engine", "reason"),
    [("warnsdorff", "warnsdorff only finds tours"), ("construct", "nothing was constructed: ")],
)
def test_a_heuristic_that_gives_up_is_3(kt_cp, engine, reason):
    result = kt_cp("solve", "3x3", "--engine", engine)
    assert (result.code, result.out) == (3, "")
    assert f"unknown whether there is a tour: {reason}" in result.err
    document = json.loads(kt_cp("solve", "3x3", "--engine", engine, "--json").out)
    assert (document["verdict"], document["verified"]) == ("UNKNOWN", None)
    assert document["remarks"]["verified"] == "there is no answer to check"


def test_one_square(kt_cp):
    result = kt_cp("solve", "1x1", "--format", "names")
    assert (result.code, result.out) == (0, "a1\n")
    assert kt_cp("solve", "1x1", "--start", "a1", "--end", "a1").code == 0
    result = kt_cp("solve", "1x1", "--closed")
    assert result.code == 1
    assert "No tour (1x1, closed)" in result.out


@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat:lazy", "reference"])
def test_one_square_under_each_engine(kt_cp, engine):
    assert kt_cp("solve", "1x1", "--engine", engine).code == 0
    assert kt_cp("solve", "1x1", "--closed", "--engine", engine).code == 1


def test_a_wrong_tour_is_70(kt_cp, fake, tmp_path):
    fake(wrong_tour)
    result = kt_cp("solve", "5x5", "--engine", "fake", "--seed", 4, "-o", tmp_path / "tour.json")
    assert (result.code, result.out) == (70, "")
    for needed in ("engine fake says FOUND", "5x5, open", "seed 4", "python 3", "tour a1 b1 c1"):
        assert needed in result.err
    assert "the judge refuses its tour: illegal move from a1 to b1 at step 2" in result.err
    assert result.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_false_no_is_70(kt_cp, fake):
    fake(false_no)
    result = kt_cp("solve", "5x5", "--engine", "fake", "--json")
    assert (result.code, result.out) == (70, "")
    assert "fake says IMPOSSIBLE on 5x5, open" in result.err
    assert "the reference backtracker decides FOUND" in result.err


def test_a_crash_is_70_and_never_a_definite_no(kt_cp, fake):
    fake(crash)
    result = kt_cp("solve", "5x5", "--engine", "fake")
    assert (result.code, result.out) == (70, "")
    assert "Traceback" in result.err  # the only place for it: a bug to report
    assert result.err.splitlines()[-1] == (
        "kt-cp: a bug, please report it: ZeroDivisionError: oops and more"
    )


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "6x6", "--engine", "sat"],
        ["prove", "6x6", "--closed", "--missing", "c3,d4", "--evidence", "refutation"],
    ],
    ids=lambda words: words[0],
)
def test_a_process_ended_by_a_signal_is_3(kt_cp, monkeypatch, command):
    def ended(*_, **__):
        return isolate.Ended("killed", None, 0.1, 1.0, "ended by SIGKILL")

    monkeypatch.setattr(isolate, "call", ended)
    result = kt_cp(*command)
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("kt-cp: unknown: the process of ")
    assert result.err.endswith(" was ended by SIGKILL from outside\n")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("x.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
    ids=repr,
)
def test_memory_that_ran_out_in_any_words_is_3(kt_cp, fake, error):
    def greedy(problem, seed):
        raise OSError("could not load a library") from error

    fake(greedy)
    result = kt_cp("solve", "5x5", "--engine", "fake")
    assert (result.code, result.err) == (3, "kt-cp: unknown: memory ran out\n")


def test_errors_of_the_system_are_messages(kt_cp, fake):
    def refuse(problem, seed):
        raise OSError(28, "No space left on device", "/some/" + "x" * 500)

    fake(refuse)
    refused(kt_cp("solve", "5x5", "--engine", "fake"), "/some/xxx", "no space left on device")


def test_running_out_of_memory_is_3(kt_cp, fake):
    def greedy(problem, seed):
        raise MemoryError

    fake(greedy)
    result = kt_cp("solve", "5x5", "--engine", "fake")
    assert (result.code, result.err) == (3, "kt-cp: unknown: memory ran out\n")


def test_engines_of_other_packages_are_found(kt_cp, monkeypatch):
    # The real mechanism: an entry point with an engine, made by a module of this test.
    point = EntryPoint("fake", f"{__name__}:FAKE", registry.ENTRY_POINTS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [point])
    assert kt_cp("solve", "5x5", "--engine", "fake").code == 70
    assert "fake" in kt_cp("engines").out
    refused(kt_cp("solve", "5x5", "--engine", "fake:x"), "fewer options", "fake:x")


FAKE = Distribution(wrong_tour).load()


def test_verdicts_have_their_codes():
    from kt_cp.cli.tour_output import EXIT_CODES

    assert {verdict.value: code for verdict, code in EXIT_CODES.items()} == {
        "FOUND": 0, "IMPOSSIBLE": 1, "UNKNOWN": 3,
    }  # fmt: skip
    assert set(EXIT_CODES) == set(Verdict)


def test_ends_and_missing_squares(kt_cp):
    options = ("--start", "a1", "--end", "f1", "--missing", "c3,c4")
    document = json.loads(kt_cp("solve", "6x6", *options, "--json").out)
    assert document["problem"] == {
        "rows": 6, "columns": 6, "missing": ["c3", "c4"], "piece": [[1, 2]], "surface": "plane",
        "closed": False, "start": "a1", "end": "f1",
        "require": [], "forbid": [], "given": [], "symmetry": None,
    }  # fmt: skip
    assert judged(document) == []
    assert (document["tour"][0], document["tour"][-1], len(document["tour"])) == ("a1", "f1", 34)


def test_rank_and_file_on_the_command_line(kt_cp):
    # rank,file is counted from 1: 1,6 is f1
    options = ("--start", "1,1", "--end", "1,6", "--missing", "3,3; 4,3")
    by_pairs = kt_cp("solve", "6x6", *options, "--format", "names")
    by_names = kt_cp(
        "solve", "6x6", "--start=A1", "--end=f1", "--missing=c4 c3", "--format", "names"
    )
    assert by_pairs.code == 0
    assert by_pairs.out == by_names.out


def test_a_closed_tour_may_have_a_start(kt_cp):
    document = json.loads(kt_cp("solve", "6x6", "--closed", "--start", "c3", "--json").out)
    assert document["tour"][0] == "c3"
    assert judged(document) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_seed_gives_the_same_tour(kt_cp, engine):
    arguments = ("solve", "5x6", "--engine", engine, "--format", "names", "--workers", 1)
    tours = [kt_cp(*arguments, "--seed", seed).out for seed in (7, 7)]
    assert tours[0] == tours[1] != ""


def test_json_is_the_shape_of_the_design(kt_cp):
    document = json.loads(kt_cp("solve", "5x5", "--json", "--seed", 3).out)
    designed = (
        "schema_version problem verdict tour reason engine statistics verified replayed seed "
        "versions"
    )
    beside = {"evidence", "agrees", "remarks"}
    assert [key for key in document if key not in beside] == designed.split()
    assert set(document) - set(designed.split()) == beside
    keys = "rows columns missing piece surface closed start end require forbid given symmetry"
    assert list(document["problem"]) == keys.split()
    assert (document["schema_version"], document["seed"]) == (1, 3)
    assert (document["reason"], document["evidence"]) == (None, None)
    assert all(isinstance(value, int | float) for value in document["statistics"].values())
    assert {"python", "kt_cp"} <= set(document["versions"])
    assert kt_cp("solve", "5x5", "--format", "json", "--seed", 3).code == 0


def test_checks_that_were_not_made_say_why(kt_cp):
    document = json.loads(kt_cp("solve", "3x3", "--json").out)
    assert (document["verified"], document["replayed"], document["agrees"]) == (None, None, None)
    assert set(document["remarks"]) == {"verified", "replayed", "agrees"}


def test_formats_have_the_same_tour(kt_cp):
    document = json.loads(kt_cp("solve", "5x6", "--json").out)
    names = document["tour"]
    assert kt_cp("solve", "5x6", "--format", "names").out.split() == names
    rows = list(csv.DictReader(io.StringIO(kt_cp("solve", "5x6", "--format", "csv").out)))
    assert [row["square"] for row in rows] == names
    assert [(int(row["row"]), int(row["column"])) for row in rows] == squares_of(names)
    assert [row["step"] for row in rows] == [str(step) for step in range(1, 31)]
    grid = kt_cp("solve", "5x6").out
    assert grid == kt_cp("solve", "5x6", "--format", "grid").out
    bottom = grid.splitlines()[4]
    assert bottom.startswith("1 │")
    assert bottom.split()[2] == str(names.index("a1") + 1)
    picture = ET.fromstring(kt_cp("solve", "5x6", "--format", "svg").out)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"


def test_without_a_tour_only_json_is_written(kt_cp, tmp_path):
    for name in ("tour.svg", "tour.csv", "tour.txt", "tour.names"):
        result = kt_cp("solve", "3x3", "-o", tmp_path / name)
        assert result.code == 1
        assert result.out.startswith("No tour (3x3, open)")
    assert list(tmp_path.iterdir()) == []
    assert kt_cp("solve", "3x3", "-o", tmp_path / "none.json").code == 1
    assert json.loads((tmp_path / "none.json").read_text())["verdict"] == "IMPOSSIBLE"


# All engines but construct, which has no search to interrupt.
INTERRUPTIBLE = [
    "auto", "warnsdorff", "backtrack", "cpsat", "sat:lazy", "sat:position", "propagator",
    "reference",
]  # fmt: skip


# Searches of minutes; for auto, which answers nearly everything at once, of some seconds.
HARD = {
    "warnsdorff": ["4x400", "--closed", "--missing", "cv2,cv3"],
    "backtrack": ["300x300", "--closed", "--missing", "a1,a2"],
    "cpsat": ["14x14", "--closed", "--missing", "a1,a2,b1,n14,n13,m14"],
    "sat:lazy": ["300x300", "--closed", "--missing", "a1,a2"],
    "sat:position": ["30x30", "--closed"],
    "propagator": ["14x14", "--closed", "--missing", "a1,a2,b1,n14,n13,m14"],
    "reference": ["100x100", "--closed"],
    "auto": ["1000x1000", "--closed", "--missing", "a1,a2"],
}
QUICK = ["backtrack", "sat:lazy"]
REST = [engine for engine in INTERRUPTIBLE if engine not in QUICK]
IN_A_CHILD = ("sat:lazy", "sat:position", "propagator")


def test_every_engine_has_a_hard_board():
    assert set(HARD) == set(INTERRUPTIBLE)


@pytest.fixture
def hard(tmp_path):
    """Start a search that does not end by itself, and wait until it is busy."""
    started = []

    def start(engine, output, *options):
        running = subprocess.Popen(
            command_line("solve", *HARD[engine], "--engine", engine, "-o", output, *options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        started.append(running)
        if engine in IN_A_CHILD:
            wait_until(lambda: workers(running.pid))
            child = workers(running.pid)[0]
            wait_until(lambda: busy(child, 0.5))
            started.append(child)
        else:
            child = None
            wait_until(lambda: busy(psutil.Process(running.pid), 1.0))
        assert running.poll() is None
        return running, child

    yield start
    for process in started:
        if alive(psutil.Process(process.pid)) if psutil.pid_exists(process.pid) else False:
            process.kill()
    for process in started:
        if isinstance(process, subprocess.Popen):
            process.communicate()


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "engine", [*QUICK, *(pytest.param(e, marks=pytest.mark.slow) for e in REST)]
)
def test_ctrl_c_ends_it_at_once(hard, tmp_path, engine):
    path = tmp_path / "tour.svg"
    running, child = hard(engine, path)
    began = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: the whole process group
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 2
    assert running.returncode == 130
    assert (out, err) == (b"", b"kt-cp: interrupted\n")
    assert child is None or not alive(child)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "engine",
    [
        "sat:position",
        pytest.param("backtrack", marks=pytest.mark.slow),
        pytest.param("cpsat", marks=pytest.mark.slow),
    ],
)
def test_being_terminated_clears_up(hard, tmp_path, engine):
    path = tmp_path / "tour.svg"
    path.write_text("before")
    running, child = hard(engine, path, "--force")
    began = time.monotonic()
    running.terminate()
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 2
    assert (running.returncode, out, err) == (128 + signal.SIGTERM, b"", b"")
    assert child is None or not alive(child)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills children with their parent")
def test_a_killed_parent_takes_its_child_along(hard, tmp_path):
    running, child = hard("sat:position", tmp_path / "tour.svg")
    running.kill()
    wait_until(lambda: not alive(child), 2)


@pytest.mark.parametrize("engine", ["backtrack", "sat:lazy"])  # the contract tests all engines
def test_the_time_limit_ends_it_on_time(kt_cp, tmp_path, engine):
    limit = 0.3
    began = time.monotonic()
    arguments = ("solve", *HARD[engine], "--engine", engine, "--time-limit", limit)
    result = kt_cp(*arguments, "-o", tmp_path / "tour.svg")
    assert result.code == 3
    assert (result.out, result.err) == (
        "",
        f"kt-cp: unknown whether there is a tour: the time limit of {limit} s was reached\n",
    )
    assert time.monotonic() - began < limit + 30  # the start of a child, and a generous reserve
    assert list(tmp_path.iterdir()) == []


def test_the_memory_limit_ends_it(kt_cp):
    arguments = ("solve", *HARD["sat:position"], "--engine", "sat:position")
    result = kt_cp(*arguments, "--memory-limit", 120, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"]) == (3, "UNKNOWN")
    assert document["reason"] == "the memory limit of 120 MB was reached"
    assert 120 < document["statistics"]["peak_mb"] < 700


@pytest.mark.slow
def test_generous_limits_hold_as_well(kt_cp):
    for options in (["--memory-limit", "1e300"], ["--time-limit", "1e300"], ["--time-limit", 60]):
        result = kt_cp("solve", "6x6", "--engine", "sat", *options)
        assert result.code == 0
    assert kt_cp("solve", "6x6", "--memory-limit", "1e308").code == 0


def test_the_child_does_not_import_from_where_the_user_stands(tmp_path):
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')")
    (tmp_path / "pickle.py").write_text("raise SystemExit('nor this one')")
    result = run_cli("solve", "6x6", "--engine", "sat", "--format", "names", cwd=tmp_path)
    assert result.code == 0
    assert len(result.out.split()) == 36


AT = """
import os, signal, sys
from kt_cp import __main__, cli
{}
sys.argv = ["kt-cp", "solve", "3x4"]
__main__.main()
"""
"""A program that runs the command line and interrupts it at a given point."""

KEY = "os.kill(os.getpid(), signal.SIGINT)"
MOMENTS = {
    "before the command": f"app, cli.app = cli.app, lambda words: ({KEY}, app(words))[1]",
    "after its answer": f"import atexit; atexit.register(lambda: {KEY})",
    "as an import swallows it": "import kt_cp.engines\n"
    "def swallow(*_, **__):\n"
    f"    try: {KEY}\n"
    "    except KeyboardInterrupt: raise ImportError('a library')\n"
    "kt_cp.engines.solve_request = swallow",
    "as compiled code prints it": "import kt_cp.engines\n"
    "def print_it(*_, **__):\n"
    f"    try: {KEY}\n"
    "    except KeyboardInterrupt:\n"
    "        sys.excepthook(*sys.exc_info())\n"
    "        raise ImportError('a library') from None\n"
    "kt_cp.engines.solve_request = print_it",
    "in a finalizer, which drops it": "import kt_cp.engines, time\n"
    "class Dropping:\n"
    f"    def __del__(self): {KEY}\n"
    "kt_cp.engines.solve_request = lambda *_, **__: (Dropping() and None, time.sleep(60))",
}
MOMENTS["in a finalizer, where threads start slowly"] = (
    "import threading\n"
    "start = threading.Thread.start\n"
    "threading.Thread.start = lambda self: (start(self), time.sleep(0.1))\n"
    + MOMENTS["in a finalizer, which drops it"]
)


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_outside_of_the_search(moment):
    done = subprocess.run(
        [sys.executable, "-c", AT.format(MOMENTS[moment])],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "kt-cp: interrupted"
    assert "Traceback" not in done.stderr and "ignored" not in done.stderr


@pytest.mark.slow
def test_ctrl_c_at_any_moment_of_the_first_four_tenths_of_a_second():
    rng = random.Random(14)
    for _ in range(more(20, 200)):
        running = subprocess.Popen(
            command_line("solve", "8x8"),
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(rng.uniform(0, 0.4))
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=PATIENCE)
        # Before main begins, Python itself handles Ctrl-C.
        ours = re.search(rf'File "{re.escape(str(ROOT / "kt_cp"))}.*, in main$', stderr, re.M)
        if ours or running.returncode not in (1, -signal.SIGINT):
            assert running.returncode in (0, 130)
            assert "Traceback" not in stderr


def test_too_little_memory_for_numpy_is_no_definite_no():
    """OpenBLAS ends the process with 1, unless kt-cp checks the memory first."""
    limited = """import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (110_000 << 10, 110_000 << 10))
sys.argv = ["kt-cp", "solve", "3x4"]
runpy.run_module("kt_cp", run_name="__main__")"""
    done = subprocess.run(
        [sys.executable, "-c", limited],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (3, "kt-cp: unknown: memory ran out\n")


LIMIT = "0.3"
LONG = 20.0
"""Seconds of a step that nothing interrupts."""


def working(*_, **__):
    """Do work that checks no clock."""
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        sum(range(1000))


@pytest.fixture
def late(kt_cp, tmp_path):
    """Run ``solve`` into a file; return its code and message, and assert that no file is left."""
    assert kt_cp("solve", "8x8").code == 0  # loads all modules

    def run(*options):
        began = time.monotonic()
        path = tmp_path / "tour.svg"
        result = kt_cp("solve", "8x8", "-o", path, "--time-limit", LIMIT, *options)
        assert time.monotonic() - began < LONG / 2
        assert [*tmp_path.iterdir()] == []
        assert result.out == "" and result.err.count("\n") == 1
        return result.code, result.err.replace(str(tmp_path), "")

    return run


REACHED = f"the time limit of {LIMIT} s was reached"
NOT_WRITTEN = f"kt-cp: unknown: {REACHED} before /tour.svg was written\n"


@pytest.mark.clock
def test_a_picture_that_takes_too_long_is_no_file(late, monkeypatch):
    monkeypatch.setattr(tour_output, "outcome_content", working)
    assert late() == (3, NOT_WRITTEN)


@pytest.mark.clock
def test_a_file_that_takes_too_long_to_write_is_no_file(late, monkeypatch):
    written = count()

    def add(self, piece):
        next(written)
        time.sleep(0.05)
        return True

    monkeypatch.setattr(tour_output, "PIECE_BYTES", 16)
    monkeypatch.setattr(OutputFile, "add", add)
    assert late() == (3, NOT_WRITTEN)
    assert 1 < next(written) < 100


@pytest.mark.clock
def test_a_board_that_takes_too_long_to_read_is_unknown(late, monkeypatch):
    monkeypatch.setattr(ProblemOptions, "problem", working)
    assert late() == (3, f"kt-cp: unknown: {REACHED}\n")


@pytest.mark.clock
def test_an_engine_that_looks_at_no_clock_is_ended(late, kt_cp, monkeypatch):
    monkeypatch.setattr(auto, "take_steps", working)
    assert late() == (3, f"kt-cp: unknown whether there is a tour: {REACHED}\n")
    result = kt_cp("solve", "8x8", "--time-limit", LIMIT, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"], document["reason"]) == (3, "UNKNOWN", REACHED)


@pytest.mark.clock
def test_the_verdict_is_printed_without_the_certificate(kt_cp, monkeypatch):
    monkeypatch.setattr("kt_cp.proofs.certify.add_certificate", working)
    result = kt_cp("solve", "4x10", "--closed", "--time-limit", LIMIT, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"], document["evidence"]["certificate"]) == (
        1,
        "IMPOSSIBLE",
        None,
    )


@pytest.mark.clock
@pytest.mark.parametrize(
    ("step", "command"),
    [
        ("kt_cp.counting.api.run_plan", ["count"]),
        ("kt_cp.counting.tour_numbering.Numbering", ["sample"]),
        ("kt_cp.counting.tour_numbering.Numbering", ["unrank", "0"]),
        ("kt_cp.puzzles.generator.make_puzzle", ["puzzle"]),
        ("kt_cp.engines.prove.prove_request", ["prove"]),
    ],
)
def test_other_commands_end_in_time_as_well(step, command, kt_cp, monkeypatch):
    name, *more = command
    monkeypatch.setattr(step, working)
    began = time.monotonic()
    result = kt_cp(name, "5x5", *more, "--time-limit", LIMIT)
    assert time.monotonic() - began < LONG / 2
    assert result.code == 3 and result.err.splitlines()[-1].endswith(REACHED)


@pytest.mark.clock
def test_writing_shows_progress_on_a_terminal(kt_cp, tmp_path, monkeypatch):
    events = []

    class Line:
        def __enter__(self):
            return lambda work: events.append(dict(work))

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(tour_output, "search_progress", lambda *_: Line())
    monkeypatch.setattr(tour_output, "PIECE_BYTES", 1000)
    path = tmp_path / "tour.svg"
    assert kt_cp("solve", "8x8", "-o", path).code == 0
    doing, *written = events
    assert doing == {f"making {path}": None}
    amounts = [work[f"MB of {path} written"] for work in written]
    assert amounts == sorted({*amounts}) and amounts[-1] == path.stat().st_size / 1e6
    assert len(amounts) > 3
