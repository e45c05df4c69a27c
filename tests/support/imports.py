"""What the files of the package import, read from their text."""

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
    """Modules that a file imports anywhere, for its types as well."""
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
    """The file that a module of this package is, or None."""
    place = HOUSE.parent.joinpath(*dotted.split("."))
    found = [place.with_suffix(".py"), place / "__init__.py"]
    return next((path for path in found if dotted.startswith("kt_cp") and path.exists()), None)


def reached(paths: Iterable[Path]) -> set[Path]:
    """Those files, and all that those of the package import, over others too."""
    todo, found = list(paths), set()
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            if HOUSE in path.parents:
                todo += [each for each in map(home, imports(path)) if each]
    return found
