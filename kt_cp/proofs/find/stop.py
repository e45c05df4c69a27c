"""How a finder ends early: by an exception that does not leave this package."""

from __future__ import annotations

from collections.abc import Callable

ShouldStop = Callable[[], bool]
"""Asked often; a finder returns None soon after it says so."""


class GaveUpError(Exception):
    """The caller wants it to end, or it has cost enough."""


def poll(should_stop: ShouldStop) -> None:
    """Give up if the caller wants that.

    Raises
    ------
    GaveUpError
        If so.
    """
    if should_stop():
        raise GaveUpError
