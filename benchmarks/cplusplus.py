"""The plain C++ recursion: compiled where there is a compiler, and run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.process import Run
from kt_cp.board import Board, parse_square

SOURCE = Path(__file__).with_name("plain_recursion.cpp")
COMPILERS = ("c++", "g++", "clang++")
OPTIONS = ("-std=c++11", "-O2")
"""Of which the first is for compilers whose own choice is older."""


def compiler() -> str | None:
    """The first C++ compiler on the PATH."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def version(path: str) -> str:
    """What a compiler says of itself, its first line."""
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    return (said.splitlines() or [Path(path).name])[0]


def build(path: str, directory: Path) -> Path:
    """Compile the program into a directory.

    Raises
    ------
    subprocess.CalledProcessError
        If the compiler refuses it; what it says goes to stderr.
    """
    program = directory / "plain_recursion"
    subprocess.run([path, *OPTIONS, "-o", program, SOURCE], check=True)
    return program


def recursion(program: Path, case: Case, time_limit: float) -> Run:
    """Run the program on a case, to its end or the time limit."""
    board = Board.parse(case.board)
    start = ("all",) if case.start == "all" else map(str, parse_square(case.start))
    arguments = [str(board.rows), str(board.columns), *start, *(["closed"] if case.closed else [])]
    try:
        ended = subprocess.run(
            [program, *arguments], stdout=subprocess.PIPE, text=True, timeout=time_limit
        )
    except subprocess.TimeoutExpired:
        run = Run("TIMEOUT")
    else:
        run = Run("CRASH") if ended.returncode else _read(ended.stdout)
    took = f" {run.seconds:.3f} s" if run.values else ""
    print(f"{program.name} {' '.join(arguments)}: {run.status}{took}", file=sys.stderr, flush=True)
    return run


def _read(line: str) -> Run:
    tours, placed, seconds = line.split()
    return Run("FOUND", {"tours": int(tours), "placed": int(placed), "seconds": float(seconds)})
