"""``kt-cp trace``: formats, slices, starts, walks, pictures, interrupts and bad input."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import psutil
import pytest

from kt_cp import Board, Problem
from kt_cp.formats.trace import frame_text
from kt_cp.render.animation import LONGEST_SIDE, MOST_BOARDS, MOST_STEPS
from kt_cp.sources.registry import SOURCES
from kt_cp.trust.reference import Trace
from tests.support.command_line import (
    DATA,
    PATIENCE,
    busy,
    command_line,
    documents,
    end,
    environment,
    refused,
    wait_until,
)
from tests.test_startup import modules_after, running

SVG = "{http://www.w3.org/2000/svg}"


def test_boards_in_text(kt_cp):
    result = kt_cp("trace", "4x4", "--from", 13, "--to", 15)
    assert (result.code, result.err) == (0, "")
    problem = Problem(Board(4, 4))
    order = SOURCES[2].candidates(problem)
    frames = Trace(problem, (0, 0), order, first=13, last=15)
    drawn = "".join(frame_text(problem.board, frame) for frame in frames)
    assert result.out == drawn + (
        "Stopped after board 15, and the search goes on: 13 squares placed, 2 taken back.\n"
    )
    assert result.out.count("\nBoard 14: back to move 12, d2 is free again\n") == 1


def test_a_whole_search(kt_cp):
    result = kt_cp("trace", "5x5")
    boards = re.findall(r"^Board (\d+):", result.out, flags=re.M)
    assert boards == [str(number) for number in range(1, len(boards) + 1)]
    assert result.out.splitlines()[-1] == (
        "The search ends with a tour at board 2545: 1,285 squares placed, 1,260 taken back."
    )
    assert "·" not in result.out.split("Board 2545:")[1]


def test_json_lines(kt_cp):
    result = kt_cp("trace", "3x3", "--json", "--start", "c1", "--source", "modula")
    *steps, end = documents(result)
    assert (result.code, result.err) == (0, "")
    assert [step["board"] for step in steps] == list(range(1, 31))
    assert steps[0]["path"] == ["c1"]
    assert list(end) == [
        "schema_version", "problem", "source", "ending", "given", "tours", "placed", "taken_back",
    ]  # fmt: skip
    assert end["problem"]["start"] == "c1"
    assert (end["source"], end["ending"]) == ("001", "exhausted")
    assert (end["placed"], end["taken_back"]) == (15, 15)
    events = [step["event"] for step in steps]
    assert (events.count("placed"), events.count("taken_back")) == (15, 15)


def test_a_slice_of_the_whole(kt_cp):
    boards = documents(kt_cp("trace", "4x4", "--json"))[:-1]
    for first, last in ((1, 1), (7, 30), (4440, 4446), (4446, 9999)):
        *part, end = documents(kt_cp("trace", "4x4", "--json", "--from", first, "--to", last))
        assert part == boards[first - 1 : last]
        assert end["ending"] == ("exhausted" if last >= 4446 else "stopped")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.number)
def test_sources_by_number_and_by_name(kt_cp, source):
    arguments = ("trace", "6x6", "--to", 40, "--json", "--source")
    by_number, by_name = kt_cp(*arguments, source.number), kt_cp(*arguments, source.name)
    assert by_number == by_name
    *steps, end = documents(by_number)
    assert end["source"] == source.number
    problem = Problem(Board(6, 6))
    first = list(Trace(problem, (0, 0), source.candidates(problem), last=40))
    assert [len(step["path"]) for step in steps] == [frame.move for frame in first]
    assert source.name in kt_cp("trace", "--help").out


def test_conditions(kt_cp):
    options = ("--missing", "c3", "--start", "a1", "--end", "e2")
    *steps, end = documents(kt_cp("trace", "5x5", "--json", "--source", "003", *options))
    assert end["problem"]["missing"] == ["c3"]
    assert (end["ending"], steps[-1]["knight"], len(steps[-1]["path"])) == ("tour", "e2", 24)
    result = kt_cp("trace", "3x4", "--closed")
    assert "ends without a tour, everything tried," in result.out.splitlines()[-1]


def test_beyond_the_end(kt_cp):
    result = kt_cp("trace", "3x3", "--from", 31)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "There is no board 31. The search ends without a tour, everything tried, at board 30: "
        "15 squares placed, 15 taken back.\n"
    )
    (end,) = documents(kt_cp("trace", "3x3", "--from", 10**40, "--json"))
    assert (end["ending"], end["placed"]) == ("exhausted", 15)
    for shape in ("svg", "animation"):
        refused(kt_cp("trace", "3x3", "--from", 31, "--format", shape), "at most 30", "got 31")


def test_far_boards_are_there_soon(kt_cp):
    began = time.process_time()
    arguments = ("trace", "8x8", "--json", "--from", 10_000_000, "--to", 10_000_003)
    *steps, _ = documents(kt_cp(*arguments))
    assert time.process_time() - began < PATIENCE / 4
    assert [step["board"] for step in steps] == list(range(10_000_000, 10_000_004))


BAD = [
    ([], "BOARD"),
    (["0x0"], "expected a board", "'0x0'"),
    (["8x8", "--source", "nope"], "expected a source, one of 000 (boolean)", "'nope'"),
    (["8x8", "--source", ""], "expected a source", "''"),
    (["8x8", "--start", "i9"], "start to be on the 8x8 board", "i9"),
    (["8x8", "--start", "zz"], "--start: expected a square", "'zz'"),
    (["8x8", "--missing", "a1"], "start on a square that is not missing", "a1"),
    (["8x8", "--end", "a1"], "start and end to differ"),
    (["8x8", "--closed", "--end", "b3"], "expected no end"),
    (["8x8", "--from", "0"], "--from", "got '0'"),
    (["8x8", "--from", "-3"], "--from", "got '-3'"),
    (["8x8", "--to", "0"], "--to", "got '0'"),
    (["8x8", "--to", "soon"], "--to", "got 'soon'"),
    (["8x8", "--to", "1.5"], "--to", "got '1.5'"),
    (["8x8", "--from", "9" * 5000], "--from", "got '999"),
    (["8x8", "--from", "5", "--to", "4"], "--to to be at least --from, which is 5, got 4"),
    (["8x8", "--json", "--format", "svg"], "contradict"),
    (["8x8", "--format", "gif"], "--format", "'gif'"),
    (["8x8", "--speed", "3"], "--speed is that of an animation", "text"),
    *(
        (["8x8", "--format", "animation", "--speed", speed], "expected a speed from 0.05 to 60")
        for speed in ("0", "-1", "nan", "inf", "61")
    ),
    (["8x8", "--format", "animation", "--speed", "fast"], "--speed", "got 'fast'"),
    (["4x4", "--format", "svg", "--to", str(MOST_BOARDS + 1)], "at most 400", "got 401", "--from"),
    (["4x4", "--format", "animation", "--to", str(MOST_STEPS + 1)], "4096", "got 4097", "--to"),
    ([f"{LONGEST_SIDE + 1}x4", "--format", "svg"], "sides of at most 32", "33x4"),
    (["4x65", "--format", "animation"], "sides of at most 64", "4x65"),
    (["2000x2000"], "at most 65,536 squares to be traced", "got 4,000,000"),
    (["1000000000x1000000000"], "65,536"),
    (["4x4", "-o", "no/such/place"], "cannot write no/such/place"),
    (["4x4", "--at", "5,1"], "--at: expected row,column", "'5,1'"),
    (["4x4", "--at", "1,1", "--start", "a1"], "--start and --at name one thing"),
    (["4x4", "--walk", ""], "--walk: expected squares such as 'a1 c2 d4', got ''"),
    (["4x4", "--walk", "a1 c2 nowhere"], "--walk: expected squares", "'nowhere'"),
    (["4x4", "--walk", "a1 c2 e3"], "square 3 of the walk", "got e3"),
    (["4x4", "--walk", "a1 b3", "--missing", "b3"], "square 2 of the walk", "got b3"),
    (["4x4", "--walk", "a1 c2 c2"], "expected another one than the last, got c2 again"),
    (["4x4", "--walk", "a1 c2", "--start", "a1"], "--walk begins with its own start", "got a1"),
    (["4x4", "--walk", "a1 c2", "--at", "1,1"], "--walk begins with its own start", "got a1"),
]


@pytest.mark.parametrize("row", BAD, ids=lambda row: " ".join(row[0])[:40] or "nothing")
def test_bad_input(kt_cp, row):
    arguments, *words = row
    refused(kt_cp("trace", *arguments), *words)


def test_help_loads_nothing_heavy():
    heavy = {"numpy", "numba", "networkx", "ortools", "pysat"}
    for arguments in (["trace", "--help"], ["trace", "8x8", "--from", "0"]):
        assert not modules_after(running(*arguments)) & heavy


WALK_OF_002 = "a1 c2 d4 b3 c1 a2 b4 d3 b2 d1 c4 d2 b1 a3 b1 c3 a4"


@pytest.mark.parametrize(
    ("source", "at", "start"),
    [("000", "1,3", "b4"), ("001", "2,4", "b4"), ("002", "4,2", "b4"), ("003", "1,3", "c1"),
     ("004", "0,2", "c1")],
)  # fmt: skip
def test_the_start_in_the_documents_coordinates(kt_cp, source, at, start):
    arguments = ("trace", "4x5", "--source", source, "--to", 3, "--json")
    result = kt_cp(*arguments, "--at", at)
    assert documents(result)[0]["path"] == [start]
    assert result == kt_cp(*arguments, "--start", start)


def drawn(text):
    """Return the boards of a trace in text, row by row from the top."""
    return [
        "\n".join(line.split("│")[1].replace(" ", "").replace("·", ".") for line in lines)
        for lines in (
            [line for line in board.splitlines() if "│" in line] for board in text.split("\n\n")
        )
        if lines
    ]


def test_the_boards_of_document_002_and_on_from_there(kt_cp):
    printed = (DATA / "002-decision-4x4-drawn.txt").read_text().strip().split("\n\n")
    result = kt_cp("trace", "4x4", "--walk", WALK_OF_002, "--to", 22)
    ours = drawn(result.out)
    # Its drawing still has the knight on b2 at move 10, with d1 crossed out: the reverse.
    assert printed[9].splitlines()[2:] == ["XKX.", "X.XX"]
    assert ours[9].splitlines()[2:] == ["XXX.", "X.XK"]
    assert [board for number, board in enumerate(ours[:17]) if number != 9] == [
        board for number, board in enumerate(printed) if number != 9
    ]
    lines = result.out.splitlines()
    assert "Board 11: move 11, d1 to c4, which is no move of a knight" in lines
    assert result.out.count("no move of") == 1
    # Then its exercise: back to c4, from which a3 was not tried before.
    assert [line for line in lines if line.startswith(("Board 17", "Board 2"))][-2:] == [
        "Board 21: back to move 11, d2 is free again",
        "Board 22: move 12, c4 to a3",
    ]
    assert "The walk that was given has 17 boards. Stopped after board 22" in lines[-1]


def test_a_given_walk_in_json_and_to_its_end(kt_cp):
    *steps, end = documents(kt_cp("trace", "4x4", "--walk", WALK_OF_002, "--json"))
    assert [step["given"] for step in steps[:19]] == [True] * 17 + [False] * 2
    assert [step["board"] for step in steps if not step["legal"]] == [11]
    assert (end["given"], end["tours"], end["ending"]) == (17, 0, "exhausted")
    assert (end["placed"], end["taken_back"], len(steps)) == (2_234, 2_234, 4_468)
    # In the other reading, d1 is never visited, and every move is legal.
    legal = WALK_OF_002.replace(" d1", "").replace(" ", "-")
    *steps, _ = documents(kt_cp("trace", "4x4", "--walk", legal, "--json", "--to", 20))
    assert all(step["legal"] for step in steps)
    assert steps[15]["path"][-1] == "a4"


def test_a_given_walk_is_drawn(kt_cp):
    for shape in ("svg", "animation"):
        result = kt_cp("trace", "4x4", "--walk", WALK_OF_002, "--to", 22, "--format", shape)
        assert result.code == 0
        assert "11 · d1–c4, no move" in result.out
        assert "15 · back from a3" in result.out
        assert "22 · c4–a3" in result.out


def test_a_whole_tour_may_be_given(kt_cp):
    names = json.loads(kt_cp("reference", "3x4", "--source", "004", "--json").out.splitlines()[0])
    tour = " ".join(names["tour"])
    result = kt_cp("trace", "3x4", "--walk", tour, "--source", "002")
    assert result.out.splitlines()[-1].endswith(
        "ends with a tour at board 12: 12 squares placed, 0 taken back."
    )
    # The trace draws the whole walk in any case, and the search continues from there.
    result = kt_cp("trace", "3x4", "--walk", f"{tour} a1", "--source", "002")
    assert ", tour 1\n" in result.out
    assert "Board 13: back to move 11" in result.out


def test_004_goes_on_past_its_first_tour(kt_cp):
    *steps, end = documents(kt_cp("trace", "3x4", "--source", "004", "--json"))
    assert (end["ending"], end["tours"]) == ("exhausted", 2)
    assert [step["tour"] for step in steps if step["tour"]] == [1, 2]
    assert all(len(step["path"]) == 12 for step in steps if step["tour"])
    result = kt_cp("trace", "3x4", "--source", "004", "--from", 120)
    assert ", tour 2\n" in result.out
    assert result.out.splitlines()[-1] == (
        "The search ends with 2 tours, everything tried, at board 134: "
        "67 squares placed, 67 taken back."
    )
    at = next(step["board"] for step in steps if step["tour"])
    result = kt_cp("trace", "3x4", "--source", "004", "--to", at)
    assert f"Stopped after board {at} after 1 tour, and the search goes on" in result.out
    *_, end = documents(kt_cp("trace", "3x4", "--source", "000", "--json"))
    assert (end["ending"], end["tours"]) == ("tour", 1)


@pytest.mark.parametrize(
    ("source", "top"), [("000", "4"), ("002", "4"), ("003", "1"), ("004", "1")]
)
def test_boards_stand_the_way_up_that_the_document_prints(kt_cp, source, top):
    arguments = ("trace", "4x3", "--source", source, "--to", 1, "--missing", "c4", "--format")
    lines = kt_cp(*arguments, "text").out.splitlines()
    assert [line[0] for line in lines[1:5]] == (list("1234") if top == "1" else list("4321"))
    assert lines[1 if top == "1" else 4] == "1 │ K · ·"
    for shape in ("svg", "animation"):
        picture = ET.fromstring(kt_cp(*arguments, shape).out)
        ranks = next(g for g in picture.iter(f"{SVG}g") if g.get("class") == "ranks")
        heights = {text.text: float(text.get("y")) for text in ranks}
        assert min(heights, key=heights.get) == top
        (hole,) = [each for each in picture.iter() if each.get("class") == "missing"]
        assert (hole.get("x"), hole.get("y")) == ("2", "0" if top == "4" else "3")
        knight = [each for each in picture.iter(f"{SVG}use") if each.get("href") == "#knight"]
        if shape == "svg":
            assert knight[0].get("y") == ("3.5" if top == "4" else "0.5")


def test_pictures_stop_by_themselves_and_say_so(kt_cp):
    for shape, count, name in (("svg", 24, "board"), ("animation", 240, "caption")):
        result = kt_cp("trace", "4x4", "--from", 5, "--format", shape)
        assert result.code == 0
        assert result.err == (
            f"kt-cp: the picture stops at board {count + 4}, the search goes on; see --to\n"
        )
        groups = [g.get("class") or "" for g in ET.fromstring(result.out).iter(f"{SVG}g")]
        assert sum(name in group.split() for group in groups) == count
        arguments = ("trace", "4x4", "--from", 5, "--to", count + 4, "--format", shape)
        assert kt_cp(*arguments).err == ""
        assert kt_cp("trace", "3x3", "--from", 29, "--format", shape).err == ""


def test_a_walk_back_to_nothing_is_drawn(kt_cp):
    for shape in ("svg", "animation"):
        result = kt_cp("trace", "3x3", "--from", 30, "--to", 30, "--format", shape)
        assert (result.code, result.err) == (0, "")
        assert "30 · back from a1" in result.out


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.svg", "<svg"),
        ("t.json", '{"board": 1,'),
        ("t.jsonl", '{"board": 1,'),
        ("t.txt", "Board 1:"),
        ("t", "Board 1:"),
    ],
)
def test_the_suffix_says_which_format(kt_cp, tmp_path, name, begins):
    result = kt_cp("trace", "4x4", "--to", 9, "-o", tmp_path / name)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("name", "begins"), [("t.png", b"\x89PNG"), ("t.pdf", b"%PDF")])
def test_one_board_is_painted(kt_cp, tmp_path, name, begins):
    result = kt_cp("trace", "3x4", "--from", 9, "--to", 9, "-o", tmp_path / name)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert (tmp_path / name).read_bytes().startswith(begins)
    result = kt_cp("trace", "33x4", "-o", tmp_path / f"large-{name}")
    refused(result, "sides of at most 32", f"--format {name[2:]}")


def test_files_hold_what_stdout_would(kt_cp, tmp_path):
    for shape in ("text", "json", "svg", "animation"):
        arguments = ("trace", "4x4", "--to", 30, "--format", shape)
        assert kt_cp(*arguments, "-o", tmp_path / "boards", "--force").code == 0
        assert (tmp_path / "boards").read_text(encoding="utf-8") == kt_cp(*arguments).out


def test_nothing_half_written_when_writing_fails(kt_cp, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "boards.txt"
    path.write_text("before")
    monkeypatch.setattr(os, "replace", full)
    refused(kt_cp("trace", "3x3", "-o", path, "--force"), "no space left on device")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
def test_a_full_disk(kt_cp):
    refused(kt_cp("trace", "5x5", "-o", "/dev/full"), "cannot write /dev/full: no space left")


def test_speed(kt_cp):
    arguments = ("trace", "4x4", "--to", 20, "--format", "animation", "--speed")
    lengths = [
        float(re.search(r'dur="([\d.]+)s"', kt_cp(*arguments, speed).out)[1]) for speed in (1, 20)
    ]
    assert lengths[0] > 20 > 4 > lengths[1] > 1


def test_solve_writes_moving_pictures(kt_cp, tmp_path):
    path = tmp_path / "tour.svg"
    arguments = ("solve", "6x6", "--closed", "--missing", "c3,d3", "--format", "animation")
    result = kt_cp(*arguments, "-o", path)
    assert (result.code, result.out) == (0, "")
    groups = [g.get("class") or "" for g in ET.parse(path).getroot().iter(f"{SVG}g")]
    assert sum("square" in group.split() for group in groups) == 34
    refused(
        kt_cp("solve", "65x65", "--format", "animation", "-o", tmp_path / "large.svg"),
        f"at most {MOST_STEPS} squares", "got 4225", "--format svg",
    )  # fmt: skip
    assert list(tmp_path.iterdir()) == [path]
    assert kt_cp("solve", "3x3", "--format", "animation").code == 1


def test_the_largest_pictures_are_drawn(kt_cp):
    assert kt_cp("trace", "4x4", "--format", "svg", "--to", MOST_BOARDS).code == 0
    assert kt_cp("trace", "4x4", "--format", "animation", "--to", MOST_STEPS).code == 0
    for shape in ("svg", "animation"):
        arguments = ("trace", f"{LONGEST_SIDE}x{LONGEST_SIDE}", "--format", shape, "--to", 3)
        assert kt_cp(*arguments).code == 0


FOREVER = ["8x8", "--from", 10**15]


@pytest.fixture
def started():
    processes = []

    def start(*arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        running = subprocess.Popen(
            command_line("trace", *arguments), env=environment(), start_new_session=True, **options
        )
        processes.append(running)
        return running

    yield start
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (FOREVER, signal.SIGINT),
        pytest.param(FOREVER, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param([*FOREVER, "--format", "svg"], signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(["8x8"], signal.SIGINT, marks=pytest.mark.slow),
    ],
    ids=["far-Ctrl-C", "far-terminated", "picture-terminated", "boards-Ctrl-C"],
)
def test_it_ends_at_once_and_leaves_nothing(started, tmp_path, arguments, key):
    path = tmp_path / "boards"
    path.write_text("before")
    running = started(*arguments, "-o", path, "--force")
    # The file opens after the imports, just before the search.
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    wait_until(lambda: busy(psutil.Process(running.pid), 1.0))
    assert running.poll() is None
    if key == signal.SIGINT:
        assert end(running, key) == (130, b"", b"kt-cp: interrupted\n")
    else:
        assert end(running, key) == (128 + signal.SIGTERM, b"", b"")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_while_boards_are_read(started):
    running = started("8x8")
    for _ in range(100):
        assert running.stdout.readline()
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (130, b"kt-cp: interrupted\n")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "options", [[], pytest.param(["--json"], marks=pytest.mark.slow)], ids=["text", "json"]
)
def test_a_reader_who_has_enough(started, options):
    running = started("8x8", *options)
    assert running.stdout.readline()
    running.stdout.close()
    assert running.wait(PATIENCE) == 0
    assert running.stderr.read() == b""
    running.stdout = None
