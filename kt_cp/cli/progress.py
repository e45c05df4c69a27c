"""Progress of a search on stderr, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from kt_cp.cli.output import watched


@contextmanager
def search_progress(label: str) -> Iterator[Callable[[Mapping[str, float]], None] | None]:
    """A spinner with the work done so far; None where nobody is watching."""
    if not watched():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{label} …") as status:

        def show(work: Mapping[str, float]) -> None:
            counted = ", ".join(f"{name} {value:,.0f}" for name, value in work.items())
            status.update(f"{label} … {counted}")

        yield show
