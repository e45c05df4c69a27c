"""The reference: the recursive backtracker of the source texts, a check of every answer.

``search`` runs the recursion as the texts do.  ``search_compiled`` and ``Run`` are its compiled
twin.  ``Trace`` shows it board by board, ``decide`` uses it to decide whether a tour exists, and
``replay`` runs it over a tour from any source.  The order of the moves is a parameter.
"""

from __future__ import annotations

from kt_cp.model.move_order import ORDERS, fewest_ways_first, fixed_order
from kt_cp.trust.reference.compiled import Pause, Run, search_compiled
from kt_cp.trust.reference.recursion import REPLAY_LIMIT, TAKES, Walk, decide, replay, search
from kt_cp.trust.reference.trace import Ending, Trace, TraceStep

__all__ = [
    "ORDERS", "REPLAY_LIMIT", "TAKES", "Ending", "Pause", "Run", "Trace", "TraceStep", "Walk",
    "decide", "fewest_ways_first", "fixed_order", "replay", "search", "search_compiled",
]  # fmt: skip
