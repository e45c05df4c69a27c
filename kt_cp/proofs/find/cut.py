"""A single square through which all ways lead.

Without such a square the board falls into pieces, and a tour can join few of them: one if it is
closed, two if it is open, one less if the square is an end itself, and one less if both ends are
given and lie in one piece.  Squares that leave three pieces prove that there is no tour whatever
its ends are; those that leave two need the ends.  All is read off one depth-first search, which
begins at a given end: see :mod:`kt_cp.proofs.find.articulation`.

Cost: linear; some 0.1 s for 10,000 squares.  When it loses: boards without holes have no such
square, but for the smallest.
"""

from __future__ import annotations

from typing import Any

from kt_cp.problem import Problem
from kt_cp.proofs.check.frame import frame_of
from kt_cp.proofs.check.refusal import Refusal
from kt_cp.proofs.find.articulation import Articulation
from kt_cp.proofs.find.stop import GaveUpError, ShouldStop, poll


def cut(problem: Problem, should_stop: ShouldStop) -> dict[str, Any] | None:
    """Evidence of the kind ``cut``: of the squares that prove it, one that leaves most pieces.

    Parameters
    ----------
    problem : Problem
    should_stop : callable
        Asked often; None is returned soon after it says so.

    Returns
    -------
    dict or None

    Examples
    --------
    >>> import networkx as nx
    >>> cut(Problem(graph=nx.star_graph(3)), lambda: False)
    {'kind': 'cut', 'squares': ['0']}
    """
    try:
        poll(should_stop)
        frame = frame_of(problem)
        ends = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
        first = ends[0] if ends else 0
        search = Articulation(
            frame.squares,
            lambda vertex: (v for v in frame.neighbours[vertex] if v < frame.squares),
            should_stop,
            first=first,
        )
    except (Refusal, GaveUpError):
        return None
    most = [1 if problem.closed else 2] * frame.squares
    if not problem.closed:
        for end in ends:
            most[end] -= 1
        if len(ends) == 2 and search.connected(*ends):
            apart = {*search.parting(ends[1]), *ends}
            most = [each - (vertex not in apart) for vertex, each in enumerate(most)]
    proving = [v for v, left in enumerate(search.left) if left > most[v]]
    if not proving or frame.squares < 2:
        return None
    best = max(proving, key=lambda vertex: (search.left[vertex], -vertex))
    return {"kind": "cut", "squares": [frame.names[best]]}
