"""Exit codes, one name each."""

from __future__ import annotations

from kt_cp.outcome import Verdict

FOUND = 0
NO = 1
USAGE = 2
UNKNOWN = 3
BUG = 70
INTERRUPTED = 130

OF_VERDICT = {Verdict.FOUND: FOUND, Verdict.IMPOSSIBLE: NO, Verdict.UNKNOWN: UNKNOWN}
"""What ``solve`` exits with."""
