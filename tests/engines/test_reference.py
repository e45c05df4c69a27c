"""Engine ``reference``: it tells how far it is, and prove tells it of the same recursion."""

from __future__ import annotations

from kt_cp import Problem, Verdict, prove, solve


def test_it_tells_which_start_of_how_many_and_what_is_placed():
    told = []
    outcome = solve(Problem("4x4"), "reference", progress=told.append)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    starts = [next(iter(work)) for work in told]
    assert list(dict.fromkeys(starts)) == [f"start {number} of 16" for number in range(1, 17)]
    placed = [work["squares placed"] for work in told]
    assert placed == sorted(placed)
    assert outcome.statistics["placed"] - 1000 <= placed[-1] <= outcome.statistics["placed"]


def test_a_single_start_is_not_counted():
    told = []
    prove(Problem("3x6", closed=True), "exhausted", progress=told.append)
    assert {"squares placed": 0} in told
    assert not any("start" in name for work in told for name in work)
