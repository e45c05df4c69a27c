"""``kt-cp solve``: every exit code, every format, every way of being ended."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from importlib.metadata import EntryPoint
from pathlib import Path

import psutil
import pytest

from kt_cp import Board, Problem, Tour, Verdict, defects, parse_square
from kt_cp.engines import engine_names, registry
from kt_cp.engines.engine import Engine, found, impossible
from kt_cp.errors import InputError
from kt_cp.outcome import EvidenceKind
from tests.helpers import (
    PATIENCE,
    alive,
    busy,
    command_line,
    environment,
    refused,
    run_cli,
    wait_until,
    workers,
)

ENGINES = ["auto", "warnsdorff", "backtrack", "cpsat", "sat:lazy", "sat:position", "reference"]
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


# --- exit codes -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "warnsdorff"])
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


def test_a_heuristic_that_gives_up_is_3(kt_cp):
    ran = kt_cp("solve", "3x3", "--engine", "warnsdorff")
    assert (ran.code, ran.out) == (3, "")
    assert "unknown whether there is a tour: gave up" in ran.err
    document = json.loads(kt_cp("solve", "3x3", "--engine", "warnsdorff", "--json").out)
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


class Distribution:
    """An engine of another package, as the entry-point group would find it."""

    def __init__(self, answer, complete=True):
        self.answer, self.complete = answer, complete

    def load(self):
        def solve(problem, *, limits, seed, progress):
            return self.answer(problem, seed)

        return Engine("fake", "for a test", complete=self.complete, solve=solve)


def wrong_tour(problem, seed):
    return found("fake", problem, Tour(list(problem.board), board=problem.board), {}, seed)


def false_no(problem, seed):
    return impossible("fake", problem, EvidenceKind.CLAIMED, "claimed by a test", {}, seed)


def crash(problem, seed):
    raise ZeroDivisionError("oops\nand more")


@pytest.fixture
def fake(monkeypatch):
    def install(answer):
        monkeypatch.setattr(registry, "_foreign", lambda: {"fake": Distribution(answer)})

    return install


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


def test_running_out_of_memory_is_3(kt_cp, fake):
    def greedy(problem, seed):
        raise MemoryError

    fake(greedy)
    ran = kt_cp("solve", "5x5", "--engine", "fake")
    assert (ran.code, ran.err) == (3, "kt-cp: unknown: memory ran out\n")


def test_engines_of_other_packages_are_found(kt_cp, monkeypatch):
    # The real way in: an entry point with an engine, made by a module of this test.
    point = EntryPoint("fake", f"{__name__}:FAKE", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda **_: [point])
    assert kt_cp("solve", "5x5", "--engine", "fake").code == 70
    assert "fake" in kt_cp("engines").out
    refused(kt_cp("solve", "5x5", "--engine", "fake:x"), "fewer options", "fake:x")


FAKE = Distribution(wrong_tour).load()


# --- questions ------------------------------------------------------------------------------------


def test_ends_and_missing_squares(kt_cp):
    options = ("--start", "a1", "--end", "f1", "--missing", "c3,c4")
    document = json.loads(kt_cp("solve", "6x6", *options, "--json").out)
    assert document["problem"] == {
        "rows": 6, "columns": 6, "missing": ["c3", "c4"],
        "closed": False, "start": "a1", "end": "f1",
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
    asked = ("solve", "6x6", "--engine", engine, "--format", "names", "--workers", 1)
    tours = [kt_cp(*asked, "--seed", seed).out for seed in (7, 7)]
    assert tours[0] == tours[1] != ""


# --- formats --------------------------------------------------------------------------------------


def test_json_is_the_shape_of_the_design(kt_cp):
    document = json.loads(kt_cp("solve", "5x5", "--json", "--seed", 3).out)
    designed = (
        "schema_version problem verdict tour reason engine statistics verified replayed seed "
        "versions"
    )
    beside = {"evidence", "agrees", "remarks"}
    assert [key for key in document if key not in beside] == designed.split()
    assert set(document) - set(designed.split()) == beside
    assert list(document["problem"]) == ["rows", "columns", "missing", "closed", "start", "end"]
    assert (document["schema_version"], document["seed"]) == (1, 3)
    assert (document["reason"], document["evidence"]) == (None, None)
    assert all(isinstance(value, int | float) for value in document["statistics"].values())
    assert {"python", "kt_cp"} <= set(document["versions"])
    assert kt_cp("solve", "5x5", "--format", "json", "--seed", 3).code == 0


def test_checks_that_were_not_made_say_why(kt_cp):
    document = json.loads(kt_cp("solve", "3x3", "--json").out)
    assert (document["verified"], document["replayed"], document["agrees"]) == (None, None, True)
    assert set(document["remarks"]) == {"verified", "replayed"}


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


# --- output files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.svg", "<svg"),
        ("t.SVG", "<svg"),
        ("t.json", "{"),
        ("t.csv", "step,square,row,column\n"),
        ("t.names", "a1 "),
        ("t.txt", "5 │"),
        ("t", "5 │"),
        ("t.tour", "5 │"),
    ],
)
def test_the_suffix_says_which_format(kt_cp, tmp_path, name, begins):
    ran = kt_cp("solve", "5x5", "--start", "a1", "-o", tmp_path / name)
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_option_outdoes_the_suffix(kt_cp, tmp_path):
    path = tmp_path / "tour.svg"
    assert kt_cp("solve", "5x5", "-o", path, "--format", "csv").code == 0
    assert path.read_text().startswith("step,square")
    assert kt_cp("solve", "5x5", "-o", path, "--json").code == 0
    assert path.read_text().startswith("{")


def test_files_are_replaced_whole(kt_cp, tmp_path):
    path = tmp_path / "tour.txt"
    path.write_text("what was there before " * 1000)
    path.chmod(0o640)
    assert kt_cp("solve", "3x3", "-o", path).code == 1
    assert path.read_text().startswith("what was there before")
    assert kt_cp("solve", "3x4", "-o", path).code == 0
    assert len(path.read_text().splitlines()) == 5
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["tour.txt"]


def test_a_new_file_has_the_usual_permissions(kt_cp, tmp_path):
    (tmp_path / "usual").write_text("")
    assert kt_cp("solve", "3x4", "-o", tmp_path / "tour").code == 0
    assert (tmp_path / "tour").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_dash_is_stdout(kt_cp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = kt_cp("solve", "3x3", "--json", "-o", "-")
    assert json.loads(ran.out)["verdict"] == "IMPOSSIBLE"
    assert kt_cp("solve", "3x4", "-o", "-").out == kt_cp("solve", "3x4").out
    assert list(tmp_path.iterdir()) == []


def test_relative_paths_and_awkward_names(kt_cp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("tour.svg", "a b.json", "knight’s tour ♞.txt", "-x.csv", "♞" * 60):
        assert kt_cp("solve", "3x4", f"--output={name}").code == 0
        assert (tmp_path / name).stat().st_size > 0


@pytest.mark.skipif(os.name != "posix", reason="links, devices and pipes of POSIX")
class TestPosixFiles:
    def test_a_link_stays_a_link(self, kt_cp, tmp_path):
        link, target = tmp_path / "link.svg", tmp_path / "there.svg"
        link.symlink_to(target)
        for _ in range(2):
            assert kt_cp("solve", "3x4", "-o", link).code == 0
            assert link.is_symlink()
            assert target.read_text().startswith("<svg")

    def test_devices(self, kt_cp):
        assert kt_cp("solve", "3x4", "-o", os.devnull).code == 0
        assert Path(os.devnull).is_char_device()  # written to, not replaced

    @pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
    def test_a_full_disk(self, kt_cp):
        refused(kt_cp("solve", "3x4", "-o", "/dev/full"), "cannot write /dev/full: no space left")

    def test_a_named_pipe_is_opened_once(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(
            command_line("solve", "3x4", "-o", pipe), stderr=subprocess.PIPE, env=environment()
        ) as running:
            text = pipe.read_text(encoding="utf-8")
            assert running.wait(PATIENCE) == 0
        assert text.startswith("3 │")
        assert pipe.is_fifo()

    def test_a_place_without_permission(self, tmp_path, monkeypatch):
        from kt_cp.cli.output import OutputFile

        # Relative paths: the superuser, who may do anything, steps down for a moment, and then
        # could not pass the private directories above.
        monkeypatch.chdir(tmp_path)
        (tmp_path / "mine").mkdir(mode=0o555)
        read_only = tmp_path / "read_only.svg"
        read_only.write_text("before")
        read_only.chmod(0o444)
        tmp_path.chmod(0o777)
        superuser = os.geteuid() == 0
        if superuser:
            os.seteuid(65534)
        try:
            for name in ("mine/tour.svg", "read_only.svg"):
                with pytest.raises(InputError, match=f"cannot write {name}: permission denied"):
                    OutputFile(Path(name))
        finally:
            if superuser:
                os.seteuid(0)
        assert read_only.read_text() == "before"
        assert list((tmp_path / "mine").iterdir()) == []


def test_unwritable_places(kt_cp, tmp_path):
    (tmp_path / "file").write_text("")
    refused(kt_cp("solve", "3x4", "-o", tmp_path), "cannot write", "it is a directory")
    for path in (
        tmp_path / "no" / "tour.svg",
        tmp_path / "file" / "tour.svg",
        tmp_path / ("x" * 300),
    ):
        refused(kt_cp("solve", "3x4", "-o", path), "cannot write")
    refused(kt_cp("solve", "3x4", "-o", ""), "cannot write")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_unwritable_places_are_found_out_before_the_search(kt_cp, fake, tmp_path):
    fake(crash)
    refused(kt_cp("solve", "5x5", "--engine", "fake", "-o", tmp_path / "no" / "tour.svg"))


def test_nothing_half_written_when_writing_fails(kt_cp, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "tour.svg"
    path.write_text("before")
    monkeypatch.setattr(os, "replace", full)
    refused(kt_cp("solve", "3x4", "-o", path), "no space left on device")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


# --- terminals and pipes --------------------------------------------------------------------------


def test_no_escape_codes_in_pipes():
    for arguments in (["--help"], ["solve", "--help"], ["engines"], ["solve", "3x4"], ["nonsense"]):
        ran = run_cli(*arguments)
        assert ESCAPE not in ran.out + ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("arguments", [["solve", "5x5"], ["engines"], ["--help"]])
def test_no_colours_on_a_terminal_that_wants_none(arguments):
    out = _on_a_terminal(arguments, NO_COLOR="1", TERM="xterm-256color")
    assert len(out) > 100
    assert not re.search(rb"\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7])[0-9;]*m", out)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_progress_on_a_terminal():
    asked = ["solve", "6x6", "--closed", "--engine", "sat:position"]
    out = _on_a_terminal(asked, TERM="xterm-256color")
    assert b"6x6, closed" in out
    assert out.endswith(b"verified, replayed\r\n")


def _on_a_terminal(arguments, **changes):
    import pty

    master, slave = pty.openpty()
    with subprocess.Popen(
        command_line(*arguments), stdin=slave, stdout=slave, stderr=slave,
        env=environment(**changes),
    ) as running:  # fmt: skip
        os.close(slave)
        said = b""
        try:
            while piece := os.read(master, 65536):
                said += piece
        except OSError:
            pass  # Linux's way of saying that the other side is closed
        assert running.wait(PATIENCE) == 0
    os.close(master)
    return said


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["solve", "100x100", "--format", "csv"], 0),
        (["solve", "3x3"], 1),
        (["engines"], 0),
    ],
)
@pytest.mark.parametrize("both", [False, True])
def test_a_reader_who_has_enough(arguments, code, both):
    """As in ``kt-cp … | head -1``: quiet, and the exit code is that of the answer."""
    reader, writer = os.pipe()
    with subprocess.Popen(
        command_line(*arguments), stdout=writer, stderr=writer if both else subprocess.PIPE,
        env=environment(),
    ) as running:  # fmt: skip
        os.close(writer)
        if arguments[1:] == ["100x100", "--format", "csv"]:
            assert b"step,square" in os.read(reader, 60)
        os.close(reader)
        said = b"" if both else running.stderr.read()
        assert running.wait(PATIENCE) == code
    assert b"Traceback" not in said
    assert b"Broken" not in said


@pytest.mark.skipif(os.name != "posix", reason="closed streams of POSIX")
def test_closed_streams():
    def closing(*streams):
        return {"preexec_fn": lambda: [os.close(stream) for stream in streams]}

    refused(run_cli("solve", "3x4", **closing(1)), "cannot write to stdout: it is closed")
    refused(run_cli("check", "-", **closing(0)), "cannot read -: it is closed")
    ran = run_cli("solve", "3x3", **closing(2))
    assert (ran.code, ran.out) == (1, "No tour (3x3, open): b2 has no moves at all.\n")


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
@pytest.mark.parametrize("arguments", [["solve", "3x4"], ["solve", "3x3"], ["engines"]])
def test_stdout_on_a_full_disk(arguments):
    with open("/dev/full", "wb") as full:
        ran = run_cli(*arguments, stdout=full)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err.lower().count("no space left on device") == 1


def test_a_terminal_that_knows_no_frames():
    ran = run_cli("solve", "3x4", env=environment(PYTHONIOENCODING="ascii"))
    assert ran.code == 0
    assert ran.out.startswith("3 ?")


# --- interrupts and limits ------------------------------------------------------------------------

# Work for minutes; for auto, which answers nearly everything at once, for some seconds.
HARD = {
    "warnsdorff": ["4x400", "--closed", "--missing", "cv2,cv3"],
    "backtrack": ["300x300", "--closed", "--missing", "a1,a2"],
    "cpsat": ["14x14", "--closed", "--missing", "a1,a2,b1,n14,n13,m14"],
    "sat:lazy": ["300x300", "--closed", "--missing", "a1,a2"],
    "sat:position": ["30x30", "--closed"],
    "reference": ["100x100", "--closed"],
    "auto": ["1000x1000"],
}
IN_A_CHILD = ("sat:lazy", "sat:position")


def test_every_engine_has_a_hard_board():
    assert set(HARD) == set(ENGINES)


@pytest.fixture
def hard(tmp_path):
    """Start a search that will not end by itself, and wait until it is busy."""
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
            wait_until(lambda: busy(child, 0.7))
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


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("engine", ENGINES)
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


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("engine", ["sat:position", "backtrack"])
def test_being_terminated_clears_up(hard, tmp_path, engine):
    path = tmp_path / "tour.svg"
    path.write_text("before")
    running, child = hard(engine, path)
    began = time.monotonic()
    running.terminate()
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 2
    assert (running.returncode, out, err) == (128 + signal.SIGTERM, b"", b"")
    assert child is None or not alive(child)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills children with their parent")
def test_a_killed_parent_takes_its_child_along(hard, tmp_path):
    running, child = hard("sat:position", tmp_path / "tour.svg")
    running.kill()
    wait_until(lambda: not alive(child), 2)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "auto"])
def test_the_time_limit_ends_it_on_time(kt_cp, tmp_path, engine):
    limit = 0.3
    began = time.monotonic()
    asked = ("solve", *HARD[engine], "--engine", engine, "--time-limit", limit)
    ran = kt_cp(*asked, "-o", tmp_path / "tour.svg")
    assert ran.code == 3
    assert (ran.out, ran.err) == (
        "",
        f"kt-cp: unknown whether there is a tour: the time limit of {limit} s was reached\n",
    )
    assert time.monotonic() - began < limit + 5  # the start of a child, and a generous rest
    assert list(tmp_path.iterdir()) == []


def test_the_memory_limit_ends_it(kt_cp):
    asked = ("solve", *HARD["sat:position"], "--engine", "sat:position")
    ran = kt_cp(*asked, "--memory-limit", 120, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"]) == (3, "UNKNOWN")
    assert document["reason"] == "the memory limit of 120 MB was reached"
    assert 120 < document["statistics"]["peak_mb"] < 700


def test_generous_limits_are_kept_as_well(kt_cp):
    for options in (["--memory-limit", "1e300"], ["--time-limit", "1e300"], ["--time-limit", 60]):
        ran = kt_cp("solve", "6x6", "--engine", "sat", *options)
        assert ran.code == 0
    assert kt_cp("solve", "6x6", "--memory-limit", "1e308").code == 0


def test_the_child_does_not_import_from_where_the_user_stands(tmp_path):
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')")
    (tmp_path / "pickle.py").write_text("raise SystemExit('nor this one')")
    ran = run_cli("solve", "6x6", "--engine", "sat", "--format", "names", cwd=tmp_path)
    assert ran.code == 0
    assert len(ran.out.split()) == 36


def test_verdicts_have_their_codes():
    from kt_cp.cli.exits import OF_VERDICT

    assert {verdict.value: code for verdict, code in OF_VERDICT.items()} == {
        "FOUND": 0, "IMPOSSIBLE": 1, "UNKNOWN": 3,
    }  # fmt: skip
    assert set(OF_VERDICT) == set(Verdict)
