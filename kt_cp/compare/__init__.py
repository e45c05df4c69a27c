"""Boards × engines under limits, each run in a process of its own, every row checked."""

from __future__ import annotations

from kt_cp.compare.cases import DEFAULT_ENGINES, Case, default_cases
from kt_cp.compare.row import Run
from kt_cp.compare.run import Comparison, compare

__all__ = ["DEFAULT_ENGINES", "Case", "Comparison", "Run", "compare", "default_cases"]
"""The Python face of ``kt-cp compare``."""
