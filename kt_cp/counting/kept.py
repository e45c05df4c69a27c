"""Files of arrays and integers that are there whole or not at all, and that show every damage.

A file is written under another name, handed to the disk (fsync) and renamed.  It begins with the
SHA-256 of the rest of it.  A line of JSON follows: of which work the file is, integers as they are,
and the types and shapes of the arrays, which begin at multiples of 64 bytes.

Cost: two gigabytes take some seconds to hash and to write.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from kt_cp.model.errors import DamagedError, StoreError

if TYPE_CHECKING:
    from kt_cp.counting.method import Content

PART = ".part"
"""Ends the name of a file that is being written."""

Work: TypeAlias = Mapping[str, str]
"""Of which work a file is: the digest of what its manifest pins down, and some of it in words."""

_ALIGNED = 64
_DIGITS = hashlib.sha256().digest_size * 2


def packed(content: Content, work: Work | None = None) -> list[Any]:
    """The file of some arrays and integers, in pieces: digest, what there is, and the arrays."""
    arrays = {name: np.ascontiguousarray(v) for name, v in content.items() if not _whole(v)}
    head: dict[str, Any] = {
        "work": None if work is None else {**work},
        "numbers": {name: str(int(v)) for name, v in content.items() if _whole(v)},
        "arrays": {name: [each.dtype.str, list(each.shape)] for name, each in arrays.items()},
    }
    text = json.dumps(head).encode()
    text += b" " * (-(_DIGITS + 2 + len(text)) % _ALIGNED) + b"\n"
    pieces: list[Any] = [text]
    for each in arrays.values():
        pieces += [each.reshape(-1).view(np.uint8).data, b"\0" * (-each.nbytes % _ALIGNED)]
    return sealed(*pieces)


def _whole(value: object) -> bool:
    return isinstance(value, int | np.integer)


def sealed(*pieces: Any) -> list[Any]:
    """Pieces of a file, after the digest of them all."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return [f"{digest.hexdigest()}\n".encode(), *pieces]


def write(path: Path, pieces: list[Any]) -> None:
    """Write a file that is there whole or not at all, whatever happens.

    Raises
    ------
    StoreError
        If it cannot be written.
    """
    part = path.with_name(f"{path.name}{PART}")
    try:
        with part.open("wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        _hand_over(path.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise failed(path, error) from None
        raise


def _hand_over(folder: Path) -> None:
    """See that a name that was given is on the disk."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def unsealed(path: Path) -> bytes:
    """What a small file holds after its digest.

    Raises
    ------
    FileNotFoundError
        If there is none.
    DamagedError
        If it is damaged.
    """
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise DamagedError(path) from None
    text = data[_DIGITS + 1 :]
    if data != b"".join(sealed(text)):
        raise DamagedError(path)
    return text


def work_of(path: Path) -> dict[str, str] | None:
    """Of which work a file is, None where it does not say; its digest is not looked at.

    Raises
    ------
    StoreError
        If it cannot be read, or what it says is damaged.
    """
    try:
        with path.open("rb") as file:
            file.seek(_DIGITS + 1)
            work = _head(path, file.readline()).get("work")
    except IsADirectoryError:
        raise DamagedError(path) from None
    except OSError as error:
        raise failed(path, error) from None
    return {str(key): str(value) for key, value in work.items()} if isinstance(work, dict) else None


def _head(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        raise DamagedError(path) from None
    if not isinstance(head, dict):
        raise DamagedError(path)
    return head


def read(path: Path, work: Work | None = None, *, mapped: bool = False) -> dict[str, Any] | None:
    """The arrays and integers of a file; None where there is none.

    Parameters
    ----------
    work : mapping, optional
        Of which work the file must be, where it says so.
    mapped : bool
        Whether arrays stay in the file: the memory is then the system's, which can take it back.

    Raises
    ------
    StoreError
        If it is damaged, of other work, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            _check(path, file)
            file.seek(_DIGITS + 1)
            head = _head(path, file.readline())
            theirs = head.get("work")
            if None not in (work, theirs) and theirs != work:
                raise StoreError(f"{path} is of other work; remove it and run again")
            content: dict[str, Any] = {name: int(v) for name, v in head["numbers"].items()}
            begin = file.tell()
            for name, (dtype, shape) in head["arrays"].items():
                kind, size = np.dtype(dtype), prod(shape)
                if mapped and size:
                    # Who writes to it writes to memory alone: kernels take no other kind of array.
                    found = np.asarray(np.memmap(path, kind, "c", begin, tuple(shape)))
                else:
                    file.seek(begin)
                    found = np.fromfile(file, kind, size).reshape(shape)
                content[name] = found
                begin += size * kind.itemsize + -size * kind.itemsize % _ALIGNED
    except FileNotFoundError:
        return None
    except StoreError:
        raise
    except (IsADirectoryError, KeyError, TypeError, ValueError, AttributeError):
        raise DamagedError(path) from None
    except OSError as error:
        raise failed(path, error) from None
    return content


def _check(path: Path, file: Any) -> None:
    """See that an open file begins with the digest of the rest of it."""
    told = file.read(_DIGITS + 1)
    if told != f"{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode():
        raise DamagedError(path)


_ALLOW = "; allow reading and writing there, or name another folder"

_ADVICE = {
    errno.EACCES: _ALLOW,
    errno.EPERM: _ALLOW,
    errno.EROFS: "; name a folder on another disk",
    errno.ENOSPC: "; free space there and run again",
}


def failed(path: Path, error: OSError) -> StoreError:
    """What the system says of a file, and what to do about it, in a line."""
    advice = _ADVICE.get(error.errno or 0, "")
    return StoreError(f"cannot use {path}: {(error.strerror or str(error)).lower()}{advice}")
