"""Arguments that several commands share, and how their text is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from kt_cp.board import Square, describe, parse_square
from kt_cp.errors import InputError
from kt_cp.sources.registry import SOURCES

BoardArgument = Annotated[
    str, typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 8x10", show_default=False)
]
Missing = Annotated[
    str, typer.Option(metavar="SQUARES", help="Squares cut out, such as c3,d4", show_default=False)
]
Start = Annotated[
    str | None, typer.Option(metavar="SQUARE", help="First square, such as a1 or 1,1")
]
End = Annotated[str | None, typer.Option(metavar="SQUARE", help="Last square of an open tour")]
TimeLimit = Annotated[float | None, typer.Option(metavar="SECONDS", help="Most time to search")]
MemoryLimit = Annotated[
    float | None, typer.Option(metavar="MB", help="Most resident memory of the search")
]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Seed of every random choice")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Threads, for engines that have any (cpsat)"),
]
Shape = TypeVar("Shape", bound=StrEnum)
SOURCE_NAMES = ", ".join(f"{source.number} or {source.name}" for source in SOURCES)
Json = Annotated[bool, typer.Option("--json", help="The same as --format json")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there instead of to stdout"),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist")]


def file_of(output: Path | None) -> Path | None:
    """File to write to, or None for stdout, which is also called ``-``."""
    return None if output == Path("-") else output


def file_only(path: Path | None, what: str) -> Path | None:
    """The file of an option that has no stdout to fall back on.

    Raises
    ------
    InputError
        If it is ``-``.
    """
    if path == Path("-"):
        raise InputError(f"--{what}: expected the name of a file, got '-'")
    return path


def separate(files: Mapping[str, Path | None]) -> None:
    """Refuse options that would write over each other's file.

    Raises
    ------
    InputError
        Naming the two; devices such as ``/dev/null`` take everything.
    """
    taken: dict[str, str] = {}
    for option, path in files.items():
        try:
            if path is None or (path.exists() and not path.is_file()):
                continue
            place = os.path.realpath(path)
        except (OSError, ValueError):  # no name of a file: opening it will say why
            continue
        if place in taken:
            raise InputError(f"{taken[place]} and {option} name one file: {path}")
        taken[place] = option


def shape_of(
    format: Shape | None,
    json: bool,
    output: Path | None,
    by_suffix: Mapping[str, Shape],
    usual: Shape,
) -> Shape:
    """How to write the result: as asked, or as the name of the file says.

    Raises
    ------
    InputError
        If ``--json`` and another ``--format`` are asked for.
    """
    as_json = type(usual)("json")
    if json and format not in (None, as_json):
        raise InputError("--json and another --format ask for two things")
    if json:
        return as_json
    suffix = "" if output is None else output.suffix.lower()
    return format or by_suffix.get(suffix, usual)


def square_of(text: str | None, what: str) -> Square | None:
    """Square of an option, or None where it was not given.

    Raises
    ------
    InputError
        Naming the option, if it is no square.
    """
    if text is None:
        return None
    try:
        return parse_square(text)
    except InputError as error:
        raise InputError(f"--{what}: {error}") from None


def names_of(text: str, what: str) -> list[str]:
    """The parts of a comma-separated list.

    Raises
    ------
    InputError
        If a part is empty.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise InputError(f"--{what}: expected names separated by commas, got {describe(text)}")
    return parts
