"""``kt-cp enumerate``: readers who have gone, Ctrl-C, and what long work tells."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time

import psutil
import pytest

from kt_cp import enumeration
from kt_cp.cli import output
from tests.support.command_line import PATIENCE, busy, command_line, environment, wait_until


def start(*arguments):
    return subprocess.Popen(
        command_line("enumerate", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("shape", [[], ["--json"]], ids=str)
def test_it_ends_when_the_reader_has_gone(shape):
    """As in ``kt-cp enumerate 8x8 | head -3``."""
    running = start("8x8", *shape)
    for _ in range(3):
        assert running.stdout.readline()
    running.stdout.close()
    assert running.wait(PATIENCE) == 0
    assert running.stderr.read() == b""
    running.stderr.close()


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "options",
    [
        ["8x8", "--count"],
        pytest.param(["7x7", "--start", "d4", "--unique", "--count"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_ctrl_c_ends_counting_at_once(options):
    running = start(*options)
    wait_until(lambda: busy(psutil.Process(running.pid), 1.5))
    began = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 3
    assert (running.returncode, out) == (130, b"")
    assert re.search(rb": [0-9,]+ tours so far, and there may be more\nkt-cp: interrupted\n$", err)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_leaves_no_file(tmp_path):
    running = start("8x8", "-o", tmp_path / "tours.txt")
    wait_until(lambda: any(part.stat().st_size > 10_000 for part in tmp_path.iterdir()))
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, b"")
    assert re.fullmatch(rb"8x8, open: \d+ tours so far, .*\nkt-cp: interrupted\n", err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_listing_between_two_tours(tmp_path):
    path = tmp_path / "tours"
    with path.open("wb") as file:
        running = subprocess.Popen(
            command_line("enumerate", "8x8", "--json"),
            stdout=file,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        wait_until(lambda: path.stat().st_size > 10_000)
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert re.fullmatch(rb"8x8, open: \d+ tours so far, .*\nkt-cp: interrupted\n", err)
    assert all(json.loads(line)["tour"] for line in path.read_text().splitlines()[:-1])


def test_a_count_that_cannot_end_says_so_before_it_begins(kt_cp):
    ran = kt_cp("enumerate", "12x12", "--count")
    assert (ran.code, ran.out) == (2, "")
    told, refusal = ran.err.splitlines()
    assert re.fullmatch(r"12x12, open: about 10\^\d\d or more squares to place, .*", told)
    assert refusal.startswith("kt-cp: 12x12, open: this count would take longer than a lifetime; ")
    ran = kt_cp("enumerate", "12x12", "--count", "--time-limit", "0.3")
    assert ran.code == 3 and "so far (12x12, open" in ran.out


def test_what_ends_is_counted_without_a_word(kt_cp):
    ran = kt_cp("enumerate", "4x10", "--start", "a1", "--end", "d1", "--count")
    assert ran.code in (0, 1) and "estimate" not in ran.err


def test_ctrl_c_tells_what_was_found(kt_cp, monkeypatch):
    def count(self, should_stop, workers, progress, executor):
        progress({"tours": 1234, "squares placed": 99999})
        raise KeyboardInterrupt

    monkeypatch.setattr(enumeration.Enumeration, "count", count)
    ran = kt_cp("enumerate", "6x6", "--count")
    assert (ran.code, ran.out) == (130, "")
    assert ran.err == "6x6, open: 1,234 tours so far, and there may be more\nkt-cp: interrupted\n"


def test_ctrl_c_tells_how_many_were_listed(kt_cp, monkeypatch):
    real = enumeration.Enumeration.tours

    def tours(self, should_stop, executor):
        for number, tour in enumerate(real(self, should_stop, executor=executor)):
            if number == 3:
                raise KeyboardInterrupt
            yield tour

    monkeypatch.setattr(enumeration.Enumeration, "tours", tours)
    ran = kt_cp("enumerate", "5x5", "--format", "names")
    assert ran.code == 130 and len(ran.out.splitlines()) == 3
    assert "5x5, open: 3 tours so far, and there may be more" in ran.err


def test_whoever_watches_sees_how_far_it_is(kt_cp, monkeypatch):
    monkeypatch.setattr(output, "is_stderr_terminal", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich takes the captured stream for a terminal
    ran = kt_cp("enumerate", "6x6", "--closed", "--count", "--time-limit", "60")
    assert ran.code == 0
    assert re.search(r"6x6, closed … tours [\d,]+, squares placed [\d,]+", ran.err)
    assert "of at most 60 s" in ran.err
    assert "tours" not in kt_cp("enumerate", "5x5", "--closed", "--count").err


def test_the_work_that_is_likely_is_told(capfd, monkeypatch):
    monkeypatch.setattr(output, "is_stderr_terminal", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with output.search_progress("8x8", total=2e14) as progress:
        progress({"tours": 12, "squares placed": 3456})
    assert "8x8 … tours 12, squares placed 3,456 of about 10^14" in capfd.readouterr().err
