"""Files that are either whole or not there, and that replace others only where that was asked for.

The content goes to a temporary file beside the one that is meant, which gets its name at the end,
so that an interrupt or a full disk leaves whatever was there before.  An existing file is refused
when the new one is opened, before any search; one that comes into being meanwhile, when it would
get its name.  ``os.replace`` would overwrite that one, ``os.link`` does not.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Self

from kt_cp.model.errors import InputError


class OutputFile:
    """A file to be written, at once or piece by piece: text as UTF-8, or bytes as they are.

    Opening it finds out, before any search, whether it can be written, and an existing one be
    overwritten.  It is used in a ``with``, at whose end what was not finished is cleared away.

    What a link points to is written, not the link; devices and pipes, such as ``/dev/null``, are
    written to as they are.
    """

    def __init__(self, path: Path, *, force: bool) -> None:
        self._path = path
        self._force = force
        self._temporary: Path | None = None
        found: os.stat_result | None = None
        try:
            with contextlib.suppress(FileNotFoundError):
                found = path.stat()  # of what is there, or at the end of the link that is
            if found is not None and stat.S_ISDIR(found.st_mode):
                raise IsADirectoryError("it is a directory")
            if found is not None and _is_stdout(found):
                # ``/dev/stdout`` may be a file, with what was written to it before.
                self._file = open(os.dup(1), "wb")  # noqa: SIM115  closed in finish() or __exit__()
                return
            if found is not None and not stat.S_ISREG(found.st_mode):
                self._file = path.open("wb")
                return
            if found is not None and not force:
                raise FileExistsError
            self._target = Path(os.path.realpath(path))
            if found is not None:
                self._target.open("ab").close()
            self._mode = _usual_mode() if found is None else stat.S_IMODE(found.st_mode)
            handle, name = tempfile.mkstemp(
                dir=self._target.parent, prefix=f".{self._target.name[:40]}.", suffix=".part"
            )
            self._temporary = Path(name)
            self._file = open(handle, "wb")  # noqa: SIM115  closed in finish() or __exit__()
        except (OSError, ValueError) as error:
            raise self._refusal(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear away what was not finished."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)

    def write(self, content: str | bytes | memoryview) -> None:
        """Write the whole content and give the file its name."""
        self.add(content)
        self.finish()

    def add(self, piece: str | bytes | memoryview) -> bool:
        """Write a piece of the content; whether somebody reads, as of a pipe may be nobody.

        Large pieces go straight to the file, without a copy.  The buffer of a NumPy array is its
        ``data``, which must be C-contiguous.
        """
        try:
            self._file.write(piece.encode() if isinstance(piece, str) else piece)
        except BrokenPipeError:
            return False
        except OSError as error:
            raise self._refusal(error) from None
        return True

    def finish(self) -> None:
        """Give the file its name, unless one of that name has come into being meanwhile."""
        try:
            self._file.close()
            if self._temporary is not None:
                os.chmod(self._temporary, self._mode)
                if self._force:
                    os.replace(self._temporary, self._target)
                else:
                    _name_anew(self._temporary, self._target)
                self._temporary = None
        except BrokenPipeError:
            return  # who read the pipe has read enough
        except OSError as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> InputError:
        path = shown(self._path)
        if isinstance(error, FileExistsError):
            return InputError(f"{path} exists already: expected --force to overwrite it")
        return InputError(f"cannot write {path}: {cause(error)}")


def shown(path: Path | str) -> str:
    """A path for a message, the middle of a long one left out."""
    text = str(path)
    return text if len(text) <= 200 else f"{text[:100]}…{text[-99:]}"


def cause(error: Exception) -> str:
    """What an error of the operating system says, for the end of a line."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _is_stdout(found: os.stat_result) -> bool:
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:  # it is closed
        return False


def _name_anew(temporary: Path, target: Path) -> None:
    """Give a file a name that no other has: ``FileExistsError`` if one has it by now."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        # Not every disk has links. There an empty file takes the name first, as only one can.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            os.replace(temporary, target)
        except BaseException:
            os.unlink(target)
            raise
    else:
        os.unlink(temporary)


def _usual_mode() -> int:
    """Permissions that a new file has here: temporary ones are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
