"""The imports of the files of the package, read from their text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "kt_cp"


def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> list[str]:
    """Return the modules that a file imports anywhere, also for types only."""
    return list(imported_names(nodes(path)))


def imported_names(found: Iterable[ast.AST]) -> Iterator[str]:
    for node in found:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                dotted = f"{node.module}.{alias.name}"
                yield dotted if home(dotted) else node.module


@cache
def home(dotted: str) -> Path | None:
    """Return the file of a module of this package, or None."""
    place = HOUSE.parent.joinpath(*dotted.split("."))
    found = [place.with_suffix(".py"), place / "__init__.py"]
    return next((path for path in found if dotted.startswith("kt_cp") and path.exists()), None)


def reached(paths: Iterable[Path]) -> set[Path]:
    """Return these files, and all direct and indirect imports of those in the package."""
    todo, found = list(paths), set()
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            if HOUSE in path.parents:
                todo += [each for each in map(home, imports(path)) if each]
    return found
