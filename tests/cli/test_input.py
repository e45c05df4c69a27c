"""Bad input: exit code 2, one line that says what was expected and what came, nothing else."""

from __future__ import annotations

import sys

import pytest

from tests.support.command_line import refused, run_cli

HUGE = "1000000000x1000000000"
HUGE_ODD = "1000000001x1000000001"

# Arguments, and words that the line must have.
SOLVE = [
    # boards
    (["0x0"], "expected a board as ROWSxCOLUMNS", "got '0x0'"),
    (["0x5"], "got '0x5'"),
    (["5x0"], "got '5x0'"),
    (["--", "-3x4"], "got '-3x4'"),
    (["-3x4"], "-3"),
    (["8"], "got '8'"),
    ([""], "got ''"),
    (["axb"], "got 'axb'"),
    (["8x8x8"], "got '8x8x8'"),
    (["3.5x4"], "got '3.5x4'"),
    (["1e3x5"], "got '1e3x5'"),
    (["8 8"], "got '8 8'"),
    (["٣x٣"], "got '٣x٣'"),
    (["8x\n8\tx"], r"got '8x\n8\tx'"),
    (["9" * 30 + "x3"], "got '9999"),
    (["8x" + "9" * 5000], "got '8x9999"),
    # squares
    (["8x8", "--start", "i9"], "start to be on the 8x8 board", "i9"),
    (["8x8", "--start", "9,1"], "a9"),
    (["8x8", "--start", "0,1"], "--start: expected a square", "'0,1'"),
    (["8x8", "--start", "zz"], "--start: expected a square such as c5", "'zz'"),
    (["8x8", "--start", ""], "--start: expected a square", "''"),
    (["8x8", "--end", "a0"], "--end: expected a square", "'a0'"),
    (["8x8", "--start", "a1", "--missing", "a1"], "start on a square that is not missing", "a1"),
    (["8x8", "--end", "c3", "--missing", "c3"], "end on a square that is not missing", "c3"),
    (["8x8", "--start", "a1", "--end", "1,1"], "start and end to differ", "a1"),
    (["8x8", "--closed", "--end", "a1"], "expected no end, got a1"),
    (["8x8", "--missing", "i9"], "missing squares on the 8x8 board", "i9"),
    (["8x8", "--missing", "hello"], "expected squares such as c3,d4", "'hello'"),
    (["1x2", "--missing", "a1,b1"], "at least one square to remain"),
    # engines
    (["5x5", "--engine", "nope"], "expected an engine, one of auto, ", "got 'nope'"),
    (["5x5", "--engine", "cpsta"], "did you mean cpsat?"),
    (["5x5", "--engine", ""], "expected an engine", "got ''"),
    (["5x5", "--engine", "cpsat:2"], "fewer options", "cpsat:2"),
    (["5x5", "--engine", "sat:nope"], "expected an encoding, one of lazy, channel", "'nope'"),
    (["5x5", "--engine", "sat:lazy:nope"], "expected a solver, one of cadical", "'nope'"),
    (["5x5", "--engine", "sat:lazy:glucose4:x"], "sat[:ENCODING[:SOLVER[:patch]]]", "'x'"),
    # numbers
    *(
        (["5x5", f"--{what}-limit", value], f"expected a {what} limit above 0", f"got {shown}")
        for what in ("time", "memory")
        for value, shown in (
            ("-1", "-1.0"), ("0", "0.0"), ("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"),
            ("1e999", "inf"),
        )
    ),
    (["5x5", "--time-limit", "soon"], "--time-limit", "got 'soon'"),
    (["5x5", "--memory-limit", ""], "--memory-limit"),
    (["5x5", "--seed", "-1"], "--seed", "got '-1'"),
    (["5x5", "--seed", "1.5"], "--seed", "got '1.5'"),
    (["5x5", "--seed", str(2**31)], "--seed", "got '2147483648'"),
    (["5x5", "--workers", "0"], "--workers", "got '0'"),
    (["5x5", "--workers", "99999999999"], "--workers", "got '99999999999'"),
    # options
    (["5x5", "--format", "gif"], "--format", "'gif'", "svg"),
    (["5x5", "--json", "--format", "svg"], "contradict"),
    (["5x5", "--json", "--csv"], "No such option: --csv"),
    (["5x5", "--closd"], "No such option: --closd (Possible options: --closed"),
    (["5x5", "--nope"], "No such option: --nope"),
    (["5x5", "--format", "foo"], "kt-cp: --format: expected grid"),
    (["5x5", "6x6"], "unexpected extra argument(s) (6x6)"),
    ([], "Missing argument 'BOARD'"),
    (["5x5", "-o"], "-o"),
    (["5x5", "--time-limit"], "'--time-limit' requires an argument"),
    (["5x5", "--certificate", "-"], "--certificate: expected the name of a file"),
    (["5x5", "--certificate", "f", "-o", "./f"], "--output and --certificate name the same file"),
    (["5x5", "--certificate", "no/such/place"], "cannot write no/such/place"),
]  # fmt: skip


def label(value):
    return " ".join(value)[:40] or "nothing" if isinstance(value, list) else ""


@pytest.mark.parametrize("row", SOLVE, ids=lambda row: label(row[0]))
def test_solve(kt_cp, row):
    arguments, *words = row
    refused(kt_cp("solve", *arguments), *words)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nope"], "nope"),
        (["--nope"], "--nope"),
        (["engines", "x"], "x"),
        (["engines", "--csv"], "--csv"),
        (["check"], "FILE"),
        (["check", "-", "-"], "-"),
        (["compare", "--json", "--format", "csv"], "contradict"),
        (["compare", "--boards", ""], "--boards: expected names separated by commas, got ''"),
        (["compare", "--boards", "3x3,"], "--boards"),
        (["compare", "--boards", "3x3,0x0"], "'0x0'"),
        (["compare", "--engines", ","], "--engines"),
        (["compare", "--engines", "cpsat,nope"], "'nope'"),
        (["compare", "--time-limit", "nan"], "time limit above 0, got nan"),
        (["compare", "--memory-limit", "-1"], "memory limit above 0"),
        (["compare", "--jobs", "0"], "--jobs"),
        (["compare", "--repeat", "x"], "got 'x'"),
        (["compare", "--boards", "3x3", "-o", "no/such/place"], "cannot write no/such/place"),
    ],
    ids=lambda value: label(value),
)
def test_other_commands(kt_cp, arguments, word):
    refused(kt_cp(*arguments), word)


@pytest.mark.slow
def test_the_same_in_a_process_of_its_own():
    refused(run_cli("solve", "0x0"), "expected a board")
    refused(run_cli("check", "-", stdin=b"\xff"), "expected UTF-8")
    refused(run_cli("nope"), "No such command 'nope'")


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are bytes")
def test_arguments_that_are_not_text():
    refused(run_cli("solve", b"\xff\xfe".decode(errors="surrogateescape")), r"got '\udcff\udcfe'")


# --- absurd boards --------------------------------------------------------------------------------

SEARCHING = ["auto", "warnsdorff", "backtrack", "cpsat", "sat", "sat:position", "reference"]


@pytest.mark.parametrize("engine", SEARCHING)
@pytest.mark.parametrize("kind", ["--open", "--closed"])
def test_absurd_boards_are_refused_by_estimate(kt_cp, engine, kind):
    if engine != "auto":
        refused(kt_cp("solve", HUGE, kind, "--engine", engine), "limit", "--engine construct")
    refused(kt_cp("solve", HUGE, kind, "--engine", engine, "--missing", "a1,b1"), "limit")


@pytest.mark.parametrize("engine", ["auto", "construct"])
@pytest.mark.parametrize("kind", ["--open", "--closed"])
@pytest.mark.parametrize("format", ["grid", "names", "csv", "json", "svg"])
def test_what_nobody_could_read_is_not_written(kt_cp, engine, kind, format):
    ran = kt_cp("solve", HUGE, kind, "--engine", engine, "--format", format)
    refused(ran, "expected at most 4,000,000", f" as {format}", "-o FILE.npy", "kt-cp locate")


@pytest.mark.parametrize("engine", SEARCHING)
def test_large_boards_are_refused_with_what_to_use_instead(kt_cp, engine):
    if engine in ("auto", "warnsdorff"):
        return  # they take it
    ran = kt_cp("solve", "1800x1800", "--engine", engine)
    refused(ran, "limit", "use --engine ")


@pytest.mark.parametrize(
    ("board", "kind", "reason"),
    [
        (HUGE_ODD, "--closed", "500,000,001,000,000,001 dark squares"),
        ("4x999999999", "--closed", "Schwenk"),
        ("1x1000000000", "--open", "a1 has no moves at all"),
        ("1000000000x2", "--open", "a1, b1 and a1000000000 are too many"),
    ],
)
def test_reasons_know_no_size(kt_cp, board, kind, reason):
    ran = kt_cp("solve", board, kind)
    assert ran.code == 1
    assert reason in ran.out


@pytest.mark.parametrize(
    "board", ["999999999999999999x999999999999999999", "4294967296x4294967296"]
)
def test_boards_beyond_what_a_length_can_be(kt_cp, board):
    refused(kt_cp("solve", board))
