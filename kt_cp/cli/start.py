"""The square on which a source program starts: named, in the document's numbers, or asked for."""

from __future__ import annotations

import sys

from kt_cp.cli.output import show
from kt_cp.cli.question import Question
from kt_cp.model.board import Square
from kt_cp.model.errors import InputError
from kt_cp.sources.registry import COORDINATES, Source, parse_at

ASKS = "001"
"""The one source that reads its start."""


def start_of(source: Source, question: Question, at: str | None) -> Square | None:
    """The square of ``--start``, or that of ``--at``, None where neither is given."""
    named = question.told().get("start")
    if at is None:
        return named
    if named is not None:
        raise InputError(
            f"--start and --at name one thing: expected one, got {question.start!r} and {at!r}"
        )
    try:
        return parse_at(source, question.on(), at)
    except InputError as error:
        raise InputError(f"--at: {error}") from None


def asked_start(source: Source, question: Question, *, quiet: bool) -> Square:
    """The square that is typed in when the program asks for its two numbers, one a line.

    What it asks is a part of what it prints, and so is the answer: where no terminal shows what is
    typed, it is printed as well.  ``quiet`` leaves stdout to programs.

    Raises
    ------
    InputError
        If stdin ends before both are there, or they are no square of the board.
    """
    numbers = []
    for axis in COORDINATES[source.number].axes:
        asked = f"Start at {axis} = "
        if not quiet:
            show(asked)
        elif sys.stdin is not None and sys.stdin.isatty():
            print(asked, end="", file=sys.stderr, flush=True)
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            raise InputError(
                f"document {source.number} reads x and y from stdin: expected {axis} there, or "
                "--start or --at; got the end"
            )
        numbers.append(line.strip())
        if not quiet:
            seen = sys.stdin.isatty() and sys.stdout.isatty()
            show("\n" if seen else f"{numbers[-1]}\n\n")
    return parse_at(source, question.on(), ",".join(numbers))
