"""The commands in the README; ``python -m tests.support.readme PYTHON`` runs them.

They run in order, with the README's Python code, in one empty folder and in the environment of that
interpreter.  In CI, only the wheel is installed there.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def commands(block: str) -> Iterator[tuple[list[str], int]]:
    """Return the arguments of each ``kt-cp`` command and the exit code beside it."""
    for line in block.splitlines():
        name, *arguments = shlex.split(line, comments=True)
        assert name == "kt-cp", line
        yield arguments, 1 if "exit code 1" in line else 0


if __name__ == "__main__":
    python = Path(sys.argv[1]).absolute()
    with TemporaryDirectory() as folder:
        for arguments, code in commands("".join(blocks("sh", README))):
            result = subprocess.run(
                [python.with_name("kt-cp"), *arguments], cwd=folder, check=False
            )
            assert result.returncode == code, (arguments, result.returncode)
        for block in blocks("python", README):
            subprocess.run([python, "-I", "-W", "error", "-c", block], cwd=folder, check=True)
