"""The search on large boards: local search from several starts, and on from the best.

The starts are the tour that is known, and tours of parallel lines.  Each is annealed for a while,
because the one that is best at first is not the best in the end: for crossings on 100x100, one
region of lines had 1,319 and two halves had 1,463, and after ten million draws they had 1,151 and
1,056.  Then the best is annealed for the rest of the time.

Measured for fewest turns, closed, within a minute each: CP-SAT found 65, 81, 107, 167 and 313
turns on 10x10, 12x12, 14x14, 16x16 and 20x20.  Local search found 65, 81, 96, 114 and 152 within
seconds.  When it loses: it proves nothing, and measures whose best tours have no long lines get no
good start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kt_cp.optimization.local_search import LocalSearch
from kt_cp.optimization.parallel_lines import tours_of_lines

if TYPE_CHECKING:
    from kt_cp.optimization.local_search import Layout
    from kt_cp.trust.check.frame import Frame

TRIAL, MAIN = 600, 8_000
"""Draws for each square from one of the starts, and then from the best of them.  Together they take
about 30 s on 100x100."""

TRIAL_SHARE = 0.3
"""The share of the time for all trials."""


def improve_tour(
    frame: Frame,
    layout: Layout,
    cycle: list[int],
    seed: int,
    spent: Callable[[int], float],
    keep: Callable[[list[int]], None],
) -> None:
    """Improve a cycle of a frame.

    Parameters
    ----------
    spent : callable
        Called with the least cost so far; returns the share of the time that is spent.  It may
        raise an exception to stop.
    keep : callable
        Receives the best cycle, even after an exception.

    Examples
    --------
    >>> from kt_cp import Problem, solve
    >>> from kt_cp.optimization.local_search import layout_of
    >>> from kt_cp.trust.check.frame import frame_of
    >>> problem = Problem("20x20", closed=True)
    >>> frame = frame_of(problem)
    >>> layout = layout_of(frame, None, crossing_weight=1)
    >>> first = [frame.number[square] for square in solve(problem).tour]
    >>> found = []
    >>> improve_tour(frame, layout, first, 0, lambda _: 0.0, found.append)
    >>> problem.tour([frame.problem.nodes[v] for v in found[-1]]).measures()["crossings"] < 300
    True
    """
    searches = [LocalSearch(layout, cycle, seed)]

    def share_spent() -> float:
        return spent(min(each.best_cost for each in searches))

    try:
        for start in tours_of_lines(frame, layout, seed):
            searches.append(LocalSearch(layout, start, seed))
            if share_spent() > TRIAL_SHARE / 3:
                break
        for done, search in enumerate(tuple(searches)):
            share = (TRIAL_SHARE - share_spent()) / (len(searches) - done)
            search.anneal(TRIAL * len(frame), _part(share_spent, share))
        best = min(searches, key=lambda each: each.best_cost)
        searches.append(LocalSearch(layout, best.best, seed + 1))
        searches[-1].anneal(MAIN * len(frame), _part(share_spent, 1.0 - share_spent()))
    finally:
        keep(min(searches, key=lambda each: each.best_cost).best.tolist())


def _part(spent: Callable[[], float], share: float) -> Callable[[], float]:
    """Return a clock for a share of the time, which begins now."""
    begin = spent()
    return lambda: (spent() - begin) / max(share, 1e-6)
