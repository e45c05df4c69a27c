"""kt_cp: knight's tours by constraint programming, SAT and search, every answer checked.

Names are imported when they are first used, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kt_cp.board import Board, parse_square, square_name
    from kt_cp.engines import engine_names, get_engine, solve
    from kt_cp.enumeration import Enumeration
    from kt_cp.graph import knight_graph
    from kt_cp.outcome import Outcome, Verdict
    from kt_cp.problem import Problem
    from kt_cp.proofs.certificate import Certificate
    from kt_cp.proofs.check import Refusal, check
    from kt_cp.proofs.prove import prove
    from kt_cp.tour import Tour
    from kt_cp.verify import defects

_HOMES = {
    "Board": "board",
    "Certificate": "proofs.certificate",
    "Enumeration": "enumeration",
    "Outcome": "outcome",
    "Problem": "problem",
    "Refusal": "proofs.check",
    "Tour": "tour",
    "Verdict": "outcome",
    "check": "proofs.check",
    "defects": "verify",
    "engine_names": "engines",
    "get_engine": "engines",
    "knight_graph": "graph",
    "parse_square": "board",
    "prove": "proofs.prove",
    "solve": "engines",
    "square_name": "board",
}

__all__ = [
    "Board",
    "Certificate",
    "Enumeration",
    "Outcome",
    "Problem",
    "Refusal",
    "Tour",
    "Verdict",
    "check",
    "defects",
    "engine_names",
    "get_engine",
    "knight_graph",
    "parse_square",
    "prove",
    "solve",
    "square_name",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"kt_cp.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'kt_cp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
