"""``kt-cp solve``: every exit code, every question, every format."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from importlib.metadata import EntryPoint

import pytest

from kt_cp import Board, Problem, Verdict, defects, parse_square
from kt_cp.engines import engine_names, registry
from kt_cp.processes import isolate
from tests.support.command_line import refused
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
    """Defects of a JSON outcome, by the judge and not by its own word."""
    question = document["problem"]
    board = Board(question["rows"], question["columns"], squares_of(question["missing"]))
    ends = {end: parse_square(question[end]) for end in ("start", "end") if question[end]}
    problem = Problem(board, closed=question["closed"], **ends)
    return defects(problem, squares_of(document["tour"]))


def test_every_family_is_run_here():
    assert {name.split(":")[0] for name in ENGINES} == set(engine_names())


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tour_is_0(kt_cp, engine):
    ran = kt_cp("solve", "5x6", "--engine", engine, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"]) == (0, "FOUND")
    assert judged(document) == []
    assert document["verified"] is document["replayed"] is document["agrees"] is True
    assert "5x6, open: FOUND by " in ran.err


@pytest.mark.parametrize("engine", COMPLETE)
def test_no_tour_is_1(kt_cp, engine):
    ran = kt_cp("solve", "3x3", "--engine", engine)
    assert ran.code == 1
    assert re.fullmatch(r"No tour \(3x3, open\): .+\.\n", ran.out)
    assert "backed by: " in ran.err
    ran = kt_cp("solve", "3x3", "--engine", engine, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"], document["tour"]) == (1, "IMPOSSIBLE", None)
    assert document["reason"]
    assert document["evidence"]["text"] == document["reason"]


@pytest.mark.parametrize(
    ("engine", "said"), [("warnsdorff", "gave up"), ("construct", "nothing was constructed: ")]
)
def test_a_heuristic_that_gives_up_is_3(kt_cp, engine, said):
    ran = kt_cp("solve", "3x3", "--engine", engine)
    assert (ran.code, ran.out) == (3, "")
    assert f"unknown whether there is a tour: {said}" in ran.err
    document = json.loads(kt_cp("solve", "3x3", "--engine", engine, "--json").out)
    assert (document["verdict"], document["verified"]) == ("UNKNOWN", None)
    assert document["remarks"]["verified"] == "there is no answer to check"


def test_one_square(kt_cp):
    ran = kt_cp("solve", "1x1", "--format", "names")
    assert (ran.code, ran.out) == (0, "a1\n")
    assert kt_cp("solve", "1x1", "--start", "a1", "--end", "a1").code == 0
    ran = kt_cp("solve", "1x1", "--closed")
    assert ran.code == 1
    assert "No tour (1x1, closed)" in ran.out


@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat:lazy", "reference"])
def test_one_square_under_each_engine(kt_cp, engine):
    assert kt_cp("solve", "1x1", "--engine", engine).code == 0
    assert kt_cp("solve", "1x1", "--closed", "--engine", engine).code == 1


def test_a_wrong_tour_is_70(kt_cp, fake, tmp_path):
    fake(wrong_tour)
    ran = kt_cp("solve", "5x5", "--engine", "fake", "--seed", 4, "-o", tmp_path / "tour.json")
    assert (ran.code, ran.out) == (70, "")
    for needed in ("engine fake says FOUND", "5x5, open", "seed 4", "python 3", "tour a1 b1 c1"):
        assert needed in ran.err
    assert "the judge refuses its tour: illegal move from a1 to b1 at step 2" in ran.err
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_false_no_is_70(kt_cp, fake):
    fake(false_no)
    ran = kt_cp("solve", "5x5", "--engine", "fake", "--json")
    assert (ran.code, ran.out) == (70, "")
    assert "fake says IMPOSSIBLE on 5x5, open" in ran.err
    assert "the reference backtracker decides FOUND" in ran.err


def test_a_crash_is_70_and_never_a_definite_no(kt_cp, fake):
    fake(crash)
    ran = kt_cp("solve", "5x5", "--engine", "fake")
    assert (ran.code, ran.out) == (70, "")
    assert "Traceback" in ran.err  # the one place for it: a bug, to be reported
    assert ran.err.splitlines()[-1] == (
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
def test_a_process_that_somebody_ended_is_3(kt_cp, monkeypatch, command):
    def ended(*_, **__):
        return isolate.Ended("killed", None, 0.1, 1.0, "ended by SIGKILL")

    monkeypatch.setattr(isolate, "call", ended)
    ran = kt_cp(*command)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("kt-cp: unknown: the process of ")
    assert ran.err.endswith(" was ended by SIGKILL from outside\n")
    assert ran.err.count("\n") == 1


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
    ran = kt_cp("solve", "5x5", "--engine", "fake")
    assert (ran.code, ran.err) == (3, "kt-cp: unknown: memory ran out\n")


def test_what_the_system_refuses_is_told_in_words(kt_cp, fake):
    def refuse(problem, seed):
        raise OSError(28, "No space left on device", "/some/" + "x" * 500)

    fake(refuse)
    refused(kt_cp("solve", "5x5", "--engine", "fake"), "/some/xxx", "no space left on device")


def test_running_out_of_memory_is_3(kt_cp, fake):
    def greedy(problem, seed):
        raise MemoryError

    fake(greedy)
    ran = kt_cp("solve", "5x5", "--engine", "fake")
    assert (ran.code, ran.err) == (3, "kt-cp: unknown: memory ran out\n")


def test_engines_of_other_packages_are_found(kt_cp, monkeypatch):
    # The real way in: an entry point with an engine, made by a module of this test.
    point = EntryPoint("fake", f"{__name__}:FAKE", registry.ENTRY_POINTS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [point])
    assert kt_cp("solve", "5x5", "--engine", "fake").code == 70
    assert "fake" in kt_cp("engines").out
    refused(kt_cp("solve", "5x5", "--engine", "fake:x"), "fewer options", "fake:x")


FAKE = Distribution(wrong_tour).load()


def test_verdicts_have_their_codes():
    from kt_cp.cli.output import EXIT_CODES

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
    asked = ("solve", "5x6", "--engine", engine, "--format", "names", "--workers", 1)
    tours = [kt_cp(*asked, "--seed", seed).out for seed in (7, 7)]
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
    asked = "rows columns missing piece surface closed start end require forbid given symmetry"
    assert list(document["problem"]) == asked.split()
    assert (document["schema_version"], document["seed"]) == (1, 3)
    assert (document["reason"], document["evidence"]) == (None, None)
    assert all(isinstance(value, int | float) for value in document["statistics"].values())
    assert {"python", "kt_cp"} <= set(document["versions"])
    assert kt_cp("solve", "5x5", "--format", "json", "--seed", 3).code == 0


def test_checks_that_were_not_made_say_why(kt_cp):
    document = json.loads(kt_cp("solve", "3x3", "--json").out)
    assert (document["verified"], document["replayed"], document["agrees"]) == (None, None, None)
    assert set(document["remarks"]) == {"verified", "replayed", "agrees"}


def test_formats_tell_the_same_tour(kt_cp):
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
        ran = kt_cp("solve", "3x3", "-o", tmp_path / name)
        assert ran.code == 1
        assert ran.out.startswith("No tour (3x3, open)")
    assert list(tmp_path.iterdir()) == []
    assert kt_cp("solve", "3x3", "-o", tmp_path / "none.json").code == 1
    assert json.loads((tmp_path / "none.json").read_text())["verdict"] == "IMPOSSIBLE"
