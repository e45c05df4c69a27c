"""The README stays true: its commands and its Python run, its picture is what the tool draws."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import environment

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_first_lines_are_the_two_commands():
    lines = [line.strip() for line in README.splitlines() if line.strip()]
    assert lines[0] == "# kt_cp"
    assert [line.split("#")[0].strip() for line in lines[1:3]] == ["make compare", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in re.findall(r"\bmake ([a-z]+)", README):
        if command not in ("what", "sure"):
            assert re.search(rf"^{command}:", makefile, flags=re.MULTILINE), command


COMMANDS = blocks("sh")


def test_there_are_commands():
    lines = "".join(COMMANDS).splitlines()
    assert len(lines) >= 10
    assert {shlex.split(line)[0] for line in lines} == {"kt-cp"}


LARGE = [pytest.param(each, marks=pytest.mark.slow) if "10000x10000" in each else each
         for each in COMMANDS]  # fmt: skip


@pytest.mark.parametrize("block", LARGE, ids=range(len(COMMANDS)))
def test_commands_run(kt_cp, tmp_path, monkeypatch, block):
    monkeypatch.chdir(tmp_path)
    for line in block.splitlines():
        arguments = shlex.split(line, comments=True)[1:]
        ran = kt_cp(*arguments)
        assert ran.code == (1 if "exit code 1" in line else 0), f"{line}\n{ran.out}\n{ran.err}"
        assert ran.out or "-o" in arguments
    (tmp_path / "tour.npy").unlink(missing_ok=True)  # 400 MB


def test_python_runs(tmp_path):
    code = "\n".join(blocks("python"))
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "Verdict.IMPOSSIBLE" in run.stdout  # Petersen's graph has no Hamiltonian cycle


def test_every_engine_is_listed():
    from kt_cp.engines import engine_names, get_engine

    for name in engine_names():
        assert f"| `{get_engine(name).usage}` |" in README
