"""Versions of Python and of distributions, for outcomes, certificates and ``--version``.

Loading ``importlib.metadata`` takes a noticeable part of a small command's time.  The name of a
distribution's ``.dist-info`` folder contains the version, so this module first searches the folders
of ``sys.path``.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import cache


def versions_of(packages: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the versions of Python, this package and the given distributions."""
    named = {package: _version(package) for package in ("kt_cp", *packages)}
    return {"python": sys.version.split()[0], **named}


@cache
def _version(package: str) -> str:
    pattern = re.compile(rf"{package.replace('-', '_')}-(.+)\.dist-info", re.IGNORECASE)
    for folder in sys.path:
        names: list[str] = []
        with suppress(OSError):
            names = os.listdir(folder or os.curdir)  # noqa: PTH208  loads less than pathlib
        for name in names:
            if found := pattern.fullmatch(name):
                return found[1]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:  # the source tree is not installed
        return "unknown"
