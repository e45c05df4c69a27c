"""Display and files of the values of the model, made by functions of other folders.

Modules for pictures and files import the model, never the reverse.  So the model calls their
functions by name, and imports their modules when they are needed.
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
    """Base class of values that notebooks show as interactive boards, if anywidget is installed."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:  # noqa: ARG002
        return call_by_name("notebook_view", self)

    @property
    def _display_(self) -> Any:
        """Display function for marimo, which uses it first; absent without an interactive board."""
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
        """Write the picture to a file, and replace an existing file."""
        Path(path).write_text(self, encoding="utf-8")
