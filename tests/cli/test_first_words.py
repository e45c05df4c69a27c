"""The words that a newcomer tries first: nothing at all, help, -h, --version."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from kt_cp.cli.parameters import prose

from kt_cp.cli import COMMANDS
from tests.support.command_line import environment, refused


@pytest.mark.parametrize("words", [[], ["help"], ["-h"], ["--help"]], ids=str)
def test_help_names_every_command(kt_cp, words):
    ran = kt_cp(*words)
    assert (ran.code, ran.err) == (0, "")
    assert all(f" {name} " in ran.out for name in COMMANDS)


@pytest.mark.parametrize(
    "words", [["help", "solve"], ["solve", "-h"], ["solve", "--help"]], ids=str
)
def test_help_of_a_command(kt_cp, words):
    ran = kt_cp(*words)
    assert (ran.code, ran.err) == (0, "")
    assert "--time-limit" in ran.out and "Find a tour" in ran.out


def test_version(kt_cp):
    ran = kt_cp("--version")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"kt-cp {version('kt_cp')} (python 3.")
    assert f"ortools {version('ortools')}" in ran.out


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
        _, said = running.communicate(timeout=60)
        assert (running.returncode, said) == (0, b"")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_in_plain_words(kt_cp, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    out = kt_cp("help", name).out
    assert not re.search(r"[{}]|<\w+>|range|\[ARGS\]|python", out)
    assert f"Usage: kt-cp {name} [OPTIONS]" in out
    assert max(map(len, out.splitlines())) <= 80


def test_help_breaks_lines_where_they_are_full():
    assert (
        prose("""A line.

    Two that
    are one.
    """)
        == "A line.\n\nTwo that are one."
    )
    assert prose(None) == ""


@pytest.mark.parametrize(
    ("line", "said"),
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
def test_numbers_are_asked_for_in_plain_words(kt_cp, line, said):
    ran = kt_cp(*line.split())
    refused(ran, said)
    assert not re.search("[Ii]nput should|parse|valid", ran.err)


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
