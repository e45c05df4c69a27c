"""``kt-cp solve -o FILE.npy``: step numbers as a NumPy array, streamed, whole or not there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from kt_cp import Board, Problem, parse_square
from kt_cp.trust.judge.array import array_defects
from tests.examples.computed_tours import built
from tests.support.command_line import at_most, refused

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")
BOARDS = [
    ["6x9", "--closed"],
    ["7x7", "--start", "c3"],
    ["30x40", "--start", "b3", "--end", "b30"],
    ["101x120", "--end", "c7"],
    ["5x6", "--missing", "c3"],
    ["1x1"],
]


@pytest.mark.parametrize("words", BOARDS, ids=" ".join)
def test_it_holds_the_tour(kt_cp, tmp_path, words):
    path = tmp_path / "tour.npy"
    ran = kt_cp("solve", *words, "-o", path)
    assert (ran.code, ran.out) == (0, "")
    assert "FOUND by " in ran.err and "; verified, replayed" in ran.err
    assert list(tmp_path.iterdir()) == [path]
    array = np.load(path)
    document = json.loads(kt_cp("solve", *words, "--json").out)
    board = document["problem"]["rows"], document["problem"]["columns"]
    assert (array.shape, array.dtype) == (board, np.int32)
    wanted = np.zeros(board, int)
    for step, name in enumerate(document["tour"], start=1):
        wanted[parse_square(name)] = step
    assert (array == wanted).all()
    assert path.read_bytes().startswith(b"\x93NUMPY\x01\x00")
    assert (np.load(path, mmap_mode="r") == wanted).all() and not np.isfortran(array)
    options = [word for word in words if word.startswith("--")]
    if not {"--start", "--end"} & set(options):
        assert kt_cp("check", path, *words[1:]).code == 0


def test_it_is_the_grid_that_is_printed(kt_cp, tmp_path):
    kt_cp("solve", "120x100", "--closed", "-o", tmp_path / "tour.npy")
    grid = kt_cp("solve", "120x100", "--closed").out.splitlines()
    rows = [line.split("│")[1].split() for line in grid if "│" in line]
    assert [[int(cell) for cell in row] for row in rows[::-1]] == np.load(
        tmp_path / "tour.npy"
    ).tolist()


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint32", "int64", "uint64", ">i4", "<u2", "i8"]
)
def test_the_type_may_be_chosen(kt_cp, tmp_path, dtype):
    path = tmp_path / "tour"
    assert kt_cp("solve", "6x8", "--format", "npy", "--dtype", dtype, "-o", path).code == 0
    array = np.load(path)
    assert array.dtype == np.dtype(dtype)
    assert sorted(array.reshape(-1).tolist()) == list(range(1, 49))
    assert path.stat().st_size == 128 + 48 * np.dtype(dtype).itemsize


def test_larger_boards_are_the_constructed_tour(kt_cp, tmp_path):
    problem = Problem(Board(2000, 3000), start=(5, 5), end=(1999, 2))
    words = ("2000x3000", "--start", "f6", "--end", "c2000")
    ran = kt_cp("solve", *words, "-o", tmp_path / "tour.npy")
    assert ran.err.endswith("verified; judged but not replayed: more than 2,097,152 squares\n")
    array = np.load(tmp_path / "tour.npy", mmap_mode="r")
    assert array_defects(problem, array) == []
    assert (array == built(problem).to_array()).all()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("8x8 --format npy", ["expected -o FILE, got stdout"]),
        ("8x8 --format npy -o -", ["expected -o FILE, got stdout"]),
        ("8x8 --dtype int32", ["--dtype is for .npy files", "got grid"]),
        ("8x8 --dtype int32 --json", ["--dtype is for .npy files", "got json"]),
        ("8x8 --dtype int32 -o t.svg", ["--dtype is for .npy files", "got svg"]),
        ("16x16 --dtype int8 -o t.npy", ["int8 holds numbers to 127", "256 steps", "int32"]),
        ("16x16 --dtype uint8 -o t.npy", ["uint8 holds numbers to 255", "256 steps"]),
        ("50000x50000 --dtype int32 -o t.npy", ["to 2,147,483,647", "expected int64"]),
        ("8x8 --dtype float64 -o t.npy", ["of integers such as int32, got float64"]),
        ("8x8 --dtype bool -o t.npy", ["of integers such as int32, got bool"]),
        ("8x8 --dtype nonsense -o t.npy", ["of integers such as int32, got 'nonsense'"]),
        ("8x8 --dtype '' -o t.npy", ["of integers such as int32"]),
        ("3x3 --dtype float64 -o t.npy", ["of integers such as int32"]),
        ("1000000x1000000 -o t.npy", ["takes 8,000.0 GB", "kt-cp locate"]),
        ("1000000000x1000000000 --closed -o t.npy", ["8,000,000,000.0 GB", "kt-cp locate"]),
        ("9999999999x9999999999 -o t.npy", ["arrays hold numbers to 9,223,", "kt-cp locate"]),
        ("3000x3000 --missing a1,b1 -o t.npy", ["auto is limited to 4,000,000 squares"]),
        ("2000x2000 --engine backtrack -o t.npy", ["backtrack is limited to", "--engine warns"]),
        ("8x8 -o there.npy", ["there.npy exists already: expected --force to overwrite it"]),
        ("8x8 -o no/t.npy", ["cannot write no/t.npy: no such file or directory"]),
        ("8x8 -o . --format npy", ["cannot write .: it is a directory"]),
    ],
)
def test_bad_input(kt_cp, tmp_path, monkeypatch, line, said):
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "there.npy"
    there.write_text("before")
    refused(kt_cp("solve", *shlex.split(line)), *said)
    assert list(tmp_path.iterdir()) == [there]
    assert there.read_text() == "before"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("3x3", "b2 has no moves"),
        ("1001x1001 --closed", "dark squares"),
        ("2x999999999999999999", "can only be an end of a tour"),
        ("4x1000000000 --closed", "Schwenk"),
    ],
)
def test_where_there_is_no_tour_there_is_no_file(kt_cp, tmp_path, line, said):
    ran = kt_cp("solve", *line.split(), "-o", tmp_path / "t.npy")
    assert ran.code == 1
    assert ran.out.startswith("No tour (") and said in ran.out
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_an_unknown(kt_cp, tmp_path):
    ran = kt_cp(
        "solve", "8x8", "--missing", "a1", "--engine", "construct", "-o", tmp_path / "t.npy"
    )
    assert (ran.code, list(tmp_path.iterdir())) == (3, [])


def test_what_is_there_stays_until_it_is_forced(kt_cp, tmp_path):
    path = tmp_path / "t.npy"
    path.write_text("before")
    refused(kt_cp("solve", "10000x10000", "--closed", "-o", path), "exists already")
    assert path.read_text() == "before"
    assert kt_cp("solve", "100x100", "--closed", "-o", path, "--force").code == 0
    assert np.load(path).shape == (100, 100)
    assert list(tmp_path.iterdir()) == [path]


# Disks that are full


def test_a_disk_too_small_is_seen_before_the_search(kt_cp, tmp_path, monkeypatch):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(4 * 100 * 100 + 127))
    refused(
        kt_cp("solve", "100x100", "-o", tmp_path / "t.npy"), "takes 40.1 kB, and 40.1 kB are free"
    )
    assert (
        kt_cp("solve", "100x100", "--dtype", "int64", "-o", os.devnull, "--format", "npy").code == 0
    )
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(4 * 100 * 100 + 128))
    assert kt_cp("solve", "100x100", "-o", tmp_path / "t.npy").code == 0


@POSIX
@pytest.mark.parametrize("force", [False, True])
def test_a_disk_that_fills_up_leaves_nothing(kt_cp, tmp_path, force):
    path = tmp_path / "t.npy"
    if force:
        path.write_text("before")
    with at_most(1 << 14):
        ran = kt_cp("solve", "100x100", "-o", path, *["--force"] * force)
    refused(ran, f"cannot write {path}: file too large")
    assert list(tmp_path.iterdir()) == [path] * force
    assert not force or path.read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
@pytest.mark.parametrize("board", ["6x6", "200x200"])
def test_a_full_device(kt_cp, board):
    ran = kt_cp("solve", board, "--format", "npy", "-o", "/dev/full")
    refused(ran, "cannot write /dev/full: no space left on device")
