"""A better order by small moves: annealing, in which a bound on the states is the energy.

One vertex at a time is moved a few places to and fro, and the bound on the number of states of all
steps (:mod:`.bound`) says whether that helps.  Only steps between the two places change, so a move
is cheap.  A worse order is taken now and then, less and less often as time goes by.

Source: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing",
Science 220 (1983).  On 7×8 it finds an order with a fourth of the states.  Cost: a second or two,
so it is for counts that take longer.  When it loses: on long boards the order rank by rank is as
good, except near both ends.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from kt_cp.model.graph import IndexedGraph
from kt_cp.search.frontier_order import FrontierCut, state_bounds

HOT, COLD = 0.08, 0.002
"""Relative losses that are taken with a probability of 1/e, at first and in the end."""

ROOM = (15, 24)
"""Widths up to which a state is one word, or two: an order does not get longer ones."""

FAR = 4
"""Places that a vertex is moved by, on average."""


def improved(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None, tries: int
) -> list[int]:
    """The best order that was found in so many tries; the same every time.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.graph import index_board
    >>> graph = index_board(Board(5, 6))
    >>> better = improved(graph, range(30), graph.colours, 100)
    >>> sum(state_bounds(graph, better, None)) < sum(state_bounds(graph, range(30), None))
    True
    """
    chance = random.Random(1)
    now, found = list(order), state_bounds(graph, order, colours)
    total = len(now)
    cost = least = sum(found)
    best = now[:]
    cuts = _cuts(graph, now, colours)
    widest = max(cut.width for cut in cuts)
    most = next((limit for limit in ROOM if widest <= limit), widest)
    for tried in range(tries):
        heat = HOT * (1 - tried / tries) + COLD
        here = chance.randrange(total)
        shift = 1 + int(chance.expovariate(1 / FAR))
        there = min(total - 1, max(0, here + (shift if chance.random() < 0.5 else -shift)))
        if here == there:
            continue
        low, high = min(here, there), max(here, there)
        part = now[low : high + 1]
        part.insert(there - low, part.pop(here - low))
        made, told, left = [], [], cost - sum(found[low:high])
        cut = cuts[low]
        for vertex in part[:-1]:
            cut = cut.after(vertex)
            made.append(cut)
            told.append(cut.states())
            left += told[-1]
            if left > 2 * cost or cut.width > most:
                break
        else:
            loss = math.log(left / cost) if left else -1.0
            if loss <= 0 or chance.random() < math.exp(-loss / heat):
                now[low : high + 1] = part
                cuts[low + 1 : high + 1], found[low:high] = made, told
                cost = left
                if cost < least:
                    least, best = cost, now[:]
    return best


def _cuts(
    graph: IndexedGraph, order: Sequence[int], colours: Sequence[int] | None
) -> list[FrontierCut]:
    """What is dealt with before each step, and after the last."""
    cuts = [FrontierCut.of(graph, colours)]
    for vertex in order:
        cuts.append(cuts[-1].after(vertex))
    return cuts
