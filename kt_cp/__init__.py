"""kt_cp: knight's tours by constraint programming, SAT and search, every answer checked.

Names are imported when they are first used, so that importing the package is cheap: it loads no
other file at all.  The command line can be interrupted only once this file was read.
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, which takes milliseconds to load

if TYPE_CHECKING:
    from typing import Any

    __version__: str

    from kt_cp.counting.api import count
    from kt_cp.counting.method import Count
    from kt_cp.counting.tour_numbering import Numbering, sample
    from kt_cp.engines import engine_names, get_engine, solve
    from kt_cp.engines.hamiltonian import hamiltonian_cycle, hamiltonian_path
    from kt_cp.engines.prove import prove
    from kt_cp.enumeration import Enumeration
    from kt_cp.formats.graphs import read_graph
    from kt_cp.model.board import Board, parse_square, square_name
    from kt_cp.model.errors import (
        BoardError,
        EngineFailedError,
        EngineNameError,
        InputError,
        KtCpError,
        NotTakenError,
        NumberError,
        PieceError,
        ProblemError,
        SquareError,
        TooLargeError,
        Undecided,
        UnsoundEngineError,
    )
    from kt_cp.model.graph import knight_graph
    from kt_cp.model.outcome import Certificate, Outcome, Verdict
    from kt_cp.model.piece import Piece
    from kt_cp.model.problem import Problem
    from kt_cp.model.tour import Tour
    from kt_cp.optimization import Optimum, optimize
    from kt_cp.proofs.complete import certify_list
    from kt_cp.puzzles import Puzzle, make_puzzle
    from kt_cp.trust.check import Refusal, check
    from kt_cp.trust.judge import defects
    from kt_cp.web.notebook import board_widget

_NAMES = {
    "counting.api": "count",
    "counting.method": "Count",
    "counting.tour_numbering": "Numbering sample",
    "engines": "engine_names get_engine solve",
    "engines.hamiltonian": "hamiltonian_cycle hamiltonian_path",
    "engines.prove": "prove",
    "enumeration": "Enumeration",
    "formats.graphs": "read_graph",
    "model.board": "Board parse_square square_name",
    "model.errors": (
        "BoardError EngineFailedError EngineNameError InputError KtCpError NotTakenError "
        "NumberError PieceError ProblemError SquareError TooLargeError Undecided "
        "UnsoundEngineError"
    ),
    "model.graph": "knight_graph",
    "model.outcome": "Certificate Outcome Verdict",
    "model.piece": "Piece",
    "model.problem": "Problem",
    "model.tour": "Tour",
    "optimization": "Optimum optimize",
    "proofs.complete": "certify_list",
    "puzzles": "Puzzle make_puzzle",
    "trust.check": "Refusal check",
    "trust.judge": "defects",
    "web.notebook": "board_widget",
}
"""Public names, by the module that defines them; each is imported when it is used."""

_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Board", "BoardError", "Certificate", "Count", "EngineFailedError", "EngineNameError",
    "Enumeration", "InputError", "KtCpError", "NotTakenError", "NumberError", "Numbering",
    "Optimum", "Outcome", "Piece", "PieceError", "Problem", "ProblemError", "Puzzle", "Refusal",
    "SquareError", "TooLargeError", "Tour", "Undecided", "UnsoundEngineError", "Verdict",
    "board_widget", "certify_list", "check", "count", "defects", "engine_names", "get_engine",
    "hamiltonian_cycle", "hamiltonian_path", "knight_graph", "make_puzzle", "optimize",
    "parse_square", "prove", "read_graph", "sample", "solve", "square_name",
]  # fmt: skip


MADE_IN = {  # the model knows nothing of pictures and files
    "outcome_picture": "kt_cp.render.outcome:outcome_picture",
    "tour_picture": "kt_cp.render.outcome:tour_picture",
    "tour_animation": "kt_cp.render.outcome:tour_animation",
    "save_outcome": "kt_cp.formats.write:save_outcome",
    "board_widget": "kt_cp.web.notebook:board_widget",
    "live": "kt_cp.web.notebook:live",
    "notebook_view": "kt_cp.web.notebook:notebook_view",
    "save_certificate": "kt_cp.formats.write:save_certificate",
}
"""Where values of the model are drawn and saved, for :mod:`kt_cp.model.views`."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"kt_cp.{_HOMES[name]}"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("kt_cp")
    raise AttributeError(f"module 'kt_cp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__]
