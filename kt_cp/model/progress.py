"""What long work tells of itself while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Progress = Callable[[Mapping[str, float | None]], None]
"""Is told now and then what was counted so far; or, without a number, what is being done."""


def doing(progress: Progress | None, what: str) -> None:
    """Tell what is being done, where somebody wants to know."""
    if progress is not None:
        progress({what: None})
