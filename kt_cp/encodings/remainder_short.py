"""Remainder encoding with few parts: smaller than it takes, and its models checked.

M. J. H. Heule ("Chinese remainder encoding for Hamiltonian cycles", SAT 2021) noticed that the
product of the parts may be smaller than the number of vertices: hardly any model then has several
cycles, all but one of which would have lengths divisible by that product, and one that has is told
from a tour at once.  "No model" means that there is no tour, as before.  Here a model with several
cycles is answered by cuts, and the solver goes on: one arc leaves each cycle but the largest, and
one enters it.  So the encoding stays complete.

Sizes are those of :mod:`kt_cp.encodings.remainder` for the parts ``PARTS``.

Measured with CaDiCaL 1.9.5: closed 8 × 8 in 0.04 s (5,583 clauses), 10 × 10 in 0.15 s (9,691) and
12 × 12 in 0.09 s (14,911), each with 1 or 2 models; 20 × 20 in 5 s (46,911), which no complete
counter did in 25 s; 30 × 30 not in 25 s.  Closed 3 × 8, 4 × 6, 5 × 5, 4 × 8, 4 × 10 and open 4 × 4
are refuted in at most 0.02 s.  Its tours are those of every encoding: it wins on finding, and on
boards for which the parts were enough anyway there is nothing to win.
"""

from __future__ import annotations

from functools import partial

from kt_cp.encodings import remainder
from kt_cp.encodings.cnf import Encoding
from kt_cp.encodings.seam import shape_of
from kt_cp.encodings.successor import tour_or_cuts
from kt_cp.problem import Problem

PARTS = (3, 7)


def clauses_of(problem: Problem) -> int:
    """Bound on the number of clauses."""
    shape = shape_of(problem)
    counting = sum(remainder.register_of(part).per_edge(shape.pace) for part in PARTS)
    return shape.shared + shape.arcs // 2 * counting + shape.vertices


ENCODING = Encoding(
    name="remainder-short",
    summary="as remainder, modulo fewer: sub-tours are rare, and cut off as they appear",
    clauses_of=clauses_of,
    encode=partial(remainder.encode, parts=PARTS),
    decode=partial(tour_or_cuts, encoding="remainder-short"),
    solver="cadical195",
)
