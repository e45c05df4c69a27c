"""Options that several commands share, beside those that state a problem."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from kt_cp.cli.words import completed
from kt_cp.formats.table import BINARY, Format, Subject, format_of_path, formats_of, suffixes_of
from kt_cp.model.board import describe, shorten
from kt_cp.model.errors import InputError
from kt_cp.sources.registry import SOURCES

TimeLimit = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Most time, to the last byte written")
]
MemoryLimit = Annotated[
    float | None, typer.Option(metavar="MB", help="Most resident memory of the search")
]
SEEDS: dict[str, Any] = {"min": 0, "max": 2**31 - 1}
Seed = Annotated[int, typer.Option(**SEEDS, help="Seed of every random choice")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Threads, for engines that have any (cpsat)"),
]
EXECUTORS = ("threads", "processes", "dask", "dask:ADDRESS")
"""Told without loading what runs them."""
Executor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Who does pieces of the work: {', '.join(EXECUTORS[:-1])} (a cluster that is started"
        f" here) or {EXECUTORS[-1]} (one that is there)",
        show_default=False,
        autocompletion=completed(lambda: EXECUTORS[:-1]),
    ),
]
SOURCE_NAMES = ", ".join(f"{source.number} or {source.name}" for source in SOURCES)
Json = Annotated[bool, typer.Option("--json", help="The same as --format json")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write there instead of to stdout",
        parser=lambda name: None if name == "-" else Path(name),  # which is stdout
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist")]


def file_only(path: Path | None, what: str) -> Path | None:
    """The file of an option that has no stdout to fall back on: ``-`` is refused."""
    if path == Path("-"):
        raise InputError(f"--{what}: expected the name of a file, got '-'")
    return path


def separate(files: Mapping[str, Path | None]) -> None:
    """Refuse options that would write over each other's file; devices take everything."""
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


def own_files(output: Path | None, **others: Path | None) -> None:
    """The same for ``--output`` and options beside it, which are files and not stdout."""
    separate({"--output": output, **{f"--{at}": file_only(it, at) for at, it in others.items()}})


def format_option(subject: Subject, help: str) -> Any:
    """The option ``--format`` of a command, which takes what its subject can be written in."""
    known = [str(each) for each in formats_of(subject)]

    def parse(name: str) -> Format:
        if name not in known:
            raise typer.BadParameter(f"expected {either(known)}, got {shorten(name)!r}")
        return Format(name)

    return typer.Option(
        parser=parse,
        metavar="NAME",
        help=f"{either(known)}. {help}",
        show_default=False,
        autocompletion=completed(lambda: known),
    )


def format_of(
    asked: Format | None, json: bool, output: Path | None, subject: Subject, usual: Format
) -> Format:
    """How to write the result: as asked, or as the name of the file says.

    Raises
    ------
    InputError
        If the name of the file promises what is not written.
    """
    if json and asked not in (None, Format.JSON):
        raise InputError("--json and another --format ask for two things")
    chosen = Format.JSON if json else asked or format_of_path(output, subject)
    if chosen is None and output is not None and output.suffix.lower() not in ("", ".txt"):
        known = suffixes_of(subject)
        raise InputError(
            f"--output: expected a name that ends with {either(known)}, or --format with it; "
            f"got {describe(output.name)}"
        )
    if chosen in BINARY and output is None:
        raise InputError(f"--format {chosen}: expected -o FILE, got stdout")
    return chosen or usual


def either(names: Iterable[str]) -> str:
    """Several names as a choice in words."""
    *others, last = names
    return f"{', '.join(others)} or {last}"


def names_of(texts: Iterable[str], what: str) -> list[str]:
    """The parts of comma-separated lists, none of them empty."""
    text = ",".join(texts)
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise InputError(f"--{what}: expected names separated by commas, got {describe(text)}")
    return parts
