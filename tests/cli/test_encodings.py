"""``kt-cp encodings``: which there are, and how large each makes a problem."""

from __future__ import annotations

import json

import pytest

from kt_cp import Board, Problem
from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, get_encoding
from tests.support.command_line import refused

EVERY = [*ENCODING_NAMES, FOR_PROOFS]
KEYS = [
    "name", "variables", "clauses", "literals", "build_seconds", "solver", "summary", "refused",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--open"], Problem(Board(8, 8))),
        (["5x6", "--end", "f2"], Problem(Board(5, 6), end=(1, 5))),
        (["5x6"], Problem(Board(5, 6))),
        (["5x6", "--closed"], Problem(Board(5, 6), closed=True)),
        (["5x6", "--start", "a1", "--end", "f1"], Problem(Board(5, 6), start=(0, 0), end=(0, 5))),
        (["6x6", "--missing", "a1,b1", "--closed"],
         Problem(Board(6, 6, {(0, 0), (0, 1)}), closed=True)),
    ],
)  # fmt: skip
def test_the_sizes_are_those_of_the_formulas(kt_cp, words, problem):
    ran = kt_cp("encodings", *words, "--json")
    assert (ran.code, ran.err) == (0, "")
    rows = json.loads(ran.out)
    assert [row["name"] for row in rows] == EVERY
    for row in rows:
        encoding = get_encoding(row["name"])
        cnf = encoding.encode(problem)
        assert list(row) == KEYS
        assert row["variables"] == cnf.variables
        assert row["clauses"] == len(cnf.clauses)
        assert row["literals"] == sum(len(clause) for clause in cnf.clauses)
        assert (row["solver"], row["summary"]) == (encoding.solver, encoding.summary)
        assert row["build_seconds"] >= 0 and row["refused"] is None


def test_what_does_not_take_a_condition_says_so(kt_cp):
    ran = kt_cp("encodings", "3x4", "--given", "a1=1", "--json")
    refused = {row["name"]: row["refused"] for row in json.loads(ran.out)}
    assert ran.code == 0 and refused["channel"] is None
    assert refused["lazy"] == "the lazy encoding does not take given steps"


def test_the_table(kt_cp):
    ran = kt_cp("encodings")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "8x8, closed"
    for name in EVERY:
        numbers, _ = [line for line in lines if line.split()[:1] == [name]]
        assert f"{len(get_encoding(name).encode(Problem(Board(8, 8), closed=True)).clauses):,}" in (
            numbers.split()
        )
        assert f" {name} {get_encoding(name).summary} " in " ".join([*ran.out.split(), ""])
    assert max(map(len, lines)) <= 80


def test_what_is_too_large_says_so(kt_cp, monkeypatch):
    board = "1000000000000x1000000000000"
    rows = json.loads(kt_cp("encodings", board, "--json").out)
    assert [row["name"] for row in rows] == EVERY
    for row in rows:
        assert row["clauses"] is row["variables"] is row["literals"] is row["build_seconds"] is None
        assert "and the limit is" in row["refused"]
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 20_000)
    ran = kt_cp("encodings", "9x9", "--open")
    assert ran.code == 0
    (said,) = [line for line in ran.out.splitlines() if line.startswith("  position ")]
    assert "9x9, open: the position encoding would have about" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1x2"], ["1x2, open: expected at least 3 squares, got 2"]),
        (["0x8"], ["expected a board"]),
        (["8x8", "--closed", "--end", "a1"], ["expected no end, got a1"]),
        (["8x8", "--start", "z9"], ["expected start"]),
        (["8x8", "--missing", "??"], ["expected squares"]),
        (["8x8", "9x9"], ["9x9"]),
    ],
)
def test_bad_input(kt_cp, words, said):
    refused(kt_cp("encodings", *words), *said)


def test_a_digraph_is_refused_once(kt_cp, tmp_path):
    (tmp_path / "d.d6").write_bytes(b">>digraph6<<&BP_\n")
    ran = kt_cp("encodings", tmp_path / "d.d6")
    refused(ran, "d.d6 with 3 nodes and 3 arcs, open: expected a board or an undirected graph")
