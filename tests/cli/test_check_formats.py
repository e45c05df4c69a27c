"""``kt-cp check``: what solve writes, and files that cannot be read."""

from __future__ import annotations

import os

import pytest

from kt_cp import Board
from kt_cp.cli import output
from kt_cp.formats import read
from kt_cp.formats.table import FORMATS, Subject, formats_of
from tests.support.command_line import refused, run_cli

QUESTIONS = [
    ("1x1", []),
    ("3x4", []),
    ("6x6", ["--closed"]),
    ("6x6", ["--missing", "c3,c4", "--start", "a1", "--end", "f1"]),
    ("5x6", ["--missing", "a1,f1"]),
    ("4x30", []),
    ("30x5", ["--missing", "c30"]),
    ("100x100", ["--closed"]),
]


READ = [each for each in formats_of(Subject.TOUR) if FORMATS[each].read_by == "check"]


@pytest.mark.parametrize("shape", READ)
@pytest.mark.parametrize(("board", "options"), QUESTIONS, ids=lambda value: "".join(value))
def test_what_solve_writes_is_a_tour(kt_cp, tmp_path, board, options, shape):
    path = tmp_path / "tour"
    ran = kt_cp("solve", board, *options, "--format", shape, "-o", path)
    assert ran.code == 0
    # An outcome says everything, a grid its board, an array its sides, a list of squares nothing.
    holes = options[:2] if options[:1] == ["--missing"] else []
    known = {"json": options, "grid": holes}
    told = [option for option in options if option not in known.get(shape, [])]
    if shape in ("names", "csv"):
        told += ["--board", board]
    ran = kt_cp("check", path, *told)
    assert ran.err == ""
    squares = len(Board.parse(board, options[1] if "--missing" in options else ""))
    assert ran.out.startswith(f"A tour ({board}")
    assert f"): {squares} square" in ran.out
    assert ran.code == 0


def test_pictures_are_not_read(kt_cp, tmp_path):
    path = tmp_path / "tour.svg"
    assert kt_cp("solve", "5x5", "-o", path).code == 0
    refused(kt_cp("check", path), "line 1")


@pytest.mark.parametrize("options", [["--json"], ["--format", "names"], []])
def test_stdin(kt_cp, options):
    tour = kt_cp("solve", "6x6", "--closed", *options)
    ran = run_cli("check", "-", "--closed", stdin=tour.out.encode())
    assert (ran.code, ran.out) == (0, "A tour (6x6, closed): 36 squares\n")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"a1 b3 \xff", "line 1: expected UTF-8 text, got byte 0xff"),
        ("a1 b3".encode("utf-16"), "UTF-8"),
        (b'{"problem": {"rows": 5, "col', "line 1: not complete JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"problem": ' * 100_000, "nested too deeply"),
        (b"[" + b"9" * 10_000 + b"]", "number too long"),
        (b"step,square\n", "--board"),
        (b"[]", "--board"),
        (bytes(range(1, 128)), "line 1"),
        (b"hello", "'hello'"),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_malformed(check, data, words):
    refused(check(data), words)


def test_truncated_anywhere(check):
    # A cut-off outcome is never a tour; a cut-off list is a wrong one.
    outcome = run_cli("solve", "5x5", "--json").out
    for length in range(0, len(outcome.rstrip()), 23):
        refused(check(outcome[:length]))
    assert check(outcome).code == 0


def test_unreadable(kt_cp, tmp_path, monkeypatch):
    refused(kt_cp("check", tmp_path / "nowhere"), "cannot read", "no such file")
    refused(kt_cp("check", tmp_path), "cannot read")
    refused(kt_cp("check", ""), "cannot read")
    refused(kt_cp("check", os.devnull), "empty")
    (tmp_path / "long").write_bytes(b"a1 " * 400_000)
    monkeypatch.setattr(read, "MOST_BYTES", 1 << 20)
    refused(kt_cp("check", tmp_path / "long"), "expected a tour in at most 1 MB of text, got 1")
    monkeypatch.setattr(output, "MOST_BYTES", 1 << 20)
    refused(kt_cp("check", tmp_path / "long"), "expected a tour in at most 1 MB, got more")


@pytest.mark.parametrize("number", ["000", "001", "002", "003", "004"])
def test_the_json_of_a_source_program(kt_cp, check, number):
    document = kt_cp("reference", "3x4", "--source", number, "--start", "a1", "--json").out
    many = ("2 tours", " each") if number == "004" else ("A tour", "")
    assert check(document).out.rstrip() == f"{many[0]} (3x4, open, from a1): 12 squares{many[1]}"
