"""How much work a count will be, told before it begins.

A probe walks down the tree of the recursion once.  It lists the beginnings a few squares longer
than the one it stands at, goes on with one of them at random, and multiplies: what it meets below
stands for as many subtrees as it had to choose from, on every level.  The mean over all choices is
the size of the tree, exactly, whatever the tree looks like.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation
29 (1975) 121–136.  Cost: some milliseconds a probe.

When it loses: most of a tree may hang on few branches, which few probes meet, so the estimate is
often too low, and seldom a little too high.  But it is hardly ever far too high: as its mean is the
truth, it is a thousand times the truth in one case of a thousand at most (Markov's inequality).
So where it is a thousand times what anyone waits for, a refusal is right.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from kt_cp.enumeration.walks import BitGraph, Job, Task, Walker

PROBES = 64
STRIDE = 3
"""Squares that a probe goes on by: fewer enter a walk more often, more list more beginnings."""

ENOUGH = 1e30
"""Nobody asks how much more it is, and larger boards would take a probe seconds."""

_ROOM = 64**STRIDE


def squares_to_place(graph: BitGraph, tasks: Sequence[Task], seed: int = 0) -> float:
    """Estimate of how many squares a count of the tasks will place, or some number from ENOUGH on.

    Examples
    --------
    >>> from kt_cp.enumeration import Enumeration
    >>> 1e5 < Enumeration("6x6", closed=True).work() < 2e6  # it is 428,252
    True
    """
    rng = random.Random(seed)
    placed = 0.0
    for _ in range(PROBES if tasks else 0):
        placed += _probe(graph, rng.choice(tasks).job, rng) * len(tasks) / PROBES
        if placed >= ENOUGH:
            break
    return placed


def _probe(graph: BitGraph, job: Job, rng: random.Random) -> float:
    """Squares placed on one way down, each as often as there were ways to choose from."""
    total, stands_for, placed = len(graph.free), 1.0, 0.0
    walk = tuple(job.prefix)
    while len(walk) < total and placed < PROBES * ENOUGH:
        walker = Walker(graph, Job(walk, job.may_end, job.closed), min(len(walk) + STRIDE, total))
        longer = walker.next(room=_ROOM, steps=1 << 60)
        placed += stands_for * (walker.placed - len(walk))
        if not len(longer):
            break
        stands_for *= len(longer)
        walk = tuple(longer[rng.randrange(len(longer))].tolist())
    return placed
