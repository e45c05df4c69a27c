"""A folder that holds unfinished work, so that another run continues where one was ended.

Counts, tables, puzzles and comparisons use it.  ``manifest.json`` names the work: the problem in
full, the method and its version, and this package's version.  Beside it lie ``step-12.kept``, from
which the count continues after step 12, and ``step-13.KEY.kept``, finished blocks of the next step.
A step gets its file when all of it is done, and only then its blocks and the step before it are
removed.  So whenever a run ends, even by a power cut, only the current block is lost; and as a step
is made from the one before alone, nothing is counted twice.

A file is complete or absent: it is written under another name, synced to the disk and renamed.  It
begins with the SHA-256 of the rest.  A line of JSON follows: the work, integers, and the types and
shapes of the arrays, which begin at multiples of 64 bytes.

A store of other work, or with a damaged file, is refused, and the message says what to do.  Every
file names its work, so a missing manifest is written again by a run with the same problem, if all
files belong to it.  One run at a time uses a store: the folder is locked meanwhile.

Results of an executor's tasks are blocks of the first step, by the keys of
:mod:`kt_cp.processes.task_queue`.

Cost: a step of 2 GB takes a few seconds to write, and as many to read.  When it loses: where a step
takes less time than its file; a method should save such steps rarely.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

import numpy as np

from kt_cp.model.document import problem_document
from kt_cp.model.errors import DamagedError, StoreError
from kt_cp.model.outcome import versions_of
from kt_cp.model.terms import units
from kt_cp.processes.task_queue import Done

if TYPE_CHECKING:
    from pathlib import Path

    from kt_cp.counting.method import Content, Method, Store
    from kt_cp.model.problem import Problem


PART = ".part"
"""Ends the name of a file that is being written."""

Work: TypeAlias = Mapping[str, str]
"""Of which work a file is: the digest of what its manifest pins down, and some of it in words."""

_ALIGNED = 64
_DIGITS = hashlib.sha256().digest_size * 2


def pack_arrays(content: Content, work: Work | None = None) -> list[Any]:
    """The file of some arrays and integers, in pieces: digest, what there is, and the arrays."""
    arrays = {name: np.ascontiguousarray(v) for name, v in content.items() if not _is_whole(v)}
    head: dict[str, Any] = {
        "work": None if work is None else {**work},
        "numbers": {name: str(int(v)) for name, v in content.items() if _is_whole(v)},
        "arrays": {name: [each.dtype.str, list(each.shape)] for name, each in arrays.items()},
    }
    text = json.dumps(head).encode()
    text += b" " * (-(_DIGITS + 2 + len(text)) % _ALIGNED) + b"\n"
    pieces: list[Any] = [text]
    for each in arrays.values():
        pieces += [each.reshape(-1).view(np.uint8).data, b"\0" * (-each.nbytes % _ALIGNED)]
    return with_digest(*pieces)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer)


def with_digest(*pieces: Any) -> list[Any]:
    """Pieces of a file, after the digest of them all."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return [f"{digest.hexdigest()}\n".encode(), *pieces]


def write_atomically(path: Path, pieces: list[Any]) -> None:
    """Write a file that is there whole or not at all, whatever happens."""
    part = path.with_name(f"{path.name}{PART}")
    try:
        with part.open("wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        _sync_folder(path.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise store_error(path, error) from None
        raise


def _sync_folder(folder: Path) -> None:
    """See that a name that was given is on the disk."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_sealed(path: Path) -> bytes:
    """What a small file holds after its digest."""
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise DamagedError(path) from None
    text = data[_DIGITS + 1 :]
    if data != b"".join(with_digest(text)):
        raise DamagedError(path)
    return text


def work_in_file(path: Path) -> dict[str, str] | None:
    """Of which work a file is, None where it does not say; its digest is not looked at."""
    try:
        with path.open("rb") as file:
            file.seek(_DIGITS + 1)
            work = _parse_header(path, file.readline()).get("work")
    except IsADirectoryError:
        raise DamagedError(path) from None
    except OSError as error:
        raise store_error(path, error) from None
    return {str(key): str(value) for key, value in work.items()} if isinstance(work, dict) else None


def _parse_header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        raise DamagedError(path) from None
    if not isinstance(head, dict):
        raise DamagedError(path)
    return head


def read_arrays(
    path: Path, work: Work | None = None, *, mapped: bool = False
) -> dict[str, Any] | None:
    """The arrays and integers of a file; None where there is none.

    ``work``: of which work the file must be, where it says so; ``mapped``: whether arrays stay in
    the file: the memory is then the system's, which can take it back.
    """
    try:
        with path.open("rb") as file:
            _check_digest(path, file)
            file.seek(_DIGITS + 1)
            head = _parse_header(path, file.readline())
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
        raise store_error(path, error) from None
    return content


def _check_digest(path: Path, file: Any) -> None:
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


def store_error(path: Path, error: OSError) -> StoreError:
    """What the system says of a file, and what to do about it, in a line."""
    advice = _ADVICE.get(error.errno or 0, "")
    return StoreError(f"cannot use {path}: {(error.strerror or str(error)).lower()}{advice}")


MANIFEST, PROGRESS, SUFFIX, ANSWER = "manifest.json", "progress.json", ".kept", "answer.kept"
COUNTED = "counted"
"""What makes two tours one, in the manifest of a count; nothing in that of other work."""

SECOND = "second"
"""Folder in a store where a second way keeps its work, if that is more than memory has room for."""

NAME = re.compile(r"step-(?P<step>\d+)(?:\.(?P<key>[A-Za-z0-9_-]+))?\.kept")


def read_manifest(path: Path) -> dict[str, Any]:
    """What a store says of itself."""
    file = path / MANIFEST
    try:
        manifest = json.loads(read_sealed(file))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(_without_manifest(path)) from None
    except OSError as error:
        raise store_error(file, error) from None
    except ValueError as error:
        raise error if isinstance(error, StoreError) else DamagedError(file) from None
    if not isinstance(manifest, dict) or not all(
        isinstance(manifest.get(key), str) for key in ("label", "method")
    ):
        raise DamagedError(file)
    return manifest


def _without_manifest(path: Path) -> str:
    found = next(iter(work_files(path)), None) if path.is_dir() else None
    work = None if found is None else work_in_file(found)
    if work is None:
        return f"expected a store, got {path}, which has no {MANIFEST}"
    return (
        f"{path} has no {MANIFEST}: expected the question of its files beside --store, which is"
        f" {work['label']}, by {work['method']}"
    )


def read_count_manifest(path: Path) -> dict[str, Any]:
    """The same of the store of a count."""
    manifest = read_manifest(path)
    if manifest.get(COUNTED) is None:
        raise StoreError(f"expected the store of a count, got {path}, of {manifest['method']}")
    return manifest


def stored_method(path: Path) -> str | None:
    """The method of the count in a store, as its files say where it has no manifest; or None."""
    if (path / MANIFEST).exists():
        return str(read_count_manifest(path)["method"])
    for file in work_files(path) if path.is_dir() else []:
        work = work_in_file(file)
        if work is not None and work.get(COUNTED):
            return work["method"]
    return None


def work_files(path: Path) -> list[Path]:
    """All files of work in a store, by name."""
    return sorted(
        each for each in path.iterdir() if NAME.fullmatch(each.name) or each.name == ANSWER
    )


def foreign_files(path: Path) -> list[str]:
    """Names of what lies in a folder and in no store."""
    known = {MANIFEST, PROGRESS, SECOND, *(each.name for each in work_files(path))}
    return sorted(
        each.name for each in path.iterdir() if each.suffix != PART and each.name not in known
    )


def step_files(path: Path) -> list[tuple[Path, int, str | None]]:
    """Files of a store, with their steps, and the keys of those that are blocks."""
    named = ((each, NAME.fullmatch(each.name)) for each in path.iterdir())
    return [(each, int(found["step"]), found["key"]) for each, found in named if found]


def last_step(path: Path) -> tuple[int, int]:
    """How far a store is: its last step, 0 before the first, and blocks of the next one."""
    files = step_files(path)
    done = max((step for _, step, key in files if key is None), default=0)
    return done, sum(key is not None and step > done for _, step, key in files)


def stored_count(path: Path) -> int | None:
    """How many tours there are, once all are counted."""
    found = read_arrays(path / ANSWER)
    if found is not None and "tours" not in found:
        raise DamagedError(path / ANSWER)
    return None if found is None else int(found["tours"])


def last_progress(path: Path) -> dict[str, float | None]:
    """What its last run told of itself last; nothing, where that cannot be read."""
    try:
        noted = json.loads((path / PROGRESS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(noted, dict):
        return {}
    return {name: v for name, v in noted.items() if v is None or type(v) in (int, float)}


FORMAT = 1
"""Of the files; one more whenever they change their meaning."""


class Kind(NamedTuple):
    """Work that is no count, and a version: one more when what is saved changes its meaning."""

    name: str
    version: int = 1


class WorkFolder:
    """The store of one count, or of other work, opened for a run of it.

    ``path``: of the folder, which is made where there is none; ``method``: what counts, or what
    other work it is.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from kt_cp.counting.plan import ENUMERATE
    >>> from kt_cp.model.problem import Problem
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with WorkFolder(place, Problem("5x5"), ENUMERATE) as store:
    ...         store.save(3, {"sums": np.arange(4), "largest": 10**40})
    ...     with WorkFolder(place, Problem("5x5"), ENUMERATE) as store:
    ...         store.done(), store.load(3)["sums"].tolist()
    (3, [0, 1, 2, 3])
    """

    def __init__(self, path: Path | str, problem: Problem, method: Method | Kind) -> None:
        self.path = Path(path)
        self._lock = -1
        manifest = _manifest(problem, method)
        self._work = _work(manifest)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(self.path)
        except (FileExistsError, NotADirectoryError):
            raise StoreError(
                f"expected a folder, found the file {_file_in_place(self.path)}; name another"
                " folder, or remove the file"
            ) from None
        except OSError as error:
            raise store_error(self.path, error) from None
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
            raise store_error(self.path, error) from None
        except BaseException:
            self.close()
            raise

    def _begin(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest of an empty folder, or of one whose files are all of this work."""
        if strangers := foreign_files(self.path):
            raise StoreError(
                f"{self.path}: expected a store or an empty folder, got one with {strangers[0]};"
                " name another folder"
            )
        for file in work_files(self.path):
            found = work_in_file(file)
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
        """Let other runs write to it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def done(self) -> int:
        """The last step that was saved, 0 before the first."""
        return last_step(self.path)[0]

    def load(self, step: int) -> dict[str, Any] | None:
        """What was saved after a step, as arrays and integers; None but for the last one.

        Raises
        ------
        StoreError
            If it is damaged.
        """
        return read_arrays(self.path / f"step-{step}{SUFFIX}", self._work)

    def save(self, step: int, content: Content) -> None:
        """Keep what is needed to go on after a step, and drop what it was made from."""
        write_atomically(self.path / f"step-{step}{SUFFIX}", pack_arrays(content, self._work))
        self._tidy()

    def block(self, step: int, key: str) -> Block:
        """A part of a step, by a key of letters, figures and dashes."""
        name = f"step-{step}.{key}{SUFFIX}"
        if not NAME.fullmatch(name):
            raise ValueError(f"expected a key of letters, figures and dashes, got {key!r}")
        return Block(self.path / name, self._work)

    def finish(self, tours: int) -> None:
        """Keep the answer, and nothing else."""
        write_atomically(self.path / ANSWER, pack_arrays({"tours": tours}, self._work))
        self._tidy()

    def note(self, work: Mapping[str, float | None]) -> None:
        """Remember, for whoever asks how far it is, what was told last; it decides nothing."""
        with contextlib.suppress(OSError):
            part = self.path / f"{PROGRESS}{PART}"
            part.write_text(json.dumps(dict(work)), encoding="utf-8")
            part.replace(self.path / PROGRESS)

    def _tidy(self) -> None:
        """Take away what the last step was made from."""
        done, over = self.done(), (self.path / ANSWER).exists()
        for file, step, key in step_files(self.path):
            if over or step < done or (step == done and key is not None):
                with contextlib.suppress(OSError):
                    file.unlink()


class Block:
    """The place of one block: it holds nothing, or all that was saved there."""

    def __init__(self, path: Path, work: Work) -> None:
        self._path, self._work = path, work

    def __str__(self) -> str:
        return str(self._path)

    def load(self) -> dict[str, Any] | None:
        """What was saved, as arrays and integers; None where nothing was."""
        return read_arrays(self._path, self._work)

    def map(self) -> dict[str, Any] | None:
        """The same, its arrays left in the file."""
        return read_arrays(self._path, self._work, mapped=True)

    def save(self, content: Content) -> None:
        """Keep arrays and integers of any size under their names."""
        write_atomically(self._path, pack_arrays(content, self._work))

    def drop(self) -> None:
        """Hold nothing."""
        self._path.unlink(missing_ok=True)


def _manifest(problem: Problem, method: Method | Kind) -> dict[str, Any]:
    return {
        "store": FORMAT,
        "problem": problem_document(problem),
        "label": problem.label,
        COUNTED: None if isinstance(method, Kind) else units(problem, directed=False),
        "method": method.name,
        "method_version": method.version,
        "kt_cp": versions_of()["kt_cp"],
    }


_WORK = ("store", "problem", "method", "method_version", "kt_cp")
"""What makes two works one, in a manifest."""

_ANEW = "name another folder, or remove this one to start anew"


def _work(manifest: Mapping[str, Any]) -> Work:
    """What every file of the work says of it."""
    text = json.dumps({key: manifest[key] for key in _WORK}, sort_keys=True)
    words = {key: str(manifest[key] or "") for key in ("label", "method", COUNTED)}
    return {"digest": sha256(text.encode()).hexdigest(), **words}


def _file_in_place(path: Path) -> Path:
    """The file that stands where a folder, or a folder above it, should be."""
    above = (each for each in (path, *path.parents) if each.exists() and not each.is_dir())
    return next(above, path)


def check_work(path: Path, problem: Problem, method: Method | Kind) -> None:
    """Refuse the store of other work, saying what differs."""
    found, wanted = read_manifest(path), _manifest(problem, method)
    names = {"store": "format", "method": "kind", "method_version": "version of its kind"}
    names |= {"kt_cp": "version of kt_cp", "problem": "problem"}
    for key, what in names.items():
        if found.get(key) != wanted[key]:
            shown = "label" if key == "problem" else key
            came = f"{found.get(shown)}, and not {wanted[shown]}"
            if found.get(shown) == wanted[shown]:
                came = "another"
            raise StoreError(f"{path}: a store of other work: its {what} is {came}; {_ANEW}")


def _lock(folder: Path) -> int:
    """A handle of the folder, locked as long as it is open; a process that ends lets go of it."""
    try:
        import fcntl
    except ImportError:  # on Windows nothing is locked
        return -1
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise StoreError(f"{folder}: another run is at work in this store") from None
    except OSError:  # a disk that knows no locks
        os.close(handle)
        return -1
    return handle


Pack: TypeAlias = "Callable[[Done], Content | None]"
Unpack: TypeAlias = Callable[[dict[str, Any], tuple[Any, ...]], Done]


class TaskResults(NamedTuple):
    """A store, as pieces see it."""

    store: Store
    # gives what is saved of what a piece has come to; None for what is not to be kept
    pack: Pack
    unpack: Unpack  # gives that back, from what was saved and the arguments of the piece

    def load(self, key: str, piece: tuple[Any, ...]) -> Done | None:
        """What a piece has come to, where that is known."""
        content = self.store.block(1, key).load()
        return None if content is None else self.unpack(content, piece)

    def save(self, key: str, done: Done) -> None:
        """Keep what a piece has come to."""
        content = self.pack(done)
        if content is not None:
            self.store.block(1, key).save(content)


@contextmanager
def open_task_results(
    path: Path, problem: Problem, name: str, packed: Pack, unpacked: Unpack
) -> Iterator[TaskResults]:
    """Pieces of work of a name, in a folder of their own."""
    with WorkFolder(path, problem, Kind(name)) as folder:
        yield TaskResults(folder, packed, unpacked)
