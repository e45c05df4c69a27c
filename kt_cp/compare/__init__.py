"""Comparisons of engines on problems within limits; each run has its own process and is checked."""

from __future__ import annotations

from kt_cp.compare.run import DEFAULT_ENGINES, Comparison, Run, Task, compare, questions

__all__ = ["DEFAULT_ENGINES", "Comparison", "Run", "Task", "compare", "questions"]
"""Python interface of ``kt-cp compare``."""
