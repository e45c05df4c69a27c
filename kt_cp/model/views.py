"""How values of the model show and save themselves, which is made far above the model.

Pictures and files know the model, never the other way round.  So this table names the module of
each view, which is imported when it is needed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any


def call_by_name(what: str, *values: Any, **options: Any) -> Any:
    """Return the result of the function that makes a view; None if no module is registered."""
    makers: dict[str, str] = getattr(sys.modules[__name__.partition(".")[0]], "MADE_IN", {})
    if what not in makers:
        return None
    module, _, name = makers[what].partition(":")
    return getattr(import_module(module), name)(*values, **options)


class NotebookDisplay:
    """Return an interactive board for notebooks, if anywidget is installed."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:  # noqa: ARG002
        return call_by_name("notebook_view", self)

    @property
    def _display_(self) -> Any:
        """For marimo, which looks at it first; it is not there where there is no such board."""
        if not call_by_name("live", self):
            raise AttributeError("_display_")
        return lambda: call_by_name("board_widget", self)


class Picture(str):
    """Text of an SVG that notebooks show as a picture.

    Examples
    --------
    >>> Picture("<svg></svg>")
    <Picture: SVG of 11 characters>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Picture: SVG of {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file, whatever stood there."""
        Path(path).write_text(self, encoding="utf-8")
