"""``kt-cp reference``: where it starts, the figure of its moves, and bad input."""

from __future__ import annotations

import io
import re
import sys

import pytest

from kt_cp.sources.registry import SOURCES
from tests.sources.test_programs import MOVES
from tests.support.command_line import refused


def test_the_start_in_three_ways(kt_cp):
    by_name = kt_cp("reference", "5x5", "--source", "001", "--start", "b4")
    assert "Start at x = 2\n\nStart at y = 4\n" in by_name.out
    assert kt_cp("reference", "5x5", "--source", "001", "--start", "4,2") == by_name
    assert kt_cp("reference", "5x5", "--source", "modula", "--at", "2,4") == by_name
    # All but 001, which asks, begin at their first corner.
    assert "from a1 by 000 (boolean)" in kt_cp("reference", "5x5", "--source", "000").err


@pytest.mark.slow
def test_001_reads_its_start(kt_cp, monkeypatch):
    asked = ("reference", "5x5", "--source", "001")
    named = kt_cp(*asked, "--at", "2,4")
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n 4 \n"))
    assert kt_cp(*asked) == named
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n4\n"))
    assert kt_cp(*asked, "--json") == kt_cp(*asked, "--at", "2,4", "--json")
    # Where there is no tour, what it asked is not printed twice either.
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n1\n"))
    assert kt_cp("reference", "3x3").out == "Start at x = 2\n\nStart at y = 1\n\nno path found\n"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", ["expected x there", "--start or --at", "got the end"]),
        ("3\n", ["expected y there", "got the end"]),
        ("3\n6\n", ["y from 1 to 5", "got '3,6'"]),
        ("0\n1\n", ["x from 1 to 5", "got '0,1'"]),
        ("c3\n1\n", ["expected x,y", "got 'c3,1'"]),
        ("1 2\n3\n", ["got '1 2,3'"]),
    ],
)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_bad_input_at_stdin(kt_cp, monkeypatch, typed, words, options):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    ran = kt_cp("reference", "5x5", *options)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert all(word in ran.err for word in words)
    assert options == () or ran.out == ""
    # Nothing is asked where the question makes no sense in any case.
    refused(kt_cp("reference", "400x400"), "limited to 100,000 squares")
    monkeypatch.setattr(sys, "stdin", None)
    assert kt_cp("reference", "5x5").code == 2


def test_a_terminal_shows_what_is_typed(kt_cp, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("3\n3\n"))
    ran = kt_cp("reference", "5x5", "--json")
    assert ran.out.startswith("{")
    assert ran.err.startswith("Start at x = Start at y = 5x5 from c3 by 001")
    monkeypatch.setattr(sys, "stdin", Terminal("3\n3\n"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert kt_cp("reference", "5x5").out.startswith("Start at x = \nStart at y = \n   23")


def test_the_figure_of_the_moves(kt_cp):
    ran = kt_cp("reference", "--moves")
    assert (ran.code, ran.err) == (0, "")
    figures = ran.out.rstrip("\n").split("\n\n")
    assert len(figures) == 5
    for source, figure in zip(SOURCES, figures, strict=True):
        assert kt_cp("reference", "--source", source.name, "--moves").out == figure + "\n"
        heading, *rows, pairs = figure.splitlines()
        assert heading.startswith(f"{source.number} ({source.name}): ")
        cells = {
            cell: (row, column)
            for row, line in enumerate(rows)
            for column, cell in enumerate(line.split())
            if cell != "."
        }
        assert cells.pop("K") == (2, 2)
        assert len(cells) == 8
        listed = re.findall(r"([1-8]) \((-?[12]),(-?[12])\)", pairs)
        assert [(int(a), int(b)) for _, a, b in listed] == MOVES[source.number]
        for number, a, b in listed:
            # x goes to the right in 000 and 001; 003 and 004 go down along their first number.
            right, up = (a, b) if source.number in ("000", "001") else (b, a)
            down = int(up) if source.number in ("003", "004") else -int(up)
            assert cells[number] == (2 + down, 2 + int(right))
    assert "fewest moves on first" in figures[3]


BAD = [
    ([], "BOARD"),
    (["0x5"], "expected a board as ROWSxCOLUMNS", "got '0x5'"),
    (["five"], "got 'five'"),
    (["1000000000x1000000000"], "limited to 100,000 squares"),
    (["400x400", "--source", "004", "--recursion", "compiled"], "limited to 100,000 squares"),
    (["5x5", "--source", "005"], "000 (boolean), 001 (modula), 002 (decision)", "got '005'"),
    (["5x5", "--source", ""], "expected a source", "got ''"),
    (["5x5", "--source"], "--source"),
    (["5x5", "--start", "f1"], "start to be on the 5x5 board", "f1"),
    (["5x5", "--start", "0,1"], "--start: expected a square", "'0,1'"),
    (["5x5", "--start", "a1", "--at", "1,1"], "--start and --at", "'a1'", "'1,1'"),
    (["5x5", "--at", "0,3"], "--at: expected x,y with x from 1 to 5 and y from 1 to 5", "'0,3'"),
    (["5x6", "--at", "5,5", "--source", "000"], "x from 0 to 5 and y from 0 to 4", "'5,5'"),
    (["5x6", "--at", "0,6", "--source", "004"], "x from 0 to 4 and y from 0 to 5", "'0,6'"),
    (["5x5", "--at", "6,1", "--source", "ordered"], "rank from 1 to 5", "'6,1'"),
    (["5x5", "--at", "c3"], "--at: expected x,y", "'c3'"),
    (["5x5", "--at", "1,2,3"], "--at: expected x,y", "'1,2,3'"),
    (["5x5", "--at", ""], "--at: expected x,y", "''"),
    (["5x5", "--at", "-1,2"], "--at: expected x,y", "'-1,2'"),
    (["5x5", "--source", "000", "--missing", "a1"], "start on a square that is not missing", "a1"),
    (["5x5", "--at", "3,3", "--missing", "c3"], "start on a square that is not missing", "c3"),
    (["5x5", "--missing", "z9"], "missing squares on the 5x5 board"),
    (["5x5", "--source", "004", "--limit", "0"], "--limit", "got '0'"),
    (["5x5", "--source", "004", "--limit", "few"], "--limit", "got 'few'"),
    (["5x5", "--limit", "3"], "--limit is for 004", "001 (modula) stops at its first", "got 3"),
    (["5x5", "--recursion", "both"], "--recursion", "'both'", "compiled"),
    (["5x5", "--time-limit", "0"], "expected a time limit above 0, got 0.0"),
    (["5x5", "--time-limit", "nan"], "expected a time limit above 0, got nan"),
    (["--moves", "--source", "005"], "expected a source", "got '005'"),
    (["5x5", "--closed"], "No such option: --closed"),
    (["5x5", "5x5"], "5x5"),
]  # fmt: skip


@pytest.mark.parametrize("row", BAD, ids=lambda row: " ".join(row[0])[:40] or "nothing")
def test_bad_input(kt_cp, row):
    arguments, *words = row
    refused(kt_cp("reference", *arguments), *words)
