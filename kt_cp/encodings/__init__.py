"""Encodings of problems as formulas: pure functions, no solver, one file each."""

from __future__ import annotations

from importlib import import_module

from kt_cp.encodings.cnf import Cnf, Cuts, Encoding
from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError

__all__ = ["ENCODING_NAMES", "Cnf", "Cuts", "Encoding", "get_encoding"]

ENCODING_NAMES = (
    "lazy", "position", "adder", "lfsr", "remainder", "remainder-short", "relative",
    "elimination", "hybrid", "reach", "corridor",
)  # fmt: skip
"""Names of the encodings, each a module of this package (_ for -); the first is the default."""


def get_encoding(name: str) -> Encoding:
    """Encoding of a name.

    Raises
    ------
    EngineNameError
        If there is none of this name.

    Examples
    --------
    >>> get_encoding("position").name
    'position'
    """
    if name not in ENCODING_NAMES:
        raise EngineNameError(
            f"expected an encoding, one of {', '.join(ENCODING_NAMES)}; got {shorten(name)!r}"
        )
    encoding = import_module(f"kt_cp.encodings.{name.replace('-', '_')}").ENCODING
    assert isinstance(encoding, Encoding)
    return encoding
