"""A folder that holds the work of a count, so that another run goes on where one was ended.

``manifest.json`` says of what: the problem in full, the method and its version, this package's
version.  Beside it lie ``step-12.kept``, what the count goes on from after step 12, and
``step-13.KEY.kept``, finished blocks of the next step.  Each is there whole or not at all
(:mod:`.kept`).  A step gets its file when all of it is done, and only then its blocks and the step
before it go.  So whenever a run is ended, be it by a power cut, what is lost is the block that it
was at; and as a step is made from the one before alone, nothing is counted twice.

A store that is not of this count, or has a damaged file, is refused.  One run at a time works in a
store: the folder is locked while it does.

Cost: a step of 2 GB takes a few seconds to write, and as much to read.  When it loses: where a step
takes less time than its file does; a method should keep such steps rarely.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kt_cp.counting.kept import PART, failed, packed, read, sealed, unsealed, write
from kt_cp.model.document import problem_document
from kt_cp.model.errors import StoreError
from kt_cp.model.outcome import versions_of

if TYPE_CHECKING:
    from kt_cp.counting.method import Content, Method
    from kt_cp.model.problem import Problem

FORMAT = 1
"""Of the files; one more whenever they change their meaning."""

MANIFEST, PROGRESS, SUFFIX = "manifest.json", "progress.json", ".kept"
_NAME = re.compile(r"step-(?P<step>\d+)(?:\.(?P<key>[A-Za-z0-9_-]+))?\.kept")


class Folder:
    """The store of one count, opened for a run of it.

    Parameters
    ----------
    path : Path or str
        Of the folder, which is made where there is none.
    problem : Problem
        What is counted.
    method : Method
        What counts.

    Raises
    ------
    StoreError
        If the folder holds another count or other files, another run is writing to it, or it
        cannot be written.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from kt_cp.counting.enumerated import METHOD
    >>> from kt_cp.model.problem import Problem
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with Folder(place, Problem("5x5"), METHOD) as store:
    ...         store.save(3, {"sums": np.arange(4), "largest": 10**40})
    ...     with Folder(place, Problem("5x5"), METHOD) as store:
    ...         store.done(), store.load(3)["sums"].tolist()
    (3, [0, 1, 2, 3])
    """

    def __init__(self, path: Path | str, problem: Problem, method: Method) -> None:
        self.path = Path(path)
        self._lock = -1
        manifest = _manifest(problem, method)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.path)
        except OSError as error:
            raise failed(self.path, error) from None
        try:
            if not (self.path / MANIFEST).exists():
                self._begin(manifest)
            _same(self.path, read_manifest(self.path), manifest)
            for left in self.path.glob(f"*{PART}"):
                left.unlink(missing_ok=True)
            self._tidy()
        except BaseException:
            self.close()
            raise

    def _begin(self, manifest: Mapping[str, Any]) -> None:
        strangers = sorted(each.name for each in self.path.iterdir() if each.suffix != PART)
        if strangers:
            raise StoreError(
                f"{self.path}: expected a store or an empty folder, got one with {strangers[0]}"
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
        return read(self.path / f"step-{step}{SUFFIX}")

    def save(self, step: int, content: Content) -> None:
        """Keep what is needed to go on after a step, and drop what it was made from.

        Raises
        ------
        StoreError
            If it cannot be written; what was kept before stays.
        """
        write(self.path / f"step-{step}{SUFFIX}", packed(content))
        self._tidy()

    def block(self, step: int, key: str) -> Block:
        """A part of a step, by a key of letters, figures and dashes."""
        name = f"step-{step}.{key}{SUFFIX}"
        if not _NAME.fullmatch(name):
            raise ValueError(f"expected a key of letters, figures and dashes, got {key!r}")
        return Block(self.path / name)

    def note(self, work: Mapping[str, float | None]) -> None:
        """Remember, for whoever asks how far it is, what was told last; it decides nothing."""
        with contextlib.suppress(OSError):
            part = self.path / f"{PROGRESS}{PART}"
            part.write_text(json.dumps(dict(work)), encoding="utf-8")
            part.replace(self.path / PROGRESS)

    def _tidy(self) -> None:
        """Take away what the last step was made from."""
        done = self.done()
        for file, step, key in _files(self.path):
            if step < done or (step == done and key is not None):
                with contextlib.suppress(OSError):
                    file.unlink()


class Block:
    """The place of one block: it holds nothing, or all that was saved there."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> dict[str, Any] | None:
        """What was saved, as arrays and integers; None where nothing was."""
        return read(self._path)

    def save(self, content: Content) -> None:
        """Keep arrays and integers of any size under their names."""
        write(self._path, packed(content))


def read_manifest(path: Path) -> dict[str, Any]:
    """What a store says of itself.

    Raises
    ------
    StoreError
        If there is none, or it is damaged.
    """
    file = path / MANIFEST
    try:
        text = unsealed(file)
    except FileNotFoundError:
        raise StoreError(f"expected a store, got {path}, which has no {MANIFEST}") from None
    except OSError as error:
        raise failed(file, error) from None
    manifest: dict[str, Any] = json.loads(text)
    return manifest


def _files(path: Path) -> list[tuple[Path, int, str | None]]:
    """Files of a store, with their steps, and the keys of those that are blocks."""
    named = ((each, _NAME.fullmatch(each.name)) for each in path.iterdir())
    return [(each, int(found["step"]), found["key"]) for each, found in named if found]


def far(path: Path) -> tuple[int, int]:
    """How far a store is: its last step, 0 before the first, and blocks of the next one."""
    files = _files(path)
    done = max((step for _, step, key in files if key is None), default=0)
    return done, sum(key is not None and step > done for _, step, key in files)


def told(path: Path) -> dict[str, float | None]:
    """What its last run told of itself last; nothing, where that cannot be read."""
    try:
        noted = json.loads((path / PROGRESS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {**noted} if isinstance(noted, dict) else {}


def _manifest(problem: Problem, method: Method) -> dict[str, Any]:
    return {
        "store": FORMAT,
        "problem": problem_document(problem),
        "label": problem.label,
        "method": method.name,
        "method_version": method.version,
        "kt_cp": versions_of()["kt_cp"],
    }


def _same(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse the store of another count, saying what differs."""
    names = {"store": "format", "method": "method", "method_version": "version of its method"}
    names |= {"kt_cp": "version of kt_cp", "problem": "problem"}
    for key, what in names.items():
        if found.get(key) != wanted[key]:
            shown = "label" if key == "problem" else key
            came = f"{found.get(shown)}, and not {wanted[shown]}"
            if found.get(shown) == wanted[shown]:
                came = "another"
            raise StoreError(f"{path}: a store of another count: its {what} is {came}")


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
