"""The words that a newcomer tries first: nothing at all, help, -h, --version."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

from kt_cp.cli import COMMANDS
from tests.helpers import environment, refused


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
