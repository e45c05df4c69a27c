"""Boards × engines under limits, each run in a process of its own, every row checked."""

from __future__ import annotations

from kt_cp.compare.row import DEFAULT_ENGINES, Run, questions
from kt_cp.compare.run import Comparison, compare
from kt_cp.compare.task import Task

__all__ = ["DEFAULT_ENGINES", "Comparison", "Run", "Task", "compare", "questions"]
"""The Python face of ``kt-cp compare``."""
