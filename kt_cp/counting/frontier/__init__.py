"""Tours of any graph counted and numbered by a frontier of mates, a vertex at a time.

What belongs here is that one method.  It shares nothing with the dense one, so that either can
confirm the other.
"""

from __future__ import annotations

from kt_cp.counting.frontier.frontier import METHOD, Frontier

__all__ = ["METHOD", "Frontier"]
