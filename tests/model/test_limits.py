"""Clocks: a step never has more time than what it is a step of."""

from __future__ import annotations

import time

from kt_cp.model.limits import Clock, Limits


def test_a_step_ends_with_what_it_is_a_step_of():
    clock = Clock(2.0)
    assert clock.step(0.5).seconds == 0.5
    assert clock.step(60.0).seconds <= 2.0
    assert clock.step(60.0, 1 / 4).seconds <= 0.5
    time.sleep(0.05)
    assert clock.step().seconds <= 1.95 and clock.limits(100.0).seconds <= 1.95
    assert Clock(None).step(60.0).seconds == 60.0
    assert Clock(None).step().limits(None, 3) == Limits(workers=3)
    over = Clock(1e-9)
    assert over.step(60.0).expired() and over.limits().clock().step(60.0).seconds < 0.01


def test_what_is_spent_of_a_limit_is_no_time_to_search():
    clock = Limits(2.0, spent=1.5).clock()
    assert clock.seconds == 2.0 and clock.left <= 0.5 and clock.elapsed < 1.0
    assert Limits(2.0, spent=5.0).clock().expired()
    assert Limits(spent=5.0).clock().left is None
