"""Exceptions of this package.

Invalid input raises :class:`InputError` (also a ``ValueError``) when a value is constructed.  The
message says what was expected and what was given.  The command line prints it as one line and exits
with code 2.  :class:`EngineFailedError` and :class:`UnsoundEngineError` are internal errors, which
are never due to the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return a hint with the known name closest to an unknown one, or an empty text.

    >>> suggestion("cpsta", ["cpsat", "sat"])
    ' (did you mean cpsat?)'
    """
    from difflib import get_close_matches  # imported here because only errors need it

    close = get_close_matches(name.strip().lower(), known, 1) if isinstance(name, str) else []
    return f" (did you mean {close[0]}?)" if close else ""


class KtCpError(Exception):
    """Base class of all exceptions of this package."""


class InputError(KtCpError, ValueError):
    """The caller's request makes no sense."""


class BoardError(InputError):
    """Not a board: sides, missing squares or the text that names them."""


class SquareError(InputError):
    """Not a square, or not a square of this board."""


class PieceError(InputError):
    """Not a piece: its name or its steps."""


class ProblemError(InputError):
    """Board and conditions do not form a valid problem."""


class EngineNameError(InputError):
    """No engine, encoding or solver has this name."""


class SourceNameError(InputError):
    """None of the five source programs has this name."""


class NotTakenError(InputError):
    """The engine does not support one of the problem's conditions."""


class TooLargeError(InputError):
    """The engine's encoding of this problem would be too large, by estimate."""


class NumberError(InputError, IndexError):
    """No tour has this number."""


class TourFileError(InputError):
    """A file is not a tour in any supported format."""


class GraphFileError(InputError):
    """A file is not a graph in the format of its extension."""


class FormulaFileError(InputError):
    """A file is not an exported formula, or not a solver's answer to one."""


class StoreError(InputError):
    """A folder is not the store of this count, or a file there is damaged."""


class DamagedError(StoreError):
    """The content of ``path``, a file of a store, differs from what was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged: expected its SHA-256 at the beginning; remove it and run again"
        )
        self.path = path

    def __reduce__(self) -> tuple[type[DamagedError], tuple[Path]]:
        """Support pickling, so that another process can send the error."""
        return DamagedError, (self.path,)


class Undecided(KtCpError):  # noqa: N818 - an answer, such as StopIteration is
    """A limit ended a function that returns a tour or None, before it could return either."""


class EngineFailedError(KtCpError, RuntimeError):
    """An engine crashed, or its solver gave an answer that the engine does not know."""


class EndedError(EngineFailedError):
    """A process of an engine was ended from outside, so there is no answer."""


class UnsoundEngineError(KtCpError, RuntimeError):
    """An engine contradicts the judge, the reference or another engine, which is a bug."""
