"""``kt-cp solve -o FILE.npy``: what an interrupt leaves, and how much memory a file takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from kt_cp import Board, Problem
from tests.examples.computed_tours import built
from tests.support.command_line import environment, interrupts, leaves_nothing
from tests.support.exhaustive import more

pytestmark = pytest.mark.slow

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

# Interrupts: a child that writes slowly, so that there is a middle

SLOWLY = """
import sys, time
from kt_cp import cli
from kt_cp.model import arrays
from kt_cp.cli.output import OutputFile
arrays.BAND_BYTES = 1 << 20
add = OutputFile.add
def slow(self, piece):
    time.sleep(0.05)
    return add(self, piece)
OutputFile.add = slow
sys.argv = ["kt-cp", "solve", "3000x3000", "--closed", "-o", *sys.argv[1:]]
cli.main()
"""


@POSIX
@interrupts
def test_an_interrupt_leaves_nothing(tmp_path, number, code, said):
    forced = code == 130
    leaves_nothing(tmp_path / "t.npy", SLOWLY, number, code, said, forced=forced)


# Memory

MEASURED = """
from pathlib import Path
from kt_cp import cli
try:
    cli.main()
finally:
    # Not getrusage, whose figure begins with that of the process which made this one.
    print(Path("/proc/self/status").read_text())
"""


def megabytes(*arguments):
    """Most memory that a command had resident."""
    code = f"import sys; sys.argv = ['kt-cp', *sys.argv[1:]]{MEASURED}"
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment(), timeout=300,
        capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return int(re.search(r"VmHWM:\s*(\d+) kB", ended.stdout)[1]) // 1024


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
@pytest.mark.parametrize(
    ("board", "words", "most"),
    [
        ("5000x5000", ["--closed"], 150),
        ("5000x5000", ["--dtype", "uint32", "--memory-limit", 1000], 150),
        *more([], [("20000x20000", ["--closed"], 300)]),
    ],
)
def test_a_file_of_100_megabytes_or_1_6_gigabytes_takes_little_memory(tmp_path, board, words, most):
    path = tmp_path / "t.npy"
    try:
        assert megabytes("solve", board, *words, "-o", path) < most
        array = np.load(path, mmap_mode="r")
        made = built(Problem(Board.parse(board), closed="--closed" in words))
        assert path.stat().st_size == 128 + 4 * made.size
        for seed in range(1000):
            square = seed * 7919 % array.shape[0], seed * 104_729 % array.shape[1]
            assert array[square] == made.step(square), f"{square}"
        del array
    finally:
        path.unlink(missing_ok=True)
