"""Options that several commands share, beside those that state a problem."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.formats.table import (
    BINARY,
    CONVERTED,
    FORMATS,
    GZIP,
    Format,
    Subject,
    ending_of,
    format_of_path,
    formats_of,
    suffixes_of,
)
from kt_cp.model.board import describe, shorten
from kt_cp.model.errors import InputError, suggestion

if TYPE_CHECKING:
    from kt_cp.model.outcome import Certificate


def complete_from(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completion for the shell: those of the names that begin with the typed text."""
    return lambda incomplete: [name for name in names() if name.startswith(incomplete)]


TimeLimit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Time limit, including the time to write the output"),
]
MemoryLimit = Annotated[
    float | None, typer.Option(metavar="MB", help="Limit on the resident memory of the search")
]
SEEDS: dict[str, Any] = {"min": 0, "max": 2**31 - 1}
Seed = Annotated[int, typer.Option(**SEEDS, help="Seed of all random choices")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Number of threads, for engines that use several (cpsat)"),
]
EXECUTORS = ("threads", "processes", "dask", "dask:ADDRESS")
Executor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Executor of parts of the work: {', '.join(EXECUTORS[:-1])} (starts a local cluster)"
        f" or {EXECUTORS[-1]} (uses a running one)",
        show_default=False,
        autocompletion=complete_from(lambda: EXECUTORS[:-1]),
    ),
]
GraphExecutor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="For one graph per line: processes, dask (starts a local cluster) or dask:ADDRESS"
        " (uses a running one)",
        show_default=False,
        autocompletion=complete_from(lambda: EXECUTORS[1:-1]),
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Same as --format json")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to FILE instead of stdout",
        parser=lambda name: None if name == "-" else Path(name),
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files")]
Cnf = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the formula of a refutation as DIMACS")
]
Drat = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write its lemmas as DRAT, for drat-trim")
]
Lrat = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write its lemmas as LRAT, for cake_lpr or lrat-check"),
]


def file_only(path: Path | None, option: str) -> Path | None:
    """Return the file of an option that cannot write to stdout; refuse ``-``."""
    if path == Path("-"):
        raise InputError(f"--{option}: expected the name of a file, got '-'")
    return path


def require_distinct_files(files: Mapping[str, Path | None]) -> None:
    """Refuse options that would overwrite each other's file; devices may be shared."""
    options: dict[str, str] = {}
    for option, path in files.items():
        try:
            if path is None or (path.exists() and not path.is_file()):
                continue
            target = os.path.realpath(path)
        except (OSError, ValueError):  # not a file name: opening it reports why
            continue
        if target in options:
            raise InputError(f"{options[target]} and {option} name the same file: {path}")
        options[target] = option


def check_output_files(output: Path | None, **others: Path | None) -> None:
    """Require distinct files for ``--output`` and other options, which must not be stdout."""
    files = {f"--{option}": file_only(path, option) for option, path in others.items()}
    require_distinct_files({"--output": output, **files})


def proof_files(cnf: Path | None, drat: Path | None, lrat: Path | None) -> dict[str, Path | None]:
    """Return the files of a refutation by their options."""
    files = {"cnf": cnf, "drat": drat, "lrat": lrat}
    return {f"--{name}": file_only(path, name) for name, path in files.items()}


def proof_writers() -> dict[str, Callable[[Certificate], str | bytes]]:
    """Return the function that writes the file of each option."""
    from kt_cp.formats.refutation import formula_text, hinted_text, proof_text

    return {"--cnf": formula_text, "--drat": proof_text, "--lrat": hinted_text}


def format_option(subject: Subject, help: str) -> Any:
    """Declare the option ``--format`` of a command, with the formats of its subject."""
    known = [str(each) for each in formats_of(subject)]

    def parse(name: str) -> Format:
        if named := format_of_path(Path(f"problem.{name}"), subject):
            return named
        if name not in known:
            hint = suggestion(name, known)
            raise InputError(f"expected {join_choices(known)}, got {shorten(name)!r}{hint}")
        return Format(name)

    return typer.Option(
        parser=parse,
        metavar="NAME",
        help=f"{join_choices(known)}. {help}",
        show_default=False,
        autocompletion=complete_from(lambda: known),
    )


def format_of(
    option: Format | None, json: bool, output: Path | None, subject: Subject, default: Format
) -> Format:
    """Return the format of the result, from the options or the file's name."""
    if json and option not in (None, Format.JSON):
        raise InputError(f"--json and --format {option} contradict each other: expected one")
    chosen = Format.JSON if json else option or format_of_path(output, subject)
    if chosen is None and output is not None and ending_of(output) not in ("", ".txt"):
        known = suffixes_of(subject)
        raise InputError(
            f"--output: expected a name that ends with {join_choices(known)}, or --format; "
            f"got {describe(output.name)}"
        )
    stated = Format.JSON if json else option
    if stated is not None and output is not None and not fits_name(stated, output):
        raise InputError(
            f"--format {stated} and the name {describe(output.name)} contradict each other: "
            "expected a name that fits, or no --format"
        )
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    if output is None and (chosen is Format.NPY or (chosen in CONVERTED and is_terminal)):
        place = "the terminal" if is_terminal else "stdout"
        raise InputError(f"--format {chosen}: expected -o FILE, got {place}")
    if chosen in BINARY and output is not None and output.suffix.lower() == GZIP:
        raise InputError(f"{chosen} is not compressed: expected a name without {GZIP}")
    return chosen or default


_PICTURES = frozenset({".gif", ".jpg", ".jpeg", ".webp", ".apng", ".bmp", ".mp4"})
"""Endings of picture formats that are not supported."""


def fits_name(format: Format, path: Path) -> bool:
    """Return whether the ending of a file's name allows a format.

    >>> [fits_name(Format.SVG, Path(name)) for name in ("a.svg", "a.txt", "a.png", "a.gif")]
    [True, True, False, False]
    """
    suffix = ending_of(path)
    if format is Format.ANIMATION and suffix == ".svg":
        return True
    others = {end for each, row in FORMATS.items() if each is not format for end in row.suffixes}
    return suffix in FORMATS[format].suffixes or suffix not in others | _PICTURES


def join_choices(names: Iterable[str]) -> str:
    """Return names as a list that ends with "or"."""
    *others, last = names
    return f"{', '.join(others)} or {last}"


def split_names(texts: Iterable[str], option: str) -> list[str]:
    """Split comma-separated lists of names; no name may be empty."""
    text = ",".join(texts)
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise InputError(
            f"--{option}: expected names separated by commas, without blanks or in quotes; "
            f"got {describe(text)}"
        )
    return parts


def expect_processes(executor: str | None) -> None:
    """Refuse threads: one that searches holds Python's lock, so that Ctrl-C has no effect."""
    if executor == "threads":
        raise InputError("--executor: expected processes, dask or dask:ADDRESS, got threads")
