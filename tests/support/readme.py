"""The commands in the README, and ``python -m tests.support.readme PYTHON``, which runs them.

Its commands and its Python are run in their order, in one empty folder, by the environment of that
interpreter: in CI one into which nothing but the wheel was installed.
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
    """Arguments of ``kt-cp`` and the exit code beside them."""
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
