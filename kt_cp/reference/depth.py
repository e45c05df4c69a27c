"""Recursion as deep as a tour is long, with the interpreter's limit put back afterwards.

Since Python 3.11 recursion in pure Python takes no C stack, so only that limit is in the way.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_limits: list[int] = []
_limits_lock = threading.Lock()


@contextmanager
def deep_recursion(depth: int) -> Iterator[None]:
    """Raise the interpreter's recursion limit for a call and put it back.

    The limit is one for all threads: it stays as high as the deepest call under way needs, and
    the last to leave puts back what the first one found.
    """
    needed = depth + _current_depth() + 100
    with _limits_lock:
        if not _limits:
            _limits.append(sys.getrecursionlimit())
        _limits.append(needed)
        sys.setrecursionlimit(max(_limits))
    try:
        yield
    finally:
        with _limits_lock:
            _limits.remove(needed)
            sys.setrecursionlimit(max(_limits))
            if len(_limits) == 1:
                _limits.clear()


def _current_depth() -> int:
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
