"""The installation: the built wheel holds every module, and the pins name every requirement."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

import kt_cp
from tests.support import man_page
from tests.support.command_line import PATIENCE

ROOT = Path(__file__).parent.parent


def wheel_of(folder, *, editable=False):
    # Build from a copy: the wheel would include files that an earlier build left behind.
    tree = folder / "tree"
    shutil.copytree(ROOT / "kt_cp", tree / "kt_cp", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "docs/man/kt-cp.1"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    # Use the pinned setuptools that `make` installs, without a network.
    build = "build_editable" if editable else "build_wheel"
    code = f"from setuptools import build_meta; build_meta.{build}({str(folder)!r})"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, timeout=PATIENCE, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    (wheel,) = folder.glob("kt_cp-*.whl")
    return wheel


@pytest.mark.slow
@pytest.mark.parametrize("editable", [False, True], ids=["installed", "editable"])
def test_mypy_finds_the_types_and_the_readme_is_clean(tmp_path, tmp_path_factory, editable):
    venv.create(tmp_path / "venv")
    (packages,) = (tmp_path / "venv").rglob("site-packages")
    with zipfile.ZipFile(wheel_of(tmp_path, editable=editable)) as wheel:
        wheel.extractall(packages)
    for page in ("README.md", "docs/howto/python.md"):
        text = (ROOT / page).read_text("utf-8")
        cells = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
        module = tmp_path / f"{Path(page).stem.lower()}.py"
        module.write_text("\n".join([*cells, "reveal_type(outcome)"]))
    # Some packages ship no types, networkx among them.
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = true\n")
    python = str(tmp_path / "venv" / "bin" / "python")
    shared = tmp_path_factory.getbasetemp() / "mypy"  # both runs share a cache of other packages
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python]
    mypy += ["--cache-dir", str(shared)]
    clean = {key: value for key, value in os.environ.items() if not key.endswith("PYTHONPATH")}
    result = subprocess.run(
        [*mypy, "readme.py", "python.py"], cwd=tmp_path, capture_output=True, text=True,
        env=clean, timeout=PATIENCE,
    )  # fmt: skip
    assert result.stdout.count('Revealed type is "kt_cp.model.outcome.Outcome"') == 2, result.stdout
    assert [line for line in result.stdout.splitlines() if "error:" in line] == []


def test_the_wheel_is_whole(tmp_path):
    wheel = wheel_of(tmp_path)
    files = set(zipfile.ZipFile(wheel).namelist())
    source = {str(path.relative_to(ROOT)) for path in (ROOT / "kt_cp").rglob("*.py")}
    assert {name for name in files if name.endswith(".py")} == source
    assert {"kt_cp/py.typed", "kt_cp/trust/check/FORMAT.md"} <= files
    assert any(name.endswith("/share/man/man1/kt-cp.1") for name in files)
    static = {str(path.relative_to(ROOT)) for path in (ROOT / "kt_cp/web/static").iterdir()}
    assert "kt_cp/web/static/index.html" in static <= files
    (entry_points,) = (name for name in files if name.endswith("entry_points.txt"))
    assert b"kt-cp = kt_cp.__main__:main" in zipfile.ZipFile(wheel).read(entry_points)


@pytest.mark.slow
def test_the_source_distribution_is_the_repository(tmp_path):
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "ls-files"]
        files = set(subprocess.check_output(command, text=True).split())
    else:  # the tests run from an unpacked source distribution, which lists its files
        (sources,) = ROOT.glob("*.egg-info/SOURCES.txt")
        listed = sources.read_text("utf-8").split()
        files = {os.path.normpath(name) for name in listed if "egg-info" not in name}
        files -= {"setup.cfg"}
    tree = tmp_path / "tree"
    for name in files:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    code = f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, timeout=PATIENCE, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    (archive,) = tmp_path.glob("kt_cp-*.tar.gz")
    with tarfile.open(archive) as source:
        packed = {name.partition("/")[2] for name in source.getnames()}
    assert files - packed == set()


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def test_the_version_is_the_same_everywhere():
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in cited
    assert kt_cp.__version__ == PROJECT["version"]


def names(requirements):
    return {re.split(r"[<>=~!\[]", requirement)[0] for requirement in requirements}


def test_every_requirement_is_pinned():
    pins = (ROOT / "constraints.txt").read_text("utf-8")
    for name in names([*PROJECT["dependencies"], *chain(*EXTRAS.values())]):
        pattern = re.escape(name).replace(r"\-", "[-_]")
        assert re.search(rf"^{pattern}==\S+$", pins, re.MULTILINE | re.IGNORECASE), name
    assert "://" not in pins


def test_what_tests_import_comes_with_their_extra():
    declared = names([*PROJECT["dependencies"], *EXTRAS["test"]])
    known = {*sys.stdlib_module_names, "kt_cp", "tests", "benchmarks"}
    providers = packages_distributions()
    for path in chain((ROOT / "tests").rglob("*.py"), (ROOT / "benchmarks").rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module] if isinstance(node, ast.ImportFrom) else []
            for package in {each.split(".")[0] for each in modules} - known:
                assert declared & {*providers[package]}, f"{path}: {package}"


def test_the_manual_page_is_what_the_program_declares():
    assert man_page.PATH.read_text("utf-8") == man_page.page(), "make man writes it anew"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff")
def test_the_manual_page_is_roff():
    result = subprocess.run(
        ["groff", "-k", "-man", "-ww", "-Tutf8", man_page.PATH], capture_output=True, text=True
    )
    assert result.returncode == 0 and result.stderr == ""
    assert "kt-cp - knight's tours" in result.stdout.replace("\u2010", "-").replace("\u2212", "-")
