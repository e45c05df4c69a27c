"""A folder that holds the work of a count, so that another run goes on where one was ended.

Other long work is kept in the same way: rows of a comparison, puzzles, tables.
``manifest.json`` says of what: the problem in full, the method and its version, this package's
version.  Beside it lie ``step-12.kept``, what the count goes on from after step 12, and
``step-13.KEY.kept``, finished blocks of the next step.  Each is there whole or not at all
(:mod:`.kept`).  A step gets its file when all of it is done, and only then its blocks and the step
before it go.  So whenever a run is ended, be it by a power cut, what is lost is the block that it
was at; and as a step is made from the one before alone, nothing is counted twice.

A store of other work, or with a damaged file, is refused, and the message says what to do.  Every
file names its work, so a manifest that is lost is written anew, by a run with the same question,
where all files are of it.  One run at a time works in a store: the folder is locked while it does.

Cost: a step of 2 GB takes a few seconds to write, and as much to read.  When it loses: where a step
takes less time than its file does; a method should keep such steps rarely.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from kt_cp.counting.store import (
    ANSWER,
    COUNTED,
    MANIFEST,
    NAME,
    PART,
    PROGRESS,
    SUFFIX,
    Work,
    failed,
    far,
    files_of,
    kept_files,
    packed,
    read,
    read_manifest,
    sealed,
    strangers_in,
    work_of,
    write,
)
from kt_cp.model.document import problem_document
from kt_cp.model.errors import StoreError
from kt_cp.model.outcome import versions_of
from kt_cp.model.terms import units

if TYPE_CHECKING:
    from kt_cp.counting.method import Content, Method
    from kt_cp.model.problem import Problem

FORMAT = 1
"""Of the files; one more whenever they change their meaning."""


class Kind(NamedTuple):
    """Work that is no count, and a version: one more when what is saved changes its meaning."""

    name: str
    version: int = 1


class Folder:
    """The store of one count, or of other work, opened for a run of it.

    Parameters
    ----------
    path : Path or str
        Of the folder, which is made where there is none.
    problem : Problem
        What is counted.
    method : Method or Kind
        What counts, or what other work it is.

    Raises
    ------
    StoreError
        If the folder holds other work or other files, another run is writing to it, or it
        cannot be written.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from kt_cp.counting.choose import METHOD
    >>> from kt_cp.model.problem import Problem
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with Folder(place, Problem("5x5"), METHOD) as store:
    ...         store.save(3, {"sums": np.arange(4), "largest": 10**40})
    ...     with Folder(place, Problem("5x5"), METHOD) as store:
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
            self._lock = _locked(self.path)
        except (FileExistsError, NotADirectoryError):
            raise StoreError(
                f"expected a folder, found the file {_file_in_place(self.path)}; name another"
                " folder, or remove the file"
            ) from None
        except OSError as error:
            raise failed(self.path, error) from None
        try:
            if not (self.path / MANIFEST).exists():
                self._begin(manifest)
            check(self.path, problem, method)
            for left in self.path.glob(f"*{PART}"):
                with contextlib.suppress(OSError):
                    left.unlink()
            self._tidy()
        except PermissionError as error:
            self.close()
            raise failed(self.path, error) from None
        except BaseException:
            self.close()
            raise

    def _begin(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest of an empty folder, or of one whose files are all of this work."""
        if strangers := strangers_in(self.path):
            raise StoreError(
                f"{self.path}: expected a store or an empty folder, got one with {strangers[0]};"
                " name another folder"
            )
        for file in kept_files(self.path):
            found = work_of(file)
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
        write(self.path / MANIFEST, sealed(json.dumps(manifest).encode()))

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
        return far(self.path)[0]

    def load(self, step: int) -> dict[str, Any] | None:
        """What was saved after a step, as arrays and integers; None but for the last one.

        Raises
        ------
        StoreError
            If it is damaged.
        """
        return read(self.path / f"step-{step}{SUFFIX}", self._work)

    def save(self, step: int, content: Content) -> None:
        """Keep what is needed to go on after a step, and drop what it was made from.

        Raises
        ------
        StoreError
            If it cannot be written; what was kept before stays.
        """
        write(self.path / f"step-{step}{SUFFIX}", packed(content, self._work))
        self._tidy()

    def block(self, step: int, key: str) -> Block:
        """A part of a step, by a key of letters, figures and dashes."""
        name = f"step-{step}.{key}{SUFFIX}"
        if not NAME.fullmatch(name):
            raise ValueError(f"expected a key of letters, figures and dashes, got {key!r}")
        return Block(self.path / name, self._work)

    def finish(self, tours: int) -> None:
        """Keep the answer, and nothing else.

        Raises
        ------
        StoreError
            If it cannot be written.
        """
        write(self.path / ANSWER, packed({"tours": tours}, self._work))
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
        for file, step, key in files_of(self.path):
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
        return read(self._path, self._work)

    def map(self) -> dict[str, Any] | None:
        """The same, its arrays left in the file."""
        return read(self._path, self._work, mapped=True)

    def save(self, content: Content) -> None:
        """Keep arrays and integers of any size under their names."""
        write(self._path, packed(content, self._work))

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


def check(path: Path, problem: Problem, method: Method | Kind) -> None:
    """Refuse the store of other work, saying what differs.

    Raises
    ------
    StoreError
        If it is one, or is none, or is damaged.
    """
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


def _locked(folder: Path) -> int:
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
