"""``kt-cp prove``: proofs of every kind, tours that exist, and limits."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ET

import pytest

from kt_cp import check
from tests.support.command_line import (
    alive,
    busy,
    command_line,
    end,
    environment,
    refused,
    wait_until,
    workers,
)

COUNTED = {"colours", "degrees", "connectivity", "cut", "removal", "tight", "forced"}
ENDLESS = ("7x7", "--closed", "--evidence", "refutation")  # colours, which resolution cannot count

EXAMPLES = [
    (["3x3"], "3x3, open"),
    (["4x4"], "4x4, open"),
    (["4x10", "--closed"], "4x10, closed"),
    (["5x5", "--start", "b1"], "5x5, open, from b1"),
    (["4x7", "--start", "b2", "--end", "g4"], "4x7, open, from b2 to g4"),
    (["8x8", "--missing", "a1,h8", "--closed"], "8x8 without a1, h8, closed"),
    (["3x8", "--closed"], "3x8, closed"),
    (["1x2", "--closed"], "1x2, closed"),
]


@pytest.mark.parametrize(("arguments", "label"), EXAMPLES, ids=lambda value: "".join(value))
def test_a_proof_is_0_and_check_accepts_it(kt_cp, tmp_path, arguments, label):
    path = tmp_path / "proof.json"
    result = kt_cp("prove", *arguments, "-o", path)
    assert result.code == 0
    # Scripts use the file, and users the line.
    match = re.fullmatch(rf"No tour \({label}\): (.+)\.\n", result.out)
    checked = "the certificate was checked(; the reference agrees)?"
    assert re.fullmatch(rf"{label}: proved by \w+ in \S+ s; {checked}\n", result.err)
    accepted = check(path.read_bytes())
    assert (accepted.problem.label, accepted.argument) == (label, match[1])
    assert accepted.kind in COUNTED | {"size"}  # all of these boards have visible reasons
    result = kt_cp("check", path)
    expected = f"A valid proof ({label}): no tour, by {accepted.kind}: {match[1]}.\n"
    assert (result.code, result.out, result.err) == (0, expected, "")


def test_shapes(kt_cp, tmp_path):
    line = kt_cp("prove", "3x3").out
    for name in ("proof.txt", "proof"):
        assert kt_cp("prove", "3x3", "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_text() == line
    printed = kt_cp("prove", "3x3", "--json").out
    assert printed == kt_cp("prove", "3x3", "--format", "json").out
    assert kt_cp("prove", "3x3", "-o", tmp_path / "proof.json").code == 0
    assert (tmp_path / "proof.json").read_text() == printed
    assert check(printed).kind == "degrees"
    picture = kt_cp("prove", "3x3", "--format", "svg").out
    assert kt_cp("prove", "3x3", "-o", tmp_path / "why.svg").code == 0
    assert (tmp_path / "why.svg").read_text() == picture
    assert ET.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert "b2 has no moves at all" in picture


# --- evidence of one kind -------------------------------------------------------------------------

KINDS = [
    ("size", "1x2 --closed"),
    ("colours", "5x5 --closed"),
    ("degrees", "3x3"),
    ("connectivity", "3x4 --missing b1,b3,c1,c3,d2"),
    ("symmetry", "8x8 --closed --symmetry quarter-turn"),
    ("tight", "4x6 --closed"),
    ("forced", "3x5"),
    ("refutation", "3x5"),
]


@pytest.mark.parametrize(("kind", "board"), KINDS, ids=lambda value: value)
def test_evidence_can_be_asked_for(kt_cp, kind, board):
    result = kt_cp("prove", *board.split(), "--evidence", kind, "--json")
    assert result.code == 0
    assert f"proved by {kind} in " in result.err
    assert check(result.out).kind == kind


@pytest.mark.parametrize(
    ("board", "kinds"),
    [
        ("3x3", "kinds degrees, connectivity: b2 has no moves at all"),
        (
            "1x2 --closed",
            "kinds size, degrees: a closed tour needs at least 3 squares, and",
        ),
        ("3x4 --closed", "kind removal: without "),
    ],
)
def test_other_kinds_are_named_where_the_one_requested_is_not_found(kt_cp, board, kinds):
    result = kt_cp("prove", *board.split(), "--evidence", "colours")
    assert (result.code, result.out) == (3, "")
    expected = f"kt-cp: not proved: no evidence of kind colours was found, but evidence of {kinds}"
    assert result.err.startswith(expected)


def test_a_search_is_reported_as_no_proof(kt_cp, tmp_path):
    path = tmp_path / "report.json"
    result = kt_cp("prove", "4x4", "--evidence", "exhausted")
    assert result.code == 0
    assert result.out == (
        "No tour (4x4, open): the reference recursion tried everything: 2,472 squares placed.\n"
    )
    assert "a second opinion, which can be repeated but not checked" in result.err
    assert "proved" not in result.err
    assert kt_cp("prove", "4x4", "--evidence", "exhausted", "-o", path).code == 0
    assert kt_cp("check", path).out.startswith("Repeated, not proved (4x4, open): no tour; ")
    assert kt_cp("prove", "4x4", "--evidence", "exhausted", "--format", "svg").code == 0


# --- if there is a tour ---------------------------------------------------------------------------


def test_a_tour_is_1_and_is_shown(kt_cp):
    result = kt_cp("prove", "5x5")
    assert result.code == 1
    assert result.out == kt_cp("solve", "5x5").out
    assert result.err.startswith("5x5, open: there is a tour, by warnsdorff in ")
    assert "verified, replayed, the reference agrees" in result.err
    document = json.loads(kt_cp("prove", "5x5", "--json").out)
    assert (document["verdict"], len(document["tour"])) == ("FOUND", 25)
    drawn = kt_cp("prove", "5x5", "--format", "svg")
    assert (drawn.code, drawn.out) == (1, kt_cp("solve", "5x5", "--format", "svg").out)


@pytest.mark.parametrize("name", ["proof.json", "why.svg", "proof.txt"])
def test_the_file_for_a_proof_never_holds_a_tour(kt_cp, tmp_path, name):
    path = tmp_path / name
    grid = kt_cp("solve", "5x5").out
    result = kt_cp("prove", "5x5", "-o", path)
    assert (result.code, result.out) == (1, grid)
    assert result.err.endswith(f"; nothing was written to {path}\n")
    assert list(tmp_path.iterdir()) == []
    path.write_text("before")
    options = ("--cnf", tmp_path / "f.cnf", "--drat", tmp_path / "f.drat")
    result = kt_cp("prove", "5x5", "-o", path, *options, "--force")
    assert (result.code, result.out) == (1, grid)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_tour_is_found_whatever_evidence_is_asked_for(kt_cp):
    for kind in ("refutation", "exhausted", "colours"):
        assert kt_cp("prove", "3x4", "--evidence", kind).code == 1


# --- limits and interrupts ------------------------------------------------------------------------


def test_a_time_limit_is_3(kt_cp, tmp_path):
    began = time.monotonic()
    files = ("-o", tmp_path / "no.json", "--cnf", tmp_path / "f.cnf", "--drat", tmp_path / "f.drat")
    result = kt_cp("prove", *ENDLESS, "--time-limit", 0.5, *files)
    assert time.monotonic() - began < 30
    assert (result.code, result.out) == (3, "")
    assert result.err == "kt-cp: not proved: the time limit of 0.5 s was reached\n"
    assert list(tmp_path.iterdir()) == []
    result = kt_cp("prove", *ENDLESS, "--time-limit", 0.3, "--json")
    document = json.loads(result.out)
    assert (result.code, document["verdict"]) == (3, "UNKNOWN")
    assert document["reason"] == "the time limit of 0.3 s was reached"


def test_a_memory_limit_is_3(kt_cp):
    result = kt_cp("prove", *ENDLESS, "--memory-limit", 40)
    assert (result.code, result.out) == (3, "")
    assert result.err == "kt-cp: not proved: the memory limit of 40 MB was reached\n"


def test_a_search_keeps_its_time_limit_as_well(kt_cp):
    arguments = ("prove", "6x6", "--missing", "a1,b2", "--evidence", "exhausted")
    result = kt_cp(*arguments, "--time-limit", 0.3)
    assert (result.code, result.out) == (3, "")
    assert "the time limit of 0.3 s was reached" in result.err


@pytest.mark.slow
@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code", "stderr"),
    [
        (signal.SIGINT, 130, b"kt-cp: interrupted\n"),
        pytest.param(signal.SIGTERM, 143, b"", marks=pytest.mark.slow),
    ],
    ids=["Ctrl-C", "terminated"],
)
def test_interrupts_leave_nothing(tmp_path, number, code, stderr):
    files = ("-o", tmp_path / "no.json", "--cnf", tmp_path / "f.cnf", "--drat", tmp_path / "f.drat")
    with subprocess.Popen(
        command_line("prove", *ENDLESS, *files),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as running:
        wait_until(lambda: workers(running.pid))
        child = workers(running.pid)[0]
        wait_until(lambda: busy(child, 0.5))
        assert len(list(tmp_path.iterdir())) == 3  # opened before the search
        assert end(running, number) == (code, b"", stderr)
    assert not alive(child)
    assert list(tmp_path.iterdir()) == []


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["0x0"], ["expected a board"]),
        (["3x3", "--start", "d1"], ["start to be on the 3x3 board"]),
        (["3x3", "--closed", "--end", "a1"], ["expected no end"]),
        (["3x3", "--evidence", "nope"], ["expected evidence, one of size, colours", "got 'nope'"]),
        (["3x3", "--evidence", ""], ["expected evidence", "got ''"]),
        (["3x3", "--evidence", "removal", "--cnf", "f"], ["refutation", "got 'removal'"]),
        (["3x3", "--evidence", "exhausted", "--drat", "f"], ["refutation", "got 'exhausted'"]),
        (["3x3", "--cnf", "-"], ["--cnf: expected the name of a file"]),
        (["3x3", "--drat", "-"], ["--drat: expected the name of a file"]),
        (["3x3", "--cnf", "same", "--drat", "./same"], ["--cnf and --drat name the same file"]),
        (["3x3", "-o", "same", "--drat", "same"], ["--drat and --output name the same file"]),
        (["3x3", "--cnf", "no/such/place"], ["cannot write no/such/place"]),
        (["3x3", "--drat", "no/such/place"], ["cannot write no/such/place"]),
        (["3x3", "--json", "--format", "svg"], ["contradict"]),
        (["3x3", "--format", "grid"], ["--format", "'grid'"]),
        (["3x3", "--time-limit", "0"], ["time limit above 0"]),
        (["3x3", "--memory-limit", "nan"], ["memory limit above 0"]),
        (["3x3", "--seed", "-1"], ["--seed"]),
        (["1001x1001", "--format", "svg"], ["at most 10,201 squares for a picture"]),
        (["1000000000x1000000000", "--json"], ["at most 4,000,000", "as json", "kt-cp locate"]),
        ([], ["BOARD"]),
    ],
    ids=lambda value: " ".join(value)[:40] or "nothing",
)
def test_bad_input(kt_cp, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    refused(kt_cp("prove", *arguments), *words)
    assert list(tmp_path.iterdir()) == []


def test_enormous_boards_are_proved_by_counting(kt_cp):
    result = kt_cp("prove", "1000000001x1000000001", "--closed", "--json")
    assert (result.code, check(result.out).kind) == (0, "colours")
    result = kt_cp("prove", "4x999999999", "--closed")  # too long for a certificate
    assert (result.code, result.out) == (3, "")
    assert "although there is no tour: by Schwenk's theorem" in result.err
