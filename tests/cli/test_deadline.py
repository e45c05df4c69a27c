"""A time limit covers a command to the last byte that it writes, whatever takes so long."""

from __future__ import annotations

import json
import time
from itertools import count

import pytest

from kt_cp.cli import tour_output
from kt_cp.cli.output import OutputFile
from kt_cp.cli.problem_options import ProblemOptions
from kt_cp.engines import auto

pytestmark = pytest.mark.clock

LIMIT = "0.3"
LONG = 20.0
"""Seconds that a step takes which nothing ends."""


def working(*_, **__):
    """Work that looks at no clock."""
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        sum(range(1000))


@pytest.fixture
def late(kt_cp, tmp_path):
    """Run ``solve`` into a file: its code, and the line that it ends with; nothing is left."""
    assert kt_cp("solve", "8x8").code == 0  # loads all that it takes

    def run(*options):
        began = time.monotonic()
        path = tmp_path / "tour.svg"
        ran = kt_cp("solve", "8x8", "-o", path, "--time-limit", LIMIT, *options)
        assert time.monotonic() - began < LONG / 2
        assert [*tmp_path.iterdir()] == []
        assert ran.out == "" and ran.err.count("\n") == 1
        return ran.code, ran.err.replace(str(tmp_path), "")

    return run


REACHED = f"the time limit of {LIMIT} s was reached"
NOT_WRITTEN = f"kt-cp: unknown: {REACHED} before /tour.svg was written\n"


def test_a_picture_that_takes_too_long_is_no_file(late, monkeypatch):
    monkeypatch.setattr(tour_output, "outcome_content", working)
    assert late() == (3, NOT_WRITTEN)


def test_a_file_that_takes_too_long_to_write_is_no_file(late, monkeypatch):
    written = count()

    def add(self, piece):
        next(written)
        time.sleep(0.05)
        return True

    monkeypatch.setattr(tour_output, "PIECE_BYTES", 16)
    monkeypatch.setattr(OutputFile, "add", add)
    assert late() == (3, NOT_WRITTEN)
    assert 1 < next(written) < 100


def test_a_board_that_takes_too_long_to_read_is_unknown(late, monkeypatch):
    monkeypatch.setattr(ProblemOptions, "problem", working)
    assert late() == (3, f"kt-cp: unknown: {REACHED}\n")


def test_an_engine_that_looks_at_no_clock_is_ended(late, kt_cp, monkeypatch):
    monkeypatch.setattr(auto, "_answer", working)
    assert late() == (3, f"kt-cp: unknown whether there is a tour: {REACHED}\n")
    ran = kt_cp("solve", "8x8", "--time-limit", LIMIT, "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["verdict"], told["reason"]) == (3, "UNKNOWN", REACHED)


def test_what_is_known_is_told_without_the_certificate(kt_cp, monkeypatch):
    monkeypatch.setattr("kt_cp.proofs.certify.backed", working)
    ran = kt_cp("solve", "4x10", "--closed", "--time-limit", LIMIT, "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["verdict"], told["evidence"]["certificate"]) == (1, "IMPOSSIBLE", None)


@pytest.mark.parametrize(
    ("step", "command"),
    [
        ("kt_cp.counting.api.run_plan", ["count"]),
        ("kt_cp.counting.numbering.Numbering", ["sample"]),
        ("kt_cp.counting.numbering.Numbering", ["unrank", "0"]),
        ("kt_cp.puzzles.generator.make_puzzle", ["puzzle"]),
        ("kt_cp.engines.prove.prove_within", ["prove"]),
    ],
)
def test_other_commands_end_in_time_as_well(step, command, kt_cp, monkeypatch):
    name, *more = command
    monkeypatch.setattr(step, working)
    began = time.monotonic()
    ran = kt_cp(name, "5x5", *more, "--time-limit", LIMIT)
    assert time.monotonic() - began < LONG / 2
    assert ran.code == 3 and ran.err.splitlines()[-1].endswith(REACHED)


def test_writing_shows_progress_on_a_terminal(kt_cp, tmp_path, monkeypatch):
    told = []

    class Line:
        def __enter__(self):
            return lambda work: told.append(dict(work))

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(tour_output, "search_progress", lambda *_: Line())
    monkeypatch.setattr(tour_output, "PIECE_BYTES", 1000)
    path = tmp_path / "tour.svg"
    assert kt_cp("solve", "8x8", "-o", path).code == 0
    doing, *written = told
    assert doing == {f"making {path}": None}
    amounts = [work[f"MB of {path} written"] for work in written]
    assert amounts == sorted({*amounts}) and amounts[-1] == path.stat().st_size / 1e6
    assert len(amounts) > 3
