"""The command line: the only place that prints, reads arguments or exits."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import TracebackType
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from kt_cp.cli.deadline import begin
from kt_cp.cli.output import (
    BUG,
    FOUND,
    INTERRUPTED,
    NO,
    UNKNOWN,
    USAGE,
    error_cause,
    print_text,
    remark,
    shorten_path,
)
from kt_cp.cli.parameters import Commands, OneEach, prose, usage
from kt_cp.model.errors import EndedError, EngineFailedError, InputError, UnsoundEngineError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.outcome import versions_of
from kt_cp.processes.memory import is_out_of_memory, require_memory_for_numpy

COMMANDS = {
    "solve": "solve",
    "prove": "prove",
    "locate": "solve",
    "check": "check",
    "enumerate": "enumerate",
    "count": "count",
    "sample": "count",
    "rank": "count",
    "unrank": "count",
    "reference": "reference",
    "trace": "reference",
    "engines": "engines",
    "encodings": "engines",
    "export": "export",
    "decode": "export",
    "compare": "compare",
    "puzzle": "puzzle",
    "web": "web",
}
"""The file of each command, whose function is called ``NAME_command``."""


@cache
def app(first: str = "") -> Callable[..., Any]:
    """The command of this name, or all of them: to load them takes longer than a tour."""
    made = typer.Typer(
        name="kt-cp",
        help="Knight's tours by constraint programming, SAT and search; every answer checked.",
        epilog="Exit codes: 0 yes, 1 a definite no, 2 bad input, 3 unknown, 70 a bug, "
        "130 interrupted.",
        cls=Commands,
        add_completion=first not in COMMANDS,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_always)  # without one a single command would have no name
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = getattr(import_module(f"kt_cp.cli.{COMMANDS[name]}"), f"{name}_command")
        made.command(name, cls=OneEach, help=prose(command.__doc__))(command)
    return typer.main.get_command(made)


def _version(asked: bool) -> None:
    if asked:
        known = versions_of(("ortools", "python-sat", "networkx"))
        print_text(f"kt-cp {known.pop('kt_cp')} ({', '.join(map(' '.join, known.items()))})\n")
        raise typer.Exit


def _always(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_version, help="Show versions and exit"),
    ] = False,
) -> None:
    """Options that go before a command."""


def _words(said: list[str]) -> list[str]:
    """What was said, with ``help COMMAND`` and nothing at all as requests for help."""
    if said[:1] == ["help"]:
        return [*said[1:], "--help"]
    return said or ["--help"]


_came: list[int] = []
"""Signals that have come: an import of a library may turn their exception into one of its own."""


def main(began: float | None = None) -> NoReturn:
    """Entry point of the command line; time limits count from ``began``, by default from here.

    Ctrl-C is an exception while a command works, so that child processes and half-written files are
    cleared away; before and after, it is what it was when this was called.
    """
    _came.clear()
    begin(began)
    sys.unraisablehook = _dropped
    sys.excepthook = _printed
    before = signal.getsignal(signal.SIGINT) or signal.SIG_DFL
    signal.signal(signal.SIGTERM, _terminated)
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase):
            # As with PYTHONUNBUFFERED: it may write a part of a text and say nothing of the rest.
            sys.stdout = open(  # noqa: SIM115  for as long as the process lives
                sys.stdout.fileno(), "w", encoding=sys.stdout.encoding, closefd=False
            )
        sys.stdout.reconfigure(errors="replace")  # a frame is not worth failing for
    try:
        words = _words(sys.argv[1:])
        if "numpy" not in sys.modules:
            require_memory_for_numpy()
        command = app(words[0])
        if before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _interrupted)
        code = command(words, prog_name="kt-cp", standalone_mode=False)
        if code == INTERRUPTED:  # Typer has turned the exception into its code
            raise KeyboardInterrupt
        if code == NO and words[0].endswith("-completion"):  # Typer has said that it cannot
            code = USAGE
    except SystemExit as stop:
        if stop.code != 1:
            raise
        code = FOUND  # Typer has met a reader of its help who has read enough
    except TimeLimitReachedError as error:
        code = _complain(f"unknown: {error}", UNKNOWN)
    except (KeyboardInterrupt, typer.Abort):
        code = _complain("interrupted", INTERRUPTED)
    except Exception as error:
        code = _failed(error)
    finally:
        signal.signal(signal.SIGINT, before)
    sys.exit(code if isinstance(code, int) else FOUND)


def _failed(error: Exception) -> int:
    """Exit code for an exception, after a line that says what happened."""
    if signal.SIGINT in _came:
        return _complain("interrupted", INTERRUPTED)
    if _came:
        return 128 + _came[0]
    if isinstance(error, TyperException):
        return _complain(usage(error))
    if isinstance(error, InputError):
        return _complain(str(error))
    if isinstance(error, UnsoundEngineError):
        return _complain(str(error), BUG)
    if is_out_of_memory(error):
        return _complain("unknown: memory ran out", UNKNOWN)
    if isinstance(error, EndedError):
        return _complain(f"unknown: {error}", UNKNOWN)
    if isinstance(error, OSError):
        where = f"{shorten_path(error.filename)}: " if error.filename else "the system refuses: "
        return _complain(where + error_cause(error))
    if isinstance(error, EngineFailedError):
        return _complain(str(error), BUG)
    # Python's own exit code for this is 1, which here is a definite no.
    traceback.print_exception(error)
    return _complain(f"a bug, please report it: {type(error).__name__}: {error}", BUG)


def _complain(message: str, code: int = USAGE) -> int:
    """One line on stderr, whatever the message holds."""
    remark(f"kt-cp: {' '.join(message.split())}")
    return code


def _terminated(number: int, _frame: object) -> NoReturn:
    # As an exception, so that child processes and half-written files are cleared away.
    _came.append(number)
    sys.exit(128 + number)


def _interrupted(number: int, _frame: object) -> NoReturn:
    _came.append(number)
    raise KeyboardInterrupt


def _printed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Compiled code, such as NumPy's as it is imported, prints an exception and raises its own."""
    if not (_came and issubclass(kind, KeyboardInterrupt | SystemExit)):
        sys.__excepthook__(kind, error, trace)


def _resend(number: int, returned: threading.Event) -> None:
    # An exception raised before the hook has returned would be dropped too, and for good.
    returned.wait()
    time.sleep(0.01)
    os.kill(os.getpid(), number)


def _dropped(what: sys.UnraisableHookArgs) -> None:
    """An exception in a callback or a finalizer goes nowhere; its signal comes again, after it."""
    interrupted = signal.SIGINT in _came and issubclass(what.exc_type, KeyboardInterrupt)
    if interrupted or issubclass(what.exc_type, TimeLimitReachedError):
        number = signal.SIGINT if interrupted else signal.SIGALRM
        returned = threading.Event()
        threading.Thread(target=_resend, args=(number, returned), daemon=True).start()
        returned.set()
    else:
        sys.__unraisablehook__(what)
