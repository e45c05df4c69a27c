"""What long work tells of itself while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Progress = Callable[[Mapping[str, float | None]], None]
"""Is told now and then what was counted so far; or, without a number, what is being done."""


Edges = Iterable[tuple[Any, Any]]
"""Moves that a search has chosen for now, as pairs of squares or nodes."""


def showing(progress: Progress | None, edges: Callable[[], Edges]) -> None:
    """Show what is chosen for now, where somebody looks on: who is told has a method ``look``.

    It is for whoever looks to say when it is time to: only then are the edges asked for.
    """
    look = getattr(progress, "look", None)
    if look is not None:
        look(edges)


def doing(progress: Progress | None, what: str) -> None:
    """Tell what is being done, where somebody wants to know."""
    if progress is not None:
        progress({what: None})
