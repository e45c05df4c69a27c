"""``kt-cp check FILE.npy``: arrays of step numbers, and files that only look like them."""

from __future__ import annotations

import io
import json
import random
import struct

import numpy as np
import pytest

from kt_cp import Board, Problem
from kt_cp.formats import array as reading
from kt_cp.formats.array import ArrayFile
from kt_cp.model.document import problem_document
from kt_cp.model.errors import TourFileError
from kt_cp.trust.judge import array as judging
from tests.examples.arrays import tiled, tour_array, tour_squares
from tests.support.command_line import refused, run_cli


def npy(array, **options):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


@pytest.fixture
def check(kt_cp, tmp_path):
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
def test_every_type_and_order(check, closed, dtype, order):
    ran = check(np.array(closed, dtype, order=order))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "A tour (6x6, open): 36 squares, closed as well\n"


def test_the_board_is_the_shape_of_the_array(check):
    for rows, columns in ((3, 4), (4, 3), (5, 30), (30, 5), (1, 1)):
        ran = check(tour_array(rows, columns))
        assert ran.out.startswith(f"A tour ({rows}x{columns}, open): {rows * columns} square")
        assert check(tour_array(rows, columns), "--board", f"{rows}x{columns}").code == 0


def test_row_0_is_rank_1(check):
    squares = tour_squares(3, 4)
    document = json.loads(check(tour_array(3, 4), "--json").out)
    file, rank = "abcd"[squares[0][1]], squares[0][0] + 1
    assert document["start"] == f"{file}{rank}"
    assert check(tour_array(3, 4), "--start", f"{file}{rank}").code == 0


def test_options(check, closed):
    ran = check(closed, "--closed")
    assert (ran.code, ran.out) == (0, "A tour (6x6, closed): 36 squares\n")
    ran = check(tour_array(3, 4), "--closed")
    assert (ran.code, ran.out.splitlines()[0]) == (1, "Not a tour (3x4, closed): 1 defect")
    assert check(closed, "--start", "b1" if closed[0, 1] != 1 else "a1").code == 1
    assert check(closed, "--end", "b1" if closed[0, 1] != 36 else "a1").code == 1
    refused(check(closed, "--closed", "--end", "a1"), "expected no end")
    refused(check(closed, "--board", "6x7"), "expected an array of the 6x7 board", "(6, 6)")
    refused(check(closed.T[:4], "--board", "6x4"), "6x4", "(4, 6)")
    refused(check(closed, "--board", "hello"), "hello")
    refused(check(closed, "--missing", "h8"), "6x6")


def test_missing_squares(check):
    numbers = tour_array(6, 6, missing=((2, 2), (3, 2)))
    ran = check(numbers, "--missing", "c3,c4")
    assert (ran.code, ran.out) == (0, "A tour (6x6 without c3, c4, open): 34 squares\n")
    assert check(numbers, "--board", "6x6", "--missing", "c3,c4").code == 0
    ran = check(numbers)
    assert (ran.code, "2 squares unvisited: c3, c4" in ran.out) == (1, True)
    ran = check(tour_array(6, 6), "--missing", "c3")
    assert (ran.code, "missing square c3 used" in ran.out) == (1, True)
    # A single 0 on the one missing square does not make the array count from 0.
    hole = tour_array(7, 7, missing=((3, 3),))
    assert check(hole, "--missing", "d4").code == 0


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", ">i2", "u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_counting_from_0(check, closed, dtype, order):
    numbers = np.array(closed - 1, dtype, order=order)
    ran = check(numbers, "--closed")
    assert (ran.code, ran.out) == (0, "A tour (6x6, closed): 36 squares\n")
    document = json.loads(check(numbers, "--json").out)
    assert (document["squares"], document["valid"]) == (36, True)
    numbers[0, 0], numbers[0, 1] = numbers[0, 1], numbers[0, 0]
    ran = check(numbers)
    assert (ran.code, "illegal move" in ran.out, "unvisited" in ran.out) == (1, True, False)


def test_counting_from_0_to_the_highest_number_of_a_type(check):
    assert check(tour_array(16, 16).astype("i4") - 1).code == 0
    assert check((tour_array(16, 16) - 1).astype("u1")).code == 0


def test_two_zeros_are_not_where_it_starts(check, closed):
    numbers = closed - 1
    numbers[numbers == 35] = 0
    ran = check(numbers)
    assert (ran.code, "2 squares unvisited" in ran.out) == (1, True)
    closed[closed == 5] = 0  # one 0, but it counts to 36
    ran = check(closed)
    assert (ran.code, "its number is 0, expected 1 to 36" in ran.out) == (1, True)


def test_json_of_an_array(check, closed):
    names = [f"{'abcdef'[column]}{row + 1}" for row, column in tour_squares(6, 6, closed=True)]
    assert json.loads(check(closed, "--json").out) == {
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
    ran = check(closed, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["valid"], document["squares"]) == (1, False, 34)
    assert (document["start"], document["end"]) == (names[0], names[33])
    assert [defect["rule"] for defect in document["defects"]] == ["square unvisited"]
    document = json.loads(check(np.zeros((2, 2), int), "--json").out)
    assert (document["squares"], document["start"], document["end"]) == (0, None, None)


def test_every_defect_of_a_small_array_is_told(check, closed):
    closed[closed == 20] = 21
    ran = check(closed, "--start", "a2" if closed[1, 0] != 1 else "a1")
    assert ran.code == 1
    for words in ("step 21 repeated: ", "illegal move to ", "wrong start: "):
        assert words in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("longest", [4, 1 << 24])
@pytest.mark.parametrize("bytes_", [1, 40, 100])
def test_bands_of_any_size(check, monkeypatch, closed, order, longest, bytes_):
    monkeypatch.setattr(reading, "BAND_BYTES", bytes_)
    monkeypatch.setattr(reading, "LONGEST_LINE", longest)
    monkeypatch.setattr(judging, "EXACT_SQUARES", 20)
    for numbers in (tour_array(3, 10), tour_array(10, 3), closed, closed - 1):
        shown = np.array(numbers, order=order)
        file = ArrayFile(io.BytesIO(npy(shown)))
        assert np.array_equal(file.whole(), numbers)
        assert check(shown).code == 0
        one, two = np.argwhere(numbers == 7)[0], np.argwhere(numbers == 12)[0]
        shown[tuple(one)], shown[tuple(two)] = 12, 7
        ran = check(shown)
        assert (ran.code, "illegal move to" in ran.out) == (1, True)
        assert "no square a knight's move away holds" in ran.out


def test_array_on_stdin(closed):
    ran = run_cli("check", "-", "--closed", stdin=npy(closed))
    assert (ran.code, ran.out, ran.err) == (0, "A tour (6x6, closed): 36 squares\n", "")
    refused(run_cli("check", "-", stdin=npy(closed)[:-1]), "expected 144 bytes", "got 143")


def test_a_large_array_is_told_by_a_few_squares(check):
    ran = check(tiled(1200, 900))
    assert ran.code == 1
    assert len(ran.out.splitlines()) < 10
    assert "some step repeated: 1080000 squares, and no step 1080000" in ran.out


# --- files that cannot be read --------------------------------------------------------------------


def header(text, version=(1, 0)):
    """A header that says anything, with numbers of 36 squares behind it."""
    data = text.encode() if isinstance(text, str) else text
    length = struct.pack("<H" if version[0] == 1 else "<I", len(data))
    return b"\x93NUMPY" + bytes(version) + length + data + bytes(144)


def described(shape="(6, 6)", descr="'<i4'", fortran="False"):
    text = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}"
    return header(text.ljust(117) + "\n")


def test_a_header_made_by_hand_is_read(check):
    refused(check(described(shape="(6, 7)")), "expected 168 bytes", "(6, 7)", "got 144")
    assert "36 squares unvisited" in check(described()).out


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
def test_headers_that_are_not_trusted(check, data, words):
    refused(check(data), words)


def test_arrays_of_objects_are_not_unpickled(check, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    data = npy(np.array([[Trap()] * 2] * 2, dtype=object), allow_pickle=True)
    refused(check(data), "got dtype object")
    assert not (tmp_path / "sprung").exists()


def test_truncated_anywhere_and_too_long(check, closed):
    data = npy(closed)
    for length in (*range(6, 130, 3), *range(128, len(data), 17)):
        refused(check(data[:length]))
    refused(check(data + b"\0"), "expected 144 bytes", "got 145")
    assert check(data).code == 0


def test_any_byte_of_the_header_may_be_wrong(tmp_path, closed):
    data = npy(closed)
    rng = random.Random(93)
    for _ in range(3000):
        wrong = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            wrong[rng.randrange(6, 128)] = rng.choice(b"\0\xff'\"(){}[],:0123456789<>|iufOb \n")
        try:
            file = ArrayFile(io.BytesIO(bytes(wrong)))
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


def test_zipped_arrays_are_refused(check, tmp_path, closed):
    np.savez(tmp_path / "tour.npz", closed)
    refused(check((tmp_path / "tour.npz").read_bytes()))
