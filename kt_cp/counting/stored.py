"""What lies in a store, for whoever reads it: whose it is, and how far."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from kt_cp.counting.kept import failed, read, unsealed
from kt_cp.model.errors import StoreError

MANIFEST, PROGRESS, SUFFIX, ANSWER = "manifest.json", "progress.json", ".kept", "answer.kept"
COUNTED = "counted"
"""What makes two tours one, in the manifest of a count; nothing in that of other work."""

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
        text = unsealed(file)
    except FileNotFoundError:
        raise StoreError(f"expected a store, got {path}, which has no {MANIFEST}") from None
    except OSError as error:
        raise failed(file, error) from None
    manifest: dict[str, Any] = json.loads(text)
    return manifest


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
    return None if found is None else int(found["tours"])


def told(path: Path) -> dict[str, float | None]:
    """What its last run told of itself last; nothing, where that cannot be read."""
    try:
        noted = json.loads((path / PROGRESS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {**noted} if isinstance(noted, dict) else {}
