"""Run one job; its module, and with it the solvers, is loaded before any clock starts."""

from __future__ import annotations

import json
import sys
from importlib import import_module

KINDS = {
    "search": "search", "front_door": "search", "warnsdorff": "search",
    "enumeration": "enumeration", "proof": "proof", "refutation": "refutation",
    "cost": "construction", "whole": "construction", "peak": "construction",
    "calls": "construction", "puzzles": "puzzles", "clues": "clues",
    "graphs": "graphs", "counting": "counting",
}  # fmt: skip
"""The module of each kind; the function is called as the kind."""


def done(kind: str, *words: str) -> str:
    """What a job came to, as the line that its process prints."""
    return json.dumps(getattr(import_module(f"benchmarks.jobs.{KINDS[kind]}"), kind)(*words))


if __name__ == "__main__":
    print(done(*sys.argv[1:]))
