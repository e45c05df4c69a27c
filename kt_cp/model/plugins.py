"""Plug-ins of other packages, found through entry points.

Engines and encodings are both known by name, this package's own first.  If an entry point does not
load, or gives something else, an error of one line names the object that it points to, because the
user of an installed plug-in is rarely its author.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError, suggestion

T = TypeVar("T")


def entry_points_of(group: str, own: Collection[str]) -> dict[str, Any]:
    """Entry points of a group by name; what is named as one of our own is left out."""
    from importlib.metadata import entry_points  # rarely needed, and slow to import

    return {point.name: point for point in entry_points(group=group) if point.name not in own}


def load_plugin(what: str, name: str, point: Any) -> Any:
    """The object of an entry point."""
    try:
        return point.load()
    except Exception as error:
        why = shorten(" ".join(str(error).split()), 200)
        raise EngineNameError(
            f"{what} {name} does not load from {point.value}: {type(error).__name__}: {why}"
        ) from error


def load_all(names: Iterable[str], get: Callable[[str], T]) -> tuple[list[T], list[str]]:
    """What has these names, and why what is missing does not load."""
    loaded, refused = [], []
    for name in names:
        try:
            loaded.append(get(name))
        except EngineNameError as error:
            refused.append(str(error))
    return loaded, refused


def unknown_name_error(what: str, known: Collection[str], name: object) -> EngineNameError:
    """The error for a name that is not known, with the one that it is most like.

    >>> print(unknown_name_error("an engine", ["cpsat", "sat"], "cpsta"))
    expected an engine, one of cpsat, sat; got 'cpsta' (did you mean cpsat?)
    """
    hint = suggestion(name, known)
    return EngineNameError(
        f"expected {what}, one of {', '.join(known)}; got {shorten(repr(name))}{hint}"
    )
