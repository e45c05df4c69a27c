"""Random walks over the page: see tests/support/random_walk.py."""

from __future__ import annotations

import pytest

from tests.support.exhaustive import more
from tests.support.random_walk import RandomWalk


@pytest.mark.slow
@pytest.mark.parametrize("seed", more([0], range(10)))
def test_random_actions(page, seed):
    walk = RandomWalk(page, seed)
    walk.run(more(100, 300))
    print(f"seed {seed}: {walk.tours} tours, {walk.numbers} numbers")
    assert walk.tours > 5 and walk.numbers > 5  # there was something to look at
