"""Quick runs of the benchmarks, in this process."""

from __future__ import annotations

import time

import pytest

from benchmarks import process
from benchmarks.__main__ import app
from benchmarks.jobs.__main__ import done
from tests.helpers import Ran


@pytest.fixture
def quick(monkeypatch, capfd, kt_cp):
    """``python -m benchmarks --quick``, jobs and commands run here as well.

    To load the solvers for each of them would take many times as long as what they do.
    """
    real = process.process

    def here(words, case, stop, environment):
        began = time.monotonic()
        if words[1:3] == ["-m", "benchmarks.jobs"]:
            return process._read(done(*words[3:]).encode(), 0, case, {})
        if words[1:3] == ["-m", "kt_cp"]:
            code = kt_cp(*words[3:]).code
            took = {"seconds": time.monotonic() - began, "memory": 1e6}
            return process._read(b"", code, case, took)
        return real(words, case, stop, environment)

    monkeypatch.setattr(process, "process", here)

    def run(parts, *options):
        asked = ["--quick", "--only", parts, *map(str, options)]
        code = app(asked, standalone_mode=False)
        return Ran(code or 0, *capfd.readouterr())

    return run
