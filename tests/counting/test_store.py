"""Stores: interrupted at any moment, damaged, of another count, on a full disk."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kt_cp.model.errors import StoreError
from kt_cp.model.problem import Problem
from kt_cp.processes.store import (
    Store,
    last_step,
    pack_arrays,
    read_arrays,
    read_manifest,
    with_digest,
    write_atomically,
)
from kt_cp.processes.store import stored_count as stored_answer
from tests.support.fakes import BLOCKS, STEPS, Fake, answer

PROBLEM = Problem("3x4")


class Killed(BaseException):
    """An exception that ends a run without a message."""


class Dying:
    """The system calls that change a disk; after a limit, each one kills this process."""

    def __init__(self, monkeypatch):
        self.left, self.made = float("inf"), 0
        for owner, name in ((os, "fsync"), (os, "replace"), (Path, "open"), (Path, "unlink")):
            monkeypatch.setattr(owner, name, self.counted(getattr(owner, name)))

    def counted(self, call):
        def until(*arguments, **options):
            self.made += 1
            self.left -= 1
            if self.left < 0:  # nor does anything in an except or a finally run
                raise Killed
            return call(*arguments, **options)

        return until


@pytest.fixture(autouse=True)
def no_power_cuts(monkeypatch):
    """Skip ``fsync``, which takes a tenth of a second on a busy disk."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


def run(path, method):
    with Store(path, PROBLEM, method) as store:
        return method.count(PROBLEM, store=store)


def test_killed_at_fifty_moments_nothing_is_lost_but_a_block_nor_counted_twice(
    tmp_path, monkeypatch
):
    run(tmp_path / "first", Fake())  # fill the caches of this process
    dying = Dying(monkeypatch)
    assert run(tmp_path / "whole", Fake()) == answer()
    calls, seed = dying.made, random.randrange(10**6)
    print(f"{seed=}")
    moments = random.Random(seed).sample(range(calls), 50)
    for moment in moments:
        path, first, second = tmp_path / f"{moment}", Fake(), Fake()
        dying.left = moment
        with pytest.raises(Killed):
            run(path, first)
        dying.left = float("inf")
        assert run(path, second) == answer()
        again = Counter(first.work + second.work)
        assert len(again) == STEPS * BLOCKS
        assert sum(again.values()) - len(again) <= 1, moment
        assert last_step(path) == (STEPS, 0)
        assert sorted(each.name for each in path.iterdir()) == ["manifest.json", "step-4.kept"]


@pytest.mark.slow
def test_a_run_killed_by_the_system_goes_on(tmp_path):
    code = (
        "import sys, time\n"
        "from tests.support.fakes import Fake\n"
        "from tests.counting.test_store import PROBLEM, run\n"
        "def wait(work):\n"
        "    if work['step'] == 2:\n"
        "        print('now', flush=True); time.sleep(60)\n"
        "from kt_cp.processes.store import Store\n"
        "with Store(sys.argv[1], PROBLEM, Fake()) as store:\n"
        "    Fake().count(PROBLEM, store=store, progress=wait)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "now\n"
        with pytest.raises(StoreError, match="another run is at work"):
            run(tmp_path / "run", Fake())
        process.send_signal(signal.SIGKILL)
    method = Fake()
    assert run(tmp_path / "run", method) == answer()
    assert method.work == [(step, each) for step in (3, 4) for each in range(BLOCKS)]


def test_arrays_and_integers_come_back_as_they_were(tmp_path):
    content = {
        "none": np.zeros((0, 3), dtype=np.uint8),
        "odd": np.arange(7, dtype=np.uint8),
        "wide": np.arange(6, dtype=np.int64).reshape(2, 3)[:, ::-1],
        "large": 10**50,
        "small": np.int32(-3),
    }
    with Store(tmp_path, PROBLEM, Fake()) as store:
        store.save(2, content)
        found = store.load(2)
        assert store.load(1) is None and store.block(3, "x").load() is None
    assert found.keys() == content.keys()
    for name, value in content.items():
        assert np.array_equal(found[name], value), name
        if isinstance(value, np.ndarray):
            assert found[name].dtype == value.dtype


@pytest.mark.parametrize("name", ["manifest.json", "step-2.kept", "step-3.part-0.kept"])
def test_a_damaged_byte_is_found(tmp_path, name):
    with Store(tmp_path, PROBLEM, Fake()) as store:
        store.save(2, {"sums": np.arange(BLOCKS)})
        store.block(3, "part-0").save({"sum": 12})
    intact = (tmp_path / name).read_bytes()
    look = (lambda _: read_manifest(tmp_path)) if name == "manifest.json" else read_arrays
    assert look(tmp_path / name)
    spoilt = [intact[:-1], intact + b"\0", b""]
    for place in {0, 63, 64, 65, *range(0, len(intact), 7), len(intact) - 1}:
        spoilt.append(
            bytes([*intact[:place], intact[place] ^ 1 << place % 8, *intact[place + 1 :]])
        )
    for data in spoilt:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(StoreError, match=f"{name} is damaged"):
            look(tmp_path / name)
    with pytest.raises(StoreError, match=f"{name} is damaged"):
        run(tmp_path, Fake())


@pytest.mark.parametrize(
    ("problem", "method", "message"),
    [
        (Problem("3x4", closed=True), Fake(), "problem is 3x4, open, and not 3x4, closed"),
        (PROBLEM, Fake("dense"), "kind is fake, and not dense"),
        (PROBLEM, Fake(version=2), "version of its kind is 1, and not 2"),
    ],
)
def test_the_store_of_another_count_is_refused(tmp_path, problem, method, message):
    run(tmp_path, Fake())
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with pytest.raises(StoreError, match=message):
        Store(tmp_path, problem, method)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_the_store_of_another_version_is_refused(tmp_path, monkeypatch):
    run(tmp_path, Fake())
    monkeypatch.setattr("kt_cp.processes.store.versions_of", lambda: {"kt_cp": "0.0.1"})
    with pytest.raises(StoreError, match=r"version of kt_cp is .*, and not 0\.0\.1"):
        Store(tmp_path, PROBLEM, Fake())


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StoreError, match=r"got one with thesis\.tex; name another folder"):
        Store(tmp_path, PROBLEM, Fake())
    message = (
        r"expected a folder, got the file .*thesis\.tex; name another folder, or remove the file"
    )
    for path in (tmp_path / "thesis.tex", tmp_path / "thesis.tex" / "run"):
        with pytest.raises(StoreError, match=message):
            Store(path, PROBLEM, Fake())
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]
    (tmp_path / "thesis.tex").unlink()
    assert run(tmp_path / "thesis.tex" / "run", Fake()) == answer()


def begun(path):
    """Leave a count in the middle of its third step."""
    method = Fake()
    with Store(path, PROBLEM, method) as store:
        store.note({"step": 2, "steps": STEPS})
        store.save(2, {"sums": np.array(steps_done(2))})
        store.block(3, "part-0").save({"sum": method.block(3, 0, np.array(steps_done(2)), None)})


def steps_done(steps):
    """Return the sums of the fake method after ``steps`` steps."""
    sums = np.zeros(BLOCKS, dtype=np.int64)
    for step in range(1, steps + 1):
        sums = np.array([Fake().block(step, each, sums, None) for each in range(BLOCKS)])
    return sums


def empty(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[:-9])


def without_a_digest(path):
    path.write_bytes(path.read_bytes().partition(b"\n")[2])


def of_other_types(path):
    path.write_bytes(b"".join(with_digest(b'["a list"]\n')))


def no_json(path):
    path.write_bytes(b"".join(with_digest(b'{"store": 1, "lab\n')))


def folder_in_place(path):
    path.unlink()
    path.mkdir()


DAMAGES = [empty, cut, without_a_digest, of_other_types, no_json, folder_in_place]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    ("name", "left"),
    [("manifest.json", 5), ("step-2.kept", 11), ("step-3.part-0.kept", 6), ("answer.kept", 12)],
)
def test_what_is_damaged_is_removed_as_the_message_says(tmp_path, damage, name, left):
    path = tmp_path / "run"
    begun(path)
    if name == "answer.kept":
        with Store(path, PROBLEM, Fake()) as store:
            store.finish(answer())
    damage(path / name)
    with pytest.raises(StoreError) as refused, Store(path, PROBLEM, method := Fake()) as store:
        stored_answer(path)
        method.count(PROBLEM, store=store)
    message = (
        f"{path / name} is damaged: expected its SHA-256 at the beginning; remove it and run again"
    )
    assert str(refused.value) == message
    (shutil.rmtree if (path / name).is_dir() else os.unlink)(path / name)
    again = Fake()
    assert run(path, again) == answer()
    assert len(again.work) == left  # valid blocks of this question are not repeated
    assert read_manifest(path)["label"] == PROBLEM.label


def test_a_manifest_that_is_missing_is_written_anew_where_all_files_are_of_the_question(tmp_path):
    path, other = tmp_path / "run", Problem("3x4", closed=True)
    begun(path)
    (path / "manifest.json").unlink()
    before = sorted(each.name for each in path.iterdir())
    message = (
        "step-2.kept: expected a file of 3x4, closed, by fake, got one of 3x4, open, by fake; name"
    )
    with pytest.raises(StoreError, match=message):
        Store(path, other, Fake())
    with pytest.raises(
        StoreError, match="by fake, of another version; name another folder, or rem"
    ):
        Store(path, PROBLEM, Fake(version=2))
    assert sorted(each.name for each in path.iterdir()) == before
    write_atomically(path / "step-3.part-1.kept", pack_arrays({"sum": 7}))
    with pytest.raises(
        StoreError, match="got a file that does not name its work; name another fold"
    ):
        run(path, Fake())
    shutil.rmtree(path)  # or remove this one
    assert run(path, Fake()) == answer()


def test_a_file_of_another_store_is_not_taken(tmp_path):
    begun(tmp_path / "run")
    with Store(tmp_path / "other", Problem("3x5"), Fake()) as store:
        store.save(2, {"sums": np.arange(BLOCKS)})
    shutil.copy(tmp_path / "other" / "step-2.kept", tmp_path / "run")
    with pytest.raises(StoreError, match=r"step-2\.kept is of other work; remove it and run again"):
        run(tmp_path / "run", Fake())
    (tmp_path / "run" / "step-2.kept").unlink()
    assert run(tmp_path / "run", Fake()) == answer()


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    def denied(*_given, **_named):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    for call in ("mkdir", "open"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, call, denied)
            with pytest.raises(StoreError) as refused:
                run(tmp_path / "run", Fake())
        message = "permission denied; allow reading and writing there, or name another folder"
        assert str(refused.value).startswith(f"cannot use {tmp_path / 'run'}")
        assert str(refused.value).endswith(message)
    assert run(tmp_path / "run", Fake()) == answer()


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    method = Fake()
    with Store(tmp_path, PROBLEM, method) as store:
        store.save(1, {"sums": np.array([1, 1, 1])})
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(StoreError, match=r"step-2\.part-0\.kept: no space left on device"):
                method.count(PROBLEM, store=store)
        assert sorted(each.name for each in tmp_path.iterdir()) == ["manifest.json", "step-1.kept"]
    assert run(tmp_path, replace(method)) == answer()


def test_keys_are_names_of_files(tmp_path):
    with (
        Store(tmp_path, PROBLEM, Fake()) as store,
        pytest.raises(ValueError, match="a key of"),
    ):
        store.block(1, "../x")
