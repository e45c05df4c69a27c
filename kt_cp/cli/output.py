"""Where results go, stdout or a file, and remarks, and where input comes from."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import IO, Any, Self

from kt_cp.cli.files import OutputFile, cause
from kt_cp.errors import InputError

MOST_BYTES = 1 << 28
"""Longest file that is read: some twenty million squares, far more than any engine takes."""


class StandardOutput:
    """stdout, as a place to write to."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is to be cleared away."""

    def write(self, text: str) -> None:
        """Print the text."""
        show(text)

    def add(self, text: str) -> bool:
        """Print a piece of it; whether somebody still reads."""
        return show(text)

    def finish(self) -> None:
        """Nothing is left to do."""


def destination(path: Path | None, *, force: bool) -> OutputFile | StandardOutput:
    """The file if one was asked for, otherwise stdout, to be used in a ``with``.

    Raises
    ------
    InputError
        If the file cannot be written, or exists and ``force`` does not let it be overwritten.
    """
    return StandardOutput() if path is None else OutputFile(path, force=force)


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
        raise InputError(f"cannot write to stdout: {cause(error)}") from None
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


def read_bytes(path: Path, what: str = "a tour", most: int | None = None) -> bytes:
    """Contents of a file, or of stdin for ``-``.

    Parameters
    ----------
    most : int, optional
        Bytes of it that are read; by default ``MOST_BYTES``.

    Raises
    ------
    InputError
        If it cannot be read, or is longer than anything of its kind.
    """
    most = most or MOST_BYTES
    try:
        if str(path) != "-":
            with path.open("rb") as file:
                data = file.read(most + 1)
        elif sys.stdin is None:
            raise OSError("it is closed")
        else:
            data = sys.stdin.buffer.read(most + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {cause(error)}") from None
    if len(data) > most:
        raise InputError(f"expected {what} in at most {most >> 20} MB, got more in {path}")
    return data


def _drop(stream: IO[Any]) -> None:
    """Let what a broken stream still holds, and whatever follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
