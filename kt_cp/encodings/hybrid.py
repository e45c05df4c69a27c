"""Hybrid encoding: take out vertices while that is cheap, and number the rest.

Elimination (:mod:`kt_cp.encodings.elimination`) is cheap at first and dear at the end, where
everything left is joined with everything; a distance encoding is dear in proportion to the arcs.
So vertices of least degree are taken out until that degree times the number gone so far exceeds N.
On an 8x8 board 17 go, and on 20x20 76.  The arcs that are left are those of a cycle through the R
vertices left.  (N.-F. Zhou, CP 2024, as there.)

They are numbered along the cycle in L bits, 2^L ≥ R.  One vertex of least degree among them, the
*origin*, needs none: its successor has 1, its predecessor R - 1, and everywhere else
h(u, v) → P(v) = P(u) + 1 (:mod:`kt_cp.encodings.increment`).  Numbers are taken modulo 2^L, so a
cycle that misses the origin would have a multiple of 2^L vertices, but there are only R - 1 ≤
2^L - 1.  That all numbers differ follows.

With R vertices and B arcs left, 2 d of them at the origin: beside the elimination's clauses,
L (R - 1) variables and (B - 2 d) L (L + 1) + 2 d L clauses.  If no more than three are left, none.

Measured with CaDiCaL 1.9.5, clauses and seconds of solving: closed 8x8 17,634 and 0.02, 10x10
40,376 and 0.03, 12x12 62,552 and 0.31, 14x14 109,842 and 0.17, 16x16 146,898 and 3.4, 18x18 233,341
and 13.6; exact, as published, 8x8 17,870 and 0.01, 12x12 63,248 and 0.13, but 14x14 2.4 and 16x16
not in 20 s.  Refuting closed 3x8, 4x6 and 5x5 and open 4x4 takes 40, 122, 14 and 355 conflicts.  It
wins by its size, which grows little faster than N, from 10x10 on less than elimination's; it loses
in refuting and above 14x14, where numbers in binary tell a partial assignment little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.cycle import cycle_form
from kt_cp.encodings.cnf import Clause, Cnf, Cuts, Encoding
from kt_cp.encodings.elimination import CLAUSES_OF_PAIR, FEWEST, Reduced
from kt_cp.encodings.fill import (
    COUNTED,
    adjacency,
    board_arcs,
    eliminations,
    successor_clauses,
)
from kt_cp.encodings.increment import equals, increments
from kt_cp.encodings.successor import successors, tour_of
from kt_cp.problem import Problem
from kt_cp.tour import Tour

ARCS_LEFT, PAIRS_JOINED = 12, 4
"""On a board of more than a thousand squares, for each: measured at most 10.5 and 3.9 (50x50)."""


def encode(problem: Problem, *, exact: bool = False) -> Cnf:
    """State a problem in the hybrid encoding.

    Parameters
    ----------
    exact : bool
        As in the elimination encoding.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(5, 6), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (458, 4519)
    """
    shared = successors(problem)
    reduced = Reduced(shared)
    shared.clauses.extend(reduced.reduce(len(shared), exact=exact))
    if len(reduced.adjacent) > FEWEST:
        shared.clauses.extend(_numbered(reduced))
    return Cnf(problem, max(shared.fresh.top, 1), shared.clauses, shared)


def _numbered(reduced: Reduced) -> Iterator[Clause]:
    """The vertices that are left have numbers that rise along the cycle."""
    adjacent, fresh = reduced.adjacent, reduced.shared.fresh
    left = sorted(adjacent)
    origin = min(left, key=lambda vertex: len(adjacent[vertex]))
    last = len(left) - 1
    place = {
        vertex: [fresh() for _ in range(last.bit_length())] for vertex in left if vertex != origin
    }
    for u in left:
        for v in sorted(adjacent[u]):
            follows = reduced.number[u, v]
            if u == origin:
                yield from equals(follows, place[v], 1)
            elif v == origin:
                yield from equals(follows, place[u], last)
            else:
                yield from increments(follows, place[u], place[v])


def decode(cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts:
    """Tour of a model.

    Raises
    ------
    EngineFailedError
        If the model is none.
    """
    return tour_of(cnf, true, "hybrid")


def clauses_of(problem: Problem) -> int:
    """Estimate: counted for graphs and for small boards, in proportion for large ones."""
    if problem.board is not None and problem.size > COUNTED:
        first, arcs = board_arcs(problem), ARCS_LEFT * problem.size
        pairs, left = PAIRS_JOINED * problem.size, problem.size
    else:
        graph = cycle_form(problem).graph
        adjacent = adjacency(graph)
        pairs = 0
        for gone, (_, others) in enumerate(eliminations(adjacent)):
            if len(adjacent) <= FEWEST or len(others) * gone > len(graph):
                break
            pairs += len(others) * (len(others) - 1)
        left, first = len(adjacent), 2 * len(graph.tails)
        arcs = sum(map(len, adjacent.values()))
    bits = (left - 1).bit_length()
    reduction = successor_clauses(problem, first) + CLAUSES_OF_PAIR * pairs
    return reduction + arcs * (bits * (bits + 1) + 7) + 2 * left


ENCODING = Encoding(
    name="hybrid",
    summary="vertices taken out of the cycle while that is cheap, the rest numbered in binary",
    clauses_of=clauses_of,
    encode=encode,
    decode=decode,
    solver="cadical195",
)
