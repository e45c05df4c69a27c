"""What lies in a store, for whoever reads it: whose it is, and how far."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from kt_cp.counting.store import PART, failed, read, unsealed, work_of
from kt_cp.model.errors import DamagedError, StoreError

MANIFEST, PROGRESS, SUFFIX, ANSWER = "manifest.json", "progress.json", ".kept", "answer.kept"
COUNTED = "counted"
"""What makes two tours one, in the manifest of a count; nothing in that of other work."""

SECOND = "second"
"""Folder in a store where a second way keeps its work, if that is more than memory has room for."""

NAME = re.compile(r"step-(?P<step>\d+)(?:\.(?P<key>[A-Za-z0-9_-]+))?\.kept")


def read_manifest(path: Path) -> dict[str, Any]:
    """What a store says of itself.

    Raises
    ------
    StoreError
        If there is none, or it is damaged.
    """
    file = path / MANIFEST
    try:
        manifest = json.loads(unsealed(file))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(_without_manifest(path)) from None
    except OSError as error:
        raise failed(file, error) from None
    except ValueError as error:
        raise error if isinstance(error, StoreError) else DamagedError(file) from None
    if not isinstance(manifest, dict) or not all(
        isinstance(manifest.get(key), str) for key in ("label", "method")
    ):
        raise DamagedError(file)
    return manifest


def _without_manifest(path: Path) -> str:
    found = next(iter(kept_files(path)), None) if path.is_dir() else None
    work = None if found is None else work_of(found)
    if work is None:
        return f"expected a store, got {path}, which has no {MANIFEST}"
    return (
        f"{path} has no {MANIFEST}: expected the question of its files beside --store, which is"
        f" {work['label']}, by {work['method']}"
    )


def count_manifest(path: Path) -> dict[str, Any]:
    """The same of the store of a count.

    Raises
    ------
    StoreError
        If it is none, or there is none, or it is damaged.
    """
    manifest = read_manifest(path)
    if manifest.get(COUNTED) is None:
        raise StoreError(f"expected the store of a count, got {path}, of {manifest['method']}")
    return manifest


def method_of(path: Path) -> str | None:
    """The method of the count in a store, as its files say where it has no manifest; or None.

    Raises
    ------
    StoreError
        If it is the store of other work, or damaged.
    """
    if (path / MANIFEST).exists():
        return str(count_manifest(path)["method"])
    for file in kept_files(path) if path.is_dir() else []:
        work = work_of(file)
        if work is not None and work.get(COUNTED):
            return work["method"]
    return None


def kept_files(path: Path) -> list[Path]:
    """All files of work in a store, by name."""
    return sorted(
        each for each in path.iterdir() if NAME.fullmatch(each.name) or each.name == ANSWER
    )


def strangers_in(path: Path) -> list[str]:
    """Names of what lies in a folder and in no store."""
    known = {MANIFEST, PROGRESS, SECOND, *(each.name for each in kept_files(path))}
    return sorted(
        each.name for each in path.iterdir() if each.suffix != PART and each.name not in known
    )


def files_of(path: Path) -> list[tuple[Path, int, str | None]]:
    """Files of a store, with their steps, and the keys of those that are blocks."""
    named = ((each, NAME.fullmatch(each.name)) for each in path.iterdir())
    return [(each, int(found["step"]), found["key"]) for each, found in named if found]


def far(path: Path) -> tuple[int, int]:
    """How far a store is: its last step, 0 before the first, and blocks of the next one."""
    files = files_of(path)
    done = max((step for _, step, key in files if key is None), default=0)
    return done, sum(key is not None and step > done for _, step, key in files)


def answer(path: Path) -> int | None:
    """How many tours there are, once all are counted.

    Raises
    ------
    StoreError
        If that is damaged.
    """
    found = read(path / ANSWER)
    if found is not None and "tours" not in found:
        raise DamagedError(path / ANSWER)
    return None if found is None else int(found["tours"])


def told(path: Path) -> dict[str, float | None]:
    """What its last run told of itself last; nothing, where that cannot be read."""
    try:
        noted = json.loads((path / PROGRESS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(noted, dict):
        return {}
    return {name: v for name, v in noted.items() if v is None or type(v) in (int, float)}
