"""Remainder encoding with few parts: smaller, and with models that have to be checked.

The product of the parts of :mod:`kt_cp.encodings.remainder` may be smaller than the number of
vertices.  Then some models have several cycles, all but one of lengths divisible by the product.
Such models are rare, and one look at a model tells.  A model with several cycles is answered by
cuts: one arc leaves each cycle but the largest, and one arc enters it.  The solver goes on with
them, so "no model" still means that there is no tour.

Source: M. J. H. Heule ("Chinese remainder encoding for Hamiltonian cycles", SAT 2021) noticed how
rare these models are.

Cost: The counters of the parts ``PARTS``, and the cuts.

When it loses: It wins on finding.  On boards for which these parts are enough it is remainder.
"""

from __future__ import annotations

from functools import partial

from kt_cp.encodings import remainder
from kt_cp.encodings.cnf import Encoding
from kt_cp.encodings.successor import tour_or_cuts

PARTS = (3, 7)

ENCODING = Encoding(
    name="remainder-short",
    summary="as remainder, modulo fewer: sub-tours are rare, and cut off as they appear",
    clauses_of=partial(remainder.clauses_of, parts=PARTS),
    encode=partial(remainder.encode, parts=PARTS),
    decode=partial(tour_or_cuts, encoding="remainder-short"),
)
