"""Where results go: stdout, or a file that is either whole or not there."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kt_cp.errors import InputError

MOST_BYTES = 1 << 28
"""Longest file that is read: some twenty million squares, far more than any engine takes."""


class OutputFile:
    """A file to be written, at once or piece by piece.

    Opening it finds out, before any search, whether it can be written.  The text goes to a
    temporary file beside it and takes its name at the end, so that an interrupt leaves whatever
    was there before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary: Path | None = None
        try:
            # What a link points to is replaced, not the link.
            self._target = Path(os.path.realpath(path))
            if self._target.is_dir():
                raise IsADirectoryError("it is a directory")
            exists = self._target.exists()
            if exists and not self._target.is_file():
                # Devices and pipes, such as /dev/null, are written to as they are.
                self._file: IO[str] = path.open("w", encoding="utf-8")
                return
            if exists:
                self._target.open("a", encoding="utf-8").close()
            self._mode = stat.S_IMODE(self._target.stat().st_mode) if exists else _usual_mode()
            self._file = tempfile.NamedTemporaryFile(  # noqa: SIM115  closed in close()
                "w",
                encoding="utf-8",
                dir=self._target.parent,
                prefix=f".{self._target.name[:40]}.",
                suffix=".part",
                delete=False,
            )
            self._temporary = Path(self._file.name)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot write {path}: {_cause(error)}") from None

    def write(self, text: str) -> None:
        """Write the whole text and give the file its name."""
        self.add(text)
        self.finish()

    def add(self, text: str) -> bool:
        """Write a piece of the text; True, for a file is always read.

        Raises
        ------
        InputError
            If the disk is full or the place has gone.
        """
        try:
            self._file.write(text)
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {_cause(error)}") from None
        return True

    def finish(self) -> None:
        """Give the file its name: nothing more comes.

        Raises
        ------
        InputError
            As for ``add``.
        """
        try:
            self._file.close()
            if self._temporary is not None:
                os.chmod(self._temporary, self._mode)
                os.replace(self._temporary, self._target)
                self._temporary = None
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {_cause(error)}") from None

    def close(self) -> None:
        """Clear away what was not finished."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)


class StandardOutput:
    """stdout, as a place to write to."""

    def write(self, text: str) -> None:
        """Print the text."""
        show(text)

    def add(self, text: str) -> bool:
        """Print a piece of it; whether somebody still reads."""
        return show(text)

    def finish(self) -> None:
        """Nothing is left to do."""


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


def show(text: str) -> bool:
    """Write a result to stdout; whether somebody still reads it.

    A reader who is gone, such as ``head``, has read enough: the rest is dropped, and the exit code
    stays that of the answer.

    Raises
    ------
    InputError
        If stdout is closed, or the disk behind it full.
    """
    if sys.stdout is None:
        raise InputError("cannot write to stdout: it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
        return False
    except OSError as error:
        _drop(sys.stdout)
        raise InputError(f"cannot write to stdout: {_cause(error)}") from None
    return True


def remark(text: str) -> None:
    """A line for the person in front of it, not part of the result; never worth a failure."""
    if sys.stderr is None:  # and print would take stdout in its place
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def watched() -> bool:
    """Whether stderr is a terminal, so that progress is worth showing."""
    return sys.stderr is not None and sys.stderr.isatty()


def read_bytes(path: Path) -> bytes:
    """Contents of a file, or of stdin for ``-``.

    Raises
    ------
    InputError
        If it cannot be read, or is longer than any tour.
    """
    try:
        if str(path) != "-":
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        elif sys.stdin is None:
            raise OSError("it is closed")
        else:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {_cause(error)}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"expected a tour in at most {MOST_BYTES >> 20} MB, got more in {path}")
    return data


def _drop(stream: IO[Any]) -> None:
    """Let what a broken stream still holds, and whatever follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _usual_mode() -> int:
    """Permissions that a new file has here: temporary ones are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _cause(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
