"""The README and the pages stay true: their commands and their Python run, in their order."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from tests.helpers import environment
from tests.readme import README, ROOT, blocks, commands

PAGES = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
TEXTS = {"README.md": README, **PAGES}


def test_first_lines_are_the_two_commands():
    lines = [line.strip() for line in README.splitlines() if line.strip()]
    assert lines[0] == "# kt_cp"
    assert [line.split("#")[0].strip() for line in lines[1:3]] == ["make compare", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in re.findall(r"\bmake ([a-z]+)", README):
        if command not in ("what", "sure"):
            assert re.search(rf"^{command}:", makefile, flags=re.MULTILINE), command


def command_blocks():
    """Those of the README as one, in their order; those of the pages one by one."""
    yield pytest.param("".join(blocks("sh", README)), id="README.md")
    for name, text in PAGES.items():
        for number, block in enumerate(blocks("sh", text)):
            yield pytest.param(block, id=f"{name}-{number}", marks=pytest.mark.slow)


def test_there_are_commands():
    text = "".join(block for text in TEXTS.values() for block in blocks("sh", text))
    assert len(list(commands(text))) >= 30


@pytest.mark.parametrize("block", list(command_blocks()))
def test_commands_run(kt_cp, tmp_path, monkeypatch, block):
    monkeypatch.chdir(tmp_path)
    for arguments, code in commands(block):
        ran = kt_cp(*arguments)
        assert ran.code == code, f"{arguments}\n{ran.out}\n{ran.err}"
        assert ran.out or "-o" in arguments
    (tmp_path / "tour.npy").unlink(missing_ok=True)  # 400 MB


def test_what_the_readme_prints_is_printed(kt_cp):
    (shown,) = re.findall(r"```\n\$ kt-cp (.*?)```", README, flags=re.DOTALL)
    command, *lines = shown.splitlines()
    ran = kt_cp(*shlex.split(command))
    assert ran.out.splitlines() == lines[:-1]
    took = re.compile(r"in \S+ s")
    assert took.sub("", ran.err.strip()) == took.sub("", lines[-1])


@pytest.mark.parametrize(
    "text",
    [README, pytest.param(PAGES["python.md"], marks=pytest.mark.slow)],
    ids=["README.md", "python.md"],
)
def test_python_runs(tmp_path, text):
    (code,) = blocks("python", text)
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
    assert "Verdict.IMPOSSIBLE" in run.stdout


def test_links_lead_somewhere():
    for name, text in TEXTS.items():
        home = ROOT if name == "README.md" else ROOT / "docs"
        for link in re.findall(r"\]\(([^)#]+)", text):
            assert (home / link).exists(), f"{name}: {link}"


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_every_engine_is_listed():
    from kt_cp.engines import engine_names, get_engine

    for name in engine_names():
        assert f"| `{get_engine(name).usage}` |" in PAGES["engines.md"]
