"""Encodings of problems as formulas: pure functions, no solver, one file each.

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
"""The first is the default.  Each is the ``ENCODING`` of the module of its name, or with a hyphen
what that module calls by the second word."""

FOR_PROOFS = "certificate"
"""The encoding of formulas whose refutations become certificates.  It is not there for finding, so
a comparison has it only on request."""

_OWN = (*ENCODING_NAMES, FOR_PROOFS)


def encoding_names() -> list[str]:
    """Names of all encodings, this package's own first."""
    return [*_OWN, *sorted(_foreign())]


def get_encoding(name: str) -> Encoding:
    """Encoding of a name.

    Raises
    ------
    EngineNameError
        If there is none of this name; or if the entry point of another package does not load, or
        gives no encoding of its name.

    Examples
    --------
    >>> get_encoding("position").name
    'position'
    """
    if name in _OWN:
        module, _, variant = name.partition("-")
        made = getattr(import_module(f"kt_cp.encodings.{module}"), variant.upper() or "ENCODING")
    elif name in (foreign := _foreign()):
        made = load_plugin("encoding", name, foreign[name])
    else:
        raise unknown_name_error("an encoding", encoding_names(), name)
    # A formula that was exported is read by the name that its encoding gives itself.
    if not isinstance(made, Encoding) or made.name != name:
        raise EngineNameError(
            f"encoding {name}: expected its entry point to be an Encoding of this name, "
            f"got {shorten(repr(made))}"
        )
    return made


def encoding_for(problem: Problem) -> str:
    """The first encoding that takes a problem's conditions.

    >>> encoding_for(Problem("8x8")), encoding_for(Problem("8x8", given={"a1": 3}))
    ('lazy', 'channel')
    """
    kinds = set(map(type, problem.conditions))
    return next(name for name in ENCODING_NAMES if kinds <= get_encoding(name).takes)


def _foreign() -> dict[str, Any]:
    return entry_points_of(ENTRY_POINTS, _OWN)
