"""The README and the pages stay true: their commands and their Python code run in order."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.support.exhaustive import more
from tests.support.readme import README, ROOT, blocks, commands

DOCS = ROOT / "docs"
FILES = [path for path in sorted(DOCS.rglob("*.md")) if "_build" not in path.parts]
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in FILES}
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
    """Return the commands of the README as one block, and those of each page as another."""
    yield pytest.param("".join(blocks("sh", README)), id="README.md")
    for name, text in PAGES.items():
        for number, block in enumerate(blocks("sh", text)):
            yield pytest.param(block, id=f"{name}-{number}", marks=pytest.mark.slow)


def test_there_are_commands():
    text = "".join(block for text in TEXTS.values() for block in blocks("sh", text))
    assert len(list(commands(text))) >= 30


# The same commands on smaller boards: the originals take half a minute, mostly in these lines.
LIGHTER = {
    "10000x10000": "1500x1500",
    "999x1001": "299x301",
    "--boards 3x3,8x8": "--boards 5x6 --open",
    "--grade easy --number 12": "--grade easy --number 2",
    "6x6 --count ": "5x5 --count ",
}


def test_what_is_made_lighter_stands_on_the_page():
    assert all(PAGES["howto/recipes.md"].count(heavy) == 1 for heavy in LIGHTER)


@pytest.mark.parametrize("block", list(command_blocks()))
def test_commands_run(kt_cp, tmp_path, monkeypatch, block):
    monkeypatch.chdir(tmp_path)
    for heavy in more(LIGHTER, ()):
        block = block.replace(heavy, LIGHTER[heavy])
    for arguments, code in commands(block):
        result = kt_cp(*arguments)
        assert result.code == code, f"{arguments}\n{result.out}\n{result.err}"
        assert result.out or "-o" in arguments
    (tmp_path / "tour.npy").unlink(missing_ok=True)  # 400 MB


def test_what_the_readme_prints_is_printed(kt_cp):
    (example,) = re.findall(r"```\n\$ kt-cp (.*?)```", README, flags=re.DOTALL)
    command, *lines = example.splitlines()
    result = kt_cp(*shlex.split(command))
    assert result.out.splitlines() == lines[:-1]
    took = re.compile(r"in \S+ s")
    assert took.sub("", result.err.strip()) == took.sub("", lines[-1])


@pytest.mark.parametrize(
    "text",
    [README, pytest.param(PAGES["howto/python.md"], marks=pytest.mark.slow)],
    ids=["README.md", "python.md"],
)
def test_python_runs(tmp_path, monkeypatch, capsys, text):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("python", text)
    exec(compile(code, "page", "exec"), {"__name__": "__main__"})
    assert "Verdict.IMPOSSIBLE" in capsys.readouterr().out


def test_links_lead_somewhere():
    for name, text in TEXTS.items():
        home = ROOT if name == "README.md" else (DOCS / name).parent
        for link in re.findall(r"\]\(([^)#]+)", text):
            if link.startswith("https:"):
                continue
            assert (home / link).exists(), f"{name}: {link}"


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_every_engine_is_listed():
    from kt_cp.engines import engine_names, get_engine

    for name in engine_names():
        assert f"| `{get_engine(name).usage}` |" in PAGES["explanation/engines.md"]
