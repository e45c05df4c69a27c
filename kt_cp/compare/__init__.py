"""Boards × engines under limits, each run in a process of its own, every row checked."""

from __future__ import annotations

from kt_cp.compare.run import DEFAULT_ENGINES, Comparison, Run, Task, compare, questions

__all__ = ["DEFAULT_ENGINES", "Comparison", "Run", "Task", "compare", "questions"]
"""The Python face of ``kt-cp compare``."""
