"""Fixtures that several test files share."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import sys
from collections.abc import Callable
from inspect import signature

import pytest
from hypothesis import settings

from kt_cp import cli
from kt_cp.engines import registry
from tests.support.command_line import Result
from tests.support.exhaustive import SEED, more
from tests.support.fakes import Distribution
from tests.support.leftovers import watch

# Use the same examples each time, without a deadline: machines may be busy.
settings.register_profile("kt_cp", derandomize=True, deadline=None, max_examples=more(50, 100))
settings.load_profile("kt_cp")

WATCH = pytest.StashKey()


def pytest_report_header():
    return f"lemmas are sampled with SEED={SEED}; FULL=1 tries every case"


def pytest_configure(config):
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell that starts the tests in the background makes them, and their children, ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):  # the workers of pytest-xdist are watched too
        config.stash[WATCH] = watch()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Run tests that share something costly on one worker."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from tests.support.scheduling import GroupScheduling

    return GroupScheduling(config, log)


def pytest_collection():
    gc.disable()


def pytest_collection_finish():
    """Freeze the thousands of tests, so that garbage collection never scans them again."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Keep the name of the test out of the environment while the test runs.

    A child process is reused if the environment is the same.  With a name in it, each test would
    start its own child, which takes half a second.  A test with ``monkeypatch`` keeps the name: it
    may test a limit that every fresh child exceeds.
    """
    if "monkeypatch" in signature(pyfuncitem.function).parameters:
        return (yield)
    name = os.environ.pop("PYTEST_CURRENT_TEST")
    try:
        return (yield)
    finally:
        os.environ["PYTEST_CURRENT_TEST"] = name


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    if WATCH in config.stash:
        config.stash[WATCH].communicate()


@pytest.fixture
def kt_cp(monkeypatch, capfd) -> Callable[..., Result]:
    """Run ``kt-cp`` in this process: the same entry point, without a new interpreter."""

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["kt-cp", *map(str, arguments)])
        before = signal.getsignal(signal.SIGTERM)
        capfd.readouterr()
        try:
            with pytest.raises(SystemExit) as stopped:
                cli.main()
        finally:
            signal.signal(signal.SIGTERM, before)
        captured = capfd.readouterr()
        return Result(stopped.value.code, captured.out, captured.err)

    return run


@pytest.fixture
def check(kt_cp, tmp_path):
    """Run ``check`` on some text."""
    path = tmp_path / "claim"

    def run(text, *options):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return kt_cp("check", path, *options)

    return run


@pytest.fixture
def export(kt_cp, tmp_path):
    """Export a formula; return its file, and a path for the answer."""

    def write(line, name="position"):
        path = tmp_path / f"{name}.cnf"
        arguments = ("export", *shlex.split(line), "--encoding", name, "-o", path, "--force")
        assert kt_cp(*arguments).code == 0
        return path, tmp_path / "answer"

    return write


@pytest.fixture
def fake(monkeypatch):
    """Install an engine named ``fake`` that calls a given function."""

    def install(answer):
        monkeypatch.setattr(registry, "_plugins", lambda: {"fake": Distribution(answer)})

    return install


@pytest.fixture
def beside_none(monkeypatch):
    """Run comparisons in this process, in tests of something else."""
    from kt_cp.compare import run

    real = run.run
    monkeypatch.setattr(
        run, "run", lambda *arguments, **how: real(*arguments, **how | {"own_process": False})
    )


@pytest.fixture
def small_blocks(monkeypatch):
    """Limit the blocks of the judge of arrays, so that small boards have many."""
    from kt_cp.trust.judge import array

    def cut(most_bytes, widest):
        monkeypatch.setattr(array, "BLOCK_BYTES", most_bytes)
        monkeypatch.setattr(array, "WIDEST", widest)

    return cut
