"""The files of a refutation that others read, and the options that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from kt_cp.cli.files import OutputFile
from kt_cp.cli.options import file_only
from kt_cp.model.outcome import Certificate

Cnf = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The formula of a refutation, in DIMACS")
]
Drat = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Its lemmas as DRAT, for drat-trim and its like"),
]
Lrat = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The same as LRAT, for cake_lpr or lrat-check"),
]


def files_of(cnf: Path | None, drat: Path | None, lrat: Path | None) -> dict[str, Path | None]:
    """The files by their options."""
    asked = {"cnf": cnf, "drat": drat, "lrat": lrat}
    return {f"--{name}": file_only(path, name) for name, path in asked.items()}


def writers() -> dict[str, Callable[[Certificate], str | bytes]]:
    """What goes into the file of each option."""
    from kt_cp.formats.refutation import formula_text, hinted_text, proof_text

    return {"--cnf": formula_text, "--drat": proof_text, "--lrat": hinted_text}


class Files:
    """Files that are opened before the work, and written after it, or not at all."""

    def __init__(self, files: Mapping[str, Path | None], *, force: bool) -> None:
        self._stack = ExitStack()
        self._places = {
            name: self._stack.enter_context(OutputFile(path, force=force))
            for name, path in files.items()
            if path is not None
        }

    def __bool__(self) -> bool:
        return bool(self._places)

    def __str__(self) -> str:
        return next(iter(self._places))

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear away what was not written."""
        self._stack.close()

    def write(self, certificate: Certificate) -> None:
        """Write what was asked for."""
        texts = {name: writers()[name](certificate) for name in self._places}
        for name, text in texts.items():
            self._places[name].write(text)
