"""Plug-ins of other packages, found through entry points.

Engines and encodings have names; this package's own names take precedence.  If an entry point does
not load, or returns another type, a one-line error names its object, because the user of an
installed plug-in is rarely its author.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError, suggestion

T = TypeVar("T")


def entry_points_of(group: str, own: Collection[str]) -> dict[str, Any]:
    """Return the entry points of a group by name, without the package's own names."""
    from importlib.metadata import entry_points  # slow to import and rarely needed

    return {point.name: point for point in entry_points(group=group) if point.name not in own}


def load_plugin(what: str, name: str, point: Any) -> Any:
    """Return the object of an entry point."""
    try:
        return point.load()
    except Exception as error:
        why = shorten(" ".join(str(error).split()), 200)
        raise EngineNameError(
            f"{what} {name} does not load from {point.value}: {type(error).__name__}: {why}"
        ) from error


def load_all(names: Iterable[str], get: Callable[[str], T]) -> tuple[list[T], list[str]]:
    """Return the objects with these names, and the messages for those that do not load."""
    loaded, refused = [], []
    for name in names:
        try:
            loaded.append(get(name))
        except EngineNameError as error:
            refused.append(str(error))
    return loaded, refused


def unknown_name_error(what: str, known: Collection[str], name: object) -> EngineNameError:
    """Return the error for an unknown name, with the most similar known name.

    >>> print(unknown_name_error("an engine", ["cpsat", "sat"], "cpsta"))
    expected an engine, one of cpsat, sat; got 'cpsta' (did you mean cpsat?)
    """
    hint = suggestion(name, known)
    return EngineNameError(
        f"expected {what}, one of {', '.join(known)}; got {shorten(repr(name))}{hint}"
    )
