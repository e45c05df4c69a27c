"""The manual page of ``kt-cp``, from its options and arguments; ``make man`` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from importlib.metadata import version
from typing import Any

from kt_cp.cli import COMMANDS, app, command_of
from tests.support.command_line import ROOT

PATH = ROOT / "docs" / "man" / "kt-cp.1"

EXAMPLES = (
    ("Find a closed tour and write it as a picture:", "kt-cp solve 8x8 --closed -o tour.svg"),
    ("Prove that there is none, and check the proof:", "kt-cp prove 4x4 -o no.json"),
    ("", "kt-cp check no.json"),
    ("Find a Hamiltonian cycle of a graph:", "kt-cp solve graph.edges --closed"),
    ("Compare solvers on two boards:", "kt-cp compare 6x6 8x8 --engines sat,cpsat"),
)

EXIT_CODES = (
    ("0", "Yes: a tour, a proof, a valid file."),
    ("1", "A definite no."),
    ("2", "Bad input."),
    ("3", "Unknown: a limit was reached first."),
    ("70", "A bug, or an answer that failed a check."),
    ("130", "Interrupted."),
)


def escape(text: str) -> str:
    """Escape text for roff: backslashes, hyphens, and marks that begin a request."""
    text = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text


def lines() -> Iterator[str]:
    """Yield the lines of the page."""
    group: Any = app()
    yield f'.TH KT\\-CP 1 "" "kt_cp {version("kt_cp")}" "User Commands"'
    yield from (".SH NAME", r"kt\-cp \- knight's tours by constraint programming and SAT")
    yield from (
        ".SH SYNOPSIS",
        ".B kt\\-cp",
        "[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]",
    )
    yield from (".SH DESCRIPTION", escape(group.help))
    yield escape("A board is given as ROWSxCOLUMNS, or as a file with a drawn board or a graph.")
    yield ".SH OPTIONS"
    with group.make_context("kt-cp", [], resilient_parsing=True) as context:
        yield from options(group, context)
    yield ".SH COMMANDS"
    for name in sorted(COMMANDS):
        command = copy(command_of(name))
        command._help_option = None  # otherwise that of the first context remains
        settings = group.context_settings
        with command.make_context(name, [], resilient_parsing=True, **settings) as context:
            usage = " ".join([name, *command.collect_usage_pieces(context)])
            yield f'.SS "kt\\-cp {escape(usage)}"'
            for number, paragraph in enumerate((command.help or "").split("\n\n")):
                yield from ([".PP"] if number else [])
                yield escape(paragraph)
            yield from options(command, context)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES:
        yield from (".TP", f".B {code}", escape(meaning))
    yield ".SH EXAMPLES"
    for text, command in EXAMPLES:
        yield from ([".PP", escape(text)] if text else [])
        yield from (".PP", ".nf", f".RS\n{escape(command)}\n.RE", ".fi")
    yield from (".SH SEE ALSO", escape("kt-cp COMMAND --help explains one command."))


def options(command: Any, context: Any) -> Iterator[str]:
    """Yield the options and arguments of a command."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            names = re.sub(r"--?[a-z][a-z-]*|-[A-Za-z]\b", r"\\fB\g<0>\\fR", record[0])
            names = names.replace("-", r"\-")
            yield from (".TP", names, escape(record[1] or ""))


def page() -> str:
    """Return the page as roff."""
    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    PATH.write_text(page(), "utf-8")
