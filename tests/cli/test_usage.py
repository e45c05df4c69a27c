"""Usage: help, version, bad input, repeated options, file names that contradict a format."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

from kt_cp import prove
from kt_cp.cli import COMMANDS
from kt_cp.cli.parameters import unwrap_paragraphs
from tests.support.command_line import environment, refused, run_cli

HUGE = "1000000000x1000000000"
HUGE_ODD = "1000000001x1000000001"

# Arguments, and words in the message.
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
        (["5x5", f"--{what}-limit", value], f"expected a {what} limit above 0", f"got {printed}")
        for what in ("time", "memory")
        for value, printed in (
            ("-1", "-1.0"), ("0", "0.0"), ("nan", "nan"), ("-inf", "-inf"),
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
        (
            ["compare", "--boards", ""],
            "--boards: expected names separated by commas, without blanks or in quotes; got ''",
        ),
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
        refused(kt_cp("solve", HUGE, kind, "--engine", engine), "limit", "use engine construct")
    refused(kt_cp("solve", HUGE, kind, "--engine", engine, "--missing", "a1,b1"), "limit")


@pytest.mark.parametrize("engine", ["auto", "construct"])
@pytest.mark.parametrize("kind", ["--open", "--closed"])
@pytest.mark.parametrize("format", ["grid", "names", "csv", "json", "svg"])
def test_what_nobody_could_read_is_not_written(kt_cp, engine, kind, format):
    result = kt_cp("solve", HUGE, kind, "--engine", engine, "--format", format)
    refused(result, "expected at most 4,000,000", f" as {format}", "-o FILE.npy", "kt-cp locate")


@pytest.mark.parametrize("engine", SEARCHING)
def test_large_boards_are_refused_with_what_to_use_instead(kt_cp, engine):
    if engine in ("auto", "warnsdorff"):
        return  # they accept it
    result = kt_cp("solve", "2002x2002", "--engine", engine)
    refused(result, "limit", "use engine ")


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
    result = kt_cp("solve", board, kind)
    assert result.code == 1
    assert reason in result.out


@pytest.mark.parametrize(
    "board", ["999999999999999999x999999999999999999", "4294967296x4294967296"]
)
def test_boards_beyond_what_a_length_can_be(kt_cp, board):
    refused(kt_cp("solve", board))


@pytest.mark.parametrize("words", [[], ["help"], ["-h"], ["--help"]], ids=str)
def test_help_names_every_command(kt_cp, words):
    result = kt_cp(*words)
    assert (result.code, result.err) == (0, "")
    assert all(f" {name} " in result.out for name in COMMANDS)


@pytest.mark.parametrize(
    "words", [["help", "solve"], ["solve", "-h"], ["solve", "--help"]], ids=str
)
def test_help_of_a_command(kt_cp, words):
    result = kt_cp(*words)
    assert (result.code, result.err) == (0, "")
    assert "--time-limit" in result.out and "Find a tour" in result.out


def test_version(kt_cp):
    result = kt_cp("--version")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"kt-cp {version('kt_cp')} (python 3.")
    assert f"ortools {version('ortools')}" in result.out


def test_no_such_command(kt_cp):
    refused(kt_cp("slve"), "No such command 'slve'", "'solve'")
    refused(kt_cp("help", "slve"), "No such command 'slve'")


@pytest.mark.slow
def test_a_reader_of_help_who_has_enough():
    for words in (["--help"], ["solve", "-h"]):
        running = subprocess.Popen(
            [sys.executable, "-m", "kt_cp", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
        )  # fmt: skip
        running.stdout.close()
        _, stderr = running.communicate(timeout=60)
        assert (running.returncode, stderr) == (0, b"")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_in_plain_words(kt_cp, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    out = kt_cp("help", name).out
    assert not re.search(r"[{}]|<\w+>|range|\[ARGS\]|python", out)
    assert f"Usage: kt-cp {name} [OPTIONS]" in out
    assert max(map(len, out.splitlines())) <= 80
    assert out.isascii()  # Typer writes UTF-8 to a terminal for ASCII only


def test_help_breaks_lines_where_they_are_full():
    assert (
        unwrap_paragraphs("""A line.

    Two that
    are one.
    """)
        == "A line.\n\nTwo that are one."
    )
    assert unwrap_paragraphs(None) == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve 5x5 --seed x", "--seed: expected a whole number from 0 to 2147483647, got 'x'"),
        ("solve 5x5 --seed 1.5", "--seed: expected a whole number from 0 to 2147483647"),
        ("solve 5x5 --workers 0", "--workers: expected a whole number from 1 to 1024, got '0'"),
        ("compare --repeat 0", "--repeat: expected a whole number, 1 or more, got '0'"),
        ("solve 5x5 --time-limit soon", "--time-limit: expected a number, got 'soon'"),
        ("enumerate 3x3 --limit -1", "--limit: expected a whole number, 1 or more, got '-1'"),
        ("locate 5x5 --step 1e3", "--step: expected a whole number, got '1e3'"),
    ],
)
def test_numbers_are_asked_for_in_plain_words(kt_cp, line, message):
    result = kt_cp(*line.split())
    refused(result, message)
    assert not re.search("[Ii]nput should|parse|valid", result.err)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("e", ["enumerate", "engines", "encodings", "export"]),
        ("solve 5x5 --fo", ["--format", "--format-in", "--forbid", "--force"]),
        ("solve 5x5 --format n", ["names", "npy"]),
        ("solve 5x5 --engine ba", ["backtrack"]),
        ("prove 5x5 --piece z", ["zebra"]),
        ("enumerate 5x5 --surface t", ["torus"]),
        ("export 5x5 --encoding rea", ["reach"]),
    ],
)
def test_a_shell_is_offered_what_fits(kt_cp, monkeypatch, line, offered):
    words = ["kt-cp", *line.split()]
    monkeypatch.setenv("_KT_CP_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert sorted(kt_cp().out.split()) == sorted(offered)


def test_completion_installs(kt_cp, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    script = kt_cp("--show-completion", "bash").out
    assert "_KT_CP_COMPLETE=complete_bash $1" in script
    assert kt_cp("--install-completion", "bash").code == 0
    installed = tmp_path / ".bash_completions" / "kt-cp.sh"
    assert installed.read_text().strip() == script.strip()
    assert f"source '{installed}'" in (tmp_path / ".bashrc").read_text()
    refused(kt_cp("--install-completion", "cmd"), "--install-completion: expected one of bash, zsh")


def test_a_shell_that_is_not_known_is_bad_usage(kt_cp, monkeypatch):
    from typer import _completion_shared, completion

    for module in (_completion_shared, completion):
        monkeypatch.setattr(module, "_get_shell_name", lambda: "cmd")
    for option in ("--show-completion", "--install-completion"):
        assert kt_cp(option).code == 2


def test_lists_add_up(kt_cp):
    apart = kt_cp("prove", "5x5", "--closed", "--missing", "c3", "--missing", "d3,e1", "--json")
    at_once = kt_cp("prove", "5x5", "--closed", "--missing", "c3,d3,e1", "--json")
    problem = json.loads(apart.out)["problem"]
    assert problem == json.loads(at_once.out)["problem"]
    assert sorted(problem["missing"]) == ["c3", "d3", "e1"]


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_boards_and_engines_of_a_comparison_add_up(kt_cp):
    result = kt_cp(
        "compare", "--boards", "3x3", "--boards", "2x2,3x4", "--open", "--json",
        "--engines", "backtrack", "--engines", "reference",
    )  # fmt: skip
    rows = json.loads(result.out)["runs"]
    boards = [(row["board"], row["engine"]) for row in rows]
    assert boards == [(b, e) for b in ("3x3", "2x2", "3x4") for e in ("backtrack", "reference")]


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("solve 5x5 --seed 1 --seed 2", "--seed"),
        ("prove 5x5 --start a1 --end b1 --start a3", "--start"),
        ("compare --boards 3x3 --repeat 2 --repeat 3", "--repeat"),
        ("export 5x5 -o a.cnf --output b.cnf", "--output"),
        ("enumerate 3x4 --piece king --count --piece knight", "--piece"),
        ("check a.json --json --json", "--json"),
    ],
)
def test_an_option_with_one_value_is_not_taken_twice(kt_cp, line, option):
    result = kt_cp(*line.split())
    refused(result, f"expected {option} once, got it 2 times")


def test_an_option_and_its_opposite_contradict_each_other(kt_cp):
    refused(
        kt_cp("solve", "5x5", "--closed", "--open"), "--closed and --open contradict each other"
    )
    refused(kt_cp("solve", "5x5", "--open", "--open"), "expected --closed or --open once")


@pytest.mark.parametrize(
    ("line", "name", "known"),
    [
        ("solve 5x5", "t.gif", ".csv, .svg, .png, .pdf, .npy or .txt"),
        ("solve 5x5", "t.foo", ".csv, .svg, .png, .pdf, .npy or .txt"),
        ("enumerate 3x4", "t.svg", ".names, .json, .jsonl or .txt"),
        ("export 3x4", "f.lp", ".cnf, .dimacs"),
        ("export 3x4", "f.mzn", ".g6, .d6, .hcp or .tsp"),
        ("prove 3x3", "p.npy", ".json, .jsonl, .svg, .png, .pdf or .txt"),
        ("trace 5x5", "x.gif", ".json, .jsonl, .svg, .png, .pdf or .txt"),
    ],
)
def test_a_name_promises_what_is_written(kt_cp, tmp_path, line, name, known):
    result = kt_cp(*line.split(), "-o", tmp_path / name)
    refused(result, known, f"got '{name}'")
    assert list(tmp_path.iterdir()) == []


def test_with_a_format_any_name_will_do(kt_cp, tmp_path):
    for name, options in (("a.dat", ["--format", "csv"]), ("b.txt", []), ("c", [])):
        result = kt_cp("solve", "3x4", "-o", tmp_path / name, *options)
        assert result.code == 0
        assert (tmp_path / name).read_text().startswith("step," if options else "3 │")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("solve 8x8 --piece cammel", "camel"),
        ("solve 8x8 --piece Knite", "knight"),
        ("solve 8x8 --surface torrus", "torus"),
        ("solve 8x8 --closed --symmetry half-turm", "half-turn"),
        ("prove 4x4 --evidence forsed", "forced"),
        ("solve 8x8 --engine sat:lazy:cadical159", "cadical195"),
        ("count 3x4 --method frontiers", "frontier"),
        ("puzzle 6x6 --grade mediu", "medium"),
        ("solve x.g6 --format-in grph6", "graph"),
        ("reference 4x5 --source ordred", "ordered"),
        ("reference 3x4 --recursion compild", "compiled"),
    ],
)
def test_the_closest_name_is_suggested(kt_cp, words, hint) -> None:
    result = kt_cp(*words.split())
    assert result.code == 2 and f" (did you mean {hint}?)\n" in result.err


def test_short_option_of_the_version(kt_cp) -> None:
    assert kt_cp("-V").out == kt_cp("--version").out


# --- --quiet and --verbose ------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["-q solve 3x4", "solve 3x4 -q", "solve --quiet 3x4"])
def test_quiet_prints_the_result_alone(kt_cp, words) -> None:
    result = kt_cp(*words.split())
    assert (result.code, result.out, result.err) == (0, kt_cp("solve", "3x4").out, "")


@pytest.mark.parametrize(
    ("words", "code"),
    [("solve 0x4", 2), ("solve 30x30 --closed --engine sat:position --time-limit 1e-6", 3)],
)
def test_quiet_prints_errors_and_what_is_unknown(kt_cp, words, code) -> None:
    result = kt_cp(*words.split(), "--quiet")
    assert result.code == code and result.err == kt_cp(*words.split()).err and result.err


def test_verbose_prints_what_is_done(kt_cp) -> None:
    result = run_cli("-v", "solve", "3x3")
    assert result.code == 1 and result.out == kt_cp("solve", "3x3").out
    lines = result.err.splitlines()
    assert lines[0] == "kt_cp.engines: 3x3, open: engine auto, seed 0"
    assert lines[1].startswith("kt_cp.engines: 3x3, open: obstructions: no tour in ")
    assert lines[2] == "kt_cp.engines: 3x3, open: IMPOSSIBLE by auto"
    assert "kt_cp.engines" not in kt_cp("solve", "3x3").err


def test_quiet_and_verbose_contradict_each_other(kt_cp) -> None:
    refused(kt_cp("solve", "3x4", "-q", "-v"), "expected --quiet or --verbose, got both")


def test_a_file_may_be_called_like_an_option(kt_cp, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-q").write_text(". . . .\n. . . .\n. . . .\n")
    result = kt_cp("solve", "--", "-q")
    assert result.code == 0 and result.err


def test_the_library_logs(caplog) -> None:
    with caplog.at_level("DEBUG", "kt_cp"):
        prove("4x10", closed=True)
    texts = [record.getMessage() for record in caplog.records]
    assert "4x10, closed: engine auto, seed 0" in texts
    assert any(text.startswith("4x10, closed: evidence of kind removal in") for text in texts)
