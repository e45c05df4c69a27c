"""What is installed: the built wheel holds every module, and the pins name every requirement."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_wheel_is_whole(tmp_path):
    # From a copy: what an earlier build left behind would get into the wheel.
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "kt_cp", tree / "kt_cp", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    # --no-build-isolation: with the pinned setuptools that `make` installs, and without a network.
    command = [sys.executable, "-m", "pip", "wheel", str(tree), "--no-deps", "--quiet"]
    options = ["--no-build-isolation", "--disable-pip-version-check", "-w", str(tmp_path)]
    subprocess.run([*command, *options], check=True, timeout=120, capture_output=True)
    (wheel,) = tmp_path.glob("kt_cp-*.whl")
    files = set(zipfile.ZipFile(wheel).namelist())
    source = {str(path.relative_to(ROOT)) for path in (ROOT / "kt_cp").rglob("*.py")}
    assert {name for name in files if name.endswith(".py")} == source
    assert {"kt_cp/py.typed", "kt_cp/trust/check/FORMAT.md"} <= files
    (entry_points,) = (name for name in files if name.endswith("entry_points.txt"))
    assert b"kt-cp = kt_cp.__main__:main" in zipfile.ZipFile(wheel).read(entry_points)


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def names(requirements):
    return {re.split(r"[<>=~!\[]", requirement)[0] for requirement in requirements}


def test_every_requirement_is_pinned():
    pins = (ROOT / "constraints.txt").read_text("utf-8")
    for name in names([*PROJECT["dependencies"], *chain(*EXTRAS.values())]):
        assert re.search(rf"^{re.escape(name)}==\S+$", pins, re.MULTILINE | re.IGNORECASE), name
    assert "://" not in pins


def test_what_tests_import_comes_with_their_extra():
    declared = names([*PROJECT["dependencies"], *EXTRAS["test"]])
    known = {*sys.stdlib_module_names, "kt_cp", "tests", "benchmarks"}
    providers = packages_distributions()
    for path in chain((ROOT / "tests").rglob("*.py"), (ROOT / "benchmarks").rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module] if isinstance(node, ast.ImportFrom) else []
            for package in {each.split(".")[0] for each in named} - known:
                assert declared & {*providers[package]}, f"{path}: {package}"
