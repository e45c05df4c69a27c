"""Most memory that a process has held, as the operating system tells it."""

from __future__ import annotations

import sys


def most_memory(*, children: bool = False) -> int:
    """Most that this process has held so far, or the largest that it has waited for, in bytes."""
    import resource

    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return resource.getrusage(who).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
