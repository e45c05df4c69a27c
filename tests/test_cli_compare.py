"""``kt-cp compare`` from outside: where the table goes, and how it is interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest

from tests.helpers import alive, busy, command_line, end, environment, wait_until, workers

SMALL = ("compare", "--boards", "3x3", "--engines", "backtrack", "--open")


def test_the_table_goes_where_it_is_sent(kt_cp, tmp_path):
    ran = kt_cp(*SMALL)
    assert ran.code == 0
    assert "IMPOSSIBLE" in ran.out
    assert ran.err == "1 run, 1 answered, no disagreement\n"
    assert json.loads(kt_cp(*SMALL, "--json", "-o", "-").out)["runs"][0]["board"] == "3x3"
    assert kt_cp(*SMALL, "--csv", "-o", tmp_path / "table.csv").out == ""
    assert (tmp_path / "table.csv").read_text().startswith("board,")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, b"kt-cp: interrupted\n"), (signal.SIGTERM, 143, b"")],
    ids=["Ctrl-C", "terminated"],
)
def test_interrupts_end_every_run(tmp_path, number, code, said):
    arguments = ("--boards", "30x30,20x20", "--engines", "sat:position", "--jobs", 2, "--closed")
    with subprocess.Popen(
        command_line("compare", *arguments, "--time-limit", 60, "-o", tmp_path / "table.json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as running:
        wait_until(lambda: len(workers(running.pid)) == 2)
        children = workers(running.pid)
        wait_until(lambda: all(busy(child, 0.5) for child in children))
        assert end(running, number) == (code, b"", said)
    assert not any(alive(child) for child in children)
    assert list(tmp_path.iterdir()) == []
