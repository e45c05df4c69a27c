"""Encodings of problems as formulas: pure functions, no solver, one file each."""

from __future__ import annotations

from importlib import import_module

from kt_cp.encodings.cnf import Cnf, Cuts, Encoding
from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError
from kt_cp.model.problem import Problem

__all__ = ["ENCODING_NAMES", "Cnf", "Cuts", "Encoding", "encoding_for", "get_encoding"]

ENCODING_NAMES = (
    "lazy", "channel", "position", "adder", "lfsr", "remainder", "remainder-short", "relative",
    "elimination", "hybrid", "reach", "corridor",
)  # fmt: skip
"""The first is the default.  Each is the ``ENCODING`` of the module of its name, or with a hyphen
what that module calls by the second word."""


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
    module, _, variant = name.partition("-")
    encoding = getattr(import_module(f"kt_cp.encodings.{module}"), variant.upper() or "ENCODING")
    assert isinstance(encoding, Encoding)
    return encoding


def encoding_for(problem: Problem) -> str:
    """The first encoding that takes a problem's conditions.

    Examples
    --------
    >>> encoding_for(Problem("8x8")), encoding_for(Problem("8x8", given={"a1": 3}))
    ('lazy', 'channel')
    """
    asked = set(map(type, problem.conditions))
    return next(name for name in ENCODING_NAMES if asked <= get_encoding(name).takes)
