"""The array in a store: equal counts, wherever a run ends and whatever is damaged."""

from __future__ import annotations

import errno
import os
import random
import shutil

import numpy as np
import pytest

from kt_cp.counting import plan
from kt_cp.counting.api import count
from kt_cp.counting.dense import dense
from kt_cp.counting.dense import meeting as meeting
from kt_cp.counting.dense.dense import CONFIRMING, METHOD, Dense
from kt_cp.counting.dense.halves import HalvedProblem
from kt_cp.counting.dense.on_disk import OnDisk, phase_array, phases, whole_half
from kt_cp.counting.plan import plan_confirmation
from kt_cp.counting.tour_numbering import Numbering
from kt_cp.model.errors import EndedError, NotTakenError, StoreError, UnsoundEngineError
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.processes import store
from kt_cp.processes.executors import WorkerEndedError
from kt_cp.processes.store import SECOND, Store, stored_count
from tests.counting.test_store import Dying, Killed
from tests.support.exhaustive import more
from tests.support.fakes import Failing

SMALL = Problem("3x10", closed=True)
TOURS = 16


@pytest.fixture(autouse=True)
def no_power_cuts(monkeypatch):
    """Skip ``fsync``, which takes a tenth of a second on a busy disk."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


def run(path, problem, room, exact=True, progress=None, executor=None):
    with Store(path, problem, METHOD) as store:
        return OnDisk(HalvedProblem(problem), store, progress, room, executor).count(exact=exact)


@pytest.mark.parametrize(
    ("sides", "room"),
    [
        ("3x10", 20),
        ("5x6", 10**4),
        pytest.param("3x80", 100, marks=pytest.mark.slow),  # numbers of 64 bits
        pytest.param("8x5", 5000, marks=pytest.mark.slow),
        pytest.param("6x6", 30_000, marks=pytest.mark.slow),
        *more([], [pytest.param("7x8", 3_000_000, marks=pytest.mark.slow)]),
    ],
)
def test_it_counts_what_one_array_does(tmp_path, sides, room):
    problem = Problem(sides, closed=True)
    events = []
    assert run(tmp_path, problem, room, progress=events.append) == METHOD.count(problem)
    assert all(each["step"] <= each["steps"] for each in events)
    assert events[-1]["states"] > 0


def test_tables_of_most_pairs_are_made_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setattr(meeting, "WHOLE", 4)
    assert run(tmp_path / "exact", Problem("5x6", closed=True), 10**6) == 8
    assert run(tmp_path / "primes", Problem("5x6", closed=True), 10**6, exact=False) == 8


def test_groups_are_pieces_of_an_executor_that_are_done_again_and_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(dense, "KEYED", 3)
    dead = iter([0, 0, 1, 1, 0])  # the first task prepares the other worker
    reliable = Failing()
    dying = Failing(lambda *_: WorkerEndedError("killed") if next(dead, 0) else None)
    reliable.at_once = dying.at_once = 2
    for executor in (reliable, dying):
        assert METHOD.count(SMALL, executor=executor) == TOURS
    assert reliable.sent > 8 and dying.sent == reliable.sent + 2
    groups, done = reliable.sent - 1, reliable.sent // 2
    left = iter(range(done))
    ended = Failing(lambda *_: None if next(left, None) is not None else WorkerEndedError("all"))
    with Store(tmp_path, SMALL, METHOD) as store, pytest.raises(EndedError, match="3 workers"):
        METHOD.count(SMALL, store=store, executor=ended)
    rest = Failing()
    with Store(tmp_path, SMALL, METHOD) as store:
        assert METHOD.count(SMALL, store=store, executor=rest) == TOURS
    # Workers are some pieces ahead: finished pieces that were not yet reported are repeated.
    assert groups - done <= rest.sent <= groups - done + 2


def test_a_store_goes_on_as_it_was_begun(tmp_path, monkeypatch):
    monkeypatch.setattr(dense, "KEYED", 3)

    def ended(work):
        if work["step"] == 3:
            raise EndedError("stopped")

    for executor, other in ((Failing(), None), (None, Failing())):
        path = tmp_path / ("groups" if executor else "rows")
        with Store(path, SMALL, METHOD) as store, pytest.raises(EndedError):
            METHOD.count(SMALL, progress=ended, store=store, executor=executor)
        with Store(path, SMALL, METHOD) as store:
            assert METHOD.count(SMALL, store=store, executor=other) == TOURS
        assert other is None or not other.sent


def test_numbers_that_are_too_large_are_counted_by_primes(tmp_path, monkeypatch):
    monkeypatch.setattr(meeting, "fits", lambda *_: False)
    assert run(tmp_path, SMALL, 200) == TOURS


def test_killed_at_random_moments_it_goes_on(tmp_path, monkeypatch):
    run(tmp_path / "first", SMALL, 20)
    dying = Dying(monkeypatch)
    assert run(tmp_path / "whole", SMALL, 20) == TOURS
    seed = random.randrange(10**6)
    print(f"{seed=}")
    moments = random.Random(seed).sample(range(dying.made), 2)
    for moment in moments:
        path = tmp_path / f"{moment}"
        dying.left = moment
        with pytest.raises(Killed):
            run(path, SMALL, 20)
        dying.left = float("inf")
        assert run(path, SMALL, 20) == TOURS, moment
        assert len(list(path.glob("step-*"))) == 1


def half_done(path, monkeypatch):
    """Leave a run in the middle of a phase; return the blocks that remain."""
    first = path.with_name("first")
    run(first, SMALL, 20)  # fill the caches of this process
    shutil.rmtree(first)
    dying = Dying(monkeypatch)
    dying.left = 300
    with pytest.raises(Killed):
        run(path, SMALL, 20)
    dying.left = float("inf")
    return blocks_of(path)


def blocks_of(path):
    files = [each for each in path.glob("step-*.*-*.kept") if "done" not in each.name]
    first = min(int(each.name.split(".")[0][5:]) for each in files)
    return sorted(each for each in files if each.name.startswith(f"step-{first}."))


def test_a_block_that_is_damaged_or_missing_is_an_error(tmp_path, monkeypatch):
    block = half_done(tmp_path, monkeypatch)[-1]
    intact = block.read_bytes()
    block.write_bytes(intact[:-1])
    advice = "remove its folder and run again to count from the start"
    with pytest.raises(StoreError, match=rf"\.kept is damaged: expected its SHA-256; {advice}"):
        run(tmp_path, SMALL, 20)
    block.unlink()
    with pytest.raises(StoreError, match=rf"{block.name} is missing: expected .*; {advice}"):
        run(tmp_path, SMALL, 20)
    block.write_bytes(intact)
    assert run(tmp_path, SMALL, 20) == TOURS


def test_a_damaged_step_or_manifest_is_removed_as_the_message_says(tmp_path, monkeypatch):
    half_done(tmp_path / "run", monkeypatch)
    names = ["manifest.json", *(each.name for each in (tmp_path / "run").glob("step-*[0-9].kept"))]
    for name in [each for each in names if each.count(".") == 1]:
        path = tmp_path / name
        shutil.copytree(tmp_path / "run", path)
        (path / name).write_bytes(b"")
        with pytest.raises(StoreError, match=rf"{name} is damaged: .*; remove it and run again"):
            run(path, SMALL, 20)
        (path / name).unlink()
        assert run(path, SMALL, 20) == TOURS


def test_a_full_disk_is_one_line_and_nothing_is_lost(tmp_path, monkeypatch):
    replace, left = os.replace, iter(range(60))

    def full(*paths):
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(*paths)

    with monkeypatch.context() as patched:
        patched.setattr(store.os, "replace", full)
        with pytest.raises(StoreError, match="no space left on device"):
            run(tmp_path, SMALL, 20)
    assert blocks_of(tmp_path)
    assert run(tmp_path, SMALL, 20) == TOURS


def test_it_is_confirmed_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(dense, "WIDEST", 2)
    monkeypatch.setattr(dense, "KEYED", 3)
    monkeypatch.setattr(plan, "methods", lambda: {METHOD.name: METHOD})
    options = {"store": tmp_path, "confirm": True}
    ended = Failing()
    found = count(SMALL, executor=ended, **options)
    assert (found.tours, found.confirmed) == (TOURS, (f"dense, modulo {CONFIRMING}",))
    assert stored_count(tmp_path / SECOND) == TOURS and ended.sent
    assert count(SMALL, **options).tours == TOURS  # both are known
    shutil.rmtree(tmp_path / SECOND)
    real = OnDisk.run
    monkeypatch.setattr(OnDisk, "run", lambda *arguments: real(*arguments) + 1)
    with pytest.raises(UnsoundEngineError, match=r"dense counts 16 tours, and .* 17"):
        count(SMALL, **options)


def test_what_was_taken_goes(tmp_path, monkeypatch):
    """The arrays of two phases never exist together: the disk has space for one."""
    left = [each.name.split(".") for each in half_done(tmp_path, monkeypatch)]
    (step,) = {name for name, *_ in left}
    waiting = {int(key.split("-")[0]) for _, key, _ in left}
    done = {int(each.name.split(".")[1][5:]) for each in tmp_path.glob(f"{step}.done-*")}
    assert len(done) > 2 and not waiting & (done - {min(done - {0})})  # 0 is the first one


@pytest.mark.parametrize(("rows", "width"), [(6, 3), (8, 4), (8, 5), (6, 6), (10, 9)])
def test_steps_touch_no_key(rows, width):
    half = whole_half(rows, width)
    for phase in phases(half):
        slots = {slot for step in phase.steps for slot in getattr(step, "move", ()) and step[:2]}
        slots |= {step.slot for step in phase.steps if hasattr(step, "slot")}
        assert slots <= set(phase.touched) and not slots & set(phase.key)
        assert sorted((*phase.touched, *phase.key)) == list(range(2 * width))
        assert len(phase.touched) <= width + 1


def test_groups_hold_each_key_once_and_its_partner():
    half = whole_half(6, 5)
    last = phases(half)[-1]
    part = phase_array(last, 2000, half)
    assert sorted(np.concatenate(part.groups)) == np.flatnonzero(part.sizes).tolist()
    assert all(part.sizes[keys].sum() <= 2000 or len(keys) <= 2 for keys in part.groups)
    lows = len(part.at.low.sums)
    for keys in part.groups:
        assert set(part.partners[1][keys] // lows) == set(keys)


def test_nine_columns_take_a_store(kt_cp, tmp_path):
    wide = Problem("9x10", closed=True)
    estimate = METHOD.estimate(wide)
    assert estimate.states == 11_338_512_185 and estimate.disk > 4 * 10**10
    with pytest.raises(NotTakenError, match="expected a store for the array"):
        METHOD.count(wide)
    with pytest.raises(NotTakenError, match="a second way"):
        plan_confirmation(Request.begin(wide), METHOD)
    assert (
        plan_confirmation(Request.begin(wide), METHOD, stored=True).name
        == "dense, modulo 2147483659"
    )
    assert Dense(lower=1).refuses(wide) == "beyond a side of 8 it cuts boards in the middle alone"
    with pytest.raises(NotTakenError, match=r"dense counts .* this wide, but does not number them"):
        Numbering(wide, "dense")
    run = kt_cp("count", "9x10", "--closed", "--method", "dense")
    assert run.code == 2 and "expected --store FOLDER, where dense needs 46 GB of disk" in run.err
    run = kt_cp("count", "9x10", "--closed", "--store", str(tmp_path), "--memory-limit", "1000")
    assert run.code == 3 and not list(tmp_path.iterdir())
