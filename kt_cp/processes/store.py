"""A folder for unfinished work, so that a later run can continue it.

Counts, tables, puzzles and comparisons use it.  ``manifest.json`` identifies the work: the full
problem, the method and its version, and this package's version.  The count continues from
``step-12.kept`` after step 12.  ``step-13.KEY.kept`` are finished blocks of the next step.  A step
is saved when it is complete, and only then are its blocks and the previous step removed.  If a run
ends, even by a power cut, only the current block is lost.  Each step depends only on the previous
one, so nothing is counted twice.

A file is complete or absent: it is written under another name, synced to the disk and renamed.  It
begins with the SHA-256 of the rest.  A line of JSON follows: the work, integers, and the types and
shapes of the arrays, which begin at multiples of 64 bytes.

A store of other work, or with a damaged file, is rejected, and the message explains what to do.
Every file identifies its work.  So if the manifest is missing, a run with the same problem writes
it again, provided that all files belong to it.  A lock on the folder ensures that only one run at a
time uses a store.

The result of an executor's task is a block of the first step, under a key of
:mod:`kt_cp.processes.task_queue`.

Cost: a step of 2 GB takes a few seconds to write, and as long to read.  When it loses: if a step
takes less time than writing its file; a method should save such steps rarely.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import file_digest, sha256
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeAlias

import numpy as np

from kt_cp.model.document import problem_document
from kt_cp.model.errors import DamagedError, StoreError
from kt_cp.model.terms import units
from kt_cp.model.versions import versions_of
from kt_cp.processes.task_queue import Done

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.model.problem import Problem

Content: TypeAlias = "Mapping[str, NDArray[Any] | int]"
"""Arrays and integers of any size, by name."""

Work: TypeAlias = Mapping[str, str]
"""The work that a file belongs to: a digest of its manifest, and labels for messages."""

PART = ".part"
"""Suffix of a file that is being written."""

_ALIGNED = 64
_DIGITS = sha256().digest_size * 2


def pack_arrays(content: Content, work: Work | None = None) -> list[Any]:
    """Return the chunks of a file of arrays and integers: digest, header and arrays."""
    arrays = {name: np.ascontiguousarray(v) for name, v in content.items() if not _is_integer(v)}
    header: dict[str, Any] = {
        "work": None if work is None else {**work},
        "numbers": {name: str(int(v)) for name, v in content.items() if _is_integer(v)},
        "arrays": {name: [each.dtype.str, list(each.shape)] for name, each in arrays.items()},
    }
    text = json.dumps(header).encode()
    text += b" " * (-(_DIGITS + 2 + len(text)) % _ALIGNED) + b"\n"
    chunks: list[Any] = [text]
    for each in arrays.values():
        chunks += [each.reshape(-1).view(np.uint8).data, b"\0" * (-each.nbytes % _ALIGNED)]
    return with_digest(*chunks)


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer)


def with_digest(*chunks: Any) -> list[Any]:
    """Return the chunks of a file, preceded by their digest."""
    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
    return [f"{digest.hexdigest()}\n".encode(), *chunks]


def write_atomically(path: Path, chunks: list[Any]) -> None:
    """Write a file atomically."""
    part = path.with_name(f"{path.name}.{os.getpid()}{PART}")  # a task may run in two workers
    try:
        with part.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        if os.name == "posix":  # the new name is on the disk only after its folder is synced
            handle = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _store_error(path, error) from None
        raise


def _parse_header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except ValueError:
        raise DamagedError(path) from None
    if not isinstance(header, dict):
        raise DamagedError(path)
    return header


def read_arrays(
    path: Path, work: Work | None = None, *, mapped: bool = False
) -> dict[str, Any] | None:
    """Return the arrays and integers of a file, or None if it does not exist.

    A file that names its work must belong to ``work``.  With ``mapped``, the arrays stay in the
    file, so that the system can reclaim their memory.
    """
    try:
        with path.open("rb") as file:
            digest = file.read(_DIGITS + 1)
            if digest != f"{file_digest(file, 'sha256').hexdigest()}\n".encode():
                raise DamagedError(path)
            file.seek(_DIGITS + 1)
            header = _parse_header(path, file.readline())
            theirs = header.get("work")
            if None not in (work, theirs) and theirs != work:
                raise StoreError(f"{path} is of other work; remove it and run again")
            content: dict[str, Any] = {name: int(v) for name, v in header["numbers"].items()}
            begin = file.tell()
            for name, (dtype, shape) in header["arrays"].items():
                kind, size = np.dtype(dtype), prod(shape)
                if mapped and size:
                    # Copy on write: kernels require writable arrays, and the file must not change.
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
        raise _store_error(path, error) from None
    return content


_ALLOW = "; allow reading and writing there, or name another folder"

_ADVICE = {
    errno.EACCES: _ALLOW,
    errno.EPERM: _ALLOW,
    errno.EROFS: "; name a folder on another disk",
    errno.ENOSPC: "; free space there and run again",
}


def _store_error(path: Path, error: OSError) -> StoreError:
    """Return an error with the system's reason and advice."""
    advice = _ADVICE.get(error.errno or 0, "")
    return StoreError(f"cannot use {path}: {(error.strerror or str(error)).lower()}{advice}")


MANIFEST, PROGRESS, SUFFIX, ANSWER = "manifest.json", "progress.json", ".kept", "answer.kept"

COUNTED = "counted"
"""The key in a manifest for the unit of a count, which defines equal tours; null for other work."""

SECOND = "second"
"""A folder inside a store, for the work of a confirming count that needs a disk."""

NAME = re.compile(r"step-(?P<step>\d+)(?:\.(?P<key>[A-Za-z0-9_-]+))?\.kept")


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a store."""
    file = path / MANIFEST
    try:
        data = file.read_bytes()
        text = data[_DIGITS + 1 :]
        if data != b"".join(with_digest(text)):
            raise DamagedError(file)
        manifest = _parse_header(file, text)
    except IsADirectoryError:
        raise DamagedError(file) from None
    except (FileNotFoundError, NotADirectoryError):
        known = next(iter(_work_files(path)), None) if path.is_dir() else None
        work = None if known is None else _work_in_file(known)
        if work is None:
            message = f"expected a store, got {path}, which has no {MANIFEST}"
        else:
            message = (
                f"{path} has no {MANIFEST}: expected the question of its files beside --store,"
                f" which is {work['label']}, by {work['method']}"
            )
        raise StoreError(message) from None
    except OSError as error:
        raise _store_error(file, error) from None
    if not all(isinstance(manifest.get(key), str) for key in ("label", "method")):
        raise DamagedError(file)
    return manifest


def read_count_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of the store of a count; raise StoreError for other work."""
    manifest = read_manifest(path)
    if manifest.get(COUNTED) is None:
        raise StoreError(f"expected the store of a count, got {path}, of {manifest['method']}")
    return manifest


def stored_method(path: Path) -> str | None:
    """Return the method of the count in a store; without a manifest, read it from the files."""
    if (path / MANIFEST).exists():
        return str(read_count_manifest(path)["method"])
    for file in _work_files(path) if path.is_dir() else []:
        work = _work_in_file(file)
        if work is not None and work.get(COUNTED):
            return work["method"]
    return None


def _work_in_file(path: Path) -> dict[str, str] | None:
    """Return the work that a file names, if any, without checking its digest."""
    try:
        with path.open("rb") as file:
            file.seek(_DIGITS + 1)
            work = _parse_header(path, file.readline()).get("work")
    except IsADirectoryError:
        raise DamagedError(path) from None
    except OSError as error:
        raise _store_error(path, error) from None
    return {str(key): str(value) for key, value in work.items()} if isinstance(work, dict) else None


def _work_files(path: Path) -> list[Path]:
    """Return the files of steps, blocks and answers in a store, by name."""
    return sorted(
        each for each in path.iterdir() if NAME.fullmatch(each.name) or each.name == ANSWER
    )


def _step_files(path: Path) -> list[tuple[Path, int, str | None]]:
    """Return the files of a store with their steps, and the keys of those that are blocks."""
    named = ((each, NAME.fullmatch(each.name)) for each in path.iterdir())
    return [(each, int(found["step"]), found["key"]) for each, found in named if found]


def last_step(path: Path) -> tuple[int, int]:
    """Return the last finished step, or 0, and the number of blocks of the next step."""
    files = _step_files(path)
    done = max((step for _, step, key in files if key is None), default=0)
    return done, sum(key is not None and step > done for _, step, key in files)


def stored_count(path: Path) -> int | None:
    """Return the number of tours if the count is finished, or None."""
    found = read_arrays(path / ANSWER)
    if found is not None and "tours" not in found:
        raise DamagedError(path / ANSWER)
    return None if found is None else int(found["tours"])


def last_progress(path: Path) -> dict[str, float | None]:
    """Return the last progress event of the last run; an empty one if it cannot be read."""
    try:
        event = json.loads((path / PROGRESS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(event, dict):
        return {}
    return {name: v for name, v in event.items() if v is None or type(v) in (int, float)}


FORMAT = 1
"""Version of the file format."""


class Kind(NamedTuple):
    """A kind of work other than a count; the version grows when saved data change their meaning."""

    name: str
    version: int = 1


class StoredWork(Protocol):
    """A kind of work: a method of :mod:`kt_cp.counting.method`, or a :class:`Kind`."""

    @property
    def name(self) -> str:
        """The name in messages and manifests."""

    @property
    def version(self) -> int:
        """The version of the saved data."""


class Store:
    """The store of one count, or of other work, open for one run.

    ``path`` is the folder, which is created if it does not exist.  ``method`` is the counting
    method, or the kind of other work.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from kt_cp.model.problem import Problem
    >>> with tempfile.TemporaryDirectory() as path:
    ...     with Store(path, Problem("5x5"), Kind("example")) as store:
    ...         store.save(3, {"sums": np.arange(4), "largest": 10**40})
    ...     with Store(path, Problem("5x5"), Kind("example")) as store:
    ...         store.done(), store.load(3)["sums"].tolist()
    (3, [0, 1, 2, 3])
    """

    def __init__(self, path: Path | str, problem: Problem, method: StoredWork) -> None:
        self.path = Path(path)
        self._lock = -1
        manifest = _manifest(problem, method)
        self._work = _work(manifest)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(self.path)
        except (FileExistsError, NotADirectoryError):
            above = (each for each in (self.path, *self.path.parents) if each.is_file())
            raise StoreError(
                f"expected a folder, got the file {next(above, self.path)}; name another"
                " folder, or remove the file"
            ) from None
        except OSError as error:
            raise _store_error(self.path, error) from None
        try:
            if not (self.path / MANIFEST).exists():
                self._begin(manifest)
            check_work(self.path, problem, method)
            for left in self.path.glob(f"*{PART}"):
                with contextlib.suppress(OSError):
                    left.unlink()
            self._tidy()
        except PermissionError as error:
            self.close()
            raise _store_error(self.path, error) from None
        except BaseException:
            self.close()
            raise

    def _begin(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest of a folder that is empty or contains only files of this work."""
        files = _work_files(self.path)
        known = {MANIFEST, PROGRESS, SECOND, *(each.name for each in files)}
        names = sorted(each.name for each in self.path.iterdir() if each.suffix != PART)
        if foreign := [name for name in names if name not in known]:
            raise StoreError(
                f"{self.path}: expected a store or an empty folder, got one with {foreign[0]};"
                " name another folder"
            )
        for file in files:
            found = _work_in_file(file)
            if found != self._work:
                other = "a file that does not name its work"
                if found is not None:
                    other = f"one of {found.get('label')}, by {found.get('method')}"
                    named = all(found.get(key) == self._work[key] for key in ("label", "method"))
                    other += ", of another version" if named else ""
                raise StoreError(
                    f"{file}: expected a file of {self._work['label']}, by {self._work['method']},"
                    f" got {other}; {_ANEW}"
                )
        write_atomically(self.path / MANIFEST, with_digest(json.dumps(manifest).encode()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock, so that other runs can use the store."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def done(self) -> int:
        """Return the last saved step, or 0 if there is none."""
        return last_step(self.path)[0]

    def load(self, step: int) -> dict[str, Any] | None:
        """Return the content of a step; None except for the last saved step.

        Raises
        ------
        StoreError
            If the file is damaged.
        """
        return read_arrays(self.path / f"step-{step}{SUFFIX}", self._work)

    def save(self, step: int, content: Content) -> None:
        """Save the content from which work continues after a step, and remove earlier files."""
        write_atomically(self.path / f"step-{step}{SUFFIX}", pack_arrays(content, self._work))
        self._tidy()

    def block(self, step: int, key: str) -> Block:
        """Return a block of an unfinished step, by a key of letters, digits and dashes."""
        name = f"step-{step}.{key}{SUFFIX}"
        if not NAME.fullmatch(name):
            raise ValueError(f"expected a key of letters, figures and dashes, got {key!r}")
        return Block(self.path / name, self._work)

    def finish(self, tours: int) -> None:
        """Save the number of tours, and remove all steps and blocks."""
        write_atomically(self.path / ANSWER, pack_arrays({"tours": tours}, self._work))
        self._tidy()

    def note(self, work: Mapping[str, float | None]) -> None:
        """Save a progress event for readers of the store; it does not affect the work."""
        with contextlib.suppress(OSError):
            part = self.path / f"{PROGRESS}{PART}"
            part.write_text(json.dumps(dict(work)), encoding="utf-8")
            part.replace(self.path / PROGRESS)

    def _tidy(self) -> None:
        """Remove files that are no longer needed after the last step."""
        done, over = self.done(), (self.path / ANSWER).exists()
        for file, step, key in _step_files(self.path):
            if over or step < done or (step == done and key is not None):
                with contextlib.suppress(OSError):
                    file.unlink()


class Block:
    """One block of a store: it is empty or complete."""

    def __init__(self, path: Path, work: Work) -> None:
        self._path, self._work = path, work

    def __str__(self) -> str:
        return str(self._path)

    def load(self) -> dict[str, Any] | None:
        """Return the saved arrays and integers, or None if the block is empty.

        Raises
        ------
        StoreError
            If the file is damaged.
        """
        return read_arrays(self._path, self._work)

    def map(self) -> dict[str, Any] | None:
        """Return the same with the arrays left in the file, to read small parts of it."""
        return read_arrays(self._path, self._work, mapped=True)

    def save(self, content: Content) -> None:
        """Save arrays and integers of any size by name."""
        write_atomically(self._path, pack_arrays(content, self._work))

    def drop(self) -> None:
        """Empty the block."""
        self._path.unlink(missing_ok=True)


def _manifest(problem: Problem, method: StoredWork) -> dict[str, Any]:
    return {
        "store": FORMAT,
        "problem": problem_document(problem),
        "label": problem.label,
        COUNTED: None if isinstance(method, Kind) else units(problem, directed=False),
        "method": method.name,
        "method_version": method.version,
        "kt_cp": versions_of()["kt_cp"],
    }


_IDENTITY = {
    "store": "format",
    "method": "kind",
    "method_version": "version of its kind",
    "kt_cp": "version of kt_cp",
    "problem": "problem",
}
"""The keys of a manifest that identify the work, and their names in messages."""

_ANEW = "name another folder, or remove this one to start anew"


def _work(manifest: Mapping[str, Any]) -> Work:
    """Return the description of the work that every file contains."""
    text = json.dumps({key: manifest[key] for key in _IDENTITY}, sort_keys=True)
    labels = {key: str(manifest[key] or "") for key in ("label", "method", COUNTED)}
    return {"digest": sha256(text.encode()).hexdigest(), **labels}


def check_work(path: Path, problem: Problem, method: StoredWork) -> None:
    """Raise StoreError, with the difference, if a store belongs to other work."""
    found, expected = read_manifest(path), _manifest(problem, method)
    for key, name in _IDENTITY.items():
        if found.get(key) != expected[key]:
            shown = "label" if key == "problem" else key
            actual = f"{found.get(shown)}, and not {expected[shown]}"
            if found.get(shown) == expected[shown]:
                actual = "another"
            raise StoreError(f"{path}: a store of other work: its {name} is {actual}; {_ANEW}")


def _lock(folder: Path) -> int:
    """Lock a folder, and return its handle; the lock ends when the handle is closed."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock
        return -1
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise StoreError(f"{folder}: another run is at work in this store") from None
    except OSError:  # a file system without locks
        os.close(handle)
        return -1
    return handle


class TaskResults(NamedTuple):
    """A store of task results: the result of a task is a block of the first step."""

    store: Store
    pack: Callable[[Done], Content | None]  # the content to save; None to save nothing
    unpack: Callable[[dict[str, Any], tuple[Any, ...]], Done]  # from content and task arguments

    def load(self, key: str, arguments: tuple[Any, ...]) -> Done | None:
        """Return the result of a task, if it is stored."""
        content = self.store.block(1, key).load()
        return None if content is None else self.unpack(content, arguments)

    def save(self, key: str, done: Done) -> None:
        """Save the result of a task."""
        content = self.pack(done)
        if content is not None:
            self.store.block(1, key).save(content)


@contextlib.contextmanager
def open_task_results(
    path: Path,
    problem: Problem,
    name: str,
    pack: Callable[[Done], Content | None],
    unpack: Callable[[dict[str, Any], tuple[Any, ...]], Done],
) -> Iterator[TaskResults]:
    """Open a folder for the results of tasks of one kind."""
    with Store(path, problem, Kind(name)) as store:
        yield TaskResults(store, pack, unpack)
