"""What is installed: the built wheel holds every module, and the pins name every requirement."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
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
    names = set(zipfile.ZipFile(wheel).namelist())
    source = {str(path.relative_to(ROOT)) for path in (ROOT / "kt_cp").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == source
    assert {"kt_cp/py.typed", "kt_cp/proofs/FORMAT.md"} <= names
    (entry_points,) = (name for name in names if name.endswith("entry_points.txt"))
    assert b"kt-cp = kt_cp.cli:main" in zipfile.ZipFile(wheel).read(entry_points)


def test_every_requirement_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(name for extra in extras for name in extra)]
    pins = (ROOT / "constraints.txt").read_text("utf-8")
    for requirement in wanted:
        name = re.split(r"[<>=~!\[]", requirement)[0]
        assert re.search(rf"^{re.escape(name)}==\S+$", pins, re.MULTILINE | re.IGNORECASE), name
    assert "://" not in pins
