"""The registry of engines by name.

A registry line maps a family name to an :class:`~kt_cp.engines.engine.Engine` or to a factory.  A
factory is a function that takes the options after the name's colons and returns an engine.  Modules
are imported when their engine is used.  Other packages add engines through the entry-point group
``kt_cp.engines``, with an engine or a factory as the object.
"""

from __future__ import annotations

import importlib
import inspect

from kt_cp.engines.engine import Engine
from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError
from kt_cp.model.plugins import entry_points_of, load_plugin, unknown_name_error

ENTRY_POINTS = "kt_cp.engines"

_FAMILIES = {
    "auto": "kt_cp.engines.auto:ENGINE",
    "construct": "kt_cp.engines.construct:ENGINE",
    "warnsdorff": "kt_cp.engines.warnsdorff:ENGINE",
    "backtrack": "kt_cp.engines.backtrack:ENGINE",
    "windows": "kt_cp.engines.step_domains:ENGINE",
    "cpsat": "kt_cp.engines.cpsat:ENGINE",
    "sat": "kt_cp.engines.sat:engine",
    "propagator": "kt_cp.engines.propagator:ENGINE",
    "reference": "kt_cp.engines.backtrack:REFERENCE_ENGINE",
}


def engine_names() -> list[str]:
    """Return the names of all families, those of this package first."""
    return [*_FAMILIES, *sorted(entry_points_of(ENTRY_POINTS, _FAMILIES))]


def get_engine(name: str | Engine) -> Engine:
    """Return the engine of a name such as ``"cpsat"``; an engine is returned unchanged.

    Raises
    ------
    EngineNameError
        If the family, or one of the options after its colons, is unknown; or if the entry point
        of another package does not load or is not an engine.

    Examples
    --------
    >>> get_engine("sat:position").name
    'sat:position:cadical195'
    """
    if isinstance(name, Engine):
        return name
    if not isinstance(name, str):
        raise unknown_name_error("an engine", engine_names(), name)
    family, *options = name.split(":")
    if options and not options[-1]:
        raise EngineNameError(f"expected a name behind the last colon, got {shorten(name)!r}")
    if family in _FAMILIES:
        module, _, attribute = _FAMILIES[family].partition(":")
        target = getattr(importlib.import_module(module), attribute)
    elif family in (plugins := entry_points_of(ENTRY_POINTS, _FAMILIES)):
        target = load_plugin("engine", family, plugins[family])
    else:
        raise unknown_name_error("an engine", engine_names(), family)
    factory = (lambda: target) if isinstance(target, Engine) else target
    if callable(factory):
        try:
            inspect.signature(factory).bind(*options)
        except TypeError:
            raise EngineNameError(
                f"expected {family} with fewer options behind it, got {shorten(name)!r}"
            ) from None
        target = factory(*options)
    if not isinstance(target, Engine):
        raise EngineNameError(
            f"engine {family}: expected its entry point to be an Engine, or a function that makes "
            f"one; got {shorten(repr(target))}"
        )
    return target
