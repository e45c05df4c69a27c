"""What can go wrong, as a handful of exceptions with one sentence each.

Bad input is an :class:`InputError` (also a ``ValueError``): raised where a value is built, saying
what was expected and what was given.  The command line turns it into one line and exit code 2.  The
two others mean that something inside is wrong, never the user's input.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return a hint at the known name that is closest to an unknown one, or an empty text.

    >>> suggestion("cpsta", ["cpsat", "sat"])
    ' (did you mean cpsat?)'
    """
    from difflib import get_close_matches  # only errors need it

    close = get_close_matches(name.strip().lower(), known, 1) if isinstance(name, str) else []
    return f" (did you mean {close[0]}?)" if close else ""


class KtCpError(Exception):
    """Root of all exceptions of this package."""


class InputError(KtCpError, ValueError):
    """The caller's request makes no sense."""


class BoardError(InputError):
    """Not a board: sides, missing squares or the text that names them."""


class SquareError(InputError):
    """Not a square, or not a square of this board."""


class PieceError(InputError):
    """Not a piece: its name or its steps."""


class ProblemError(InputError):
    """Board and conditions do not make a question."""


class EngineNameError(InputError):
    """No engine, encoding or solver has this name."""


class SourceNameError(InputError):
    """None of the five source programs has this name."""


class NotTakenError(InputError):
    """The engine does not take one of the problem's conditions."""


class TooLargeError(InputError):
    """By estimate the engine's encoding of this problem would not fit."""


class NumberError(InputError, IndexError):
    """No tour has this number."""


class TourFileError(InputError):
    """A file is not a tour in any of the formats that are read."""


class GraphFileError(InputError):
    """A file is not a graph in the format that its name stands for."""


class FormulaFileError(InputError):
    """A file is not a formula that was exported, or not a solver's answer to one."""


class StoreError(InputError):
    """A folder is not the store of this count, or a file there is damaged."""


class DamagedError(StoreError):
    """A file of a store, ``path``, is not what was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged: expected its SHA-256 at the beginning; remove it and run again"
        )
        self.path = path

    def __reduce__(self) -> tuple[type[DamagedError], tuple[Path]]:
        """Can be pickled, so that another process can send them."""
        return DamagedError, (self.path,)


class Undecided(KtCpError):  # noqa: N818 - an answer, such as StopIteration is
    """A function that returns a tour or None can return neither, because a limit ended it."""


class EngineFailedError(KtCpError, RuntimeError):
    """An engine crashed, or its solver answered something that the engine does not know."""


class EndedError(EngineFailedError):
    """A process of an engine was ended from outside: neither an answer nor the engine's fault."""


class UnsoundEngineError(KtCpError, RuntimeError):
    """An engine contradicts the judge, the reference or another engine: a bug, never an answer."""
