"""Where results go: stdout, or a file that is either whole or not there."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from kt_cp.errors import InputError


class OutputFile:
    """A file to be written once the result is there.

    Opening it finds out, before any search, whether it can be written.  The text goes to a
    temporary file beside it and takes its name at the end, so that an interrupt leaves whatever
    was there before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._whole = False
        self._temporary: IO[str] | None = None
        # Devices and pipes, such as /dev/null, are written to as they are.
        self._direct = path.exists() and not path.is_file()
        try:
            if path.is_dir():
                raise IsADirectoryError("it is a directory")
            if self._direct or (path.exists() and not os.access(path, os.W_OK)):
                path.open("a", encoding="utf-8").close()
            if not self._direct:
                self._temporary = tempfile.NamedTemporaryFile(  # noqa: SIM115  closed in close()
                    "w",
                    encoding="utf-8",
                    dir=path.parent,
                    prefix=f".{path.name[:40]}.",
                    suffix=".part",
                    delete=False,
                )
        except (OSError, ValueError) as error:
            raise InputError(f"cannot write {path}: {_cause(error)}") from None

    def write(self, text: str) -> None:
        """Write the whole text and give the file its name.

        Raises
        ------
        InputError
            If the disk is full or the place has gone.
        """
        try:
            if self._temporary is None:
                self._path.write_text(text, encoding="utf-8")
                return
            self._temporary.write(text)
            self._temporary.close()
            os.chmod(self._temporary.name, _usual_mode())
            os.replace(self._temporary.name, self._path)
            self._whole = True
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {_cause(error)}") from None

    def close(self) -> None:
        """Clear away what was not finished."""
        if self._temporary is not None and not self._whole:
            with contextlib.suppress(OSError):
                self._temporary.close()
            with contextlib.suppress(OSError):
                os.unlink(self._temporary.name)


class StandardOutput:
    """stdout, as a place to write to."""

    def write(self, text: str) -> None:
        """Print the text."""
        sys.stdout.write(text)
        sys.stdout.flush()


@contextlib.contextmanager
def destination(path: Path | None) -> Iterator[OutputFile | StandardOutput]:
    """The file if one was asked for, otherwise stdout."""
    if path is None:
        yield StandardOutput()
        return
    file = OutputFile(path)
    try:
        yield file
    finally:
        file.close()


def remark(text: str) -> None:
    """A line for the person in front of it, not part of the result."""
    print(text, file=sys.stderr)


def read_bytes(path: Path) -> bytes:
    """Contents of a file, or of stdin for ``-``.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {_cause(error)}") from None


def _usual_mode() -> int:
    """Permissions that a new file has here: temporary ones are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _cause(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
