"""Encodings of problems as formulas: pure functions without a solver, one file each.

Other packages add encodings through the entry-point group ``kt_cp.encodings``, with an
:class:`~kt_cp.encodings.cnf.Encoding` of the entry point's name as the object.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kt_cp.encodings.cnf import Cnf, Cuts, Encoding
from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineNameError
from kt_cp.model.plugins import entry_points_of, load_plugin, unknown_name_error
from kt_cp.model.problem import Problem

__all__ = [
    "ENCODING_NAMES", "FOR_PROOFS", "Cnf", "Cuts", "Encoding", "encoding_for", "encoding_names",
    "get_encoding",
]  # fmt: skip

ENTRY_POINTS = "kt_cp.encodings"

ENCODING_NAMES = (
    "lazy", "channel", "position", "adder", "lfsr", "remainder", "remainder-short", "relative",
    "elimination", "hybrid", "reach", "corridor",
)  # fmt: skip
"""Names of the encodings; the first is the default.  Each is the ``ENCODING`` of the module of its
name.  The part after a hyphen is the name of another object in that module."""

FOR_PROOFS = "certificate"
"""The encoding of formulas whose refutations become certificates.  It is not meant for finding
tours, so comparisons include it only on request."""

_OWN = (*ENCODING_NAMES, FOR_PROOFS)


def encoding_names() -> list[str]:
    """Return the names of all encodings, those of this package first."""
    return [*_OWN, *sorted(_plugins())]


def get_encoding(name: str) -> Encoding:
    """Return the encoding of a name.

    Raises
    ------
    EngineNameError
        If no encoding has this name; or if the entry point of another package does not load, or is
        not an encoding of its name.

    Examples
    --------
    >>> get_encoding("position").name
    'position'
    """
    if name in _OWN:
        module, _, variant = name.partition("-")
        made = getattr(import_module(f"kt_cp.encodings.{module}"), variant.upper() or "ENCODING")
    elif name in (foreign := _plugins()):
        made = load_plugin("encoding", name, foreign[name])
    else:
        raise unknown_name_error("an encoding", encoding_names(), name)
    # An exported formula names its encoding, so the name must be the same.
    if not isinstance(made, Encoding) or made.name != name:
        raise EngineNameError(
            f"encoding {name}: expected its entry point to be an Encoding of this name, "
            f"got {shorten(repr(made))}"
        )
    return made


def encoding_for(problem: Problem) -> str:
    """Return the name of the first encoding that takes a problem's conditions.

    >>> encoding_for(Problem("8x8")), encoding_for(Problem("8x8", given={"a1": 3}))
    ('lazy', 'channel')
    """
    kinds = set(map(type, problem.conditions))
    return next(name for name in ENCODING_NAMES if kinds <= get_encoding(name).takes)


def _plugins() -> dict[str, Any]:
    return entry_points_of(ENTRY_POINTS, _OWN)
