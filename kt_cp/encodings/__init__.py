"""Encodings of problems as formulas: pure functions, no solver, one file each."""

from __future__ import annotations

from importlib import import_module

from kt_cp.encodings.cnf import Cnf, Cuts, Encoding
from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError

__all__ = ["ENCODING_NAMES", "FOR_PROOFS", "Cnf", "Cuts", "Encoding", "get_encoding"]

ENCODING_NAMES = (
    "lazy", "position", "adder", "lfsr", "remainder", "remainder-short", "relative",
    "elimination", "hybrid", "reach", "corridor",
)  # fmt: skip
"""The first is the default.  Each is the ``ENCODING`` of the module of its name, or with a hyphen
what that module calls by the second word."""

FOR_PROOFS = "certificate"
"""The encoding of formulas whose refutations become certificates.  It is not there for finding, so
no comparison has it unless it is asked for."""


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
    known = (*ENCODING_NAMES, FOR_PROOFS)
    if name not in known:
        raise EngineNameError(
            f"expected an encoding, one of {', '.join(known)}; got {shorten(name)!r}"
        )
    module, _, variant = name.partition("-")
    encoding = getattr(import_module(f"kt_cp.encodings.{module}"), variant.upper() or "ENCODING")
    assert isinstance(encoding, Encoding)
    return encoding
