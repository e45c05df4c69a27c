"""Arrays on the command line: ``solve -o FILE.npy`` writes them, ``check FILE.npy`` reads them."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from kt_cp import Board, Problem, parse_square
from kt_cp.formats import array as reading
from kt_cp.formats.array import ArrayFile
from kt_cp.model.document import problem_document
from kt_cp.model.errors import TourFileError
from kt_cp.trust.judge import array as judging
from kt_cp.trust.judge.array import array_defects
from tests.examples.arrays import tiled, tour_array, tour_squares
from tests.examples.computed_tours import built
from tests.support.command_line import (
    at_most,
    environment,
    interrupts,
    leaves_nothing,
    refused,
    run_cli,
)
from tests.support.exhaustive import more

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
    result = kt_cp("solve", *words, "-o", path)
    assert (result.code, result.out) == (0, "")
    assert "FOUND by " in result.err and "; verified, replayed" in result.err
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
    result = kt_cp("solve", *words, "-o", tmp_path / "tour.npy")
    assert result.err.endswith("verified; judged but not replayed: more than 2,097,152 squares\n")
    array = np.load(tmp_path / "tour.npy", mmap_mode="r")
    assert array_defects(problem, array) == []
    assert (array == built(problem).to_array()).all()


@pytest.mark.parametrize(
    ("line", "messages"),
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
        ("2000x2000 --engine backtrack -o t.npy", ["backtrack is limited to", "engine warns"]),
        ("8x8 -o there.npy", ["there.npy exists already: expected --force to overwrite it"]),
        ("8x8 -o no/t.npy", ["cannot write no/t.npy: no such file or directory"]),
        ("8x8 -o . --format npy", ["cannot write .: it is a directory"]),
    ],
)
def test_bad_input(kt_cp, tmp_path, monkeypatch, line, messages):
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "there.npy"
    there.write_text("before")
    refused(kt_cp("solve", *shlex.split(line)), *messages)
    assert list(tmp_path.iterdir()) == [there]
    assert there.read_text() == "before"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("3x3", "b2 has no moves"),
        ("1001x1001 --closed", "dark squares"),
        ("2x999999999999999999", "can only be an end of a tour"),
        ("4x1000000000 --closed", "Schwenk"),
    ],
)
def test_where_there_is_no_tour_there_is_no_file(kt_cp, tmp_path, line, reason):
    result = kt_cp("solve", *line.split(), "-o", tmp_path / "t.npy")
    assert result.code == 1
    assert result.out.startswith("No tour (") and reason in result.out
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_an_unknown(kt_cp, tmp_path):
    result = kt_cp(
        "solve", "8x8", "--missing", "a1", "--engine", "construct", "-o", tmp_path / "t.npy"
    )
    assert (result.code, list(tmp_path.iterdir())) == (3, [])


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
        result = kt_cp("solve", "100x100", "-o", path, *["--force"] * force)
    refused(result, f"cannot write {path}: file too large")
    assert list(tmp_path.iterdir()) == [path] * force
    assert not force or path.read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
@pytest.mark.parametrize("board", ["6x6", "200x200"])
def test_a_full_device(kt_cp, board):
    result = kt_cp("solve", board, "--format", "npy", "-o", "/dev/full")
    refused(result, "cannot write /dev/full: no space left on device")


# Interrupts during slow writing

SLOWLY = """
import sys, time
from kt_cp import cli
from kt_cp.model import arrays
from kt_cp.cli.output import OutputFile
arrays.BAND_BYTES = 1 << 20
add = OutputFile.add
def slow(self, piece):
    time.sleep(0.05)
    return add(self, piece)
OutputFile.add = slow
sys.argv = ["kt-cp", "solve", "3000x3000", "--closed", "-o", *sys.argv[1:]]
cli.main()
"""


@pytest.mark.slow
@POSIX
@interrupts
def test_an_interrupt_leaves_nothing(tmp_path, number, code, stderr):
    forced = code == 130
    leaves_nothing(tmp_path / "t.npy", SLOWLY, number, code, stderr, forced=forced)


# Memory

MEASURED = """
from pathlib import Path
from kt_cp import cli
try:
    cli.main()
finally:
    # Not getrusage: its figure begins with that of the parent process.
    print(Path("/proc/self/status").read_text())
"""


def megabytes(*arguments):
    """Return the peak resident memory of a command."""
    code = f"import sys; sys.argv = ['kt-cp', *sys.argv[1:]]{MEASURED}"
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment(), timeout=300,
        capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return int(re.search(r"VmHWM:\s*(\d+) kB", ended.stdout)[1]) // 1024


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
@pytest.mark.parametrize(
    ("board", "words", "most"),
    [
        ("5000x5000", ["--closed"], 150),
        ("5000x5000", ["--dtype", "uint32", "--memory-limit", 1000], 150),
        *more([], [("20000x20000", ["--closed"], 300)]),
    ],
)
def test_a_file_of_100_megabytes_or_1_6_gigabytes_takes_little_memory(tmp_path, board, words, most):
    path = tmp_path / "t.npy"
    try:
        assert megabytes("solve", board, *words, "-o", path) < most
        array = np.load(path, mmap_mode="r")
        made = built(Problem(Board.parse(board), closed="--closed" in words))
        assert path.stat().st_size == 128 + 4 * made.size
        for seed in range(1000):
            square = seed * 7919 % array.shape[0], seed * 104_729 % array.shape[1]
            assert array[square] == made.step(square), f"{square}"
        del array
    finally:
        path.unlink(missing_ok=True)


def npy(array, **options):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


@pytest.fixture
def check_array(kt_cp, tmp_path):
    """Run ``check`` on an array, or on bytes."""
    path = tmp_path / "claim.npy"

    def run(data, *options):
        path.write_bytes(data if isinstance(data, bytes) else npy(data))
        return kt_cp("check", path, *options)

    return run


@pytest.fixture
def closed():
    return tour_array(6, 6, closed=True)


# --- tours ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_type_and_order(check_array, closed, dtype, order):
    result = check_array(np.array(closed, dtype, order=order))
    assert (result.code, result.err) == (0, "")
    assert result.out == "A valid tour (6x6, open): 36 squares, closed as well\n"


def test_the_board_is_the_shape_of_the_array(check_array):
    for rows, columns in ((3, 4), (4, 3), (5, 30), (30, 5), (1, 1)):
        result = check_array(tour_array(rows, columns))
        assert result.out.startswith(
            f"A valid tour ({rows}x{columns}, open): {rows * columns} square"
        )
        assert check_array(tour_array(rows, columns), "--board", f"{rows}x{columns}").code == 0


def test_row_0_is_rank_1(check_array):
    squares = tour_squares(3, 4)
    document = json.loads(check_array(tour_array(3, 4), "--json").out)
    file, rank = "abcd"[squares[0][1]], squares[0][0] + 1
    assert document["start"] == f"{file}{rank}"
    assert check_array(tour_array(3, 4), "--start", f"{file}{rank}").code == 0


def test_options(check_array, closed):
    result = check_array(closed, "--closed")
    assert (result.code, result.out) == (0, "A valid tour (6x6, closed): 36 squares\n")
    result = check_array(tour_array(3, 4), "--closed")
    assert (result.code, result.out.splitlines()[0]) == (1, "Not a tour (3x4, closed): 1 defect")
    assert check_array(closed, "--start", "b1" if closed[0, 1] != 1 else "a1").code == 1
    assert check_array(closed, "--end", "b1" if closed[0, 1] != 36 else "a1").code == 1
    refused(check_array(closed, "--closed", "--end", "a1"), "expected no end")
    refused(check_array(closed, "--board", "6x7"), "expected an array of the 6x7 board", "(6, 6)")
    refused(check_array(closed.T[:4], "--board", "6x4"), "6x4", "(4, 6)")
    refused(check_array(closed, "--board", "hello"), "hello")
    refused(check_array(closed, "--missing", "h8"), "6x6")


def test_missing_squares(check_array):
    numbers = tour_array(6, 6, missing=((2, 2), (3, 2)))
    result = check_array(numbers, "--missing", "c3,c4")
    assert (result.code, result.out) == (0, "A valid tour (6x6 without c3, c4, open): 34 squares\n")
    assert check_array(numbers, "--board", "6x6", "--missing", "c3,c4").code == 0
    result = check_array(numbers)
    assert (result.code, "2 squares unvisited: c3, c4" in result.out) == (1, True)
    result = check_array(tour_array(6, 6), "--missing", "c3")
    assert (result.code, "missing square c3 used" in result.out) == (1, True)
    # A single 0 on the one missing square does not make the array count from 0.
    hole = tour_array(7, 7, missing=((3, 3),))
    assert check_array(hole, "--missing", "d4").code == 0


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", ">i2", "u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_counting_from_0(check_array, closed, dtype, order):
    numbers = np.array(closed - 1, dtype, order=order)
    result = check_array(numbers, "--closed")
    assert (result.code, result.out) == (0, "A valid tour (6x6, closed): 36 squares\n")
    document = json.loads(check_array(numbers, "--json").out)
    assert (document["squares"], document["valid"]) == (36, True)
    numbers[0, 0], numbers[0, 1] = numbers[0, 1], numbers[0, 0]
    result = check_array(numbers)
    assert (result.code, "illegal move" in result.out, "unvisited" in result.out) == (
        1,
        True,
        False,
    )


def test_counting_from_0_to_the_highest_number_of_a_type(check_array):
    assert check_array(tour_array(16, 16).astype("i4") - 1).code == 0
    assert check_array((tour_array(16, 16) - 1).astype("u1")).code == 0


def test_two_zeros_are_not_where_it_starts(check_array, closed):
    numbers = closed - 1
    numbers[numbers == 35] = 0
    result = check_array(numbers)
    assert (result.code, "2 squares unvisited" in result.out) == (1, True)
    closed[closed == 5] = 0  # a 0 at one square, but the last number is 36
    result = check_array(closed)
    assert (result.code, "its number is 0, expected 1 to 36" in result.out) == (1, True)


def test_json_of_an_array(check_array, closed):
    names = [f"{'abcdef'[column]}{row + 1}" for row, column in tour_squares(6, 6, closed=True)]
    assert json.loads(check_array(closed, "--json").out) == {
        "schema_version": 1,
        "problem": problem_document(Problem(Board(6, 6))),
        "squares": 36,
        "start": names[0],
        "end": names[-1],
        "valid": True,
        "defects": [],
    }  # fmt: skip
    closed[closed == 36] = 0
    closed[closed == 35] = 0
    result = check_array(closed, "--json")
    document = json.loads(result.out)
    assert (result.code, document["valid"], document["squares"]) == (1, False, 34)
    assert (document["start"], document["end"]) == (names[0], names[33])
    assert [defect["rule"] for defect in document["defects"]] == ["square unvisited"]
    document = json.loads(check_array(np.zeros((2, 2), int), "--json").out)
    assert (document["squares"], document["start"], document["end"]) == (0, None, None)


def test_every_defect_of_a_small_array_is_printed(check_array, closed):
    closed[closed == 20] = 21
    result = check_array(closed, "--start", "a2" if closed[1, 0] != 1 else "a1")
    assert result.code == 1
    for words in ("step 21 repeated: ", "illegal move to ", "wrong start: "):
        assert words in result.out


@pytest.mark.slow
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("longest", [4, 1 << 24])
@pytest.mark.parametrize("bytes_", [1, 40, 100])
def test_bands_of_any_size(check_array, monkeypatch, closed, order, longest, bytes_):
    monkeypatch.setattr(reading, "BAND_BYTES", bytes_)
    monkeypatch.setattr(reading, "LONGEST_LINE", longest)
    monkeypatch.setattr(judging, "EXACT_SQUARES", 20)
    for numbers in (tour_array(3, 10), tour_array(10, 3), closed, closed - 1):
        array = np.array(numbers, order=order)
        file = ArrayFile(io.BytesIO(npy(array)))
        assert np.array_equal(file.whole(), numbers)
        assert check_array(array).code == 0
        one, two = np.argwhere(numbers == 7)[0], np.argwhere(numbers == 12)[0]
        array[tuple(one)], array[tuple(two)] = 12, 7
        result = check_array(array)
        assert (result.code, "illegal move to" in result.out) == (1, True)
        assert "no square a knight's move away holds" in result.out


def test_array_on_stdin(closed):
    result = run_cli("check", "-", "--closed", stdin=npy(closed))
    assert (result.code, result.out, result.err) == (
        0,
        "A valid tour (6x6, closed): 36 squares\n",
        "",
    )
    refused(run_cli("check", "-", stdin=npy(closed)[:-1]), "expected 144 bytes", "got 143")


def test_defects_of_a_large_array_are_a_few_squares(check_array):
    result = check_array(tiled(1200, 900))
    assert result.code == 1
    assert len(result.out.splitlines()) < 10
    assert "some step repeated: 1080000 squares, and no step 1080000" in result.out


# --- files that cannot be read --------------------------------------------------------------------


def header(text, version=(1, 0)):
    """Return a file with any header, followed by numbers of 36 squares."""
    data = text.encode() if isinstance(text, str) else text
    length = struct.pack("<H" if version[0] == 1 else "<I", len(data))
    return b"\x93NUMPY" + bytes(version) + length + data + bytes(144)


def described(shape="(6, 6)", descr="'<i4'", fortran="False"):
    text = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}"
    return header(text.ljust(117) + "\n")


def test_a_header_made_by_hand_is_read(check_array):
    refused(check_array(described(shape="(6, 7)")), "expected 168 bytes", "(6, 7)", "got 144")
    assert "36 squares unvisited" in check_array(described()).out


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (described(shape="(36,)"), "array of rows and columns, got shape (36,)"),
        (described(shape="(1, 6, 6)"), "got shape (1, 6, 6)"),
        (described(shape="()"), "got shape ()"),
        (described(shape="(0, 6)"), "got shape (0, 6)"),
        (described(shape="(-6, -6)"), "got shape (-6, -6)"),
        (described(shape="(6.0, 6)"), "header"),
        (described(shape="'ab'"), "header"),
        (described(shape="(10**9, 6)"), "header"),
        (described(shape=f"({10**17}, {10**17})"), "bytes of numbers"),
        (described(shape="(" + "9" * 4000 + ", 6)"), "rows and columns"),
        (described(shape="(" + "9" * 9000 + ", 6)"), "header"),
        (described(shape="(" + "1, " * 3000 + ")"), "rows and columns"),
        (described(descr="'<f4'"), "whole numbers, got dtype float32"),
        (described(descr="'|O'"), "whole numbers, got dtype object"),
        (described(descr="'|b1'"), "whole numbers, got dtype bool"),
        (described(descr="'<c8'"), "complex64"),
        (described(descr="'<U1'"), "<U1"),
        (described(descr="'<m8[s]'"), "timedelta64"),
        (described(descr="[('a', '<i4')]"), "[('a', '<i4')]"),
        (described(descr="('<i4', (6,))"), "whole numbers"),
        (described(descr="'nonsense'"), "header"),
        (described(descr="__import__('os')"), "header"),
        (described(fortran="2"), "header"),
        (header("{}"), "header"),
        (header("[" * 5000), "header"),
        (header(b"\xff\xfe" * 30), "header"),
        (header(""), "header"),
        (header("{'descr': '<i4'" + " " * 20_000, (2, 0)), "header"),
        (header("{}", (3, 0)), "format 1.0 or 2.0, got (3, 0)"),
        (header("{}", (9, 9)), "format 1.0 or 2.0, got (9, 9)"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "header"),
        (b"\x93NUMPY", "header"),
        (b"\x93NUMPY\x01", "header"),
    ],
    ids=lambda value: repr(value[-190:-140])[:40],
)  # fmt: skip
def test_headers_that_are_not_trusted(check_array, data, words):
    refused(check_array(data), words)


def test_arrays_of_objects_are_not_unpickled(check_array, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    data = npy(np.array([[Trap()] * 2] * 2, dtype=object), allow_pickle=True)
    refused(check_array(data), "got dtype object")
    assert not (tmp_path / "sprung").exists()


def test_truncated_anywhere_and_too_long(check_array, closed):
    data = npy(closed)
    for length in (*range(6, 130, 3), *range(128, len(data), 17)):
        refused(check_array(data[:length]))
    refused(check_array(data + b"\0"), "expected 144 bytes", "got 145")
    assert check_array(data).code == 0


def test_any_byte_of_the_header_may_be_wrong(tmp_path, closed):
    data = npy(closed)
    rng = random.Random(93)
    for _ in range(3000):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(6, 128)] = rng.choice(b"\0\xff'\"(){}[],:0123456789<>|iufOb \n")
        try:
            file = ArrayFile(io.BytesIO(bytes(changed)))
        except TourFileError as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 400
        else:
            assert file.whole().nbytes == 144


def test_a_file_that_shrinks_while_it_is_read(tmp_path, closed):
    path = tmp_path / "tour.npy"
    path.write_bytes(npy(closed))
    with path.open("rb") as file:
        array = ArrayFile(file)
        path.write_bytes(npy(closed)[:200])
        with pytest.raises(TourFileError, match="shorter"):
            list(array.bands())


def test_zipped_arrays_are_refused(check_array, tmp_path, closed):
    np.savez(tmp_path / "tour.npz", closed)
    refused(check_array((tmp_path / "tour.npz").read_bytes()))
