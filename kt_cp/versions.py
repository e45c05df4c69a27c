"""Versions of what had a part in an answer."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version


def versions_of(packages: tuple[str, ...] = ()) -> dict[str, str]:
    """Versions of Python, this package and the given distributions."""
    known = {"python": platform.python_version()}
    for package in ("kt_cp", *packages):
        try:
            known[package] = version(package)
        except PackageNotFoundError:  # run from a source tree that was never installed
            known[package] = "unknown"
    return known
