"""The formula of certificates as an encoding: its refutations can become certificates.

The checker builds the same formula from a problem (:mod:`kt_cp.trust.check.formula`, described in
``FORMAT.md``): a variable for each edge of the frame, exactly two edges at every vertex, and no
auxiliary variables up to nine edges.  A model is a set of cycles, and cuts are added as in the lazy
encoding.  With given steps there are step variables as well, and every model is a tour.  A solver
that logs its lemmas refutes the formula with these cuts; :mod:`kt_cp.formats.decode` turns such a
proof into a certificate.

Source: as :mod:`kt_cp.encodings.lazy`, whose decoder reads its models too.  Cost: 64 clauses in the
middle of a board, and 44 in the lazy encoding; with given steps about eighty literals for each
square of each window.  When it loses: at finding tours on large boards.  It is meant for proofs, so
comparisons include it only if it is named.
"""

from __future__ import annotations

from math import comb

import numpy as np

from kt_cp.encodings import channel, lazy
from kt_cp.encodings.cnf import Cnf, Encoding
from kt_cp.model.conditions import EDGES, Given, Symmetry
from kt_cp.model.cycle import CycleForm, cycle_form
from kt_cp.model.errors import TooLargeError
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.problem import Problem
from kt_cp.trust.check.formula import DIRECT, formula_of, given_clues
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.refusal import Refusal


def encode(problem: Problem) -> Cnf:
    """Return the formula of a problem, without cuts.

    TooLargeError is raised if the problem has too many squares for the checker.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(3, 4)))
    >>> cnf.variables, len(cnf.key.form), cnf.key.form.forced  # two ends, one for each colour
    (27, 14, [(12, 13)])
    """
    try:
        frame = frame_of(problem)
        variables, clauses = formula_of(frame, None, [], given_clues(frame))
    except Refusal as refusal:
        raise TooLargeError(f"{problem.label}: {refusal.text}") from None
    edges = np.array(frame.edges(), dtype=np.int64).reshape(-1, 2)
    nodes = [*problem.indexed.nodes, *frame.ends]
    graph = IndexedGraph(nodes, edges[:, 0], edges[:, 1])
    depot = None if problem.closed else frame.squares
    form = CycleForm(problem, graph, frame.must, depot)
    return Cnf(problem, max(variables, 1), clauses, lazy.Key(form, 1, np.arange(len(edges))))


def clauses_of(problem: Problem) -> int:
    """Estimate the clauses from the degrees; an open tour adds at most one edge at every square.

    The clauses about steps are at most twice those of :mod:`kt_cp.encodings.channel`.
    """
    steps = 2 * channel.clauses_of(problem) if problem.given else 0
    if problem.whole_rectangle is not None:
        return steps + (comb(8, 3) + 8 + 30 * (not problem.closed)) * problem.size
    degrees: list[int] = np.bincount(cycle_form(problem).graph.degrees).tolist()
    return steps + sum(
        many * (d + comb(d, 3) if d <= DIRECT else 8 * d - 4) for d, many in enumerate(degrees)
    )


ENCODING = Encoding(
    name="certificate",
    summary="the checker's own formula, cuts as in lazy; for proofs that become certificates",
    clauses_of=clauses_of,
    encode=encode,
    decode=lazy.decode,
    two_factors=True,
    takes=EDGES | {Given, Symmetry},
)
