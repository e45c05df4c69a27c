"""The plain C++ recursion, compiled where there is a compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("plain_recursion.cpp")
COMPILERS = ("c++", "g++", "clang++")
OPTIONS = ("-std=c++11", "-O2")
"""Of which the first is for compilers whose own choice is older."""


def compiler() -> str | None:
    """The first C++ compiler on the PATH."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def version() -> str:
    """What the compiler says of itself, its first line."""
    path = compiler() or "none"
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    return (said.splitlines() or [Path(path).name])[0]


def build(directory: Path) -> Path:
    """Compile the program into a directory.

    Raises
    ------
    subprocess.CalledProcessError
        If the compiler refuses it; what it says goes to stderr.
    """
    program = directory / "plain_recursion"
    subprocess.run([str(compiler()), *OPTIONS, "-o", program, SOURCE], check=True)
    return program
